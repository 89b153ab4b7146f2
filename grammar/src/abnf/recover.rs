//! Error recovery of the parser of ABNF: the messages of errors, and the place where the parser goes on.
//!
//! After an error the parser moves to the next head, where all open groups end. It reports only the first error of a
//! rule.

use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::NESTING_LIMIT;
use crate::span::Span;

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
        // The text that the lexer reported may contain the head.
        self.failed |= self.peek_token() == Some(&Token::Reported);
        let found =
            Diagnostic::error(Code::ExpectedRule, self.here(), "expected a rule, which begins with a name and `=`");
        let found = match self.peek_token() {
            Some(Token::Name(_)) => match self.lexemes.get(self.at + 1).map(|next| &next.token) {
                Some(Token::Unknown(':')) => found.help("write `=` between the name and its meaning"),
                _ => found.help("add `=` after the name; to go on with the rule before, indent the line"),
            },
            _ => found,
        };
        self.fail(found);
    }

    /// Reports text after the end of a rule's body.
    pub(super) fn check_end(&mut self) {
        let Some(lexeme) = self.peek() else { return };
        if self.at_head() {
            return;
        }
        if matches!(lexeme.token, Token::Close | Token::CloseOption) {
            let found = Diagnostic::error(Code::UnmatchedParenthesis, lexeme.span, "this bracket closes nothing");
            self.fail(found);
        } else if lexeme.starts_line {
            let message = "this line is indented no more than the rules, and begins none";
            let help = "indent it to go on with the rule before, or write a name and `=` before it";
            self.fail(Diagnostic::error(Code::AbnfLine, lexeme.span, message).help(help));
        } else {
            self.fail_unexpected();
        }
    }

    /// Reports a string directly after another, which other notations read as a quote in a string.
    pub(super) fn check_neighbour(&mut self) {
        let is_text = |token: Option<&Token>| matches!(token, Some(Token::Text { .. }));
        if is_text(self.peek_token()) && is_text(self.neighbour().map(|before| &before.token)) {
            let place = self.previous_span().merge(self.here());
            let found = Diagnostic::error(Code::AbnfSign, place, "a doubled quote is no quote inside of a string");
            let help = "write %x22 or DQUOTE for a quote, and a space between two strings";
            self.sink.push(found.help(help));
            self.failed = true;
        }
    }

    pub(super) fn fail_nothing(&mut self) {
        let place = if self.at_head() { Span::empty(self.previous_span().end) } else { self.here() };
        let found = Diagnostic::error(Code::ExpectedExpression, place, "expected an expression");
        let help = match self.peek_token() {
            Some(Token::Slash) => {
                "`/` stands between alternatives; ABNF has no regular expressions, and a range is written `%x61-7A`"
            }
            _ => "the empty text is written `\"\"`, and something optional in brackets: `[ x ]`",
        };
        self.fail(found.help(help));
    }

    /// Reports a repetition sign that does not stand directly before its element, after a space.
    pub(super) fn fail_repetition(&mut self, sign: Span) {
        let help = "write `*x` for any number of times, `1*x` for once or more, `[x]` for at most once; a space stands before it";
        let message = "a repetition stands directly before what it repeats, and not behind it";
        self.fail(Diagnostic::error(Code::AbnfRepetition, sign, message).help(help));
    }

    pub(super) fn fail_unexpected(&mut self) {
        let place = self.here();
        let found = match self.peek_token() {
            Some(Token::Unknown(c)) => {
                let found =
                    Diagnostic::error(Code::AbnfSign, place, format!("the character {c:?} has no meaning here"));
                match way_out(*c) {
                    Some(help) => found.help(help),
                    None => found,
                }
            }
            Some(Token::Define | Token::Extend) => {
                Diagnostic::error(Code::ExpectedRule, place, "expected a single name before this sign")
            }
            _ => Diagnostic::error(Code::ExpectedExpression, place, "expected an expression"),
        };
        self.fail(found);
    }

    pub(super) fn fail_nesting(&mut self) {
        let (given, limit) = (self.depth + 1, NESTING_LIMIT);
        let message = format!("groups nest {given} levels deep here; the limit is {limit}");
        let help = "move an inner group into a rule of its own";
        self.fail(Diagnostic::error(Code::NestingTooDeep, self.here(), message).help(help));
    }

    /// Reports a group without end, unless an error inside it has been reported.
    pub(super) fn fail_unclosed(&mut self, open: Span, close: &Token) {
        let sign = if *close == Token::Close { ")" } else { "]" };
        match self.peek_token() {
            Some(Token::Unknown(_)) => self.fail_unexpected(),
            _ => {
                let message = format!("this bracket is not closed by `{sign}` in its rule");
                let found = Diagnostic::error(Code::UnclosedGroup, open, message);
                let found = match self.peek_token() {
                    Some(Token::Close | Token::CloseOption) => {
                        found.label(self.here(), "another bracket closes it here").help(format!("write `{sign}` there"))
                    }
                    _ => {
                        let end = Span::empty(self.previous_span().end);
                        found.label(end, "the rule ends here").help(format!("close it with `{sign}`"))
                    }
                };
                self.fail(found);
            }
        }
    }
}

fn way_out(c: char) -> Option<&'static str> {
    Some(match c {
        '|' => "ABNF writes alternatives with `/`",
        '+' => "once or more is written `1*x`",
        '?' => "something optional stands in brackets: `[ x ]`",
        '{' | '}' => "repetition is written `*x`, or `2*4x`",
        ',' => "items of a sequence stand side by side, without commas",
        '\'' => "strings stand in double quotes; a quote is written %x22",
        '.' => "a range is written `%x41-5A`; any character is `%x00-10FFFF`",
        '-' => "ABNF has no exceptions; a range is written `%x41-5A`",
        ':' => "ABNF writes `=` between a rule's name and its meaning",
        '&' | '!' | '~' | '^' => "ABNF has no operators but `/`, repetition and brackets",
        '\\' => "ABNF has no escapes: a character is written by its number, as in %x0A",
        _ => "write it in quotes if it is meant as text",
    })
}
