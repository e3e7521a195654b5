/* Where the decoder looks: the attention weights of every step as a map, those of one step as bars, and the context that they
   make. The first answer is the page's own; after that the reader types, and the model runs here. */
"use strict";
(() => {
  const { h, s, slider, labelled, controls, button, bars, probability, Widget } = window.lm;

  class Attend extends Widget {
    title_ = "Where the decoder looks";
    build({ vocab, bos, eos, source, steps, longest }) {
      let at = 0, asked = 0, model;
      const letters = vocab.filter((_, id) => id !== bos && id !== eos), sign = (id) => (id === eos ? "end" : vocab[id]);
      const field = h("input", { type: "text", value: source, autocomplete: "off", autocapitalize: "off", spellcheck: "false", input: () => read() });
      const problem = h("p", { class: "lm-problem", role: "alert" }), place = h("span");
      const map = h("table", { class: "lm-map", "aria-hidden": "true" }), list = h("ul", { class: "lm-bars" });
      const context = h("div", { class: "lm-context" });

      const read = async () => {
        const text = field.value.toLowerCase().replace(/\s/g, ""), strange = [...text].find((c) => !letters.includes(c)), mine = ++asked;
        problem.textContent = strange ? `The model knows the letters ${letters[0]} to ${letters.at(-1)} only, not “${strange}”.`
          : !text ? "At least one letter." : text.length > longest ? `At most ${longest} letters.` : "";
        if (problem.textContent) return;
        try {
          model ||= new lm.engine.Seq2Seq(await lm.engine.weights(this));
        } catch {
          problem.textContent = "The model could not be fetched.";
          return;
        }
        if (mine !== asked) return; // the reader has typed on
        source = text, steps = model.greedy([...[...text].map((c) => vocab.indexOf(c)), eos], bos, eos, longest + 5), at = 0;
        open();
      };
      const choose = (t) => {
        const input = place.querySelector("input");
        input.value = t;
        input.dispatchEvent(new Event("input"));
      };
      const update = () => {
        const { id, p, weights, context: numbers } = steps[at], signs = [...source, "end"], top = weights.indexOf(Math.max(...weights));
        map.querySelectorAll("tbody tr").forEach((line, t) => line.classList.toggle("lm-here", t === at));
        list.replaceChildren(...bars(weights.map((a, i) => ({ word: signs[i], p: a })), 1));
        context.replaceChildren("The context, a number a square:", s("svg", { viewBox: `0 0 ${12 * 16} ${12 * Math.ceil(numbers.length / 16)}`, "aria-hidden": "true" },
          ...numbers.map((x, j) => s("rect", { x: 12 * (j % 16), y: 12 * Math.floor(j / 16), width: 11, height: 11, class: x < 0 ? "lm-minus" : "lm-plus", "fill-opacity": Math.min(1, Math.abs(x)) }))));
        const written = steps.map((step) => step.id), done = written.at(-1) === eos, answer = written.filter((each) => each !== eos).map(sign).join("");
        this.say(`Step ${at + 1} of ${steps.length} writes “${sign(id)}” with probability ${probability(p)}. The largest weight, ${probability(weights[top])}, is on “${signs[top]}”, `
          + `place ${top + 1} of ${signs.length}. The answer is “${answer}”${done ? "" : " and no end"}: ${done && answer === [...source].reverse().join("") ? "right" : "wrong"}.`);
      };
      const open = () => {
        const line = (name, cells) => h("tr", {}, h("th", {}, name), ...cells);
        map.replaceChildren(
          h("thead", {}, line("", [...source, "⏎"].map((c) => h("th", {}, c)))),
          h("tbody", {}, ...steps.map(({ id, weights }, t) => {
            const each = line(id === eos ? "⏎" : vocab[id], weights.map((a) => h("td", {}, h("span", { style: `opacity:${a}` }))));
            for (const event of ["pointerenter", "click"]) each.addEventListener(event, () => choose(t));
            return each;
          })));
        place.replaceChildren(slider("Step", steps.length, at, (t) => `${t + 1}`, (t) => { at = t; update(); }));
        update();
      };
      this.append(
        controls(labelled("Source", field), button("Next step", () => choose((at + 1) % steps.length)), place),
        problem, h("div", { class: "lm-look" }, map, list), context, this.said);
      open();
    }
  }
  customElements.define("lm-attend", Attend);
})();
