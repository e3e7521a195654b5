/* A trained LSTM reads along with the reader's sentence: the gates and states of every unit at one word, one unit over all
   words, and what the network and the language itself expect next. */
"use strict";
(() => {
  const { h, s, fixed, probability, bits, slider, selector, controls, bars, Widget } = window.lm;
  const signed = (x) => x.toFixed(2).replace("-", "−");
  const ROWS = [["forget gate", "f", 1], ["input gate", "i", 1], ["output gate", "o", 1], ["cell state", "c", 3], ["hidden state", "h", 1]];

  /** One square for each unit, coloured by sign and as strong as the number is large; `chosen` has a frame. */
  function squares(numbers, most, chosen) {
    const perRow = 32;
    return s("svg", { viewBox: `0 0 ${12 * perRow} ${12 * Math.ceil(numbers.length / perRow)}`, "aria-hidden": "true" },
      ...[...numbers].map((x, j) => s("rect", { x: 12 * (j % perRow) + 1, y: 12 * Math.floor(j / perRow) + 1, width: 10, height: 10,
        class: `${x < 0 ? "lm-minus" : "lm-plus"}${j === chosen ? " lm-chosen" : ""}`, "fill-opacity": Math.min(1, Math.abs(x) / most) })));
  }

  class Gates extends Widget {
    title_ = "An LSTM reads your sentence";
    late_ = true;

    /** The state after <bos> and after every word, with its distribution of the next one; <bos> itself is never predicted. */
    read(words) {
      const { LSTM } = window.lm.engine, model = (this.model ||= new LSTM(this.numbers));
      let state = model.begin();
      return ["<bos>", ...words].map((word, t) => {
        state = model.step(t ? this.ids.get(word) : this.bos, state);
        const rest = 1 - state.p[this.bos];
        return { ...state, p: state.p.map((p, id) => (id === this.bos ? 0 : p / rest)) };
      });
    }

    build(data) {
      const { Grammar, typing, weights } = window.lm.engine, grammar = new Grammar(data.grammar);
      this.bos = data.bos, this.ids = new Map(data.vocab.map((word, id) => [word, id]));
      let words = [], at = 0, unit = data.unit;
      const inside = h("div"), place = h("span"), over = h("div", { class: "lm-over", tabindex: "0", role: "region", "aria-label": "The unit over the sentence" });
      const about = h("p", { class: "lm-about" }), list = h("ul", { class: "lm-bars" });

      const update = () => {
        const alive = [grammar.begin()], exact = [];
        for (const word of words) {
          const next = new Map(alive.at(-1).length ? grammar.next(alive.at(-1)) : []);
          exact.push(next.get(word) || 0);
          alive.push(grammar.read(alive.at(-1), word));
        }
        if (!this.numbers) {
          inside.replaceChildren(), over.replaceChildren(), list.replaceChildren();
          about.textContent = "";
          this.say(this.asked ? "The network is being fetched …" : "The network is fetched as soon as you touch the sentence or a word.");
          return;
        }
        const steps = this.read(words), state = steps[at], name = at ? `“${words[at - 1]}”` : "the beginning";
        const cost = words.map((word, t) => bits(steps[t].p[this.ids.get(word)]));
        inside.replaceChildren(
          h("p", { class: "lm-about" }, `All units after ${name}:`),
          ...ROWS.map(([label, key, most]) => h("p", { class: "lm-row" }, h("span", { class: "lm-word" }, label), squares(state[key], most, unit))));
        over.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, ...["word", "f", "i", "o", "c", "bits", "exact"].map((text) => h("th", { scope: "col" }, text)))),
          h("tbody", {}, ...words.map((word, t) => {
            const { f, i, o, c } = steps[t + 1];
            return h("tr", { class: t + 1 === at ? "lm-here" : "" }, h("th", { scope: "row" }, word),
              ...[[f, 1], [i, 1], [o, 1], [c, 3]].map(([numbers, most]) => h("td", { class: numbers[unit] < 0 ? "lm-minus" : "lm-plus", style: `--strong:${Math.round(60 * Math.min(1, Math.abs(numbers[unit]) / most))}%` }, signed(numbers[unit]))),
              h("td", {}, fixed(cost[t], 2)), h("td", {}, fixed(bits(exact[t]), 2)));
          }))));
        const told = alive[at].length ? new Map(grammar.next(alive[at])) : null;
        const likely = [...state.p.keys()].sort((a, b) => state.p[b] - state.p[a]).slice(0, 6);
        about.textContent = `After ${name}, the network expects${told ? ", and behind it the exact distribution" : ""}:`;
        list.replaceChildren(...bars(likely.map((id) => {
          const word = data.vocab[id], p = state.p[id], pale = told ? told.get(word) || 0 : undefined;
          return { word: word === "<eos>" ? "the end" : word, p, pale, note: told ? `${probability(p)}, exact ${probability(pale)}` : probability(p) };
        }), Math.max(...likely.map((id) => Math.max(state.p[id], told ? told.get(data.vocab[id]) || 0 : 0)))));
        const sum = (all) => all.reduce((a, b) => (a === null || b === null ? null : a + b), 0);
        const best = sum(exact.map(bits)), own = sum(cost);
        const also = at ? ` At ${name} unit ${unit} has f = ${signed(state.f[unit])}, i = ${signed(state.i[unit])}, o = ${signed(state.o[unit])}, c = ${signed(state.c[unit])}.` : "";
        this.say((!words.length ? "Nothing has been read yet."
          : `${words.length} ${words.length === 1 ? "word" : "words"}: the network pays ${fixed(own, 2)} bits, the language itself ${best === null ? "cannot say this" : `${fixed(best, 2)} bits`}.`) + also);
      };
      const choose = () => {
        place.replaceChildren(words.length ? slider("Word", words.length + 1, at, (t) => (t ? `${t}: ${words[t - 1]}` : "beginning"), (t) => { at = t; update(); }) : "");
      };
      const typed = typing({
        grammar, text: data.text, vocab: data.vocab.filter((word) => !/^<.*>$/.test(word)),
        change: (read) => { words = read, at = words.length; choose(); update(); },
      });
      const wake = () => {
        if (this.asked) return;
        this.asked = true;
        update();
        weights(this).then((numbers) => { this.numbers = numbers; update(); }, (error) => { this.asked = false; this.say(`${error.message}.`); });
      };
      for (const event of ["pointerdown", "focusin", "click"]) this.addEventListener(event, wake);
      const units = Array.from({ length: data.units }, (_, j) => (j === data.unit ? `${j}, the number of the subject` : `${j}`));
      this.append(typed.box, controls(place, selector("Unit", units, (j) => { unit = j; update(); }, unit)), this.said, inside,
        h("p", { class: "lm-about" }, "One unit over the sentence: gates, memory, and what each word cost."), over, about, list);
      typed.update();
    }
  }
  customElements.define("lm-gates", Gates);
})();
