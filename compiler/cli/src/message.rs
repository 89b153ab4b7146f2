//! What the command line writes for machines: one JSON object a line, whose `type` names the message.
//!
//! These types are the only place where messages are defined. `messages.schema.json` beside `src/` is generated from them,
//! a test keeps it fresh, and the tests of the command line validate every line that a command writes against it.
//! The last line of every command is a [`Message::Summary`].

#[cfg(test)]
mod event_schema;

use ogc_grammar::{Cost, Severity};
use ogc_runtime::events::EventRecord;
use serde::Serialize;

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
    Event(#[cfg_attr(test, schemars(with = "event_schema::TextEvent"))] EventRecord),
    /// A random text of a format.
    Sample {
        /// The text; bytes that are not UTF-8 are replaced.
        text: String,
    },
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
    /// A page about a format.
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

/// A place in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Place {
    /// The first byte.
    pub(crate) start: u32,
    /// The byte after the last.
    pub(crate) end: u32,
    /// The line of the first byte, counted from one.
    pub(crate) line: usize,
    /// The column of the first byte, counted from one, in characters.
    pub(crate) column: usize,
}

/// Something found in a source text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Finding {
    /// The file that the text is from; `<stdin>` is standard input.
    pub(crate) file: String,
    /// How grave it is.
    pub(crate) severity: Gravity,
    /// The stable name of this kind of finding; `ogc explain CODE` says more.
    pub(crate) code: String,
    /// One sentence.
    pub(crate) message: String,
    /// The place it is about.
    pub(crate) span: Place,
    /// Other places that explain it.
    pub(crate) labels: Vec<Label>,
    /// The way out.
    pub(crate) help: Option<String>,
    /// The correction, if only one can be meant.
    pub(crate) fix: Option<Correction>,
    /// What the part costs that it is about, if that was measured.
    pub(crate) cost: Option<PartCost>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Gravity {
    /// Nothing can be built.
    Error,
    /// Probably not what is meant.
    Warning,
    /// Further information.
    Note,
}

/// Another place of a finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Label {
    /// The place.
    pub(crate) span: Place,
    /// What it has to do with the finding.
    pub(crate) message: String,
}

/// A correction of a source text: all of its edits together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Correction {
    /// What it does.
    pub(crate) label: String,
    /// What it replaces.
    pub(crate) edits: Vec<Edit>,
}

/// A replacement.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Edit {
    /// What is replaced.
    pub(crate) span: Place,
    /// The new text.
    pub(crate) text: String,
}

/// What a part of a format costs. What concerns masks is null without a vocabulary.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PartCost {
    /// States of the automaton.
    pub(crate) states: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// Rows of the masks.
    pub(crate) rows: Option<usize>,
    /// Bytes of these rows.
    pub(crate) row_bytes: Option<usize>,
    /// Time to build these rows, in milliseconds.
    pub(crate) build_ms: Option<f64>,
    /// Time to build the slowest row, in milliseconds.
    pub(crate) slowest_row_ms: Option<f64>,
}

/// A failure outside of source texts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Failure {
    /// The stable name of this kind of failure.
    pub(crate) code: String,
    /// The file that it is about.
    pub(crate) file: Option<String>,
    /// One sentence.
    pub(crate) message: String,
    /// The way out.
    pub(crate) help: Option<String>,
}

/// A text that a model wrote, and what it took; times are in milliseconds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GeneratedText {
    /// The line of the request in its file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<usize>,
    /// The whole text.
    pub(crate) text: String,
    /// Tokens of the prompt.
    pub(crate) prompt_tokens: usize,
    /// Tokens of the text.
    pub(crate) tokens: usize,
    /// Tokens that the format forced, so that they took no pass of their own.
    pub(crate) forced: usize,
    /// Tokens that were guessed right, so that they took no pass of their own.
    pub(crate) guessed: usize,
    /// Tokens that a device chose where their logits are, ends of sequence among them.
    pub(crate) chosen_on_device: usize,
    /// Passes of the model behind the prompt.
    pub(crate) passes: usize,
    /// Time in the model to read the prompt.
    pub(crate) prompt_ms: f64,
    /// Time in the model behind the prompt.
    pub(crate) model_ms: f64,
    /// Time to compute masks.
    pub(crate) mask_ms: f64,
    /// Time to choose tokens.
    pub(crate) choice_ms: f64,
}

/// An artifact that `build` made, or found up to date.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BuiltArtifact {
    /// The format's file.
    pub(crate) file: String,
    /// The output of an `.ogc` file.
    pub(crate) output: Option<String>,
    /// The artifact's file.
    pub(crate) path: String,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Rows of the masks; null without masks.
    pub(crate) rows: Option<usize>,
    /// The artifact's length.
    pub(crate) bytes: usize,
    /// Time spent on it, in milliseconds.
    pub(crate) ms: f64,
    /// Whether the file was written; it is not if its bytes would stay the same.
    pub(crate) written: bool,
    /// Whether nothing was compiled, because nothing that it depends on has changed.
    pub(crate) up_to_date: bool,
}

/// How far a format accepts a text. What follows `complete` depends on whether the text is accepted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MatchResult {
    /// The line that the text stands in, if there are several texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
    /// Whether a line break at the end of the text was ignored.
    pub(crate) ignored_line_break: bool,
    /// How many bytes are accepted.
    pub(crate) accepted: usize,
    /// Whether the whole text is accepted and may end there.
    pub(crate) complete: bool,
    /// What was captured of an accepted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) captures: Option<Vec<Captured>>,
    /// The kind of mistake, for example `missing-key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    /// The mistake, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
    /// The way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    /// The byte at which the mistaken part begins; `keys` and `words` could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<usize>,
    /// Where in a JSON value it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// The declared keys that could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keys: Option<Vec<String>>,
    /// Texts that could come there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) words: Option<Vec<String>>,
    /// The bytes that could follow the accepted part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) expected: Option<Vec<u8>>,
    /// The tokens that could follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<Vec<String>>,
    /// Whether the text could end there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) may_end: Option<bool>,
    /// The rules in which the accepted part ends, the innermost first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rules: Option<Vec<OpenRule>>,
    /// The token of the vocabulary that holds the refused byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<RefusedToken>,
}

/// A captured part of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Captured {
    /// The capture's name.
    pub(crate) name: String,
    /// The first byte.
    pub(crate) start: usize,
    /// The byte after the last; null if the capture is still open.
    pub(crate) end: Option<usize>,
    /// The part.
    pub(crate) text: String,
    /// Captures inside of it.
    pub(crate) captures: Vec<Captured>,
}

/// A rule in which a text ends.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct OpenRule {
    /// The rule's name.
    pub(crate) rule: String,
    /// Where it is defined.
    pub(crate) span: Option<Place>,
}

/// The token that holds a refused byte.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RefusedToken {
    /// The byte at which it begins.
    pub(crate) start: usize,
    /// Its text; bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
}

/// What became of a keyword of an imported schema.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordFate {
    /// Where it is, as a JSON pointer.
    pub(crate) pointer: String,
    /// The keyword.
    pub(crate) keyword: String,
    /// `enforced`, `annotation`, `warning` or `error`.
    pub(crate) fate: String,
    /// Why, if there is something to say.
    pub(crate) reason: String,
    /// Where it is in the text.
    pub(crate) span: Place,
}

/// What a whole format costs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Totals {
    /// Rules of the automaton.
    pub(crate) rules: usize,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Edges of the automaton.
    pub(crate) edges: usize,
    /// Calls of the automaton.
    pub(crate) calls: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// Time to compile the automaton, in milliseconds.
    pub(crate) compile_ms: f64,
    /// Time to build the masks, in milliseconds.
    pub(crate) masks_ms: f64,
    /// Rows of the masks.
    pub(crate) rows: usize,
    /// Bytes of the rows.
    pub(crate) row_bytes: usize,
    /// Bytes for what follows the end of a rule.
    pub(crate) exit_bytes: usize,
    /// States that have a row.
    pub(crate) bases: usize,
    /// Continuations after the end of a rule.
    pub(crate) tails: usize,
    /// Whether no row is left to run time.
    pub(crate) masks_complete: bool,
    /// Time to build the slowest row, in milliseconds.
    pub(crate) slowest_row_ms: f64,
}

/// What one rule of a format costs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RuleCost {
    /// The rule's name.
    pub(crate) rule: String,
    /// States of the automaton.
    pub(crate) states: usize,
    /// Edges of the automaton.
    pub(crate) edges: usize,
    /// Calls of the automaton.
    pub(crate) calls: usize,
    /// Bytes of the automaton.
    pub(crate) bytes: usize,
    /// The same with what its masks cost.
    pub(crate) cost: PartCost,
    /// Where the rule is defined.
    pub(crate) span: Option<Place>,
}

/// A file whose layout changed or would change, or standard input and its layout.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Layout {
    /// The file; `<stdin>` is standard input.
    pub(crate) file: String,
    /// Whether the layout differs from the text.
    pub(crate) changed: bool,
    /// The layout of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// What would change, with `--check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diff: Option<String>,
}

/// How a command ended: its last line.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    /// The command; null if the command line names none.
    pub(crate) command: Option<String>,
    /// The exit code; with `check --watch` the one that `check` would have.
    pub(crate) exit_code: u8,
    /// How many errors were found in source texts.
    pub(crate) errors: usize,
    /// How many warnings were found in source texts.
    pub(crate) warnings: usize,
    /// How many notes there are about source texts.
    pub(crate) notes: usize,
    /// How many failures there were outside of source texts.
    pub(crate) problems: usize,
    /// What the command counts.
    #[serde(flatten)]
    pub(crate) counts: Counts,
}

/// What commands count. Each has its own counts; the others are left out.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Counts {
    /// `check`, `build`: files that were checked, formats that were built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) formats: Option<usize>,
    /// `check`: files without errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) good: Option<usize>,
    /// `build`: artifacts that were up to date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) up_to_date: Option<usize>,
    /// `check --watch`: how long the check took, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
    /// `test`: cases that hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<usize>,
    /// `test`: cases that do not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<usize>,
    /// `test`: files with errors, whose cases were not tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files_with_errors: Option<usize>,
    /// `run --jsonl`: texts that were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<usize>,
    /// `run --jsonl`: texts that are accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<usize>,
    /// `run --jsonl`: texts that are refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<usize>,
    /// `fmt`: files that were laid out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files: Option<usize>,
    /// `fmt`: files whose layout changed or would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<usize>,
    /// `import`: what became of the schema's keywords.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keywords: Option<KeywordCounts>,
}

/// How many keywords of a schema had each fate.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct KeywordCounts {
    /// Keywords that constrain.
    pub(crate) enforced: usize,
    /// Keywords that only describe.
    pub(crate) annotations: usize,
    /// Keywords with a warning.
    pub(crate) warnings: usize,
    /// Keywords with an error.
    pub(crate) errors: usize,
}

impl From<Severity> for Gravity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Note,
        }
    }
}

impl From<&Cost> for PartCost {
    fn from(cost: &Cost) -> Self {
        let masks = cost.masks.as_ref();
        Self {
            states: cost.states,
            bytes: cost.bytes,
            rows: masks.map(|masks| masks.rows),
            row_bytes: masks.map(|masks| masks.row_bytes),
            build_ms: masks.map(|masks| millis(masks.times.build)),
            slowest_row_ms: masks.map(|masks| millis(masks.times.slowest)),
        }
    }
}

/// A time in milliseconds.
pub(crate) fn millis(time: std::time::Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use ogc_runtime::events::EventRecord;

    use super::{Message, event_schema};

    #[test]
    fn the_schema_of_events_has_their_fields() {
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
        let schema = schemars::schema_for!(event_schema::TextEvent).to_value();
        let declared: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(fields.as_object().unwrap().keys().collect::<Vec<_>>(), declared);
    }

    /// The schema in the tree; `OGC_BLESS=1` writes it.
    #[test]
    fn the_schema_in_the_tree_is_that_of_the_types() {
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
