//! Moves slots by several tokens at once: by runs that are known beforehand, and by drafts that are verified after a pass of the model.

use std::ffi::c_void;

use ogc_cuda::{SlotDrafts, SlotRuns, SlotsError};

use super::records::{ogc_slot_drafts, ogc_slot_runs};
use super::{Slots, launch_on, ogc_slots, sized};
use crate::pointers::{shared, unique};
use crate::status::{Failure, call, ogc_status};

/// Moves slots by runs of tokens, such as forced tokens, each up to its first token not accepted, and finds their next masks. The outcome of
/// each run is written to `runs->moved`. A slot without a run is unchanged.
///
/// # Safety
///
/// As for `ogc_slots_begin`, for the lists of `runs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_run(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    runs: *const ogc_slot_runs,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, given) = unsafe { (unique(slots, "slots")?, shared(runs, "runs")?) };
        sized(given.struct_size, size_of::<ogc_slot_runs>(), "runs", "ogc_slot_runs")?;
        let ogc_slot_runs { slots: sequences, tokens, moved, count, most, .. } = *given;
        check_count(slots, count)?;
        let lists = [(sequences, "slots", false), (tokens, "tokens", most > 0), (moved, "moved", true)];
        check_lists("runs", count, &lists)?;
        let runs = SlotRuns { slots: sequences, runs: tokens, moved, count, most };
        let launch = slots.slots.run_launch(&runs);
        // SAFETY: as this function's.
        unsafe { launch_on(slots, stream, launch) }
    })
}

/// Finds the masks before and after each draft token of slots, and moves the slots by the drafts until `ogc_slots_verify`: nothing else may
/// move them in between. Draft `i` has the rows from `i * (1 + most)` on, which `ogc_slots_set_rows` has set before, with
/// `OGC_ALLOWED_TOKENS_DRAFT` and no slot. In between, the model computes logits of all these rows, and `ogc_slots_step` samples them. Rows
/// after the first token that a format refuses or that ends the text are not sampled.
///
/// # Safety
///
/// As for `ogc_slots_begin`, for the lists of `drafts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_draft(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    drafts: *const ogc_slot_drafts,
) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { launch_drafts(slots, stream, drafts, Slots::draft_launch) }
}

/// Moves slots by the tokens sampled for their drafts: by those equal to the drafted tokens, and by the first that differs; finds their next
/// masks. The outcome of each draft is written to `drafts->verified`. The position of each draft's first row is that of the next token then.
///
/// # Safety
///
/// As for `ogc_slots_draft`, with the same drafts, after it and after the sampling of their rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_verify(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    drafts: *const ogc_slot_drafts,
) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { launch_drafts(slots, stream, drafts, Slots::verify_launch) }
}

/// Launches a kernel over drafts.
///
/// # Safety
///
/// As for [`ogc_slots_draft`].
unsafe fn launch_drafts(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    drafts: *const ogc_slot_drafts,
    launch: impl FnOnce(&Slots, &SlotDrafts) -> Result<Option<ogc_cuda::KernelLaunch>, SlotsError>,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, given) = unsafe { (unique(slots, "slots")?, shared(drafts, "drafts")?) };
        sized(given.struct_size, size_of::<ogc_slot_drafts>(), "drafts", "ogc_slot_drafts")?;
        let ogc_slot_drafts { slots: sequences, tokens, drafted, verified, count, most, .. } = *given;
        check_count(slots, count)?;
        let lists = [
            (sequences, "slots", false),
            (tokens, "tokens", most > 0),
            (drafted, "drafted", true),
            (verified, "verified", true),
        ];
        check_lists("drafts", count, &lists)?;
        let drafts = SlotDrafts { slots: sequences, drafts: tokens, drafted, verified, count, most };
        let launch = launch(&slots.slots, &drafts)?;
        // SAFETY: as this function's.
        unsafe { launch_on(slots, stream, launch) }
    })
}

/// Rejects lists with more entries than there are slots.
pub(super) fn check_count(slots: &ogc_slots, count: u32) -> Result<(), Failure> {
    let (given, limit) = (count as usize, slots.open.len());
    if given > limit { Err(SlotsError::Rows { given, limit: limit as u32 }.into()) } else { Ok(()) }
}

/// Rejects lists that are misaligned, or null although they are needed. Each list has an address, a name, and whether it is needed.
pub(super) fn check_lists(of: &str, count: u32, lists: &[(u64, &str, bool)]) -> Result<(), Failure> {
    for (address, name, is_needed) in lists {
        if *is_needed && count > 0 && *address == 0 {
            return Err(Failure::argument(&format!("{of}.{name} is null")));
        }
        if !address.is_multiple_of(4) {
            return Err(Failure::argument(&format!("{of}.{name} is no multiple of 4")));
        }
    }
    Ok(())
}
