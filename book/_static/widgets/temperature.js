/* A softmax under the hand: the same logits at another temperature. */
"use strict";
(() => {
  const { h, fixed, probability, bits, slider, controls, bars, Widget } = window.lm;

  class Temperature extends Widget {
    title_ = "Softmax temperature";
    build({ words, logits }) {
      const steps = Array.from({ length: 25 }, (_, i) => 2 ** ((i - 12) / 4));
      const list = h("ul", { class: "lm-bars" });
      const show = (i) => String(+steps[i].toPrecision(3));
      const update = (i) => {
        const scores = logits.map((z) => (z === null ? -Infinity : z / steps[i])), most = Math.max(...scores);
        const weights = scores.map((z) => Math.exp(z - most)), sum = weights.reduce((a, b) => a + b);
        const p = weights.map((w) => w / sum), entropy = p.reduce((e, q) => (q ? e + q * bits(q) : e), 0);
        const top = Math.max(...p);
        list.replaceChildren(...bars(words.map((word, j) => ({ word, p: p[j] })), 1));
        this.say(`τ = ${show(i)}: “${words[p.indexOf(top)]}” has probability ${probability(top)}; `
          + `the entropy is ${fixed(entropy, 2)} bits of at most ${fixed(Math.log2(words.length), 2)}.`);
      };
      this.append(controls(slider("Temperature τ", steps.length, 12, show, update)), list, this.said);
      update(12);
    }
  }
  customElements.define("lm-temperature", Temperature);
})();
