//! Compiles the automaton that finds the captures and other parts of a format. It is compiled on demand, from the same
//! module as the masks.

use std::sync::Arc;

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::captures::{Captures, Content};

use super::{Format, automaton, ogc, tag, text};
use crate::db::{Db, Language, SourceFile};

/// The result of lowering captures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredCaptures {
    /// The automaton; `None` if the format's texts have no parts, or if there are errors.
    pub captures: Option<Arc<Captures>>,
    /// The reason why the parts of a valid format cannot be found: their automaton exceeds a limit.
    pub refused: Option<Diagnostic>,
}

/// Returns the automaton that finds the captures and other parts of a format's texts.
pub fn captures(db: &dyn Db, format: impl Into<Format>) -> LoweredCaptures {
    let Format { file, name } = format.into();
    captures_of(db, file, name)
}

/// Returns whether the texts of a format are JSON values.
pub fn is_value(db: &dyn Db, format: &Format) -> bool {
    let Format { file, name } = tag::compiled(db, format.clone());
    match (file.language(db), name) {
        (Language::JsonSchema, _) => true,
        (Language::Ogc, Some(name)) => ogc::is_value(db, file, name),
        (Language::Ogc | Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark | Language::Regex, _) => {
            false
        }
    }
}

/// Returns the kind of content of a format's texts, for readers of events.
pub fn content(db: &dyn Db, format: impl Into<Format>) -> Content {
    let format = format.into();
    if is_value(db, &format) {
        return Content::Value;
    }
    captures(db, format).captures.map_or(Content::Text, Content::Parts)
}

#[salsa::tracked(returns(clone))]
fn captures_of(db: &dyn Db, file: SourceFile, name: Option<Arc<str>>) -> LoweredCaptures {
    let Format { file, name } = tag::compiled(db, Format { file, name });
    if automaton(db, Format { file, name: name.clone() }).is_none() {
        return LoweredCaptures::default();
    }
    match (file.language(db), name) {
        (Language::Ogc, Some(name)) => {
            let (captures, error) = ogc::captures(db, file, name);
            LoweredCaptures::of(captures, error)
        }
        (Language::Lark | Language::Gbnf | Language::Ebnf, _) => {
            let (captures, error) = text::text_captures(db, file);
            LoweredCaptures::of(captures, error)
        }
        _ => LoweredCaptures::default(),
    }
}

impl LoweredCaptures {
    /// Makes the result from the automaton, or from the error that prevented it.
    fn of(captures: Option<Captures>, error: Option<Diagnostic>) -> Self {
        let refused = error.map(|error| {
            let message =
                format!("captures, calls and values in texts of this format cannot be reported: {}", error.message);
            let help = "masks do not need them; capture less, or make what is captured simpler";
            Diagnostic::warning(Code::CapturesLimit, error.span, message).help(help)
        });
        Self { captures: captures.map(Arc::new), refused }
    }
}
