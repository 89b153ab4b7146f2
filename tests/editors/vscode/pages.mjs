// Uses the page of VS Code like a person, with the packaged extension: squiggle, hover and panel in a light, a dark and a high-contrast
// theme. Checks the content of the page; writes pictures of it if OGC_PICTURES names a folder.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { faint } from "./contrast.mjs";
import { packaged, saveSettings, windowAddress, withEditor } from "./editor.mjs";

const THEMES = { dark: "Default Dark Modern", light: "Default Light Modern", contrast: "Default High Contrast" };

/** The file that is shown: an example, with a mistake in it. */
const FILE = "weather.ogc";
const TEXT = `// Function calls of an assistant, one a line.

/// Current weather of a place.
type Weather = {
  /// City, and country where the name alone is not clear.
  city: string<1..60>,
  unit?: "celsius" | "fahrenheit",
}

/// Full-text search in the knowledge base.
type Search = { query: string<1..200>, limit?: int<1..20> }

/// A call: the name of a tool, and its arguments.
rule call = "<call>" (
    json<{ name: "get_weather", arguments: Weather }>
    | json<{ name: "search", arguments: Serch }>
  ) "</call>"

/// At most three calls.
output Reply = call[1..3] % "\\n"

test Reply {
  accept '<call>{"name":"get_weather","arguments":{"city":"Oslo"}}</call>'
  reject '<call>{"name":"search","arguments":{"city":"Oslo"}}</call>'
      because "the arguments are those of the tool"
}
`;

const begun = Date.now();
const passed = (what) => console.log(`ok ${what} (${Date.now() - begun} ms)`);

/** Opens the window with the file; `edit` runs on the page. */
async function inWindow(editor, use) {
  const page = await editor.browser.newPage();
  await page.setViewportSize({ width: 1520, height: 720 });
  page.setDefaultTimeout(15_000);
  const file = `vscode-remote://${editor.address}${join(editor.workspace, FILE)}`;
  await page.goto(windowAddress(editor, editor.workspace, [["openFile", file]]));
  await page.locator(".view-lines").waitFor();
  try {
    await use(page);
  } catch (error) {
    await picture(page, "failed");
    throw error;
  } finally {
    await page.close();
  }
}

async function picture(page, name) {
  const folder = process.env.OGC_PICTURES;
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name}.png`), await page.screenshot());
  }
}

/** Runs a command by its title, through the palette. */
async function command(page, title) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().click();
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/** The place of a word in the editor, on the page. */
const word = (page, text, at = 0) => page.locator(".view-line span span").filter({ hasText: text }).nth(at);

/** The page of the panel, inside of its two frames. */
async function panel(page) {
  for (let waited = 0; waited < 100; waited += 1) {
    for (const frame of page.frames()) {
      if (
        (await frame
          .locator("main [role=tablist]")
          .count()
          .catch(() => 0)) > 0
      ) {
        return frame;
      }
    }
    await page.waitForTimeout(100);
  }
  throw new Error("the panel has no page");
}

async function showTab(frame, title) {
  await frame.getByRole("tab", { name: title }).click();
}

/** Hovers over a word until the text is shown. */
async function hovers(page, name, text) {
  await name.hover();
  await page.locator(".monaco-hover:visible").filter({ hasText: text }).waitFor();
  // The hover fades in.
  await page.waitForTimeout(400);
}

/** Checks that the panel draws the diagram of the definition at the cursor, shows samples of it, tries a text and explains a token. */
async function panelWorks(page) {
  const frame = await panel(page);
  await showTab(frame, "Diagram");
  await frame.locator("svg text").first().waitFor();
  await showTab(frame, "Samples");
  await frame.locator("ol pre").first().waitFor();
  assert.equal(await frame.locator("ol pre").count(), 3);
  await showTab(frame, "Try a text");
  await frame.getByRole("textbox", { name: "Text", exact: true }).fill('{"city":"Oslo","unit":1}');
  await frame.getByText("Refused after").waitFor();
  await showTab(frame, "Masks");
  await frame.getByRole("textbox", { name: "After this beginning" }).fill('{"city":"Oslo","unit":"');
  await frame.getByRole("textbox", { name: "Why this token?" }).fill("kel");
  await frame.getByRole("button", { name: "Explain" }).click();
  await frame.getByText("may not come").waitFor();
  return frame;
}

async function inTheme(editor, name, theme) {
  saveSettings(editor, {
    "workbench.colorTheme": theme,
    "editor.minimap.enabled": false,
    "editor.stickyScroll.enabled": false,
    "ogc.vocabularies": ["o200k"],
  });
  await inWindow(editor, async (page) => {
    // The palette offers the panel once the server runs.
    await page.locator(".squiggly-error").first().waitFor();
    // The editor remembers from window to window whether the side bar is shown.
    if (await page.locator(".part.sidebar").isVisible()) {
      await command(page, "View: Toggle Primary Side Bar Visibility");
    }
    // The cursor may be there already, in front of the word.
    await word(page, "city").click({ force: true });
    await command(page, "ogc: Open Panel Beside the Editor");
    const frame = await panelWorks(page);
    passed(`${name}: the panel draws, samples, tries and explains`);
    for (const title of await frame.getByRole("tab").allTextContents()) {
      await showTab(frame, title);
      await page.waitForTimeout(800);
      assert.deepEqual(await frame.evaluate(faint), [], `${name}, ${title}: text that cannot be read`);
      await picture(page, `${name}-${title.toLowerCase().replaceAll(" ", "-")}`);
    }
    passed(`${name}: all texts of the panel can be read`);
    await showTab(frame, "Diagram");
    await hovers(page, word(page, "Weather", 1), "Current weather of a place");
    await picture(page, `${name}-hover`);
    await hovers(page, word(page, "Serch"), "Search");
    await picture(page, `${name}-editor`);
    passed(`${name}: the mistake is underlined, and hovers explain it and a definition`);
  });
}

const fill = (workspace) => writeFileSync(join(workspace, FILE), TEXT);
await withEditor({ vsix: packaged(), fill }, async (editor) => {
  for (const [name, theme] of Object.entries(THEMES)) {
    if (process.env.OGC_ONLY === undefined || process.env.OGC_ONLY === name) {
      await inTheme(editor, name, theme);
    }
  }
});
