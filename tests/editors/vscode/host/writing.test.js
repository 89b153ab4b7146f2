// Tests of the editor's changes to a text: completion, fixes, layout.
const assert = require("node:assert");
const vscode = require("vscode");
const { ask, diagnostic, eventually, open, openExisting } = require("./lib.js");

/** Returns the items of completion; labels may be objects. */
async function completions({ uri, position }, resolved = 0) {
  const { items } = await vscode.commands.executeCommand(
    "vscode.executeCompletionItemProvider",
    uri,
    position,
    undefined,
    resolved,
  );
  return items.map((item) => ({ ...item, name: typeof item.label === "string" ? item.label : item.label.label }));
}

async function completion(file, name, resolved = 0) {
  const [found] = await eventually(`${name} is offered`, async () =>
    (await completions(file, resolved)).filter((item) => item.name === name),
  );
  return found;
}

exports["completion offers definitions and built-in types"] = async () => {
  const file = await open({ "complete.ogc": "type Person = { name: string }\noutput Answer = { who: $0 }\n" });
  await completion(file, "Person");
  await completion(file, "date");
};

exports["completion is documented when it is looked at"] = async () => {
  const file = await open({ "documented.ogc": "/// Of age.\ntype Adult = 18..150\noutput Answer = { who: Adu$0 }\n" });
  const { documentation } = await completion(file, "Adult", 200);
  assert.match(documentation?.value ?? documentation ?? "", /Of age\./);
};

exports["completion offers the files that can be imported"] = async () => {
  const names = (
    await eventually("names", async () => completions(await open({ "import.ogc": 'import "$0" as x\n' })))
  ).map(({ name }) => name);
  assert.ok(
    names.some((name) => name.includes("extraction.ogc")),
    names.join(" "),
  );
};

exports["completion offers files of every language and folders on the disk"] = async () => {
  const files = { "disk/a.lark": "", "disk/b.abnf": "", "disk/c.json": "[]", "disk/sub/d.regex": "", "disk/note.txt": "" };
  const file = await open({ ...files, "disk/user.ogc": 'import A from "$0"\n' });
  const sub = await completion(file, "sub/");
  assert.equal(sub.kind, vscode.CompletionItemKind.Folder);
  assert.equal(sub.command?.command, "editor.action.triggerSuggest");
  const names = (await completions(file)).map(({ name }) => name);
  for (const name of ["a.lark", "b.abnf", "c.json"]) {
    assert.ok(names.includes(name), `${name} in ${names.join(" ")}`);
  }
  assert.ok(!names.includes("note.txt") && !names.includes("user.ogc"), names.join(" "));
};

exports["nothing is offered in comments"] = async () => {
  const file = await open({ "quiet.ogc": "// a type $0\ntype A = int\n" });
  const named = (await completions(file)).filter(({ name }) => name === "A" || name === "string");
  // The editor itself adds words of the file; only these have the kind text.
  assert.deepEqual(
    named.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text),
    [],
  );
};

exports["signature help names the parameters"] = async () => {
  const { uri, position } = await open({
    "help.ogc": "type Page<Item, Size> = { items: Item[1..9], size: Size }\noutput A = Page<int, $0>\n",
  });
  const help = await ask("vscode.executeSignatureHelpProvider", uri, position);
  assert.match(help.signatures[0].label, /Item.*Size/);
  assert.equal(help.activeParameter, 1);
};

exports["a fix is applied"] = async () => {
  const { document, uri } = await open({ "fix.ogc": "type Person = { name: string }\noutput Answer = Persn\n" });
  const { range } = await diagnostic(document, "unknown-name");
  const actions = await ask("vscode.executeCodeActionProvider", uri, range, vscode.CodeActionKind.QuickFix.value);
  const fix = actions.find(({ title }) => title.includes("Person"));
  assert.ok(fix, actions.map(({ title }) => title).join("; "));
  assert.ok(await vscode.workspace.applyEdit(fix.edit));
  assert.match(document.getText(), /output Answer = Person\n/);
  await eventually("no diagnostics", () => vscode.languages.getDiagnostics(uri).length === 0);
};

exports["an unknown type is created"] = async () => {
  const { document, uri, range } = await open({ "create.ogc": "type A = { at: Po$0int }\noutput O = A\n" });
  await diagnostic(document, "unknown-name");
  const [action] = await eventually("the action", async () =>
    (await vscode.commands.executeCommand("vscode.executeCodeActionProvider", uri, range, undefined, 10)).filter(
      ({ title }) => title === "Create the type `Point`",
    ),
  );
  await vscode.workspace.applyEdit(action.edit);
  assert.equal(document.getText(), "type A = { at: Point }\ntype Point = {}\noutput O = A\n");
};

exports["a refactoring extracts a type"] = async () => {
  const { document, uri, range } = await open({ "extract.ogc": "output Answer = { who: $0{ name: string }$0 }\n" });
  const actions = await ask("vscode.executeCodeActionProvider", uri, range, vscode.CodeActionKind.Refactor.value, 20);
  const extract = actions.find(({ title }) => /extract/i.test(title));
  assert.ok(extract, actions.map(({ title }) => title).join("; "));
  assert.ok(await vscode.workspace.applyEdit(extract.edit));
  assert.match(document.getText(), /type \w+ = \{ name: string \}/);
};

exports["a document is formatted"] = async () => {
  const { document, uri } = await open({ "layout.ogc": "type   A={a:int,b?:string}\noutput B=A[1 ..3]\n" });
  const edits = await ask("vscode.executeFormatDocumentProvider", uri, { tabSize: 2, insertSpaces: true });
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.equal(document.getText(), "type A = { a: int, b?: string }\noutput B = A[1..3]\n");
};

exports["a formatted file is left alone"] = async () => {
  const { uri } = await openExisting("tool-calls.ogc", "");
  const edits = await vscode.commands.executeCommand("vscode.executeFormatDocumentProvider", uri, {
    tabSize: 2,
    insertSpaces: true,
  });
  assert.deepEqual(edits ?? [], []);
};
