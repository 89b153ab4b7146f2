/** The problems that tasks found, in addition to those of the language server. */
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { explanationOf } from "../explain.js";
import { type Message, type Place, type Problem, problemOf } from "./messages.js";

export class Problems implements vscode.Disposable {
  private readonly collections = new Map<string, vscode.DiagnosticCollection>();
  private readonly found = new Map<string, Map<string, vscode.Diagnostic[]>>();
  private readonly edits: vscode.Disposable;

  constructor() {
    // The problems that a task found in a file hold until the file changes.
    this.edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        for (const collection of this.collections.values()) {
          collection.delete(document.uri);
        }
      }
    });
  }

  dispose(): void {
    this.edits.dispose();
    for (const collection of this.collections.values()) {
      collection.dispose();
    }
  }

  /** Forgets the problems of an earlier run of the same task. */
  begin(source: string): void {
    this.collection(source).clear();
    this.found.set(source, new Map());
  }

  /** Adds the problem of a message, if it has one. */
  add(source: string, message: Message, folder: string | undefined): void {
    const problem = problemOf(message, (file) => read(absolute(file, folder)));
    const found = this.found.get(source);
    if (problem === undefined || found === undefined) {
      return;
    }
    const uri = vscode.Uri.file(absolute(problem.file, folder));
    const diagnostic = diagnosticOf(problem, uri);
    if (!saidAlready(uri, diagnostic)) {
      found.set(uri.toString(), [...(found.get(uri.toString()) ?? []), diagnostic]);
    }
  }

  /** Shows the problems. */
  end(source: string): void {
    for (const [uri, diagnostics] of this.found.get(source) ?? []) {
      this.collection(source).set(vscode.Uri.parse(uri), diagnostics);
    }
    this.found.delete(source);
  }

  private collection(source: string): vscode.DiagnosticCollection {
    const collection = this.collections.get(source) ?? vscode.languages.createDiagnosticCollection(`ogc ${source}`);
    this.collections.set(source, collection);
    return collection;
  }
}

/** The language server may have reported the same for an open file. */
function saidAlready(uri: vscode.Uri, diagnostic: vscode.Diagnostic): boolean {
  const code = (one: vscode.Diagnostic) => (typeof one.code === "object" ? one.code.value : one.code);
  return vscode.languages
    .getDiagnostics(uri)
    .some((one) => code(one) === code(diagnostic) && one.range.start.isEqual(diagnostic.range.start));
}

function diagnosticOf(problem: Problem, uri: vscode.Uri): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(range(problem), problem.message, severityOf(problem.severity));
  diagnostic.source = "ogc";
  diagnostic.code = { value: problem.code, target: explanationOf(problem.code) };
  diagnostic.relatedInformation = problem.related.map((related) => {
    return new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range(related)), related.message);
  });
  return diagnostic;
}

function range({ start, end }: { start: Place; end: Place }): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function severityOf(severity: Problem["severity"]): vscode.DiagnosticSeverity {
  switch (severity) {
    case "error":
      return vscode.DiagnosticSeverity.Error;
    case "warning":
      return vscode.DiagnosticSeverity.Warning;
    case "note":
      return vscode.DiagnosticSeverity.Information;
  }
}

function absolute(file: string, folder: string | undefined): string {
  return isAbsolute(file) || folder === undefined ? file : join(folder, file);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
