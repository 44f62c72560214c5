// A headless Chromium that is spoken to over a pipe: no package, no port.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function chromium(program, use) {
  const profile = mkdtempSync(join(tmpdir(), "site-browser-"));
  const flags = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const ended = new Promise((end) => child.once("exit", end));
  const waiting = new Map();
  const listeners = new Set();
  let count = 0;
  let buffer = "";
  child.stdio[4].setEncoding("utf8").on("data", (data) => {
    const messages = (buffer + data).split("\0");
    buffer = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      const { answer, refuse } = waiting.get(message.id) ?? {};
      if (message.error) refuse?.(new Error(JSON.stringify(message.error)));
      else if (answer) answer(message.result);
      else listeners.forEach((listener) => listener(message));
    }
  });
  const send = (method, params = {}, sessionId) =>
    new Promise((answer, refuse) => {
      count += 1;
      waiting.set(count, { answer, refuse });
      child.stdio[3].write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
    });
  try {
    await use({ open: (url, options) => open(send, listeners, url, options) });
  } finally {
    await send("Browser.close").catch(() => {});
    await ended;
    rmSync(profile, { recursive: true, force: true });
  }
}

// A page with what it asked for and complained of.
async function open(send, listeners, url, { width = 1280, height = 900, dark = false, scripts = true } = {}) {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const ask = (method, params) => send(method, params, sessionId);
  const problems = [];
  const requests = [];
  const events = new Map();
  const listener = ({ sessionId: from, method, params }) => {
    if (from !== sessionId) return;
    if (method === "Runtime.exceptionThrown") problems.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") problems.push(JSON.stringify(params.args));
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) problems.push(params.entry.text);
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    events.get(method)?.();
    events.delete(method);
  };
  listeners.add(listener);
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await ask(`${domain}.enable`);
  await ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await ask("Emulation.setScriptExecutionDisabled", { value: !scripts });
  await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  const once = (method) => new Promise((done) => events.set(method, done));
  const go = async (address) => {
    const loaded = once("Page.loadEventFired");
    await ask("Page.navigate", { url: address });
    await loaded;
  };
  await go(url);
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await ask("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  };
  const until = async (expression) => {
    for (let round = 0; round < 100; round += 1) {
      if (await evaluate(expression).catch(() => false)) return;
      await new Promise((later) => setTimeout(later, 50));
    }
    throw new Error(`never so: ${expression}`);
  };
  const key = async (name, text) => {
    const code = { Enter: 13, Escape: 27, ArrowDown: 40, ArrowUp: 38, Tab: 9, " ": 32 }[name] ?? name.charCodeAt(0);
    const event = { key: name, windowsVirtualKeyCode: code, ...(text ? { text } : {}) };
    await ask("Input.dispatchKeyEvent", { type: "keyDown", ...event });
    await ask("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  };
  const type = (text) => ask("Input.insertText", { text });
  const reload = async () => {
    const loaded = once("Page.loadEventFired");
    await ask("Page.reload");
    await loaded;
  };
  const screenshot = async () => Buffer.from((await ask("Page.captureScreenshot", { format: "png" })).data, "base64");
  const close = async () => {
    listeners.delete(listener);
    await send("Target.closeTarget", { targetId });
  };
  return { evaluate, until, key, type, go, reload, screenshot, close, problems, requests };
}
