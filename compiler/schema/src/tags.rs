//! Tags of alternatives: constants under a required key, or at a position of an array. If tags differ, two alternatives
//! are disjoint, whatever their other keywords are.
//!
//! 600 objects with different `type` constants make 180,000 pairs, none of which has to be compared.

use rustc_hash::FxHashMap;

use crate::algebra::Algebra;
use crate::atom::Type;
use crate::source::{Keywords, NodeId, Value};

/// Tags are looked for only among at least this many alternatives.
const FEW: usize = 8;

/// Cap on the schemas that are followed from one alternative.
const PARTS: usize = 64;

/// The position of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Spot<'t> {
    Key(&'t str),
    Position(usize),
}

/// The constants at the tag positions of one alternative, as strings that are equal if the constants are.
type Tags<'t> = FxHashMap<Spot<'t>, Vec<String>>;

impl<'t> Algebra<'t> {
    /// Returns, for each alternative, the earlier alternatives (ascending) that tags do not prove disjoint from it.
    pub(crate) fn alike_before(&self, ty: Type, arms: &[NodeId]) -> Vec<Vec<usize>> {
        let all = || (0..arms.len()).map(|right| (0..right).collect()).collect();
        if arms.len() < FEW || !matches!(ty, Type::Array | Type::Object) {
            return all();
        }
        let mut tags: Vec<Tags<'t>> = arms.iter().map(|&arm| self.tags(ty, arm)).collect();
        let mut spots: FxHashMap<Spot<'t>, usize> = FxHashMap::default();
        tags.iter().flat_map(Tags::keys).for_each(|spot| *spots.entry(*spot).or_default() += 1);
        let Some((spot, _)) = spots.into_iter().max_by_key(|&(spot, count)| (count, std::cmp::Reverse(spot))) else {
            return all();
        };
        let mut untold: Vec<usize> = Vec::new();
        let mut with_tag: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut before = Vec::with_capacity(arms.len());
        for (right, tags) in tags.iter_mut().enumerate() {
            let Some(own) = tags.remove(&spot) else {
                before.push((0..right).collect());
                untold.push(right);
                continue;
            };
            let mut alike = untold.clone();
            for tag in own {
                let same = with_tag.entry(tag).or_default();
                alike.extend_from_slice(same);
                same.push(right);
            }
            alike.sort_unstable();
            alike.dedup();
            alike.retain(|&left| left < right);
            before.push(alike);
        }
        before
    }

    /// Finds the tags of one alternative.
    fn tags(&self, ty: Type, arm: NodeId) -> Tags<'t> {
        let parts = self.parts(arm);
        let mut tags = Tags::default();
        if ty == Type::Array {
            let least = parts.iter().filter_map(|part| part.array.min_items.as_ref()).map(|min| min.value).max();
            let least = usize::try_from(least.unwrap_or(0)).unwrap_or(usize::MAX);
            for (at, &item) in parts.iter().flat_map(|part| part.array.prefix_items.iter().enumerate()) {
                tags.extend(self.constants(item).filter(|_| at < least).map(|found| (Spot::Position(at), found)));
            }
            return tags;
        }
        let is_required =
            |key: &str| parts.iter().any(|part| part.object.required.iter().any(|required| required.value == key));
        for (key, node) in parts.iter().flat_map(|part| &part.object.properties) {
            if let Some(found) = self.constants(*node).filter(|_| is_required(key)) {
                tags.insert(Spot::Key(key), found);
            }
        }
        tags
    }

    /// Returns the constants of a schema that lists scalars only.
    fn constants(&self, node: NodeId) -> Option<Vec<String>> {
        let parts = self.parts(node);
        let list = parts.iter().flat_map(|part| &part.one_of_values).next()?;
        list.value.iter().map(word).collect()
    }

    /// Returns the keywords of a schema, and of the schemas that it refers to or conjoins.
    fn parts(&self, node: NodeId) -> Vec<&'t Keywords> {
        let table = self.table;
        let mut found = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(keywords) = table.keywords(node) else { continue };
            if found.len() == PARTS {
                break;
            }
            found.push(keywords);
            open.extend(
                keywords.reference.iter().map(|reference| reference.value).chain(keywords.all_of.iter().copied()),
            );
        }
        found
    }
}

/// Returns a scalar as a string.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("null".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(value) => Some(format!("number {value}")),
        Value::String(text) => Some(format!("text {text}")),
        Value::Array(_) | Value::Object(_) => None,
    }
}
