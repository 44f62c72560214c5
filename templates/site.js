// What pages gain where scripts run: a choice of colours, search, sorting, filters, a price of the reader's own. All are whole without it.
"use strict";
(() => {
  // The top of the site, above the folder of this script.
  const top = new URL("..", document.currentScript.src);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // Colours

  // Set before a page is painted, and kept for the next one where a browser lets it.
  const root = document.documentElement.style;
  let kept = {};
  try {
    kept = localStorage;
  } catch {}
  root.colorScheme = kept.colours ?? "";
  const colours = (foot) => {
    const onchange = () => (kept.colours = root.colorScheme = select.value);
    const select = make("select", { onchange }, new Option("system", ""), new Option("light"), new Option("dark"));
    select.value = root.colorScheme;
    foot.append(make("label", {}, "Colours ", select));
  };

  // Search

  // What has all words somewhere: with most of them in its title first, else in the order of the index.
  const found = (index, query) => {
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => terms.filter((term) => text.toLowerCase().includes(term)).length;
    const fit = ([title, , , words]) => has(`${title} ${words}`) === terms.length;
    return index.filter(fit).sort(([one], [other]) => has(other) - has(one));
  };

  const search = (box) => {
    const input = make("input", { type: "search", placeholder: "Search  /", ariaLabel: "Search this site", autocomplete: "off" });
    const status = make("p", { role: "status" });
    const list = make("ul", {});
    const panel = make("div", { className: "found", hidden: true }, status, list);
    box.append(input, panel);
    const show = () => {
      panel.hidden = !window.searchIndex || !input.value.trim();
      if (panel.hidden) return;
      const results = found(searchIndex, input.value);
      const link = ([title, path, kind]) => make("li", {}, make("a", { href: top + path }, title, " ", make("small", {}, kind)));
      list.replaceChildren(...results.slice(0, 20).map(link));
      status.textContent = `${results.length} found${results.length > 20 ? " (20 shown)" : ""}`;
    };
    const onerror = () => (input.placeholder = "No search data");
    const script = { src: `${top}data/search.js`, onload: show, onerror };
    input.onfocus = () => (window.searchIndex ? show() : document.head.append(make("script", script)));
    input.oninput = show;
    box.addEventListener("focusout", ({ relatedTarget }) => box.contains(relatedTarget) || (panel.hidden = true));
    box.onkeydown = (event) => {
      const stops = [input, ...all("a", list)];
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) {
        (stops[stops.indexOf(document.activeElement) + step] ?? input).focus();
      } else if (event.key === "Enter" && event.target === input) {
        panel.hidden || stops[1]?.click();
      } else if (event.key === "Escape") {
        input.value = "";
        input.focus();
        panel.hidden = true;
      } else {
        return;
      }
      event.preventDefault();
    };
    addEventListener("keydown", (event) => {
      const typing = event.target.closest("input,select,textarea");
      if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
    });
  };

  // Sorting

  // Says how a table stands: there from the start, so that it is heard.
  const heard = make("p", { role: "status", className: "skip" });
  const collator = new Intl.Collator("en", { numeric: true });
  // "~−1.5", "$0.289", "8.2–9.1", "1.20e−7", "1.5 GiB", "5 of 5", and no version "0.22.1".
  const NUMBER = /^~?(−?)[+$]*([\d,.]*\d(?:e−?\d+)?)(?:(?:–| to )([+−]?)\$?([\d,.]*\d))?(?![\w.])(?:\s([KMGT])iB)?/;
  const text = (cell) => (cell?.firstChild?.textContent ?? "").trim();
  const read = (words) => {
    if (/^\d{1,2} \p{L}+ \d{4}$/u.test(words)) return Date.parse(words);
    const [, minus, low, sign, high, binary] = NUMBER.exec(words) ?? [];
    const number = (sign, digits) => (sign === "−" ? -1 : 1) * digits?.replaceAll(",", "").replace("−", "-");
    const middle = high ? (number(minus, low) + number(sign, high)) / 2 : number(minus, low);
    return middle * 1024 ** " KMGT".indexOf(binary ?? " ");
  };
  // A version's end stands between what leads up to a release and what comes after it.
  const released = (version) => version.replace(/[-.]?(?=(rc|a|b|dev)\w*\d)/, "-") + ",";
  // Numbers by value, and what is missing last in both directions.
  const sorted = (rows, column, sign, versions) => {
    const cells = rows.map((row) => row.cells[column]);
    const words = cells.map(text);
    const numbers = words.map(read);
    const missing = words.map((word) => !word || word === "–");
    const numeric = cells.some((cell) => cell?.className === "n") || (!versions && words.every((_, at) => missing[at] || !isNaN(numbers[at])));
    const isMissing = (at) => (numeric ? isNaN(numbers[at]) : missing[at]);
    const compare = (one, other) => (numeric ? numbers[one] - numbers[other] : collator.compare(...[one, other].map((at) => (versions ? released(words[at]) : words[at]))));
    const order = (one, other) => isMissing(one) - isMissing(other) || (isMissing(one) ? 0 : sign * compare(one, other));
    return [...rows.keys()].sort(order).map((at) => rows[at]);
  };

  const sortable = (table) => {
    const [head, body] = [table.tHead?.rows[0], table.tBodies[0]];
    // Where each row is of another unit, no order means anything.
    if (!head || body.rows.length < 2 || head.cells[0].textContent === "Figure") return;
    all("th", head).forEach((heading, column) => {
      const name = heading.firstChild;
      const own = name?.nodeName === "#text";
      if (!own && name?.nodeName !== "A") return;
      const button = make("button", {}, own ? name.textContent : "");
      if (!own) button.ariaLabel = `Sort by ${name.textContent}`;
      own ? name.replaceWith(button) : name.after(button);
      button.onclick = () => {
        const ascending = heading.ariaSort !== "ascending";
        all("th", head).forEach((other) => (other.ariaSort = null));
        heading.ariaSort = ascending ? "ascending" : "descending";
        heard.textContent = `Sorted ${heading.ariaSort} by ${name.textContent}`;
        // Rows stay below the heading that stands over them.
        const groups = [[]];
        for (const row of body.rows) row.cells[0].scope === "rowgroup" ? groups.push([row], []) : groups.at(-1).push(row);
        body.append(...groups.flatMap((rows, at) => (at % 2 ? rows : sorted(rows, column, ascending ? 1 : -1, / version$/.test(name.textContent)))));
      };
    });
  };

  // Filters

  const filter = (box) => {
    const rows = all("#table\\:list>tbody>tr");
    const status = make("p", { role: "status" });
    const values = all("[data-rows]", box).map((item) => {
      const [facet, name] = [item.parentElement.dataset.facet, item.firstElementChild.textContent];
      const tick = make("input", { type: "checkbox", ariaLabel: `Only ${name}`, onchange: () => write() });
      item.prepend(tick, " ");
      return { tick, facet, name, of: new Set(item.dataset.rows.split(" ").map(Number)) };
    });
    const ticked = () => values.filter(({ tick }) => tick.checked);
    // One value of each facet that has any ticked.
    const apply = () => {
      const chosen = ticked();
      const fits = (at) => chosen.every(({ facet }) => chosen.some((value) => value.facet === facet && value.of.has(at)));
      const shown = rows.filter((row, at) => !(row.hidden = !fits(at))).length;
      status.textContent = chosen.length ? `${shown} of ${rows.length} results of this page shown` : "";
    };
    const write = () => {
      const chosen = new URLSearchParams(ticked().map(({ facet, name }) => [facet, name]));
      history.replaceState(null, "", `#filter:${chosen}`);
      apply();
    };
    const start = () => {
      // Another fragment is a place on the page, and takes no tick away.
      const [other, own] = location.hash.split("#filter:");
      if (other) return;
      const chosen = new URLSearchParams(own);
      values.forEach(({ tick, facet, name }) => (tick.checked = chosen.getAll(facet).includes(name)));
      box.open ||= ticked()[0];
      apply();
    };
    box.after(status);
    addEventListener("hashchange", start);
    start();
  };

  // Prices of the reader's own

  // Hours of a GPU, tokens of such an hour, and energy: of the number itself, or of a million tokens at so many joules.
  const PRICED = { gpu: "GPU-hour", tokens: "GPU-hour", kwh: "kWh", mtok: "kWh" };
  const reprice = (cells) => {
    const parts = cells.map((cell) => [cell, Object.keys(PRICED).find((name) => cell.dataset[name]), ...cell.childNodes]);
    const show = () => {
      const { length } = parts.filter(([cell, name, ...published]) => {
        const price = form[PRICED[name]].value;
        if (!(price > 0)) return cell.replaceChildren(...published);
        const ends = cell.dataset[name].split(" ").map((end) => {
          const value = name === "tokens" ? end / price : end * price;
          const size = Math.abs(value);
          const digits = size < 999.5 ? size.toPrecision(3) : Math.round(size).toLocaleString("en");
          return (value < 0 ? "−" : "") + (name === "tokens" ? "" : "$") + digits;
        });
        const yours = `${ends.join("–")}${name === "mtok" ? " per 1M tokens" : ""} yours`;
        cell.replaceChildren(make("span", { className: "yours" }, yours), make("span", { className: "note" }, "published ", ...published));
        return true;
      });
      status.value = length ? `${length} numbers at your prices. All else as published.` : "";
    };
    const status = make("output", {});
    const form = make("form", { className: "price hint", oninput: show, onreset: () => setTimeout(show), onsubmit: () => false });
    for (const unit of new Set(parts.map(([, name]) => PRICED[name]))) {
      form.append(make("label", {}, `Your $ per ${unit} `, make("input", { type: "number", name: unit, step: "any" })), " ");
    }
    form.append(make("button", { type: "reset" }, "As published"), " ", status);
    cells.map((cell) => cell.closest(".table,section,.prose")).find(Boolean).before(form);
  };

  addEventListener("DOMContentLoaded", () => {
    all("footer").forEach(colours);
    all("#page\\:search").forEach(search);
    all("#page\\:facets").forEach(filter);
    const priced = all("[data-gpu],[data-tokens],[data-kwh],[data-mtok]");
    priced[0] && reprice(priced);
    document.body.append(heard);
    all("table").forEach((table) => table.closest("#page\\:compare") || sortable(table));
  });
})();
