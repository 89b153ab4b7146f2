//! Reads PTX text.
//!
//! # Steps
//! `lexer` splits the text into lexemes; `module` reads directives and heads of functions, and `reader` keeps the state
//! of reading, with the names that are in scope (`names`); `statement` reads the statements of a function, whose `body`
//! grows; `instruction` makes an [`Op`](crate::ir::Op) of a statement that is neither declaration nor label; at the end
//! of a function, `flow` finds where its branches meet.

mod body;
mod cursor;
mod declaration;
mod error;
mod instruction;
mod lexer;
mod module;
mod names;
mod opcode;
mod reader;
mod statement;

pub use error::{ParseError, ParseFault};

use crate::ir::Module;

/// Reads a module.
///
/// ```
/// let error = ogc_ptx::parse(".version 9.0\n.target sm_80\n.address_size 64\n.entry f() { frobnicate.b32 1; }").unwrap_err();
/// assert_eq!(error.line, 4);
/// assert!(error.to_string().contains("frobnicate.b32"));
/// ```
///
/// # Errors
/// The text is not PTX, or has a part that the interpreter does not support; the error gives the place and a way to fix
/// it.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let read = lexer::lex(text).and_then(|lexemes| module::read(&lexemes));
    read.map_err(|error| error.with_text(text))
}
