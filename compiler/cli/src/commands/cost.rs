//! `ogc cost`: shows the states, bytes and times of a format, and its most expensive rules.

use std::sync::Arc;
use std::time::Instant;

use always_assert::never;
use ogc_compiler::db::{VocabularyInput, lines};
use ogc_compiler::pipeline::{self, Format, place};
use ogc_grammar::{MaskCost, Times};
use ogc_runtime::automaton::{Automaton, Rule, StateId};
use ogc_runtime::mask::MaskPack;
use ogc_workbench::words::counted;

use crate::args::Cost;
use crate::message::{self, Message, PartCost, RuleCost, Totals};
use crate::output::Output;
use crate::problem::Problem;
use crate::render::{self, excerpt};
use crate::session::Session;
use crate::table::{Table, bytes, millis};
use crate::verdict::Verdict;

/// One rule's share of the cost of a format.
pub(super) struct MeasuredRule<'a> {
    rule: &'a Rule,
    pub(super) cost: ogc_grammar::Cost,
    pub(super) edges: usize,
    pub(super) calls: usize,
}

pub(crate) fn run(args: &Cost, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::with_levels(&args.format, &args.levels).speaking(args.vocab.as_deref(), &args.ends);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let begin = Instant::now();
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let compile = begin.elapsed();
    let vocabulary = session.vocabulary(args.vocab.as_deref(), file)?;
    let pack = masks(&session, &format, vocabulary, args)?;
    let build = pack.build_time().unwrap_or_default();
    let masks = pack.report();
    let all = ogc_lint::cost(&automaton, Some(&pack), (0..automaton.states.len() as u32).map(StateId));
    let slowest = all.masks.unwrap_or_default().times.slowest;
    let mut parts: Vec<MeasuredRule<'_>> = automaton.rules.iter().map(|rule| part(&automaton, &pack, rule)).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.cost.bytes));
    let message = Message::Cost(Totals {
        rules: automaton.rules.len(),
        states: automaton.states.len(),
        edges: automaton.edges.len(),
        calls: automaton.calls.len(),
        bytes: all.bytes,
        compile_ms: message::millis(compile),
        masks_ms: message::millis(build),
        rows: masks.rows,
        row_bytes: masks.row_bytes,
        exit_bytes: masks.exit_bytes,
        bases: masks.bases,
        tails: masks.tails,
        masks_complete: masks.complete,
        slowest_row_ms: message::millis(slowest),
    });
    output.either(message, || {
        let (rules, states, edges) = (automaton.rules.len(), automaton.states.len(), automaton.edges.len());
        let machine = format!("{rules} rules, {states} states, {edges} edges, {}", bytes(all.bytes));
        let rest = if masks.complete { String::new() } else { unbuilt(&automaton, &pack) };
        let rows = format!(
            "{} rows, {}, and {} of ways out of rules, for {} states and {} tails",
            masks.rows,
            bytes(masks.row_bytes),
            bytes(masks.exit_bytes),
            masks.bases,
            masks.tails
        );
        let times = [compile, build, slowest].map(millis);
        let [compile, build, slowest] = &times;
        format!("automaton: {machine}, in {compile}\nmasks:     {rows}, in {build}, the slowest row {slowest}{rest}")
    })?;
    rules(&session, &format, &parts, args.rules, output)?;
    let found = session.lints(file, Some(vocabulary));
    Ok(if session.show(file, &found, output)? { Verdict::Good } else { Verdict::Bad })
}

/// Reports how many masks are left to run time, and which rule lacks most of them.
fn unbuilt(automaton: &Automaton, pack: &MaskPack) -> String {
    let report = pack.report();
    let masks = counted(report.frames_left_out + report.tails_left_out, "mask");
    let lacks = |rule: &&Rule| pack.part_time(rule.state_ids()).map_or(0, |part| part.left_out);
    let most = automaton.rules.iter().max_by_key(lacks).filter(|rule| lacks(rule) > 0);
    let most = most.map(|rule| format!(", most of them of rule `{}`", rule.name)).unwrap_or_default();
    format!("; {masks} computed at run time{most}")
}

/// Returns the masks of a format that compiles.
fn masks(
    session: &Session,
    format: &Format,
    vocabulary: VocabularyInput,
    args: &Cost,
) -> Result<Arc<MaskPack>, Problem> {
    let failed = |message: String| Problem::Engine { path: args.file.clone(), message };
    let masks = pipeline::masks(&session.db, format.clone(), vocabulary).map_err(|error| failed(error.to_string()))?;
    masks.ok_or_else(|| {
        never!("{} has an automaton and no masks", args.file.display());
        failed("the format has no masks".to_owned())
    })
}

pub(super) fn part<'a>(automaton: &Automaton, masks: &MaskPack, rule: &'a Rule) -> MeasuredRule<'a> {
    let own = rule.state_ids();
    let state = |id: StateId| {
        let state = automaton.states.get(id.index());
        never!(state.is_none(), "state {} of rule {} is none of {}", id.0, rule.name, automaton.states.len());
        state
    };
    let states = own.clone().filter_map(state);
    let edges = states.clone().map(|state| state.edges.len as usize).sum();
    let calls = states.map(|state| state.calls.len as usize).sum();
    MeasuredRule { rule, cost: ogc_lint::cost(automaton, Some(masks), own), edges, calls }
}

fn rules(
    session: &Session,
    format: &Format,
    parts: &[MeasuredRule<'_>],
    shown: usize,
    output: &Output,
) -> Result<(), Problem> {
    let (source, lines) = (session.text(format.file), lines(&session.db, format.file));
    let head = ["rule", "states", "edges", "calls", "bytes", "rows", "build", "slowest", "place", "source"];
    let mut table = Table::new(&head);
    for part in parts.iter().take(shown) {
        let span = place(&session.db, format.clone(), part.rule.origin);
        if output.is_json() {
            output.say(&Message::Rule(RuleCost {
                rule: part.rule.name.clone(),
                states: part.cost.states,
                edges: part.edges,
                calls: part.calls,
                bytes: part.cost.bytes,
                cost: PartCost::from(&part.cost),
                span: span.map(|span| render::place(lines, span)),
            }))?;
            continue;
        }
        let mut cells = figures(part);
        cells.push(span.map_or_else(String::new, |span| lines.place(span.start).to_string()));
        cells.push(span.map_or_else(String::new, |span| excerpt(source.text, span)));
        table.row(cells);
    }
    if !output.is_json() {
        output.line(format!("\n{}", table.render()))?;
        if parts.len() > shown {
            output.line(format!("and {} more; --rules shows them", counted(parts.len() - shown, "rule")))?;
        }
    }
    Ok(())
}

/// Returns the cells of a rule: its name and its figures.
fn figures(part: &MeasuredRule<'_>) -> Vec<String> {
    let MaskCost { rows, times: Times { build, slowest }, .. } = part.cost.masks.unwrap_or_default();
    let counts = [part.cost.states, part.edges, part.calls, part.cost.bytes, rows].map(|count| count.to_string());
    let times = [build, slowest].map(millis);
    std::iter::once(part.rule.name.clone()).chain(counts).chain(times).collect()
}
