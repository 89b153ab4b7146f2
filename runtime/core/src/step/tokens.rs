//! Counts tokens in the frames of token-counted rules.
//!
//! The memory of such a frame holds the number of tokens that may still add to its text. Nothing reads this number within a token: only
//! [`count`] does, between tokens.

use super::frame::{Head, NodeId};
use super::memory::Memory;
use super::stack::Stack;
use super::{merge, push_returns};
use crate::automaton::{Automaton, Rule};

/// Makes the frame that enters a rule. More tokens than a register can hold count as no limit.
#[inline]
pub(crate) fn entered(rule: &Rule, a: u32, b: u32, parent: NodeId) -> Head {
    let (a, tokens) = if rule.counts_tokens { (0, a.min(Memory::MAX_NUMBER)) } else { (a, 0) };
    Head { state: rule.start, a, b, memory: Memory::of_number(tokens), esc: 0, parent }
}

/// Counts a token that was read: each head in a token-counted rule has one token less, and moves to its spent twin when none is left.
#[inline]
pub(crate) fn count(automaton: &Automaton, stack: &mut Stack, heads: &mut Vec<Head>) {
    if automaton.derived.counts_tokens() {
        count_each(automaton, stack, heads);
    }
}

fn count_each(automaton: &Automaton, stack: &mut Stack, heads: &mut Vec<Head>) {
    let before = std::mem::take(heads);
    for head in before {
        if head.is_returned() || !automaton.rule_of(head.state).counts_tokens {
            heads.push(head);
            continue;
        }
        let left = head.memory.word().saturating_sub(1);
        match automaton.derived.twin(head.state) {
            Some(twin) if left == 0 => {
                spend(automaton, stack, Head { state: twin, memory: Memory::EMPTY, ..head }, heads)
            }
            _ => heads.push(Head { memory: Memory::of_number(left), ..head }),
        }
    }
    if heads.len() > 1 {
        merge::merge(automaton, stack, heads, 0);
    }
}

/// Moves a frame to its spent twin. If the twin can only return, it returns at once, as everywhere.
fn spend(automaton: &Automaton, stack: &Stack, head: Head, out: &mut Vec<Head>) {
    if automaton.derived.is_bare(head.state) {
        push_returns(stack, head, out);
    } else {
        out.push(head);
    }
}
