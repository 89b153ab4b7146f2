//! Reads the statements of a function's body: declarations, labels, scopes, instructions.

use super::body::Body;
use super::cursor::Cursor;
use super::declaration::{place_parameter, type_directive, variable};
use super::error::{ParseError, ParseFault};
use super::instruction;
use super::lexer::LexemeKind;
use super::names::Named;
use super::reader::{Reader, VariablePlace};
use crate::ir::{Function, Instruction, Op, Register};

/// Caps on the registers and on the bytes of local memory of a function.
const MOST_REGISTERS: u64 = 16 << 10;
const MOST_LOCAL: u64 = 64 << 10;

/// Reads a body after its `{`, up to its `}`.
pub(super) fn read<'t>(
    reader: &mut Reader<'t>,
    cursor: &mut Cursor<'_, 't>,
    function: &mut Function,
) -> Result<(), ParseError> {
    reader.names.tables.clear();
    let mut body = Body::new(reader, function);
    let mut open = 1;
    while open > 0 {
        if cursor.takes('{') {
            body.reader.names.open();
            open += 1;
        } else if cursor.takes('}') {
            open -= 1;
            if open > 0 {
                body.reader.names.close();
            }
        } else {
            body.statement(cursor)?;
        }
    }
    let line = cursor.line();
    body.push(Instruction { line, guard: None, op: Op::Return }).map_err(|fault| ParseError::new(line, fault))?;
    body.link()
}

impl<'t> Body<'_, 't> {
    fn statement(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        if let (Some(LexemeKind::Word(word)), Some(LexemeKind::Mark(':'))) = (cursor.peek(), cursor.peek_second()) {
            return self.labelled(cursor, word);
        }
        match cursor.peek() {
            Some(LexemeKind::Word(directive)) if directive.starts_with('.') => self.directive(cursor, directive),
            Some(LexemeKind::Word(_) | LexemeKind::Mark('@')) => {
                let instruction = instruction::read(self, cursor)?;
                let line = instruction.line;
                self.push(instruction).map_err(|fault| ParseError::new(line, fault))
            }
            _ => Err(cursor.unexpected("an instruction")),
        }
    }

    /// Reads `name:`, or `name: .branchtargets a, b;`.
    fn labelled(&mut self, cursor: &mut Cursor<'_, 't>, name: &'t str) -> Result<(), ParseError> {
        let twice = cursor.error(ParseFault::Twice(name.to_owned()));
        cursor.advance();
        cursor.advance();
        if cursor.takes_word(".branchtargets") {
            let mut targets = vec![cursor.word("a label")?];
            while cursor.takes(',') {
                targets.push(cursor.word("a label")?);
            }
            self.reader.names.tables.insert(name, targets);
            return cursor.mark(';', "`;` after labels");
        }
        if self.label(name) { Ok(()) } else { Err(twice) }
    }

    fn directive(&mut self, cursor: &mut Cursor<'_, 't>, directive: &str) -> Result<(), ParseError> {
        match directive {
            ".reg" => self.registers(cursor),
            ".param" => self.call_parameter(cursor),
            ".local" => self.local(cursor),
            ".shared" => {
                cursor.advance();
                self.reader.variable(cursor, VariablePlace::Shared, false)
            }
            // Advice on unrolling loops.
            ".pragma" => {
                cursor.advance();
                while matches!(cursor.peek(), Some(LexemeKind::Text(_) | LexemeKind::Mark(','))) {
                    cursor.advance();
                }
                cursor.mark(';', "`;` after a pragma")
            }
            other => Err(cursor.error(ParseFault::Directive(other.to_owned()))),
        }
    }

    /// Reads `.reg .b32 %r<9>;` or `.reg .b32 %a, %b;`.
    fn registers(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        cursor.advance();
        let width = type_directive(cursor)?.width();
        loop {
            let name = cursor.word("the name of a register")?;
            let count = if cursor.takes('<') {
                let count = cursor.number("how many registers there are")?;
                cursor.mark('>', "`>` after the number of registers")?;
                Some(count)
            } else {
                None
            };
            let given = u64::from(self.function.registers).saturating_add(count.unwrap_or(1));
            if given > MOST_REGISTERS {
                let what = "the number of registers of a function";
                return Err(cursor.error(ParseFault::Limit { what, given, limit: MOST_REGISTERS }));
            }
            for at in 0..count.unwrap_or(1) {
                let register = Register { index: self.function.registers, width };
                self.function.registers += 1;
                let name = if count.is_some() { format!("{name}{at}") } else { name.to_owned() };
                self.reader.name(cursor, &name, Named::Register(register))?;
            }
            if !cursor.takes(',') {
                return cursor.mark(';', "`;` after registers");
            }
        }
    }

    /// Reads `.param .b32 param0;`: room for an argument or a result of a call.
    fn call_parameter(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        cursor.advance();
        let declared = variable(cursor)?;
        let slot = place_parameter(cursor, &mut self.function.parameter_bytes, &declared)?;
        self.reader.name(cursor, declared.name, Named::Parameter(slot))?;
        cursor.mark(';', "`;` after a parameter")
    }

    fn local(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        cursor.advance();
        let declared = variable(cursor)?;
        let offset = u64::from(self.function.local_bytes).next_multiple_of(declared.align.max(16));
        let end = offset.saturating_add(declared.size);
        let (Ok(at), Ok(size), true) = (u32::try_from(offset), u32::try_from(end), end <= MOST_LOCAL) else {
            let what = "the local memory of a function in bytes";
            return Err(cursor.error(ParseFault::Limit { what, given: end, limit: MOST_LOCAL }));
        };
        self.function.local_bytes = size;
        self.reader.name(cursor, declared.name, Named::Local(at))?;
        cursor.mark(';', "`;` after a variable")
    }
}
