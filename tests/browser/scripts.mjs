// What scripts add, by keyboard and by mouse, opened from disk: node scripts.mjs <chromium> <site>
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inChromium } from "./browser.mjs";

const [, , program, site] = process.argv;
const address = (path) => pathToFileURL(site).href + "/" + path;
const data = JSON.parse(readFileSync(join(site, "data/comparisons.json"), "utf8"));
const key = (result) => `${result.id}#${result.subject}`;
const fragment = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const rising = (numbers, sign) => assert.deepEqual(numbers, numbers.toSorted((one, other) => sign * (one - other)));
// Goes on with Tab until the focus is on what is wanted.
const tabTo = async (page, wanted) => {
  for (let step = 0; step < 300; step += 1) {
    await page.keyboard.press("Tab");
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${wanted}`);
};

await inChromium(program, {
  async "a table is sorted by value and by keyboard, what is missing last in both directions"(open) {
    const page = await open(address("kv-efficiency/index.html"));
    const list = page.locator("#table\\:list");
    const names = await list.locator("thead th").allTextContents();
    const column = names.findIndex((name) => name.startsWith("Completeness"));
    const head = list.locator("thead th").nth(column);
    const shown = () => list.locator(`tbody tr > :nth-child(${column + 1})`).allTextContents();
    const before = await shown();
    await head.getByRole("button").focus();
    for (const [direction, sign] of [["ascending", 1], ["descending", -1]]) {
      await page.keyboard.press("Enter");
      assert.equal(await head.getAttribute("aria-sort"), direction);
      const numbers = (await shown()).map(parseFloat);
      rising(numbers, sign);
      assert.equal(numbers.length, before.length);
    }
    assert.equal(await page.locator("[aria-sort]").count(), 1);
    assert.equal(await page.locator("body > [role=status]").textContent(), "Sorted descending by Completeness, %");
    // Words and dashes among numbers.
    await page.goto(address("hardware/index.html"));
    const cells = page.locator("#table\\:list tbody tr > :nth-child(3)");
    await cells.nth(0).evaluate((cell) => cell.replaceChildren("none passed"));
    await cells.nth(1).evaluate((cell) => cell.replaceChildren("–"));
    for (const sign of [1, -1]) {
      await page.locator("#table\\:list thead th").nth(2).getByRole("button").click();
      const all = await cells.evaluateAll((cells) => cells.map((cell) => parseFloat(cell.firstChild.textContent.replace(",", ""))));
      const known = all.filter((number) => !Number.isNaN(number));
      assert.ok(known.length > 5 && known.length < all.length, `${all}`);
      rising(all.slice(0, known.length), sign);
    }
  },

  async "search goes by keyboard alone, and leads on"(open) {
    const page = await open(address("methodology.html"));
    const [field, found] = [page.getByRole("searchbox"), page.locator(".found a")];
    const focused = (locator) => locator.evaluate((element) => element === document.activeElement);
    assert.ok(!page.requests.some((url) => url.includes("search.js")), "the index waits until it is wanted");
    await page.keyboard.press("/");
    assert.ok(await focused(field));
    await page.keyboard.type("h100 vllm");
    await found.nth(2).waitFor();
    const links = await found.evaluateAll((links) => links.map((link) => link.href));
    assert.ok(links.every((link) => link.startsWith(address(""))), `of this site: ${links}`);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    assert.ok(await focused(found.nth(1)));
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    assert.ok(await focused(field));
    await page.keyboard.press("Escape");
    await page.locator(".found").waitFor({ state: "hidden" });
    await page.keyboard.type("deepseek-r1 h200");
    await found.first().waitFor();
    const first = await found.first().evaluate((link) => link.href);
    await page.keyboard.press("Enter");
    await page.waitForURL(first);
    // From a folder down, the way leads up first.
    await page.keyboard.press("/");
    await page.keyboard.type("glossary");
    await page.locator(".found a[href$='/glossary.html']").first().waitFor();
  },

  async "colours are chosen, set before the page is painted, and kept"(open) {
    const page = await open(address("index.html"));
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    const choice = page.getByLabel("Colours");
    await choice.selectOption("dark");
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.body) window.atFirst ??= document.documentElement.style.colorScheme;
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(address("methodology.html"));
    assert.equal(await page.evaluate(() => window.atFirst), "dark");
    assert.equal(await paper(), dark);
    assert.equal(await choice.inputValue(), "dark");
    await page.emulateMedia({ media: "print" });
    assert.equal(await paper(), light);
    await page.emulateMedia({ media: null, colorScheme: "dark" });
    await choice.selectOption("light");
    assert.equal(await paper(), light);
    await choice.selectOption("system");
    assert.equal(await paper(), dark);
    // Where nothing may be kept, a choice is of its page.
    await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new Error("denied"); } }));
    await page.reload();
    assert.equal(await choice.inputValue(), "");
    await choice.selectOption("light");
    assert.equal(await paper(), light);
  },

  async "facets are links, and filters by keyboard whose state is in the address"(open) {
    const page = await open(address("kv-efficiency/index.html"));
    const rows = page.locator("#table\\:list tbody tr");
    const shown = () => rows.filter({ visible: true }).count();
    const all = await rows.count();
    await tabTo(page, page.locator("#page\\:facets > summary"));
    await page.keyboard.press("Enter");
    const [engine, year] = ["engine", "year"].map((facet) => page.locator(`[data-facet=${facet}] li`).first());
    await tabTo(page, engine.locator("input"));
    await page.keyboard.press("Space");
    const count = Number(await engine.locator("small").textContent());
    assert.equal(await shown(), count);
    assert.ok(count < all);
    await year.locator("input").check();
    const both = await shown();
    assert.ok(both <= count);
    assert.match(new URL(page.url()).hash, /^#filter:engine=.+&year=\d{4}$/);
    await page.reload();
    assert.equal(await shown(), both);
    // A place on the page is no other filter.
    await page.locator("a.skip").evaluate((skip) => skip.click());
    assert.equal(await shown(), both);
    await page.goBack();
    assert.match(await page.locator("#page\\:facets + [role=status]").textContent(), new RegExp(`^${both} of ${all} `));
  },

  async "any results are compared by keyboard, the address keeps which, and what is shown is copied"(open) {
    const group = data.groups.find(({ metric }) => data.metrics[metric].change);
    const [one, other] = group.results.map((at) => data.results[at]);
    const apart = data.results.find((result) => group.metric in result.values && result.setting.model !== one.setting.model && result.id !== one.id);
    const chosen = new URLSearchParams([["r", key(one)], ["r", key(other)], ["base", key(one)], ["r", "runs/none#x"]]);
    const page = await open(address(`compare.html#${chosen}`));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const place = page.locator("#page\\:compare");
    const has = async (text) => assert.ok((await place.innerText()).includes(text), `${text}: ${await place.innerText()}`);
    await has("baseline");
    await has("runs/none#x is no result of this site");
    assert.match(await place.innerText(), /[+−]?\d[\d.,]*%/);
    // A third by its name, which may not be compared.
    await tabTo(page, page.locator("#compare\\:add"));
    await page.keyboard.type(`${apart.title}: ${apart.label}`);
    await tabTo(page, place.locator(".offered button").first());
    await page.keyboard.press("Enter");
    await has("not comparable");
    await has(`model ${one.setting.model} against ${apart.setting.model}`);
    assert.equal(fragment(page).getAll("r").length, 3);
    const before = await place.locator("table").first().innerText();
    // A place on the page chooses nothing else.
    await page.locator("a.skip").evaluate((skip) => skip.click());
    assert.equal(await place.locator("table").first().innerText(), before);
    await page.goBack();
    await page.reload();
    assert.equal(await place.locator("table").first().innerText(), before);
    // Another baseline by keyboard: the focus stays on it, and open what is open.
    await place.locator("summary").click();
    await place.getByRole("radio").first().focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(fragment(page).get("base"), key(other));
    assert.ok(await place.getByRole("radio").nth(1).evaluate((radio) => radio === document.activeElement && radio.checked));
    assert.ok(await place.locator("details").evaluate((details) => details.open));
    const said = await place.locator("[role=status]").last().elementHandle();
    for (const [name, sign] of [["Markdown", "| --- |"], ["CSV", '"']]) {
      await place.getByRole("button", { name: `Copy as ${name}` }).click();
      const copied = await place.locator("textarea").inputValue();
      assert.ok(copied.includes(sign) && copied.includes("not comparable") && copied.includes(`${other.id}.html#`), copied);
      // The clipboard has the ends of lines as written, a text area only line feeds.
      assert.equal((await page.evaluate(() => navigator.clipboard.readText())).replaceAll("\r", ""), copied);
    }
    // Said where it is heard, and not before the clipboard has answered.
    await page.evaluate(() => (navigator.clipboard.writeText = () => new Promise((answer) => (window.answer = answer))));
    await place.getByRole("button", { name: "Copy as CSV" }).click();
    assert.deepEqual(await said.evaluate((region) => [region.isConnected, region.textContent]), [true, ""]);
    await page.evaluate(() => window.answer());
    await page.waitForFunction((region) => region.textContent === "Copied.", said);
    await place.getByRole("button", { name: /^Remove/ }).first().click();
    assert.equal(fragment(page).getAll("r").length, 2);
    // A value that the baseline lacks stands beside the reason.
    const more = data.results.find(({ values }) => Object.keys(values).some((metric) => !(metric in one.values)));
    await page.goto(address(`compare.html#${new URLSearchParams([["r", key(one)], ["r", key(more)], ["base", key(one)]])}`));
    await page.reload();
    await has("the baseline has no value: not stated");
  },

  async "a price of the reader's own is marked as theirs and goes again"(open) {
    const page = await open(address("audits/qwen3-8b-h100.html"));
    const cells = page.locator("[data-gpu]");
    const before = await cells.allTextContents();
    assert.ok(before.length > 5);
    await page.locator(".price input").fill("5.38");
    assert.ok((await cells.allTextContents()).every((text) => text.includes("yours") && text.includes("published")));
    // The audit is at $2.69: twice the price is twice the cost.
    const cell = page.locator("td[data-gpu]").first();
    const [mine, theirs] = (await cell.locator(".yours, .note").allTextContents()).map((text) => parseFloat(text.match(/[\d.]+/)[0]));
    assert.ok(Math.abs(mine / theirs - 2) < 0.02, `${mine} ${theirs}`);
    await page.locator(".price button").click();
    await cells.locator(".yours").first().waitFor({ state: "detached" });
    assert.deepEqual(await cells.allTextContents(), before);
  },

  async "a price of electricity gives a cost to energy, here and on compare.html, where the address keeps it"(open) {
    const page = await open(address("runs/gpt-oss-20b-gb10-vllm-sharegpt-power.html"));
    const energy = page.locator("[data-mtok]").first();
    const before = await energy.textContent();
    await page.locator(".price input[name=kWh]").fill("0.36");
    // 1 J a token is 1,000,000 / 3,600,000 kWh for a million, and so a tenth of a dollar.
    const mine = parseFloat((await energy.locator(".yours").textContent()).slice(1));
    assert.ok(Math.abs(mine / (parseFloat(before) / 10) - 1) < 0.02, `${mine} ${before}`);
    await page.locator(".price [type=reset]").click();
    await energy.locator(".yours").waitFor({ state: "detached" });
    assert.equal(await energy.textContent(), before);
    const priced = data.results.filter((result) => result.priced.usd_per_mtok_output).slice(0, 2);
    const powered = data.results.find((result) => result.priced.electricity_usd_per_mtok_output);
    await page.goto(address(`compare.html#${new URLSearchParams([...priced, powered].map((result) => ["r", key(result)]))}`));
    const compared = page.locator("#page\\:compare");
    await compared.getByText("baseline").first().waitFor();
    assert.ok(!(await compared.innerText()).includes("yours"));
    await page.locator(".price input[name=GPU-hour]").fill("2");
    await page.locator(".price input[name=kWh]").fill("0.36");
    const dollars = (size) => `$${size.toPrecision(3)} yours, published `;
    const said = await compared.innerText();
    for (const { priced: { usd_per_mtok_output: { amount } } } of priced) {
      if (!Array.isArray(amount)) assert.ok(said.includes(dollars(amount * 2)), `${amount}: ${said}`);
    }
    assert.ok(said.includes("Electricity per 1M output tokens"), said);
    assert.match(new URL(page.url()).hash, /&GPU-hour=2&kWh=0\.36$/);
    await page.reload();
    await compared.getByText("yours").first().waitFor();
    await compared.getByRole("button", { name: /CSV$/ }).click();
    assert.ok((await compared.locator("textarea").inputValue()).includes("yours"));
    await page.locator(".price button").click();
    await compared.getByText("yours").first().waitFor({ state: "detached" });
    assert.ok(!(await compared.innerText()).includes("yours"));
  },

  async "each price of a reader stands beside its own field alone, on a phone too"(open) {
    for (const path of ["compare.html", "audits/qwen3-8b-h100.html", "runs/gpt-oss-20b-gb10-vllm-sharegpt-power.html"]) {
      const page = await open(address(path), { width: 360, height: 800 });
      await page.locator(".price input").first().waitFor();
      const boxes = await page.locator(".price label").evaluateAll((labels) => {
        const box = (element) => { const { top, bottom, left, right } = element.getBoundingClientRect(); return { top, bottom, left, right }; };
        return labels.map((label) => [label.getClientRects().length, box(label), box(label.querySelector("input"))]);
      });
      assert.ok(boxes.length > 0);
      for (const [position, [parts, label]] of boxes.entries()) {
        assert.equal(parts, 1, path);
        for (const [other, [, , input]] of boxes.entries()) {
          const apart = input.top >= label.bottom || input.bottom <= label.top || input.left >= label.right || input.right <= label.left;
          assert.equal(apart, other !== position, `${path}: label ${position}, field ${other}`);
        }
      }
    }
  },

  async "where the focus is can be seen, and nothing that stays in place covers it"(open) {
    const page = await open(address("audits/qwen3-8b-h100.html"), { width: 320, height: 640 });
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press("Tab");
      const hidden = await page.evaluate(() => {
        const focus = document.activeElement;
        const { left, right, top, bottom } = focus.getClientRects()[0];
        const at = document.elementFromPoint((Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
        const seen = at && (focus.contains(at) || at.contains(focus));
        return !seen || getComputedStyle(focus).outlineStyle === "none" ? focus.outerHTML.slice(0, 200) : "";
      });
      assert.equal(hidden, "");
    }
  },
});
