//! The moves of a frame that cheap completions use: one text for each edge, calls, and ends of escapes.

use smallvec::SmallVec;

use super::choices::{ChoiceId, ItemChoices};
use super::frame::{Effect, Frame, Goal, content};
use super::objects::{self, Parts, Split, past};
use crate::automaton::{Automaton, Edge, Op, OpId, StateId, StateKind};
use crate::step::{BOTTOM, Head, KeySet, Memory, Scratch, Stack, entered, go, step};

/// The target of a move.
#[derive(Debug)]
pub(super) enum To {
    Ended,
    Frame(Frame),
}

/// A move: writes bytes, or calls a frame first; then the frame continues at `to`.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) bytes: SmallVec<[u8; 8]>,
    pub(super) callee: Option<Callee>,
    pub(super) to: To,
}

/// The callee of a move.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    Frame(Frame),
    /// An item that must differ from the others, chosen from a list.
    Item(ChoiceId),
}

/// Buffers for following moves.
#[derive(Debug, Default)]
pub(super) struct Moves {
    stack: Stack,
    scratch: Scratch,
    out: Vec<Head>,
    found: Vec<Move>,
    /// The position and the keys of the frame whose moves are listed, if its next key may be any.
    any_key: Option<(u32, KeySet)>,
}

impl Moves {
    /// Returns the possible completions of an object's frame, each as its parts.
    pub(super) fn of_object(&mut self, automaton: &Automaton, frame: &Frame, split: &Split) -> Vec<Parts> {
        self.stack.clear();
        let head = self.head(frame);
        objects::alternatives(automaton, &self.stack, &head, frame, split)
    }

    /// Returns the moves of a frame towards its goal.
    pub(super) fn of(
        &mut self,
        automaton: &Automaton,
        frame: &Frame,
        (split, choices): (Option<&Split>, &ItemChoices),
    ) -> Vec<Move> {
        self.stack.clear();
        self.any_key = frame.any_key.then(|| (frame.position, frame.keys.clone()));
        let head = self.head(frame);
        let state = &automaton.states[frame.state.index()];
        let at_hub = frame.goal == Goal::Hub && split.is_some_and(|split| split.hub == frame.state);
        if frame.esc != 0 {
            self.escape(automaton, head, frame.goal);
        } else if at_hub || state.accept && matches!(frame.goal, Goal::End | Goal::Close) {
            self.add(&[], None, To::Ended);
        } else {
            // Follow only edges that lead to the goal's key. Otherwise all keys that an open object's key can begin with would be followed
            // each time.
            let leads_there = |to: StateId| match (frame.goal, split) {
                (Goal::Key(key), Some(split)) => split.can_become(automaton, to, key),
                _ => true,
            };
            for edge in automaton.edges(frame.state).iter().filter(|edge| leads_there(edge.to)) {
                if let Some(goal) = goal_after(automaton, frame, edge.op) {
                    self.edge(automaton, head, state.kind, edge, goal);
                }
            }
            if let Some((op, to)) = state.close
                && let Some(goal) = goal_after(automaton, frame, op)
            {
                self.go(automaton, head, b"\"", (op, to), None, goal);
            }
            self.calls(automaton, head, frame.goal, choices);
        }
        std::mem::take(&mut self.found)
    }

    fn head(&mut self, frame: &Frame) -> Head {
        let memory = if frame.keys.is_empty() {
            Memory::of_number(frame.position)
        } else {
            self.stack.add_set(frame.keys.clone())
        };
        Head { state: frame.state, a: frame.a, b: frame.b, memory, esc: frame.esc, parent: BOTTOM }
    }

    fn add(&mut self, bytes: &[u8], callee: Option<Callee>, to: To) {
        let bytes = bytes.into();
        self.found.push(Move { bytes, callee, to });
    }

    fn go(
        &mut self,
        automaton: &Automaton,
        head: Head,
        bytes: &[u8],
        (op, to): (OpId, StateId),
        callee: Option<&Callee>,
        goal: Goal,
    ) {
        let mut out = std::mem::take(&mut self.out);
        out.clear();
        go(automaton, &mut self.stack, head, op, to, &mut out);
        for &next in &out {
            if let Some(to) = self.reached(automaton, next, goal) {
                self.add(bytes, callee.cloned(), to);
            }
        }
        self.out = out;
    }

    /// Returns the frame that a head has become on the way to a goal; `None` if it has returned without reaching the goal.
    fn reached(&self, automaton: &Automaton, head: Head, goal: Goal) -> Option<To> {
        if head.is_returned() {
            return matches!(goal, Goal::End | Goal::Close).then_some(To::Ended);
        }
        let object = automaton.rule_of(head.state).object.filter(|_| goal != Goal::End);
        Some(To::Frame(match object {
            Some(object) => goal.from(&automaton.objects[object.index()], head.state, head.esc),
            None => self.followed(content(&self.stack, head)),
        }))
    }

    /// Returns the frame that follows the one whose moves are listed; its next key may be any if no key has come between.
    fn followed(&self, next: Frame) -> Frame {
        let any_key =
            self.any_key.as_ref().is_some_and(|(position, keys)| next.position == *position && next.keys == *keys);
        Frame { any_key, ..next }
    }

    fn edge(&mut self, automaton: &Automaton, head: Head, kind: StateKind, edge: &Edge, goal: Goal) {
        let target = (edge.op, edge.to);
        match kind {
            StateKind::Bytes => self.go(automaton, head, &[favourite(edge.lo, edge.hi)], target, None, goal),
            StateKind::Text => {
                let spelling = spelling(edge.lo, edge.hi);
                self.go(automaton, head, &spelling, target, None, goal);
            }
        }
    }

    fn calls(&mut self, automaton: &Automaton, head: Head, goal: Goal, choices: &ItemChoices) {
        let keeps = |op: OpId| goal == Goal::End || goal.effect(&automaton.ops[op.index()]) == Effect::Keeps;
        for call in automaton.calls(head.state).iter().filter(|call| keeps(call.op)) {
            let frame = || entered(&automaton.rules[call.rule.index()], call.a, call.b, BOTTOM);
            let callee = match choices.of(automaton, head.state, call) {
                Some(choice) => Callee::Item(choice),
                None => Callee::Frame(content(&self.stack, frame())),
            };
            self.go(automaton, head, &[], (call.op, call.ret), Some(&callee), goal);
        }
    }

    /// Adds the bytes that continue an escape: every short escape, or else the first byte that is allowed.
    fn escape(&mut self, automaton: &Automaton, head: Head, goal: Goal) {
        let mut found_short = false;
        for &byte in b"\"\\/bfnrtu0123456789abcdef" {
            if found_short && !b"\"\\/bfnrt".contains(&byte) {
                return;
            }
            let mut out = std::mem::take(&mut self.out);
            out.clear();
            step(automaton, &mut self.stack, &mut self.scratch, &[head], byte, &mut out);
            for &next in &out {
                if let Some(to) = self.reached(automaton, next, goal) {
                    self.add(&[byte], None, to);
                    found_short = true;
                }
            }
            self.out = out;
        }
    }
}

/// Picks a byte of the range that is frequent in texts, and so is likely to be part of a long token.
fn favourite(lo: u8, hi: u8) -> u8 {
    let liked = b"\"}],:0aenrt {[";
    let found = liked.iter().copied().find(|byte| (lo..=hi).contains(byte));
    found.unwrap_or(lo)
}

/// Writes the shortest spelling of a decoded byte of the range inside a JSON string.
fn spelling(lo: u8, hi: u8) -> SmallVec<[u8; 8]> {
    let raw = |byte: &u8| *byte >= 0x20 && *byte != b'"' && *byte != b'\\';
    if (lo..=hi).contains(&b'a') {
        return SmallVec::from_slice(b"a");
    }
    if let Some(byte) = (lo..=hi).find(raw) {
        return SmallVec::from_slice(&[byte]);
    }
    let short = |byte: u8| {
        Some(match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x0C => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => return None,
        })
    };
    match (lo..=hi).find_map(short) {
        Some(letter) => SmallVec::from_slice(&[b'\\', letter]),
        None => SmallVec::from_slice(format!("\\u{lo:04x}").as_bytes()),
    }
}

/// Returns the goal after an operation; `None` if the operation does not lead to the frame's goal.
fn goal_after(automaton: &Automaton, frame: &Frame, op: OpId) -> Option<Goal> {
    if frame.goal == Goal::End {
        return useful(automaton, frame, op).then_some(Goal::End);
    }
    match frame.goal.effect(&automaton.ops[op.index()]) {
        Effect::Leaves => None,
        Effect::Keeps => Some(frame.goal),
        Effect::Takes => Some(Goal::Hub),
    }
}

/// Returns whether the operation takes no key, or a key that a cheap completion takes.
fn useful(automaton: &Automaton, frame: &Frame, op: OpId) -> bool {
    if frame.any_key {
        return true;
    }
    let (object, key) = match automaton.plain_op(op) {
        Op::KeyTake { object, key } => (object, Some(*key)),
        Op::KeyTakeExtra { object } => (object, None),
        Op::None
        | Op::Count { .. }
        | Op::KeyAlive { .. }
        | Op::KeyNext { .. }
        | Op::ObjectClose { .. }
        | Op::Owing { .. } => return true,
    };
    let shape = &automaton.objects[object.index()];
    let missing = objects::missing(shape, frame, None).first().copied();
    let wants_more = shape.counted && frame.a > 0;
    let next = (0..shape.keys).find(|&key| !past(shape, frame, key));
    match key {
        // The last member that is needed may be any, so that it is the shortest; the members before it are the next ones.
        Some(key) => missing == Some(key) || (wants_more && (next == Some(key) || frame.a == 1)),
        // In such rules, undeclared keys may be required.
        None => {
            let has_demands = automaton.rule_of(frame.state).distinct_items;
            missing.is_none() && (wants_more || has_demands) || missing == Some(shape.keys)
        }
    }
}
