/* The page's trained network with a window of three words: embeddings, hidden units and what comes next, beside an n-gram
   model and the exact distribution. */
"use strict";
(() => {
  const { h, s, fixed, probability, selector, controls, button, bars, Widget } = window.lm;

  /** Squares, coloured by sign and as strong as the number is large. */
  function cells(numbers, most, perRow = numbers.length) {
    const rows = Math.ceil(numbers.length / perRow);
    return s("svg", { viewBox: `0 0 ${12 * perRow} ${12 * rows}`, "aria-hidden": "true" }, ...[...numbers].map((x, i) =>
      s("rect", { x: 12 * (i % perRow), y: 12 * Math.floor(i / perRow), width: 11, height: 11, class: x < 0 ? "lm-minus" : "lm-plus",
        "fill-opacity": Math.min(1, Math.abs(x) / most) })));
  }

  class WindowOfThree extends Widget {
    title_ = "The network reads three words";
    late_ = true;

    /** e, h and the distribution after three words; <bos> is never predicted. */
    forward(ids) {
      const { e, h, logits } = this.model.read(ids);
      logits[this.data.bos] = -Infinity;
      return { e, h, p: window.lm.engine.softmax(logits) };
    }
    /** Half the sum of all differences, word by word; what stands in no group cannot follow. */
    wrong(p, groups, exact) {
      let sum = 1;
      groups.forEach(({ ids }, g) => ids.forEach((id, i) => { sum += Math.abs(p[id] - exact[g][i]) - p[id]; }));
      return sum / 2;
    }

    build(data) {
      this.data = data;
      const { Feedforward, weights } = window.lm.engine, id = new Map(data.vocab.map((word, i) => [word, i]));
      const models = { "the exact distribution": "exact", "the 4-gram model": "ngram" }, names = Object.keys(models);
      let frame, chosen, most, other = names[0];
      const menus = h("div"), sentence = h("p", { class: "lm-text" }), inside = h("div", { class: "lm-inside" });
      const about = h("p", { class: "lm-about" }), list = h("ul", { class: "lm-bars" });

      const update = () => {
        const words = frame.slots.map(({ options }, i) => options[chosen[i]]), seen = words.slice(-3);
        sentence.replaceChildren(`${words.slice(0, -3).join(" ")} `, h("mark", {}, seen.join(" ")), " …");
        if (!this.model) {
          this.say(this.asked ? "The network is being fetched …" : "The network is fetched as soon as you touch a menu or the button.");
          return;
        }
        const at = frame.slots.reduce((row, { options }, i) => row * options.length + chosen[i], 0);
        const { e, h: hidden, p } = this.forward(seen.map((word) => id.get(word))), d = e.length / seen.length;
        const exact = frame.exact[at], own = frame.groups.map(({ ids }) => ids.reduce((sum, i) => sum + p[i], 0));
        const theirs = models[other] === "exact" ? exact.map((each) => each.reduce((a, b) => a + b)) : frame.ngram[at];
        inside.replaceChildren(
          ...seen.map((word, i) => h("p", { class: "lm-row" }, h("span", { class: "lm-word" }, word), cells(e.slice(d * i, d * (i + 1)), most))),
          h("p", { class: "lm-row" }, h("span", { class: "lm-word" }, "hidden units"), cells(hidden, 1, d)));
        about.textContent = `What comes next: the network, and ${other} behind it.`;
        list.replaceChildren(...bars(frame.groups.map(({ label }, i) => ({
          word: label, p: own[i], pale: theirs[i], note: `${probability(own[i])}, ${models[other] === "exact" ? "exact" : "4-gram"} ${probability(theirs[i])}`,
        })), Math.max(...own, ...theirs)));
        this.say(`The network has ${fixed(this.wrong(p, frame.groups, exact), 3)} of its probability in the wrong place, the 4-gram model ${fixed(frame.wrong[at], 3)}.`);
      };
      const choose = (choice) => {
        chosen = choice;
        menus.replaceChildren(controls(...frame.slots.map(({ label, options }, j) =>
          selector(label, options, (k) => { chosen[j] = k; update(); }, chosen[j]))));
        update();
      };
      const open = (i) => {
        frame = data.frames[i];
        choose(frame.slots.map(() => 0));
      };
      /** The last menu moves on; where it begins anew, so does the one before. */
      const next = () => {
        const choice = [...chosen];
        for (let j = choice.length - 1; j >= 0; j--) {
          choice[j] = (choice[j] + 1) % frame.slots[j].options.length;
          if (choice[j]) break;
        }
        choose(choice);
      };
      const wake = () => {
        if (this.asked) return;
        this.asked = true;
        update();
        weights(this).then((numbers) => {
          this.model = new Feedforward(numbers), most = Math.max(...numbers.E.data.map(Math.abs));
          update();
        }, (error) => { this.asked = false; this.say(`${error.message}.`); });
      };
      for (const event of ["pointerdown", "focusin", "click", "change"]) this.addEventListener(event, wake);
      this.append(
        controls(
          selector("Sentence", data.frames.map((each) => each.label), open),
          selector("Compare with", names, (i) => { other = names[i]; update(); }),
          button("Next words", next)),
        menus, sentence, inside, about, list, this.said);
      open(0);
    }
  }
  customElements.define("lm-window", WindowOfThree);
})();
