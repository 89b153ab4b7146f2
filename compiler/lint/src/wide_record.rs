//! `wide-record`: a record whose keys need a large automaton, because they come in any order or follow patterns.

use ogc_grammar::{Code, Cost, Diagnostic};
use ogc_runtime::automaton::{KeyOrder, Rule};
use ogc_schema::source::Origin;

use super::compiled::Compiled;
use super::open_record::{free_states, key_states};

/// Report keys with at least this many states: as many as a record with about sixty keys of ordinary length has. Below
/// that, the keys have few rows compared to the values.
const KEY_STATES: usize = 600;

/// Report keys with at least this many rows: with free order, each set of seen keys has a row.
const ROWS: usize = 500;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    compiled.automaton.rules.iter().filter_map(|rule| record(compiled, rule)).collect()
}

fn record(compiled: &Compiled<'_>, rule: &Rule) -> Option<Diagnostic<Origin>> {
    let shape = &compiled.automaton.objects[rule.object?.index()];
    let any_order = shape.order == KeyOrder::Any && shape.keys > 1;
    let patterns = shape.extra && free_states(&compiled.automaton, rule).is_none();
    let keys = compiled.cost(key_states(&compiled.automaton, rule));
    let large = keys.states > KEY_STATES || keys.row_count() > ROWS;
    ((any_order || patterns) && large).then(|| found(rule.origin, keys, any_order.then_some(shape.keys)))
}

fn found(handle: u32, keys: Cost, any_order: Option<u32>) -> Diagnostic<Origin> {
    let (message, help) = match any_order {
        Some(count) => (
            format!("{count} keys in any order need {keys} for the keys alone"),
            "with `order = \"declared\"` only the next keys can come at each place",
        ),
        None => (
            format!("the keys of this record need {keys}, because some follow a pattern"),
            "declare the keys by name, or use a shorter pattern",
        ),
    };
    Diagnostic::note(Code::WideRecord, Compiled::place(handle), message).help(help).cost(keys)
}
