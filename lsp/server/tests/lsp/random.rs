//! Random edits between random requests, none of which is waited for: each answer is that of a database that never saw another
//! text, or says that the text changed.

use ogc_ide::{ColumnUnit, Host, Language, LineIndex, Position, Snapshot, SourceFile, Span, diagnostics, formatting};
use serde_json::{Value, json};

use crate::client::{Client, formatting as asked, shown};

const A: &str = "file:///w/a.ogc";
const ROUNDS: usize = 2_000;

const PARTS: [&str; 22] = [
    "type A = int\n",
    "type B = { x: A, y: string }\n",
    "output O = B\n",
    "rule R = \"a\" [b-c]\n",
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

/// A source of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// A text as the client has it, in units of UTF-16.
struct Text(Vec<u16>);

impl Text {
    fn shown(&self) -> String {
        String::from_utf16_lossy(&self.0)
    }

    /// Returns a place between characters.
    fn place(&self, dice: &mut Dice) -> usize {
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

    /// Replaces a part; returns the change as the client sends it.
    fn edit(&mut self, dice: &mut Dice) -> Value {
        let (one, two) = (self.place(dice), self.place(dice));
        let from = one.min(two);
        // Small removals, or the text would stay short.
        let to = if two.abs_diff(one) < 12 { one.max(two) } else { from };
        let text = PARTS[dice.below(PARTS.len())];
        let range = json!({ "start": self.position(from), "end": self.position(to) });
        self.0.splice(from..to, text.encode_utf16());
        json!({ "range": range, "text": text })
    }
}

/// What was asked.
enum Question {
    Formatting,
    Diagnostics,
}

/// Returns what a database says that has only ever had this text.
fn expected(question: &Question, text: &str) -> Value {
    let mut host = Host::new();
    let file = host.set_file("/w/a.ogc", text.to_owned(), Language::Ogc);
    let snapshot = host.snapshot();
    match question {
        Question::Formatting => formatted(&snapshot, file),
        Question::Diagnostics => {
            let lines = LineIndex::new(text);
            let found = diagnostics::diagnostics(&snapshot, file).into_iter();
            let found = found.map(|one| format!("{} {}", place(&lines, one.span.start), one.code));
            json!(found.collect::<Vec<_>>())
        }
    }
}

fn place(lines: &LineIndex, offset: u32) -> String {
    let Position { line, column } = lines.position(offset, ColumnUnit::Utf16);
    format!("{line}:{column}")
}

fn formatted(snapshot: &Snapshot, file: SourceFile) -> Value {
    let lines = snapshot.lines(file);
    let position = |offset: u32| {
        let Position { line, column } = lines.position(offset, ColumnUnit::Utf16);
        json!({ "line": line, "character": column })
    };
    let range = |span: Span| json!({ "start": position(span.start), "end": position(span.end) });
    let edits = formatting::document(snapshot, file);
    json!(edits.iter().map(|edit| json!({ "range": range(edit.span), "newText": edit.text })).collect::<Vec<_>>())
}

#[test]
fn each_answer_is_about_the_text_it_was_asked_on() {
    let mut dice = Dice(11);
    let mut client = Client::new(json!({ "textDocument": { "diagnostic": {} } }), &[]);
    let mut text = Text("type A = int\n".encode_utf16().collect());
    client.open(A, "ogc", 0, &text.shown());
    let mut waiting = Vec::new();
    let mut answered = 0;
    for version in 1..=ROUNDS {
        let changes: Vec<Value> = (0..=dice.below(2)).map(|_| text.edit(&mut dice)).collect();
        client.change_with(A, version as i32, json!(changes));
        let (question, id) = match dice.below(3) {
            0 => {
                (Question::Diagnostics, client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": A } })))
            }
            _ => (Question::Formatting, client.ask("textDocument/formatting", asked(A))),
        };
        waiting.push((id, question, text.shown()));
        // Now and then the client waits, so that not all requests are overtaken.
        if dice.below(10) == 0 {
            answered += waiting.drain(..).map(|one| usize::from(check(&mut client, one))).sum::<usize>();
        }
    }
    answered += waiting.drain(..).map(|one| usize::from(check(&mut client, one))).sum::<usize>();
    assert!(answered > ROUNDS / 20, "{answered} of {ROUNDS} requests were answered");
    client.end();
}

/// Checks an answer; says whether it was one.
fn check(client: &mut Client, (id, question, text): (i64, Question, String)) -> bool {
    match client.answer(id) {
        Err(error) => {
            assert!([json!(-32801), json!(-32802)].contains(&error["code"]), "{error}");
            false
        }
        Ok(answer) => {
            let answer = match question {
                Question::Formatting => answer,
                Question::Diagnostics => json!(shown(&answer["items"])),
            };
            assert_eq!(answer, expected(&question, &text), "{text:?}");
            true
        }
    }
}
