//! What a step tries of the characters that an escape can become leaves nothing behind: neither registers, nor sets, nor looks.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Escapes, KeyConditions, KeyOrder, ObjectShape, Op, OpId, RuleId, StateId, StateKind,
    UNBOUNDED,
};

use crate::step::{compiled, steps};

/// Makes a string whose characters lead from its first state to its last, `a` and `b` its countdowns.
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

/// A text of which all bytes are accepted, and which may end then.
fn is_whole(found: &str) -> bool {
    found.ends_with('c') && found[..found.len() - 1].bytes().all(|letter| letter == b'a')
}

#[test]
fn an_edge_that_is_refused_changes_no_counter() {
    let Some(program) = compiled() else { return };
    // `a` counts and is refused, as too little is left; `b` counts too, and may.
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
    // The first byte of a character counts, and nothing comes behind it; that of another counts too, and something does.
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

/// A string of which each character is a key, in any order: those from `A` on, of which each may come once.
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
    // Each byte of an escape tries keys, of which each would be a set of its own; a slot has 32.
    let text: String = (0..40).map(|key| format!("\\u{:04x}", 0x41 + key)).collect();
    let whole = format!("\"{text}.\"");
    let found = steps(program, &keys(40), &whole);
    assert!(is_whole(&found), "{found}");
    // A key comes once, by whatever spelling.
    assert!(steps(program, &keys(40), r#""A\u0041"#).ends_with('r'));
}

#[test]
fn one_free_set_suffices_for_tentative_keys_of_two_readings() {
    let Some(program) = compiled() else { return };
    // Two readings, of which each remembers each character: with those of the log they have 30 sets, and the one that remembers the `x` has one more.
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
    // Two readings: a string with so many edges that none but the last reads what the escape becomes, and a plain text of the same bytes.
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
    // Characters from U+0400 on, two bytes each: the edges of the first byte lead to a state each.
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
