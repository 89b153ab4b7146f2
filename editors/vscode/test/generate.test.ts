/** How the extension runs a language model and reads what it writes. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { argumentsOf, type Generation, generate } from "../src/panel/generate.js";

const WANTED: Generation = {
  binary: "ogc",
  model: "m.gguf",
  file: "/w/-a.ogc",
  definition: "Reply",
  prompt: "-x",
  maxTokens: 9,
};

test("a prompt and a file may begin with a hyphen", () => {
  assert.deepEqual(argumentsOf(WANTED), [
    ...["generate", "--message-format", "json", "--model", "m.gguf", "--prompt=-x", "--max-tokens", "9"],
    ...["-d", "Reply", "--", "/w/-a.ogc"],
  ]);
  assert.ok(!argumentsOf({ ...WANTED, definition: undefined }).includes("-d"));
});

/** Makes a program that says some lines and ends with a code, or waits. */
function program(lines: object[], code: number | "waits"): Generation {
  const path = join(mkdtempSync(join(tmpdir(), "ogc-")), "ogc.mjs");
  const said = lines.map((line) => `console.log(${JSON.stringify(JSON.stringify(line))});`);
  const end = code === "waits" ? "setTimeout(() => {}, 60000);" : `process.exitCode = ${code};`;
  writeFileSync(path, `#!${process.execPath}\n${said.join("\n")}\n${end}\n`);
  chmodSync(path, 0o755);
  return { ...WANTED, binary: path };
}

const skip = process.platform === "win32" && "scripts are no programs there";
const PIECES = [
  { type: "piece", text: '{"a"' },
  { type: "piece", text: ":1}" },
];

test("pieces grow into a text", { skip }, async () => {
  const end = { type: "generated", text: '{"a":1}', tokens: 5, forced: 3, model_ms: 900, mask_ms: 100 };
  const seen: string[] = [];
  const made = await generate(program([...PIECES, end], 0), new AbortController().signal, ({ text }) =>
    seen.push(text),
  );
  assert.deepEqual(made, { text: '{"a":1}', note: "5 tokens, 3 of them forced by the format, in 1.0 s" });
  assert.equal(seen.at(-1), '{"a":1}');
});

test("a failure is reported", { skip }, async () => {
  const none = new AbortController().signal;
  const problem = { type: "problem", message: "there is no model" };
  await assert.rejects(
    generate(program([problem], 3), none, () => {}),
    /there is no model/,
  );
  const warning = { type: "diagnostic", severity: "warning", message: "w" };
  const error = { type: "diagnostic", severity: "error", message: "`B` is not defined" };
  await assert.rejects(
    generate(program([warning, error], 1), none, () => {}),
    /`B` is not defined/,
  );
  await assert.rejects(
    generate(program([], 7), none, () => {}),
    /ended with 7/,
  );
  await assert.rejects(
    generate({ ...WANTED, binary: "/nowhere/ogc" }, none, () => {}),
    /ENOENT/,
  );
});

test("a stopped run keeps its text so far", { skip }, async () => {
  const stop = new AbortController();
  const made = await generate(program(PIECES, "waits"), stop.signal, ({ text }) => text.endsWith("}") && stop.abort());
  assert.deepEqual(made, { text: '{"a":1}', note: "stopped" });
});
