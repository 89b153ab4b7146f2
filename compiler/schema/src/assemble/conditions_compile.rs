//! Compiles conditions on keys into decision diagrams with a variable for each key.

use rustc_hash::FxHashMap;

use crate::diagram::{DiagramId, Diagrams, TooManyNodes};
use crate::key_formula::{KeyFormula, Part};
use crate::source::NodeId;
use crate::value::ValueId;

/// A key in conditions, or all undeclared keys together.
#[derive(Debug)]
pub(super) struct Variable<'t> {
    /// `None` for undeclared keys.
    pub(super) name: Option<&'t str>,
    /// The position among the members.
    pub(super) member: usize,
    /// Whether the key may be absent; absence is then the first option.
    pub(super) may_lack: bool,
    /// The distinguished classes of values, one option each.
    pub(super) values: Vec<ValueId>,
    /// Per schema in the conditions: which of these classes satisfy it.
    pub(super) meets: Vec<(NodeId, Vec<bool>)>,
}

/// Compiles formulas over variables.
#[derive(Debug)]
pub(super) struct Compiler<'v, 't> {
    variables: &'v [Variable<'t>],
    numbers: FxHashMap<&'t str, u32>,
    pub(super) diagrams: Diagrams,
    known: FxHashMap<*const KeyFormula<'t>, DiagramId>,
}

/// Compiles a conjunction of formulas into diagrams that have no variable in common; `None` if the formulas contradict
/// each other.
#[allow(clippy::type_complexity, reason = "the diagrams and their roots")]
pub(super) fn compile<'v, 't>(
    variables: &'v [Variable<'t>],
    formulas: &[Part<'t>],
) -> Result<Option<(Compiler<'v, 't>, Vec<DiagramId>)>, TooManyNodes> {
    let numbered = (0..).zip(variables).filter_map(|(at, variable)| Some((variable.name?, at)));
    let numbers = numbered.collect();
    let mut compiler = Compiler { variables, numbers, diagrams: Diagrams::default(), known: FxHashMap::default() };
    // Diagrams, each with its variables, ascending.
    let mut roots: Vec<(DiagramId, Vec<u32>)> = Vec::new();
    for formula in formulas {
        let mut root = compiler.formula(formula)?;
        loop {
            let own = compiler.variables_of(root);
            let shares =
                |(_, others): &(DiagramId, Vec<u32>)| others.iter().any(|other| own.binary_search(other).is_ok());
            match roots.iter().position(shares) {
                Some(at) => {
                    let (other, _) = roots.remove(at);
                    root = compiler.diagrams.and(other, root)?;
                }
                None if root == DiagramId::FAILS => return Ok(None),
                None => {
                    roots.extend((root != DiagramId::HOLDS).then_some((root, own)));
                    break;
                }
            }
        }
    }
    Ok(Some((compiler, roots.into_iter().map(|(root, _)| root).collect())))
}

impl<'t> Compiler<'_, 't> {
    fn variables_of(&self, root: DiagramId) -> Vec<u32> {
        let reached = self.diagrams.reached(root);
        let mut found: Vec<u32> =
            reached.into_iter().filter_map(|id| self.diagrams.node(id)).map(|node| node.variable).collect();
        found.dedup();
        found
    }

    fn formula(&mut self, formula: &Part<'t>) -> Result<DiagramId, TooManyNodes> {
        let address = std::ptr::from_ref(&**formula);
        if let Some(&known) = self.known.get(&address) {
            return Ok(known);
        }
        let made = match &**formula {
            KeyFormula::Known(holds) => DiagramId::known(*holds),
            KeyFormula::Declares(_) => DiagramId::HOLDS,
            KeyFormula::Present(key) => match self.numbers.get(key) {
                Some(&at) => self.present(at)?,
                None => DiagramId::FAILS,
            },
            KeyFormula::Value(key, schema) => self.value(key, *schema)?,
            KeyFormula::Only(keys) => self.only(keys)?,
            KeyFormula::Count(min, max) => self.count(*min, *max)?,
            // Does not occur: such formulas were rewritten over keys.
            KeyFormula::Pattern(..) | KeyFormula::Additional(_) | KeyFormula::Names(_) => DiagramId::FAILS,
            KeyFormula::Not(part) => {
                let part = self.formula(part)?;
                self.diagrams.not(part)?
            }
            KeyFormula::All(parts) => self.all(parts)?,
            KeyFormula::Any(parts) => self.any(parts)?,
            KeyFormula::One(parts) => self.one(parts)?,
        };
        self.known.insert(address, made);
        Ok(made)
    }

    fn all(&mut self, parts: &[Part<'t>]) -> Result<DiagramId, TooManyNodes> {
        let mut found = DiagramId::HOLDS;
        // From the last: each new part gets its variables above the existing ones, in the order in which most formulas
        // name keys.
        for part in parts.iter().rev() {
            let part = self.formula(part)?;
            found = self.diagrams.and(part, found)?;
        }
        Ok(found)
    }

    fn any(&mut self, parts: &[Part<'t>]) -> Result<DiagramId, TooManyNodes> {
        let mut found = DiagramId::FAILS;
        for part in parts.iter().rev() {
            let part = self.formula(part)?;
            found = self.diagrams.or(part, found)?;
        }
        Ok(found)
    }

    fn one(&mut self, parts: &[Part<'t>]) -> Result<DiagramId, TooManyNodes> {
        let (mut none, mut one) = (DiagramId::HOLDS, DiagramId::FAILS);
        for part in parts.iter().rev() {
            let part = self.formula(part)?;
            let fails = self.diagrams.not(part)?;
            let (still, first) = (self.diagrams.and(one, fails)?, self.diagrams.and(none, part)?);
            one = self.diagrams.or(still, first)?;
            none = self.diagrams.and(none, fails)?;
        }
        Ok(one)
    }

    fn present(&mut self, at: u32) -> Result<DiagramId, TooManyNodes> {
        let all = vec![true; self.variables[at as usize].values.len()];
        self.options(at, false, &all)
    }

    fn value(&mut self, key: &str, schema: NodeId) -> Result<DiagramId, TooManyNodes> {
        let Some(&at) = self.numbers.get(key) else { return Ok(DiagramId::FAILS) };
        let variables = self.variables;
        let meets = variables[at as usize].meets.iter().find(|(known, _)| *known == schema);
        meets.map_or(Ok(DiagramId::FAILS), |(_, meets)| self.options(at, false, meets))
    }

    /// No key outside of `keys` is present.
    fn only(&mut self, keys: &[&'t str]) -> Result<DiagramId, TooManyNodes> {
        let mut found = DiagramId::HOLDS;
        for at in (0..self.variables.len() as u32).rev() {
            let variable = &self.variables[at as usize];
            if variable.name.is_some_and(|name| keys.contains(&name)) {
                continue;
            }
            let none = vec![false; variable.values.len()];
            let absent = self.options(at, true, &none)?;
            found = self.diagrams.and(absent, found)?;
        }
        Ok(found)
    }

    /// The number of declared keys that are present is within bounds, and there are no other keys.
    fn count(&mut self, min: u64, max: Option<u64>) -> Result<DiagramId, TooManyNodes> {
        let named = self.variables.iter().filter(|variable| variable.name.is_some()).count();
        // Larger counts are equivalent to this one.
        let most = usize::try_from(max.map_or(min, |max| max.saturating_add(1).max(min))).unwrap_or(usize::MAX);
        let most = most.min(named + 1);
        let is_right = |count: usize| count as u64 >= min && max.is_none_or(|max| count as u64 <= max);
        // Indexed by the number of keys so far: the condition on the current and later variables.
        let mut ways: Vec<DiagramId> = (0..=most).map(|count| DiagramId::known(is_right(count))).collect();
        for at in (0..self.variables.len() as u32).rev() {
            let variable = &self.variables[at as usize];
            if variable.name.is_none() {
                continue;
            }
            let (lacks, values) = (variable.may_lack, variable.values.len());
            for count in 0..ways.len() {
                let more = ways[(count + 1).min(most)];
                let next: Vec<DiagramId> = lacks.then_some(ways[count]).into_iter().chain(vec![more; values]).collect();
                ways[count] = self.diagrams.choice(at, &next)?;
            }
        }
        Ok(ways.first().copied().unwrap_or(DiagramId::FAILS))
    }

    /// The variable has one of the given options.
    fn options(&mut self, at: u32, absent: bool, values: &[bool]) -> Result<DiagramId, TooManyNodes> {
        let lacks = Some(absent).filter(|_| self.variables[at as usize].may_lack);
        let next: Vec<DiagramId> = lacks.into_iter().chain(values.iter().copied()).map(DiagramId::known).collect();
        self.diagrams.choice(at, &next)
    }
}
