//! Folding: the parts of a file that an editor can collapse.

use ogc_compiler::db::{Language, SourceFile};
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::ItemKind;
use ogc_grammar::ogc::token::{Token, TokenKind};
use ogc_grammar::ogc::tokens;

use crate::items::items;
use crate::snapshot::Snapshot;
use crate::symbols::{DocumentSymbol, document_symbols};

/// The kind of a folded part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldKind {
    /// Lines of comments or docs.
    Comment,
    /// Imports.
    Imports,
    /// An item, or the text between brackets.
    Region,
}

/// A part that can be collapsed. Invariant: it spans several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// Kind of the hidden part.
    pub kind: FoldKind,
    /// From the line that stays visible to the last hidden line.
    pub span: Span,
}

/// Returns the folds of a file, in order of place.
#[must_use]
pub fn folds(snapshot: &Snapshot, file: SourceFile) -> Vec<Fold> {
    let mut found = match snapshot.language(file) {
        Language::Ogc => of_ogc(snapshot, file),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => {
            of_symbols(&document_symbols(snapshot, file))
        }
        // Editors fold JSON themselves, and a pattern is one line.
        Language::JsonSchema | Language::Regex => Vec::new(),
    };
    let lines = snapshot.lines(file);
    found.retain(|fold| lines.place(fold.span.start).line < lines.place(fold.span.end).line);
    found.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    found.dedup_by_key(|fold| fold.span);
    found
}

fn of_symbols(symbols: &[DocumentSymbol]) -> Vec<Fold> {
    symbols.iter().map(|symbol| Fold { kind: FoldKind::Region, span: symbol.span }).collect()
}

fn of_ogc(snapshot: &Snapshot, file: SourceFile) -> Vec<Fold> {
    let all = tokens(snapshot.text(file));
    let mut found = comments(snapshot.text(file), &all);
    found.extend(brackets(&all));
    found.extend(imports(snapshot, file));
    let items = items(snapshot, file).filter(|item| !matches!(item.tree.kind, ItemKind::Import(_)));
    found.extend(items.map(|item| Fold { kind: FoldKind::Region, span: item.in_file(item.tree.span) }));
    found
}

/// Returns runs of comments, with only line ends and indentation between them.
fn comments(text: &str, tokens: &[Token]) -> Vec<Fold> {
    let mut found: Vec<Fold> = Vec::new();
    let mut last: Option<TokenKind> = None;
    for token in tokens {
        match token.kind {
            TokenKind::Space if token.span.text(text).matches('\n').count() <= 1 => {}
            TokenKind::Comment | TokenKind::Doc | TokenKind::BlockComment => match found.last_mut() {
                Some(fold) if last == Some(token.kind) => fold.span.end = token.span.end,
                _ => found.push(Fold { kind: FoldKind::Comment, span: token.span }),
            },
            _ => last = None,
        }
        if token.kind.is_trivia() && token.kind != TokenKind::Space {
            last = Some(token.kind);
        }
    }
    found
}

/// Returns the parts between matching brackets; unmatched brackets are left out.
fn brackets(tokens: &[Token]) -> Vec<Fold> {
    let mut open: Vec<Token> = Vec::new();
    let mut found = Vec::new();
    for token in tokens {
        let Some(opening) = opening_of(token.kind) else {
            if is_opening(token.kind) {
                open.push(*token);
            }
            continue;
        };
        let Some(at) = open.iter().rposition(|one| one.kind == opening || joined(one.kind, opening)) else { continue };
        found.push(Fold { kind: FoldKind::Region, span: Span::new(open[at].span.start, token.span.start) });
        open.truncate(at);
    }
    found
}

fn is_opening(kind: TokenKind) -> bool {
    use TokenKind::{AttributeOpen, LeftBrace, LeftBracket, LeftParen, Less};
    matches!(kind, LeftBrace | LeftBracket | LeftParen | Less | AttributeOpen)
}

/// Returns the bracket that a bracket closes.
fn opening_of(kind: TokenKind) -> Option<TokenKind> {
    match kind {
        TokenKind::RightBrace => Some(TokenKind::LeftBrace),
        TokenKind::RightBracket => Some(TokenKind::LeftBracket),
        TokenKind::RightParen => Some(TokenKind::LeftParen),
        TokenKind::Greater => Some(TokenKind::Less),
        _ => None,
    }
}

/// Returns whether a token ends with this bracket: `@name(`.
fn joined(kind: TokenKind, bracket: TokenKind) -> bool {
    kind == TokenKind::AttributeOpen && bracket == TokenKind::LeftParen
}

/// Returns the runs of adjacent imports.
fn imports(snapshot: &Snapshot, file: SourceFile) -> Vec<Fold> {
    let mut found: Vec<Fold> = Vec::new();
    let mut in_run = false;
    for item in items(snapshot, file) {
        let is_import = matches!(item.tree.kind, ItemKind::Import(_));
        let span = item.in_file(item.tree.span);
        match found.last_mut() {
            Some(fold) if is_import && in_run => fold.span.end = span.end,
            _ if is_import => found.push(Fold { kind: FoldKind::Imports, span }),
            _ => {}
        }
        in_run = is_import;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let lines = fixture.snapshot.lines(file);
        let shown: Vec<String> = folds(&fixture.snapshot, file)
            .into_iter()
            .map(|fold| {
                let (start, end) = (lines.place(fold.span.start).line + 1, lines.place(fold.span.end).line + 1);
                format!("{:?} {start}-{end}", fold.kind)
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn items_and_brackets_fold() {
        check("type A = {\n  x: int,\n  y: [\n    int\n  ],\n}\n", &["Region 1-6", "Region 1-6", "Region 3-5"]);
        check("type A = int\n", &[]);
        check("type A = {\n x: (int\n}\n", &["Region 1-3", "Region 1-3"]);
    }

    #[test]
    fn consecutive_comments_and_imports_fold() {
        check("// a\n// b\n\n// c\ntype A = int\n", &["Comment 1-2"]);
        check("/// a\n/// b\ntype A = int\n", &["Comment 1-2"]);
        check("import \"a.ogc\" as a\nimport \"b.ogc\" as b\ntype A = int\nimport \"c.ogc\" as c\n", &["Imports 1-2"]);
    }

    #[test]
    fn grammars_fold_at_rules() {
        check("//- g.gbnf\nroot ::=\n  \"a\" |\n  \"b\"\nw ::= \"c\"\n", &["Region 1-3"]);
        check("//- s.schema.json\n{\n}\n", &[]);
    }
}
