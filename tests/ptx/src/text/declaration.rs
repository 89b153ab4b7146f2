//! Declarations of variables and parameters: an alignment, a type, a name, perhaps a length and bytes.

use super::cursor::Cursor;
use super::error::{ParseError, ParseFault};
use super::lexer::LexemeKind;
use super::opcode::data_type;
use crate::ir::{DataType, ParameterSlot};

/// Cap on the bytes of the parameters of one function, including the parameters of its calls.
const MOST_PARAMETER_BYTES: u64 = 64 << 10;

/// A variable that was declared, without an address.
#[derive(Clone, Debug)]
pub(super) struct Declared<'t> {
    pub(super) name: &'t str,
    pub(super) align: u64,
    /// The number of bytes of an element.
    pub(super) element: u32,
    /// The number of all bytes; 0 if the length is left open.
    pub(super) size: u64,
}

/// Reads `.align 4 .b8 name[16]`, after the directive of the space.
pub(super) fn variable<'t>(cursor: &mut Cursor<'_, 't>) -> Result<Declared<'t>, ParseError> {
    let mut align = if cursor.takes_word(".align") { Some(alignment(cursor)?) } else { None };
    let element = type_directive(cursor)?.width().bytes();
    // Attributes of the memory behind a pointer are a promise to the compiler; accesses are checked when they happen.
    if cursor.takes_word(".ptr") {
        for space in [".global", ".shared", ".const", ".local"] {
            cursor.takes_word(space);
        }
        if cursor.takes_word(".align") {
            alignment(cursor)?;
        }
    }
    if align.is_none() && cursor.takes_word(".align") {
        align = Some(alignment(cursor)?);
    }
    let name = cursor.word("the name of a variable")?;
    let count = if cursor.takes('[') { length(cursor)? } else { 1 };
    let size = u64::from(element).checked_mul(count);
    let size =
        size.ok_or_else(|| cursor.error(ParseFault::Limit { what: "a length", given: count, limit: 1 << 32 }))?;
    Ok(Declared { name, align: align.unwrap_or(u64::from(element)), element, size })
}

fn alignment(cursor: &mut Cursor<'_, '_>) -> Result<u64, ParseError> {
    let align = cursor.number("an alignment")?;
    if align.is_power_of_two() && align <= 1 << 12 {
        Ok(align)
    } else {
        Err(cursor.error(ParseFault::Limit { what: "an alignment (a power of two)", given: align, limit: 1 << 12 }))
    }
}

/// Reads `16]`, or `]` for a length that is left open.
fn length(cursor: &mut Cursor<'_, '_>) -> Result<u64, ParseError> {
    if cursor.takes(']') {
        return Ok(0);
    }
    let length = cursor.number("a length")?;
    cursor.mark(']', "`]` after a length")?;
    Ok(length)
}

/// Reads a type with its dot.
pub(super) fn type_directive(cursor: &mut Cursor<'_, '_>) -> Result<DataType, ParseError> {
    let Some(LexemeKind::Word(word)) = cursor.peek() else { return Err(cursor.unexpected("a type")) };
    let ty = word.strip_prefix('.').and_then(data_type);
    let ty = ty.ok_or_else(|| cursor.unexpected("a type"))?;
    cursor.advance();
    Ok(ty)
}

/// Reads `= 5` or `= {1, 2}`, and returns the variable's bytes; zeros if there is no value.
pub(super) fn initial_bytes(cursor: &mut Cursor<'_, '_>, declared: &Declared<'_>) -> Result<Vec<u8>, ParseError> {
    let mut bytes = Vec::new();
    if cursor.takes('=') {
        let is_list = cursor.takes('{');
        loop {
            let number = cursor.signed_number("a number that the variable begins with")?;
            bytes.extend(&number.to_le_bytes()[..declared.element as usize]);
            if !is_list || !cursor.takes(',') {
                break;
            }
        }
        if is_list {
            cursor.mark('}', "`}` after the numbers of a variable")?;
        }
    }
    let given = bytes.len() as u64;
    if given > declared.size {
        let what = "the bytes that a variable begins with";
        return Err(cursor.error(ParseFault::Limit { what, given, limit: declared.size }));
    }
    bytes.resize(declared.size as usize, 0);
    Ok(bytes)
}

/// Gives a parameter the next place in the parameters of a function.
pub(super) fn place_parameter(
    cursor: &Cursor<'_, '_>,
    used: &mut u32,
    declared: &Declared<'_>,
) -> Result<ParameterSlot, ParseError> {
    let offset = u64::from(*used).next_multiple_of(declared.align.max(16));
    let end = offset.saturating_add(declared.size);
    match (u32::try_from(offset), u32::try_from(declared.size), u32::try_from(end)) {
        (Ok(offset), Ok(size), Ok(end)) if u64::from(end) <= MOST_PARAMETER_BYTES => {
            *used = end;
            Ok(ParameterSlot { offset, size })
        }
        _ => Err(cursor.error(ParseFault::Limit {
            what: "the size of parameters in bytes",
            given: end,
            limit: MOST_PARAMETER_BYTES,
        })),
    }
}
