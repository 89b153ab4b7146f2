//! The rule tree, into which GBNF, both EBNF dialects, ABNF and Lark are read: rules of characters, names and operators, with
//! spans.
//!
//! The tree is notation, not meaning: names are not resolved (see [`check()`]), and nothing is simplified except groups
//! without effect.

mod check;
mod flags;
mod names;
mod nearest;
mod print;
#[cfg(test)]
mod tests;
mod token;
mod tree;
mod words;

pub(crate) use check::{Signs, check_written, extend_unless_empty};
pub use check::{Start, check};
pub(crate) use flags::case_flags;
pub use names::{RuleName, RuleNameKind};
pub(crate) use nearest::nearest;
pub(crate) use print::is_gbnf_name_char;
pub use print::{PrintError, print, print_lark, print_regex};
#[cfg(test)]
pub(crate) use tests::shape;
pub use token::{TokenSet, VocabularyToken};
pub use tree::{CapturedPart, Expr, ExprKind, Grammar, Rule, TextLength};
