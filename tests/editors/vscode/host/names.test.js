// Tests that names lead to their definitions and can be renamed, across files and into schemas.
const assert = require("node:assert");
const vscode = require("vscode");
const { ask, eventually, onDisk, open, openExisting, uriOf } = require("./lib.js");

const placeOf = (place) => ({
  uri: place.targetUri ?? place.uri,
  range: place.targetSelectionRange ?? place.targetRange ?? place.range,
});

async function definition({ uri, position }) {
  return placeOf((await ask("vscode.executeDefinitionProvider", uri, position))[0]);
}

/** Waits until the server knows both files, which have just been written. */
function referencesInBoth(uri, position) {
  return eventually("references in both files", async () => {
    const places = await vscode.commands.executeCommand("vscode.executeReferenceProvider", uri, position);
    return new Set(places.map(({ uri }) => uri.path)).size === 2 ? places : [];
  });
}

exports["definition in the same file"] = async () => {
  const { range } = await definition(await open({ "here.ogc": "type Person = int\noutput Answer = Per$0son\n" }));
  assert.deepEqual([range.start.line, range.start.character], [0, 5]);
};

exports["definition in an imported schema"] = async () => {
  const { uri } = await definition(await openExisting("tickets.ogc", "type Ticket = Create"));
  assert.match(uri.path, /imports\/tickets\.schema\.json$/);
};

exports["definition of a name of a schema"] = async () => {
  const schema = '{ "$defs": {\n  "Line": { "type": "string" } } }\n';
  const { uri, range } = await definition(
    await open({
      "lines.ogc": 'import "order.schema.json" as order\noutput Answer = order.Li$0ne\n',
      "order.schema.json": schema,
    }),
  );
  assert.match(uri.path, /order\.schema\.json$/);
  assert.equal(range.start.line, 1);
};

exports["references are found in all files"] = async () => {
  const { uri, position } = await open({
    "base.ogc": "type Per$0son = int\ntype Pair = Person[2]\n",
    "user.ogc": 'import "base.ogc" as base\noutput Answer = base.Person\n',
  });
  await vscode.workspace.openTextDocument(uriOf("user.ogc"));
  assert.equal((await referencesInBoth(uri, position)).length, 3);
};

exports["a name is renamed in all files"] = async () => {
  const { uri, position } = await open({
    "old.ogc": "type Per$0son = int\ntype Pair = Person[2]\n",
    "new.ogc": 'import "old.ogc" as old\noutput Answer = old.Person\n',
  });
  await referencesInBoth(uri, position);
  const edit = await ask("vscode.executeDocumentRenameProvider", uri, position, "Human");
  assert.ok(await vscode.workspace.applyEdit(edit));
  // `saveAll` does not save files that are open in no editor.
  for (const document of vscode.workspace.textDocuments) {
    await document.save();
  }
  assert.equal(onDisk("old.ogc"), "type Human = int\ntype Pair = Human[2]\n");
  assert.equal(onDisk("new.ogc"), 'import "old.ogc" as old\noutput Answer = old.Human\n');
};

exports["a rename that collides is refused with the reason"] = async () => {
  const { uri, position } = await open({ "collision.ogc": "type Per$0son = int\ntype Human = Person\n" });
  const asked = vscode.commands.executeCommand("vscode.executeDocumentRenameProvider", uri, position, "Human");
  await assert.rejects(async () => await asked, /Human/);
};

exports["a built-in name is not renamed"] = async () => {
  const { uri, position } = await open({ "fixed.ogc": "type A = str$0ing\n" });
  await assert.rejects(async () => await vscode.commands.executeCommand("vscode.prepareRename", uri, position));
};

exports["moving a file changes the imports of it"] = async () => {
  const { document } = await open({
    "mover.ogc": 'import "moved.ogc" as m$0\noutput A = m.B\n',
    "moved.ogc": "type B = int\n",
  });
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(uriOf("moved.ogc"), uriOf("there.ogc"));
  assert.ok(await vscode.workspace.applyEdit(edit));
  await eventually("the import is changed", () => document.getText().startsWith('import "there.ogc" as m\n'));
};
