//! Natural formats whose texts have many readings, with texts of any length.

use crate::engine::{self, Failure, Policy, Reading};
use ogc_runtime::automaton::Automaton;
use std::sync::Arc;

/// The notation of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// A grammar for llama.cpp.
    Gbnf,
    /// A JSON Schema.
    Schema,
}

/// A format, and texts of it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// A description of the format.
    pub name: &'static str,
    /// Its notation.
    pub notation: Notation,
    /// The format.
    pub format: &'static str,
    /// Writes a text of the format of about this many bytes.
    pub text: fn(usize) -> String,
}

impl Case {
    /// Compiles the format.
    ///
    /// # Errors
    /// The first error among the diagnostics.
    pub fn compile(&self) -> Result<Arc<Automaton>, Failure> {
        match self.notation {
            Notation::Gbnf => engine::gbnf(self.format),
            Notation::Schema => engine::schema(self.format, &Reading::asserting(), Policy::default()),
        }
    }
}

/// Formats with many readings.
pub const CASES: [Case; 11] = [
    Case {
        name: "Markdown",
        notation: Notation::Gbnf,
        format: r#"root ::= inline+
inline ::= "*" inline+ "*" | "_" inline+ "_" | [^\n]"#,
        text: |len| repeat("Some *words that _are* not_ nested, *_some_ that* are; ", len),
    },
    Case {
        name: "English",
        notation: Notation::Gbnf,
        format: r#"root ::= s ("." " "? s)* "."
s ::= np " " vp
np ::= det " " noun | np " " pp | np " and " np
vp ::= verb " " np | vp " " pp | vp " and " vp
pp ::= ("with" | "in" | "on" | "by") " " np
det ::= "the" | "a"
noun ::= [a-z]+
verb ::= "saw" | "took" | "read""#,
        text: |len| {
            format!(
                "{}.",
                repeat("the man saw a dog with the scope in the park on a hill", len.min(54))
                    + &repeat(" by the river with a dog and the cat in a tree", len.saturating_sub(54))
            )
        },
    },
    Case {
        name: "lines",
        notation: Notation::Gbnf,
        format: r#"root ::= line{1,10000}
line ::= [a-z ]+ "\n"?"#,
        text: |len| repeat("some words in a line\nand some more ", len),
    },
    Case {
        name: "words",
        notation: Notation::Gbnf,
        format: r#"root ::= ([a-z]+ " "?){1,4000}"#,
        text: |len| repeat("some words and more ", len),
    },
    Case {
        name: "S of S S S",
        notation: Notation::Gbnf,
        format: r#"root ::= root root root | root root | "a""#,
        text: |len| "a".repeat(len),
    },
    Case {
        name: "palindromes",
        notation: Notation::Gbnf,
        format: r#"root ::= "a" root "a" | "b" root "b" | "a" | "b" | "aa" | "bb""#,
        text: |len| "a".repeat(len),
    },
    Case {
        name: "hidden left recursion",
        notation: Notation::Gbnf,
        format: r#"root ::= e root "a" | "b"
e ::= "e"?"#,
        text: |len| format!("{}b{}", "e".repeat(len / 4), "a".repeat(len - len / 4)),
    },
    Case {
        name: "dangling else",
        notation: Notation::Gbnf,
        format: r#"root ::= "if x then " root (" else " root)? | "y = " [0-9]+"#,
        text: |len| format!("{}y = 1{}", "if x then ".repeat(len / 26), " else y = 2".repeat(len / 26)),
    },
    Case {
        name: "expressions",
        notation: Notation::Gbnf,
        format: r#"root ::= root [-+*/] root | "-" root | "(" root ")" | [0-9]+"#,
        text: |len| format!("{}7", repeat("12-3*(4+-5)/", len)),
    },
    Case {
        name: "lists of lists",
        notation: Notation::Gbnf,
        format: r#"root ::= item+
item ::= "- " text "\n"? | "- " text "\n" item+
text ::= [^\n]+"#,
        text: |len| repeat("- some text - and more\n- a list\n", len),
    },
    Case {
        name: "late oneOf",
        notation: Notation::Schema,
        format: r##"{"$ref": "#/$defs/node", "$defs": {
  "node": {"oneOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}, {"$ref": "#/$defs/d"}, {"$ref": "#/$defs/e"}]},
  "a": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"const": "a"}}, "required": ["kind"]},
  "b": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"const": "b"}}, "required": ["kind"]},
  "c": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"const": "c"}}, "required": ["kind"]},
  "d": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"const": "d"}}, "required": ["kind"]},
  "e": {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}, "kind": {"const": "e"}}, "required": ["kind"]}}}"##,
        text: |len| {
            let depth = len / 26;
            format!("{}{{\"kind\": \"e\"}}{}", "{\"child\": ".repeat(depth), ", \"kind\": \"b\"}".repeat(depth))
        },
    },
];

fn repeat(part: &str, len: usize) -> String {
    part.repeat(len.div_ceil(part.len()))
}
