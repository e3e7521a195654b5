/* A scan of h_t = a_t h_{t−1} + b_t round by round: one after the other, or by one of two trees; rounds and products counted. */
"use strict";
(() => {
  const { h, selector, controls, button, Widget } = window.lm;
  const short = (x) => `${+x.toFixed(3)}`.replace("-", "−");

  /* A cell is the composition of the steps from … to: {from, to, a, b}. A schedule is a list of rounds, a round a list of
     {at, cell, left, products}: place `at` becomes `cell`, for which `left` was the other place that had to be read. */
  const compose = (x, y) => ({ from: x.from, to: y.to, a: y.a * x.a, b: y.a * x.b + y.b });

  const ways = {
    "one after the other": (cells) => {
      const rounds = [], now = [...cells];
      for (let t = 1; t < now.length; t++) {
        now[t] = compose(now[t - 1], now[t]);
        rounds.push([{ at: t, left: t - 1, cell: now[t], products: 1 }]);
      }
      return rounds;
    },
    "Hillis and Steele": (cells) => {
      const rounds = [];
      let now = [...cells];
      for (let reach = 1; reach < cells.length; reach *= 2) {
        const round = now.flatMap((cell, t) => (t < reach ? [] : [{ at: t, left: t - reach, cell: compose(now[t - reach], cell), products: 2 }]));
        now = [...now];
        for (const { at, cell } of round) now[at] = cell;
        rounds.push(round);
      }
      return rounds;
    },
    /** Of the places stride − 1, 2 stride − 1, …: pairs, then the problem of half the length, then the ones between. */
    Blelloch: (cells) => {
      const now = [...cells];
      const join = (left, at, products) => {
        now[at] = compose(now[left], now[at]);
        return { at, left, cell: now[at], products };
      };
      const solve = (places) => {
        if (places.length < 2) return [];
        const even = places.filter((_, i) => i % 2), odd = places.filter((_, i) => i > 1 && i % 2 === 0);
        const up = even.map((at, i) => join(places[2 * i], at, 2));
        const middle = solve(even);
        const down = odd.map((at, i) => join(even[i], at, 1));
        return [up, ...middle, ...(down.length ? [down] : [])];
      };
      return solve(cells.map((_, t) => t));
    },
  };

  class Scan extends Widget {
    title_ = "A scan, round by round";
    /** All states and the number of rounds and products, for tests. */
    run(way, T) {
      const cells = this.cells(T), rounds = ways[way](cells);
      for (const { at, cell } of rounds.flat()) cells[at] = cell;
      return { h: cells.map(({ b }) => b), rounds: rounds.length, products: rounds.flat().reduce((sum, { products }) => sum + products, 0) };
    }
    cells(T) {
      const { a, b } = this.data;
      return Array.from({ length: T }, (_, t) => ({ from: t + 1, to: t + 1, a: a[t], b: b[t] }));
    }
    build(data) {
      this.data = data;
      const lengths = [2, 4, 5, 8, 11, 16].filter((T) => T <= data.a.length), names = Object.keys(ways);
      let way = names[0], T = Math.min(8, data.a.length), shown = 0, rounds;
      const grid = h("ol", { class: "lm-scan" });
      const update = () => {
        const cells = this.cells(T), fresh = new Set(), read = new Set();
        rounds.slice(0, shown).forEach((round, r) => round.forEach(({ at, cell, left }) => {
          cells[at] = cell;
          if (r === shown - 1) fresh.add(at), read.add(left);
        }));
        const done = ({ from }) => from === 1;
        grid.replaceChildren(...cells.map((cell, t) =>
          h("li", { class: `${fresh.has(t) ? "lm-fresh" : read.has(t) ? "lm-read" : ""} ${done(cell) ? "lm-done" : ""}` },
            h("b", {}, cell.from === cell.to ? `${cell.to}` : `${cell.from}–${cell.to}`),
            h("span", {}, done(cell) ? `h = ${short(cell.b)}` : `a ${short(cell.a)}`),
            h("span", {}, done(cell) ? "" : `b ${short(cell.b)}`))));
        const products = rounds.slice(0, shown).flat().reduce((sum, { products }) => sum + products, 0);
        const left = cells.filter((cell) => !done(cell)).length;
        this.say(`${way[0].toUpperCase()}${way.slice(1)}: round ${shown} of ${rounds.length}, ${products} product${products === 1 ? "" : "s"} so far. `
          + (shown === rounds.length ? `All ${T} states are there; the last is ${short(cells[T - 1].b)}.` : `${T - left} of ${T} states are there.`));
      };
      const begin = () => { rounds = ways[way](this.cells(T)); shown = 0; update(); };
      this.append(
        controls(
          button("Next round", () => { shown = Math.min(shown + 1, rounds.length); update(); }),
          button("All rounds", () => { shown = rounds.length; update(); }), button("Start again", begin)),
        controls(
          selector("Scan", names, (i) => { way = names[i]; begin(); }),
          selector("Steps", lengths.map(String), (i) => { T = lengths[i]; begin(); }, lengths.indexOf(T))),
        grid, this.said);
      begin();
      let before;
      this.onPaper(() => { before = shown; shown = rounds.length; update(); }, () => { shown = before; update(); });
    }
  }
  customElements.define("lm-scan", Scan);
})();
