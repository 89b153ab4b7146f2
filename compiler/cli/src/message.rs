//! What the command line writes for machines: one JSON object a line, whose `type` names the message.
//!
//! These types, and `ogc_runtime::events::EventRecord`, are the only place where messages are defined. `messages.schema.json` beside
//! `src/` is generated from them, a test keeps it fresh, and the tests of the command line validate every line that a command writes
//! against it. The last line of every command is a [`Message::Summary`].

mod cost;
mod difference;
mod finding;
mod fit;
mod keyword;
mod made;
mod match_result;
mod place;
mod summary;

use ogc_runtime::events::EventRecord;
use serde::Serialize;

pub(crate) use cost::{PartCost, RuleCost, Totals, millis};
pub(crate) use difference::{FormatDifference, Presence};
pub(crate) use finding::{Correction, Edit, Failure, Finding, Gravity, Label};
#[cfg_attr(
    not(feature = "generate"),
    allow(unused_imports, reason = "nothing is written by models, and the schema stays the same")
)]
pub(crate) use fit::FitTotals;
pub(crate) use keyword::{KeywordCounts, KeywordFate};
pub(crate) use made::{BuiltArtifact, GeneratedText, Layout};
pub(crate) use match_result::{Captured, MatchResult, OpenRule, RefusedToken};
pub(crate) use place::Place;
pub(crate) use summary::{Counts, Summary};

/// One line of output for machines.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Message {
    /// Something found in a source text.
    Diagnostic(Finding),
    /// A failure that no place in a source text explains, such as a file that cannot be read.
    Problem(Failure),
    /// An artifact that `build` made, or found up to date.
    Artifact(BuiltArtifact),
    /// How far a format accepts a text.
    Match(MatchResult),
    /// Something that became certain of a text while it grew.
    Event(EventRecord),
    /// A random text of a format.
    Sample {
        /// The text; bytes that are not UTF-8 are replaced.
        text: String,
    },
    /// The difference of two versions of a format.
    Difference(FormatDifference),
    /// A piece of a text that a model writes.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Piece {
        /// The characters that were added.
        text: String,
    },
    /// A text that a model wrote, and what it took.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Generated(GeneratedText),
    /// A text that could not be written.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    NotGenerated {
        /// The line of the request in its file, from 1.
        request: usize,
        /// The reason.
        message: String,
    },
    /// How much of a model's probability a format refused, over many prompts.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Fit(FitTotals),
    /// A server listens.
    #[cfg_attr(not(feature = "generate"), allow(dead_code, reason = "nothing serves, and the schema stays the same"))]
    Listening {
        /// The address that clients are told.
        url: String,
    },
    /// What became of a keyword of an imported schema.
    Keyword(KeywordFate),
    /// What a whole format costs.
    Cost(Totals),
    /// What one rule of a format costs.
    Rule(RuleCost),
    /// What a diagnostic code means.
    Explanation {
        /// The code.
        code: String,
        /// The explanation, in Markdown.
        text: String,
    },
    /// A diagnostic code, in a list of all.
    Code {
        /// The code.
        code: String,
        /// The subject of the code, in words.
        group: String,
        /// The severities of its findings where nothing sets a level, the usual one first.
        severities: Vec<Gravity>,
        /// Whether some of its findings carry a correction.
        has_fix: bool,
        /// What it means, in one sentence.
        meaning: String,
    },
    /// A file whose layout changed or would change.
    Format(Layout),
    /// Corrections that were written to a file, and those that were not made.
    Fixed {
        /// The file.
        file: String,
        /// What each correction does.
        fixes: Vec<String>,
        /// The corrections that were not made, each with its line and the reason.
        refused: Vec<String>,
    },
    /// A format that was begun.
    New {
        /// The file, unless the text was asked for on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The template.
        template: String,
        /// The text, if it was asked for on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A template, in a list of all.
    Template {
        /// The template's name.
        template: String,
        /// What it is for.
        about: String,
    },
    /// A page about a format, or about texts that a model wrote.
    Report {
        /// The page's file, unless the page was asked for on standard output.
        path: Option<String>,
        /// The length of the page.
        bytes: usize,
        /// The page, if it was asked for on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        page: Option<String>,
    },
    /// A format in another notation.
    Export {
        /// The notation, as `--to` names it.
        notation: String,
        /// The file that was written, unless the text was asked for on standard output.
        path: Option<String>,
        /// The text, if it was asked for on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A format at one stage of its compilation, or after one pass.
    Stage {
        /// The stage, as `--stage` names it, or the pass, as `--pass` does, or `at` for the place after a text.
        stage: String,
        /// What the stage holds, for people; its form is not stable.
        text: String,
    },
    /// One case of a test.
    Case {
        /// The file that the test is in.
        file: String,
        /// The definition that the test is about.
        test: Option<String>,
        /// Whether the case holds.
        holds: bool,
        /// Where the case is.
        span: Place,
    },
    /// A completion script for a shell, or the manual page.
    Completions {
        /// The shell's name, or `man`.
        shell: String,
        /// The script.
        text: String,
    },
    /// The last line of every command.
    Summary(Summary),
}

#[cfg(test)]
mod tests {
    use ogc_runtime::events::EventRecord;

    use super::Message;

    #[test]
    fn the_schema_of_events_lists_every_field() {
        let all = EventRecord {
            name: Some(String::new()),
            path: Some(String::new()),
            value: Some("null"),
            text: Some(String::new()),
            start: Some(0),
            end: Some(0),
            ..EventRecord::default()
        };
        let fields = serde_json::to_value(all).unwrap();
        let schema = schemars::schema_for!(EventRecord).to_value();
        let declared: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), declared);
    }

    /// The schema in the tree; `OGC_BLESS=1` writes it.
    #[test]
    fn the_committed_message_schema_is_up_to_date() {
        let mut schema = schemars::schema_for!(Message).to_value();
        schema["title"] = "A line of `ogc --message-format json`".into();
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).unwrap());
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/messages.schema.json");
        if std::env::var_os("OGC_BLESS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == text, "messages.schema.json is not fresh; run this test with OGC_BLESS=1");
    }
}
