//! When a step tries characters that an escape can become, this leaves nothing behind: no registers, sets or counted work.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Escapes, KeyConditions, KeyOrder, ObjectShape, Op, OpId, RuleId, StateId, StateKind,
    UNBOUNDED,
};

use crate::step::{compiled, steps};

/// Makes a string whose characters lead from its first state to its last, with countdowns `a` and `b`.
fn string(make: impl FnOnce(&mut AutomatonBuilder, RuleId, [StateId; 2]), a: u32, b: u32) -> Arc<Automaton> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("string", 0);
    let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    let inside = std::array::from_fn(|_| builder.state(rule, StateKind::Text));
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'"', b'"', OpId::NONE, inside[0]);
    builder.close(inside[1], OpId::NONE, end);
    make(&mut builder, rule, inside);
    Arc::new(builder.finish((rule, a, b), false, Escapes::Any).unwrap())
}

/// Returns whether all bytes were accepted and the text may end.
fn is_whole(found: &str) -> bool {
    found.ends_with('c') && found[..found.len() - 1].bytes().all(|letter| letter == b'a')
}

#[test]
fn an_edge_that_is_refused_changes_no_counter() {
    let Some(program) = compiled() else { return };
    // The character `a` ticks and is refused, as too little is left; `b` ticks too, and is allowed.
    let format = string(
        |builder, _, [inside, last]| {
            let refused = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 1 });
            let counted = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 0 });
            builder.edge(inside, b'a', b'a', refused, last);
            builder.edge(inside, b'b', b'b', counted, last);
        },
        0,
        1,
    );
    for text in ["\"b\"", r#""\u0062""#] {
        assert!(is_whole(&steps(program, &format, text)), "{text}");
    }
    assert!(steps(program, &format, r#""\u0061""#).contains('r'));
    // The first byte of one character ticks and leads nowhere; the first byte of another ticks too and leads on.
    let torn = string(
        |builder, rule, [inside, last]| {
            let counted = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 0 });
            let [dead, alive] = std::array::from_fn(|_| builder.state(rule, StateKind::Text));
            builder.edge(inside, 0xC3, 0xC3, counted, dead);
            builder.edge(inside, 0xC4, 0xC4, counted, alive);
            builder.edge(dead, 0x80, 0x80, counted, last);
            builder.edge(alive, 0x80, 0x80, OpId::NONE, last);
        },
        0,
        1,
    );
    for text in ["\"\u{100}\"", r#""\u0100""#] {
        assert!(is_whole(&steps(program, &torn, text)), "{text}");
    }
    assert!(steps(program, &torn, r#""\u00c0""#).contains('r'));
}

/// A string in which each character is a key, in any order: the characters from `A` on, each at most once.
fn keys(count: u32) -> Arc<Automaton> {
    string(
        |builder, rule, [inside, last]| {
            let required = Box::new([]);
            let shape = ObjectShape {
                keys: count,
                required,
                order: KeyOrder::Any,
                extra: false,
                counted: false,
                conditions: KeyConditions::default(),
            };
            let object = builder.object(rule, shape);
            for key in 0..count {
                let take = builder.op(Op::KeyTake { object, key });
                let byte = b'A' + key as u8;
                builder.edge(inside, byte, byte, take, inside);
            }
            builder.edge(inside, b'.', b'.', OpId::NONE, last);
        },
        0,
        0,
    )
}

#[test]
fn tentative_keys_of_escapes_take_no_set() {
    let Some(program) = compiled() else { return };
    // Each byte of an escape tries keys, each of which would make a new set; a slot has room for 32.
    let text: String = (0..40).map(|key| format!("\\u{:04x}", 0x41 + key)).collect();
    let whole = format!("\"{text}.\"");
    let found = steps(program, &keys(40), &whole);
    assert!(is_whole(&found), "{found}");
    // A key comes at most once, however it is spelled.
    assert!(steps(program, &keys(40), r#""A\u0041"#).ends_with('r'));
}

#[test]
fn one_free_set_suffices_for_tentative_keys_of_two_readings() {
    let Some(program) = compiled() else { return };
    // Two readings, each of which remembers each character. With those of the log they have 30 sets, and the reading that remembers `x` has
    // one more.
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("both", 0);
    let [start, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    let shape = ObjectShape {
        keys: 18,
        required: Box::new([]),
        order: KeyOrder::Any,
        extra: false,
        counted: false,
        conditions: KeyConditions::default(),
    };
    let object = builder.object(rule, shape);
    let take: Vec<OpId> = (0..18).map(|key| builder.op(Op::KeyTake { object, key })).collect();
    for remembers in [true, false] {
        let inside = builder.state(rule, StateKind::Text);
        builder.edge(start, b'"', b'"', OpId::NONE, inside);
        builder.edge(inside, b'x', b'x', if remembers { take[17] } else { OpId::NONE }, inside);
        for (byte, op) in (b'A'..=b'Q').zip(&take) {
            builder.edge(inside, byte, byte, *op, inside);
        }
        builder.close(inside, OpId::NONE, end);
    }
    let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap());
    let found = steps(program, &format, r#""xABCDEFGHIJKLMNO\u0050Q""#);
    assert!(is_whole(&found), "{found}");
}

#[test]
fn tentative_edges_of_one_reading_do_not_count_against_others() {
    let Some(program) = compiled() else { return };
    // Two readings: a string with so many edges that only the last one reads the escape's character, and a plain text of the same bytes.
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("both", 0);
    let [start, end, plain] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    let inside = builder.state(rule, StateKind::Text);
    builder.start(rule, start);
    builder.accept(end);
    builder.edge(start, b'"', b'"', OpId::NONE, inside);
    builder.edge(start, b'"', b'"', OpId::NONE, plain);
    builder.edge(plain, b'\\', b'z', OpId::NONE, plain);
    builder.edge(plain, b'0', b'9', OpId::NONE, plain);
    builder.edge(plain, b'"', b'"', OpId::NONE, end);
    // Characters from U+0400 on have two bytes: the edges of the first byte lead to different states.
    for first in 0xD0..=0xDF {
        let second = builder.state(rule, StateKind::Text);
        builder.edge(inside, first, first, OpId::NONE, second);
        for byte in 0x80..=0xBF {
            let never = builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total: 9 });
            let op = if (first, byte) == (0xDF, 0xBF) { OpId::NONE } else { never };
            builder.edge(second, byte, byte, op, inside);
        }
    }
    builder.close(inside, OpId::NONE, end);
    let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).unwrap());
    let found = steps(program, &format, r#""\u07ff\u07ff""#);
    assert!(is_whole(&found), "{found}");
}
