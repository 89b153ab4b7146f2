//! Shows an automaton: rules, states, edges and calls.

use std::fmt::Write as _;

use always_assert::never;
use ogc_runtime::automaton::{Automaton, Call, Edge, OpId, Root, Rule, RuleId, StateKind, UNBOUNDED};

use ogc_workbench::describe::show;

/// Returns a line for each state and for each edge and call out of it.
pub(super) fn show_automaton(automaton: &Automaton) -> String {
    let mut text = String::new();
    let Root { rule: root, a, b } = automaton.root;
    let nullable = if automaton.nullable { ", or nothing at all" } else { "" };
    put(&mut text, format_args!("root: rule {}{}{nullable}", root.0, counts(a, b)));
    if let Some(tokens) = automaton.token_policy {
        put(&mut text, format_args!("tokens: {tokens}"));
    }
    for (number, rule) in (0..).zip(&automaton.rules) {
        put(&mut text, format_args!("\nrule {number} {} ({:032x})", rule.name, automaton.fingerprint(RuleId(number))));
        states(&mut text, automaton, rule);
    }
    text
}

/// Appends a line; writing to a string cannot fail.
fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}

fn states(text: &mut String, automaton: &Automaton, rule: &Rule) {
    for id in rule.state_ids() {
        let Some(state) = automaton.states.get(id.index()) else {
            never!("state {} of rule {} is none of {}", id.0, rule.name, automaton.states.len());
            return;
        };
        let kind = if state.kind == StateKind::Text { " text" } else { "" };
        let start = if id == rule.start { " start" } else { "" };
        let accept = if state.accept { " accept" } else { "" };
        put(text, format_args!("  {}{start}{kind}{accept}", id.0));
        automaton.edges(id).iter().for_each(|edge| put(text, format_args!("    {}", edge_line(automaton, edge))));
        automaton.calls(id).iter().for_each(|call| put(text, format_args!("    {}", call_line(automaton, call))));
        if let Some((op, to)) = state.close {
            put(text, format_args!("    close -> {}{}", to.0, op_words(automaton, op)));
        }
    }
}

fn edge_line(automaton: &Automaton, edge: &Edge) -> String {
    let bytes = if edge.lo == edge.hi { byte(edge.lo) } else { format!("{}-{}", byte(edge.lo), byte(edge.hi)) };
    format!("{bytes} -> {}{}", edge.to.0, op_words(automaton, edge.op))
}

fn call_line(automaton: &Automaton, call: &Call) -> String {
    let Some(rule) = automaton.rules.get(call.rule.index()) else {
        never!("rule {} that is called is none of {}", call.rule.0, automaton.rules.len());
        return String::new();
    };
    let (counts, op) = (counts(call.a, call.b), op_words(automaton, call.op));
    format!("call {} {}{counts} -> {}{op}", call.rule.0, rule.name, call.ret.0)
}

fn byte(byte: u8) -> String {
    if byte.is_ascii_graphic() || byte == b' ' { format!("'{}'", show(&[byte])) } else { format!("{byte:02x}") }
}

/// Describes the countdowns of a call: at least `a` times, at most `a + b` times.
fn counts(a: u32, b: u32) -> String {
    match (a, b) {
        (0, 0) => String::new(),
        (a, UNBOUNDED) => format!(" {{{a},}}"),
        (a, b) => format!(" {{{a},{}}}", u64::from(a) + u64::from(b)),
    }
}

fn op_words(automaton: &Automaton, op: OpId) -> String {
    if op == OpId::NONE {
        return String::new();
    }
    let Some(op) = automaton.ops.get(op.index()) else {
        never!("operation {} is none of {}", op.index(), automaton.ops.len());
        return String::new();
    };
    format!("  {op:?}")
}
