//! Formats of several kinds side by side.
#![allow(unreachable_pub, reason = "each test takes what it needs")]

use std::sync::Arc;

use crate::formats;
use crate::{objects, random};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;

/// Returns formats of all kinds: two known ones, and up to five random ones.
pub fn of_all_kinds(random: &mut Random) -> Vec<Arc<Automaton>> {
    let known = formats::all();
    let mut all: Vec<Arc<Automaton>> = (0..2).map(|_| Arc::clone(&known[random.below(known.len())].1)).collect();
    all.extend((0..2).filter_map(|_| objects::random_objects(random)));
    all.extend((0..3).filter_map(|_| random::random_format(random)));
    all
}
