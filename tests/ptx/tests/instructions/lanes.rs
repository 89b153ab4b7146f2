//! Tests of operations of lanes together, against a loop over lanes.

use ogc_kit::Random;
use ogc_ptx::{Argument, Device, Launch};

/// Checks an instruction on `%v` and `%w` (a value and a choice of each lane) with result `%d` and predicate `%p` in all lanes of a warp.
fn check(instruction: &str, choices: u64, host: impl Fn(&[u32], &[u32], usize) -> (u32, bool)) {
    let text = format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.entry one(.param .u64 in, .param .u64 out) {{\n\
         .reg .b64 %in, %out, %at;\n.reg .b32 %t, %v, %w, %d, %e;\n.reg .pred %p, %q;\n\
         ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %t, %tid.x;\nmul.wide.u32 %at, %t, 8;\n\
         add.u64 %in, %in, %at;\nadd.u64 %out, %out, %at;\nld.global.v2.u32 {{%v, %w}}, [%in];\n\
         setp.ne.u32 %q, %w, 0;\nsetp.eq.u32 %p, %t, 99;\nmov.u32 %d, 0;\n{instruction}\n\
         selp.u32 %e, 1, 0, %p;\nst.global.v2.u32 [%out], {{%d, %e}};\nret;\n}}\n"
    );
    let module = ogc_ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut random = Random::new(3);
    for _ in 0..200 {
        let input: Vec<u32> =
            (0..32).flat_map(|_| [random.next() as u32 % 5, (random.next() % choices) as u32]).collect();
        let mut device = Device::new(&module);
        let (from, to) = (device.buffer("in", &input), device.empty("out", 256));
        let report = device.launch(&Launch::new("one", 1, 32), &[Argument::Buffer(from), Argument::Buffer(to)]);
        report.unwrap_or_else(|fault| panic!("{instruction}: {fault}"));
        let values: Vec<u32> = input.iter().step_by(2).copied().collect();
        let others: Vec<u32> = input.iter().skip(1).step_by(2).copied().collect();
        for (lane, found) in device.read::<u32>(to).unwrap().chunks(2).enumerate() {
            let (value, holds) = host(&values, &others, lane);
            assert_eq!(found, [value, u32::from(holds)], "{instruction}: lane {lane} of {values:?}, {others:?}");
        }
    }
}

#[test]
fn shuffles_match_the_reference() {
    let with = |values: &[u32], lane: usize, source: Option<usize>| (values[source.unwrap_or(lane)], source.is_some());
    check("shfl.sync.idx.b32 %d|%p, %v, %w, 31, -1;", 32, |values, others, lane| {
        with(values, lane, Some(others[lane] as usize))
    });
    check("shfl.sync.bfly.b32 %d|%p, %v, %w, 31, -1;", 32, |values, others, lane| {
        with(values, lane, Some(lane ^ others[lane] as usize))
    });
    check("shfl.sync.up.b32 %d|%p, %v, %w, 0, -1;", 32, |values, others, lane| {
        with(values, lane, lane.checked_sub(others[lane] as usize))
    });
    check("shfl.sync.down.b32 %d|%p, %v, %w, 31, -1;", 32, |values, others, lane| {
        with(values, lane, Some(lane + others[lane] as usize).filter(|source| *source < 32))
    });
    // Segments of eight lanes: 0x1807 is the mask of the segment's number, and its last lane.
    check("shfl.sync.idx.b32 %d|%p, %v, %w, 0x1807, -1;", 32, |values, others, lane| {
        with(values, lane, Some(lane / 8 * 8 + others[lane] as usize % 8))
    });
    check("shfl.sync.down.b32 %d|%p, %v, %w, 0x1807, -1;", 8, |values, others, lane| {
        with(values, lane, Some(lane + others[lane] as usize).filter(|source| source / 8 == lane / 8))
    });
    check("shfl.sync.up.b32 %d|%p, %v, %w, 0x1800, -1;", 8, |values, others, lane| {
        with(values, lane, lane.checked_sub(others[lane] as usize).filter(|source| source / 8 == lane / 8))
    });
}

#[test]
fn votes_match_the_reference() {
    for choices in [1, 2, 40] {
        check("vote.sync.ballot.b32 %d, %q, -1;", choices, |_, others, _| {
            let lanes = (0..32).filter(|lane| others[*lane] != 0);
            (lanes.fold(0, |mask, lane| mask | 1 << lane), false)
        });
        check("vote.sync.any.pred %p, %q, -1;", choices, |_, others, _| (0, others.iter().any(|other| *other != 0)));
        check("vote.sync.all.pred %p, %q, -1;", choices, |_, others, _| (0, others.iter().all(|other| *other != 0)));
        check("vote.sync.uni.pred %p, !%q, -1;", choices, |_, others, _| {
            (0, others.iter().all(|other| (*other != 0) == (others[0] != 0)))
        });
    }
}

#[test]
fn match_instructions_match_the_reference() {
    check("match.any.sync.b32 %d, %v, -1;", 2, |values, _, lane| {
        let equal = (0..32).filter(|other| values[*other] == values[lane]);
        (equal.fold(0, |mask, lane| mask | 1 << lane), false)
    });
    for choices in [1, 2] {
        check("match.all.sync.b32 %d|%p, %w, -1;", choices, |_, others, _| {
            let all = others.iter().all(|other| *other == others[0]);
            (if all { u32::MAX } else { 0 }, all)
        });
    }
}

#[test]
fn warp_reductions_match_the_reference() {
    let all = |values: &[u32], join: fn(u32, u32) -> u32| values.iter().copied().reduce(join).unwrap();
    check("redux.sync.add.u32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, u32::wrapping_add), false));
    check("redux.sync.min.s32 %d, %w, -1;", 1 << 32, |_, others, _| {
        (all(others, |a, b| (a as i32).min(b as i32) as u32), false)
    });
    check("redux.sync.min.u32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, u32::min), false));
    check("redux.sync.max.u32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, u32::max), false));
    check("redux.sync.and.b32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, |a, b| a & b), false));
    check("redux.sync.or.b32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, |a, b| a | b), false));
    check("redux.sync.xor.b32 %d, %w, -1;", 1 << 32, |_, others, _| (all(others, |a, b| a ^ b), false));
}

#[test]
fn disjoint_lane_masks_reduce_separately() {
    // Lanes with equal values sum their choices among themselves.
    check("match.any.sync.b32 %t, %v, -1;\nredux.sync.add.u32 %d, %w, %t;", 100, |values, others, lane| {
        let equal = (0..32).filter(|other| values[*other] == values[lane]);
        (equal.map(|other| others[other]).sum(), false)
    });
}

#[test]
fn lane_registers_have_the_expected_values() {
    check("mov.u32 %d, %laneid;", 2, |_, _, lane| (lane as u32, false));
    check("mov.u32 %d, %lanemask_lt;", 2, |_, _, lane| ((1 << lane) - 1, false));
    check("mov.u32 %d, %lanemask_ge;", 2, |_, _, lane| (u32::MAX << lane, false));
    check("mov.u32 %d, WARP_SZ;", 2, |_, _, _| (32, false));
    check("activemask.b32 %d;", 2, |_, _, _| (u32::MAX, false));
}
