//! Prints trees that have no source text: imports shown as ogc, edits by tools, round trips in tests.
//!
//! The text is written on as few lines as comments allow and then laid out by [`super::format()`]. Parentheses are put
//! where the precedences need them, so a tree that was built by hand reads back unchanged except for these parentheses.
//! Error nodes have no text; they become the name `error`.

mod expr;
mod item;
mod parts;

use super::ast::{Expr, File, Item};
use super::format::format;

/// Returns the text of a file.
///
/// ```
/// use ogc_grammar::ogc;
/// let file = ogc::parse("type A={name:string,age?:int<0..150>}").file;
/// assert_eq!(ogc::print(&file), "type A = { name: string, age?: int<0..150> }\n");
/// ```
#[must_use]
pub fn print(file: &File) -> String {
    let mut out = String::new();
    for (index, item) in file.items.iter().enumerate() {
        let documented = !item.docs.is_empty() && index > 0;
        out.push_str(if documented { "\n" } else { "" });
        item::item(item, &mut out);
        out.push('\n');
    }
    format(&out)
}

/// Returns the text of one item, without a line end after it.
#[must_use]
pub fn print_item(item: &Item) -> String {
    let mut out = String::new();
    item::item(item, &mut out);
    format(&out).trim_end().to_owned()
}

/// Returns the text of an expression on one line, for messages and hovers. Doc comments in it are left out.
#[must_use]
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    expr::Printer { docs: false }.expr(expr, expr::Level::Union, &mut out);
    out
}
