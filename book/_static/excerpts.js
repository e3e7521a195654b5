// Sphinx's search fetches every page that it found to show an excerpt, which no browser allows from file://. The words of
// all pages stand in searchtexts.js: it is loaded with the first result and answers in their place.
"use strict";
{
  const root = new URL(document.documentElement.dataset.content_root, document.baseURI);
  const load = () => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL("_static/searchtexts.js", root);
    script.onload = () => done(window.searchTexts);
    script.onerror = failed;
    document.head.append(script);
  });
  let texts;
  window.fetch = async (address) => {
    const page = new URL(address, document.baseURI).href.slice(root.href.length).replace(/[?#].*/, "");
    const text = (await (texts ??= load()))[decodeURI(page)] ?? "";
    return { text: async () => text };
  };
}
