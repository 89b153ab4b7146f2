//! Formulas over the keys of one object: which are present, and whose values meet which schemas.

use std::rc::Rc;

use crate::source::NodeId;

/// A condition on the keys of one object.
#[derive(Debug)]
pub(crate) enum KeyFormula<'t> {
    /// Always holds, or never.
    Known(bool),
    /// Always holds; the keys are declared in this order.
    Declares(Vec<&'t str>),
    /// The key is present.
    Present(&'t str),
    /// The key is present, and its value meets the schema.
    Value(&'t str, NodeId),
    /// No other keys are present.
    Only(Vec<&'t str>),
    /// There are at least so many members, and at most so many.
    Count(u64, Option<u64>),
    /// What this schema's `patternProperties` at this position says of keys.
    Pattern(NodeId, usize),
    /// What this schema's `additionalProperties` says of keys.
    Additional(NodeId),
    /// All keys are of this schema.
    Names(NodeId),
    Not(Part<'t>),
    All(Vec<Part<'t>>),
    Any(Vec<Part<'t>>),
    /// Exactly one holds.
    One(Vec<Part<'t>>),
}

/// A formula that others share.
pub(crate) type Part<'t> = Rc<KeyFormula<'t>>;
