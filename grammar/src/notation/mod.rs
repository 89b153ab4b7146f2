//! What the rule notations share: a cursor over characters, the lexemes of the notations with postfix operators
//! (GBNF and W3C EBNF), and their parser.

pub(crate) mod cursor;
pub(crate) mod lexeme;
pub(crate) mod parse;
mod recover;

/// How deep groups may nest in any rule notation.
pub(crate) const NESTING_LIMIT: u32 = 200;

/// How many repetition signs may follow one another, as in `a?*`; together with [`NESTING_LIMIT`] it bounds trees.
pub(crate) const STACKED_LIMIT: u32 = 4;

/// How many bytes a grammar's text may have.
pub(crate) const TEXT_LIMIT: usize = 32 << 20;

/// How many tokens a grammar's text may have. Trees take up to 300 bytes for each of them.
pub(crate) const TOKEN_LIMIT: usize = 2_000_000;
