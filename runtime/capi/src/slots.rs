//! Sequences in the memory of an NVIDIA device, each in a slot, with their formats: they are begun, moved, masked and sampled on a stream of the
//! caller, without the host. Only libraries with the feature `cuda` have them.

mod drafts;
mod records;

use std::ffi::c_void;
use std::sync::Arc;

use always_assert::never;
use ogc_cuda::{
    Adjustments, AllowedTokens, DeviceKernel, DeviceMachine, DeviceSlots, KernelLaunch, LogitFormat, Masks, MasksError,
    PoolError, PoolLimits, RawStream, RowSampling, SlotId, SlotLimits, SlotLists, SlotStatus, SlotsError, TokenChoice,
};

use crate::device::{logits_of, ogc_device};
use crate::format::ogc_format;
use crate::matcher::ogc_matcher;
use crate::pointers::{give, shared, slice, take, unique};
use crate::status::{Failure, call, ogc_status};
use crate::vocabulary::ogc_vocabulary;
use drafts::{check_count, check_lists};
pub use drafts::{ogc_slots_draft, ogc_slots_run, ogc_slots_verify};
pub use records::{
    ogc_allowed_tokens, ogc_draft_end, ogc_logits, ogc_row, ogc_slot_addresses, ogc_slot_drafts, ogc_slot_limits,
    ogc_slot_lists, ogc_slot_outcome, ogc_slot_runs, ogc_slot_status,
};

/// Sequence slots and formats in the memory of a device, each numbered from 0 on. One thread at a time may use them.
///
/// Functions that take a stream launch kernels on it and return at once. They allocate and copy nothing, so that a graph can capture them. The
/// others copy, and return when the copy is done; work on a stream that uses what they change must have ended before.
#[derive(Debug)]
pub struct ogc_slots {
    slots: DeviceSlots<DeviceMachine>,
    /// All slots; all of them are open.
    open: Vec<SlotId>,
}

impl From<SlotsError> for Failure {
    fn from(error: SlotsError) -> Self {
        match &error {
            SlotsError::Device(_) => Self::device(&error),
            SlotsError::Limit { .. }
            | SlotsError::Slots { .. }
            | SlotsError::Formats { .. }
            | SlotsError::FormatBytes { .. }
            | SlotsError::DistinctItems
            | SlotsError::Width { .. }
            | SlotsError::Draft(_)
            | SlotsError::Tokens(_)
            | SlotsError::Slot(_)
            | SlotsError::Format(_)
            | SlotsError::Masks(MasksError::Pool(PoolError::Full { .. }) | MasksError::Size(_)) => {
                Self::limit(&error.to_string())
            }
            SlotsError::MissingToken { .. } | SlotsError::Load(_) | SlotsError::Masks(_) | SlotsError::Stop(_) => {
                Self::data(&error)
            }
            SlotsError::Matcher(error) => (*error).into(),
            SlotsError::Closed { .. }
            | SlotsError::UnknownFormat { .. }
            | SlotsError::FormatInUse { .. }
            | SlotsError::OtherFormat { .. }
            | SlotsError::OtherStops
            | SlotsError::Rows { .. }
            | SlotsError::OtherRows { .. }
            | SlotsError::MaskWords { .. }
            | SlotsError::Drafted { .. }
            | SlotsError::DraftRows { .. }
            | SlotsError::MaskTokens { .. }
            | SlotsError::Memory(_) => Self::argument(&error.to_string()),
        }
    }
}

/// The kernels that are launched on streams; they are loaded when slots are made.
const KERNELS: [DeviceKernel; 11] = [
    DeviceKernel::Begin,
    DeviceKernel::Advance,
    DeviceKernel::RollBack,
    DeviceKernel::Locate,
    DeviceKernel::Fill,
    DeviceKernel::Run,
    DeviceKernel::Draft,
    DeviceKernel::Verify,
    DeviceKernel::Step(LogitFormat::F32),
    DeviceKernel::Step(LogitFormat::F16),
    DeviceKernel::Step(LogitFormat::Bf16),
];

/// Makes slots on a device for texts of a vocabulary, none of which is begun. The device may be freed before they are.
///
/// # Safety
///
/// `device` is a device, `vocabulary` a vocabulary, `limits` points to limits, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_new(
    device: *const ogc_device,
    vocabulary: *const ogc_vocabulary,
    limits: *const ogc_slot_limits,
    out: *mut *mut ogc_slots,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (device, vocabulary) = unsafe { (shared(device, "device")?, shared(vocabulary, "vocabulary")?) };
        // SAFETY: as this function's.
        let (limits, out) = unsafe { (shared(limits, "limits")?, unique(out, "out")?) };
        sized(limits.struct_size, size_of::<ogc_slot_limits>(), "limits", "ogc_slot_limits")?;
        let pool = PoolLimits { rows: limits.pool_rows, blocks: limits.pool_blocks };
        let ogc_slot_limits { slots, formats, format_bytes, logits, draft_tokens, .. } = *limits;
        // Runs lie in memory of the caller.
        let limits = SlotLimits { slots, formats, format_bytes, pool, logits, run_tokens: 0, draft_tokens };
        let mut machine = DeviceMachine::new(&device.device)?;
        machine.load(&KERNELS)?;
        let tokens = Arc::clone(vocabulary.store.vocabulary());
        let mut slots = match &vocabulary.ends {
            None => DeviceSlots::new(machine, tokens, limits)?,
            Some(ends) => DeviceSlots::with_stop_tokens(machine, tokens, ends, limits)?,
        };
        let open = (0..limits.slots).map(|_| slots.open()).collect::<Result<_, _>>()?;
        give(ogc_slots { slots, open }, out);
        Ok(())
    })
}

/// Frees slots, with their formats.
///
/// # Safety
///
/// `slots` is null, or slots that are not used again; no launch on them is under way, and no graph that captured one is launched again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_free(slots: *mut ogc_slots) {
    // SAFETY: as this function's.
    unsafe { take(slots) };
}

/// Copies a format with its masks to the device, and writes its number to `number`. Slots may be stepped meanwhile, and captured graphs stay
/// valid. The status is `OGC_STATUS_DATA` if the format has no masks (`ogc_format_build_masks` makes them) or is of another vocabulary, and
/// `OGC_STATUS_LIMIT` if there is no room.
///
/// # Safety
///
/// `slots` are slots, `format` is a format, `number` points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_add_format(
    slots: *mut ogc_slots,
    format: *const ogc_format,
    number: *mut u32,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, format) = unsafe { (unique(slots, "slots")?, shared(format, "format")?) };
        // SAFETY: as this function's.
        let number = unsafe { unique(number, "number") }?;
        let masks = format
            .artifact
            .masks()
            .ok_or_else(|| Failure::data(&"the format has no masks: `ogc_format_build_masks` makes them for this vocabulary, and so does `ogc build`"))?;
        *number = slots.slots.add_format(&format.artifact.format().automaton, masks)?.number();
        Ok(())
    })
}

/// Removes a format from the device; its number and memory can be used again.
///
/// # Safety
///
/// `slots` are slots; none of them is in a text of the format, and no launch that steps or masks by it is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_remove_format(slots: *mut ogc_slots, number: u32) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let slots = unsafe { unique(slots, "slots") }?;
        let format = slots.slots.format_of_number(number)?;
        // SAFETY: as this function's.
        unsafe { slots.slots.remove_unused_format(format) }?;
        Ok(())
    })
}

/// Puts slots at the beginning of formats, whose numbers are `lists->numbers`, and finds the masks of their first tokens.
///
/// # Safety
///
/// `slots` are slots, and `lists` points to lists, of memory that kernels on the device can reach, which have as many entries as stated and name slots and
/// formats that there are, and no slot twice. The stream is one of the device's primary context. Until the kernels have ended, nothing else touches
/// the slots, and nobody writes the lists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_begin(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    lists: *const ogc_slot_lists,
) -> ogc_status {
    let launches = |slots: &Slots, lists: &SlotLists| [slots.begin_launch(lists), slots.locate_launch(lists)];
    // SAFETY: as this function's.
    unsafe { move_slots(slots, stream, lists, Needs { outcomes: false }, launches) }
}

/// Moves slots by the tokens of `lists->numbers`, and finds their next masks. A negative or disallowed token leaves its slot unchanged.
/// The outcome of each slot is written to `lists->outcomes`.
///
/// # Safety
///
/// As for `ogc_slots_begin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_advance(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    lists: *const ogc_slot_lists,
) -> ogc_status {
    let launches = |slots: &Slots, lists: &SlotLists| [slots.advance_launch(lists), slots.locate_launch(lists)];
    // SAFETY: as this function's.
    unsafe { move_slots(slots, stream, lists, Needs { outcomes: true }, launches) }
}

/// Rolls slots back by the numbers of tokens in `lists->numbers`, and finds their next masks; a number below 1 leaves its slot unchanged. A slot
/// remembers 16 tokens. The outcome of each slot is written to `lists->outcomes`.
///
/// # Safety
///
/// As for `ogc_slots_begin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_rollback(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    lists: *const ogc_slot_lists,
) -> ogc_status {
    let launches = |slots: &Slots, lists: &SlotLists| [slots.roll_back_launch(lists), slots.locate_launch(lists)];
    // SAFETY: as this function's.
    unsafe { move_slots(slots, stream, lists, Needs { outcomes: true }, launches) }
}

/// Writes the masks of slots as bits, as `ogc_device_apply` takes them: row `i` is of entry `i` of `lists->slots`; the other lists are not used. Rows of slots
/// that the device does not step are left as they are. `masks` of 0 writes the slots' own masks, whose other arguments are not used then.
///
/// # Safety
///
/// As for `ogc_slots_begin`; at `masks` there are `masks_len` 32-bit words that kernels can reach, which nothing else touches until the kernel
/// has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_fill(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    lists: *const ogc_slot_lists,
    masks: u64,
    masks_len: u64,
    mask_stride: u64,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, lists) = unsafe { (unique(slots, "slots")?, shared(lists, "lists")?) };
        let lists = checked_lists(slots, lists, Needs { outcomes: false })?;
        let own = slots.slots.masks();
        let masks = if masks == 0 { own } else { Masks { address: masks, len: masks_len, stride: mask_stride, ..own } };
        let launch = slots.slots.fill_launch(&lists, &masks)?;
        // SAFETY: as this function's.
        unsafe { launch_on(slots, stream, launch) }
    })
}

/// Puts a slot into the state of a matcher, and finds its next mask: the device continues from there, and no earlier token can be rolled back. The
/// status is `OGC_STATUS_LIMIT` if the text does not fit in a slot, or the matcher has a budget; the matcher must continue then.
///
/// # Safety
///
/// `slots` are slots, `matcher` is a matcher that no other thread uses. No work that touches the slot is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_place(
    slots: *mut ogc_slots,
    slot: u32,
    format: u32,
    matcher: *const ogc_matcher,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, matcher) = unsafe { (unique(slots, "slots")?, shared(matcher, "matcher")?) };
        let format = slots.slots.format_of_number(format)?;
        let slot = slot_of(slots, slot)?;
        slots.slots.place(slot, format, &matcher.matcher)?;
        Ok(slots.slots.wait()?)
    })
}

/// Writes who steps a slot to `status`, an `ogc_slot_status`.
///
/// # Safety
///
/// `slots` are slots, `status` points to a number. No work that touches the slot is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_status(slots: *mut ogc_slots, slot: u32, status: *mut u32) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, status) = unsafe { (unique(slots, "slots")?, unique(status, "status")?) };
        let slot = slot_of(slots, slot)?;
        let found = slots.slots.statuses(&[slot])?;
        *status = match found.first() {
            Some(SlotStatus::Device) => ogc_slot_status::DEVICE,
            Some(SlotStatus::Host) => ogc_slot_status::HOST,
            Some(SlotStatus::Free) => ogc_slot_status::FREE,
            None => {
                never!("nothing is said of slot {}", slot.number());
                ogc_slot_status::FREE
            }
        } as u32;
        Ok(())
    })
}

/// Writes a row of the slots' own masks, in the layout of `ogc_matcher_fill_mask`: for sequences that a matcher steps.
///
/// # Safety
///
/// `slots` are slots, `words` points to `len` words. No work that touches the masks is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_write_mask(
    slots: *mut ogc_slots,
    row: u32,
    words: *const u32,
    len: usize,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, words) = unsafe { (unique(slots, "slots")?, slice(words, len, "words")?) };
        slots.slots.write_mask(row as usize, words)?;
        Ok(slots.slots.wait()?)
    })
}

/// Sets how each row of logits is sampled from now on, and which slot its token moves.
///
/// # Safety
///
/// `slots` are slots, `rows` points to `len` rows. No step is under way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_set_rows(slots: *mut ogc_slots, rows: *const ogc_row, len: usize) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, rows) = unsafe { (unique(slots, "slots")?, slice(rows, len, "rows")?) };
        let rows = rows.iter().map(|row| row_of(slots, row)).collect::<Result<Vec<_>, _>>()?;
        slots.slots.set_rows_of_slots(&rows)?;
        Ok(slots.slots.wait()?)
    })
}

/// Samples a token for each row that was set, moves the row's slot by it, and finds the slot's next mask: one decoding step in one launch.
/// In a captured graph, the same launch does the next step. A token that the slot refuses leaves it unchanged. `ogc_slots_addresses` gives the
/// addresses of the tokens.
///
/// # Safety
///
/// `slots` are slots, `logits` points to logits of memory that kernels on the device can reach, as long as stated, and written; so are the lists that rows name
/// by addresses. Until the kernel has ended, nobody writes them, and nothing else touches the slots. The stream is one of the device's primary context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_step(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    logits: *const ogc_logits,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, given) = unsafe { (unique(slots, "slots")?, shared(logits, "logits")?) };
        sized(given.struct_size, size_of::<ogc_logits>(), "logits", "ogc_logits")?;
        let ogc_logits { address, len, stride, format, rows, width, .. } = *given;
        let logits = logits_of(address, len, stride, rows, width, format)
            .ok_or_else(|| Failure::argument("logits.format is no ogc_logit_format"))?;
        let launch = slots.slots.step_launch(&logits)?;
        // SAFETY: as this function's.
        unsafe { launch_on(slots, stream, launch) }
    })
}

/// Writes the device addresses of the results of rows to `addresses`, whose size is its `struct_size`.
///
/// # Safety
///
/// `slots` are slots, `addresses` points to addresses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_slots_addresses(
    slots: *const ogc_slots,
    addresses: *mut ogc_slot_addresses,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, addresses) = unsafe { (shared(slots, "slots")?, unique(addresses, "addresses")?) };
        sized(addresses.struct_size, size_of::<ogc_slot_addresses>(), "addresses", "ogc_slot_addresses")?;
        let (found, masks) = (slots.slots.addresses(), slots.slots.masks());
        *addresses = ogc_slot_addresses {
            struct_size: addresses.struct_size,
            sampled: found.sampled,
            outcomes: found.moved,
            next_tokens: found.next_tokens,
            probabilities: found.probabilities,
            masks: masks.address,
            masks_len: masks.len,
            mask_stride: masks.stride,
        };
        Ok(())
    })
}

type Slots = DeviceSlots<DeviceMachine>;

/// Lists that a launch writes.
#[derive(Clone, Copy)]
struct Needs {
    outcomes: bool,
}

/// Launches two kernels over lists.
///
/// # Safety
///
/// As for [`ogc_slots_begin`].
unsafe fn move_slots(
    slots: *mut ogc_slots,
    stream: *mut c_void,
    lists: *const ogc_slot_lists,
    needs: Needs,
    launches: impl FnOnce(&Slots, &SlotLists) -> [Option<KernelLaunch>; 2],
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (slots, lists) = unsafe { (unique(slots, "slots")?, shared(lists, "lists")?) };
        let lists = checked_lists(slots, lists, needs)?;
        if lists.count > 0 && lists.numbers == 0 {
            return Err(Failure::argument("lists.numbers is null"));
        }
        for launch in launches(&slots.slots, &lists) {
            // SAFETY: as this function's.
            unsafe { launch_on(slots, stream, launch) }?;
        }
        Ok(())
    })
}

/// Launches a kernel, if there is one.
///
/// # Safety
///
/// As for [`DeviceMachine::launch_on`].
unsafe fn launch_on(slots: &mut ogc_slots, stream: *mut c_void, launch: Option<KernelLaunch>) -> Result<(), Failure> {
    if let Some(launch) = launch {
        // SAFETY: as this function's.
        unsafe { slots.slots.machine().launch_on(RawStream(stream.expose_provenance()), &launch) }?;
    }
    Ok(())
}

/// Returns lists whose sizes were checked.
fn checked_lists(slots: &ogc_slots, given: &ogc_slot_lists, needs: Needs) -> Result<SlotLists, Failure> {
    sized(given.struct_size, size_of::<ogc_slot_lists>(), "lists", "ogc_slot_lists")?;
    let ogc_slot_lists { slots: numbers_of_slots, numbers, outcomes, count, .. } = *given;
    check_count(slots, count)?;
    let lists =
        [(numbers_of_slots, "slots", false), (numbers, "numbers", false), (outcomes, "outcomes", needs.outcomes)];
    check_lists("lists", count, &lists)?;
    Ok(SlotLists { slots: numbers_of_slots, numbers, outcomes, count })
}

/// Returns the slot with a number.
fn slot_of(slots: &ogc_slots, number: u32) -> Result<SlotId, Failure> {
    let found = slots.open.get(number as usize).copied();
    found.ok_or_else(|| Failure::argument(&format!("slot {number}; there are {}, from 0 on", slots.open.len())))
}

/// Returns the sampling settings of a row, and the slot that it moves.
fn row_of(slots: &ogc_slots, row: &ogc_row) -> Result<(RowSampling, Option<SlotId>), Failure> {
    sized(row.struct_size, size_of::<ogc_row>(), "rows[]", "ogc_row")?;
    let kinds = [
        (ogc_allowed_tokens::ALL, AllowedTokens::All),
        (ogc_allowed_tokens::BITS, AllowedTokens::Bits(row.allowed_number)),
        (ogc_allowed_tokens::SLOT, AllowedTokens::Slot(row.allowed_number)),
        (ogc_allowed_tokens::DRAFT, AllowedTokens::Located(row.allowed_number)),
    ];
    let found = kinds.into_iter().find(|(kind, _)| *kind as u32 == row.allowed);
    let (_, allowed) = found.ok_or_else(|| Failure::argument("rows[].allowed is no ogc_allowed_tokens"))?;
    let sampled = RowSampling::of(&row.sampling());
    let choice = if row.is_sampled == 0 { TokenChoice::Nothing } else { sampled.choice };
    let adjustments = Adjustments {
        written: list(row.written, row.written_len, "written")?,
        biases: list(row.biases, row.biases_len, "biases")?,
        ..sampled.adjustments
    };
    let slot = u32::try_from(row.slot).ok().map(|slot| slot_of(slots, slot)).transpose()?;
    let (request, position, tells_probability) = (row.request, row.position, row.tells_probability != 0);
    let sampling = RowSampling { request, position, choice, adjustments, allowed, tells_probability, ..sampled };
    Ok((sampling, slot))
}

/// Returns the address and length of a list; rejects a null address of a list that is not empty, and a misaligned one.
fn list(address: u64, len: u32, name: &str) -> Result<(u64, u32), Failure> {
    match address {
        0 if len > 0 => Err(Failure::argument(&format!("rows[].{name} is null"))),
        address if !address.is_multiple_of(8) => Err(Failure::argument(&format!("rows[].{name} is no multiple of 8"))),
        address => Ok((address, len)),
    }
}

/// Rejects a struct that is smaller than expected.
fn sized(given: usize, expected: usize, name: &str, kind: &str) -> Result<(), Failure> {
    if given < expected {
        return Err(Failure::argument(&format!("{name}.struct_size is less than sizeof({kind})")));
    }
    Ok(())
}
