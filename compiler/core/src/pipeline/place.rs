//! From an automaton's source handles back to places in the text.

use ogc_grammar::Span;
use ogc_schema::source::Origin;

use super::Format;
use crate::db::{Db, Language, SourceFile};
use crate::foreign::read_schema;
use crate::frontend::regex::pattern_of;
use crate::hir::elaborate::module;

/// The place in the format's own file that a rule's or a state's `origin` stands for; `None` where it has none.
///
/// A schema's handles count its keywords; a grammar's are byte offsets plus one, from which the place goes on to the
/// end of the word or the quoted text that begins there; those of `.ogc` count the places of the module. A pattern file has one place, its pattern.
#[must_use]
pub fn place(db: &dyn Db, format: impl Into<Format>, origin: u32) -> Option<Span> {
    let format = format.into();
    place_in(db, &format, origin).filter(|(file, _)| *file == format.file).map(|(_, span)| span)
}

/// The same with the file that the place is in, which imports may lead to.
#[must_use]
pub fn place_in(db: &dyn Db, format: &Format, origin: u32) -> Option<(SourceFile, Span)> {
    if origin == 0 {
        return None;
    }
    let file = format.file;
    let span = match file.language(db) {
        Language::Ogc => {
            let module = module(db, file, format.name.clone()?)?;
            let place = module.place(origin)?;
            return Some((place.file, place.absolute(db)));
        }
        Language::JsonSchema => read_schema(db, file).span(Origin(origin)),
        Language::Gbnf | Language::Ebnf | Language::Lark => word(file.text(db), origin as usize - 1),
        Language::Regex => {
            let (pattern, start) = pattern_of(file.text(db));
            Span::of(start, start + pattern.len())
        }
    };
    Some((file, span))
}

fn word(text: &str, start: usize) -> Span {
    let rest = text.get(start..).unwrap_or_default();
    let len = match rest.chars().next() {
        Some(quote @ ('"' | '\'' | '/')) => rest.get(1..).and_then(|rest| rest.find(quote)).map(|at| at + 2),
        Some('[') => rest.find(']').map(|at| at + 1),
        _ => rest.find(|c: char| !c.is_alphanumeric() && c != '-' && c != '_'),
    };
    let first = rest.chars().next().map_or(0, char::len_utf8);
    Span::of(start, start + len.unwrap_or(rest.len()).max(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_and_classes_end_where_they_end() {
        let text = "item ::= \"a b\" [x-z] é";
        let at = |start| word(text, start).text(text);
        assert_eq!((at(0), at(9), at(15), at(21)), ("item", "\"a b\"", "[x-z]", "é"));
        assert_eq!(word(text, 99).text(text), "");
    }
}
