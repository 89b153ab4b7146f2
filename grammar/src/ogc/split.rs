//! Splits a file into items. Items begin with reserved words, so a file can be split before parsing, and each item can
//! be parsed separately.
//!
//! A keyword begins an item where it cannot be a name: not before `:`, `?`, `=` and not after a dot; at the beginning
//! of a line at the top of a file, `rule = x` is a rule whose name is missing. Inside brackets it must look like the
//! head of an item (`type X =`), so that an unclosed brace ends with its item and hides no other item.

use super::token::{Token, TokenKind};
use crate::span::Span;

/// The place of one item in a file, with its doc comments and attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemText {
    /// Keyword that the item begins with; `None` if there is none, which parsing reports.
    pub keyword: Option<TokenKind>,
    /// Place of the name after the keyword, if there is one.
    pub name: Option<Span>,
    /// Span from the first doc comment or attribute to the last token.
    pub span: Span,
}

/// Returns the items among `tokens`.
pub(crate) fn split(text: &str, tokens: &[Token]) -> Vec<ItemText> {
    let splitter = Splitter::new(text, tokens);
    let starts = splitter.starts();
    let ends = starts.iter().skip(1).copied().chain([splitter.significant.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| splitter.item(*start, end)).collect()
}

/// A significant token, with the one before it on its line and the one before it at all.
#[derive(Clone, Copy)]
struct Word {
    token: Token,
    /// Index of the token among all tokens.
    index: usize,
    first_on_line: bool,
    first_in_column: bool,
}

/// Consecutive attributes. Any rest of a chain has the same end, so each chain is walked once.
#[derive(Default)]
struct Chain {
    /// Index at which each attribute begins, and the index after the last.
    starts: Vec<usize>,
    end: usize,
}

impl Chain {
    /// Returns whether an attribute of the chain begins at `at`, or the chain ends there.
    fn has(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }
}

struct Splitter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    significant: Vec<Word>,
}

impl<'t> Splitter<'t> {
    fn new(text: &'t str, tokens: &'t [Token]) -> Splitter<'t> {
        let mut significant = Vec::new();
        let (mut first_on_line, mut first_in_column) = (true, true);
        for (index, token) in tokens.iter().enumerate() {
            let written = token.span.text(text);
            if token.kind.is_trivia() {
                first_on_line |= written.contains('\n');
                first_in_column = written.ends_with('\n') || first_in_column && written == "\u{FEFF}";
                continue;
            }
            significant.push(Word { token: *token, index, first_on_line, first_in_column });
            (first_on_line, first_in_column) = (false, false);
        }
        Splitter { text, tokens, significant }
    }

    /// Returns the indices of the words that begin items; attributes before a keyword belong to its item.
    fn starts(&self) -> Vec<usize> {
        let mut starts = Vec::new();
        let mut chain = Chain::default();
        let mut depth = 0_usize;
        let mut item = None;
        let mut at = 0;
        while at < self.significant.len() {
            if at >= chain.end && !chain.has(at) {
                chain = self.chain(at);
            }
            // Inside of an attribute's brackets, the length of the attribute bounds the walk.
            let head = if chain.has(at) { chain.end } else { self.skip_attributes(at) };
            let begins = self.begins_item(head, depth)
                || depth == 0 && (self.begins_foreign(head) || self.is_begun(at) || self.ends_item(at, item));
            if begins && (head == at || self.is_fresh(at)) {
                starts.push(at);
                item = self.kind(head);
                (at, depth) = (head + 1, 0);
                continue;
            }
            if starts.is_empty() {
                starts.push(at);
            }
            let kind = self.kind(at);
            depth = match kind {
                Some(kind) if kind.closer().is_some() => depth + 1,
                Some(kind) if kind.is_closer() => depth.saturating_sub(1),
                _ => depth,
            };
            at += 1;
        }
        starts
    }

    /// Returns whether attributes at `at` begin a line, so that they belong to the next item; otherwise they are part
    /// of an expression.
    fn is_fresh(&self, at: usize) -> bool {
        at == 0 || self.significant.get(at).is_some_and(|word| word.first_on_line)
    }

    /// Returns the index after the attributes that begin at `at`; `at` itself if there are none or the last is not
    /// closed.
    fn skip_attributes(&self, at: usize) -> usize {
        self.chain(at).end
    }

    /// Returns the attributes that begin at `at`, up to one that is not closed.
    fn chain(&self, at: usize) -> Chain {
        let mut chain = Chain { starts: vec![at], end: at };
        loop {
            let after = match self.kind(chain.end) {
                Some(TokenKind::Attribute) => Some(chain.end + 1),
                Some(TokenKind::AttributeOpen) => self.after_closer(chain.end),
                _ => None,
            };
            let Some(after) = after else { return chain };
            chain.starts.push(after);
            chain.end = after;
        }
    }

    fn after_closer(&self, open: usize) -> Option<usize> {
        /// Maximum number of tokens up to the closing bracket of an attribute, so that many open brackets cost linear
        /// time.
        const REACH: usize = 400;
        let mut depth = 0_usize;
        for (at, word) in self.significant.iter().enumerate().skip(open).take(REACH) {
            if word.token.kind.closer().is_some() {
                depth += 1;
            } else if word.token.kind.is_closer() {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            } else if word.token.kind.is_keyword() && word.first_in_column {
                return None;
            }
        }
        None
    }

    /// Returns whether the keyword at `at`, inside `depth` brackets, begins an item.
    fn begins_item(&self, at: usize, depth: usize) -> bool {
        let Some(word) = self.significant.get(at).filter(|word| word.token.kind.is_keyword()) else {
            return false;
        };
        if self.is_python_import(at) || self.is_imported_type(at) {
            return false;
        }
        let after_dot = at.checked_sub(1).and_then(|before| self.kind(before)) == Some(TokenKind::Dot);
        let next = self.kind(at + 1);
        // At the top of a file `rule = x` is a rule without its name.
        let nameless = depth == 0 && word.first_in_column && next == Some(TokenKind::Equals) && self.defines(at);
        let named = matches!(next, Some(TokenKind::Colon | TokenKind::Question | TokenKind::Equals)) && !nameless;
        if after_dot || named {
            return false;
        }
        let word_follows = self.significant.get(at + 1).is_some_and(|next| {
            let word = next.token.kind.is_word() || next.token.kind == TokenKind::String;
            word && !next.first_on_line
        });
        if depth == 0 {
            return word.first_on_line || word_follows;
        }
        word.first_in_column || self.is_head(at)
    }

    /// Returns whether the keyword is `import` in `from "file" import A`, `from module import A`.
    fn is_python_import(&self, at: usize) -> bool {
        /// Maximum number of tokens between the two words.
        const REACH: usize = 12;
        let begins = |at: usize| self.significant.get(at).is_some_and(|word| word.first_on_line);
        if self.kind(at) != Some(TokenKind::Import) || begins(at) {
            return false;
        }
        let path = |at: usize| matches!(self.kind(at), Some(TokenKind::Name | TokenKind::Dot | TokenKind::String));
        let line = (at.saturating_sub(REACH)..at).rev().take_while(|at| path(*at));
        let first = line.take(REACH).find(|at| begins(*at));
        let names = (at + 1..at + REACH).take_while(|at| !begins(*at));
        let whole = self.kind(at + 1) == Some(TokenKind::String) && self.written(at + 2) == "as";
        let complete = whole || names.map(|at| self.written(at)).any(|word| word == "from");
        !complete && first.is_some_and(|from| from + 1 < at && self.written(from) == "from")
    }

    /// Returns whether the keyword is `type` in `import type A from "file"`.
    fn is_imported_type(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.kind(before));
        let beside = self.significant.get(at).is_some_and(|word| !word.first_on_line);
        let brought = matches!(self.written(at + 2), "from" | "," | "as");
        before == Some(TokenKind::Import) && self.kind(at) == Some(TokenKind::Type) && beside && brought
    }

    fn defines(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::Type | TokenKind::Rule | TokenKind::Output))
    }

    /// Returns whether an item of another language, or one without its keyword, begins a line at `at`.
    fn begins_foreign(&self, at: usize) -> bool {
        let word = self.significant.get(at).filter(|word| word.first_in_column && word.token.kind == TokenKind::Name);
        let before = at.checked_sub(1).and_then(|before| self.kind(before));
        let continued = before.is_some_and(|before| before == TokenKind::Comma || before.is_keyword());
        if word.is_none() || continued {
            return false;
        }
        match self.kind(at + 1) {
            Some(TokenKind::Equals) => true,
            Some(TokenKind::Foreign) => self.written(at + 1) != ";",
            Some(TokenKind::Name) => {
                matches!(self.kind(at + 2), Some(TokenKind::LeftBrace | TokenKind::Equals | TokenKind::Colon))
                    || matches!(self.written(at + 2), "extends" | "implements")
            }
            // `export type X = ...`
            Some(kind) if kind.is_keyword() => {
                let beside = self.significant.get(at + 1).is_some_and(|next| !next.first_on_line);
                beside && self.begins_item(at + 1, 0)
            }
            _ => false,
        }
    }

    /// Returns whether a line begins at `at` that cannot continue the item with this keyword: after a type, an attribute
    /// or two names; after the path of an import or the cases of a test, any name.
    fn ends_item(&self, at: usize, item: Option<TokenKind>) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.kind(before));
        let fresh = self.significant.get(at).is_some_and(|word| word.first_in_column);
        let semicolon = at.checked_sub(1).is_some_and(|before| self.written(before) == ";");
        if !fresh || !before.is_some_and(|before| semicolon || before.ends_expression() && !before.is_keyword()) {
            return false;
        }
        let beside = self.significant.get(at + 1).is_some_and(|next| !next.first_on_line);
        match (item, self.kind(at)) {
            (Some(TokenKind::Type), Some(TokenKind::Attribute | TokenKind::AttributeOpen)) => true,
            (Some(TokenKind::Type), Some(TokenKind::Name)) => beside && self.kind(at + 1) == Some(TokenKind::Name),
            (Some(TokenKind::Import), Some(TokenKind::Name)) => {
                let over = semicolon || matches!(before, Some(TokenKind::String | TokenKind::RightBrace));
                over && !matches!(self.written(at), "as" | "from" | "with")
            }
            (Some(TokenKind::Test), Some(TokenKind::Name)) => before == Some(TokenKind::RightBrace),
            _ => false,
        }
    }

    /// Returns whether a line begins at `at` that has no meaning inside of an item: `@name =`, or the head of a test
    /// with its first case, after a word in place of `test`.
    fn is_begun(&self, at: usize) -> bool {
        let fresh = self.significant.get(at).is_some_and(|word| word.first_in_column);
        match self.kind(at).filter(|_| fresh) {
            Some(TokenKind::Attribute) => self.kind(at + 1) == Some(TokenKind::Equals),
            Some(TokenKind::Name) => self.begins_cases(at + 1),
            _ => false,
        }
    }

    /// Returns whether a name with arguments stands at `at`, with the cases of a test after it.
    fn begins_cases(&self, at: usize) -> bool {
        /// Maximum number of tokens of the arguments, so that many heads cost linear time.
        const REACH: usize = 40;
        if self.kind(at) != Some(TokenKind::Name) || self.kind(at + 1) != Some(TokenKind::Less) {
            return false;
        }
        let Some(open) = (at + 2..at + REACH).find(|at| self.kind(*at) == Some(TokenKind::LeftBrace)) else {
            return false;
        };
        let case = matches!(self.written(open + 1), "accept" | "reject");
        let field = matches!(self.kind(open + 2), Some(TokenKind::Colon | TokenKind::Question | TokenKind::Equals));
        self.kind(open - 1) == Some(TokenKind::Greater) && case && !field
    }

    fn written(&self, at: usize) -> &'t str {
        self.significant.get(at).map_or("", |word| word.token.span.text(self.text))
    }

    /// Returns whether a complete head of an item stands at `at`: `type X =`, `rule x<`, `test X {`, `import X from`.
    fn is_head(&self, at: usize) -> bool {
        use TokenKind::{As, Equals, Foreign, From, Import, LeftBrace, Less, Policy, Test};
        let Some(_) = self.kind(at + 1).filter(|kind| kind.is_word() || *kind == TokenKind::String) else {
            return false;
        };
        match (self.kind(at), self.kind(at + 2)) {
            (Some(Import), _) => matches!(self.import_word(at + 2), Some(As | From)),
            (Some(Test), next) => next == Some(LeftBrace),
            (Some(Policy), next) => next == Some(Equals),
            (_, next) => matches!(next, Some(Equals | Less | Foreign)),
        }
    }

    fn import_word(&self, at: usize) -> Option<TokenKind> {
        match self.written(at) {
            "from" => Some(TokenKind::From),
            "as" => Some(TokenKind::As),
            _ => None,
        }
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.significant.get(at).map(|word| word.token.kind)
    }

    /// Returns the item of the words from `start` to `end`.
    fn item(&self, start: usize, end: usize) -> Option<ItemText> {
        let first = self.significant.get(start)?;
        let last = self.significant.get(end.checked_sub(1)?)?;
        let head = self.significant.get(self.skip_attributes(start));
        let keyword = head.map(|word| word.token.kind).filter(|kind| kind.is_keyword());
        let named = self.skip_attributes(start) + 1;
        let name = self.significant.get(named).map(|word| word.token).filter(|_| !self.has_hyphen(named));
        let name = name.filter(|token| keyword.is_some() && token.kind == TokenKind::Name).map(|token| token.span);
        let span = Span::new(self.first_doc(first.index), last.token.span.end);
        Some(ItemText { keyword, name, span })
    }

    /// Returns whether a hyphen touches the name at `at`, so that it is not a valid name.
    fn has_hyphen(&self, at: usize) -> bool {
        let (Some(name), Some(sign)) = (self.significant.get(at), self.significant.get(at + 1)) else { return false };
        sign.token.kind == TokenKind::Minus && sign.token.span.start == name.token.span.end
    }

    /// Returns the beginning of the doc comments before the token at `index`, or of the token itself.
    fn first_doc(&self, index: usize) -> u32 {
        let before = &self.tokens[..index];
        let from = before.iter().rposition(|token| !token.kind.is_trivia()).map_or(0, |at| at + 1);
        let mut fresh = from == 0;
        for token in &before[from..] {
            if token.kind == TokenKind::Doc && fresh {
                return token.span.start;
            }
            fresh |= token.kind == TokenKind::Space && token.span.text(self.text).contains('\n');
        }
        self.tokens.get(index).map_or(0, |token| token.span.start)
    }
}

#[cfg(test)]
mod tests {
    use crate::ogc::items;

    #[test]
    fn attributes_inside_of_expressions_take_linear_time() {
        let chain = "@space(\"any\") ".repeat(100_000);
        assert_eq!(items(&format!("type A = {chain}int\n{chain}type B = int")).items.len(), 2);
    }
}
