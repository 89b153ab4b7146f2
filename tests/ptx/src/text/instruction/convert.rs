//! Conversions, comparisons, selections.

use super::float::rounding;
use super::operands::Statement;
use crate::ir::alu::{Alu, Comparison, Conversion, FloatForm, FloatRelation, Relation, Rounding};
use crate::ir::{DataType, Format, IntegerType, Logic, Op, Width};
use crate::text::error::ParseFault;
use crate::text::opcode::Opcode;

/// Reads `cvt`.
pub(super) fn convert(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    let (from, to) = (opcode.ty()?, opcode.ty()?);
    if let (DataType::Pair(to), DataType::Float(Format::F32)) = (to, from) {
        return convert_pair(statement, to);
    }
    let (integral, rounding) = (integral(opcode), rounding(opcode));
    let (flush, saturate) = (opcode.takes("ftz"), opcode.takes("sat"));
    let conversion = match (from, to) {
        (DataType::Integer(from), DataType::Integer(to)) => Conversion::IntegerToInteger { from, to, saturate },
        (DataType::Integer(from), DataType::Float(to)) => {
            let exact = from.width <= Width::Half && !(to == Format::F16 || to == Format::Bf16) || to == Format::F64;
            Conversion::IntegerToFloat { from, to, rounding: known(opcode, rounding, exact, to)? }
        }
        (DataType::Float(from), DataType::Integer(to)) => {
            let rounding = integral.ok_or_else(|| lacks_rounding(opcode))?;
            Conversion::FloatToInteger { from, to, rounding, flush }
        }
        (DataType::Float(from), DataType::Float(format)) => {
            float_to_float(opcode, from, format, integral, rounding, flush, saturate)?
        }
        _ => return Err(opcode.unsupported()),
    };
    statement.compute(Alu::Convert(conversion), 1)
}

fn float_to_float(
    opcode: &Opcode<'_>,
    from: Format,
    format: Format,
    integral: Option<Rounding>,
    rounding: Option<Rounding>,
    flush: bool,
    saturate: bool,
) -> Result<Conversion, ParseFault> {
    if let (Some(rounding), true) = (integral, from == format) {
        return Ok(Conversion::FloatToIntegral { to: FloatForm { format, rounding, flush, saturate } });
    }
    let is_wider = format == from || from.width() < format.width();
    let rounding = known(opcode, rounding, is_wider, format)?;
    Ok(Conversion::FloatToFloat { from, to: FloatForm { format, rounding, flush, saturate } })
}

/// Returns the given rounding, or any rounding if the result is exact.
fn known(opcode: &Opcode<'_>, rounding: Option<Rounding>, is_exact: bool, to: Format) -> Result<Rounding, ParseFault> {
    match rounding {
        Some(rounding) if to != Format::F64 || rounding == Rounding::Nearest => Ok(rounding),
        Some(_) => Err(opcode.unsupported()),
        None if is_exact => Ok(Rounding::Nearest),
        None => Err(lacks_rounding(opcode)),
    }
}

fn lacks_rounding(opcode: &Opcode<'_>) -> ParseFault {
    ParseFault::Missing { opcode: opcode.whole(), expected: "a rounding mode" }
}

/// Takes the rounding to a whole number.
fn integral(opcode: &mut Opcode<'_>) -> Option<Rounding> {
    opcode.choice(&[
        ("rni", Rounding::Nearest),
        ("rzi", Rounding::Zero),
        ("rmi", Rounding::Down),
        ("rpi", Rounding::Up),
    ])
}

fn convert_pair(statement: &mut Statement<'_>, to: Format) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    let rounding = rounding(opcode).ok_or_else(|| lacks_rounding(opcode))?;
    let relu = opcode.takes("relu");
    statement.compute(Alu::ConvertPair { to, rounding, relu }, 2)
}

/// Reads `selp`.
pub(super) fn select(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    statement.opcode.ty()?;
    statement.compute(Alu::Select, 3)
}

/// Reads `setp`.
pub(super) fn set_predicate(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let ty = statement.opcode.ty()?;
    let comparison = comparison(&mut statement.opcode, ty)?;
    let logic = statement.opcode.choice(&[("and", Logic::And), ("or", Logic::Or), ("xor", Logic::Xor)]);
    statement.count(if logic.is_some() { 4 } else { 3 })?;
    let (to, opposite) = statement.two(0)?;
    let join = match logic {
        Some(logic) => Some((logic, statement.value(3)?)),
        None => None,
    };
    Ok(Op::SetPredicate { comparison, to, opposite, from: [statement.value(1)?, statement.value(2)?], join })
}

fn comparison(opcode: &mut Opcode<'_>, ty: DataType) -> Result<Comparison, ParseFault> {
    match ty {
        DataType::Integer(ty) => integer_comparison(opcode, ty),
        DataType::Float(format) => {
            let flush = opcode.takes("ftz");
            let relation = float_relation(opcode)?;
            Ok(Comparison::Float { relation, format, flush })
        }
        DataType::Predicate | DataType::Pair(_) => Err(opcode.unsupported()),
    }
}

const RELATIONS: [(&str, Relation); 6] = [
    ("eq", Relation::Equal),
    ("ne", Relation::NotEqual),
    ("lt", Relation::Less),
    ("le", Relation::LessOrEqual),
    ("gt", Relation::Greater),
    ("ge", Relation::GreaterOrEqual),
];

fn integer_comparison(opcode: &mut Opcode<'_>, ty: IntegerType) -> Result<Comparison, ParseFault> {
    // Comparisons of unsigned numbers have other names, too.
    let unsigned = [
        ("lo", Relation::Less),
        ("ls", Relation::LessOrEqual),
        ("hi", Relation::Greater),
        ("hs", Relation::GreaterOrEqual),
    ];
    if let Some(relation) = opcode.choice(&unsigned) {
        return Ok(Comparison::Integer(relation, IntegerType { signed: false, ..ty }));
    }
    Ok(Comparison::Integer(opcode.needs("a comparison", &RELATIONS)?, ty))
}

fn float_relation(opcode: &mut Opcode<'_>) -> Result<FloatRelation, ParseFault> {
    let unordered = [
        ("equ", Relation::Equal),
        ("neu", Relation::NotEqual),
        ("ltu", Relation::Less),
        ("leu", Relation::LessOrEqual),
        ("gtu", Relation::Greater),
        ("geu", Relation::GreaterOrEqual),
    ];
    if let Some(relation) = opcode.choice(&unordered) {
        return Ok(FloatRelation::Unordered(relation));
    }
    if let Some(relation) = opcode.choice(&[("num", FloatRelation::BothNumbers), ("nan", FloatRelation::EitherNan)]) {
        return Ok(relation);
    }
    Ok(FloatRelation::Ordered(opcode.needs("a comparison", &RELATIONS)?))
}
