//! Arrays: positions are intersected one by one, lengths as intervals, and counted items in parallel.

use std::rc::Rc;

use ogc_regular::budget;

use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::shape::{ArrayArm, Count, Item, Move};
use crate::source::{ArrayKeywords, NodeId, Origin};
use crate::value::{Lit, ValueId};

/// Cap on the counted conditions of one array: an item has a way to be read for each subset of them.
const COUNTS: usize = 6;

/// A `contains`-style count: how many items at index >= `from` satisfy `literal`.
#[derive(Clone, Copy, Debug)]
struct Counted {
    from: usize,
    literal: Lit,
    count: Count,
}

/// A conjunction of arrays under construction.
#[derive(Debug, Default)]
struct Draft {
    /// Conjoined schemas with `prefixItems` or `items`.
    groups: Vec<NodeId>,
    /// Conditions on single positions.
    single: Vec<(usize, Lit)>,
    /// Conditions on every item.
    every: Vec<Lit>,
    counted: Vec<Counted>,
    min: u64,
    max: Option<u64>,
    unique: Option<Origin>,
    /// Set if some two items must be equal.
    repeated: Option<Origin>,
    dead: bool,
    poison: Option<Rc<SchemaError>>,
}

impl Draft {
    fn at_most(&mut self, max: u64) {
        self.max = Some(self.max.map_or(max, |known| known.min(max)));
    }

    fn at_least(&mut self, min: u64) {
        self.min = self.min.max(min);
    }

    fn count(&mut self, from: usize, literal: Lit, count: Count) {
        match (count.min, count.max) {
            (0, None) => {}
            (0, Some(0)) if from == 0 => self.every.push(literal.not()),
            (min, Some(max)) if min > max => self.dead = true,
            _ => self.counted.push(Counted { from, literal, count }),
        }
    }
}

impl Algebra<'_> {
    /// The arm of one term; `None` if it is found to be empty.
    pub(crate) fn array(&mut self, term: &[Atom], origin: Origin) -> Option<ArrayArm> {
        let mut draft = Draft::default();
        let table = self.table;
        for &atom in term {
            let node = atom.node();
            let Some(keywords) = table.keywords(node) else { continue };
            match atom {
                Atom::Fails(_, keyword) => fails(&keywords.array, keyword, &mut draft),
                _ => holds(node, &keywords.array, &mut draft),
            }
        }
        if draft.dead || draft.max.is_some_and(|max| max < draft.min) {
            return None;
        }
        self.finish_array(draft, origin)
    }

    fn finish_array(&mut self, mut draft: Draft, origin: Origin) -> Option<ArrayArm> {
        if let Some(at) = draft.repeated {
            if draft.unique.is_some() || draft.max.is_some_and(|max| max < 2) {
                return None;
            }
            draft.poison = Some(Rc::new(SchemaError::new(at, SchemaErrorKind::EqualItems)));
        }
        draft.unique = draft.unique.filter(|_| draft.max.is_none_or(|max| max > 1));
        let counted = SchemaError::check(origin, "counted conditions on one array", draft.counted.len(), COUNTS);
        if let Err(error) = counted {
            draft.poison = Some(Rc::new(error));
            draft.counted.clear();
        }
        let length = self.prefix_length(&draft);
        // Once the budget is exhausted, the result is discarded.
        budget::work(length).and(budget::keep(length * size_of::<Item>())).ok()?;
        let prefix: Vec<Item> = (0..length).map(|at| self.item(&draft, at)).collect();
        let items = self.item(&draft, length);
        let counts = draft.counted.iter().map(|counted| counted.count).collect();
        let Draft { min, max, unique, poison, .. } = draft;
        Some(ArrayArm { origin, prefix, items, min, max, counts, unique, poison })
    }

    /// Counts the positions that are distinguished.
    fn prefix_length(&self, draft: &Draft) -> usize {
        let groups = draft.groups.iter().filter_map(|&node| self.table.keywords(node));
        let groups = groups.map(|keywords| keywords.array.prefix_items.len());
        let single = draft.single.iter().map(|(at, _)| at + 1);
        let counted = draft.counted.iter().map(|counted| counted.from);
        let longest = groups.chain(single).chain(counted).max().unwrap_or(0);
        draft.max.map_or(longest, |max| longest.min(usize::try_from(max).unwrap_or(usize::MAX)))
    }

    fn item(&mut self, draft: &Draft, at: usize) -> Item {
        let table = self.table;
        let mut literals = draft.every.clone();
        for &group in &draft.groups {
            let Some(keywords) = table.keywords(group) else { continue };
            let items = keywords.array.items.as_ref().map(|items| items.value);
            literals.extend(keywords.array.prefix_items.get(at).copied().or(items).map(Lit::yes));
        }
        literals.extend(draft.single.iter().filter(|(single, _)| *single == at).map(|(_, literal)| *literal));
        Item { value: self.value(&literals), moves: self.moves(draft, at, &literals) }
    }

    /// The ways to read an item: for each condition it counts or not. If a condition has no maximum, an item that
    /// satisfies it need not be counted.
    fn moves(&mut self, draft: &Draft, at: usize, literals: &[Lit]) -> Vec<Move> {
        if draft.counted.is_empty() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for counted in 0..1u32 << draft.counted.len() {
            let mut all = literals.to_vec();
            let mut possible = true;
            for (bit, condition) in draft.counted.iter().enumerate() {
                let counts = counted >> bit & 1 == 1;
                match (counts, at >= condition.from, condition.count.max) {
                    (true, true, _) => all.push(condition.literal),
                    (true, false, _) => possible = false,
                    (false, true, Some(_)) => all.push(condition.literal.not()),
                    (false, _, _) => {}
                }
            }
            let value = if possible { self.value(&all) } else { ValueId::NONE };
            if value != ValueId::NONE {
                moves.push(Move { counted, value });
            }
        }
        moves
    }
}

fn holds(node: NodeId, array: &ArrayKeywords, draft: &mut Draft) {
    if !array.prefix_items.is_empty() || array.items.is_some() {
        draft.groups.push(node);
    }
    if let Some(min) = &array.min_items {
        draft.at_least(min.value);
    }
    if let Some(max) = &array.max_items {
        draft.at_most(max.value);
    }
    draft.unique = draft.unique.or(array.unique_items);
    if let Some(contains) = &array.contains {
        let min = array.min_contains.as_ref().map_or(1, |least| least.value);
        let max = array.max_contains.as_ref().map(|most| most.value);
        draft.count(0, Lit::yes(contains.value), Count { min, max, origin: contains.origin });
    }
}

fn fails(array: &ArrayKeywords, keyword: Keyword, draft: &mut Draft) {
    match keyword {
        Keyword::MinItems => match array.min_items.as_ref().and_then(|min| min.value.checked_sub(1)) {
            Some(max) => draft.at_most(max),
            None => draft.dead = true,
        },
        Keyword::MaxItems => draft.at_least(array.max_items.as_ref().map_or(0, |max| max.value.saturating_add(1))),
        Keyword::Prefix(at) => {
            let at = at as usize;
            draft.single.extend(array.prefix_items.get(at).map(|&node| (at, Lit::no(node))));
            draft.at_least(at as u64 + 1);
        }
        Keyword::Items => {
            if let Some(items) = &array.items {
                let from = array.prefix_items.len();
                draft.count(from, Lit::no(items.value), Count { min: 1, max: None, origin: items.origin });
                draft.at_least(from as u64 + 1);
            }
        }
        Keyword::Unique => draft.repeated = array.unique_items,
        Keyword::FewContained | Keyword::ManyContained => contained(array, keyword, draft),
        _ => {}
    }
}

/// Adds the condition that too few or too many items match `contains`.
fn contained(array: &ArrayKeywords, keyword: Keyword, draft: &mut Draft) {
    let Some(contains) = &array.contains else { return };
    let origin = contains.origin;
    let literal = Lit::yes(contains.value);
    if keyword == Keyword::ManyContained {
        let max = array.max_contains.as_ref().map_or(u64::MAX, |most| most.value);
        return draft.count(0, literal, Count { min: max.saturating_add(1), max: None, origin });
    }
    match array.min_contains.as_ref().map_or(1, |least| least.value).checked_sub(1) {
        Some(max) => draft.count(0, literal, Count { min: 0, max: Some(max), origin }),
        None => draft.dead = true,
    }
}
