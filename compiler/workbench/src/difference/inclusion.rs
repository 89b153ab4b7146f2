//! Decides rule by rule whether a format accepts all texts of another.
//!
//! A byte-by-byte search does not end if rules that differ are recursive: after `[[[` every stack is new. Here a pair
//! of configurations is split at the end of the top frames. Suppose that each text that completes the top frames of the
//! first format completes those of the second, and that the same holds for the texts after them. Then it holds for both
//! parts together. Each part is a pair of its own, visited once whatever frames are below it; its inclusion is assumed
//! until a text refutes it. The texts of parts are shorter, or have fewer frames below them, so no assumption rests on
//! itself (bisimulation up to context; Bonchi and Pous, "Checking NFA equivalence with bisimulations up to congruence",
//! 2013).
//!
//! The converse does not hold: `a` before `bc` and `ab` before `c` differ in both parts, yet are the same as a whole.
//! So both formats read each text that is found; if it is no witness, the question stays open.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::step::{ConfigurationId, Explorer, Likeness};

use super::completion::completion;
use super::{Bounds, MOST_DOUBTS, Stopped, likeness, spell_plain};
use crate::vocabulary::is_text;

/// The answer to whether a format accepts all texts of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Inclusion {
    /// The format accepts all texts of the other format.
    Proven,
    /// The format refuses this text of the other format.
    Refuted(Vec<u8>),
    /// The search did not decide.
    Open,
}

impl Inclusion {
    /// Returns the text that is refused.
    pub(super) fn witness(self) -> Option<Vec<u8>> {
        match self {
            Self::Refuted(text) => Some(text),
            Self::Proven | Self::Open => None,
        }
    }
}

/// Decides whether the second format accepts all texts of the first.
pub(super) fn included(formats: [&Arc<Automaton>; 2], bytes: &[u8], bounds: Bounds<'_>) -> Inclusion {
    let mut search = Search {
        formats,
        sides: formats.map(|format| Explorer::new(Arc::clone(format))),
        bytes,
        bounds,
        all: Vec::new(),
        open: VecDeque::new(),
        known: HashSet::new(),
        completions: HashMap::new(),
        doubts: 0,
        compares_items: false,
        found: None,
    };
    let ended = search.run();
    match (search.found, ended, search.doubts) {
        (Some(text), _, _) => Inclusion::Refuted(text),
        (None, Ok(()), 0) if !search.compares_items => Inclusion::Proven,
        (None, _, _) => Inclusion::Open,
    }
}

/// The step from one pair to the next.
#[derive(Clone, Copy, Debug)]
enum Step {
    Byte(u8),
    /// To the end of the top frames, which a text of this configuration of the first format completes.
    Behind(ConfigurationId),
    /// Into the top frames, which are followed by texts of this configuration.
    Into(ConfigurationId),
}

/// A configuration of the first format, the second format's configuration (`None` if it refuses the text), and the step
/// that led there.
#[derive(Clone, Copy, Debug)]
struct Node {
    this: ConfigurationId,
    other: Option<ConfigurationId>,
    before: usize,
    step: Step,
}

struct Search<'p> {
    formats: [&'p Arc<Automaton>; 2],
    sides: [Explorer; 2],
    bytes: &'p [u8],
    bounds: Bounds<'p>,
    all: Vec<Node>,
    open: VecDeque<usize>,
    known: HashSet<(ConfigurationId, Option<ConfigurationId>)>,
    /// Cache of texts that complete configurations of the first format.
    completions: HashMap<ConfigurationId, Option<Vec<u8>>>,
    /// Number of found texts that were no witnesses.
    doubts: usize,
    /// Whether the search read bytes of arrays whose items must differ; explorers treat each item as different from all
    /// earlier ones.
    compares_items: bool,
    found: Option<Vec<u8>>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<(), Stopped> {
        let start = ConfigurationId::START;
        self.visit(Node { this: start, other: Some(start), before: 0, step: Step::Byte(0) })?;
        while let Some(at) = self.open.pop_front() {
            (self.bounds.poll)();
            let Some(&Node { this, other, .. }) = self.all.get(at) else { return Err(Stopped) };
            for &byte in self.bytes {
                let Some(this) = self.sides[0].after(this, byte)? else { continue };
                let other = other.map(|other| self.sides[1].after(other, byte)).transpose()?.flatten();
                self.visit(Node { this, other, before: at, step: Step::Byte(byte) })?;
                if self.found.is_some() {
                    return Ok(());
                }
            }
            if self.sides.iter().map(Explorer::memory).sum::<usize>() > self.bounds.limits.memory {
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Visits a pair and the parts that it is split into; parts that cannot be split are queued.
    fn visit(&mut self, node: Node) -> Result<(), Stopped> {
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            if !self.known.insert((node.this, node.other)) {
                continue;
            }
            if self.known.len() > self.bounds.limits.pairs {
                return Err(Stopped);
            }
            let at = self.all.len();
            self.all.push(node);
            self.look(at, node)?;
            let Some(other) = node.other.filter(|_| self.found.is_none()) else { continue };
            if likeness(&mut self.sides, [node.this, other]) == Likeness::Same {
                continue;
            }
            match (self.sides[0].split(node.this), self.sides[1].split(other)) {
                (Some([inner, rest]), Some([other_inner, other_rest])) => {
                    todo.push(Node { this: rest, other: Some(other_rest), before: at, step: Step::Behind(inner) });
                    todo.push(Node { this: inner, other: Some(other_inner), before: at, step: Step::Into(rest) });
                }
                _ if spell_plain(&self.sides, [node.this, other]) => {}
                _ => {
                    let reads = [(&self.sides[0], node.this), (&self.sides[1], other)];
                    self.compares_items |= reads.iter().any(|(side, at)| side.compares_items(*at));
                    self.open.push_back(at);
                }
            }
        }
        Ok(())
    }

    /// Checks whether a text of the first format ends here and the second format refuses it.
    fn look(&mut self, at: usize, node: Node) -> Result<(), Stopped> {
        let ends = |explorer: &Explorer, at: Option<ConfigurationId>| at.is_some_and(|at| explorer.is_complete(at));
        let rest = match node.other {
            None => self.completion(node.this)?,
            other => (ends(&self.sides[0], Some(node.this)) && !ends(&self.sides[1], other)).then(Vec::new),
        };
        let Some(rest) = rest else { return Ok(()) };
        let Some(text) = self.text(at, rest)? else { return Ok(()) };
        let [this, other] = self.formats;
        if is_text(this, &text) && !is_text(other, &text) {
            self.found = Some(text);
            return Ok(());
        }
        self.doubts += 1;
        if self.doubts > MOST_DOUBTS { Err(Stopped) } else { Ok(()) }
    }

    /// Returns a whole text through a node, with `rest` completing the top frames; `None` if there is no such text.
    fn text(&mut self, mut at: usize, rest: Vec<u8>) -> Result<Option<Vec<u8>>, Stopped> {
        let (mut before, mut behind) = (Vec::new(), vec![rest]);
        while let Some(&node) = self.all.get(at).filter(|_| at > 0) {
            match node.step {
                Step::Byte(byte) => before.push(vec![byte]),
                Step::Behind(inner) => {
                    let Some(text) = self.completion(inner)? else { return Ok(None) };
                    before.push(text);
                }
                Step::Into(rest) => {
                    let Some(text) = self.completion(rest)? else { return Ok(None) };
                    behind.push(text);
                }
            }
            at = node.before;
        }
        before.reverse();
        Ok(Some([before.concat(), behind.concat()].concat()))
    }

    /// Returns a shortest text that completes a configuration of the first format.
    fn completion(&mut self, at: ConfigurationId) -> Result<Option<Vec<u8>>, Stopped> {
        if let Some(known) = self.completions.get(&at) {
            return Ok(known.clone());
        }
        let text = completion(&mut self.sides[0], at, self.bytes, self.bounds)?;
        self.completions.insert(at, text.clone());
        Ok(text)
    }
}
