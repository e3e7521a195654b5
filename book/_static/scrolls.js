// What is too wide for the screen scrolls in its own box: the box gets a soft edge where it goes on (course.css), and a
// place in the tab order for as long as there is something to scroll to.
"use strict";
{
  const boxes = "pre, .katex-display, .cell_output > .output, .pst-scrollable-table-container";
  const look = (box) => {
    const hidden = box.scrollWidth - box.clientWidth;
    const scrolls = hidden > 1 && getComputedStyle(box).overflowX !== "visible";
    box.classList.toggle("scrolls", scrolls);
    box.classList.toggle("more-left", scrolls && box.scrollLeft > 1);
    box.classList.toggle("more-right", scrolls && box.scrollLeft < hidden - 1);
    if (scrolls) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const all = [...(document.querySelector(".bd-article")?.querySelectorAll(boxes) ?? [])];
  const shown = new Set(); // what the browser has laid out so far: to ask the others would make it do so now
  const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => { shown.add(target); look(target); }));
  const scrolled = ({ currentTarget }) => look(currentTarget);
  const watch = (box) => {
    sizes.observe(box);
    box.addEventListener("scroll", scrolled, { passive: true });
  };
  all.forEach(watch);
  document.fonts?.addEventListener("loadingdone", () => shown.forEach(look));
  // A formula in a sentence goes on in the next line; a part of it that is wider than the whole line scrolls by itself.
  const parts = new ResizeObserver((entries) => entries.forEach(({ target }) => {
    const formula = target.closest(".math");
    let block = formula.parentElement;
    while (getComputedStyle(block).display.startsWith("inline")) block = block.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(block);
    const room = block.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    if (target.offsetWidth <= room || formula.classList.contains("too-wide")) return;
    formula.classList.add("too-wide");
    watch(formula);
  }));
  const inSentences = document.querySelectorAll(".bd-article span.math .katex-base");
  let width;
  const measure = () => {
    if (innerWidth === width) return; // a phone's address bar comes and goes
    width = innerWidth;
    for (const formula of document.querySelectorAll(".bd-article .too-wide")) {
      formula.classList.remove("too-wide");
      look(formula);
    }
    parts.disconnect(); // who is observed already would not be measured again
    if (width <= 576) inSentences.forEach((part) => parts.observe(part));
  };
  measure();
  addEventListener("resize", measure);
}
