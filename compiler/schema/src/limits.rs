//! The budgets of the algebra: conjunctions multiply, and every place where they do stops at a stated number.

/// Bounds the work on one schema.
///
/// ```
/// use ogc_schema::Limits;
/// let few = Limits { arms: 8, ..Limits::default() };
/// assert!(few.arms < Limits::default().arms);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Distinct conjunctions of schemas. 100,000 are some tenths of a second.
    pub values: usize,
    /// Alternatives of one conjunction, per JSON type.
    pub arms: usize,
    /// Alternatives of the objects of one conjunction up to which conditions on their keys are written as alternatives; beyond them they are
    /// kept as conditions where they can be. An object with more alternatives than [`Self::arms`] is refused otherwise.
    pub written: usize,
    /// Steps to write one conjunction as alternatives, per JSON type.
    pub work: usize,
    /// Steps to write all conjunctions of a schema as alternatives; some seconds. Real schemas take up to 200,000.
    pub steps: usize,
    /// Schemas within schemas that must be compared to tell the arms of a `oneOf` apart.
    pub depth: usize,
    /// For the regular languages of strings and keys.
    pub regular: ogc_regular::Limits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            values: 100_000,
            arms: 1_024,
            written: 64,
            work: 50_000,
            steps: 2_000_000,
            depth: 24,
            regular: ogc_regular::Limits::default(),
        }
    }
}

/// The form in which choices between alternatives of a value are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As so many alternatives at most.
    Alternatives(usize),
    /// As conditions on the keys of objects where they can be, else as alternatives.
    Conditions,
    /// As [`Self::Conditions`]; those too that count members, or speak of keys by patterns. They can be kept where the object's undeclared
    /// keys are all alike to them, as in an object that has none.
    WideConditions,
}
