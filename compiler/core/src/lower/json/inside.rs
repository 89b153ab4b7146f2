//! Lowers values inside text: an automaton with several roots, which a grammar then calls.

use crate::SchemaFault;
use ogc_runtime::automaton::{AutomatonBuilder, Call, Escapes, OpId, RuleId, StateKind};
use ogc_schema::source::{NodeId, Origin, Schemas};
use ogc_schema::{Algebra, Limits, Shape, Table, ValueId};
use rustc_hash::FxHashMap;

use super::lowering::Lowering;
use super::{JsonPolicy, Own, Policies, Target, empty, scarce_items};

/// A value inside a text, with its spelling there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueUse {
    /// The node.
    pub node: NodeId,
    /// The spelling.
    pub policy: JsonPolicy,
}

/// The rule of a value inside a text.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The rule.
    pub rule: RuleId,
    /// Start value of the countdown to the minimum.
    pub a: u32,
    /// Start value of the countdown from the minimum to the maximum.
    pub b: u32,
    /// The characters that its texts can begin with, if they are few.
    pub begin: Option<Vec<u8>>,
}

/// Writes the rules of values into a new automaton; returns its builder, and a rule for each value.
///
/// # Errors
///
/// One error for each part that cannot be expressed exactly; `empty-format` for an empty value.
pub fn lower_inside(
    schemas: &Schemas,
    values: &[ValueUse],
    policies: &Policies,
    limits: &Limits,
) -> Result<(AutomatonBuilder, Vec<Inside>), Vec<SchemaFault>> {
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, *limits);
    let roots: Vec<ValueId> = values.iter().map(|value| algebra.value_of(value.node)).collect();
    let own = Own::solved(&mut algebra, &roots, policies).map_err(|error| vec![error])?;
    if let Some((&none, value)) = roots.iter().zip(values).find(|(root, _)| !algebra.holds_something(**root)) {
        return Err(vec![empty(schemas, Some(value.node), *limits, algebra.blame(none))]);
    }
    let (mut builder, mut unique) = (AutomatonBuilder::new(), FxHashMap::default());
    let mut made: Vec<Option<Inside>> = vec![None; values.len()];
    while let Some(first) = made.iter().position(Option::is_none) {
        let policy = values[first].policy;
        let mut lowering = Lowering::new(&algebra, builder, (policy, policy.spelling), &own, *limits);
        let same = (0..values.len()).filter(|&at| values[at].policy == policy);
        for at in same {
            let Target { rule, a, b } = lowering.target(roots[at], 0);
            made[at] = Some(Inside { rule, a, b, begin: begin(&algebra.shape(roots[at])) });
        }
        lowering.write_pending();
        if !lowering.errors.is_empty() {
            return Err(lowering.errors);
        }
        builder = lowering.builder;
        unique.extend(lowering.unique);
    }
    let made: Vec<Inside> = made.into_iter().flatten().collect();
    let scarce = scarce_values(&builder, &made, &unique);
    if scarce.is_empty() { Ok((builder, made)) } else { Err(scarce) }
}

/// Reports arrays whose items must differ but have too few values. `unique` maps the origin of an array to its
/// `uniqueItems`.
fn scarce_values(
    builder: &AutomatonBuilder,
    values: &[Inside],
    unique: &FxHashMap<Origin, Origin>,
) -> Vec<SchemaFault> {
    if unique.is_empty() {
        return Vec::new();
    }
    let mut builder = builder.clone();
    let rule = builder.rule("values", 0);
    let [start, end] = [(); 2].map(|()| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    for Inside { rule, a, b, .. } in values {
        builder.call(start, Call { rule: *rule, ret: end, op: OpId::NONE, a: *a, b: *b });
    }
    // An automaton that cannot be built is reported when the whole format is built.
    let all = builder.finish((rule, 0, 0), false, Escapes::Any);
    all.map(|automaton| scarce_items(&automaton, unique)).unwrap_or_default()
}

/// Returns the first characters of a shape's texts; `None` if there are numbers, booleans or `null`.
fn begin(shape: &Shape) -> Option<Vec<u8>> {
    if shape.null || shape.yes || shape.no || shape.number.is_some() {
        return None;
    }
    let kinds = [(b'"', shape.strings.is_empty()), (b'[', shape.arrays.is_empty()), (b'{', shape.objects.is_empty())];
    Some(kinds.into_iter().filter(|(_, none)| !none).map(|(byte, _)| byte).collect())
}
