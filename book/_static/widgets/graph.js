/* A computation graph that lights up step by step: the values on the way forward, the gradients on the way back. */
"use strict";
(() => {
  const { h, s, slider, selector, controls, button, Widget } = window.lm;

  const round = (x) => x.toFixed(Math.abs(x) < 9.9995 ? 3 : Math.abs(x) < 99.995 ? 2 : 1);
  const number = (x) => round(Math.abs(x) < 0.0005 ? 0 : x).replace("-", "−");
  const factor = (x) => (x <= -0.0005 ? `(${number(x)})` : number(x));
  const sum = (terms) => terms.reduce((total, x) => total + x, 0);
  const sigma = (x) => 1 / (1 + Math.exp(-x));
  /** Each operation: its value, its derivative with respect to each of its arguments, and how it is written. */
  const OPERATIONS = {
    add: { f: (...x) => sum(x), d: (...x) => x.map(() => 1), text: (...x) => x.join(" + ") },
    sub: { f: (a, b) => a - b, d: () => [1, -1], text: (a, b) => `${a} − ${b}` },
    mul: { f: (a, b) => a * b, d: (a, b) => [b, a], text: (a, b) => `${a} · ${b}` },
    square: { f: (a) => a * a, d: (a) => [2 * a], text: (a) => `${a}²` },
    exp: { f: Math.exp, d: (a) => [Math.exp(a)], text: (a) => `exp ${a}` },
    log: { f: Math.log, d: (a) => [1 / a], text: (a) => `log ${a}` },
    nlog: { f: (a) => -Math.log(a), d: (a) => [-1 / a], text: (a) => `−log ${a}` },
    sigmoid: { f: sigma, d: (a) => [sigma(a) * (1 - sigma(a))], text: (a) => `σ(${a})` },
  };
  const [WIDE, HIGH, ACROSS, DOWN] = [58, 54, 76, 74]; // a box; from box to box
  /** A line from one point to another, with the head of an arrow. */
  function arrow([a, b], [x, y]) {
    const way = Math.atan2(y - b, x - a);
    const side = (turn) => `${(x - 8 * Math.cos(way + turn)).toFixed(1)} ${(y - 8 * Math.sin(way + turn)).toFixed(1)}`;
    return `M${a} ${b} L${x} ${y} M${side(0.45)} L${x} ${y} L${side(-0.45)}`;
  }

  class Graph extends Widget {
    title_ = "Values forward, gradients backward";
    build({ graphs }) {
      this.canvas = h("div", { class: "lm-canvas" });
      this.knobs = h("div");
      const next = button("Next", () => this.move(this.at < this.last ? this.at + 1 : 0));
      this.next = next;
      this.append(
        controls(next, button("Back", () => this.move(Math.max(this.at - 1, 0))), button("Show all", () => this.move(this.last)),
          selector("Graph", graphs.map((graph) => graph.label), (i) => this.open(graphs[i]))),
        this.knobs, this.canvas, this.said);
      this.open(graphs[0]);
      let before;
      this.onPaper(() => { before = [this.at, this.turned]; this.move(this.last, true); }, () => this.move(...before));
    }

    open({ nodes }) {
      this.nodes = nodes.map((node) => ({ of: [], ...node }));
      this.inputs = this.nodes.filter((node) => !node.op);
      this.made = this.nodes.filter((node) => node.op); // in an order in which they can be computed
      this.back = [...this.nodes].reverse();
      this.last = this.made.length + this.back.length;
      this.turn(this.inputs[0]);
      this.move(0);
    }

    /** The slider for one of the inputs. */
    turn(input) {
      this.input = input;
      const steps = Array.from({ length: 41 }, (_, i) => (i - 20) / 10);
      const at = steps.findIndex((x) => Math.abs(x - input.value) < 0.05);
      this.knobs.replaceChildren(controls(
        selector("Input", this.inputs.map((node) => node.name), (i) => this.choose(this.inputs[i]), this.inputs.indexOf(input)),
        slider(input.name, steps.length, at, (i) => number(steps[i]), (i) => { input.value = steps[i]; this.move(this.at, true); })));
    }

    /** An input that the reader has selected. The selector is a new one, and the keyboard stays on it. */
    choose(input) {
      this.turn(input);
      this.move(this.at, this.turned);
      this.knobs.querySelector("select").focus();
    }

    compute() {
      const named = Object.fromEntries(this.nodes.map((node) => [node.name, node]));
      for (const node of this.nodes) [node.gradient, node.from] = [0, []];
      for (const node of this.made) {
        const x = node.of.map((name) => named[name].value);
        [node.value, node.slopes] = [OPERATIONS[node.op].f(...x), OPERATIONS[node.op].d(...x)];
        node.written = OPERATIONS[node.op].text(...x.map(factor));
      }
      const L = this.back[0];
      L.gradient = 1;
      for (const node of this.back)
        node.of.forEach((name, i) => {
          named[name].gradient += node.gradient * node.slopes[i];
          named[name].from.push({ node, slope: node.slopes[i] });
        });
      return named;
    }

    move(to, turned = false) {
      [this.at, this.turned] = [to, turned];
      this.next.textContent = to < this.last ? "Next" : "Start again";
      const named = this.compute(), L = this.back[0];
      this.draw(named, L);
      const [forward, backward] = [this.made.length, to - this.made.length];
      if (to === 0) this.say(`Press “Next”: the values come first, from the top to ${L.name} at the bottom; then the gradients, from the bottom to the top.`);
      else if (backward <= 0) {
        const node = this.made[to - 1];
        this.say(`Forward, ${to} of ${forward}: ${node.name} = ${node.written} = ${number(node.value)}.`);
      } else if (turned && to === this.last) this.nudge();
      else {
        const node = this.back[backward - 1], by = (a, b) => `∂${a.name}/∂${b.name}`;
        // The slope of the last step alone would be written like the whole derivative, so it is named in words.
        const uses = [...node.from].reverse(); // as the formulas have them: the direct path last
        const terms = uses.map(({ node: c, slope }) => `${factor(c.gradient)} · ${factor(slope)}`);
        const rule = uses.map(({ node: c }, i) => (c === L ? `${terms[i]} directly` : `${by(L, c)} · ${by(c, node)}`));
        const worked = uses.every(({ node: c }) => c === L) ? [] : [terms.join(" + ")];
        const steps = node === L ? [] : [rule.join(" + "), ...worked];
        this.say(`Backward, ${backward} of ${this.back.length}: ${[by(L, node), ...steps, number(node.gradient)].join(" = ")}.`);
      }
    }

    /** What the derivative promises for a small step, and what becomes of it. */
    nudge() {
      const { input } = this, L = this.back[0], [value, slope, before, step] = [input.value, input.gradient, L.value, 0.01];
      input.value = value + step;
      this.compute();
      const change = L.value - before;
      input.value = value;
      this.compute();
      const small = (x) => x.toFixed(5).replace("-", "−");
      this.say(`At ${input.name} = ${number(value)}, ∂${L.name}/∂${input.name} = ${number(slope)}. If ${input.name} grows by ${step}, `
        + `${L.name} should change by about ${small(step * slope)}; it changes by ${small(change)}.`);
    }

    draw(named, L) {
      const backward = this.at - this.made.length;
      const lit = (node) => !node.op || this.made.indexOf(node) < this.at;
      const explained = (node) => this.back.indexOf(node) < backward;
      const now = backward > 0 ? this.back[backward - 1] : this.made[this.at - 1];
      const right = Math.max(...this.nodes.map((node) => node.place[0])) * ACROSS + WIDE + 4;
      const bottom = Math.max(...this.nodes.map((node) => node.place[1])) * DOWN + HIGH + 4;
      const corner = ({ place: [x, y] }) => [x * ACROSS + 2, y * DOWN + 2];
      const lines = this.nodes.flatMap((child) => child.of.map((name) => {
        const parent = named[name], [a, b] = corner(parent), [x, y] = corner(child);
        const way = backward > 0 ? (explained(parent) ? "lm-back" : "") : lit(child) ? "lm-forward" : "";
        const here = backward > 0 ? parent === now : child === now;
        return s("path", { class: `${way} ${here ? "lm-now" : ""}`, d: arrow([a + WIDE / 2, b + HIGH], [x + WIDE / 2, y]) });
      }));
      const boxes = this.nodes.map((node) => {
        const [x, y] = corner(node), middle = x + WIDE / 2;
        const state = explained(node) ? "lm-back" : lit(node) ? "lm-forward" : "";
        return s("g", { class: `${state} ${node === now ? "lm-now" : ""}` },
          s("rect", { x, y, width: WIDE, height: HIGH, rx: 6 }),
          s("text", { x: middle, y: y + 16, class: "lm-name" }, node.name),
          ...(lit(node) ? [s("text", { x: middle, y: y + 32 }, number(node.value))] : []),
          ...(explained(node) ? [s("text", { x: middle, y: y + 48, class: "lm-gradient" }, number(node.gradient))] : []));
      });
      this.canvas.replaceChildren(s("svg", { viewBox: `0 0 ${right} ${bottom}`, style: `max-width:${right * 1.25}px`, "aria-hidden": "true" }, ...lines, ...boxes));
    }
  }
  customElements.define("lm-graph", Graph);
})();
