//! Repairs common mistakes among the tokens of one item before it is parsed.
//!
//! After a mistake that makes the intent unclear, such as a literal without an end, the search stops.
//!
//! Each mistake has its own message, and its repair leaves tokens that parse, so the tree is complete and there are no
//! follow-up findings. All other errors are left to the parser.
//!
//! # Steps
//!
//! 1. [`classes`]: records and classes of other languages, `record User(int id) {}`.
//! 2. [`literals`]: literals without an end, digits that run into letters, characters that begin nothing.
//! 3. [`phrases`]: conditions in words, `int in 0..150`.
//! 4. [`ranges`]: `..=` and `..<`; after it a `<` opens a list.
//! 5. [`comparisons`]: `int > 5`; after it, `<` and `>` are brackets only.
//! 6. [`brackets`]: after it, every bracket is closed by its own kind.
//! 7. [`declarations`]: `string name = 1;` for `name: string`.
//! 8. [`signs`]: `;`, `=>` and other signs of other languages; after it no foreign sign is left.
//! 9. [`head`]: words of other languages, `:` for `=`, a missing `=`.
//! 10. [`trailing`]: attributes after their item.
//! 11. [`cases`]: words and parentheses of test cases.
//! 12. [`examples`]: values of test cases.
//! 13. [`constructors`]: `z.string().min(1)`, `constr(min_length=1)`.
//! 14. [`settings`]: `:` for `=` in attributes, policies, overrides and arguments.
//! 15. [`braces`]: records in other brackets, `(id: int, name: string)`.
//! 16. [`members`]: commas and colons of records.
//! 17. [`captures`]: names of captures.
//! 18. [`generics`]: `List[T]` and other types of Python.
//! 19. [`counts`]: `{m,n}`, `(m,n)`, `[m,n]` and `[]` for `[m..n]`.
//! 20. [`calls`]: `name(arguments)` for `name<arguments>`.
//! 21. [`bars`]: a `|` with nothing after it.

mod bars;
mod braces;
mod brackets;
mod calls;
mod captures;
mod cases;
mod classes;
mod comparisons;
mod constructors;
mod counts;
mod declarations;
mod examples;
mod frames;
mod generics;
mod head;
mod imports;
pub(crate) mod literals;
mod members;
mod phrases;
mod ranges;
mod settings;
mod signs;
mod trailing;

use super::terminal::{Lexeme, keyword_at};
use super::token::TokenKind;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::fix::Fix;
use crate::span::Span;

/// The tokens of one item under repair.
pub(crate) struct ItemLexemes<'t> {
    /// The tokens, including inserted ones.
    pub(crate) lexemes: Vec<Lexeme<'t>>,
    /// The findings so far.
    pub(crate) sink: Sink,
    /// Whether the tokens no longer show what was meant, so that further findings of the parser would only confuse.
    pub(crate) confused: bool,
    /// The text of the item.
    source: &'t str,
    base: u32,
}

/// Repairs the tokens of the item with the text `source` that begins at `base`.
pub(crate) fn repair<'t>(source: &'t str, lexemes: Vec<Lexeme<'t>>, base: u32) -> ItemLexemes<'t> {
    let mut item = ItemLexemes { lexemes, sink: Sink::default(), confused: false, source, base };
    classes::repair(&mut item);
    literals::repair(&mut item);
    phrases::repair(&mut item);
    ranges::repair(&mut item);
    signs::arrows(&mut item);
    comparisons::repair(&mut item);
    brackets::repair(&mut item);
    declarations::repair(&mut item);
    signs::repair(&mut item);
    head::repair(&mut item);
    if item.confused {
        return item;
    }
    trailing::repair(&mut item);
    cases::repair(&mut item);
    examples::repair(&mut item);
    constructors::repair(&mut item);
    settings::repair(&mut item);
    braces::repair(&mut item);
    members::repair(&mut item);
    captures::repair(&mut item);
    generics::repair(&mut item);
    counts::repair(&mut item);
    calls::repair(&mut item);
    bars::repair(&mut item);
    item
}

impl<'t> ItemLexemes<'t> {
    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.lexemes.get(at).map(|lexeme| lexeme.kind)
    }

    fn text(&self, at: usize) -> &'t str {
        self.lexemes.get(at).map_or("", |lexeme| lexeme.text)
    }

    /// Returns the kind of the token before `at`.
    fn before(&self, at: usize) -> Option<TokenKind> {
        self.kind(at.checked_sub(1)?)
    }

    /// Returns the place of a token in the file.
    fn span(&self, at: usize) -> Span {
        self.lexemes.get(at).map(|lexeme| self.place(lexeme)).unwrap_or_default()
    }

    fn place(&self, lexeme: &Lexeme<'_>) -> Span {
        Span::new(lexeme.start, lexeme.end).shifted(self.base)
    }

    /// Returns the empty place after the token before `at`.
    fn gap(&self, at: usize) -> Span {
        let before = at.checked_sub(1).map(|before| self.span(before));
        Span::empty(before.map_or(self.base, |span| span.end))
    }

    /// Returns whether no white space stands between the token before `at` and this one.
    fn touches(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.lexemes.get(before));
        before.is_some_and(|before| self.lexemes.get(at).is_some_and(|lexeme| lexeme.start == before.end))
    }

    /// Returns a sign that replaces the token at `at`, with white space before it if there is none.
    fn spaced(&self, at: usize, sign: &str) -> String {
        if self.touches(at) { format!(" {sign}") } else { sign.to_owned() }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
    }

    /// Returns the index of the bracket that closes the bracket at `open`. Brackets are counted without regard to their
    /// kinds.
    fn closer_of(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        (open..self.lexemes.len()).find(|at| {
            let kind = self.kind(*at);
            depth += usize::from(kind.is_some_and(|kind| kind.closer().is_some()));
            depth = depth.saturating_sub(usize::from(kind.is_some_and(TokenKind::is_closer)));
            depth == 0
        })
    }

    /// Returns the index of the first field that stands directly after the first `=`, without the brace before it.
    fn first_field(&self) -> Option<usize> {
        let equals = (0..self.lexemes.len()).find(|at| self.kind(*at) == Some(TokenKind::Equals))?;
        let name = equals + 1;
        let named = self.kind(name).is_some_and(|kind| kind.is_word() || kind == TokenKind::String);
        let colon = name + 1 + usize::from(self.kind(name + 1) == Some(TokenKind::Question));
        (named && self.kind(colon) == Some(TokenKind::Colon)).then_some(name)
    }

    /// Reports that a comma is missing before the token at `at`, between two of `what`.
    fn missing_comma(&mut self, at: usize, what: &str) {
        let message = format!("a comma is missing between two {what}");
        let found = Diagnostic::error(Code::MissingComma, self.gap(at), message);
        let label = self.span(at);
        let fix = Fix::new("write `,`", self.gap(at), ",");
        self.report(found.label(label, "the next one begins here").help("write `,` here").fix(fix));
    }

    /// Returns the keyword of the item, after its attributes.
    fn keyword(&self) -> Option<TokenKind> {
        self.kind(self.keyword_at()).filter(|kind| kind.is_keyword())
    }

    /// Returns the index of the first token after the attributes.
    fn keyword_at(&self) -> usize {
        keyword_at(&self.lexemes)
    }
}

/// Makes a token that was not written, directly after `before`.
fn made(kind: TokenKind, text: &'static str, before: Option<&Lexeme<'_>>) -> Lexeme<'static> {
    let at = before.map_or(0, |lexeme| lexeme.end);
    Lexeme { kind, text, start: at, end: at }
}

/// Returns a token with another kind.
fn read_as<'t>(lexeme: Lexeme<'t>, kind: TokenKind) -> Lexeme<'t> {
    Lexeme { kind, ..lexeme }
}
