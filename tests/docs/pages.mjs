// Opens pages of the site from the file system, and finds faults that a reader would notice; started by `run`.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const { CHROMIUM, OGC_DOCS: SITE, OGC_TOOLS: TOOLS, OGC_PICTURES: PICTURES } = process.env;
const load = createRequire(join(TOOLS, "package.json"));
const { chromium } = load("playwright-core");
const AXE = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

const WIDTHS = { laptop: { width: 1280, height: 900 }, telephone: { width: 390, height: 844 } };

/** Pages of the same kind: a few of each kind are checked. */
const ALIKE = { codes: ["index", "empty-format", "unknown-name", "each-fields"], source: ["examples/extraction.ogc"] };

/** The pages of the site by their paths in it. */
function pages(words) {
  const files = readdirSync(SITE, { recursive: true }).filter((path) => path.endsWith(".html") && path !== "404.html");
  const chosen = files.filter((path) => {
    const alike = ALIKE[path.split("/")[0]];
    return alike === undefined || alike.some((name) => path.endsWith(`/${name}.html`) || path.endsWith(`/${name}.md.html`));
  });
  return chosen.filter((path) => words.length === 0 || words.some((word) => path.includes(word))).sort();
}

/** The findings of axe on a page, a line for each rule with its first place. */
async function axe(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa"], resultTypes: ["violations"] }),
  );
  return violations.map(({ id, nodes }) => `${id} at ${nodes.length}: ${nodes[0].target} ${nodes[0].any[0]?.message ?? ""}`);
}

/** Whether a page is wider than its window. */
async function sticksOut(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return wide > 0 ? [`is ${wide} pixels wider than its window`] : [];
}

/** Queries of readers, each with the page that the search must list first. */
const QUERIES = {
  discriminator: "codes/discriminator.html",
  "stop a list after ten items": "start/questions.html",
  lookbehind: "start/questions.html",
  whitespace: "start/questions.html",
  "GPU driver": "start/questions.html",
  regex: "start/questions.html",
  "unicode escape": "reference/policies.html",
  "openai client": "start/questions.html",
  thinking: "by-example/thinking.html",
  "unknown-name": "codes/unknown-name.html",
  "fit-order": "codes/fit-order.html",
  "--max-tokens": "start/questions.html",
};

/** What the search of the site finds first, which must work without a server. */
async function firstResult(context, query) {
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(SITE, "index.html")).href);
  await page.waitForLoadState("load");
  await page.keyboard.press("/");
  await page.waitForSelector(".md-search__input", { state: "visible" });
  await page.keyboard.type(query, { delay: 20 });
  try {
    await page.waitForSelector(".md-search-result__item a", { timeout: 20_000 });
    // Results are listed again after each key.
    await page.waitForTimeout(1_000);
    const link = await page.$eval(".md-search-result__item a", (first) => first.href);
    return relative(pathToFileURL(SITE).pathname, new URL(link).pathname);
  } catch {
    return "nothing";
  } finally {
    await page.close();
  }
}

/** Queries whose page the search does not list first. */
async function search(context) {
  const faults = [];
  for (const [query, page] of Object.entries(QUERIES)) {
    const found = await firstResult(context, query);
    if (found !== page) {
      faults.push(`the search for \`${query}\` lists ${found} first, not ${page}`);
    }
  }
  return faults;
}

async function look(context, path, width, scheme) {
  const page = await context.newPage();
  try {
    await page.goto(pathToFileURL(join(SITE, path)).href);
    if (PICTURES !== undefined) {
      mkdirSync(PICTURES, { recursive: true });
      const name = `${path.replaceAll("/", "-").replace(".html", "")}-${width}-${scheme}.png`;
      await page.screenshot({ path: join(PICTURES, name), fullPage: true });
    }
    const found = [...(width === "laptop" ? await axe(page) : []), ...(await sticksOut(page))];
    return found.map((fault) => `${path} (${width}, ${scheme}): ${fault}`);
  } finally {
    await page.close();
  }
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const faults = [];
const chosen = pages(process.argv.slice(2));
for (const [width, viewport] of Object.entries(WIDTHS)) {
  // Colours do not change the width of a page.
  for (const colorScheme of width === "laptop" || PICTURES !== undefined ? ["light", "dark"] : ["light"]) {
    const context = await browser.newContext({ viewport, colorScheme });
    if (width === "laptop" && colorScheme === "light") {
      faults.push(...(await search(context)));
    }
    for (const path of chosen) {
      faults.push(...(await look(context, path, width, colorScheme)));
    }
    await context.close();
  }
}
await browser.close();
console.log(`${chosen.length} pages: ${faults.length} faults`);
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
