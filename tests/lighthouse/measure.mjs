// Lighthouse on every page of the built book, served as GitHub Pages serves it: HTTP/2, gzip, ten minutes of cache.
// Run by `make lighthouse`. Exit status 1 if a page misses a limit.
//
//   node measure.mjs SITE [--runs N] [PAGE …]      a page is named from the site's root: book/ngram.html
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const LIMITS = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };
const MOST_BYTES = 400e3, MOST_SHIFT = 0.05;
const TYPES = {
  ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "application/javascript; charset=utf-8",
  ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
  ".json": "application/json", ".xml": "application/xml", ".ipynb": "application/json",
};
const SQUEEZED = new Set([".html", ".css", ".js", ".svg", ".txt", ".json", ".xml", ".ipynb"]);

/** A key and a certificate for this run; the browser is told to trust it. */
function certificate() {
  const folder = mkdtempSync(join(tmpdir(), "lighthouse-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(folder, name));
  try {
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
      "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } catch (error) {
    throw new Error("openssl is needed for a certificate of localhost (HTTP/2 exists only with one)", { cause: error });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Serve a folder; the server and its address. */
async function serve(site) {
  const server = createSecureServer({ ...certificate(), allowHTTP1: true }, (request, response) => {
    let path = normalize(decodeURIComponent(new URL(request.url, "https://localhost").pathname));
    if (path.endsWith("/")) path += "index.html";
    let file = join(site, path), status = 200;
    if (!existsSync(file) || !statSync(file).isFile()) [file, status] = [join(site, "404.html"), 404];
    const type = extname(file), content = readFileSync(file);
    const headers = { "content-type": TYPES[type] ?? "application/octet-stream", "cache-control": "max-age=600" };
    const squeeze = SQUEEZED.has(type);
    if (squeeze) headers["content-encoding"] = "gzip";
    response.writeHead(status, headers);
    response.end(squeeze ? gzipSync(content) : content);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return [server, `https://localhost:${server.address().port}`];
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const words = process.argv.slice(2), at = words.indexOf("--runs");
const runs = at < 0 ? 3 : Number(words.splice(at, 2)[1]);
const site = words.shift();
if (!site || !existsSync(join(site, "index.html"))) throw new Error("the first argument is the built site: run `make book` first");
const list = (folder) => readdirSync(join(site, folder)).filter((n) => n.endsWith(".html")).map((n) => `${folder}/${n}`);
const pages = words.length ? words : [...list("book"), "book/reference/lmkit.ngram.html", "search.html"];
const [server, address] = await serve(site);
const chrome = await launch({
  chromePath: process.env.CHROMIUM,
  chromeFlags: ["--headless=new", "--no-sandbox", "--ignore-certificate-errors"],
});
let missed = 0;
console.log("page                                  perf  a11y  best   seo     KB    CLS   LCP s  TBT ms");
try {
  for (const page of pages) {
    const results = [];
    for (let run = 0; run < runs; run++) {
      const { lhr } = await lighthouse(`${address}/${page}`, { port: chrome.port, logLevel: "error" });
      if (lhr.runtimeError) throw new Error(`${page}: ${lhr.runtimeError.message}`);
      results.push(lhr);
    }
    const score = (name) => Math.round(100 * median(results.map((r) => r.categories[name].score)));
    const value = (name) => median(results.map((r) => r.audits[name].numericValue));
    const scores = Object.keys(LIMITS).map((name) => [name, score(name)]);
    const bytes = value("total-byte-weight"), shift = value("cumulative-layout-shift");
    const wrong = scores.filter(([name, got]) => got < LIMITS[name]).map(([name]) => name);
    if (bytes > MOST_BYTES) wrong.push("bytes");
    if (shift >= MOST_SHIFT) wrong.push("layout shift");
    console.log([page.padEnd(36), ...scores.map(([, got]) => String(got).padStart(5)), (bytes / 1e3).toFixed(0).padStart(6),
      shift.toFixed(3).padStart(6), (value("largest-contentful-paint") / 1e3).toFixed(1).padStart(7),
      value("total-blocking-time").toFixed(0).padStart(7), wrong.length ? `  MISSED: ${wrong.join(", ")}` : ""].join(" "));
    for (const name of ["accessibility", "best-practices", "seo"])
      for (const { id } of results[0].categories[name].auditRefs.filter(({ id }) => results[0].audits[id].score === 0))
        console.log(`    ${name}: ${results[0].audits[id].title}`);
    missed += wrong.length > 0;
  }
} finally {
  chrome.kill();
  server.close();
}
process.exit(missed ? 1 : 0);
