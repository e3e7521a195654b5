/* What runs the course's models in the page: weights, the language of known entropy, a feed-forward network, an LSTM,
   an encoder–decoder, a Transformer. A widget that names its
   weights (lmkit.plotting.widget(…, weights=…)) is loaded with this file. Vectors are Float64Array; a matrix is
   {shape: [rows, columns], data}, row by row, as PyTorch has it. tests/test_engine.py compares every number with lmkit's. */
"use strict";
window.lm.engine = (() => {
  const { h } = window.lm;

  // ------------------------------------------------------------------------------------------------ weights

  /** The number that 16 bits of IEEE 754 half precision hold. */
  function fromHalf(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent === 0) return (sign * fraction) / 2 ** 24;
    return exponent === 31 ? (fraction ? NaN : sign * Infinity) : sign * 2 ** (exponent - 25) * (1024 + fraction);
  }

  /** {shapes: {name: [rows, …]}, half: base64 of all numbers, little-endian} → {name: {shape, data}}. */
  function unpack({ shapes, half }) {
    const text = atob(half), weights = {};
    let at = 0;
    for (const [name, shape] of Object.entries(shapes)) {
      const data = new Float64Array(shape.reduce((product, n) => product * n, 1));
      for (let i = 0; i < data.length; i++, at += 2) data[i] = fromHalf(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8));
      weights[name] = { shape, data };
    }
    return weights;
  }

  const waiting = {};
  /** A file of weights calls this when it has come. */
  function deliver(name, packed) {
    waiting[name].resolve(unpack(packed));
  }

  /** A promise of the weights of a widget: in the page itself, or in a script fetched now (fetch() is not for file://). */
  function weights(widget) {
    const { inside, name } = widget.weights;
    if (inside) return Promise.resolve(unpack(JSON.parse(inside)));
    if (!waiting[name]) {
      waiting[name] = {};
      waiting[name].promise = new Promise((resolve, reject) => {
        waiting[name].resolve = resolve;
        const script = h("script", { src: widget.weights.src, error: () => reject(new Error("the model could not be fetched")) });
        document.head.append(script);
      });
    }
    return waiting[name].promise;
  }

  // ------------------------------------------------------------------------------------------------ numbers

  const sigmoid = (x) => 1 / (1 + Math.exp(-x));

  /** M v + b; without b, M v. */
  function affine({ shape: [rows, columns], data }, v, b) {
    const y = new Float64Array(rows);
    for (let i = 0, at = 0; i < rows; i++) {
      let sum = b ? b[i] : 0;
      for (let j = 0; j < columns; j++) sum += data[at++] * v[j];
      y[i] = sum;
    }
    return y;
  }

  const row = ({ shape: [, columns], data }, i) => data.subarray(i * columns, (i + 1) * columns);

  function softmax(scores) {
    const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
    const p = scores.map((score) => Math.exp(score - largest)), total = p.reduce((a, b) => a + b, 0);
    return p.map((x) => x / total);
  }

  // ------------------------------------------------------------------------------------------------ models

  /** lmkit.feedforward.FeedforwardLM. */
  class Feedforward {
    constructor({ E, W, b_h, U, b_y }) { this.E = E, this.W = W, this.b_h = b_h.data, this.U = U, this.b_y = b_y.data; }
    /** Reads the ids of a full window, the oldest first: the embeddings one after the other, the hidden units, the logits of what comes next. */
    read(ids) {
      const e = Float64Array.from(ids.flatMap((id) => [...row(this.E, id)])), hidden = affine(this.W, e, this.b_h).map(Math.tanh);
      return { e, h: hidden, logits: affine(this.U, hidden, this.b_y) };
    }
  }

  /** A layer {W_x, W_h, b} reads x: its gates and the new state. */
  function lstm({ W_x, W_h, b }, x, before) {
    const H = W_h.shape[1], read = affine(W_x, x, b), held = affine(W_h, before.h);
    const score = (k) => read.slice(k * H, (k + 1) * H).map((y, j) => y + held[k * H + j]);
    const [i, f, o] = [0, 1, 3].map((k) => score(k).map(sigmoid)), g = score(2).map(Math.tanh);
    const c = before.c.map((y, j) => f[j] * y + i[j] * g[j]);
    return { i, f, g, o, c, h: o.map((y, j) => y * Math.tanh(c[j])) };
  }

  /** lmkit.recurrent.RecurrentLM of one layer of the cell "lstm". */
  class LSTM {
    constructor(weights) {
      const layer = (name) => weights[`encoder.layers.0.0.${name}`];
      this.E = weights["encoder.embedding.weight"];
      this.W_x = layer("W_x"), this.W_h = layer("W_h"), this.b = layer("b").data;
      this.V = weights["output.weight"], this.c = weights["output.bias"].data;
      this.H = this.W_h.shape[1];
    }
    begin() { return { h: new Float64Array(this.H), c: new Float64Array(this.H) }; }
    /** Reads one token: the gates, the new state, and the distribution of the next token. */
    step(id, before) {
      const state = lstm(this, row(this.E, id), before), logits = affine(this.V, state.h, this.c);
      return { ...state, logits, p: softmax(logits) };
    }
  }

  /** lmkit.seq2seq.Seq2Seq with the additive score. */
  class Seq2Seq {
    constructor(weights) {
      const linear = (name) => (x) => affine(weights[`${name}.weight`], x, (weights[`${name}.bias`] || {}).data);
      const stacked = (name) => (x) => affine(weights[`decoder.weight_${name}`], x, weights[`decoder.bias_${name}`].data);
      this.E = weights["encoder.embedding.weight"];
      this.layers = [0, 1].map((k) => {
        const [W_x, W_h, b] = ["W_x", "W_h", "b"].map((name) => weights[`encoder.layers.0.${k}.${name}`]);
        return { W_x, W_h, b: b.data };
      });
      [this.W_h, this.W_s, this.w_2, this.output] = ["score.W_h", "score.W_s", "score.w_2", "output"].map(linear);
      [this.read, this.hold] = ["ih", "hh"].map(stacked);
    }
    /** The states of a source, read in both directions; their part of the scores; the state in which the decoder starts. */
    encode(ids) {
      const order = ids.map((_, i) => i);
      const [right, left] = this.layers.map((layer, backwards) => {
        const zero = new Float64Array(layer.W_h.shape[1]), outputs = [];
        let state = { h: zero, c: zero };
        for (const i of backwards ? [...order].reverse() : order)
          outputs[i] = (state = lstm(layer, row(this.E, ids[i]), state)).h;
        return outputs;
      });
      const H = order.map((i) => [...right[i], ...left[i]]);
      return { H, keys: H.map((x) => this.W_h(x)), last: [...right.at(-1), ...left[0]] };
    }
    /** Feeds one token to the decoder: where it looks from the state s, what it sees, its new state, and what it would write. */
    step(id, s, { H, keys }) {
      const query = this.W_s(s), weights = softmax(keys.map((key) => this.w_2(key.map((x, j) => Math.tanh(x + query[j])))[0]));
      const context = s.map((_, j) => weights.reduce((sum, a, i) => sum + a * H[i][j], 0)), m = s.length;
      const read = this.read([...row(this.E, id), ...context]), held = this.hold(s);
      const [r, z] = [0, 1].map((k) => s.map((_, j) => sigmoid(read[k * m + j] + held[k * m + j])));
      const next = s.map((x, j) => (1 - z[j]) * Math.tanh(read[2 * m + j] + r[j] * held[2 * m + j]) + z[j] * x);
      return { weights, context, s: next, logits: this.output(next) };
    }
    /** The most probable token at every step, until <eos> or `most` are written. */
    greedy(ids, bos, eos, most) {
      const source = this.encode(ids), steps = [];
      for (let s = source.last, id = bos; id !== eos && steps.length < most; ) {
        const step = this.step(id, s, source);
        step.logits[bos] = -Infinity; // <bos> is no answer
        const p = softmax(step.logits);
        id = p.indexOf(Math.max(...p)), s = step.s;
        steps.push({ ...step, id, p: p[id] });
      }
      return steps;
    }
  }

  const plus = (u, v) => u.map((x, j) => x + v[j]);
  const gelu = (x) => (x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))) / 2;

  /** (x − mean)/√(variance + ε), times a gain, plus a bias. */
  function layerNorm(x, { gain, bias }) {
    const mean = x.reduce((a, b) => a + b, 0) / x.length, variance = x.reduce((sum, y) => sum + (y - mean) ** 2, 0) / x.length;
    return x.map((y, j) => (gain[j] * (y - mean)) / Math.sqrt(variance + 1e-5) + bias[j]);
  }

  /** lmkit.transformer.TransformerLM: pre-LN, GELU, positions "learned", "convolution" or "none"; `heads` to a layer. */
  class Transformer {
    constructor(weights, heads, qkNorm = false) {
      const bias = (name) => (weights[`${name}.bias`] || {}).data;
      const linear = (name) => (x) => affine(weights[`${name}.weight`], x, bias(name));
      const norm = (name) => (x) => layerNorm(x, { gain: weights[`${name}.weight`].data, bias: bias(name) });
      this.E = weights["embedding.weight"], this.p = weights["positions.p"], this.w = weights["positions.w"];
      [this.d] = [this.E.shape[1]], this.heads = heads, this.size = this.d / heads, this.qkNorm = qkNorm;
      this.layers = [];
      for (let at = "blocks.0"; weights[`${at}.norm_1.weight`]; at = `blocks.${this.layers.length}`)
        this.layers.push({ norm1: norm(`${at}.norm_1`), norm2: norm(`${at}.norm_2`), qkv: linear(`${at}.attention.W_qkv`),
          W_o: weights[`${at}.attention.W_o.weight`], b_o: bias(`${at}.attention.W_o`), up: linear(`${at}.feed_forward.W_up`), down: linear(`${at}.feed_forward.W_down`) });
      const final = norm("final_norm"), output = linear("output");
      /** What the output layer would say of a vector of the stream. */
      this.logits = (x) => output(final(x));
    }
    /** The input of the first layer for every token: its embedding, and its position or its neighbours. */
    embed(ids, positions) {
      const e = ids.map((id) => row(this.E, id));
      if (!positions || (!this.p && !this.w)) return e;
      if (this.p) return e.map((x, t) => plus(x, row(this.p, t)));
      const width = this.w.shape[0];
      return e.map((x, t) => x.map((_, j) => {
        let sum = 0;
        for (let k = 0; k < width; k++) if (t - width + 1 + k >= 0) sum += row(this.w, k)[j] * e[t - width + 1 + k][j];
        return sum;
      }));
    }
    /**
     * Reads all tokens at once. `off` holds names "layer.head", counted from 0, of heads whose output is left out; `mask`: nobody looks ahead.
     * {stream: [after the input, after each sublayer][t], layers: [{heads: [{weights[t], adds[t]}], adds[t]}]}.
     */
    read(ids, { off = new Set(), mask = true, positions = true } = {}) {
      const T = ids.length, m = this.size, stream = [this.embed(ids, positions)];
      const layers = this.layers.map(({ norm1, norm2, qkv, W_o, b_o, up, down }, l) => {
        const scaled = (v) => {
          const root = Math.sqrt(v.reduce((sum, y) => sum + y * y, 0) / m + 2 ** -23); // torch.finfo(float32).eps
          return this.qkNorm ? v.map((y) => y / root) : v;
        };
        const all = stream.at(-1).map((x) => qkv(norm1(x)));
        const heads = Array.from({ length: this.heads }, (_, i) => {
          const [Q, K] = [0, 1].map((k) => all.map((x) => scaled(x.slice(k * this.d + i * m, k * this.d + (i + 1) * m))));
          const weights = Q.map((q, t) => softmax(K.slice(0, mask ? t + 1 : T).map((key) => q.reduce((sum, y, j) => sum + y * key[j], 0) / Math.sqrt(m))));
          const adds = weights.map((a) => {
            const found = new Float64Array(m), adds = new Float64Array(this.d);
            a.forEach((weight, s) => { for (let j = 0; j < m; j++) found[j] += weight * all[s][2 * this.d + i * m + j]; });
            for (let r = 0; r < this.d; r++) for (let j = 0; j < m; j++) adds[r] += W_o.data[r * this.d + i * m + j] * found[j];
            return adds; // its block of W_o (concatenation of all heads)
          });
          return { weights, adds };
        });
        stream.push(stream.at(-1).map((x, t) => heads.reduce((sum, { adds }, i) => (off.has(`${l}.${i}`) ? sum : plus(sum, adds[t])), b_o ? plus(x, b_o) : x)));
        const adds = stream.at(-1).map((x) => down(up(norm2(x)).map(gelu)));
        stream.push(stream.at(-1).map((x, t) => plus(x, adds[t])));
        return { heads, adds };
      });
      return { stream, layers };
    }
  }

  /** lmkit.grammar.Grammar: the exact distribution of the next word. `rules` is Grammar.as_data(). */
  class Grammar {
    constructor({ rules, symbols }) {
      this.rules = rules, this.symbols = symbols, this.known = new Map();
      symbols.forEach((symbol) => symbol.words && (symbol.words = new Set(symbol.words)));
    }
    /** Derivations: [probability, what is still to come (numbers of symbols), what is remembered]. */
    begin() { return [[1, [this.symbols.length - 1], {}]]; }
    /** After what `alive` derivations have said: {word: the derivations that say it next}, weights summing to 1. */
    options(alive) {
      const next = new Map(), merged = new Map();
      const say = (word, p, stack, memory) => {
        const key = `${word} ${stack} ${JSON.stringify(memory)}`, before = merged.get(key);
        if (before) { before[0] += p; return; }
        const derivation = [p, stack, memory];
        merged.set(key, derivation);
        if (!next.has(word)) next.set(word, []);
        next.get(word).push(derivation);
      };
      const walk = (p, stack, memory) => {
        if (!stack.length) return say("<eos>", p, stack, memory);
        const symbol = this.symbols[stack[0]], rest = stack.slice(1);
        if (symbol.rule !== undefined)
          for (const [q, right] of this.rules[symbol.rule]) walk(p * q, [...right, ...rest], memory);
        else if (symbol.repeat !== undefined) say(memory[symbol.repeat], p, rest, memory);
        else {
          const taken = symbol.other.map((name) => memory[name]), free = [...symbol.words].filter((word) => !taken.includes(word));
          for (const word of free) say(word, p / free.length, rest, symbol.name ? { ...memory, [symbol.name]: word } : memory);
        }
      };
      for (const [p, stack, memory] of alive) walk(p, stack, memory);
      return next;
    }
    /** The derivations that go on with this word, their weights summing to 1 again; none if it cannot come. */
    read(alive, word) {
      const kept = (alive.length && this.options(alive).get(word)) || [], total = kept.reduce((sum, [p]) => sum + p, 0);
      return kept.map(([p, stack, memory]) => [p / total, stack, memory]);
    }
    /** [[word, probability]], most probable first. */
    next(alive) {
      return [...this.options(alive)]
        .map(([word, derivations]) => [word, derivations.reduce((sum, [p]) => sum + p, 0)])
        .sort(([v, p], [w, q]) => q - p || (v < w ? -1 : 1));
    }
  }

  // ------------------------------------------------------------------------------------------------ typing

  const split = (text) => text.toLowerCase().match(/[^\s.,]+|[.,]/g) || [];

  /** A sentence that the reader types, with words to choose from below it. `change(words)` gets the words that are complete. */
  function typing({ grammar, vocab, text, change, most = 40, offered = 8 }) {
    const known = new Set(vocab), offers = h("div", { class: "lm-offers", role: "group", "aria-label": "Words that may come next" });
    const input = h("input", { type: "text", value: text, autocomplete: "off", autocapitalize: "off", spellcheck: "false", input: () => update() });
    const problem = h("p", { class: "lm-problem", role: "alert" });
    function update() {
      const words = split(input.value), open = /[^\s.,]$/.test(input.value) && !known.has(words.at(-1)) ? words.pop() : "";
      const strange = words.findIndex((word) => !known.has(word));
      const read = (strange < 0 ? words : words.slice(0, strange)).slice(0, most);
      let alive = grammar.begin();
      for (const word of read) alive = grammar.read(alive, word);
      let next = alive.length ? grammar.next(alive).map(([word]) => word).filter((word) => known.has(word)) : [];
      if (open) next = [...next, ...vocab.filter((word) => !next.includes(word))].filter((word) => word.startsWith(open));
      if (strange >= 0) next = [];
      offers.replaceChildren(...next.slice(0, offered).map((word) =>
        h("button", { type: "button", click: () => { input.value = [...read, word, ""].join(" "); input.focus(); update(); } }, word)));
      problem.textContent = strange >= 0 ? `This language has no word “${words[strange]}”.`
        : open && !next.length ? `This language has no word that begins with “${open}”.`
        : words.length > most ? `Only the first ${most} words are read.` : "";
      change(read);
    }
    const set = (words) => { input.value = text = words; update(); };
    const again = h("button", { type: "button", click: () => set(text) }, "Start again");
    const box = h("div", { class: "lm-typing" }, window.lm.labelled("Your sentence", input), again, offers, problem);
    return { box, update, set };
  }

  return { typing, unpack, deliver, weights, affine, row, softmax, sigmoid, Feedforward, LSTM, Seq2Seq, Transformer, Grammar };
})();
