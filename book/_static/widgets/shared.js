/* What the book's widgets share, on one global name because modules do not load from file://. Each widget is a custom
   element <lm-NAME> in NAME.js: it finds its data as JSON in a <script> inside it (lmkit.plotting.widget writes it) and
   replaces the fallback beside it. null in the data is an infinity. */
"use strict";
window.lm = (() => {
  /** An element; attributes whose value is a function are event listeners. */
  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
  const s = (tag, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  /** A number with so many decimals as the page's cells print; ∞ for null. */
  const fixed = (x, decimals) => (x === null ? "∞" : x.toFixed(decimals));
  const raised = (digits) => [...`${digits}`].map((d) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(d)]).join("");
  /** A probability: three decimals, or a power of ten where they would all be zero. */
  function probability(p) {
    if (p === 0 || p >= 0.0005) return p === 0 ? "0" : p.toFixed(3);
    const [mantissa, exponent] = p.toExponential(1).split("e");
    return (mantissa === "1.0" ? "" : `${mantissa} · `) + `10${raised(+exponent)}`;
  }
  const bits = (p) => (p > 0 ? -Math.log2(p) : null);

  let labels = 0;
  /** A control with its visible label in front. */
  function labelled(text, control) {
    control.id ||= `lm-${++labels}`;
    return h("span", { class: "lm-control" }, h("label", { for: control.id }, text), control);
  }

  function slider(text, count, at, describe, change) {
    const value = h("span", { class: "lm-value", "aria-hidden": "true" });
    const input = h("input", { type: "range", min: 0, max: count - 1, value: at });
    const tell = () => {
      value.textContent = describe(+input.value);
      input.setAttribute("aria-valuetext", value.textContent);
    };
    input.addEventListener("input", () => (tell(), change(+input.value)));
    tell();
    const control = labelled(text, input);
    control.append(value);
    return control;
  }

  /** A selector, or nothing where there is nothing to select. */
  function selector(text, options, change, at = 0) {
    if (options.length < 2) return "";
    const select = h("select", { change: () => change(select.selectedIndex) });
    select.append(...options.map((option) => h("option", {}, option)));
    select.selectedIndex = at;
    return labelled(text, select);
  }

  const controls = (...children) => h("div", { class: "lm-controls" }, ...children);
  const button = (text, click) => h("button", { type: "button", click }, text);

  /** Bars of {word, p, pale, note, mark}; what they show stands beside them as text. */
  function bars(rows, full) {
    const width = (p) => `width:${Math.min(100, (100 * p) / (full || 1))}%`;
    return rows.map(({ word, p, pale, note, mark }) =>
      h("li", { class: mark || "" },
        h("span", { class: "lm-word" }, word),
        h("span", { class: "lm-track", "aria-hidden": "true" },
          ...(pale === undefined ? [] : [h("span", { class: "lm-pale", style: width(pale) })]),
          h("span", { class: "lm-bar", style: width(p) })),
        h("span", { class: "lm-p" }, note || probability(p))));
  }

  /** Uniform numbers in [0, 1) from a seed: mulberry32. */
  function random(seed) {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }

  /** A labelled group with a title; `build(data)` makes the rest, `say` speaks to eyes and screen readers. */
  class Widget extends HTMLElement {
    connectedCallback() {
      if (this.said) return;
      const [first, weights] = this.querySelectorAll("script"), data = JSON.parse(first.textContent);
      if (weights) this.weights = { inside: weights.textContent, ...weights.dataset }; // for engine.js
      const fallback = this.lastElementChild;
      this.said = h("p", { class: "lm-said", role: "status" });
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", this.title_);
      this.replaceChildren(h("p", { class: "lm-title", "aria-hidden": "true" }, this.title_));
      this.build(data);
      if (this.late_) this.append(fill(fallback, { class: "lm-paper" }, [])); // empty until it is touched, and paper is not
    }
    say(text) { this.said.textContent = text; }
    /** Paper has no buttons: `show` brings what they lead to before the page is printed, `back` what stood there after it. */
    onPaper(show, back) {
      let shown = false; // once for each print, however often the browser tells of it
      window.addEventListener("beforeprint", () => { if (!shown) show(); shown = true; });
      window.addEventListener("afterprint", () => { if (shown) back(); shown = false; });
    }
  }

  return { h, s, fixed, probability, bits, labelled, slider, selector, controls, button, bars, random, Widget };
})();
