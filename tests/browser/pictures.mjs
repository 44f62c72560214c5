// The pictures of the README, from a built site: node pictures.mjs <chromium> <site> <folder>
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , program, site, folder] = process.argv;
const PICTURES = [
  ["record.png", "audits/qwen3-8b-h100.html", 1290],
  ["comparison.png", "compare/hardware/h200-sxm-141gb.html", 860],
];

const browser = await chromium.launch({ executablePath: program });
for (const [name, path, height] of PICTURES) {
  const page = await browser.newPage({ viewport: { width: 1280, height } });
  await page.goto(pathToFileURL(join(site, path)).href);
  await page.screenshot({ path: join(folder, name) });
}
await browser.close();
