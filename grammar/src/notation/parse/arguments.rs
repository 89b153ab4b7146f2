//! Reads the arguments of calls of xgrammar's dialect: texts, numbers, `true`, `false`, names, and tuples of arguments.

use super::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::lexeme::Token;
use crate::span::{Span, Spanned};

/// Maximum nesting of tuples.
const NESTING: u32 = 4;

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ArgumentValue {
    Text(String),
    Number(u32),
    Bool(bool),
    Name(String),
    Tuple(Vec<Argument>),
}

/// An argument and its place.
pub(super) type Argument = Spanned<ArgumentValue>;

/// The arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) positional: Vec<Argument>,
    pub(super) named: Vec<(Spanned<String>, Argument)>,
    /// Place of the arguments, parentheses included.
    pub(super) span: Span,
}

impl Parser<'_, '_> {
    /// Reads arguments in parentheses; `None` after an error, which is reported.
    pub(super) fn arguments(&mut self) -> Option<Arguments> {
        let open = self.here();
        let mut arguments = Arguments::default();
        self.at += 1;
        while self.peek_token() != Some(&Token::Close) {
            self.argument(&mut arguments)?;
            if !self.eat_comma() {
                break;
            }
        }
        self.close(open)?;
        arguments.span = open.merge(self.previous_span());
        Some(arguments)
    }

    fn argument(&mut self, arguments: &mut Arguments) -> Option<()> {
        let span = self.here();
        let name = match (self.peek_token(), self.token(self.at + 1)) {
            (Some(Token::Name(name)), Some(Token::Unknown('='))) => Some(Spanned::new(name.clone(), span)),
            _ => None,
        };
        self.at += if name.is_some() { 2 } else { 0 };
        let value = self.argument_value(0)?;
        match name {
            Some(name) => arguments.named.push((name, value)),
            None => arguments.positional.push(value),
        }
        Some(())
    }

    fn argument_value(&mut self, depth: u32) -> Option<Argument> {
        let span = self.here();
        let value = match self.peek_token() {
            Some(Token::Literal(text)) => ArgumentValue::Text(text.clone()),
            Some(Token::Name(word)) => match (word.as_str(), word.parse()) {
                ("true", _) => ArgumentValue::Bool(true),
                ("false", _) => ArgumentValue::Bool(false),
                (_, Ok(number)) => ArgumentValue::Number(number),
                (word, Err(_)) => ArgumentValue::Name(word.to_owned()),
            },
            Some(Token::Open) if depth < NESTING => return self.tuple(depth),
            Some(Token::Reported) => {
                self.failed = true;
                return None;
            }
            _ => {
                let message =
                    "an argument is a text, a number, `true`, `false`, the name of a rule, or several in parentheses";
                self.fail(
                    Diagnostic::error(Code::GbnfMacro, span, message)
                        .help("give what stands here a rule of its own, and its name"),
                );
                return None;
            }
        };
        self.at += 1;
        Some(Spanned::new(value, span))
    }

    fn tuple(&mut self, depth: u32) -> Option<Argument> {
        let open = self.here();
        let mut values = Vec::new();
        self.at += 1;
        while self.peek_token() != Some(&Token::Close) {
            values.push(self.argument_value(depth + 1)?);
            if !self.eat_comma() {
                break;
            }
        }
        self.close(open)?;
        Some(Spanned::new(ArgumentValue::Tuple(values), open.merge(self.previous_span())))
    }

    fn eat_comma(&mut self) -> bool {
        let found = self.peek_token() == Some(&Token::Unknown(','));
        self.at += usize::from(found);
        found
    }

    fn close(&mut self, open: Span) -> Option<()> {
        if self.peek_token() == Some(&Token::Close) {
            self.at += 1;
            return Some(());
        }
        if self.peek().is_none() || self.at_head() {
            self.fail_unclosed(open);
        } else {
            let message = "expected `,` or `)` between arguments";
            let help = match self.peek_token() {
                Some(Token::Unknown(':' | ';' | '=')) => "write `,` here, as in `(\"<tool>\", tool)`",
                _ => "arguments are separated by `,`; close them with `)`",
            };
            self.fail(Diagnostic::error(Code::GbnfMacro, self.here(), message).help(help));
        }
        None
    }
}
