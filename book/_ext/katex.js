// Sets formulas for formulas.py: one JSON request a line on standard input, one JSON answer a line on standard output.
"use strict";
const katex = require("katex");

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { tex, display, macros } = JSON.parse(line);
  // Macros are copied: \gdef in one formula must not reach the next.
  const options = { displayMode: display, macros: { ...macros }, output: "htmlAndMathml", strict: "error", throwOnError: true };
  let answer;
  try {
    answer = { html: katex.renderToString(tex, options) };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
