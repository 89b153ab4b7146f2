//! Messages of the command line for other programs: one JSON object a line, whose `type` names the message.
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
    allow(unused_imports, reason = "nothing is generated, and the schema stays the same")
)]
pub(crate) use fit::FitTotals;
pub(crate) use keyword::{KeywordCounts, KeywordFate};
pub(crate) use made::{BuiltArtifact, GeneratedText, Layout};
pub(crate) use match_result::{Captured, MatchResult, OpenRule, RefusedToken};
pub(crate) use place::Place;
pub(crate) use summary::{Counts, Summary};

/// One line of machine-readable output.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(crate) enum Message {
    /// A finding about a source text.
    Diagnostic(Finding),
    /// A failure outside of source texts, such as a file that cannot be read.
    Problem(Failure),
    /// An artifact that `build` wrote or found up to date.
    Artifact(BuiltArtifact),
    /// The result of matching a text against a format.
    Match(MatchResult),
    /// An event: a new fact about a text that is read piece by piece.
    Event(EventRecord),
    /// A random text of a format.
    Sample {
        /// The text; bytes that are not UTF-8 are replaced.
        text: String,
    },
    /// The difference of two versions of a format.
    Difference(FormatDifference),
    /// A piece of a text that a model generates.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Piece {
        /// The characters that were added.
        text: String,
    },
    /// A generated text with its statistics.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Generated(GeneratedText),
    /// A request for which no text could be generated.
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
    /// The probability mass of a model that a format refused, over many prompts.
    #[cfg_attr(
        not(feature = "generate"),
        allow(dead_code, reason = "nothing generates, and the schema stays the same")
    )]
    Fit(FitTotals),
    /// The server accepts connections.
    #[cfg_attr(not(feature = "generate"), allow(dead_code, reason = "nothing serves, and the schema stays the same"))]
    Listening {
        /// The address for clients.
        url: String,
    },
    /// The treatment of a keyword of an imported schema.
    Keyword(KeywordFate),
    /// The cost of a whole format.
    Cost(Totals),
    /// The cost of one rule of a format.
    Rule(RuleCost),
    /// The explanation of a diagnostic code.
    Explanation {
        /// The code.
        code: String,
        /// The explanation, in Markdown.
        text: String,
    },
    /// A diagnostic code, in the list of all codes.
    Code {
        /// The code.
        code: String,
        /// The subject of the code, in words.
        group: String,
        /// The default severities of its findings, the usual one first.
        severities: Vec<Gravity>,
        /// Whether some of its findings carry a correction.
        has_fix: bool,
        /// Its meaning, in one sentence.
        meaning: String,
    },
    /// A file whose layout changed or would change.
    Format(Layout),
    /// Corrections that were applied to a file, and those that were not.
    Fixed {
        /// The file.
        file: String,
        /// A description of each applied correction.
        fixes: Vec<String>,
        /// The corrections that were not applied, each with its line and the reason.
        refused: Vec<String>,
    },
    /// A new format.
    New {
        /// The file, unless the text was requested on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The template.
        template: String,
        /// The text, if it was requested on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A template, in the list of all templates.
    Template {
        /// The template's name.
        template: String,
        /// Its purpose.
        about: String,
    },
    /// An HTML report about a format or about generated texts.
    Report {
        /// The page's file, unless the page was requested on standard output.
        path: Option<String>,
        /// The length of the page in bytes.
        bytes: usize,
        /// The page, if it was requested on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        page: Option<String>,
    },
    /// A format in another notation.
    Export {
        /// The notation, as `--to` names it.
        notation: String,
        /// The file that was written, unless the text was requested on standard output.
        path: Option<String>,
        /// The text, if it was requested on standard output.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A format at one stage of its compilation, or after one pass.
    Stage {
        /// The stage as named by `--stage`, the pass as named by `--pass`, or `at` for the position after a text.
        stage: String,
        /// The contents of the stage, for human readers; the form is not stable.
        text: String,
    },
    /// One case of a test.
    Case {
        /// The file that contains the test.
        file: String,
        /// The definition under test.
        test: Option<String>,
        /// Whether the case passes.
        holds: bool,
        /// The place of the case.
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
