//! Strings: special cases first (any string, a length, a list, one pattern), automata only where needed.

use std::collections::BTreeSet;

use ogc_regular::budget::{self, Spender};
use ogc_regular::format::{PracticalForm, StringFormat, practical, practical_of_pattern};
use ogc_regular::length::{completions, length_bounds};
use ogc_regular::{Dfa, LimitError, union_all};

use crate::algebra::Algebra;
use crate::atom::{Atom, Keyword, Type};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::leaf::{CombinationCache, Text, shared, texts};
use crate::shape::{StringArm, StringLanguage};
use crate::source::{At, NodeId, Origin, StringKeywords, Value};
use crate::term::Term;
use crate::value::ValueId;

/// Cap on the separate automata of one value; more are joined into one.
const APART: usize = 4;

/// A conjunction of strings under construction.
#[derive(Debug, Default)]
struct Draft<'t> {
    origin: Origin,
    min: u64,
    max: Option<u64>,
    /// Lists that must all contain the string.
    lists: Vec<&'t [Value]>,
    /// Lists that must not contain the string.
    unlisted: Vec<&'t [Value]>,
    held: Vec<Text>,
    failed: Vec<Text>,
}

impl<'t> Algebra<'t> {
    /// The strings of all terms.
    pub(crate) fn strings(&mut self, terms: &[Vec<Atom>]) -> Result<Vec<StringArm>, SchemaError> {
        let mut arms = Vec::new();
        for term in terms {
            let draft = self.string_draft(term)?;
            let origin = draft.origin;
            let arm = draft
                .finish(&mut self.meets, self.limits.regular.states)
                .map_err(|error| SchemaError::new(origin, error))?;
            arms.extend(arm);
        }
        if arms.len() > 1 { join(arms, self.limits.regular.states) } else { Ok(arms) }
    }

    fn string_draft(&mut self, term: &[Atom]) -> Result<Draft<'t>, SchemaError> {
        let origin = term.first().map_or(Origin(0), |&atom| self.table.node(atom.node()).origin);
        let mut draft = Draft { origin, ..Draft::default() };
        let table = self.table;
        for &atom in term {
            let Some(keywords) = table.keywords(atom.node()) else { continue };
            match atom {
                Atom::Listed(node, list) => draft.lists.push(self.list(node, list)),
                Atom::Unlisted(node, list) => draft.unlisted.push(self.list(node, list)),
                Atom::Fails(_, keyword) => self.string_fails(&keywords.string, keyword, &mut draft)?,
                _ => self.string_holds(&keywords.string, &mut draft)?,
            }
        }
        Ok(draft)
    }

    fn string_holds(&mut self, string: &'t StringKeywords, draft: &mut Draft<'t>) -> Result<(), SchemaError> {
        draft.min = draft.min.max(string.min_length.as_ref().map_or(0, |least| least.value));
        draft.at_most(string.max_length.as_ref().map(|most| most.value));
        for pattern in &string.patterns {
            draft.held.push(self.pattern(pattern)?);
        }
        for format in &string.formats {
            let known = self.format(format)?;
            draft.at_most(known.max_chars.map(u64::from));
            // The practical form of a format is a subset of the format.
            if !is_practical(string, &format.value) {
                draft.held.push(Text::Known(&known.dfa));
            }
        }
        Ok(())
    }

    fn string_fails(
        &mut self,
        string: &'t StringKeywords,
        keyword: Keyword,
        draft: &mut Draft<'t>,
    ) -> Result<(), SchemaError> {
        match keyword {
            Keyword::MinLength => match string.min_length.as_ref().map_or(0, |least| least.value).checked_sub(1) {
                Some(most) => draft.at_most(Some(most)),
                None => draft.lists.push(&[]),
            },
            Keyword::MaxLength => match string.max_length.as_ref().and_then(|most| most.value.checked_add(1)) {
                Some(least) => draft.min = draft.min.max(least),
                None => draft.lists.push(&[]),
            },
            Keyword::Pattern(at) => {
                if let Some(pattern) = string.patterns.get(at as usize) {
                    draft.failed.push(self.pattern(pattern)?);
                }
            }
            Keyword::Format(at) => {
                if let Some(format) = string.formats.get(at as usize) {
                    if is_practical(string, &format.value) {
                        // A string that is not of the format fails the pattern of the practical form, or is too long.
                        match self.format(format)?.max_chars {
                            Some(most) => draft.min = draft.min.max(u64::from(most) + 1),
                            None => draft.lists.push(&[]),
                        }
                    } else {
                        draft.failed.push(self.not_format(format)?);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The language of an ECMA-262 pattern, unanchored.
    pub(crate) fn pattern(&mut self, pattern: &'t At<String>) -> Result<Text, SchemaError> {
        if let Some(known) = self.patterns.get(pattern.value.as_str()) {
            return Ok(known.clone());
        }
        if let Some(dfa) = practical_of_pattern(&pattern.value).and_then(PracticalForm::dfa) {
            return Ok(Text::Known(dfa));
        }
        let _place = budget::at(Spender(pattern.origin.0));
        let made = crate::leaf::pattern(&pattern.value, &self.limits.regular);
        let made = made.map_err(|error| SchemaError::new(pattern.origin, error))?;
        made.kept().map_err(|error| SchemaError::new(pattern.origin, error))?;
        self.patterns.insert(&pattern.value, made.clone());
        Ok(made)
    }

    fn format(&self, format: &At<String>) -> Result<&'static StringFormat, SchemaError> {
        ogc_regular::format::format(&format.value).ok_or_else(|| {
            SchemaError::new(format.origin, SchemaErrorKind::UnknownFormat { name: format.value.clone() })
        })
    }

    /// Builds a language that contains all strings of a format: a string outside of it is certainly not of the format.
    fn not_format(&self, format: &At<String>) -> Result<Text, SchemaError> {
        let known = self.format(format)?;
        if let Some(left_out) = known.left_out.filter(|_| known.wide.is_none()) {
            let kind = SchemaErrorKind::FormatComplement { name: format.value.clone(), left_out };
            return Err(SchemaError::new(format.origin, kind));
        }
        let limit = self.limits.regular.states;
        // A cover exists: the format leaves nothing out, or there is a wide form.
        let cover = || known.cover(limit).unwrap_or_else(|| Ok(known.dfa.clone()));
        shared(Some(Term::cover(known.name)), limit, cover).map_err(|error| SchemaError::new(format.origin, error))
    }

    /// The strings of a value as one automaton; `None` means every string.
    pub(crate) fn string_language(&mut self, value: ValueId, at: NodeId) -> Result<Option<Text>, SchemaError> {
        if let Some(known) = self.names.get(&value) {
            return Ok(known.clone());
        }
        let made = self.strings_of(value, at)?;
        self.names.insert(value, made.clone());
        Ok(made)
    }

    fn strings_of(&mut self, value: ValueId, at: NodeId) -> Result<Option<Text>, SchemaError> {
        let origin = self.table.node(at).origin;
        if value == ValueId::ANY {
            return Ok(None);
        }
        // Names are strings, so no other part of the value matters; it may lead back to the object.
        let strings = value != ValueId::NONE && self.types_of(value).has(Type::String);
        let terms = if strings { self.terms(Type::String, value)? } else { Vec::new() };
        let mut parts = Vec::new();
        for arm in &self.strings(&terms)? {
            match string_dfa(arm, &self.limits.regular).map_err(|error| SchemaError::new(origin, error))? {
                None => return Ok(None),
                Some(dfa) => parts.push(dfa),
            }
        }
        let parts: Vec<&Dfa> = parts.iter().map(|part| &**part).collect();
        let all = union_all(&parts, self.limits.regular.states).map_err(|error| SchemaError::new(origin, error))?;
        Ok(Some(Text::new(all)))
    }
}

/// An arm with its length bounds as one automaton; `None` means every string.
pub(crate) fn string_dfa(arm: &StringArm, limits: &ogc_regular::Limits) -> Result<Option<Text>, LimitError> {
    let any = || Text::new(Dfa::any_text());
    let dfa = match &arm.language {
        StringLanguage::Any if arm.min == 0 && arm.max.is_none() => return Ok(None),
        StringLanguage::Any => any(),
        StringLanguage::Finite(texts) => Text::new(Dfa::finite(texts)),
        StringLanguage::Dfa(dfa) => dfa.clone(),
    };
    if arm.min == 0 && arm.max.is_none() {
        return Ok(Some(dfa));
    }
    crate::leaf::with_length(&dfa, arm.min, arm.max, limits.states).map(Some)
}

/// Returns whether the pattern of the format's practical form is among the patterns.
fn is_practical(string: &StringKeywords, format: &str) -> bool {
    practical(format).is_some_and(|form| string.patterns.iter().any(|pattern| pattern.value == form.pattern))
}

impl Draft<'_> {
    fn at_most(&mut self, max: Option<u64>) {
        self.max = match (self.max, max) {
            (Some(known), Some(new)) => Some(known.min(new)),
            (known, new) => known.or(new),
        };
    }

    fn finish(self, meets: &mut CombinationCache, limit: usize) -> Result<Option<StringArm>, LimitError> {
        if self.max.is_some_and(|max| max < self.min) {
            return Ok(None);
        }
        if let Some((first, others)) = self.lists.split_first() {
            return Ok(self.finite(first, others));
        }
        let Some(language) = self.automaton(meets, limit)? else { return Ok(None) };
        match language {
            StringLanguage::Dfa(dfa) if self.min > 0 || self.max.is_some() => self.bounded(&dfa, limit),
            language => Ok(Some(StringArm { origin: self.origin, language, min: self.min, max: self.max })),
        }
    }

    /// Adds length bounds to an automaton. They are dropped if implied. They stay separate if there is only a least or
    /// only a greatest length (the farthest or the nearest end then decides), or if no gap between lengths is as wide
    /// as the bounds: until the least length is reached, the allowed further lengths are `max - min + 1` consecutive
    /// numbers.
    fn bounded(&self, dfa: &Text, limit: usize) -> Result<Option<StringArm>, LimitError> {
        let (least, most) = length_bounds(dfa);
        let disjoint =
            most.is_some_and(|most| u64::from(most) < self.min) || self.max.is_some_and(|max| max < u64::from(least));
        if disjoint {
            return Ok(None);
        }
        let arm =
            |dfa: Text, min, max| Some(StringArm { origin: self.origin, language: StringLanguage::Dfa(dfa), min, max });
        let max = self.max.filter(|&max| most.is_none_or(|most| u64::from(most) > max));
        let min = if self.min <= u64::from(least) { 0 } else { self.min };
        let Some(width) = max.map(|max| max - min).filter(|_| min > 0) else {
            return Ok(arm(dfa.clone(), min, max));
        };
        if completions(dfa).iter().all(|completion| u64::from(completion.gap) <= width) {
            return Ok(arm(dfa.clone(), min, max));
        }
        let unrolled = crate::leaf::with_length(dfa, min, max, limit)?;
        Ok(if unrolled.is_empty() { None } else { arm(unrolled, 0, None) })
    }

    fn finite(&self, first: &[Value], others: &[&[Value]]) -> Option<StringArm> {
        let sets: Vec<BTreeSet<&str>> = others.iter().map(|list| texts(list).collect()).collect();
        let excluded: BTreeSet<&str> = self.unlisted.iter().flat_map(|list| texts(list)).collect();
        let fits = |text: &&str| {
            sets.iter().all(|set| set.contains(text))
                && !excluded.contains(text)
                && self.fits_length(text)
                && self.held.iter().all(|dfa| dfa.contains(text.as_bytes()))
                && !self.failed.iter().any(|dfa| dfa.contains(text.as_bytes()))
        };
        let mut kept: Vec<String> = texts(first).filter(fits).map(str::to_owned).collect();
        kept.sort_unstable();
        kept.dedup();
        let arm = StringArm { origin: self.origin, language: StringLanguage::Finite(kept), min: 0, max: None };
        (arm.language != StringLanguage::Finite(Vec::new())).then_some(arm)
    }

    fn fits_length(&self, text: &str) -> bool {
        if self.min == 0 && self.max.is_none() {
            return true;
        }
        let length = text.chars().count() as u64;
        length >= self.min && self.max.is_none_or(|max| length <= max)
    }

    /// The language without length bounds; `None` if it is empty.
    fn automaton(&self, meets: &mut CombinationCache, limit: usize) -> Result<Option<StringLanguage>, LimitError> {
        if let ([only], true, true) = (self.held.as_slice(), self.failed.is_empty(), self.unlisted.is_empty()) {
            return Ok((!only.is_empty()).then(|| StringLanguage::Dfa(only.clone())));
        }
        if self.held.is_empty() && self.failed.is_empty() && self.unlisted.is_empty() {
            return Ok(Some(StringLanguage::Any));
        }
        let mut parts = self.held.clone();
        for failed in &self.failed {
            parts.push(meets.complement(failed, limit)?);
        }
        if !self.unlisted.is_empty() {
            parts.push(meets.unlisted(&self.unlisted, limit)?);
        }
        let all = meets.all(&parts, limit)?;
        Ok((!all.is_empty()).then_some(StringLanguage::Dfa(all)))
    }
}

/// The union of arms: lists become one list, and many automata one automaton.
fn join(arms: Vec<StringArm>, limit: usize) -> Result<Vec<StringArm>, SchemaError> {
    let free = |arm: &StringArm| arm.language == StringLanguage::Any && arm.min == 0 && arm.max.is_none();
    if let Some(any) = arms.iter().find(|arm| free(arm)) {
        return Ok(vec![any.clone()]);
    }
    let mut kept: Vec<StringArm> = Vec::new();
    let mut listed: Option<StringArm> = None;
    for arm in arms {
        match (&mut listed, &arm.language) {
            (Some(StringArm { language: StringLanguage::Finite(known), .. }), StringLanguage::Finite(more)) => {
                known.extend(more.iter().cloned())
            }
            (None, StringLanguage::Finite(_)) => listed = Some(arm),
            _ if kept
                .iter()
                .any(|known| known.language == arm.language && known.min == arm.min && known.max == arm.max) => {}
            _ => kept.push(arm),
        }
    }
    if let Some(StringArm { language: StringLanguage::Finite(known), .. }) = &mut listed {
        known.sort_unstable();
        known.dedup();
    }
    let mut kept = fuse(kept, limit)?;
    kept.extend(listed);
    Ok(kept)
}

/// Joins the automata without length bounds into one if there are too many.
fn fuse(arms: Vec<StringArm>, limit: usize) -> Result<Vec<StringArm>, SchemaError> {
    if arms.len() <= APART {
        return Ok(arms);
    }
    let plain = |arm: &StringArm| matches!(arm.language, StringLanguage::Dfa(_)) && arm.min == 0 && arm.max.is_none();
    let (fused, mut kept): (Vec<_>, Vec<_>) = arms.into_iter().partition(plain);
    let Some(origin) = fused.first().map(|arm| arm.origin) else { return Ok(kept) };
    let parts: Vec<&Dfa> = fused
        .iter()
        .filter_map(|arm| if let StringLanguage::Dfa(dfa) = &arm.language { Some(&**dfa) } else { None })
        .collect();
    let all = union_all(&parts, limit).map_err(|error| SchemaError::new(origin, error))?;
    kept.push(StringArm { origin, language: StringLanguage::Dfa(Text::new(all)), min: 0, max: None });
    Ok(kept)
}
