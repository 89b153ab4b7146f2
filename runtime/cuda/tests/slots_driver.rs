//! Slots on a device, as far as the driver sees them: the kernels that are launched, their shapes and streams, and what is captured. The
//! fake driver's kernels compute nothing; their results are tested in the interpreter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the process with the fake driver answers by printing")]
#![allow(unsafe_code, reason = "launches on a driver that computes nothing")]

use crate::fake;
use crate::formats;

use std::sync::Arc;

use fake::Behaviour;
use ogc_cuda::{
    AllowedTokens, Device, DeviceKernel, DeviceMachine, DeviceSlots, LogitFormat, Logits, Machine, Plan, PoolLimits,
    RawStream, RowSampling, SharedMachine, SlotId, SlotLimits, SlotLists, TokenChoice,
};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::vocabulary::TokenId;

/// The expected launches, in order. A graph is reported with its number of launches.
const TOLD: &str = "\
    ogc_begin: 3 x 1 blocks of 32 on its stream\n\
    ogc_locate: 3 x 1 blocks of 32 on its stream\n\
    ogc_advance: 2 x 1 blocks of 32 on its stream\n\
    ogc_locate: 2 x 1 blocks of 32 on its stream\n\
    ogc_rollback: 1 x 1 blocks of 32 on its stream\n\
    ogc_locate: 1 x 1 blocks of 32 on its stream\n\
    ogc_fill: 1 x 3 blocks of 256 on its stream\n\
    ogc_step_f16: 1 x 2 blocks of 256 on its stream\n\
    graph 1 of 0: 3 launches\n\
    graph 1 of 0: 3 launches\n\
    graph 2 of 0: 1 launches\n\
    ogc_advance: 64 x 1 blocks of 32 on the default stream\n\
    ogc_advance: 64 x 1 blocks of 32 on another stream\n\
    ogc_run: 2 x 1 blocks of 32 on its stream\n\
    ogc_draft: 2 x 1 blocks of 32 on its stream\n\
    ogc_sample_f16: 1 x 8 blocks of 256 on its stream\n\
    ogc_verify: 2 x 1 blocks of 32 on its stream\n\
    graph 3 of 0: 3 launches\n\
    graph 3 of 0: 3 launches\n";

fn launch_all() {
    let device = Device::open(0).unwrap();
    let machine = SharedMachine::new(DeviceMachine::new(&device).unwrap());
    let pool = PoolLimits { rows: 10_000, blocks: 10_000 };
    let limits = SlotLimits {
        slots: 64,
        formats: 4,
        format_bytes: 1 << 20,
        pool,
        logits: 1 << 10,
        run_tokens: 16,
        draft_tokens: 3,
    };
    let mut slots = DeviceSlots::new(machine.clone(), formats::vocabulary(), limits).unwrap();
    let store = MaskStore::new(formats::vocabulary());
    let format = formats::all().into_iter().find(|(name, _)| *name == "arrays").unwrap().1;
    let pack = PackLimits { threads: 1, ..PackLimits::default() };
    let masks = Arc::new(MaskPack::build(&format, &store, &pack, |_, _| {}).unwrap());
    let format = slots.add_format(&format, &masks).unwrap();
    let open: Vec<SlotId> = (0..3).map(|_| slots.open().unwrap()).collect();
    slots.begin(&open.iter().map(|slot| (*slot, format)).collect::<Vec<_>>()).unwrap();
    slots.advance(&[(open[2], TokenId(1)), (open[0], TokenId(2))]).unwrap();
    slots.roll_back(&[(open[1], 1)]).unwrap();
    slots.fill(&open).unwrap();
    // Nothing is launched for an empty list.
    slots.advance(&[]).unwrap();
    let row = |slot: &SlotId| RowSampling {
        choice: TokenChoice::Highest,
        allowed: AllowedTokens::Slot(slot.number()),
        ..RowSampling::default()
    };
    slots.set_rows(&open[..2].iter().map(row).collect::<Vec<_>>()).unwrap();
    let address = machine.clone().reserve("logits of the test", 4096).unwrap();
    let logits = Logits { format: LogitFormat::F16, address, len: 1024, rows: 2, width: 300, stride: 300 };
    // SAFETY: the kernels compute nothing.
    unsafe { slots.step(&logits) }.unwrap();
    let lists = SlotLists { count: 64, ..SlotLists::default() };
    let step = slots.step_launch(&logits).unwrap();
    let plan =
        Plan { launches: slots.advance_launch(&lists).into_iter().chain(step.clone()).chain(step.clone()).collect() };
    let short = Plan { launches: step.into_iter().collect() };
    for plan in [&plan, &plan, &short] {
        // SAFETY: the kernels compute nothing.
        unsafe { machine.clone().run(plan) }.unwrap();
    }
    let mut other = 0u8;
    for stream in [RawStream::DEFAULT, RawStream((&raw mut other).expose_provenance())] {
        let launch = slots.advance_launch(&lists).unwrap();
        assert_eq!(launch.kernel, DeviceKernel::Advance);
        // SAFETY: the kernels compute nothing.
        unsafe { machine.lock().launch_on(stream, &launch) }.unwrap();
    }
    draft_all(&machine, &mut slots, &open);
}

/// Runs, and drafts of several lengths, for which the same graph is used.
fn draft_all(
    machine: &SharedMachine<DeviceMachine>,
    slots: &mut DeviceSlots<SharedMachine<DeviceMachine>>,
    open: &[SlotId],
) {
    let tokens = [1, 2, 3].map(TokenId);
    slots.run(&[(open[2], &tokens), (open[0], &[])]).unwrap();
    slots.run(&[]).unwrap();
    let row = |at| RowSampling { allowed: AllowedTokens::Located(at), ..RowSampling::default() };
    slots.set_rows(&(0..8).map(row).collect::<Vec<_>>()).unwrap();
    let address = machine.clone().reserve("logits of the test", 8192).unwrap();
    let logits = Logits { format: LogitFormat::F16, address, len: 4096, rows: 8, width: 300, stride: 300 };
    slots.draft(&[(open[0], &tokens), (open[1], &[])]).unwrap();
    // SAFETY: the kernels compute nothing.
    unsafe { slots.sample(&logits) }.unwrap();
    slots.verify().unwrap();
    let lists = slots.drafts(2);
    let launches =
        [slots.draft_launch(&lists), slots.sample_launch(&logits), slots.verify_launch(&lists)].map(Result::unwrap);
    let plan = Plan { launches: launches.into_iter().flatten().collect() };
    for drafts in [&tokens[..], &tokens[..1]] {
        slots.write_drafts(&[(open[0], &[]), (open[2], drafts)]).unwrap();
        // SAFETY: the kernels compute nothing.
        unsafe { machine.clone().run(&plan) }.unwrap();
        assert_eq!(slots.verified().unwrap().len(), 2);
    }
}

#[test]
fn launch_shapes_follow_the_lengths_of_their_lists() {
    if fake::is_here() {
        return launch_all();
    }
    let test = "slots_driver::launch_shapes_follow_the_lengths_of_their_lists";
    // The result is the same while another thread captures.
    for behaviour in [Behaviour::Works, Behaviour::AnotherRecords] {
        let Some(output) = fake::run(test, behaviour) else { return };
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && stdout.contains(TOLD), "{stdout}\n{stderr}");
    }
}

/// Errors of the device are reported, and nothing is left behind.
fn refused() {
    let device = Device::open(0).unwrap();
    let limits = SlotLimits { logits: 0, ..SlotLimits::for_sequences(8) };
    let slots = DeviceSlots::new(DeviceMachine::new(&device).unwrap(), formats::vocabulary(), limits);
    println!("refused: {}", slots.err().unwrap());
}

#[test]
fn a_device_with_little_memory_says_so() {
    if fake::is_here() {
        return refused();
    }
    let Some(output) = fake::run("slots_driver::a_device_with_little_memory_says_so", Behaviour::LittleMemory) else {
        return;
    };
    let stdout = String::from_utf8_lossy(&output.stdout);
    let expected = "refused: cuMemAlloc_v2 failed: CUDA_ERROR_OUT_OF_MEMORY: another error\n";
    assert!(
        output.status.success() && stdout.contains(expected),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
