// What scripts add, in a real browser, opened from disk: node scripts.mjs <chromium> <site> [folder for screenshots]
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "./chromium.mjs";

const [, , program, site, pictures] = process.argv;
const address = (path) => pathToFileURL(join(site, path.split("#")[0])).href + (path.includes("#") ? `#${path.split("#")[1]}` : "");
const data = JSON.parse(readFileSync(join(site, "data/comparisons.json"), "utf8"));

const tests = {
  async "a table is sorted by value, what is missing last in both directions"(open) {
    const page = await open("kv-efficiency/index.html");
    const column = `[...document.querySelectorAll("#table\\\\:list thead th")].findIndex((head) => head.textContent.startsWith("Completeness"))`;
    const head = `document.querySelectorAll("#table\\\\:list thead th")[${column}]`;
    const shown = `[...document.querySelectorAll("#table\\\\:list tbody tr")].map((row) => row.cells[${column}].textContent)`;
    const before = await page.evaluate(shown);
    await page.evaluate(`${head}.querySelector("button").focus()`);
    for (const direction of ["ascending", "descending"]) {
      await page.key("Enter", "\r");
      assert.equal(await page.evaluate(`${head}.getAttribute("aria-sort")`), direction);
      const numbers = (await page.evaluate(shown)).map(parseFloat);
      const sorted = numbers.toSorted((one, other) => (direction === "ascending" ? one - other : other - one));
      assert.deepEqual(numbers, sorted);
      assert.equal(numbers.length, before.length);
    }
    assert.equal(await page.evaluate(`document.querySelectorAll("[aria-sort]").length`), 1);
    // Words and dashes among numbers.
    await page.go(address("hardware/index.html"));
    const cells = (at) => `[...document.querySelectorAll("#table\\\\:list tbody tr")].map((row) => row.cells[${at}].firstChild.textContent)`;
    await page.evaluate(`document.querySelectorAll("#table\\\\:list tbody tr")[0].cells[2].replaceChildren("none passed")`);
    await page.evaluate(`document.querySelectorAll("#table\\\\:list tbody tr")[1].cells[2].replaceChildren("–")`);
    for (const sign of [1, -1]) {
      await page.evaluate(`document.querySelectorAll("#table\\\\:list thead button")[2].click()`);
      const all = await page.evaluate(cells(2));
      const numbers = all.map((text) => parseFloat(text.replace(",", "")));
      const known = numbers.filter((number) => !Number.isNaN(number));
      assert.ok(known.length > 5 && known.length < all.length, `${all}`);
      assert.deepEqual(numbers.slice(0, known.length), known.toSorted((one, other) => sign * (one - other)));
    }
    return page;
  },

  async "search goes by keyboard alone, and leads on"(open) {
    const page = await open("methodology.html");
    assert.ok(!page.requests.some((url) => url.includes("search.js")), "the index waits until it is wanted");
    await page.key("/", "/");
    assert.equal(await page.evaluate(`document.activeElement.type`), "search");
    await page.type("h100 vllm");
    await page.until(`document.querySelectorAll(".found a").length > 2`);
    const links = await page.evaluate(`[...document.querySelectorAll(".found a")].map((link) => link.getAttribute("href"))`);
    assert.ok(links.every((link) => /^[a-z]/.test(link) && !link.includes(":")), `relative: ${links}`);
    await page.key("ArrowDown");
    await page.key("ArrowDown");
    assert.equal(await page.evaluate(`document.activeElement.getAttribute("href")`), links[1]);
    await page.key("ArrowUp");
    await page.key("ArrowUp");
    assert.equal(await page.evaluate(`document.activeElement.type`), "search");
    await page.key("Escape");
    assert.equal(await page.evaluate(`document.querySelector(".found").hidden`), true);
    await page.type("deepseek-r1 h200");
    await page.until(`document.querySelector(".found a")`);
    const first = await page.evaluate(`document.querySelector(".found a").href`);
    await page.key("Enter", "\r");
    await page.until(`location.href === ${JSON.stringify(first)} && document.querySelector("h1")`);
    // From a folder down, the way leads up first.
    await page.until(`document.querySelector("[type=search]")`);
    await page.key("/", "/");
    await page.type("glossary");
    await page.until(`document.querySelector(".found a")?.getAttribute("href") === "../glossary.html"`);
    return page;
  },

  async "facets are links, and filters whose state is in the address"(open) {
    const page = await open("kv-efficiency/index.html");
    const shown = `[...document.querySelectorAll("#table\\\\:list tbody tr")].filter((row) => !row.hidden).length`;
    const all = await page.evaluate(shown);
    await page.evaluate(`document.querySelector("#page\\\\:facets").open = true`);
    const count = Number(await page.evaluate(`document.querySelector("[data-facet=engine] li small").textContent`));
    await page.evaluate(`document.querySelector("[data-facet=engine] input").click()`);
    assert.equal(await page.evaluate(shown), count);
    assert.ok(count < all);
    await page.evaluate(`document.querySelector("[data-facet=year] input").click()`);
    const both = await page.evaluate(shown);
    assert.ok(both <= count);
    assert.match(await page.evaluate("location.hash"), /^#filter:engine=.+&year=\d{4}$/);
    await page.reload();
    assert.equal(await page.evaluate(shown), both);
    assert.match(await page.evaluate(`document.querySelector("#page\\\\:facets + [role=status]").textContent`), new RegExp(`^${both} of ${all} `));
    return page;
  },

  async "any results are compared, the address keeps which, and what is shown is copied"(open) {
    const group = data.groups.find(({ metric }) => data.metrics[metric].change);
    const [one, other] = group.results.map((at) => data.results[at]);
    const apart = data.results.find((result) => group.metric in result.values && result.setting.model !== one.setting.model && result.id !== one.id);
    const key = (result) => `${result.id}#${result.subject}`;
    const fragment = new URLSearchParams([["r", key(one)], ["r", key(other)], ["base", key(one)], ["r", "runs/none#x"]]);
    const page = await open(`compare.html#${fragment}`);
    const text = `document.querySelector("#page\\\\:compare").innerText`;
    await page.until(`${text}.includes("baseline")`);
    const has = async (word) => assert.ok((await page.evaluate(text)).includes(word), `${word}: ${await page.evaluate(text)}`);
    await has("runs/none#x is no result of this site");
    assert.match(await page.evaluate(text), /[+−]?\d[\d.,]*%/);
    // A third by its name, which may not be compared.
    await page.evaluate(`document.getElementById("compare:add").focus()`);
    await page.type(`${apart.title}: ${apart.label}`);
    await page.until(`document.querySelectorAll(".offered li").length > 0`);
    await page.evaluate(`document.querySelector(".offered button").click()`);
    await has("not comparable");
    await has(`model ${one.setting.model} against ${apart.setting.model}`);
    const hash = await page.evaluate("location.hash");
    assert.equal(new URLSearchParams(hash.slice(1)).getAll("r").length, 3);
    const table = `document.querySelector("#page\\\\:compare table").innerText`;
    const before = await page.evaluate(table);
    await page.reload();
    await page.until(`${text}.includes("baseline")`);
    assert.equal(await page.evaluate(table), before);
    // Another baseline.
    await page.evaluate(`document.querySelectorAll("#page\\\\:compare [type=radio]")[1].click()`);
    assert.equal(new URLSearchParams((await page.evaluate("location.hash")).slice(1)).get("base"), key(other));
    for (const [name, sign] of [["Markdown", "| --- |"], ["CSV", '"'] ]) {
      await page.evaluate(`[...document.querySelectorAll("#page\\\\:compare button")].find((button) => button.textContent.endsWith(${JSON.stringify(name)})).click()`);
      const copied = await page.evaluate(`document.querySelector("#page\\\\:compare textarea").value`);
      assert.ok(copied.includes(sign) && copied.includes("not comparable") && copied.includes(`${other.id}.html#`), copied);
    }
    await page.evaluate(`document.querySelector("#page\\\\:compare thead button").click()`);
    assert.equal(new URLSearchParams((await page.evaluate("location.hash")).slice(1)).getAll("r").length, 2);
    return page;
  },

  async "a price of the reader's own is marked as theirs and goes again"(open) {
    const page = await open("audits/qwen3-8b-h100.html");
    const cells = `[...document.querySelectorAll("[data-gpu]")]`;
    const before = await page.evaluate(`${cells}.map((cell) => cell.textContent)`);
    assert.ok(before.length > 5);
    await page.evaluate(`document.querySelector(".price input").focus()`);
    await page.type("5.38");
    assert.ok((await page.evaluate(`${cells}.map((cell) => cell.textContent)`)).every((text) => text.includes("yours") && text.includes("published")));
    // The audit is at $2.69: twice the price is twice the cost.
    const [mine, theirs] = await page.evaluate(`${cells}.filter((cell) => cell.closest("td")).map((cell) => [cell.querySelector(".yours"), cell.querySelector(".note")].map((part) => parseFloat(part.textContent.match(/[\\d.]+/)[0])))[0]`);
    assert.ok(Math.abs(mine / theirs - 2) < 0.02, `${mine} ${theirs}`);
    await page.evaluate(`document.querySelector(".price button").click()`);
    assert.deepEqual(await page.evaluate(`${cells}.map((cell) => cell.textContent)`), before);
    return page;
  },

  async "a price of electricity gives a cost to energy, here and on compare.html, where the address keeps it"(open) {
    const page = await open("runs/gpt-oss-20b-gb10-vllm-sharegpt-power.html");
    const energy = `document.querySelector("[data-mtok]")`;
    const before = await page.evaluate(`${energy}.textContent`);
    await page.evaluate(`document.querySelector(".price input[name=kWh]").focus()`);
    await page.type("0.36");
    // 1 J a token is 1,000,000 / 3,600,000 kWh for a million, and so a tenth of a dollar.
    const joules = parseFloat(before);
    const mine = parseFloat((await page.evaluate(`${energy}.querySelector(".yours").textContent`)).slice(1));
    assert.ok(Math.abs(mine / (joules / 10) - 1) < 0.02, `${mine} ${joules}`);
    await page.evaluate(`document.querySelector(".price [type=reset]").click()`);
    await page.until(`${energy}.textContent === ${JSON.stringify(before)}`);
    const priced = data.results.filter((result) => result.priced.usd_per_mtok_output).slice(0, 2);
    const powered = data.results.find((result) => result.priced.electricity_usd_per_mtok_output);
    const chosen = [...priced, powered].map((result) => ["r", `${result.id}#${result.subject}`]);
    await page.go(address(`compare.html#${new URLSearchParams(chosen)}`));
    const text = `document.querySelector("#page\\\\:compare").innerText`;
    await page.until(`${text}.includes("baseline")`);
    assert.ok(!(await page.evaluate(text)).includes("yours"));
    await page.evaluate(`document.querySelector(".price input[name=GPU-hour]").focus()`);
    await page.type("2");
    await page.evaluate(`document.querySelector(".price input[name=kWh]").focus()`);
    await page.type("0.36");
    const dollars = (size) => `$${size.toLocaleString("en-US", { maximumSignificantDigits: 3 })} yours, published `;
    const said = await page.evaluate(text);
    for (const { priced: { usd_per_mtok_output: cost } } of priced.filter(({ priced: { usd_per_mtok_output: { amount } } }) => !Array.isArray(amount))) {
      assert.ok(said.includes(dollars(cost.amount * 2)), `${cost.amount}: ${said}`);
    }
    assert.ok(said.includes("Electricity per 1M output tokens"), said);
    assert.match(await page.evaluate("location.hash"), /&GPU-hour=2&kWh=0\.36$/);
    await page.reload();
    await page.until(`${text}.includes("yours")`);
    await page.evaluate(`[...document.querySelectorAll("#page\\\\:compare button")].find((button) => button.textContent.endsWith("CSV")).click()`);
    assert.ok((await page.evaluate(`document.querySelector("#page\\\\:compare textarea").value`)).includes("yours"));
    await page.evaluate(`document.querySelector(".price button").click()`);
    assert.ok(!(await page.evaluate(text)).includes("yours"));
    return page;
  },

  async "without scripts there is nothing that does nothing"(open) {
    const page = await open("kv-efficiency/index.html", { scripts: false });
    // Evaluated from outside, where the page itself may run nothing.
    assert.equal(await page.evaluate(`document.querySelectorAll("button, input").length`), 0);
    assert.ok((await page.evaluate(`document.querySelectorAll("#page\\\\:facets a[href]").length`)) > 5);
    return page;
  },
};

const PICTURES = ["index.html", "kv-efficiency/index.html", "audits/qwen3-8b-h100.html", "compare.html"];

await chromium(program, async (browser) => {
  for (const [name, test] of Object.entries(tests)) {
    console.log(name);
    const page = await test((path, options) => browser.open(address(path), options));
    assert.deepEqual(page.problems, [], name);
    assert.deepEqual(page.requests.filter((url) => !url.startsWith("file:")), [], name);
    await page.close();
  }
  if (!pictures) return;
  const some = data.groups.find(({ metric }) => data.metrics[metric].change).results.slice(0, 3).map((at) => data.results[at]);
  const fragment = new URLSearchParams(some.map((result) => ["r", `${result.id}#${result.subject}`]));
  for (const path of PICTURES) {
    for (const [width, dark] of [[360, false], [360, true], [1280, false], [1280, true]]) {
      const page = await browser.open(address(path === "compare.html" ? `${path}#${fragment}` : path), { width, dark, height: 1400 });
      if (path === "index.html") {
        await page.key("/", "/");
        await page.type("h100");
        await page.until(`document.querySelector(".found a")`);
      }
      if (path.startsWith("kv-")) await page.evaluate(`document.querySelector("#page\\\\:facets").open = true`);
      if (path.startsWith("audits")) {
        await page.evaluate(`document.querySelector(".price input").focus()`);
        await page.type("2");
        await page.evaluate(`document.querySelector(".price").scrollIntoView({ behavior: "instant" })`);
      }
      writeFileSync(join(pictures, `${path.replaceAll("/", "_")}-${width}${dark ? "-dark" : ""}.png`), await page.screenshot());
      await page.close();
    }
  }
});
