//! The passes from the grammar IR to the automaton.
//!
//! [`Pass`] lists the passes that can be inspected.
//!
//! # Steps
//!
//! 1. [`stops`]: where free texts end. [`mod@regular`]: differences, intersections, lazy and free texts become regular
//!    languages; none of them exists after it. In the automaton that finds captures and other parts, [`captures`] adds
//!    their marks in this step.
//! 2. [`facts`]: which expressions can be empty, and which hold any text at all. Nothing unproductive is built after
//!    it.
//! 3. [`plan`]: which rules become part of their callers, and which repetitions are counted. After it, only real
//!    nesting and sharing is a call; rules that the root cannot reach are ignored.
//! 4. [`units`]: an epsilon automaton for every remaining rule. After it there are no expressions, and a call never
//!    stands for the empty text.
//! 5. [`left`]: removes left recursion. After it, no unit reaches itself by first calls.
//! 6. [`subset`], [`minimize`]: deterministic, minimal states.
//! 7. [`emit`]: the tables of the runtime.

pub(crate) mod captures;
pub(crate) mod emit;
pub(crate) mod facts;
pub(crate) mod left;
pub(crate) mod limited;
pub(crate) mod minimize;
pub(crate) mod nfa;
pub(crate) mod plan;
pub mod regular;
pub mod scc;
pub mod stops;
pub(crate) mod subset;
pub(crate) mod thompson;
pub(crate) mod units;
mod watch;

use std::sync::Arc;

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::LimitError;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes};
use ogc_runtime::captures::{Captures, MAX_PARTS};
use ogc_schema::source::Origin;

use crate::ir::Grammar;

/// The limits of one compilation of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Maximum number of nondeterministic states of all rules together, copies included. Half a million take about a
    /// second.
    pub nfa_states: usize,
    /// Maximum number of deterministic states of one rule. A rule that needs more stays nondeterministic: exact, but
    /// slower to step.
    pub rule_states: usize,
    /// Maximum number of states of the whole automaton.
    pub states: usize,
    /// Maximum total size of the state sets of determinisation. Ten million members take about a second.
    pub work: usize,
    /// Maximum number of copies of a repetition; a repetition with more is counted at run time.
    pub copies: u32,
    /// Maximum number of states of a rule that is copied wherever it is named; 64 times as many if it is named once.
    pub inline_states: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nfa_states: 500_000,
            rule_states: 8_192,
            states: 1_000_000,
            work: 20_000_000,
            copies: 16,
            inline_states: 64,
        }
    }
}

/// Returns the finding about a grammar that exceeds a limit.
fn grammar_limit(error: LimitError, origin: Origin) -> Diagnostic<Origin> {
    Diagnostic::error(Code::GrammarLimit, origin, error.to_string())
        .help("use smaller repetitions and fewer alternatives")
}

pub use plan::reached;
pub use stops::External;
use watch::{After, Watch, nothing};
pub use watch::{Pass, Passed};

/// The automaton under construction, with the external rules that a grammar calls.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) builder: AutomatonBuilder,
    pub(crate) externals: Vec<External>,
    pub(crate) escapes: Escapes,
}

impl Base {
    /// Makes a base without rules, for a grammar without values in it.
    pub(crate) fn none() -> Self {
        Self { builder: AutomatonBuilder::new(), externals: Vec::new(), escapes: Escapes::Any }
    }
}

/// Compiles a grammar; returns no automaton if there are errors.
#[must_use]
pub fn compile(grammar: Grammar, limits: &Limits) -> (Option<Automaton>, Vec<Diagnostic<Origin>>) {
    compile_on(grammar, Base::none(), limits)
}

/// Compiles a grammar with values in it; returns no automaton if there are errors.
pub(crate) fn compile_on(
    grammar: Grammar,
    base: Base,
    limits: &Limits,
) -> (Option<Automaton>, Vec<Diagnostic<Origin>>) {
    compile_watched(grammar, base, limits, false, &mut nothing)
}

/// Compiles the automaton that finds the parts of a grammar's texts, without places in the source. `None` if the texts
/// have no parts, or if there are errors.
pub(crate) fn compile_captures(
    grammar: Grammar,
    base: Base,
    limits: &Limits,
) -> (Option<Captures>, Vec<Diagnostic<Origin>>) {
    if !grammar.has_parts() {
        return (None, Vec::new());
    }
    let parts = captures::parts(&grammar);
    if let Err(error) = LimitError::check("names of captures and tools", parts.len(), MAX_PARTS) {
        return (None, vec![grammar_limit(error, grammar.rules[grammar.root.index()].origin)]);
    }
    let (automaton, found) = compile_watched(grammar, base, limits, true, &mut nothing);
    let captures = automaton.map(|mut automaton| {
        automaton.origins.fill(0);
        automaton.rules.iter_mut().for_each(|rule| rule.origin = 0);
        Captures { automaton: Arc::new(automaton), parts }
    });
    (captures, found)
}

/// Compiles a grammar, with `marks` for captures if requested, and calls `watch` with the result of each pass.
pub(crate) fn compile_watched(
    mut grammar: Grammar,
    mut base: Base,
    limits: &Limits,
    marks: bool,
    watch: &mut Watch<'_>,
) -> (Option<Automaton>, Vec<Diagnostic<Origin>>) {
    let mut diagnostics = Vec::new();
    for name in &grammar.tokens {
        base.builder.token(name);
    }
    let made = run(&mut grammar, base, limits, marks, &mut diagnostics, watch);
    match made {
        Ok(automaton) => (Some(automaton), diagnostics),
        Err(error) => {
            diagnostics.push(*error);
            (None, diagnostics)
        }
    }
}

fn run(
    grammar: &mut Grammar,
    base: Base,
    limits: &Limits,
    marks: bool,
    found: &mut Vec<Diagnostic<Origin>>,
    watch: &mut Watch<'_>,
) -> Result<Automaton, Box<Diagnostic<Origin>>> {
    let root = grammar.rules[grammar.root.index()].origin;
    let over = |error: LimitError| Box::new(grammar_limit(error, root));
    let stops = stops::Stops::find(grammar, &base.externals, found);
    if let Some(at) = found.iter().position(Diagnostic::is_error) {
        return Err(Box::new(found.remove(at)));
    }
    watch(Pass::Stops, After::Stops(grammar, &stops));
    captures::lost(grammar, found);
    regular::resolve(grammar, &stops, limits, found)?;
    captures::drop_circular(grammar, found);
    watch(Pass::Regular, After::Grammar(grammar));
    if marks {
        captures::cut(grammar).map_err(over)?;
        captures::mark(grammar);
        watch(Pass::Captures, After::Grammar(grammar));
    }
    let facts = facts::Facts::of(grammar);
    let reached = plan::reached(grammar);
    facts.report(grammar, &reached, found)?;
    watch(Pass::Facts, After::Facts(grammar, &facts));
    let plan = plan::Plan::new(grammar, &reached, limits);
    watch(Pass::Plan, After::Plan(grammar, &plan, &reached));
    let units = units::build(grammar, &facts, plan, limits).map_err(over)?;
    watch(Pass::Units, After::Units(grammar, &units));
    let units = left::remove_recursion(units, limits).map_err(over)?;
    watch(Pass::Left, After::Units(grammar, &units));
    let made = emit::emit(grammar, &facts, &units, base, limits, found).map_err(|error| match error {
        emit::EmitError::Limit(error) => over(error),
        emit::EmitError::Build(error) => Box::new(Diagnostic::error(Code::GrammarAutomaton, root, error.to_string())),
    })?;
    watch(Pass::Emit, After::Automaton(&made));
    Ok(made)
}
