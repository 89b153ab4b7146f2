//! Lints: find constructs that are legal but expensive or risky, and measure their cost. They stand beside the
//! pipeline: nothing is compiled from their results.
//!
//! # Steps
//!
//! 1. [`file_lints`]: what concerns a file as a whole, from its syntax: [`no_output`], [`unused_item`],
//!    [`swapped_parameters`], [`ignored_elsewhere`], [`idle_policy`], and [`spaced_operator`], [`split_regex`], [`stacked_repetition`], [`quoted_text`],
//!    [`quoted_type`], [`quoted_pattern`], [`mixed_scripts`], [`unpaired_token`], [`unused_parameter`] and [`narrowed_format`] item by item.
//! 2. [`lints`]: what concerns a format. A tracked query measures the compiled automaton, and the masks where a vocabulary
//!    is given; places are handles there, so that moving text measures nothing again. One lint a file.
//! 3. [`level`]: `@allow`, `@warn` and `@deny` on an item change what is found in it. Flags and `ogc.toml` come later and
//!    are the command line's.
//! 4. [`findings`](mod@findings): the final list of what is said of a file, by the pipeline and by lints.
//!
//! Figures are never guesses: states, bytes and rows are those of the automaton and masks that would be shipped, and
//! times were measured while the masks were built. Every lint has a threshold on its figure, a named constant with its
//! reason, so that ordinary formats have no findings. Times have no threshold, so that every run has the same findings;
//! they are reported next to the message ([`Diagnostic::cost`]), not in it.

mod compiled;
mod contained_branch;
mod default_mismatch;
mod empty_branch;
mod expensive_part;
pub mod findings;
mod idle_difference;
mod idle_policy;
mod ignored_elsewhere;
mod large_pattern;
mod large_repetition;
mod library;
mod loose_space;
mod missing_token;
mod misspelled;
mod mixed_scripts;
mod narrowed_format;
mod no_output;
mod one_of;
mod open_record;
mod overlapping_union;
mod places;
mod quoted_pattern;
mod quoted_text;
mod quoted_type;
mod shared_value;
mod spaced_operator;
mod split_regex;
mod stacked_repetition;
mod swallowed;
mod swapped_parameters;
mod text_spells_token;
mod unbounded_recursion;
mod unbuilt_masks;
mod unpaired_token;
mod unspelled_text;
mod unused_item;
mod unused_parameter;
mod wide_record;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ogc_compiler::budget::Spent;
use ogc_compiler::db::{Db, Language, SourceFile, VocabularyInput};
use ogc_compiler::foreign::structural_tag;
use ogc_compiler::hir::check::{checked_items, sort_and_dedup};
use ogc_compiler::hir::items::{ItemId, ItemKey, file_items, item_text, item_tree};
use ogc_compiler::hir::level;
use ogc_compiler::hir::scope::scope;
use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::{Code, Diagnostic, Severity};
use ogc_regular::budget::{Allowance, Usage, spend};
use ogc_schema::source::Origin;

pub use compiled::cost;

use compiled::Compiled;

/// A lint over a compiled format.
type Lint = fn(&Compiled<'_>) -> Vec<Diagnostic<Origin>>;

/// The lints that look at a compiled format, in alphabetical order.
const LINTS: [Lint; 17] = [
    contained_branch::lint,
    default_mismatch::lint,
    empty_branch::lint,
    expensive_part::lint,
    idle_difference::lint,
    large_pattern::lint,
    loose_space::lint,
    missing_token::lint,
    open_record::lint,
    overlapping_union::lint,
    shared_value::lint,
    swallowed::lint,
    text_spells_token::lint,
    unbounded_recursion::lint,
    unbuilt_masks::lint,
    unspelled_text::lint,
    wide_record::lint,
];

/// Codes of findings that are dropped if a large repetition explains them.
const EXPLAINED: [Code; 3] = [Code::ExpensivePart, Code::LargePattern, Code::WideRecord];

/// A finding about a compiled format; its places are handles.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Measured {
    diagnostic: Diagnostic<Origin>,
    /// The source text that the finding is about, within its place; `None` for the whole place.
    written: Option<String>,
}

/// Codes of findings that are shown only on request.
const QUIET: [Code; 2] = [Code::IgnoredElsewhere, Code::NarrowedFormat];

/// Returns whether a finding is shown only on request, and its file did not request it.
#[must_use]
pub fn is_quiet(found: &Diagnostic) -> bool {
    found.severity == Severity::Note && QUIET.contains(&found.code)
}

/// Returns findings about the cost and risks of a format; none if the format has errors. Places are in the format's own
/// file. With a vocabulary, masks are measured too, and built if needed.
///
/// Some are [quiet](is_quiet): callers show them only on request.
pub fn lints(db: &dyn Db, format: &Format, vocabulary: Option<VocabularyInput>) -> Vec<Diagnostic> {
    let measured = measured(db, format.file, format.name.clone(), vocabulary);
    let mut found: Vec<Diagnostic> = measured.found.iter().filter_map(|one| places::resolve(db, format, one)).collect();
    sort_and_dedup(&mut found);
    level::leveled(db, format.file, found)
}

/// Returns the findings of [`lints`] for formats of one file; none if some item of the file was not checked. If
/// compiling and linting use up the budget, a note names the last format that was examined.
pub fn lints_of_all(
    db: &dyn Db,
    file: SourceFile,
    formats: &[Format],
    vocabulary: Option<VocabularyInput>,
) -> Vec<Diagnostic> {
    if file.language(db) == Language::Ogc && checked_items(db, file).stopped {
        return Vec::new();
    }
    let budget = file.options(db).limits(db).budget;
    let (mut spent, mut found) = (Spent::default(), Vec::new());
    for (at, format) in formats.iter().enumerate() {
        found.extend(lints(db, format, vocabulary));
        let linted = measured(db, format.file, format.name.clone(), vocabulary).usage;
        let [elaborated, lowered] = pipeline::usage(db, format);
        let left = formats.len() - at - 1;
        if left > 0 && spent.add(&[linted, elaborated, lowered], budget).is_err() {
            found.push(unlinted(db, format, left));
            break;
        }
    }
    found
}

/// Returns a note that the lints skipped the formats after `last`.
fn unlinted(db: &dyn Db, last: &Format, left: usize) -> Diagnostic {
    let formats = if left == 1 { "format after this one was" } else { "formats after this one were" };
    let message = format!("{left} {formats} not linted: the lints of this file have used their budget");
    let found = Diagnostic::note(Code::LintLimit, pipeline::definition_span(db, last), message);
    found.help("split the file, or look at one format at a time: `ogc cost FILE -d NAME`")
}

/// Returns findings about a file as a whole: unused definitions, and constraints that other engines ignore.
#[salsa::tracked]
pub fn file_lints(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found = match file.language(db) {
        Language::Ogc => {
            let mut found = unused_item::lint(db, file);
            found.extend(swapped_parameters::lint(db, file));
            found.extend(no_output::in_ogc(db, file));
            found.extend(ignored_elsewhere::in_ogc(db, file));
            found.extend(idle_policy::lint(db, file));
            let items = file_items(db, file).items.iter();
            found.extend(items.flat_map(|(item, span)| {
                let of_item = item_lints(db, item.file, Arc::clone(&item.key)).iter();
                of_item.map(|one| one.clone().shifted(span.start))
            }));
            found
        }
        Language::JsonSchema if structural_tag(db, file).is_some() => Vec::new(),
        Language::JsonSchema => ignored_elsewhere::in_schema(db, file),
        Language::Regex => no_output::in_regex(db, file),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => Vec::new(),
    };
    sort_and_dedup(&mut found);
    level::leveled(db, file, found)
}

/// Returns findings about the syntax of an item, with places relative to its beginning, so that edits elsewhere do not
/// change the result.
#[salsa::tracked]
fn item_lints(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>) -> Vec<Diagnostic> {
    let item = ItemId { file, key };
    let tree = item_tree(db, &item);
    match tree.item.definition().filter(|_| !tree.diagnostics.iter().any(Diagnostic::is_error)) {
        Some(definition) => {
            let text = item_text(db, item.file, item.key);
            let mut found = spaced_operator::lint(&text, &definition.body);
            found.extend(split_regex::lint(&text, &definition.body));
            found.extend(stacked_repetition::lint(&text, &definition.body));
            found.extend(quoted_text::lint(&definition.body));
            found.extend(narrowed_format::lint(&definition.body));
            // If the file defines a built-in name, that is an error, and the name has no meaning here.
            let names = &scope(db, file).names;
            found.retain(|one| !one.span.text(&text).split('<').next().is_some_and(|name| names.contains_key(name)));
            found.extend(quoted_type::lint(&definition.body, |name| names.contains_key(name)));
            found.extend(quoted_pattern::lint(&definition.body));
            found.extend(quoted_pattern::of_skip(&tree.item.attributes));
            found.extend(unpaired_token::lint(&definition.body));
            found.extend(unused_parameter::lint(&text, definition));
            found.extend(mixed_scripts::lint(&text, &tree.item));
            found
        }
        None => Vec::new(),
    }
}

/// Runs a lint under a budget, and adds the work that it took to `work`; returns no findings if it exceeds the budget.
fn within<T>(budget: Allowance, work: &mut u64, lint: impl FnOnce() -> Vec<T>) -> Vec<T> {
    let (found, usage) = spend(budget, lint);
    *work += usage.work;
    if usage.exceeded.is_some() { Vec::new() } else { found }
}

/// The findings of the lints in one format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct MeasuredFormat {
    found: Vec<Measured>,
    /// The work that the lints took.
    usage: Usage,
}

/// Runs the lints on a compiled format; places are handles (see [`ogc_compiler::hir::Module::resolve`]).
#[salsa::tracked]
fn measured(
    db: &dyn Db,
    file: SourceFile,
    name: Option<Arc<str>>,
    vocabulary: Option<VocabularyInput>,
) -> MeasuredFormat {
    let Some(compiled) = Compiled::of(db, Format { file, name }, vocabulary) else { return MeasuredFormat::default() };
    let budget = compiled.limits().budget;
    let mut work = 0;
    let mut found: Vec<Diagnostic<Origin>> =
        LINTS.iter().flat_map(|lint| within(budget, &mut work, || lint(&compiled))).collect();
    let repetitions = within(budget, &mut work, || large_repetition::lint(&compiled));
    for repetition in &repetitions {
        found.retain(|one| !(EXPLAINED.contains(&one.code) && repetition.explained.contains(&one.span)));
    }
    // Dropped if another lint already explains why a part is expensive.
    let others = found.iter().chain(repetitions.iter().map(|one| &one.measured.diagnostic));
    let explained: Vec<_> = others.filter(|one| one.code != Code::ExpensivePart).map(|one| one.span).collect();
    found.retain(|one| one.code != Code::ExpensivePart || !explained.contains(&one.span));
    let found = found.into_iter().map(|diagnostic| Measured { diagnostic, written: None });
    let found = found.chain(repetitions.into_iter().map(|one| one.measured)).collect();
    MeasuredFormat { found, usage: Usage { work, ..Usage::default() } }
}
