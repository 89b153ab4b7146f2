//! The name of an instruction, part by part. A part that is never taken is an error, so that no part is ignored by
//! accident.

use super::error::ParseFault;
use crate::ir::{DataType, Format, IntegerType, Width};

/// The parts of an instruction's name that have not been taken yet.
#[derive(Clone, Debug)]
pub(super) struct Opcode<'t> {
    whole: &'t str,
    name: &'t str,
    parts: Vec<&'t str>,
}

impl<'t> Opcode<'t> {
    pub(super) fn new(whole: &'t str) -> Opcode<'t> {
        let mut parts = whole.split('.');
        let name = parts.next().unwrap_or_default();
        Opcode { whole, name, parts: parts.collect() }
    }

    /// Returns the first part, such as `add`.
    pub(super) fn name(&self) -> &'t str {
        self.name
    }

    /// Returns the whole name.
    pub(super) fn whole(&self) -> String {
        self.whole.to_owned()
    }

    /// Takes a part at any position; returns whether it was there.
    pub(super) fn takes(&mut self, part: &str) -> bool {
        let at = self.parts.iter().position(|other| *other == part);
        if let Some(at) = at {
            self.parts.remove(at);
        }
        at.is_some()
    }

    /// Takes the first of some parts that is there, and returns its value.
    pub(super) fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Option<T> {
        choices.iter().find(|(part, _)| self.takes(part)).map(|(_, choice)| *choice)
    }

    /// Takes one of some parts.
    pub(super) fn needs<T: Copy>(&mut self, expected: &'static str, choices: &[(&str, T)]) -> Result<T, ParseFault> {
        self.choice(choices).ok_or_else(|| ParseFault::Missing { opcode: self.whole(), expected })
    }

    /// Takes the last part, a type.
    pub(super) fn ty(&mut self) -> Result<DataType, ParseFault> {
        let last = self.parts.pop();
        let last = last.ok_or_else(|| ParseFault::Missing { opcode: self.whole(), expected: "a type" })?;
        data_type(last).ok_or_else(|| ParseFault::Part { opcode: self.whole(), part: last.to_owned() })
    }

    /// Takes all parts for which a test is true.
    pub(super) fn drop_all(&mut self, is_dropped: impl Fn(&str) -> bool) {
        self.parts.retain(|part| !is_dropped(part));
    }

    /// Checks that all parts were taken.
    pub(super) fn finish(&self) -> Result<(), ParseFault> {
        match self.parts.first() {
            None => Ok(()),
            Some(part) => Err(ParseFault::Part { opcode: self.whole(), part: (*part).to_owned() }),
        }
    }

    /// Returns the error that the interpreter does not support this instruction.
    pub(super) fn unsupported(&self) -> ParseFault {
        ParseFault::Instruction(self.whole())
    }
}

/// Returns the type of a name without its dot.
pub(super) fn data_type(name: &str) -> Option<DataType> {
    let integer = |signed, width| Some(DataType::Integer(IntegerType { signed, width }));
    match name {
        "pred" => Some(DataType::Predicate),
        "b8" | "u8" => integer(false, Width::Byte),
        "b16" | "u16" => integer(false, Width::Half),
        "b32" | "u32" => integer(false, Width::Word),
        "b64" | "u64" => integer(false, Width::Double),
        "s8" => integer(true, Width::Byte),
        "s16" => integer(true, Width::Half),
        "s32" => integer(true, Width::Word),
        "s64" => integer(true, Width::Double),
        "f16" => Some(DataType::Float(Format::F16)),
        "bf16" => Some(DataType::Float(Format::Bf16)),
        "f32" => Some(DataType::Float(Format::F32)),
        "f64" => Some(DataType::Float(Format::F64)),
        "f16x2" => Some(DataType::Pair(Format::F16)),
        "bf16x2" => Some(DataType::Pair(Format::Bf16)),
        _ => None,
    }
}
