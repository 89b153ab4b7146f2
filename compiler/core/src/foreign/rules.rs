//! Queries that read grammars and patterns.

use ogc_grammar::lark::LarkFile;
use ogc_grammar::rules::{ExprKind, Start, TokenSet};
use ogc_grammar::{Code, Diagnostic, Grammar, Span, abnf, ebnf, gbnf, lark};
use ogc_schema::source::Origin;

use crate::budget::within;
use crate::db::{Db, Language, SourceFile, Workspace, beside};
use crate::frontend::grammar::{Dialect, read_values};
use crate::frontend::json_schema::ReadOptions;
use crate::frontend::regex::regex_grammar;
use crate::ir::PlacedGrammar;
use crate::lower::grammar::{TokenNames, lower_for};

/// Reads a grammar: its rules and findings. If the options name a start rule that the grammar lacks, that is no
/// finding: the caller that set the option reports it.
#[salsa::tracked]
pub fn read_rules(db: &dyn Db, file: SourceFile) -> (Grammar, Vec<Diagnostic>) {
    let Some(dialect) = file.language(db).dialect() else { return Default::default() };
    if let Some(name) = file.options(db).definition(db) {
        let (grammar, mut found) = read_from(db, file, dialect, Start::Named(name));
        if name != ROOT || grammar.rules.iter().any(|rule| rule.name.value == ROOT) {
            found.retain(|one| one.code != Code::MissingRoot);
            return (grammar, found);
        }
    }
    read_from(db, file, dialect, dialect.root().map_or(Start::First, Start::Named))
}

/// The importable name of the whole grammar.
const ROOT: &str = "root";

fn read_from(db: &dyn Db, file: SourceFile, dialect: Dialect, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    let text = file.text(db);
    match dialect {
        Dialect::Gbnf => gbnf::parse_gbnf_rooted(text, start),
        Dialect::Ebnf => ebnf::parse_ebnf_rooted(text, start),
        Dialect::Abnf => abnf::parse_abnf_rooted(text, start),
        Dialect::Lark => {
            let find = |from: &str, path: &str| lark_file(db, from, path);
            lark::parse_lark_of_files(text, start, file.name(db), &find)
        }
    }
}

/// Finds a Lark file by a path relative to the folder of another file, like the imports of `.ogc` files.
fn lark_file(db: &dyn Db, from: &str, path: &str) -> Option<LarkFile> {
    let found = lark_beside(db, &beside(from, path))?;
    Some(LarkFile { name: found.name(db).to_owned(), text: found.text(db).into() })
}

/// Returns the Lark file with this name.
pub(super) fn lark_beside(db: &dyn Db, name: &str) -> Option<SourceFile> {
    let found = Workspace::try_get(db)?.files(db).get(name).copied()?;
    (found.language(db) == Language::Lark).then_some(found)
}

/// Returns whether a grammar refers to tokens by id, so that it needs a vocabulary.
pub fn numbers_tokens(db: &dyn Db, file: SourceFile) -> bool {
    let mut found = false;
    for rule in &read_rules(db, file).0.rules {
        rule.body.walk(&mut |expr| {
            found |= matches!(&expr.kind, ExprKind::Token(token) if matches!(token.set(), TokenSet::Numbered(_)));
        });
    }
    found
}

/// Returns the name of a grammar's start rule, as the tree spells it: the rule that the options name, or the notation's
/// default. `None` if there is no such rule.
pub fn start_rule(db: &dyn Db, file: SourceFile) -> Option<String> {
    let grammar = &read_rules(db, file).0;
    if grammar.start.as_deref() == Some(lark::ENTRY) {
        return grammar.start.clone();
    }
    let named = file.options(db).definition(db).as_deref().and_then(|name| rule_named(db, file, name));
    let dialect = file.language(db).dialect()?;
    named.or_else(|| grammar.start.clone()).or_else(|| match dialect.root() {
        Some(root) => rule_named(db, file, root),
        None => grammar.rules.first().map(|rule| rule.name.value.clone()),
    })
}

/// Returns the name of a rule as the tree of a grammar spells it; names in ABNF are case-insensitive.
fn rule_named(db: &dyn Db, file: SourceFile, name: &str) -> Option<String> {
    let is_it = |known: &str| match file.language(db) {
        Language::Abnf => known.eq_ignore_ascii_case(name),
        _ => known == name,
    };
    let rules = &read_rules(db, file).0.rules;
    rules.iter().find(|rule| is_it(&rule.name.value)).map(|rule| rule.name.value.clone())
}

/// Returns the name of the rule that a user calls `name`, if the grammar has it; `root` also means the start rule.
pub fn named_rule(db: &dyn Db, file: SourceFile, name: &str) -> Option<String> {
    rule_named(db, file, name).or_else(|| start_rule(db, file).filter(|_| name == ROOT))
}

/// Reads the rules of a grammar or a pattern for import by name, as [`foreign_grammar`] does. A grammar without a start rule can be
/// imported too, as the import names the rule; its first rule is then the root of the result.
pub fn imported_grammar(db: &dyn Db, file: SourceFile) -> &(Option<PlacedGrammar>, Vec<Diagnostic>) {
    let is_whole = file.language(db).dialect().is_none() || start_rule(db, file).is_some();
    if is_whole { foreign_grammar(db, file) } else { unrooted_grammar(db, file) }
}

#[salsa::tracked]
fn unrooted_grammar(db: &dyn Db, file: SourceFile) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    let (tree, found) = read_rules(db, file);
    let found: Vec<Diagnostic> = found.iter().filter(|one| one.code != Code::MissingRoot).cloned().collect();
    if found.iter().any(Diagnostic::is_error) {
        return (None, found);
    }
    lowered(db, file, tree, None, found)
}

fn lowered(
    db: &dyn Db,
    file: SourceFile,
    tree: &Grammar,
    root: Option<&str>,
    mut found: Vec<Diagnostic>,
) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    let limits = file.options(db).limits(db);
    let special = file.options(db).special_tokens(db).as_deref();
    let name_of = |id: u32| special.and_then(|special| special.name(id));
    let names: Option<TokenNames<'_>> = special.is_some().then_some(&name_of);
    let (mut grammar, more) =
        within(&limits, || lower_for(tree, root, names), |found| (None, vec![at_offset(file.text(db), &found)]));
    found.extend(more);
    if let Some(placed) = grammar.as_mut().filter(|placed| !placed.values.texts.is_empty()) {
        let options = ReadOptions {
            formats: file.options(db).formats(db),
            adjustments: file.options(db).adjustments(db),
            limits: limits.read,
            ..ReadOptions::default()
        };
        let first = placed.values.texts.first().map_or(Span::default(), |text| text.span);
        found.extend(within(&limits, || read_values(placed, &options), |found| vec![found.map_places(|_| first)]));
    }
    (grammar.filter(|_| !found.iter().any(Diagnostic::is_error)), found)
}

/// Reads the rules of a grammar or a pattern; returns them with the findings.
#[salsa::tracked]
pub fn foreign_grammar(db: &dyn Db, file: SourceFile) -> (Option<PlacedGrammar>, Vec<Diagnostic>) {
    match file.language(db) {
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            let (tree, found) = read_rules(db, file);
            if found.iter().any(Diagnostic::is_error) {
                return (None, found.clone());
            }
            lowered(db, file, tree, start_rule(db, file).as_deref(), found.clone())
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

/// Converts the finding that reading exceeded its budget; its origins are offsets plus one.
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
    fn the_word_at_an_offset_ends_with_its_name_quote_or_class() {
        let text = "item ::= \"a b\" [x-z] é";
        let at = |start| word_at(text, start).text(text);
        assert_eq!((at(0), at(9), at(15), at(21)), ("item", "\"a b\"", "[x-z]", "é"));
        assert_eq!(word_at(text, 99).text(text), "");
    }
}
