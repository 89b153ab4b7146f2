//! Tests of whole numbers and bits.

use super::Ty::{B16, B32, B64, Pred};
use super::operands::with_divisors;
use super::{TRIES, check, check_on};

fn s16(bits: u64) -> i64 {
    i64::from(bits as i16)
}

fn s32(bits: u64) -> i64 {
    i64::from(bits as i32)
}

fn s64(bits: u64) -> i64 {
    bits as i64
}

#[test]
fn integer_addition_and_subtraction_match_the_reference() {
    check("add.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a as u32).wrapping_add(b as u32).into());
    check("add.u16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| (a as u16).wrapping_add(b as u16).into());
    check("add.s64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.wrapping_add(b));
    check("sub.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a as u32).wrapping_sub(b as u32).into());
    check("sub.s64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.wrapping_sub(b));
    check("add.sat.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a as i32).saturating_add(b as i32) as u64);
    check("sub.sat.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a as i32).saturating_sub(b as i32) as u64);
    check("neg.s32 %d, %a0;", B32, &[B32], |[a, ..]| s32(a).wrapping_neg() as u64);
    check("abs.s32 %d, %a0;", B32, &[B32], |[a, ..]| (a as i32).wrapping_abs() as u64);
    check("abs.s64 %d, %a0;", B64, &[B64], |[a, ..]| s64(a).wrapping_abs() as u64);
    check("sad.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| s32(a).abs_diff(s32(b)).wrapping_add(c));
    check("sad.u32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| a.abs_diff(b).wrapping_add(c));
}

#[test]
fn integer_multiplication_matches_the_reference() {
    check("mul.lo.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| a.wrapping_mul(b));
    check("mul.lo.s16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| a.wrapping_mul(b));
    check("mul.lo.u64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.wrapping_mul(b));
    check("mul.lo.s64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.wrapping_mul(b));
    check("mul.hi.u32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a * b) >> 32);
    check("mul.hi.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| ((s32(a) * s32(b)) >> 32) as u64);
    check("mul.hi.u64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| ((u128::from(a) * u128::from(b)) >> 64) as u64);
    check("mul.hi.s64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| {
        ((i128::from(s64(a)) * i128::from(s64(b))) >> 64) as u64
    });
    check("mul.wide.u32 %d, %a0, %a1;", B64, &[B32; 2], |[a, b, ..]| a * b);
    check("mul.wide.s32 %d, %a0, %a1;", B64, &[B32; 2], |[a, b, ..]| (s32(a) * s32(b)) as u64);
    check("mul.wide.u16 %d, %a0, %a1;", B32, &[B16; 2], |[a, b, ..]| a * b);
    check("mul.wide.s16 %d, %a0, %a1;", B32, &[B16; 2], |[a, b, ..]| (s16(a) * s16(b)) as u64);
    check("mad.lo.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| a.wrapping_mul(b).wrapping_add(c));
    check("mad.hi.u32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| ((a * b) >> 32).wrapping_add(c));
    check("mad.wide.u32 %d, %a0, %a1, %a2;", B64, &[B32, B32, B64], |[a, b, c, _]| (a * b).wrapping_add(c));
    check("mad.wide.s32 %d, %a0, %a1, %a2;", B64, &[B32, B32, B64], |[a, b, c, _]| {
        (s32(a) * s32(b)).wrapping_add(s64(c)) as u64
    });
    check("mul24.lo.u32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (a & 0xff_ffff) * (b & 0xff_ffff));
    let s24 = |bits: u64| s32(bits << 8) >> 8;
    check("mul24.lo.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (s24(a) * s24(b)) as u64);
    check("mad24.lo.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| (s24(a) * s24(b) + s32(c)) as u64);
}

#[test]
fn integer_division_and_remainder_match_the_reference() {
    let words = with_divisors(TRIES, 0xffff_ffff);
    let doubles = with_divisors(TRIES, u64::MAX);
    check_on("div.u32 %d, %a0, %a1;", B32, &[B32; 2], &words, |[a, b, ..]| a / b);
    check_on("div.s32 %d, %a0, %a1;", B32, &[B32; 2], &words, |[a, b, ..]| (a as i32).wrapping_div(b as i32) as u64);
    check_on("rem.u32 %d, %a0, %a1;", B32, &[B32; 2], &words, |[a, b, ..]| a % b);
    check_on("rem.s32 %d, %a0, %a1;", B32, &[B32; 2], &words, |[a, b, ..]| (a as i32).wrapping_rem(b as i32) as u64);
    check_on("div.s64 %d, %a0, %a1;", B64, &[B64; 2], &doubles, |[a, b, ..]| s64(a).wrapping_div(s64(b)) as u64);
    check_on("div.u64 %d, %a0, %a1;", B64, &[B64; 2], &doubles, |[a, b, ..]| a / b);
    check_on("rem.u64 %d, %a0, %a1;", B64, &[B64; 2], &doubles, |[a, b, ..]| a % b);
}

#[test]
fn integer_min_and_max_match_the_reference() {
    check("min.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| s32(a).min(s32(b)) as u64);
    check("max.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| s32(a).max(s32(b)) as u64);
    check("min.u32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| a.min(b));
    check("max.u32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| a.max(b));
    check("min.u64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.min(b));
    check("max.u64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a.max(b));
    check("min.s64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| s64(a).min(s64(b)) as u64);
    check("max.s16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| s16(a).max(s16(b)) as u64);
}

#[test]
fn logic_instructions_match_the_reference() {
    check("and.b32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| a & b);
    check("and.b16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| a & b);
    check("and.b64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a & b);
    check("or.b32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| a | b);
    check("or.b16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| a | b);
    check("xor.b64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a ^ b);
    check("or.b64 %d, %a0, %a1;", B64, &[B64; 2], |[a, b, ..]| a | b);
    check("xor.b16 %d, %a0, %a1;", B16, &[B16; 2], |[a, b, ..]| a ^ b);
    check("not.b32 %d, %a0;", B32, &[B32], |[a, ..]| !a);
    check("not.b64 %d, %a0;", B64, &[B64], |[a, ..]| !a);
    check("cnot.b32 %d, %a0;", B32, &[B32], |[a, ..]| u64::from(a == 0));
    check("and.pred %d, %a0, %a1;", Pred, &[Pred; 2], |[a, b, ..]| a & b);
    check("or.pred %d, %a0, %a1;", Pred, &[Pred; 2], |[a, b, ..]| a | b);
    check("xor.pred %d, %a0, %a1;", Pred, &[Pred; 2], |[a, b, ..]| a ^ b);
    check("mov.pred %d, %a0;", Pred, &[Pred], |[a, ..]| a);
    check("not.pred %d, %a0;", Pred, &[Pred], |[a, ..]| a ^ 1);
    for table in [0_u8, 0x1e, 0x80, 0x96, 0xca, 0xe8, 0xff] {
        check(&format!("lop3.b32 %d, %a0, %a1, %a2, {table};"), B32, &[B32; 3], |[a, b, c, _]| {
            (0..32).fold(0, |word, bit| {
                let row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
                word | u64::from(table >> row & 1) << bit
            })
        });
    }
}

#[test]
fn shifts_match_the_reference() {
    let over = |count: u64, width: u64| count & 0xffff_ffff >= width;
    check("shl.b32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| if over(b, 32) { 0 } else { a << b });
    check("shl.b64 %d, %a0, %a1;", B64, &[B64, B32], |[a, b, ..]| if over(b, 64) { 0 } else { a << b });
    check("shl.b16 %d, %a0, %a1;", B16, &[B16, B32], |[a, b, ..]| if over(b, 16) { 0 } else { a << b });
    check("shr.u32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| if over(b, 32) { 0 } else { a >> b });
    check("shr.u16 %d, %a0, %a1;", B16, &[B16, B32], |[a, b, ..]| if over(b, 16) { 0 } else { a >> b });
    check("shr.u64 %d, %a0, %a1;", B64, &[B64, B32], |[a, b, ..]| if over(b, 64) { 0 } else { a >> b });
    check("shr.s32 %d, %a0, %a1;", B32, &[B32; 2], |[a, b, ..]| (s32(a) >> b.min(31)) as u64);
    check("shr.s64 %d, %a0, %a1;", B64, &[B64, B32], |[a, b, ..]| (s64(a) >> b.min(63)) as u64);
    check("shf.l.wrap.b32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| ((b << 32 | a) << (c & 31)) >> 32);
    check("shf.r.wrap.b32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| (b << 32 | a) >> (c & 31));
    check(
        "shf.l.clamp.b32 %d, %a0, %a1, %a2;",
        B32,
        &[B32; 3],
        |[a, b, c, _]| {
            if c >= 32 { a } else { ((b << 32 | a) << c) >> 32 }
        },
    );
    check("shf.r.clamp.b32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| (b << 32 | a) >> c.min(32));
}

#[test]
fn bit_counting_and_reversal_match_the_reference() {
    check("popc.b32 %d, %a0;", B32, &[B32], |[a, ..]| u64::from(a.count_ones()));
    check("popc.b64 %d, %a0;", B32, &[B64], |[a, ..]| u64::from(a.count_ones()));
    check("clz.b32 %d, %a0;", B32, &[B32], |[a, ..]| u64::from((a as u32).leading_zeros()));
    check("clz.b64 %d, %a0;", B32, &[B64], |[a, ..]| u64::from(a.leading_zeros()));
    check("brev.b32 %d, %a0;", B32, &[B32], |[a, ..]| u64::from((a as u32).reverse_bits()));
    check("brev.b64 %d, %a0;", B64, &[B64], |[a, ..]| a.reverse_bits());
    let top = |bits: u32| bits.checked_ilog2().map_or(u64::MAX, u64::from);
    check("bfind.u32 %d, %a0;", B32, &[B32], |[a, ..]| top(a as u32));
    check("bfind.s32 %d, %a0;", B32, &[B32], |[a, ..]| top((a as u32) ^ ((a as i32) >> 31) as u32));
    check("bfind.shiftamt.u32 %d, %a0;", B32, &[B32], |[a, ..]| match a as u32 {
        0 => u64::MAX,
        a => u64::from(a.leading_zeros()),
    });
    check("bfind.u64 %d, %a0;", B32, &[B64], |[a, ..]| a.checked_ilog2().map_or(u64::MAX, u64::from));
}

#[test]
fn bit_field_instructions_match_the_reference() {
    check("bfe.u32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| {
        let (from, count) = (b & 0xff, c & 0xff);
        let shifted = if from > 31 { 0 } else { a >> from };
        if count > 31 { shifted } else { shifted & ((1 << count) - 1) }
    });
    check("bfe.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| {
        let (from, count) = (b & 0xff, c & 0xff);
        if count == 0 {
            return 0;
        }
        // The number is first extended by its sign; a field that ends beyond it is filled with the sign.
        let count = count.min(64 - from.min(63));
        let from = from.min(63);
        ((s32(a) << (64 - from - count).min(63)) >> (64 - count)) as u64
    });
    check("bfi.b32 %d, %a0, %a1, %a2, %a3;", B32, &[B32; 4], |[a, b, c, d]| {
        let (at, count) = (c & 0xff, (d & 0xff).min(32));
        let field = if at > 31 { 0 } else { ((1_u64 << count) - 1) << at };
        b & !field | (if at > 31 { 0 } else { a << at }) & field
    });
    check("bfi.b64 %d, %a0, %a1, %a2, %a3;", B64, &[B64, B64, B32, B32], |[a, b, c, d]| {
        let (at, count) = (c & 0xff, (d & 0xff).min(64));
        let ones = if count == 64 { u64::MAX } else { (1 << count) - 1 };
        if at > 63 { b } else { b & !(ones << at) | (a & ones) << at }
    });
    check("prmt.b32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| {
        let bytes = [(a as u32).to_le_bytes(), (b as u32).to_le_bytes()].concat();
        let pick = |at: u32| {
            let selector = (c >> (4 * at) & 15) as usize;
            let byte = bytes[selector & 7];
            if selector > 7 { ((byte as i8) >> 7) as u8 } else { byte }
        };
        u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)]).into()
    });
}

#[test]
fn byte_dot_products_match_the_reference() {
    let bytes = |word: u64| (word as u32).to_le_bytes();
    check("dp4a.s32.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| {
        let products = bytes(a).into_iter().zip(bytes(b)).map(|(a, b)| i64::from(a as i8) * i64::from(b as i8));
        (s32(c) + products.sum::<i64>()) as u64
    });
    check("dp4a.u32.s32 %d, %a0, %a1, %a2;", B32, &[B32; 3], |[a, b, c, _]| {
        let products = bytes(a).into_iter().zip(bytes(b)).map(|(a, b)| i64::from(a) * i64::from(b as i8));
        (s32(c) + products.sum::<i64>()) as u64
    });
}

#[test]
fn integer_comparisons_match_the_reference() {
    check("setp.lt.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(s32(a) < s32(b)));
    check("setp.lt.u32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(a < b));
    check("setp.hs.u32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(a >= b));
    check("setp.eq.s64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a == b));
    check("setp.ne.b16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(a != b));
    check("setp.ge.s16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(s16(a) >= s16(b)));
    check("setp.le.and.u32 %d, %a0, %a1, %a2;", Pred, &[B32, B32, Pred], |[a, b, c, _]| u64::from(a <= b) & c);
    check("setp.gt.or.u32 %d, %a0, %a1, !%a2;", Pred, &[B32, B32, Pred], |[a, b, c, _]| u64::from(a > b) | c ^ 1);
    check("setp.gt.xor.u32 _|%d, %a0, %a1, %a2;", Pred, &[B32, B32, Pred], |[a, b, c, _]| u64::from(a <= b) ^ c);
    check("setp.eq.b16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(a == b));
    check("setp.eq.s16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(a == b));
    check("setp.ne.s16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(a != b));
    check("setp.gt.s16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(s16(a) > s16(b)));
    check("setp.lt.u16 %d, %a0, %a1;", Pred, &[B16; 2], |[a, b, ..]| u64::from(a < b));
    check("setp.eq.b32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(a == b));
    check("setp.eq.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(a == b));
    check("setp.ne.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(a != b));
    check("setp.le.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(s32(a) <= s32(b)));
    check("setp.ge.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(s32(a) >= s32(b)));
    check("setp.gt.s32 %d, %a0, %a1;", Pred, &[B32; 2], |[a, b, ..]| u64::from(s32(a) > s32(b)));
    check("setp.ge.s64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(s64(a) >= s64(b)));
    check("setp.ne.s64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a != b));
    check("setp.ge.u64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a >= b));
    check("setp.le.u64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a <= b));
    check("setp.lt.u64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a < b));
    check("setp.gt.u64 %d, %a0, %a1;", Pred, &[B64; 2], |[a, b, ..]| u64::from(a > b));
    check("selp.u16 %d, %a0, %a1, %a2;", B16, &[B16, B16, Pred], |[a, b, c, _]| if c == 1 { a } else { b });
    check("selp.s32 %d, %a0, %a1, %a2;", B32, &[B32, B32, Pred], |[a, b, c, _]| if c == 1 { a } else { b });
    check("selp.u64 %d, %a0, %a1, %a2;", B64, &[B64, B64, Pred], |[a, b, c, _]| if c == 1 { a } else { b });
    check("selp.b32 %d, %a0, %a1, %a2;", B32, &[B32, B32, Pred], |[a, b, c, _]| if c == 1 { a } else { b });
}

#[test]
fn packing_and_unpacking_of_words_match_the_reference() {
    check("mov.b64 %d, {%a0, %a1};", B64, &[B32; 2], |[a, b, ..]| b << 32 | a);
    check("mov.b32 {_, %d}, %a0;", B16, &[B32], |[a, ..]| a >> 16);
    check("mov.b32 {%d, _}, %a0;", B16, &[B32], |[a, ..]| a);
}
