/* What each word of a sentence costs a model, in bits: a tower over every word, for one model after another. */
"use strict";
(() => {
  const { h, fixed, slider, selector, controls, Widget } = window.lm;

  class Surprisal extends Widget {
    title_ = "What each word costs, model by model";
    build({ models, sentences, chosen = 0 }) {
      let at = chosen, one = sentences[0];
      const row = h("ul", { class: "lm-towers" });
      const update = () => {
        const cost = one.bits[at], marked = one.words.map((_, i) => i).filter((i) => one.marks[i]);
        const most = Math.max(...one.bits.flat().filter((b) => b !== null));
        row.replaceChildren(...one.words.map((word, i) =>
          h("li", { class: one.marks[i] ? "lm-marked" : "" },
            h("span", { class: "lm-bits" }, fixed(cost[i], 1)),
            h("span", { class: "lm-tower", "aria-hidden": "true", style: `height:${(6 * (cost[i] ?? most)) / most}em` }),
            h("span", { class: "lm-below" }, word))));
        const sum = (them) => them.reduce((total, b) => (total === null || b === null ? null : total + b), 0);
        const mean = sum(cost) === null ? null : sum(cost) / cost.length;
        this.say(`${models[at]}: ${fixed(mean, 3)} bits per token of this sentence`
          + (marked.length ? `; at the underlined word${marked.length > 1 ? "s" : ""} ${marked.map((i) => `${one.words[i]} ${fixed(cost[i], 2)}`).join(", ")}.` : "."));
      };
      this.append(
        controls(
          slider("Model", models.length, at, (i) => models[i], (i) => { at = i; update(); }),
          selector("Sentence", sentences.map((each) => each.label), (i) => { one = sentences[i]; update(); })),
        row, this.said);
      update();
    }
  }
  customElements.define("lm-surprisal", Surprisal);
})();
