//! Negated `additionalProperties`, `patternProperties` and `propertyNames`, which demand that some key is an exception.
//!
//! For the named keys this is a finite choice, and also for classes with few keys. For all other keys it becomes a
//! demand of the arm ([`KeyDemands`]): some member with such a key must meet it.
//!
//! In `not: {additionalProperties: {type: integer}}` beside `properties: {a: {}}`, either `a` is present and no
//! integer, or some other key is present with a value that is no integer.

use std::rc::Rc;

use ogc_regular::LimitError;

use super::object_draft::{ExceptionDemand, ObjectDraft};
use super::rest::UnnamedKeys;
use crate::algebra::Algebra;
use crate::atom::Keyword;
use crate::error::{ALTERNATIVES, KeyCondition, SchemaError};
use crate::shape::{KeyDemand, KeyDemands, Move, Rest};
use crate::source::{ObjectKeywords, Origin};
use crate::value::{Lit, ValueId};

/// Cap on the demands of one object that unnamed keys can meet: the object has states for each subset of them.
const DEMANDS: usize = 6;

/// A number of keys that no text can use up: texts have fewer bytes.
const ENDLESS: u64 = 1 << 30;

/// A choice of keys that together break every negated keyword about keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExceptionChoice {
    /// Named keys (by position) that must be present, each with a literal that its value must satisfy.
    pub(crate) keys: Vec<(usize, Option<Lit>)>,
    /// The demands on unnamed keys.
    pub(crate) demands: KeyDemands,
    /// The error of a demand that could not be expressed.
    pub(crate) poison: Option<Rc<SchemaError>>,
    /// The demands left to unnamed keys, one bit each.
    unnamed: u32,
}

/// The exceptions that unnamed keys of a draft can provide.
#[derive(Debug)]
pub(crate) struct Exceptions {
    pub(crate) rest: Rest,
    /// Per class: the demands that its keys can meet, one bit each.
    meets: Vec<u32>,
    /// Per demand: its bit; `None` if no unnamed key can meet it.
    bits: Vec<Option<u32>>,
    /// Per bit: the keyword, and a literal that the value of the key must satisfy.
    demands: Vec<(KeyDemand, Option<Lit>)>,
    /// The reason why unnamed keys cannot be exceptions here, if they might have to be.
    refused: Option<Rc<SchemaError>>,
}

impl Exceptions {
    pub(crate) fn new(rest: Rest) -> Self {
        Self { rest, meets: Vec::new(), bits: Vec::new(), demands: Vec::new(), refused: None }
    }

    /// Records that unnamed keys cannot be exceptions.
    pub(crate) fn refuse(&mut self, error: SchemaError) {
        self.refused = Some(Rc::new(error));
    }
}

impl<'t> Algebra<'t> {
    /// Finds which demands of a draft unnamed keys can meet. Classes that have few keys get names.
    pub(crate) fn find_unnamed(
        &mut self,
        draft: &mut ObjectDraft<'t>,
        exceptions: &mut Exceptions,
        origin: Origin,
    ) -> Result<(), SchemaError> {
        exceptions.bits = vec![None; draft.exists.len()];
        if exceptions.rest.is_closed() {
            return Ok(());
        }
        let mut asked = Vec::new();
        for (at, &exists) in draft.exists.iter().enumerate() {
            if let Some(demand) = self.demand(exists) {
                exceptions.bits[at] = Some(asked.len() as u32);
                exceptions.demands.push(demand);
                asked.push(exists);
            }
        }
        if asked.is_empty() {
            return Ok(());
        }
        let check = |given: usize| {
            let what = "exceptions among the unnamed keys of one object";
            LimitError::check(what, given, DEMANDS).map_err(|error| SchemaError::new(origin, error))
        };
        if asked.len() >= u32::BITS as usize {
            check(asked.len())?;
        }
        let UnnamedKeys { rest, meets } = self.unnamed_keys(draft, &asked)?;
        (exceptions.rest, exceptions.meets) = (rest, meets);
        // If the arm allows no more members than the class has keys, one key is always left.
        let (meets, most) = (&exceptions.meets, draft.max.unwrap_or(u64::MAX));
        let few = |class: usize| unnamed_count(draft, &exceptions.rest, class) < most;
        let wanted: Vec<bool> = (0..meets.len()).map(|class| meets[class] != 0 && few(class)).collect();
        self.name_few(draft, &mut exceptions.rest, |class| wanted[class])?;
        let classes =
            exceptions.rest.classes.iter().zip(&exceptions.meets).filter(|(class, _)| **class != ValueId::NONE);
        let met = classes.fold(0, |met, (_, meets)| met | meets);
        exceptions.bits.iter_mut().for_each(|bit| *bit = bit.filter(|bit| met >> bit & 1 == 1));
        check(exceptions.bits.iter().flatten().count())
    }

    /// The keyword that must be broken, and a literal that the value of the key must satisfy; `None` if no value can.
    fn demand(&mut self, exists: ExceptionDemand) -> Option<(KeyDemand, Option<Lit>)> {
        let table = self.table;
        let object = &table.keywords(exists.node)?.object;
        let (condition, literal) = match exists.keyword {
            Keyword::PatternProperty(at) => {
                let (_, schema) = object.pattern_properties.get(at as usize)?;
                (KeyCondition::PatternProperties, Some(Lit::no(*schema)))
            }
            Keyword::Additional => {
                let additional = object.additional_properties.as_ref()?;
                (KeyCondition::AdditionalProperties, Some(Lit::no(additional.value)))
            }
            _ => (KeyCondition::PropertyNames, None),
        };
        let is_possible = literal.is_none_or(|literal| self.value(&[literal]) != ValueId::NONE);
        let origin = self.table.node(exists.node).origin;
        is_possible.then_some((KeyDemand { origin, condition }, literal))
    }

    /// All ways to provide the exceptions of a draft.
    pub(crate) fn exceptions(
        &mut self,
        draft: &ObjectDraft<'t>,
        exceptions: &Exceptions,
    ) -> Result<Vec<ExceptionChoice>, SchemaError> {
        let mut ways = vec![ExceptionChoice::default()];
        for (exists, bit) in draft.exists.iter().zip(&exceptions.bits) {
            let table = self.table;
            let Some(keywords) = table.keywords(exists.node) else { continue };
            let single = self.single(draft, *exists, &keywords.object)?;
            ways = ways.iter().flat_map(|way| extend(way, &single, *bit, exceptions.refused.as_ref())).collect();
            let origin = self.table.node(exists.node).origin;
            let checked = SchemaError::check(origin, ALTERNATIVES, ways.len(), self.limits.arms);
            match checked {
                Err(error) if !exceptions.demands.is_empty() => {
                    return Ok(vec![ExceptionChoice { poison: Some(Rc::new(error)), ..ExceptionChoice::default() }]);
                }
                checked => checked?,
            }
        }
        for way in ways.iter_mut().filter(|way| way.unnamed != 0 && way.poison.is_none()) {
            way.demands = self.key_demands(exceptions, way.unnamed);
            way.demands.fewest = fewest(draft, exceptions, &way.demands);
        }
        Ok(ways)
    }

    /// Returns the wanted demands, with the ways to read the value of an unnamed key under them.
    fn key_demands(&mut self, exceptions: &Exceptions, wanted: u32) -> KeyDemands {
        let all: Vec<usize> = (0..exceptions.demands.len()).filter(|at| wanted >> at & 1 == 1).collect();
        let mut moves = Vec::with_capacity(exceptions.meets.len());
        for (&class, &meets) in exceptions.rest.classes.iter().zip(&exceptions.meets) {
            let possible = (0..).zip(&all).filter(|(_, at)| meets >> **at & 1 == 1);
            let possible: Vec<(u32, Option<Lit>)> =
                possible.map(|(bit, &at)| (bit, exceptions.demands[at].1)).collect();
            moves.push(if class == ValueId::NONE { Vec::new() } else { self.key_moves(class, &possible) });
        }
        let all = all.into_iter().map(|at| exceptions.demands[at].0).collect();
        KeyDemands { all, moves, fewest: None }
    }

    /// The ways to read the value of a key of a class, given the demands (by number) that it can meet: for each subset
    /// of these, the values that meet exactly this subset.
    fn key_moves(&mut self, class: ValueId, possible: &[(u32, Option<Lit>)]) -> Vec<Move> {
        let literals = self.values.literals(class).to_vec();
        let mut moves = Vec::new();
        for chosen in 0..1u32 << possible.len() {
            let mut all = literals.clone();
            let (mut counted, mut is_possible) = (0, true);
            for (at, &(bit, literal)) in possible.iter().enumerate() {
                match (chosen >> at & 1 == 1, literal) {
                    (true, literal) => {
                        counted |= 1 << bit;
                        all.extend(literal);
                    }
                    (false, Some(literal)) => all.push(literal.not()),
                    (false, None) => is_possible = false,
                }
            }
            let value = if is_possible { self.value(&all) } else { ValueId::NONE };
            if value != ValueId::NONE {
                moves.push(Move { counted, value });
            }
        }
        moves
    }

    /// The named keys that can be the exception, each with a literal that its value must satisfy.
    fn single(
        &mut self,
        draft: &ObjectDraft<'t>,
        exists: ExceptionDemand,
        object: &'t ObjectKeywords,
    ) -> Result<Vec<(usize, Option<Lit>)>, SchemaError> {
        let mut found = Vec::new();
        match exists.keyword {
            Keyword::PatternProperty(at) => {
                let Some((pattern, schema)) = object.pattern_properties.get(at as usize) else { return Ok(found) };
                let dfa = self.pattern(pattern)?;
                let matching = draft.slots.keys().enumerate().filter(|(_, key)| dfa.contains(key.as_bytes()));
                found.extend(matching.map(|(at, _)| (at, Some(Lit::no(*schema)))));
            }
            Keyword::Additional => {
                let Some(additional) = &object.additional_properties else { return Ok(found) };
                let mut spoken = vec![false; draft.slots.len()];
                for (key, _) in &object.properties {
                    draft.slots.get_index_of(key.as_str()).into_iter().for_each(|at| spoken[at] = true);
                }
                for (pattern, _) in &object.pattern_properties {
                    let dfa = self.pattern(pattern)?;
                    let matching = draft.slots.keys().zip(&mut spoken).filter(|(key, _)| dfa.contains(key.as_bytes()));
                    matching.for_each(|(_, spoken)| *spoken = true);
                }
                let open = spoken.iter().enumerate().filter(|(_, spoken)| !**spoken);
                found.extend(open.map(|(at, _)| (at, Some(Lit::no(additional.value)))));
            }
            _ => {
                let Some(names) = &object.property_names else { return Ok(found) };
                let value = self.value(&[Lit::yes(names.value)]);
                if let Some(language) = self.string_language(value, names.value)? {
                    let outside = draft.slots.keys().enumerate().filter(|(_, key)| !language.contains(key.as_bytes()));
                    found.extend(outside.map(|(at, _)| (at, None)));
                }
            }
        }
        Ok(found)
    }
}

/// Returns the least number of keys in a class that can meet a demand, if a text could use all of them up and leave no
/// key for an open demand.
fn fewest(draft: &ObjectDraft<'_>, exceptions: &Exceptions, demands: &KeyDemands) -> Option<u64> {
    let classes = demands.moves.iter().enumerate().filter(|(_, moves)| moves.iter().any(|way| way.counted != 0));
    let left = classes.map(|(class, _)| unnamed_count(draft, &exceptions.rest, class));
    left.min().filter(|&left| left < ENDLESS && draft.max.is_none_or(|max| left < max))
}

/// Counts the unnamed keys of a class; `u64::MAX` if unbounded.
fn unnamed_count(draft: &ObjectDraft<'_>, rest: &Rest, class: usize) -> u64 {
    let all = rest.keys_of(class);
    let named = draft.slots.keys().filter(|key| all.contains(key.as_bytes())).count() as u64;
    all.count().map_or(u64::MAX, |keys| keys.saturating_sub(named))
}

fn extend(
    way: &ExceptionChoice,
    single: &[(usize, Option<Lit>)],
    unnamed: Option<u32>,
    refused: Option<&Rc<SchemaError>>,
) -> Vec<ExceptionChoice> {
    let with = |&key: &(usize, Option<Lit>)| {
        let mut next = way.clone();
        next.keys.push(key);
        next
    };
    let mut all: Vec<ExceptionChoice> = single.iter().map(with).collect();
    all.extend(unnamed.map(|bit| match refused {
        Some(refused) => ExceptionChoice { poison: Some(Rc::clone(refused)), ..way.clone() },
        None => ExceptionChoice { unnamed: way.unnamed | 1 << bit, ..way.clone() },
    }));
    all
}
