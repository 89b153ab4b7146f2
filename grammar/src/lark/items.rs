//! Reads rules and terminals: their heads up to the colon, and where a statement begins.

use super::ast::{Attributes, Ending, File, Item, Mode, is_terminal_name};
use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Spanned;

/// Directives that are statements.
pub(super) const STATEMENTS: [&str; 5] = ["import", "ignore", "declare", "override", "extend"];

impl Parser<'_, '_> {
    /// Reads one statement; after an error, which is reported, the caller goes on at the next statement.
    pub(super) fn statement(&mut self, file: &mut File) {
        match self.peek_token() {
            Some(Token::Directive(word)) if STATEMENTS.contains(&word.as_str()) => {
                let word = word.clone();
                self.directive(&word, file);
            }
            Some(Token::Block { word, body }) if word == "llguidance" => {
                let body = *body;
                self.at += 1;
                self.header(body, file);
            }
            _ if self.at_head() => {
                self.item(Mode::Define, file);
            }
            _ => self.stray(),
        }
    }

    /// Reads a rule or terminal.
    pub(super) fn item(&mut self, mode: Mode, file: &mut File) -> Option<()> {
        while self.eat('?') || self.eat('!') {}
        let name = self.expect_name("a rule begins with its name and `:`")?;
        self.check_name(&name);
        let params = self.params()?;
        let Attributes { ending, length, captures } = self.attributes(&name.value)?;
        self.priority()?;
        self.expect_colon(&name)?;
        self.first = self.at;
        let body = self.alternation()?;
        self.check_end();
        if (ending != Ending::Free || length.is_some()) && !params.is_empty() {
            let found = Diagnostic::error(Code::LarkAttribute, name.span, "a template has no attributes");
            self.fail(found.help("write the rule once for each use"));
        }
        file.items.push(Item { name, params, mode, ending, length, captures, body });
        Some(())
    }

    /// Reads `{a, b}` after the name of a template.
    fn params(&mut self) -> Option<Vec<Spanned<String>>> {
        let mut params = Vec::new();
        if !self.eat('{') {
            return Some(params);
        }
        loop {
            params.push(self.expect_name("a parameter of a template is a name")?);
            if !self.eat(',') {
                break;
            }
        }
        if self.eat('}') {
            return Some(params);
        }
        self.fail_unexpected();
        None
    }

    /// Reads a priority such as `.2`, which chooses between readings of one text and so does not change the language.
    fn priority(&mut self) -> Option<()> {
        let start = self.here();
        if !self.eat('.') {
            return Some(());
        }
        self.eat('-');
        if !matches!(self.peek_token(), Some(Token::Number(_))) {
            let found = Diagnostic::error(Code::ExpectedExpression, self.here(), "a priority is a number");
            self.fail(found.help("write `name.2: ...`, or remove the `.` and what stands behind it"));
            return None;
        }
        self.at += 1;
        let message = "a priority chooses between readings of a text, not between texts: it has no effect here";
        let note = Diagnostic::note(Code::LarkPriority, start.merge(self.previous_span()), message);
        self.sink.push(note);
        Some(())
    }

    fn expect_colon(&mut self, name: &Spanned<String>) -> Option<()> {
        if self.peek_token() == Some(&Token::Colons) {
            self.fail_parametric();
            return None;
        }
        if self.eat(':') {
            return Some(());
        }
        let message = format!("expected `:` after `{}`", name.value);
        self.fail(Diagnostic::error(Code::ExpectedRule, self.here(), message).help("write `name: ...`"));
        None
    }

    /// Checks that a name is in small letters (a rule) or in capitals (a terminal); Lark allows no mixed names.
    fn check_name(&mut self, name: &Spanned<String>) {
        let terminal = is_terminal_name(&name.value);
        let other = |c: char| if terminal { c.is_lowercase() } else { c.is_uppercase() };
        if !name.value.chars().any(other) {
            return;
        }
        let message = format!("`{}` is neither a rule nor a terminal", name.value);
        let help = "rules are written in small letters, terminals in capitals";
        self.sink.push(Diagnostic::error(Code::LarkName, name.span, message).help(help));
    }

    /// Returns whether a statement begins at the current token.
    pub(super) fn at_head(&self) -> bool {
        let Some(lexeme) = self.peek().filter(|lexeme| lexeme.starts_line) else { return false };
        match &lexeme.token {
            Token::Directive(word) => STATEMENTS.contains(&word.as_str()),
            Token::Block { word, .. } => word == "llguidance",
            Token::Name(_) | Token::Sign('?' | '!') => self.head_at(self.at),
            _ => false,
        }
    }

    /// Returns whether a head such as `?name{...}[...].2:` stands at `at`, on one line.
    fn head_at(&self, mut at: usize) -> bool {
        let token = |at: usize| self.lexemes.get(at).map(|l| &l.token);
        let goes_on = |at: usize| self.lexemes.get(at).is_some_and(|l| !l.starts_line);
        while matches!(token(at), Some(Token::Sign('?' | '!'))) {
            at += 1;
        }
        if !matches!(token(at), Some(Token::Name(_))) {
            return false;
        }
        at += 1;
        for (open, close) in [('{', '}'), ('[', ']')] {
            if goes_on(at) && token(at) == Some(&Token::Sign(open)) {
                while goes_on(at) && token(at) != Some(&Token::Sign(close)) {
                    at += 1;
                }
                at += 1;
            }
        }
        if token(at) == Some(&Token::Sign('.')) {
            at += 1 + usize::from(token(at + 1) == Some(&Token::Sign('-'))) + 1;
        }
        match token(at) {
            Some(Token::Sign(':')) => goes_on(at),
            // The reader does not support rules with parameters of bits, but they begin a statement, which is reported.
            Some(Token::Colons) => goes_on(at) && self.defines_parametric(at),
            _ => false,
        }
    }

    /// Returns whether `name::param :` stands at `at`, the definition of a parametric rule, and not the reference
    /// `name::argument`.
    fn defines_parametric(&self, at: usize) -> bool {
        let line = self.lexemes.iter().skip(at + 1).take(12).take_while(|l| !l.starts_line);
        line.map(|l| &l.token).any(|token| *token == Token::Sign(':'))
            || self.lexemes.get(at + 1).is_some_and(|l| matches!(l.token, Token::Text { .. }))
    }
}
