//! The scalars of a value as they are written outside of JSON: strings without quotes and escapes.

use ogc_regular::number::Spelling;
use ogc_regular::{Dfa, union_all};

use crate::algebra::Algebra;
use crate::assemble::{string_dfa, too_large};
use crate::error::{Reason, SchemaError};
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
            let help = "look for conditions that exclude each other";
            return Err(SchemaError::new(Reason::Empty, origin, "no value is in this type", help));
        }
        let shape = self.shape(value);
        if let Some(error) = shape.errors.first() {
            return Err((**error).clone());
        }
        let arrays = shape.arrays.iter().any(|arm| self.array_holds(arm));
        if arrays || shape.objects.iter().any(|arm| self.object_holds(arm)) {
            let help =
                "write `json<T>` for values in their brackets, or `raw<...>` of each scalar with text between them";
            let message = "`raw` takes strings, numbers, booleans and `null`; arrays and records are in this type";
            return Err(SchemaError::new(Reason::Raw, origin, message, help));
        }
        let mut parts = self.unquoted_strings(&shape, origin)?;
        for arm in &shape.numbers {
            let language = arm.language(spelling, &self.limits.regular);
            let refused = |error: ogc_regular::number::NumberError| {
                SchemaError::new(Reason::Number, origin, error.to_string(), "use simpler bounds and divisors here")
            };
            parts.push(language.map_err(refused)?);
        }
        let words = [(shape.null, "null"), (shape.yes, "true"), (shape.no, "false")];
        parts.extend(words.into_iter().filter(|(held, _)| *held).map(|(_, word)| Dfa::literal(word.as_bytes())));
        let parts: Vec<&Dfa> = parts.iter().collect();
        union_all(&parts, self.limits.regular.states).map_err(|error| too_large(origin, &error))
    }

    fn unquoted_strings(&self, shape: &Shape, origin: Origin) -> Result<Vec<Dfa>, SchemaError> {
        let mut parts = Vec::new();
        for arm in &shape.strings {
            let dfa = string_dfa(arm, &self.limits.regular).map_err(|error| too_large(origin, &error))?;
            let Some(dfa) = dfa else {
                let message = "any string is in this type, and without quotes nothing says where it ends";
                let help =
                    "write `text` for free text, or say which strings: `raw<string</[^,\\n]*/>>`, `raw<string<..80>>`";
                return Err(SchemaError::new(Reason::Raw, origin, message, help));
            };
            parts.push((*dfa).clone());
        }
        Ok(parts)
    }
}
