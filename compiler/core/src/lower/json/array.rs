//! Writes the rules of arrays: the positions of the prefix one by one, then a loop with a countdown of items. Vectors
//! hold the counts of `contains`.
//!
//! A state stands for a number of items read (up to the prefix) and a vector of counts: how many items have matched
//! each `contains`, as far as a bound depends on it. The first item of the loop is not counted down: `,` ticks, because
//! it commits to one more item.
//!
//! For `prefixItems: [A]`, `items: B`, at most 5 items: `[`, then `A` (position 0), then `,` and `B` (the first item of
//! the loop), then a loop of `,` and `B` with a countdown of 3. With `contains: C` and `minContains: 2`, there are the
//! vectors 0, 1 and 2. A guard of the loop demands that the countdown has at least as many items left as the vector
//! still needs: two in vector 0.
//!
//! If items must differ (`uniqueItems`) and are not listed strings, the runtime compares them: the rule is marked and
//! otherwise written like any other. If several items are required, the mark says how many values of each item the
//! runtime has to know.

use always_assert::never;
use ogc_regular::LimitError;
use ogc_regular::budget;
use ogc_regular::number::Arm;
use ogc_runtime::automaton::{MAX_ITEM_CHOICES, Op, OpId, RuleId, StateId, StateKind, UNBOUNDED};
use ogc_schema::{ArrayArm, Item, ItemsNeeded, Move, StringLanguage};

use super::lowering::Lowering;
use super::space::Gap;
use crate::lower::automaton_bytes;
use crate::schema_fault::{SchemaFault, SchemaFaultKind};

/// An array rule while it is written.
struct ObjectWriter<'r> {
    rule: RuleId,
    arm: &'r ArrayArm,
    needs: ItemsNeeded,
    depth: u32,
    end: StateId,
    /// Number of prefix positions, each with states of its own.
    prefix: usize,
    /// Maximum length of the array, in items.
    most: Option<u64>,
    /// Whether the loop counts its items with a countdown.
    counted: bool,
    /// The gaps after an item, by position (the last one belongs to the loop) and vector.
    behind: Vec<Vec<Option<Gap>>>,
}

impl Lowering<'_, '_> {
    /// Returns the minimum and maximum number of items that the loop reads after its first.
    pub(super) fn loop_bounds(&self, arm: &ArrayArm) -> (u64, Option<u64>) {
        let most = self.algebra.longest(arm);
        let fixed = prefix_length(arm, most) as u64 + 1;
        let min = arm.min.saturating_sub(fixed);
        (min, most.map(|most| most.saturating_sub(fixed).max(min)))
    }

    pub(super) fn write_array(&mut self, rule: RuleId, arm: &ArrayArm, depth: u32) {
        if let Some(texts) = self.unique_texts(arm) {
            return self.write_unique(rule, arm, &texts, depth);
        }
        let most = self.algebra.longest(arm);
        let prefix = prefix_length(arm, most);
        let Some(needs) = self.check_array(arm) else { return };
        let end = self.builder.state(rule, StateKind::Bytes);
        self.builder.accept(end);
        let behind = vec![vec![None; needs.vectors.len]; prefix + 2];
        let counted = self.loop_bounds(arm) != (0, None);
        if let Some(origin) = arm.unique.filter(|_| most.is_none_or(|most| most > 1)) {
            self.unique.insert(arm.origin, origin);
            self.builder.distinct_items(rule);
            self.builder.item_choices(rule, u32::try_from(item_choices(arm)).unwrap_or(u32::MAX));
        }
        let mut writer = ObjectWriter { rule, arm, needs, depth, end, prefix, most, counted, behind };
        let start = self.builder.state(rule, StateKind::Bytes);
        self.builder.start(rule, start);
        let open = self.gap_after_open(rule, depth);
        self.builder.edge(start, b'[', b'[', OpId::NONE, open.enter);
        if arm.min == 0 && writer.needs.vectors.done(arm, 0) {
            self.close_empty(open, OpId::NONE, b']', end);
        }
        let mut todo = Vec::new();
        self.read_item(&mut writer, open, 0, 0, &mut todo);
        while let Some((read, vector)) = todo.pop() {
            if budget::exhausted() {
                return;
            }
            self.write_behind(&mut writer, read, vector, &mut todo);
        }
    }

    /// Reports an array that cannot be expressed; otherwise returns the items that its counts need.
    fn check_array(&mut self, arm: &ArrayArm) -> Option<ItemsNeeded> {
        let is_long = self.algebra.longest(arm).is_none_or(|most| most > 1);
        if let Some(origin) = arm.unique.filter(|_| is_long) {
            let limit = u64::from(MAX_ITEM_CHOICES);
            let (what, given) = ("values by which items that must differ are known", item_choices(arm));
            let many =
                (given > limit).then(|| SchemaFaultKind::ManyItemsDiffer(LimitError::of_large(what, given, limit)));
            // If there are few possible items, the search for a new one may have to compare with all earlier items and
            // their counts.
            let few = !arm.counts.is_empty() && !self.has_endless_items(arm);
            let fault = few.then_some(SchemaFaultKind::FreeItemsDiffer);
            if let Some(fault) = many.or(fault) {
                self.errors.push(SchemaFault::new(origin, fault));
                return None;
            }
        }
        let needs = match self.algebra.needs(arm) {
            Ok(needs) => needs,
            Err(error) => {
                self.errors.push(SchemaFault::new(arm.origin, SchemaFaultKind::Counts(error)));
                return None;
            }
        };
        let limit = arm.counts.iter().find(|count| count.max.is_some());
        if let Some(limit) = limit.filter(|_| arm.min > 0 && !self.can_pad(arm)) {
            self.errors.push(SchemaFault::new(limit.origin, SchemaFaultKind::CountedPadding));
            return None;
        }
        Some(needs)
    }

    /// Estimates whether the items after the prefix have infinitely many values.
    fn has_endless_items(&self, arm: &ArrayArm) -> bool {
        let shape = self.algebra.shape(arm.items.value);
        let numbers = shape.number.iter().flat_map(|set| set.arms());
        shape.strings.iter().any(|strings| !matches!(strings.language, StringLanguage::Finite(_)))
            || numbers.into_iter().any(|numbers| matches!(numbers, Arm::Range(_)))
            || !shape.arrays.is_empty()
            || !shape.objects.is_empty()
    }

    /// Returns whether every position can hold an item that matches no `contains`.
    fn can_pad(&self, arm: &ArrayArm) -> bool {
        let free = |way: &Move| way.counted == 0 && self.algebra.holds_something(way.value);
        arm.prefix.iter().chain([&arm.items]).all(|item| item.moves.iter().any(free))
    }

    /// Adds the calls that read the next item, after `read` items.
    fn read_item(
        &mut self,
        writer: &mut ObjectWriter<'_>,
        gap: Gap,
        read: usize,
        vector: usize,
        todo: &mut Vec<(usize, usize)>,
    ) {
        for (value, after) in self.ways(writer, read, vector) {
            let behind = self.behind(writer, read + 1, after, todo);
            // The countdown must have room for the items that the counts still need after this item.
            let need = writer.needs.table.get(writer.arm.prefix.len()).and_then(|row| row[after]).unwrap_or(0);
            let op = if read >= writer.prefix && writer.counted && need > 0 {
                let min_total = u32::try_from(need).unwrap_or(UNBOUNDED);
                self.builder.op(Op::Count { tick: false, max_a: UNBOUNDED, min_total })
            } else {
                OpId::NONE
            };
            let target = self.target(value, writer.depth);
            for state in gap.states() {
                self.builder.call(state, target.call(behind.enter, op));
            }
        }
    }

    /// Returns the possible values of the next item, each with the vector after it.
    fn ways(&self, writer: &ObjectWriter<'_>, read: usize, vector: usize) -> Vec<(ogc_schema::ValueId, usize)> {
        if writer.most.is_some_and(|most| read as u64 >= most) {
            return Vec::new();
        }
        let item: &Item = writer.arm.prefix.get(read).unwrap_or(&writer.arm.items);
        // Without `contains` an item is one value. With `contains`, an item is a choice: values that match some of the
        // `contains` (the bits of `counted`) lead to other vectors than values that match none.
        let plain = [Move { counted: 0, value: item.value }];
        let moves = if writer.arm.counts.is_empty() { plain.as_slice() } else { item.moves.as_slice() };
        let possible = moves.iter().filter(|way| self.algebra.holds_something(way.value));
        let after =
            possible.filter_map(|way| Some((way.value, writer.needs.vectors.step(writer.arm, vector, way.counted)?)));
        after.filter(|&(_, after)| writer.needs.fits(writer.arm, read + 1, after, writer.most)).collect()
    }

    /// Returns the gap after the `read`-th item; at the first request, makes it. All positions of the loop share one
    /// gap.
    fn behind(
        &mut self,
        writer: &mut ObjectWriter<'_>,
        read: usize,
        vector: usize,
        todo: &mut Vec<(usize, usize)>,
    ) -> Gap {
        let read = read.min(writer.prefix + 1);
        if let Some(known) = writer.behind[read][vector] {
            return known;
        }
        let _ = budget::work(4).and(automaton_bytes(4, 8));
        let gap = self.gap(writer.rule);
        writer.behind[read][vector] = Some(gap);
        todo.push((read, vector));
        gap
    }

    /// Writes `,` and `]` after an item.
    fn write_behind(
        &mut self,
        writer: &mut ObjectWriter<'_>,
        read: usize,
        vector: usize,
        todo: &mut Vec<(usize, usize)>,
    ) {
        let Some(gap) = writer.behind[read][vector] else {
            never!("there is no gap behind item {} of vector {}", read, vector);
            return;
        };
        // `]` requires the minimum: in the prefix the position tells the number of items, in the loop the countdown
        // does.
        let looping = read > writer.prefix;
        let done = writer.needs.vectors.done(writer.arm, vector);
        let close = match (looping, looping && writer.arm.min > read as u64) {
            (true, true) => self.builder.op(Op::Count { tick: false, max_a: 0, min_total: 0 }),
            _ => OpId::NONE,
        };
        let comma = if looping { self.comma(writer, vector) } else { OpId::NONE };
        let may_close = done && (looping || read as u64 >= writer.arm.min);
        let more = !self.ways(writer, read, vector).is_empty();
        let next = more.then(|| self.gap_after_comma(writer.rule, writer.depth));
        for state in gap.states() {
            if may_close {
                self.close(writer.rule, state, close, b']', writer.end, writer.depth);
            }
            if let Some(next) = next {
                self.builder.edge(state, b',', b',', comma, next.enter);
            }
        }
        if let Some(next) = next {
            self.read_item(writer, next, read, vector, todo);
        }
    }

    /// Returns the operation of `,` in the loop: it takes one item from the countdown, and demands that enough items
    /// are left for the counts.
    fn comma(&mut self, writer: &ObjectWriter<'_>, vector: usize) -> OpId {
        if !writer.counted {
            return OpId::NONE;
        }
        let need = writer.needs.table.get(writer.arm.prefix.len()).and_then(|row| row[vector]).unwrap_or(0);
        let min_total = u32::try_from(need.saturating_sub(1)).unwrap_or(UNBOUNDED);
        self.builder.op(Op::Count { tick: true, max_a: UNBOUNDED, min_total })
    }
}

/// Returns for each item how many different values completions must be able to choose from; 0 if completions never write
/// two equal items anyway.
///
/// A required item has fewer items before it than are required in total. An item that a `contains` counts may also have
/// before it the items that a completion writes for other counts.
fn item_choices(arm: &ArrayArm) -> u64 {
    if !needs_equal_items(arm) {
        return 0;
    }
    let counted = arm.counts.iter().fold(0u64, |sum, count| sum.saturating_add(count.min));
    match arm.counts.as_slice() {
        [] => arm.min,
        _ => arm.min.max(counted).saturating_add(arm.prefix.len() as u64).saturating_mul(2),
    }
}

/// Returns whether the shortest completion, on which a budget relies, could contain two equal items.
///
/// That completion writes only required items. An item that a `contains` still needs is new, because no earlier item
/// matches that `contains`; but items that fill the prefix may have to come before it.
fn needs_equal_items(arm: &ArrayArm) -> bool {
    let waits = |least: u64| arm.counts.iter().any(|count| count.min >= least);
    arm.min > 1 || waits(2) || waits(1) && !arm.prefix.is_empty()
}

/// Returns the number of prefix positions that an array can reach.
fn prefix_length(arm: &ArrayArm, most: Option<u64>) -> usize {
    most.map_or(arm.prefix.len(), |most| arm.prefix.len().min(usize::try_from(most).unwrap_or(usize::MAX)))
}
