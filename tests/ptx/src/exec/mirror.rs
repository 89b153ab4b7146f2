//! A second place where launches are done, whose memory must be the interpreter's afterwards, to the last bit: a device, where there is one.

use std::fmt;
use std::ops::Range;

use super::launch::Launch;
use crate::memory::global::Global;

/// What does each launch again.
pub trait Mirror: fmt::Debug + Send + Sync {
    /// Returns the addresses among which buffers lie; those of the interpreter are the same, so that memory may hold them.
    fn window(&self) -> Range<u64>;

    /// Does a launch on memory in which buffers have these bytes, and replaces them with what they are afterwards. Parameters are as they lie in memory.
    ///
    /// # Errors
    /// Why the launch cannot be done, or failed.
    fn launch(&self, launch: &Launch, parameters: &[Vec<u8>], buffers: &mut [MirrorBuffer]) -> Result<(), String>;

    /// Returns whether what a buffer of a name holds depends on the order in which blocks run, and is no result.
    fn is_unordered(&self, name: &str) -> bool {
        let _ = name;
        false
    }
}

/// A buffer, as it is before or after a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorBuffer {
    /// What lies there.
    pub name: String,
    /// Where it begins.
    pub address: u64,
    /// All its bytes; those that nobody wrote are 0.
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

/// Does a launch in the mirror, and compares what buffers hold.
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
