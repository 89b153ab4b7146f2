//! `unbuilt-masks`: a format whose masks exceed the build's budget, so that some are only computed at first use.

use always_assert::always;
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::automaton::StateId;
use ogc_runtime::mask::{MaskPack, PackLimit};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(masks) = &compiled.masks else { return Vec::new() };
    let Some(limit) = masks.stopped_by() else { return Vec::new() };
    let left_out = |states: Vec<StateId>| {
        let part = masks.part_time(states);
        always!(part.is_some(), "masks that are built here have no times");
        part.map_or(0, |part| part.left_out)
    };
    let parts = compiled.by_place().into_iter().map(|(handle, states)| (left_out(states), handle));
    let most =
        parts.max_by_key(|(left_out, handle)| (*left_out, u32::MAX - handle)).filter(|(left_out, _)| *left_out > 0);
    vec![found(masks, limit, most)]
}

fn found(masks: &MaskPack, limit: PackLimit, most: Option<(usize, u32)>) -> Diagnostic<Origin> {
    let report = masks.report();
    let left_out = report.frames_left_out + report.tails_left_out;
    let limit = match limit {
        PackLimit::Work { limit } => format!("of {limit} units of work"),
        PackLimit::Part { limit } => format!("of {limit} units of work for the masks of one state"),
        PackLimit::Memory { limit } => format!("of {limit} bytes"),
        PackLimit::Frames { limit } => format!("of {limit} states with countdowns and keys seen"),
        PackLimit::Bases { limit } => format!("of {limit} states"),
        PackLimit::Tails { limit } => format!("of {limit} ways out of rules"),
        PackLimit::Rows { limit } => format!("of {limit} bytes of rows"),
        PackLimit::Ways { limit } => format!("of {limit} ways of tokens through one frame"),
    };
    let place = Compiled::place(most.map_or(0, |(_, handle)| handle));
    let are = if left_out == 1 { "mask is" } else { "masks are" };
    let message = format!("{left_out} {are} not built ahead of time: the build reached its limit {limit}");
    let help = "they are made when a text first needs them; this part lacks most of them: bound it by a counted length \
                (`string<1..80>`, `x[1..80]`), or leave its upper bound out";
    Diagnostic::warning(Code::UnbuiltMasks, place, message).help(help)
}
