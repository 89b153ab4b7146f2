/** Shows the explanation of a finding's code, the output of `ogc explain CODE`. */
import * as vscode from "vscode";
import { ask } from "./server/probe.js";
import type { Session } from "./server/session.js";
import { readMessages } from "./tasks/messages.js";

const SCHEME = "ogc-explain";

/** Returns the address of the explanation of a code. */
export function explanationOf(code: string): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${code}.md` });
}

/** Registers the texts behind these addresses. */
export function registerExplanations(session: Session): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: (uri) => explanation(session, uri.path.slice(1).replace(/\.md$/, "")),
  });
}

/** Shows the explanation of a code: the code at the cursor, or one from a list. */
export async function explain(session: Session, code?: unknown): Promise<void> {
  const chosen = typeof code === "string" ? code : await choose(session);
  if (chosen !== undefined) {
    await vscode.commands.executeCommand("markdown.showPreview", explanationOf(chosen));
  }
}

async function explanation(session: Session, code: string): Promise<string> {
  // A code is a word; nothing else from an address is passed to a command line.
  if (session.binary === undefined || !/^[a-z0-9-]+$/.test(code) || code.startsWith("-")) {
    return `# ${code}\n\nThere is no ogc binary to ask, or this is no code.\n`;
  }
  const { output } = await ask(session.binary, ["explain", code, "--message-format", "json"]);
  for (const message of readMessages(output)) {
    if (message.type === "explanation" && typeof message.text === "string") {
      return message.text;
    }
  }
  return `# ${code}\n\nogc knows no such code.\n`;
}

async function choose(session: Session): Promise<string | undefined> {
  const here = codesAtCursor();
  const items: vscode.QuickPickItem[] = here.map((code) => ({ label: code, description: "at the cursor" }));
  for (const message of await allCodes(session)) {
    const { code, meaning, group } = message as Record<string, unknown>;
    if (typeof code === "string" && !here.includes(code)) {
      items.push({ label: code, description: String(meaning ?? ""), detail: String(group ?? "") });
    }
  }
  const placeHolder = "Which code?";
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.label;
}

async function allCodes(session: Session): Promise<Record<string, unknown>[]> {
  if (session.binary === undefined) {
    return [];
  }
  const { output } = await ask(session.binary, ["explain", "--message-format", "json"]);
  return readMessages(output).filter((message) => message.type === "code");
}

function codesAtCursor(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return [];
  }
  const { active } = editor.selection;
  const near = vscode.languages
    .getDiagnostics(editor.document.uri)
    .filter((diagnostic) => diagnostic.range.start.line <= active.line && active.line <= diagnostic.range.end.line);
  const codes = near.map(({ code }) => (typeof code === "object" ? code.value : code));
  return [...new Set(codes.filter((code) => typeof code === "string"))];
}
