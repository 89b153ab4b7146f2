//! Reads llguidance's attributes of rules: `name[lazy, stop="x"]:`.
//!
//! `lazy`, `stop` and `suffix` say where a text ends. `max_tokens` and `max_chars` bound a text. All of these make
//! their rule a terminal. `capture` and `stop_capture` name parts of a text. `temperature` has no effect; a note says
//! so.

use super::ast::{Attributes, Ending, Node, NodeKind};
use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::rules::{TextLength, nearest};
use crate::span::Spanned;

impl Parser<'_, '_> {
    /// Reads the attributes after a rule's name, if there are any.
    pub(super) fn attributes(&mut self, rule: &str) -> Option<Attributes> {
        let mut read = Attributes::default();
        if !self.eat('[') {
            return Some(read);
        }
        loop {
            let name = self.expect_name("an attribute is a name: `[lazy]`, `[stop=\"x\"]`")?;
            let has_value = self.eat('=');
            if !has_value && self.has_other_equals(&name) {
                return None;
            }
            if has_value && matches!(name.value.as_str(), "max_tokens" | "max_chars") {
                self.length(&name, &mut read.length)?;
            } else {
                let value = if has_value { Some(self.value(&name)?) } else { None };
                self.attribute(rule, &name, value, &mut read)?;
            }
            if !self.eat(',') {
                break;
            }
        }
        if self.eat(']') {
            return Some(read);
        }
        if matches!(self.peek_token(), Some(Token::Name(_) | Token::Sign(';'))) {
            let found = Diagnostic::error(Code::LarkAttribute, self.here(), "attributes are separated by commas");
            self.fail(found.help("write `,` before it, as in `[lazy, capture=\"name\"]`"));
            return None;
        }
        self.fail_unexpected();
        None
    }

    /// Reports a sign other than `=` between an attribute and its value; returns whether there was one.
    fn has_other_equals(&mut self, name: &Spanned<String>) -> bool {
        let value = self.lexemes.get(self.at + 1).filter(|_| self.peek_token() == Some(&Token::Sign(':')));
        let Some(value) = value else { return false };
        let place = self.here();
        let help = format!("write `{}={}`", name.value, value.span.text(self.text));
        self.fail(Diagnostic::error(Code::LarkAttribute, place, "an attribute has `=` before its value").help(help));
        true
    }

    /// Reads the number of a bound.
    fn length(&mut self, name: &Spanned<String>, length: &mut Option<TextLength>) -> Option<()> {
        let Some(&Token::Number(most)) = self.peek_token() else {
            let mut found = refused(&name.value, name);
            if let Some(Token::Text { text, .. }) = self.peek_token().filter(|_| !self.at_head()) {
                found = found.help(format!("write `{}={text}`, without quotes", name.value));
            }
            self.fail(found);
            return None;
        };
        self.at += 1;
        let is_first = length.is_none();
        *length = Some(if name.value == "max_chars" { TextLength::Chars(most) } else { TextLength::Tokens(most) });
        if is_first && *length != Some(TextLength::Tokens(0)) {
            return Some(());
        }
        self.fail(refused(&name.value, name));
        None
    }

    fn value(&mut self, name: &Spanned<String>) -> Option<Value> {
        if matches!(name.value.as_str(), "stop" | "suffix") {
            return self.atom().map(Value::Node);
        }
        if matches!(name.value.as_str(), "capture" | "stop_capture")
            && let Some(Token::Text { text, .. } | Token::Name(text)) = self.peek_token()
            && !text.is_empty()
        {
            let text = text.clone();
            self.at += 1;
            return Some(Value::Name(text));
        }
        // A number may have a fraction; its value has no effect here.
        while matches!(
            self.peek_token(),
            Some(Token::Number(_) | Token::Text { .. } | Token::Name(_) | Token::Sign('.' | '-'))
        ) {
            self.at += 1;
        }
        Some(Value::Other)
    }

    fn attribute(
        &mut self,
        rule: &str,
        name: &Spanned<String>,
        value: Option<Value>,
        read: &mut Attributes,
    ) -> Option<()> {
        let fresh = read.ending == Ending::Free;
        let captures = &mut read.captures;
        match (name.value.as_str(), value) {
            ("lazy", None) if fresh => read.ending = Ending::Lazy(name.span),
            ("stop" | "suffix", Some(Value::Node(node))) if fresh && !is_empty(&node) => {
                read.ending = Ending::Marker(Box::new(node), name.span);
            }
            ("capture", None) if captures.text.is_none() => {
                captures.text = Some(Spanned::new(rule.to_owned(), name.span));
            }
            ("capture", Some(Value::Name(given))) if captures.text.is_none() => {
                captures.text = Some(Spanned::new(given, name.span));
            }
            ("stop_capture", Some(Value::Name(given))) if captures.stop.is_none() => {
                captures.stop = Some(Spanned::new(given, name.span));
            }
            ("temperature", Some(_)) => {
                let message =
                    format!("`{}` says nothing about which texts there are: it has no effect here", name.value);
                let note = Diagnostic::note(Code::LarkCapture, name.span, message);
                self.sink.push(note.help(format!("remove `{}`", name.value)));
            }
            (other, _) => {
                self.fail(refused(other, name));
                return None;
            }
        }
        Some(())
    }
}

/// The value of an attribute.
enum Value {
    /// The expression of an end.
    Node(Node),
    /// The name of a capture.
    Name(String),
    /// A value without effect.
    Other,
}

/// The attributes that are known.
const ATTRIBUTES: [&str; 8] =
    ["lazy", "stop", "suffix", "max_tokens", "max_chars", "capture", "stop_capture", "temperature"];

fn is_empty(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Literal(text) if text.is_empty())
}

fn refused(attribute: &str, name: &Spanned<String>) -> Diagnostic {
    let (message, help) = match attribute {
        "lazy" => ("`lazy` stands once and without a value".to_owned(), "write `[lazy]`"),
        "stop" | "suffix" => (
            format!("`{attribute}` stands once, without `lazy`, and names the text that ends the rule"),
            "write `[stop=\"x\"]`; leave it out where the end of the output ends the rule",
        ),
        "max_tokens" | "max_chars" => (
            format!("`{attribute}` takes a number, and stands without a second bound"),
            "write `[max_tokens=100]` or `[max_chars=100]`",
        ),
        "capture" | "stop_capture" => {
            (format!("`{attribute}` stands once, and its value is a name"), "write `[capture]` or `[capture=\"name\"]`")
        }
        _ => (
            format!("there is no attribute `{attribute}`, or not with this value"),
            "attributes are lazy, stop, suffix, max_tokens, max_chars and capture",
        ),
    };
    if let Some(meant) = nearest(attribute, ATTRIBUTES.into_iter()).filter(|meant| *meant != attribute) {
        return Diagnostic::error(Code::LarkAttribute, name.span, message).help(format!("did you mean `{meant}`?"));
    }
    Diagnostic::error(Code::LarkAttribute, name.span, message).help(help)
}
