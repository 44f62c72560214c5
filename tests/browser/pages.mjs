// One page of each kind as readers meet it, opened from disk and from under a base path: node pages.mjs <chromium> <site> [beginning of tests]
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inChromium } from "./browser.mjs";

const [, , program, site, only = ""] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SOUND = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"];

// `runs/*.html`, `*.source.html`, and what there is one of, such as `runs/index.html`.
const kindOf = (path) => {
  const [, folders, suffixes] = /^((?:[^/]+\/)*)[^/.]+((?:\.[^.]+)*)\.html$/.exec(path);
  if (!folders || path.endsWith("/index.html")) return path;
  const suffix = suffixes.replace(/\.part-\d+$/, "");
  return `${suffix || folders.startsWith("compare/") ? "" : folders}*${suffix}.html`;
};

// The largest page of each kind, where most can go wrong, if it is not so large that a smaller one says the same sooner.
const LARGE = 100_000;
const kinds = new Map();
for (const path of readdirSync(site, { recursive: true }).filter((path) => path.endsWith(".html"))) {
  const [kind, { size }] = [kindOf(path), statSync(join(site, path))];
  const best = kinds.get(kind)?.size ?? Infinity;
  if (best > LARGE ? size < best : size > best && size <= LARGE) kinds.set(kind, { path, size });
}

// The site under the path of its own address, as its host serves it.
const base = new URL(/rel="canonical" href="([^"]+)"/.exec(readFileSync(join(site, "index.html"), "utf8"))[1]).pathname;
const TYPES = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml" };
const server = createServer(({ url }, answer) => {
  // Asked for where a page names no icon.
  if (url === "/favicon.ico") return answer.writeHead(204).end();
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
// Where the machine is so busy that a table is painted before all of its rows are there, its columns move; what scripts
// and styles move, they move every time.
const moved = async (page) => {
  let told;
  for (let load = 0; load < 3 && told?.length !== 0; load += 1) {
    await page.reload();
    told = await page.evaluate(shifts);
  }
  return told;
};
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
      assert.deepEqual(await moved(page), [], `things move at ${width} px`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((part) => (part.open = true)));
      assert.ok((await page.evaluate(sideways)) <= 0, `the page scrolls sideways at ${width} px`);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await sound(page, `${width} px, ${colorScheme}`);
      }
    }
  };
}
tests["without scripts all kinds are whole, and nothing does nothing"] = async (open) => {
  const page = await open(served(""), { scripts: false });
  for (const { path } of kinds.values()) {
    await page.goto(served(path));
    assert.equal(await page.locator("button, input, [role=search] > *").count(), 0, path);
    assert.ok(await page.locator("h1").isVisible(), path);
  }
};
tests["under a base path all kinds have their style, scripts and data"] = async (open) => {
  const page = await open(served(""));
  for (const { path } of kinds.values()) {
    await page.goto(served(path));
    assert.ok(await page.locator("a.skip").evaluate((skip) => getComputedStyle(skip).position === "absolute"), path);
    assert.ok(await page.locator("[role=search] input").isVisible(), path);
    assert.equal(await page.locator("[src=x], [onerror]").count(), 0, `${path}: text became an element`);
  }
};
tests["the search leads on under a base path"] = async (open) => {
  const page = await open(served(""));
  await page.keyboard.press("/");
  await page.keyboard.type("h100");
  const first = await page.locator(".found a").first().evaluate((link) => link.href);
  await page.keyboard.press("Enter");
  await page.waitForURL(first);
};
tests["the 404 page is whole at any depth"] = async (open) => {
  const page = await open(served("404.html"));
  const missing = served("runs/of/nobody.html");
  page.expected.push(missing);
  await page.goto(missing);
  await page.keyboard.press("/");
  await page.keyboard.type("h100");
  await page.locator(".found a").first().waitFor();
  await page.locator("a.brand").click();
  await page.waitForURL(served("index.html"));
};
tests["printed, all that is folded is open and nothing is cut off"] = async (open) => {
  for (const kind of ["runs/*.html", "audits/*.html", "kv-efficiency/*.html", "*.html", "runs/index.html"]) {
    const { path } = kinds.get(kind);
    const page = await open(pathToFileURL(join(site, path)).href, { width: 718, dark: true });
    await page.emulateMedia({ media: "print" });
    assert.ok((await page.evaluate(sideways)) <= 0, `${path}: too wide for its sheet`);
    const folded = await page.locator("details:not(.facets) > :not(summary)").evaluateAll((parts) => parts.filter((part) => part.checkVisibility({ contentVisibilityAuto: true }) === false).length);
    assert.equal(folded, 0, `${path}: parts stay folded`);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", path);
    assert.ok(await page.locator("nav, [role=search]").evaluateAll((parts) => parts.every((part) => !part.checkVisibility())), path);
  }
};

await inChromium(program, Object.fromEntries(Object.entries(tests).filter(([name]) => name.startsWith(only))));
server.close();
