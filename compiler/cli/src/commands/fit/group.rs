//! Joins refusals about the same thing: the same kind at the same place of the format.

use std::collections::{BTreeMap, BTreeSet};

use ogc_runtime::matcher::DeclaredKey;

use super::kind::Kind;
use super::places::SourcePlace;
use super::scan::JsonPlace;
use super::walk::Refusal;

/// The kind and place that the refusals of one finding share. Kinds about the whole format have no place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupKey {
    pub(super) kind: Kind,
    /// The file name, and the byte range in it.
    place: Option<(String, u32, u32)>,
    /// The path in the JSON text, such as `/people/*/name`.
    pub(super) path: String,
}

impl GroupKey {
    /// Makes the key of a refusal. `place` is the place of the object around it, or its own place if there is no
    /// object.
    pub(super) fn of(refusal: &Refusal, file: &str, place: Option<&SourcePlace>) -> Self {
        let kind = refusal.kind;
        if kind.is_about_whole() {
            return Self { kind, place: None, path: String::new() };
        }
        let place = place.map(|(_, span)| (file.to_owned(), span.start, span.end));
        let path =
            refusal.json.as_ref().map(|json| if kind.is_about_around() { json.path_around() } else { json.path() });
        Self { kind, place, path: path.unwrap_or_default() }
    }
}

/// Refusals that are reported together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) key: GroupKey,
    /// Place of the refusal with the highest probability.
    pub(super) place: Option<SourcePlace>,
    /// Sum of the refusals' probabilities.
    pub(super) mass: f64,
    /// The places of the refusals (text and position), the texts, and how often the model's first choice was refused.
    pub(super) places: BTreeSet<(usize, usize)>,
    pub(super) texts: BTreeSet<usize>,
    pub(super) first: usize,
    /// The texts that the model wants, each with its probability.
    pub(super) wanted: BTreeMap<String, f64>,
    /// The bytes allowed at the refusal with the highest probability.
    pub(super) expected: Vec<u8>,
    /// The bytes that the format forces there.
    pub(super) forced: Vec<u8>,
    pub(super) may_end: bool,
    pub(super) keys: Vec<DeclaredKey>,
    heaviest: f64,
}

impl Group {
    fn new(key: GroupKey) -> Self {
        Self {
            key,
            place: None,
            mass: 0.0,
            places: BTreeSet::new(),
            texts: BTreeSet::new(),
            first: 0,
            wanted: BTreeMap::new(),
            expected: Vec::new(),
            forced: Vec::new(),
            may_end: false,
            keys: Vec::new(),
            heaviest: 0.0,
        }
    }

    fn add(&mut self, told: &Told, is_first_place: bool) {
        let Told { refusal, place, wanted, .. } = told;
        self.mass += refusal.mass;
        self.places.insert((refusal.text, refusal.at));
        self.texts.insert(refusal.text);
        self.first += usize::from(refusal.is_first);
        if !is_first_place && self.key.kind.is_told_at_first() {
            return;
        }
        *self.wanted.entry(wanted.clone()).or_insert(0.0) += refusal.mass;
        if refusal.mass > self.heaviest {
            self.heaviest = refusal.mass;
            self.place = *place;
            self.expected.clone_from(&refusal.position.expected);
            self.forced.clone_from(&refusal.forced);
            self.may_end = refusal.position.may_end;
            self.keys.clone_from(&refusal.keys);
        }
    }

    /// Returns at most `most` wanted texts with their shares, the largest share first.
    pub(super) fn most_wanted(&self, most: usize) -> Vec<(&str, f64)> {
        let mut wanted: Vec<(&str, f64)> = self.wanted.iter().map(|(wanted, mass)| (wanted.as_str(), *mass)).collect();
        wanted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let all: f64 = self.wanted.values().sum();
        wanted.truncate(most);
        wanted.iter_mut().for_each(|(_, mass)| *mass /= all.max(f64::MIN_POSITIVE));
        wanted
    }
}

/// A refusal with its place, and with the text that the model wants.
pub(super) struct Told {
    pub(super) key: GroupKey,
    pub(super) refusal: Refusal,
    pub(super) place: Option<SourcePlace>,
    pub(super) wanted: String,
}

/// Joins refusals into groups, the most probable group first. The refusals must be ordered by text and place.
pub(super) fn groups(told: Vec<Told>) -> Vec<Group> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    // For each group and text, the first and last place of the current run of adjacent places. The beginning of a value
    // and its inside are separate runs.
    let mut runs: BTreeMap<(GroupKey, usize, Option<JsonPlace>), (usize, usize)> = BTreeMap::new();
    for mut told in told {
        let at = told.refusal.at;
        let json = told.refusal.json.as_ref().map(|json| json.place);
        let run = runs.entry((told.key.clone(), told.refusal.text, json)).or_insert((at, at));
        *run = if at <= run.1 + 1 { (run.0, at) } else { (at, at) };
        let is_first_place = run.0 == at;
        told.key.kind = about_order(&told.refusal, &told.wanted);
        groups.entry(told.key.clone()).or_insert_with(|| Group::new(told.key.clone())).add(&told, is_first_place);
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|one, other| other.mass.total_cmp(&one.mass));
    groups
}

/// Returns the kind of a refusal once the model's key is known: for another key of the record, the disagreement is
/// about the order.
fn about_order(refusal: &Refusal, wanted: &str) -> Kind {
    match refusal.kind {
        Kind::Key | Kind::MoreKeys if refusal.keys.iter().any(|key| key.name == wanted) => Kind::Order,
        kind => kind,
    }
}
