/** The panel beside the editor: it follows the cursor, and passes the questions of its page to the server. */
import * as vscode from "vscode";
import {
  type DefinitionAt,
  type FormatInfo,
  type FormatParams,
  type GenerateResult,
  type Location,
  METHODS,
  type Notation,
} from "../requests.js";
import { messageOf } from "../server/error.js";
import type { Session } from "../server/session.js";
import { followsCursor, isFormat, modelPath } from "../settings.js";
import { Follower } from "./follow.js";
import { generate } from "./generate.js";
import { page } from "./html.js";
import type { FromPage, Tab, Target, ToPage } from "./protocol.js";

export const VIEW_TYPE = "ogc.panel";

/** The reason why a page is shown: a command, or a restart of the editor. */
export class Panels implements vscode.Disposable {
  private open: Panel | undefined;

  constructor(
    private readonly session: Session,
    private readonly extension: vscode.Uri,
  ) {}

  /**
   * Shows the panel for a format, or for the active editor, on a tab if one is named. `run` also starts work that the tab does not start
   * by itself.
   */
  async show(tab?: Tab, run = false, about?: FormatParams): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (this.open === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.adopt(vscode.window.createWebviewPanel(VIEW_TYPE, "ogc", column, this.options()));
    } else {
      this.open.reveal();
    }
    await (about === undefined ? this.open?.look(editor, true) : this.open?.lookAt(about));
    if (tab !== undefined) {
      this.open?.send({ kind: "show", tab, run });
    }
  }

  /** Takes over a panel of an earlier session of the editor. */
  restore(webview: vscode.WebviewPanel): void {
    webview.webview.options = this.options();
    this.open?.dispose();
    this.adopt(webview);
    void this.open?.look(vscode.window.activeTextEditor, true);
  }

  dispose(): void {
    this.open?.dispose();
  }

  private adopt(webview: vscode.WebviewPanel): void {
    const panel = new Panel(webview, this.session, this.extension);
    this.open = panel;
    webview.onDidDispose(() => {
      panel.dispose();
      if (this.open === panel) {
        this.open = undefined;
      }
    });
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist")] };
  }
}

class Panel implements vscode.Disposable {
  private target: Target | null = null;
  private note = "Put the cursor into a definition.";
  private definitions: string[] = [];
  /** Whether the page can read messages. A page that was hidden is made anew, and then gets the whole state. */
  private isReady = false;
  /** The tab that was asked for before the page was ready. */
  private pending: ToPage | undefined;
  private wasRunning = false;
  /** The number of starts of the server; after each, questions that failed without it are asked again. */
  private starts = 0;
  private generating: AbortController | undefined;
  private readonly follower: Follower;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    private readonly webview: vscode.WebviewPanel,
    private readonly session: Session,
    extension: vscode.Uri,
  ) {
    webview.iconPath = {
      light: vscode.Uri.joinPath(extension, "icons", "ogc-light.svg"),
      dark: vscode.Uri.joinPath(extension, "icons", "ogc-dark.svg"),
    };
    this.follower = new Follower((editor) => this.look(editor));
    this.subscriptions.push(
      this.follower,
      webview.webview.onDidReceiveMessage((message: FromPage) => this.receive(message)),
      webview.onDidChangeViewState(() => {
        this.isReady &&= webview.visible;
      }),
      session.onState(() => this.serverChanged()),
      session.onCosts((uris) => this.costsChanged(uris)),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("ogc.model") && this.sendModel()),
    );
    webview.webview.html = page(webview.webview, extension);
  }

  reveal(): void {
    this.webview.reveal(undefined, true);
  }

  dispose(): void {
    this.generating?.abort();
    for (const subscription of this.subscriptions.splice(0)) {
      subscription.dispose();
    }
    this.webview.dispose();
  }

  send(message: ToPage): void {
    if (this.isReady) {
      void this.webview.webview.postMessage(message);
    } else if (message.kind === "show") {
      this.pending = message;
    }
  }

  /**
   * Finds the definition around the cursor of an editor. Between definitions, the last one of the file stays. It also stays if the panel
   * does not follow the cursor, unless it was asked to look.
   */
  async look(editor: vscode.TextEditor | undefined, isAsked = false): Promise<void> {
    if (editor === undefined || !isFormat(editor.document)) {
      return this.aim(this.target, this.target === null ? "Open a format to see it here." : "");
    }
    const uri = editor.document.uri.toString();
    const { version } = editor.document;
    const stays = !isAsked && !followsCursor() && this.target?.uri === uri;
    try {
      const textDocument = { uri };
      const position = editor.selection.active;
      const params = { textDocument, position: { line: position.line, character: position.character } };
      const [at, formats] = await Promise.all([
        stays ? null : this.session.request<DefinitionAt | null>("ogc/definitionAt", params),
        this.session.request<FormatInfo[]>("ogc/formats", { textDocument }),
      ]);
      if (editor.document.version !== version) {
        return; // The edit causes another call.
      }
      this.definitions = formats.flatMap(({ name }) => name ?? []);
      const definition = at?.name ?? (at === null ? this.lastOrFirst(uri, formats) : null);
      if (definition === undefined) {
        return this.aim(null, "This file has no definition to show yet.");
      }
      const file = vscode.workspace.asRelativePath(editor.document.uri);
      this.aim({ uri, file, definition, revision: this.revision() }, "");
    } catch (error) {
      this.aim(this.target, messageOf(error));
    }
  }

  /** Shows a format, wherever the cursor is. */
  async lookAt({ textDocument, definition }: FormatParams): Promise<void> {
    const { uri } = textDocument;
    const formats = await this.session.request<FormatInfo[]>("ogc/formats", { textDocument });
    this.definitions = formats.flatMap(({ name }) => name ?? []);
    const file = vscode.workspace.asRelativePath(vscode.Uri.parse(uri, true));
    this.aim({ uri, file, definition: definition ?? null, revision: this.revision() }, "");
  }

  private revision(): number {
    return this.follower.edits + this.starts;
  }

  /** Between definitions: the definition that was shown, or the file's first output; `null` if the file is a single format. */
  private lastOrFirst(uri: string, formats: FormatInfo[]): string | null | undefined {
    const last = this.target?.uri === uri ? this.target.definition : undefined;
    if (last !== undefined && formats.some(({ name }) => name === last)) {
      return last;
    }
    return (formats.find(({ isOutput }) => isOutput) ?? formats[0])?.name;
  }

  private aim(target: Target | null, note: string): void {
    const [before, now] = [this.target, target];
    if (before?.uri !== now?.uri || before?.definition !== now?.definition || before?.revision !== now?.revision) {
      this.generating?.abort(); // The page does not wait for it any more.
    }
    this.target = target;
    this.note = note;
    this.webview.title = target === null ? "ogc" : `ogc: ${target.definition ?? target.file.split("/").at(-1) ?? ""}`;
    this.send({ kind: "target", target, definitions: this.definitions, note });
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.kind) {
      case "ready":
        return this.tellEverything();
      case "ask":
        return this.answer(message);
      case "reveal":
        return reveal(message.location);
      case "copy":
        return vscode.env.clipboard.writeText(message.text);
      case "add-test":
        return this.addTest(message.text);
      case "open":
        return open(message.text, message.notation);
      case "stop":
        return this.generating?.abort();
      case "settings":
        await vscode.commands.executeCommand("workbench.action.openSettings", message.setting);
        return;
    }
  }

  /** Adds a text as a case to the test of the definition that is shown. */
  private async addTest(text: string): Promise<void> {
    if (this.target === null) {
      return;
    }
    try {
      const isAdded = await this.session.applyEditOf("ogc/addTest", { ...formatOf(this.target), text });
      const name = this.target.definition ?? this.target.file;
      vscode.window.setStatusBarMessage(`ogc: ${isAdded ? `added to the test of ${name}` : "nothing was added"}`, 8000);
    } catch (error) {
      void vscode.window.showErrorMessage(`ogc: ${messageOf(error)}`);
    }
  }

  private tellEverything(): void {
    this.isReady = true;
    this.sendVocabularies();
    this.sendModel();
    this.send({ kind: "target", target: this.target, definitions: this.definitions, note: this.note });
    if (this.pending !== undefined) {
      this.send(this.pending);
      this.pending = undefined;
    }
  }

  private async answer(ask: FromPage & { kind: "ask" }): Promise<void> {
    const { id, method } = ask;
    if (this.target === null || !METHODS.includes(method)) {
      return this.send({ kind: "answer", id, ok: false, message: "There is nothing to ask about." });
    }
    const target = this.target;
    try {
      const result =
        method === "client/generate"
          ? await this.generate(target, ask)
          : await this.session.about(method, formatOf(target), ask.params);
      this.send({ kind: "answer", id, ok: true, result });
    } catch (error) {
      this.send({ kind: "answer", id, ok: false, message: messageOf(error) });
    }
  }

  /** Runs the language model on the saved file; an earlier run is stopped. */
  private async generate(
    target: Target,
    ask: Extract<FromPage, { method: "client/generate" }>,
  ): Promise<GenerateResult> {
    const [binary, model, uri] = [this.session.binary, modelPath(), vscode.Uri.parse(target.uri, true)];
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (binary === undefined || model === "") {
      throw new Error("There is no model: set `ogc.model`.");
    }
    if (uri.scheme !== "file" || document?.isDirty === true) {
      throw new Error("Save the file first: the model runs on the saved file.");
    }
    this.generating?.abort();
    const generating = new AbortController();
    this.generating = generating;
    const definition = target.definition ?? undefined;
    const wanted = { binary, model, file: uri.fsPath, definition, ...ask.params };
    return generate(wanted, generating.signal, (result) => this.send({ kind: "progress", id: ask.id, result }));
  }

  /** Tells the page which language model is configured. */
  private sendModel(): void {
    this.send({ kind: "model", model: modelPath() || null });
  }

  private serverChanged(): void {
    const isRunning = this.session.state.kind === "running";
    this.sendVocabularies();
    if (isRunning !== this.wasRunning) {
      this.wasRunning = isRunning;
      this.starts += 1;
      void this.look(this.follower.editor);
    }
  }

  private sendVocabularies(): void {
    const { state } = this.session;
    if (state.kind === "running" && state.status !== undefined) {
      this.send({ kind: "vocabularies", vocabularies: state.status.vocabularies });
    }
  }

  private costsChanged(uris: string[]): void {
    if (this.target !== null && uris.includes(this.target.uri)) {
      this.send({ kind: "costs-changed" });
    }
  }
}

function formatOf({ uri, definition }: Target): FormatParams {
  return { textDocument: { uri }, ...(definition === null ? {} : { definition }) };
}

/** The languages of documents by notation. */
const LANGUAGE: Record<Notation, string> = {
  "json-schema": "json",
  gbnf: "gbnf",
  lark: "lark",
  regex: "plaintext",
  ogc: "ogc",
  prompt: "markdown",
};

async function open(content: string, notation: Notation): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE[notation], content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
}

async function reveal({ uri, range }: Location): Promise<void> {
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  const address = vscode.Uri.parse(uri, true);
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === address.toString());
  const column = open?.viewColumn ?? vscode.ViewColumn.One;
  await vscode.window.showTextDocument(address, { selection, viewColumn: column });
}
