//! Masks located as on a device: by the code of `kernels/locate.cuh`, compiled for the host, and by the kernels in the interpreter. The
//! tests of whole formats outside of this crate use it too.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "what is compiled are files; see clippy.toml")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use ogc_cuda::{DeviceMasks, DevicePool, MaskState, PoolLimits, PoolPart, SlotImage};

/// Compiles the locating code for the host, in a folder; `None`, counted as skipped, if there is no compiler. `cuda` is the folder of the
/// crate `ogc-cuda`.
pub fn compiled(cuda: &str, folder: &str, options: &[&str]) -> Option<String> {
    compiled_program(cuda, "locate", folder, options)
}

/// Compiles a test program, `tests/NAME/main.cpp`. Another process may run the same test, so that each compiles to a file of its own, and
/// moves it to its place when it is complete.
pub fn compiled_program(cuda: &str, name: &str, folder: &str, options: &[&str]) -> Option<String> {
    if Command::new("c++").arg("--version").output().is_err() {
        ogc_kit::skip(&format!("{name}: no C++ compiler `c++`"));
        return None;
    }
    std::fs::create_dir_all(folder).unwrap();
    let program = Path::new(folder).join(name).to_str().unwrap().to_owned();
    let compiling = format!("{program}-{}", std::process::id());
    let output = Command::new("c++")
        .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"])
        .args(options)
        .args(["-I", &format!("{cuda}/kernels"), "-o", &compiling])
        .arg(format!("{cuda}/tests/{name}/main.cpp"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(&compiling, &program).unwrap();
    Some(program)
}

/// A located mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    pub may_end: bool,
    /// Whether any row is not a list, according to the mask.
    pub is_dense: bool,
    pub rows: Vec<u32>,
}

impl Located {
    /// Returns the mask of a slot.
    pub fn of(slot: &SlotImage) -> Self {
        Self { may_end: slot.mask_may_end(), is_dense: slot.mask_is_dense(), rows: slot.mask_rows().to_vec() }
    }
}

/// Locates the masks of slots on the host; `None` for those that are left to the host.
pub fn locate(program: &str, masks: &DeviceMasks, slots: &[SlotImage]) -> Vec<Option<Located>> {
    let slots: Vec<u8> = slots.iter().flat_map(|slot| slot.bytes()).copied().collect();
    let mut input = Vec::new();
    for part in [masks.bytes(), &slots] {
        input.extend((part.len() as u32).to_le_bytes());
        input.extend(part);
    }
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    writer.join().unwrap().unwrap();
    let words: Vec<u32> =
        output.stdout.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    let located = words.chunks_exact(1 + MaskState::BYTES / 4).map(|words| {
        let mask: Vec<u8> = words[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
        let Some(MaskState::Located { may_end, is_dense, rows }) = MaskState::from_bytes(&mask) else { unreachable!() };
        (words[0] == 1).then_some(Located { may_end, is_dense, rows })
    });
    located.collect()
}

/// The buffers of a pool, as on a device.
#[derive(Debug)]
pub struct PoolBuffers {
    pub table: Vec<u32>,
    pub contents: Vec<u32>,
}

impl PoolBuffers {
    pub fn new(limits: PoolLimits) -> Self {
        let words = |bytes: u64| vec![0; bytes as usize / 4];
        Self { table: words(limits.table_bytes()), contents: words(limits.content_bytes()) }
    }

    /// Applies the pool's pending copies.
    pub fn update(&mut self, pool: &mut DevicePool) {
        for copy in pool.take_copies() {
            let words = copy.bytes().chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
            let words: Vec<u32> = words.collect();
            let to = if copy.part() == PoolPart::Table { &mut self.table } else { &mut self.contents };
            let at = copy.at() as usize / 4;
            assert!(to[at..at + words.len()].iter().all(|word| *word == 0), "nothing was there");
            to[at..at + words.len()].copy_from_slice(&words);
        }
    }

    /// Returns the bits of a row, according to the table.
    pub fn row(&self, number: u32, words: usize) -> Vec<u32> {
        let &[kind, at, len, removed, dense] = &self.table[number as usize * 8..][..5] else { unreachable!() };
        let content = &self.contents[at as usize * 16..];
        let (own, removed) = content[..(len + removed) as usize].split_at(len as usize);
        let mut bits = match kind {
            0 => vec![0; words],
            1 => own.to_vec(),
            _ => self.row(dense, words),
        };
        bits.resize(words, 0);
        if kind != 1 {
            removed.iter().for_each(|token| bits[*token as usize / 32] &= !(1 << (token % 32)));
            own.iter().for_each(|token| bits[*token as usize / 32] |= 1 << (token % 32));
        }
        bits
    }

    /// Returns whether a row is not a list, according to the table.
    fn is_dense(&self, number: u32) -> bool {
        self.table[number as usize * 8] != 0
    }

    /// Returns the bits of a mask, after checking its flag for rows that are not lists.
    #[track_caller]
    pub fn bits(&self, mask: &Located, stops: &[u32], words: usize) -> Vec<u32> {
        assert_eq!(mask.is_dense, mask.rows.iter().any(|row| self.is_dense(*row)), "{:?}", mask.rows);
        let mut bits = vec![0; words];
        for row in &mask.rows {
            self.row(*row, words).iter().zip(&mut bits).for_each(|(from, to)| *to |= from);
        }
        if mask.may_end {
            stops.iter().for_each(|token| bits[*token as usize / 32] |= 1 << (token % 32));
        }
        bits
    }
}
