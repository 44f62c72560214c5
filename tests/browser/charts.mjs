// Text and marks of every chart as a browser lays them out: node charts.mjs <chromium> <site> <folder of the torture set>
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , program, site, torture] = process.argv;

const within = (folder, ending, has) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(ending) && has(readFileSync(join(folder, path), "utf8")))
    .toSorted()
    .map((path) => pathToFileURL(join(folder, path)).href);
const isDrawn = (text) => text.includes("c-text") || text.includes("c-muted");
const pages = [site, torture].flatMap((folder) => within(folder, ".html", (text) => text.includes(`class="chart `)));
const files = [site, torture].flatMap((folder) => within(folder, ".svg", isDrawn));

// Runs in the page. Letters are taken to reach from their baseline as far as Arial's do: fallback fonts leave more room
// above and below, which is no ink. Widths are the browser's own.
function faults() {
  const root = document.documentElement;
  const charts = root.localName === "svg" ? [root] : [...document.querySelectorAll("svg.chart")];
  const seen = charts.filter((svg) => svg.getBoundingClientRect().width > 0);
  const sized = (text) => {
    const { x, width } = text.getBBox();
    const [size, baseline] = [parseFloat(getComputedStyle(text).fontSize), text.y.baseVal[0].value];
    const words = [...text.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data);
    return { name: words.join(""), left: x, right: x + width, top: baseline - 0.74 * size, bottom: baseline + 0.22 * size };
  };
  const marked = (mark) => {
    const { x, y, width, height } = mark.getBBox();
    return { name: `a mark at ${Math.round(x)}, ${Math.round(y)}`, left: x, right: x + width, top: y, bottom: y + height };
  };
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5;
  const found = [];
  for (const svg of seen) {
    const view = svg.viewBox.baseVal;
    const [left, top, right, bottom] = [view.x, view.y, view.x + view.width, view.y + view.height];
    const texts = [...svg.querySelectorAll("text")].map(sized);
    const marks = [...svg.querySelectorAll(`[class^="c-dot"], [class^="c-ring"]`)]
      .flatMap((mark) => (mark.localName === "g" ? [...mark.children] : [mark]))
      // Marks of a legend that look alike are one path.
      .filter((mark) => (mark.getAttribute("d")?.match(/m/gi) ?? []).length < 2)
      .map(marked);
    const say = (words) => found.push(`${svg.closest("figure")?.id ?? ""} ${svg.getAttribute("class") ?? ""}: ${words}`);
    for (const [at, text] of texts.entries()) {
      if (text.left < left || text.right > right || text.top < top || text.bottom > bottom) say(`outside: ${text.name}`);
      for (const other of [...texts.slice(at + 1), ...marks]) if (meet(text, other)) say(`${text.name} meets ${other.name}`);
    }
    // On a phone, text that is smaller than this is not read. A file of its own is wider than the page it is shown on.
    const scale = svg.getBoundingClientRect().width / view.width;
    const small = root === svg ? [] : [...svg.querySelectorAll("text")].filter((text) => parseFloat(getComputedStyle(text).fontSize) * scale < 11);
    for (const text of small) say(`${(parseFloat(getComputedStyle(text).fontSize) * scale).toFixed(1)} px: ${text.textContent}`);
    // An ancestor that is too narrow would cut it off, whatever the drawing itself says.
    const box = svg.getBoundingClientRect();
    if (root !== svg && box.right > root.clientWidth + 0.5) say("wider than the page");
  }
  // The finding's own chart begins within a screen and a half of a phone.
  const first = document.querySelector("#page\\:figures .chart-pair");
  const begins = innerWidth === 360 && first ? first.getBoundingClientRect().top + scrollY : 0;
  if (begins > 1200) found.push(`the first chart begins at ${Math.round(begins)} px`);
  return { charts: seen.length, found };
}

const browser = await chromium.launch({ executablePath: program });
try {
  const all = [];
  let charts = 0;
  for (const [width, addresses] of [[1280, pages], [360, pages], [320, pages], [800, files]]) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    // The charts name fonts of one width; without any of them, a browser draws in one that nobody can reckon with.
    const wide = await page.evaluate(`(() => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = "100px Arial, 'Liberation Sans'";
      return context.measureText("mmmmmmmmmm").width;
    })()`);
    if (Math.abs(wide - 833) > 8) {
      console.log("skipped: no font with the widths of Arial is installed");
      process.exit();
    }
    for (const address of addresses) {
      await page.goto(address);
      const measured = await page.evaluate(`(${faults})()`);
      assert.ok(measured.charts > 0, `${address} at ${width} px shows no chart`);
      charts += measured.charts;
      all.push(...measured.found.map((fault) => `${address.split("/").slice(-2).join("/")} at ${width} px: ${fault}`));
    }
    await page.close();
  }
  assert.deepEqual(all, []);
  assert.ok(pages.length > 50 && files.length > 100 && charts > 300, `${pages.length} pages, ${files.length} files, ${charts} charts`);
} finally {
  await browser.close();
}
