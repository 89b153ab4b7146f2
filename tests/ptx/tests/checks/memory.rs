//! Tests of accesses in all spaces: bounds, alignment, bytes that were never written.

use super::{faults, faults_with, gives, gives_with, launch, module, passes, run_text};

#[test]
fn threads_of_a_block_add_to_the_same_word() {
    let add = |begin: &str, add: &str, read: &str, own: &str| {
        format!(
            "setp.ne.u32 %p1, %t, 0;\n@%p1 bra BEGUN;\n{begin} [sum], 0;\nBEGUN:\nbar.sync 0;\ncvt.u64.u32 %rd1, %t;\n\
             mov.u32 %r1, %t;\n{add} {own}, [sum], {own};\nbar.sync 0;\n{read} {own}, [sum];\n"
        )
    };
    let sum = ".shared .align 8 .b8 sum[8];";
    // 0 + 1 + ... + 127
    let body = add("st.shared.u32", "atom.shared.add.u32", "ld.shared.u32", "%r1");
    gives_with(sum, &(body + "st.global.u32 [%tb], %r1;"), |_| 8128);
    let body = add("st.shared.u64", "atom.shared.add.u64", "ld.shared.u64", "%rd1");
    gives_with(sum, &(body + "cvt.u32.u64 %r1, %rd1;\nst.global.u32 [%tb], %r1;"), |_| 8128);
}

#[test]
fn a_block_has_the_shared_memory_of_its_own_kernel() {
    let other =
        ".visible .entry other() {\n.shared .align 16 .b8 large[200000];\n.reg .b32 %s;\nmov.u32 %s, large;\nret;\n}\n";
    let own = ".shared .align 16 .b8 own[100000];\n.reg .b32 %s;\nmov.u32 %s, own;\n";
    gives_with(other, &format!("{own}st.global.u32 [%tb], %s;"), |_| 0);
    let beyond = format!("{own}st.shared.u32 [%s+100600], 1;\n");
    faults_with(1, 1, other, &beyond, "`shared memory` has 100512 bytes");
}

#[test]
fn accesses_out_of_bounds_are_faults() {
    passes(1, 32, "ld.global.u32 %r1, [%a+1020];");
    faults(1, 32, "ld.global.u32 %r1, [%a+1024];", "0 bytes past the end of `a`");
    faults(1, 32, "ld.global.u32 %r1, [%a+-4];", "4 bytes before `a`");
    faults(1, 32, "st.global.u32 [%b+1024], %t;", "0 bytes past the end of `b`");
    faults(1, 32, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+1024];", "16 bytes at");
    faults(1, 32, "mov.u64 %rd1, 0;\nld.u32 %r1, [%rd1];", "before `a`");
    faults(1, 32, "atom.global.add.u32 %r1, [%a+1024], 1;", "0 bytes past the end of `a`");
    faults(1, 32, "ld.shared.u32 %r1, [open+512];", "`shared memory` has 512 bytes, and this is byte 512");
    faults(1, 32, "mov.u32 %r1, 0;\nld.shared.u32 %r2, [%r1+-4];", "`shared memory` has 512 bytes");
    faults(
        1,
        32,
        ".local .align 4 .b8 array[8];\nst.local.u32 [array+8], %t;",
        "the local memory of the lane has 8 bytes",
    );
}

#[test]
fn misaligned_accesses_are_faults() {
    faults(1, 32, "ld.global.u32 %r1, [%a+2];", "(`a` + 2) are misaligned: the address is no multiple of 4");
    faults(1, 32, "ld.global.v2.u32 {%r1, %r2}, [%a+4];", "no multiple of 8");
    faults(1, 32, "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%a+8];", "no multiple of 16");
    faults(1, 32, "mov.u16 %h1, 7;\nst.shared.u16 [open+1], %h1;", "(`shared memory` + 1) are misaligned");
    passes(1, 1, "ld.global.u8 %r1, [%a+3];");
}

#[test]
fn reads_of_unwritten_bytes_are_faults() {
    faults(1, 1, "ld.global.u32 %r1, [%b];", "`b` + 0 is read and was never written");
    faults(1, 1, "st.global.u8 [%b], %t;\nld.global.u16 %r1, [%b];", "`b` + 1 is read and was never written");
    passes(1, 32, "st.global.u32 [%tb], %t;\nld.global.u32 %r1, [%tb];");
    faults(1, 1, "ld.shared.u32 %r1, [open];", "`shared memory` + 0 is read and was never written");
    faults(1, 1, ".local .b32 word;\nld.local.u32 %r1, [word];", "`local` + 0 is read and was never written");
    faults(1, 1, "atom.global.add.u32 %r1, [%b], 1;", "`b` + 0 is read and was never written");
    faults(1, 1, "add.u32 %r1, %r2, 1;", "register 2 is read and was never written");
    faults(1, 1, "setp.eq.u32 %p1, %t, 9;\n@%p1 mov.u32 %r1, 3;\nst.global.u32 [%tb], %r1;", "register 1 is read");
    // Copies of values that were never written are harmless.
    passes(1, 1, "mov.u32 %r1, %r2;");
    faults(1, 1, "mov.u32 %r1, %r2;\nst.global.u32 [%tb], %r1;", "register 1 is read");
}

#[test]
fn shared_memory_is_unwritten_in_each_new_block() {
    faults(
        2,
        1,
        "setp.eq.u32 %p1, %n, 0;\n@%p1 st.shared.u32 [open], %t;\nld.shared.u32 %r1, [open];",
        "never written",
    );
}

#[test]
fn vectors_and_narrow_numbers_are_loaded_and_stored() {
    let body = "and.b32 %r1, %n, 3;\nmul.wide.u32 %rd1, %r1, 4;\nsub.u64 %rd1, %ta, %rd1;\n\
        ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];\nmad.lo.u32 %r6, %r5, 1000, %r2;\nst.global.u32 [%tb], %r6;";
    gives(body, |thread| (thread / 4 * 4 + 3) * 1000 + thread / 4 * 4);
    gives("ld.global.v2.u16 {%h1, %h2}, [%ta];\ncvt.u32.u16 %r1, %h1;\nst.global.u32 [%tb], %r1;", |thread| thread);
    gives(
        "neg.s32 %r1, %n;\nst.global.u32 [%tb], %r1;\nld.global.s8 %r2, [%tb];\nst.global.u32 [%tb], %r2;",
        |thread| i32::from(-(thread as i32) as i8) as u32,
    );
    gives("ld.global.u32 %rd1, [%ta];\nst.global.u32 [%tb], %rd1;", |thread| thread);
}

#[test]
fn generic_addresses_convert_to_and_from_their_spaces() {
    let shared = "mul.lo.u32 %r1, %t, 4;\nmov.u32 %r2, open;\nadd.u32 %r1, %r1, %r2;\ncvt.u64.u32 %rd1, %r1;\n\
        cvta.shared.u64 %rd2, %rd1;\nst.u32 [%rd2], %n;\nld.shared.u32 %r3, [%r1];\ncvta.to.shared.u64 %rd3, %rd2;\n\
        isspacep.shared %p1, %rd2;\nisspacep.global %p2, %rd2;\nsetp.eq.u64 %p3, %rd1, %rd3;\n\
        and.pred %p1, %p1, %p3;\nnot.pred %p2, %p2;\nand.pred %p1, %p1, %p2;\nselp.b32 %r3, %r3, 999, %p1;\n\
        st.u32 [%tb], %r3;";
    gives(shared, |thread| thread);
    let local = ".local .align 8 .b8 array[16];\nmov.u64 %rd1, array;\ncvta.local.u64 %rd2, %rd1;\nst.u32 [%rd2+8], %n;\n\
        ld.local.u32 %r1, [array+8];\nst.global.u32 [%tb], %r1;";
    gives(local, |thread| thread);
    let global = "cvta.to.global.u64 %rd1, %tb;\nst.global.u32 [%rd1], %n;";
    gives(global, |thread| thread);
    // Lanes 0 to 2 of each warp add their bits to a word.
    let atomic = "shl.b32 %r1, 1, %l;\nsetp.ne.u32 %p1, %l, 0;\nshr.u32 %r2, %t, 5;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, open;\nadd.u32 %r3, %r3, %r2;\n\
        @!%p1 st.shared.u32 [%r3], 0;\nbar.warp.sync -1;\nsetp.lt.u32 %p2, %l, 3;\n@%p2 atom.shared.or.b32 %r4, [%r3], %r1;\nbar.warp.sync -1;\n\
        ld.shared.u32 %r5, [%r3];\nst.global.u32 [%tb], %r5;";
    gives(atomic, |_| 7);
    faults(1, 1, "cvta.to.shared.u64 %rd1, %a;", "is not in shared memory");
}

#[test]
fn module_variables_are_initialised() {
    let variables = ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 1, 0, 0};\n.global .u32 counter = 5;\n.global .align 8 .b8 zeros[16];";
    gives_with(variables, "ld.const.u32 %r1, [table+4];\nst.global.u32 [%tb], %r1;", |_| 258);
    gives_with(variables, "ld.global.u32 %r1, [counter];\nst.global.u32 [%tb], %r1;", |_| 5);
    gives_with(variables, "mov.u64 %rd1, zeros;\nld.global.u64 %rd2, [%rd1+8];\nst.global.u32 [%tb], %rd2;", |_| 0);
    faults_with(1, 1, variables, "ld.const.u32 %r1, [table+8];", "constants end before it");
    faults_with(1, 1, variables, "ld.global.u32 %r1, [counter+4];", "past the end of `counter`");
    faults_with(
        1,
        1,
        variables,
        "mov.u64 %rd1, table;\ncvta.const.u64 %rd1, %rd1;\nst.u32 [%rd1], %t;",
        "const memory cannot be written",
    );
}

#[test]
fn a_launch_over_the_limits_is_refused() {
    let text = module("", "");
    let refused = |launch: &ogc_ptx::Launch, expected: &str| {
        let fault = run_text(&text, launch).unwrap_err();
        assert!(fault.to_string().contains(expected), "{fault}");
    };
    refused(&launch(1, 1025, 0), "a block of 1025 threads; 1024 are allowed");
    refused(&launch(0, 32, 0), "at least one member");
    refused(&ogc_ptx::Launch { kernel: "other".to_owned(), ..launch(1, 1, 0) }, "no such kernel");
    refused(&ogc_ptx::Launch { shared: 1 << 20, ..launch(1, 1, 0) }, "1048576 bytes of shared memory");
    refused(&ogc_ptx::Launch::new("k", (1 << 20, 1 << 20), 1), "blocks");
}

#[test]
fn parts_of_buffers_can_be_read_and_written() {
    let module = ogc_ptx::parse(&module("", "")).unwrap();
    let mut device = ogc_ptx::Device::new(&module);
    let buffer = device.empty("c", 8);
    device.write_at(buffer, 2, &[1, 2, 3]).unwrap();
    assert_eq!(device.read_at(buffer, 3, 2).unwrap(), [2, 3]);
    assert_eq!(device.read_at(buffer, 8, 0).unwrap(), Vec::<u8>::new());
    let said = |fault: Result<Vec<u8>, ogc_ptx::FaultKind>| fault.unwrap_err().to_string();
    assert!(said(device.read_at(buffer, 1, 2)).contains("`c` + 1 is read and was never written"));
    assert!(said(device.read_at(buffer, 4, 5)).contains("`c` has 8 bytes, of which 5 are read from byte 4 on"));
    assert!(said(device.read_at(buffer, usize::MAX, 2)).contains("has 8 bytes"));
    let written = device.write_at(buffer, 6, &[0; 3]).map(|()| Vec::new());
    assert!(said(written).contains("`c` has 8 bytes and is given 3 from byte 6 on"));
}
