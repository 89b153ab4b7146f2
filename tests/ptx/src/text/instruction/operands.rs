//! Operands as written.

use crate::ir::alu::Alu;
use crate::ir::{Address, Op, Operand, Register, Special};
use crate::text::body::Body;
use crate::text::cursor::Cursor;
use crate::text::error::{ParseError, ParseFault};
use crate::text::lexer::LexemeKind;
use crate::text::names::Named;
use crate::text::opcode::Opcode;

/// An operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A value; a register if it takes a result.
    Value(Operand),
    /// `_`: a result that is not wanted.
    Sink,
    /// `a|b`: two results.
    Two(Option<Register>, Option<Register>),
    /// `[a+4]`.
    Address(Address),
    /// `{a, b}`; none for `_`.
    Vector(Vec<Option<Operand>>),
}

/// An instruction's name and operands.
#[derive(Debug)]
pub(super) struct Statement<'t> {
    pub(super) opcode: Opcode<'t>,
    pieces: Vec<Piece>,
}

impl<'t> Statement<'t> {
    /// Reads the operands up to the `;`.
    pub(super) fn read(
        body: &Body<'_, 't>,
        cursor: &mut Cursor<'_, 't>,
        opcode: Opcode<'t>,
    ) -> Result<Statement<'t>, ParseError> {
        let mut pieces = Vec::new();
        while cursor.peek() != Some(LexemeKind::Mark(';')) {
            if !pieces.is_empty() {
                cursor.mark(',', "`,` or `;` after an operand")?;
            }
            pieces.push(piece(body, cursor)?);
        }
        Ok(Statement { opcode, pieces })
    }

    /// Returns the number of operands.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Checks the number of operands.
    pub(super) fn count(&self, expected: usize) -> Result<(), ParseFault> {
        let given = self.pieces.len();
        if given == expected {
            Ok(())
        } else {
            Err(ParseFault::Operands { opcode: self.opcode.whole(), given, expected })
        }
    }

    fn piece(&self, at: usize) -> Result<&Piece, ParseFault> {
        let missing = || ParseFault::Operands { opcode: self.opcode.whole(), given: self.len(), expected: at + 1 };
        self.pieces.get(at).ok_or_else(missing)
    }

    fn missing(&self, expected: &'static str) -> ParseFault {
        ParseFault::Missing { opcode: self.opcode.whole(), expected }
    }

    /// Returns a register that takes a result.
    pub(super) fn register(&self, at: usize) -> Result<Register, ParseFault> {
        match self.piece(at)? {
            Piece::Value(Operand::Register(register)) => Ok(*register),
            _ => Err(self.missing("a register for its result")),
        }
    }

    /// Returns the registers of `a|b`; the second is `None` if there is only one.
    pub(super) fn two(&self, at: usize) -> Result<(Option<Register>, Option<Register>), ParseFault> {
        match self.piece(at)? {
            Piece::Two(first, second) => Ok((*first, *second)),
            Piece::Sink => Ok((None, None)),
            _ => Ok((Some(self.register(at)?), None)),
        }
    }

    /// Returns the registers of a vector of `count`, or of one.
    pub(super) fn registers(&self, at: usize, count: usize) -> Result<Vec<Option<Register>>, ParseFault> {
        let pieces = match self.piece(at)? {
            Piece::Vector(pieces) => pieces.clone(),
            Piece::Sink => vec![None],
            _ => vec![Some(Operand::Register(self.register(at)?))],
        };
        let register = |piece: Option<Operand>| match piece {
            None => Ok(None),
            Some(Operand::Register(register)) => Ok(Some(register)),
            Some(_) => Err(self.missing("registers for its results")),
        };
        let registers = pieces.into_iter().map(register).collect::<Result<Vec<_>, _>>()?;
        if registers.len() == count {
            Ok(registers)
        } else {
            Err(self.missing("as many registers as its vector has parts"))
        }
    }

    /// Returns a value.
    pub(super) fn value(&self, at: usize) -> Result<Operand, ParseFault> {
        match self.piece(at)? {
            Piece::Value(value) => Ok(*value),
            _ => Err(self.missing("a value as its operand")),
        }
    }

    /// Returns the values from an index on, as many as are left.
    pub(super) fn values(&self, from: usize) -> Result<Vec<Operand>, ParseFault> {
        (from..self.len()).map(|at| self.value(at)).collect()
    }

    /// Returns the values of a vector of `count`, or one.
    pub(super) fn parts(&self, at: usize, count: usize) -> Result<Vec<Operand>, ParseFault> {
        let parts = match self.piece(at)? {
            Piece::Vector(parts) => parts.iter().copied().collect::<Option<Vec<_>>>().unwrap_or_default(),
            _ => vec![self.value(at)?],
        };
        if parts.len() == count { Ok(parts) } else { Err(self.missing("as many values as its vector has parts")) }
    }

    /// Returns the number of parts of a vector; none for other operands.
    pub(super) fn vector_len(&self, at: usize) -> Option<usize> {
        match self.pieces.get(at) {
            Some(Piece::Vector(parts)) => Some(parts.len()),
            _ => None,
        }
    }

    /// Returns an address.
    pub(super) fn address(&self, at: usize) -> Result<Address, ParseFault> {
        match self.piece(at)? {
            Piece::Address(address) => Ok(*address),
            _ => Err(self.missing("an address in brackets")),
        }
    }

    /// Returns the instruction that computes a function of all operands but the first; the first takes the result.
    pub(super) fn compute(&self, alu: Alu, operands: usize) -> Result<Op, ParseFault> {
        self.count(operands + 1)?;
        Ok(Op::Compute { alu, to: self.register(0)?, from: self.values(1)? })
    }
}

fn piece<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Piece, ParseError> {
    if cursor.takes('[') {
        return address(body, cursor).map(Piece::Address);
    }
    if cursor.takes('{') {
        let mut parts = vec![part(body, cursor)?];
        while cursor.takes(',') {
            parts.push(part(body, cursor)?);
        }
        cursor.mark('}', "`}` after the parts of a vector")?;
        return Ok(Piece::Vector(parts));
    }
    if cursor.takes('!') {
        return Ok(Piece::Value(Operand::Not(register(body, cursor)?)));
    }
    let first = part(body, cursor)?;
    if cursor.takes('|') {
        let second = part(body, cursor)?;
        return match (as_register(first), as_register(second)) {
            (Some(first), Some(second)) => Ok(Piece::Two(first, second)),
            _ => Err(cursor.unexpected("registers for two results")),
        };
    }
    Ok(first.map_or(Piece::Sink, Piece::Value))
}

/// Returns a register, none for a sink, and nothing for other values.
#[allow(clippy::option_option, reason = "a sink is a result that nobody wants, and no fault")]
fn as_register(part: Option<Operand>) -> Option<Option<Register>> {
    match part {
        None => Some(None),
        Some(Operand::Register(register)) => Some(Some(register)),
        Some(_) => None,
    }
}

/// Reads a value, or `_`.
fn part<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Option<Operand>, ParseError> {
    if cursor.takes_word("_") { Ok(None) } else { value(body, cursor).map(Some) }
}

/// Reads `a+4]`, `a+-4]` or `a]`.
fn address<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Address, ParseError> {
    let base = value(body, cursor)?;
    let offset = offset(cursor)?;
    cursor.mark(']', "`]` after an address")?;
    Ok(Address { base, offset })
}

/// Reads the offset that is added to an address; 0 if there is none.
fn offset(cursor: &mut Cursor<'_, '_>) -> Result<i64, ParseError> {
    let is_there = cursor.takes('+') || cursor.peek() == Some(LexemeKind::Mark('-'));
    if is_there { Ok(cursor.signed_number("a number that is added")?.cast_signed()) } else { Ok(0) }
}

/// Reads a number, a register or a variable.
fn value<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Operand, ParseError> {
    if matches!(cursor.peek(), Some(LexemeKind::Number(_) | LexemeKind::Mark('-'))) {
        return cursor.signed_number("a number").map(Operand::Immediate);
    }
    let error = cursor.unexpected("a value");
    let name = cursor.word("a value")?;
    if name == "WARP_SZ" {
        return Ok(Operand::Immediate(32));
    }
    if let Some(special) = special(name) {
        return Ok(Operand::Special(special));
    }
    match body.reader.names.find(name) {
        Some(Named::Register(register)) => Ok(Operand::Register(register)),
        Some(Named::Address(address)) => Ok(Operand::Immediate(address)),
        Some(Named::OpenShared) => Ok(Operand::OpenShared),
        Some(Named::Local(offset)) => Ok(Operand::Local(offset)),
        Some(Named::Parameter(slot)) => Ok(Operand::Immediate(slot.offset.into())),
        None => {
            let fault = ParseFault::Unknown { name: name.to_owned(), kind: "register or variable" };
            Err(ParseError::new(error.line, fault))
        }
    }
}

/// Reads a register.
pub(super) fn register<'t>(body: &Body<'_, 't>, cursor: &mut Cursor<'_, 't>) -> Result<Register, ParseError> {
    let error = cursor.unexpected("a register");
    match value(body, cursor)? {
        Operand::Register(register) => Ok(register),
        _ => Err(error),
    }
}

fn special(name: &str) -> Option<Special> {
    let axis = |rest: &str| ["x", "y", "z"].iter().position(|axis| *axis == rest).and_then(|at| u8::try_from(at).ok());
    if let Some((base, rest)) = name.split_once('.') {
        let axis = axis(rest)?;
        return match base {
            "%tid" => Some(Special::Thread(axis)),
            "%ntid" => Some(Special::BlockSize(axis)),
            "%ctaid" => Some(Special::Block(axis)),
            "%nctaid" => Some(Special::GridSize(axis)),
            _ => None,
        };
    }
    match name {
        "%laneid" => Some(Special::Lane),
        "%warpid" => Some(Special::Warp),
        "%nwarpid" => Some(Special::Warps),
        "%lanemask_eq" => Some(Special::MaskEqual),
        "%lanemask_lt" => Some(Special::MaskLess),
        "%lanemask_le" => Some(Special::MaskLessOrEqual),
        "%lanemask_gt" => Some(Special::MaskGreater),
        "%lanemask_ge" => Some(Special::MaskGreaterOrEqual),
        _ => None,
    }
}
