//! `ogc fit`: finds where a model and a format disagree, over many prompts.
//!
//! # Steps
//!
//! 1. [`prompts`] reads the prompts. For each prompt, [`write`](mod@write) has the model write a text of the format,
//!    and keeps the model's probabilities at every place, even if the format leaves no choice there.
//! 2. [`walk`](mod@walk) reads each text again. For every likely token that was refused, it finds the refused byte and
//!    its context: [`surroundings`] and [`scan`] know the place in a JSON value. [`kind`](mod@kind) classifies the
//!    disagreement.
//! 3. [`places`] finds the place in the source. [`wanted`](mod@wanted) finds what the model would have written, by
//!    letting it continue freely for a few tokens.
//! 4. [`group`] joins refusals about the same place. [`findings`] reports each group with numbers and advice, [`fixes`]
//!    adds a correction.

mod findings;
mod fixes;
mod group;
mod kind;
mod places;
mod prompts;
mod scan;
mod surroundings;
#[cfg(test)]
mod tests;
mod walk;
mod wanted;
mod write;

use std::sync::Arc;

use ogc_compiler::pipeline;
use ogc_generate::LoadedModel;
use ogc_grammar::Severity;
use ogc_runtime::mask::MaskStore;
use ogc_workbench::words::counted;

use super::generate::{escapes, formats, model};
use crate::args::Fit;
use crate::message::{FitTotals, Message};
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;
use fixes::Subject;
use formats::Format;
use group::{Group, GroupKey, Told};
use walk::{Refusal, Walked};
use write::Written;

pub(crate) fn run(args: &Fit, output: &Output) -> Result<Verdict, Problem> {
    let prompts = prompts::read(args)?;
    let (mut session, file) = escapes::open(&args.format, &args.file, ogc_compiler::db::Limits::default())?;
    let named = session.format(file)?;
    if session.compile(&named, output)?.is_none() {
        return Ok(Verdict::Bad);
    }
    let loaded = model::load(&args.model, &args.place, write::AT_A_TIME.min(prompts.len()))?;
    // Structural tags refer to special tokens of the model.
    session.set_special_tokens(&ogc_compiler::db::SpecialTokens::of(&loaded.vocabulary));
    let named = session.format(file)?;
    let Some(automaton) = session.compile(&named, output)? else { return Ok(Verdict::Bad) };
    let format = Format::of(&session, &named, automaton);
    format.check_missing(&loaded, &args.file, "")?;
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let written = write::write(&prompts, args, &format, (&loaded, &store))?;
    let mut walked = walked(&written, args, &format, &store)?;
    let refusals = std::mem::take(&mut walked.refusals);
    let groups = groups(&session, &named, refusals, (&written, args.least * written.len() as f64), (&loaded, &store));
    let is_good = show(&session, &named, &groups, args, written.len(), output)?;
    summary(&written, &walked, output)?;
    Ok(if is_good { Verdict::Good } else { Verdict::Bad })
}

/// Reads all texts again, and collects the refusals.
fn walked(written: &[Written], args: &Fit, format: &Format, store: &Arc<MaskStore>) -> Result<Walked, Problem> {
    let mut all = Walked::default();
    for (text, one) in written.iter().enumerate() {
        let walked = walk::walk(text, &one.generated, format, format.matcher(store));
        let walked = walked.map_err(|error| Problem::Engine { path: args.file.clone(), message: error.to_string() })?;
        all.refusals.extend(walked.refusals);
        all.places += walked.places;
        all.first_refused += walked.first_refused;
        all.refused += walked.refused;
        all.over_budget += walked.over_budget;
    }
    Ok(all)
}

/// Finds the place and the wanted text of each refusal, and joins refusals about the same thing.
fn groups(
    session: &Session,
    format: &pipeline::Format,
    refusals: Vec<Refusal>,
    (written, least): (&[Written], f64),
    model: (&LoadedModel, &Arc<MaskStore>),
) -> Vec<Group> {
    let placed = refusals.into_iter().map(|refusal| {
        let place = places::of(session, format, &refusal);
        let around = places::around(session, format, &refusal).or(place);
        let file = around.map_or("", |(file, _)| file.name(&session.db));
        ((GroupKey::of(&refusal, file, around.as_ref()), place), refusal)
    });
    let (keys, refusals): (Vec<_>, Vec<Refusal>) = placed.unzip();
    let keyed: Vec<(GroupKey, Refusal)> = keys.iter().map(|(key, _)| key.clone()).zip(refusals).collect();
    let continuations = wanted::continuations(&keyed, written, least, model);
    let told = keyed.into_iter().zip(keys).map(|((key, refusal), (_, place))| {
        let continuation = continuations.get(&(key.clone(), refusal.token)).map(Vec::as_slice).unwrap_or_default();
        let wanted = wanted::wanted(&refusal, continuation);
        Told { key, refusal, place, wanted }
    });
    group::groups(told.collect())
}

/// Shows the findings; returns whether none is an error.
fn show(
    session: &Session,
    format: &pipeline::Format,
    groups: &[Group],
    args: &Fit,
    texts: usize,
    output: &Output,
) -> Result<bool, Problem> {
    let start = places::start(session, format);
    let mut is_good = true;
    let (told, smaller): (Vec<&Group>, Vec<&Group>) =
        groups.iter().partition(|group| group.mass / texts as f64 >= args.least);
    for group in told {
        let (file, span) = group.place.unwrap_or(start);
        let (text, language) = (session.text(file), file.language(&session.db));
        let finding = findings::finding(group, Subject { text: text.text, language, span }, texts);
        let Some(finding) = args.levels.over(&session.project(file).levels).apply(finding) else { continue };
        is_good &= finding.severity != Severity::Error;
        output.diagnostic(text, &finding)?;
    }
    if !smaller.is_empty() {
        let smaller = counted(smaller.len(), "smaller disagreement");
        output.aside(&format!("{smaller} not shown; `--least 0` shows all"))?;
    }
    Ok(is_good)
}

/// Reports how much was refused in total.
fn summary(written: &[Written], walked: &Walked, output: &Output) -> Result<(), Problem> {
    let tokens: usize = written.iter().map(|one| one.generated.tokens.len()).sum();
    let share = |part: f64| part / walked.places.max(1) as f64;
    let totals = FitTotals {
        texts: written.len(),
        tokens,
        places: walked.places,
        first_refused: walked.first_refused,
        refused: share(walked.refused),
        over_budget: share(walked.over_budget),
    };
    let budget = match share(walked.over_budget) {
        share if share < 0.001 => String::new(),
        share => format!(", {:.1}% of it to stay within --max-tokens", 100.0 * share),
    };
    let words = format!(
        "{} of {}: {:.1}% of the model's probability was refused{budget}, and its first choice at {} of {}",
        counted(written.len(), "text"),
        counted(tokens, "token"),
        100.0 * share(walked.refused),
        walked.first_refused,
        counted(walked.places, "place"),
    );
    Ok(output.either(Message::Fit(totals), || words)?)
}
