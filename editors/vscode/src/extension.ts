/** The ogc extension: it starts the language server, and adds features that the protocol lacks. */
import * as vscode from "vscode";
import { registerCommands } from "./commands.js";
import { registerExplanations } from "./explain.js";
import { Panels, VIEW_TYPE } from "./panel/panel.js";
import { Session } from "./server/session.js";
import { registerStatus } from "./status.js";
import { Problems } from "./tasks/problems.js";
import { registerTasks } from "./tasks/provider.js";
import { registerTests } from "./tests/controller.js";

let running: Session | undefined;

/** The interface for other extensions and for tests. */
export interface Api {
  session: Session;
}

export async function activate(context: vscode.ExtensionContext): Promise<Api> {
  const session = new Session(context);
  const panels = new Panels(session, context.extensionUri);
  const problems = new Problems();
  running = session;
  context.subscriptions.push(
    session,
    panels,
    problems,
    registerCommands(session, panels),
    registerExplanations(session),
    registerStatus(session),
    registerTasks(session, problems),
    registerTests(session),
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: async (webview) => panels.restore(webview),
    }),
    vscode.workspace.onDidChangeConfiguration((event) => settingsChanged(session, event)),
  );
  await session.start();
  return { session };
}

export function deactivate(): Promise<void> | undefined {
  return running?.stop();
}

/** Tells the server the new settings, or restarts it if it gets the changed setting only at its start. */
async function settingsChanged(session: Session, event: vscode.ConfigurationChangeEvent): Promise<void> {
  if (event.affectsConfiguration("ogc.server") || event.affectsConfiguration("ogc.jsonFiles")) {
    await session.restart();
  } else if (event.affectsConfiguration("ogc")) {
    await session.tellSettings();
    session.refreshDecorations();
  }
}
