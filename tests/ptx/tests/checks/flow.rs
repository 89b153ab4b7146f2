//! Tests of the flow of lanes: parting and meeting, calls, tables of branches, ends.

use super::{faults, faults_with, gives, gives_with, launch, module, run_text};

/// Ends a body with the mask of the lanes that run together as its result.
const TOGETHER: &str = "activemask.b32 %r9;\nst.global.u32 [%tb], %r9;";

#[test]
fn lanes_reconverge_after_a_branch() {
    let body = "and.b32 %r1, %l, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra EVEN;\nadd.u32 %r1, %r1, 5;\nbra.uni AFTER;\n\
        EVEN:\nadd.u32 %r1, %r1, 7;\nAFTER:\n";
    gives(&format!("{body}{TOGETHER}"), |_| u32::MAX);
    gives(&format!("{body}st.global.u32 [%tb], %r1;"), |thread| if thread % 2 == 0 { 7 } else { 6 });
    // Inside, half of them run together.
    gives(
        &body
            .replace("AFTER:\n", "AFTER:\nst.global.u32 [%tb], %r1;")
            .replace("add.u32 %r1, %r1,", "activemask.b32 %r1; //"),
        |thread| {
            if thread % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa }
        },
    );
}

#[test]
fn lanes_reconverge_after_nested_branches() {
    let body = "and.b32 %r1, %l, 1;\nand.b32 %r2, %l, 2;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r2, 0;\n\
        @%p1 bra OUTER;\n@%p2 bra INNER;\nmov.u32 %r3, 1;\nbra.uni JOIN;\nINNER:\nmov.u32 %r3, 2;\nJOIN:\nactivemask.b32 %r4;\n\
        bra.uni AFTER;\nOUTER:\nmov.u32 %r3, 3;\nactivemask.b32 %r4;\nAFTER:\n";
    gives(&format!("{body}{TOGETHER}"), |_| u32::MAX);
    gives(
        &format!("{body}st.global.u32 [%tb], %r4;"),
        |thread| if thread % 2 == 0 { 0x5555_5555 } else { 0xaaaa_aaaa },
    );
    gives(&format!("{body}st.global.u32 [%tb], %r3;"), |thread| match thread % 4 {
        0 | 2 => 3,
        1 => 2,
        _ => 1,
    });
}

#[test]
fn lanes_leave_a_loop_one_by_one() {
    let body = "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\nadd.u32 %r2, %r2, %r1;\nadd.u32 %r1, %r1, 1;\n\
        setp.le.u32 %p1, %r1, %l;\n@%p1 bra LOOP;\n";
    gives(&format!("{body}{TOGETHER}"), |_| u32::MAX);
    gives(&format!("{body}st.global.u32 [%tb], %r2;"), |thread| (0..=thread % 32).sum());
}

#[test]
fn lanes_jump_into_and_out_of_loops() {
    // Odd lanes enter in the middle, and multiples of three leave from there: no block structure is enough.
    let body = "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nand.b32 %r3, %l, 1;\nsetp.eq.u32 %p1, %r3, 1;\nrem.u32 %r4, %l, 3;\n\
        setp.eq.u32 %p2, %r4, 0;\n@%p1 bra MIDDLE;\nTOP:\nadd.u32 %r2, %r2, 100;\nMIDDLE:\nadd.u32 %r1, %r1, 1;\n\
        setp.eq.and.u32 %p3, %r1, 4, %p2;\n@%p3 bra AFTER;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p4, %r1, 6;\n@%p4 bra TOP;\nAFTER:\n";
    let expected = |thread: u32| {
        let lane = thread % 32;
        let (mut rounds, mut sum, mut skips) = (0, 0, lane % 2 == 1);
        loop {
            sum += if skips { 0 } else { 100 };
            skips = false;
            rounds += 1;
            if rounds == 4 && lane.is_multiple_of(3) {
                break;
            }
            sum += 1;
            if rounds >= 6 {
                break;
            }
        }
        sum
    };
    gives(&format!("{body}st.global.u32 [%tb], %r2;"), expected);
    gives(&format!("{body}{TOGETHER}"), |_| u32::MAX);
}

#[test]
fn lanes_that_ended_do_not_block_the_others() {
    let body = "setp.ge.u32 %p1, %l, 16;\nmov.u32 %r9, 5;\nst.global.u32 [%tb], %r9;\n@%p1 exit;\n";
    gives(&format!("{body}{TOGETHER}"), |thread| if thread % 32 < 16 { 0xffff } else { 5 });
    gives(&format!("{}{TOGETHER}", body.replace("exit", "ret")), |thread| if thread % 32 < 16 { 0xffff } else { 5 });
}

#[test]
fn lanes_that_wait_for_each_other_without_barriers_make_progress() {
    // Lane 0 waits for a word that lane 1 sets only after it has left the branch.
    let body = "and.b32 %r1, %n, 0xffffffe0;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %a, %rd1;\n\
        setp.ne.u32 %p1, %l, 0;\n@%p1 bra AFTER;\nWAIT:\nld.volatile.global.u32 %r2, [%rd1+4];\nsetp.ne.u32 %p2, %r2, 77;\n@%p2 bra WAIT;\n\
        AFTER:\nsetp.ne.u32 %p3, %l, 1;\n@%p3 bra LAST;\nst.volatile.global.u32 [%rd1+4], 77;\nLAST:\nst.global.u32 [%tb], %n;";
    let text = module("", body);
    for seed in 0..3 {
        let launch = ogc_ptx::Launch { limit: 10_000_000, ..launch(2, 128, seed) };
        let (found, _) = run_text(&text, &launch).unwrap();
        assert_eq!(found.unwrap(), (0..256).collect::<Vec<u32>>());
    }
}

const FUNCTIONS: &str = ".func (.param .b32 result) twice(.param .b32 value) {\n.reg .b32 %v<3>;\n.reg .pred %q<2>;\n\
    ld.param.u32 %v0, [value];\nsetp.gt.u32 %q0, %v0, 99;\n@%q0 bra LARGE;\nadd.u32 %v1, %v0, %v0;\n\
    st.param.b32 [result], %v1;\nret;\nLARGE:\nst.param.b32 [result], 1;\nret;\n}\n\
    .func (.param .b32 result) deep(.param .b32 value) {\n.reg .b32 %v<4>;\n.reg .pred %q<2>;\n.local .b32 kept;\n\
    ld.param.u32 %v0, [value];\nst.local.u32 [kept], %v0;\nsetp.eq.u32 %q0, %v0, 0;\nmov.u32 %v1, 0;\n@%q0 bra DONE;\nsub.u32 %v2, %v0, 1;\n{\n\
    .param .b32 p;\n.param .b32 q;\nst.param.b32 [p], %v2;\ncall.uni (q), deep, (p);\nld.param.b32 %v1, [q];\n}\n\
    DONE:\nld.local.u32 %v3, [kept];\nadd.u32 %v1, %v1, %v3;\nst.param.b32 [result], %v1;\nret;\n}\n";

fn call(function: &str, value: &str) -> String {
    format!(
        "{{\n.param .b32 p;\n.param .b32 q;\nst.param.b32 [p], {value};\ncall (q), {function}, (p);\nld.param.b32 %r9, [q];\n}}\n"
    )
}

#[test]
fn calls_pass_values_and_reconverge_at_their_end() {
    let store = "st.global.u32 [%tb], %r9;";
    gives_with(FUNCTIONS, &format!("{}{store}", call("twice", "%n")), |n| if n > 99 { 1 } else { 2 * n });
    gives_with(FUNCTIONS, &format!("{}{TOGETHER}", call("twice", "%l")), |_| u32::MAX);
    let odd = format!(
        "mov.u32 %r9, 0;\nand.b32 %r1, %n, 1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra AFTER;\n{}AFTER:\n",
        call("twice", "%n")
    );
    gives_with(FUNCTIONS, &format!("{odd}{store}"), |n| match n {
        n if n % 2 == 0 => 0,
        n if n > 99 => 1,
        n => 2 * n,
    });
    let guarded = call("twice", "%n").replace("call (q)", "@!%p1 call (q)").replace("ld.param", "@!%p1 ld.param");
    let guarded = format!("mov.u32 %r9, 0;\nand.b32 %r1, %n, 1;\nsetp.eq.u32 %p1, %r1, 0;\n{guarded}");
    gives_with(FUNCTIONS, &format!("{guarded}{store}"), |n| match n {
        n if n % 2 == 0 => 0,
        n if n > 99 => 1,
        n => 2 * n,
    });
    gives_with(FUNCTIONS, &format!("{guarded}{TOGETHER}"), |_| u32::MAX);
}

#[test]
fn calls_pass_words_of_64_bits() {
    let double = ".func (.param .b64 result) double(.param .b64 value) {\n.reg .b64 %v<2>;\nld.param.u64 %v0, [value];\n\
        add.u64 %v1, %v0, %v0;\nst.param.b64 [result], %v1;\nret;\n}\n";
    let body = "cvt.u64.u32 %rd1, %n;\nshl.b64 %rd1, %rd1, 32;\n{\n.param .b64 p;\n.param .b64 q;\nst.param.b64 [p], %rd1;\n\
        call (q), double, (p);\nld.param.b64 %rd2, [q];\n}\nshr.u64 %rd2, %rd2, 32;\ncvt.u32.u64 %r9, %rd2;\nst.global.u32 [%tb], %r9;";
    gives_with(double, body, |n| 2 * n);
}

#[test]
fn calls_pass_numbers_in_floating_point() {
    let double = ".func (.param .b32 result) double(.param .b32 value) {\n.reg .f32 %v<2>;\nld.param.f32 %v0, [value];\n\
        add.rn.f32 %v1, %v0, %v0;\nst.param.f32 [result], %v1;\nret;\n}\n";
    let body = "{\n.reg .f32 %f<2>;\ncvt.rn.f32.u32 %f0, %n;\n.param .b32 p;\n.param .b32 q;\nst.param.f32 [p], %f0;\n\
        call (q), double, (p);\nld.param.f32 %f1, [q];\ncvt.rzi.u32.f32 %r9, %f1;\n}\nst.global.u32 [%tb], %r9;";
    gives_with(double, body, |n| 2 * n);
}

#[test]
fn recursive_calls_have_separate_local_memory() {
    let body = format!("and.b32 %r1, %l, 15;\n{}st.global.u32 [%tb], %r9;", call("deep", "%r1"));
    gives_with(FUNCTIONS, &body, |thread| (0..=thread % 16).sum());
    faults_with(1, 1, FUNCTIONS, &call("deep", "1000"), "calls are 33 deep; 32 are allowed");
}

#[test]
fn branch_tables_jump_to_their_labels() {
    let body = "TABLE: .branchtargets A, B, A, C;\nand.b32 %r1, %n, 3;\nbrx.idx %r1, TABLE;\nA:\nmov.u32 %r2, 10;\nbra AFTER;\n\
        B:\nmov.u32 %r2, 20;\nbra AFTER;\nC:\nmov.u32 %r2, 30;\nAFTER:\n";
    gives(&format!("{body}st.global.u32 [%tb], %r2;"), |thread| [10, 20, 10, 30][(thread % 4) as usize]);
    gives(&format!("{body}{TOGETHER}"), |_| u32::MAX);
    faults(1, 32, &body.replace("and.b32 %r1, %n, 3;", "mov.u32 %r1, 4;"), "index 4 into a list of 4 labels");
}

#[test]
fn traps_and_invalid_operations_are_faults() {
    faults(1, 32, "setp.eq.u32 %p1, %t, 3;\n@%p1 trap;", "thread (3,0,0) of block (0,0,0): the kernel ran into a trap");
    faults(
        1,
        32,
        "sub.u32 %r1, %t, 7;\ndiv.u32 %r2, 5, %r1;",
        "thread (7,0,0) of block (0,0,0): a whole number is divided by zero",
    );
}

#[test]
fn thread_and_block_indices_are_three_dimensional() {
    let text = module(
        "",
        "mov.u32 %r1, %tid.y;\nmov.u32 %r2, %tid.z;\nmov.u32 %r3, %ntid.y;\nmad.lo.u32 %r4, %r2, %r3, %r1;\n\
        mov.u32 %r3, %ntid.x;\nmad.lo.u32 %r4, %r4, %r3, %t;\nmov.u32 %r5, %ctaid.y;\nmad.lo.u32 %r4, %r5, 128, %r4;\n\
        mul.wide.u32 %rd1, %r4, 4;\nadd.u64 %rd1, %b, %rd1;\nmov.u32 %r6, %nctaid.y;\nmad.lo.u32 %r4, %r4, 10, %r6;\nst.global.u32 [%rd1], %r4;",
    );
    let launch = ogc_ptx::Launch { shared: 512, ..ogc_ptx::Launch::new("k", (1, 2), (8, 4, 4)) };
    let (found, _) = run_text(&text, &launch).unwrap();
    assert_eq!(found.unwrap(), (0..256).map(|number| number * 10 + 2).collect::<Vec<u32>>());
}
