//! Emptiness: which values are inhabited, as the least fixpoint over all reachable values.

use ogc_regular::budget;
use ogc_regular::number::Arm;
use ogc_regular::{Dfa, DfaState, Edge, LimitError};

use crate::algebra::Algebra;
use crate::error::SchemaError;
use crate::shape::{ArrayArm, Item, ObjectArm, Shape, StringLanguage};
use crate::source::Origin;
use crate::value::ValueId;

/// Cap on the vectors of counts that are distinguished for one array.
const VECTORS: u64 = 256;

impl Algebra<'_> {
    /// Expands every value that `root` reaches and decides which are inhabited.
    ///
    /// # Errors
    ///
    /// More values than the limits allow.
    pub fn solve(&mut self, root: ValueId) -> Result<(), SchemaError> {
        self.solve_all(&[root])
    }

    /// Expands every value that one of several roots reaches, and decides which are inhabited.
    ///
    /// # Errors
    ///
    /// As [`Algebra::solve`].
    pub fn solve_all(&mut self, roots: &[ValueId]) -> Result<(), SchemaError> {
        let reached = self.reach(roots)?;
        self.inhabited = vec![false; self.values.len()];
        loop {
            let mut changed = false;
            for &value in reached.iter().rev() {
                let _ = budget::work(1);
                if !self.inhabited[value.index()] && self.shape_holds(&self.shape(value)) {
                    self.inhabited[value.index()] = true;
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Whether the value is inhabited, or cannot be expressed (its user then reports the error).
    #[must_use]
    pub fn holds_something(&self, value: ValueId) -> bool {
        self.inhabited.get(value.index()).copied().unwrap_or(false)
    }

    fn reach(&mut self, roots: &[ValueId]) -> Result<Vec<ValueId>, SchemaError> {
        let mut known = vec![false; self.values.len()];
        let mut reached = Vec::new();
        let mut open = std::collections::VecDeque::from(roots.to_vec());
        while let Some(value) = open.pop_front() {
            if value.index() >= known.len() {
                known.resize(self.values.len().max(value.index() + 1), false);
            }
            if std::mem::replace(&mut known[value.index()], true) {
                continue;
            }
            reached.push(value);
            if let Some(shape) = self.try_shape(value) {
                children(&shape, &mut |child| open.push_back(child));
            }
            LimitError::check("combinations of schemas", self.values.len(), self.limits.values)
                .map_err(|error| SchemaError::new(self.origin(value), error))?;
        }
        Ok(reached)
    }

    fn shape_holds(&self, shape: &Shape) -> bool {
        shape.null
            || shape.yes
            || shape.no
            || shape.number.is_some()
            || !shape.strings.is_empty()
            || !shape.errors.is_empty()
            || shape.arrays.iter().any(|arm| self.array_holds(arm))
            || shape.objects.iter().any(|arm| self.object_holds(arm))
    }

    /// Whether the arm contains an object.
    #[must_use]
    pub fn object_holds(&self, arm: &ObjectArm) -> bool {
        let possible = arm.keys.iter().filter(|key| self.holds_something(key.value)).count() as u64;
        let extra = || self.others(arm);
        let required = arm.keys.iter().filter(|key| key.required.is_some());
        let needed = self.key_needs(arm).first().copied().flatten();
        required.clone().all(|key| self.holds_something(key.value))
            && (arm.min <= possible || arm.min - possible <= extra())
            && needed.is_some_and(|more| arm.max.is_none_or(|max| required.count() as u64 + more <= max))
            && self.conditions_hold(arm)
    }

    /// Whether the conditions on keys can be met with keys whose values are inhabited. No key is in two conditions, so
    /// they can then all be met together.
    fn conditions_hold(&self, arm: &ObjectArm) -> bool {
        let possible = |key: usize| match arm.keys.get(key) {
            Some(key) => self.holds_something(key.value),
            None => self.others(arm) > 0,
        };
        arm.conditions.iter().all(|condition| condition.can_hold(possible))
    }

    /// Returns for each key of an arm whether it can be present, as far as the conditions tell; the last element is for
    /// undeclared keys.
    #[must_use]
    pub fn possible_keys(&self, arm: &ObjectArm) -> Vec<bool> {
        let mut possible: Vec<bool> = arm.keys.iter().map(|key| self.holds_something(key.value)).collect();
        possible.push(arm.conditions.is_empty() || self.others(arm) > 0);
        let known = possible.clone();
        for condition in &arm.conditions {
            let with = |key: usize| condition.can_hold_with(key, |other| known[other]);
            let named = condition.choices.iter().flat_map(|choice| choice.first..choice.first + choice.next.len() - 1);
            for key in named.collect::<std::collections::BTreeSet<_>>() {
                possible[key] = possible[key] && with(key);
            }
        }
        possible
    }

    /// For each set of met demands, the number of further members that meet all other demands; `None` if impossible.
    #[must_use]
    pub fn key_needs(&self, arm: &ObjectArm) -> Vec<Option<u64>> {
        let full = (1usize << arm.demands.all.len()) - 1;
        let mut needs = vec![None; full + 1];
        needs[full] = Some(0);
        let ways = arm.demands.moves.iter().flatten().filter(|way| way.counted != 0 && self.holds_something(way.value));
        let counted: Vec<usize> = ways.map(|way| way.counted as usize).collect();
        for met in (0..full).rev() {
            let after =
                counted.iter().filter(|counted| met | **counted != met).filter_map(|counted| needs[met | counted]);
            needs[met] = after.min().map(|need: u64| need + 1);
        }
        needs
    }

    /// Counts the unnamed keys that can be present; `u64::MAX` if unbounded.
    #[must_use]
    pub fn others(&self, arm: &ObjectArm) -> u64 {
        let possible =
            |class: u32| arm.rest.classes.get(class as usize).is_some_and(|&value| self.holds_something(value));
        let Some(keys) = &arm.rest.keys else { return if possible(0) { u64::MAX } else { 0 } };
        let state = |(edges, class): (&Vec<Edge>, &Option<u32>)| DfaState {
            accept: class.is_some_and(possible),
            edges: edges.clone(),
        };
        let dfa = Dfa::from_states(keys.edges.iter().zip(&keys.class).map(state).collect());
        let named = arm.keys.iter().filter(|key| dfa.contains(key.name.as_bytes())).count() as u64;
        dfa.count().map_or(u64::MAX, |all| all.saturating_sub(named))
    }

    /// Whether the arm contains an array.
    #[must_use]
    pub fn array_holds(&self, arm: &ArrayArm) -> bool {
        let most = self.longest(arm);
        if most.is_some_and(|most| most < arm.min) {
            return false;
        }
        arm.counts.is_empty() || self.needs(arm).ok().is_none_or(|needs| needs.fits(arm, 0, 0, most))
    }

    /// The greatest length of an array: it ends before the first position whose item is empty.
    #[must_use]
    pub fn longest(&self, arm: &ArrayArm) -> Option<u64> {
        let possible = |item: &Item| match item.moves.as_slice() {
            [] if arm.counts.is_empty() => self.holds_something(item.value),
            moves => moves.iter().any(|way| self.holds_something(way.value)),
        };
        let prefix = arm.prefix.iter().position(|item| !possible(item));
        let stop = prefix.or_else(|| (!possible(&arm.items)).then_some(arm.prefix.len())).map(|stop| stop as u64);
        let distinct = arm.unique.filter(|_| arm.prefix.is_empty()).and_then(|_| finite(&self.shape(arm.items.value)));
        let stop = match (stop, distinct) {
            (Some(stop), Some(distinct)) => Some(stop.min(distinct)),
            (stop, distinct) => stop.or(distinct),
        };
        match (stop, arm.max) {
            (Some(stop), Some(max)) => Some(stop.min(max)),
            (stop, max) => stop.or(max),
        }
    }

    /// Computes the number of further items for each position and vector of counts.
    ///
    /// # Errors
    ///
    /// Too many vectors.
    pub fn needs(&self, arm: &ArrayArm) -> Result<ItemsNeeded, LimitError> {
        let vectors = CountVectors::new(arm)?;
        let last = arm.prefix.len();
        let mut table = vec![vec![None; vectors.len]; last + 1];
        self.loop_needs(arm, &vectors, &mut table[last]);
        for at in (0..last).rev() {
            let next = table[at + 1].clone();
            for (vector, need) in table[at].iter_mut().enumerate() {
                *need = self.step_need(&arm.prefix[at], arm, &vectors, vector, &next);
            }
        }
        Ok(ItemsNeeded { vectors, table })
    }

    /// The least fixpoint at the position that repeats.
    fn loop_needs(&self, arm: &ArrayArm, vectors: &CountVectors, needs: &mut [Option<u64>]) {
        loop {
            let mut changed = false;
            for vector in 0..vectors.len {
                let found = self.step_need(&arm.items, arm, vectors, vector, needs);
                let better = found.is_some_and(|found| needs[vector].is_none_or(|known| found < known));
                if better {
                    needs[vector] = found;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn step_need(
        &self,
        item: &Item,
        arm: &ArrayArm,
        vectors: &CountVectors,
        vector: usize,
        next: &[Option<u64>],
    ) -> Option<u64> {
        if vectors.done(arm, vector) {
            return Some(0);
        }
        let ways = item.moves.iter().filter(|way| self.holds_something(way.value));
        let after = ways.filter_map(|way| next.get(vectors.step(arm, vector, way.counted)?).copied().flatten());
        after.min().map(|need| need.saturating_add(1))
    }

    /// The place that makes a value empty: a required key, a length, or a contradiction.
    #[must_use]
    pub fn blame(&self, value: ValueId) -> Origin {
        let mut at = value;
        let mut seen = Vec::new();
        loop {
            let shape = self.shape(at);
            let key = shape.objects.iter().flat_map(|arm| &arm.keys);
            let empty = key
                .filter(|key| key.required.is_some() && !self.holds_something(key.value))
                .map(|key| key.value)
                .next();
            match empty {
                Some(inner) if !seen.contains(&inner) => {
                    seen.push(inner);
                    at = inner;
                }
                _ => return if shape.origin == Origin(0) { self.shape(value).origin } else { shape.origin },
            }
        }
    }
}

/// Numbers the vectors of saturating counts of an array.
#[derive(Clone, Debug)]
pub struct CountVectors {
    sizes: Vec<usize>,
    /// The number of vectors.
    pub len: usize,
}

impl CountVectors {
    fn new(arm: &ArrayArm) -> Result<Self, LimitError> {
        let size = |count: &crate::shape::Count| count.max.unwrap_or(count.min).max(count.min).saturating_add(1);
        let sizes: Vec<u64> = arm.counts.iter().map(size).collect();
        let given = sizes.iter().fold(1u64, |len, &size| len.saturating_mul(size));
        if given > VECTORS {
            return Err(LimitError::of_large("counts of items to tell apart", given, VECTORS));
        }
        Ok(Self { sizes: sizes.iter().map(|&size| size as usize).collect(), len: given as usize })
    }

    fn counts(&self, mut vector: usize) -> Vec<usize> {
        let digit = |size: &usize| {
            let digit = vector % size;
            vector /= size;
            digit
        };
        self.sizes.iter().map(digit).collect()
    }

    /// Whether every minimum is reached.
    #[must_use]
    pub fn done(&self, arm: &ArrayArm, vector: usize) -> bool {
        self.counts(vector).iter().zip(&arm.counts).all(|(&have, count)| have as u64 >= count.min)
    }

    /// The vector after an item that counts for `counted`; `None` if it exceeds a maximum.
    #[must_use]
    pub fn step(&self, arm: &ArrayArm, vector: usize, counted: u32) -> Option<usize> {
        let mut next = 0;
        let mut unit = 1;
        for (at, have) in self.counts(vector).into_iter().enumerate() {
            let adds = usize::from(counted >> at & 1 == 1);
            let full = have + 1 == self.sizes[at];
            let over = adds == 1 && full && arm.counts[at].max.is_some();
            if over {
                return None;
            }
            next += unit * if full { have } else { have + adds };
            unit *= self.sizes[at];
        }
        Some(next)
    }
}

/// A table of how many further items an array needs until every minimum is reached.
#[derive(Clone, Debug)]
pub struct ItemsNeeded {
    /// The vectors of counts.
    pub vectors: CountVectors,
    /// Indexed by position (the last one repeats) and vector; `None` if the minimums cannot be reached.
    pub table: Vec<Vec<Option<u64>>>,
}

impl ItemsNeeded {
    /// Whether an array with `read` items and the counts of this vector can be completed within `most` items.
    #[must_use]
    pub fn fits(&self, arm: &ArrayArm, read: usize, vector: usize, most: Option<u64>) -> bool {
        let row = self.table.get(read.min(arm.prefix.len()));
        let need = row.and_then(|row| row.get(vector).copied().flatten());
        need.is_some_and(|need| most.is_none_or(|most| (read as u64).saturating_add(need) <= most))
    }
}

/// Counts the values of a shape of scalars; `None` if no bound is known.
fn finite(shape: &Shape) -> Option<u64> {
    if !shape.arrays.is_empty() || !shape.objects.is_empty() || !shape.errors.is_empty() {
        return None;
    }
    let mut count = u64::from(shape.null) + u64::from(shape.yes) + u64::from(shape.no);
    for arm in shape.number.iter().flat_map(|set| set.arms()) {
        match arm {
            Arm::Points(points) => count += points.len() as u64,
            Arm::Range(_) => return None,
        }
    }
    for arm in &shape.strings {
        match &arm.language {
            StringLanguage::Finite(texts) => count += texts.len() as u64,
            StringLanguage::Any | StringLanguage::Dfa(_) => return None,
        }
    }
    Some(count)
}

/// Calls `visit` with the values of items and members of a shape.
fn children(shape: &Shape, visit: &mut impl FnMut(ValueId)) {
    for arm in &shape.arrays {
        for item in arm.prefix.iter().chain([&arm.items]) {
            visit(item.value);
            item.moves.iter().for_each(|way| visit(way.value));
        }
    }
    for arm in &shape.objects {
        arm.keys.iter().for_each(|key| visit(key.value));
        arm.rest.classes.iter().for_each(|&class| visit(class));
        arm.demands.moves.iter().flatten().for_each(|way| visit(way.value));
    }
}
