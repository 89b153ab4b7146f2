//! Costs of formats: the size of the automaton, and for each vocabulary the size and build time of the masks.
//!
//! Building masks may take seconds. So a feature reads the figures that are known already ([`costs`]) and records which
//! ones it misses; a background worker takes a record ([`next_wanted`]) and computes the figures ([`measurement`]).
//! Figures are kept by the fingerprint of the automaton, so that they survive edits that do not change it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use always_assert::never;
use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::budget::budget_of;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::cost::size;
use ogc_runtime::automaton::{Automaton, Rule, StateId};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};

use crate::items::{items, rule_title};
use crate::measured::{MaskKey, Measured};
use crate::place::FileSpan;
use crate::snapshot::Snapshot;

pub use crate::measured::{MaskFigures, Wanted};

/// The cost of a format.
#[derive(Clone, Debug, PartialEq)]
pub struct FormatCost {
    /// The number of rules.
    pub rules: usize,
    /// The number of states.
    pub states: usize,
    /// The number of edges.
    pub edges: usize,
    /// The size of the automaton, in bytes.
    pub bytes: usize,
    /// The cost of its masks for each vocabulary of the file's settings, in settings order.
    pub vocabularies: Vec<(String, MaskState)>,
    /// The rules with the largest parts of the automaton, the largest first.
    pub parts: Vec<PartCost>,
}

/// The share of one rule in the cost of a format.
#[derive(Clone, Debug, PartialEq)]
pub struct PartCost {
    /// The name of the rule.
    pub name: String,
    /// Number of states of the rule.
    pub states: usize,
    /// Size of the states, in bytes.
    pub bytes: usize,
    /// Place where the rule is written.
    pub place: Option<FileSpan>,
}

/// The known facts about the masks of a format.
#[derive(Clone, Debug, PartialEq)]
pub enum MaskState {
    /// The figures of the masks.
    Ready(MaskFigures),
    /// The masks will be computed.
    Computing,
    /// The masks cannot be computed.
    Failed(String),
}

impl Wanted {
    /// Makes the name of a format and a vocabulary.
    #[must_use]
    pub fn of(snapshot: &Snapshot, format: &Format, vocabulary: &str) -> Self {
        let (file, definition) = (snapshot.name(format.file).to_owned(), format.name.clone());
        Self { file, definition, vocabulary: vocabulary.to_owned() }
    }

    /// Returns the format, if its file still exists.
    #[must_use]
    pub fn format(&self, snapshot: &Snapshot) -> Option<Format> {
        Some(Format { file: snapshot.file(&self.file)?, name: self.definition.clone() })
    }
}

/// The number of rules in [`FormatCost::parts`].
const PARTS: usize = 10;

/// Returns the known cost of a format; `None` if there are errors. Masks that are unknown are recorded as wanted.
#[must_use]
pub fn costs(snapshot: &Snapshot, format: &Format) -> Option<FormatCost> {
    let automaton = pipeline::automaton(&snapshot.db, format.clone())?;
    let all = (0..automaton.states.len() as u32).map(StateId);
    let names = &snapshot.settings(format.file).vocabularies;
    Some(FormatCost {
        rules: automaton.rules.len(),
        states: automaton.states.len(),
        edges: automaton.edges.len(),
        bytes: ogc_lint::cost(&automaton, None, all).bytes,
        vocabularies: names.iter().map(|name| (name.clone(), state(snapshot, format, &automaton, name))).collect(),
        parts: parts(snapshot, format, &automaton),
    })
}

/// Takes a format whose masks are wanted off the list.
#[must_use]
pub fn next_wanted(snapshot: &Snapshot) -> Option<Wanted> {
    snapshot.measured.next_wanted()
}

/// Returns whether masks of any format, or vocabularies, are wanted.
#[must_use]
pub fn is_any_wanted(snapshot: &Snapshot) -> bool {
    snapshot.measured.is_any_wanted()
}

/// Records that an answer needs a vocabulary.
pub(crate) fn want_vocabularies(snapshot: &Snapshot) {
    snapshot.measured.want_vocabularies();
}

/// Returns whether vocabularies are wanted, and resets that.
#[must_use]
pub fn are_vocabularies_wanted(snapshot: &Snapshot) -> bool {
    snapshot.measured.take_vocabularies_wanted()
}

/// A pending computation of masks. It holds no snapshot, so no edit waits for it.
#[allow(missing_debug_implementations, reason = "an automaton and a vocabulary are of no use in a log")]
pub struct Measurement {
    automaton: Arc<Automaton>,
    store: Arc<MaskStore>,
    key: MaskKey,
    measured: Arc<Measured>,
}

/// Makes the computation of the masks of a format; `None` if the format does not compile or the vocabulary is not
/// loaded.
#[must_use]
pub fn measurement(snapshot: &Snapshot, wanted: &Wanted) -> Option<Measurement> {
    let vocabulary = snapshot.settings.vocabularies.get(&wanted.vocabulary)?;
    let automaton = pipeline::automaton(&snapshot.db, wanted.format(snapshot)?)?;
    let key = (fingerprint(&automaton), wanted.vocabulary.clone());
    let measured = Arc::clone(&snapshot.measured);
    Some(Measurement { automaton, store: vocabulary.store(&snapshot.db), key, measured })
}

/// The panic payload that stops a computation.
struct Stopped;

impl Measurement {
    /// Computes the masks and stores their figures. Returns whether the figures are new; `None` if `stop` became true
    /// before the end.
    #[must_use]
    pub fn run(&self, stop: &AtomicBool) -> Option<bool> {
        let watch = |_, _| {
            if stop.load(Ordering::Relaxed) {
                resume_unwind(Box::new(Stopped));
            }
        };
        let limits = PackLimits::default();
        let build = AssertUnwindSafe(|| MaskPack::build(&self.automaton, &self.store, &limits, watch));
        let figures = match catch_unwind(build) {
            Ok(Ok(pack)) => {
                let report = pack.report();
                let build = pack.build_time().unwrap_or_else(|| {
                    never!("a pack that was built has no times");
                    Duration::ZERO
                });
                Ok(MaskFigures { rows: report.rows, row_bytes: report.row_bytes, build, is_complete: report.complete })
            }
            Ok(Err(error)) => Err(error.to_string()),
            Err(panic) if panic.is::<Stopped>() => return None,
            Err(panic) => resume_unwind(panic),
        };
        Some(self.measured.learn(self.key.clone(), figures))
    }
}

/// Describes the cost of a format; without vocabularies, the masks are left out.
#[must_use]
pub fn markdown(cost: &FormatCost) -> String {
    let mut text = format!("Costs {} states and {}", cost.states, size(cost.bytes));
    for (name, state) in &cost.vocabularies {
        let name = short_name(name);
        text += &match state {
            MaskState::Ready(figures) => {
                let whole = if figures.is_complete { "" } else { ", the others on demand" };
                let (rows, bytes) = (figures.rows, size(figures.row_bytes));
                let ms = figures.build.as_secs_f64() * 1e3;
                format!("\n- {name}: {rows} mask rows{whole}, {bytes}, built in {ms:.1} ms")
            }
            MaskState::Computing => format!("\n- {name}: masks are being computed"),
            MaskState::Failed(message) => format!("\n- {name}: no masks: {message}"),
        };
    }
    text
}

/// Returns the end of a path that distinguishes vocabularies: the folder of a `tokenizer.json`, otherwise the file
/// name.
fn short_name(name: &str) -> &str {
    let mut parts = name.rsplit('/').filter(|part| !part.is_empty());
    let file = parts.next().unwrap_or(name);
    if matches!(file, "tokenizer.json" | "tekken.json") { parts.next().unwrap_or(file) } else { file }
}

/// Describes the limits that the policy of a file sets for its outputs.
#[must_use]
pub fn budget(snapshot: &Snapshot, file: SourceFile) -> Option<String> {
    if snapshot.language(file) != Language::Ogc {
        return None;
    }
    let item = pipeline::formats(&snapshot.db, file).into_iter().next()?.name?;
    let item = items(snapshot, file).find(|one| one.definition().is_some_and(|found| *found.name.text == *item))?;
    let budget = budget_of(&snapshot.db, item.id);
    let states = budget.states.map(|(most, _)| format!("{most} states"));
    let mask = budget.mask.map(|(most, _)| format!("masks of {}", size(usize::try_from(most).unwrap_or(usize::MAX))));
    let build = budget.build.map(|(most, _)| format!("{most} ms"));
    let parts: Vec<String> = [states, mask, build].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Returns whether the masks of a format are known for its first vocabulary.
#[must_use]
pub fn is_measured(snapshot: &Snapshot, format: &Format) -> bool {
    let settings = snapshot.settings(format.file);
    let Some(name) = settings.vocabularies.first() else { return false };
    let Some(automaton) = pipeline::automaton(&snapshot.db, format.clone()) else { return true };
    matches!(known(snapshot, &automaton, name), Some(MaskState::Ready(_) | MaskState::Failed(_)))
}

/// Records that the masks of a format are wanted.
pub fn want(snapshot: &Snapshot, wanted: Wanted) {
    snapshot.measured.want(wanted);
}

fn state(snapshot: &Snapshot, format: &Format, automaton: &Automaton, name: &str) -> MaskState {
    if let Some(message) = snapshot.settings.failed.get(name) {
        return MaskState::Failed(message.clone());
    }
    known(snapshot, automaton, name).unwrap_or_else(|| {
        want(snapshot, Wanted::of(snapshot, format, name));
        MaskState::Computing
    })
}

fn known(snapshot: &Snapshot, automaton: &Automaton, name: &str) -> Option<MaskState> {
    Some(match snapshot.measured.known(&(fingerprint(automaton), name.to_owned()))? {
        Ok(figures) => MaskState::Ready(figures),
        Err(message) => MaskState::Failed(message),
    })
}

/// Returns a number that automata with the same texts and the same tables share.
fn fingerprint(automaton: &Automaton) -> u128 {
    automaton.fingerprint(automaton.root.rule)
        ^ u128::from(automaton.root.a)
        ^ u128::from(automaton.root.b) << 32
        ^ u128::from(automaton.nullable) << 64
}

fn parts(snapshot: &Snapshot, format: &Format, automaton: &Automaton) -> Vec<PartCost> {
    let part = |rule: &Rule| {
        let cost = ogc_lint::cost(automaton, None, rule.state_ids());
        let place = pipeline::place_in(&snapshot.db, format, rule.origin).map(FileSpan::from);
        PartCost { name: rule_title(snapshot, &rule.name, place), states: cost.states, bytes: cost.bytes, place }
    };
    let mut rules: Vec<&Rule> = automaton.rules.iter().collect();
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.states.len));
    rules.into_iter().take(PARTS).map(part).collect()
}

#[cfg(test)]
mod tests {
    use ogc_runtime::vocabulary::Vocabulary;

    use super::*;
    use crate::fixture::Fixture;
    use crate::snapshot::FileSettings;

    fn bytes() -> Arc<MaskStore> {
        let tokens: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
        MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 256)]).unwrap()))
    }

    /// A fixture whose file has the vocabulary `bytes`.
    fn fixture(text: &str) -> (Fixture, Format) {
        let mut fixture = Fixture::new(text);
        let file = fixture.snapshot.files()[0];
        fixture.edit(|host| {
            host.set_vocabulary("bytes", bytes());
            host.set_file_settings(
                file,
                FileSettings { vocabularies: vec!["bytes".to_owned()], ..FileSettings::default() },
            );
        });
        (fixture, Format::named(file, "O"))
    }

    #[test]
    fn mask_costs_are_computed_on_request() {
        let (mut fixture, format) = fixture("output O = { a: int, b: string }\n");
        let first = costs(&fixture.snapshot, &format).unwrap();
        assert!(first.states > 10 && first.vocabularies == [("bytes".to_owned(), MaskState::Computing)], "{first:?}");
        let wanted = next_wanted(&fixture.snapshot).unwrap();
        assert_eq!(next_wanted(&fixture.snapshot), None);
        let measurement = measurement(&fixture.snapshot, &wanted).unwrap();
        assert_eq!(measurement.run(&AtomicBool::new(false)), Some(true));
        let second = costs(&fixture.snapshot, &format).unwrap();
        let [(_, MaskState::Ready(figures))] = second.vocabularies.as_slice() else { panic!("{second:?}") };
        assert!(figures.rows > 3 && figures.row_bytes > 0, "{figures:?}");
        // Comments change no automaton, so nothing is computed again.
        fixture.set(
            "a.ogc",
            "// note
output O = { a: int, b: string }
",
        );
        assert!(is_measured(&fixture.snapshot, &format));
        fixture.set(
            "a.ogc",
            "output O = { a: int }
",
        );
        assert!(!is_measured(&fixture.snapshot, &format));
    }

    #[test]
    fn a_cancelled_cost_computation_leaves_no_result() {
        let text = "output O = { a: string<..1000>, b: int }[0..50]\n";
        let (mut fixture, format) = fixture(text);
        let wanted = Wanted::of(&fixture.snapshot, &format, "bytes");
        let measurement = measurement(&fixture.snapshot, &wanted).unwrap();
        // No snapshot is held meanwhile.
        fixture.set("a.ogc", text);
        assert_eq!(measurement.run(&AtomicBool::new(true)), None);
        assert!(!is_measured(&fixture.snapshot, &format));
        assert_eq!(measurement.run(&AtomicBool::new(false)), Some(true));
        assert!(is_measured(&fixture.snapshot, &format));
    }

    #[test]
    fn costs_and_budgets_are_described_in_words() {
        let (fixture, format) = fixture("@budget(states = 9, mask = \"1MiB\")\noutput O = \"a\"\n");
        assert_eq!(budget(&fixture.snapshot, format.file).as_deref(), Some("9 states, masks of 1.0 MiB"));
        let cost = costs(&fixture.snapshot, &format).unwrap();
        assert!(markdown(&cost).ends_with("\n- bytes: masks are being computed"), "{}", markdown(&cost));
    }

    #[test]
    fn formats_that_do_not_compile_have_no_cost() {
        let (fixture, format) = fixture("output O = Nope\n");
        assert_eq!(costs(&fixture.snapshot, &format), None);
        assert_eq!(next_wanted(&fixture.snapshot), None);
    }
}
