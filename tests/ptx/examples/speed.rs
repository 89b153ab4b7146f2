//! Measures the speed of interpreted kernels: `cargo run -p ogc-ptx --example speed`; with the name of a kernel, only
//! of that one.
//!
//! The kernels are the shipped `apply`, over a batch of logits, and the long-running kernels of the tests. An
//! instruction counts once for all lanes that do it together, or once for each lane.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use ogc_ptx::{Argument, BufferId, Counts, Device, Element, Launch};
use std::error::Error;
use std::time::Instant;

const APPLY: &str = include_str!("../../../runtime/cuda/kernels/ptx/apply.ptx");
const SAMPLE: &str = include_str!("../tests/kernels/ptx/sample.ptx");

/// The logits of a row, and the number of rows.
const WIDTH: usize = 128_256;
const ROWS: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:<16} {:>10} {:>18} {:>18}", "kernel", "seconds", "instructions/s", "those of lanes/s");
    apply::<f32>("ogc_apply_f32", 1.0)?;
    apply::<u16>("ogc_apply_f16", 0x3c00)?;
    let numbers: Vec<i32> = (0..1 << 16).map(|number| number * 7919 % 30_011).collect();
    let count = Argument::U32(1 << 16);
    sample("sum", Launch::new("sum", 256, 256), &numbers, |buffer, device| {
        vec![buffer, count.clone(), Argument::Buffer(device.buffer("total", &[0_i32]))]
    })?;
    sample("scan", Launch { shared: 2048, ..Launch::new("scan", 256, 256) }, &numbers, |buffer, device| {
        vec![buffer, Argument::Buffer(device.empty("sums", 4 << 16))]
    })?;
    sample("histogram", Launch::new("histogram", 32, 256), &numbers, |buffer, device| {
        vec![buffer, count.clone(), Argument::Buffer(device.buffer("counts", &[0_u32; 256]))]
    })?;
    sample("switches", Launch::new("switches", 256, 256), &numbers, |buffer, device| {
        vec![buffer, Argument::Buffer(device.empty("results", 4 << 16))]
    })
}

/// Masks rows in which every second token is allowed.
fn apply<T: Element + Clone>(kernel: &str, logit: T) -> Result<(), Box<dyn Error>> {
    let module = ogc_ptx::parse(APPLY)?;
    let mut device = Device::new(&module);
    let words = WIDTH.div_ceil(32);
    let logits = device.buffer("logits", &vec![logit; ROWS * WIDTH]);
    let masks = device.buffer("masks", &vec![0x5555_5555_u32; ROWS * words]);
    let arguments = [
        Argument::Buffer(logits),
        Argument::U64(WIDTH as u64),
        Argument::Buffer(masks),
        Argument::U64(words as u64),
        Argument::U64(0),
        Argument::U32(ROWS as u32),
        Argument::U32(WIDTH as u32),
        Argument::U32(WIDTH as u32),
    ];
    let launch = Launch::new(kernel, (8, ROWS as u32), 128);
    timed(kernel, || Ok(device.launch(&launch, &arguments)?.counts))
}

/// Runs a kernel of the tests on numbers.
fn sample(
    name: &str,
    launch: Launch,
    numbers: &[i32],
    arguments: impl FnOnce(Argument, &mut Device<'_>) -> Vec<Argument>,
) -> Result<(), Box<dyn Error>> {
    let module = ogc_ptx::parse(SAMPLE)?;
    let mut device = Device::new(&module);
    let buffer: BufferId = device.buffer("numbers", numbers);
    let arguments = arguments(Argument::Buffer(buffer), &mut device);
    timed(name, || Ok(device.launch(&launch, &arguments)?.counts))
}

fn timed(name: &str, run: impl FnOnce() -> Result<Counts, Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    if std::env::args().nth(1).is_some_and(|only| only != name) {
        return Ok(());
    }
    let start = Instant::now();
    let counts = run()?;
    let seconds = start.elapsed().as_secs_f64();
    let millions = |count: u64| count as f64 / seconds / 1e6;
    let (rate, lane_rate) = (millions(counts.instructions()), millions(counts.lane_instructions));
    println!("{name:<16} {seconds:>10.3} {rate:>16.1} M {lane_rate:>16.0} M");
    Ok(())
}
