//! Moves, loads, stores, atomics, fences, addresses.

use super::operands::Statement;
use crate::ir::alu::{AddressOp, Alu};
use crate::ir::{AtomicOp, DataType, Fences, Format, Op, Scope, Space, Strength, Width};
use crate::text::error::ParseFault;
use crate::text::opcode::Opcode;

/// Reads `mov`, which also packs and unpacks.
pub(super) fn mov(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let width = statement.opcode.ty()?.width();
    statement.count(2)?;
    let part = |parts: usize| {
        let widths = [Width::Byte, Width::Half, Width::Word];
        let bits = width.bits().checked_div(u32::try_from(parts).ok()?)?;
        widths.into_iter().find(|part| part.bits() == bits)
    };
    let odd = || ParseFault::Missing { opcode: statement.opcode.whole(), expected: "2 or 4 parts that fill its width" };
    if let Some(parts) = statement.vector_len(1) {
        let part = part(parts).ok_or_else(odd)?;
        return Ok(Op::Pack { part, to: statement.register(0)?, from: statement.parts(1, parts)? });
    }
    if let Some(parts) = statement.vector_len(0) {
        let part = part(parts).ok_or_else(odd)?;
        return Ok(Op::Unpack { part, to: statement.registers(0, parts)?, from: statement.value(1)? });
    }
    Ok(Op::Move { to: statement.register(0)?, from: statement.value(1)? })
}

/// Cap on the bytes of one access.
const MOST_BYTES: usize = 32;

/// The parts of a load's or store's name besides its type.
struct Access {
    space: Space,
    strength: Strength,
    fences: Fences,
    parts: usize,
}

/// Reads the parts of a load's or store's name.
fn access(opcode: &mut Opcode<'_>, ty: DataType) -> Result<Access, ParseFault> {
    let mut strength = Strength::Weak;
    opcode.takes("weak");
    let (before, after) = (opcode.takes("release"), opcode.takes("acquire"));
    let is_ordered = opcode.takes("relaxed") | before | after;
    if opcode.takes("volatile") | is_ordered {
        strength = Strength::Strong;
    }
    let scope = if is_ordered { Some(scope(opcode)?) } else { None };
    let fences = Fences { before: scope.filter(|_| before), after: scope.filter(|_| after) };
    let space = space(opcode);
    if scope == Some(Scope::Block) && space != Space::Shared {
        return Err(ParseFault::Part { opcode: opcode.whole(), part: "cta outside of shared memory".to_owned() });
    }
    if opcode.takes("nc") {
        strength = Strength::ReadOnly;
    }
    let parts = opcode.choice(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    drop_hints(opcode);
    if parts * ty.width().bytes() as usize > MOST_BYTES || ty == DataType::Predicate {
        return Err(opcode.unsupported());
    }
    Ok(Access { space, strength, fences, parts })
}

/// Drops advice about caches: it changes no value.
fn drop_hints(opcode: &mut Opcode<'_>) {
    let hints = ["ca", "cg", "cs", "lu", "cv", "wb", "wt"];
    opcode
        .drop_all(|part| hints.contains(&part) || part.starts_with("L1::") || part == "L2::64B" || part == "L2::128B");
}

fn space(opcode: &mut Opcode<'_>) -> Space {
    let spaces = [
        ("global", Space::Global),
        ("shared", Space::Shared),
        ("shared::cta", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Constant),
        ("param", Space::Parameter),
        ("param::entry", Space::Parameter),
        ("param::func", Space::Parameter),
    ];
    opcode.choice(&spaces).unwrap_or(Space::Generic)
}

const SCOPES: [(&str, Scope); 4] =
    [("cta", Scope::Block), ("gpu", Scope::Device), ("gl", Scope::Device), ("sys", Scope::Device)];

fn scope(opcode: &mut Opcode<'_>) -> Result<Scope, ParseFault> {
    opcode.needs("a scope", &SCOPES)
}

/// Reads `ld`.
pub(super) fn load(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let ty = statement.opcode.ty()?;
    let Access { space, strength, fences, parts } = access(&mut statement.opcode, ty)?;
    statement.count(2)?;
    Ok(Op::Load { space, ty, strength, fences, to: statement.registers(0, parts)?, address: statement.address(1)? })
}

/// Reads `st`.
pub(super) fn store(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let ty = statement.opcode.ty()?;
    let Access { space, strength, fences, parts } = access(&mut statement.opcode, ty)?;
    statement.count(2)?;
    if space == Space::Constant {
        return Err(statement.opcode.unsupported());
    }
    Ok(Op::Store { space, ty, strength, fences, address: statement.address(0)?, from: statement.parts(1, parts)? })
}

/// Reads `atom` and `red`.
pub(super) fn atomic(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let has_result = statement.opcode.name() == "atom";
    let opcode = &mut statement.opcode;
    let ty = opcode.ty()?;
    opcode.takes("relaxed");
    let both = opcode.takes("acq_rel");
    let (before, after) = (opcode.takes("release") | both, opcode.takes("acquire") | both);
    let space = space(opcode);
    let scope = opcode.choice(&SCOPES).unwrap_or(Scope::Device);
    let fences = Fences { before: before.then_some(scope), after: after.then_some(scope) };
    if scope == Scope::Block && space != Space::Shared {
        return Err(ParseFault::Part { opcode: opcode.whole(), part: "cta outside of shared memory".to_owned() });
    }
    let ops = [
        ("add", AtomicOp::Add),
        ("min", AtomicOp::Minimum),
        ("max", AtomicOp::Maximum),
        ("and", AtomicOp::And),
        ("or", AtomicOp::Or),
        ("xor", AtomicOp::Xor),
        ("exch", AtomicOp::Exchange),
        ("cas", AtomicOp::CompareAndSwap),
        ("inc", AtomicOp::Increment),
        ("dec", AtomicOp::Decrement),
    ];
    let op = opcode.needs("an operation", &ops)?;
    let is_known = match ty {
        DataType::Integer(ty) => ty.width >= Width::Word || op == AtomicOp::CompareAndSwap && ty.width == Width::Half,
        DataType::Float(format) => op == AtomicOp::Add && matches!(format, Format::F32 | Format::F64),
        DataType::Predicate | DataType::Pair(_) => false,
    };
    if !is_known || !matches!(space, Space::Generic | Space::Global | Space::Shared) {
        return Err(opcode.unsupported());
    }
    let first = usize::from(has_result);
    let operands = if op == AtomicOp::CompareAndSwap { 2 } else { 1 };
    statement.count(first + 1 + operands)?;
    let to = if has_result { statement.two(0)?.0 } else { None };
    Ok(Op::Atomic { space, op, ty, fences, to, address: statement.address(first)?, from: statement.values(first + 1)? })
}

/// Reads `membar` and `fence`.
pub(super) fn fence(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    statement.count(0)?;
    let opcode = &mut statement.opcode;
    let _: Option<()> = opcode.choice(&[("sc", ()), ("acq_rel", ())]);
    Ok(Op::Fence { scope: scope(opcode)? })
}

/// Reads `cvta` and `isspacep`.
pub(super) fn address(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    if statement.opcode.name() == "isspacep" {
        let space = space(&mut statement.opcode);
        return statement.compute(Alu::Address(AddressOp::IsIn(space)), 1);
    }
    if statement.opcode.ty()?.width() != Width::Double {
        return Err(statement.opcode.unsupported());
    }
    let is_back = statement.opcode.takes("to");
    let space = space(&mut statement.opcode);
    if !matches!(space, Space::Global | Space::Shared | Space::Local | Space::Constant) {
        return Err(statement.opcode.unsupported());
    }
    let op = if is_back { AddressOp::FromGeneric(space) } else { AddressOp::ToGeneric(space) };
    statement.compute(Alu::Address(op), 1)
}
