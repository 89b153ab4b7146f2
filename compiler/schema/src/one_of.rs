//! `oneOf`: exactly one. Arms that are proved disjoint are a plain choice; other arms are conjoined with the
//! complements of the rest.

use ogc_regular::budget;

use crate::algebra::Algebra;
use crate::atom::{Type, TypeSet};
use crate::error::SchemaError;
use crate::shape::{ArrayArm, ObjectArm, Shape};
use crate::source::{At, NodeId, Value};
use crate::terms::Alternative;
use crate::value::{Lit, ValueId};

/// Depth to which required keys and items are searched for an empty value.
const FUEL: usize = 4;
/// Cap on the values visited in one such search.
const STEPS: usize = 200;
/// Cap on the pairs of listed values that are compared to show that two schemas have none in common.
const COMPARED: usize = 64;

impl Algebra<'_> {
    /// The alternatives of one `oneOf` for one type.
    pub(crate) fn exactly_one(&mut self, ty: Type, one: &At<Vec<NodeId>>) -> Result<Vec<Alternative>, SchemaError> {
        let arms: Vec<NodeId> = one.value.iter().copied().filter(|&arm| self.table.summary(arm).may.has(ty)).collect();
        let mut excluded = vec![Vec::new(); arms.len()];
        for (right, alike) in self.alike_before(ty, &arms).into_iter().enumerate() {
            budget::work(1 + alike.len()).map_err(|error| SchemaError::new(one.origin, error))?;
            for left in alike {
                if self.overlap(arms[left], arms[right]).has(ty) {
                    excluded[left].push(Lit::no(arms[right]));
                    excluded[right].push(Lit::no(arms[left]));
                }
            }
            SchemaError::check(one.origin, "combinations of schemas", self.values.len(), self.limits.values)?;
        }
        let alternative =
            |(&arm, excluded): (&NodeId, Vec<Lit>)| Alternative::of([Lit::yes(arm)].into_iter().chain(excluded));
        Ok(arms.iter().zip(excluded).map(alternative).collect())
    }

    /// The types in which two nodes are not proved disjoint.
    pub(crate) fn overlap(&mut self, left: NodeId, right: NodeId) -> TypeSet {
        let key = (left.min(right), left.max(right));
        let common = self.table.summary(left).may.and(self.table.summary(right).may);
        if common.is_empty() || self.lists_differ(left, right) {
            return TypeSet::NONE;
        }
        if let Some(&known) = self.overlaps.get(&key) {
            return known;
        }
        if self.depth >= self.limits.depth {
            return common;
        }
        let both = self.value(&[Lit::yes(left), Lit::yes(right)]);
        let found = self.inhabited(both).and(common);
        self.overlaps.insert(key, found);
        found
    }

    /// Whether both nodes list few values, with none in both lists.
    pub(crate) fn lists_differ(&self, left: NodeId, right: NodeId) -> bool {
        let lists = |node| self.table.keywords(node).map_or(&[][..], |keywords| keywords.one_of_values.as_slice());
        let few = |one: &[Value], other: &[Value]| one.len() * other.len() <= COMPARED;
        // Equal objects may list their keys in different orders.
        let plain = |values: &[Value]| !values.iter().any(|value| matches!(value, Value::Array(_) | Value::Object(_)));
        let differ = |one: &[Value], other: &[Value]| {
            plain(one) && plain(other) && !one.iter().any(|value| other.contains(value))
        };
        lists(left).iter().any(|one| {
            lists(right).iter().any(|other| few(&one.value, &other.value) && differ(&one.value, &other.value))
        })
    }

    /// The types for which a value is not found to be empty.
    fn inhabited(&mut self, value: ValueId) -> TypeSet {
        let Some(shape) = self.try_shape(value) else { return TypeSet::ALL };
        let mut steps = STEPS;
        let mut types = TypeSet::NONE;
        for (ty, some) in [
            (Type::Null, shape.null),
            (Type::Bool, shape.yes || shape.no),
            (Type::Number, shape.number.is_some()),
            (Type::String, !shape.strings.is_empty()),
            (Type::Array, shape.arrays.iter().any(|arm| !self.hollow_array(arm, FUEL, &mut steps))),
            (Type::Object, shape.objects.iter().any(|arm| !self.hollow_object(arm, FUEL, &mut steps))),
        ] {
            if some || !shape.errors.is_empty() {
                types = types.or(ty.bit());
            }
        }
        types
    }

    /// Whether a value is certainly empty, as far as a search to some depth tells.
    pub(crate) fn surely_empty(&mut self, value: ValueId, fuel: usize) -> bool {
        let mut steps = STEPS;
        self.hollow(value, fuel, &mut steps)
    }

    /// Whether a value is certainly empty; the search behind [`Self::surely_empty`].
    fn hollow(&mut self, value: ValueId, fuel: usize, steps: &mut usize) -> bool {
        if value == ValueId::NONE {
            return true;
        }
        if value == ValueId::ANY || fuel == 0 || *steps == 0 {
            return false;
        }
        *steps -= 1;
        let Some(shape) = self.try_shape(value) else { return false };
        is_without_leaves(&shape)
            && shape.arrays.iter().all(|arm| self.hollow_array(arm, fuel, steps))
            && shape.objects.iter().all(|arm| self.hollow_object(arm, fuel, steps))
    }

    fn hollow_object(&mut self, arm: &ObjectArm, fuel: usize, steps: &mut usize) -> bool {
        arm.keys.iter().any(|key| key.required.is_some() && self.hollow(key.value, fuel - 1, steps))
    }

    fn hollow_array(&mut self, arm: &ArrayArm, fuel: usize, steps: &mut usize) -> bool {
        let needed = usize::try_from(arm.min).unwrap_or(usize::MAX);
        arm.prefix.iter().take(needed).any(|item| self.hollow(item.value, fuel - 1, steps))
            || needed > arm.prefix.len() && self.hollow(arm.items.value, fuel - 1, steps)
    }
}

fn is_without_leaves(shape: &Shape) -> bool {
    let scalars = shape.null || shape.yes || shape.no || shape.number.is_some();
    !scalars && shape.strings.is_empty() && shape.errors.is_empty()
}
