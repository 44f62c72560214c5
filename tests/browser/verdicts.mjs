// Holds what `compare.html` says of every pair of results against the groups that the build made: node verdicts.mjs <site>
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

const site = process.argv[2];
const name = readdirSync(join(site, "assets")).find((file) => file.startsWith("compare-"));
const context = { window: {}, URLSearchParams };
runInNewContext(readFileSync(join(site, "data/comparisons.js"), "utf8"), context);
const contract = runInNewContext(`${readFileSync(join(site, "assets", name), "utf8")};contract`, context);
const data = context.window.comparisons;
assert.deepEqual(JSON.parse(JSON.stringify(data)), JSON.parse(readFileSync(join(site, "data/comparisons.json"), "utf8")));

const groups = new Map();
for (const { metric, results } of data.groups) {
  for (const one of results) for (const other of results) groups.set(`${metric} ${one} ${other}`, true);
}
const seen = { comparable: 0, withheld: 0, changes: 0 };
data.results.forEach((one, left) => {
  data.results.forEach((other, right) => {
    if (one.id === other.id) return;
    for (const metric of Object.keys(data.metrics)) {
      const verdict = contract.compare(data, metric, one, other);
      const pair = `${metric} of ${contract.key(one)} and ${contract.key(other)}`;
      const both = metric in one.values && metric in other.values;
      assert.equal(verdict !== null, both, pair);
      if (!both) continue;
      const comparable = verdict.forbidding.length === 0;
      assert.equal(comparable, groups.has(`${metric} ${left} ${right}`), `${pair}: ${verdict.forbidding}`);
      assert.equal(contract.compare(data, metric, other, one).forbidding.length, verdict.forbidding.length, pair);
      seen[comparable ? "comparable" : "withheld"] += 1;
      const { metrics } = contract.table(data, [one, other], one);
      const notes = metrics.find(({ title }) => title === data.metrics[metric].name).cells[1].notes;
      const ratio = notes.some((note) => /^~?[+−]?[\d.,]+(–.*)?%(,|$)/.test(note));
      assert.equal(ratio, comparable && data.metrics[metric].change !== null, `${pair}: ${notes}`);
      seen.changes += ratio;
    }
  });
});
assert.ok(seen.comparable >= 20 && seen.withheld >= 20 && seen.changes >= 20, JSON.stringify(seen));

// Results of one record: its page of comparisons withholds what is withheld here, for the same reasons.
const pages = { withheld: 0, comparable: 0 };
const plain = (html) => html.replace(/<[^>]*>/g, "").replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)).trim();
for (const id of new Set(data.results.map((result) => result.id))) {
  const own = data.results.filter((result) => result.id === id);
  const path = join(site, "compare", `${id}.html`);
  if (own.length < 2 || !existsSync(path)) continue;
  const page = readFileSync(path, "utf8");
  for (const metric of Object.keys(data.metrics)) {
    const table = page.split(`<table id="table:${metric}">`)[1]?.split("</table>")[0] ?? "";
    let baseline;
    for (const row of table.split("<tr ").slice(1)) {
      const result = own.find(({ subject }) => row.startsWith(`id="${metric}:${subject}"`));
      const change = row.slice(row.lastIndexOf("<td"));
      if (change.includes("what the others are compared with")) baseline = result;
      const verdict = result && baseline && result !== baseline ? contract.compare(data, metric, baseline, result) : null;
      if (!verdict || !data.metrics[metric].change) continue;
      const withheld = plain(change).includes("not comparable: ");
      assert.equal(verdict.forbidding.length > 0, withheld, `${metric} of ${contract.key(baseline)} and ${contract.key(result)}: ${plain(change)}`);
      pages[withheld ? "withheld" : "comparable"] += 1;
    }
  }
}
assert.ok(pages.withheld >= 20 && pages.comparable >= 20, JSON.stringify(pages));

// Variants of a note whose ratio its page shows.
let ratios = 0;
for (const own of data.results.filter(({ id, values }) => id.startsWith("kv-efficiency/") && "kv_bytes_per_token" in values)) {
  const { figures } = JSON.parse(readFileSync(join(site, `${own.id}.json`), "utf8"));
  const shown = figures.find(({ id, subject, value }) => id === "kv_ratio" && subject === own.subject && value !== undefined);
  const label = shown?.remarks?.find((remark) => remark.startsWith("against "))?.slice("against ".length);
  const baseline = data.results.find((other) => other.id === own.id && other.label === label);
  const verdict = baseline && contract.compare(data, "kv_bytes_per_token", baseline, own);
  if (!verdict) continue;
  assert.deepEqual([...verdict.forbidding], [], `${contract.key(baseline)} and ${contract.key(own)}`);
  ratios += 1;
}
assert.ok(ratios > 5, `${ratios} ratios within notes`);

// Words and numbers, on a small contract.
const result = (id, value, others = {}) => ({
  id, subject: "a", title: id, label: "a", page: `${id}.html#a`, setting: { engine: "x" }, beside: { card: id }, assumed: {}, varies: [], limits: [],
  unranked: null, uncertainty_pct: 1, values: { rate: value }, shown: { rate: String(value) }, ...others,
});
const small = {
  license: "CC0", parts: [["engine", "engine"], ["load", "load"], ["held_load", "load held"]],
  contract: [
    { parts: ["engine"], within: [], within_record: ["engine", "load"], never_shared: {} },
    { parts: ["held_load"], within: ["engine"], within_record: ["held_load"], never_shared: { held_load: "each at its own capacity" } },
  ],
  metrics: {
    rate: { name: "Rate", unit: "1/s", better: "higher", of_rate: true, clause: 0, change: "rate_change_pct" },
    time: { name: "Time", unit: "ms", better: "lower", of_rate: false, clause: 1, change: "time_change_pct" },
  },
};
const said = (one, other) => contract.change(small, "rate", one, other).words;
assert.equal(said(result("r", 100), result("s", 156.7)), "+56.7%, better, outside ±1%");
assert.equal(said(result("r", 2000), result("s", 1)), "−100.0%, worse, outside ±1%");
assert.equal(said(result("r", 1), result("s", 13)), "+1,200.0%, better, outside ±1%");
assert.equal(said(result("r", 100), result("s", 101)), "+1.0%, a tie inside ±1%");
assert.equal(said(result("r", 100), result("s", [110, 120])), "+10.0–+20.0%, better, outside ±1%");
assert.equal(said(result("r", 100), result("s", 100, { uncertainty_pct: null })), "0.0%, how far either could be off is not stated");
// What bounds a rate says nothing of a time.
const times = [result("r", 1, { values: { time: 100 } }), result("s", 1, { values: { time: 100.5 } })];
assert.equal(contract.change(small, "time", ...times).words, "+0.5%, worse, how far either could be off is not stated");
assert.equal(contract.change(small, "rate", result("r", 0), result("s", 5)), null, "no percentage against nothing");
// Between records that say the same there is nothing to rank, where neither says how far it could be off.
const same = (value, more) => result("s", value, { beside: { card: "r" }, ...more });
assert.equal(said(result("r", 100), same(156.7)), "+56.7%, better, outside ±1%");
assert.equal(said(result("r", 100), same(156.7, { uncertainty_pct: null })), "+56.7%, the records state no difference, how far either could be off is not stated");
// A capacity lies between what passed and what failed: over both brackets the change may be none.
const bracketed = (id, value, rate) => result(id, value, { brackets: { rate } });
assert.equal(said(bracketed("r", 8, [8, 10]), bracketed("s", 16, [16, [20, 22]])), "+100.0%, better, +60.0–+175.0% over both brackets");
assert.equal(said(bracketed("r", 8, [8, 10]), bracketed("s", 9, [9, 12])), "+12.5%, a tie, −10.0–+50.0% over both brackets");
// Why there is nothing to hold a value against.
const notesOf = (baseline, other) => contract.table(small, [baseline, other], baseline).metrics[0].cells[1].notes.join("; ");
const without = { values: {}, shown: {} };
assert.equal(notesOf(result("r", 1, without), result("s", 1)), "the baseline has no value: not stated");
assert.equal(notesOf(result("r", 1, { ...without, failed: "failed: out of memory" }), result("s", 1)), "the baseline has no value: failed: out of memory");
const differing = contract.compare(small, "rate", result("r", 1), result("s", 1, { setting: {} }));
assert.deepEqual([...differing.forbidding], ["engine x against not stated"]);
// Within a record: what it varies is no difference, and a load that nobody held is no load that two results share.
const within = (metric, one, other, varies = []) => {
  const sides = [one, other].map((setting) => ({ ...result("r", 1, { setting, varies }), values: { rate: 1, time: 1 } }));
  return contract.compare(small, metric, ...sides).forbidding.join("; ");
};
assert.equal(within("rate", { load: "1" }, { load: "2" }), "load 1 against 2");
assert.equal(within("rate", { load: "1" }, { load: "2" }, ["load"]), "");
assert.equal(within("rate", {}, {}), "");
assert.equal(within("time", {}, {}), "each at its own capacity");
assert.equal(within("time", { held_load: "1", load: "1" }, { held_load: "1", load: "2" }), "");
const two = [result("r", 1), result("=s|", [2, 3.5], { setting: { engine: "y" }, shown: { rate: "2–3.5" }, source_license: "MIT" })];
const markdown = contract.markdown(small, two, two[0], (page) => page);
assert.match(markdown, /\| =s\\\|: a \|\n\| --- \| --- \| --- \|\n/);
assert.match(markdown, /2–3\.5 \(not comparable; engine x against y\)/);
// Numbers alone in the columns of numbers, and all words in columns of their own.
assert.deepEqual(contract.csv(small, two, two[0], (page) => page).split("\r\n"), [
  `"","unit","r: a","r: a, in words","'=s|: a","'=s|: a, up to","'=s|: a, in words"`,
  `"Rate, higher is better","1/s",1,"baseline",2,3.5,"2–3.5; not comparable; engine x against y"`,
  `"card","",,"r",,,"'=s|"`,
  `"engine","",,"x",,,"y"`,
  `"load","",,"not stated",,,"not stated"`,
  `"load held","",,"not stated",,,"not stated"`,
  `"standing","",,"it stands",,,"it stands"`,
  `"limits","",,"–",,,"–"`,
  `"source","",,"r.html#a",,,"=s|.html#a"`.replace('"=s', `"'=s`),
  `"licence","",,"CC0",,,"CC0, source MIT"`,
  "",
]);
const state = { chosen: ["runs/a#b c&d", "runs/é#x"], baseline: "runs/é#x" };
const back = contract.chosenOf(`#${contract.written(state)}`, () => true);
assert.deepEqual([[...back.chosen], back.baseline], [state.chosen, state.baseline]);
console.log(JSON.stringify(seen));
