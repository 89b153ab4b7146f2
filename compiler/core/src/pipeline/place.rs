//! Maps an automaton's source handles back to places in the text.

use ogc_grammar::Span;
use ogc_schema::source::Origin;

use super::{Format, tag};
use crate::db::{Db, Language, SourceFile};
use crate::foreign::{foreign_grammar, read_schema, structural_tag, word_at};
use crate::hir::elaborate::module;

/// Returns the place of a rule's or a state's `origin` in the format's own file; `None` if the place is in no or
/// another file.
///
/// Origins are indices into a source map: of a schema's keywords, of a grammar's expressions and rules (their place is
/// the first word or quoted text), or of the places of an `.ogc` module. A pattern file has one place, its pattern.
#[must_use]
pub fn place(db: &dyn Db, format: impl Into<Format>, origin: u32) -> Option<Span> {
    let format = format.into();
    place_in(db, &format, origin).filter(|(file, _)| *file == format.file).map(|(_, span)| span)
}

/// Returns the place of a handle with its file, which may be an imported one.
#[must_use]
pub fn place_in(db: &dyn Db, format: &Format, origin: u32) -> Option<(SourceFile, Span)> {
    if origin == 0 {
        return None;
    }
    if structural_tag(db, format.file).is_some() {
        let place = place_in(db, &tag::compiled(db, format.clone()), origin)?;
        return Some(tag::outside(db, format.file, place));
    }
    let file = format.file;
    let span = match file.language(db) {
        Language::Ogc => {
            let module = module(db, file, format.name.clone()?)?;
            let place = module.place(Origin(origin))?;
            return Some((place.file, place.absolute(db)));
        }
        Language::JsonSchema => read_schema(db, file).span(Origin(origin)),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            let places = &foreign_grammar(db, file).0.as_ref()?.places;
            word_at(file.text(db), places.get(Origin(origin))?.start as usize)
        }
        Language::Regex => foreign_grammar(db, file).0.as_ref()?.places.get(Origin(origin))?,
    };
    Some((file, span))
}
