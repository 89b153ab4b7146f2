// Tests that errors appear while typing, and disappear when they are fixed.
const assert = require("node:assert");
const vscode = require("vscode");
const { diagnostic, diagnosticsOf, eventually, open, openExisting, replace, uriOf } = require("./lib.js");

exports["a mistake appears, is mended and disappears"] = async () => {
  const { document } = await open({ "mistake.ogc": "type Name = string<1..80>\noutput Answer = { name: Name }\n" });
  await replace(document, "{ name: Name }", "{ name: Nmae }");
  const found = await diagnostic(document, "unknown-name");
  assert.equal(document.getText(found.range), "Nmae");
  assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
  assert.equal(found.source, "ogc");
  await replace(document, "Nmae", "Name");
  await eventually("no diagnostics", () => vscode.languages.getDiagnostics(document.uri).length === 0);
};

exports["a code leads to its explanation"] = async () => {
  const { document } = await open({ "explained.ogc": "output Answer = Nothing\n" });
  const { code } = await diagnostic(document, "unknown-name");
  assert.equal(typeof code, "object");
  assert.match(code.target.toString(), /unknown-name/);
};

exports["a failing test is shown at the byte where it fails"] = async () => {
  const text = "type Age = int<0..150>\noutput Answer = { age: Age }\ntest Answer {\n  accept '{\"age\":1500}'\n}\n";
  const { document } = await open({ "failing.ogc": text });
  await vscode.commands.executeCommand("ogc.runTests", { textDocument: { uri: document.uri.toString() } });
  const found = await diagnostic(document, "test");
  assert.equal(found.range.start.line, 3);
};

exports["an edit of an imported file changes what is said of the file that imports it"] = async () => {
  const files = {
    "page.ogc": 'import "parts.ogc" as parts\noutput Page = parts.Part$0\n',
    "parts.ogc": "type Part = int\n",
  };
  const { document } = await open(files);
  const other = await vscode.workspace.openTextDocument(uriOf("parts.ogc"));
  await replace(other, "Part", "Piece");
  await eventually("an error", () => diagnosticsOf(document).length > 0);
  await replace(other, "Piece", "Part");
  await eventually("no error", () => diagnosticsOf(document).length === 0);
};

exports["a schema has diagnostics of its own"] = async () => {
  const text =
    '{ "type": "object", "properties": { "a": { "type": "integer", "minimum": 10, "maximum": 3 } }, "required": ["a"] }\n';
  const { document } = await open({ "wrong.schema.json": text });
  await diagnostic(document, "empty-format");
};

exports["the examples have no errors"] = async () => {
  for (const name of ["tool-calls.ogc", "tickets.ogc", "extraction.ogc", "chess.gbnf", "commands.lark"]) {
    const { document } = await openExisting(name, "");
    // A broken name shows that the server has checked the file.
    await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", document.uri);
    const errors = vscode.languages.getDiagnostics(document.uri).filter(({ severity }) => severity === 0);
    assert.deepEqual(errors, [], name);
  }
};
