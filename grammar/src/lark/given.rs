//! Reads the grammars that a rule names with `@name`, llguidance's way to use one grammar inside another.
//!
//! In llguidance, the caller that compiles a grammar provides other grammars by name. Here the grammar `name` is the
//! file `name.lark` in the same folder. It has its own names and its own `%ignore`, like `%lark { ... }`.

use super::ast::{Ending, File, Node, NodeKind};
use super::import::{Importer, file_of, in_other_file};
use super::{SIGNS, START, parse_from};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::rules::{Grammar, Start, check_written};
use crate::span::Span;

impl Importer<'_> {
    /// Replaces the references `@name` in a file by the grammars.
    pub(super) fn give(&mut self, file: &mut File, sink: &mut Sink) {
        for item in &mut file.items {
            self.give_in(&mut item.body, sink);
            if let Ending::Marker(marker, _) = &mut item.ending {
                self.give_in(marker, sink);
            }
        }
    }

    /// Replaces the references in an expression. The parser's nesting limit bounds the recursion.
    fn give_in(&mut self, node: &mut Node, sink: &mut Sink) {
        step();
        let place = node.span;
        match &mut node.kind {
            NodeKind::Given(name) => {
                let given = self.given(name, place);
                node.kind = match given {
                    Ok(grammar) => NodeKind::Nested(Box::new(grammar)),
                    Err(found) => {
                        sink.push(*found);
                        NodeKind::Sequence(Vec::new())
                    }
                };
            }
            NodeKind::Sequence(nodes) | NodeKind::Alternation(nodes) | NodeKind::And(nodes) => {
                nodes.iter_mut().for_each(|node| self.give_in(node, sink));
            }
            NodeKind::Template { arguments, .. } => {
                arguments.iter_mut().for_each(|node| self.give_in(node, sink));
            }
            NodeKind::Repeat { node, .. } | NodeKind::Not(node) => self.give_in(node, sink),
            NodeKind::Literal(_)
            | NodeKind::Range(..)
            | NodeKind::Regex(_)
            | NodeKind::Name(_)
            | NodeKind::Token(_)
            | NodeKind::Substring(_)
            | NodeKind::Json(_)
            | NodeKind::Nested(_) => {}
        }
    }

    /// Reads the grammar with this name; all its spans are `place`.
    fn given(&mut self, name: &str, place: Span) -> Result<Grammar, Box<Diagnostic>> {
        let path = file_of(name);
        let Some(file) = self.found(&path) else {
            let message = format!("`@{name}` is the grammar of the file `{path}`, which is not there");
            let help =
                "put the file beside this one, or write it in this place: `%lark { ... }`, a schema as `%json { ... }`";
            return Err(Box::new(Diagnostic::error(Code::LarkImport, place, message).help(help)));
        };
        self.open(&file, place)?;
        let (mut grammar, mut found) = parse_from(&file.text, Start::Named(START), 1, self);
        self.close();
        if !found.iter().any(Diagnostic::is_error) {
            found.extend(check_written(&grammar, Start::Named(START), &SIGNS));
        }
        if let Some(error) = found.iter().find(|one| one.is_error()) {
            return Err(Box::new(in_other_file(error, &file.name, &file.text, place)));
        }
        for rule in &mut grammar.rules {
            rule.name.span = place;
            rule.body.replaced(&|_| place, &str::to_owned);
        }
        Ok(grammar)
    }
}
