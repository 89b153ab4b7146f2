//! Reads an instruction: its guard, its name, its operands, and their meaning together.
//!
//! Each kind of instruction has a file; each takes the parts of the name that it knows, and parts that are left over
//! are an error.

mod arithmetic;
mod control;
mod convert;
mod float;
mod integer;
mod memory;
mod operands;
mod warp;

use super::body::Body;
use super::cursor::Cursor;
use super::error::{ParseError, ParseFault};
use super::opcode::Opcode;
use crate::ir::{Instruction, Op};
use operands::Statement;

/// Reads one instruction with its `;`.
pub(super) fn read<'t>(body: &mut Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Instruction, ParseError> {
    let line = cursor.line();
    let guard = if cursor.takes('@') {
        let is_true = !cursor.takes('!');
        Some((operands::register(body, cursor)?, is_true))
    } else {
        None
    };
    let mut opcode = Opcode::new(cursor.word("an instruction")?);
    let op = match opcode.name() {
        "bra" => control::branch(body, cursor, &mut opcode)?,
        "brx" => control::branch_table(body, cursor, &mut opcode)?,
        "call" => control::call(body, cursor, &mut opcode)?,
        _ => {
            let mut statement = Statement::read(body, cursor, opcode)?;
            let op = decode(body, &mut statement, line).and_then(|op| statement.opcode.finish().map(|()| op));
            op.map_err(|fault| ParseError::new(line, fault))?
        }
    };
    cursor.mark(';', "`;` after an instruction")?;
    Ok(Instruction { line, guard, op })
}

/// Returns the operation of an instruction.
fn decode(body: &mut Body<'_, '_>, statement: &mut Statement<'_>, line: u32) -> Result<Op, ParseFault> {
    match statement.opcode.name() {
        "ret" | "exit" | "trap" => control::end(statement),
        "mov" => memory::mov(statement),
        "ld" => memory::load(statement),
        "st" => memory::store(statement),
        "atom" | "red" => memory::atomic(statement),
        "membar" | "fence" => memory::fence(statement),
        "cvta" | "isspacep" => memory::address(statement),
        "cvt" => convert::convert(statement),
        "setp" => convert::set_predicate(statement),
        "selp" => convert::select(statement),
        "nanosleep" => control::sleep(statement),
        "bar" | "barrier" => warp::barrier(statement),
        "shfl" => warp::shuffle(statement),
        "vote" => warp::vote(statement),
        "match" => warp::matching(statement),
        "redux" => warp::reduce(statement),
        "activemask" => warp::active_mask(statement),
        _ => arithmetic::decode(statement, body.function, line),
    }
}
