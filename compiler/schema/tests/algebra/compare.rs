//! Compares the verdicts of the algebra with the model, and with each other.

use std::collections::BTreeMap;

use ogc_regular::number::Spelling;
use ogc_schema::source::{NodeId, Origin, Schemas, Types, Value};
use ogc_schema::{Algebra, Limits, Table, ValueId, Words};

use crate::form::{Form, reached, refusal};
use crate::model::valid;
use crate::print::json;
use crate::witness::Witnesses;
use ogc_kit::Random;

/// Counts of the outcomes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fates {
    /// Schemas that are inhabited and completely decided.
    pub(crate) held: usize,
    /// Schemas that are empty.
    pub(crate) empty: usize,
    /// Schemas with an inexpressible part, by the code of the error.
    pub(crate) refused: BTreeMap<String, usize>,
    /// Pairs of a schema and one of its values.
    pub(crate) members: usize,
    /// Pairs of a schema and a value that is not in it.
    pub(crate) others: usize,
    /// Undecided pairs.
    pub(crate) doubtful: usize,
}

impl Fates {
    pub(crate) fn refused(&self) -> usize {
        self.refused.values().sum()
    }

    pub(crate) fn schemas(&self) -> usize {
        self.held + self.empty + self.refused()
    }

    pub(crate) fn pairs(&self) -> usize {
        self.members + self.others + self.doubtful
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.held += other.held;
        self.empty += other.empty;
        self.members += other.members;
        self.others += other.others;
        self.doubtful += other.doubtful;
        other.refused.iter().for_each(|(code, count)| *self.refused.entry(code.clone()).or_default() += count);
    }
}

/// The verdict of the normal form of a value about an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    In,
    Out,
    Doubtful,
}

pub(crate) fn verdict(algebra: &Algebra<'_>, id: ValueId, value: &Value) -> Verdict {
    let surely = Form { algebra, doubt: false }.holds(id, value);
    let possibly = Form { algebra, doubt: true }.holds(id, value);
    match (surely, possibly) {
        (true, _) => Verdict::In,
        (false, true) => Verdict::Doubtful,
        (false, false) => Verdict::Out,
    }
}

/// Compares all nodes of a graph with the model. The error describes the difference.
pub(crate) fn with_model(
    schemas: &Schemas,
    limits: Limits,
    universe: &[Value],
    random: &mut Random,
) -> Result<Fates, String> {
    let table = Table::new(schemas);
    let mut algebra = Algebra::new(&table, limits);
    let mut fates = Fates::default();
    let nodes: Vec<NodeId> = (0..schemas.nodes.len() as u32).map(NodeId).collect();
    // Some questions are asked before anything is solved, so that they meet values under construction.
    let (left, right) = (*random.pick(&nodes), *random.pick(&nodes));
    common_types(schemas, &table, &mut algebra, (left, right), universe)?;
    let values: Vec<ValueId> = nodes.iter().map(|&node| algebra.value_of(node)).collect();
    if let Err(error) = algebra.solve_all(&values) {
        fates.refused.insert(error.to_string(), nodes.len());
        return Ok(fates);
    }
    let asked = *random.pick(&nodes);
    let mut witnesses = Witnesses::new(&algebra, &values, random);
    for (&node, &id) in nodes.iter().zip(&values) {
        let found = one_node(schemas, &algebra, (node, id), universe, witnesses.of(id));
        fates.add(&found.map_err(|error| format!("#{}: {error}", node.0))?);
    }
    for id in reached(&algebra, &values) {
        tidy(&algebra, id, universe)
            .and_then(|()| witnesses.check_arms(id))
            .map_err(|error| format!("{id:?}: {error}"))?;
    }
    unquoted(schemas, &mut algebra, asked, universe)?;
    Ok(fates)
}

fn one_node(
    schemas: &Schemas,
    algebra: &Algebra<'_>,
    (node, id): (NodeId, ValueId),
    universe: &[Value],
    witness: Option<&Value>,
) -> Result<Fates, String> {
    let mut fates = Fates::default();
    let holds = algebra.holds_something(id);
    for value in universe {
        let expected = valid(schemas, node, value);
        if expected && !holds {
            return Err(format!("is said to be empty, and holds {}", json(value)));
        }
        match (verdict(algebra, id, value), expected) {
            (Verdict::Doubtful, _) => fates.doubtful += 1,
            (Verdict::In, true) => fates.members += 1,
            (Verdict::Out, false) => fates.others += 1,
            (Verdict::In, false) => return Err(format!("does not hold {}, and its form does", json(value))),
            (Verdict::Out, true) => return Err(format!("holds {}, and its form does not", json(value))),
        }
    }
    if let Some(value) = witness.filter(|value| !valid(schemas, node, value)) {
        return Err(format!("does not hold {}, which was made from its form", json(value)));
    }
    match (holds, refusal(algebra, &[id]), witness) {
        (false, _, Some(value)) => return Err(format!("is said to be empty, and {} is made from it", json(value))),
        (false, _, None) => fates.empty += 1,
        (true, Some(code), _) => *fates.refused.entry(code).or_default() += 1,
        (true, None, Some(_)) => fates.held += 1,
        (true, None, None) => return Err("is said to hold something, and nothing was found".to_owned()),
    }
    Ok(fates)
}

/// Checks that the types reported as common to two nodes, or as possible in one, are supersets.
fn common_types(
    schemas: &Schemas,
    table: &Table<'_>,
    algebra: &mut Algebra<'_>,
    (left, right): (NodeId, NodeId),
    universe: &[Value],
) -> Result<(), String> {
    let (common, own) = (algebra.common_types(left, right), table.types(left));
    for value in universe.iter().filter(|value| valid(schemas, left, value)) {
        if !is_among(own, value) {
            return Err(format!("#{} holds {}, whose type is left out", left.0, json(value)));
        }
        if valid(schemas, right, value) && !is_among(common, value) {
            return Err(format!("#{} and #{} are said to be disjoint in {}", left.0, right.0, json(value)));
        }
    }
    Ok(())
}

fn is_among(types: Types, value: &Value) -> bool {
    match value {
        Value::Null => types.null,
        Value::Bool(_) => types.boolean,
        Value::Number(_) => types.number,
        Value::String(_) => types.string,
        Value::Array(_) => types.array,
        Value::Object(_) => types.object,
    }
}

/// Checks that redundant parts of a form agree.
fn tidy(algebra: &Algebra<'_>, id: ValueId, universe: &[Value]) -> Result<(), String> {
    let shape = algebra.shape(id);
    if !shape.errors.is_empty() {
        return Ok(());
    }
    for value in universe {
        let Value::Number(number) = value else { continue };
        let all = shape.number.as_ref().is_some_and(|set| set.contains(number));
        let some = shape.numbers.iter().any(|arm| arm.set.contains(number));
        if all != some || some && shape.integers && !number.is_integer() {
            return Err(format!("its sets of numbers contradict each other in {number}"));
        }
    }
    let lists = shape.strings.iter().filter_map(|arm| match &arm.language {
        ogc_schema::StringLanguage::Finite(texts) => Some(texts),
        ogc_schema::StringLanguage::Any | ogc_schema::StringLanguage::Dfa(_) => None,
    });
    let sorted = |texts: &Vec<String>| !texts.is_empty() && texts.is_sorted_by(|one, other| one < other);
    if !lists.clone().all(sorted) || lists.count() > 1 {
        return Err("its listed strings are not one sorted list".to_owned());
    }
    Ok(())
}

/// Checks that the unquoted texts of a node are those of its scalars.
fn unquoted(schemas: &Schemas, algebra: &mut Algebra<'_>, node: NodeId, universe: &[Value]) -> Result<(), String> {
    let id = algebra.value_of(node);
    if algebra.solve(id).is_err() {
        return Ok(());
    }
    let Ok(texts) = algebra.unquoted(id, (Spelling::Plain, Words::Json), Origin(0)) else { return Ok(()) };
    for value in universe {
        let text = match value {
            Value::Array(_) | Value::Object(_) if valid(schemas, node, value) => {
                return Err(format!("#{} holds {}, and is written without quotes", node.0, json(value)));
            }
            Value::Array(_) | Value::Object(_) => continue,
            Value::String(text) => text.clone(),
            scalar => json(scalar),
        };
        // A number and a string can be the same text.
        let expected = valid(schemas, node, value) || valid(schemas, node, &Value::String(text.clone()));
        if texts.contains(text.as_bytes()) != expected {
            return Err(format!("#{}: its unquoted texts are wrong of {}", node.0, json(value)));
        }
    }
    Ok(())
}
