//! A format whose frames differ, and long walks through it. Each frame remembers the members it has had and the ticks it has left, so that
//! a lost or mixed-up frame is noticed when the text comes back to it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use crate::formats;
use crate::script::{Script, Subject};
use ogc_kit::Random;
use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Escapes, KeyConditions, KeyOrder, ObjectShape, Op, OpId, StateKind,
};
use ogc_runtime::vocabulary::TokenId;

/// The members of a frame, in any order. Some may contain another frame.
const MEMBERS: &[u8] = b"01abcu";

/// Returns the format: frames `[...]` of members, frames and ticks `,`. A text is one frame if `is_one`, else several one after another.
pub(crate) fn framed(is_one: bool) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("frame", 0);
    let shape = ObjectShape {
        keys: MEMBERS.len() as u32,
        required: Box::new([]),
        order: KeyOrder::Any,
        extra: false,
        counted: false,
        conditions: KeyConditions::default(),
    };
    let object = builder.object(rule, shape);
    let [start, inside, behind, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    let tick = builder.op(Op::Count { tick: true, max_a: u32::MAX, min_total: 0 });
    builder.edge(start, b'[', b'[', OpId::NONE, inside);
    for (key, &byte) in (0..).zip(MEMBERS) {
        let take = builder.op(Op::KeyTake { object, key });
        builder.edge(inside, byte, byte, take, behind);
    }
    builder.edge(inside, b',', b',', tick, inside);
    builder.edge(inside, b']', b']', OpId::NONE, end);
    builder.edge(behind, b',', b',', OpId::NONE, inside);
    builder.call(behind, formats::call(rule, inside, 0, 3));
    builder.call(inside, formats::call(rule, inside, 0, 1));
    let root = builder.rule("frames", 0);
    let between = builder.state(root, StateKind::Bytes);
    let last = builder.state(root, StateKind::Bytes);
    builder.start(root, between);
    builder.accept(last);
    builder.call(between, formats::call(rule, between, 0, 2));
    builder.edge(between, b'"', b'"', OpId::NONE, last);
    Arc::new(builder.finish((if is_one { rule } else { root }, 0, 2), false, Escapes::Any).unwrap())
}

/// Writes a script of `len` commands: most are accepted tokens, and now and then some are taken back.
pub(crate) fn walk(subject: &Subject, random: &mut Random, len: usize) -> Script {
    let vocabulary = subject.store.vocabulary();
    let is_of = |token: &TokenId| {
        let text = vocabulary.text(*token);
        text.is_some_and(|text| text.iter().all(|byte| MEMBERS.contains(byte) || b"[],".contains(byte)))
    };
    let tokens: Vec<TokenId> = (0..vocabulary.len() as u32).map(TokenId).filter(is_of).collect();
    subject.walk(len, |matcher| {
        // Mostly takes back as many tokens as a slot logs, and rarely enough that the log is full by then.
        match random.below(60) {
            0 | 1 => return -16,
            2 => return -(1 + random.below(16) as i32),
            _ => {}
        }
        // A frame is left often enough that only a few lie below the top one.
        let mut leads_on = |token: &TokenId| {
            let is_accepted = matcher.accept_token(*token).is_ok();
            let leads_on = is_accepted && !matcher.is_complete();
            if is_accepted {
                matcher.rollback(1).unwrap();
            }
            leads_on
        };
        let leaves = TokenId(b']'.into());
        if random.below(3) == 0 && leads_on(&leaves) {
            return leaves.0 as i32;
        }
        // Some tokens are refused, at the first byte or a later one.
        let others: Vec<TokenId> = (0..1 + random.below(12)).map(|_| tokens[random.below(tokens.len())]).collect();
        let token = others.iter().copied().find(|token| leads_on(token)).unwrap_or(TokenId(b','.into()));
        token.0 as i32
    })
}
