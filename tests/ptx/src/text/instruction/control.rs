//! Branches, calls, ends.

use super::operands::Statement;
use crate::ir::{Op, ParameterSlot};
use crate::text::body::Body;
use crate::text::cursor::Cursor;
use crate::text::error::{ParseError, ParseFault};
use crate::text::lexer::LexemeKind;
use crate::text::names::Named;
use crate::text::opcode::Opcode;

/// Checks that all parts of a name were taken, at the line of the cursor.
fn finish(cursor: &Cursor<'_, '_>, opcode: &mut Opcode<'_>) -> Result<(), ParseError> {
    // A promise to the compiler that all lanes go together; here each lane goes its own way.
    opcode.takes("uni");
    opcode.finish().map_err(|fault| cursor.error(fault))
}

/// Reads `bra label`.
pub(super) fn branch<'t>(
    body: &mut Body<'_, 't>,
    cursor: &mut Cursor<'_, 't>,
    opcode: &mut Opcode<'t>,
) -> Result<Op, ParseError> {
    finish(cursor, opcode)?;
    let line = cursor.line();
    let target = body.want(cursor.word("a label")?, line);
    Ok(Op::Branch { target })
}

/// Reads `brx.idx index, labels`.
pub(super) fn branch_table<'t>(
    body: &mut Body<'_, 't>,
    cursor: &mut Cursor<'_, 't>,
    opcode: &mut Opcode<'t>,
) -> Result<Op, ParseError> {
    opcode.takes("idx");
    finish(cursor, opcode)?;
    let index = super::operands::register(body, cursor)?;
    cursor.mark(',', "`,` before a list of labels")?;
    let line = cursor.line();
    let name = cursor.word("a list of labels")?;
    let labels = body.reader.names.tables.get(name).cloned().unwrap_or_default();
    if labels.is_empty() {
        let fault = ParseFault::Unknown { name: name.to_owned(), kind: "list of labels before this line" };
        return Err(ParseError::new(line, fault));
    }
    let targets = labels.into_iter().map(|label| body.want(label, line)).collect();
    Ok(Op::BranchTable { index: crate::ir::Operand::Register(index), targets })
}

/// Reads `call (result), name, (argument, argument)`.
pub(super) fn call<'t>(
    body: &mut Body<'_, 't>,
    cursor: &mut Cursor<'_, 't>,
    opcode: &mut Opcode<'t>,
) -> Result<Op, ParseError> {
    finish(cursor, opcode)?;
    let mut results = Vec::new();
    if cursor.peek() == Some(LexemeKind::Mark('(')) {
        results = slots(body, cursor)?;
        cursor.mark(',', "`,` after the results of a call")?;
    }
    let line = cursor.line();
    let function = body.reader.function_named(cursor.word("the name of a function")?, line);
    let arguments = if cursor.takes(',') { slots(body, cursor)? } else { Vec::new() };
    Ok(Op::Call { function, results, arguments })
}

/// Reads `(param0, param1)`.
fn slots<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Vec<ParameterSlot>, ParseError> {
    let mut slots = Vec::new();
    cursor.mark('(', "`(` before the parameters of a call")?;
    while !cursor.takes(')') {
        if !slots.is_empty() {
            cursor.mark(',', "`,` or `)` after a parameter")?;
        }
        let error = cursor.unexpected("a parameter that is declared before the call");
        match body.reader.names.find(cursor.word("a parameter")?) {
            Some(Named::Parameter(slot)) => slots.push(slot),
            _ => return Err(error),
        }
    }
    Ok(slots)
}

/// Reads `ret`, `exit` and `trap`.
pub(super) fn end(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    statement.count(0)?;
    statement.opcode.takes("uni");
    match statement.opcode.name() {
        "ret" => Ok(Op::Return),
        "exit" => Ok(Op::Exit),
        _ => Ok(Op::Trap),
    }
}

/// Reads `nanosleep.u32 t`. The time is ignored, because it is not specified how long lanes wait.
pub(super) fn sleep(statement: &mut Statement<'_>) -> Result<Op, ParseFault> {
    statement.opcode.needs("`u32`", &[("u32", ())])?;
    statement.count(1)?;
    statement.value(0)?;
    Ok(Op::Sleep)
}
