/* Rotary positions: each pair of numbers of a query and of a key is a hand of a clock, which turns with the position. */
"use strict";
(() => {
  const { h, s, slider, controls, button, Widget } = window.lm;

  class Clocks extends Widget {
    title_ = "Only the distance counts";

    /** A vector at a position: pair i turned by omega[i] times the position. */
    turn(x, at) {
      return this.data.omega.flatMap((w, i) => {
        const [a, b] = [x[2 * i], x[2 * i + 1]], c = Math.cos(w * at), d = Math.sin(w * at);
        return [a * c - b * d, a * d + b * c];
      });
    }
    score(t, j) {
      const q = this.turn(this.data.q, t), k = this.turn(this.data.k, j);
      return q.reduce((sum, x, i) => sum + x * k[i], 0);
    }

    build(data) {
      this.data = data;
      let t = data.query, j = data.key;
      const longest = Math.max(...data.omega.flatMap((_, i) => [Math.hypot(data.q[2 * i], data.q[2 * i + 1]), Math.hypot(data.k[2 * i], data.k[2 * i + 1])]));
      const faces = data.omega.map((w, i) => {
        const hands = ["lm-query", "lm-key"].map((name) => s("line", { x1: 0, y1: 0, class: name }));
        const picture = s("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" }, s("circle", { r: 50, class: "lm-face" }), ...hands);
        return { hands, figure: h("div", {}, picture, h("p", {}, `pair ${i}`)) };
      });
      const update = () => {
        const both = [this.turn(data.q, t), this.turn(data.k, j)];
        faces.forEach(({ hands }, i) => hands.forEach((hand, which) => {
          hand.setAttribute("x2", (48 * both[which][2 * i]) / longest), hand.setAttribute("y2", (-48 * both[which][2 * i + 1]) / longest);
        }));
        this.say(`Query at ${t}, key at ${j}, ${Math.abs(t - j)} place${Math.abs(t - j) === 1 ? "" : "s"} ${t >= j ? "back" : "ahead"}: score ${this.score(t, j).toFixed(3)}.`);
      };
      const bar = h("div");
      const draw = () => {
        bar.replaceChildren(controls(
          slider("Query at", data.length, t, String, (x) => { t = x; update(); }),
          slider("Key at", data.length, j, String, (x) => { j = x; update(); })));
        update();
      };
      const both = (by) => () => {
        if (Math.min(t, j) + by >= 0 && Math.max(t, j) + by < data.length) t += by, j += by, draw();
      };
      this.append(bar, controls(button("Both 5 on", both(5)), button("Both 5 back", both(-5))),
        h("div", { class: "lm-clocks" }, ...faces.map(({ figure }) => figure)),
        h("p", { class: "lm-about" }, "Blue: the query's hands. Orange: the key's."), this.said);
      draw();
    }
  }
  customElements.define("lm-clocks", Clocks);
})();
