// Tests of the editor's information about a text: hovers, colours, hints, outlines.
const assert = require("node:assert");
const vscode = require("vscode");
const { ask, eventually, hoverText, open, openExisting } = require("./lib.js");

const hover = async ({ uri, position }) => hoverText(await ask("vscode.executeHoverProvider", uri, position));

exports["hover on a name shows its signature and documentation"] = async () => {
  const file = await open({
    "hover.ogc": "/// A person in the text.\ntype Person = { name: string }\noutput Answer = Pers$0on[1..3]\n",
  });
  const text = await hover(file);
  assert.match(text, /A person in the text\./);
  assert.match(text, /type Person/);
};

exports["hover on a built-in type explains it"] = async () => {
  assert.match(await hover(await open({ "builtin.ogc": "output Answer = { day: da$0te }\n" })), /date/);
};

exports["hover on an imported schema says what it holds"] = async () => {
  assert.match(await hover(await openExisting("tickets.ogc", "type Ticket = CreateTic")), /summary/);
};

exports["semantic tokens tell types, rules and outputs apart"] = async () => {
  const { document, uri } = await open({ "colours.ogc": 'type A = int\nrule b = "x" A\noutput C = b\n' });
  const legend = await ask("vscode.provideDocumentSemanticTokensLegend", uri);
  const { data } = await ask("vscode.provideDocumentSemanticTokens", uri);
  const kinds = {};
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    character = data[at] === 0 ? character + data[at + 1] : data[at + 1];
    line += data[at];
    const word = document.getText(new vscode.Range(line, character, line, character + data[at + 2]));
    kinds[word] ??= new Set();
    kinds[word].add(legend.tokenTypes[data[at + 3]]);
  }
  const shown = Object.fromEntries(
    ["A", "b", "C", "int", "type"].map((word) => [word, [...(kinds[word] ?? [])].join()]),
  );
  assert.deepEqual(shown, { A: "type", b: "rule", C: "output", int: "type", type: "keyword" });
};

exports["inlay hints say how large definitions are, where that is wanted"] = async () => {
  const { uri } = await open({ "hints.ogc": 'type A = "yes" | "no"\ntype B = { a: A, b: B | null }\nrule c = text "."\n' });
  const hints = async () => {
    const range = new vscode.Range(0, 0, 3, 0);
    const found = (await vscode.commands.executeCommand("vscode.executeInlayHintProvider", uri, range)) ?? [];
    const labels = found.map(({ label }) =>
      typeof label === "string" ? label : label.map(({ value }) => value).join(""),
    );
    return labels.join("; ");
  };
  await eventually("the end of a text", async () => (await hints()) === 'until "."');
  const settings = vscode.workspace.getConfiguration("ogc");
  await settings.update("inlayHints.sizes", true, vscode.ConfigurationTarget.Global);
  try {
    const wanted = /^\d+ states; \d+ states, recursive; \d+ states; until "\."$/;
    await eventually("sizes", async () => wanted.test(await hints()));
  } finally {
    await settings.update("inlayHints.sizes", undefined, vscode.ConfigurationTarget.Global);
  }
};

exports["symbols, folds and links are listed"] = async () => {
  const { uri } = await openExisting("tickets.ogc", "");
  const symbols = await ask("vscode.executeDocumentSymbolProvider", uri);
  assert.deepEqual(
    symbols
      .map(({ name }) => name)
      .filter((name) => /^[A-Z]/.test(name))
      .slice(0, 3),
    ["CreateTicket", "Ticket", "Call"],
  );
  assert.ok((await ask("vscode.executeFoldingRangeProvider", uri)).length > 1);
  const links = await ask("vscode.executeLinkProvider", uri);
  assert.ok(links.some(({ target }) => target?.path.endsWith("imports/tickets.schema.json")));
};

exports["the workspace is searched for a name"] = async () => {
  const found = await eventually("a symbol", async () =>
    (await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", "Extraction")).filter(
      ({ name }) => name === "Extraction",
    ),
  );
  assert.match(found[0].location.uri.path, /extraction\.ogc$/);
};
