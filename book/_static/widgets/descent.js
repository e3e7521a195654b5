/* Gradient descent under the reader's hand, on the page's own loss of two parameters: does a sentence end after t words? */
"use strict";
(() => {
  const { h, s, selector, slider, controls, button, random, Widget } = window.lm;
  const WIDTH = 520, HEIGHT = 330, EDGE = 34;

  class Descent extends Widget {
    title_ = "Downhill";
    build({ places, number, ends, contours, frame: [west, east, south, north], lowest, loss, rates, rate, momenta, sizes, size }) {
      const N = number.reduce((a, b) => a + b), at = { rate, momentum: 0, size };
      const X = (v) => EDGE + ((v - west) / (east - west)) * (WIDTH - EDGE), Y = (v) => (HEIGHT - EDGE) * (1 - (v - south) / (north - south));
      const points = (line) => line.map(([a, b]) => `${X(a).toFixed(1)},${Y(b).toFixed(1)}`).join(" ");
      // example i: its place t and whether the sentence ended there, as in the page's sums over places
      const t = new Float64Array(N), y = new Uint8Array(N);
      for (let k = 0, i = 0; k < places.length; k++)
        for (let j = 0; j < number[k]; j++, i++) t[i] = places[k], y[i] = j < ends[k] ? 1 : 0;
      let theta, velocity, path, order, read, draw, steps;

      const J = ([a, b]) => places.reduce((sum, place, k) => {
        const z = a + (b * place) / 10;
        return sum + number[k] * (Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)))) - ends[k] * z;
      }, 0) / N;
      function gradient(m) {
        let a = 0, b = 0;
        if (m === N) {
          places.forEach((place, k) => {
            const error = number[k] / (1 + Math.exp(-theta[0] - (theta[1] * place) / 10)) - ends[k];
            a += error, b += (error * place) / 10;
          });
          return [a / N, b / N];
        }
        if (read >= N) shuffle();
        const batch = order.subarray(read, Math.min(N, (read += m)));
        for (const i of batch) {
          const error = 1 / (1 + Math.exp(-theta[0] - (theta[1] * t[i]) / 10)) - y[i];
          a += error, b += (error * t[i]) / 10;
        }
        return [a / batch.length, b / batch.length];
      }
      function shuffle() {
        for (let i = N - 1; i > 0; i--) {
          const j = Math.floor(draw() * (i + 1));
          [order[i], order[j]] = [order[j], order[i]];
        }
        read = 0;
      }
      const trace = s("polyline", { class: "lm-path" }), dot = s("circle", { class: "lm-dot", r: 5 });
      const picture = s("svg", { class: "lm-valley", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "The loss as a valley seen from above, and the path so far" },
        ...contours.map((line) => s("polyline", { class: "lm-contour", points: points(line) })),
        s("path", { class: "lm-lowest", d: `M${X(lowest[0]) - 7} ${Y(lowest[1])}h14m-7 -7v14` }), trace, dot,
        s("text", { x: WIDTH / 2, y: HEIGHT - 8 }, "θ₁"), s("text", { x: 8, y: (HEIGHT - EDGE) / 2 }, "θ₂"));
      const update = () => {
        trace.setAttribute("points", points(path));
        dot.setAttribute("cx", X(theta[0])), dot.setAttribute("cy", Y(theta[1]));
        const inside = theta[0] > west && theta[0] < east && theta[1] > south && theta[1] < north;
        dot.setAttribute("visibility", inside ? "visible" : "hidden");
        this.say(`After ${steps} step${steps === 1 ? "" : "s"}: θ = (${theta[0].toFixed(3)}, ${theta[1].toFixed(3)}), loss ${J(theta).toFixed(4)}, `
            + `${Math.max(0, J(theta) - loss).toFixed(4)} nats above the lowest point.${inside ? "" : " The path has left the picture."}`);
      };
      const go = (count) => {
        for (let i = 0; i < count; i++, steps++) {
          const g = gradient(sizes[at.size]);
          velocity = velocity.map((v, j) => momenta[at.momentum] * v + g[j]);
          theta = theta.map((x, j) => x - rates[at.rate] * velocity[j]);
          path.push(theta);
        }
        update();
      };
      const begin = () => {
        theta = [0, 0], velocity = [0, 0], path = [theta], steps = 0, read = N, draw = random(0);
        order = Uint32Array.from({ length: N }, (_, i) => i);
        update();
      };
      this.append(
        controls(
          slider("Learning rate η", rates.length, rate, (i) => `${rates[i]}`, (i) => { at.rate = i; begin(); }),
          selector("Examples a step", sizes.map((m) => (m === N ? `all ${N.toLocaleString("en").replace(",", "\u202f")}` : `${m}`)), (i) => { at.size = i; begin(); }, size),
          selector("Momentum", momenta.map(String), (i) => { at.momentum = i; begin(); })),
        controls(button("One step", () => go(1)), button("20 steps", () => go(20)), button("200 steps", () => go(200)), button("Start again", begin)),
        h("div", { class: "lm-figure" }, picture), this.said);
      begin();
      let untouched; // the path that a reader has made is printed as it is
      this.onPaper(() => { if ((untouched = !steps)) go(200); }, () => { if (untouched) begin(); });
    }
  }
  customElements.define("lm-descent", Descent);
})();
