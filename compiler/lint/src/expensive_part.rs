//! `expensive-part`: one place of a large format that causes more than half of its size; a one-line version of
//! `ogc cost`.

use ogc_grammar::{Code, Cost, Diagnostic};
use ogc_runtime::automaton::{Automaton, Escapes, StateKind};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// States from which a format counts as large; a smaller one compiles in milliseconds, whatever its parts are.
const STATES: usize = 4_000;

/// Rows from which a format counts as large; fewer are built in a fraction of a second.
const ROWS: usize = 2_000;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let whole = compiled.whole();
    if whole.states < STATES && whole.row_count() < ROWS {
        return Vec::new();
    }
    let parts = compiled.by_place().into_iter().map(|(handle, states)| (handle, compiled.cost(states.iter().copied())));
    let most = parts.max_by_key(|(handle, cost)| (share(*cost, whole), u32::MAX - handle));
    most.filter(|(_, cost)| share(*cost, whole) > 50)
        .map(|(handle, cost)| found(handle, cost, whole).help(help(&compiled.automaton)))
        .into_iter()
        .collect()
}

/// Returns the percentage of a part in the whole: of the states or of the rows, whichever is greater. Whole numbers below
/// their thresholds do not count.
fn share(part: Cost, whole: Cost) -> usize {
    let of = |part: usize, whole: usize, least: usize| if whole < least { 0 } else { part * 100 / whole };
    of(part.states, whole.states, STATES).max(of(part.row_count(), whole.row_count(), ROWS))
}

fn found(handle: u32, cost: Cost, whole: Cost) -> Diagnostic<Origin> {
    let message = format!("this part takes {cost}, of {whole} in all");
    Diagnostic::note(Code::ExpensivePart, Compiled::place(handle), message).cost(cost)
}

/// Returns advice for making a format smaller: one spelling of strings, if they may be escaped in any way.
fn help(automaton: &Automaton) -> String {
    let parts = "`ogc cost` shows all parts; begin here to make the format smaller";
    let has_strings = automaton.states.iter().any(|state| state.kind == StateKind::Text);
    match automaton.escapes {
        Escapes::Any if has_strings => {
            format!(
                "{parts}. Strings in one spelling take fewer rows and are what models write: `escapes = \"canonical\"`"
            )
        }
        Escapes::Any | Escapes::Canonical => parts.to_owned(),
    }
}
