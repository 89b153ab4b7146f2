//! Numbers: every term is a set; sets with one spelling are joined in one arm.

use ogc_regular::number::{Decimal, Decimals, NumberError, NumberSet};

use crate::algebra::Algebra;
use crate::atom::Atom;
use crate::error::SchemaError;
use crate::shape::NumberArm;
use crate::source::{At, NodeId, NumberKeywords, Value};
use crate::table::only_integers;

impl Algebra<'_> {
    /// The numbers of all terms: one arm for each spelling.
    pub(crate) fn numbers(&self, terms: &[Vec<Atom>]) -> Result<Vec<NumberArm>, SchemaError> {
        let mut arms: Vec<(Option<Decimals>, Vec<NumberSet>)> = Vec::new();
        for term in terms {
            let set = self.number_term(term)?;
            let node = term.first().map(|atom| atom.node());
            let failed = |error| self.number_error(node.unwrap_or(NodeId(0)), error);
            let Some(decimals) = self.decimals(term) else { continue };
            if set.is_empty().map_err(failed)? {
                continue;
            }
            match arms.iter_mut().find(|arm| arm.0 == decimals) {
                None => arms.push((decimals, vec![set])),
                Some(known) => known.1.push(set),
            }
        }
        let node = terms.first().and_then(|term| term.first()).map_or(NodeId(0), |atom| atom.node());
        let joined = |(decimals, sets)| Ok(NumberArm { set: union(sets)?, decimals });
        let arms: Result<Vec<NumberArm>, NumberError> = arms.into_iter().map(joined).collect();
        arms.map_err(|error| self.number_error(node, error))
    }

    /// The union of arms; `None` if there are none.
    pub(crate) fn all_numbers(&self, arms: &[NumberArm]) -> Result<Option<NumberSet>, SchemaError> {
        let Some((first, others)) = arms.split_first() else { return Ok(None) };
        let all = others.iter().try_fold(first.set.clone(), |all, arm| all.union(&arm.set));
        all.map(Some).map_err(|error| self.number_error(NodeId(0), error))
    }

    /// Finds the number of digits behind the point that all parts of a term allow; the outer `None` if there is no such
    /// number.
    #[allow(clippy::option_option, reason = "nothing is said, or nothing is left")]
    fn decimals(&self, term: &[Atom]) -> Option<Option<Decimals>> {
        let wanted = term.iter().filter_map(|atom| match *atom {
            Atom::Base(node) => self.table.keywords(node)?.number.decimals.as_ref(),
            _ => None,
        });
        let mut all: Option<Decimals> = None;
        for one in wanted {
            all = Some(all.map_or(Some(one.value), |known| known.meet(one.value))?);
        }
        Some(all)
    }

    /// Whether the term has `type: integer`.
    pub(crate) fn is_integer(&self, term: &[Atom]) -> bool {
        let typed = |node: NodeId| self.table.keywords(node).is_some_and(only_integers);
        term.iter().any(|&atom| matches!(atom, Atom::Base(node) if typed(node)))
    }

    fn number_term(&self, term: &[Atom]) -> Result<NumberSet, SchemaError> {
        let mut all: Option<NumberSet> = None;
        for &atom in term {
            let failed = |error| self.number_error(atom.node(), error);
            let set = self.number_atom(atom).map_err(failed)?;
            all = Some(match all {
                None => set,
                Some(known) => known.intersect(&set).map_err(failed)?,
            });
        }
        Ok(all.unwrap_or_else(NumberSet::all))
    }

    fn number_atom(&self, atom: Atom) -> Result<NumberSet, NumberError> {
        match atom {
            Atom::Listed(node, list) => Ok(listed(self.list(node, list))),
            Atom::Unlisted(node, list) => listed(self.list(node, list)).complement(),
            Atom::Fails(node, _) => self.number_node(node)?.complement(),
            _ => self.number_node(atom.node()),
        }
    }

    fn number_node(&self, node: NodeId) -> Result<NumberSet, NumberError> {
        let Some(keywords) = self.table.keywords(node) else { return Ok(NumberSet::all()) };
        let integers = only_integers(keywords).then(NumberSet::integers);
        conditions(&keywords.number, integers)
    }

    fn number_error(&self, node: NodeId, error: NumberError) -> SchemaError {
        SchemaError::new(self.table.node(node).origin, error)
    }
}

/// The union of at least one set. Neighbours are joined in pairs until one set is left, so that long lists of single
/// numbers are not copied once for each.
fn union(mut sets: Vec<NumberSet>) -> Result<NumberSet, NumberError> {
    while sets.len() > 1 {
        let pairs = sets.chunks(2).map(|pair| match pair {
            [one, other] => one.union(other),
            _ => Ok(pair[0].clone()),
        });
        sets = pairs.collect::<Result<_, _>>()?;
    }
    Ok(sets.pop().unwrap_or_else(NumberSet::all))
}

/// Makes the numbers on one side of a bound.
type Bounded = fn(Decimal) -> NumberSet;

/// The numbers of a list.
fn listed(values: &[Value]) -> NumberSet {
    NumberSet::one_of(values.iter().filter_map(|value| match value {
        Value::Number(number) => Some(number.clone()),
        _ => None,
    }))
}

fn conditions(number: &NumberKeywords, integers: Option<NumberSet>) -> Result<NumberSet, NumberError> {
    let mut all = integers;
    let mut meet = |set: NumberSet| -> Result<(), NumberError> {
        all = Some(match all.take() {
            None => set,
            Some(known) => known.intersect(&set)?,
        });
        Ok(())
    };
    let bounds: [(&Option<At<Decimal>>, Bounded); 4] = [
        (&number.minimum, NumberSet::at_least),
        (&number.maximum, NumberSet::at_most),
        (&number.exclusive_minimum, NumberSet::greater),
        (&number.exclusive_maximum, NumberSet::less),
    ];
    for (bound, set) in bounds {
        if let Some(bound) = bound {
            meet(set(bound.value.clone()))?;
        }
    }
    if let Some(divisor) = &number.multiple_of {
        meet(NumberSet::multiple_of(divisor.value.clone())?)?;
    }
    Ok(all.unwrap_or_else(NumberSet::all))
}
