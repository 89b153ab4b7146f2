/** The item in the status bar: the vocabulary, the budget and the state of the server. */
import * as vscode from "vscode";
import type { Session, SessionState } from "./server/session.js";
import { isFormat } from "./settings.js";
import { statusText } from "./status-text.js";

export function registerStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("ogc.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "ogc";
  item.command = "ogc.client.menu";
  const show = () => {
    draw(item, session.state);
    const isShown = vscode.window.visibleTextEditors.some(({ document }) => isFormat(document));
    const wanted = session.state.kind === "failed" || isShown;
    return wanted ? item.show() : item.hide();
  };
  show();
  return vscode.Disposable.from(item, session.onState(show), vscode.window.onDidChangeVisibleTextEditors(show));
}

function draw(item: vscode.StatusBarItem, state: SessionState): void {
  const { text, tooltip, isError } = statusText(state);
  item.text = text;
  item.tooltip = tooltip;
  item.accessibilityInformation = { label: tooltip };
  item.backgroundColor = isError ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
}
