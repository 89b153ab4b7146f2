/** The commands of the extension, without the commands of the server (`ogc.runTests`, `ogc.build`, `ogc.sample`). */
import * as vscode from "vscode";
import { explain } from "./explain.js";
import type { Panels } from "./panel/panel.js";
import type { Tab } from "./panel/protocol.js";
import type { ConvertResult, FormatParams } from "./requests.js";
import { messageOf } from "./server/error.js";
import { ask } from "./server/probe.js";
import type { Session } from "./server/session.js";
import { isFormat } from "./settings.js";
import { readMessages } from "./tasks/messages.js";

export function registerCommands(session: Session, panels: Panels): vscode.Disposable {
  const tab =
    (tab?: Tab, run = false) =>
    (about?: unknown) =>
      panels.show(tab, run, formatOf(about));
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    openPanel: tab(),
    showDiagram: tab("diagram"),
    sample: tab("samples"),
    tryText: tab("match"),
    exploreMasks: tab("masks"),
    showCosts: tab("costs"),
    compareWithSaved: tab("difference", true),
    runTests: () => onFile(session, "ogc.runTests"),
    build: () => onFile(session, "ogc.build"),
    convert: () => convert(session),
    explain: (code) => explain(session, code),
    newFile: () => newFile(session),
    restart: () => session.restart(),
    showOutput: () => session.output.show(),
    openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:ogc.ogc"),
    menu: () => menu(session),
  };
  const registered = Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`ogc.client.${name}`, (...args: unknown[]) => guarded(() => run(...args))),
  );
  return vscode.Disposable.from(...registered);
}

/** Reads the argument of a command from a lens; menus and keys pass other arguments. */
function formatOf(argument: unknown): FormatParams | undefined {
  const { textDocument } = (argument ?? {}) as Partial<FormatParams>;
  return typeof textDocument?.uri === "string" ? (argument as FormatParams) : undefined;
}

/** Shows an error as a message. */
async function guarded(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    void vscode.window.showErrorMessage(`ogc: ${messageOf(error)}`);
    return undefined;
  }
}

/** Runs a command of the server on the file of the active editor. */
async function onFile(session: Session, command: string): Promise<void> {
  if (session.state.kind !== "running") {
    throw new Error(session.state.kind === "failed" ? session.state.message : "The language server does not run.");
  }
  const params: FormatParams = { textDocument: { uri: activeFormat().uri.toString() } };
  await vscode.commands.executeCommand(command, params);
}

/** Returns the document of the active editor, which must be a format. */
function activeFormat(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !isFormat(document)) {
    throw new Error("The active editor has no format. Open an .ogc file, a schema or a grammar.");
  }
  return document;
}

async function convert(session: Session): Promise<void> {
  const textDocument = { uri: activeFormat().uri.toString() };
  const { text, notes } = await session.request<ConvertResult>("ogc/convert", { textDocument });
  const document = await vscode.workspace.openTextDocument({ language: "ogc", content: text });
  await vscode.window.showTextDocument(document);
  if (notes.length > 0) {
    session.output.appendLine(["Notes on the conversion:", ...notes.map((note) => `- ${note}`)].join("\n"));
    const show = "Show Notes";
    const said = notes.length === 1 ? notes[0] : `${notes.length} notes on the conversion`;
    if ((await vscode.window.showInformationMessage(`ogc: ${said}`, show)) === show) {
      session.output.show();
    }
  }
}

async function newFile(session: Session): Promise<void> {
  if (session.binary === undefined) {
    throw new Error("There is no ogc binary to ask for templates; set `ogc.server.path`.");
  }
  const listed = await ask(session.binary, ["new", "--list", "--message-format", "json"]);
  const items = readMessages(listed.output)
    .filter((message) => message.type === "template")
    .map(({ template, about }) => ({ label: String(template), description: String(about ?? "") }));
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: "What shall the model write?",
    matchOnDescription: true,
  });
  if (chosen === undefined) {
    return;
  }
  const made = await ask(session.binary, ["new", "-", "--template", chosen.label, "--message-format", "json"]);
  const text = readMessages(made.output).find((message) => message.type === "new")?.text;
  const document = await vscode.workspace.openTextDocument({ language: "ogc", content: String(text ?? "") });
  await vscode.window.showTextDocument(document);
}

/** The commands that the item in the status bar offers. */
async function menu(session: Session): Promise<void> {
  const item = (label: string, command: string) => ({ label, command });
  const running = session.state.kind === "running";
  const items = [
    ...(running ? [item("$(open-preview) Open the panel", "openPanel")] : []),
    item("$(debug-restart) Restart the language server", "restart"),
    item("$(output) Show the output", "showOutput"),
    item("$(question) Explain a code", "explain"),
    item("$(gear) Open the settings", "openSettings"),
  ];
  const placeHolder = session.state.kind === "failed" ? session.state.message : "ogc";
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(`ogc.client.${chosen.command}`);
  }
}
