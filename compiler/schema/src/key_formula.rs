//! Formulas over the keys of one object: which keys are present, and which schemas their values satisfy.

use std::rc::Rc;

use crate::source::NodeId;

/// A condition on the keys of one object.
#[derive(Debug)]
pub(crate) enum KeyFormula<'t> {
    /// Always holds, or never.
    Known(bool),
    /// Always holds, and declares the keys in this order.
    Declares(Vec<&'t str>),
    /// The key is present.
    Present(&'t str),
    /// The key is present, and its value satisfies the schema.
    Value(&'t str, NodeId),
    /// No other keys are present.
    Only(Vec<&'t str>),
    /// The number of members is within these bounds.
    Count(u64, Option<u64>),
    /// The condition of this schema's `patternProperties` at this position.
    Pattern(NodeId, usize),
    /// The condition of this schema's `additionalProperties`.
    Additional(NodeId),
    /// All keys satisfy this schema.
    Names(NodeId),
    Not(Part<'t>),
    All(Vec<Part<'t>>),
    Any(Vec<Part<'t>>),
    /// Exactly one of the formulas holds.
    One(Vec<Part<'t>>),
}

/// A shared formula.
pub(crate) type Part<'t> = Rc<KeyFormula<'t>>;
