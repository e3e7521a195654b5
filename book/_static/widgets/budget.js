/* A training run of the reader's own: parameters, operations, days, money, memory, and what a fitted law predicts. */
"use strict";
(() => {
  const { h, selector, slider, controls, Widget } = window.lm;
  const PETAFLOP_S_DAY = 8.64e19;
  const UNITS = [[1e15, "quadrillion"], [1e12, "trillion"], [1e9, "billion"], [1e6, "million"]];
  const TIMES = [[730, 365, "years"], [1, 1, "days"], [1 / 24, 1 / 24, "hours"], [1 / 1440, 1 / 1440, "minutes"], [0, 1 / 86400, "seconds"]]; // from how many days on, the unit in days

  /** Three digits and a unit's name. */
  function round(x) {
    const [size, name] = UNITS.find(([size]) => x >= size) || [1, ""];
    const y = x / size;
    return `${y >= 100 ? Math.round(y).toLocaleString("en-US") : y.toPrecision(3)}${name && " "}${name}`;
  }

  /** Days in the unit in which one reads them. */
  function time(days) {
    const [, unit, name] = TIMES.find(([least]) => days >= least);
    return `${round(days / unit)} ${name}`;
  }

  class Budget extends Widget {
    title_ = "What would it cost?";

    /** All numbers of a run: L layers of width d, D tokens, G processors of a peak. */
    run(L, d, D, G, peak) {
      const { V, T, utilisation, dollars, law: [E, A, B, alpha, beta] } = this.data;
      const N = L * (12 * d * d + 13 * d) + (V + T) * d + 2 * d, C = 6 * N * D, seconds = C / (utilisation * G * peak);
      const loss = (n, t) => E + A / n ** alpha + B / t ** beta;
      const best = ((alpha * A) / (beta * B)) ** (1 / (alpha + beta)) * (C / 6) ** (beta / (alpha + beta));
      return { N, C, days: seconds / 86400, price: (seconds / 3600) * G * dollars, state: 16 * N, loss: loss(N, D), best, bestTokens: C / 6 / best, bestLoss: loss(best, C / 6 / best) };
    }

    build(data) {
      this.data = data;
      const { presets, tokens, processors, peaks } = data, at = { model: data.at, read: data.read, many: data.many, peak: 1 };
      const layers = [...new Set(presets.map(({ L }) => L))].sort((a, b) => a - b), widths = [...new Set(presets.map(({ d }) => d))].sort((a, b) => a - b);
      const size = { L: layers.indexOf(presets[at.model].L), d: widths.indexOf(presets[at.model].d) };
      const list = h("dl", { class: "lm-bill" });
      const update = () => {
        const x = this.run(layers[size.L], widths[size.d], tokens[at.read], processors[at.many], peaks[at.peak][1]);
        const rows = {
          Parameters: round(x.N), "Tokens a parameter": round(tokens[at.read] / x.N),
          Operations: `${x.C.toPrecision(3)}, ${round(x.C / PETAFLOP_S_DAY)} petaflop/s-days`,
          Time: time(x.days), Price: `$ ${round(x.price)}`,
          "Weights and Adam": `${round(x.state / 1e9)} GB, at least ${Math.ceil(x.state / 80e9)} of 80 GB`,
        };
        list.replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
        this.say(`The law predicts a loss of ${x.loss.toFixed(3)} nats a token. The best use of these operations, ${round(x.best)} parameters that read `
          + `${round(x.bestTokens)} tokens, would have ${x.bestLoss.toFixed(3)}.`);
      };
      const sizes = h("div");
      const choose = (i) => {
        at.model = i, size.L = layers.indexOf(presets[i].L), size.d = widths.indexOf(presets[i].d);
        sizes.replaceChildren(controls(
          slider("Layers", layers.length, size.L, (j) => `${layers[j]}`, (j) => { size.L = j; update(); }),
          slider("Width", widths.length, size.d, (j) => widths[j].toLocaleString("en-US"), (j) => { size.d = j; update(); })));
        update();
      };
      this.append(
        controls(selector("Begin with", presets.map(({ label }) => label), choose, at.model)), sizes,
        controls(
          slider("Tokens read", tokens.length, at.read, (j) => round(tokens[j]), (j) => { at.read = j; update(); }),
          slider("Processors", processors.length, at.many, (j) => processors[j].toLocaleString("en-US"), (j) => { at.many = j; update(); }),
          selector("Kind", peaks.map(([name]) => name), (j) => { at.peak = j; update(); }, at.peak)),
        list, this.said);
      choose(at.model);
    }
  }
  customElements.define("lm-budget", Budget);
})();
