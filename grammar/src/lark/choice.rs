//! Refuses lazy rules that stand beside another terminal, as only a lexer could tell which of them a text is.
//!
//! In `start: head* tail` with a lazy `head`, a lexer takes any text that ends a `head` for one, and `tail` never sees it. As
//! sets of texts, `tail` may hold it as well. What can come first at a place is found as for a predictive parser: first
//! and follow sets (Aho, Sethi and Ullman 1986, section 4.4), of which only lazy rules are kept apart.

use super::ast::{Ending, File, Item, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::span::Span;
use std::collections::{BTreeSet, HashMap};

/// A first set of terminals, as far as it matters here: the least two of its lazy rules by number, and whether there are other
/// terminals. So sets stay small, however many lazy rules there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Firsts {
    lazy: [Option<usize>; 2],
    other: bool,
}

impl Firsts {
    fn of_lazy(rule: usize) -> Firsts {
        Firsts { lazy: [Some(rule), None], other: false }
    }

    fn add(&mut self, more: &Firsts) {
        for rule in more.lazy.into_iter().flatten() {
            self.lazy = match self.lazy {
                [None, _] => [Some(rule), None],
                [Some(first), _] if rule < first => [Some(rule), Some(first)],
                [Some(first), second] if rule > first && second.is_none_or(|second| rule < second) => {
                    [Some(first), Some(rule)]
                }
                known => known,
            };
        }
        self.other |= more.other;
    }

    /// Returns a lazy rule of the set, if it has another terminal too.
    fn contested(&self) -> Option<usize> {
        let choice = self.other || self.lazy[1].is_some();
        self.lazy[0].filter(|_| choice)
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
    /// Whether a follow set has grown in this pass.
    has_grown: bool,
}

/// Reports lazy rules that are not the only terminal at their place.
pub(super) fn check(file: &File, sink: &mut Sink) {
    if file.items.iter().all(|item| item.ending == Ending::Free) {
        return;
    }
    let mut search = Search::new(file);
    search.run();
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
    let help =
        "begin the choices with different texts, as in `\"<a>\" head | tail`, or make one terminal of them: `T: A | B`";
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
        Self { file, number, first, nullable: vec![false; count], follow, contested: Vec::new(), has_grown: false }
    }

    /// Computes first and nullable sets from the rules that are used to those that use them, then follow sets in the other
    /// direction. Where no rules are in a circle, each takes one pass and one that finds nothing new.
    fn run(&mut self) {
        let order = self.used_first();
        while self.firsts(&order) {}
        while self.follows(&order) {}
    }

    /// Returns the rules in an order in which each comes behind those that it uses, as far as they are no circle.
    fn used_first(&self) -> Vec<usize> {
        let (mut seen, mut order) = (vec![false; self.file.items.len()], Vec::new());
        for root in 0..seen.len() {
            let mut open = vec![(root, false)];
            while let Some((at, is_done)) = open.pop() {
                if is_done {
                    order.push(at);
                } else if !std::mem::replace(&mut seen[at], true) && !self.file.items[at].is_terminal() {
                    open.push((at, true));
                    open.extend(self.used(at).into_iter().map(|used| (used, false)));
                }
            }
        }
        order
    }

    /// Returns the numbers of the items that an item names.
    fn used(&self, at: usize) -> Vec<usize> {
        let (mut found, mut open) = (Vec::new(), vec![&self.file.items[at].body]);
        while let Some(node) = open.pop() {
            if let NodeKind::Name(name) = &node.kind {
                found.extend(self.number.get(name.as_str()));
            }
            open.extend(node.children());
        }
        found
    }

    /// Runs one pass over the rules; returns whether a first set has grown.
    fn firsts(&mut self, order: &[usize]) -> bool {
        let mut has_grown = false;
        for &at in order {
            let (first, nullable) = self.known(&self.file.items[at].body);
            has_grown |= (self.first[at], self.nullable[at]) != (first, nullable);
            (self.first[at], self.nullable[at]) = (first, nullable);
        }
        has_grown
    }

    /// Runs one pass over the rules; returns whether a follow set has grown.
    fn follows(&mut self, order: &[usize]) -> bool {
        self.has_grown = false;
        self.contested.clear();
        for &at in order.iter().rev() {
            let follow = self.follow[at];
            self.descend(&self.file.items[at].body, &follow);
        }
        self.has_grown
    }

    /// Returns the first set of an expression and whether it is nullable, from what is known so far.
    fn known(&self, node: &Node) -> (Firsts, bool) {
        step();
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
        match self.number.get(name) {
            Some(&at) if self.file.items[at].ending != Ending::Free => (Firsts::of_lazy(at), false),
            Some(&at) if !self.file.items[at].is_terminal() => (self.first[at], self.nullable[at]),
            _ => (Firsts { other: true, ..Firsts::default() }, false),
        }
    }

    /// Adds to the follow set of every rule in an expression, and checks every choice in it.
    fn descend(&mut self, node: &'f Node, follow: &Firsts) {
        self.look(node, follow);
        match &node.kind {
            NodeKind::Name(name) => {
                if let Some(&at) = self.number.get(name.as_str()) {
                    let before = self.follow[at];
                    self.follow[at].add(follow);
                    self.has_grown |= self.follow[at] != before;
                }
            }
            NodeKind::Sequence(nodes) => {
                let mut after = *follow;
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
                let mut after = *follow;
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
