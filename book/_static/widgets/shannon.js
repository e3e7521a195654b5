/* The Shannon game: guess the next word, then see what the model had bet on each, and what it pays. */
"use strict";
(() => {
  const { h, fixed, probability, bits, controls, button, bars, Widget } = window.lm;

  class Shannon extends Widget {
    title_ = "The Shannon game";
    build({ model, items }) {
      let at, hits, total;
      const sentence = h("p", { class: "lm-text" }), choices = controls(), list = h("ul", { class: "lm-bars" });
      const ask = (focus) => {
        const { prefix, choices: all } = items[at];
        this.say(at ? `Guess ${at + 1} of ${items.length}: which word comes next?`
          : `Which word comes next? ${items.length} guesses against the ${model}.`);
        sentence.textContent = prefix + " ▁▁▁";
        list.replaceChildren();
        choices.replaceChildren(...all.map(([word]) => button(word, () => reveal(word))));
        if (focus) choices.firstChild.focus();
      };
      const begin = (focus) => {
        at = hits = total = 0;
        ask(focus);
      };
      const reveal = (guess) => {
        const { prefix, choices: all, answer } = items[at++];
        const chance = Object.fromEntries(all), p = chance[answer], cost = bits(p);
        const tied = guess !== answer && chance[guess] === p, most = Math.max(...Object.values(chance));
        hits += chance[guess] === most;
        total = total === null || cost === null ? null : total + cost;
        sentence.replaceChildren(prefix + " ", h("mark", {}, answer));
        list.replaceChildren(...bars(all.map(([word, q]) => ({
          word, p: q, note: `${probability(q)}, ${fixed(bits(q), 2)} bits`, mark: word === answer ? "lm-answer" : "",
        })), most));
        const last = at === items.length;
        choices.replaceChildren(button(last ? "Play again" : "Next", () => (last ? begin(true) : ask(true))));
        choices.firstChild.focus();
        this.say(`You said “${guess}”, the word was “${answer}”. `
          + (tied ? "The two were equally probable, so your guess was as good. " : "")
          + `The ${model} gave it ${probability(p)} and pays ${fixed(cost, 2)} bits`
          + (at > 1 ? `, ${fixed(total === null ? null : total / at, 2)} a word so far. ` : ". ")
          + `You named its likeliest word ${hits} time${hits === 1 ? "" : "s"} of ${at}.`);
      };
      this.append(sentence, choices, list, this.said);
      begin(false);
    }
  }
  customElements.define("lm-shannon", Shannon);
})();
