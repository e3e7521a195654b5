/* A trained Transformer reads along: one token through embedding, heads, residual stream and feed-forward layers to the next
   word, with the exact grammar beside it; heads, mask and positions can be switched off. */
"use strict";
(() => {
  const { h, s, fixed, probability, bits, selector, controls, button, bars, Widget } = window.lm;
  const norm = (v) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
  const sum = (costs) => costs.reduce((a, b) => (a === null || b === null ? null : a + b), 0);
  const signed = (x) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(1)}`;

  /** One square for each number of a vector, coloured by sign, the stronger the larger; the root shows small numbers, too. */
  function squares(v, most) {
    return s("svg", { viewBox: `0 0 ${10 * v.length} 16`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...[...v].map((x, j) => s("rect", { x: 10 * j, y: 0, width: 9, height: 16, class: x < 0 ? "lm-minus" : "lm-plus", "fill-opacity": Math.min(1, Math.sqrt(Math.abs(x) / most)) })));
  }

  /** How strongly a head looks at each of T words from place t: a column for each, `most` being as high as there is room. */
  function columns(weights, t, T, most) {
    return s("svg", { viewBox: `0 0 ${10 * T} 24`, preserveAspectRatio: "none", class: "lm-columns", "aria-hidden": "true" },
      s("rect", { x: 10 * t, y: 0, width: 10, height: 24, class: "lm-asking" }),
      ...[...weights].map((a, j) => s("rect", { x: 10 * j + 1, y: 24 - (24 * a) / most, width: 8, height: (24 * a) / most, class: "lm-plus" })));
  }

  class Explorer extends Widget {
    title_ = "A Transformer reads your sentence";
    late_ = true;

    /** What the model does with the words, and the distribution after each place; <bos> itself is never predicted. */
    run(words, switches) {
      const trace = this.model.read([this.data.bos, ...words.map((word) => this.ids.get(word))], switches);
      const p = trace.stream.at(-1).map((x) => this.guess(x));
      return { ...trace, p, cost: words.map((word, t) => bits(p[t][this.ids.get(word)])) };
    }
    guess(x) {
      const logits = this.model.logits(x);
      logits[this.data.bos] = -Infinity;
      return window.lm.engine.softmax(logits);
    }
    likely(p, count) { return [...p.keys()].sort((a, b) => p[b] - p[a]).slice(0, count); }
    name(id) { return this.data.vocab[id] === "<eos>" ? "the end" : this.data.vocab[id]; }

    build(data) {
      const { Grammar, Transformer, typing, weights } = window.lm.engine, grammar = new Grammar(data.grammar);
      this.data = data, this.ids = new Map(data.vocab.map((word, id) => [word, id]));
      const off = new Set(), on = { mask: true, positions: true };
      let words = [], at = 0, colour = 0, exact = [], alive = [], intact, typed;
      const heads = Array.from({ length: data.layers }, (_, l) => Array.from({ length: data.heads }, (_, i) => `${l}.${i}`)).flat();
      const title = (key) => key.split(".").map((k) => +k + 1).join(".");
      const place = (t) => (t ? `“${words[t - 1]}”` : "the beginning");
      const score = h("ul", { class: "lm-bars lm-score" }), flow = h("div", { class: "lm-flow" });
      const line = h("div", { class: "lm-words", role: "group", "aria-label": "The words, one of them chosen; arrow keys go on" });
      const about = h("p", { class: "lm-about" }), list = h("ul", { class: "lm-bars" }), next = h("div", {}, about, list);

      const toggle = (text, state, flip, also = {}) =>
        h("button", { type: "button", "aria-pressed": `${state()}`, click: (event) => { flip(); event.currentTarget.setAttribute("aria-pressed", `${state()}`); update(); }, ...also }, text);
      const switches = heads.map((key) => toggle(h("span", {}, title(key)), () => !off.has(key), () => (off.has(key) ? off.delete(key) : off.add(key)), { "aria-label": `Head ${title(key)}` }));
      const costs = switches.map((each) => each.appendChild(h("small", {})));
      const others = ["mask", "positions"].map((name) => toggle(name === "mask" ? "Mask" : "Positions", () => on[name], () => { on[name] = !on[name]; }));
      const restore = () => {
        off.clear(), on.mask = on.positions = true;
        for (const each of [...switches, ...others]) each.setAttribute("aria-pressed", "true");
        update();
      };
      const board = h("div", { class: "lm-board", role: "group", "aria-label": "Switches" },
        ...Array.from({ length: data.layers }, (_, l) => h("div", { class: "lm-switches" }, h("span", {}, `Heads of layer ${l + 1}`), ...switches.slice(l * data.heads, (l + 1) * data.heads))),
        h("div", { class: "lm-switches" }, h("span", {}, "The rest"), ...others, button("Everything on", restore)));
      const changed = () => [...heads.filter((key) => off.has(key)).map((key) => `head ${title(key)} off`), ...(on.mask ? [] : ["the mask lifted"]), ...(on.positions ? [] : ["no positions"])];

      const choose = (t, focus) => {
        at = Math.max(0, Math.min(words.length, t));
        update();
        if (focus) line.children[at].focus();
      };
      line.addEventListener("keydown", (event) => {
        const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: words.length }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        choose(to, true);
      });
      const paint = selector("The words show", ["what each cost, in bits", ...heads.map((key) => `where head ${title(key)} looks`)], (i) => { colour = i; update(); });
      const select = paint.querySelector("select");
      const look = (key) => {
        colour = select.selectedIndex = 1 + heads.indexOf(key); // 0, the costs, without a head
        update();
      };

      const lay = () => {
        line.replaceChildren(...["start", ...words].map((word, t) => h("button", { type: "button", click: () => choose(t) }, h("span", {}, word), h("small", {}))));
      };
      /** The words, each with its cost or the weight that the chosen head gives it, and the chosen one framed. */
      const tint = (now) => {
        const looks = colour && now ? now.layers[+heads[colour - 1].split(".")[0]].heads[+heads[colour - 1].split(".")[1]].weights[at] : null;
        [...line.children].forEach((each, t) => {
          const value = looks ? looks[t] : now && t ? now.cost[t - 1] : undefined, small = each.lastChild;
          each.setAttribute("aria-pressed", `${t === at}`);
          each.tabIndex = t === at ? 0 : -1;
          each.className = looks ? (value === undefined ? "lm-hidden" : "lm-looks") : "lm-cost";
          each.style.setProperty("--strong", `${Math.round(value === undefined ? 0 : looks ? 38 * Math.sqrt(value) : Math.min(38, 7 * value))}%`);
          small.textContent = value === undefined ? "\u00a0" : looks ? value.toFixed(2) : fixed(value, 1);
        });
      };
      /** The stream at one height, and what the output layer would say of it: the likeliest word and the one that comes, or the second. */
      const station = (label, x, most) => {
        const p = this.guess(x), [first, second] = this.likely(p, 2), came = this.ids.get(words[at]);
        const says = (id) => `${this.name(id)} ${probability(p[id])}${id === came ? " ✓" : ""}`;
        return h("div", { class: "lm-station" }, h("span", { class: "lm-name" }, label), squares(x, most),
          h("span", { class: "lm-note" }, h("b", {}, says(first)), `, ${says(came === undefined || came === first ? second : came)}`, h("br"), `norm ${norm(x).toFixed(1)}`));
      };
      const part = (label, v, most) => h("div", { class: "lm-part" }, h("span", { class: "lm-name" }, label), squares(v, most), h("span", { class: "lm-note" }, `norm ${norm(v).toFixed(1)}`));
      const follow = (now) => {
        const { stream, layers } = now, T = words.length + 1, numbers = stream.map((each) => each[at]);
        const most = Math.max(...numbers.flatMap((v) => [...v].map(Math.abs))), e = this.model.embed([this.ids.get(words[at - 1]) ?? data.bos], false)[0];
        const where = this.model.p ? `position ${at}` : "convolution", added = numbers[0].map((x, j) => x - e[j]);
        const branches = layers.flatMap((layer, l) => {
          const peak = Math.max(...layer.heads.flatMap((head) => [...head.weights[at]]));
          const lines = layer.heads.map((head, i) => {
            const a = head.weights[at], key = `${l}.${i}`, top = this.likely(a, 2).filter((j, rank) => !rank || a[j] >= 0.1);
            return h("div", { class: `lm-part lm-one${off.has(key) ? " lm-off" : ""}`, click: () => look(key) }, h("span", { class: "lm-name" }, `head ${title(key)}`), columns(a, at, T, peak),
              h("span", { class: "lm-note" }, off.has(key) ? "switched off" : `${top.map((j) => `${j ? words[j - 1] : "start"} ${a[j].toFixed(2)}`).join(", ")}; adds ${norm(head.adds[at]).toFixed(1)}`));
          });
          return [
            h("div", { class: "lm-branch" },
              h("p", { class: "lm-head" }, `Layer ${l + 1}, attention: where each head looks from ${place(at)} (highest column: ${peak.toFixed(2)}), and the norm of what it adds`), ...lines),
            station(`after attention ${l + 1}`, numbers[2 * l + 1], most),
            h("div", { class: "lm-branch" }, part(`feed-forward ${l + 1}`, layer.adds[at], most)),
            station(`after layer ${l + 1}`, numbers[2 * l + 2], most),
          ];
        });
        flow.replaceChildren(
          h("p", { class: "lm-head" }, `The stream after ${place(at)}: its ${e.length} numbers, and what the output layer would say if nothing more were added${at < words.length ? ` (✓: what comes, “${words[at]}”)` : ""}.`),
          h("div", { class: "lm-branch" }, part(at ? words[at - 1] : "start", e, most), part(on.positions ? where : `${where}: off`, added, most)),
          station("the input", numbers[0], most), ...branches);
      };
      const update = () => {
        if (!this.model) {
          tint(null);
          this.say(this.asked ? "The model is being fetched …" : "The model is fetched as soon as you touch the sentence or a switch.");
          return;
        }
        const with_ = changed(), now = with_.length ? this.run(words, { off, ...on }) : intact, p = now.p[at];
        tint(now);
        follow(now);
        const told = alive[at].length ? new Map(grammar.next(alive[at])) : null;
        const shown = [...new Set([...this.likely(p, 6), ...(told ? [...told].slice(0, 2).map(([word]) => this.ids.get(word)) : [])])];
        about.textContent = `After ${place(at)} it expects${told ? ", and behind it what the language itself expects" : ""}:`;
        list.replaceChildren(...bars(shown.map((id) => {
          const pale = told ? told.get(data.vocab[id]) || 0 : undefined;
          return { word: this.name(id), p: p[id], pale, note: told ? `${probability(p[id])}, exact ${probability(pale)}` : probability(p[id]) };
        }), Math.max(...shown.map((id) => Math.max(p[id], told ? told.get(data.vocab[id]) || 0 : 0)))));
        const best = sum(exact.map(bits)), whole = sum(intact.cost), own = sum(now.cost), longest = Math.max(best || 0, whole, own);
        score.replaceChildren(...bars([
          { word: "the language", p: best === null ? longest : best, note: best === null ? "cannot say this" : `${fixed(best, 2)} bits`, mark: "lm-answer" },
          { word: "whole model", p: whole, note: `${fixed(whole, 2)} bits` },
          { word: "as switched", p: own, note: with_.length ? `${fixed(own, 2)} bits` : "the same", mark: with_.length ? "" : "lm-others" }], longest));
        this.say(!words.length ? "Nothing has been read yet."
          : (with_.length ? `With ${with_.join(", ")}, the ${words.length} words cost ${fixed(own, 2)} bits, ${fixed(Math.abs(own - whole), 2)} ${own < whole ? "fewer" : "more"} than the whole model pays.`
            : `${words.length} ${words.length === 1 ? "word" : "words"}: the whole model pays ${fixed(whole, 2)} bits, the language itself ${best === null ? "cannot say this" : fixed(best, 2)}.`)
          + (on.mask ? "" : " But it now looks at the very words that it is to predict: this is no cost of a language model.")
          + ` After ${place(at)} it expects “${this.name(shown[0])}” with probability ${probability(p[shown[0]])}.`);
      };
      /** What changes with the words only: the exact grammar, the whole model, and the model with each head off. */
      const reread = () => {
        alive = [grammar.begin()], exact = [];
        for (const word of words) {
          const said = new Map(alive.at(-1).length ? grammar.next(alive.at(-1)) : []);
          exact.push(said.get(word) || 0);
          alive.push(grammar.read(alive.at(-1), word));
        }
        if (this.model) {
          intact = this.run(words);
          clearTimeout(this.later); // a run for each head, when the reader has stopped typing
          for (const each of costs) each.textContent = "";
          if (words.length) this.later = setTimeout(() => heads.forEach((key, i) => {
            costs[i].textContent = signed(sum(this.run(words, { off: new Set([key]) }).cost) - sum(intact.cost));
          }), 150);
        }
        update();
      };
      const wake = () => {
        if (this.asked) return;
        this.asked = true;
        weights(this).then((numbers) => { this.model = new Transformer(numbers, data.heads, data.qk); reread(); }, (error) => { this.asked = false; this.say(`${error.message}.`); });
        update();
      };
      for (const event of ["pointerdown", "focusin", "click"]) this.addEventListener(event, wake);
      new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && wake()).observe(this);
      typed = typing({
        grammar, text: data.examples[0].text, vocab: data.vocab.filter((word) => !/^<.*>$/.test(word)), most: data.longest,
        change: (read) => { words = read, at = read.length; lay(); reread(); },
      });
      const examples = selector("Example", data.examples.map(({ label }) => label), (i) => {
        typed.set(data.examples[i].text);
        at = data.examples[i].at;
        look(data.examples[i].look);
      });
      this.append(controls(examples), typed.box, h("p", { class: "lm-about" }, "Switches. Beside each head: how many bits more the words would cost without it."), board, score, this.said, controls(paint), line, flow, next);
      typed.update();
      at = data.examples[0].at;
      look(data.examples[0].look);
    }
  }
  customElements.define("lm-explorer", Explorer);
})();
