/* The page's trained model goes on from the reader's words: by lot, at a temperature, among the best, or by beam search. */
"use strict";
(() => {
  const { h, probability, fixed, selector, slider, controls, button, bars, random, Widget } = window.lm;
  const LONGEST = 100; // new words, <eos> among them, as in lmkit.decoding

  class Decoder extends Widget {
    title_ = "Let the model go on";
    late_ = true;

    /** Probabilities, reshaped as lmkit.decoding does: temperature, then the k best, then the fewest that hold p. */
    reshape(p, temperature, k, nucleus) {
      const most = Math.max(...p), order = [...p.keys()].sort((a, b) => p[b] - p[a] || a - b);
      let q = p.map((x) => (temperature === 0 ? +(x === most) : x === 0 ? 0 : Math.exp((Math.log(x) - Math.log(most)) / temperature)));
      const total = q.reduce((a, b) => a + b);
      q = q.map((x) => x / total);
      let keep = order.slice(0, k), sum = keep.reduce((a, i) => a + q[i], 0), size = 0;
      if (nucleus < 1) {
        let covered = 0;
        while (covered < nucleus - 1e-12 && size < keep.length) covered += q[keep[size++]] / sum;
        keep = keep.slice(0, size);
        sum = keep.reduce((a, i) => a + q[i], 0);
      }
      const kept = new Set(keep);
      return q.map((x, i) => (kept.has(i) ? x / sum : 0));
    }
    /** The state after the words, and the distribution of what comes next; <bos> is never predicted. */
    step(id, before) {
      const state = this.model.step(id, before), rest = 1 - state.p[this.data.bos];
      return { ...state, p: [...state.p].map((p, i) => (i === this.data.bos ? 0 : p / rest)) };
    }
    after(words) {
      return words.reduce((state, word) => this.step(this.ids.get(word), state), this.step(this.data.bos, this.model.begin()));
    }
    /** The `width` most probable continuations found, each [ids, log-probability], the best first. */
    beam(state, width) {
      let open = [[[], 0, state]], done = [], best = [];
      for (let length = 1; open.length; length++) {
        const longer = open.flatMap(([ids, cost, at]) => at.p.map((p, id) => [[...ids, id], cost + Math.log(p), at]))
          .filter(([, cost]) => cost > -Infinity).sort((a, b) => b[1] - a[1]).slice(0, width);
        best = [...done, ...longer].sort((a, b) => b[1] - a[1]).slice(0, width);
        const ends = ([ids]) => ids.at(-1) === this.data.eos;
        done = best.filter(ends), open = best.filter((one) => !ends(one));
        if (length === LONGEST) break;
        open = open.map(([ids, cost, before]) => [ids, cost, this.step(ids.at(-1), before)]);
      }
      return best;
    }
    /** Is this a sentence of the language or, if it was cut off, the beginning of one? The exact grammar knows. */
    verdict(sentence, ended) {
      let alive = this.grammar.begin();
      for (const word of sentence) alive = alive.length ? this.grammar.read(alive, word) : alive;
      if (!ended) return `cut off; ${alive.length ? "correct so far" : "not in the language"}`;
      return alive.length && new Map(this.grammar.next(alive)).get("<eos>") ? "a sentence of the language" : "not in the language";
    }

    build(data) {
      const { Grammar, LSTM, typing, weights } = window.lm.engine, grammar = new Grammar(data.grammar);
      this.data = data, this.grammar = grammar, this.ids = new Map(data.vocab.map((word, id) => [word, id]));
      const at = { temperature: data.temperatures.indexOf(1), k: data.ks.length - 1, p: data.ps.length - 1, width: 1 };
      const draw = random(1), widths = [1, 2, 5, 10];
      let words = [], typed;
      const list = h("ul", { class: "lm-bars" }), written = h("ol", { class: "lm-written" }), about = h("p", { class: "lm-about" });
      const name = (id) => (id === data.eos ? "the end" : data.vocab[id]);
      const settings = () => [data.temperatures[at.temperature], data.ks[at.k], data.ps[at.p]];

      const update = () => {
        if (!this.model) { this.say(this.asked ? "The network is being fetched …" : "The network is fetched as soon as you touch the sentence or a button."); return; }
        const { p } = this.after(words), q = this.reshape(p, ...settings());
        const shown = [...p.keys()].sort((a, b) => p[b] - p[a]).slice(0, 8), left = q.filter((x) => x > 0).length;
        about.textContent = "What comes next: as it will be drawn, and behind it as the model has it.";
        list.replaceChildren(...bars(shown.map((id) => ({ word: name(id), p: q[id], pale: p[id], note: `${probability(q[id])}, was ${probability(p[id])}` })), Math.max(...shown.map((id) => Math.max(p[id], q[id])))));
        this.say(`${left} of ${p.length - 1} words can be drawn.`);
      };
      const write = (sentence, ended, more) => {
        written.prepend(h("li", {}, `${sentence.join(" ")}${ended ? "" : " …"} (${more}${this.verdict(sentence, ended)})`));
        while (written.children.length > 6) written.lastChild.remove();
      };
      const lot = () => {
        if (!this.model) return;
        const sentence = [...words];
        let state = this.after(words), ended = false;
        for (let n = 0; n < LONGEST; n++) {
          const q = this.reshape(state.p, ...settings());
          let u = draw(), id = q.length - 1;
          for (let i = 0; i < q.length; i++) if (q[i] > 0 && (id = i, (u -= q[i]) < 0)) break;
          if ((ended = id === data.eos)) break;
          sentence.push(data.vocab[id]);
          state = this.step(id, state);
        }
        write(sentence, ended, "");
      };
      const search = () => {
        if (!this.model) return;
        const [best] = this.beam(this.after(words), widths[at.width]);
        if (best) write([...words, ...best[0].filter((id) => id !== data.eos).map((id) => data.vocab[id])], best[0].at(-1) === data.eos, `beam of ${widths[at.width]}, log-probability ${fixed(best[1], 3)}, `);
      };
      typed = typing({ grammar, text: data.text, vocab: data.vocab.filter((word) => !/^<.*>$/.test(word)), change: (read) => { words = read; update(); } });
      const wake = () => {
        if (this.asked) return;
        this.asked = true;
        update();
        weights(this).then((numbers) => { this.model = new LSTM(numbers); update(); }, (error) => { this.asked = false; this.say(`${error.message}.`); });
      };
      for (const event of ["pointerdown", "focusin", "click"]) this.addEventListener(event, wake);
      const all = (values, word) => (i) => (i === values.length - 1 ? word : `${values[i]}`);
      this.append(typed.box,
        controls(
          slider("Temperature", data.temperatures.length, at.temperature, (i) => `${data.temperatures[i]}`, (i) => { at.temperature = i; update(); }),
          slider("Top k", data.ks.length, at.k, all(data.ks, "all"), (i) => { at.k = i; update(); }),
          slider("Top p", data.ps.length, at.p, all(data.ps, "all"), (i) => { at.p = i; update(); })),
        about, list, this.said,
        controls(button("Draw a sentence", lot), selector("Beam", widths.map(String), (i) => { at.width = i; }, at.width), button("Search", search)),
        written);
      typed.update();
    }
  }
  customElements.define("lm-decoder", Decoder);
})();
