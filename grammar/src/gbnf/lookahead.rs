//! Checks the lookaheads of rules: whether every text that can follow a rule begins as its lookahead says.
//!
//! The grammar becomes a network of states in which a use of a rule leads to its entry, and its end back to the use, or
//! to all uses if it is not known where the rule began. The network accepts all texts that can follow, and some more,
//! because it remembers only the innermost uses. So a lookahead that holds in the network holds in the grammar. The
//! check reads the texts of the lookahead in parallel, as sets of states.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::parse::Lookahead;
use crate::pulse::step;
use crate::rules::{Expr, ExprKind, Grammar, Start};

/// Maximum number of states of the texts of one lookahead.
const STATES: usize = 4_000;

/// Maximum number of pairs of states that are examined for all lookaheads together.
const PAIRS: usize = 400_000;

/// Maximum number of uses of rules that are remembered.
const DEPTH: usize = 8;

/// Maximum number of characters that are distinguished.
const CHARACTERS: usize = 10_000;

/// Reports each lookahead: a note if the grammar satisfies it, else an error.
pub(super) fn check(grammar: &Grammar, lookaheads: &[Lookahead], start: Start<'_>, sink: &mut Sink) {
    if lookaheads.is_empty() {
        return;
    }
    let network = Network::of_grammar(grammar, start);
    let mut pairs = PAIRS;
    for lookahead in lookaheads {
        let mut texts = Network::default();
        let kept = match texts.texts(grammar, &lookahead.texts) {
            Some(ends) => network.follows(&lookahead.rule, &texts, ends, &mut pairs),
            None => Err(Breach::Unknown),
        };
        sink.push(finding(lookahead, kept));
    }
}

/// Reason why a lookahead cannot be dropped.
enum Breach {
    /// This text can follow the rule.
    Text(String),
    /// The text can end after the rule and this text.
    End(String),
    /// The lookahead is too large, or has parts that the check does not support.
    Unknown,
}

fn finding(lookahead: &Lookahead, kept: Result<(), Breach>) -> Diagnostic {
    let rule = &lookahead.rule;
    let message = match kept {
        Ok(()) => {
            let message =
                format!("what follows `{rule}` begins so in this grammar anyway: the lookahead has no effect here");
            return Diagnostic::note(Code::GbnfLookahead, lookahead.span, message);
        }
        Err(Breach::Text(text)) => {
            format!("{text:?} can follow `{rule}` in this grammar, and the lookahead says otherwise")
        }
        Err(Breach::End(text)) if text.is_empty() => {
            format!("a text can end behind `{rule}` in this grammar, and the lookahead says otherwise")
        }
        Err(Breach::End(text)) => {
            format!("a text can end with {text:?} behind `{rule}` in this grammar, and the lookahead says otherwise")
        }
        Err(Breach::Unknown) => format!("whether what follows `{rule}` begins so is too much to find out"),
    };
    let help =
        "remove the lookahead, or write rules in which nothing else can follow; it is a promise and changes no rule";
    Diagnostic::error(Code::GbnfLookahead, lookahead.span, message).help(help)
}

/// Input that an edge reads.
#[derive(Clone)]
enum Reads {
    Nothing,
    Chars {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    /// A token of the vocabulary, which is not a character.
    Token,
}

impl Reads {
    fn has(&self, c: char) -> bool {
        match self {
            Reads::Chars { negated, ranges } => ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated,
            Reads::Nothing | Reads::Token => false,
        }
    }

    fn any() -> Reads {
        Reads::Chars { negated: true, ranges: Vec::new() }
    }
}

/// States and edges between them.
#[derive(Default)]
struct Network<'g> {
    edges: Vec<Vec<(Reads, usize)>>,
    /// For each state, the entries of the rules that are used in it, each with the end of the use.
    uses: Vec<Vec<(usize, usize)>>,
    /// Ends of the uses of each rule, by the end of the rule.
    returns: HashMap<usize, Vec<usize>>,
    /// Entry and end of each rule.
    rules: HashMap<&'g str, (usize, usize)>,
    /// End of the whole text.
    end: Option<usize>,
}

impl<'g> Network<'g> {
    fn of_grammar(grammar: &'g Grammar, start: Start<'_>) -> Self {
        let mut network = Network::default();
        for rule in &grammar.rules {
            let ends = (network.state(), network.state());
            network.rules.entry(&rule.name.value).or_insert(ends);
        }
        for rule in &grammar.rules {
            if let Some(&(from, to)) = network.rules.get(rule.name.value.as_str()) {
                network.add(&rule.body, from, to);
            }
        }
        let first = match start {
            Start::Named(name) => Some(name),
            Start::First => grammar.rules.first().map(|rule| rule.name.value.as_str()),
        };
        network.end = first.and_then(|name| network.rules.get(name)).map(|&(_, end)| end);
        network
    }

    fn state(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.uses.push(Vec::new());
        self.edges.len() - 1
    }

    fn edge(&mut self, from: usize, reads: Reads, to: usize) {
        self.edges[from].push((reads, to));
    }

    /// Adds the texts of an expression, and more texts where that is simpler. The reader's nesting limit bounds the
    /// recursion.
    fn add(&mut self, expr: &'g Expr, from: usize, to: usize) {
        step();
        match &expr.kind {
            ExprKind::Literal(text) => self.literal(text, from, to),
            ExprKind::Class { negated, ranges } => {
                self.edge(from, Reads::Chars { negated: *negated, ranges: ranges.clone() }, to);
            }
            ExprKind::Any => self.edge(from, Reads::any(), to),
            ExprKind::Name(name) => {
                if let Some(&(entry, end)) = self.rules.get(name.as_str()) {
                    self.uses[from].push((entry, to));
                    self.returns.entry(end).or_default().push(to);
                }
            }
            ExprKind::Sequence(items) => {
                let last = items.iter().fold(from, |at, item| {
                    let next = self.state();
                    self.add(item, at, next);
                    next
                });
                self.edge(last, Reads::Nothing, to);
            }
            ExprKind::Alternation(arms) => arms.iter().for_each(|arm| self.add(arm, from, to)),
            ExprKind::Repeat { expr, min, max } => {
                let (begin, end) = (self.state(), self.state());
                self.edge(from, Reads::Nothing, begin);
                self.edge(end, Reads::Nothing, to);
                self.add(expr, begin, end);
                if *min == 0 {
                    self.edge(begin, Reads::Nothing, end);
                }
                if *max != Some(1) {
                    self.edge(end, Reads::Nothing, begin);
                }
            }
            ExprKind::Exception(expr, _)
            | ExprKind::Limited(expr, _)
            | ExprKind::Lazy(expr)
            | ExprKind::Captured { expr, .. } => self.add(expr, from, to),
            ExprKind::Token(_) | ExprKind::Json(_) => self.edge(from, Reads::Token, to),
            ExprKind::Regex(_) | ExprKind::Substring(_) => {
                self.edge(from, Reads::any(), from);
                self.edge(from, Reads::Nothing, to);
            }
        }
    }

    fn literal(&mut self, text: &str, from: usize, to: usize) {
        let last = text.chars().fold(from, |at, c| {
            let next = self.state();
            self.edge(at, Reads::Chars { negated: false, ranges: vec![(c, c)] }, next);
            next
        });
        self.edge(last, Reads::Nothing, to);
    }

    /// Adds exactly the texts of a lookahead, with rules written out; returns their entry and end. `None` if the texts
    /// are too large or not texts of characters.
    fn texts(&mut self, grammar: &'g Grammar, expr: &'g Expr) -> Option<(usize, usize)> {
        let ends = (self.state(), self.state());
        let mut open = HashSet::new();
        self.exact(grammar, expr, ends, &mut open)?;
        Some(ends)
    }

    fn exact(
        &mut self,
        grammar: &'g Grammar,
        expr: &'g Expr,
        (from, to): (usize, usize),
        open: &mut HashSet<&'g str>,
    ) -> Option<()> {
        step();
        if self.edges.len() > STATES {
            return None;
        }
        match &expr.kind {
            ExprKind::Name(name) => {
                let rule = grammar.rules.iter().find(|rule| rule.name.value == *name)?;
                if open.len() > 64 || !open.insert(name) {
                    return None;
                }
                self.exact(grammar, &rule.body, (from, to), open)?;
                open.remove(name.as_str());
            }
            ExprKind::Sequence(items) => {
                let mut at = from;
                for item in items {
                    let next = self.state();
                    self.exact(grammar, item, (at, next), open)?;
                    at = next;
                }
                self.edge(at, Reads::Nothing, to);
            }
            ExprKind::Alternation(arms) => {
                for arm in arms {
                    self.exact(grammar, arm, (from, to), open)?;
                }
            }
            ExprKind::Repeat { expr, min, max } => return self.times(grammar, expr, (*min, *max), (from, to), open),
            ExprKind::Literal(_) | ExprKind::Class { .. } | ExprKind::Any => self.add(expr, from, to),
            _ => return None,
        }
        Some(())
    }

    /// Adds a repetition: the minimum number of times, then the optional ones.
    fn times(
        &mut self,
        grammar: &'g Grammar,
        expr: &'g Expr,
        (min, max): (u32, Option<u32>),
        (from, to): (usize, usize),
        open: &mut HashSet<&'g str>,
    ) -> Option<()> {
        let mut at = from;
        for time in 0..max.unwrap_or(min) {
            if time >= min {
                self.edge(at, Reads::Nothing, to);
            }
            let next = self.state();
            self.exact(grammar, expr, (at, next), open)?;
            at = next;
        }
        if max.is_none() {
            let around = self.state();
            self.edge(at, Reads::Nothing, around);
            self.exact(grammar, expr, (around, around), open)?;
            at = around;
        }
        self.edge(at, Reads::Nothing, to);
        Some(())
    }

    /// Returns all states that can be reached without reading.
    fn closed(&self, from: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut set = BTreeSet::new();
        let mut open: Vec<usize> = from.into_iter().collect();
        while let Some(at) = open.pop() {
            if set.insert(at) {
                let free = self.edges[at].iter().filter(|(reads, _)| matches!(reads, Reads::Nothing));
                open.extend(free.map(|&(_, to)| to));
            }
        }
        set
    }

    /// Returns the states after a character.
    fn behind(&self, set: &BTreeSet<usize>, c: char) -> BTreeSet<usize> {
        let edges = set.iter().flat_map(|&at| &self.edges[at]);
        self.closed(edges.filter(|(reads, _)| reads.has(c)).map(|&(_, to)| to))
    }

    /// Returns one character from each set of characters that the edges of the two networks distinguish.
    fn characters(&self, other: &Network<'_>) -> Option<Vec<char>> {
        let mut firsts = BTreeSet::from(['\0']);
        for (reads, _) in self.edges.iter().chain(&other.edges).flatten() {
            let Reads::Chars { ranges, .. } = reads else { continue };
            for &(low, high) in ranges {
                firsts.insert(low);
                firsts.extend((high..=char::MAX).nth(1));
            }
            if firsts.len() > CHARACTERS {
                return None;
            }
        }
        Some(firsts.into_iter().collect())
    }

    /// Checks that every text after `rule` begins with one of `texts`.
    fn follows(
        &self,
        rule: &str,
        texts: &Network<'_>,
        (entry, end): (usize, usize),
        pairs: &mut usize,
    ) -> Result<(), Breach> {
        let Some(&(_, behind)) = self.rules.get(rule) else { return Ok(()) };
        let characters = self.characters(texts).ok_or(Breach::Unknown)?;
        let first = texts.closed([entry]);
        if first.contains(&end) {
            return Ok(());
        }
        let mut search = Search { texts, end, characters, seen: HashSet::new(), open: VecDeque::new() };
        search.push(Place { at: behind, uses: Vec::new(), set: first }, String::new());
        while let Some((place, read)) = search.open.pop_front() {
            step();
            *pairs = pairs.checked_sub(1).ok_or(Breach::Unknown)?;
            self.moves(&place, &read, &mut search)?;
        }
        Ok(())
    }

    /// Adds the places that follow a place.
    fn moves(&self, place: &Place, read: &str, search: &mut Search<'_, '_>) -> Result<(), Breach> {
        let with = |at: usize, uses: Vec<usize>| Place { at, uses, set: place.set.clone() };
        if let Some((last, outer)) = place.uses.split_last().filter(|_| self.is_end(place.at)) {
            search.push(with(*last, outer.to_vec()), read.to_owned());
            return Ok(());
        }
        if self.end == Some(place.at) {
            return Err(Breach::End(read.to_owned()));
        }
        for &to in self.returns.get(&place.at).into_iter().flatten() {
            search.push(with(to, Vec::new()), read.to_owned());
        }
        for &(entry, to) in &self.uses[place.at] {
            let known = place.uses.len().saturating_sub(DEPTH - 1);
            let uses = place.uses.iter().skip(known).copied().chain([to]).collect();
            search.push(with(entry, uses), read.to_owned());
        }
        for (reads, to) in &self.edges[place.at] {
            match reads {
                Reads::Nothing => search.push(with(*to, place.uses.clone()), read.to_owned()),
                Reads::Token => return Err(Breach::Unknown),
                Reads::Chars { .. } => search.read(reads, place, *to, read)?,
            }
        }
        Ok(())
    }

    fn is_end(&self, at: usize) -> bool {
        self.end == Some(at) || self.returns.contains_key(&at)
    }
}

/// A place in a text after a rule.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place {
    at: usize,
    /// Ends of the uses that contain the place, innermost last; empty if they are not known.
    uses: Vec<usize>,
    /// States of the lookahead's texts.
    set: BTreeSet<usize>,
}

/// A breadth-first search through the texts after a rule, so that the text it finds is short.
struct Search<'t, 'g> {
    texts: &'t Network<'g>,
    end: usize,
    characters: Vec<char>,
    seen: HashSet<Place>,
    open: VecDeque<(Place, String)>,
}

impl Search<'_, '_> {
    fn push(&mut self, place: Place, read: String) {
        if self.seen.insert(place.clone()) {
            self.open.push_back((place, read));
        }
    }

    /// Adds the places after one character of each kind.
    fn read(&mut self, reads: &Reads, place: &Place, to: usize, read: &str) -> Result<(), Breach> {
        for at in 0..self.characters.len() {
            let c = self.characters[at];
            if !reads.has(c) {
                continue;
            }
            let (set, read) = (self.texts.behind(&place.set, c), format!("{read}{c}"));
            if set.is_empty() {
                return Err(Breach::Text(read));
            }
            if !set.contains(&self.end) {
                self.push(Place { at: to, uses: place.uses.clone(), set }, read);
            }
        }
        Ok(())
    }
}
