//! Measures a format for the page; every place is resolved to a line and an excerpt.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ogc_compiler::pipeline::{self, Format};
use ogc_grammar::{Cost, Diagnostic};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskPack;
use ogc_workbench::sample::{SampleError, SampleOptions, samples};

use super::masks::{self, Masks};
use super::place::{At, at};
use crate::args::Report;
use crate::commands::cost::{MeasuredRule, part};
use crate::problem::Problem;
use crate::session::Session;
use crate::source::Text;

/// The contents of the page, without the diagrams.
pub(super) struct Facts<'s> {
    pub(super) source: Text<'s>,
    /// The measured definition of an `.ogc` file.
    pub(super) definition: Option<Arc<str>>,
    pub(super) language: &'static str,
    pub(super) found: Vec<Diagnostic>,
    /// The compiled format; `None` if there are errors.
    pub(super) machine: Option<Machine>,
}

/// A compiled format.
pub(super) struct Machine {
    pub(super) states: usize,
    pub(super) edges: usize,
    pub(super) compile: Duration,
    pub(super) rules: Vec<RuleCost>,
    pub(super) masks: Masks,
    pub(super) samples: Result<Vec<String>, SampleError>,
}

/// The cost of one rule.
pub(super) struct RuleCost {
    pub(super) name: String,
    pub(super) cost: Cost,
    pub(super) edges: usize,
    pub(super) calls: usize,
    pub(super) at: Option<At>,
}

impl RuleCost {
    /// Returns the bytes of its tables and mask rows.
    pub(super) fn bytes(&self) -> usize {
        self.cost.bytes + self.cost.row_bytes()
    }
}

/// Compiles, builds masks, and measures both.
pub(super) fn measure<'s>(session: &'s Session, format: &Format, args: &Report) -> Result<Facts<'s>, Problem> {
    let begin = Instant::now();
    let found = session.diagnostics(format.file);
    let automaton =
        pipeline::automaton(&session.db, format.clone()).filter(|_| !found.iter().any(Diagnostic::is_error));
    let compile = begin.elapsed();
    let machine = automaton.map(|automaton| machine(session, format, args, &automaton, compile)).transpose()?;
    let found = if machine.is_some() { with_lints(session, format, args)? } else { found };
    let language = format.file.language(&session.db).name();
    Ok(Facts { source: session.text(format.file), definition: format.name.clone(), language, found, machine })
}

/// Returns the findings of `ogc check --vocab` for this format.
fn with_lints(session: &Session, format: &Format, args: &Report) -> Result<Vec<Diagnostic>, Problem> {
    let vocabulary = session.vocabulary(args.vocab.as_deref(), format.file)?;
    Ok(session.all_diagnostics(format.file, Some(vocabulary)))
}

fn machine(
    session: &Session,
    format: &Format,
    args: &Report,
    automaton: &Arc<Automaton>,
    compile: Duration,
) -> Result<Machine, Problem> {
    let (masks, pack) = masks::measure(session, format, args, automaton)?;
    // Several walks may give the same text.
    let samples = samples(automaton, SampleOptions { count: args.samples.saturating_mul(3), seed: 1, length: 300 });
    let shown = |texts: Vec<Vec<u8>>| distinct(&texts, args.samples);
    Ok(Machine {
        states: automaton.states.len(),
        edges: automaton.edges.len(),
        compile,
        rules: rules(session, format, automaton, &pack),
        masks,
        samples: samples.map(shown),
    })
}

/// Returns the first `count` texts that differ in more than surrounding white space.
fn distinct(texts: &[Vec<u8>], count: usize) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let texts = texts.iter().map(|text| String::from_utf8_lossy(text).into_owned());
    texts.filter(|text| seen.insert(text.trim().to_owned())).take(count).collect()
}

/// Returns the costs of the rules, the one with the most bytes first.
fn rules(session: &Session, format: &Format, automaton: &Automaton, pack: &MaskPack) -> Vec<RuleCost> {
    let cost = |rule| {
        let MeasuredRule { cost, edges, calls, .. } = part(automaton, pack, rule);
        RuleCost { name: rule.name.clone(), cost, edges, calls, at: at(session, format, rule.origin) }
    };
    let mut rules: Vec<RuleCost> = automaton.rules.iter().map(cost).collect();
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.bytes()));
    rules
}
