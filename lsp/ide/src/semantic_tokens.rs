//! Semantic tokens: the kind of every word of a file.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::items::signature;
use ogc_compiler::hir::names::{self, Occurrence, Symbol};
use ogc_grammar::Span;
use ogc_grammar::ogc::token::{Token, TokenClass, TokenKind};
use ogc_grammar::ogc::tokens;
use rustc_hash::FxHashMap;

use crate::foreign_names::{self, ForeignName};
use crate::items::items;
use crate::snapshot::Snapshot;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $kind:ident $name:literal;)+) => {
        /// The kind of a token.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TokenType {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl TokenType {
            /// All kinds, in the order of the table.
            pub const ALL: &[TokenType] = &[$(TokenType::$kind),+];

            /// Returns the name that editors use.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(TokenType::$kind => $name,)+ }
            }
        }
    };
}

kinds! {
    /// A set of JSON values: a type, a schema, a built-in type.
    Type "type";
    /// A set of texts: a rule, a built-in text.
    Rule "rule";
    /// An output.
    Output "output";
    /// A parameter.
    Parameter "parameter";
    /// A field of a record.
    Property "property";
    /// A named part of a text.
    Capture "capture";
    /// An imported file.
    Namespace "namespace";
    /// A keyword or a constant.
    Keyword "keyword";
    /// A text.
    String "string";
    /// A pattern.
    Regexp "regexp";
    /// A number.
    Number "number";
    /// An operator.
    Operator "operator";
    /// An attribute.
    Decorator "decorator";
    /// A policy or a budget.
    Setting "setting";
    /// A token of the vocabulary.
    Token "token";
    /// A comment or a doc comment.
    Comment "comment";
}

/// A set of further properties of a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(u32);

impl Modifiers {
    /// The thing is defined here.
    pub const DECLARATION: Modifiers = Modifiers(1);
    /// The token is documentation.
    pub const DOCUMENTATION: Modifiers = Modifiers(1 << 1);
    /// The token names something that is built in.
    pub const DEFAULT_LIBRARY: Modifiers = Modifiers(1 << 2);
    /// The token names something that is deprecated.
    pub const DEPRECATED: Modifiers = Modifiers(1 << 3);

    /// The names that editors use, in the order of the bits.
    pub const NAMES: [&'static str; 4] = ["declaration", "documentation", "defaultLibrary", "deprecated"];

    /// Returns the set as bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    fn with(self, other: Modifiers, holds: bool) -> Modifiers {
        if holds { Modifiers(self.0 | other.0) } else { self }
    }
}

/// A token of a file. Invariant: it is on a single line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// Place of the token.
    pub span: Span,
    /// Kind of the token.
    pub kind: TokenType,
    /// Further properties of the token.
    pub modifiers: Modifiers,
}

/// Returns the tokens of a file that lie in a range, or all, in order of place.
#[must_use]
pub fn semantic_tokens(snapshot: &Snapshot, file: SourceFile, range: Option<Span>) -> Vec<SemanticToken> {
    let text = snapshot.text(file);
    let range = range.unwrap_or(Span::of(0, text.len()));
    match snapshot.language(file) {
        Language::Ogc => of_ogc(snapshot, file, range),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => of_grammar(snapshot, file, range),
        // Editors colour JSON themselves.
        Language::JsonSchema | Language::Regex => Vec::new(),
    }
}

/// Returns the names of rules; the rest of a grammar is coloured by its notation alone.
fn of_grammar(snapshot: &Snapshot, file: SourceFile, range: Span) -> Vec<SemanticToken> {
    let within = |span: Span| span.start < range.end && range.start < span.end;
    let names = foreign_names::occurrences(snapshot, file).iter().filter(|name| within(name.span));
    let token = |name: &ForeignName| {
        let modifiers = Modifiers::default().with(Modifiers::DECLARATION, name.is_definition);
        SemanticToken { span: name.span, kind: TokenType::Rule, modifiers }
    };
    names.map(token).collect()
}

fn of_ogc(snapshot: &Snapshot, file: SourceFile, range: Span) -> Vec<SemanticToken> {
    let text = snapshot.text(file);
    let mut found = Vec::new();
    // The text between items has only comments as tokens, and is read with the item before it.
    let mut at = 0;
    let starts = items(snapshot, file).map(|item| (item.span.start, Some(item.id)));
    let starts: Vec<_> = std::iter::once((0, None)).chain(starts).collect();
    for (index, (start, id)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(text.len() as u32, |(next, _)| *next);
        if end <= range.start || *start >= range.end || *start < at {
            continue;
        }
        at = end;
        let part = Span::new(*start, end);
        let named = id.map(|id| names::names(&snapshot.db, id)).unwrap_or_default();
        found.extend(of_part(snapshot, part.text(text), *start, named));
    }
    found.retain(|token| token.span.start < range.end && range.start < token.span.end);
    found
}

/// Returns the tokens of a part of a file that contains the given names.
fn of_part(snapshot: &Snapshot, text: &str, start: u32, named: &[Occurrence]) -> Vec<SemanticToken> {
    let by_place: FxHashMap<u32, &Occurrence> = named.iter().map(|name| (name.span.start, name)).collect();
    let mut found = Vec::new();
    for token in tokens(text) {
        let own = by_place.get(&token.span.start).filter(|name| name.span.start < name.span.end);
        let is_path = |name: &Occurrence| token.kind == TokenKind::String && matches!(name.symbol, Symbol::File(_));
        let own = own.filter(|name| !is_path(name));
        let name_kind = own.and_then(|name| of_name(snapshot, name));
        let Some((kind, modifiers)) = attribute(token, &by_place).or(name_kind).or_else(|| of_token(token, text))
        else {
            continue;
        };
        found.extend(lines_of(text, token.span).map(|span| SemanticToken {
            span: span.shifted(start),
            kind,
            modifiers,
        }));
    }
    found
}

/// Returns the kind of `@name`, whose name begins after the sign.
fn attribute(token: Token, named: &FxHashMap<u32, &Occurrence>) -> Option<(TokenType, Modifiers)> {
    let is_known = || named.get(&(token.span.start + 1)).is_some_and(|name| name.symbol != Symbol::Unknown);
    let library = |known| Modifiers::default().with(Modifiers::DEFAULT_LIBRARY, known);
    (token.kind.class() == TokenClass::Attribute).then(|| (TokenType::Decorator, library(is_known())))
}

/// Returns the kind of a name; `None` for one that is unknown.
fn of_name(snapshot: &Snapshot, name: &Occurrence) -> Option<(TokenType, Modifiers)> {
    let kind = match &name.symbol {
        Symbol::Unknown => return None,
        symbol => match symbol.kind(&snapshot.db) {
            names::SymbolKind::Value => TokenType::Type,
            names::SymbolKind::Text => TokenType::Rule,
            names::SymbolKind::Output => TokenType::Output,
            names::SymbolKind::Parameter => TokenType::Parameter,
            names::SymbolKind::Field => TokenType::Property,
            names::SymbolKind::Capture => TokenType::Capture,
            names::SymbolKind::File => TokenType::Namespace,
            names::SymbolKind::Attribute => TokenType::Decorator,
            names::SymbolKind::Setting => TokenType::Setting,
            names::SymbolKind::Unknown => return None,
        },
    };
    let is_built_in = matches!(name.symbol, Symbol::Builtin(_) | Symbol::BuiltinParameter(..) | Symbol::Setting(_));
    let is_deprecated = match &name.symbol {
        Symbol::Definition(item) => signature(&snapshot.db, item).deprecated.is_some(),
        _ => false,
    };
    let modifiers = Modifiers::default()
        .with(Modifiers::DECLARATION, name.is_definition)
        .with(Modifiers::DEFAULT_LIBRARY, is_built_in)
        .with(Modifiers::DEPRECATED, is_deprecated);
    Some((kind, modifiers))
}

/// Returns the kind of a token that names nothing.
fn of_token(token: Token, text: &str) -> Option<(TokenType, Modifiers)> {
    let kind = match token.kind.class() {
        TokenClass::Keyword | TokenClass::ContextualKeyword | TokenClass::Constant => TokenType::Keyword,
        TokenClass::Comment => {
            let is_doc = token.kind == TokenKind::Doc;
            return Some((TokenType::Comment, Modifiers::default().with(Modifiers::DOCUMENTATION, is_doc)));
        }
        TokenClass::Literal => match token.kind {
            TokenKind::Regex => TokenType::Regexp,
            TokenKind::Number => TokenType::Number,
            TokenKind::Tok => TokenType::Token,
            _ => TokenType::String,
        },
        TokenClass::Operator => TokenType::Operator,
        TokenClass::Attribute => TokenType::Decorator,
        // The lexer does not know in which constructs these words are special; names get their kind from elsewhere.
        TokenClass::Name if is_contextual_keyword(token.span.text(text)) => TokenType::Keyword,
        TokenClass::Space | TokenClass::Name | TokenClass::Bracket | TokenClass::Punctuation | TokenClass::Wrong => {
            return None;
        }
    };
    Some((kind, Modifiers::default()))
}

/// Returns whether a word is special in some construct.
fn is_contextual_keyword(word: &str) -> bool {
    let all = TokenKind::ALL.iter().filter(|kind| kind.class() == TokenClass::ContextualKeyword);
    all.map(|kind| kind.shown()).any(|keyword| keyword == word)
}

/// Splits a span at line ends, because most editors require it.
fn lines_of(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut at = span.start;
    let parts = span.text(text).split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len() as u32;
        Span::new(start, start + line.trim_end_matches(['\r', '\n']).len() as u32)
    });
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn check(fixture: &str, expected: &[&str]) {
        let fixture = Fixture::new(fixture);
        let file = fixture.snapshot.files()[0];
        let found = semantic_tokens(&fixture.snapshot, file, None);
        assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{found:?}");
        let shown: Vec<String> = found.iter().map(|token| shown(&fixture, file, token)).collect();
        assert_eq!(shown, expected);
    }

    fn shown(fixture: &Fixture, file: SourceFile, token: &SemanticToken) -> String {
        let names = Modifiers::NAMES.iter().enumerate().filter(|(bit, _)| token.modifiers.bits() >> bit & 1 == 1);
        let modifiers: String = names.map(|(_, name)| format!(" {name}")).collect();
        format!("{} {}{modifiers}", fixture.snapshot.slice(file, token.span), token.kind.name())
    }

    #[test]
    fn every_word_has_a_token_type() {
        check(
            "/// Doc.\n@deprecated\ntype A<T> = { x: T | int }\n",
            &[
                "/// Doc. comment documentation",
                "@deprecated decorator defaultLibrary",
                "type keyword",
                "A type declaration deprecated",
                "T parameter declaration",
                "x property declaration",
                "T parameter",
                "| operator",
                "int type defaultLibrary",
            ],
        );
        check(
            "rule r = w: /a/ \"b\"[2] tok\"<x>\"\noutput O = r\n",
            &[
                "rule keyword",
                "r rule declaration",
                "w capture declaration",
                "/a/ regexp",
                "\"b\" string",
                "2 number",
                "tok\"<x>\" token",
                "output keyword",
                "O output declaration",
                "r rule",
            ],
        );
    }

    #[test]
    fn imports_and_policies_have_token_types() {
        check(
            "//- a.ogc\nimport \"b.gbnf\" as b\npolicy space = \"any\"\noutput O = b.w\n//- b.gbnf\nroot ::= w\nw ::= \"a\"\n",
            &[
                "import keyword",
                "\"b.gbnf\" string",
                "as keyword",
                "b namespace declaration",
                "policy keyword",
                "space setting defaultLibrary",
                "\"any\" string",
                "output keyword",
                "O output declaration",
                "b namespace",
                "w rule",
            ],
        );
    }

    #[test]
    fn grammar_rules_have_token_types() {
        check("//- g.gbnf\nroot ::= \"a\" root\n", &["root rule declaration", "root rule"]);
    }

    #[test]
    fn unresolved_names_and_schemas_have_no_token_types() {
        check("type A = Nope\n", &["type keyword", "A type declaration"]);
        check("//- s.schema.json\n{ \"type\": \"string\" }\n", &[]);
        check("", &[]);
    }

    #[test]
    fn a_range_request_returns_only_its_tokens() {
        let fixture = Fixture::new("type A = int\ntype B = A\ntype C = B\n");
        let file = fixture.snapshot.files()[0];
        let all = semantic_tokens(&fixture.snapshot, file, None);
        let range = Span::new(13, 24);
        let within: Vec<_> =
            all.into_iter().filter(|token| range.start <= token.span.start && token.span.end <= range.end).collect();
        assert_eq!(semantic_tokens(&fixture.snapshot, file, Some(range)), within);
        assert_eq!(within.len(), 3);
    }
}
