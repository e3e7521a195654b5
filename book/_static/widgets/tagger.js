/* Two trained taggers in the page, one that reads from the left and one that reads both ways: the tags of a sentence that
   the reader writes word by word. */
"use strict";
(() => {
  const { h, fixed, Widget } = window.lm;
  const NAMES = { n: "noun", v: "verb", p: "preposition", d: "determiner", r: "pronoun", m: "modal" };

  /** lmkit.tagging.SequenceTagger with one layer of LSTM cells: its scores are a sum of what each direction says. */
  function reader(weights, prefix, directions) {
    const { LSTM, softmax } = window.lm.engine, get = (name) => weights[`${prefix}.${name}`];
    const W = get("output.weight"), H = W.shape[1] / directions, K = W.shape[0];
    const parts = Array.from({ length: directions }, (_, k) => new LSTM({
      "encoder.embedding.weight": get("encoder.embedding.weight"),
      ...Object.fromEntries(["W_x", "W_h", "b"].map((name) => [`encoder.layers.0.0.${name}`, get(`encoder.layers.0.${k}.${name}`)])),
      "output.weight": { shape: [K, H], data: Float64Array.from({ length: K * H }, (_, i) => W.data[Math.floor(i / H) * H * directions + k * H + (i % H)]) },
      "output.bias": k ? { data: new Float64Array(K) } : get("output.bias"),
    }));
    /** Distributions of the tags, one for each id. */
    return (ids) => {
      const scores = ids.map(() => new Float64Array(K));
      parts.forEach((lstm, k) => {
        let state = lstm.begin();
        const order = k ? ids.map((_, t) => ids.length - 1 - t) : ids.map((_, t) => t);
        for (const t of order) {
          state = lstm.step(ids[t], state);
          state.logits.forEach((z, i) => { scores[t][i] += z; });
        }
      });
      return scores.map(softmax);
    };
  }

  class Tagger extends Widget {
    title_ = "Two taggers read along";
    late_ = true;
    /** {one, two}: the distributions of both taggers for these words; a promise. */
    async tag(words) {
      this.readers ||= window.lm.engine.weights(this).then((weights) => ({ one: reader(weights, "one", 1), two: reader(weights, "two", 2) }));
      const { one, two } = await this.readers, ids = words.map((word) => this.data.vocab.indexOf(word));
      return { one: one(ids).map((p) => [...p]), two: two(ids).map((p) => [...p]) };
    }
    build(data) {
      this.data = data;
      const { typing, Grammar } = window.lm.engine, tags = [...data.tags];
      const cards = h("ol", { class: "lm-tags" });
      const top = (p) => p.indexOf(Math.max(...p));
      const row = (mark, name, p, other) =>
        h("span", { class: `lm-tag ${top(p) === top(other) ? "" : "lm-differs"}` }, h("span", { "aria-hidden": "true" }, mark),
          h("span", { class: "lm-hidden" }, `${name}: `), h("strong", {}, tags[top(p)]), ` ${fixed(p[top(p)], 3)}`);
      let latest = 0, awake = false, written = [];
      const change = async (words) => {
        written = words;
        if (!awake) return;
        const mine = ++latest, { one, two } = await this.tag(words);
        if (mine !== latest) return; // another word has come meanwhile
        cards.replaceChildren(...words.map((word, t) =>
          h("li", {}, h("b", {}, word), row("→", "from the left", one[t], two[t]), row("⇄", "both ways", two[t], one[t]))));
        const apart = words.map((_, t) => t).filter((t) => top(one[t]) !== top(two[t]));
        this.say(!words.length ? "No word yet."
          : !apart.length ? `After ${words.length} word${words.length > 1 ? "s" : ""} both taggers choose the same tags.`
          : apart.map((t) => `${words[t]}: ${NAMES[tags[top(one[t])]]} for the tagger from the left, ${NAMES[tags[top(two[t])]]} for the one that looks both ways.`).join(" "));
      };
      const { box, update } = typing({ grammar: new Grammar(data.grammar), vocab: data.words, text: data.text, change });
      this.append(box, h("p", { class: "lm-about" }, "→ from the left only, ⇄ both ways: the most probable tag, and its probability."), cards, this.said);
      const wake = () => {
        if (awake) return;
        awake = true;
        this.say("The taggers are fetched …");
        change(written);
      };
      for (const event of ["pointerdown", "focusin"]) this.addEventListener(event, wake);
      this.say("The taggers begin as soon as you touch the sentence.");
      update();
    }
  }
  customElements.define("lm-tagger", Tagger);
})();
