//! Error recovery of the Lark parser: the messages of mistakes, and the place where reading goes on.

use super::lexemes::{Lexeme, Token};
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::notation::habit::{lazy, nothing_to_repeat};
use crate::notation::{NESTING_LIMIT, STACKED_LIMIT};
use crate::rules::nearest;
use crate::span::{Span, Spanned};

impl<'l> Parser<'l, '_> {
    /// Reports `diagnostic` unless its statement has failed before.
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.sink.push(diagnostic);
        }
        self.failed = true;
    }

    /// Skips to the next statement.
    pub(super) fn end_statement(&mut self) {
        self.depth = 0;
        if self.failed || !(self.at_head() || self.peek().is_none()) {
            self.at += usize::from(!self.at_head());
            while self.peek().is_some() && !self.at_head() {
                self.at += 1;
            }
        }
    }

    /// Reports and skips text before the first statement, or after a mistake that hid a head.
    pub(super) fn stray(&mut self) {
        let found = match self.peek_token() {
            Some(Token::Directive(word)) => no_statement(word, self.here()),
            _ => {
                Diagnostic::error(Code::ExpectedRule, self.here(), "expected a rule, which begins with a name and `:`")
            }
        };
        self.fail(found);
    }

    /// Reports text behind the end of a statement.
    pub(super) fn check_end(&mut self) {
        if self.failed || self.peek().is_none() || self.at_head() {
            return;
        }
        let starts_line = self.peek().is_some_and(|l| l.starts_line);
        match self.peek_token() {
            Some(Token::Sign(sign @ (')' | ']' | '}'))) => {
                let message = format!("this `{sign}` closes nothing");
                self.fail(Diagnostic::error(Code::UnmatchedParenthesis, self.here(), message));
            }
            Some(Token::Colons) => self.fail_parametric(),
            Some(Token::Directive(word)) if starts_line => self.fail(no_statement(word, self.here())),
            _ if starts_line => {
                let message = "the statement has ended with its line, so this belongs to none";
                let help = "begin the line with `|`, or put parentheses around the whole; a rule begins with `name:`";
                self.fail(Diagnostic::error(Code::LarkLine, self.here(), message).help(help));
            }
            _ => self.fail_unexpected(),
        }
    }

    /// Says of the sign that was just read that it is not lazy, if it is a `?` directly behind another repetition sign.
    pub(super) fn warn_lazy(&mut self) {
        let place = self.previous_span();
        let before = self.text.get(..place.start as usize).unwrap_or_default();
        if place.text(self.text) == "?" && before.ends_with(['*', '+', '}']) {
            self.sink.push(lazy(place));
        }
    }

    pub(super) fn fail_unexpected(&mut self) {
        let place = self.here();
        let found = match self.peek_token() {
            Some(Token::Sign('?' | '*' | '+')) => {
                let before = self.text.get(..place.start as usize).unwrap_or_default();
                nothing_to_repeat(place, place.text(self.text) == "?" && before.ends_with('('))
            }
            Some(Token::Block { word, .. }) => block(word, place),
            Some(Token::Directive(word)) if word == "if" => parametric(place),
            Some(Token::Directive(word)) => {
                Diagnostic::error(Code::LarkDirective, place, format!("`%{word}` has no meaning here"))
                    .help("in a rule, `%` begins `%json`, `%regex` and `%lark` only")
            }
            Some(Token::Sign('@')) => Diagnostic::error(Code::LarkEmbedded, place, "a grammar by name is `@name`")
                .help("write the name directly behind `@`, or the grammar in this place: `%lark { ... }`, `%json { ... }`"),
            Some(Token::Sign(sign)) => unexpected_sign(*sign, place),
            _ => Diagnostic::error(Code::ExpectedExpression, place, "expected an expression"),
        };
        self.fail(found);
    }

    pub(super) fn fail_parametric(&mut self) {
        self.fail(parametric(self.here()));
    }

    pub(super) fn fail_repetition(&mut self, place: Span) {
        let help = "write `x~2`, `x~2..5`, `x{2,5}` or `x{2,}`";
        self.fail(Diagnostic::error(Code::LarkRepetition, place, "this is no repetition").help(help));
    }

    pub(super) fn fail_stacked(&mut self, given: u32) {
        let message = format!("{given} repetition signs follow one another; the limit is {STACKED_LIMIT}");
        self.fail(Diagnostic::error(Code::NestingTooDeep, self.previous_span(), message));
    }

    pub(super) fn fail_nesting(&mut self) {
        let message = format!("groups nest {} levels deep here; the limit is {NESTING_LIMIT}", self.depth);
        let help = "move an inner group into a rule of its own";
        self.fail(Diagnostic::error(Code::NestingTooDeep, self.here(), message).help(help));
    }

    /// Reports a group without end, unless something inside it is wrong.
    pub(super) fn fail_unclosed(&mut self, open: Span) {
        if self.peek().is_none() || self.at_head() {
            let found = Diagnostic::error(Code::UnclosedGroup, open, "this bracket is never closed");
            let end = Span::empty(self.previous_span().end);
            self.fail(found.label(end, "the statement ends here").help("close it, before the line ends"));
        } else {
            self.fail_unexpected();
        }
    }

    pub(super) fn expect_name(&mut self, message: &str) -> Option<Spanned<String>> {
        let lexeme = self.peek();
        if let Some(Lexeme { token: Token::Name(name), span, .. }) = lexeme {
            self.at += 1;
            return Some(Spanned::new(name.clone(), *span));
        }
        let found = Diagnostic::error(Code::LarkName, self.here(), message);
        self.fail(found.help("a name is letters, digits and `_`, small for rules and in capitals for terminals"));
        None
    }

    /// Skips a sign if it stands here; returns whether it did.
    pub(super) fn eat(&mut self, sign: char) -> bool {
        let found = self.peek_token() == Some(&Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    pub(super) fn peek(&self) -> Option<&'l Lexeme> {
        self.lexemes.get(self.at)
    }

    pub(super) fn peek_token(&self) -> Option<&'l Token> {
        self.peek().map(|l| &l.token)
    }

    pub(super) fn previous(&self) -> Option<&'l Token> {
        self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)).map(|l| &l.token)
    }

    /// Returns the place of the next lexeme, or the empty one after the last.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or_else(|| Span::empty(self.previous_span().end), |l| l.span)
    }

    pub(super) fn previous_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map(|l| l.span).unwrap_or_default()
    }
}

/// The words of statements.
const STATEMENTS: [&str; 6] = ["import", "ignore", "declare", "override", "extend", "llguidance"];

fn no_statement(word: &str, place: Span) -> Diagnostic {
    let found = Diagnostic::error(Code::LarkDirective, place, format!("there is no statement `%{word}`"));
    match nearest(word, STATEMENTS.into_iter()) {
        Some(meant) => found.help(format!("did you mean `%{meant}`?")).fix(Fix::instead(place, format!("%{meant}"))),
        None => found.help("statements are %import, %ignore, %declare, %override, %extend and %llguidance"),
    }
}

fn block(word: &str, place: Span) -> Diagnostic {
    let found = Diagnostic::error(Code::LarkEmbedded, place, format!("`%{word}` has no meaning here"));
    found.help("`%llguidance` stands on a line of its own; `%json`, `%regex` and `%lark` stand in rules")
}

fn parametric(place: Span) -> Diagnostic {
    let message = "rules with parameters of bits (`name::_`, `%if`) are not read";
    Diagnostic::error(Code::LarkParametric, place, message)
        .help("write the cases out: `a b | b a` for two parts in any order")
}

fn unexpected_sign(sign: char, place: Span) -> Diagnostic {
    let found =
        Diagnostic::error(Code::UnexpectedCharacter, place, format!("the character {sign:?} has no meaning here"));
    match sign {
        '=' => found.help("Lark writes `:` between a rule's name and its meaning"),
        ';' => found.help("a rule ends with its line, without `;`"),
        ',' => found.help("items of a sequence stand side by side, without commas"),
        '.' => found.help("any character is `/./s` in Lark, and `/./` any but a line break"),
        '-' | '^' | '\\' => {
            found.help("classes and escapes stand in a regular expression, between slashes: `/[^a-z]+/`")
        }
        '!' => found.help("what is not to stand there is said in a regular expression: `/[^x]/`"),
        '@' | '$' | '#' => found.help("write it in quotes if it is meant as text"),
        _ => found.help("write it in quotes if it is meant as text; a regular expression stands between slashes"),
    }
}
