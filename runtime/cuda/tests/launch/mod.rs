//! Runs the embedded kernel in the interpreter on buffers of the host, as `Device::apply` launches it on a device.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::mirror;
use ogc_cuda::{APPLY_PTX, ApplyParameters, Geometry, LogitFormat, Logits, Masking, Masks, RowMap, apply_kernel};
use ogc_ptx::{Argument, Counts, Fault, Launch, Module};

/// Addresses that represent the buffers while a masking is checked. They are further apart than the buffers are long.
const LOGITS: u64 = 1 << 40;
const MASKS: u64 = 2 << 40;
const ROWS: u64 = 3 << 40;

/// Returns the embedded PTX.
pub fn ptx() -> &'static str {
    APPLY_PTX.to_str().unwrap()
}

/// The operands of a masking, in host memory. Offsets and lengths are in entries.
#[derive(Clone, Debug)]
pub struct Work {
    pub format: LogitFormat,
    pub logits: Vec<u8>,
    pub logits_offset: usize,
    pub logits_stride: usize,
    pub row_count: usize,
    pub width: usize,
    pub masks: Vec<u32>,
    pub mask_offset: usize,
    pub mask_stride: usize,
    pub vocabulary: usize,
    /// The mask row of each row.
    pub rows: Option<Vec<i32>>,
}

impl Work {
    /// Returns the bytes of a logit.
    pub fn bytes(&self) -> usize {
        self.format.bytes() as usize
    }

    /// Returns the offset of a logit in bytes.
    pub fn place(&self, row: usize, token: usize) -> usize {
        (self.logits_offset + row * self.logits_stride + token) * self.bytes()
    }

    /// Overwrites a logit with minus infinity.
    pub fn mask(&self, logits: &mut [u8], row: usize, token: usize) {
        let (place, bytes) = (self.place(row, token), self.format.minus_infinity().to_le_bytes());
        logits[place..place + self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
    }

    /// Returns the checked masking for buffers at these addresses.
    pub fn masking_at(&self, logits: u64, masks: u64, rows: u64) -> Masking {
        let logits = Logits {
            format: self.format,
            address: logits + (self.logits_offset * self.bytes()) as u64,
            len: (self.logits.len() / self.bytes() - self.logits_offset) as u64,
            rows: self.row_count as u32,
            width: self.width as u32,
            stride: self.logits_stride as u64,
        };
        let masks = Masks {
            address: masks + 4 * self.mask_offset as u64,
            len: (self.masks.len() - self.mask_offset) as u64,
            vocabulary: self.vocabulary as u32,
            stride: self.mask_stride as u64,
        };
        let listed = |list: &Vec<i32>| RowMap::Listed { address: rows, len: list.len() as u64 };
        Masking::new(logits, masks, self.rows.as_ref().map_or(RowMap::SameRow, listed)).unwrap()
    }

    /// Returns the checked masking that [`run`](Self::run) runs.
    pub fn masking(&self) -> Masking {
        self.masking_at(LOGITS, MASKS, ROWS)
    }

    /// Runs the kernel as the crate launches it; returns the logits and the counts.
    pub fn run(&self, module: &Module, seed: u64) -> Result<(Vec<u8>, Counts), Box<Fault>> {
        match self.masking().geometry() {
            Some(geometry) => self.run_with(module, geometry, seed),
            None => Ok((self.logits.clone(), Counts::default())),
        }
    }

    /// Runs the kernel with a geometry; returns the logits and the counts.
    pub fn run_with(&self, module: &Module, geometry: Geometry, seed: u64) -> Result<(Vec<u8>, Counts), Box<Fault>> {
        let mut device = mirror::device(module);
        let logits = device.buffer("logits", &self.logits);
        let masks = device.buffer("masks", &self.masks);
        let rows = self.rows.as_ref().map(|rows| device.buffer("rows", rows));
        let given: ApplyParameters = self.masking().parameters();
        let arguments = [
            Argument::BufferAt(logits, given.logits - LOGITS),
            Argument::U64(given.logits_stride),
            Argument::BufferAt(masks, given.masks - MASKS),
            Argument::U64(given.mask_stride),
            rows.map_or(Argument::U64(given.row_map), |rows| Argument::BufferAt(rows, given.row_map - ROWS)),
            Argument::U32(given.rows),
            Argument::U32(given.vocabulary),
            Argument::U32(given.width),
        ];
        let kernel = apply_kernel(self.format).to_str().unwrap();
        let launch = Launch { seed, ..Launch::new(kernel, geometry.blocks, geometry.threads) };
        let report = device.launch(&launch, &arguments)?;
        Ok((device.read(logits).unwrap(), report.counts))
    }
}
