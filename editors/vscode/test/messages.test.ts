/** How messages for machines become problems and words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords, Lines, placesOf, problemOf, readMessage, readMessages } from "../src/tasks/messages.js";

const FINDING = {
  type: "diagnostic",
  file: "a.ogc",
  severity: "error",
  code: "unknown-name",
  message: "`B` is not defined",
  span: { start: 14, end: 15, line: 1, column: 15 },
  labels: [{ span: { start: 0, end: 4, line: 1, column: 1 }, message: "in this" }],
  help: "define it",
  fix: null,
  cost: null,
};

test("a finding becomes a problem at its position", () => {
  const problem = problemOf(FINDING, () => "type A = { a: B }\n");
  assert.deepEqual(problem, {
    file: "a.ogc",
    severity: "error",
    code: "unknown-name",
    message: "`B` is not defined\ndefine it",
    start: { line: 0, character: 14 },
    end: { line: 0, character: 15 },
    related: [{ message: "in this", start: { line: 0, character: 0 }, end: { line: 0, character: 4 } }],
  });
});

test("without the text, line and column of the message are used", () => {
  const problem = problemOf({ ...FINDING, span: { start: 99, end: 100, line: 3, column: 5 } }, () => undefined);
  assert.deepEqual(problem?.start, { line: 2, character: 4 });
});

test("bytes become UTF-16 units", () => {
  const text = "ä𝄞 x\nyz";
  assert.deepEqual(placesOf(text, 6, 7), [
    { line: 0, character: 3 },
    { line: 0, character: 4 },
  ]);
  assert.deepEqual(
    placesOf(text, 9, 11),
    [
      { line: 1, character: 0 },
      { line: 1, character: 2 },
    ].map((place, at) => (at === 0 ? { line: 1, character: 0 } : place)),
  );
  assert.deepEqual(placesOf("\ufeffa", 3, 4), [
    { line: 0, character: 0 },
    { line: 0, character: 1 },
  ]);
});

test("offsets outside of the text are clamped to its end", () => {
  assert.deepEqual(placesOf("ab", 50, 40), [
    { line: 0, character: 2 },
    { line: 0, character: 2 },
  ]);
});

test("other messages are no problems", () => {
  assert.equal(
    problemOf({ type: "summary", command: "check" }, () => ""),
    undefined,
  );
  assert.equal(
    problemOf({ type: "diagnostic" }, () => ""),
    undefined,
  );
});

test("lines that are no messages are left out", () => {
  assert.equal(readMessage("warning: x"), undefined);
  assert.equal(readMessage("[1]"), undefined);
  assert.equal(readMessage("null"), undefined);
  assert.equal(readMessages('{"type":"a"}\n\n{"type":\n{"type":"b"}').length, 2);
});

test("lines are reassembled from any chunks", () => {
  const lines = new Lines();
  assert.deepEqual(lines.add('{"ty'), []);
  assert.deepEqual(lines.add('pe":"a"}\n{"b'), ['{"type":"a"}']);
  assert.deepEqual(lines.end(), ['{"b']);
  assert.deepEqual(lines.end(), []);
});

test("messages are described in words", () => {
  assert.equal(inWords(FINDING), "a.ogc:1:15: error: `B` is not defined [unknown-name]\n    define it");
  assert.equal(inWords({ type: "artifact", path: "a.ogca", written: true, up_to_date: false }), "built a.ogca");
  assert.equal(inWords({ type: "case", holds: true }), undefined);
  assert.equal(inWords({ type: "problem", message: "no such file", help: null }), "error: no such file");
  const summary = { type: "summary", command: "check", exit_code: 1, errors: 1, warnings: 0, files_with_errors: 1 };
  assert.equal(inWords(summary), "check: 1 errors, 1 files with errors");
  assert.equal(inWords({ type: "unknown" }), undefined);
});
