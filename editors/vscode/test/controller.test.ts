/** The editor's view of tests, with an editor and a server of plain data. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as vscode from "vscode";
import type { CaseResult, Range, TestInfo } from "../src/requests.js";
import { registerTests, type TestServer } from "../src/tests/controller.js";

const { controllers, said, Uri, workspace } = vscode as unknown as typeof import("./vscode.js");

const range = (line: number): Range => ({ start: { line, character: 2 }, end: { line, character: 9 } });
const A = new Uri("file:///w/a.ogc");
const B = new Uri("file:///w/b.ogc");

/** The test of `a.ogc`: its second case fails until it is accepted. */
const TESTS: TestInfo[] = [
  {
    definition: "A",
    range: range(1),
    cases: [2, 3, 4].map((line) => ({ range: range(line), accept: true, subject: `"${line}"` })),
  },
];
const FAILED: CaseResult = {
  state: "failed",
  range: range(3),
  message: "m",
  help: "h",
  at: range(3),
  texts: { refused: "3", accepted: "1" },
};

/** A server that knows `a.ogc`, whose second case holds once it was accepted. */
function server() {
  const asked: string[] = [];
  let second = FAILED;
  const answer = (method: string, uri: string): unknown => {
    if (uri !== A.text) {
      throw new Error("unknown file");
    }
    const third = { state: "skipped", range: range(4), message: "errors" };
    const cases = [{ state: "passed", range: range(2) }, second, third];
    return method === "ogc/tests" ? TESTS : [{ definition: "A", range: range(1), cases }];
  };
  const session = {
    state: { kind: "running" },
    onState: () => ({ dispose() {} }),
    request: async (method: string, params: { textDocument: { uri: string } }) => {
      asked.push(method);
      return answer(method, params.textDocument.uri);
    },
    applyEditOf: async (method: string, params: unknown) => {
      asked.push(`${method} ${JSON.stringify(params)}`);
      const wasFailing = second.state === "failed";
      second = { state: "passed", range: range(3) };
      return wasFailing;
    },
  };
  return { session: session as unknown as TestServer, asked };
}

/** Starts the view of tests, and lets the editor ask for them. */
async function started() {
  said.files = [A, B];
  said.log.length = 0;
  const { session, asked } = server();
  registerTests(session);
  const controller = controllers.at(-1);
  assert.ok(controller?.run);
  await controller.resolveHandler?.(undefined);
  const run = (include?: string[], exclude?: string[]) => {
    const items = (ids?: string[]) => ids?.map((id) => ({ id }));
    const request = { include: items(include), exclude: items(exclude) };
    return controller.run?.(request as never, { isCancellationRequested: false });
  };
  return { controller, asked, run };
}

test("files with tests are shown, with their cases", async () => {
  const { controller } = await started();
  const files = [...controller.items].map(([, file]) => file);
  assert.deepEqual(
    files.map(({ id, label }) => [id, label]),
    [[A.text, "a.ogc"]],
  );
  const tests = [...(files[0]?.children ?? [])].map(([, one]) => one);
  assert.deepEqual(
    tests.map(({ label }) => label),
    ["A"],
  );
  const cases = [...(tests[0]?.children ?? [])].map(([, one]) => one);
  assert.deepEqual(
    cases.map(({ label }) => label),
    ['accept "2"', 'accept "3"', 'accept "4"'],
  );
});

test("open documents have their tests as soon as the server runs", async () => {
  const { session } = server();
  let tell: (state: { kind: string }) => void = () => {};
  Object.assign(session, { state: { kind: "starting" } });
  Object.assign(session, { onState: (listener: typeof tell) => (tell = listener) });
  workspace.textDocuments = [{ uri: A, languageId: "ogc" }];
  registerTests(session);
  const items = controllers.at(-1)?.items;
  assert.equal(items?.get(A.text), undefined);
  Object.assign(session, { state: { kind: "running" } });
  tell({ kind: "running" });
  await new Promise((done) => setTimeout(done, 5));
  assert.equal(items?.get(A.text)?.label, "a.ogc");
  workspace.textDocuments = [];
});

test("a run reports each case, and a failing one with both texts", async () => {
  const { run } = await started();
  await run();
  const ends = said.log.filter((line) => !line.startsWith("started"));
  assert.deepEqual(ends, ['passed accept "2"', 'failed accept "3"', 'errored accept "4": errors', "end"]);
  const message = said.messages.get('accept "3"');
  assert.equal(message?.message, "m\nh");
  assert.deepEqual([message?.expectedOutput, message?.actualOutput], ["3", "1"]);
  assert.equal(message?.contextValue, "ogc.acceptable");
  assert.deepEqual(said.context.get("ogc.failedCases"), [`${A.text}#0.1`]);
});

test("only the selected tests run", async () => {
  const { run } = await started();
  await run([`${A.text}#0.0`]);
  assert.deepEqual(said.log, ['started accept "2"', 'passed accept "2"', "end"]);
  said.log.length = 0;
  await run([`${A.text}#0`], [`${A.text}#0.1`, `${A.text}#0.2`]);
  assert.deepEqual(said.log, ['started accept "2"', 'passed accept "2"', "end"]);
  said.log.length = 0;
  await run([B.text]);
  assert.deepEqual(said.log, ["end"]);
});

test("a case whose result was accepted runs again", async () => {
  const { controller, asked, run } = await started();
  await run();
  said.log.length = 0;
  const item = controller.items.get(A.text)?.children.get(`${A.text}#0`)?.children.get(`${A.text}#0.1`);
  await vscode.commands.executeCommand("ogc.client.acceptTest", { test: item });
  const params = { textDocument: { uri: A.text }, position: { line: 3, character: 2 } };
  assert.ok(asked.includes(`ogc/acceptTest ${JSON.stringify(params)}`));
  assert.deepEqual(said.log, ['started accept "3"', 'passed accept "3"', "end"]);
  assert.deepEqual(said.context.get("ogc.failedCases"), []);
  said.log.length = 0;
  await vscode.commands.executeCommand("ogc.client.acceptTest", item);
  assert.deepEqual(said.log, ["information ogc: no case fails there any more."]);
});
