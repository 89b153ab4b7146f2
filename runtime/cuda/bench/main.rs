//! Measures the kernels on a device, against the speed at which it copies: `ogc-cuda-bench [--dry-run] [--rows 1,8,64,256] [--launches N]`.
//!
//! A case is a format of logits, a number of rows, and a share of allowed tokens, at random positions. Its launches cycle through half a
//! gibibyte of logits, so that small cases are not measured in the cache; masks are the same each time. The moved bytes are computed from
//! the mask: for each 16 aligned bytes of logits 0 if all are allowed, 16 if none is, 32 otherwise; plus the mask once. A case that fails
//! is printed as a line with the reason; a case that does not fit in memory is measured with fewer rows.

#![allow(clippy::print_stdout, reason = "it prints a table")]
#![allow(unsafe_code, reason = "kernels are launched on buffers of this program")]

mod arguments;
mod cases;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use arguments::Arguments;
use cases::{Case, VOCABULARY};
use ogc_cuda::{Buffer, CudaError, Device, RawStream, Stopwatch, apply_kernel};

/// Greatest and least size in bytes of the two buffers: reserving them begins with the greatest, and halves it on failure.
const MOST_BYTES: usize = 512 << 20;
const LEAST_BYTES: usize = 1 << 20;

/// Number of measurements of each case; the time is their median.
const REPETITIONS: usize = 5;

fn main() -> ExitCode {
    let arguments = match Arguments::read(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            println!("{error}");
            return ExitCode::from(2);
        }
    };
    let result = if arguments.dry_run { plan(&arguments) } else { measure(&arguments) };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the launches of a dry run, with prepared and checked data.
fn plan(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    for case in cases::all(&arguments.rows) {
        let masks = case.masks();
        // Addresses that no memory has, far apart.
        let masking = case.masking(1 << 40, case.rows as usize * VOCABULARY as usize, 2 << 40, masks.len())?;
        let geometry = masking.geometry().ok_or("a case without rows")?;
        let (x, y) = geometry.blocks;
        let (kernel, moved) = (apply_kernel(case.format).to_string_lossy(), case.moved_bytes(&masks));
        println!(
            "{case}: would launch {kernel} in {x} x {y} blocks of {} threads, {moved} bytes move",
            geometry.threads
        );
    }
    Ok(())
}

/// Measures all cases and prints a table.
fn measure(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let info = device.info();
    let (major, minor) = info.capability;
    println!("{}, compute capability {major}.{minor}, CUDA {}, {}\n", info.name, info.driver, info.kernels);
    let bench = Bench::new(&device, arguments.launches)?;
    let copied = bench.copied_per_second();
    match &copied {
        Ok(speed) => println!("Copies: {:.0} GB/s, read and written.\n", speed / 1e9),
        Err(error) => println!("Copies: failed: {error}\n"),
    }
    println!("| logits | rows | allowed | time | moved | of a copy |\n|---|---:|---:|---:|---:|---:|");
    for case in cases::all(&arguments.rows) {
        match bench.run(&case) {
            Ok(result) => println!("{}", result.line(copied.as_ref().ok().copied())),
            Err(error) => println!("| {case} | failed: {error} | | |"),
        }
    }
    Ok(())
}

/// A device, and the memory on which all cases run.
struct Bench<'d> {
    device: &'d Device,
    watch: Stopwatch,
    /// Two buffers of equal size; the logits are in the first.
    logits: Buffer,
    other: Buffer,
    launches: Option<u32>,
}

/// The result of measuring a case.
struct Measured {
    case: Case,
    /// The requested number of rows.
    asked: u32,
    time: Duration,
    moved: u64,
}

impl Measured {
    /// Returns a line of the table.
    fn line(&self, copied: Option<f64>) -> String {
        let speed = self.moved as f64 / self.time.as_secs_f64();
        let share = copied.map_or("-".to_owned(), |copied| format!("{:.0} %", 100.0 * speed / copied));
        let note = if self.asked == self.case.rows { String::new() } else { format!(" ({} do not fit)", self.asked) };
        let (time, speed) = (self.time.as_secs_f64() * 1e6, speed / 1e9);
        format!("| {}{note} | {time:.2} us | {speed:.0} GB/s | {share} |", self.case)
    }
}

impl<'d> Bench<'d> {
    /// Reserves as much memory as available, up to a limit.
    fn new(device: &'d Device, launches: Option<u32>) -> Result<Self, CudaError> {
        let mut bytes = MOST_BYTES;
        loop {
            let content = vec![0; bytes];
            match device.upload(&content).and_then(|logits| Ok((logits, device.upload(&content)?))) {
                Ok((logits, other)) => {
                    return Ok(Self { device, watch: device.stopwatch()?, logits, other, launches });
                }
                Err(error) if bytes == LEAST_BYTES => return Err(error),
                Err(_) => bytes /= 2,
            }
        }
    }

    /// Returns the number of bytes that a copy reads and writes per second.
    fn copied_per_second(&self) -> Result<f64, CudaError> {
        let time = self.time(self.launches.unwrap_or(20), |_| {
            // SAFETY: both buffers live as long as this value; `time` waits for the copies.
            unsafe { self.other.copy_from(&self.logits, RawStream::DEFAULT) }
        })?;
        Ok(2.0 * self.logits.len() as f64 / time.as_secs_f64())
    }

    /// Measures a case, with as many of its rows as fit.
    fn run(&self, asked: &Case) -> Result<Measured, Box<dyn Error>> {
        let mut case = *asked;
        while case.rows > 1 && case.bytes() > self.logits.len() {
            case.rows /= 2;
        }
        let masks = case.masks();
        let words: Vec<u8> = masks.iter().flat_map(|word| word.to_le_bytes()).collect();
        let on_device = self.device.upload(&words)?;
        let sets = (self.logits.len() / case.bytes()).max(1);
        let numbers = self.logits.len() / sets / case.format.bytes() as usize;
        let maskings: Result<Vec<_>, _> = (0..sets)
            .map(|set| {
                let address = self.logits.address() + (set * case.bytes()) as u64;
                case.masking(address, numbers, on_device.address(), masks.len())
            })
            .collect();
        let maskings = maskings?;
        let time = self.time(self.launches.unwrap_or(200), |number| {
            // SAFETY: masks and logits live until `time` has waited for the launches; there is no row map.
            unsafe { self.device.apply(RawStream::DEFAULT, &maskings[number % sets]) }
        })?;
        Ok(Measured { case, asked: asked.rows, time, moved: case.moved_bytes(&masks) })
    }

    /// Returns the time of one launch: `launches` are timed together, and the median of several measurements counts, after one warm-up.
    fn time(&self, launches: u32, launch: impl Fn(usize) -> Result<(), CudaError>) -> Result<Duration, CudaError> {
        let mut times = Vec::new();
        for _ in 0..=REPETITIONS {
            // SAFETY: the stream is the default stream.
            unsafe { self.watch.start(RawStream::DEFAULT) }?;
            (0..launches as usize).try_for_each(&launch)?;
            // SAFETY: as above.
            unsafe { self.watch.stop(RawStream::DEFAULT) }?;
            times.push(self.watch.elapsed()? / launches.max(1));
        }
        times.remove(0);
        times.sort_unstable();
        Ok(times[times.len() / 2])
    }
}
