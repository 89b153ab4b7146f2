//! The tokens of an item up to a cursor, with the brackets that are open there.
//!
//! Completion and signature help read unfinished items, which the parser cannot turn into a tree. Tokens and brackets
//! are always available.

mod brackets;

use always_assert::never;
use ogc_compiler::hir::items::{ItemId, file_items};
use ogc_grammar::Span;
use ogc_grammar::ogc::token::{Token, TokenKind};
use ogc_grammar::ogc::{self};

use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// The item around a cursor, as tokens. All places are relative to the start of the file.
pub(crate) struct Walk<'s> {
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) position: FilePosition,
    pub(crate) text: &'s str,
    /// The item that contains the cursor or ends before it.
    pub(crate) item: Option<&'s ItemId>,
    /// The keyword of the next item.
    pub(crate) next_keyword: Option<TokenKind>,
    /// The significant tokens of the item, including those after the cursor.
    pub(crate) all: Vec<Token>,
    /// Number of tokens before the cursor. A word or literal that the cursor is in or directly after does not count.
    pub(crate) before: usize,
    /// The token at the cursor.
    pub(crate) at: At,
    /// The brackets that are open before the cursor, outer first.
    pub(crate) frames: Vec<Frame>,
    /// The index of the item's keyword.
    pub(crate) keyword: Option<usize>,
    /// Outside all brackets: the index of the first token after the last comma before the cursor.
    pub(crate) segment: usize,
    /// The indices of closing brackets of attributes.
    attribute_ends: Vec<usize>,
}

/// The token at a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// Between tokens.
    Space,
    /// In a word, or directly after it.
    Word(Span),
    /// In a string: its content, and whether it is closed.
    String(Span, bool),
    /// In `tok"..."`: its content, and whether it is closed.
    Tok(Span, bool),
    /// In the name of an attribute: the name, and whether `(` follows.
    Attribute(Span, bool),
    /// In a comment, a number, a regex or a sign.
    Other,
}

/// A bracket that is open.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) open: Open,
    /// The index of its token.
    pub(crate) start: usize,
    /// The index of the first token after the last comma before the cursor.
    pub(crate) segment: usize,
    /// Number of commas before the cursor.
    pub(crate) commas: usize,
}

/// The kinds of open brackets, by their content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// `{ name: T }`
    Record,
    /// `( x )`
    Group,
    /// `[0..3]`
    Bounds,
    /// `[K]: V` in a record
    KeySet,
    /// `name<...>`, with the path
    Arguments(Vec<String>),
    /// `type Name<...>`
    Parameters,
    /// `@name(...)`
    Attribute(String),
    /// `test Name { ... }`
    Cases,
    /// `{ ... }` in a case
    JsonObject,
    /// `[ ... ]` in a case
    JsonArray,
    /// `import ... with { ... }`
    Overrides,
}

impl<'s> Walk<'s> {
    /// Reads the item around a cursor of an `.ogc` file.
    pub(crate) fn new(snapshot: &'s Snapshot, position: FilePosition) -> Walk<'s> {
        let text = snapshot.text(position.file);
        let items = &file_items(&snapshot.db, position.file).items;
        let following = items.partition_point(|(_, span)| span.start < position.offset);
        let item = following.checked_sub(1).and_then(|at| items.get(at));
        let start = item.map_or(0, |(_, span)| span.start);
        let end = items.get(following).map_or(Span::of(0, text.len()).end, |(_, span)| span.start);
        let region = Span::new(start, end);
        let tokens = ogc::tokens(region.text(text)).into_iter();
        let tokens: Vec<Token> = tokens.map(|token| Token { span: token.span.shifted(start), ..token }).collect();
        let next_keyword = items.get(following).and_then(|(_, span)| keyword_in(span.text(text)));
        let at = at(text, &tokens, position.offset);
        let all: Vec<Token> = tokens.into_iter().filter(|token| !token.kind.is_trivia()).collect();
        let before = match at {
            At::Space => all.partition_point(|token| token.span.end <= position.offset),
            At::Attribute(span, _) => all.partition_point(|token| token.span.end < span.start.max(1)),
            _ => all.partition_point(|token| token.span.end < position.offset),
        };
        let mut walk = Walk {
            snapshot,
            position,
            text,
            item: item.map(|(item, _)| item),
            next_keyword,
            all,
            before,
            at,
            frames: Vec::new(),
            keyword: None,
            segment: 0,
            attribute_ends: Vec::new(),
        };
        walk.read_brackets();
        walk
    }

    /// Returns the text of a token.
    pub(crate) fn written(&self, index: usize) -> &'s str {
        self.all.get(index).map_or("", |token| token.span.text(self.text))
    }

    /// Returns the kind of a token before the cursor.
    pub(crate) fn kind(&self, index: usize) -> Option<TokenKind> {
        self.all.get(..self.before)?.get(index).map(|token| token.kind)
    }

    /// Returns the index of the last token before the cursor.
    pub(crate) fn last(&self) -> Option<usize> {
        self.before.checked_sub(1)
    }

    /// Returns the tokens before the cursor that belong to the innermost part between brackets and commas.
    pub(crate) fn segment(&self) -> &[Token] {
        let start = self.frames.last().map_or(self.segment, |frame| frame.segment);
        let Some(segment) = self.all.get(start..self.before) else {
            never!("the part from {} begins behind the cursor at {}", start, self.before);
            return &[];
        };
        segment
    }

    /// Returns the kind of keyword that the item begins with.
    pub(crate) fn item_keyword(&self) -> Option<TokenKind> {
        self.all.get(self.keyword?).map(|token| token.kind)
    }

    /// Returns whether a token ends an attribute.
    pub(crate) fn ends_attribute(&self, index: usize) -> bool {
        self.kind(index) == Some(TokenKind::Attribute) || self.attribute_ends.binary_search(&index).is_ok()
    }

    /// Returns the span that a completion replaces: the word or content around the cursor.
    pub(crate) fn replaced(&self) -> Span {
        match self.at {
            At::Word(span) | At::String(span, _) | At::Tok(span, _) | At::Attribute(span, _) => span,
            At::Space | At::Other => Span::empty(self.position.offset),
        }
    }

    /// Returns the part of the replaced text before the cursor.
    pub(crate) fn prefix(&self) -> &'s str {
        Span::new(self.replaced().start, self.position.offset).text(self.text)
    }

    /// Returns the indentation of the word at the cursor; `None` if something else comes before it on its line.
    pub(crate) fn indent(&self) -> Option<&'s str> {
        let start = match self.at {
            At::Attribute(span, _) => span.start.saturating_sub(1),
            _ => self.replaced().start,
        };
        let before = self.text.get(..start as usize)?;
        let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let line = line.trim_start_matches('\u{FEFF}');
        line.chars().all(char::is_whitespace).then_some(line)
    }

    /// Returns the names of the parameters of the item's head: `T` and `max` of `type Page<T, max = 50>`.
    pub(crate) fn parameters(&self) -> Vec<&'s str> {
        let Some(open) = self.keyword.map(|keyword| keyword + 2).filter(|open| self.is(*open, TokenKind::Less)) else {
            return Vec::new();
        };
        let (mut names, mut depth) = (Vec::new(), 0_usize);
        for (index, token) in self.all.iter().enumerate().skip(open) {
            match token.kind {
                kind if kind.closer().is_some() => depth += 1,
                kind if kind.is_closer() => depth = depth.saturating_sub(1),
                kind if kind.is_keyword() => break,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            let begins = matches!(
                self.all.get(index.saturating_sub(1)).map(|one| one.kind),
                Some(TokenKind::Less | TokenKind::Comma)
            );
            if depth == 1 && begins && token.kind == TokenKind::Name && Some(token.span) != self.word() {
                names.push(token.span.text(self.text));
            }
        }
        names
    }

    /// Returns whether a token of the item has a kind, before or after the cursor.
    pub(crate) fn is(&self, index: usize, kind: TokenKind) -> bool {
        self.all.get(index).is_some_and(|token| token.kind == kind)
    }

    fn word(&self) -> Option<Span> {
        match self.at {
            At::Word(span) => Some(span),
            _ => None,
        }
    }
}

/// Returns the keyword of an item.
fn keyword_in(text: &str) -> Option<TokenKind> {
    ogc::items(text).items.first().and_then(|item| item.keyword)
}

/// Returns the token at an offset of a text.
fn at(text: &str, tokens: &[Token], offset: u32) -> At {
    let index = tokens.partition_point(|token| token.span.end < offset);
    let Some(token) = tokens.get(index).filter(|token| token.span.start < offset) else { return At::Space };
    let (span, inside) = (token.span, offset < token.span.end);
    match token.kind {
        TokenKind::Space => At::Space,
        TokenKind::Comment | TokenKind::Doc | TokenKind::BlockComment => At::Other,
        kind if kind.is_word() => At::Word(span),
        TokenKind::String if inside => At::String(Span::new(span.start + 1, span.end - 1), true),
        TokenKind::Tok if inside => quoted_token(span, offset, true),
        TokenKind::Unclosed => match span.text(text).chars().next() {
            Some('"' | '\'') => At::String(Span::new(span.start + 1, offset), false),
            Some('t') => quoted_token(Span::new(span.start, offset), offset, false),
            _ => At::Other,
        },
        TokenKind::Attribute => At::Attribute(Span::new(span.start + 1, span.end), false),
        TokenKind::AttributeOpen if inside => At::Attribute(Span::new(span.start + 1, span.end - 1), true),
        TokenKind::Unknown if span.text(text) == "@" => At::Attribute(Span::empty(span.end), false),
        TokenKind::Number | TokenKind::BadNumber => At::Other,
        _ if inside => At::Other,
        _ => At::Space,
    }
}

/// Returns the position of an offset within `tok"..."`.
fn quoted_token(span: Span, offset: u32, closed: bool) -> At {
    let start = span.start + 4;
    if offset < start {
        return At::Other;
    }
    At::Tok(Span::new(start, span.end - u32::from(closed)), closed)
}
