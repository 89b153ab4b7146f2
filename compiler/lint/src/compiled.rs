//! A compiled format as the lints measure it, and the cost of its parts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::mem::size_of;
use std::sync::Arc;

use ogc_compiler::db::{Db, Language, Limits, SourceFile, VocabularyInput};
use ogc_compiler::foreign::foreign_grammar;
use ogc_compiler::hir::Module;
use ogc_compiler::hir::elaborate::module;
use ogc_compiler::ir::{Grammar, PlacedGrammar};
use ogc_compiler::pipeline::{self, Format, Graph};
use ogc_grammar::{Cost, MaskCost, Times};
use ogc_regular::budget::Allowance;
use ogc_runtime::automaton::{Automaton, AutomatonState, Call, Edge, Rule, StateId};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::Vocabulary;
use ogc_schema::source::{Origin, Schemas};

/// Divisor of a format's work budget: a lint may spend such a share on each of its compilations, of which there are up to
/// a dozen.
const LINTS_SHARE: u64 = 16;

/// Cap on the states of a format whose parts lints solve a second time.
const CHEAP_STATES: usize = 10_000;

/// The source of the automaton.
pub(super) enum Source {
    /// A definition of an `.ogc` file.
    Module(Arc<Module>),
    /// A JSON Schema.
    Schema(Graph),
    /// A grammar of another notation, or a pattern.
    Other,
}

/// A compiled format, as input of the lints.
pub(super) struct Compiled<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) file: SourceFile,
    pub(super) source: Source,
    pub(super) automaton: Arc<Automaton>,
    /// The masks, if there is a vocabulary and all masks could be built.
    pub(super) masks: Option<Arc<MaskPack>>,
    input: Option<VocabularyInput>,
}

impl<'db> Compiled<'db> {
    /// Compiles the format; `None` if it has errors. The result depends on no places in the text.
    pub(super) fn of(db: &'db dyn Db, format: Format, vocabulary: Option<VocabularyInput>) -> Option<Self> {
        let automaton = pipeline::automaton(db, format.clone())?;
        let source = match (format.file.language(db), &format.name) {
            (Language::Ogc, Some(name)) => Source::Module(module(db, format.file, Arc::clone(name))?),
            (Language::JsonSchema, _) => Source::Schema(pipeline::schema_graph(db, format.file)?),
            _ => Source::Other,
        };
        let file = format.file;
        let masks = vocabulary.and_then(|vocabulary| pipeline::masks(db, format, vocabulary).ok().flatten());
        Some(Self { db, file, source, automaton, masks, input: vocabulary })
    }

    /// Returns whether a lint may solve parts of the format a second time. For a larger format that would take as long
    /// as compiling it.
    pub(super) fn is_cheap(&self) -> bool {
        self.automaton.states.len() <= CHEAP_STATES
    }

    /// Returns the limits for variants of the format that a lint compiles for comparison.
    pub(super) fn limits(&self) -> Limits {
        let limits = self.file.options(self.db).limits(self.db);
        let work = limits.budget.work / LINTS_SHARE;
        Limits { budget: Allowance { work, ..limits.budget }, ..limits }
    }

    /// Returns the format with `automaton` in place of its own, without masks.
    pub(super) fn instead(&self, automaton: Automaton) -> Self {
        let source = Source::Other;
        Self { db: self.db, file: self.file, source, automaton: Arc::new(automaton), masks: None, input: self.input }
    }

    /// Returns the format with `automaton` in place of its own, with masks for the same vocabulary if there is one.
    pub(super) fn masked(&self, automaton: Automaton) -> Self {
        let mut other = self.instead(automaton);
        if let (Some(_), Some(store)) = (&self.masks, self.store()) {
            let cancelled = |_, _| self.db.unwind_if_revision_cancelled();
            let masks = MaskPack::build(&other.automaton, &store, &PackLimits::default(), cancelled);
            other.masks = masks.ok().map(Arc::new);
        }
        other
    }

    /// Returns the store of the masks: the vocabulary with its trie and the known rows.
    pub(super) fn store(&self) -> Option<Arc<MaskStore>> {
        self.input.map(|input| input.store(self.db))
    }

    /// Returns the vocabulary of the masks.
    pub(super) fn vocabulary(&self) -> Option<Arc<Vocabulary>> {
        self.store().map(|store| Arc::clone(store.vocabulary()))
    }

    /// Returns the definition of an `.ogc` file.
    pub(super) fn module(&self) -> Option<&Module> {
        match &self.source {
            Source::Module(module) => Some(module),
            Source::Schema(_) | Source::Other => None,
        }
    }

    /// Returns the grammar of the format's texts, if it has any.
    pub(super) fn grammar(&self) -> Option<Cow<'_, Grammar>> {
        match &self.source {
            Source::Module(module) => Some(Cow::Borrowed(&module.grammar)),
            Source::Schema(_) => None,
            Source::Other => self.rules().map(|placed| Cow::Borrowed(&placed.grammar)),
        }
    }

    /// Returns the rules of a grammar in another notation, or of a pattern.
    pub(super) fn rules(&self) -> Option<&'db PlacedGrammar> {
        foreign_grammar(self.db, self.file).0.as_ref()
    }

    /// Returns the schemas of the format's values.
    pub(super) fn schemas(&self) -> Option<&Schemas> {
        match &self.source {
            Source::Module(module) => Some(&module.schemas),
            Source::Schema(graph) => Some(graph.schemas()),
            Source::Other => None,
        }
    }

    /// Returns the states of a rule.
    pub(super) fn states(rule: &Rule) -> impl Iterator<Item = StateId> + Clone + use<> {
        rule.state_ids()
    }

    /// Returns the cost of some states.
    pub(super) fn cost(&self, states: impl Iterator<Item = StateId> + Clone) -> Cost {
        cost(&self.automaton, self.masks.as_deref(), states)
    }

    /// Returns the cost of the whole format.
    pub(super) fn whole(&self) -> Cost {
        self.cost((0..self.automaton.states.len() as u32).map(StateId))
    }

    /// Groups the states by the place that causes them; states without a place are left out. All instances of a
    /// definition are one place.
    pub(super) fn by_place(&self) -> Vec<(u32, Vec<StateId>)> {
        let mut first: BTreeMap<u32, u32> = BTreeMap::new();
        let mut seen = rustc_hash::FxHashMap::default();
        let mut groups: BTreeMap<u32, Vec<StateId>> = BTreeMap::new();
        for (at, &origin) in self.automaton.origins.iter().enumerate().filter(|(_, origin)| **origin != 0) {
            let handle =
                *first.entry(origin).or_insert_with(|| match self.module().and_then(|one| one.place(Origin(origin))) {
                    Some(place) => *seen.entry(place).or_insert(origin),
                    None => origin,
                });
            groups.entry(handle).or_default().push(StateId(at as u32));
        }
        groups.into_iter().collect()
    }

    /// Returns the place of a finding about the source of an automaton's handle.
    pub(super) fn place(handle: u32) -> Origin {
        Origin(handle)
    }
}

/// Computes the cost of some states of a format; the cost of masks only if `masks` are given.
#[must_use]
pub fn cost(automaton: &Automaton, masks: Option<&MaskPack>, states: impl Iterator<Item = StateId> + Clone) -> Cost {
    let mut cost = Cost { masks: masks.map(|masks| mask_cost(masks, states.clone())), ..Cost::default() };
    for state in states.filter_map(|state| automaton.states.get(state.index())) {
        cost.states += 1;
        cost.bytes += size_of::<AutomatonState>() + state.edges.len as usize * size_of::<Edge>();
        cost.bytes += state.calls.len as usize * size_of::<Call>();
    }
    cost
}

/// Computes the mask cost of some states.
fn mask_cost(masks: &MaskPack, states: impl Iterator<Item = StateId> + Clone) -> MaskCost {
    let used = masks.row_use(states.clone());
    let time = masks.part_time(states).unwrap_or_default();
    let times = Times { build: time.build, slowest: time.slowest };
    MaskCost { rows: used.rows, row_bytes: used.row_bytes, times }
}
