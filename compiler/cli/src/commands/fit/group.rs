//! Joins refusals that are about the same thing: the same kind at the same place of the format.

use std::collections::{BTreeMap, BTreeSet};

use ogc_runtime::matcher::DeclaredKey;

use super::kind::Kind;
use super::places::SourcePlace;
use super::walk::Refusal;

/// What refusals have in common that are told together. What is about the whole format has no place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GroupKey {
    pub(super) kind: Kind,
    /// The file by its name, and the bytes in it.
    place: Option<(String, u32, u32)>,
    /// The place in the text, as `/people/*/name`.
    pub(super) path: String,
}

impl GroupKey {
    pub(super) fn of(refusal: &Refusal, file: &str, place: Option<&SourcePlace>) -> Self {
        let kind = refusal.kind;
        let is_whole =
            matches!(kind, Kind::Space | Kind::NoSpace | Kind::Preface | Kind::Onward | Kind::Escape | Kind::Control);
        let place = place.filter(|_| !is_whole).map(|(_, span)| (file.to_owned(), span.start, span.end));
        let json = refusal.json.as_ref().filter(|_| !is_whole);
        Self { kind, place, path: json.map(|json| json.path()).unwrap_or_default() }
    }
}

/// Refusals that are told together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) key: GroupKey,
    /// The place of the most probable of them.
    pub(super) place: Option<SourcePlace>,
    /// The probability of all of them together.
    pub(super) mass: f64,
    /// The places in texts where they are, the texts, and how often the model's first choice is among them.
    pub(super) places: BTreeSet<(usize, usize)>,
    pub(super) texts: BTreeSet<usize>,
    pub(super) first: usize,
    /// What the model wants, with its probability.
    pub(super) wanted: BTreeMap<String, f64>,
    /// What the format expects at the most probable of them.
    pub(super) expected: Vec<u8>,
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
            may_end: false,
            keys: Vec::new(),
            heaviest: 0.0,
        }
    }

    fn add(&mut self, refusal: &Refusal, place: Option<SourcePlace>, wanted: String) {
        self.mass += refusal.mass;
        self.places.insert((refusal.text, refusal.at));
        self.texts.insert(refusal.text);
        self.first += usize::from(refusal.is_first);
        *self.wanted.entry(wanted).or_insert(0.0) += refusal.mass;
        if refusal.mass > self.heaviest {
            self.heaviest = refusal.mass;
            self.place = place;
            self.expected.clone_from(&refusal.position.expected);
            self.may_end = refusal.position.may_end;
            self.keys.clone_from(&refusal.keys);
        }
    }

    /// Returns what the model wants most, at most so many, in that order.
    pub(super) fn most_wanted(&self, most: usize) -> Vec<(&str, f64)> {
        let mut wanted: Vec<(&str, f64)> = self.wanted.iter().map(|(wanted, mass)| (wanted.as_str(), *mass)).collect();
        wanted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        wanted.truncate(most);
        wanted
    }
}

/// A refusal with its place and what the model wants.
pub(super) struct Told {
    pub(super) key: GroupKey,
    pub(super) refusal: Refusal,
    pub(super) place: Option<SourcePlace>,
    pub(super) wanted: String,
}

/// Joins refusals, those first that the model would write most.
pub(super) fn groups(told: Vec<Told>) -> Vec<Group> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    for Told { key, refusal, place, wanted } in told {
        let key = GroupKey { kind: about_order(&refusal, &wanted), ..key };
        groups.entry(key.clone()).or_insert_with(|| Group::new(key)).add(&refusal, place, wanted);
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|one, other| other.mass.total_cmp(&one.mass));
    groups
}

/// Returns the kind of a refusal once the key is known that the model wants: one of the record is about the order.
fn about_order(refusal: &Refusal, wanted: &str) -> Kind {
    match refusal.kind {
        Kind::Key | Kind::MoreKeys if refusal.keys.iter().any(|key| key.name == wanted) => Kind::Order,
        kind => kind,
    }
}
