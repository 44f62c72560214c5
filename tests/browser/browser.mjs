// Chromium with pages that remember what they asked for and what they complained of.
import { test } from "node:test";
import { chromium } from "playwright-core";

// A test by name, which is given `open` for new pages; no page may complain or ask another host.
export async function inChromium(program, tests, { concurrency = 2 } = {}) {
  const browser = await chromium.launch({ executablePath: program, args: ["--disable-gpu", "--disable-component-update"] });
  await test("pages", { concurrency }, (all) =>
    Promise.all(Object.entries(tests).map(([name, run]) => all.test(name, () => watched(browser, name, run)))));
  await browser.close();
}

async function watched(browser, name, run) {
  const [contexts, problems] = [[], []];
  const open = async (url, { width = 1280, height = 900, dark = false, scripts = true } = {}) => {
    const colorScheme = dark ? "dark" : "light";
    // Without motion, a page is where it goes to.
    const context = await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled: scripts, reducedMotion: "reduce" });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    page.requests = [];
    // Addresses of which it may be said that they are not there.
    page.expected = [];
    page.on("request", (request) => {
      page.requests.push(request.url());
      if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`asked ${request.url()}`);
    });
    // What a page no longer waits for when it is left did not fail.
    page.on("requestfailed", (request) => request.failure().errorText !== "net::ERR_ABORTED" && problems.push(`failed: ${request.url()}`));
    page.on("dialog", (dialog) => problems.push(`dialog: ${dialog.message()}`));
    page.on("pageerror", (error) => problems.push(`${error}`));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !page.expected.includes(message.location().url)) problems.push(message.text());
    });
    await page.goto(url);
    return page;
  };
  try {
    await run(open);
  } finally {
    await Promise.all(contexts.map((context) => context.close()));
  }
  if (problems.length) throw new Error(`${name}: ${problems.join("\n")}`);
}
