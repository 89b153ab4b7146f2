//! Lists the passes by name, and shows the result of each to whoever inspects the compiler. Without an inspector, the
//! results go to a closure that does nothing.

use std::fmt::Write as _;
use std::sync::Arc;

use ogc_runtime::automaton::Automaton;
use ogc_runtime::vocabulary::shown;
use ogc_schema::source::Origin;

use crate::ir::print::range;
use crate::ir::{ExprId, Grammar, RuleId};
use crate::pass::facts::Facts;
use crate::pass::nfa::{Guard, Label, Move, Nfa, UnitId};
use crate::pass::plan::Plan;
use crate::pass::stops::{FirstLiterals, Stops};
use crate::pass::units::Units;

/// A pass from the grammar IR to the automaton.
///
/// ```
/// use ogc_compiler::pass::Pass;
/// let names: Vec<&str> = Pass::ALL.iter().map(|pass| pass.name()).collect();
/// assert_eq!(names, ["stops", "regular", "captures", "facts", "plan", "units", "left", "emit"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// Finds the literals at which free texts end.
    Stops,
    /// Makes an automaton of each difference, intersection, lazy or free text.
    Regular,
    /// Writes the marks of captures. Only the machine that reads captures has them; masks never do.
    Captures,
    /// Finds which expressions can be empty, and which hold any text.
    Facts,
    /// Decides which rules become part of their callers.
    Plan,
    /// Writes a nondeterministic automaton for each remaining rule, and for each counted repetition.
    Units,
    /// Turns left recursion into loops.
    Left,
    /// Makes states deterministic and minimal, and writes the tables of the runtime.
    Emit,
}

impl Pass {
    /// All passes, in the order in which they run.
    pub const ALL: [Pass; 8] =
        [Pass::Stops, Pass::Regular, Pass::Captures, Pass::Facts, Pass::Plan, Pass::Units, Pass::Left, Pass::Emit];

    /// Returns the name by which users select the pass.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Pass::Stops => "stops",
            Pass::Regular => "regular",
            Pass::Captures => "captures",
            Pass::Facts => "facts",
            Pass::Plan => "plan",
            Pass::Units => "units",
            Pass::Left => "left",
            Pass::Emit => "emit",
        }
    }

    /// Returns a line that describes the pass.
    #[must_use]
    pub fn does(self) -> &'static str {
        match self {
            Pass::Stops => "Find the literals at which free texts end",
            Pass::Regular => "Make an automaton of each difference, intersection, lazy or free text",
            Pass::Captures => "Write the marks of captures, for the machine that reads them",
            Pass::Facts => "Find which rules can be empty, and which hold any text",
            Pass::Plan => "Decide which rules become part of their callers",
            Pass::Units => "Write a nondeterministic automaton for each rule that is left",
            Pass::Left => "Turn left recursion into loops",
            Pass::Emit => "Make states deterministic and minimal, and write the tables",
        }
    }

    /// Returns the pass with this name.
    ///
    /// ```
    /// use ogc_compiler::pass::Pass;
    /// assert_eq!(Pass::named("left"), Some(Pass::Left));
    /// assert_eq!(Pass::named("right"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Pass> {
        Pass::ALL.into_iter().find(|pass| pass.name() == name)
    }
}

/// The result of a pass, borrowed while the compilation goes on.
#[derive(Clone, Copy)]
pub(crate) enum After<'r> {
    Stops(&'r Grammar, &'r Stops),
    Grammar(&'r Grammar),
    Facts(&'r Grammar, &'r Facts),
    Plan(&'r Grammar, &'r Plan, &'r [bool]),
    Units(&'r Grammar, &'r Units),
    Automaton(&'r Automaton),
}

/// The result of a pass in the form in which it is shown.
#[derive(Clone, Debug)]
pub enum Passed {
    /// A grammar, or nondeterministic automata.
    Text(String),
    /// The automaton, after the last pass.
    Automaton(Arc<Automaton>),
}

/// A function that is called with the result of each pass.
pub(crate) type Watch<'w> = dyn FnMut(Pass, After<'_>) + 'w;

/// A watch that ignores all results.
pub(crate) fn nothing(_: Pass, _: After<'_>) {}

impl After<'_> {
    /// Prints the result, with `place` after each rule.
    pub(crate) fn shown(self, place: &dyn Fn(Origin) -> String) -> Passed {
        Passed::Text(match self {
            After::Stops(grammar, stops) => {
                let ends: String = stops.ends().map(|(id, begin)| ends(grammar, id, begin, place)).collect();
                format!("{}{ends}", grammar.print(place))
            }
            After::Grammar(grammar) => grammar.print(place),
            After::Facts(grammar, facts) => {
                grammar.print_with(|id, rule| format!("{}: {}", place(rule.origin), fact_words(facts, id)))
            }
            After::Plan(grammar, plan, reached) => {
                grammar.print_with(|id, rule| format!("{}: {}", place(rule.origin), plan_words(plan, reached, id)))
            }
            After::Units(grammar, units) => units_words(grammar, units, place),
            After::Automaton(automaton) => return Passed::Automaton(Arc::new(automaton.clone())),
        })
    }
}

fn ends(grammar: &Grammar, id: ExprId, begin: &FirstLiterals, place: &dyn Fn(Origin) -> String) -> String {
    let mut before: Vec<String> = begin.literals.iter().map(|literal| format!("`{}`", shown(literal))).collect();
    if begin.empty {
        before.push("the end of the output".to_owned());
    }
    if begin.unknown {
        before.push("something that is not fixed".to_owned());
    }
    let origin = grammar.exprs.get(id.index()).map(|expr| expr.origin).unwrap_or_default();
    format!("free text{} ends before {}\n", place(origin), before.join(", "))
}

fn fact_words(facts: &Facts, id: RuleId) -> &'static str {
    let fact = facts.rule(id);
    match (fact.nullable, fact.has_nonempty) {
        (false, false) => "has no text",
        (true, false) => "is empty",
        (true, true) => "may be empty",
        (false, true) => "is never empty",
    }
}

fn plan_words(plan: &Plan, reached: &[bool], id: RuleId) -> &'static str {
    match reached.get(id.index()) {
        Some(true) if plan.inlines(id) => "part of its callers",
        Some(true) => "called",
        _ => "never reached",
    }
}

/// Prints the units that are called, each with its states.
fn units_words(grammar: &Grammar, units: &Units, place: &dyn Fn(Origin) -> String) -> String {
    let mut out = String::new();
    for (unit, (nfa, &kind)) in (0..).map(UnitId).zip(units.machines.iter().zip(&units.kinds)) {
        let (name, at) = (units.describe(grammar, unit).0, place(Units::place(grammar, kind)));
        put(&mut out, format_args!("#{} {name}{at}: {} states", unit.0, nfa.states.len()));
        nfa_words(&mut out, grammar, units, nfa);
    }
    out
}

/// Prints one line for each move. The first state is the start, the second is the end.
fn nfa_words(out: &mut String, grammar: &Grammar, units: &Units, nfa: &Nfa) {
    for (at, state) in nfa.states.iter().enumerate() {
        state.silent.iter().for_each(|to| put(out, format_args!("    {at} -> {to}")));
        for step in &state.moves {
            put(out, format_args!("    {at} {} -> {}", move_words(grammar, units, step), step.to));
        }
    }
}

fn move_words(grammar: &Grammar, units: &Units, step: &Move) -> String {
    let guard = match step.guard {
        Guard::None => "",
        Guard::Mandatory => " (more must follow)",
        Guard::Last => " (the last)",
        Guard::Optional => " (if one is left)",
    };
    let label = match step.label {
        Label::Bytes(lo, hi) => range(lo, hi),
        Label::Call(unit, 0, 0) => format!("#{} {}", unit.0, units.describe(grammar, unit).0),
        Label::Call(unit, a, b) => format!("#{} {} [{a}, {b}]", unit.0, units.describe(grammar, unit).0),
    };
    format!("{label}{guard}")
}

/// Writes a line; writing to a string cannot fail.
fn put(out: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    use ogc_grammar::parse_gbnf;

    use super::*;
    use crate::lower::grammar::lower;
    use crate::pass::{Base, Limits, compile_watched};

    fn watched(marks: bool) -> Vec<Pass> {
        let (tree, _) = parse_gbnf("root ::= \"a\" root?\n");
        let grammar = lower(&tree, Some("root")).0.unwrap().grammar;
        let mut seen = Vec::new();
        let made = compile_watched(grammar, Base::none(), &Limits::default(), marks, &mut |pass, _| seen.push(pass));
        assert!(made.0.is_some());
        seen
    }

    #[test]
    fn passes_run_in_the_declared_order() {
        assert_eq!(watched(true), Pass::ALL);
        let masks: Vec<Pass> = Pass::ALL.into_iter().filter(|pass| *pass != Pass::Captures).collect();
        assert_eq!(watched(false), masks);
    }
}
