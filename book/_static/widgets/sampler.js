/* The weighted die: rolls the next word from a table {context: [[word, probability], …]} for each model. Every sentence
   begins with the words of `start`, if there are any. */
"use strict";
(() => {
  const { h, probability, labelled, selector, controls, button, bars, random, Widget } = window.lm;

  class Sampler extends Widget {
    title_ = "The weighted die";
    build({ models, chosen = 0, seed = 1, start = [], join = " ", end = "<eos>" }) {
      let model = models[chosen], tokens, draw;
      const sentence = h("p", { class: "lm-text" }), about = h("p", { class: "lm-about" }), list = h("ul", { class: "lm-bars" });
      const number = h("input", { type: "number", value: seed, min: 0, step: 1, change: () => reset() });
      const context = () => (model.order > 1 ? tokens.slice(1 - model.order) : []);
      const ended = () => tokens[tokens.length - 1] === end;
      const die = () => (ended() ? [] : model.next[context().join(join)] || []);
      const name = (word) => (word === end ? "(end of the sentence)" : word);
      const quoted = (word) => (word === end ? "the end of the sentence" : `“${word}”`);
      const text = (words) => words.filter((word) => word !== end).join(join);
      const update = () => {
        const known = ended() ? [] : context(), faces = die();
        const old = text(tokens.slice(0, tokens.length - known.length));
        sentence.replaceChildren(old, old && known.length ? join : "",
          ...(known.length ? [h("mark", {}, known.join(join))] : []), ended() ? " ■" : `${tokens.length ? join : ""}▁`);
        about.textContent = ended()
          ? (tokens.length > 1 ? "The sentence is over. Roll to begin another." : "The very first roll was the end: this model does not know that the sentence has not begun. Roll again.")
          : !faces.length ? `“${known.join(join)}” was never seen in training: the die has no faces. Roll to begin again.`
          : (known.length ? `The die after “${known.join(join)}”` : model.order > 1 ? "The die at the beginning of a sentence" : "The one die of this model")
            + ` has ${faces.length} face${faces.length > 1 ? "s" : ""}:`;
        const rows = faces.slice(0, 8).map(([word, p]) => ({ word: name(word), p }));
        const rest = faces.slice(8).reduce((sum, face) => sum + face[1], 0);
        if (faces.length > 8) rows.push({ word: `${faces.length - 8} other${faces.length > 9 ? "s" : ""}`, p: rest, mark: "lm-others" });
        list.replaceChildren(...bars(rows, Math.max(...rows.map((row) => row.p))));
      };
      const roll = () => {
        const faces = die();
        if (!faces.length) {
          tokens = [...start];
          this.say("A new sentence.");
          return;
        }
        const u = draw();
        let sum = 0;
        const [word, p] = faces.find((face) => (sum += face[1]) > u) || faces[faces.length - 1];
        tokens.push(word);
        this.say(`Rolled ${u.toFixed(3)}: ${quoted(word)}, which had probability ${probability(p)}.`);
      };
      const reset = () => {
        tokens = [...start];
        draw = random(+number.value);
        this.say(`Seed ${number.value}: the same seed rolls the same words.`);
        update();
      };
      const finish = () => {
        let left = 200;
        if (!die().length) roll();
        while (left-- && die().length) roll();
        this.say(`The model wrote${die().length ? ", and has not come to the end" : ""}: ${text(tokens) || "nothing, it ended at once."}`);
        update();
      };
      this.append(
        controls(
          selector("Model", models.map((one) => one.label), (i) => { model = models[i]; reset(); }, chosen), labelled("Seed", number),
          button("Roll", () => { roll(); update(); }), button("Roll to the end", finish), button("Reset", reset)),
        sentence, this.said, about, list);
      reset();
    }
  }
  customElements.define("lm-sampler", Sampler);
})();
