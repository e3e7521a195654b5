/* A mask under the reader's hand: who may look at whom, what weights follow, and which outputs notice that the last word
   was exchanged. */
"use strict";
(() => {
  const { h, selector, controls, Widget } = window.lm;
  const MASKS = {
    "B: causal": (t, j) => j <= t, "A: zeros above": (t, j) => j >= t, "C: only oneself": (t, j) => j === t,
    "none": () => true, "padding: no first row": (t, j) => t > 0 && j <= t,
  };
  const AXES = ["rows", "columns"];

  class Mask extends Widget {
    title_ = "Who may look at whom?";

    /** Weights and outputs for queries, keys and values; open[t][j]: may position t look at j? */
    attend([Q, K, V], open, axis) {
      const T = Q.length, scale = Math.sqrt(Q[0].length);
      const S = Q.map((q, t) => K.map((k, j) => (open[t][j] ? q.reduce((sum, x, i) => sum + x * k[i], 0) / scale : -Infinity)));
      const along = (t, j) => (axis === 0 ? S[t] : S.map((row) => row[j]));
      const A = S.map((row, t) => row.map((s, j) => {
        const list = along(t, j), top = Math.max(...list);
        return Math.exp(s - top) / list.reduce((sum, x) => sum + Math.exp(x - top), 0);
      }));
      const H = A.map((a) => V[0].map((_, i) => a.reduce((sum, x, j) => sum + x * V[j][i], 0)));
      return { A, H, T };
    }

    build({ before, after }) {
      const T = before[0].length, names = Object.keys(MASKS);
      let axis = 0, open;
      const table = h("div", { class: "lm-grid", role: "group", "aria-label": "mask and weights" }), told = h("ul", { class: "lm-noticed" });
      const squares = Array.from({ length: T }, (_, t) => Array.from({ length: T }, (_, j) =>
        h("button", { type: "button", click: () => { open[t][j] = !open[t][j]; update(); } })));
      table.append(h("span"), ...squares.map((_, j) => h("span", {}, `key ${j + 1}`)),
        ...squares.flatMap((row, t) => [h("span", {}, `query ${t + 1}`), ...row]));
      const update = () => {
        const { A, H } = this.attend(before, open, axis), other = this.attend(after, open, axis).H;
        squares.forEach((row, t) => row.forEach((square, j) => {
          square.textContent = Number.isNaN(A[t][j]) ? "NaN" : A[t][j].toFixed(3);
          square.setAttribute("aria-pressed", open[t][j]);
          square.setAttribute("aria-label", `query ${t + 1}, key ${j + 1}, ${open[t][j] ? "open" : "closed"}, weight ${square.textContent}`);
          square.style.setProperty("--weight", A[t][j] || 0);
        }));
        const moved = H.map((row, t) => Math.max(...row.map((x, i) => Math.abs(x - other[t][i]))));
        told.replaceChildren(...moved.map((x, t) => h("li", {}, `Output ${t + 1} ${Number.isNaN(x) ? "is not a number" : x === 0 ? "stays" : `changes by ${x.toFixed(3)}`}.`)));
        const leaks = moved.slice(0, -1).some((x) => x > 0), broken = moved.some(Number.isNaN);
        this.say(broken ? axis === 0 ? "A position that may look at nobody gets 0/0, and everything that uses it gets the same."
          : "A key at which nobody may look gets 0/0, and every output uses it."
          : leaks ? "The word that is to be predicted has reached a position before it: the future leaks."
            : moved.at(-1) > 0 ? "Only the last output has noticed the new last word: no future leaks." : "No output has noticed the new word.");
      };
      const choose = (i) => {
        open = squares.map((row, t) => row.map((_, j) => MASKS[names[i]](t, j)));
        update();
      };
      this.append(controls(selector("Mask", names, choose), selector("Softmax along", AXES, (i) => { axis = i; update(); })),
        table, h("p", { class: "lm-about" }, `Word ${T} is exchanged for another:`), told, this.said);
      choose(0);
    }
  }
  customElements.define("lm-mask", Mask);
})();
