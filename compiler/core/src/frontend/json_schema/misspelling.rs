//! Finds the keyword of which a key is a misspelling: the names are similar, and the value has the form that the
//! keyword expects.

use std::sync::LazyLock;

use super::by_name::Draft;
use super::value::type_names;
use ogc_grammar::json::{JsonKind, JsonValue};
use ogc_grammar::spelling::{Letters, distance};
use ogc_schema::keyword::{Keyword, Operand};

/// Names that other tools use for keywords.
const OTHER_NAMES: [(&str, Keyword); 13] = [
    ("choices", Keyword::Enum),
    ("inclusiveMaximum", Keyword::Maximum),
    ("inclusiveMinimum", Keyword::Minimum),
    ("max", Keyword::Maximum),
    ("maxlen", Keyword::MaxLength),
    ("min", Keyword::Minimum),
    ("minlen", Keyword::MinLength),
    ("options", Keyword::Enum),
    ("property", Keyword::Properties),
    ("props", Keyword::Properties),
    ("ref", Keyword::Ref),
    ("regex", Keyword::Pattern),
    ("values", Keyword::Enum),
];

/// Greatest length of a key that may be a misspelling, in characters.
const LONGEST: usize = 40;

/// Greatest edit distance of a misspelling, for any keyword.
const REACH: usize = 3;

/// Returns the keyword that a key probably misspells.
pub(super) fn meant(key: &str, value: &JsonValue, draft: Draft) -> Option<&'static str> {
    if key.len() > LONGEST || key.starts_with(['_', '/', '#']) || key.starts_with("x-") || key.starts_with("X-") {
        return None;
    }
    let written = Written::new(key);
    let near = |name: &Compared| Some((written.distance_to(name, reach(name.keyword))?, name.keyword));
    let keywords = COMPARED.iter().filter_map(near).filter(|(_, keyword)| is_likely(*keyword, value));
    let others = OTHER.iter().filter(|name| written.distance_to(name, 0).is_some());
    let others = others.filter(|name| holds_only_likely(name.keyword, value));
    let near = keywords.chain(others.map(|name| (0, name.keyword)));
    let fits = |&(_, keyword): &(usize, Keyword)| keyword.life().has(draft) && takes(keyword, value);
    near.filter(fits).map(|(far, keyword)| (far, keyword.name())).min().map(|(_, name)| name)
}

/// Returns whether a value is plausible for a misspelled `$ref`: it looks like a reference. One edit of such a short
/// keyword makes many other words.
fn is_likely(keyword: Keyword, value: &JsonValue) -> bool {
    let leads = |text: &str| text.starts_with('#') || text.contains('/') || text.ends_with(".json");
    keyword != Keyword::Ref || value.as_str().is_some_and(leads)
}

/// Returns whether all parts of a value are plausible for the keyword: `properties` must contain schemas, and `enum`
/// single values. Other tools' keys are everyday words too, so the name alone is not enough.
fn holds_only_likely(keyword: Keyword, value: &JsonValue) -> bool {
    match (keyword, &value.kind) {
        (Keyword::Properties, JsonKind::Object(members)) => {
            !members.is_empty() && members.iter().all(|member| is_schema(&member.value))
        }
        (Keyword::Enum, JsonKind::Array(items)) => {
            !items.is_empty() && !items.iter().any(|item| matches!(item.kind, JsonKind::Array(_) | JsonKind::Object(_)))
        }
        _ => true,
    }
}

/// A name that keys are compared with.
struct Compared {
    written: &'static str,
    plain: String,
    letters: Letters,
    keyword: Keyword,
}

impl Compared {
    fn new(written: &'static str, keyword: Keyword) -> Self {
        let plain = plain(written);
        Self { written, letters: Letters::of(&plain), plain, keyword }
    }
}

static COMPARED: LazyLock<Vec<Compared>> = LazyLock::new(|| {
    let compared = Keyword::ALL.iter().copied().filter(|keyword| is_compared(*keyword));
    compared.map(|keyword| Compared::new(keyword.name(), keyword)).collect()
});

static OTHER: LazyLock<Vec<Compared>> =
    LazyLock::new(|| OTHER_NAMES.into_iter().map(|(name, keyword)| Compared::new(name, keyword)).collect());

/// A key without its separators.
struct Written {
    plain: String,
    letters: Letters,
}

impl Written {
    fn new(key: &str) -> Self {
        let plain = plain(key);
        Self { letters: Letters::of(&plain), plain }
    }

    /// Returns the edit distance of a key from a name, ignoring separators and a plural `s`; `None` if it exceeds
    /// `limit`.
    fn distance_to(&self, name: &Compared, limit: usize) -> Option<usize> {
        if name.written.len().abs_diff(self.plain.len()) > REACH {
            return None;
        }
        if name.written.len() >= 4 && self.plain.strip_suffix('s') == Some(name.written) {
            return Some(0);
        }
        let may_be_near = self.letters.least_distance(name.letters) <= limit;
        may_be_near.then(|| distance(&self.plain, &name.plain, limit)).filter(|far| *far <= limit)
    }
}

/// Returns whether keys are compared with a keyword: with all constraining keywords except rarely used references.
fn is_compared(keyword: Keyword) -> bool {
    match keyword {
        Keyword::Ref => true,
        Keyword::DynamicRef | Keyword::RecursiveRef | Keyword::If => false,
        _ => keyword.constrains(),
    }
}

/// Returns whether a name is a keyword that keys are compared with, or another tool's name for one.
pub(super) fn is_compared_name(name: &str) -> bool {
    Keyword::of_name(name).is_some_and(is_compared) || is_other_name(name)
}

/// Returns whether a name is another tool's name for a keyword.
pub(super) fn is_other_name(name: &str) -> bool {
    OTHER_NAMES.iter().any(|(other, _)| *other == name)
}

/// Returns the greatest edit distance of a misspelling of a keyword, ignoring letter case and separators. It is 0 for
/// short keywords, as one edit makes another word of them; `type`, `enum` and `$ref` have 1, as their values are
/// telling.
fn reach(keyword: Keyword) -> usize {
    if matches!(keyword, Keyword::Type | Keyword::Enum | Keyword::Ref) {
        return 1;
    }
    match keyword.name().len() {
        ..=4 => 0,
        5..=8 => 1,
        9..=13 => 2,
        _ => REACH,
    }
}

/// Returns the name without word separators.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).collect()
}

fn is_schema(value: &JsonValue) -> bool {
    value.as_object().is_some() || value.as_bool().is_some()
}

/// Returns whether a value has the form that a keyword expects.
fn takes(keyword: Keyword, value: &JsonValue) -> bool {
    let is_type =
        |name: &str| matches!(name, "null" | "boolean" | "integer" | "number" | "string" | "array" | "object");
    match (keyword.operand(), &value.kind) {
        (Operand::Schema | Operand::Items, JsonKind::Bool(_) | JsonKind::Object(_)) => true,
        (Operand::Schemas | Operand::Items, JsonKind::Array(items)) => items.iter().all(is_schema),
        (Operand::Map | Operand::NamesMap, JsonKind::Object(_)) => true,
        (Operand::Types, _) => type_names(value).next().is_some() && type_names(value).all(is_type),
        (Operand::Values, JsonKind::Array(_)) | (Operand::Value, _) => true,
        (Operand::Names, JsonKind::Array(items)) => {
            !items.is_empty() && items.iter().all(|item| item.as_str().is_some())
        }
        (Operand::Reference | Operand::Format | Operand::String, JsonKind::String(_)) => true,
        (Operand::Bool, JsonKind::Bool(_)) | (Operand::Number, JsonKind::Number(_)) => true,
        _ => false,
    }
}
