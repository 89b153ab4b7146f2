//! The budgets of the algebra: conjunctions multiply, and every place where they do stops at a given number.

/// Limits on the work for one schema.
///
/// ```
/// use ogc_schema::Limits;
/// let few = Limits { arms: 8, ..Limits::default() };
/// assert!(few.arms < Limits::default().arms);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Distinct conjunctions of schemas. 100,000 take some tenths of a second.
    pub values: usize,
    /// Alternatives of one conjunction, per JSON type.
    pub arms: usize,
    /// Up to this many alternatives of the objects of one conjunction, conditions on keys are written out as
    /// alternatives. Beyond it they are kept as conditions, where possible; otherwise an object with more than
    /// [`Self::arms`] alternatives is rejected.
    pub written: usize,
    /// Steps to write one conjunction as alternatives, per JSON type.
    pub work: usize,
    /// Steps to write all conjunctions of a schema as alternatives; the limit takes some seconds. Real schemas take up
    /// to 200,000 steps.
    pub steps: usize,
    /// Depth to which nested schemas are compared to prove the arms of a `oneOf` disjoint.
    pub depth: usize,
    /// Limits of the regular languages of strings and keys.
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

/// The representation of choices between alternatives of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// As at most this many alternatives.
    Alternatives(usize),
    /// As conditions on the keys of objects where possible, else as alternatives.
    Conditions,
    /// As [`Self::Conditions`], including conditions that count members or describe keys by patterns. These work where
    /// all undeclared keys of the object satisfy them alike, as in an object that has none.
    WideConditions,
}
