// Helpers of the tests in the extension host: files with a cursor, and waiting for later results.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");

/** Marks the cursor, or both ends of a selection, in the text of a file. */
const CURSOR = "$0";

/** Starts the extension, and waits for its server. */
exports.activate = async () => {
  const extension = vscode.extensions.getExtension("ogc.ogc");
  if (extension === undefined) {
    throw new Error("VS Code does not know the extension ogc.ogc");
  }
  const { session } = await extension.activate();
  await exports.eventually("the server runs", () => {
    if (session.state.kind === "failed") {
      throw new Error(session.state.message);
    }
    return session.state.kind === "running";
  });
  return session;
};

/** Writes files into the workspace and opens the one with a cursor, or the first; returns its document and its cursors. */
exports.open = async (files) => {
  const entries = Object.entries(files).map(([name, marked]) => ({ uri: exports.uriOf(name), ...unmark(marked) }));
  for (const { uri, text } of entries) {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  }
  const chosen = entries.find(({ offsets }) => offsets.length > 0) ?? entries[0];
  const document = await vscode.workspace.openTextDocument(chosen.uri);
  const positions = chosen.offsets.map((offset) => document.positionAt(offset));
  const editor = await vscode.window.showTextDocument(document);
  const range = new vscode.Range(
    positions[0] ?? new vscode.Position(0, 0),
    positions.at(-1) ?? new vscode.Position(0, 0),
  );
  editor.selection = new vscode.Selection(range.start, range.end);
  return { document, uri: chosen.uri, editor, position: range.start, range };
};

/** Opens a file of the workspace unchanged, with the cursor behind the first occurrence of a text. */
exports.openExisting = async (name, before) => {
  const uri = exports.uriOf(name);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.getText().indexOf(before);
  if (at < 0) {
    throw new Error(`${name} does not contain ${before}`);
  }
  const position = document.positionAt(at + before.length);
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(position, position);
  return { document, uri, editor, position };
};

/** The address of a file of the workspace. */
exports.uriOf = (name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);

/** Replaces the first occurrence of a text in a document, like typing. */
exports.replace = async (document, before, after) => {
  const at = document.getText().indexOf(before);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + before.length));
  edit.replace(document.uri, range, after);
  if (at < 0 || !(await vscode.workspace.applyEdit(edit))) {
    throw new Error(`${before} was not replaced`);
  }
};

/** Waits until a question has an answer that is neither empty nor false; returns it. */
exports.eventually = async (what, ask, limitMs = 10_000) => {
  const end = Date.now() + limitMs;
  let last;
  while (Date.now() < end) {
    last = await ask();
    if (Array.isArray(last) ? last.length > 0 : last) {
      return last;
    }
    await new Promise((done) => setTimeout(done, 30));
  }
  throw new Error(`it did not come about: ${what} (last: ${JSON.stringify(last)})`);
};

/** Returns the diagnostics of a file as `code: the text it is about`. */
exports.diagnosticsOf = (document) =>
  vscode.languages.getDiagnostics(document.uri).map(({ code, range }) => `${codeOf(code)}: ${document.getText(range)}`);

/** Waits until a file has a diagnostic with a code; returns it. */
exports.diagnostic = async (document, wanted) => {
  const [found] = await exports.eventually(`${wanted} in ${vscode.workspace.asRelativePath(document.uri)}`, () =>
    vscode.languages.getDiagnostics(document.uri).filter(({ code }) => codeOf(code) === wanted),
  );
  return found;
};

/** Sends the editor a request, like its user interface; repeats it while there is no answer. */
exports.ask = (command, ...args) =>
  exports.eventually(command, () => vscode.commands.executeCommand(command, ...args), 10_000);

/** The text of hovers. */
exports.hoverText = (hovers) =>
  hovers.flatMap(({ contents }) => contents.map((part) => (typeof part === "string" ? part : part.value))).join("\n");

exports.closeAll = async () => {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
};

/** Reads a file of the workspace from disk. */
exports.onDisk = (name) => readFileSync(join(vscode.workspace.workspaceFolders[0].uri.fsPath, name), "utf8");

function unmark(marked) {
  const parts = marked.split(CURSOR);
  const offsets = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("").length);
  return { text: parts.join(""), offsets };
}

function codeOf(code) {
  return typeof code === "object" && code !== null ? code.value : code;
}
