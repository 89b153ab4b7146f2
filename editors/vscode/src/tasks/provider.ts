/** The tasks `ogc check`, `ogc build` and `ogc test` of a folder of the workspace. */
import * as vscode from "vscode";
import type { Session } from "../server/session.js";
import type { Problems } from "./problems.js";
import { Run } from "./terminal.js";

const TYPE = "ogc";
const COMMANDS = ["check", "build", "test"] as const;
type Command = (typeof COMMANDS)[number];

/** A task in tasks.json. */
interface Definition extends vscode.TaskDefinition {
  command: Command;
  paths?: string[];
  arguments?: string[];
}

export function registerTasks(session: Session, problems: Problems): vscode.Disposable {
  const create = (definition: Definition, folder: vscode.WorkspaceFolder | vscode.TaskScope) =>
    task(session, problems, definition, folder);
  return vscode.tasks.registerTaskProvider(TYPE, {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
        COMMANDS.map((command) => create({ type: TYPE, command }, folder)),
      ),
    resolveTask: (task) => {
      const definition = task.definition as Definition;
      return COMMANDS.includes(definition.command)
        ? create(definition, task.scope ?? vscode.TaskScope.Workspace)
        : undefined;
    },
  });
}

function task(
  session: Session,
  problems: Problems,
  definition: Definition,
  scope: vscode.WorkspaceFolder | vscode.TaskScope,
): vscode.Task {
  const folder = typeof scope === "object" ? scope : vscode.workspace.workspaceFolders?.[0];
  const execution = new vscode.CustomExecution(async () => {
    const { command, paths = ["."], arguments: more = [] } = definition;
    const args = [command, "--message-format", "json", ...more, ...paths];
    return new Run(session.binary, args, folder?.uri.fsPath, problems, `task ${command}`);
  });
  const made = new vscode.Task(definition, scope, definition.command, TYPE, execution);
  made.group = definition.command === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  made.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true };
  return made;
}
