//! Tests of races between lanes, warps and blocks, and of the ordering of accesses.

use super::{faults, gives, passes};

const RACE: &str = "with no barrier between";

#[test]
fn two_writes_of_one_word_are_a_race() {
    faults(1, 2, "st.global.u32 [%b], %t;", RACE);
    faults(1, 64, "setp.eq.u32 %p1, %l, 0;\n@%p1 st.global.u32 [%b], %t;", RACE);
    faults(2, 1, "st.global.u32 [%b], %t;", RACE);
    faults(1, 2, "st.shared.u32 [open], %t;", RACE);
    passes(1, 1, "st.global.u32 [%b], %t;");
    passes(2, 32, "st.global.u32 [%tb], %t;");
}

#[test]
fn bytes_beside_each_other_are_no_race() {
    passes(2, 128, "cvt.u64.u32 %rd1, %n;\nadd.u64 %rd1, %b, %rd1;\nst.global.u8 [%rd1], %t;");
    // Words first, then bytes of them, by other threads: these races are found.
    faults(
        1,
        128,
        "st.global.u32 [%tb], %t;\ncvt.u64.u32 %rd1, %n;\nadd.u64 %rd1, %b, %rd1;\nst.global.u8 [%rd1], %t;",
        RACE,
    );
}

#[test]
fn an_unordered_write_and_read_are_a_race() {
    let swap = "xor.b32 %r1, %t, 1;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %b, %rd1;\n";
    faults(1, 32, &format!("st.global.u32 [%tb], %t;\n{swap}ld.global.u32 %r2, [%rd1];"), RACE);
    passes(1, 32, &format!("st.global.u32 [%tb], %t;\nbar.warp.sync -1;\n{swap}ld.global.u32 %r2, [%rd1];"));
    passes(1, 64, &format!("st.global.u32 [%tb], %t;\nbar.sync 0;\n{swap}ld.global.u32 %r2, [%rd1];"));
    // A read that another thread overwrites.
    let read_then_write = "ld.global.u32 %r2, [%a];\nsetp.eq.u32 %p1, %t, 0;\n@%p1 st.global.u32 [%a], %t;";
    faults(1, 32, read_then_write, "read it, with no barrier between");
    faults(2, 1, "ld.global.u32 %r2, [%a];\nsetp.eq.u32 %p1, %n, 0;\n@%p1 st.global.u32 [%a], %t;", RACE);
}

#[test]
fn a_warp_barrier_orders_only_its_lanes() {
    let swap = "xor.b32 %r1, %t, 32;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %b, %rd1;\n";
    let read = "setp.eq.u32 %p2, %r1, 999;\nld.global.u32 %r2, [%rd1];";
    // Either the word of the other warp was never written, or it is a race.
    faults(1, 64, &format!("st.global.u32 [%tb], %t;\nbar.warp.sync -1;\n{swap}{read}"), "`b` + ");
    passes(1, 64, &format!("st.global.u32 [%tb], %t;\nbar.sync 0;\n{swap}{read}"));
}

#[test]
fn a_barrier_of_some_lanes_orders_only_those() {
    let half = "setp.ge.u32 %p1, %t, 16;\nselp.b32 %r3, 0xffff0000, 0xffff, %p1;\nst.global.u32 [%tb], %t;\nbar.warp.sync %r3;\n";
    let read = |bits: u32| {
        format!(
            "{half}xor.b32 %r1, %t, {bits};\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %b, %rd1;\nld.global.u32 %r2, [%rd1];"
        )
    };
    passes(1, 32, &read(1));
    faults(1, 32, &read(16), "`b` + ");
}

#[test]
fn barriers_of_lanes_order_transitively() {
    // Lane 0 writes, 0 and 1 meet, 1 and 2 meet, 2 reads.
    let body = |second: &str| {
        format!(
            "setp.eq.u32 %p1, %t, 0;\n@%p1 st.global.u32 [%b], %t;\nsetp.lt.u32 %p2, %t, 2;\n@%p2 bar.warp.sync 3;\n\
             setp.gt.u32 %p3, %t, 0;\n{second}\nsetp.eq.u32 %p4, %t, 2;\n@%p4 ld.global.u32 %r1, [%b];"
        )
    };
    passes(1, 3, &body("@%p3 bar.warp.sync 6;"));
    faults(1, 3, &body(""), "`b` + 0");
}

#[test]
fn shuffles_order_nothing() {
    let body = "st.shared.u32 [open], 1;\nshfl.sync.idx.b32 %r1, %t, 0, 31, -1;";
    passes(1, 1, body);
    let body = "setp.eq.u32 %p1, %t, 0;\n@%p1 st.shared.u32 [open], %t;\nshfl.sync.idx.b32 %r1, %t, 0, 31, -1;\nld.shared.u32 %r2, [open];";
    faults(1, 32, body, RACE);
}

#[test]
fn atomics_do_not_race_but_plain_accesses_beside_them_do() {
    passes(4, 64, "atom.global.add.u32 %r1, [%a], 1;");
    passes(4, 64, "red.global.max.u32 [%a], %n;");
    passes(2, 64, "ld.relaxed.gpu.global.u32 %r1, [%a];\nst.relaxed.gpu.global.u32 [%a], %r1;");
    passes(2, 64, "ld.volatile.global.u32 %r1, [%a];\nst.volatile.global.u32 [%a], %r1;");
    faults(1, 64, "atom.global.add.u32 %r1, [%a], 1;\nld.global.u32 %r2, [%a];", RACE);
    faults(2, 1, "st.global.u32 [%a], %t;\natom.global.add.u32 %r1, [%a], 1;", RACE);
}

#[test]
fn writing_memory_that_is_read_as_constant_is_a_race() {
    passes(2, 32, "ld.global.nc.u32 %r1, [%ta];\nst.global.u32 [%tb], %r1;");
    faults(1, 1, "st.global.u32 [%a], %t;\nld.global.nc.u32 %r1, [%a];", "race on `a`");
    faults(1, 1, "ld.global.nc.u32 %r1, [%a];\nst.global.u32 [%a], %t;", "race on `a`");
}

#[test]
fn consecutive_launches_are_ordered() {
    let text = super::module("", "st.global.u32 [%b], 1;");
    let module = ogc_ptx::parse(&text).unwrap();
    let mut device = ogc_ptx::Device::new(&module);
    let (a, b) = (device.buffer("a", &[0_u32]), device.empty("b", 4));
    for seed in 0..3 {
        let arguments = [ogc_ptx::Argument::Buffer(a), ogc_ptx::Argument::Buffer(b)];
        device.launch(&super::launch(1, 1, seed), &arguments).unwrap();
    }
}

#[test]
fn atomics_return_the_old_and_store_the_new_value() {
    // Each thread has a word of its own, so that the result is known.
    let on = |op: &str| {
        format!(
            "ld.global.u32 %r1, [%ta];\n{op} %r2, [%ta], 100;\nld.global.u32 %r3, [%ta];\nst.global.u32 [%tb], %r3;"
        )
    };
    gives(&on("atom.global.add.u32"), |thread| thread + 100);
    gives(&on("atom.global.min.u32"), |thread| thread.min(100));
    gives(&on("atom.global.max.s32"), |thread| thread.max(100));
    gives(&on("atom.global.and.b32"), |thread| thread & 100);
    gives(&on("atom.global.or.b32"), |thread| thread | 100);
    gives(&on("atom.global.xor.b32"), |thread| thread ^ 100);
    gives(&on("atom.global.exch.b32"), |_| 100);
    gives(&on("atom.global.inc.u32"), |thread| if thread >= 100 { 0 } else { thread + 1 });
    gives(&on("atom.global.dec.u32"), |thread| if thread == 0 || thread > 100 { 100 } else { thread - 1 });
    gives(
        "atom.global.cas.b32 %r2, [%ta], 7, 100;\nld.global.u32 %r3, [%ta];\nadd.u32 %r3, %r3, %r2;\nst.global.u32 [%tb], %r3;",
        |thread| {
            if thread == 7 { 107 } else { 2 * thread }
        },
    );
}

/// Lets thread 0 of block 0 write a word and then a flag, and thread 0 of block 1 wait for the flag and read the word.
fn message(before_flag: &str, flag: &str, read_flag: &str, after_flag: &str) -> String {
    format!(
        "setp.ne.u32 %p1, %n, 0;\n@%p1 bra READER;\nst.global.u32 [%b], 7;\n{before_flag}\n{flag}\nbra.uni AFTER;\n\
         READER:\nWAIT:\n{read_flag}\nsetp.ne.u32 %p2, %r1, 99;\n@%p2 bra WAIT;\n{after_flag}\nld.global.u32 %r2, [%b];\nAFTER:\nmov.u32 %r3, 0;"
    )
}

#[test]
fn fenced_messages_order_earlier_writes() {
    let (flag, read) = ("st.volatile.global.u32 [%a], 99;", "ld.volatile.global.u32 %r1, [%a];");
    passes(2, 1, &message("membar.gl;", flag, read, "membar.gl;"));
    passes(2, 1, &message("", "st.release.gpu.global.u32 [%a], 99;", "ld.acquire.gpu.global.u32 %r1, [%a];", ""));
    passes(
        2,
        1,
        &message(
            "membar.gl;",
            "atom.global.exch.b32 %r5, [%a], 99;",
            "atom.global.or.b32 %r1, [%a], 0;",
            "fence.acq_rel.gpu;",
        ),
    );
    faults(2, 1, &message("", flag, read, "membar.gl;"), "race on `b` + 0");
    faults(2, 1, &message("membar.gl;", flag, read, ""), "race on `b` + 0");
    // A write after the fence is not covered.
    faults(2, 1, &message("membar.gl;\nst.global.u32 [%b], 8;", flag, read, "membar.gl;"), "race on `b` + 0");
    // Between warps of one block, through shared memory.
    let body = "setp.ne.u32 %p1, %t, 0;\n@!%p1 st.shared.u32 [open+4], 0;\nbar.sync 0;\nsetp.ge.u32 %p2, %t, 32;\n@%p2 bra READER;\n@%p1 bra AFTER;\n\
        st.shared.u32 [open], 5;\nFENCE\nst.volatile.shared.u32 [open+4], 1;\nbra.uni AFTER;\n\
        READER:\nld.volatile.shared.u32 %r1, [open+4];\nsetp.eq.u32 %p3, %r1, 0;\n@%p3 bra READER;\nFENCE\nld.shared.u32 %r2, [open];\nAFTER:\nmov.u32 %r3, 0;";
    passes(1, 64, &body.replace("FENCE", "membar.cta;"));
    faults(1, 64, &body.replace("FENCE", ""), "race on `shared memory` + 0");
}

#[test]
fn block_fences_order_nothing_for_other_blocks() {
    let (flag, read) = ("st.volatile.global.u32 [%a], 99;", "ld.volatile.global.u32 %r1, [%a];");
    let race = "race on `b` + 0";
    for (before, after) in
        [("membar.cta;", "membar.gl;"), ("membar.gl;", "membar.cta;"), ("membar.cta;", "membar.cta;")]
    {
        faults(2, 1, &message(before, flag, read, after), race);
    }
    // A release by a fence of the device stays valid after a fence of the block; a write between them is released only
    // to the block.
    passes(2, 1, &message("membar.gl;\nmembar.cta;", flag, read, "fence.acq_rel.cta;\nmembar.sys;"));
    faults(2, 1, &message("membar.gl;\nst.global.u32 [%b], 8;\nmembar.cta;", flag, read, "membar.gl;"), race);
    // Thread 0 of block 0 sends to thread 1 by its block, and that sends to block 1 by the device: block 1 knows of
    // thread 0.
    let chain = "setp.ne.u32 %p1, %n, 0;\n@!%p1 st.global.u32 [%b], 7;\nbar.sync 0;\nsetp.ge.u32 %p2, %n, 64;\n@%p2 bra LAST;\n\
        setp.eq.u32 %p3, %n, 32;\n@%p3 bra SECOND;\n@%p1 bra AFTER;\nst.global.u32 [%b], 8;\nmembar.cta;\n\
        st.volatile.global.u32 [%a], 1000;\nbra.uni AFTER;\n\
        SECOND:\nld.volatile.global.u32 %r1, [%a];\nsetp.ne.u32 %p4, %r1, 1000;\n@%p4 bra SECOND;\nFENCE\n\
        st.volatile.global.u32 [%a+4], 1000;\nbra.uni AFTER;\n\
        LAST:\nld.volatile.global.u32 %r1, [%a+4];\nsetp.ne.u32 %p4, %r1, 1000;\n@%p4 bra LAST;\nmembar.gl;\n\
        ld.global.u32 %r2, [%b];\nAFTER:\nmov.u32 %r3, 0;";
    passes(2, 64, &chain.replace("FENCE", "membar.gl;"));
    faults(2, 64, &chain.replace("FENCE", "membar.cta;"), race);
}

#[test]
fn a_read_before_many_others_is_not_forgotten() {
    // Warps 2 to 7 read a word and report it; warp 0 waits for them, then writes the word. Only warp 1 reads in no
    // order.
    let body = |first: u32| {
        format!(
            "setp.ne.u32 %p1, %l, 0;\n@%p1 bra AFTER;\nsetp.eq.u32 %p2, %t, 0;\n@%p2 bra WRITER;\n\
             setp.lt.u32 %p3, %t, {first};\n@%p3 bra AFTER;\nld.global.u32 %r1, [%a];\nsetp.eq.u32 %p4, %t, 32;\n@%p4 bra AFTER;\n\
             membar.cta;\nred.global.add.u32 [%a+4], 1;\nbra.uni AFTER;\n\
             WRITER:\nld.volatile.global.u32 %r2, [%a+4];\nsetp.lt.u32 %p4, %r2, 7;\n@%p4 bra WRITER;\nmembar.cta;\n\
             st.global.u32 [%a], 1;\nAFTER:\nmov.u32 %r3, 0;"
        )
    };
    passes(1, 256, &body(64));
    faults(1, 256, &body(32), "race on `a` + 0");
}

#[test]
fn nanosleep_has_no_effect() {
    gives("nanosleep.u32 100;\nst.global.u32 [%tb], %n;", |thread| thread);
}
