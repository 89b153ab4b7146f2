//! Tests of conversions.

use super::Ty::{B16, B32, B64, F32, F64};
use super::check;

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn out(value: f32) -> u64 {
    if value.is_nan() { 0x7fff_ffff } else { value.to_bits().into() }
}

#[test]
fn integers_convert_to_integers() {
    check("cvt.u64.u32 %d, %a0;", B64, &[B32], |[a, ..]| a);
    check("cvt.s64.s32 %d, %a0;", B64, &[B32], |[a, ..]| i64::from(a as i32) as u64);
    check("cvt.u32.u64 %d, %a0;", B32, &[B64], |[a, ..]| a);
    check("cvt.u16.u32 %d, %a0;", B16, &[B32], |[a, ..]| a);
    check("cvt.s32.s16 %d, %a0;", B32, &[B16], |[a, ..]| a as i16 as u64);
    check("cvt.s32.s8 %d, %a0;", B32, &[B32], |[a, ..]| a as i8 as u64);
    check("cvt.u32.u8 %d, %a0;", B32, &[B32], |[a, ..]| u64::from(a as u8));
    check("cvt.sat.s16.s32 %d, %a0;", B16, &[B32], |[a, ..]| (a as i32).clamp(-0x8000, 0x7fff) as u64);
    check("cvt.sat.u8.s32 %d, %a0;", B32, &[B32], |[a, ..]| (a as i32).clamp(0, 255) as u64);
    check("cvt.sat.u32.s64 %d, %a0;", B32, &[B64], |[a, ..]| (a as i64).clamp(0, 0xffff_ffff) as u64);
}

#[test]
fn integers_convert_to_floats() {
    check("cvt.rn.f32.s32 %d, %a0;", F32, &[B32], |[a, ..]| out(a as i32 as f32));
    check("cvt.rn.f32.u32 %d, %a0;", F32, &[B32], |[a, ..]| out(a as u32 as f32));
    check("cvt.rn.f32.u64 %d, %a0;", F32, &[B64], |[a, ..]| out(a as f32));
    check("cvt.rn.f32.s64 %d, %a0;", F32, &[B64], |[a, ..]| out(a as i64 as f32));
    check("cvt.rz.f32.u64 %d, %a0;", F32, &[B64], |[a, ..]| {
        let nearest = a as f32;
        let is_above = nearest as u128 > u128::from(a);
        out(if is_above { nearest.next_down() } else { nearest })
    });
    check("cvt.rp.f32.s32 %d, %a0;", F32, &[B32], |[a, ..]| {
        let nearest = a as i32 as f32;
        let is_below = f64::from(nearest) < f64::from(a as i32);
        out(if is_below { nearest.next_up() } else { nearest })
    });
    check("cvt.rn.f64.u64 %d, %a0;", F64, &[B64], |[a, ..]| (a as f64).to_bits());
    check("cvt.rn.f64.s64 %d, %a0;", F64, &[B64], |[a, ..]| (a as i64 as f64).to_bits());
    check("cvt.rn.f32.u16 %d, %a0;", F32, &[B16], |[a, ..]| out(a as u16 as f32));
}

#[test]
fn floats_convert_to_integers() {
    check("cvt.rzi.s32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a) as i32 as u64);
    check("cvt.rni.s32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a).round_ties_even() as i32 as u64);
    check("cvt.rmi.s32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a).floor() as i32 as u64);
    check("cvt.rpi.u32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a).ceil() as u32 as u64);
    check("cvt.rzi.u32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a) as u32 as u64);
    // NaN is only the top bit if 64 bits are involved.
    let wide = |value: f64| if value.is_nan() { 1 << 63 } else { value as i64 as u64 };
    check("cvt.rzi.s64.f32 %d, %a0;", B64, &[F32], |[a, ..]| wide(f(a).into()));
    check("cvt.rni.s64.f64 %d, %a0;", B64, &[F64], |[a, ..]| wide(f64::from_bits(a).round_ties_even()));
    check("cvt.rzi.ftz.u32.f32 %d, %a0;", B32, &[F32], |[a, ..]| f(a) as u32 as u64);
}

#[test]
fn floats_convert_to_other_float_formats() {
    check("cvt.f64.f32 %d, %a0;", F64, &[F32], |[a, ..]| {
        if f(a).is_nan() { 0x7ff8_0000_0000_0000 } else { f64::from(f(a)).to_bits() }
    });
    check("cvt.rn.f32.f64 %d, %a0;", F32, &[F64], |[a, ..]| out(f64::from_bits(a) as f32));
    check("cvt.rni.f32.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(f(a).round_ties_even()));
    check("cvt.rzi.f32.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(f(a).trunc()));
    check("cvt.rmi.f32.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(f(a).floor()));
    check("cvt.rpi.f32.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(f(a).ceil()));
}

#[test]
fn bfloat16_conversions_round_correctly() {
    let narrow = |value: f32| {
        let bits = value.to_bits();
        if value.is_nan() { 0x7fff } else { u64::from((bits + 0x7fff + (bits >> 16 & 1)) >> 16) }
    };
    check("cvt.rn.bf16.f32 %d, %a0;", B16, &[F32], |[a, ..]| narrow(f(a)));
    check("cvt.f32.bf16 %d, %a0;", F32, &[B16], |[a, ..]| out(f(a << 16)));
    check("cvt.rz.bf16.f32 %d, %a0;", B16, &[F32], |[a, ..]| if f(a).is_nan() { 0x7fff } else { a >> 16 });
    check("cvt.rn.bf16x2.f32 %d, %a0, %a1;", B32, &[F32; 2], |[a, b, ..]| narrow(f(a)) << 16 | narrow(f(b)));
    check("cvt.rn.relu.bf16x2.f32 %d, %a0, %a1;", B32, &[F32; 2], |[a, b, ..]| {
        let relu = |value: f32| if value <= 0.0 { 0.0 } else { value };
        narrow(relu(f(a))) << 16 | narrow(relu(f(b)))
    });
}

/// Converts a binary16 number to binary32, by its definition.
fn half(bits: u64) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (bits >> 10 & 31, (bits & 0x3ff) as f32);
    sign * match exponent {
        0 => fraction / 16_777_216.0,
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        exponent => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent as i32 - 15),
    }
}

#[test]
fn binary16_conversions_round_correctly() {
    check("cvt.f32.f16 %d, %a0;", F32, &[B16], |[a, ..]| out(half(a)));
    // Every number of binary16 comes back unchanged, and every number between two of them becomes the nearer one.
    check("cvt.rn.f16.f32 %d, %a0;", B16, &[F32], |[a, ..]| {
        let value = f(a);
        if value.is_nan() {
            return 0x7fff;
        }
        let magnitude = value.abs();
        let below = (0..0x7c00).rev().find(|bits| half(*bits) <= magnitude).unwrap_or(0);
        let above = if half(below) == magnitude { below } else { below + 1 };
        // Infinity begins half a step behind the last number.
        let top = if above == 0x7c00 { 65536.0 } else { half(above) };
        let (down, up) = (f64::from(magnitude) - f64::from(half(below)), f64::from(top) - f64::from(magnitude));
        let nearest = if down < up || down == up && below & 1 == 0 { below } else { above };
        nearest | if value.is_sign_negative() { 0x8000 } else { 0 }
    });
    check("cvt.rz.f16.f32 %d, %a0;", B16, &[F32], |[a, ..]| {
        let value = f(a);
        if value.is_nan() {
            return 0x7fff;
        }
        let below = (0..=0x7c00).rev().find(|bits| half(*bits) <= value.abs()).unwrap_or(0);
        let below = if value.is_infinite() { 0x7c00 } else { below };
        below | if value.is_sign_negative() { 0x8000 } else { 0 }
    });
}
