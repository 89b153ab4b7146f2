//! `ogc cost`: what a format costs, and which of its rules cost most.

use std::mem::size_of;
use std::time::Instant;

use ogc_compiler::db::VocabularyInput;
use ogc_compiler::pipeline::{self, Format, place};
use ogc_runtime::automaton::{Automaton, Call, Edge, Rule, State};
use ogc_runtime::mask::PackReport;
use serde_json::json;

use crate::args::Cost;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::render::{excerpt, line_column, range, span_object};
use crate::session::Session;
use crate::table::{Table, bytes, millis};

/// One rule's part.
pub(super) struct Part<'a> {
    rule: &'a Rule,
    pub(super) states: usize,
    pub(super) edges: usize,
    pub(super) calls: usize,
}

impl Part<'_> {
    /// The bytes of its tables.
    pub(super) fn bytes(&self) -> usize {
        self.states * size_of::<State>() + self.edges * size_of::<Edge>() + self.calls * size_of::<Call>()
    }
}

pub(crate) fn run(args: &Cost, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::with_levels(&args.format, &args.levels);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let begin = Instant::now();
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let compile = begin.elapsed();
    let begin = Instant::now();
    let vocabulary = session.vocabulary(args.vocab.as_deref(), file)?;
    let load = begin.elapsed();
    let masks = masks(&session, &format, vocabulary, args)?;
    let build = begin.elapsed().saturating_sub(load);
    let mut parts: Vec<Part<'_>> = automaton.rules.iter().map(|rule| part(&automaton, rule)).collect();
    let total: usize = parts.iter().map(Part::bytes).sum();
    parts.sort_by_key(|part| std::cmp::Reverse(part.bytes()));
    let object = json!({
        "type": "cost", "rules": automaton.rules.len(), "states": automaton.states.len(),
        "edges": automaton.edges.len(), "calls": automaton.calls.len(), "bytes": total,
        "compile_ms": compile.as_secs_f64() * 1e3, "masks_ms": build.as_secs_f64() * 1e3,
        "rows": masks.rows, "row_bytes": masks.row_bytes, "bases": masks.bases, "tails": masks.tails,
        "masks_complete": masks.complete,
    });
    output.either(object, || {
        let (rules, states, edges) = (automaton.rules.len(), automaton.states.len(), automaton.edges.len());
        let machine = format!("{rules} rules, {states} states, {edges} edges, {}", bytes(total));
        let rest = if masks.complete { "" } else { "; further rows are computed at run time" };
        let rows = format!(
            "{} rows, {}, for {} states and {} tails",
            masks.rows,
            bytes(masks.row_bytes),
            masks.bases,
            masks.tails
        );
        format!("automaton: {machine}, in {}\nmasks:     {rows}, in {}{rest}", millis(compile), millis(build))
    })?;
    rules(&session, &format, &parts, args.rules, output)?;
    let found = session.lints(file, std::slice::from_ref(&format), Some(vocabulary));
    Ok(if session.show(file, &found, output)? { Verdict::Good } else { Verdict::Bad })
}

fn masks(session: &Session, format: &Format, vocabulary: VocabularyInput, args: &Cost) -> Result<PackReport, Problem> {
    let masks = pipeline::masks(&session.db, format.clone(), vocabulary)
        .map_err(|error| Problem::Engine { path: args.file.clone(), message: error.to_string() })?;
    Ok(masks.map(|masks| masks.report()).unwrap_or_default())
}

pub(super) fn part<'a>(automaton: &Automaton, rule: &'a Rule) -> Part<'a> {
    let (first, len) = (rule.states.0 as usize, rule.states.1 as usize);
    let states = automaton.states.get(first..first + len).unwrap_or_default();
    let edges = states.iter().map(|state| state.edges.1 as usize).sum();
    let calls = states.iter().map(|state| state.calls.1 as usize).sum();
    Part { rule, states: len, edges, calls }
}

fn rules(session: &Session, format: &Format, parts: &[Part<'_>], shown: usize, output: &Output) -> Result<(), Problem> {
    let source = session.text(format.file);
    let mut table = Table::new(&["rule", "states", "edges", "calls", "bytes", "place", "source"]);
    for part in parts.iter().take(shown) {
        let span = place(&session.db, format.clone(), part.rule.origin);
        if output.is_json() {
            output.line(json!({
                "type": "rule", "rule": part.rule.name, "states": part.states, "edges": part.edges,
                "calls": part.calls, "bytes": part.bytes(), "span": span.map(|span| span_object(source.text, span)),
            }))?;
            continue;
        }
        let place = span.map(|span| line_column(source.text, span.start as usize));
        table.row(vec![
            part.rule.name.clone(),
            part.states.to_string(),
            part.edges.to_string(),
            part.calls.to_string(),
            part.bytes().to_string(),
            place.map_or_else(String::new, |(line, column)| format!("{line}:{column}")),
            span.map_or_else(String::new, |span| excerpt(source.text, range(source.text, span))),
        ]);
    }
    if !output.is_json() {
        output.line(format!("\n{}", table.render()))?;
        if parts.len() > shown {
            output.line(format!("and {} rules more; --rules shows them", parts.len() - shown))?;
        }
    }
    Ok(())
}
