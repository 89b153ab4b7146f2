//! Tests random edits between random requests, without waiting for answers: each answer equals that of a server that
//! only ever saw the text of the request, or says that the text changed.

use ogc_kit::Random;
use serde_json::{Value, json};

use crate::client::Client;

const A: &str = "file:///w/a.ogc";
const ROUNDS: usize = 2_000;

const PARTS: [&str; 26] = [
    "type A = int\n",
    "type B = { x: A, y: string }\n",
    "output O = B\n",
    "rule R = \"a\" [b-c]\n",
    "test R { accept \"ab\" }\n",
    "type P<T> = T[2]\n",
    "@budget(states = 9)\n",
    "import \"x.ogc\" as x\n",
    "é",
    "😀",
    "\n",
    " ",
    "  ",
    "{",
    "}",
    "\"",
    "=",
    "type ",
    "output ",
    "A",
    "B",
    "// c\n",
    "\r\n",
    "|",
    "x: ",
    ",",
];

/// A text as the client has it, in UTF-16 units.
struct Text(Vec<u16>);

impl Text {
    fn shown(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }

    /// Returns a random place between characters.
    fn place(&self, dice: &mut Random) -> usize {
        let at = dice.below(self.0.len() + 1);
        let splits = |at: usize| at > 0 && at < self.0.len() && (0xDC00..0xE000).contains(&self.0[at]);
        let breaks = |at: usize| at > 0 && at < self.0.len() && self.0[at] == 10 && self.0[at - 1] == 13;
        if splits(at) || breaks(at) { at - 1 } else { at }
    }

    fn position(&self, at: usize) -> Value {
        let line = self.0[..at].iter().filter(|unit| **unit == 10).count();
        let start = self.0[..at].iter().rposition(|unit| *unit == 10).map_or(0, |end| end + 1);
        json!({ "line": line, "character": at - start })
    }

    fn range(&self, from: usize, to: usize) -> Value {
        json!({ "start": self.position(from), "end": self.position(to) })
    }

    /// Replaces a part; returns the change as the client sends it.
    fn edit(&mut self, dice: &mut Random) -> Value {
        let (one, two) = (self.place(dice), self.place(dice));
        let from = one.min(two);
        // Removals are small, so that the text does not stay short.
        let to = if two.abs_diff(one) < 12 { one.max(two) } else { from };
        let text = PARTS[dice.below(PARTS.len())];
        let range = self.range(from, to);
        self.0.splice(from..to, text.encode_utf16());
        json!({ "range": range, "text": text })
    }
}

/// The subject of a request: the whole document, a place in it, or a range.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Document,
    Place,
    Range,
}

const METHODS: [(&str, About); 27] = [
    ("textDocument/diagnostic", About::Document),
    ("textDocument/formatting", About::Document),
    ("textDocument/rangeFormatting", About::Range),
    ("textDocument/onTypeFormatting", About::Place),
    ("textDocument/hover", About::Place),
    ("textDocument/completion", About::Place),
    ("textDocument/signatureHelp", About::Place),
    ("textDocument/definition", About::Place),
    ("textDocument/typeDefinition", About::Place),
    ("textDocument/implementation", About::Place),
    ("textDocument/references", About::Place),
    ("textDocument/documentHighlight", About::Place),
    ("textDocument/prepareRename", About::Place),
    ("textDocument/rename", About::Place),
    ("textDocument/prepareCallHierarchy", About::Place),
    ("textDocument/documentSymbol", About::Document),
    ("textDocument/foldingRange", About::Document),
    ("textDocument/documentLink", About::Document),
    ("textDocument/codeLens", About::Document),
    ("textDocument/semanticTokens/full", About::Document),
    ("textDocument/semanticTokens/range", About::Range),
    ("textDocument/inlayHint", About::Range),
    ("textDocument/codeAction", About::Range),
    ("ogc/definitionAt", About::Place),
    ("ogc/tests", About::Document),
    ("ogc/testResults", About::Document),
    ("ogc/acceptTest", About::Place),
];

/// A request that waits for its answer, and the text at the time of the request.
struct Asked {
    id: i64,
    method: &'static str,
    params: Value,
    text: String,
}

/// Returns the parameters of a random request. Together they fit every method.
fn params(about: About, text: &Text, dice: &mut Random) -> Value {
    let mut params = json!({ "textDocument": { "uri": A }, "options": { "tabSize": 2, "insertSpaces": true } });
    match about {
        About::Document => {}
        About::Place => {
            params["position"] = text.position(text.place(dice));
            params["context"] = json!({ "includeDeclaration": true, "triggerKind": 1 });
            params["newName"] = json!("Renamed");
            params["ch"] = json!("\n");
        }
        About::Range => {
            let (one, two) = (text.place(dice), text.place(dice));
            params["range"] = text.range(one.min(two), one.max(two));
            params["context"] = json!({ "diagnostics": [] });
        }
    }
    if params["context"].get("triggerKind").is_some() && dice.below(2) == 0 {
        params["context"] = json!({ "includeDeclaration": false, "triggerKind": 1 });
    }
    params
}

fn abilities() -> Value {
    let action = json!({ "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
        "resolveSupport": { "properties": ["edit"] }, "dataSupport": true });
    json!({ "textDocument": { "diagnostic": {}, "codeAction": action } })
}

/// Returns an answer without its counters, and without results computed in the background.
fn comparable(mut answer: Value) -> Value {
    if let Some(text) = answer.pointer_mut("/contents/value") {
        let kept: Vec<&str> = text.as_str().unwrap().lines().filter(|line| !line.starts_with("- ")).collect();
        *text = json!(kept.join("\n"));
    }
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("resultId");
    }
    answer
}

#[test]
fn each_response_refers_to_the_text_at_the_time_of_the_request() {
    let mut dice = Random::new(11);
    let mut client = Client::new(abilities(), &[]);
    let mut text = Text("type A = int\n".encode_utf16().collect());
    client.open(A, "ogc", 0, &text.shown());
    let mut waiting = Vec::new();
    let mut answered = 0;
    for version in 1..=ROUNDS {
        let changes: Vec<Value> = (0..=dice.below(2)).map(|_| text.edit(&mut dice)).collect();
        client.change_with(A, version as i32, json!(changes));
        let (method, about) = METHODS[dice.below(METHODS.len())];
        let params = params(about, &text, &mut dice);
        let id = client.ask(method, params.clone());
        waiting.push(Asked { id, method, params, text: text.shown() });
        // Sometimes the client waits, so that not all requests are overtaken by edits.
        if dice.below(5) == 0 {
            answered += waiting.drain(..).map(|one| usize::from(check(&mut client, &one))).sum::<usize>();
        }
    }
    answered += waiting.drain(..).map(|one| usize::from(check(&mut client, &one))).sum::<usize>();
    assert!(answered > ROUNDS / 20, "{answered} of {ROUNDS} requests were answered");
    client.end();
}

/// Checks an answer; returns whether it was a result.
fn check(client: &mut Client, asked: &Asked) -> bool {
    let given = client.answer(asked.id);
    if let Err(error) = &given
        && [json!(-32801), json!(-32802)].contains(&error["code"])
    {
        return false;
    }
    let mut fresh = Client::new(abilities(), &[]);
    fresh.open(A, "ogc", 0, &asked.text);
    let expected = fresh.request(asked.method, asked.params.clone());
    assert_eq!(given.map(comparable), expected.map(comparable), "{} {}\n{:?}", asked.method, asked.params, asked.text);
    fresh.end();
    true
}
