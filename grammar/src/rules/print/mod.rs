//! Printers of rule trees.

mod character;
mod error;
mod gbnf;
mod lark;
mod names;
mod printer;
mod regex;

pub use error::PrintError;
pub(crate) use gbnf::is_gbnf_name_char;
pub use gbnf::print;
pub use lark::print_lark;
pub use regex::print_regex;
