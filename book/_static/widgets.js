/* The book's moving figures: custom elements without a library. Each finds its data as JSON in a <script> inside it
   (lmkit.plotting.widget writes it) and replaces the fallback beside it. null in the data is an infinity. */
"use strict";
(() => {
  /** An HTML element; attributes whose value is a function are event listeners. */
  function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  function s(tag, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const show = (x) => (x === null ? "∞" : x === 0 ? "0" : Number(x.toPrecision(3)) + "");
  const percent = (p) => (100 * p).toFixed(p > 0 && p < 0.0995 ? 1 : 0) + " %";
  const bits = (p) => -Math.log2(p);
  let labels = 0;

  /** A control with its visible label in front. */
  function labelled(text, control) {
    control.id ||= `lm-${++labels}`;
    return h("span", { class: "lm-control" }, h("label", { for: control.id }, text), control);
  }

  function slider(text, count, at, describe, change) {
    const value = h("span", { class: "lm-value", "aria-hidden": "true" });
    const input = h("input", { type: "range", min: 0, max: count - 1, value: at });
    const tell = () => {
      value.textContent = describe(+input.value);
      input.setAttribute("aria-valuetext", value.textContent);
    };
    input.addEventListener("input", () => (tell(), change(+input.value)));
    tell();
    const control = labelled(text, input);
    control.append(value);
    return control;
  }

  /** A selector, or nothing where there is nothing to select. */
  function selector(text, options, change) {
    if (options.length < 2) return "";
    const select = h("select", { change: () => change(select.selectedIndex) });
    select.append(...options.map((option) => h("option", {}, option)));
    return labelled(text, select);
  }

  /** Bars of [word, probability, optional pale probability, optional class]; numbers stand beside them as text. */
  function bars(rows, full) {
    const width = (p) => `width:${Math.min(100, (100 * p) / (full || 1))}%`;
    return rows.map(([word, p, pale, mark]) =>
      h("li", { class: mark || "" },
        h("span", { class: "lm-word" }, word),
        h("span", { class: "lm-track", "aria-hidden": "true" },
          ...(pale === undefined ? [] : [h("span", { class: "lm-pale", style: width(pale) })]),
          h("span", { class: "lm-bar", style: width(p) })),
        h("span", { class: "lm-p" }, percent(p) + (pale === undefined ? "" : ` (was ${percent(pale)})`))));
  }

  /** Lines over equally spaced x, y logarithmic; the position `at` is marked. An infinite value stands at the upper edge. */
  function chart({ x, lines, at, best, xLabel, yLabel }) {
    const [W, H, left, right, top, bottom] = [520, 230, 52, 120, 14, 40];
    const values = [...lines.flatMap((line) => line.y), best ?? null].filter((y) => y !== null);
    const low = Math.log(Math.min(...values)) - 0.1, high = Math.log(Math.max(...values)) + 0.1;
    const px = (i) => left + ((W - left - right) * (i + 0.5)) / x.length;
    const py = (y) => (y === null ? top : top + ((H - top - bottom) * (high - Math.log(y))) / (high - low));
    const text = (tx, ty, string, more = {}) => s("text", { x: tx, y: ty, ...more }, string);
    let ticks = [];
    for (const steps of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 4, 5, 7]]) {
      ticks = [];
      for (let e = Math.floor(low / Math.LN10); e <= high / Math.LN10; e++)
        ticks.push(...steps.map((m) => m * 10 ** e).filter((y) => Math.log(y) > low && Math.log(y) < high));
      if (ticks.length > 2) break;
    }
    const drawing = s("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" });
    for (const y of ticks)
      drawing.append(s("line", { x1: left, x2: W - right, y1: py(y), y2: py(y), class: "lm-grid" }),
        text(left - 6, py(y) + 4, show(y), { "text-anchor": "end" }));
    const every = Math.ceil(x.length / 8);
    x.forEach((value, i) => i % every || drawing.append(text(px(i), H - bottom + 16, show(value), { "text-anchor": "middle" })));
    drawing.append(text((left + W - right) / 2, H - 6, xLabel, { "text-anchor": "middle" }),
      text(12, (top + H - bottom) / 2, yLabel, { "text-anchor": "middle", transform: `rotate(-90 12 ${(top + H - bottom) / 2})` }),
      s("line", { x1: px(at), x2: px(at), y1: top, y2: H - bottom, class: "lm-at" }));
    const names = [];
    if (best != null) {
      drawing.append(s("line", { x1: left, x2: W - right, y1: py(best), y2: py(best), class: "lm-best" }));
      names.push([py(best), "best possible", "lm-best"]);
    }
    lines.forEach(({ name, y }, k) => {
      let path = "";
      y.forEach((v, i) => { if (v !== null) path += `${i && y[i - 1] !== null ? "L" : "M"}${px(i)} ${py(v)}`; });
      drawing.append(s("path", { d: path, class: `lm-line lm-line${k}` }));
      y.forEach((v, i) => drawing.append(v === null
        ? text(px(i), top + 8, "∞", { "text-anchor": "middle", class: `lm-name${k}` })
        : s("circle", { cx: px(i), cy: py(v), r: i === at ? 5.5 : 2.5, class: `lm-dot${k}` })));
      names.push([py(y[y.length - 1]), name, `lm-name${k}`]);
    });
    names.sort((a, b) => a[0] - b[0]).forEach((name, i) => {
      if (i) name[0] = Math.max(name[0], names[i - 1][0] + 15);
      drawing.append(text(W - right + 6, name[0] + 4, name[1], { class: name[2] }));
    });
    return drawing;
  }

  /** Uniform numbers in [0, 1) from a seed: mulberry32. */
  function random(seed) {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  class Widget extends HTMLElement {
    connectedCallback() {
      if (this.said) return;
      const data = JSON.parse(this.querySelector("script").textContent);
      this.said = h("p", { class: "lm-said", role: "status" });
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", this.title_);
      this.replaceChildren(h("p", { class: "lm-title", "aria-hidden": "true" }, this.title_));
      this.build(data);
    }
    say(text) { this.said.textContent = text; }
  }

  class Sampler extends Widget {
    title_ = "The weighted die";
    build({ models, seed = 1, join = " ", end = "<eos>", start = [] }) {
      let model = models[0], tokens, draw;
      const sentence = h("p", { class: "lm-text" }), about = h("p", { class: "lm-about" }), list = h("ul", { class: "lm-bars" });
      const number = h("input", { type: "number", value: seed, min: 0, step: 1, change: () => reset() });
      const context = () => (model.order > 1 ? tokens.slice(1 - model.order) : []);
      const ended = () => tokens.length > 0 && tokens[tokens.length - 1] === end;
      const die = () => (ended() ? [] : model.next[context().join(join)] || []);
      const update = () => {
        const known = context(), faces = die();
        const old = tokens.slice(0, tokens.length - known.length).join(join);
        sentence.replaceChildren(old, old && known.length ? join : "", ...(known.length ? [h("mark", {}, known.join(join))] : []), join || " ", "▁");
        about.textContent = ended() ? "The sentence is over. Roll to begin another."
          : !faces.length ? `“${known.join(join)}” was never seen in training: the die has no faces. Roll to begin again.`
          : (known.length ? `The die after “${known.join(join)}”` : model.order > 1 ? "The die at the beginning of a sentence" : "The one die of this model")
            + `: ${faces.length} face${faces.length > 1 ? "s" : ""}`;
        const top = faces.slice(0, 8), rest = faces.slice(8).reduce((sum, face) => sum + face[1], 0);
        const rows = top.concat(rest ? [[`${faces.length - 8} others`, rest]] : []);
        list.replaceChildren(...bars(rows, Math.max(...rows.map((row) => row[1]))));
      };
      const roll = () => {
        const faces = die();
        if (!faces.length) {
          tokens = [...start];
          this.say("A new sentence.");
          return false;
        }
        const u = draw();
        let sum = 0;
        const [word, p] = faces.find((face) => (sum += face[1]) > u) || faces[faces.length - 1];
        tokens.push(word);
        this.say(`Rolled ${u.toFixed(3)}: “${word}” (${percent(p)}).`);
        return true;
      };
      const reset = () => {
        tokens = [...start];
        draw = random(+number.value);
        this.say(`Seed ${number.value}: the same seed rolls the same words.`);
        update();
      };
      const finish = () => {
        let left = 60;
        if (!die().length) roll();
        while (left-- && die().length) roll();
        this.say(`The model wrote: ${tokens.join(join)}`);
        update();
      };
      this.append(
        h("div", { class: "lm-controls" },
          selector("Model", models.map((one) => one.label), (i) => { model = models[i]; reset(); }), labelled("Seed", number),
          h("button", { type: "button", click: () => { roll(); update(); } }, "Roll"),
          h("button", { type: "button", click: finish }, "Roll to the end"),
          h("button", { type: "button", click: reset }, "Reset")),
        sentence, this.said, about, list);
      reset();
    }
  }

  class Order extends Widget {
    title_ = "The order of an n-gram model";
    build({ orders, sizes, best }) {
      let at = 0, size = sizes[0];
      const picture = h("div", { class: "lm-chart" });
      const update = () => {
        const train = size.train[at], test = size.test[at];
        picture.replaceChildren(chart({ x: orders, at, best, xLabel: "order n", yLabel: "perplexity",
          lines: [{ name: "test", y: size.test }, { name: "training", y: size.train }] }));
        this.say(`n = ${orders[at]}: training perplexity ${show(train)}, test perplexity ${show(test)}`
          + (best == null ? "." : `, best possible ${show(best)}.`)
          + (test === null ? " A test sentence holds an n-gram that was never seen." : ""));
      };
      this.append(h("div", { class: "lm-controls" },
        slider("Order n", orders.length, at, (i) => orders[i] + "", (i) => { at = i; update(); }),
        selector("Training text", sizes.map((one) => one.label), (i) => { size = sizes[i]; update(); })), picture, this.said);
      update();
    }
  }

  class Smoothing extends Widget {
    title_ = "Smoothing moves probability to the unseen";
    build({ parameter, values, test, contexts }) {
      let at = values.length >> 1, one = contexts[0];
      const finite = test.filter((y) => y !== null), least = Math.min(...finite);
      const list = h("ul", { class: "lm-bars" }), picture = h("div", { class: "lm-chart" }), about = h("p", { class: "lm-about" });
      const rest = (p) => { const left = 1 - p.reduce((sum, q) => sum + q, 0); return left > 1e-6 ? left : 0; };
      const update = () => {
        const now = one.smoothed[at], others = [rest(now), rest(one.mle)];
        const rows = one.words.map((word, i) => [word, now[i], one.mle[i]]);
        if (Math.max(...one.smoothed.map(rest)) > 0) rows.push(["all others", ...others]);
        about.textContent = `The next word after “${one.context}”; pale: unsmoothed`;
        list.replaceChildren(...bars(rows, Math.max(...one.mle, ...one.smoothed.flat(), ...one.smoothed.map(rest))));
        picture.replaceChildren(chart({ x: values, at, xLabel: parameter, yLabel: "test perplexity", lines: [{ name: "test", y: test }] }));
        this.say(`${parameter} = ${show(values[at])}: test perplexity ${show(test[at])}; `
          + `the lowest here is ${show(least)}, at ${parameter} = ${show(values[test.indexOf(least)])}.`);
      };
      this.append(h("div", { class: "lm-controls" },
        slider(parameter, values.length, at, (i) => show(values[i]), (i) => { at = i; update(); }),
        selector("Context", contexts.map((c) => c.context), (i) => { one = contexts[i]; update(); })), about, list, picture, this.said);
      update();
    }
  }

  class Shannon extends Widget {
    title_ = "The Shannon game";
    build({ model, items }) {
      let at, hits, total;
      const sentence = h("p", { class: "lm-text" }), choices = h("div", { class: "lm-controls" }), list = h("ul", { class: "lm-bars" });
      const ask = (focus) => {
        const { prefix, choices: all } = items[at];
        sentence.textContent = prefix + " ▁▁▁";
        list.replaceChildren();
        choices.replaceChildren(...all.map(([word]) => h("button", { type: "button", click: () => reveal(word) }, word)));
        if (focus) choices.firstChild.focus();
      };
      const begin = (focus) => {
        at = hits = total = 0;
        this.say(`Which word comes next? ${items.length} guesses against the ${model}.`);
        ask(focus);
      };
      const reveal = (guess) => {
        const { prefix, choices: all, answer } = items[at++];
        const p = all.find(([word]) => word === answer)[1];
        hits += guess === answer;
        total += bits(p);
        sentence.replaceChildren(prefix + " ", h("mark", {}, answer));
        list.replaceChildren(...bars(all.map(([word, q]) => [word, q, undefined, word === answer ? "lm-answer" : ""]),
          Math.max(...all.map((choice) => choice[1]))));
        const last = at === items.length;
        choices.replaceChildren(h("button", { type: "button", click: () => (last ? begin(true) : ask(true)) }, last ? "Play again" : "Next"));
        choices.firstChild.focus();
        this.say(`You said “${guess}”, the word was “${answer}”. The ${model} gave it ${percent(p)}, a surprisal of ${show(p ? bits(p) : null)} bits. `
          + `Its perplexity so far: ${show(Number.isFinite(total) ? 2 ** (total / at) : null)}. You: ${hits} of ${at} right.`);
      };
      this.append(sentence, choices, list, this.said);
      begin(false);
    }
  }

  class Temperature extends Widget {
    title_ = "Softmax temperature";
    build({ words, logits }) {
      const steps = Array.from({ length: 25 }, (_, i) => 2 ** ((i - 12) / 4));
      const list = h("ul", { class: "lm-bars" });
      const update = (i) => {
        const scores = logits.map((z) => (z === null ? -Infinity : z / steps[i])), most = Math.max(...scores);
        const weights = scores.map((z) => Math.exp(z - most)), sum = weights.reduce((a, b) => a + b);
        const p = weights.map((w) => w / sum), entropy = p.reduce((e, q) => (q ? e + q * bits(q) : e), 0);
        list.replaceChildren(...bars(words.map((word, j) => [word, p[j]]), 1));
        this.say(`T = ${show(steps[i])}: “${words[p.indexOf(Math.max(...p))]}” has ${percent(Math.max(...p))}; the entropy is ${entropy.toFixed(2)} bits of at most ${Math.log2(words.length).toFixed(2)}.`);
      };
      this.append(h("div", { class: "lm-controls" }, slider("Temperature T", steps.length, 12, (i) => show(steps[i]), update)), list, this.said);
      update(12);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const all = { sampler: Sampler, order: Order, smoothing: Smoothing, shannon: Shannon, temperature: Temperature };
    for (const [name, kind] of Object.entries(all)) customElements.define(`lm-${name}`, kind);
  });
})();
