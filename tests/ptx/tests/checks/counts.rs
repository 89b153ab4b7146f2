//! Tests of the counts: instructions, sectors, bank conflicts, divergence.

use super::{launch, module, run_text};
use ogc_ptx::{Counts, InstructionKind};

/// Returns the counts that a body adds to the counts of an empty kernel, for one warp.
fn counts(body: &str) -> (Counts, Counts) {
    let count =
        |body: &str| run_text(&module("", body), &launch(1, 32, 3)).unwrap_or_else(|fault| panic!("{fault}")).1.counts;
    (count(body), count(""))
}

#[test]
fn counts_instructions_by_kind() {
    let (with, without) = counts("add.u32 %r1, %t, 1;\nmul.lo.u32 %r1, %t, 1;\nmov.u32 %r2, %r1;\nbar.sync 0;");
    assert_eq!(with.of(InstructionKind::Integer) - without.of(InstructionKind::Integer), 2);
    assert_eq!(with.of(InstructionKind::Move) - without.of(InstructionKind::Move), 1);
    assert_eq!(with.of(InstructionKind::Together) - without.of(InstructionKind::Together), 1);
    assert_eq!(with.instructions() - without.instructions(), 4);
    assert_eq!(with.lane_instructions - without.lane_instructions, 4 * 32);
    assert_eq!(with.barriers, 1);
}

#[test]
fn counts_sectors_of_global_memory() {
    let loaded = |body: &str| counts(body).0.loaded_sectors;
    assert_eq!(loaded("ld.global.u32 %r1, [%ta];"), 4);
    assert_eq!(loaded("ld.global.u8 %r1, [%ta];"), 4);
    assert_eq!(loaded("ld.global.u32 %r1, [%a];"), 1);
    assert_eq!(loaded("ld.global.u32 %r1, [%ta];\nld.global.u32 %r1, [%ta];"), 8);
    // One word in each sector, and words that begin in the middle of a sector.
    assert_eq!(loaded("mul.wide.u32 %rd1, %t, 32;\nadd.u64 %rd1, %a, %rd1;\nld.global.u32 %r1, [%rd1];"), 32);
    assert_eq!(loaded("ld.global.u32 %r1, [%ta+16];"), 5);
    assert_eq!(
        loaded("mul.wide.u32 %rd1, %t, 16;\nadd.u64 %rd1, %a, %rd1;\nld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"),
        16
    );
    // Only lanes that run the instruction.
    assert_eq!(loaded("setp.lt.u32 %p1, %t, 8;\n@%p1 ld.global.u32 %r1, [%ta];"), 1);
    let (with, _) = counts("st.global.u32 [%tb], %t;\natom.global.add.u32 %r1, [%a], 1;");
    assert_eq!((with.stored_sectors, with.stores, with.atomic_sectors, with.loads), (4, 1, 1, 0));
    assert_eq!(with.sectors(), 5);
}

#[test]
fn counts_bank_conflicts() {
    let stored = |stride: u32| {
        let body = format!("mul.lo.u32 %r1, %t, {stride};\nand.b32 %r1, %r1, 508;\nld.shared.u32 %r2, [%r1];");
        let fill = "mul.lo.u32 %r3, %t, 16;\nst.shared.v4.u32 [%r3], {%t, %t, %t, %t};\nbar.sync 0;\n";
        let (with, without) = counts(&format!("{fill}{body}"));
        assert_eq!(without.bank_conflicts, 0);
        with.bank_conflicts
    };
    assert_eq!(stored(4), 0);
    assert_eq!(stored(8), 1);
    assert_eq!(stored(16), 3);
    assert_eq!(stored(0), 0);
    // Of 128 words, four are in each bank, at any distance.
    assert_eq!(stored(128), 3);
}

#[test]
fn counts_divergent_branches() {
    let at = |limit: u32| {
        counts(&format!("setp.lt.u32 %p1, %t, {limit};\n@%p1 bra A;\nmov.u32 %r1, 0;\nA:\nmov.u32 %r1, 1;"))
            .0
            .divergent_branches
    };
    assert_eq!((at(0), at(7), at(32)), (0, 1, 0));
}

#[test]
fn a_seed_fixes_the_order_of_execution() {
    let text = module("", "atom.global.add.u32 %r1, [%a], 1;\nst.global.u32 [%tb], %r1;");
    let order = |seed| run_text(&text, &launch(2, 128, seed)).unwrap().0.unwrap();
    assert_eq!(order(1), order(1));
    assert!((2..9).any(|seed| order(seed) != order(1)));
}
