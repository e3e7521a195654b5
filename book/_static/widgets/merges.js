/* Byte-pair encoding of the reader's own text: count the pairs, merge the most frequent one, again and again. */
"use strict";
(() => {
  const { h, labelled, controls, button, bars, Widget } = window.lm;
  // GPT-2's rule, as in lmkit.bpe: no token reaches across these pieces.
  const PIECE = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;
  const LONGEST = 2000;

  class Merges extends Widget {
    title_ = "Two become one";

    /** Pieces as lists of ids, and how often each pair of neighbours stands in them: "a b" → count. */
    begin(text) {
      this.bytes = Array.from({ length: 256 }, (_, i) => [i]);
      this.pieces = (text.match(PIECE) || []).map((piece) => [...new TextEncoder().encode(piece)]);
    }
    count() {
      const counts = new Map();
      for (const ids of this.pieces) {
        for (let i = 1; i < ids.length; i++) {
          const pair = `${ids[i - 1]} ${ids[i]}`;
          counts.set(pair, (counts.get(pair) || 0) + 1);
        }
      }
      return [...counts].map(([pair, times]) => [pair.split(" ").map(Number), times])
        .sort(([[a, b], m], [[c, d], n]) => n - m || a - c || b - d);
    }
    /** Merge the most frequent pair, of several the one with the smaller ids; the pair, or nothing if there is none. */
    merge() {
      const [top] = this.count();
      if (!top) return null;
      const [[a, b]] = top, made = this.bytes.push([...this.bytes[a], ...this.bytes[b]]) - 1;
      this.pieces = this.pieces.map((ids) => {
        const out = [];
        for (const id of ids) {
          if (id === b && out.at(-1) === a) out[out.length - 1] = made;
          else out.push(id);
        }
        return out;
      });
      return top;
    }
    name(id) {
      try { return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(this.bytes[id])).replace(/\s/g, "␣"); }
      catch { return this.bytes[id].map((byte) => byte.toString(16).toUpperCase()).join(" "); }
    }

    build({ text }) {
      const input = h("textarea", { rows: 3, maxlength: LONGEST, spellcheck: "false", input: () => start() });
      input.value = text;
      const shown = h("p", { class: "lm-tokens" }), list = h("ul", { class: "lm-bars" });
      const update = (last) => {
        const pairs = this.count(), tokens = this.pieces.flat(), most = pairs.length ? pairs[0][1] : 1;
        shown.replaceChildren(...this.pieces.flatMap((ids) => ids.map((id) => h("span", { class: id < 256 ? "" : "lm-merged" }, this.name(id)))));
        list.replaceChildren(...bars(pairs.slice(0, 6).map(([[a, b], times]) => ({ word: `${this.name(a)} + ${this.name(b)}`, p: times, note: `${times}` })), most));
        const made = this.bytes.length - 256;
        this.say(`${last}${tokens.length} token${tokens.length === 1 ? "" : "s"} after ${made} merge${made === 1 ? "" : "s"}; `
          + (pairs.length ? `next: ${this.name(pairs[0][0][0])} + ${this.name(pairs[0][0][1])}.` : "no pair is left: each piece is one token."));
      };
      const go = (times) => {
        let last = "";
        for (let i = 0; i < times; i++) {
          const top = this.merge();
          if (!top) break;
          last = `${this.name(top[0][0])} + ${this.name(top[0][1])} stood ${top[1]} time${top[1] === 1 ? "" : "s"} and ${top[1] === 1 ? "is" : "are"} one token now. `;
        }
        update(last);
      };
      const start = () => (this.begin(input.value), update(""));
      this.append(
        controls(labelled("Text", input)),
        controls(button("Merge", () => go(1)), button("10 merges", () => go(10)), button("Start again", start)),
        shown, h("p", { class: "lm-about" }, "The most frequent pairs:"), list, this.said);
      start();
      let untouched; // what a reader has merged is printed as it is
      this.onPaper(() => { if ((untouched = this.bytes.length === 256)) go(10); }, () => { if (untouched) start(); });
    }
  }
  customElements.define("lm-merges", Merges);
})();
