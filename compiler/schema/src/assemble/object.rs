//! Objects: the conditions of all conjoined schemas on each named key, and on all other keys.

use ogc_regular::budget;

use super::exists::{ExceptionChoice, Exceptions};
use super::object_draft::{ExceptionDemand, ObjectDraft};
use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword};
use crate::error::{ALTERNATIVES, SchemaError};
use crate::shape::{Key, ObjectArm, Rest};
use crate::source::{At, NodeId, ObjectKeywords, Origin};
use crate::value::{Lit, ValueId};

impl<'t> Algebra<'t> {
    /// The arms of one term.
    pub(crate) fn objects(
        &mut self,
        term: &[Atom],
        origin: Origin,
        arms: &mut Vec<ObjectArm>,
    ) -> Result<(), SchemaError> {
        let mut draft = ObjectDraft::default();
        let table = self.table;
        let keywords = |atom: Atom| table.keywords(atom.node()).map(|keywords| &keywords.object);
        for &atom in term {
            let Some(object) = keywords(atom) else { continue };
            if let Atom::Base(node) = atom {
                declare(node, object, &mut draft);
            }
        }
        for &atom in term {
            if let Atom::Kept(_, number) = atom {
                draft.formulas.extend(self.kept.get(number as usize).cloned());
                continue;
            }
            let Some(object) = keywords(atom) else { continue };
            match atom {
                Atom::Base(_) => hold(object, &mut draft),
                Atom::Fails(node, keyword) => fail(node, object, keyword, &mut draft),
                _ => depend(atom, object, &mut draft),
            }
        }
        if draft.dead {
            return Ok(());
        }
        if !draft.formulas.is_empty() {
            self.declare_keys(&mut draft);
        }
        self.fill_slots(&mut draft, 0)?;
        if draft.slots.values().any(|slot| slot.absent && slot.required.is_some()) {
            return Ok(());
        }
        let rest = self.rest(&draft)?;
        self.finish_objects(draft, rest, origin, arms)
    }

    /// Adds the conditions of the conjoined schemas to each key from position `from` on.
    fn fill_slots(&mut self, draft: &mut ObjectDraft<'t>, from: usize) -> Result<(), SchemaError> {
        let table = self.table;
        for &group in &draft.groups {
            let Some(keywords) = table.keywords(group) else { continue };
            let object = &keywords.object;
            let additional = object.additional_properties.as_ref().map(|additional| Lit::yes(additional.value));
            let mut spoken = vec![false; draft.slots.len()];
            for (key, node) in &object.properties {
                if let Some((at, _, slot)) = draft.slots.get_full_mut(key.as_str()).filter(|(at, ..)| *at >= from) {
                    slot.literals.push(Lit::yes(*node));
                    spoken[at] = true;
                }
            }
            for (pattern, node) in &object.pattern_properties {
                let dfa = self.pattern(pattern)?;
                let matching = budget::work(draft.slots.len());
                matching.map_err(|error| SchemaError::new(pattern.origin, error))?;
                for (at, (key, slot)) in draft.slots.iter_mut().enumerate().skip(from) {
                    if dfa.contains(key.as_bytes()) {
                        slot.literals.push(Lit::yes(*node));
                        spoken[at] = true;
                    }
                }
            }
            let Some(additional) = additional else { continue };
            for ((_, slot), _) in draft.slots.iter_mut().zip(spoken).skip(from).filter(|(_, spoken)| !spoken) {
                slot.literals.push(additional);
            }
        }
        self.check_names(draft)
    }

    /// Marks the keys that `propertyNames` rejects as absent.
    fn check_names(&mut self, draft: &mut ObjectDraft<'t>) -> Result<(), SchemaError> {
        for &names in &draft.names {
            let value = self.value(&[Lit::yes(names)]);
            let Some(language) = self.string_language(value, names)? else { continue };
            for (key, slot) in &mut draft.slots {
                slot.absent |= !language.contains(key.as_bytes());
            }
        }
        Ok(())
    }

    fn finish_objects(
        &mut self,
        mut draft: ObjectDraft<'t>,
        mut rest: Rest,
        origin: Origin,
        arms: &mut Vec<ObjectArm>,
    ) -> Result<(), SchemaError> {
        if draft.exists.is_empty() {
            let required = draft.slots.values().filter(|slot| slot.required.is_some()).count() as u64;
            let has_few = |class: usize| {
                rest.classes[class] == ValueId::NONE || rest.keys_of(class).finite_strings(NAMED).is_some()
            };
            if draft.min > required + 1 && (0..rest.classes.len()).all(has_few) {
                self.name_few(&mut draft, &mut rest, |_| true)?;
            }
            arms.extend(self.arm(&draft, &ExceptionChoice::default(), &rest, origin)?);
            return Ok(());
        }
        let mut exceptions = Exceptions::new(rest);
        if let Err(error) = self.find_unnamed(&mut draft, &mut exceptions, origin) {
            exceptions.refuse(error);
        }
        for choice in self.exceptions(&draft, &exceptions)? {
            arms.extend(self.arm(&draft, &choice, &exceptions.rest, origin)?);
            SchemaError::check(origin, ALTERNATIVES, arms.len(), self.limits.arms)?;
        }
        Ok(())
    }

    /// The arm in which the chosen keys must be present and satisfy a literal too.
    fn arm(
        &mut self,
        draft: &ObjectDraft<'t>,
        choice: &ExceptionChoice,
        rest: &Rest,
        origin: Origin,
    ) -> Result<Option<ObjectArm>, SchemaError> {
        match draft.formulas.is_empty() {
            true => Ok(self.plain_arm(draft, choice, rest, origin)),
            false => self.conditioned_arm(draft, choice, rest, origin),
        }
    }

    /// Gives names to the keys of small classes, so that each key is distinguished.
    pub(super) fn name_few(
        &mut self,
        draft: &mut ObjectDraft<'t>,
        rest: &mut Rest,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<(), SchemaError> {
        let from = draft.slots.len();
        for class in 0..rest.classes.len() {
            if rest.classes[class] == ValueId::NONE || !is_wanted(class) {
                continue;
            }
            let few = rest.keys_of(class).finite_strings(NAMED + draft.slots.len());
            let new = few.map(|few| few.into_iter().filter(|key| !draft.slots.contains_key(key.as_str())));
            if let Some(new) = new.map(Iterator::collect::<Vec<_>>).filter(|new| new.len() <= NAMED) {
                draft.name(new);
                rest.classes[class] = ValueId::NONE;
            }
        }
        self.fill_slots(draft, from)
    }

    fn plain_arm(
        &mut self,
        draft: &ObjectDraft<'t>,
        choice: &ExceptionChoice,
        rest: &Rest,
        origin: Origin,
    ) -> Option<ObjectArm> {
        let names: usize = draft.slots.keys().map(|name| name.len()).sum();
        let drawn = budget::work(draft.slots.len()).and(budget::keep(draft.slots.len() * size_of::<Key>() + names));
        // Once the budget is exhausted, the result is discarded.
        drawn.ok()?;
        let closed = rest.is_closed();
        let mut keys = Vec::with_capacity(draft.slots.len());
        let mut needed = 0;
        for (at, (name, slot)) in draft.slots.iter().enumerate() {
            let mut demanded = choice.keys.iter().filter(|(which, _)| *which == at).peekable();
            let required = slot.required.or(demanded.peek().map(|_| origin));
            let value = match (slot.absent, demanded.peek()) {
                (true, _) => ValueId::NONE,
                (false, None) => self.value(&slot.literals),
                (false, Some(_)) => {
                    let all: Vec<Lit> =
                        slot.literals.iter().copied().chain(demanded.filter_map(|(_, literal)| *literal)).collect();
                    self.value(&all)
                }
            };
            match (value == ValueId::NONE, required) {
                (true, Some(_)) => return None,
                (true, None) if closed => continue,
                (_, required) => {
                    needed += u64::from(required.is_some());
                    keys.push(Key { name: name.to_string(), value, required });
                }
            }
        }
        if draft.max.is_some_and(|max| max < needed.max(draft.min)) {
            return None;
        }
        let min = if draft.min <= needed { 0 } else { draft.min };
        if draft.max == Some(0) {
            return choice.demands.all.is_empty().then(|| bare_arm(origin, choice));
        }
        let (demands, poison) = (choice.demands.clone(), choice.poison.clone());
        Some(ObjectArm {
            origin,
            keys,
            rest: rest.clone(),
            min,
            max: draft.max,
            conditions: Vec::new(),
            demands,
            poison,
        })
    }
}

/// The arm without members. It lists no keys, as white space before a first key would lead nowhere.
fn bare_arm(origin: Origin, choice: &ExceptionChoice) -> ObjectArm {
    ObjectArm {
        origin,
        keys: Vec::new(),
        rest: Rest { classes: vec![ValueId::NONE], keys: None },
        min: 0,
        max: None,
        conditions: Vec::new(),
        demands: choice.demands.clone(),
        poison: choice.poison.clone(),
    }
}

/// Classes with at most this many keys get names where it matters which keys are present.
const NAMED: usize = 32;

fn declare<'t>(node: NodeId, object: &'t ObjectKeywords, draft: &mut ObjectDraft<'t>) {
    let speaks = !object.properties.is_empty()
        || !object.pattern_properties.is_empty()
        || object.additional_properties.is_some();
    if speaks {
        draft.groups.push(node);
    }
    draft.slots.reserve(object.properties.len());
    for (key, _) in &object.properties {
        draft.slot(key);
    }
}

fn hold<'t>(object: &'t ObjectKeywords, draft: &mut ObjectDraft<'t>) {
    for key in &object.required {
        draft.require(&key.value, key.origin);
    }
    draft.names.extend(object.property_names.iter().map(|names| names.value));
    draft.min = draft.min.max(object.min_properties.as_ref().map_or(0, |min| min.value));
    if let Some(max) = &object.max_properties {
        draft.at_most(max.value);
    }
}

fn fail<'t>(node: NodeId, object: &'t ObjectKeywords, keyword: Keyword, draft: &mut ObjectDraft<'t>) {
    match keyword {
        Keyword::Required(at) => {
            if let Some(key) = object.required.get(at as usize) {
                draft.slot(&key.value).absent = true;
            }
        }
        Keyword::Property(at) => {
            if let Some((key, schema)) = object.properties.get(at as usize) {
                draft.slot(key).literals.push(Lit::no(*schema));
                draft.require(key, Origin(0));
            }
        }
        Keyword::MinProperties => match object.min_properties.as_ref().and_then(|min| min.value.checked_sub(1)) {
            Some(max) => draft.at_most(max),
            None => draft.dead = true,
        },
        Keyword::MaxProperties => {
            let least = object.max_properties.as_ref().map_or(0, |max| max.value.saturating_add(1));
            draft.min = draft.min.max(least);
        }
        Keyword::Additional | Keyword::PatternProperty(_) | Keyword::Names => {
            for (key, _) in &object.properties {
                draft.slot(key);
            }
            draft.exists.push(ExceptionDemand { node, keyword });
        }
        _ => {}
    }
}

fn depend<'t>(atom: Atom, object: &'t ObjectKeywords, draft: &mut ObjectDraft<'t>) {
    let list = |at: u32| object.dependent_required.get(at as usize);
    let schema = |at: u32| object.dependent_schemas.get(at as usize).map(|(key, _)| key);
    match atom {
        Atom::Without(_, at) => {
            if let Some((key, _)) = object.properties.get(at as usize) {
                draft.slot(key).absent = true;
            }
        }
        Atom::ListAbsent(_, at) => absent(list(at).map(|(key, _)| key), draft),
        Atom::SchemaAbsent(_, at) => absent(schema(at), draft),
        Atom::SchemaPresent(_, at) => present(schema(at), draft),
        Atom::ListPresent(_, at) => {
            present(list(at).map(|(key, _)| key), draft);
            if let Some((key, required)) = list(at) {
                required.iter().for_each(|other| draft.require(other, key.origin));
            }
        }
        Atom::ListFails(_, at, which) => {
            present(list(at).map(|(key, _)| key), draft);
            if let Some(other) = list(at).and_then(|(_, required)| required.get(which as usize)) {
                draft.slot(other).absent = true;
            }
        }
        _ => {}
    }
}

fn absent<'t>(key: Option<&'t At<String>>, draft: &mut ObjectDraft<'t>) {
    if let Some(key) = key {
        draft.slot(&key.value).absent = true;
    }
}

fn present<'t>(key: Option<&'t At<String>>, draft: &mut ObjectDraft<'t>) {
    if let Some(key) = key {
        draft.require(&key.value, key.origin);
    }
}
