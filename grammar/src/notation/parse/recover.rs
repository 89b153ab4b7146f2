//! Error recovery of the parser of GBNF and W3C EBNF: the messages of errors, and the place where the parser goes on.
//!
//! After an error the parser moves to the next head, where all open groups end. It reports only the first error of a
//! rule.

use super::{Dialect, Parser};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::habit::{lazy, nothing_to_repeat};
use crate::notation::lexeme::{Lexeme, Token};
use crate::notation::{NESTING_LIMIT, STACKED_LIMIT};
use crate::span::Span;

/// Names that xgrammar's dialect calls like functions.
pub(super) const MACROS: [&str; 8] =
    ["TagDispatch", "TokenTagDispatch", "Regex", "Substring", "Token", "ExcludeToken", "AnyTokens", "AnyToken"];

impl Parser<'_, '_> {
    /// Reports `diagnostic` unless an error in the current rule has been reported, and leaves the rule.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.sink.push(diagnostic);
        }
        self.failed = true;
        let next = self.heads.partition_point(|head| *head < self.at);
        self.at = self.heads.get(next).copied().unwrap_or(self.lexemes.len());
    }

    /// Reports and skips text before the first rule, or after an error that hid a head.
    pub(super) fn stray(&mut self) {
        let place = self.here();
        let message = "expected a rule, which begins with a name and `::=`";
        let found = Diagnostic::error(Code::ExpectedRule, place, message);
        let found = match self.peek_token() {
            Some(Token::Unknown('<') | Token::Vocabulary(_)) => found.help("names stand bare, without angle brackets"),
            Some(Token::Name(word)) if self.heads.binary_search(&(self.at + 1)).is_ok() => {
                let next = self.lexemes.get(self.at + 1);
                self.forgiven = next.filter(|next| !next.starts_line).map(|_| self.at + 1);
                found.help(format!("remove `{word}`: a rule is its name, `::=` and its meaning"))
            }
            Some(Token::Name(_)) => self.name_help(found),
            Some(Token::Unknown('/' | ';')) => found.help("comments begin with `#`, and end with their line"),
            _ => found.help("write `name ::= ...`; comments begin with `#`"),
        };
        self.fail(found);
    }

    fn name_help(&self, found: Diagnostic) -> Diagnostic {
        match self.lexemes.get(self.at + 1).map(|l| &l.token) {
            Some(Token::Unknown('=' | ':')) => found.help("write `::=` between the name and its meaning"),
            _ => found.help("add `::=` after the name; to go on with the rule before, use `|` or parentheses"),
        }
    }

    /// Reports text after the end of a rule's body.
    pub(super) fn check_end(&mut self) {
        let Some(lexeme) = self.peek() else { return };
        if self.at_head() {
            return;
        }
        if lexeme.token == Token::Close {
            self.fail(Diagnostic::error(Code::UnmatchedParenthesis, lexeme.span, "this `)` closes nothing"));
        } else if lexeme.starts_line && matches!(lexeme.token, Token::Name(_)) {
            self.stray();
        } else if lexeme.starts_line {
            let message = "the rule has ended with its line, so this belongs to no rule";
            let help = "put `|` at the end of the line before, or parentheses around the whole";
            self.fail(Diagnostic::error(Code::GbnfLine, lexeme.span, message).help(help));
        } else {
            self.fail_unexpected();
        }
    }

    /// Warns that the second repetition sign here does not make the first one lazy, if it is a `?` directly after the
    /// first.
    pub(super) fn warn_lazy(&mut self) {
        let place = self.here();
        if place.len() == 1 && self.previous_span().end == place.start {
            self.sink.push(lazy(place));
        }
    }

    pub(super) fn fail_unexpected(&mut self) {
        let place = self.here();
        let found = match self.peek_token() {
            Some(Token::Repeat { .. }) => {
                let before = self.previous_span();
                let is_group = place.len() == 1 && before.len() == 1 && before.end == place.start;
                nothing_to_repeat(place, is_group && self.token(self.at.wrapping_sub(1)) == Some(&Token::Open))
            }
            Some(Token::Define) => Diagnostic::error(Code::ExpectedRule, place, "expected a single name before `::=`")
                .help("begin a rule with one name; `::=` as text stands in quotes"),
            Some(Token::Minus) => Diagnostic::error(Code::ExpectedExpression, place, "nothing stands before `-`"),
            Some(Token::Unknown(c)) => {
                // If one rule has a separator, all have it, so it is reported once.
                let is_separator = matches!(c, ',' | ';');
                let is_known = self.separators.contains(c);
                self.failed |= is_known;
                self.separators.extend((is_separator && !is_known).then_some(*c));
                self.unknown(*c, place)
            }
            _ => Diagnostic::error(Code::ExpectedExpression, place, "expected an expression"),
        };
        self.fail(found);
    }

    fn unknown(&self, c: char, place: Span) -> Diagnostic {
        let after_open =
            self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)).is_some_and(|l| l.token == Token::Open);
        if c == '=' && after_open && self.dialect == Dialect::Gbnf {
            return Diagnostic::error(
                Code::GbnfLookahead,
                place,
                "a lookahead `(= ...)` stands at the end of a rule only",
            )
            .help("make what stands before it a rule of its own, or remove it");
        }
        let code = if self.is_other_style(c) { Code::EbnfMixedStyles } else { Code::UnexpectedCharacter };
        let found = Diagnostic::error(code, place, format!("the character {c:?} has no meaning here"));
        match self.way_out_here(c) {
            Some(help) => found.help(help),
            None => found.help(self.way_out(c)),
        }
    }

    fn is_other_style(&self, c: char) -> bool {
        self.dialect == Dialect::W3c && matches!(c, '=' | ',' | ';' | '{' | '}')
    }

    fn way_out(&self, c: char) -> &'static str {
        match (c, self.dialect) {
            (',' | ';' | '=' | '{' | '}', Dialect::W3c) => {
                "the file's first rule is written with `::=`, which makes it W3C EBNF: no `,` between items, no `;` \
                 after rules, `*` for repetition; for ISO 14977 write `=` in every rule"
            }
            ('.', Dialect::W3c) => "W3C EBNF writes any character as `[#x0-#x10FFFF]`",
            ('#', Dialect::W3c) => "W3C EBNF has comments `/* ... */`; a file with `#` comments is GBNF: name it .gbnf",
            ('<', Dialect::W3c) => "names stand bare, without angle brackets",
            (_, Dialect::W3c) if !matches!(c, '/' | '~' | '!' | '^' | '&' | '$' | '%' | '@') => {
                "write it in quotes if it is meant as text"
            }
            ('=' | ':', Dialect::Gbnf) => "GBNF writes `::=` between a rule's name and its meaning",
            (',', Dialect::Gbnf) => "items of a sequence stand side by side, without commas",
            (';', Dialect::Gbnf) => "a rule ends with its line, without `;`",
            ('/', _) => {
                "there are no regular expressions: classes stand alone, `[a-z]+`; alternatives are separated by `|`"
            }
            ('~' | '!' | '^', _) => "there is no negation of texts; all characters but some are `[^x]`",
            ('&', _) => "there is no intersection: write a rule for what is in both",
            ('$', _) => "there are no anchors: a text ends where its rule does; remove the `$`",
            ('%', _) => "separators are written out: `x (\",\" x)*`",
            ('@', _) => "rules have no attributes; text stands in quotes",
            ('}', _) => "braces only count repetitions, as in `{2,5}` after an expression",
            _ => "write it in quotes if it is meant as text",
        }
    }

    pub(super) fn fail_stacked(&mut self, given: u32) {
        let message = format!("{given} repetition signs follow one another; the limit is {STACKED_LIMIT}");
        self.fail(Diagnostic::error(Code::NestingTooDeep, self.here(), message));
    }

    pub(super) fn fail_nesting(&mut self) {
        let (given, limit) = (self.depth + 1, NESTING_LIMIT);
        let message = format!("groups nest {given} levels deep here; the limit is {limit}");
        let help = "move an inner group into a rule of its own";
        self.fail(Diagnostic::error(Code::NestingTooDeep, self.here(), message).help(help));
    }

    /// Reports a group without end, unless an error inside it has been reported.
    pub(super) fn fail_unclosed(&mut self, open: Span) {
        if matches!(self.peek_token(), None | Some(Token::Name(_))) {
            let found = Diagnostic::error(Code::UnclosedGroup, open, "this `(` is never closed");
            let end = Span::empty(self.previous_span().end);
            self.fail(found.label(end, "the rule ends here").help("close it with `)`"));
        } else {
            self.fail_unexpected();
        }
    }

    /// Returns whether the current token begins a call of xgrammar's dialect, and its name is not a rule.
    pub(super) fn is_macro(&self, name: &str) -> bool {
        let is_read = self.dialect == Dialect::Gbnf && !self.macro_rules.contains(&name);
        is_read && is_called(name, self.lexemes, self.at)
    }
}

/// Returns whether a call of xgrammar's dialect is at `at`: its name with an opening parenthesis directly after it.
pub(crate) fn is_called(name: &str, lexemes: &[Lexeme], at: usize) -> bool {
    let (here, next) = (lexemes.get(at), lexemes.get(at + 1));
    let opens = next.is_some_and(|next| next.token == Token::Open);
    MACROS.contains(&name) && opens && here.map(|one| one.span.end) == next.map(|one| one.span.start)
}
