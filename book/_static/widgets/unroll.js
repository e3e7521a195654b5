/* A recurrent network step by step: the reader gives the inputs, each step is a card with its numbers put in. */
"use strict";
(() => {
  const { h, selector, labelled, controls, button, Widget } = window.lm;
  const short = (x) => `${+x.toFixed(3)}`.replace("-", "−");

  class Unroll extends Widget {
    title_ = "Step by step";
    build({ networks }) {
      let network = networks[0], inputs, shown;
      const cards = h("ol", { class: "lm-steps" }), problem = h("p", { class: "lm-problem", role: "alert" });
      const field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", input: () => { read(); } });
      const width = () => network.W_xh[0].length;
      const write = (rows) => rows.map((row) => (row.length > 1 ? `(${row.join(", ")})` : `${row[0]}`)).join(width() > 1 ? " " : ", ");
      const term = (w, x) => `${short(w)} · ${x < 0 ? `(${short(x)})` : short(x)}`;
      /** All states and answers: the unit is linear, and there is one. */
      function run() {
        let state = 0;
        return inputs.map((x) => {
          const before = state;
          state = network.b_h[0] + network.W_hh[0][0] * before + x.reduce((sum, v, i) => sum + network.W_xh[0][i] * v, 0);
          const scores = network.W_hy.map((row, k) => row[0] * state + network.b_y[k]);
          const answer = scores.length > 1 ? 1 / (1 + Math.exp(scores[1] - scores[0])) : scores[0];
          return { x, before, state, answer };
        });
      }
      const update = () => {
        const steps = run();
        cards.replaceChildren(...steps.slice(0, shown).map(({ x, before, state, answer }, t) =>
          h("li", {}, h("b", {}, `x = ${x.length > 1 ? `(${x.map(short).join(", ")})` : short(x[0])}`),
            h("span", {}, `h = ${x.map((v, i) => term(network.W_xh[0][i], v)).join(" + ")} + ${term(network.W_hh[0][0], before)} = `, h("strong", {}, short(state))),
            h("span", {}, network.W_hy.length > 1 ? `${network.answer}: ${answer.toFixed(3)}` : `${network.answer}: ${short(answer)}`))));
        const last = steps[shown - 1];
        this.say(!shown ? "The state is h₀ = 0. Take a step."
          : `Step ${shown} of ${steps.length}: the state goes from ${short(last.before)} to ${short(last.state)}`
            + (network.W_hy.length > 1 ? `, and the answer “${network.answer}” has probability ${last.answer.toFixed(3)}.` : "."));
      };
      const read = () => {
        // a sign may stand apart from its number; one at the very end waits for it
        const pieces = field.value.replace(/−/g, "-").replace(/-\s+/g, "-").replace(/(^|[\s,;(])-$/, "$1").split(/[\s,;()]+/).filter(Boolean);
        const numbers = pieces.map(Number), strange = !pieces.every((piece, i) => /^-?(\d+\.?\d*|\.\d+)$/.test(piece) && Number.isFinite(numbers[i]));
        problem.textContent = strange ? "Numbers only, please." : numbers.length % width() ? `This network reads ${width()} numbers a step; one is missing.` : !numbers.length ? "At least one step." : "";
        if (problem.textContent) return;
        inputs = [];
        for (let i = 0; i < numbers.length && inputs.length < 20; i += width()) inputs.push(numbers.slice(i, i + width()));
        if (numbers.length > inputs.length * width()) problem.textContent = "It reads the first twenty steps.";
        shown = Math.min(shown, inputs.length);
        update();
      };
      const begin = () => {
        inputs = network.inputs, shown = 0, problem.textContent = "";
        field.value = write(inputs);
        update();
      };
      this.append(
        controls(selector("Network", networks.map(({ label }) => label), (i) => { network = networks[i]; begin(); }), labelled("Inputs", field)),
        problem,
        controls(button("Next step", () => { shown = Math.min(shown + 1, inputs.length); update(); }),
          button("All steps", () => { shown = inputs.length; update(); }), button("Start again", begin)),
        cards, this.said);
      begin();
      let before;
      this.onPaper(() => { before = shown; shown = inputs.length; update(); }, () => { shown = before; update(); });
    }
  }
  customElements.define("lm-unroll", Unroll);
})();
