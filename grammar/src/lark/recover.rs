//! Error recovery of the Lark parser: the messages of errors, and the place where reading resumes.

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
    /// Reports `diagnostic`, unless an error of the current statement has been reported.
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

    /// Reports and skips text before the first statement, or after an error that hid a head.
    pub(super) fn stray(&mut self) {
        let found = match self.peek_token() {
            Some(Token::Directive(word)) => no_statement(word, self.here()),
            // The lexer has reported it.
            Some(Token::Reported) => {
                self.failed = true;
                return;
            }
            _ => Diagnostic { code: Code::ExpectedRule, ..self.no_statement_here() },
        };
        self.fail(found);
    }

    /// Reports text after the end of a statement.
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
                let found = self.no_statement_here();
                self.fail(found);
            }
            _ => self.fail_unexpected(),
        }
    }

    /// Warns that the sign just read does not make a repetition lazy, if it is a `?` directly after another repetition
    /// sign.
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
            Some(Token::Sign(sign)) => {
                // If one rule has a separator, all have it, so it is reported once.
                let is_separator = matches!(sign, ',' | ';');
                let is_known = self.separators.contains(sign);
                self.failed |= is_known;
                self.separators.extend((is_separator && !is_known).then_some(*sign));
                self.unexpected(*sign, place)
            }
            Some(Token::Number(number)) => self.bare_number(*number, place),
            Some(Token::Dots) => Diagnostic::error(Code::ExpectedExpression, place, "`..` stands between two texts, or two numbers")
                .help("write `\"a\"..\"z\"` for a range of characters, `x~1..3` for times"),
            _ => Diagnostic::error(Code::ExpectedExpression, place, "expected an expression")
                .help("the empty text is `\"\"`"),
        };
        self.fail(found);
    }

    /// Returns the finding about a number where an item is expected: in brackets, it was meant as a count.
    fn bare_number(&self, number: u32, place: Span) -> Diagnostic {
        let ahead = |by: usize| self.lexemes.get(self.at + by).map(|next| &next.token);
        let is_count = self.previous() == Some(&Token::Sign('['));
        let most = match (ahead(1), ahead(2)) {
            (Some(Token::Dots | Token::Sign(',' | '-' | ':')), Some(Token::Number(most))) => format!("..{most}"),
            _ => String::new(),
        };
        let message = "a number stands behind `~` as a count, and in quotes as a text";
        let help = match is_count {
            true => format!("write `~{number}{most}` for times, without brackets; brackets are for what may be absent"),
            false => format!("write `x~{number}{most}` for times, `\"{number}\"` for the text"),
        };
        Diagnostic::error(Code::ExpectedExpression, place, message).help(help)
    }

    /// Returns the finding about a sign that has no meaning here; the text before it may tell what was meant.
    fn unexpected(&self, sign: char, place: Span) -> Diagnostic {
        let next = self.lexemes.get(self.at + 1).map(|next| &next.token);
        if let Some(help) = self.way_out_here(sign, next) {
            let message = format!("the character {sign:?} has no meaning here");
            return Diagnostic::error(Code::UnexpectedCharacter, place, message).help(help);
        }
        let name = match self.previous() {
            Some(Token::Name(name)) if matches!(sign, '=' | ':') => name,
            _ => return unexpected_sign(sign, place),
        };
        let place = self.previous_span().merge(place);
        let message = "items have no names of their own";
        let help = format!(
            "remove `{name}{sign}`, or make the item a rule, `{name}: ...`; `-> {name}` names a whole alternative"
        );
        Diagnostic::error(Code::UnexpectedCharacter, place, message).help(help)
    }

    /// Returns the advice for a sign without meaning that depends on its context.
    fn way_out_here(&self, sign: char, next: Option<&Token>) -> Option<String> {
        match (sign, self.previous()?, next) {
            ('-', Token::Text { text: low, .. }, Some(Token::Text { text: high, .. })) => {
                Some(format!("write `\"{low}\"..\"{high}\"` for the range"))
            }
            ('=', _, Some(Token::Sign('>'))) => Some("an alias is written `-> name`".to_owned()),
            ('{', Token::Sign('~'), _) => Some("write `~1..3`, or `{1,3}` without the `~`".to_owned()),
            _ => None,
        }
    }

    pub(super) fn fail_parametric(&mut self) {
        self.fail(parametric(self.here()));
    }

    pub(super) fn fail_repetition(&mut self, place: Span) {
        let help = "write `x~2`, `x~2..5`, `x{2,5}` or `x{2,}`; any number of times is `(...)*`";
        self.fail(Diagnostic::error(Code::LarkRepetition, place, "this is no repetition").help(help));
    }

    /// Reports braces around a repeated part, as in ISO 14977.
    pub(super) fn fail_braces(&mut self, open: Span) {
        let message = "braces repeat nothing: they count, `x{2,5}`, or hold the arguments of a template";
        self.fail(
            Diagnostic::error(Code::LarkRepetition, open, message).help("write `(...)*` for any number of times"),
        );
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

    /// Reports a group without end, unless an error inside it has been reported.
    pub(super) fn fail_unclosed(&mut self, open: Span) {
        if self.peek().is_none() || self.at_head() {
            let found = Diagnostic::error(Code::UnclosedGroup, open, "this bracket is never closed");
            let end = Span::empty(self.previous_span().end);
            self.fail(found.label(end, "the statement ends here").help("close it, before the line ends"));
        } else if let Some(Token::Sign(close @ (')' | ']' | '}'))) = self.peek_token() {
            let opened = open.text(self.text).chars().next().unwrap_or('(');
            let message = format!("this `{opened}` is closed by `{close}`");
            let wanted = match opened {
                '(' => ')',
                '[' => ']',
                _ => '}',
            };
            let found = Diagnostic::error(Code::UnclosedGroup, open, message).label(self.here(), "here");
            self.fail(found.help(format!("write `{wanted}` there")));
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

    /// Returns the span of the next lexeme; at the end, the empty span after the last.
    pub(super) fn here(&self) -> Span {
        self.peek().map_or_else(|| Span::empty(self.previous_span().end), |l| l.span)
    }

    pub(super) fn previous_span(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map(|l| l.span).unwrap_or_default()
    }
}

/// Words that begin statements.
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
        '{' | '}' => found.help("write `(...)*` for any number of times, `x{2,5}` for 2 to 5 times"),
        '/' => found.help("alternatives are separated by `|`"),
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
