//! Lowers JSON values to rules of the automaton: the last stage before the automaton for all formats with JSON values.
//!
//! The algebra has resolved every boolean combination and decided emptiness. Here each value becomes one rule (or the
//! rule of its only arm), and each policy of spelling (white space, key order, numbers) becomes edges. Leaves that
//! formats share (any string, any number, white space) are always built in the same way, so that their fingerprints are
//! equal.

mod apart;
mod array;
mod conditions;
mod inside;
mod keys;
mod leaf;
mod lowering;
mod object;
mod policy;
mod space;
mod trie;
mod unique;
mod value;

use ogc_regular::number::Spelling;
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Call, OpId, RuleId};
use ogc_schema::source::{NodeId, Origin, Schemas};
use ogc_schema::{Algebra, Limits, Table, ValueId};
use rustc_hash::FxHashMap;

use crate::contradiction;
use crate::schema_fault::{SchemaFault, SchemaFaultKind};
use apart::Own;
pub use inside::{Inside, ValueUse, lower_inside};
use lowering::Lowering;
pub use policy::{JsonPolicy, Policies, PolicyChange, SettingValue, Space};

/// Maximum number of empty values per run for which the contradiction is searched.
const EXPLAINED: usize = 16;

/// A lowered format.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The automaton.
    pub automaton: Automaton,
}

/// A rule with the countdowns of its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Target {
    rule: RuleId,
    a: u32,
    b: u32,
}

impl Target {
    /// Makes a target for a rule that counts nothing.
    fn plain(rule: RuleId) -> Self {
        Self { rule, a: 0, b: 0 }
    }

    /// Makes a call of the target.
    fn call(self, ret: ogc_runtime::automaton::StateId, op: OpId) -> Call {
        Call { rule: self.rule, ret, op, a: self.a, b: self.b }
    }
}

/// Lowers a schema graph.
///
/// # Errors
///
/// One error for each part that cannot be expressed exactly; `empty-format` if no value is left.
pub fn lower(schemas: &Schemas, policy: &JsonPolicy, limits: &Limits) -> Result<Lowered, Vec<SchemaFault>> {
    lower_with(schemas, policy, policy.spelling, limits)
}

/// Lowers like [`lower()`], with a separate spelling for sets of whole numbers: in draft 4 an `integer` has no
/// fraction.
///
/// # Errors
///
/// As [`lower`].
pub fn lower_with(
    schemas: &Schemas,
    policy: &JsonPolicy,
    integers: Spelling,
    limits: &Limits,
) -> Result<Lowered, Vec<SchemaFault>> {
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, *limits);
    let root = algebra.root();
    algebra.solve(root).map_err(|error| vec![error.into()])?;
    if !algebra.holds_something(root) {
        return Err(vec![empty(schemas, schemas.root, *limits, algebra.blame(root))]);
    }
    let own = Own::default();
    let lowering = Lowering::new(&algebra, AutomatonBuilder::new(), (*policy, integers), &own, *limits);
    assemble(lowering, root)
}

/// Lowers one value of a graph whose nodes may have policies of their own.
///
/// # Errors
///
/// As [`lower`].
pub fn lower_value(
    schemas: &Schemas,
    value: ValueUse,
    policies: &Policies,
    limits: &Limits,
) -> Result<Lowered, Vec<SchemaFault>> {
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, *limits);
    let root = algebra.value_of(value.node);
    let own = Own::solved(&mut algebra, &[root], policies).map_err(|error| vec![error])?;
    if !algebra.holds_something(root) {
        return Err(vec![empty(schemas, Some(value.node), *limits, algebra.blame(root))]);
    }
    let policy = (value.policy, value.policy.spelling);
    assemble(Lowering::new(&algebra, AutomatonBuilder::new(), policy, &own, *limits), root)
}

/// Finds the values of a graph that hold nothing, each with the reason. If the algebra cannot decide, returns that
/// error instead.
pub fn unsatisfiable(schemas: &Schemas, nodes: &[NodeId], limits: &Limits) -> Vec<SchemaFault> {
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, *limits);
    let roots: Vec<ValueId> = nodes.iter().map(|&node| algebra.value_of(node)).collect();
    if let Err(error) = algebra.solve_all(&roots) {
        return vec![error.into()];
    }
    let empty_ones = roots.iter().zip(nodes).filter(|(root, _)| !algebra.holds_something(**root));
    let mut empty_ones: Vec<(Origin, NodeId)> = empty_ones.map(|(&root, &node)| (algebra.blame(root), node)).collect();
    // An empty part that several values need is reported once: for the value that is that part itself, if there is one.
    let is_whole =
        |blamed: Origin, node: NodeId| schemas.nodes.get(node.0 as usize).is_some_and(|node| node.origin == blamed);
    empty_ones.sort_by_key(|&(blamed, node)| (blamed, !is_whole(blamed, node), node));
    empty_ones.dedup_by_key(|(blamed, _)| *blamed);
    let told = |(at, (blamed, node))| empty(schemas, Some(node).filter(|_| at < EXPLAINED), *limits, blamed);
    empty_ones.into_iter().enumerate().map(told).collect()
}

fn assemble(mut lowering: Lowering<'_, '_>, root: ValueId) -> Result<Lowered, Vec<SchemaFault>> {
    let target = lowering.whole(root);
    lowering.write_pending();
    if !lowering.errors.is_empty() {
        return Err(lowering.errors);
    }
    let built = lowering.builder.finish((target.rule, target.a, target.b), false, lowering.policy.escapes);
    let automaton = built.map_err(|error| vec![SchemaFault::new(lowering.algebra.shape(root).origin, error.into())])?;
    let scarce = scarce_items(&automaton, &lowering.unique);
    if scarce.is_empty() { Ok(Lowered { automaton }) } else { Err(scarce) }
}

/// Reports arrays that must have several different items but have too few values for them. `unique` maps the origin of
/// an array to its `uniqueItems`.
fn scarce_items(automaton: &Automaton, unique: &FxHashMap<Origin, Origin>) -> Vec<SchemaFault> {
    let scarce = automaton.scarce_items().map(|rule| Origin(automaton.rules[rule.index()].origin));
    let place = |origin: Origin| unique.get(&origin).copied().unwrap_or(origin);
    scarce.into_iter().map(|origin| SchemaFault::new(place(origin), SchemaFaultKind::FreeItemsDiffer)).collect()
}

/// Reports that no value satisfies a node, with the contradiction in it if the search finds one.
fn empty(schemas: &Schemas, node: Option<NodeId>, limits: Limits, origin: Origin) -> SchemaFault {
    let found = node.and_then(|node| contradiction::find(schemas, node, limits));
    let kind = found.map(|found| SchemaFaultKind::Contradiction(Box::new(found)));
    SchemaFault::new(origin, kind.unwrap_or(SchemaFaultKind::Unsatisfiable))
}
