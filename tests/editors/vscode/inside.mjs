// Runs the tests of a folder inside the extension host of a running editor; the folder's index.js exports `run`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { windowAddress } from "./editor.mjs";

const LIMIT_MS = 240_000;

/** Returns the exit code of the tests. `developed` is the folder of an extension that is loaded from its source. */
export async function runInside(editor, developed, tests) {
  const remote = (path) => `vscode-remote://${editor.address}${path}`;
  const page = await editor.browser.newPage();
  const ended = new Promise((done, failed) => {
    setTimeout(() => failed(new Error(`the tests did not end in ${LIMIT_MS / 1000} s`)), LIMIT_MS).unref();
    page.exposeFunction("codeAutomationLog", print);
    page.exposeFunction("codeAutomationExit", done);
    if (process.env.OGC_TRACE) {
      page.on("console", (message) => console.error(message.text()));
    }
  });
  const payload = [
    ["extensionDevelopmentPath", remote(developed)],
    ["extensionTestsPath", remote(join(tests, "index.js"))],
  ];
  await page.goto(windowAddress(editor, editor.workspace, payload));
  try {
    return await ended;
  } catch (error) {
    if (process.env.OGC_PICTURES) {
      mkdirSync(process.env.OGC_PICTURES, { recursive: true });
      await page.screenshot({ path: join(process.env.OGC_PICTURES, "inside.png") });
    }
    throw error;
  }
}

/** Prints the output of the tests, without the window's own messages. */
function print(kind, args) {
  const text = args.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg))).join(" ");
  if (/^(ok |FAILED |note |\d+ tests)/.test(text) || (kind === "error" && /\/host\/|\/newcomer\//.test(text))) {
    console.log(text);
  }
}
