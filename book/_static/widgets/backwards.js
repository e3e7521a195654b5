/* How much of a gradient is left after k steps back through a recurrent network: one matrix of spectral radius 1, which the
   reader scales, fixed inputs, which the reader makes stronger, and a nonlinearity. */
"use strict";
(() => {
  const { h, s, slider, selector, controls, Widget } = window.lm;
  const WIDTH = 360, HEIGHT = 236, LEFT = 46, BOTTOM = 40, LOW = -12, HIGH = 12;
  const raised = (n) => [...`${n}`].map((d) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(d)]).join("");
  /** Two digits and a power of ten, as Python's .1e. */
  const power = (x) => x.toExponential(1).replace(/e\+?(-?\d+)/, (_, n) => ` · 10${raised(+n)}`);

  class Backwards extends Widget {
    title_ = "How far back does a gradient reach?";
    build({ W, x, v, radii, radius, strengths, strength, marks }) {
      const at = { radius, strength, phi: 0 }, n = v.length, T = x.length;
      const X = (k) => LEFT + (k / T) * (WIDTH - LEFT - 8), Y = (e) => (HEIGHT - BOTTOM) * (1 - (e - LOW) / (HIGH - LOW));
      /** The length of the gradient 0, 1, … T steps before the last state, where it is that of v. */
      this.reach = (rho, size, tanh) => {
        let state = new Array(n).fill(0), g = v, slopes = [];
        for (const input of x) {
          const a = W.map((row, i) => size * input[i] + rho * row.reduce((sum, w, j) => sum + w * state[j], 0));
          state = tanh ? a.map(Math.tanh) : a;
          slopes.push(tanh ? state.map((y) => 1 - y * y) : a.map(() => 1));
        }
        const lengths = [Math.hypot(...g)];
        for (const slope of slopes.reverse()) {
          const da = g.map((y, i) => y * slope[i]);
          g = g.map((_, j) => rho * W.reduce((sum, row, i) => sum + row[j] * da[i], 0));
          lengths.push(Math.hypot(...g));
        }
        return lengths;
      };
      const curve = s("polyline", { class: "lm-path" }), dots = marks.map(() => s("circle", { class: "lm-dot", r: 4.5 }));
      const line = (d, kind) => s("path", { class: kind, d });
      const picture = s("svg", { class: "lm-reach", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Length of the gradient, logarithmic, by steps back" },
        ...[-12, -6, 0, 6, 12].flatMap((e) => [line(`M${LEFT} ${Y(e)}H${WIDTH - 8}`, e ? "lm-rule" : "lm-one"),
          s("text", { x: LEFT - 6, y: Y(e) + (e === HIGH ? 11 : 4), "text-anchor": "end" }, e ? `10${raised(e)}` : "1")]),
        ...[0, ...marks].map((k) => s("text", { x: X(k), y: HEIGHT - BOTTOM + 16, "text-anchor": k === T ? "end" : "middle" }, `${k}`)),
        s("text", { x: X(T / 2), y: HEIGHT - 6, "text-anchor": "middle" }, "steps back"), curve, ...dots);
      const update = () => {
        const lengths = this.reach(radii[at.radius], strengths[at.strength], at.phi === 0);
        const height = (y) => Math.min(HIGH, Math.max(LOW, y > 0 ? Math.log10(y) : LOW));
        curve.setAttribute("points", lengths.map((y, k) => `${X(k).toFixed(1)},${Y(height(y)).toFixed(1)}`).join(" "));
        marks.forEach((k, i) => {
          dots[i].setAttribute("cx", X(k)), dots[i].setAttribute("cy", Y(height(lengths[k])));
        });
        const [half, last] = [lengths[T / 2], lengths[T]];
        this.say(`Of a gradient of length 1, ${marks.map((k) => `${power(lengths[k])} is left after ${k} steps`).join(", ")}: `
          + `from step ${T / 2} on it ${last < half / 2 ? "vanishes" : last > 2 * half ? "explodes" : "stays of the same order"}.`);
      };
      this.append(
        controls(slider("Spectral radius", radii.length, radius, (i) => radii[i].toFixed(2), (i) => { at.radius = i; update(); }),
          slider("Strength of the inputs", strengths.length, strength, (i) => `${strengths[i]}`, (i) => { at.strength = i; update(); }),
          selector("Units", ["tanh", "linear"], (i) => { at.phi = i; update(); })),
        picture, this.said);
      update();
    }
  }
  customElements.define("lm-backwards", Backwards);
})();
