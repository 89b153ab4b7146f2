//! Functions of all lanes of a warp at once: the operation is looked up once, and then computed lane by lane.
//!
//! The most frequent operations of kernels have loops of their own. Their results equal those of [`compute`], which
//! tests compare with the host: either the compiler specialises that function, or a test here compares with it.

use super::{ArithmeticFault, compare, compute, format, integer};
use crate::ir::alu::{Alu, Comparison, FloatForm, FloatOp, IntegerOp, Relation, Rounding};
use crate::ir::{Format, IntegerType, Width};
use crate::lanes::{Lanes, each};

/// Computes a function for some lanes; the results of other lanes have no meaning.
///
/// # Errors
/// The value of the lane is unspecified.
pub(crate) fn compute_rows(
    alu: Alu,
    lanes: u32,
    from: [&Lanes; 4],
    to: &mut Lanes,
) -> Result<(), (usize, ArithmeticFault)> {
    match alu {
        Alu::Integer(op, IntegerType { signed: false, width: Width::Word }) => {
            integers::<false, 32>(op, lanes, from, to)
        }
        Alu::Integer(op, IntegerType { signed: true, width: Width::Word }) => integers::<true, 32>(op, lanes, from, to),
        Alu::Integer(op, IntegerType { signed: false, width: Width::Double }) => {
            integers::<false, 64>(op, lanes, from, to)
        }
        Alu::Integer(op, IntegerType { signed: true, width: Width::Double }) => {
            integers::<true, 64>(op, lanes, from, to)
        }
        Alu::Float(op, form) if is_plain(form) => singles(alu, op, lanes, from, to),
        Alu::Select => fill(lanes, to, |lane| Ok(if from[2][lane] & 1 == 1 { from[0][lane] } else { from[1][lane] })),
        _ => one_by_one(alu, lanes, from, to),
    }
}

/// Returns the lanes, among `lanes`, for which a comparison holds.
pub(crate) fn holds_rows(comparison: Comparison, lanes: u32, a: &Lanes, b: &Lanes) -> u32 {
    match comparison {
        Comparison::Integer(relation, ty) => match (ty.signed, ty.width) {
            (false, Width::Word) => relates::<false, 32>(relation, lanes, a, b),
            (true, Width::Word) => relates::<true, 32>(relation, lanes, a, b),
            (false, Width::Double) => relates::<false, 64>(relation, lanes, a, b),
            (true, Width::Double) => relates::<true, 64>(relation, lanes, a, b),
            _ => where_true(lanes, |lane| compare::holds(comparison, a[lane], b[lane])),
        },
        Comparison::Float { .. } => where_true(lanes, |lane| compare::holds(comparison, a[lane], b[lane])),
    }
}

/// Computes a function for each of some lanes.
#[inline(always)]
fn fill(
    lanes: u32,
    to: &mut Lanes,
    value: impl Fn(usize) -> Result<u64, ArithmeticFault>,
) -> Result<(), (usize, ArithmeticFault)> {
    if lanes == u32::MAX {
        for (lane, to) in to.iter_mut().enumerate() {
            *to = value(lane).map_err(|fault| (lane, fault))?;
        }
    } else {
        for lane in each(lanes) {
            to[lane] = value(lane).map_err(|fault| (lane, fault))?;
        }
    }
    Ok(())
}

/// Returns the lanes, among `lanes`, for which a test is true.
#[inline(always)]
fn where_true(lanes: u32, test: impl Fn(usize) -> bool) -> u32 {
    if lanes == u32::MAX {
        (0..32).fold(0, |trues, lane| trues | u32::from(test(lane)) << lane)
    } else {
        each(lanes).fold(0, |trues, lane| trues | u32::from(test(lane)) << lane)
    }
}

fn one_by_one(alu: Alu, lanes: u32, from: [&Lanes; 4], to: &mut Lanes) -> Result<(), (usize, ArithmeticFault)> {
    fill(lanes, to, |lane| compute(alu, from.map(|row| row[lane])))
}

/// Returns the type of whole numbers of `bits` bits, 32 or 64.
const fn integer_type(signed: bool, bits: u32) -> IntegerType {
    IntegerType { signed, width: if bits == 32 { Width::Word } else { Width::Double } }
}

macro_rules! for_each_integer_op {
    ($given:ident, $op:ident => $act:expr; $($name:ident)*) => {
        match $given { $(IntegerOp::$name => { const $op: IntegerOp = IntegerOp::$name; $act })* }
    };
}

fn integers<const SIGNED: bool, const BITS: u32>(
    op: IntegerOp,
    lanes: u32,
    from: [&Lanes; 4],
    to: &mut Lanes,
) -> Result<(), (usize, ArithmeticFault)> {
    let ty = const { integer_type(SIGNED, BITS) };
    for_each_integer_op!(op, OP => fill(lanes, to, |lane| integer::compute(OP, ty, from.map(|row| row[lane])));
        Add AddSaturated Subtract SubtractSaturated MultiplyLow MultiplyHigh MultiplyWide MultiplyAddLow MultiplyAddHigh
        MultiplyAddWide Multiply24 MultiplyAdd24 Divide Remainder Minimum Maximum Absolute Negate SumOfDifference And Or Xor
        Not IsZero ShiftLeft ShiftRight PopulationCount LeadingZeros Reverse FindTop FindTopShift ExtractField)
}

fn relates<const SIGNED: bool, const BITS: u32>(relation: Relation, lanes: u32, a: &Lanes, b: &Lanes) -> u32 {
    let ty = const { integer_type(SIGNED, BITS) };
    let holds = |relation, lane: usize| compare::holds(Comparison::Integer(relation, ty), a[lane], b[lane]);
    match relation {
        Relation::Equal => where_true(lanes, |lane| holds(Relation::Equal, lane)),
        Relation::NotEqual => where_true(lanes, |lane| holds(Relation::NotEqual, lane)),
        Relation::Less => where_true(lanes, |lane| holds(Relation::Less, lane)),
        Relation::LessOrEqual => where_true(lanes, |lane| holds(Relation::LessOrEqual, lane)),
        Relation::Greater => where_true(lanes, |lane| holds(Relation::Greater, lane)),
        Relation::GreaterOrEqual => where_true(lanes, |lane| holds(Relation::GreaterOrEqual, lane)),
    }
}

/// Returns whether the host's arithmetic computes this form directly.
fn is_plain(form: FloatForm) -> bool {
    form == FloatForm { format: Format::F32, rounding: Rounding::Nearest, flush: false, saturate: false }
}

/// Computes with binary32 numbers, rounded to the nearest, by the host's arithmetic, which also follows IEEE 754.
fn singles(
    alu: Alu,
    op: FloatOp,
    lanes: u32,
    from: [&Lanes; 4],
    to: &mut Lanes,
) -> Result<(), (usize, ArithmeticFault)> {
    let read = |at: usize, lane: usize| f32::from_bits(from[at][lane] as u32);
    let bits = |value: f32| if value.is_nan() { format::nan(Format::F32) } else { value.to_bits().into() };
    match op {
        FloatOp::Add => fill(lanes, to, |lane| Ok(bits(read(0, lane) + read(1, lane)))),
        FloatOp::Subtract => fill(lanes, to, |lane| Ok(bits(read(0, lane) - read(1, lane)))),
        FloatOp::Multiply => fill(lanes, to, |lane| Ok(bits(read(0, lane) * read(1, lane)))),
        FloatOp::FusedMultiplyAdd => {
            fill(lanes, to, |lane| Ok(bits(read(0, lane).mul_add(read(1, lane), read(2, lane)))))
        }
        _ => one_by_one(alu, lanes, from, to),
    }
}

#[cfg(test)]
mod tests {
    use ogc_kit::Random;

    use super::*;

    /// Numbers from a seed, some of them extreme.
    fn row(random: &mut Random) -> Lanes {
        const EXTREME: [u64; 8] =
            [1, 0x7fff_ffff, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x0080_0000, 1 << 63, u64::MAX];
        std::array::from_fn(|_| match random.below(8) {
            0 => 0,
            1 => *random.pick(&EXTREME),
            2 => random.next() & 0x3f,
            _ => random.next(),
        })
    }

    fn check(alu: Alu, random: &mut Random) {
        let rows: [Lanes; 4] = std::array::from_fn(|_| row(random));
        for lanes in [u32::MAX, 0x8000_0001, 0x0f0f_00f0, 0] {
            let mut found = [0; 32];
            let result = compute_rows(alu, lanes, rows.each_ref(), &mut found);
            let expected = |lane: usize| compute(alu, std::array::from_fn(|at| rows[at][lane]));
            match result {
                Ok(()) => each(lanes).for_each(|lane| assert_eq!(Ok(found[lane]), expected(lane), "{alu:?} {lane}")),
                Err((lane, fault)) => {
                    assert_eq!(Err(fault), expected(lane), "{alu:?}");
                    assert!(each(lanes).take_while(|before| *before < lane).all(|lane| expected(lane).is_ok()));
                }
            }
        }
    }

    #[test]
    fn row_arithmetic_equals_lane_by_lane_arithmetic() {
        let mut random = Random::new(7);
        let form = FloatForm { format: Format::F32, rounding: Rounding::Nearest, flush: false, saturate: false };
        let floats = [FloatOp::Add, FloatOp::Subtract, FloatOp::Multiply, FloatOp::FusedMultiplyAdd, FloatOp::Divide];
        let integers = [IntegerOp::Add, IntegerOp::Divide, IntegerOp::ShiftRight, IntegerOp::ExtractField];
        for _ in 0..2000 {
            floats.iter().for_each(|op| check(Alu::Float(*op, form), &mut random));
            check(Alu::Select, &mut random);
            for (signed, bits) in [(false, 32), (true, 32), (false, 64), (true, 64)] {
                integers.iter().for_each(|op| check(Alu::Integer(*op, integer_type(signed, bits)), &mut random));
            }
        }
    }

    #[test]
    fn row_comparisons_equal_lane_by_lane_comparisons() {
        let mut random = Random::new(9);
        let relations = [
            Relation::Equal,
            Relation::NotEqual,
            Relation::Less,
            Relation::LessOrEqual,
            Relation::Greater,
            Relation::GreaterOrEqual,
        ];
        for (signed, bits) in [(false, 32), (true, 32), (false, 64), (true, 64)].repeat(100) {
            let (a, mut b) = (row(&mut random), row(&mut random));
            b[..8].copy_from_slice(&a[..8]);
            for relation in relations {
                let comparison = Comparison::Integer(relation, integer_type(signed, bits));
                for lanes in [u32::MAX, 0x1234_5678] {
                    let expected = each(lanes).filter(|lane| compare::holds(comparison, a[*lane], b[*lane]));
                    let expected = expected.fold(0, |lanes, lane| lanes | 1 << lane);
                    assert_eq!(holds_rows(comparison, lanes, &a, &b), expected, "{comparison:?}");
                }
            }
        }
    }
}
