//! A second implementation that repeats launches, such as a device; afterwards its memory must equal the interpreter's,
//! to the last bit.

use std::fmt;
use std::ops::Range;

use super::launch::Launch;
use crate::memory::global::Global;

/// Repeats each launch.
pub trait Mirror: fmt::Debug + Send + Sync {
    /// Returns the range of addresses of buffers. The interpreter uses the same addresses, so that memory may contain
    /// them.
    fn window(&self) -> Range<u64>;

    /// Runs a launch on buffers with these bytes, and replaces the bytes with those after the launch. Parameters have
    /// their layout in memory.
    ///
    /// # Errors
    /// The reason why the launch is impossible or failed.
    fn launch(&self, launch: &Launch, parameters: &[Vec<u8>], buffers: &mut [MirrorBuffer]) -> Result<(), String>;

    /// Returns whether the content of a buffer of this name depends on the order in which blocks run, and so is not
    /// compared.
    fn is_unordered(&self, name: &str) -> bool {
        let _ = name;
        false
    }
}

/// A buffer before or after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorBuffer {
    /// The buffer's name.
    pub name: String,
    /// The buffer's address.
    pub address: u64,
    /// All its bytes; bytes that were never written are 0.
    pub bytes: Vec<u8>,
}

/// Returns the buffers of a memory.
pub(super) fn buffers(memory: &Global) -> Vec<MirrorBuffer> {
    let buffer = |region: &crate::memory::region::Region| MirrorBuffer {
        name: region.name().to_owned(),
        address: region.base(),
        bytes: region.contents().0.to_vec(),
    };
    memory.buffers().iter().map(buffer).collect()
}

/// Runs a launch in the mirror, and compares the contents of buffers.
pub(super) fn compare(
    mirror: &dyn Mirror,
    launch: &Launch,
    parameters: &[Vec<u8>],
    mut mirrored: Vec<MirrorBuffer>,
    after: &Global,
) -> Result<(), String> {
    let window = mirror.window();
    let end = mirrored.last().map_or(window.start, |buffer| buffer.address + buffer.bytes.len() as u64);
    if end > window.end {
        return Err(format!(
            "buffers need {} bytes of a mirror, which has {}",
            end - window.start,
            window.end - window.start
        ));
    }
    mirror.launch(launch, parameters, &mut mirrored)?;
    for (region, found) in after.buffers().iter().zip(&mirrored) {
        let expected = region.contents().0;
        if mirror.is_unordered(region.name()) || expected == found.bytes {
            continue;
        }
        let differ = |at: &usize| found.bytes.get(*at) != expected.get(*at);
        let places: Vec<usize> = (0..expected.len()).filter(differ).collect();
        let first = places.first().copied().unwrap_or_default();
        let word = |bytes: &[u8]| {
            bytes[first & !3..].iter().take(4).rev().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        return Err(format!(
            "the mirror differs in `{}` at {} of {} bytes, first at byte {first}, where it has {} and the interpreter {}",
            region.name(),
            places.len(),
            expected.len(),
            word(&found.bytes),
            word(expected)
        ));
    }
    Ok(())
}
