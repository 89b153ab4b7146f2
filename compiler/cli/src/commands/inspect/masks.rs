//! Shows the rows of a format's masks, state by state.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ogc_compiler::db::VocabularyInput;
use ogc_compiler::pipeline;
use ogc_runtime::automaton::{Automaton, Rule, StateId};
use ogc_runtime::mask::{ListedRow, MaskPack, PackReport, RowView, StateRows};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_workbench::describe;
use ogc_workbench::words::counted;

use super::StageText;
use super::places::PartPlaces;
use crate::commands::origin::origin;
use crate::table;

/// Maximum number of tokens shown of a row.
const TOKENS: usize = 6;

/// Maximum number of a state's rows that are named because they were already shown.
const KNOWN: usize = 12;

/// Shows at most `limit` rows, each at its first use, and the totals of all rows.
pub(super) fn show(places: PartPlaces<'_>, vocabulary: VocabularyInput, limit: usize) -> StageText {
    let db = &places.session.db;
    let masks = pipeline::masks(db, places.format.clone(), vocabulary).map_err(|error| error.to_string())?;
    let (Some(masks), Some(automaton)) = (masks, pipeline::automaton(db, places.format.clone())) else {
        return Ok(None);
    };
    let store = vocabulary.store(db);
    let listing = Listing { places, automaton: &automaton, masks: &masks, vocabulary: store.vocabulary(), limit };
    Ok(Some(listing.text()))
}

/// Describes the contents of a pack in a sentence.
pub(super) fn total(report: &PackReport) -> String {
    let PackReport { bases, tails, rows, row_bytes, exit_bytes, frames_left_out, tails_left_out, .. } = *report;
    let held = format!(
        "{} of {}, {} and {}, exits of {}",
        counted(rows, "row"),
        table::bytes(row_bytes),
        counted(bases, "base run"),
        counted(tails, "tail run"),
        table::bytes(exit_bytes)
    );
    if report.complete {
        return format!("{held}; complete");
    }
    let left_out = format!("{} and {}", counted(frames_left_out, "frame"), counted(tails_left_out, "tail"));
    format!("{held}; {left_out} left to the matcher")
}

struct Listing<'l> {
    places: PartPlaces<'l>,
    automaton: &'l Automaton,
    masks: &'l MaskPack,
    vocabulary: &'l Vocabulary,
    limit: usize,
}

/// The lines written so far, and the rows that they show.
#[derive(Default)]
struct Written {
    text: String,
    rows: BTreeSet<u32>,
}

impl Listing<'_> {
    fn text(&self) -> String {
        let mut written = Written::default();
        let states = self.automaton.rules.iter().flat_map(|rule| rule.state_ids().map(move |id| (rule, id)));
        let states = states.map(|(rule, id)| (rule, self.masks.state_rows(id)));
        let mut hidden = 0;
        for (rule, rows) in states.filter(|(_, rows)| rows.base_runs + rows.tail_runs > 0) {
            if written.rows.len() < self.limit {
                self.state(rule, &rows, &mut written);
            } else {
                hidden += 1;
            }
        }
        let Written { mut text, rows } = written;
        let report = self.masks.report();
        match report.rows.saturating_sub(rows.len()) {
            more if hidden > 0 || rows.len() >= self.limit && more > 0 => {
                let (rows, states) = (counted(more, "more row"), counted(hidden, "more state"));
                put(&mut text, format_args!("and {rows}, and {states}; --limit shows them"));
            }
            0 => {}
            only => put(&mut text, format_args!("and {} that only differences are from", counted(only, "row"))),
        }
        put(&mut text, format_args!("total: {}", total(&report)));
        text
    }

    fn state(&self, rule: &Rule, rows: &StateRows<'_>, written: &mut Written) {
        let StateId(number) = rows.state;
        let (bases, tails) = (counted(rows.base_runs, "base run"), counted(rows.tail_runs, "tail run"));
        let place = self.places.of_origin(origin(self.automaton, rows.state));
        put(&mut written.text, format_args!("state {number} of {}{place}: {bases}, {tails}", rule.name));
        let mut known = Vec::new();
        let bases = rows.bases.iter().map(|row| ("base", row));
        for (of, row) in bases.chain(rows.tails.iter().map(|row| ("tail", row))) {
            if written.rows.contains(&row.number) {
                known.push(format!("{of} row {}", row.number));
            } else if written.rows.len() < self.limit {
                written.rows.insert(row.number);
                put(&mut written.text, format_args!("  {of} row {}: {}", row.number, self.row_words(row)));
            }
        }
        if !known.is_empty() {
            let more = if known.len() > KNOWN { ", ..." } else { "" };
            known.truncate(KNOWN);
            put(&mut written.text, format_args!("  as above: {}{more}", known.join(", ")));
        }
    }

    fn row_words(&self, row: &ListedRow<'_>) -> String {
        let kind = match (row.view, row.dense) {
            (RowView::Sparse(_), _) => "sparse".to_owned(),
            (RowView::Dense(_), _) => "dense".to_owned(),
            (RowView::Delta { add, remove, .. }, dense) => {
                let from = dense.map(|dense| format!(" from row {dense}")).unwrap_or_default();
                format!("difference{from} (+{} -{})", add.len(), remove.len())
            }
        };
        let count = row.view.count();
        let more = if count > TOKENS { ", ..." } else { "" };
        let (tokens, size) = (counted(count, "token"), table::bytes(row.bytes));
        format!("{kind}, {tokens}, {size}: {}{more}", self.tokens(row.view).join(", "))
    }

    /// Returns the first tokens of a row.
    fn tokens(&self, row: RowView<'_>) -> Vec<String> {
        let first: Vec<u32> = match row {
            RowView::Sparse(tokens) => tokens.iter().copied().take(TOKENS).collect(),
            RowView::Dense(_) | RowView::Delta { .. } => {
                (0..self.vocabulary.len() as u32).filter(|token| row.contains(*token)).take(TOKENS).collect()
            }
        };
        let named = |token: u32| {
            let text = self.vocabulary.text(TokenId(token));
            text.map_or_else(|| format!("#{token}"), describe::token)
        };
        first.into_iter().map(named).collect()
    }
}

/// Appends a line; writing to a string cannot fail.
fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}
