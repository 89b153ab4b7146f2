//! Tests of the interpreter's checks, each by a small kernel: accesses, races, waiting, the flow of lanes, counts,
//! texts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod counts;
mod flow;
mod memory;
mod races;
mod text;
mod waiting;

use ogc_ptx::{Argument, Device, Fault, Launch, Report};

/// Returns a kernel `k` with a body. In the body, `%t` is the thread, `%n` the thread in the grid, and `%l` the lane.
/// `%a` and `%b` are the addresses of the buffers `a` and `b`, and `%ta` and `%tb` the addresses of the thread's word
/// in them.
fn module(variables: &str, body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 open[];\n{variables}\n\
         .visible .entry k(.param .u64 pa, .param .u64 pb) {{\n\
         .reg .b32 %r<20>, %t, %n, %l;\n.reg .b64 %rd<10>, %a, %b, %ta, %tb;\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n\
         ld.param.u64 %a, [pa];\nld.param.u64 %b, [pb];\nmov.u32 %t, %tid.x;\nmov.u32 %l, %laneid;\n\
         mov.u32 %n, %ctaid.x;\nmov.u32 %r0, %ntid.x;\nmad.lo.u32 %n, %n, %r0, %t;\n\
         mul.wide.u32 %rd0, %n, 4;\nadd.u64 %ta, %a, %rd0;\nadd.u64 %tb, %b, %rd0;\n\
         {body}\nret;\n}}\n"
    )
}

/// Returns a launch of the kernel with 512 bytes of shared memory.
fn launch(grid: u32, block: u32, seed: u64) -> Launch {
    Launch { shared: 512, limit: 100_000, seed, ..Launch::new("k", grid, block) }
}

/// Runs a text: buffer `a` holds the numbers 0 to 255, and `b` as many words that were never written. Returns `b`, if
/// all of it was written.
fn run_text(text: &str, launch: &Launch) -> Result<(Option<Vec<u32>>, Report), Box<Fault>> {
    let module = ogc_ptx::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&module);
    let numbers: Vec<u32> = (0..256).collect();
    let (a, b) = (device.buffer("a", &numbers), device.empty("b", 1024));
    let report = device.launch(launch, &[Argument::Buffer(a), Argument::Buffer(b)])?;
    Ok((device.read(b).ok(), report))
}

/// The number of orders of warps and blocks that each check tries.
const SEEDS: u64 = 8;

/// Checks that a kernel ends without a fault, in every order.
fn passes(grid: u32, block: u32, body: &str) {
    for seed in 0..SEEDS {
        let result = run_text(&module("", body), &launch(grid, block, seed));
        result.unwrap_or_else(|fault| panic!("{body}\nseed {seed}: {fault}"));
    }
}

/// Checks that a kernel of 8 warps writes a function of the thread's number for each thread, in every order.
fn gives(body: &str, expected: impl Fn(u32) -> u32) {
    gives_with("", body, expected);
}

/// Checks [`gives`] for a kernel with variables or functions before it.
fn gives_with(variables: &str, body: &str, expected: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..256).map(expected).collect();
    for seed in 0..SEEDS {
        let result = run_text(&module(variables, body), &launch(2, 128, seed));
        let (found, _) = result.unwrap_or_else(|fault| panic!("{body}\nseed {seed}: {fault}"));
        assert_eq!(found.unwrap(), expected, "{body}\nseed {seed}");
    }
}

/// Checks that a kernel faults in every order, with a message that contains `expected`.
fn faults(grid: u32, block: u32, body: &str, expected: &str) {
    faults_with(grid, block, "", body, expected);
}

/// Checks [`faults`] for a kernel with variables or functions before it.
fn faults_with(grid: u32, block: u32, variables: &str, body: &str, expected: &str) {
    for seed in 0..SEEDS {
        match run_text(&module(variables, body), &launch(grid, block, seed)) {
            Ok(_) => panic!("{body}\nseed {seed}: no fault"),
            Err(fault) => assert!(fault.to_string().contains(expected), "{body}\nseed {seed}: {fault}"),
        }
    }
}
