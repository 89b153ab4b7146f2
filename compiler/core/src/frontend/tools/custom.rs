//! Reads custom tools of OpenAI, whose input is a text: any text, a text of a Lark grammar, or a match of a regular
//! expression.
//!
//! | | |
//! |---|---|
//! | OpenAI, chat | `{"type": "custom", "custom": {"name", "description", "format"}}` |
//! | OpenAI, responses | `{"type": "custom", "name", "description", "format"}` |
//! | `format` | `{"type": "text"}`, or `{"type": "grammar", "syntax", "definition"}`, in chats with the latter in `grammar` |
//!
//! A `start` next to the `definition` names the start rule; the default is `start`. A call has one argument, the string
//! `input`. A grammar is converted to the pattern of this string, so that it applies in every call syntax.

use ogc_grammar::json::JsonValue;
use ogc_grammar::lark::{self, parse_lark_rooted};
use ogc_grammar::rules::{PrintError, Start, print_regex};
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::Limits;
use ogc_regular::pattern::compile;

/// The grammar of a custom tool's input.
pub(super) struct InputGrammar<'a> {
    kind: GrammarKind<'a>,
    text: &'a str,
    /// The place of the text.
    pub(super) span: Span,
}

/// The notation of a grammar.
enum GrammarKind<'a> {
    Regex,
    /// Lark, with the name of its start rule.
    Lark {
        start: &'a str,
    },
}

/// Returns whether a tool is a custom tool.
pub(super) fn is_custom(entry: &JsonValue) -> bool {
    entry.get("type").and_then(JsonValue::as_str) == Some("custom")
}

/// Reads the format of a custom tool's input; `None` means any text.
pub(super) fn input(body: &JsonValue) -> Result<Option<InputGrammar<'_>>, Box<Diagnostic>> {
    let Some(format) = body.get("format") else { return Ok(None) };
    let refused = |value: &JsonValue, message: &str, help: &str| {
        Box::new(Diagnostic::error(Code::BrokenTool, value.span, message).help(help))
    };
    match format.get("type").map(|kind| (kind, kind.as_str())) {
        Some((_, Some("text"))) => Ok(None),
        Some((_, Some("grammar"))) => {
            let inner = format.get("grammar").unwrap_or(format);
            let help = "write `\"syntax\": \"lark\", \"definition\": \"start: ...\"`, or `\"regex\"` and a pattern";
            let start = match inner.get("start").map(|start| (start, start.as_str())) {
                Some((_, Some(start))) => Some((start, inner.get("start"))),
                Some((value, None)) => {
                    return Err(refused(value, "the `start` of a grammar is the name of a rule", help));
                }
                None => None,
            };
            let kind = match inner.get("syntax").map(|syntax| (syntax, syntax.as_str())) {
                Some((_, Some("lark"))) => GrammarKind::Lark { start: start.map_or(lark::START, |(start, _)| start) },
                Some((_, Some("regex"))) => match start {
                    Some((_, value)) => {
                        let value = value.unwrap_or(inner);
                        return Err(refused(
                            value,
                            "a regular expression has no rules, and so no `start`",
                            "remove it",
                        ));
                    }
                    None => GrammarKind::Regex,
                },
                Some((syntax, _)) => return Err(refused(syntax, "the syntax of a grammar is `lark` or `regex`", help)),
                None => return Err(refused(inner, "this grammar has no `syntax`", help)),
            };
            match inner.get("definition").map(|text| (text, text.as_str())) {
                Some((value, Some(text))) => Ok(Some(InputGrammar { kind, text, span: value.span })),
                Some((value, None)) => Err(refused(value, "the `definition` of a grammar is a string", help)),
                None => Err(refused(inner, "this grammar has no `definition`", help)),
            }
        }
        Some((kind, _)) => {
            Err(refused(kind, "the type of a format is `text` or `grammar`", "write `\"type\": \"text\"`"))
        }
        None => Err(refused(format, "this format has no `type`", "write `\"format\": {\"type\": \"text\"}`")),
    }
}

impl InputGrammar<'_> {
    /// Returns the grammar as a pattern for whole texts.
    ///
    /// # Errors
    ///
    /// The grammar has errors, or its language is not regular. Recursion is only a warning, as the other tools can
    /// still be called.
    pub(super) fn pattern(&self, tool: &str) -> Result<String, Box<Diagnostic>> {
        let pattern = match self.kind {
            GrammarKind::Lark { start } => self.lark_pattern(start, tool)?,
            GrammarKind::Regex => self.text.to_owned(),
        };
        let pattern = match pattern.strip_prefix("(?i)") {
            Some(rest) => format!("(?i)^(?:{rest})$"),
            None => format!("^(?:{pattern})$"),
        };
        match compile(&pattern, &Limits::default()) {
            Ok(_) => Ok(pattern),
            Err(error) => {
                let message = format!("the grammar of `{tool}` is not compiled: {error}");
                Err(Box::new(Diagnostic::error(Code::BrokenTool, self.span, message).help(
                    "patterns are those of ECMA-262, without backreferences; write a smaller one where it is too large",
                )))
            }
        }
    }

    fn lark_pattern(&self, start: &str, tool: &str) -> Result<String, Box<Diagnostic>> {
        let refused = |message: String| Diagnostic::error(Code::BrokenTool, self.span, message);
        let (grammar, found) = parse_lark_rooted(self.text, Start::Named(start));
        if let Some(error) = found.iter().find(|one| one.is_error()) {
            let line = self.text.get(..error.span.start as usize).unwrap_or_default().matches('\n').count() + 1;
            let found = refused(format!("line {line} of the grammar of `{tool}`: {}", error.message));
            return Err(Box::new(error.help.iter().fold(found, |found, help| found.help(help.clone()))));
        }
        let start = grammar.start.as_deref().unwrap_or(start);
        print_regex(&grammar, start).map_err(|error| {
            if matches!(error, PrintError::Recursive(_)) {
                let message = format!("`{tool}` is left out: its grammar cannot be written as a pattern: {error}");
                let help = "write lists as repetitions: `items: item (\",\" item)*`; or describe its calls by a rule: \
                            `import start as input from \"input.lark\"`, `quoted<input>`";
                return Box::new(Diagnostic::warning(Code::BrokenTool, self.span, message).help(help));
            }
            let found = refused(format!("the grammar of `{tool}` cannot be written as a pattern: {error}"));
            Box::new(found.help("use literals, patterns and repetitions of them"))
        })
    }
}
