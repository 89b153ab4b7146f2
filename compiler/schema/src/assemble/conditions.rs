//! Objects with conditions on their keys, as decision diagrams over the keys instead of an arm for each way to meet the
//! conditions.
//!
//! # Steps
//!
//! 1. [`Algebra::declare_keys`]: all keys that the conditions name become keys of the draft.
//! 2. [`Algebra::over_keys`]: conditions on keys by patterns, and on the number of keys, are rewritten as conditions on
//!    these keys.
//! 3. [`Algebra::variables`]: each key is a variable. Its options are that it is absent, and the classes of values that
//!    the conditions distinguish: three for "`k` is 1, 2 or anything else".
//! 4. [`compile`]: the conditions become diagrams; conditions that share keys become one diagram.
//! 5. [`Pruned`]: unreachable options are removed, so that a key that must be present becomes an ordinary required key.

use indexmap::IndexSet;
use ogc_regular::budget;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::conditions_compile::{Variable, compile};
use super::conditions_prune::{Pruned, prune};
use super::exists::ExceptionChoice;
use super::key_order::merged;
use super::object_draft::ObjectDraft;
use crate::algebra::Algebra;
use crate::error::SchemaError;
use crate::key_formula::{KeyFormula, Part};
use crate::shape::{Key, KeyChoice, KeyDemands, KeyDiagram, ObjectArm, Rest};
use crate::source::{NodeId, Origin};
use crate::value::{Lit, ValueId};

/// Depth to which values are searched for an empty one.
const FUEL: usize = 3;

/// Cap on the classes of values of one key that conditions distinguish.
const CELLS: usize = 256;

/// Cap on the schemas that conditions compare the values of one key with.
const SCHEMAS: usize = 256;

/// Cap on the keys in the conditions of one object.
const VARIABLES: usize = 1_024;

/// The keys and schemas that formulas mention, in order of first mention.
#[derive(Debug, Default)]
struct Mentions<'t> {
    keys: IndexSet<&'t str, FxBuildHasher>,
    /// Pairs of a key and a schema that its value is compared with.
    values: Vec<(&'t str, NodeId)>,
    orders: Vec<Vec<&'t str>>,
    /// Whether some formula constrains undeclared keys.
    others: bool,
}

impl<'t> Mentions<'t> {
    fn of(formulas: &[Part<'t>]) -> Self {
        let mut found = Self::default();
        let mut seen = FxHashSet::default();
        let mut open: Vec<&Part<'t>> = formulas.iter().rev().collect();
        while let Some(formula) = open.pop() {
            if !seen.insert(std::ptr::from_ref(&**formula)) {
                continue;
            }
            match &**formula {
                // These have been rewritten as formulas over keys before.
                KeyFormula::Known(_) | KeyFormula::Pattern(..) | KeyFormula::Additional(_) | KeyFormula::Names(_) => {}
                KeyFormula::Count(..) => found.others = true,
                KeyFormula::Declares(keys) => {
                    found.keys.extend(keys.iter().copied());
                    found.orders.push(keys.clone());
                }
                KeyFormula::Present(key) => drop(found.keys.insert(key)),
                KeyFormula::Value(key, schema) => {
                    found.keys.insert(key);
                    if !found.values.contains(&(key, *schema)) {
                        found.values.push((key, *schema));
                    }
                }
                KeyFormula::Only(keys) => {
                    found.keys.extend(keys.iter().copied());
                    found.others = true;
                }
                KeyFormula::Not(part) => open.push(part),
                KeyFormula::All(parts) | KeyFormula::Any(parts) | KeyFormula::One(parts) => {
                    open.extend(parts.iter().rev());
                }
            }
        }
        found
    }
}

/// One key of an object before conditions are compiled.
struct Member<'t> {
    name: &'t str,
    literals: Vec<Lit>,
    required: Option<Origin>,
    absent: bool,
}

impl<'t> Algebra<'t> {
    /// Adds the keys that the conditions name to the keys of the draft, in an order that agrees with all schemas that
    /// declare some.
    pub(super) fn declare_keys(&self, draft: &mut ObjectDraft<'t>) {
        let mentions = Mentions::of(&draft.formulas);
        let mut orders = vec![draft.read_names().collect()];
        orders.extend(mentions.orders);
        for key in mentions.keys {
            draft.slot(key);
        }
        let order = merged(draft.read_names().collect(), &orders);
        let mut slots = std::mem::take(&mut draft.slots);
        draft.slots = order.into_iter().filter_map(|key| slots.swap_remove_entry(key)).collect();
    }

    /// The arm of a draft with conditions, in which the chosen keys must be present and satisfy a literal too.
    pub(super) fn conditioned_arm(
        &mut self,
        draft: &ObjectDraft<'t>,
        choice: &ExceptionChoice,
        rest: &Rest,
        origin: Origin,
    ) -> Result<Option<ObjectArm>, SchemaError> {
        let demands = choice.demands.all.len() + draft.slots.len() - draft.read_names().count();
        SchemaError::check(origin, "exceptions among unnamed keys beside conditions on keys", demands, 0)?;
        let mut members = Vec::with_capacity(draft.slots.len());
        for ((at, slot), name) in draft.slots.values().enumerate().zip(draft.read_names()) {
            let mut demanded = choice.keys.iter().filter(|(which, _)| *which == at).peekable();
            let required = slot.required.or(demanded.peek().map(|_| origin));
            let literals = slot.literals.iter().copied().chain(demanded.filter_map(|(_, literal)| *literal)).collect();
            members.push(Member { name, literals, required, absent: slot.absent });
        }
        let needed = members.iter().filter(|member| member.required.is_some()).count() as u64;
        let mut formulas = draft.formulas.clone();
        if draft.max.is_some() || draft.min > needed {
            formulas.push(Part::new(KeyFormula::Count(draft.min, draft.max)));
        }
        let names: Vec<&'t str> = members.iter().map(|member| member.name).collect();
        let (mut formulas, is_open) = self.over_keys(&formulas, &names, rest, origin)?;
        let Some(variables) = self.variables(&mut formulas, &members, is_open, origin)? else { return Ok(None) };
        let diagrams = compile(&variables, &formulas).map_err(|error| {
            SchemaError::limit(origin, "choices between the keys of this schema", error.given, error.limit)
        })?;
        let Some((compiler, roots)) = diagrams else { return Ok(None) };
        let pruned = prune(&compiler, &variables, &roots);
        let arm = self.arm_of(&members, &variables, &pruned, rest, origin);
        Ok(arm.map(|arm| ObjectArm { poison: choice.poison.clone(), ..arm }))
    }

    /// The variables of all conditions, and of keys that are split by their values; `None` if some key can be neither
    /// present nor absent.
    fn variables(
        &mut self,
        formulas: &mut Vec<Part<'t>>,
        members: &[Member<'t>],
        is_open: bool,
        origin: Origin,
    ) -> Result<Option<Vec<Variable<'t>>>, SchemaError> {
        let mentions = Mentions::of(formulas);
        let mut named: IndexSet<&'t str, FxBuildHasher> = mentions.keys;
        if mentions.others {
            named.extend(members.iter().map(|member| member.name));
        }
        SchemaError::check(origin, "keys in conditions of this schema", named.len(), VARIABLES)?;
        let mut variables = Vec::with_capacity(named.len() + 1);
        for name in named {
            let Some(at) = members.iter().position(|member| member.name == name) else { continue };
            let member = &members[at];
            let schemas: Vec<NodeId> =
                mentions.values.iter().filter(|(key, _)| *key == name).map(|(_, schema)| *schema).collect();
            let cells = if member.absent { Vec::new() } else { self.cells(&member.literals, &schemas, origin)? };
            let values: Vec<ValueId> = cells.iter().map(|cell| cell.value).collect();
            if values.is_empty() && member.required.is_some() {
                return Ok(None);
            }
            // A key that is split by its values is several keys, of which a condition requires one.
            let is_apart = values.len() > 1;
            formulas.extend((is_apart && member.required.is_some()).then(|| Part::new(KeyFormula::Present(name))));
            let meets = schemas.into_iter().enumerate();
            let meets = meets.map(|(bit, schema)| (schema, cells.iter().map(|cell| cell.meets[bit]).collect()));
            let variable = Variable {
                name: Some(name),
                member: at,
                may_lack: is_apart || member.required.is_none(),
                meets: meets.collect(),
                values,
            };
            variables.push(variable);
        }
        if mentions.others {
            let values = if is_open { vec![ValueId::ANY] } else { Vec::new() };
            let others = Variable { name: None, member: members.len(), may_lack: true, values, meets: Vec::new() };
            variables.push(others);
        }
        Ok(Some(variables))
    }

    /// Splits the values of a key into classes by the schemas that they satisfy.
    fn cells(&mut self, literals: &[Lit], schemas: &[NodeId], origin: Origin) -> Result<Vec<Cell>, SchemaError> {
        let whole = self.value(literals);
        let mut cells = vec![Cell { meets: vec![false; schemas.len()], literals: literals.to_vec(), value: whole }];
        cells.retain(|cell| cell.value != ValueId::NONE && !self.surely_empty(cell.value, FUEL));
        SchemaError::check(origin, "schemas of one key in conditions", schemas.len(), SCHEMAS)?;
        for (bit, &schema) in schemas.iter().enumerate() {
            let mut split = Vec::with_capacity(2 * cells.len());
            for cell in cells {
                if self.lists_others(&cell, schema) {
                    split.push(cell);
                    continue;
                }
                let [with, without] = [Lit::yes(schema), Lit::no(schema)].map(|literal| self.part_of(&cell, literal));
                // If one part is empty, the other is the whole cell and needs no further literal.
                match (with, without) {
                    (Some(with), Some(without)) => split.extend([with.meeting(bit), without]),
                    (Some(_), None) => split.push(cell.meeting(bit)),
                    (None, _) => split.push(cell),
                }
            }
            cells = split;
            SchemaError::check(origin, "kinds of values of one key in conditions", cells.len(), CELLS)?;
        }
        Ok(cells)
    }

    /// Whether the cell and the schema both list values, with none in common.
    fn lists_others(&self, cell: &Cell, schema: NodeId) -> bool {
        let listed = cell.literals.iter().filter(|literal| !literal.negated());
        listed.map(|literal| literal.node()).any(|node| self.lists_differ(node, schema))
    }

    /// The part of a cell that satisfies a literal, unless it is found to be empty.
    fn part_of(&mut self, cell: &Cell, literal: Lit) -> Option<Cell> {
        let literals: Vec<Lit> = cell.literals.iter().copied().chain([literal]).collect();
        let value = self.value(&literals);
        let is_empty = value == ValueId::NONE || self.surely_empty(value, FUEL);
        (!is_empty).then(|| Cell { meets: cell.meets.clone(), literals, value })
    }

    fn arm_of(
        &mut self,
        members: &[Member<'t>],
        variables: &[Variable<'t>],
        pruned: &Pruned,
        rest: &Rest,
        origin: Origin,
    ) -> Option<ObjectArm> {
        let others = variables.iter().position(|variable| variable.name.is_none());
        let without_others = others.is_some_and(|at| pruned.keys[at].values.as_deref() == Some(&[ValueId::NONE]));
        let rest = if without_others { Rest { classes: vec![ValueId::NONE], keys: None } } else { rest.clone() };
        let closed = rest.classes.iter().all(|&class| class == ValueId::NONE);
        let names: usize = members.iter().map(|member| member.name.len()).sum();
        let drawn = budget::work(members.len()).and(budget::keep(members.len() * size_of::<Key>() + names));
        // Once the budget is exhausted, the result is discarded.
        drawn.ok()?;
        let mut keys = Vec::with_capacity(members.len());
        // Per member: its first key.
        let mut first = Vec::with_capacity(members.len() + 1);
        for (at, member) in members.iter().enumerate() {
            first.push(keys.len());
            let variable = variables.iter().position(|variable| variable.name.is_some() && variable.member == at);
            let whole = if member.absent { ValueId::NONE } else { self.value(&member.literals) };
            let (values, required) = match variable.map(|variable| &pruned.keys[variable]) {
                None => (vec![whole], member.required),
                Some(key) => {
                    let values = key.values.clone().unwrap_or_else(|| vec![whole]);
                    (values, member.required.or(key.required.then_some(origin)))
                }
            };
            let apart = values.len() > 1;
            for value in values {
                match (value == ValueId::NONE, required) {
                    (true, Some(_)) => return None,
                    (true, None) if closed => {}
                    _ => keys.push(Key { name: member.name.to_owned(), value, required: required.filter(|_| !apart) }),
                }
            }
        }
        first.push(keys.len());
        let choice =
            |choice: &KeyChoice| KeyChoice { first: first[variables[choice.first].member], next: choice.next.clone() };
        let diagram = |diagram: &KeyDiagram| KeyDiagram { choices: diagram.choices.iter().map(choice).collect() };
        let conditions = pruned.diagrams.iter().map(diagram).collect();
        Some(ObjectArm {
            origin,
            keys,
            rest,
            min: 0,
            max: None,
            conditions,
            demands: KeyDemands::default(),
            poison: None,
        })
    }
}

/// A class of values of one key.
#[derive(Clone, Debug)]
struct Cell {
    /// Per schema: whether the values satisfy it.
    meets: Vec<bool>,
    literals: Vec<Lit>,
    value: ValueId,
}

impl Cell {
    /// Marks a schema as satisfied.
    fn meeting(mut self, schema: usize) -> Self {
        self.meets[schema] = true;
        self
    }
}
