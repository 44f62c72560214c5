// One page of each kind as readers meet it, opened from disk and from under a base path: node pages.mjs <chromium> <site>
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inChromium } from "./browser.mjs";

const [, , program, site] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SOUND = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

// `runs/*.html`, `*.source.html`, and what there is one of, such as `runs/index.html`.
const kindOf = (path) => {
  const [, folders, suffixes] = /^((?:[^/]+\/)*)[^/.]+((?:\.[^.]+)*)\.html$/.exec(path);
  if (!folders || path.endsWith("/index.html")) return path;
  const suffix = suffixes.replace(/\.part-\d+$/, "");
  return `${suffix || folders.startsWith("compare/") ? "" : folders}*${suffix}.html`;
};

// The largest page of each kind, where most can go wrong.
const kinds = new Map();
for (const path of readdirSync(site, { recursive: true }).filter((path) => path.endsWith(".html"))) {
  const [kind, { size }] = [kindOf(path), statSync(join(site, path))];
  if (!(kinds.get(kind)?.size > size)) kinds.set(kind, { path, size });
}

// The site under the path of its own address, as its host serves it.
const base = new URL(/rel="canonical" href="([^"]+)"/.exec(readFileSync(join(site, "index.html"), "utf8"))[1]).pathname;
const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml" };
const server = createServer(({ url }, answer) => {
  const path = decodeURIComponent(new URL(url, "http://site").pathname);
  const file = join(site, path.endsWith("/") ? `${path.slice(base.length)}index.html` : path.slice(base.length));
  const there = path.startsWith(base) && statSync(file, { throwIfNoEntry: false })?.isFile();
  answer.writeHead(there ? 200 : 404, { "content-type": TYPES[there ? extname(file) : ".html"] ?? "text/plain" });
  answer.end(readFileSync(there ? file : join(site, "404.html")));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const served = (path) => `http://127.0.0.1:${server.address().port}${base}${path}`;

// How far things moved while the page came, with what moved most.
const shifts = () => new Promise((done) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => setTimeout(() => done(seen.map(({ value, sources }) => `${value} ${sources.map(({ node }) => node?.outerHTML ?? node?.textContent).join().slice(0, 200)}`)), 50));
});
const sideways = () => document.scrollingElement.scrollWidth - innerWidth;

async function sound(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((tags) => window.axe.run({ runOnly: tags, preload: false, resultTypes: ["violations"] }), SOUND);
  const told = violations.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary}`));
  assert.deepEqual(told, [], where);
}

const tests = {};
for (const [kind, { path }] of kinds) {
  // The 404 page spells out the base path, so it has its style only below it.
  const url = kind === "404.html" ? served("404.html") : pathToFileURL(join(site, path)).href;
  tests[`${kind}: sound, still and narrow enough (${path})`] = async (open) => {
    const page = await open(url);
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.reload();
      assert.deepEqual(await page.evaluate(shifts), [], `things move at ${width} px`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
      assert.ok((await page.evaluate(sideways)) <= 0, `the page scrolls sideways at ${width} px`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await sound(page, `${width} px, ${colorScheme}`);
      }
    }
  };
  tests[`${kind}: whole without scripts, and under a base path`] = async (open) => {
    const bare = await open(url, { scripts: false });
    assert.equal(await bare.locator("button, input").count(), 0, "nothing that does nothing");
    assert.ok(await bare.locator("h1").isVisible());
    const page = await open(served(path), { width: 320 });
    assert.ok(await page.locator("[role=search] input").isVisible());
  };
}

await inChromium(program, tests);
server.close();
