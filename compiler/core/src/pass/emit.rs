//! Emits the automaton: turns units into the tables of the runtime.

use always_assert::always;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, BuildError, Call, Op, OpId, RuleId, StateId, StateKind};

use ogc_regular::LimitError;
use ogc_regular::budget;
use ogc_schema::source::Origin;

use crate::ir::Grammar;
use crate::lower::automaton_bytes;
use crate::pass::facts::Facts;
use crate::pass::minimize::minimize;
use crate::pass::nfa::{Guard, UnitId};
use crate::pass::subset::{Machine, Work, determinize};
use crate::pass::thompson::UnitKind;
use crate::pass::units::Units;
use crate::pass::{Base, Limits};

/// The reason why there is no automaton.
#[derive(Debug)]
pub(crate) enum EmitError {
    /// A limit was exceeded.
    Limit(LimitError),
    /// The runtime refused the rules.
    Build(BuildError),
}

/// Builds the states of every unit and hands them to the runtime.
pub(crate) fn emit(
    grammar: &Grammar,
    facts: &Facts,
    units: &Units,
    base: Base,
    limits: &Limits,
    found: &mut Vec<Diagnostic<Origin>>,
) -> Result<Automaton, EmitError> {
    let escapes = base.escapes;
    let mut emitter = Emitter::new(grammar, units, base);
    let mut work = Work::default();
    let nullable = facts.rule(grammar.root).nullable;
    for (unit, nfa) in (0..).map(UnitId).zip(&units.machines) {
        if let UnitKind::Limited(expr) = units.kinds[unit.index()] {
            emitter.limited(grammar, unit, expr);
            continue;
        }
        if let UnitKind::External(_) = units.kinds[unit.index()] {
            continue;
        }
        let _place = budget::at(budget::Spender(Units::place(grammar, units.kinds[unit.index()]).0));
        let machine = determinize(nfa, limits, &mut work).map_err(EmitError::Limit)?;
        let machine = minimize(machine, unit.index() == 0 && nullable);
        if machine.parallel {
            found.push(slow(grammar, units, unit, limits));
        }
        let edges = machine.states.iter().map(|state| state.edges.len() + state.calls.len()).sum();
        automaton_bytes(machine.states.len(), edges).map_err(EmitError::Limit)?;
        emitter.unit(unit, &machine);
        LimitError::check("states of the automaton", emitter.builder.state_count(), limits.states)
            .map_err(EmitError::Limit)?;
    }
    let root = (emitter.rules[0], 0, 0);
    emitter.builder.finish(root, nullable, escapes).map_err(EmitError::Build)
}

fn slow(grammar: &Grammar, units: &Units, unit: UnitId, limits: &Limits) -> Diagnostic<Origin> {
    let origin = Units::place(grammar, units.kinds[unit.index()]);
    let what = units.in_words(grammar, unit);
    let message = format!("{what} needs more than {} states to be deterministic", limits.rule_states);
    Diagnostic::note(Code::NondeterministicRule, origin, message)
        .help("it stays exact, but is slower; alternatives that are told apart sooner avoid it")
}

pub(super) struct Emitter {
    pub(super) builder: AutomatonBuilder,
    /// The rule of each unit; `countdowns` has the countdowns of external units, which all calls of a unit share.
    pub(super) rules: Vec<RuleId>,
    countdowns: Vec<Option<(u32, u32)>>,
    ops: [OpId; 4],
}

impl Emitter {
    fn new(grammar: &Grammar, units: &Units, base: Base) -> Self {
        let Base { mut builder, externals, .. } = base;
        let (mut rules, mut countdowns) = (Vec::new(), Vec::new());
        for unit in 0..units.machines.len() as u32 {
            let external = match units.kinds[unit as usize] {
                UnitKind::External(external) => {
                    let known = externals.get(external.index());
                    always!(known.is_some(), "{:?} was not lowered", external);
                    known
                }
                UnitKind::Rule(_) | UnitKind::Exactly(_) | UnitKind::UpTo(_) | UnitKind::Limited(_) => None,
            };
            let (name, origin) = units.describe(grammar, UnitId(unit));
            rules.push(external.map_or_else(|| builder.rule(&name, origin), |external| external.rule));
            countdowns.push(external.map(|external| (external.a, external.b)));
        }
        let mut count = |max_a, min_total| builder.op(Op::Count { tick: true, max_a, min_total });
        let ops = [OpId::NONE, count(u32::MAX, 1), count(0, 0), count(u32::MAX, 0)];
        Self { builder, rules, countdowns, ops }
    }

    fn op(&self, guard: Guard) -> OpId {
        let [none, mandatory, last, optional] = self.ops;
        match guard {
            Guard::None => none,
            Guard::Mandatory => mandatory,
            Guard::Last => last,
            Guard::Optional => optional,
        }
    }

    fn unit(&mut self, unit: UnitId, machine: &Machine) {
        let rule = self.rules[unit.index()];
        let ids: Vec<StateId> = machine.states.iter().map(|_| self.builder.state(rule, StateKind::Bytes)).collect();
        if let Some(&start) = ids.first() {
            self.builder.start(rule, start);
        }
        for ((state, &origin), &id) in machine.states.iter().zip(&machine.origins).zip(&ids) {
            if state.accept {
                self.builder.accept(id);
            }
            if origin != 0 {
                self.builder.origin(id, origin);
            }
            for edge in &state.edges {
                self.builder.edge(id, edge.lo, edge.hi, self.op(edge.guard), ids[edge.to as usize]);
            }
            for call in &state.calls {
                let (callee, ret, op) = (self.rules[call.unit.index()], ids[call.to as usize], self.op(call.guard));
                let (a, b) = self.countdowns[call.unit.index()].unwrap_or((call.a, call.b));
                self.builder.call(id, Call { rule: callee, ret, op, a, b });
            }
        }
    }
}
