//! Tests of barriers and masks: lanes and threads that wait for others that never come.

use super::{faults, gives, passes};

#[test]
fn a_barrier_reached_by_half_of_a_warp_is_a_deadlock() {
    let body = "setp.lt.u32 %p1, %t, 16;\n@!%p1 bra AFTER;\nbar.sync 0;\nAFTER:\nmov.u32 %r1, 0;";
    faults(1, 32, body, "16 threads wait, of 32");
    faults(1, 64, body, "threads wait, of 64");
}

#[test]
fn a_barrier_that_one_warp_skips_is_a_deadlock() {
    let body = "setp.lt.u32 %p1, %t, 32;\n@%p1 bra AFTER;\nbar.sync 0;\nAFTER:\nmov.u32 %r1, 0;";
    faults(1, 96, body, "64 threads wait, of 96; the others have ended");
}

#[test]
fn threads_at_different_barriers_are_a_deadlock() {
    let sides = |first: &str, second: &str, warp: u32| {
        format!(
            "setp.lt.u32 %p1, %t, {warp};\n@%p1 bra OTHER;\n{first}\nbra.uni AFTER;\nOTHER:\n{second}\nAFTER:\nmov.u32 %r1, 0;"
        )
    };
    // Lanes of one warp must come to one barrier together.
    faults(1, 32, &sides("bar.sync 0;", "bar.sync 0;", 16), "of the same warp wait at line");
    // Warps may come to the same barrier from different lines.
    passes(1, 64, &sides("bar.sync 0;", "bar.sync 0;", 32));
    faults(1, 64, &sides("bar.sync 0;", "bar.sync 1;", 32), "32 threads wait, of 64; others wait at line");
}

#[test]
fn barriers_for_part_of_a_block_are_faults() {
    passes(1, 64, "bar.sync 3, 64;");
    faults(1, 64, "bar.sync 3, 32;", "barrier 3 is for 32 threads; only barriers 0 to 15 for all 64 threads");
    faults(1, 64, "bar.sync 16;", "barrier 16 is for 64 threads");
}

#[test]
fn barriers_reduce_predicates() {
    gives("setp.lt.u32 %p1, %t, 5;\nbar.red.popc.u32 %r1, 0, %p1;\nst.global.u32 [%tb], %r1;", |_| 5);
    let chosen = |op: &str, limit: u32| {
        format!(
            "setp.lt.u32 %p1, %t, {limit};\nbar.red.{op}.pred %p2, 0, %p1;\nselp.u32 %r1, 1, 0, %p2;\nst.global.u32 [%tb], %r1;"
        )
    };
    gives(&chosen("or", 1), |_| 1);
    gives(&chosen("or", 0), |_| 0);
    gives(&chosen("and", 128), |_| 1);
    gives(&chosen("and", 127), |_| 0);
}

#[test]
fn waiting_for_lanes_that_never_come_is_a_deadlock() {
    let half = "setp.lt.u32 %p1, %t, 16;\n@!%p1 bra AFTER;\nINSIDE\nAFTER:\n";
    let rest = "bar.sync 0;";
    for inside in [
        "bar.warp.sync -1;",
        "shfl.sync.idx.b32 %r1, %t, 0, 31, -1;",
        "vote.sync.any.pred %p2, %p1, -1;",
        "match.any.sync.b32 %r1, %t, -1;",
        "redux.sync.add.u32 %r1, %t, -1;",
    ] {
        let body = half.replace("INSIDE", inside) + rest;
        faults(1, 32, &body, "lanes 0x0000ffff wait for lanes 0xffff0000, which never come");
        // Ended lanes are not waited for.
        passes(1, 32, &half.replace("INSIDE", inside));
    }
}

#[test]
fn lanes_can_meet_at_warp_barriers_on_different_lines() {
    let body = "setp.lt.u32 %p1, %t, 16;\n@%p1 bra OTHER;\nbar.warp.sync -1;\nmov.u32 %r1, 1;\nbra.uni AFTER;\n\
        OTHER:\nbar.warp.sync -1;\nmov.u32 %r1, 2;\nAFTER:\nst.global.u32 [%tb], %r1;";
    passes(1, 32, body);
    // Shuffles do not wait.
    let body = body.replace("bar.warp.sync -1;", "shfl.sync.idx.b32 %r2, %t, 0, 31, -1;");
    faults(1, 32, &body, "which never come");
}

#[test]
fn executing_outside_of_the_lane_mask_is_a_fault() {
    faults(1, 32, "bar.warp.sync 0xffff;", "the lane is not in the mask 0x0000ffff");
    faults(1, 32, "vote.sync.ballot.b32 %r1, %p0, 0xfffffffe;", "the lane is not in the mask 0xfffffffe");
    passes(1, 16, "bar.warp.sync 0xffff;");
    passes(1, 16, "bar.warp.sync -1;");
}

#[test]
fn reading_the_value_of_an_absent_lane_is_a_fault() {
    faults(
        1,
        16,
        "shfl.sync.idx.b32 %r1, %t, 20, 31, -1;",
        "the value of lane 20 is read, which is not among the lanes 0x0000ffff",
    );
    faults(
        1,
        32,
        "setp.lt.u32 %p1, %t, 16;\n@%p1 shfl.sync.bfly.b32 %r1, %t, 16, 31, 0xffff;",
        "the value of lane 16 is read",
    );
    faults(1, 16, "shfl.sync.down.b32 %r1, %t, 1, 31, -1;", "the value of lane 16 is read");
}

#[test]
fn infinite_loops_are_faults() {
    faults(1, 32, "AGAIN:\nbra.uni AGAIN;", "100000 instructions were done");
    // Waits for another thread to set a word, which it does only after a barrier.
    let body = "setp.eq.u32 %p1, %t, 0;\nAGAIN:\nld.volatile.global.u32 %r1, [%a+4];\nsetp.eq.u32 %p2, %r1, 1;\n@%p2 bra AGAIN;";
    faults(1, 32, body, "100000 instructions were done");
}
