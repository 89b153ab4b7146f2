//! The scalars of a value as they are written outside of JSON: strings without quotes and escapes.

use ogc_regular::number::Spelling;
use ogc_regular::{Dfa, union_all};

use crate::algebra::Algebra;
use crate::assemble::string_dfa;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::shape::Shape;
use crate::source::Origin;
use crate::value::ValueId;

impl Algebra<'_> {
    /// The texts of a value's strings without quotes and escapes, and of its numbers, booleans and `null` as JSON has them.
    ///
    /// # Errors
    ///
    /// Arrays, objects, strings that nothing bounds, no values at all, and all that [`Algebra::solve`] refuses.
    pub fn unquoted(&mut self, value: ValueId, spelling: Spelling, origin: Origin) -> Result<Dfa, SchemaError> {
        self.solve(value)?;
        if !self.holds_something(value) {
            return Err(SchemaError::new(origin, SchemaErrorKind::Empty));
        }
        let shape = self.shape(value);
        if let Some(error) = shape.errors.first() {
            return Err((**error).clone());
        }
        let arrays = shape.arrays.iter().any(|arm| self.array_holds(arm));
        if arrays || shape.objects.iter().any(|arm| self.object_holds(arm)) {
            return Err(SchemaError::new(origin, SchemaErrorKind::RawBrackets));
        }
        let mut parts = self.unquoted_strings(&shape, origin)?;
        for arm in &shape.numbers {
            let language = arm.language(spelling, &self.limits.regular);
            parts.push(language.map_err(|error| SchemaError::new(origin, error))?);
        }
        let words = [(shape.null, "null"), (shape.yes, "true"), (shape.no, "false")];
        parts.extend(words.into_iter().filter(|(held, _)| *held).map(|(_, word)| Dfa::literal(word.as_bytes())));
        let parts: Vec<&Dfa> = parts.iter().collect();
        union_all(&parts, self.limits.regular.states).map_err(|error| SchemaError::new(origin, error))
    }

    fn unquoted_strings(&self, shape: &Shape, origin: Origin) -> Result<Vec<Dfa>, SchemaError> {
        let mut parts = Vec::new();
        for arm in &shape.strings {
            let dfa = string_dfa(arm, &self.limits.regular).map_err(|error| SchemaError::new(origin, error))?;
            let dfa = dfa.ok_or_else(|| SchemaError::new(origin, SchemaErrorKind::RawWithoutEnd))?;
            parts.push((*dfa).clone());
        }
        Ok(parts)
    }
}
