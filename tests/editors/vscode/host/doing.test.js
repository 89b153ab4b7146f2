// Tests of the editor's actions on formats: lenses, commands, tasks, the panel.
const assert = require("node:assert");
const vscode = require("vscode");
const { activate, ask, diagnostic, diagnosticsOf, eventually, open, openExisting, uriOf } = require("./lib.js");

const TESTED = 'output Age = 0..150\ntest Age {\n  accept "12"\n  reject "151"\n}\n';

const lenses = (uri) => ask("vscode.executeCodeLensProvider", uri, 20);

exports["the lens above tests runs them and says how they end"] = async () => {
  const { uri } = await open({ "lens.ogc": TESTED });
  const test = await eventually("a lens runs tests", async () =>
    (await lenses(uri)).find(({ command }) => command?.command === "ogc.runTests"),
  );
  const result = await vscode.commands.executeCommand(test.command.command, ...test.command.arguments);
  assert.deepEqual({ passed: result.passed, failed: result.failed }, { passed: 2, failed: 0 });
  await eventually("the lens shows the result", async () =>
    (await lenses(uri)).some(({ command }) => /all 2 cases hold/.test(command?.title ?? "")),
  );
};

exports["a test that fails is counted"] = async () => {
  const { document, uri } = await open({ "red.ogc": TESTED.replace('"12"', '"1x"') });
  const result = await vscode.commands.executeCommand("ogc.runTests", { textDocument: { uri: uri.toString() } });
  assert.deepEqual({ passed: result.passed, failed: result.failed }, { passed: 1, failed: 1 });
  await eventually("it is a diagnostic", () => diagnosticsOf(document).length > 0);
};

exports["a failing case is accepted as the format has it now"] = async () => {
  const { document, uri } = await open({ "accept.ogc": 'type A = { a: 0..9 }\ntest A {\n  accept { a: 10 }\n}\n' });
  await diagnostic(document, "test");
  const item = { id: `${uri}#0.0`, uri, range: new vscode.Range(2, 2, 2, 18) };
  await vscode.commands.executeCommand("ogc.client.acceptTest", item);
  await eventually("the new text", () => document.getText().includes('accept {"a":1}'));
  await eventually("the case holds", () => !diagnosticsOf(document).some((found) => found.startsWith("test:")));
};

exports["the build lens writes an artifact"] = async () => {
  const { uri } = await open({ "built.ogc": TESTED });
  const build = (await lenses(uri)).find(({ command }) => command?.command === "ogc.build");
  assert.ok(build, "no lens builds");
  const { written } = await vscode.commands.executeCommand(build.command.command, ...build.command.arguments);
  assert.equal(written.length, 1);
  assert.ok((await vscode.workspace.fs.stat(uriOf("built.ogc.Age.ogca"))).size > 0);
};

exports["the panel opens beside the editor"] = async () => {
  await openExisting("extraction.ogc", "output Extrac");
  await vscode.commands.executeCommand("ogc.client.openPanel");
  const tab = await eventually("the panel is open", () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input, label }) => input instanceof vscode.TabInputWebview && label === "ogc: Extraction"),
  );
  assert.match(tab.input.viewType, /ogc\.panel/);
};

exports["the lens of samples shows them in the panel"] = async () => {
  const { uri } = await open({ "sampled.ogc": "type Year = 1900..2100\noutput Age = 0..150\n$0" });
  const sample = (await lenses(uri)).find(({ command }) => command?.command === "ogc.sample");
  assert.equal(sample?.command.arguments[0].definition, "Year");
  await vscode.commands.executeCommand(sample.command.command, ...sample.command.arguments);
  await eventually("the panel is about the definition of the lens", () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).some(({ label }) => label === "ogc: Year"),
  );
};

exports["requests beyond the protocol are answered"] = async () => {
  const session = await activate();
  const { uri } = await open({ "requests.ogc": TESTED });
  const format = { textDocument: { uri: uri.toString() }, definition: "Age" };
  const { samples } = await session.about("ogc/sample", format, { count: 3, seed: 1 });
  assert.equal(samples.length, 3);
  const match = await session.about("ogc/match", format, { text: "1500" });
  assert.deepEqual([match.accepted, match.prefix], [false, 3]);
  assert.match((await session.about("ogc/diagram", format, {})).svg, /^<svg/);
  assert.ok((await session.about("ogc/costs", format, {})).states > 0);
};

exports["a grammar is converted"] = async () => {
  await openExisting("arithmetic.gbnf", "");
  await vscode.commands.executeCommand("ogc.client.convert");
  const document = await eventually("a new document", () =>
    vscode.workspace.textDocuments.find(({ isUntitled, languageId }) => isUntitled && languageId === "ogc"),
  );
  assert.match(document.getText(), /^(rule|output) /m);
};

exports["tasks are offered, and what they find are problems"] = async () => {
  const { document } = await open({ "task.ogc": "output A = Missing\n" });
  await document.save();
  const tasks = await vscode.tasks.fetchTasks({ type: "ogc" });
  const check = tasks.find(({ name }) => /check/.test(name));
  assert.ok(check, tasks.map(({ name }) => name).join("; "));
  const ended = new Promise((done) => vscode.tasks.onDidEndTaskProcess(({ exitCode }) => done(exitCode)));
  await vscode.tasks.executeTask(check);
  assert.equal(await ended, 1);
  await eventually("a problem of the task", () => vscode.languages.getDiagnostics(document.uri).length > 0);
};
