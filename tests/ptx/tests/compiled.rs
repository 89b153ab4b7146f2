//! Tests of kernels that nvcc compiled, run unchanged and with inserted faults: each fault is found.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ogc_kit::Random;
use ogc_ptx::{Argument, BufferId, Counts, Device, Fault, FaultKind, Launch, MemoryFault, Size};

const PTX: &str = include_str!("kernels/ptx/sample.ptx");

/// The number of orders of warps and blocks that each test tries.
const SEEDS: u64 = 6;

/// Returns the text with the first occurrence of `from` within a kernel replaced.
fn broken(kernel: &str, from: &str, to: &str) -> String {
    let start = PTX.find(&format!(".entry {kernel}(")).unwrap();
    let at = PTX[start..].find(from).unwrap_or_else(|| panic!("{kernel} has no {from}")) + start;
    format!("{}{to}{}", &PTX[..at], &PTX[at + from.len()..])
}

/// A launch of a kernel on buffers of its own.
struct Run<'r> {
    kernel: &'r str,
    grid: u32,
    block: u32,
    shared: u32,
    limit: u64,
    fill: &'r dyn Fn(&mut Device<'_>) -> (Vec<Argument>, BufferId),
}

impl Run<'_> {
    /// Runs a text, and returns the numbers of the buffer of results.
    fn run(&self, text: &str, seed: u64) -> Result<(Vec<i32>, Counts), Box<Fault>> {
        let module = ogc_ptx::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let mut device = Device::new(&module);
        let (arguments, results) = (self.fill)(&mut device);
        let launch = Launch {
            shared: self.shared,
            limit: self.limit,
            seed,
            ..Launch::new(self.kernel, Size::from(self.grid), Size::from(self.block))
        };
        let report = device.launch(&launch, &arguments)?;
        Ok((device.read(results).unwrap(), report.counts))
    }

    fn check(&self, expected: &[i32]) {
        for seed in 0..SEEDS {
            let (found, _) = self.run(PTX, seed).unwrap_or_else(|fault| panic!("seed {seed}: {fault}"));
            assert_eq!(found, expected, "{} with seed {seed}", self.kernel);
        }
    }

    /// Checks that a text with a fault is detected in every order.
    fn breaks(&self, from: &str, to: &str, is_expected: impl Fn(&FaultKind) -> bool) {
        let text = broken(self.kernel, from, to);
        for seed in 0..SEEDS {
            match self.run(&text, seed) {
                Ok(_) => panic!("{}: {from:?} -> {to:?} is not found with seed {seed}", self.kernel),
                Err(fault) => assert!(is_expected(&fault.kind), "{from:?} -> {to:?} with seed {seed}: {fault}"),
            }
        }
    }
}

fn numbers(count: usize, limit: u64) -> Vec<i32> {
    let mut random = Random::new(5);
    (0..count).map(|_| (random.next() % limit) as i32).collect()
}

fn is_race(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Memory(MemoryFault::Race { .. }))
}

fn is_race_or_unwritten(kind: &FaultKind) -> bool {
    is_race(kind) || matches!(kind, FaultKind::Memory(MemoryFault::Uninitialised { .. }))
}

fn is_out_of_bounds(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::Memory(MemoryFault::OutOfBounds { .. }))
}

const SUM_COUNT: usize = 1000;

fn sum_buffers(device: &mut Device<'_>) -> (Vec<Argument>, BufferId) {
    let input = device.buffer("numbers", &numbers(SUM_COUNT, 1000));
    let total = device.buffer("total", &[0_i32]);
    (vec![Argument::Buffer(input), Argument::U32(SUM_COUNT as u32), Argument::Buffer(total)], total)
}

const SUM: Run<'_> =
    Run { kernel: "sum", grid: 8, block: 128, shared: 0, limit: 1_000_000, fill: &|device| sum_buffers(device) };

#[test]
fn a_compiled_sum_is_correct() {
    SUM.check(&[numbers(SUM_COUNT, 1000).iter().sum()]);
}

#[test]
fn a_sum_without_its_barrier_is_detected() {
    SUM.breaks("bar.sync \t0;", "", is_race_or_unwritten);
}

#[test]
fn a_sum_that_reads_out_of_bounds_is_detected() {
    SUM.breaks("setp.ge.s32", "setp.gt.s32", is_out_of_bounds);
}

#[test]
fn a_shuffle_whose_mask_lacks_lanes_is_detected() {
    let is_outside = |kind: &FaultKind| matches!(kind, FaultKind::LaneOutsideMask { mask: 0xffff });
    SUM.breaks("mov.u32 \t%r18, -1;", "mov.u32 \t%r18, 65535;", is_outside);
}

#[test]
fn a_shuffle_under_a_divergent_condition_is_detected() {
    // Only lanes below 16 come to the first shuffle, which names all lanes.
    let at = "shfl.sync.down.b32";
    let is_stuck = |kind: &FaultKind| matches!(kind, FaultKind::Deadlock { .. } | FaultKind::UndefinedRegister { .. });
    SUM.breaks(at, "setp.lt.u32 %p1, %r2, 16;\n@%p1 shfl.sync.down.b32", is_stuck);
}

#[test]
fn a_sum_over_blocks_without_an_atomic_is_detected() {
    let text = broken("sum", "atom.global.add.u32", "atom.global.add.u32");
    let line = text.lines().find(|line| line.contains("atom.global.add.u32")).unwrap().to_owned();
    let address = line.split(['[', ']']).nth(1).unwrap();
    let value = line.trim_end_matches(';').rsplit(", ").next().unwrap();
    SUM.breaks(&line, &format!("st.global.u32 [{address}], {value};"), is_race);
}

const SCAN: Run<'_> = Run {
    kernel: "scan",
    grid: 3,
    block: 96,
    shared: 2 * 4 * 96,
    limit: 1_000_000,
    fill: &|device| {
        let input: Vec<f32> = numbers(288, 1000).iter().map(|number| *number as f32).collect();
        let (input, sums) = (device.buffer("numbers", &input), device.empty("sums", 4 * 288));
        (vec![Argument::Buffer(input), Argument::Buffer(sums)], sums)
    },
};

#[test]
fn a_compiled_scan_is_correct() {
    let input = numbers(288, 1000);
    let sums = input.chunks(96).flat_map(|block| {
        let sums = block.iter().scan(0.0, |sum: &mut f32, number| {
            *sum += *number as f32;
            Some(sum.to_bits() as i32)
        });
        sums.collect::<Vec<i32>>()
    });
    SCAN.check(&sums.collect::<Vec<i32>>());
}

#[test]
fn a_scan_without_one_of_its_barriers_is_detected() {
    SCAN.breaks("bar.sync \t0;", "", is_race_or_unwritten);
    // The second barrier, in the loop.
    let first = PTX.find(".entry scan(").unwrap();
    let second = PTX[first..].match_indices("bar.sync \t0;").nth(1).unwrap().0 + first;
    let text = format!("{}{}", &PTX[..second], &PTX[second + "bar.sync \t0;".len()..]);
    for seed in 0..SEEDS {
        let fault = SCAN.run(&text, seed).unwrap_err();
        assert!(is_race_or_unwritten(&fault.kind), "{fault}");
    }
}

#[test]
fn a_scan_with_too_little_shared_memory_is_detected() {
    let less = Run { shared: 2 * 4 * 96 - 4, ..SCAN };
    less.breaks("scan", "scan", is_out_of_bounds);
}

#[test]
fn a_scan_that_stores_at_wrong_offsets_is_detected() {
    let line =
        PTX.lines().skip_while(|line| !line.contains(".entry scan(")).find(|line| line.contains("st.global.f32"));
    let line = line.unwrap();
    let is_misaligned = |kind: &FaultKind| matches!(kind, FaultKind::Memory(MemoryFault::Misaligned { .. }));
    SCAN.breaks(line, &line.replace(']', "+2]"), is_misaligned);
    SCAN.breaks(line, &line.replace(']', "+4]"), |kind| is_out_of_bounds(kind) || is_race(kind));
}

const BYTES: usize = 1003;

const HISTOGRAM: Run<'_> = Run {
    kernel: "histogram",
    grid: 2,
    block: 64,
    shared: 0,
    limit: 1_000_000,
    fill: &|device| {
        let bytes: Vec<u8> = numbers(BYTES, 9).iter().map(|number| *number as u8).collect();
        let (bytes, counts) = (device.buffer("bytes", &bytes), device.buffer("counts", &[0_u32; 256]));
        (vec![Argument::Buffer(bytes), Argument::U32(BYTES as u32), Argument::Buffer(counts)], counts)
    },
};

#[test]
fn a_compiled_histogram_is_correct() {
    let mut counts = [0; 256];
    for number in numbers(BYTES, 9) {
        counts[number as usize] += 1;
    }
    HISTOGRAM.check(&counts);
}

#[test]
fn a_histogram_without_one_of_its_barriers_is_detected() {
    HISTOGRAM.breaks("bar.sync \t0;", "", is_race_or_unwritten);
}

#[test]
fn a_match_that_names_diverged_lanes_is_detected() {
    let line = PTX.lines().find(|line| line.contains("match.any.sync.b32")).unwrap();
    let mask = line.trim_end_matches(';').rsplit(", ").next().unwrap();
    let is_stuck = |kind: &FaultKind| matches!(kind, FaultKind::Deadlock { .. });
    HISTOGRAM.breaks(line, &line.replace(&format!("{mask};"), "-1;"), is_stuck);
}

#[test]
fn compiled_switches_calls_and_local_arrays_are_correct() {
    let input = numbers(256, 100_000);
    let fibonacci = |n: i32| (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0;
    let digits = |number: i32, digit: i32| {
        let shown = if number == 0 { String::new() } else { number.to_string() };
        shown.bytes().filter(|byte| i32::from(byte - b'0') == digit).count() as i32
    };
    let expected = input.iter().map(|number| match number & 7 {
        0 => fibonacci(number % 11),
        1 => digits(*number, number % 10),
        2 => number / 7,
        3 => (number.count_ones() + number.leading_zeros()) as i32,
        4 => fibonacci(number % 7) + digits(*number, 3),
        5 => (*number as f32).sqrt() as i32,
        6 => number.wrapping_mul(*number),
        _ => -number,
    });
    let run = Run {
        kernel: "switches",
        grid: 2,
        block: 128,
        shared: 0,
        limit: 1_000_000,
        fill: &|device| {
            let input = device.buffer("numbers", &numbers(256, 100_000));
            let results = device.empty("results", 1024);
            (vec![Argument::Buffer(input), Argument::Buffer(results)], results)
        },
    };
    run.check(&expected.collect::<Vec<i32>>());
}

const SEARCH: Run<'_> = Run {
    kernel: "search",
    grid: 1,
    block: 256,
    shared: 0,
    limit: 100_000,
    fill: &|device| {
        let sorted: Vec<i32> = (0..100).map(|number| number * 10).collect();
        let (sorted, input) = (device.buffer("sorted", &sorted), device.buffer("numbers", &numbers(256, 1100)));
        let places = device.empty("places", 1024);
        (vec![Argument::Buffer(sorted), Argument::U32(100), Argument::Buffer(input), Argument::Buffer(places)], places)
    },
};

#[test]
fn a_compiled_binary_search_is_correct() {
    let places = numbers(256, 1100).into_iter().map(|number| (number + 9) / 10).map(|place| place.min(100));
    SEARCH.check(&places.collect::<Vec<i32>>());
}

#[test]
fn an_endless_search_is_detected() {
    let is_endless = |kind: &FaultKind| matches!(kind, FaultKind::Endless { limit: 100_000 });
    SEARCH.breaks("add.s32 \t%r", "sub.s32 \t%r", |kind| is_endless(kind) || is_out_of_bounds(kind));
}

const LAST: Run<'_> = Run {
    kernel: "last",
    grid: 5,
    block: 64,
    shared: 0,
    limit: 100_000,
    fill: &|device| {
        let (input, sums) = (device.buffer("numbers", &numbers(320, 1000)), device.empty("sums", 20));
        let (done, total) = (device.buffer("done", &[0_u32]), device.buffer("total", &[0_i32]));
        (vec![Argument::Buffer(input), Argument::Buffer(sums), Argument::Buffer(done), Argument::Buffer(total)], total)
    },
};

#[test]
fn fences_around_the_sum_of_the_last_block_are_needed() {
    LAST.check(&[numbers(320, 1000).iter().sum()]);
    // Without the first fence, the sums may not be there yet; without both fences, nothing orders them either.
    LAST.breaks("membar.gl;", "", is_race);
    // A fence after the counter is needed as well.
    let start = PTX.find(".entry last(").unwrap();
    let (second, _) = PTX[start..].match_indices("membar.gl;").nth(1).unwrap();
    let text = format!("{}{}", &PTX[..start + second], &PTX[start + second + "membar.gl;".len()..]);
    for seed in 0..SEEDS {
        assert!(is_race(&LAST.run(&text, seed).unwrap_err().kind));
    }
}

#[test]
fn lanes_that_wait_for_a_lock_make_progress() {
    let expected = (0..48).fold(0_i32, |number, _| number.wrapping_mul(3).wrapping_add(1));
    let run = Run {
        kernel: "lock",
        grid: 2,
        block: 24,
        shared: 0,
        limit: 1_000_000,
        fill: &|device| {
            let (held, number) = (device.buffer("held", &[0_i32]), device.buffer("number", &[0_i32]));
            (vec![Argument::Buffer(held), Argument::Buffer(number)], number)
        },
    };
    run.check(&[expected]);
}
