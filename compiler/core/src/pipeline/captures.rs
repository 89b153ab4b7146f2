//! Compiles the automaton that reads the captures of a format, when it is asked for, from the same module as the masks.

use std::sync::Arc;

use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::captures::Captures;

use super::{Format, automaton, ogc};
use crate::db::{Db, Language, SourceFile};

/// The result of lowering captures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweredCaptures {
    /// The automaton; `None` if the format captures nothing or has errors.
    pub captures: Option<Arc<Captures>>,
    /// The reason why captures of a format that compiles cannot be read: their automaton reaches a limit.
    pub refused: Option<Diagnostic>,
}

/// Returns the captures of a format.
pub fn captures(db: &dyn Db, format: impl Into<Format>) -> LoweredCaptures {
    let Format { file, name } = format.into();
    captures_of(db, file, name)
}

#[salsa::tracked(returns(clone))]
fn captures_of(db: &dyn Db, file: SourceFile, name: Option<Arc<str>>) -> LoweredCaptures {
    if automaton(db, Format { file, name: name.clone() }).is_none() {
        return LoweredCaptures::default();
    }
    // Only this language has captures.
    match (file.language(db), name) {
        (Language::Ogc, Some(name)) => ogc::captures(db, file, name),
        _ => LoweredCaptures::default(),
    }
}

impl LoweredCaptures {
    /// The machine, or the error that keeps it from being made.
    pub(super) fn of(captures: Option<Captures>, error: Option<Diagnostic>) -> Self {
        let refused = error.map(|error| {
            let message = format!("the captures of this format cannot be reported: {}", error.message);
            let help = "masks do not need them; capture less, or make what is captured simpler";
            Diagnostic::warning(Code::CapturesLimit, error.span, message).help(help)
        });
        Self { captures: captures.map(Arc::new), refused }
    }
}
