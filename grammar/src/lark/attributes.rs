//! Reads llguidance's attributes of rules: `name[lazy, stop="x"]:`.
//!
//! `lazy`, `stop` and `suffix` say where a text ends. `capture`, `stop_capture` and `temperature` say nothing about which
//! texts there are; a note says so. Budgets are errors: an automaton over texts does not count tokens.

use super::ast::{Ending, Node, NodeKind};
use super::lexemes::Token;
use super::parse::Parser;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::Spanned;

impl Parser<'_, '_> {
    /// Reads the attributes behind a rule's name, if there are any.
    pub(super) fn attributes(&mut self) -> Option<Ending> {
        let mut ending = Ending::Free;
        if !self.eat('[') {
            return Some(ending);
        }
        loop {
            let name = self.expect_name("an attribute is a name: `[lazy]`, `[stop=\"x\"]`")?;
            let value = if self.eat('=') { Some(self.value(&name)?) } else { None };
            self.attribute(&name, value, &mut ending)?;
            if !self.eat(',') {
                break;
            }
        }
        if self.eat(']') {
            return Some(ending);
        }
        self.fail_unexpected();
        None
    }

    fn value(&mut self, name: &Spanned<String>) -> Option<Option<Node>> {
        if matches!(name.value.as_str(), "stop" | "suffix") {
            return self.atom().map(Some);
        }
        // A number may have a fraction; what the value is decides nothing here.
        while matches!(
            self.peek_token(),
            Some(Token::Number(_) | Token::Text { .. } | Token::Name(_) | Token::Sign('.' | '-'))
        ) {
            self.at += 1;
        }
        Some(None)
    }

    fn attribute(&mut self, name: &Spanned<String>, value: Option<Option<Node>>, ending: &mut Ending) -> Option<()> {
        let fresh = *ending == Ending::Free;
        match (name.value.as_str(), value) {
            ("lazy", None) if fresh => *ending = Ending::Lazy(name.span),
            ("stop" | "suffix", Some(Some(node))) if fresh && !is_empty(&node) => {
                *ending = Ending::Marker(Box::new(node), name.span);
            }
            ("capture", _) | ("stop_capture" | "temperature", Some(_)) => {
                let message =
                    format!("`{}` says nothing about which texts there are: it has no effect here", name.value);
                let note = Diagnostic::note(Code::LarkCapture, name.span, message);
                self.sink.push(note.help("in an .ogc file, `name: x` records what `x` matched"));
            }
            (other, _) => {
                self.fail(refused(other, name));
                return None;
            }
        }
        Some(())
    }
}

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
            format!("`{attribute}` is a budget, which an automaton over texts does not keep"),
            "in an .ogc file, write `text<max_tokens = 100>` or `text<max_chars = 100>`; or bound the repetition: `x~1..100`",
        ),
        _ => (
            format!("there is no attribute `{attribute}`, or not with this value"),
            "attributes are lazy, stop, suffix and capture",
        ),
    };
    Diagnostic::error(Code::LarkAttribute, name.span, message).help(help)
}
