//! Queries that read grammars and patterns.

use ogc_grammar::{Diagnostic, Grammar, Span, parse_abnf, parse_ebnf, parse_gbnf, parse_lark};
use ogc_schema::source::Origin;

use crate::budget::within;
use crate::db::{Db, Language, SourceFile};
use crate::frontend::grammar::Dialect;
use crate::frontend::regex::regex_grammar;
use crate::ir::PlacedGrammar;
use crate::lower::grammar::lower;

/// Reads a grammar: its rules and findings.
#[salsa::tracked]
pub fn read_rules(db: &dyn Db, file: SourceFile) -> (Grammar, Vec<Diagnostic>) {
    match file.language(db) {
        Language::Gbnf => parse_gbnf(file.text(db)),
        Language::Ebnf => parse_ebnf(file.text(db)),
        Language::Abnf => parse_abnf(file.text(db)),
        Language::Lark => parse_lark(file.text(db)),
        Language::Ogc | Language::JsonSchema | Language::Regex => Default::default(),
    }
}

/// Reads the rules of a grammar or a pattern for import by name; returns them with the findings.
#[salsa::tracked]
pub fn foreign_grammar(db: &dyn Db, file: SourceFile) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    match file.language(db) {
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            let (tree, found) = read_rules(db, file);
            let mut found = found.clone();
            if found.iter().any(Diagnostic::is_error) {
                return (None, found);
            }
            let root = file.language(db).dialect().and_then(Dialect::root);
            let limits = file.options(db).limits(db);
            let (grammar, more) =
                within(&limits, || lower(tree, root), |found| (None, vec![at_offset(file.text(db), &found)]));
            found.extend(more);
            (grammar, found)
        }
        Language::Regex => {
            let limits = file.options(db).limits(db);
            within(
                &limits,
                || regex_grammar(file.text(db), &limits.grammar),
                |found| (None, vec![at_offset(file.text(db), &found)]),
            )
        }
        Language::Ogc | Language::JsonSchema => (None, Vec::new()),
    }
}

/// The finding of a budget that reading has exceeded: its places are offsets plus one.
fn at_offset(text: &str, found: &Diagnostic<Origin>) -> Diagnostic {
    found.map_places(|place| match place.0 {
        0 => Span::default(),
        place => word_at(text, place as usize - 1),
    })
}

/// The word, quoted text or class that begins at a byte of a grammar.
pub(crate) fn word_at(text: &str, start: usize) -> Span {
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
        let at = |start| word_at(text, start).text(text);
        assert_eq!((at(0), at(9), at(15), at(21)), ("item", "\"a b\"", "[x-z]", "é"));
        assert_eq!(word_at(text, 99).text(text), "");
    }
}
