/** The TextMate grammars colour the examples of the repository, and the cases below, as they should. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
// Tests run in the folder of the extension.
const SYNTAXES = "syntaxes";
const EXAMPLES = join("..", "..", "examples");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer as ArrayBuffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = join(SYNTAXES, `${scope.replace("source.", "")}.tmLanguage.json`);
    return textmate.parseRawGrammar(readFileSync(path, "utf8"), path);
  },
});

/** The innermost scope of each token, without its language. */
async function scopes(language: string, text: string): Promise<[string, string][]> {
  const grammar = await registry.loadGrammar(`source.${language}`);
  assert.ok(grammar !== null);
  let stack = textmate.INITIAL;
  const found: [string, string][] = [];
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      found.push([line.slice(startIndex, endIndex), (scopes.at(-1) ?? "").replace(`.${language}`, "")]);
    }
  }
  return found;
}

/** Holds the scopes of some words of a text against those expected. */
async function check(language: string, text: string, expected: Record<string, string>): Promise<void> {
  const found = await scopes(language, text);
  for (const [word, scope] of Object.entries(expected)) {
    const token = found.find(([part]) => part.trim() === word);
    assert.equal(token?.[1], scope, `${word} in ${JSON.stringify(found)}`);
  }
}

test("definitions and their keywords are highlighted", () =>
  check("ogc", "type Person = { name: string<1..80>, age?: int }\noutput Reply = think? body: text<max_tokens = 3>", {
    type: "keyword.other",
    Person: "entity.name.type",
    name: "variable.other.property",
    string: "support.type",
    "80": "constant.numeric",
    "..": "keyword.operator",
    output: "keyword.other",
    Reply: "entity.name.function.output",
    think: "variable.other",
    body: "variable.other.property",
    text: "support.function",
    max_tokens: "variable.parameter",
  }));

test("keywords are names where they cannot begin an item", () =>
  check("ogc", 'type Odd = { type: "a", null?: "b", "any text": "c" }\nrule odd = test: /x/ names.output', {
    Odd: "entity.name.type",
    null: "variable.other.property",
    '"any text"': "variable.other.property",
    test: "variable.other.property",
    output: "variable.other.member",
  }));

test("a keyword at the beginning of a line is a field before a colon", () =>
  check("ogc", "type A = {\n  type: int,\n  rule?: int,\n}", { rule: "variable.other.property" }));

test("comments, docs, strings and tokens are highlighted", async () => {
  await check("ogc", "/// doc", { "/// doc": "comment.line.documentation" });
  await check("ogc", "//// comment", { "//// comment": "comment.line.double-slash" });
  await check("ogc", 'rule a = tok"<x>" "a\\n\\q" // end', {
    'tok"': "punctuation.definition.string.begin",
    "<x>": "constant.other.token",
    "\\n": "constant.character.escape",
    "\\q": "invalid.illegal.escape",
    "// end": "comment.line.double-slash",
  });
});

test("a regex has classes with slashes and ends on its line", async () => {
  await check("ogc", "rule a = /[/x]\\/a{2,3}/ next", {
    next: "variable.other",
    "{2,3}": "keyword.operator.quantifier.regexp",
  });
  await check("ogc", "rule a = /open\nrule b = x", { b: "entity.name.function" });
});

test("attributes, policies and settings are highlighted", () =>
  check("ogc", 'policy space = "any"\n@budget(states = 4) @unheard', {
    policy: "keyword.other",
    space: "support.constant.setting",
    "@budget": "entity.name.function.decorator",
    states: "support.constant.setting",
    "@unheard": "entity.name.function.decorator.unknown",
  }));

test("imports are highlighted", () =>
  check("ogc", 'import root as Order from "a.json"\nimport "b.gbnf" as m with { from = /x/ }\ntype A = m.y', {
    import: "keyword.control.import",
    root: "entity.name.namespace",
    as: "keyword.control.import",
    from: "keyword.control.import",
    with: "keyword.control.import",
    A: "entity.name.type",
    y: "variable.other.member",
  }));

test("tests end at their brace, and objects in them do not end them", () =>
  check("ogc", 'test A {\n  accept { a: { b: 1 } }\n  reject "x" because "y"\n}\ntype B = accept', {
    reject: "keyword.control.reject",
    because: "keyword.control.because",
    B: "entity.name.type",
  }));

test("a test without its brace hides nothing behind it", () =>
  check("ogc", 'test A {\n  accept "x"\ntype B = int', { B: "entity.name.type", int: "support.type" }));

test("foreign operators are marked invalid", () => check("ogc", "type A ::= int", { "::=": "invalid.illegal" }));

test("operands and ranges are highlighted", () =>
  check("ogc", "type A = T[0..max] - -0.5 | ...", {
    max: "variable.other",
    "-0.5": "constant.numeric",
    "...": "punctuation.separator",
  }));

test("grammars of other languages are highlighted", async () => {
  await check("gbnf", 'root ::= "a\\n" [a-z]{2} # end', {
    root: "entity.name.function",
    "\\n": "constant.character.escape",
    "# end": "comment.line.number-sign",
  });
  await check("ebnf", "a ::= [#x20-#x26] b? /* c */", {
    a: "entity.name.function",
    "#x20": "constant.character.escape",
    b: "variable.other",
  });
  await check("ebnf", "a = { b }, [ c ]; (* (* d *) *)", {
    a: "entity.name.function",
    b: "variable.other",
    c: "variable.other",
  });
  await check("abnf", 'uri = scheme ":" *( %x41-5A / pchar ) ; end\n1*5x =/ y', {
    uri: "entity.name.function",
    scheme: "variable.other",
    "%x41-5A": "constant.character.escape",
    "; end": "comment.line.semicolon",
  });
  await check("lark", 'start: (command ";")~1..20 // x\nSTEPS: /[0-9]{1,2}/ & ~/0+/\n%ignore WS', {
    start: "entity.name.function",
    STEPS: "entity.name.type.terminal",
    "%ignore": "keyword.control.directive",
    WS: "variable.other.constant.terminal",
    "// x": "comment.line",
  });
});

test("the examples have no invalid and no unhighlighted parts", async () => {
  for (const name of readdirSync(EXAMPLES)) {
    const language = name.split(".").at(-1) ?? "";
    if (["ogc", "gbnf", "ebnf", "abnf", "lark"].includes(language)) {
      const found = await scopes(language, readFileSync(join(EXAMPLES, name), "utf8"));
      const wrong = found.filter(
        ([part, scope]) => /invalid/.test(scope) || (part.trim() !== "" && scope === "source"),
      );
      assert.deepEqual(wrong, [], name);
    }
  }
});
