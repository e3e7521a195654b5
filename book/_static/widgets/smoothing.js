/* Smoothing under the slider: what moves from seen to unseen words, word by word, and what held-out text says to it.
   `values` of the parameter are positive; `held_out` are the losses with them, in nats per token. */
"use strict";
(() => {
  const { h, s, fixed, probability, slider, selector, controls, bars, Widget } = window.lm;

  /** The losses over the logarithm of the parameter, with a dot that moves; the ends and the lowest in numbers. */
  function curve(parameter, values, losses, at) {
    const [W, H, edge] = [600, 120, 12], end = values.length - 1;
    const logs = values.map(Math.log), low = Math.min(...losses), high = Math.max(...losses), best = losses.indexOf(low);
    const x = (i) => edge + ((W - 2 * edge) * (logs[i] - logs[0])) / (logs[end] - logs[0]);
    const y = (i) => edge + ((H - 2 * edge) * (high - losses[i])) / (high - low || 1);
    const label = (i) => {
      const [shift, align] = i === 0 ? [0, "left"] : i === end ? [100, "right"] : [50, "center"];
      return h("span", { class: i === best ? "lm-best" : "", style: `left:${(100 * x(i)) / W}%;transform:translateX(-${shift}%);text-align:${align}` },
        `${parameter} = ${values[i]}`, h("br"), fixed(losses[i], 3) + (i === best ? ", best" : ""));
    };
    const named = [0, best, end].filter((i, n, all) => all.indexOf(i) === n && (i === best || Math.abs(x(i) - x(best)) > W / 3));
    return [
      s("svg", { viewBox: `0 0 ${W} ${H}`, "aria-hidden": "true" },
        s("path", { d: losses.map((_, i) => `${i ? "L" : "M"}${x(i)} ${y(i)}`).join("") }),
        ...losses.map((_, i) => s("circle", { cx: x(i), cy: y(i), r: i === at ? 9 : 4, class: i === at ? "lm-here" : "" }))),
      h("div", { class: "lm-ends", "aria-hidden": "true" }, ...named.map(label)),
    ];
  }

  class Smoothing extends Widget {
    title_ = "Smoothing moves probability to the unseen";
    build({ parameter, values, held_out, contexts }) {
      let at = values.length >> 1, one = contexts[0];
      const least = held_out.indexOf(Math.min(...held_out));
      const split = h("div", { class: "lm-split", "aria-hidden": "true" });
      const share = h("p", { class: "lm-share" }), about = h("p", { class: "lm-about" });
      const list = h("ul", { class: "lm-bars" }), picture = h("div", { class: "lm-curve" });
      const update = () => {
        const seen = one.seen[at];
        split.replaceChildren(
          h("span", { class: "lm-seen", style: `flex-grow:${seen}` }), h("span", { class: "lm-unseen", style: `flex-grow:${1 - seen}` }));
        share.replaceChildren(h("span", {}, `seen ${probability(seen)}`), h("span", {}, `unseen ${probability(1 - seen)}`));
        about.textContent = `${one.types} words were seen after “${one.context}”. The commonest of them, with their unsmoothed probability behind:`;
        list.replaceChildren(...bars(one.words.map((word, i) => ({
          word, p: one.smoothed[at][i], pale: one.mle[i], note: `${probability(one.smoothed[at][i])}, was ${probability(one.mle[i])}`,
        })), Math.max(...one.mle)));
        picture.replaceChildren(...curve(parameter, values, held_out, at));
        this.say(`${parameter} = ${values[at]}: ${fixed(held_out[at], 3)} nats per held-out token. `
          + (at === least ? "No other step is lower." : `The lowest is ${fixed(held_out[least], 3)}, at ${parameter} = ${values[least]}.`));
      };
      this.append(
        controls(
          slider(parameter, values.length, at, (i) => `${values[i]}`, (i) => { at = i; update(); }),
          selector("History", contexts.map((c) => c.context), (i) => { one = contexts[i]; update(); })),
        split, share, about, list, h("p", { class: "lm-about" }, `Nats per token of the held-out text, over ${parameter} on a logarithmic scale:`),
        picture, this.said);
      update();
    }
  }
  customElements.define("lm-smoothing", Smoothing);
})();
