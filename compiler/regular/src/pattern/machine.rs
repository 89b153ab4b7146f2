//! Simulates a [`Program`] on sets of threads, lookarounds included: the states of these sets are those of a
//! deterministic automaton.
//!
//! A *set* (of threads) is a disjunction: the text matches if one of its threads does. Without lookarounds, that is the
//! subset construction (Rabin and Scott 1959), where a thread is an instruction that waits for a character.
//!
//! A lookahead gives a thread an *obligation*: another set that must, or must not, match the rest of the text too. A
//! thread is then a conjunction of its own match and its obligations, and a set with obligations is a state of an
//! alternating automaton (Chandra, Kozen and Stockmeyer 1981), of which there are finitely many. For `(?=a.)[ab]c`, the
//! set before any text is one thread at `[ab]` with the obligation `{a.}`. After `a` it is one thread at `c` with the
//! obligation `{.}`; after `b`, whose obligation fails, it is empty.
//!
//! Lookbehinds look at the text so far, so they need no guesses: each is simulated from the beginning as `.*` followed
//! by its body, and its state tells whether it has just matched. Their sets, and whether the text is empty (for `^`),
//! are the *context*.
//!
//! Sets are interned. A set and a context determine the future, so these pairs are the states of a DFA.
//!
//! (Loops of ECMA-262 reject an empty iteration. An empty iteration could only add obligations, so the language is the
//! same.)

use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::alphabet::Alphabet;
use super::program::{Instr, Pc, Program};
use crate::budget::{self, Loan};
use crate::limits::{LimitError, Limits};

/// Index of an interned set of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ThreadSetId(pub(super) u32);

/// The set of threads that matches no rest of the text.
pub(super) const NEVER: ThreadSetId = ThreadSetId(0);
/// The set of threads that matches every rest of the text.
pub(super) const ALWAYS: ThreadSetId = ThreadSetId(1);

/// Index of an interned list of obligations; 0 is none.
type ObligationsId = u32;

/// An obligation: a set that must match the rest of the text, or, negated, must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Obligation {
    set: ThreadSetId,
    negated: bool,
}

/// A thread: an instruction, and the obligations that it has collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Thread {
    pc: Pc,
    obligations: ObligationsId,
}

/// The facts about the text so far that lookbehinds and `^` depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Context {
    /// Whether the text is empty.
    start: bool,
    /// Per lookbehind: its set of threads, which tells whether it has just matched. A lookbehind refers only to earlier
    /// ones.
    behinds: Vec<ThreadSetId>,
    found: Vec<bool>,
}

/// Bytes that a member of a state set takes: in the set, and in the key of the set.
const THREAD_BYTES: usize = 3 * size_of::<Thread>();

/// Index of an interned context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ContextId(u32);

/// Interned values with their numbers.
#[derive(Debug)]
struct Interner<T> {
    values: Vec<Rc<T>>,
    known: FxHashMap<Rc<T>, u32>,
}

impl<T: Hash + Eq> Interner<T> {
    fn new(first: Vec<T>) -> Self {
        let mut pool = Self { values: Vec::new(), known: FxHashMap::default() };
        for value in first {
            pool.values.push(Rc::new(value));
        }
        pool
    }

    fn intern(&mut self, value: T) -> u32 {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let id = self.values.len() as u32;
        let value = Rc::new(value);
        self.values.push(Rc::clone(&value));
        self.known.insert(value, id);
        id
    }

    fn get(&self, id: u32) -> Rc<T> {
        Rc::clone(&self.values[id as usize])
    }
}

/// The simulation of one program, with everything interned so far.
pub(super) struct Machine<'p> {
    program: &'p Program,
    alphabet: &'p Alphabet,
    sets: Interner<Vec<Thread>>,
    obligations: Interner<Vec<Obligation>>,
    contexts: Interner<Context>,
    /// Results of [`Machine::step`] for obligations and lookbehinds.
    steps: FxHashMap<(ThreadSetId, ContextId, u32), ThreadSetId>,
    next_contexts: FxHashMap<(ContextId, u32), ContextId>,
    /// Results of [`Machine::closed`]: most characters lead a state to few different sets.
    closures: FxHashMap<(ContextId, Vec<Thread>), ThreadSetId>,
    /// For each instruction, the last closure that reached it without obligations.
    stamps: Vec<u32>,
    stamp: u32,
    limits: Limits,
    work: usize,
    loan: Loan,
}

/// The threads of a set, by the class of characters that they read, as they are after reading.
pub(super) enum Readers {
    Known(Vec<Vec<Thread>>),
    /// Some thread looks ahead by one character, so [`Machine::step`] must be computed for each class.
    Unknown,
}

impl Readers {
    /// Returns whether some thread may read a character of `class`.
    pub(super) fn may_read(&self, class: usize) -> bool {
        match self {
            Readers::Known(by_class) => !by_class[class].is_empty(),
            Readers::Unknown => true,
        }
    }
}

/// A closure under construction.
struct Closure {
    context: ContextId,
    open: Vec<Thread>,
    stuck: Vec<Thread>,
    seen: FxHashSet<Thread>,
    stamp: u32,
    always: bool,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, alphabet: &'p Alphabet, limits: &Limits) -> Self {
        Self {
            program,
            alphabet,
            sets: Interner::new(vec![Vec::new(), Vec::new()]),
            obligations: Interner::new(vec![Vec::new()]),
            contexts: Interner::new(Vec::new()),
            steps: FxHashMap::default(),
            next_contexts: FxHashMap::default(),
            closures: FxHashMap::default(),
            stamps: vec![0; program.code.len()],
            stamp: 0,
            limits: *limits,
            work: 0,
            loan: Loan::default(),
        }
    }

    /// Returns the context and the set before any text.
    pub(super) fn start(&mut self) -> Result<(ContextId, ThreadSetId), LimitError> {
        let mut context = Context { start: true, behinds: Vec::new(), found: Vec::new() };
        for &entry in &self.program.behinds {
            let so_far = ContextId(self.contexts.intern(context.clone()));
            let set = self.closed(so_far, [Thread { pc: entry, obligations: 0 }])?;
            context.found.push(self.found(set));
            context.behinds.push(set);
        }
        let id = ContextId(self.contexts.intern(context));
        let set = self.closed(id, [Thread { pc: self.program.entry, obligations: 0 }])?;
        Ok((id, set))
    }

    /// Returns whether the match is decided, whatever follows. Such a set does not depend on the context; all others
    /// may.
    pub(super) fn is_decided(&self, set: ThreadSetId) -> bool {
        set == NEVER || set == ALWAYS
    }

    /// Returns the context after one character of `class`, in which every lookbehind has advanced.
    pub(super) fn next_context(&mut self, context: ContextId, class: u32) -> Result<ContextId, LimitError> {
        if let Some(&known) = self.next_contexts.get(&(context, class)) {
            return Ok(known);
        }
        let old = self.contexts.get(context.0);
        let mut next = Context { start: false, behinds: Vec::new(), found: Vec::new() };
        // In order, as a lookbehind reads the new context of the earlier ones.
        for &set in &old.behinds {
            let so_far = ContextId(self.contexts.intern(next.clone()));
            let set = self.step(set, context, so_far, class)?;
            next.found.push(self.found(set));
            next.behinds.push(set);
        }
        let id = ContextId(self.contexts.intern(next));
        self.next_contexts.insert((context, class), id);
        Ok(id)
    }

    /// Returns the set after one character of `class`, which changes the context from `old` to `new`.
    pub(super) fn step(
        &mut self,
        set: ThreadSetId,
        old: ContextId,
        new: ContextId,
        class: u32,
    ) -> Result<ThreadSetId, LimitError> {
        if self.is_decided(set) {
            return Ok(set);
        }
        let Some(threads) = self.resolved(set, old, class)? else { return Ok(ALWAYS) };
        budget::work(1 + threads.len() / 4)?;
        let read = |thread: Thread| match self.program.code[thread.pc as usize] {
            Instr::Char { set, next } if self.alphabet.holds(set, class as usize) => {
                Some(Thread { pc: next, ..thread })
            }
            // The thread has matched, and remains for its obligations: without obligations the set would be ALWAYS.
            Instr::Match => Some(thread),
            _ => None,
        };
        let moved = threads.into_iter().filter_map(read).collect();
        self.moved(moved, old, new, class)
    }

    /// Returns the set after one character of `class` as [`Machine::step`] does, given the readers of the set.
    pub(super) fn step_readers(
        &mut self,
        readers: &Readers,
        set: ThreadSetId,
        (old, new): (ContextId, ContextId),
        class: u32,
    ) -> Result<ThreadSetId, LimitError> {
        match readers {
            Readers::Unknown => self.step(set, old, new, class),
            Readers::Known(by_class) => {
                let moved = by_class[class as usize].clone();
                budget::work(1 + moved.len() / 4)?;
                self.moved(moved, old, new, class)
            }
        }
    }

    /// Returns the set of threads that have just read a character of `class` and still carry their obligations from
    /// before it.
    fn moved(
        &mut self,
        mut moved: Vec<Thread>,
        old: ContextId,
        new: ContextId,
        class: u32,
    ) -> Result<ThreadSetId, LimitError> {
        let mut kept = 0;
        for at in 0..moved.len() {
            let Thread { pc, obligations } = moved[at];
            if let Some(obligations) = self.step_obligations(obligations, old, new, class)? {
                moved[kept] = Thread { pc, obligations };
                kept += 1;
            }
        }
        moved.truncate(kept);
        if moved.is_empty() {
            return Ok(NEVER);
        }
        let key = (new, moved);
        if let Some(&known) = self.closures.get(&key) {
            return Ok(known);
        }
        let made = self.closed(new, key.1.iter().copied())?;
        self.closures.insert(key, made);
        Ok(made)
    }

    /// Returns the threads of `set`, where threads that wait for a character of `class` pass on; `None` if one of them
    /// has matched.
    fn resolved(
        &mut self,
        set: ThreadSetId,
        context: ContextId,
        class: u32,
    ) -> Result<Option<Vec<Thread>>, LimitError> {
        let mut threads = self.sets.get(set.0).to_vec();
        let waits = |thread: &Thread| matches!(self.program.code[thread.pc as usize], Instr::Before { .. });
        if !threads.iter().any(waits) {
            return Ok(Some(threads));
        }
        let mut seen: FxHashSet<Thread> = threads.iter().copied().collect();
        let mut at = 0;
        while let Some(&thread) = threads.get(at) {
            at += 1;
            let Instr::Before { set, negated, next } = self.program.code[thread.pc as usize] else { continue };
            if self.alphabet.holds(set, class as usize) == negated {
                continue;
            }
            let closed = self.closed(context, [Thread { pc: next, obligations: thread.obligations }])?;
            if closed == ALWAYS {
                return Ok(None);
            }
            let fresh = self.sets.get(closed.0);
            threads.extend(fresh.iter().filter(|&&thread| seen.insert(thread)));
        }
        Ok(Some(threads))
    }

    /// Returns the obligations after one character; `None` if one of them can no longer be met.
    fn step_obligations(
        &mut self,
        obligations: ObligationsId,
        old: ContextId,
        new: ContextId,
        class: u32,
    ) -> Result<Option<ObligationsId>, LimitError> {
        if obligations == 0 {
            return Ok(Some(0));
        }
        let list = self.obligations.get(obligations);
        let mut next = Vec::with_capacity(list.len());
        for &Obligation { set, negated } in list.iter() {
            let key = (set, old, class);
            let set = match self.steps.get(&key) {
                Some(&known) => known,
                None => {
                    let made = self.step(set, old, new, class)?;
                    self.steps.insert(key, made);
                    made
                }
            };
            match (set, negated) {
                // A broken obligation kills the thread, and one met for ever is dropped. Others depend on the rest of
                // the text.
                (NEVER, false) | (ALWAYS, true) => return Ok(None),
                (NEVER, true) | (ALWAYS, false) => {}
                _ => next.push(Obligation { set, negated }),
            }
        }
        Ok(Some(self.intern_obligations(next)))
    }

    fn intern_obligations(&mut self, mut list: Vec<Obligation>) -> ObligationsId {
        if list.is_empty() {
            return 0;
        }
        list.sort_unstable();
        list.dedup();
        self.obligations.intern(list)
    }

    /// Computes the epsilon closure of `seeds`: follows every instruction that reads no character.
    fn closed(
        &mut self,
        context: ContextId,
        seeds: impl IntoIterator<Item = Thread>,
    ) -> Result<ThreadSetId, LimitError> {
        self.stamp += 1;
        let mut closure = Closure {
            context,
            open: seeds.into_iter().collect(),
            stuck: Vec::new(),
            seen: FxHashSet::default(),
            stamp: self.stamp,
            always: false,
        };
        closure.open.reverse();
        while let Some(thread) = closure.open.pop() {
            if self.first_visit(&mut closure, thread) {
                self.visit(&mut closure, thread)?;
            }
        }
        self.work += closure.stuck.len() + 1;
        LimitError::check("members of sets of states", self.work, self.limits.work)?;
        budget::work(4 * (closure.stuck.len() + 1))?;
        self.loan.grow(closure.stuck.len() * THREAD_BYTES)?;
        self.finish(closure)
    }

    fn first_visit(&mut self, closure: &mut Closure, thread: Thread) -> bool {
        if thread.obligations != 0 {
            return closure.seen.insert(thread);
        }
        std::mem::replace(&mut self.stamps[thread.pc as usize], closure.stamp) != closure.stamp
    }

    fn visit(&mut self, closure: &mut Closure, thread: Thread) -> Result<(), LimitError> {
        let go = |pc| Thread { pc, ..thread };
        match self.program.code[thread.pc as usize] {
            Instr::Char { .. } | Instr::Half { .. } | Instr::End { .. } | Instr::Before { .. } | Instr::Found => {
                closure.stuck.push(thread);
            }
            Instr::Match if thread.obligations == 0 => closure.always = true,
            Instr::Match => closure.stuck.push(thread),
            Instr::Split(one, other) => closure.open.extend([go(other), go(one)]),
            Instr::Start { next } => {
                if self.contexts.get(closure.context.0).start {
                    closure.open.push(go(next));
                }
            }
            Instr::Behind { which, negated, next } => {
                if self.contexts.get(closure.context.0).found[which as usize] != negated {
                    closure.open.push(go(next));
                }
            }
            Instr::Ahead { entry, negated, next } => {
                if let Some(obligations) = self.add_obligation(closure, thread.obligations, entry, negated)? {
                    closure.open.push(Thread { pc: next, obligations });
                }
            }
        }
        Ok(())
    }

    /// Adds the obligation of a lookahead; `None` if it is broken already.
    ///
    /// The inner closure shares the stamps: the instructions of a lookahead are its own, so it overwrites none of the
    /// outer closure.
    fn add_obligation(
        &mut self,
        closure: &mut Closure,
        obligations: ObligationsId,
        entry: Pc,
        negated: bool,
    ) -> Result<Option<ObligationsId>, LimitError> {
        let set = self.closed(closure.context, [Thread { pc: entry, obligations: 0 }])?;
        Ok(match (set, negated) {
            (NEVER, false) | (ALWAYS, true) => None,
            (NEVER, true) | (ALWAYS, false) => Some(obligations),
            _ => {
                let list = self.obligations.get(obligations);
                Some(self.intern_obligations(list.iter().copied().chain([Obligation { set, negated }]).collect()))
            }
        })
    }

    fn finish(&mut self, closure: Closure) -> Result<ThreadSetId, LimitError> {
        if closure.always {
            return Ok(ALWAYS);
        }
        if closure.stuck.is_empty() {
            return Ok(NEVER);
        }
        let mut stuck = closure.stuck;
        stuck.sort_unstable();
        stuck.dedup();
        if stuck.iter().any(|thread| thread.obligations != 0) {
            // Threads at one instruction are compared pairwise.
            let runs = stuck.chunk_by(|one, other| one.pc == other.pc);
            budget::work(runs.map(|same| same.len() * same.len()).sum::<usize>() / 4)?;
            stuck = self.drop_implied(&stuck);
        }
        Ok(ThreadSetId(self.sets.intern(stuck)))
    }

    /// Drops a thread if another one at the same instruction has a subset of its obligations: the other one matches
    /// whenever this one does. The threads are in the order of their instructions.
    fn drop_implied(&self, threads: &[Thread]) -> Vec<Thread> {
        let weaker = |one: &Thread, other: &Thread| {
            let (one, other) = (self.obligations.get(one.obligations), self.obligations.get(other.obligations));
            one.iter().all(|obligation| other.contains(obligation))
        };
        let implied =
            |same: &[Thread], thread: &Thread| same.iter().any(|other| other != thread && weaker(other, thread));
        let runs = threads.chunk_by(|one, other| one.pc == other.pc);
        runs.flat_map(|same| same.iter().filter(|thread| !implied(same, thread)).copied()).collect()
    }

    /// Returns whether a lookbehind has just matched.
    fn found(&self, set: ThreadSetId) -> bool {
        self.sets.get(set.0).iter().any(|thread| self.program.code[thread.pc as usize] == Instr::Found)
    }

    /// Returns whether the text may end here.
    pub(super) fn accepts(&self, set: ThreadSetId, context: ContextId) -> bool {
        if self.is_decided(set) {
            return set == ALWAYS;
        }
        let context_value = self.contexts.get(context.0);
        self.sets.get(set.0).iter().any(|thread| {
            let obligations = self.obligations.get(thread.obligations);
            let met = || obligations.iter().all(|one| self.accepts(one.set, context) != one.negated);
            self.ends(thread.pc, &context_value) && met()
        })
    }

    /// Returns whether a match is reached from `pc` at the end of the text.
    fn ends(&self, pc: Pc, context: &Context) -> bool {
        if let Instr::Char { .. } = self.program.code[pc as usize] {
            return false;
        }
        let mut open = vec![pc];
        let mut seen = FxHashSet::default();
        while let Some(pc) = open.pop() {
            if !seen.insert(pc) {
                continue;
            }
            match self.program.code[pc as usize] {
                Instr::Match => return true,
                Instr::Char { .. } | Instr::Half { .. } | Instr::Found | Instr::Before { negated: false, .. } => {}
                Instr::Split(one, other) => open.extend([one, other]),
                Instr::End { next } | Instr::Before { next, .. } => open.push(next),
                Instr::Start { next } if context.start => open.push(next),
                Instr::Start { .. } => {}
                Instr::Behind { which, negated, next } if context.found[which as usize] != negated => open.push(next),
                Instr::Behind { .. } => {}
                Instr::Ahead { entry, negated, next } => {
                    if self.ends(entry, context) != negated {
                        open.push(next);
                    }
                }
            }
        }
        false
    }

    /// Finds the threads of `set` that read a character, for each class.
    ///
    /// All classes are handled in one pass: as in `[ab]c|[ac]d`, only some of the threads read each class.
    pub(super) fn readers(&self, set: ThreadSetId) -> Result<Readers, LimitError> {
        let threads = self.sets.get(set.0);
        budget::work(1 + (threads.len() + self.alphabet.classes) / 4)?;
        let mut by_class = vec![Vec::new(); self.alphabet.classes];
        for &thread in threads.iter() {
            match self.program.code[thread.pc as usize] {
                Instr::Char { set, next } => {
                    let moved = Thread { pc: next, ..thread };
                    self.alphabet.classes_of(set).for_each(|class| by_class[class].push(moved));
                }
                // The thread has matched, and remains for its obligations.
                Instr::Match => by_class.iter_mut().for_each(|readers| readers.push(thread)),
                Instr::Half { .. } | Instr::End { .. } | Instr::Found => {}
                _ => return Ok(Readers::Unknown),
            }
        }
        Ok(if set == ALWAYS { Readers::Unknown } else { Readers::Known(by_class) })
    }
}
