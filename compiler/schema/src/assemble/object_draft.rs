//! A conjunction of objects while its atoms are read: the conditions on each named key, and on all keys.

use std::borrow::Cow;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::atom::Keyword;
use crate::key_formula::Part;
use crate::source::{NodeId, Origin};
use crate::value::Lit;

/// Collects the conditions on one key.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyDraft {
    pub(crate) literals: Vec<Lit>,
    pub(crate) required: Option<Origin>,
    /// Whether the key must be absent.
    pub(crate) absent: bool,
}

/// A demand that some key breaks a keyword about keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExceptionDemand {
    pub(crate) node: NodeId,
    pub(crate) keyword: Keyword,
}

/// A conjunction of objects under construction.
#[derive(Debug, Default)]
pub(crate) struct ObjectDraft<'t> {
    /// The named keys in declared order.
    pub(crate) slots: IndexMap<Cow<'t, str>, KeyDraft, FxBuildHasher>,
    /// Conjoined schemas that constrain the values of keys.
    pub(crate) groups: Vec<NodeId>,
    /// Conjoined `propertyNames`.
    pub(crate) names: Vec<NodeId>,
    /// Keywords that some key must break.
    pub(crate) exists: Vec<ExceptionDemand>,
    /// Conditions on which keys are present.
    pub(crate) formulas: Vec<Part<'t>>,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) dead: bool,
}

impl<'t> ObjectDraft<'t> {
    pub(crate) fn slot(&mut self, key: &'t str) -> &mut KeyDraft {
        self.slots.entry(Cow::Borrowed(key)).or_default()
    }

    /// The keys that the schema names, without those added later by [`Self::name`].
    pub(crate) fn read_names(&self) -> impl Iterator<Item = &'t str> {
        self.slots.keys().filter_map(|key| match key {
            Cow::Borrowed(key) => Some(*key),
            Cow::Owned(_) => None,
        })
    }

    /// Adds keys that no schema names, so that each is distinguished.
    pub(crate) fn name(&mut self, keys: Vec<String>) {
        for key in keys {
            self.slots.entry(Cow::Owned(key)).or_default();
        }
    }

    pub(crate) fn require(&mut self, key: &'t str, origin: Origin) {
        self.slot(key).required = Some(origin);
    }

    pub(crate) fn at_most(&mut self, max: u64) {
        self.max = Some(self.max.map_or(max, |known| known.min(max)));
    }
}
