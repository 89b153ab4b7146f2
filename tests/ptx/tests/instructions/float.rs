//! Tests of floating point in four formats and four roundings.

use super::Ty::{B16, B32, F32, F64, Pred};
use super::check;

/// The NaN that operations on binary32 return.
const NAN: u64 = 0x7fff_ffff;

fn f(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Returns the bits of a result.
fn out(value: f32) -> u64 {
    if value.is_nan() { NAN } else { value.to_bits().into() }
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// Returns zero for a subnormal number.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() { 0.0_f32.copysign(value) } else { value }
}

#[test]
fn float_arithmetic_rounds_to_nearest() {
    check("add.rn.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) + f(b)));
    check("add.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) + f(b)));
    check("sub.rn.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) - f(b)));
    check("mul.rn.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) * f(b)));
    check("fma.rn.f32 %d, %a0, %a1, %a2;", F32, &[F32; 3], |[a, b, c, _]| out(f(a).mul_add(f(b), f(c))));
    check("div.rn.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) / f(b)));
    check("rcp.rn.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(1.0 / f(a)));
    check("sqrt.rn.f32 %d, %a0;", F32, &[F32], |[a, ..]| out(f(a).sqrt()));
}

#[test]
fn ftz_instructions_flush_subnormals_to_zero() {
    let g = |bits| flushed(f(bits));
    check("add.rn.ftz.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(flushed(g(a) + g(b))));
    check("mul.ftz.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(flushed(g(a) * g(b))));
    check("fma.rn.ftz.f32 %d, %a0, %a1, %a2;", F32, &[F32; 3], |[a, b, c, _]| out(flushed(g(a).mul_add(g(b), g(c)))));
    check("setp.eq.ftz.f32 %d, %a0, %a1;", Pred, &[F32; 2], |[a, b, ..]| u64::from(g(a) == g(b)));
    check("max.ftz.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| larger(g(a), g(b)));
}

#[test]
fn saturating_instructions_clamp_to_0_and_1() {
    let clamp = |value: f32| if value.is_nan() { 0 } else { u64::from((value.clamp(0.0, 1.0) + 0.0).to_bits()) };
    check("add.sat.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| clamp(f(a) + f(b)));
    check("cvt.sat.f32.f32 %d, %a0;", F32, &[F32], |[a, ..]| clamp(f(a)));
}

/// Returns the neighbour of the nearest result on the side that a mode rounds to; `error` has the sign of exact minus nearest.
fn directed(mode: &str, nearest: f32, error: f64) -> u64 {
    let toward_zero = if nearest > 0.0 { "rm" } else { "rp" };
    let mode = if mode == "rz" { toward_zero } else { mode };
    // A result that overflowed is exact in no mode.
    let overflows = nearest.is_infinite() && error.is_finite() && error != 0.0;
    match mode {
        "rm" if error < 0.0 || overflows && nearest > 0.0 => out(nearest.next_down()),
        "rp" if error > 0.0 || overflows && nearest < 0.0 => out(nearest.next_up()),
        _ => out(nearest),
    }
}

/// Returns the exact sum minus its nearest binary32 number, or a number with the same sign.
fn sum_error(a: f64, b: f64, nearest: f32) -> f64 {
    let (sum, nearest) = (a + b, f64::from(nearest));
    let part = sum - a;
    let rest = (a - (sum - part)) + (b - part);
    if sum == nearest { rest } else { sum - nearest }
}

#[test]
fn directed_roundings_are_exact() {
    for mode in ["rz", "rm", "rp"] {
        check(&format!("mul.{mode}.f32 %d, %a0, %a1;"), F32, &[F32; 2], |[a, b, ..]| {
            let exact = f64::from(f(a)) * f64::from(f(b));
            let nearest = f(a) * f(b);
            // A product that was rounded to zero keeps its sign.
            if nearest == 0.0 && exact != 0.0 {
                let tiny = f32::from_bits(1).copysign(nearest);
                let away = mode == if exact > 0.0 { "rp" } else { "rm" };
                return out(if away { tiny } else { nearest });
            }
            let error = if f(a).is_infinite() || f(b).is_infinite() { 0.0 } else { exact - f64::from(nearest) };
            directed(mode, nearest, if error.is_infinite() { exact } else { error })
        });
        check(&format!("add.{mode}.f32 %d, %a0, %a1;"), F32, &[F32; 2], |[a, b, ..]| {
            let nearest = f(a) + f(b);
            if nearest == 0.0 {
                let differ = f(a).is_sign_negative() != f(b).is_sign_negative();
                return out(if differ && mode == "rm" { -0.0 } else { nearest });
            }
            if f(a).is_infinite() || f(b).is_infinite() {
                return out(nearest);
            }
            let error = sum_error(f(a).into(), f(b).into(), nearest);
            directed(mode, nearest, if error.is_infinite() { nearest.signum().into() } else { error })
        });
        check(&format!("div.{mode}.f32 %d, %a0, %a1;"), F32, &[F32; 2], |[a, b, ..]| {
            let (x, y) = (f64::from(f(a)), f64::from(f(b)));
            let nearest = f(a) / f(b);
            if x == 0.0 || y == 0.0 || x.is_infinite() || y.is_infinite() || nearest.is_nan() {
                return out(nearest);
            }
            // In binary64, a quotient of binary32 numbers is exact or differs from every binary32 number.
            let exact = x / y;
            if nearest == 0.0 {
                let away = mode == if exact > 0.0 { "rp" } else { "rm" };
                return out(if away { f32::from_bits(1).copysign(nearest) } else { nearest });
            }
            let error = exact - f64::from(nearest);
            directed(mode, nearest, if error.is_infinite() { exact } else { error })
        });
        check(&format!("sqrt.{mode}.f32 %d, %a0;"), F32, &[F32], |[a, ..]| {
            let nearest = f(a).sqrt();
            if !nearest.is_finite() || nearest == 0.0 {
                return out(nearest);
            }
            directed(mode, nearest, f64::from(f(a)) - f64::from(nearest) * f64::from(nearest))
        });
        check(&format!("fma.{mode}.f32 %d, %a0, %a1, %a2;"), F32, &[F32; 3], |[a, b, c, _]| {
            let nearest = f(a).mul_add(f(b), f(c));
            let product = f64::from(f(a)) * f64::from(f(b));
            if nearest == 0.0 {
                let sum = product + f64::from(f(c));
                let differ = product.is_sign_negative() != f(c).is_sign_negative();
                let tiny = f32::from_bits(1).copysign(nearest);
                let away = sum != 0.0 && mode == if sum > 0.0 { "rp" } else { "rm" };
                let zero = if sum == 0.0 && differ && mode == "rm" { -0.0 } else { nearest };
                return out(if away { tiny } else { zero });
            }
            if [f(a), f(b), f(c)].iter().any(|value| !value.is_finite()) {
                return out(nearest);
            }
            let error = sum_error(product, f(c).into(), nearest);
            directed(mode, nearest, if error.is_infinite() { nearest.signum().into() } else { error })
        });
    }
}

fn larger(a: f32, b: f32) -> u64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => NAN,
        (true, false) => out(b),
        (false, true) => out(a),
        (false, false) if a == b => out(if a.is_sign_negative() { b } else { a }),
        (false, false) => out(a.max(b)),
    }
}

#[test]
fn float_min_max_neg_and_abs_match_the_reference() {
    check("max.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| larger(f(a), f(b)));
    check("max.NaN.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| {
        if f(a).is_nan() || f(b).is_nan() { NAN } else { larger(f(a), f(b)) }
    });
    check("min.NaN.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| match larger(-f(a), -f(b)) {
        _ if f(a).is_nan() || f(b).is_nan() => NAN,
        bits => bits ^ 0x8000_0000,
    });
    check("min.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| match larger(-f(a), -f(b)) {
        NAN => NAN,
        bits => bits ^ 0x8000_0000,
    });
    check("abs.f32 %d, %a0;", F32, &[F32], |[a, ..]| a & 0x7fff_ffff);
    check("neg.f32 %d, %a0;", F32, &[F32], |[a, ..]| a ^ 0x8000_0000);
    check("copysign.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| b & 0x7fff_ffff | a & 0x8000_0000);
}

#[test]
fn float_comparisons_match_the_reference() {
    type Holds = fn(f32, f32) -> bool;
    let relations: [(&str, Holds); 14] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| matches!(a.partial_cmp(&b), Some(order) if order.is_ne())),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
        ("equ", |a, b| !matches!(a.partial_cmp(&b), Some(order) if order.is_ne())),
        ("neu", |a, b| a != b),
        ("ltu", |a, b| !matches!(a.partial_cmp(&b), Some(order) if order.is_ge())),
        ("leu", |a, b| !matches!(a.partial_cmp(&b), Some(order) if order.is_gt())),
        ("gtu", |a, b| !matches!(a.partial_cmp(&b), Some(order) if order.is_le())),
        ("geu", |a, b| !matches!(a.partial_cmp(&b), Some(order) if order.is_lt())),
        ("num", |a, b| !a.is_nan() && !b.is_nan()),
        ("nan", |a, b| a.is_nan() || b.is_nan()),
    ];
    check("selp.f32 %d, %a0, %a1, %a2;", F32, &[F32, F32, Pred], |[a, b, c, _]| if c == 1 { a } else { b });
    check("setp.eq.f32 %d, %a0, %a1;", Pred, &[F32; 2], |[a, b, ..]| (f(a) == f(b)).into());
    check("setp.gt.f32 %d, %a0, %a1;", Pred, &[F32; 2], |[a, b, ..]| (f(a) > f(b)).into());
    check("setp.lt.f32 %d, %a0, %a1;", Pred, &[F32; 2], |[a, b, ..]| (f(a) < f(b)).into());
    check("setp.leu.f32 %d, %a0, %a1;", Pred, &[F32; 2], |[a, b, ..]| {
        (f(a) <= f(b) || f(a).is_nan() || f(b).is_nan()).into()
    });
    for (relation, holds) in relations {
        check(&format!("setp.{relation}.f32 %d, %a0, %a1;"), Pred, &[F32; 2], |[a, b, ..]| holds(f(a), f(b)).into());
    }
}

#[test]
fn double_precision_instructions_match_the_reference() {
    let out = |value: f64| if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() };
    check("add.f64 %d, %a0, %a1;", F64, &[F64; 2], |[a, b, ..]| out(double(a) + double(b)));
    check("add.rn.f64 %d, %a0, %a1;", F64, &[F64; 2], |[a, b, ..]| out(double(a) + double(b)));
    check("neg.f64 %d, %a0;", F64, &[F64], |[a, ..]| a ^ 1 << 63);
    check("mov.f64 %d, %a0;", F64, &[F64], |[a, ..]| a);
    check("mul.rn.f64 %d, %a0, %a1;", F64, &[F64; 2], |[a, b, ..]| out(double(a) * double(b)));
    check("fma.rn.f64 %d, %a0, %a1, %a2;", F64, &[F64; 3], |[a, b, c, _]| out(double(a).mul_add(double(b), double(c))));
    check("div.rn.f64 %d, %a0, %a1;", F64, &[F64; 2], |[a, b, ..]| out(double(a) / double(b)));
    check("setp.ltu.f64 %d, %a0, %a1;", Pred, &[F64; 2], |[a, b, ..]| {
        (double(a) < double(b) || double(a).is_nan() || double(b).is_nan()).into()
    });
}

#[test]
fn approximate_functions_are_near_and_keep_special_values() {
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 7] = [
        ("ex2.approx", f64::exp2),
        ("lg2.approx", f64::log2),
        ("rcp.approx", f64::recip),
        ("rsqrt.approx", |a| if a == 0.0 { f64::INFINITY.copysign(a) } else { 1.0 / a.sqrt() }),
        ("sqrt.approx", f64::sqrt),
        ("sin.approx", f64::sin),
        ("tanh.approx", f64::tanh),
    ];
    for (name, function) in functions {
        check(&format!("{name}.f32 %d, %a0;"), F32, &[F32], |[a, ..]| out(function(f(a).into()) as f32));
        check(&format!("{name}.ftz.f32 %d, %a0;"), F32, &[F32], |[a, ..]| {
            out(flushed(function(flushed(f(a)).into()) as f32))
        });
    }
    check("div.approx.f32 %d, %a0, %a1;", F32, &[F32; 2], |[a, b, ..]| out(f(a) / f(b)));
}

/// Binary16 numbers as whole multiples of 2^-48, by their bits without the sign; infinity has the value of the next
/// number.
fn halves() -> Vec<i128> {
    let number = |bits: i128| match bits >> 10 {
        0 => bits << 24,
        exponent => (bits & 0x3ff | 0x400) << (23 + exponent),
    };
    (0..=0x7c00).map(number).collect()
}

/// Returns the binary16 number nearest to a multiple of 2^-48; of two, the even one.
fn nearest_half(halves: &[i128], value: i128) -> u64 {
    let magnitude = value.abs();
    let above = halves.partition_point(|half| *half < magnitude).min(0x7c00);
    let below = above.saturating_sub(1);
    let (down, up) = (magnitude - halves[below], halves[above] - magnitude);
    let nearest = match down.cmp(&up) {
        std::cmp::Ordering::Less => below,
        std::cmp::Ordering::Greater => above,
        std::cmp::Ordering::Equal => below + (below & 1),
    };
    nearest as u64 | if value < 0 { 0x8000 } else { 0 }
}

fn is_finite_half(bits: u64) -> bool {
    bits & 0x7c00 != 0x7c00
}

#[test]
fn binary16_instructions_match_the_reference() {
    let halves = halves();
    let value = |bits: u64| {
        let magnitude = halves[(bits & 0x7fff).min(0x7c00) as usize];
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    };
    // Zeros, infinities and NaN are compared with binary32, where they behave alike.
    let signed = |bits: u64| {
        let magnitude = value(bits & 0x7fff) as f32;
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    };
    let wide = |bits: u64| if is_finite_half(bits) { signed(bits) } else { special(bits) };
    let narrow = |value: f32| match value {
        value if value.is_nan() => 0x7fff,
        value if value == 0.0 => {
            if value.is_sign_negative() {
                0x8000
            } else {
                0
            }
        }
        value => {
            if value < 0.0 {
                0xfc00
            } else {
                0x7c00
            }
        }
    };
    check("add.rn.f16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| {
        let exact = value(a) + value(b);
        let is_plain = is_finite_half(a) && is_finite_half(b) && exact != 0;
        if is_plain { nearest_half(&halves, exact) } else { narrow(wide(a) + wide(b)) }
    });
    check("mul.rn.f16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| {
        let exact = (value(a) >> 24) * (value(b) >> 24);
        let is_plain = is_finite_half(a) && is_finite_half(b) && exact != 0;
        if is_plain { nearest_half(&halves, exact) } else { narrow(wide(a) * wide(b)) }
    });
    check("fma.rn.f16 %d, %a0, %a1, %a2;", B16, &[B16; 3], |[a, b, c, _]| {
        let exact = (value(a) >> 24) * (value(b) >> 24) + value(c);
        let is_plain = [a, b, c].iter().all(|bits| is_finite_half(*bits)) && exact != 0;
        if is_plain { nearest_half(&halves, exact) } else { narrow(wide(a).mul_add(wide(b), wide(c))) }
    });
    check("max.f16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| match (wide(a).is_nan(), wide(b).is_nan()) {
        (true, true) => 0x7fff,
        (true, false) => b,
        (false, true) => a,
        _ if wide(a) == wide(b) => a & b,
        _ => {
            if wide(a) > wide(b) {
                a
            } else {
                b
            }
        }
    });
    check("add.rn.f16x2 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| {
        let one = |a: u64, b: u64| {
            let exact = value(a) + value(b);
            let is_plain = is_finite_half(a) && is_finite_half(b) && exact != 0;
            if is_plain { nearest_half(&halves, exact) } else { narrow(wide(a) + wide(b)) }
        };
        one(a & 0xffff, b & 0xffff) | one(a >> 16, b >> 16) << 16
    });
}

/// Returns the infinity or NaN that bits of binary16 stand for.
fn special(bits: u64) -> f32 {
    match bits & 0x3ff {
        0 => f32::INFINITY.copysign(if bits & 0x8000 == 0 { 1.0 } else { -1.0 }),
        _ => f32::NAN,
    }
}

#[test]
fn bfloat16_instructions_match_the_reference() {
    let wide = |bits: u64| f(bits << 16);
    // The bfloat16 number nearest to a binary32 number; rounding sums and products of two bfloat16 numbers twice in
    // binary64 is harmless.
    let narrow = |exact: f64| {
        if exact.is_nan() {
            return 0x7fff;
        }
        let odd = (exact as f32).to_bits();
        let error = exact - f64::from(f32::from_bits(odd));
        let is_above = if exact < 0.0 { error < 0.0 } else { error > 0.0 };
        let odd = match (error == 0.0 || error.is_infinite(), is_above) {
            (true, _) => odd,
            (false, true) => odd | 1,
            (false, false) => (odd - 1) | 1,
        };
        u64::from((odd + 0x7fff + (odd >> 16 & 1)) >> 16)
    };
    check("add.rn.bf16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| narrow(f64::from(wide(a)) + f64::from(wide(b))));
    check("mul.rn.bf16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| narrow(f64::from(wide(a)) * f64::from(wide(b))));
    check("neg.bf16 %d, %a0;", B16, &[B16], |[a, ..]| a ^ 0x8000);
}
