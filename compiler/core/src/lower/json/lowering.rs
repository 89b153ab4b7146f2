//! The state of a lowering: the automaton being written, the rules made so far, and the rules that wait for their
//! states.

use std::collections::VecDeque;

use ogc_regular::number::{Decimals, NumberSet, Spelling};
use ogc_runtime::automaton::{AutomatonBuilder, RuleId};
use ogc_schema::source::Origin;
use ogc_schema::{Algebra, Limits, ValueId};
use rustc_hash::FxHashMap;

use super::apart::Own;
use super::{JsonPolicy, Target};
use crate::schema_fault::SchemaFault;

/// A rule whose states are still to be written.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) rule: RuleId,
    pub(super) value: ValueId,
    pub(super) body: Body,
    /// Nesting depth of the members.
    pub(super) depth: u32,
    pub(super) policy: JsonPolicy,
}

/// The arm of a value that a pending rule describes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// The n-th array arm of the value.
    Array(usize),
    /// The n-th object arm.
    Object(usize),
}

/// The leaf rules made so far.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) literals: FxHashMap<&'static str, RuleId>,
    pub(super) white_space: Option<RuleId>,
    pub(super) any: Option<RuleId>,
    pub(super) any_counted: Option<RuleId>,
    pub(super) numbers: FxHashMap<(NumberSet, Option<Decimals>), (RuleId, Spelling)>,
    pub(super) lists: FxHashMap<Vec<String>, RuleId>,
    pub(super) automata: FxHashMap<(usize, bool), RuleId>,
    /// Whether a set of numbers was too large: the format is refused then, and other potentially large sets are
    /// skipped.
    pub(super) numbers_refused: bool,
}

/// The lowering: the automaton being written, and the rules of its values.
#[derive(Debug)]
pub(super) struct Lowering<'a, 't> {
    pub(super) algebra: &'a Algebra<'t>,
    /// The policy for the value that is being written.
    pub(super) policy: JsonPolicy,
    pub(super) own: &'a Own,
    /// The spelling of sets of whole numbers.
    pub(super) integers: Spelling,
    pub(super) limits: Limits,
    pub(super) builder: AutomatonBuilder,
    pub(super) leaves: Leaves,
    pub(super) errors: Vec<SchemaFault>,
    /// The place of `uniqueItems` in arrays with several required items, by the origin of the array.
    pub(super) unique: FxHashMap<Origin, Origin>,
    pub(super) targets: FxHashMap<(ValueId, u32, JsonPolicy), Target>,
    pub(super) pending: VecDeque<Pending>,
}

impl<'a, 't> Lowering<'a, 't> {
    pub(super) fn new(
        algebra: &'a Algebra<'t>,
        builder: AutomatonBuilder,
        (policy, integers): (JsonPolicy, Spelling),
        own: &'a Own,
        limits: Limits,
    ) -> Self {
        Self {
            algebra,
            policy,
            own,
            integers,
            limits,
            builder,
            leaves: Leaves::default(),
            errors: Vec::new(),
            unique: FxHashMap::default(),
            targets: FxHashMap::default(),
            pending: VecDeque::new(),
        }
    }
}
