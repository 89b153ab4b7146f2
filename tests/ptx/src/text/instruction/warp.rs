//! Barriers, and operations of the lanes of a warp together.

use super::operands::Statement;
use crate::ir::{BarrierReduction, DataType, MatchMode, Op, Reduction, ShuffleMode, VoteMode, Width};
use crate::text::error::ParseFault;
use crate::text::opcode::Opcode;

/// Takes `sync`; forms without it belong to devices whose lanes run in step.
fn needs_sync(opcode: &mut Opcode<'_>) -> Result<(), ParseFault> {
    opcode.needs("`sync`", &[("sync", ())])
}

/// Reads `bar.sync`, `bar.red`, `bar.warp.sync` and `barrier.sync.aligned`.
pub(super) fn barrier(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    opcode.takes("cta");
    if opcode.takes("warp") {
        needs_sync(opcode)?;
        statement.count(1)?;
        return Ok(Op::WarpBarrier { mask: statement.value(0)? });
    }
    if opcode.name() == "barrier" {
        opcode.needs("`aligned` (barriers that lanes reach one by one are not interpreted)", &[("aligned", ())])?;
    }
    if opcode.takes("red") {
        return barrier_reduction(statement);
    }
    needs_sync(opcode)?;
    if statement.len() != 2 {
        statement.count(1)?;
    }
    let threads = if statement.len() == 2 { Some(statement.value(1)?) } else { None };
    Ok(Op::Barrier { number: statement.value(0)?, threads, reduction: None })
}

/// Reads `bar.red.or.pred p, a, q` or `bar.red.popc.u32 d, a, b, q`.
fn barrier_reduction(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    let kinds = [("popc", BarrierReduction::Count), ("and", BarrierReduction::All), ("or", BarrierReduction::Any)];
    let reduction = opcode.needs("`popc`, `and` or `or`", &kinds)?;
    opcode.needs("a type", &[("u32", ()), ("pred", ())])?;
    if statement.len() != 4 {
        statement.count(3)?;
    }
    let last = statement.len() - 1;
    let threads = if last == 3 { Some(statement.value(2)?) } else { None };
    let reduction = Some((reduction, statement.register(0)?, statement.value(last)?));
    Ok(Op::Barrier { number: statement.value(1)?, threads, reduction })
}

/// Reads `shfl.sync.down.b32 d|p, value, lane, clamp, mask`.
pub(super) fn shuffle(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    needs_sync(opcode)?;
    opcode.needs("`b32`", &[("b32", ())])?;
    let modes = [
        ("up", ShuffleMode::Up),
        ("down", ShuffleMode::Down),
        ("bfly", ShuffleMode::Butterfly),
        ("idx", ShuffleMode::Index),
    ];
    let mode = opcode.needs("`up`, `down`, `bfly` or `idx`", &modes)?;
    statement.count(5)?;
    let (Some(to), inside) = statement.two(0)? else { return Err(statement.opcode.unsupported()) };
    let [value, lane, clamp, mask] = [1, 2, 3, 4].map(|at| statement.value(at));
    Ok(Op::Shuffle { mode, to, inside, value: value?, lane: lane?, clamp: clamp?, mask: mask? })
}

/// Reads `vote.sync.any.pred p, q, mask`.
pub(super) fn vote(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    needs_sync(opcode)?;
    let modes =
        [("all", VoteMode::All), ("any", VoteMode::Any), ("uni", VoteMode::Uniform), ("ballot", VoteMode::Ballot)];
    let mode = opcode.needs("`all`, `any`, `uni` or `ballot`", &modes)?;
    opcode.needs("a type", &[(if mode == VoteMode::Ballot { "b32" } else { "pred" }, ())])?;
    statement.count(3)?;
    Ok(Op::Vote { mode, to: statement.register(0)?, predicate: statement.value(1)?, mask: statement.value(2)? })
}

/// Reads `match.any.sync.b32 d, value, mask` and `match.all.sync.b32 d|p, value, mask`.
pub(super) fn matching(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    needs_sync(opcode)?;
    let mode = opcode.needs("`any` or `all`", &[("any", MatchMode::Any), ("all", MatchMode::All)])?;
    let width = opcode.needs("`b32` or `b64`", &[("b32", Width::Word), ("b64", Width::Double)])?;
    statement.count(3)?;
    let (Some(to), all) = statement.two(0)? else { return Err(statement.opcode.unsupported()) };
    Ok(Op::Match { mode, width, to, all, value: statement.value(1)?, mask: statement.value(2)? })
}

/// Reads `redux.sync.add.s32 d, value, mask`.
pub(super) fn reduce(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    let opcode = &mut statement.opcode;
    needs_sync(opcode)?;
    let DataType::Integer(ty) = opcode.ty()? else { return Err(opcode.unsupported()) };
    let reductions = [
        ("add", Reduction::Add),
        ("min", Reduction::Minimum),
        ("max", Reduction::Maximum),
        ("and", Reduction::And),
        ("or", Reduction::Or),
        ("xor", Reduction::Xor),
    ];
    let reduction = opcode.needs("an operation", &reductions)?;
    if ty.width != Width::Word {
        return Err(opcode.unsupported());
    }
    statement.count(3)?;
    let (to, value, mask) = (statement.register(0)?, statement.value(1)?, statement.value(2)?);
    Ok(Op::Reduce { reduction, signed: ty.signed, to, value, mask })
}

/// Reads `activemask.b32 d`.
pub(super) fn active_mask(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    statement.opcode.needs("`b32`", &[("b32", ())])?;
    statement.count(1)?;
    Ok(Op::ActiveMask { to: statement.register(0)? })
}
