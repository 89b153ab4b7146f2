/** The settings, and the part of them that the server gets. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { expand } from "./expand.js";

/** The names of the languages that the server knows. */
export const LANGUAGES = ["ogc", "gbnf", "ebnf", "abnf", "lark"] as const;

/** The settings that the server gets at its start, and after each change. */
export interface ServerSettings {
  vocabularies: string[];
  codeLens: { enabled: boolean };
  inlayHints: { enabled: boolean; sizes: boolean };
}

const section = () => vscode.workspace.getConfiguration("ogc");

function expanded(path: string): string {
  const workspaceFolder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return expand(path, { home: homedir(), workspaceFolder, environment: process.env });
}

/** Returns the setting `ogc.server.path`; empty if it is not set. */
export function serverPath(): string {
  return expanded(section().get("server.path", "").trim());
}

/** Returns the arguments of `ogc lsp`. */
export function serverArguments(): string[] {
  return section().get<string[]>("server.arguments", []);
}

/** Returns the language model that formats are tried with; empty if none is set. */
export function modelPath(): string {
  return expanded(section().get("model", "").trim());
}

/** Returns the settings that the server knows. */
export function serverSettings(): ServerSettings {
  return {
    vocabularies: section().get<string[]>("vocabularies", []).map(expanded),
    codeLens: { enabled: codeLensEnabled() },
    inlayHints: { enabled: inlayHintsEnabled(), sizes: section().get("inlayHints.sizes", false) },
  };
}

export function codeLensEnabled(): boolean {
  return section().get("codeLens.enabled", true);
}

export function inlayHintsEnabled(): boolean {
  return section().get("inlayHints.enabled", true);
}

export function followsCursor(): boolean {
  return section().get("panel.followCursor", true);
}

/** Returns the documents that the server follows: its languages, schemas, regexes and the file of settings. */
export function documentSelector(): vscode.DocumentFilter[] {
  const schemas = section().get<string[]>("jsonFiles", ["**/*.schema.json"]);
  const patterns = [...schemas, "**/*.regex", "**/ogc.toml"];
  return [
    ...LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    ...patterns.map((pattern) => ({ scheme: "file", pattern })),
  ];
}

/** Returns whether a document is a format: a document of the selector other than `ogc.toml`. */
export function isFormat(document: vscode.TextDocument): boolean {
  return !document.fileName.endsWith("ogc.toml") && vscode.languages.match(documentSelector(), document) > 0;
}
