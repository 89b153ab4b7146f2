//! Refuses lazy rules that stand beside another terminal, as only a lexer could tell which of them a text is.
//!
//! In `start: head* tail` with a lazy `head`, a lexer takes any text that ends a `head` for one, and `tail` never sees it. As
//! sets of texts, `tail` may hold it as well. What can come first at a place is found as for a predictive parser: first
//! and follow sets (Aho, Sethi and Ullman 1986, section 4.4), of which only lazy rules are kept apart.

use super::ast::{Ending, File, Item, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::span::Span;
use std::collections::{BTreeSet, HashMap};

/// A first set of terminals: lazy rules by number, and whether there are others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Firsts {
    lazy: BTreeSet<usize>,
    other: bool,
}

impl Firsts {
    fn add(&mut self, more: &Firsts) {
        self.lazy.extend(&more.lazy);
        self.other |= more.other;
    }

    /// Returns a lazy rule of the set, if it has another terminal too.
    fn contested(&self) -> Option<usize> {
        let choice = self.lazy.len() + usize::from(self.other) > 1;
        self.lazy.first().copied().filter(|_| choice)
    }
}

struct Search<'f> {
    file: &'f File,
    number: HashMap<&'f str, usize>,
    first: Vec<Firsts>,
    nullable: Vec<bool>,
    follow: Vec<Firsts>,
    /// Lazy rules that are not the only terminal at their place, with that place.
    contested: Vec<(usize, Span)>,
}

/// Reports lazy rules that are not the only terminal at their place.
pub(super) fn check(file: &File, sink: &mut Sink) {
    if file.items.iter().all(|item| item.ending == Ending::Free) {
        return;
    }
    let mut search = Search::new(file);
    while search.round() {}
    let mut reported = BTreeSet::new();
    for (lazy, place) in std::mem::take(&mut search.contested) {
        if reported.insert(lazy) {
            sink.push(refusal(&file.items[lazy], place));
        }
    }
}

fn refusal(item: &Item, place: Span) -> Diagnostic {
    let message = format!(
        "the lazy rule `{}` stands beside other terminals, which only a lexer could tell apart",
        item.name.value
    );
    let help = "let something before it decide, or write the choice in an .ogc file: `mix<text, A | B>` is text up to a trigger";
    Diagnostic::error(Code::LarkLazyChoice, item.name.span, message).label(place, "the choice is here").help(help)
}

impl<'f> Search<'f> {
    fn new(file: &'f File) -> Self {
        let mut number = HashMap::new();
        for (at, item) in file.items.iter().enumerate() {
            number.entry(item.name.value.as_str()).or_insert(at);
        }
        let count = file.items.len();
        let (first, follow) = (vec![Firsts::default(); count], vec![Firsts::default(); count]);
        Self { file, number, first, nullable: vec![false; count], follow, contested: Vec::new() }
    }

    /// Runs one pass of the fixpoint over all rules; returns whether first, nullable or follow sets have grown.
    fn round(&mut self) -> bool {
        let before = (self.first.clone(), self.nullable.clone(), self.follow.clone());
        self.contested.clear();
        for (at, item) in self.file.items.iter().enumerate().filter(|(_, item)| !item.is_terminal()) {
            let (first, nullable) = self.known(&item.body);
            self.first[at] = first;
            self.nullable[at] = nullable;
            let follow = self.follow[at].clone();
            self.descend(&item.body, &follow);
        }
        before != (self.first.clone(), self.nullable.clone(), self.follow.clone())
    }

    /// Returns the first set of an expression and whether it is nullable, from what is known so far.
    fn known(&self, node: &Node) -> (Firsts, bool) {
        let mut first = Firsts::default();
        match &node.kind {
            NodeKind::Name(name) => self.named(name),
            NodeKind::Sequence(nodes) => {
                for node in nodes {
                    let (more, nullable) = self.known(node);
                    first.add(&more);
                    if !nullable {
                        return (first, false);
                    }
                }
                (first, true)
            }
            NodeKind::Alternation(nodes) => {
                let mut nullable = false;
                for node in nodes {
                    let (more, empty) = self.known(node);
                    first.add(&more);
                    nullable |= empty;
                }
                (first, nullable)
            }
            NodeKind::Repeat { node, min, .. } => {
                let (first, nullable) = self.known(node);
                (first, nullable || *min == 0)
            }
            NodeKind::Literal(text) if text.is_empty() => (first, true),
            _ => {
                first.other = true;
                (first, false)
            }
        }
    }

    fn named(&self, name: &str) -> (Firsts, bool) {
        let mut first = Firsts::default();
        match self.number.get(name) {
            Some(&at) if self.file.items[at].ending != Ending::Free => {
                first.lazy.insert(at);
                (first, false)
            }
            Some(&at) if !self.file.items[at].is_terminal() => (self.first[at].clone(), self.nullable[at]),
            _ => {
                first.other = true;
                (first, false)
            }
        }
    }

    /// Adds to the follow set of every rule in an expression, and checks every choice in it.
    fn descend(&mut self, node: &Node, follow: &Firsts) {
        self.look(node, follow);
        match &node.kind {
            NodeKind::Name(name) => {
                if let Some(&at) = self.number.get(name.as_str()) {
                    self.follow[at].add(follow);
                }
            }
            NodeKind::Sequence(nodes) => {
                let mut after = follow.clone();
                for node in nodes.iter().rev() {
                    self.descend(node, &after);
                    let (first, nullable) = self.known(node);
                    if !nullable {
                        after = Firsts::default();
                    }
                    after.add(&first);
                }
            }
            NodeKind::Alternation(nodes) => nodes.iter().for_each(|node| self.descend(node, follow)),
            NodeKind::Repeat { node, max, .. } => {
                let mut after = follow.clone();
                if *max != Some(1) {
                    after.add(&self.known(node).0);
                }
                self.look_at(&after, node.span);
                self.descend(node, &after);
            }
            _ => {}
        }
    }

    fn look(&mut self, node: &Node, follow: &Firsts) {
        let (mut first, nullable) = self.known(node);
        if nullable {
            first.add(follow);
        }
        self.look_at(&first, node.span);
    }

    fn look_at(&mut self, first: &Firsts, place: Span) {
        if let Some(lazy) = first.contested() {
            self.contested.push((lazy, place));
        }
    }
}
