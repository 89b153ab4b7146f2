//! The scalars of a value as they are written outside of JSON: strings without quotes and escapes.

use ogc_regular::number::Spelling;
use ogc_regular::{Dfa, union_all};

use crate::algebra::Algebra;
use crate::assemble::string_dfa;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::leaf::{Text, with_length};
use crate::shape::{Shape, StringArm, StringLanguage};
use crate::source::Origin;
use crate::value::ValueId;
use crate::words::Words;

/// Cap on the states of an automaton with bounded length; longer strings are counted while they are read.
const WRITTEN_OUT: u64 = 256;

/// A value as it is written outside of JSON, where the surrounding text tells the ends of its strings.
#[derive(Clone, Debug, Default)]
pub struct Unquoted {
    /// Its strings, without quotes and escapes.
    pub strings: Vec<UnquotedStrings>,
    /// Its numbers, booleans and `null`; `None` if it has none.
    pub words: Option<Dfa>,
    /// Whether it has arrays or objects.
    pub brackets: bool,
}

/// Strings of one language.
#[derive(Clone, Debug)]
pub struct UnquotedStrings {
    /// The language; `None` for all strings.
    pub language: Option<Dfa>,
    /// The greatest number of characters, if the language does not bound it.
    pub max: Option<u32>,
}

impl Algebra<'_> {
    /// The texts of a solved value's strings without quotes and escapes, and of its numbers, booleans and `null`.
    ///
    /// # Errors
    ///
    /// The value has arrays, objects or unbounded strings, or [`Algebra::unquoted_parts`] rejects it.
    pub fn unquoted(
        &self,
        value: ValueId,
        (spelling, words): (Spelling, Words),
        origin: Origin,
    ) -> Result<Dfa, SchemaError> {
        let shape = self.shape(value);
        sound(&shape)?;
        if self.has_brackets(&shape) {
            return Err(SchemaError::new(origin, SchemaErrorKind::RawBrackets));
        }
        let mut parts = Vec::new();
        for arm in &shape.strings {
            let dfa = string_dfa(arm, &self.limits.regular).map_err(|error| SchemaError::new(origin, error))?;
            let dfa = dfa.ok_or_else(|| SchemaError::new(origin, SchemaErrorKind::RawWithoutEnd))?;
            parts.push((*dfa).clone());
        }
        parts.extend(self.words(&shape, (spelling, words), origin)?);
        self.union(&parts, origin)
    }

    /// The parts of a solved value for a place where the surrounding text ends its strings. Strings are written without
    /// quotes, arrays and objects as JSON.
    ///
    /// # Errors
    ///
    /// Patterns or numbers exceed the limits, or some part could not be written as an arm.
    pub fn unquoted_parts(
        &self,
        value: ValueId,
        (spelling, words): (Spelling, Words),
        origin: Origin,
    ) -> Result<Unquoted, SchemaError> {
        let shape = self.shape(value);
        sound(&shape)?;
        let strings = shape.strings.iter().map(|arm| self.bare_strings(arm, origin)).collect::<Result<_, _>>()?;
        let words = self.words(&shape, (spelling, words), origin)?;
        let words = if words.is_empty() { None } else { Some(self.union(&words, origin)?) };
        Ok(Unquoted { strings, words, brackets: self.has_brackets(&shape) })
    }

    fn bare_strings(&self, arm: &StringArm, origin: Origin) -> Result<UnquotedStrings, SchemaError> {
        let language = match &arm.language {
            StringLanguage::Any => Text::new(Dfa::any_text()),
            StringLanguage::Finite(texts) => Text::new(Dfa::finite(texts)),
            StringLanguage::Dfa(dfa) => dfa.clone(),
        };
        let states = arm.max.map(|max| max.saturating_mul(language.len() as u64));
        let max = arm.max.filter(|_| states.is_some_and(|states| states > WRITTEN_OUT));
        // The countdown is a 32-bit number; no string is longer.
        let counted = max.and_then(|max| u32::try_from(max).ok()).filter(|max| *max < u32::MAX);
        let bounded = if max.is_some() { None } else { arm.max };
        if arm.min == 0 && bounded.is_none() {
            let any = arm.language == StringLanguage::Any;
            return Ok(UnquotedStrings { language: (!any).then(|| (*language).clone()), max: counted });
        }
        let limit = self.limits.regular.states;
        let dfa = with_length(&language, arm.min, bounded, limit).map_err(|error| SchemaError::new(origin, error))?;
        Ok(UnquotedStrings { language: Some((*dfa).clone()), max: counted })
    }

    /// The texts of numbers, booleans and `null`.
    fn words(
        &self,
        shape: &Shape,
        (spelling, words): (Spelling, Words),
        origin: Origin,
    ) -> Result<Vec<Dfa>, SchemaError> {
        let mut parts = Vec::new();
        for arm in &shape.numbers {
            let language = arm.language(spelling, &self.limits.regular);
            parts.push(language.map_err(|error| SchemaError::new(origin, error))?.as_ref().clone());
        }
        let words = [(shape.null, words.null()), (shape.yes, words.truth(true)), (shape.no, words.truth(false))];
        parts.extend(words.into_iter().filter(|(held, _)| *held).map(|(_, word)| Dfa::literal(word.as_bytes())));
        Ok(parts)
    }

    fn has_brackets(&self, shape: &Shape) -> bool {
        let arrays = shape.arrays.iter().any(|arm| self.array_holds(arm));
        arrays || shape.objects.iter().any(|arm| self.object_holds(arm))
    }

    fn union(&self, parts: &[Dfa], origin: Origin) -> Result<Dfa, SchemaError> {
        let parts: Vec<&Dfa> = parts.iter().collect();
        union_all(&parts, self.limits.regular.states).map_err(|error| SchemaError::new(origin, error))
    }
}

/// Returns the error of a value with parts that could not be written as arms.
fn sound(shape: &Shape) -> Result<(), SchemaError> {
    shape.errors.first().map_or(Ok(()), |error| Err((**error).clone()))
}
