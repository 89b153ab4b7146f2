//! Writes places after names: ` order.ogc:3:7`.

use ogc_compiler::db::{self, SourceFile};
use ogc_compiler::pipeline::{Format, place_in};
use ogc_grammar::Span;

use crate::session::Session;

/// Looks up the places of a format's parts.
#[derive(Clone, Copy)]
pub(super) struct PartPlaces<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
}

impl PartPlaces<'_> {
    /// Returns the place of a rule, an expression, a schema or a state.
    pub(super) fn of_origin(self, origin: u32) -> String {
        self.of(place_in(&self.session.db, self.format, origin))
    }

    /// Writes a place after a space; nothing if there is no place.
    pub(super) fn of(self, place: Option<(SourceFile, Span)>) -> String {
        let db = &self.session.db;
        place.map_or_else(String::new, |(file, span)| {
            format!(" {}:{}", file.name(db), db::lines(db, file).place(span.start))
        })
    }
}
