// Three formats are written from prose, each with mistakes, and fixed by following only the editor.
const assert = require("node:assert");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const vscode = require("vscode");
const { ask, diagnostic, eventually, open, replace } = require("../host/lib.js");
const { MISTAKES } = require("./mistakes.js");

for (const [name, mistakes] of Object.entries(MISTAKES)) {
  const right = readFileSync(join(__dirname, "formats", name), "utf8");
  for (const mistake of mistakes) {
    exports[`${name}: ${mistake.wrong}`] = () => mend(name, right, mistake);
  }
  exports[`${name}: its tests pass`] = async () => {
    const { uri } = await open({ [name]: right });
    const { passed, failed } = await vscode.commands.executeCommand("ogc.runTests", {
      textDocument: { uri: uri.toString() },
    });
    assert.deepEqual({ failed, some: passed > 0 }, { failed: 0, some: true });
  };
}

/** Makes a mistake, follows the editor's advice, formats the file, and checks that there is no finding any more. */
async function mend(name, format, mistake) {
  const { document, uri } = await open({ [name]: format });
  await replace(document, mistake.from ?? mistake.right, mistake.wrong);
  if (mistake.code === "test") {
    await vscode.commands.executeCommand("ogc.runTests", { textDocument: { uri: uri.toString() } });
  }
  const found = await diagnostic(document, mistake.code);
  const others = vscode.languages.getDiagnostics(uri).length - 1;
  console.log(`note ${name}: ${mistake.wrong} => ${found.message}${others > 0 ? ` (and ${others} more)` : ""}`);
  if (mistake.fix !== undefined) {
    await applyFix(uri, found, mistake.fix);
  } else if (mistake.completion !== undefined) {
    await complete(document, document.getWordRangeAtPosition(found.range.start), ...mistake.completion);
  } else {
    assert.ok(found.message.includes(mistake.said), found.message);
    await replace(document, mistake.wrong, mistake.types);
  }
  await vscode.commands.executeCommand("editor.action.formatDocument");
  const expected = format.replace(mistake.from ?? mistake.right, () => mistake.gives ?? mistake.right);
  assert.equal(document.getText(), expected);
  await eventually("nothing is wrong", () =>
    vscode.languages.getDiagnostics(uri).every(({ severity }) => severity > 0),
  );
}

async function applyFix(uri, { range }, wanted) {
  const kind = vscode.CodeActionKind.QuickFix.value;
  const actions = await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, range, kind, 10);
  const fix = actions.find(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()));
  assert.ok(fix, `fixes: ${actions.map(({ title }) => title).join("; ")}`);
  assert.ok(await vscode.workspace.applyEdit(fix.edit));
}

/** Deletes a word except for its beginning, and takes an item of completion. */
async function complete(document, range, beginning, label) {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, beginning);
  await vscode.workspace.applyEdit(edit);
  const end = range.start.translate(0, beginning.length);
  const { items } = await ask("vscode.executeCompletionItemProvider", document.uri, end);
  const item = items.find((item) => (item.label.label ?? item.label) === label);
  assert.ok(item, `${label} is not among ${items.map(({ label }) => label.label ?? label).join(" ")}`);
  const editor = await vscode.window.showTextDocument(document);
  await editor.insertSnippet(
    asSnippet(item),
    item.range?.replacing ?? item.range ?? new vscode.Range(range.start, end),
  );
}

function asSnippet({ insertText, label }) {
  return insertText instanceof vscode.SnippetString
    ? insertText
    : new vscode.SnippetString(insertText ?? label.label ?? label);
}
