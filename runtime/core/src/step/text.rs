//! Steps inside a JSON string: quotes, escapes, and the decoded text.
//!
//! For the encoding of an incomplete escape in the register `esc`, see [`super::escape`].
//!
//! A head may be inside an escape only while some character that the escape can still become may be read: there are no dead ends. Lone
//! surrogates are never written.
//!
//! Heads move within their frames only; some of the resulting heads may only be able to return.

use super::escape::{BACKSLASH, HIGH, IN_U, escape_after, needs_u, short_escape, with_digit};
use super::escape_lives::lives;
use super::frame::Head;
use super::ops::after;
use super::stack::Stack;
use crate::automaton::{Automaton, Escapes, StateKind};

pub(super) fn step(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    if head.esc != 0 {
        return step_escape(automaton, stack, head, byte, out);
    }
    match byte {
        b'"' => {
            if let Some((op, to)) = automaton.states[head.state.index()].close {
                out.extend(after(automaton, stack, head, op, to));
            }
        }
        b'\\' => push_if_alive(automaton, stack, Head { esc: BACKSLASH, ..head }, out),
        0..=0x1F => {}
        _ => decoded(automaton, stack, head, &[byte], out),
    }
}

/// Steps a head by decoded bytes.
fn decoded(automaton: &Automaton, stack: &mut Stack, head: Head, bytes: &[u8], out: &mut Vec<Head>) {
    let Some((&byte, rest)) = bytes.split_first() else {
        out.push(head);
        return;
    };
    if automaton.states[head.state.index()].kind != StateKind::Text {
        return;
    }
    for edge in automaton.edges(head.state) {
        if edge.lo > byte {
            break;
        }
        if byte > edge.hi {
            continue;
        }
        if let Some(next) = after(automaton, stack, head, edge.op, edge.to) {
            decoded(automaton, stack, next, rest, out);
        }
    }
}

fn step_escape(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    let esc = head.esc;
    if let Some(next) = escape_after(automaton.escapes, esc, byte) {
        push_if_alive(automaton, stack, Head { esc: next, ..head }, out);
    } else if esc & IN_U != 0 {
        last_digit(automaton, stack, head, byte, out);
    } else if esc & (HIGH | BACKSLASH) == BACKSLASH
        && let Some(c) = short_escape(byte)
        && (automaton.escapes == Escapes::Any || byte != b'/')
    {
        decoded(automaton, stack, Head { esc: 0, ..head }, &[c], out);
    }
}

/// Reads the digit that completes an escape.
fn last_digit(automaton: &Automaton, stack: &mut Stack, head: Head, byte: u8, out: &mut Vec<Head>) {
    let esc = head.esc;
    let Some(value) = with_digit(automaton.escapes, esc, byte) else { return };
    match (value, esc & HIGH != 0) {
        (0xDC00..=0xDFFF, true) => {
            character(automaton, stack, head, 0x10000 + ((esc >> 22) << 10) + (value - 0xDC00), out);
        }
        (_, true) | (0xD800..=0xDFFF, false) => {}
        (_, false) => {
            if automaton.escapes == Escapes::Any || needs_u(value) {
                character(automaton, stack, head, value, out);
            }
        }
    }
}

fn character(automaton: &Automaton, stack: &mut Stack, head: Head, value: u32, out: &mut Vec<Head>) {
    if let Some(c) = char::from_u32(value) {
        let mut buffer = [0; 4];
        decoded(automaton, stack, Head { esc: 0, ..head }, c.encode_utf8(&mut buffer).as_bytes(), out);
    }
}

/// Appends a head inside an escape, unless the state reads no character that the escape can become.
fn push_if_alive(automaton: &Automaton, stack: &mut Stack, mut head: Head, out: &mut Vec<Head>) {
    if lives(automaton, stack, &mut head) {
        out.push(head);
    }
}
