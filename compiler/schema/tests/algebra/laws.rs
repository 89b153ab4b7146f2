//! The laws of Boolean algebra, between graphs that the algebra cannot recognise as equal: each law joins a schema with
//! the complement of a copy of it.

use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, Origin, Schemas, Value};
use ogc_schema::{Algebra, Limits, Table, ValueId};

use crate::compare::{Fates, Verdict, verdict};
use crate::form::refusal;
use crate::generate::at;
use crate::print::json;

/// A graph in two copies, and the nodes that the laws add.
struct Laws {
    schemas: Schemas,
}

impl Laws {
    fn new(schemas: &Schemas) -> Self {
        let mut twice = schemas.clone();
        twice.append(schemas, |origin| origin);
        Self { schemas: twice }
    }

    fn push(&mut self, keywords: Keywords) -> NodeId {
        self.schemas.nodes.push(Node { origin: Origin(0), kind: NodeKind::Keywords(Box::new(keywords)) });
        NodeId(self.schemas.nodes.len() as u32 - 1)
    }

    fn not(&mut self, node: NodeId) -> NodeId {
        self.push(Keywords { not: Some(at(node)), ..Keywords::default() })
    }

    fn all(&mut self, nodes: &[NodeId]) -> NodeId {
        self.push(Keywords { all_of: nodes.to_vec(), ..Keywords::default() })
    }

    fn any(&mut self, nodes: &[NodeId]) -> NodeId {
        self.push(Keywords { any_of: vec![choice(nodes)], ..Keywords::default() })
    }

    fn one(&mut self, nodes: &[NodeId]) -> NodeId {
        self.push(Keywords { one_of: vec![choice(nodes)], ..Keywords::default() })
    }
}

fn choice(nodes: &[NodeId]) -> At<Vec<NodeId>> {
    at(nodes.to_vec())
}

/// Compares sides that the laws declare equal, without the model.
pub(crate) fn hold(schemas: &Schemas, other: usize, universe: &[Value]) -> Result<Fates, String> {
    let mut laws = Laws::new(schemas);
    let count = schemas.nodes.len();
    let (left, right) = (NodeId(0), NodeId((other % count) as u32));
    let [copied_left, copied_right] = [left, right].map(|node| NodeId(node.0 + count as u32));
    let (not_left, not_right) = (laws.not(copied_left), laws.not(copied_right));
    let both = laws.all(&[left, right]);
    let either = laws.any(&[left, right]);
    let (not_both, not_either) = (laws.not(both), laws.not(either));
    let some_not = laws.any(&[not_left, not_right]);
    let all_not = laws.all(&[not_left, not_right]);
    let not_not = laws.not(not_left);
    let differs = [
        ("A and not A", laws.all(&[left, not_left])),
        ("not (A and B), and not (not A or not B)", pair(&mut laws, not_both, some_not)),
        ("A and B, and (not A or not B)", laws.all(&[both, some_not])),
        ("not (A or B), and not (not A and not B)", pair(&mut laws, not_either, all_not)),
        ("A or B, and (not A and not B)", laws.all(&[either, all_not])),
        ("A without not not A", pair(&mut laws, left, not_not)),
        ("A and B, without A", pair(&mut laws, both, copied_left)),
    ];
    let full = [("A or not A", laws.any(&[left, not_left])), ("one of A, not A", laws.one(&[left, not_left]))];
    let equal = [
        ("not (A and B) is not A or not B", not_both, some_not),
        ("not (A or B) is not A and not B", not_either, all_not),
        ("A is not not A", left, not_not),
        ("A is its copy", left, copied_left),
    ];
    let table = Table::new(&laws.schemas);
    let mut algebra = Algebra::new(&table, Limits::default());
    let nodes: Vec<NodeId> = (0..laws.schemas.nodes.len() as u32).map(NodeId).collect();
    let values: Vec<ValueId> = nodes.iter().map(|&node| algebra.value_of(node)).collect();
    let mut fates = Fates::default();
    if let Err(error) = algebra.solve_all(&values) {
        fates.refused.insert(error.to_string(), differs.len());
        return Ok(fates);
    }
    let id = |node: NodeId| values[node.0 as usize];
    for (law, node) in differs {
        empty(&algebra, id(node), universe, &mut fates).map_err(|error| format!("{law}: {error}"))?;
    }
    for (law, node) in full {
        let missing = universe.iter().find(|value| verdict(&algebra, id(node), value) == Verdict::Out);
        missing.map_or(Ok(()), |value| Err(format!("{law}: does not hold {}", json(value))))?;
    }
    for (law, left, right) in equal {
        let told = universe.iter().find(|value| {
            let verdicts = [left, right].map(|node| verdict(&algebra, id(node), value));
            verdicts.contains(&Verdict::In) && verdicts.contains(&Verdict::Out)
        });
        told.map_or(Ok(()), |value| Err(format!("{law}: not for {}", json(value))))?;
    }
    Ok(fates)
}

/// Makes `left` without `right`.
fn pair(laws: &mut Laws, left: NodeId, right: NodeId) -> NodeId {
    let not_right = laws.not(right);
    laws.all(&[left, not_right])
}

fn empty(algebra: &Algebra<'_>, id: ValueId, universe: &[Value], fates: &mut Fates) -> Result<(), String> {
    if let Some(value) = universe.iter().find(|value| verdict(algebra, id, value) == Verdict::In) {
        return Err(format!("holds {}", json(value)));
    }
    match (algebra.holds_something(id), refusal(algebra, &[id])) {
        (false, _) => fates.empty += 1,
        (true, Some(code)) => *fates.refused.entry(code).or_default() += 1,
        (true, None) => return Err("holds something".to_owned()),
    }
    Ok(())
}
