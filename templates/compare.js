// Sets results beside each other that a reader chooses, by the contract that the build itself keeps.
"use strict";

// Everything here is a function of `data`, which is data/comparisons.json; the page below only shows what it says.
const contract = (() => {
  const NOT_STATED = "not stated";
  const ends = (value) => (Array.isArray(value) ? value : [value, value]);
  const words = (data, part, one, other) => {
    const name = data.parts.find(([id]) => id === part)[1];
    const [left, right] = [one ?? NOT_STATED, other ?? NOT_STATED];
    if (part === "prefix_share" && left !== right) return `${left} against ${right} from cache`;
    return left === right ? `${name} ${left} on either side` : `${name} ${left} against ${right}`;
  };

  // Parts in which two results differ, in the order of the contract, what they are compared for first.
  const differences = (data, one, other) => {
    const beside = Object.keys(one.beside).filter((name) => one.beside[name] !== other.beside[name]);
    const parts = data.parts.map(([id]) => id).filter((part) => one.setting[part] !== other.setting[part]);
    return [
      ...beside.map((name) => `${name} ${one.beside[name]} against ${other.beside[name]}`),
      ...parts.map((part) => words(data, part, one.setting[part], other.setting[part])),
    ];
  };

  // What forbids a ratio, in words, and what differs on purpose; null where either has no value of the metric.
  const compare = (data, metric, one, other) => {
    const clause = data.contract[data.metrics[metric]?.clause];
    if (!clause || !(metric in one.values) || !(metric in other.values)) return null;
    const within = one.id === other.id;
    const onPurpose = within ? [...one.varies, ...clause.within] : [];
    const verdict = { forbidding: [], varied: [] };
    for (const part of within ? clause.within_record : clause.parts) {
      const [left, right] = [one.setting[part], other.setting[part]];
      const unstated = left === undefined && right === undefined;
      // What a record does not say is the same for all of its results, but for what each of them has of its own.
      const own = within && unstated ? clause.never_shared[part] : undefined;
      if (left === right && (within ? !own : !unstated)) continue;
      (onPurpose.includes(part) && !own ? verdict.varied : verdict.forbidding).push(own ?? words(data, part, left, right));
    }
    return verdict;
  };

  const signed = (value) => {
    const digits = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    return /[1-9]/.test(digits) ? (value > 0 ? "+" : "−") + digits : digits;
  };

  // How far a change could be off, in words, and whether it is a tie: by the brackets of both, else by the bands.
  const bounds = (data, metric, baseline, result, low, high) => {
    const [old, own] = [baseline, result].map(({ brackets }) => brackets?.[metric]?.map(ends));
    if (old && own) {
      const over = [100 * (own[0][0] / old[1][1] - 1), 100 * (own[1][1] / old[0][0] - 1)];
      const tie = over[0] <= 0 && over[1] >= 0;
      return { tie, known: true, off: `${tie ? "a tie, " : ""}${over.map(signed).join("–")}% over both brackets` };
    }
    const pcts = [baseline.uncertainty_pct, result.uncertainty_pct];
    if (!data.metrics[metric].of_rate || pcts.includes(null)) return { tie: false, known: false, off: "how far either could be off is not stated" };
    const band = Math.max(...pcts) / 100;
    const tie = (1 + low / 100) * (1 - band) <= 1 + band && (1 + high / 100) * (1 + band) >= 1 - band;
    return { tie, known: true, off: `${tie ? "a tie inside" : "outside"} ±${(band * 100).toLocaleString("en-US", { maximumSignificantDigits: 3 })}%` };
  };

  // Change of a value against the baseline's, with whether it is for the better: "+56.7%, better".
  const change = (data, metric, baseline, result) => {
    const [[oldLow, oldHigh], [newLow, newHigh]] = [ends(baseline.values[metric]), ends(result.values[metric])];
    if (!data.metrics[metric].change || oldLow <= 0) return null;
    const [low, high] = [100 * (newLow / oldHigh - 1), 100 * (newHigh / oldLow - 1)];
    const [one, other] = [signed(low), signed(high)];
    const shown = one !== other ? `${one}–${other}%` : `${low === high ? "" : "~"}${one}%`;
    const { tie, off, known } = bounds(data, metric, baseline, result, low, high);
    const chance = !known && baseline.id !== result.id && !differences(data, baseline, result).length;
    const better = data.metrics[metric].better;
    const counts = [baseline, result].every(({ unranked, standing }) => !unranked && !standing) && !chance;
    const judged = counts && !tie && better && low * high > 0 && /^[+−]/.test(one);
    const notes = [
      ...(judged ? [(better === "higher") === low > 0 ? "better" : "worse"] : []),
      ...(chance ? ["the records state no difference"] : []),
      off,
    ];
    return { low, high, shown, words: [shown, ...notes].join(", ") };
  };

  // A result at the reader's own prices, each of its costs marked as theirs; at one price all are of one basis.
  const at = (result, prices) => {
    const [values, shown, setting] = [{ ...result.values }, { ...result.shown }, { ...result.setting }];
    for (const [metric, { per, amount }] of Object.entries(result.priced)) {
      const price = Number(prices[per]);
      if (!(price > 0)) continue;
      values[metric] = Array.isArray(amount) ? amount.map((end) => end * price) : amount * price;
      const digits = (size) => `$${size < 999.5 ? size.toPrecision(3) : Math.round(size).toLocaleString("en")}`;
      const published = metric in result.shown ? `, published ${result.shown[metric]}` : "";
      shown[metric] = `${[...new Set(ends(values[metric]).map(digits))].join("–")} yours${published}`;
      if (per === "GPU-hour") setting.price_basis = `yours: $${price} per GPU-hour`;
    }
    return { ...result, values, shown, setting };
  };

  const name = (result) => `${result.title}: ${result.label}`;
  const key = (result) => `${result.id}#${result.subject}`;
  const licenceOf = (data) => ({ source_license: source }) => data.license + (source ? `, source ${source}` : "");

  // Rows of words: a heading, then a cell for each result.
  const table = (data, results, baseline) => {
    const stated = (part) => ({ setting, assumed }) =>
      (setting[part] ?? NOT_STATED) + (part in assumed ? ` (assumed: ${assumed[part]})` : "");
    const parts = data.parts.map(([part, title]) => [title, results.map(stated(part))]);
    const unranked = ["shown, not ranked", results.map((result) => result.unranked ?? "–")];
    const beside = Object.keys(baseline.beside).map((title) => [title, results.map((result) => result.beside[title])]);
    const limits = ["limits", results.map((result) => result.limits.join("; ") || "–")];
    const standing = ["standing", results.map((result) => result.standing ?? "it stands")];
    const all = [...beside, ...parts, standing, limits, ...(results.some((result) => result.unranked) ? [unranked] : [])];
    const differs = ([, cells]) => cells.some((cell) => cell !== cells[0]);
    // What limits the numbers, and whose power and price they are of, is not folded away where all share it.
    const limiting = ["standing", "limits", "shown, not ranked", "power boundary", "price basis"];
    const silent = ["it stands", "–", NOT_STATED];
    const limitsAll = (row) => !differs(row) && limiting.includes(row[0]) && !silent.includes(row[1][0]);
    const cell = (metric) => (result) => {
      const missing = ({ failed }) => failed ?? NOT_STATED;
      if (!(metric in result.values)) return { value: "–", notes: [missing(result)] };
      const value = result.shown[metric];
      if (result === baseline) return { value, notes: ["baseline"] };
      if (!(metric in baseline.values)) return { value, notes: [`the baseline has no value: ${missing(baseline)}`] };
      const verdict = compare(data, metric, baseline, result);
      if (!verdict) return { value, notes: [] };
      if (verdict.forbidding.length) return { value, notes: ["not comparable", ...verdict.forbidding] };
      const found = change(data, metric, baseline, result);
      const matter = data.parts.filter(([part]) => data.contract[data.metrics[metric].clause].parts.includes(part));
      const assumed = matter.filter(([part]) => part in baseline.assumed || part in result.assumed).map(([, title]) => title);
      const limits = [
        ...(assumed.length ? [`assumed: ${assumed.join(", ")}`] : []),
        ...[baseline, result].flatMap(({ label, unranked, standing: gone }) => [
          ...(unranked ? [`not ranked: ${label}, ${unranked}`] : []),
          ...(gone ? [`${label} is ${gone}`] : []),
        ]),
      ];
      return { value, notes: [...(found ? [found.words] : []), ...verdict.varied, ...limits] };
    };
    const metrics = Object.keys(data.metrics).filter((metric) => results.some((result) => metric in result.values));
    const heading = ({ name: title, unit, better }) => ({ title, unit, direction: better && `${better} is better` });
    return {
      differing: all.filter(differs),
      limiting: all.filter(limitsAll),
      alike: all.filter((row) => !differs(row) && !limitsAll(row)),
      metrics: metrics.map((metric) => ({ ...heading(data.metrics[metric]), cells: results.map((result) => ({ number: result.values[metric], ...cell(metric)(result) })) })),
    };
  };

  // The same to copy: for people a cell a result, with what must be known of it behind the value.
  const markdown = (data, results, baseline, address) => {
    const { differing, limiting, alike, metrics } = table(data, results, baseline);
    const line = (cells) => `| ${cells.map((cell) => cell.replace(/([\\|])/g, "\\$1").replace(/\s+/g, " ")).join(" | ")} |\n`;
    const rows = metrics.map(({ title, unit, direction, cells }) => [
      [title, unit, direction].filter(Boolean).join(", "),
      ...cells.map(({ value, notes }) => (notes.length ? `${value} (${notes.join("; ")})` : value)),
    ]);
    const settings = [...differing, ...limiting, ...alike].map(([title, cells]) => [title, ...cells]);
    const source = ["source", ...results.map((result) => address(result.page))];
    const head = ["", ...results.map(name)];
    const licence = ["licence", ...results.map(licenceOf(data))];
    return [head, head.map(() => "---"), ...rows, ...settings, source, licence].map(line).join("");
  };
  // For programs the columns of a result are its number, where that is an interval the number it goes up to, and words.
  const csv = (data, results, baseline, address) => {
    const { differing, limiting, alike, metrics } = table(data, results, baseline);
    const wide = results.map((_, at) => metrics.some(({ cells }) => Array.isArray(cells[at].number)));
    // A cell that a spreadsheet would run is text there.
    const text = (words) => `"${words.replace(/^[=+@\t\r-]/, "'$&").replaceAll('"', '""')}"`;
    const columns = (of) => results.flatMap((result, at) => {
      const [number, to, words] = of(result, at);
      return [number, ...(wide[at] ? [to] : []), words];
    });
    const cells = (cells) => columns((_, at) => {
      const { number, value, notes } = cells[at];
      const [low, high] = number === undefined ? ["", ""] : ends(number);
      // What is shown is said again where it is more than the number: approximate, an interval, or the reader's price.
      const more = number === undefined || /^[\d,.]+$/.test(value) ? [] : [value];
      return [low, Array.isArray(number) ? high : "", text([...more, ...notes].join("; "))];
    });
    const words = (all) => columns((_, at) => ["", "", text(all[at])]);
    const head = columns((result) => [text(name(result)), text(`${name(result)}, up to`), text(`${name(result)}, in words`)]);
    const rows = [
      ['""', '"unit"', ...head],
      ...metrics.map(({ title, unit, direction, cells: own }) => [text([title, direction].filter(Boolean).join(", ")), text(unit), ...cells(own)]),
      ...[...differing, ...limiting, ...alike].map(([title, all]) => [text(title), '""', ...words(all)]),
      ['"source"', '""', ...words(results.map((result) => address(result.page)))],
      ['"licence"', '""', ...words(results.map(licenceOf(data)))],
    ];
    return rows.map((row) => row.join(",") + "\r\n").join("");
  };

  // The choice as the fragment of an address, and back.
  const PRICES = ["GPU-hour", "kWh"];
  const written = ({ chosen, baseline, prices = {}, row }) => {
    const own = PRICES.filter((per) => prices[per]).map((per) => [per, prices[per]]);
    if (row) own.push(["row", row]);
    return chosen.length ? new URLSearchParams([...chosen.map((one) => ["r", one]), ["base", baseline], ...own]).toString() : "";
  };
  const chosenOf = (fragment, known) => {
    const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
    const named = [...new Set(parameters.getAll("r"))];
    const chosen = named.filter(known);
    const base = parameters.get("base");
    const price = (text) => (Number(text) > 0 ? text : "");
    const prices = Object.fromEntries(PRICES.map((per) => [per, price(parameters.get(per))]));
    const row = parameters.get("row");
    return { prices, chosen, row, baseline: chosen.includes(base) ? base : chosen[0], unknown: named.filter((one) => !known(one)) };
  };

  return { PRICES, at, compare, differences, change, table, markdown, csv, written, chosenOf, key, name };
})();

if (typeof document !== "undefined") {
  const data = window.comparisons;
  const place = document.getElementById("page:compare");
  const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const role = (element, value) => (element.setAttribute("role", value), element);
  const button = (text, click, label) => {
    const made = make("button", { type: "button", onclick: click }, text);
    if (label) made.ariaLabel = label;
    return made;
  };
  const MOST = 20;
  const byKey = new Map((data?.results ?? []).map((result) => [contract.key(result), result]));
  let state;

  const field = make("input", { type: "search", id: "compare:add", autocomplete: "off" });
  const offered = make("ul", { className: "offered" });
  const status = role(make("p", { className: "hint" }), "status");
  const shown = make("div");

  const choose = (chosen, baseline, prices = state.prices) => {
    state = { chosen, baseline: chosen.includes(baseline) ? baseline : chosen[0], prices, unknown: [] };
    history.replaceState(null, "", `#${contract.written(state)}`);
    draw();
  };

  const offer = () => {
    const terms = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const words = (result) => [contract.name(result), result.id, ...Object.values(result.setting), ...Object.values(result.beside)].join(" ").toLowerCase();
    const open = [...byKey].filter(([key, result]) => !state.chosen.includes(key) && terms.every((term) => words(result).includes(term)));
    const line = ([key, result]) => {
      const add = () => (choose([...state.chosen, key], state.baseline), field.focus());
      return make("li", {}, button("Add", add, `Add ${contract.name(result)}`), " ", contract.name(result), " ", make("small", {}, result.beside.accelerator));
    };
    const named = terms.length ? open.slice(0, MOST) : [];
    offered.replaceChildren(...named.map(line));
    const more = named.length < open.length ? `, ${named.length || "none"} of them listed: say more of what it is` : "";
    status.textContent = [`${open.length} results to add${more}.`, ...state.unknown.map((one) => `${one} is no result of this site.`)].join(" ");
  };

  const grid = (caption, head, rows) => {
    const id = `compare:${caption.toLowerCase()}`;
    const table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
    const scroll = role(make("div", { className: "scroll", tabIndex: 0 }, table), "region");
    scroll.setAttribute("aria-labelledby", id);
    return make("div", { className: "table" }, make("p", { className: "caption", id }, caption), scroll);
  };
  // The address of a row is that of the choice with the row's name.
  const row = (name, heading, cells) => {
    const link = make("a", { className: "p", href: `#${contract.written({ ...state, row: name })}` }, "#");
    const made = make("tr", {}, make("th", { scope: "row" }, name, ...heading, link), ...cells);
    if (name === state.row) made.className = "at";
    return made;
  };
  const note = (text, className = "note") => make("span", { className }, text);

  // What was copied, with whether it was: there from the start, so that it is heard.
  const copied = make("div");
  const said = role(make("p", { className: "hint" }), "status");
  const copy = async (text) => {
    const area = make("textarea", { readOnly: true, rows: 8, value: text, ariaLabel: "Text to copy" });
    copied.replaceChildren(area);
    said.textContent = "";
    area.select();
    const done = await Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject()).then(() => true, () => document.execCommand("copy"));
    said.textContent = done ? "Copied." : "Copy it from here.";
  };

  // Drawn anew, the tables keep what the reader has opened, scrolled and chosen by keyboard.
  const draw = () => {
    const held = document.activeElement.name === "baseline" ? document.activeElement.value : null;
    const open = shown.querySelector("details")?.open ?? false;
    const scrolled = [...shown.querySelectorAll(".scroll")].map(({ scrollLeft }) => scrollLeft);
    drawn(open);
    [...shown.querySelectorAll(".scroll")].forEach((region, at) => (region.scrollLeft = scrolled[at] ?? 0));
    if (held) [...shown.querySelectorAll("[name=baseline]")].find(({ value }) => value === held)?.focus();
  };
  const drawn = (open) => {
    offer();
    copied.replaceChildren();
    said.textContent = "";
    const results = state.chosen.map((key) => contract.at(byKey.get(key), state.prices));
    if (!results.length) return shown.replaceChildren();
    const baseline = results[state.chosen.indexOf(state.baseline)];
    const heading = (result) => {
      const key = contract.key(result);
      const radio = make("input", { type: "radio", name: "baseline", value: key, checked: result === baseline, onchange: () => choose(state.chosen, key) });
      const remove = () => (choose(state.chosen.filter((one) => one !== key), state.baseline), field.focus());
      return make("th", { scope: "col" }, make("a", { href: result.page }, contract.name(result)), note(result.relation ?? ""),
        make("label", { className: "note" }, radio, " baseline"), button("Remove", remove, `Remove ${contract.name(result)}`));
    };
    const titles = (first, heads) => [make("th", { scope: "col" }, first), ...heads];
    const plain = results.map((result) => make("th", { scope: "col", className: "r" }, contract.name(result)));
    const { differing, limiting, alike, metrics } = contract.table(data, results, baseline);
    const words = ([title, cells]) => row(title, [], cells.map((cell) => make("td", {}, cell)));
    const values = ({ title, unit, direction, cells }) => {
      const cell = ({ value, notes }) => make("td", { className: "r" }, value, ...notes.map((text) => note(text)));
      return row(title, [note(unit, "unit"), note(direction, "direction")], cells.map(cell));
    };
    const address = (page) => new URL(page, location.href.replace(/#.*/, "")).href;
    const written = (form) => copy(contract[form](data, results, baseline, address));
    const controls = results.map(heading);
    const differ = differing.length > 0;
    shown.replaceChildren(
      ...(differ ? [grid("Differences", titles("Setting", controls), differing.map(words))] : []),
      grid("Results", titles("Metric", differ ? plain : controls), [...metrics.map(values), ...limiting.map(words)]),
      make("p", {}, button("Copy as Markdown", () => written("markdown")), " ", button("Copy as CSV", () => written("csv"))),
      make("details", { open }, make("summary", {}, `${alike.length} settings alike`), grid("Alike", titles("Setting", plain.map((one) => Object.assign(one.cloneNode(true), { className: "" }))), alike.map(words))),
    );
  };

  // Prices of the reader's own, which keep the focus while the tables below them change.
  const prices = contract.PRICES.map((per) => {
    const input = make("input", { type: "number", min: 0, step: "any", name: per });
    input.oninput = () => choose(state.chosen, state.baseline, { ...state.prices, [per]: input.value });
    return input;
  });
  const asPublished = () => {
    prices.forEach((input) => (input.value = ""));
    choose(state.chosen, state.baseline, {});
  };
  const start = () => {
    state = contract.chosenOf(location.hash, (key) => byKey.has(key));
    prices.forEach((input) => (input.value = state.prices[input.name]));
    draw();
    const at = shown.querySelector(".at");
    at?.closest("details")?.setAttribute("open", "");
    at?.scrollIntoView({ block: "center" });
  };
  if (data) {
    place.append(make("label", { htmlFor: field.id }, "Add a result, by title, model, accelerator or engine "), field, status, offered);
    const labels = prices.flatMap((input) => [make("label", {}, `Your $ per ${input.name} `, input), " "]);
    place.append(make("p", { className: "price hint" }, ...labels, button("As published", asPublished)), shown, copied, said);
    field.addEventListener("input", offer);
    // Another fragment is a place on the page.
    addEventListener("hashchange", () => (location.hash && !location.hash.includes("=")) || start());
    start();
  } else {
    place.append(make("p", {}, "The data of this page did not load."));
  }
}
