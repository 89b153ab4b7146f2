//! Lowers values inside text: several roots in one automaton, which a grammar then calls.

use crate::SchemaFault;
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, RuleId};
use ogc_schema::source::{NodeId, Schemas};
use ogc_schema::{Algebra, Limits, Shape, Table, ValueId};
use rustc_hash::FxHashMap;

use super::lowering::Lowering;
use super::{JsonPolicy, Own, Policies, Target, empty, scarce_items};

/// A value that stands in text, with its spelling there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValueUse {
    /// The node.
    pub node: NodeId,
    /// The spelling.
    pub policy: JsonPolicy,
}

/// The rule of such a value.
#[derive(Clone, Debug)]
pub struct Inside {
    /// The rule.
    pub rule: RuleId,
    /// The countdown to the minimum that it is called with.
    pub a: u32,
    /// The countdown from there to the maximum.
    pub b: u32,
    /// The characters that its texts can begin with, if they are few.
    pub begin: Option<Vec<u8>>,
}

/// Writes the rules of values into a new automaton; returns its builder, and a rule for each value.
///
/// # Errors
///
/// All that cannot be expressed exactly, and `empty-format` for a value that holds nothing.
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
    for value in &made {
        let alone = builder.clone().finish((value.rule, value.a, value.b), false, Escapes::Any);
        let scarce = alone.map(|automaton| scarce_items(&automaton, &unique)).unwrap_or_default();
        if !scarce.is_empty() {
            return Err(scarce);
        }
    }
    Ok((builder, made))
}

/// Returns the first characters of values, if no number, `true`, `false` or `null` is among them.
fn begin(shape: &Shape) -> Option<Vec<u8>> {
    if shape.null || shape.yes || shape.no || shape.number.is_some() {
        return None;
    }
    let kinds = [(b'"', shape.strings.is_empty()), (b'[', shape.arrays.is_empty()), (b'{', shape.objects.is_empty())];
    Some(kinds.into_iter().filter(|(_, none)| !none).map(|(byte, _)| byte).collect())
}
