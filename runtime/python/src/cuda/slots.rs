//! Sequences on a device, each in a slot, with their formats.

use std::sync::Arc;

use ogc_cuda::{
    DeviceKernel, DeviceMachine, DeviceSlots, KernelLaunch, LogitFormat, PoolLimits, RawStream, RowSampling,
    SlotDrafts, SlotId, SlotLimits, SlotLists, SlotRuns, SlotStatus, SlotsError,
};
use ogc_runtime::vocabulary::TokenId;
use pyo3::prelude::*;

use super::device::{CudaDevice, device_error};
use super::memory::{ListAt, LogitsAt, MasksAt, list};
use super::row::GivenRow;
use crate::error::{exception, refused, value};
use crate::format::Format;
use crate::matcher::Matcher;
use crate::rows::mask_rows;
use crate::vocabulary::Vocabulary;

/// Entries of 32 bits that are written of a run, and of a draft that was verified.
const MOVED: u64 = 2;
const VERIFIED: u64 = 3;

/// The kernels that are launched on streams; they are loaded when slots are made, so that graphs can capture their first launch.
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

/// Makes the exception of a call of slots.
fn failed(py: Python<'_>, error: &SlotsError) -> PyErr {
    match error {
        SlotsError::Device(error) => device_error(py, error),
        SlotsError::Matcher(error) => refused(py, error, ""),
        SlotsError::Slot(_) | SlotsError::DistinctItems => exception(py, "LimitError", (error.to_string(),)),
        // Limits are arguments of `ogc.cuda.Slots`, by the same names.
        other => value(&other.to_string().replace("SlotLimits::", "")),
    }
}

/// Limits of slots: the values of an `ogc.cuda.Slots`.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenLimits {
    slots: u32,
    formats: u32,
    format_bytes: u64,
    pool_rows: u32,
    pool_blocks: u32,
    logits: u32,
    draft_tokens: u32,
}

/// Slots on a device; `ogc.cuda.Slots` wraps them.
#[pyclass(module = "ogc._ogc", name = "CudaSlots")]
#[derive(Debug)]
pub(crate) struct CudaSlots {
    slots: DeviceSlots<DeviceMachine>,
    /// All slots; all of them are open.
    open: Vec<SlotId>,
}

/// Launches over the slots of lists.
#[derive(Clone, Copy, Debug)]
enum Move {
    Begin,
    Advance,
    RollBack,
}

impl CudaSlots {
    /// Launches kernels on a stream, one after the other.
    fn launch(
        &mut self,
        py: Python<'_>,
        stream: usize,
        launches: impl IntoIterator<Item = Option<KernelLaunch>>,
    ) -> PyResult<()> {
        for launch in launches.into_iter().flatten() {
            // SAFETY: lists, logits and masks lie in memory of tensors, which `ogc.cuda` read and holds while kernels
            // use it; each is as long as the launch needs. As `ogc.cuda` documents, the caller promises that the lists
            // name existing slots and formats, and that nobody else uses the slots in the meantime.
            let launched = unsafe { self.slots.machine().launch_on(RawStream(stream), &launch) };
            launched.map_err(|error| device_error(py, &error))?;
        }
        Ok(())
    }

    /// Returns the number of entries of lists, and the address of their slot numbers.
    fn listed(&self, slots: Option<ListAt>, entries: u64) -> PyResult<(u64, u32)> {
        let limit = self.open.len();
        let count = u32::try_from(entries).ok().filter(|count| *count as usize <= limit);
        let count = count.ok_or_else(|| value(&format!("lists have {entries} entries, there are {limit} slots")))?;
        let Some(given) = slots else { return Ok((0, count)) };
        if given.1 != entries {
            return Err(value(&format!("slots has {} entries, the other lists have {entries}", given.1)));
        }
        Ok((list("slots", given, entries)?, count))
    }

    fn slot(&self, number: u32) -> PyResult<SlotId> {
        let found = self.open.get(number as usize).copied();
        found.ok_or_else(|| value(&format!("slot {number}; there are {}, from 0 on", self.open.len())))
    }

    fn drafts(
        &self,
        slots: Option<ListAt>,
        drafts: ListAt,
        most: u32,
        results: (ListAt, ListAt),
    ) -> PyResult<SlotDrafts> {
        let (drafted, verified) = results;
        let entries = drafted.1 / MOVED;
        let (slots, count) = self.listed(slots, entries)?;
        Ok(SlotDrafts {
            slots,
            drafts: list("drafts", drafts, entries * u64::from(most))?,
            drafted: list("drafted", drafted, entries * MOVED)?,
            verified: list("verified", verified, entries * VERIFIED)?,
            count,
            most,
        })
    }

    /// Moves the slots of lists, and finds the masks of their next tokens.
    fn moved(
        &mut self,
        py: Python<'_>,
        stream: usize,
        kind: Move,
        numbers: ListAt,
        outcomes: Option<ListAt>,
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        let (slots, count) = self.listed(slots, numbers.1)?;
        let numbers = list("the list of numbers", numbers, numbers.1)?;
        let outcomes = outcomes.map_or(Ok(0), |given| list("outcomes", given, count.into()))?;
        let lists = SlotLists { slots, numbers, outcomes, count };
        let first = match kind {
            Move::Begin => self.slots.begin_launch(&lists),
            Move::Advance => self.slots.advance_launch(&lists),
            Move::RollBack => self.slots.roll_back_launch(&lists),
        };
        let locate = self.slots.locate_launch(&lists);
        self.launch(py, stream, [first, locate])
    }
}

#[pymethods]
impl CudaSlots {
    #[new]
    #[pyo3(signature = (device, vocabulary, limits, stop_tokens = None))]
    fn new(
        py: Python<'_>,
        device: &CudaDevice,
        vocabulary: &Vocabulary,
        limits: GivenLimits,
        stop_tokens: Option<Vec<u32>>,
    ) -> PyResult<Self> {
        let pool = PoolLimits { rows: limits.pool_rows, blocks: limits.pool_blocks };
        let GivenLimits { slots, formats, format_bytes, logits, draft_tokens, .. } = limits;
        // Runs lie in memory of the caller.
        let limits = SlotLimits { slots, formats, format_bytes, pool, logits, run_tokens: 0, draft_tokens };
        let tokens = Arc::clone(vocabulary.store.vocabulary());
        let stops = stop_tokens.map(|stops| stops.into_iter().map(TokenId).collect::<Vec<_>>());
        let made = py.detach(|| {
            let mut machine = DeviceMachine::new(&device.device)?;
            machine.load(&KERNELS)?;
            let mut made = match &stops {
                None => DeviceSlots::new(machine, tokens, limits)?,
                Some(stops) => DeviceSlots::with_stop_tokens(machine, tokens, stops, limits)?,
            };
            let open = (0..slots).map(|_| made.open()).collect::<Result<_, _>>()?;
            Ok(Self { slots: made, open })
        });
        made.map_err(|error: SlotsError| failed(py, &error))
    }

    fn add_format(&mut self, py: Python<'_>, format: &Format) -> PyResult<u32> {
        let masks = format.artifact.masks().ok_or_else(|| {
            value(
                &"the format has no masks: `format.with_masks(vocabulary)` makes them, and so does `ogc build --vocab`",
            )
        })?;
        let added = py.detach(|| self.slots.add_format(&format.artifact.format().automaton, masks));
        added.map(ogc_cuda::FormatId::number).map_err(|error| failed(py, &error))
    }

    fn remove_format(&mut self, py: Python<'_>, number: u32) -> PyResult<()> {
        let format = self.slots.format_of_number(number).map_err(|error| failed(py, &error))?;
        // SAFETY: as `ogc.cuda` documents, the caller promises that no slot is in a text of the format, and no launch
        // is under way.
        unsafe { self.slots.remove_unused_format(format) }.map_err(|error| failed(py, &error))
    }

    #[pyo3(signature = (stream, formats, slots = None))]
    fn begin(&mut self, py: Python<'_>, stream: usize, formats: ListAt, slots: Option<ListAt>) -> PyResult<()> {
        self.moved(py, stream, Move::Begin, formats, None, slots)
    }

    #[pyo3(signature = (stream, tokens, outcomes, slots = None))]
    fn advance(
        &mut self,
        py: Python<'_>,
        stream: usize,
        tokens: ListAt,
        outcomes: ListAt,
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        self.moved(py, stream, Move::Advance, tokens, Some(outcomes), slots)
    }

    #[pyo3(signature = (stream, counts, outcomes, slots = None))]
    fn roll_back(
        &mut self,
        py: Python<'_>,
        stream: usize,
        counts: ListAt,
        outcomes: ListAt,
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        self.moved(py, stream, Move::RollBack, counts, Some(outcomes), slots)
    }

    /// Writes the masks of slots as bits, into `masks` or the slots' own memory.
    #[pyo3(signature = (stream, count, masks = None, slots = None))]
    fn fill(
        &mut self,
        py: Python<'_>,
        stream: usize,
        count: u64,
        masks: Option<MasksAt>,
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        let (slots, count) = self.listed(slots, count)?;
        let lists = SlotLists { slots, count, ..SlotLists::default() };
        let own = self.slots.masks();
        let masks = masks.map_or(own, |given| given.masks(own.vocabulary));
        let launch = self.slots.fill_launch(&lists, &masks).map_err(|error| failed(py, &error))?;
        self.launch(py, stream, [launch])
    }

    fn set_rows(&mut self, py: Python<'_>, rows: Vec<GivenRow>) -> PyResult<()> {
        let row = |row: &GivenRow| Ok((row.sampling()?, row.slot.map(|slot| self.slot(slot)).transpose()?));
        let rows = rows.iter().map(row).collect::<PyResult<Vec<(RowSampling, Option<SlotId>)>>>()?;
        let set = py.detach(|| {
            self.slots.set_rows_of_slots(&rows)?;
            self.slots.wait()
        });
        set.map_err(|error| failed(py, &error))
    }

    fn step(&mut self, py: Python<'_>, stream: usize, logits: LogitsAt) -> PyResult<()> {
        let launch = self.slots.step_launch(&logits.logits()?).map_err(|error| failed(py, &error))?;
        self.launch(py, stream, [launch])
    }

    /// Moves slots by runs of at most `most` tokens.
    #[pyo3(signature = (stream, tokens, most, moved, slots = None))]
    fn run(
        &mut self,
        py: Python<'_>,
        stream: usize,
        tokens: ListAt,
        most: u32,
        moved: ListAt,
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        let entries = moved.1 / MOVED;
        let (slots, count) = self.listed(slots, entries)?;
        let runs = list("tokens", tokens, entries * u64::from(most))?;
        let runs = SlotRuns { slots, runs, moved: list("moved", moved, entries * MOVED)?, count, most };
        let launch = self.slots.run_launch(&runs);
        self.launch(py, stream, [launch])
    }

    #[pyo3(signature = (stream, drafts, most, results, slots = None))]
    fn draft(
        &mut self,
        py: Python<'_>,
        stream: usize,
        drafts: ListAt,
        most: u32,
        results: (ListAt, ListAt),
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        let drafts = self.drafts(slots, drafts, most, results)?;
        let launch = self.slots.draft_launch(&drafts).map_err(|error| failed(py, &error))?;
        self.launch(py, stream, [launch])
    }

    #[pyo3(signature = (stream, drafts, most, results, slots = None))]
    fn verify(
        &mut self,
        py: Python<'_>,
        stream: usize,
        drafts: ListAt,
        most: u32,
        results: (ListAt, ListAt),
        slots: Option<ListAt>,
    ) -> PyResult<()> {
        let drafts = self.drafts(slots, drafts, most, results)?;
        let launch = self.slots.verify_launch(&drafts).map_err(|error| failed(py, &error))?;
        self.launch(py, stream, [launch])
    }

    fn place(&mut self, py: Python<'_>, slot: u32, format: u32, matcher: &Matcher) -> PyResult<()> {
        let slot = self.slot(slot)?;
        let format = self.slots.format_of_number(format).map_err(|error| failed(py, &error))?;
        let placed = self.slots.place(slot, format, matcher.engine()).and_then(|()| self.slots.wait());
        placed.map_err(|error| failed(py, &error))
    }

    fn status(&mut self, py: Python<'_>, slot: u32) -> PyResult<&'static str> {
        let slot = self.slot(slot)?;
        let found = self.slots.statuses(&[slot]).map_err(|error| failed(py, &error))?;
        Ok(match found.first() {
            Some(SlotStatus::Device) => "device",
            Some(SlotStatus::Host) => "host",
            Some(SlotStatus::Free) | None => "free",
        })
    }

    /// Copies a row of masks from the host into the slots' own masks.
    fn write_mask(&mut self, py: Python<'_>, row: usize, masks: &Bound<'_, PyAny>, from: usize) -> PyResult<()> {
        let rows = mask_rows(masks)?;
        // SAFETY: the row is only read here, and by the rules of the package nobody writes to it during the call.
        let words = unsafe { rows.get().read(from) }?;
        let limit = self.slots.vocabulary().len().div_ceil(32);
        let words = words.get(..limit).unwrap_or(words);
        let written = self.slots.write_mask(row, words).and_then(|()| self.slots.wait());
        written.map_err(|error| failed(py, &error))
    }

    /// Addresses of `sampled`, `outcomes`, `next_tokens` and `probabilities`, each with an entry for each row.
    fn addresses(&self) -> (u64, u64, u64, u64) {
        let found = self.slots.addresses();
        (found.sampled, found.moved, found.next_tokens, found.probabilities)
    }

    /// Address of the slots' own masks, the words of a mask, and the distance between the beginnings of two rows, in words.
    fn masks(&self) -> (u64, u32, u64) {
        let masks = self.slots.masks();
        (masks.address, masks.vocabulary.div_ceil(32), masks.stride)
    }

    fn stop_tokens(&self) -> Vec<u32> {
        self.slots.stop_tokens().iter().map(|token| token.0).collect()
    }

    /// Waits for all work on the default stream.
    fn wait(&mut self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.slots.wait()).map_err(|error| failed(py, &error))
    }
}
