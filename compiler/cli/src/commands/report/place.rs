//! Places of rules and states in the source, in a readable form.

use ogc_compiler::db::lines;
use ogc_compiler::pipeline::{Format, place};
use ogc_grammar::Position;

use crate::render::excerpt;
use crate::session::Session;

/// A place in the source, and the beginning of the text at that place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) position: Position,
    pub(super) excerpt: String,
}

/// Returns the place of an origin in the automaton.
pub(super) fn at(session: &Session, format: &Format, origin: u32) -> Option<At> {
    let source = session.text(format.file);
    let span = place(&session.db, format.clone(), origin)?;
    let position = lines(&session.db, format.file).place(span.start);
    Some(At { position, excerpt: excerpt(source.text, span) })
}
