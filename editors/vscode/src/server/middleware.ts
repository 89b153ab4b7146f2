/** Changes that the extension makes to messages between editor and server. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { explanationOf } from "../explain.js";
import type { BuildResult, TestsResult } from "../requests.js";
import { codeLensEnabled, inlayHintsEnabled, serverSettings } from "../settings.js";

export function middleware(): Middleware {
  return {
    provideCodeLenses: (document, token, next) => (codeLensEnabled() ? next(document, token) : []),
    provideInlayHints: (document, range, token, next) => (inlayHintsEnabled() ? next(document, range, token) : []),
    provideCompletionItem: async (document, position, context, token, next) => {
      const found = await next(document, position, context, token);
      const items = Array.isArray(found) ? found : (found?.items ?? []);
      items.forEach(goOnBehindFolder);
      return found;
    },
    handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(withExplanation)),
    provideDiagnostics: async (document, previous, token, next) => {
      const report = await next(document, previous, token);
      if (report !== null && report !== undefined && "items" in report) {
        report.items.forEach(withExplanation);
      }
      return report;
    },
    executeCommand: async (command, args, next) => {
      if (command === "ogc.sample") {
        // The panel has more room than a message.
        return vscode.commands.executeCommand("ogc.client.sample", ...args);
      }
      const result: unknown = await next(command, args);
      sayResult(command, result);
      return result;
    },
    workspace: {
      configuration: async (params, token, next) => {
        const answers = await next(params, token);
        if (!Array.isArray(answers)) {
          return answers;
        }
        // Paths are expanded, as at the start.
        return params.items.map((item, at) => (item.section === "ogc" ? serverSettings() : answers[at]));
      },
    },
  };
}

/** Asks for the entries of a folder when the folder is chosen for a path. */
function goOnBehindFolder(item: vscode.CompletionItem): void {
  if (item.kind === vscode.CompletionItemKind.Folder) {
    item.command = { command: "editor.action.triggerSuggest", title: "Show the entries of the folder" };
  }
}

/** Links the code of a finding to its explanation, if the server does not. */
function withExplanation(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  if (typeof diagnostic.code === "string") {
    diagnostic.code = { value: diagnostic.code, target: explanationOf(diagnostic.code) };
  }
  return diagnostic;
}

/** Shows the result of a command of the server, because its lens may be out of sight. */
function sayResult(command: string, result: unknown): void {
  const text = command === "ogc.runTests" ? testsText(result) : command === "ogc.build" ? buildText(result) : undefined;
  if (text !== undefined) {
    vscode.window.setStatusBarMessage(`ogc: ${text}`, 8000);
  }
}

function testsText(result: unknown): string | undefined {
  const { passed, failed } = (result ?? {}) as Partial<TestsResult>;
  if (typeof passed !== "number" || typeof failed !== "number") {
    return undefined;
  }
  if (passed + failed === 0) {
    return "there are no tests";
  }
  return failed === 0 ? `all ${passed} cases hold` : `${failed} of ${passed + failed} cases failed`;
}

function buildText(result: unknown): string | undefined {
  const { written } = (result ?? {}) as Partial<BuildResult>;
  if (!Array.isArray(written)) {
    return undefined;
  }
  return written.length === 0 ? "nothing to write, all is up to date" : `wrote ${written.join(", ")}`;
}
