//! Rejects lazy rules that compete with another terminal at some place, as only a lexer could decide which of them a
//! text belongs to.
//!
//! In `start: head* tail` with a lazy `head`, a lexer takes every text that completes a `head` as a `head`, so `tail`
//! never gets it. As a set of texts, `tail` may contain it too, unless it excludes it: `TAIL: ... & ~(head /(?s:.*)/)`.
//! The terminals that can come first at a place are computed as for a predictive parser, by first and follow sets (Aho,
//! Sethi and Ullman 1986, section 4.4), in which only lazy rules are distinguished.

use super::ast::{Ending, File, Item, Node, NodeKind};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::pulse::step;
use crate::span::Span;
use std::collections::{BTreeSet, HashMap};

/// A first set of terminals, reduced to what matters here: its two lazy rules with the lowest numbers, and whether
/// there are other terminals. So sets stay small however many lazy rules there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Firsts {
    lazy: [Option<usize>; 2],
    /// The lazy rules that all other terminals exclude; `None` if there are no other terminals.
    others: Option<BTreeSet<usize>>,
}

impl Firsts {
    fn of_lazy(rule: usize) -> Firsts {
        Firsts { lazy: [Some(rule), None], others: None }
    }

    /// Returns the set of one non-lazy terminal that excludes texts beginning with these lazy rules.
    fn of_other(spared: BTreeSet<usize>) -> Firsts {
        Firsts { lazy: [None, None], others: Some(spared) }
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
        self.others = match (self.others.take(), &more.others) {
            (Some(known), Some(more)) => Some(&known & more),
            (known, more) => known.or_else(|| more.clone()),
        };
    }

    /// Returns a lazy rule of the set, if the set has another terminal too.
    fn contested(&self) -> Option<usize> {
        let first = self.lazy[0]?;
        let is_beside_others = self.others.as_ref().is_some_and(|spared| !spared.contains(&first));
        (is_beside_others || self.lazy[1].is_some()).then_some(first)
    }
}

struct Search<'f> {
    file: &'f File,
    number: HashMap<&'f str, usize>,
    first: Vec<Firsts>,
    nullable: Vec<bool>,
    follow: Vec<Firsts>,
    /// Lazy rules that compete with another terminal, with the place.
    contested: Vec<(usize, Span)>,
    /// Whether a follow set has grown in this pass.
    has_grown: bool,
}

/// Reports lazy rules that compete with another terminal.
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
    let name = &item.name.value;
    let message = format!("the lazy rule `{name}` stands beside other terminals, which only a lexer could tell apart");
    let help = format!(
        "a lexer ends at the first `{name}`: take what begins with one out of each other terminal, `T: (...) & ~({name} /(?s:.*)/)`; or \
         begin the choices with different texts, as in `\"<a>\" {name} | tail`"
    );
    Diagnostic::error(Code::LarkLazyChoice, item.name.span, message).label(place, "the choice is here").help(help)
}

/// Returns the name, if an expression is a name followed by any text.
fn begins_with(node: &Node) -> Option<&str> {
    let NodeKind::Sequence(parts) = &node.kind else { return None };
    match parts.as_slice() {
        [Node { kind: NodeKind::Name(name), .. }, rest] if is_anything(rest) => Some(name),
        _ => None,
    }
}

/// Returns whether an expression matches any text: `/(?s:.*)/`, `/.*/s`, `/./s*`.
fn is_anything(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Regex(pattern) => matches!(pattern.as_str(), "(?:(?s:.)*)" | "(?s:.)*"),
        NodeKind::Repeat { node, min: 0, max: None } => {
            matches!(&node.kind, NodeKind::Regex(pattern) if pattern == "(?s:.)")
        }
        _ => false,
    }
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

    /// Computes first and nullable sets from used rules to their users, and then follow sets in the other direction.
    /// Without cycles, each takes one pass, and a second one that finds nothing new.
    fn run(&mut self) {
        let order = self.used_first();
        while self.firsts(&order) {}
        while self.follows(&order) {}
    }

    /// Returns the rules in an order in which used rules come before their users, except within cycles.
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

    /// Returns the indices of the items that an item names.
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
            has_grown |= self.first[at] != first || self.nullable[at] != nullable;
            (self.first[at], self.nullable[at]) = (first, nullable);
        }
        has_grown
    }

    /// Runs one pass over the rules; returns whether a follow set has grown.
    fn follows(&mut self, order: &[usize]) -> bool {
        self.has_grown = false;
        self.contested.clear();
        for &at in order.iter().rev() {
            let follow = self.follow[at].clone();
            self.descend(&self.file.items[at].body, &follow);
        }
        self.has_grown
    }

    /// Returns the first set of an expression, and whether it is nullable, as far as known yet.
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
            _ => (Firsts::of_other(BTreeSet::new()), false),
        }
    }

    fn named(&self, name: &str) -> (Firsts, bool) {
        match self.number.get(name) {
            Some(&at) if self.file.items[at].ending != Ending::Free => (Firsts::of_lazy(at), false),
            Some(&at) if !self.file.items[at].is_terminal() => (self.first[at].clone(), self.nullable[at]),
            Some(&at) => (Firsts::of_other(self.spared(&self.file.items[at].body)), false),
            None => (Firsts::of_other(BTreeSet::new()), false),
        }
    }

    /// Returns the lazy rules that a terminal excludes as beginnings of its texts: `A & ~(head /(?s:.*)/)`.
    fn spared(&self, body: &Node) -> BTreeSet<usize> {
        let NodeKind::And(parts) = &body.kind else { return BTreeSet::new() };
        let spared = parts.iter().filter_map(|part| match &part.kind {
            NodeKind::Not(refused) => begins_with(refused).and_then(|name| self.number.get(name)),
            _ => None,
        });
        spared.copied().collect()
    }

    /// Extends the follow sets of all rules in an expression, and checks every choice in it.
    fn descend(&mut self, node: &'f Node, follow: &Firsts) {
        self.look(node, follow);
        match &node.kind {
            NodeKind::Name(name) => {
                if let Some(&at) = self.number.get(name.as_str()) {
                    let before = self.follow[at].clone();
                    self.follow[at].add(follow);
                    self.has_grown |= self.follow[at] != before;
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
