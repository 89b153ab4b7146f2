/** The tests of `.ogc` files in the editor's view of tests: finds them, runs them, and accepts their results. */
import * as vscode from "vscode";
import type { CaseResult, Range, TestInfo, TestResult } from "../requests.js";
import { messageOf as errorText } from "../server/error.js";
import type { Session } from "../server/session.js";
import { isWithin, messageOf, resultsOf, type TestNode, treeOf } from "./tree.js";

/** The files whose tests are shown, and those that are left out. */
const FILES = "**/*.ogc";
const LEFT_OUT = "**/{node_modules,target,.*}/**";

/** Maximum number of files that are searched for tests. */
const MOST = 1000;

/** The pause in typing after which the tests of a document are listed again. */
const PAUSE_MS = 400;

/** Marks the messages whose case can be accepted, for menus. */
const ACCEPTABLE = "ogc.acceptable";

/** The parts of the language server that the tests need. */
export type TestServer = Pick<Session, "state" | "onState" | "request" | "applyEditOf">;

export function registerTests(session: TestServer): vscode.Disposable {
  const tests = new Tests(session);
  const watcher = vscode.workspace.createFileSystemWatcher(FILES);
  tests.serverIs(session.state.kind === "running");
  return vscode.Disposable.from(
    tests,
    watcher,
    // The server learns of a change at about the same time.
    watcher.onDidCreate((uri) => tests.refreshSoon(uri)),
    watcher.onDidChange((uri) => tests.refreshSoon(uri)),
    watcher.onDidDelete((uri) => tests.forget(uri)),
    vscode.workspace.onDidOpenTextDocument(({ uri, languageId }) => languageId === "ogc" && tests.refreshSoon(uri)),
    vscode.workspace.onDidChangeTextDocument(
      ({ document }) => document.languageId === "ogc" && tests.refreshSoon(document.uri),
    ),
    session.onState(({ kind }) => tests.serverIs(kind === "running")),
  );
}

class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("ogc", "ogc");
  private readonly trees = new Map<string, TestNode[]>();
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>();
  private readonly accept: vscode.Disposable;
  /** The cases that failed in their last run. */
  private readonly failed = new Set<string>();
  private isRunning = false;
  /** Whether the editor has asked for the tests. */
  private isWanted = false;

  constructor(private readonly session: TestServer) {
    this.controller.resolveHandler = async (item) => {
      if (item === undefined) {
        this.isWanted = true;
        await this.find();
      } else if (item.uri !== undefined) {
        await this.refresh(item.uri);
      }
    };
    this.controller.refreshHandler = () => this.find();
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.run(request, token);
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, run, true);
    this.accept = vscode.commands.registerCommand("ogc.client.acceptTest", (about: unknown) => this.accepted(about));
  }

  dispose(): void {
    for (const timer of this.waiting.values()) {
      clearTimeout(timer);
    }
    this.accept.dispose();
    this.controller.dispose();
  }

  /** Lists the tests when the server begins to run: the tests of open documents, or all tests if the editor has asked for them. */
  serverIs(running: boolean): void {
    if (running && !this.isRunning) {
      void (this.isWanted ? this.find() : this.refreshAll(open()));
    }
    this.isRunning = running;
  }

  refreshSoon(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.waiting.get(key));
    const now = () => {
      this.waiting.delete(key);
      void this.refresh(uri);
    };
    this.waiting.set(key, setTimeout(now, PAUSE_MS));
  }

  forget(uri: vscode.Uri): void {
    this.trees.delete(uri.toString());
    this.controller.items.delete(uri.toString());
  }

  /** Lists the tests of a file anew. A file without tests is not shown. */
  async refresh(uri: vscode.Uri): Promise<TestNode[]> {
    if (this.session.state.kind !== "running") {
      return [];
    }
    const id = uri.toString();
    let tests: TestInfo[];
    try {
      tests = await this.session.request<TestInfo[]>("ogc/tests", { textDocument: { uri: id } });
    } catch {
      tests = []; // The server does not know the file: it is closed, and outside of the folders.
    }
    const tree = treeOf(id, tests);
    if (tree.length === 0) {
      this.forget(uri);
      return tree;
    }
    const file = this.controller.items.get(id) ?? this.controller.createTestItem(id, nameOf(uri), uri);
    file.children.replace(tree.map((node) => this.item(node, uri)));
    this.controller.items.add(file);
    this.trees.set(id, tree);
    return tree;
  }

  private async find(): Promise<void> {
    const found = await vscode.workspace.findFiles(FILES, LEFT_OUT, MOST);
    const uris = new Map([...found, ...open()].map((uri) => [uri.toString(), uri]));
    await this.refreshAll([...uris.values()]);
  }

  private async refreshAll(uris: vscode.Uri[]): Promise<void> {
    for (const uri of uris) {
      await this.refresh(uri);
    }
  }

  private item(node: TestNode, uri: vscode.Uri): vscode.TestItem {
    const item = this.controller.createTestItem(node.id, node.label, uri);
    item.description = node.description;
    item.range = toRange(node.range);
    item.children.replace(node.children.map((child) => this.item(child, uri)));
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    // Items may be made anew, but keep their ids.
    const wanted = request.include?.map(({ id }) => id);
    const excluded = request.exclude?.map(({ id }) => id) ?? [];
    const isWanted = (id: string) =>
      (wanted === undefined || wanted.some((one) => isWithin(id, one))) && !excluded.some((one) => isWithin(id, one));
    for (const [, file] of [...this.controller.items]) {
      const isFile = wanted === undefined || wanted.some((one) => isWithin(one, file.id) || isWithin(file.id, one));
      if (!token.isCancellationRequested && isFile && file.uri !== undefined) {
        await this.runFile(run, file.uri, isWanted, token);
      }
    }
    run.end();
    await vscode.commands.executeCommand("setContext", "ogc.failedCases", [...this.failed]);
  }

  private async runFile(
    run: vscode.TestRun,
    uri: vscode.Uri,
    isWanted: (id: string) => boolean,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const tree = await this.refresh(uri);
    const items = this.cases(uri).filter(({ id }) => isWanted(id));
    for (const item of items) {
      run.started(item);
      this.failed.delete(item.id);
    }
    try {
      const params = { textDocument: { uri: uri.toString() } };
      const results = resultsOf(tree, await this.session.request<TestResult[]>("ogc/testResults", params, token));
      for (const item of items) {
        const result = results?.get(item.id);
        if (result === undefined) {
          run.errored(item, new vscode.TestMessage("The file was edited meanwhile. Run its tests again."));
        } else {
          this.report(run, item, result);
        }
      }
    } catch (error) {
      for (const item of items) {
        run.errored(item, new vscode.TestMessage(errorText(error)));
      }
    }
  }

  private report(run: vscode.TestRun, item: vscode.TestItem, result: CaseResult): void {
    if (result.state === "passed") {
      run.passed(item);
    } else if (result.state === "skipped") {
      run.errored(item, new vscode.TestMessage(result.message));
    } else {
      this.failed.add(item.id);
      run.failed(item, failure(item, result));
    }
  }

  /** Returns the items of the cases of a file. */
  private cases(uri: vscode.Uri): vscode.TestItem[] {
    const tests = [...(this.controller.items.get(uri.toString())?.children ?? [])].map(([, test]) => test);
    return tests.flatMap((test) => [...test.children].map(([, item]) => item));
  }

  /** Changes the case of a test, or of a message about a test, so that it holds, and runs it again. */
  private async accepted(about: unknown): Promise<void> {
    const { test } = (about ?? {}) as { test?: vscode.TestItem };
    const item = test ?? (about as vscode.TestItem | undefined);
    if (item?.uri === undefined || item.range === undefined) {
      return;
    }
    const { line, character } = item.range.start;
    const params = { textDocument: { uri: item.uri.toString() }, position: { line, character } };
    try {
      if (!(await this.session.applyEditOf("ogc/acceptTest", params))) {
        void vscode.window.showInformationMessage("ogc: no case fails there any more.");
        return;
      }
    } catch (error) {
      void vscode.window.showErrorMessage(`ogc: ${errorText(error)}`);
      return;
    }
    await this.refresh(item.uri);
    // The edit has made the items anew.
    const fresh = this.cases(item.uri).find(({ id }) => id === item.id);
    if (fresh !== undefined) {
      const source = new vscode.CancellationTokenSource();
      await this.run(new vscode.TestRunRequest([fresh]), source.token);
      source.dispose();
    }
  }
}

/** Makes the message of a case that failed: with the expected text, and a similar text that is accepted. */
function failure(item: vscode.TestItem, result: CaseResult & { state: "failed" }): vscode.TestMessage {
  const { texts } = result;
  const message =
    texts === null || texts === undefined
      ? new vscode.TestMessage(messageOf(result))
      : vscode.TestMessage.diff(messageOf(result), texts.refused, texts.accepted);
  message.contextValue = ACCEPTABLE;
  if (item.uri !== undefined) {
    message.location = new vscode.Location(item.uri, toRange(result.at));
  }
  return message;
}

/** Returns the documents that are open. */
function open(): vscode.Uri[] {
  return vscode.workspace.textDocuments.filter(({ languageId }) => languageId === "ogc").map(({ uri }) => uri);
}

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
