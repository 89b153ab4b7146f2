/** How the tests of a file become a tree, and results find its nodes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Range, TestInfo, TestResult } from "../src/requests.js";
import { isWithin, messageOf, resultsOf, treeOf } from "../src/tests/tree.js";

const range = (line: number): Range => ({ start: { line, character: 2 }, end: { line, character: 9 } });

const TESTS: TestInfo[] = [
  {
    definition: "A",
    range: range(1),
    cases: [
      { range: range(2), accept: true, subject: "{ a: 1 }", reason: null },
      { range: range(3), accept: false, subject: '"x\n   y"', reason: "why" },
    ],
  },
  { definition: "B", range: range(5), cases: [] },
  {
    definition: "A",
    range: range(7),
    cases: [{ range: range(8), accept: true, subject: `"${"é".repeat(99)}"` }],
  },
];

const RESULTS: TestResult[] = [
  {
    definition: "A",
    range: range(1),
    cases: [
      { state: "passed", range: range(2) },
      { state: "failed", range: range(3), message: "this is accepted", help: "because why", at: range(3), texts: null },
    ],
  },
  { definition: "B", range: range(5), cases: [] },
  { definition: "A", range: range(7), cases: [{ state: "skipped", range: range(8), message: "errors" }] },
];

test("tests of a definition are told apart, and cases are shown on one line", () => {
  const tree = treeOf("file:///a.ogc", TESTS);
  assert.deepEqual(
    tree.map(({ id, label }) => [id, label]),
    [
      ["file:///a.ogc#0", "A"],
      ["file:///a.ogc#1", "B"],
      ["file:///a.ogc#2", "A (2)"],
    ],
  );
  const cases = tree.flatMap(({ children }) => children);
  assert.deepEqual(
    cases.slice(0, 2).map(({ id, label, description }) => [id, label, description]),
    [
      ["file:///a.ogc#0.0", "accept { a: 1 }", ""],
      ["file:///a.ogc#0.1", 'reject "x y"', "why"],
    ],
  );
  assert.equal([...(cases[2]?.label ?? "")].length, "accept ".length + 80);
  assert.ok(cases[2]?.label.endsWith("é…"));
});

test("results find the nodes of their cases", () => {
  const results = resultsOf(treeOf("u", TESTS), RESULTS);
  assert.deepEqual(
    [...(results ?? [])].map(([id, { state }]) => [id, state]),
    [
      ["u#0.0", "passed"],
      ["u#0.1", "failed"],
      ["u#2.0", "skipped"],
    ],
  );
});

test("results of another text find nothing", () => {
  const tree = treeOf("u", TESTS);
  assert.equal(resultsOf(tree, RESULTS.slice(0, 2)), undefined);
  assert.equal(resultsOf(tree, [...RESULTS, ...RESULTS]), undefined);
  assert.equal(resultsOf(tree.slice(0, 2), RESULTS), undefined);
  const moved = structuredClone(RESULTS);
  moved[0]?.cases.reverse();
  assert.equal(resultsOf(tree, moved), undefined);
});

test("a failure says what to do", () => {
  const failed = { state: "failed", range: range(1), at: range(1), message: "m" } as const;
  assert.equal(messageOf(failed), "m");
  assert.equal(messageOf({ ...failed, help: "h" }), "m\nh");
});

test("ids express nesting", () => {
  assert.ok(isWithin("file:///a.ogc", "file:///a.ogc") && isWithin("file:///a.ogc#1.2", "file:///a.ogc"));
  assert.ok(isWithin("file:///a.ogc#1.2", "file:///a.ogc#1"));
  assert.ok(!isWithin("file:///a.ogc#1", "file:///a.ogc#1.2") && !isWithin("file:///a.ogc#12", "file:///a.ogc#1"));
  assert.ok(!isWithin("file:///a.ogc.ogc#1", "file:///a.ogc"));
});
