// Bundles the extension and the panel into dist/, or the tests into out/test/.
import { readdirSync, rmSync } from "node:fs";
import { build, context } from "esbuild";

const has = (flag) => process.argv.includes(flag);
const production = has("--production");

/** The options of all bundles. */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : "linked",
  legalComments: production ? "none" : "inline",
  logLevel: "warning",
};

const extension = {
  ...common,
  entryPoints: { extension: "src/extension.ts" },
  outdir: "dist",
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
  mainFields: ["module", "main"],
};

const panel = {
  ...common,
  entryPoints: { panel: "src/panel/view/main.ts", "panel-style": "src/panel/view/style.css" },
  outdir: "dist",
  platform: "browser",
  target: "es2022",
  format: "iife",
};

const tests = {
  ...common,
  entryPoints: readdirSync("test")
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`),
  outdir: "out/test",
  platform: "node",
  target: "node20",
  format: "esm",
  outExtension: { ".js": ".mjs" },
  packages: "external",
  // The parts of the editor's interface that tests need.
  alias: { vscode: "./test/vscode.ts" },
};

async function main() {
  if (has("--test")) {
    rmSync("out", { recursive: true, force: true });
    await build(tests);
    return;
  }
  rmSync("dist", { recursive: true, force: true });
  if (has("--watch")) {
    const contexts = await Promise.all([extension, panel].map((options) => context(options)));
    await Promise.all(contexts.map((one) => one.watch()));
    return;
  }
  await Promise.all([build(extension), build(panel)]);
}

await main();
