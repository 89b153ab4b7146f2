//! Search for symbols in all files.

use super::{DocumentSymbol, SymbolKind, document_symbols};
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

/// A symbol and its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceSymbol {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The name of the symbol that contains it, if there is one.
    pub container: Option<String>,
    /// The place of the name.
    pub place: FileSpan,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
}

/// The quality of a match of a name with a query; better matches come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    Exact,
    Beginning,
    Inside,
    /// The characters occur in this order, with others between them.
    Scattered,
}

/// Maximum number of symbols that a search returns.
const MOST: usize = 500;

/// Returns the definitions and fields of all files whose names contain the characters of a query in this order,
/// ignoring case. The best matches come first; the empty query finds all definitions.
#[must_use]
pub fn workspace_symbols(snapshot: &Snapshot, query: &str) -> Vec<WorkspaceSymbol> {
    let mut found: Vec<(Match, WorkspaceSymbol)> = Vec::new();
    for file in snapshot.files() {
        let mut open: Vec<(Option<String>, DocumentSymbol)> =
            document_symbols(snapshot, file).into_iter().rev().map(|symbol| (None, symbol)).collect();
        while let Some((container, symbol)) = open.pop() {
            let inside = symbol.children.into_iter().rev().map(|child| (Some(symbol.name.clone()), child));
            open.extend(inside.collect::<Vec<_>>());
            let is_wanted = is_searched(symbol.kind) && (container.is_none() || !query.is_empty());
            let matched = matched(&symbol.name, query).filter(|_| is_wanted);
            let place = FileSpan::new(file, symbol.name_span);
            let DocumentSymbol { name, kind, is_deprecated, .. } = symbol;
            found.extend(matched.map(|how| (how, WorkspaceSymbol { name, kind, container, place, is_deprecated })));
        }
    }
    found.sort_by_key(|(how, symbol)| (*how, symbol.container.is_some()));
    found.truncate(MOST);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// Returns whether people look for symbols of this kind by name.
fn is_searched(kind: SymbolKind) -> bool {
    match kind {
        SymbolKind::Type | SymbolKind::Rule | SymbolKind::Output | SymbolKind::Field | SymbolKind::Capture => true,
        SymbolKind::Test | SymbolKind::Import | SymbolKind::Policy => false,
    }
}

fn matched(name: &str, query: &str) -> Option<Match> {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    if name == query {
        return Some(Match::Exact);
    }
    match name.find(&query) {
        Some(0) => return Some(Match::Beginning),
        Some(_) => return Some(Match::Inside),
        None => {}
    }
    let mut rest = name.chars();
    query.chars().all(|wanted| rest.any(|c| c == wanted)).then_some(Match::Scattered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(query: &str, expected: &[&str]) {
        let fixture = Fixture::new(
            "//- a.ogc\ntype Order = { order_id: int }\ntype Reorder = int\ntest Order { accept 1 }\n//- g.gbnf\noddest-rule ::= \"a\"\n",
        );
        let found = workspace_symbols(&fixture.snapshot, query);
        let shown: Vec<String> = found.iter().map(|symbol| fixture.shown(symbol.place)).collect();
        assert_eq!(shown, expected, "{query}");
    }

    #[test]
    fn better_matches_come_first() {
        check("order", &["a.ogc:1:6 Order", "a.ogc:1:16 order_id", "a.ogc:2:6 Reorder"]);
        check("OR", &["a.ogc:1:6 Order", "a.ogc:1:16 order_id", "a.ogc:2:6 Reorder", "g.gbnf:1:1 oddest-rule"]);
        check("odr", &["a.ogc:1:6 Order", "a.ogc:2:6 Reorder", "g.gbnf:1:1 oddest-rule", "a.ogc:1:16 order_id"]);
    }

    #[test]
    fn an_empty_query_finds_all_definitions_and_an_unknown_name_none() {
        check("", &["a.ogc:1:6 Order", "a.ogc:2:6 Reorder", "g.gbnf:1:1 oddest-rule"]);
        check("zzz", &[]);
    }
}
