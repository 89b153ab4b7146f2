//! Runs the blocks of a grid in a random order, some of them at a time.

use super::block::Block;
use super::launch::Launch;
use super::machine::{Machine, Sizes};
use super::random::Random;
use crate::ir::{FunctionId, Module};
use crate::memory::global::Global;
use crate::memory::plain::Plain;
use crate::report::{Counts, Fault, FaultKind, Report};

/// Caps on the threads of a block, and on the blocks and threads of a grid.
const MOST_BLOCK_THREADS: u64 = 1024;
const MOST_BLOCKS: u64 = 1 << 22;
const MOST_THREADS: u64 = 1 << 31;

/// Cap on the bytes of shared memory of a block.
const MOST_SHARED: u64 = 227 << 10;

/// Runs a grid; returns its report, and the time after it.
pub(super) fn run(
    module: &Module,
    kernel: FunctionId,
    memory: &mut Global,
    now: u32,
    launch: &Launch,
    given: Plain,
) -> (Result<Report, Box<Fault>>, u32) {
    let warps = u32::try_from(launch.block.count().div_ceil(32)).unwrap_or(u32::MAX);
    let sizes = Sizes { grid: launch.grid, block: launch.block, warps };
    let counts = Counts::default();
    let mut machine = Machine { module, kernel, sizes, given, memory, counts, now, launched: now, limit: launch.limit };
    let result = match refusal(module, kernel, launch) {
        Some(why) => Err(machine.fault(0, None, FaultKind::Launch(why))),
        None => run_blocks(&mut machine, launch),
    };
    (result.map(|()| Report { counts: machine.counts }), machine.now.saturating_add(1))
}

/// Returns the reason why a launch is impossible, if it is.
fn refusal(module: &Module, kernel: FunctionId, launch: &Launch) -> Option<String> {
    let (grid, block) = (launch.grid.count(), launch.block.count());
    let shared = module.shared_bytes(kernel) + u64::from(launch.shared);
    let most_threads = module.function(kernel).most_threads.unwrap_or(MOST_BLOCK_THREADS).min(MOST_BLOCK_THREADS);
    if grid == 0 || block == 0 || launch.resident == 0 {
        Some("a grid, a block, and what runs at a time have at least one member".to_owned())
    } else if block > most_threads {
        Some(format!("a block of {block} threads; {most_threads} are allowed"))
    } else if grid > MOST_BLOCKS || grid * block.next_multiple_of(32) > MOST_THREADS {
        Some(format!("{grid} blocks; {MOST_BLOCKS} are interpreted"))
    } else if shared > MOST_SHARED {
        Some(format!("{shared} bytes of shared memory; {MOST_SHARED} are allowed"))
    } else {
        None
    }
}

fn run_blocks(machine: &mut Machine<'_>, launch: &Launch) -> Result<(), Box<Fault>> {
    let mut random = Random::new(launch.seed);
    let count = u32::try_from(launch.grid.count()).unwrap_or(u32::MAX);
    let mut waiting: Vec<u32> = (0..count).collect();
    for at in (1..waiting.len()).rev() {
        waiting.swap(at, random.below(at + 1));
    }
    let mut resident: Vec<Block> = Vec::new();
    loop {
        while resident.len() < launch.resident
            && let Some(number) = waiting.pop()
        {
            resident.push(Block::new(machine, number, launch.shared));
        }
        if resident.is_empty() {
            return Ok(());
        }
        let at = random.below(resident.len());
        if !resident[at].run(machine, &mut random)? {
            resident.swap_remove(at);
        }
    }
}
