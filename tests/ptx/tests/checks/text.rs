//! Tests of texts that cannot be read: each error has its line, its reason, and a way to fix it.

/// Checks the error of a text whose body begins at line 5.
fn check(body: &str, line: u32, expected: &str) {
    let text = format!(
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n{body}\nret;\n}}\n"
    );
    let error = ogc_ptx::parse(&text).map(|_| ()).expect_err(body);
    assert_eq!(error.line, line, "{error}");
    assert!(error.to_string().contains(expected), "{error}");
}

const REGISTERS: &str = ".reg .b32 %r<3>; .reg .f32 %f<3>; .reg .b64 %d<3>; .reg .pred %p<2>;\n";

/// Checks the error of an instruction at line 6.
fn check_instruction(instruction: &str, expected: &str) {
    check(&format!("{REGISTERS}{instruction}"), 6, expected);
}

#[test]
fn unsupported_instructions_are_refused() {
    check_instruction("frobnicate.b32 %r0;", "the instruction \"frobnicate.b32\" is not interpreted");
    check_instruction("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 %f0, %f1, %f2;", "is not interpreted");
    check_instruction("add.cc.u32 %r0, %r1, %r2;", "\"cc\" in \"add.cc.u32\" is not interpreted");
    check_instruction("ld.global.L2::cache_hint.u32 %r0, [%d0], %d1;", "has 3 operands and takes 2");
    check_instruction("ld.global.L2::cache_hint.u32 %r0, [%d0];", "\"L2::cache_hint\"");
    check_instruction("bar.arrive 0, 32;", "lacks `sync`");
    check_instruction("barrier.sync 0;", "lacks `aligned`");
    check_instruction("atom.global.cta.add.u32 %r0, [%d0], 1;", "cta outside of shared memory");
    check_instruction("add.rz.f64 %d0, %d1, %d2;", "rounding of f64");
    check_instruction("div.f32 %f0, %f1, %f2;", "lacks a rounding mode");
    check_instruction("shfl.down.b32 %r0, %r1, 1, 31;", "lacks `sync`");
    check_instruction("add.u128 %r0, %r1, %r2;", "\"u128\"");
}

#[test]
fn unfitting_operands_are_refused() {
    check_instruction("add.u32 %r0, %r1;", "has 2 operands and takes 3");
    check_instruction("add.u32 %r0, %r1, %r2, %r2;", "has 4 operands and takes 3");
    check_instruction("add.u32 %r0, %r1, %r9;", "\"%r9\" is no register or variable");
    check_instruction("add.u32 5, %r1, %r2;", "lacks a register for its result");
    check_instruction("ld.global.u32 %r0, %d0;", "lacks an address in brackets");
    check_instruction("ld.global.v2.u32 {%r0, %r1, %r2}, [%d0];", "as many registers as its vector has parts");
    check_instruction("bra NOWHERE;", "\"NOWHERE\" is no label of this function");
    check_instruction("call nobody, (p);", "\"nobody\" is no function with a body");
    check_instruction("mov.u32 %r0, 99999999999999999999;", "is no number of at most 64 bits");
    check_instruction("mov.f32 %f0, 0f12345;", "is no number of at most 64 bits");
    check_instruction("add.u32 %r0 %r1;", "found \"%r1\" where `,` or `;` after an operand should stand");
}

#[test]
fn unsupported_and_excessive_directives_are_refused() {
    check(".surf x;", 5, "the directive \".surf\" is not interpreted");
    check(".reg .b32 %r<99999999>;", 5, "the number of registers of a function is 99999999; the interpreter allows");
    check(".reg .b32 %r, %r;", 5, "\"%r\" is declared twice");
    check(".local .b8 x[9999999];", 5, "the local memory of a function");
    check(".shared .b8 x[9999999];", 5, "the size of variables in bytes is 9999999");
    check(".shared .b64 x[18446744073709551615];", 5, "a length is 18446744073709551615");
    check(".param .b8 x[70000];", 5, "the size of parameters");
    check("A:\nA:", 6, "\"A\" is declared twice");
}

#[test]
fn malformed_module_headers_are_refused() {
    let error = |text: &str| ogc_ptx::parse(text).map(|_| ()).expect_err(text).to_string();
    assert!(error(".version 9.0\n.target sm_61").contains("the architecture (at least sm_70) is 61"));
    assert!(error(".address_size 32").contains("only 64 is interpreted"));
    assert!(error("/* no end").contains("the comment that begins here never ends"));
    assert!(error(".visible .entry k(").contains("the text ends where"));
    assert!(error("é").contains("begins nothing"));
    assert!(error(".tex .u64 t;").contains("the directive \".tex\""));
    assert!(error(".entry k() { ret; } .entry k() { ret; }").contains("\"k\" is declared twice"));
    assert!(error(".extern .func f();\n.entry k() { call f; ret; }").contains("\"f\" is no function with a body"));
}

#[test]
fn truncated_ptx_does_not_crash_the_reader() {
    let whole = include_str!("../kernels/ptx/sample.ptx");
    let cuts = (0..whole.len()).step_by(97);
    for cut in cuts {
        // A text that is cut off, or that lacks a piece in the middle, is read or rejected.
        let _ = ogc_ptx::parse(&whole[..cut]);
        let _ = ogc_ptx::parse(&format!("{}{}", &whole[..cut], &whole[(cut + 5).min(whole.len())..]));
    }
}
