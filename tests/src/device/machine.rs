//! The kernels on the buffers of a batch: slots in random order, the tables of the formats, the pool of their rows.

use ogc_cuda::{
    AllowedTokens, DeviceFormat, DeviceMasks, DevicePool, DeviceVocabulary, Outcome, PoolLimits, PoolPart, RowSampling,
    SLOT_BYTES, SampleLaunch, SampleOutcome, SlotImage, TokenChoice,
};
use ogc_ptx::{Argument, BufferId, Device, Launch, Module};

use super::logits::Logits;
use super::sequence::Command;

/// The pool of a batch.
pub(super) const POOL_LIMITS: PoolLimits = PoolLimits { rows: 1 << 20, blocks: 1 << 23 };

/// The value of a word of a mask that no kernel has written.
const UNTOUCHED: u32 = 0xdead_beef;

/// The distance from the logits of one row to those of the next: rows overlap.
const LOGITS_APART: usize = 7;

/// Cap on the logits before those of the first row.
const MOST_LOGITS_BEFORE: usize = 512;

/// The beginning of the sequences of a batch.
pub(super) enum Begin {
    /// The kernel puts them at the beginning of their formats.
    ByKernel,
    /// They begin at some place of their texts.
    At(Vec<SlotImage>),
}

/// The tables of a batch, in the layout of a device.
pub(super) struct Tables<'t> {
    pub(super) vocabulary: &'t DeviceVocabulary,
    pub(super) tokens: usize,
    pub(super) stops: Vec<u32>,
    pub(super) formats: Vec<(DeviceFormat, DeviceMasks)>,
    /// The number of the format of each sequence.
    pub(super) numbers: Vec<u32>,
}

/// A batch of sequences on a device.
pub(super) struct Machine<'m> {
    device: Device<'m>,
    count: usize,
    tokens: usize,
    words: usize,
    stop_count: u32,
    /// The slot of each sequence.
    own_slots: Vec<u32>,
    slots: BufferId,
    slot_numbers: BufferId,
    formats: BufferId,
    vocabulary: BufferId,
    numbers: BufferId,
    outcomes: BufferId,
    listed: BufferId,
    table: BufferId,
    contents: BufferId,
    stops: BufferId,
    masks: BufferId,
    sampling: Sampling,
    /// The seed of the order of blocks and warps.
    seed: u64,
}

/// The buffers of the kernel that chooses tokens.
struct Sampling {
    logits: Logits,
    numbers: BufferId,
    rows: BufferId,
    outcomes: BufferId,
    scratch: BufferId,
}

impl<'m> Machine<'m> {
    /// Puts a batch on a device, and begins its sequences.
    pub(super) fn new(
        module: &'m Module,
        tables: &Tables<'_>,
        pool: &mut DevicePool,
        begin: Begin,
        logits: Logits,
        seed: u64,
    ) -> Result<Self, String> {
        let mut device = Device::new(module);
        let count = tables.numbers.len();
        let [table, contents] = pool_buffers(&mut device, pool);
        let formats = format_table(&mut device, &tables.formats);
        // There are twice as many slots as sequences, in mixed order: steps of 2 lead through all of an odd number of
        // places.
        let places = 2 * count as u32 - 1;
        let own_slots: Vec<u32> = (0..count as u32).map(|at| (2 * at + 1) % places).collect();
        let is_by_kernel = matches!(begin, Begin::ByKernel);
        let slots = match begin {
            Begin::ByKernel => device.empty("slots", 2 * count * SLOT_BYTES),
            Begin::At(images) => device.buffer("slots", &slot_bytes(&images, &own_slots)),
        };
        let words = tables.tokens.div_ceil(32);
        let mut machine = Self {
            count,
            tokens: tables.tokens,
            words,
            stop_count: tables.stops.len() as u32,
            slots,
            slot_numbers: device.buffer("slot numbers", &own_slots),
            formats,
            vocabulary: device.buffer("vocabulary", tables.vocabulary.bytes()),
            numbers: device.buffer("numbers", &tables.numbers),
            outcomes: device.empty("outcomes", 4 * count),
            listed: device.buffer("listed slots", &vec![-1; count]),
            table,
            contents,
            stops: device.buffer("stops", &tables.stops),
            masks: device.buffer("masks", &vec![UNTOUCHED; count * stride(words)]),
            sampling: Sampling::new(&mut device, count, tables.tokens, logits),
            own_slots,
            device,
            seed,
        };
        if is_by_kernel {
            let arguments = [machine.slots, machine.slot_numbers, machine.formats, machine.numbers];
            machine.launch_warps("ogc_begin", &arguments)?;
        }
        Ok(machine)
    }

    /// Finds the masks of some sequences, and writes them as bits; `None` for sequences that are not asked for or that
    /// the host steps.
    pub(super) fn masks(&mut self, is_asked: &[bool]) -> Result<Vec<Option<Vec<u32>>>, String> {
        let listed =
            self.own_slots.iter().zip(is_asked).map(|(slot, is_asked)| if *is_asked { *slot as i32 } else { -1 });
        let listed: Vec<i32> = listed.collect();
        self.write(self.listed, &listed)?;
        let locate = [self.slots, self.listed, self.formats].map(Argument::Buffer);
        self.launch("ogc_locate", (self.count as u32, 1), 32, &locate)?;
        let stride = stride(self.words);
        self.write(self.masks, &vec![UNTOUCHED; self.count * stride])?;
        let fill = [
            Argument::Buffer(self.slots),
            Argument::Buffer(self.listed),
            Argument::U32(self.count as u32),
            Argument::Buffer(self.table),
            Argument::Buffer(self.contents),
            Argument::Buffer(self.stops),
            Argument::U32(self.stop_count),
            Argument::U32(0),
            Argument::Buffer(self.masks),
            Argument::U64(stride as u64),
            Argument::U32(self.words as u32),
        ];
        self.launch("ogc_fill", (self.words.div_ceil(1024) as u32, self.count.div_ceil(2) as u32), 256, &fill)?;
        let masks: Vec<u32> = self.read(self.masks)?;
        let is_untouched = |words: &[u32]| words.iter().all(|word| *word == UNTOUCHED);
        let mut found = Vec::new();
        for (row, is_asked) in masks.chunks_exact(stride).zip(is_asked) {
            let (mask, behind) = row.split_at(self.words);
            if !is_untouched(behind) || !is_asked && !is_untouched(mask) {
                return Err("a word of a mask was written that is nobody's".to_owned());
            }
            found.push((!is_untouched(mask)).then(|| mask.to_vec()));
        }
        Ok(found)
    }

    /// Chooses tokens of the located masks by their highest logits, for the sequences whose command asks for it;
    /// returns the tokens, with the places where the logits of the sequences begin.
    pub(super) fn sample(&mut self, commands: &[Command]) -> Result<Vec<(SampleOutcome, usize)>, String> {
        let before = self.seed as usize % MOST_LOGITS_BEFORE;
        // Masks of the other sequences may not be located yet, and the kernel reads masks before it checks whether
        // there is a token to choose.
        let row = |(command, slot): (&Command, &u32)| match command {
            Command::Sample => RowSampling {
                choice: TokenChoice::Highest,
                allowed: AllowedTokens::Slot(*slot),
                ..RowSampling::default()
            },
            Command::Nothing | Command::Token(_) | Command::Back(_) => RowSampling::default(),
        };
        let rows: Vec<u8> = commands.iter().zip(&self.own_slots).flat_map(|both| row(both).to_bytes()).collect();
        self.write(self.sampling.rows, &rows)?;
        let address = |buffer| self.device.address(buffer).map_err(|fault| fault.to_string());
        let format = self.sampling.logits.format;
        let launch = SampleLaunch {
            logits: address(self.sampling.numbers)? + before as u64 * u64::from(format.bytes()),
            stride: LOGITS_APART as u64,
            rows: address(self.sampling.rows)?,
            outcomes: address(self.sampling.outcomes)?,
            slots: address(self.slots)?,
            pool: (address(self.table)?, address(self.contents)?),
            stops: (address(self.stops)?, self.stop_count),
            scratch: address(self.sampling.scratch)?,
            ..sample_launch(self.count, self.tokens)
        };
        let kernel = SampleLaunch::kernel(format).to_str().map_err(|error| error.to_string())?;
        self.launch(kernel, launch.blocks(), SampleLaunch::THREADS, &[Argument::Bytes(launch.parameters())])?;
        let bytes: Vec<u8> = self.read(self.sampling.outcomes)?;
        let outcomes = bytes.as_chunks().0.iter().map(|bytes| SampleOutcome::from_bytes(*bytes));
        let places = (0..).map(|at| before + at * LOGITS_APART);
        let known: Option<Vec<_>> = outcomes.zip(places).map(|(outcome, place)| Some((outcome?, place))).collect();
        known.ok_or_else(|| "the sampler says what it cannot say".to_owned())
    }

    /// Returns the first of the allowed tokens with the highest logit, by a plain loop.
    pub(super) fn highest(&self, first: usize, allowed: &[u32]) -> Option<u32> {
        self.sampling.logits.highest(first, allowed, self.tokens)
    }

    /// Runs a command of each sequence: first tokens, then rollbacks. Returns the outcomes.
    pub(super) fn step(&mut self, commands: &[Command]) -> Result<Vec<Outcome>, String> {
        let tokens =
            commands.iter().map(|command| if let Command::Token(token) = command { token.0 as i32 } else { -1 });
        let tokens: Vec<i32> = tokens.collect();
        self.write(self.numbers, &tokens)?;
        let advance = [self.slots, self.slot_numbers, self.formats, self.vocabulary, self.numbers, self.outcomes];
        self.launch_warps("ogc_advance", &advance)?;
        let mut outcomes = self.outcomes()?;
        let back = commands.iter().map(|command| if let Command::Back(count) = command { *count as i32 } else { 0 });
        let back: Vec<i32> = back.collect();
        if back.iter().all(|count| *count == 0) {
            return Ok(outcomes);
        }
        self.write(self.numbers, &back)?;
        self.launch_warps("ogc_rollback", &[self.slots, self.slot_numbers, self.numbers, self.outcomes])?;
        for (at, outcome) in self.outcomes()?.into_iter().enumerate().filter(|(at, _)| back[*at] > 0) {
            outcomes[at] = outcome;
        }
        Ok(outcomes)
    }

    fn outcomes(&self) -> Result<Vec<Outcome>, String> {
        let numbers: Vec<u32> = self.read(self.outcomes)?;
        let outcomes = numbers
            .into_iter()
            .map(|number| Outcome::from_number(number).ok_or_else(|| format!("{number:#x} is no outcome")));
        outcomes.collect()
    }

    /// Launches a kernel over all sequences, two warps a block.
    fn launch_warps(&mut self, kernel: &str, arguments: &[BufferId]) -> Result<(), String> {
        let buffers = arguments.iter().copied().map(Argument::Buffer);
        let arguments: Vec<Argument> = buffers.chain([Argument::U32(self.count as u32)]).collect();
        self.launch(kernel, (self.count.div_ceil(2) as u32, 1), 64, &arguments)
    }

    fn launch(&mut self, kernel: &str, blocks: (u32, u32), threads: u32, arguments: &[Argument]) -> Result<(), String> {
        self.seed = self.seed.wrapping_add(1);
        let launch = Launch { seed: self.seed, ..Launch::new(kernel, blocks, threads) };
        self.device.launch(&launch, arguments).map(|_| ()).map_err(|fault| fault.to_string())
    }

    fn write<T: ogc_ptx::Element>(&mut self, buffer: BufferId, numbers: &[T]) -> Result<(), String> {
        self.device.write(buffer, numbers).map_err(|fault| fault.to_string())
    }

    fn read<T: ogc_ptx::Element>(&self, buffer: BufferId) -> Result<Vec<T>, String> {
        self.device.read(buffer).map_err(|fault| fault.to_string())
    }
}

impl Sampling {
    fn new(device: &mut Device<'_>, count: usize, tokens: usize, logits: Logits) -> Self {
        // If there are too many tokens for a launch, there is no scratch memory, and the kernel would be out of bounds;
        // no batch has so many.
        let scratch = sample_launch(count, tokens).scratch_bytes().unwrap_or_default() as usize;
        Self {
            numbers: device.buffer("logits", &logits.bytes),
            rows: device.empty("rows", count * RowSampling::BYTES),
            outcomes: device.empty("sampled", count * SampleOutcome::BYTES),
            scratch: device.buffer("scratch", &vec![0u8; scratch]),
            logits,
        }
    }
}

/// Returns the number of logits that a batch needs.
pub(super) fn logit_count(sequences: usize, tokens: usize) -> usize {
    MOST_LOGITS_BEFORE + sequences * LOGITS_APART + tokens
}

fn sample_launch(sequences: usize, tokens: usize) -> SampleLaunch {
    let (row_count, tokens) = (sequences as u32, tokens as u32);
    SampleLaunch { row_count, vocabulary: tokens, width: tokens, ..SampleLaunch::default() }
}

/// Returns the words from one row of a mask to the next; some words between rows are never written.
fn stride(words: usize) -> usize {
    words.next_multiple_of(8) + 8
}

/// Returns the bytes of slots; slots without a sequence are free.
fn slot_bytes(images: &[SlotImage], own_slots: &[u32]) -> Vec<u8> {
    let mut slots = vec![SlotImage::free(); 2 * images.len()];
    for (image, slot) in images.iter().zip(own_slots) {
        slots[*slot as usize] = image.clone();
    }
    slots.iter().flat_map(|slot| slot.bytes()).copied().collect()
}

/// Puts the table of formats on a device, with the formats that it names.
fn format_table(device: &mut Device<'_>, formats: &[(DeviceFormat, DeviceMasks)]) -> BufferId {
    let mut table: Vec<u64> = Vec::new();
    for (format, masks) in formats {
        let buffers = [device.buffer("format", format.bytes()), device.buffer("masks of a format", masks.bytes())];
        table.extend(buffers.map(|buffer| device.address(buffer).unwrap_or_default()));
    }
    device.buffer("formats", &table)
}

/// Puts the rows of a pool on a device, and their contents.
fn pool_buffers(device: &mut Device<'_>, pool: &mut DevicePool) -> [BufferId; 2] {
    let limits = PoolLimits { rows: pool.row_count(), blocks: pool.block_count() };
    let mut parts = [limits.table_bytes(), limits.content_bytes()].map(|bytes| vec![0u8; bytes as usize]);
    for copy in pool.take_copies() {
        let part = &mut parts[usize::from(copy.part() == PoolPart::Contents)];
        let at = copy.at() as usize;
        part[at..at + copy.bytes().len()].copy_from_slice(copy.bytes());
    }
    let [table, contents] = parts;
    [device.buffer("table of rows", &table), device.buffer("contents of rows", &contents)]
}
