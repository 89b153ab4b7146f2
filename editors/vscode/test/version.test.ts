/** Which binaries and servers fit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { expand } from "../src/expand.js";
import { advice, compare, judgeCapabilities, judgeVersion } from "../src/server/version.js";
import { shortName, statusText } from "../src/status-text.js";

test("versions are compared by their numbers", () => {
  assert.ok(compare("0.10.0", "0.9.9") > 0);
  assert.equal(compare("1.2.3", "1.2.3-dev"), 0);
  assert.ok(compare("0.1", "0.1.1") < 0);
});

test("binaries from the oldest supported version on are accepted", () => {
  assert.deepEqual(judgeVersion("ogc 0.1.0\n"), { kind: "fits" });
  assert.deepEqual(judgeVersion("ogc 2.0.0-dev\n"), { kind: "fits" });
  assert.deepEqual(judgeVersion("ogc 0.0.9\n"), { kind: "too-old", given: "0.0.9" });
});

test("another program is not ogc", () => {
  assert.deepEqual(judgeVersion("gcc 13.2.0\nmore"), { kind: "not-ogc", given: "gcc 13.2.0" });
  assert.deepEqual(judgeVersion(""), { kind: "not-ogc", given: "" });
});

test("a server with version 1 of the requests is accepted", () => {
  const capabilities = (version: unknown) => ({ experimental: { ogc: { version } } });
  assert.deepEqual(judgeCapabilities(capabilities(1)), { kind: "fits" });
  assert.equal(judgeCapabilities(capabilities(0)).kind, "too-old");
  assert.equal(judgeCapabilities(capabilities(2)).kind, "too-new");
  for (const nothing of [undefined, null, {}, { experimental: null }, capabilities("1")]) {
    assert.equal(judgeCapabilities(nothing).kind, "too-old");
  }
});

test("every error message names the binary and the remedy", () => {
  for (const kind of ["too-old", "too-new", "not-ogc"] as const) {
    const text = advice({ kind, given: "0.0.1" }, "/bin/ogc");
    assert.match(text, /^\/bin\/ogc .*0\.0\.1.*\. (Install|Update|Set) /);
  }
});

test("home, workspace and environment are expanded in paths of settings", () => {
  const places = { home: "/home/ada", workspaceFolder: "/repo", environment: { BIN: "/b" } };
  assert.equal(expand("~/ogc", places), "/home/ada/ogc");
  assert.equal(expand("${workspaceFolder}/t.json", places), "/repo/t.json");
  assert.equal(expand("${env:BIN}/${env:NONE}x", places), "/b/x");
  assert.equal(expand("a~b/${other}", places), "a~b/${other}");
});

test("the status bar says the vocabulary, the budget and the state", () => {
  const status = {
    vocabularies: ["o200k", "models/llama/tokenizer.json"],
    budget: "400 states",
    state: "ready" as const,
  };
  const ready = statusText({ kind: "running", status });
  assert.equal(ready.text, "$(check) ogc: o200k +1 (400 states)");
  assert.match(ready.tooltip, /o200k, llama/);
  const working = statusText({
    kind: "running",
    status: { ...status, vocabularies: [], budget: null, state: "working", detail: "masks of Reply" },
  });
  assert.equal(working.text, "$(sync~spin) ogc");
  assert.match(working.tooltip, /^ogc: masks of Reply\nNo vocabulary/);
  assert.ok(statusText({ kind: "failed", message: "x" }).isError);
  assert.equal(statusText({ kind: "running", status: undefined }).text, "$(check) ogc");
});

test("vocabularies are named by the part that distinguishes them", () => {
  assert.equal(shortName("/a/llama-3.1/tokenizer.json"), "llama-3.1");
  assert.equal(shortName("C:\\v\\o200k.tiktoken"), "o200k.tiktoken");
  assert.equal(shortName("o200k"), "o200k");
});
