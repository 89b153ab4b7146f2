//! Errors of a text.

/// The reason why a text cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseFault {
    /// A character that begins no lexeme.
    #[error("the character {0:?} begins nothing; PTX is ASCII")]
    Character(char),
    /// A comment or a string has no end.
    #[error("{0} that begins here never ends; close it")]
    Unclosed(&'static str),
    /// Something else is expected here.
    #[error("found {found:?} where {expected} should stand")]
    Unexpected {
        /// The text that was found.
        found: String,
        /// The expected text.
        expected: &'static str,
    },
    /// The text ends too early.
    #[error("the text ends where {0} should stand; is it cut off?")]
    End(&'static str),
    /// A number does not fit 64 bits, or has other digits.
    #[error("{0:?} is no number of at most 64 bits")]
    Number(String),
    /// A name that was not declared.
    #[error("{name:?} is no {kind} that is declared here; declare it before its use")]
    Unknown {
        /// The name.
        name: String,
        /// The kind of thing that it should name.
        kind: &'static str,
    },
    /// A name that was declared twice.
    #[error("{0:?} is declared twice; rename one")]
    Twice(String),
    /// A directive that the interpreter does not support.
    #[error("the directive {0:?} is not interpreted; compile without it, or teach it to tests/ptx/src/text")]
    Directive(String),
    /// An instruction that the interpreter does not support.
    #[error(
        "the instruction {0:?} is not interpreted; write the kernel without it, or teach it to tests/ptx/src/text/instruction"
    )]
    Instruction(String),
    /// A part of an instruction's name that the interpreter does not support.
    #[error(
        "{part:?} in {opcode:?} is not interpreted; write the kernel without it, or teach it to tests/ptx/src/text/instruction"
    )]
    Part {
        /// The whole name.
        opcode: String,
        /// The part of it.
        part: String,
    },
    /// An instruction's name lacks a part.
    #[error("{opcode:?} lacks {expected}")]
    Missing {
        /// The name.
        opcode: String,
        /// The expected part.
        expected: &'static str,
    },
    /// An instruction has too few or too many operands.
    #[error("{opcode:?} has {given} operands and takes {expected}")]
    Operands {
        /// The instruction.
        opcode: String,
        /// The number of operands.
        given: usize,
        /// The expected number.
        expected: usize,
    },
    /// Something is larger than the interpreter allows.
    #[error("{what} is {given}; the interpreter allows {limit}")]
    Limit {
        /// The thing that is too large.
        what: &'static str,
        /// Its size.
        given: u64,
        /// The maximum size.
        limit: u64,
    },
}

/// An error of a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}\n  {text}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
    /// The error.
    pub fault: ParseFault,
}

/// Cap on the characters of a line that an error shows.
const SHOWN: usize = 200;

impl ParseError {
    /// Returns an error at a line whose text is not known yet.
    pub(super) fn new(line: u32, fault: ParseFault) -> ParseError {
        ParseError { line, text: String::new(), fault }
    }

    /// Returns the error with the text of its line.
    pub(super) fn with_text(mut self, text: &str) -> ParseError {
        let line = text.lines().nth(self.line.saturating_sub(1) as usize).unwrap_or_default();
        self.text = line.trim().chars().take(SHOWN).collect();
        self
    }
}
