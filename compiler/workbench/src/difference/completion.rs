//! Finds shortest texts that complete a configuration.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use ogc_runtime::step::{ConfigurationId, Explorer};

use super::{Bounds, Stopped};

/// Returns a shortest text that completes a configuration. Best-first search, ordered by a lower bound on the remaining
/// bytes.
pub(super) fn completion(
    explorer: &mut Explorer,
    from: ConfigurationId,
    bytes: &[u8],
    Bounds { limits, poll }: Bounds<'_>,
) -> Result<Option<Vec<u8>>, Stopped> {
    let mut reached: HashMap<ConfigurationId, (ConfigurationId, u8)> = HashMap::new();
    let mut open = BinaryHeap::from([(Reverse(explorer.least_left(from)), 0_u32, Reverse(from))]);
    while let Some((_, depth, Reverse(at))) = open.pop() {
        poll();
        if explorer.is_complete(at) {
            return Ok(Some(path(&reached, from, at)));
        }
        if reached.len() > limits.pairs || explorer.memory() > limits.memory {
            return Err(Stopped);
        }
        for &byte in bytes {
            let Some(next) = explorer.after(at, byte)? else { continue };
            if next == from || reached.contains_key(&next) {
                continue;
            }
            reached.insert(next, (at, byte));
            let whole = explorer.least_left(next).saturating_add(depth + 1);
            open.push((Reverse(whole), depth + 1, Reverse(next)));
        }
    }
    Ok(None)
}

/// Returns the bytes on the path to a configuration.
fn path(
    reached: &HashMap<ConfigurationId, (ConfigurationId, u8)>,
    from: ConfigurationId,
    mut at: ConfigurationId,
) -> Vec<u8> {
    let mut text = Vec::new();
    while let Some(&(before, byte)) = reached.get(&at).filter(|_| at != from) {
        text.push(byte);
        at = before;
    }
    text.reverse();
    text
}
