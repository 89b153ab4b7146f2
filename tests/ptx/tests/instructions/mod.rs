//! Tests of every instruction of one lane against the host's arithmetic, on random and on extreme operands.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod access;
mod convert;
mod float;
mod integer;
mod lanes;
mod operands;
mod shipped;

use ogc_ptx::{Argument, Device, Launch};
use std::fmt::Write;

/// The number of operands that each instruction is tried on.
const TRIES: usize = 2048;

/// A type of registers: its declaration, its loads and its stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    Pred,
    B16,
    B32,
    B64,
    F32,
    F64,
}

impl Ty {
    fn bits(self) -> u32 {
        match self {
            Ty::Pred => 1,
            Ty::B16 => 16,
            Ty::B32 | Ty::F32 => 32,
            Ty::B64 | Ty::F64 => 64,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Ty::Pred => "pred",
            Ty::B16 => "b16",
            Ty::B32 => "b32",
            Ty::B64 => "b64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
        }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

/// Returns a kernel that runs one instruction for each thread, on operands `%a0`, `%a1`, ..., with result `%d`.
fn kernel(instruction: &str, result: Ty, operands: &[Ty]) -> String {
    let mut text = String::from(
        ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry one(.param .u64 in, .param .u64 out) {\n\
         .reg .b64 %in, %out, %at, %bits;\n.reg .b32 %n, %t, %word;\n",
    );
    for (at, ty) in operands.iter().enumerate() {
        writeln!(text, ".reg .{} %a{at};", ty.name()).unwrap();
    }
    writeln!(text, ".reg .{} %d;", result.name()).unwrap();
    text += "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %n, %ctaid.x;\nmov.u32 %t, %tid.x;\n\
             mad.lo.u32 %n, %n, 64, %t;\nmul.wide.u32 %at, %n, 32;\nadd.u64 %in, %in, %at;\n\
             mul.wide.u32 %at, %n, 8;\nadd.u64 %out, %out, %at;\n";
    for (at, ty) in operands.iter().enumerate() {
        match ty {
            Ty::Pred => {
                writeln!(text, "ld.global.u32 %word, [%in+{}];\nsetp.ne.u32 %a{at}, %word, 0;", 8 * at).unwrap();
            }
            ty => writeln!(text, "ld.global.{} %a{at}, [%in+{}];", ty.name(), 8 * at).unwrap(),
        }
    }
    writeln!(text, "{instruction}").unwrap();
    text += match result {
        Ty::Pred => "selp.b64 %bits, 1, 0, %d;\n",
        Ty::B16 => "cvt.u64.u16 %bits, %d;\n",
        Ty::B32 => "cvt.u64.u32 %bits, %d;\n",
        Ty::F32 => "mov.b32 %word, %d;\ncvt.u64.u32 %bits, %word;\n",
        Ty::B64 | Ty::F64 => "mov.b64 %bits, %d;\n",
    };
    text + "st.global.u64 [%out], %bits;\nret;\n}\n"
}

/// Checks an instruction, written with `%d` and `%a0`, against a function of the host on given operands.
fn check_on(instruction: &str, result: Ty, operands: &[Ty], given: &[[u64; 4]], host: impl Fn([u64; 4]) -> u64) {
    let text = kernel(instruction, result, operands);
    let module = ogc_ptx::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut device = Device::new(&module);
    let mut padded = given.to_vec();
    padded.resize(given.len().next_multiple_of(64), given[0]);
    let input = device.buffer("in", &padded.concat());
    let output = device.empty("out", 8 * padded.len());
    let launch = Launch::new("one", padded.len() as u32 / 64, 64);
    let report = device.launch(&launch, &[Argument::Buffer(input), Argument::Buffer(output)]);
    report.unwrap_or_else(|fault| panic!("{instruction} {fault}"));
    for (operands_given, found) in padded.iter().zip(device.read::<u64>(output).unwrap()) {
        let mut values = *operands_given;
        for (value, ty) in values.iter_mut().zip(operands) {
            *value = if *ty == Ty::Pred { u64::from(*value as u32 != 0) } else { *value & ty.mask() };
        }
        let expected = host(values) & result.mask();
        assert_eq!(found, expected, "{instruction} of {values:#x?}: {found:#x}, the host has {expected:#x}");
    }
}

/// Checks an instruction on random and extreme operands.
fn check(instruction: &str, result: Ty, operands: &[Ty], host: impl Fn([u64; 4]) -> u64) {
    check_on(instruction, result, operands, &operands::mixed(TRIES), host);
}
