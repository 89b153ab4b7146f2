//! Places behind names: ` order.ogc:3:7`.

use ogc_compiler::db::{self, SourceFile};
use ogc_compiler::pipeline::{Format, place_in};
use ogc_grammar::Span;

use crate::session::Session;

/// A format, and where its parts are written.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
}

impl Places<'_> {
    /// The place of a rule, an expression, a schema or a state.
    pub(super) fn of_origin(self, origin: u32) -> String {
        self.of(place_in(&self.session.db, self.format, origin))
    }

    /// A place behind a space; nothing where there is none.
    pub(super) fn of(self, place: Option<(SourceFile, Span)>) -> String {
        let db = &self.session.db;
        place.map_or_else(String::new, |(file, span)| {
            format!(" {}:{}", file.name(db), db::lines(db, file).place(span.start))
        })
    }
}
