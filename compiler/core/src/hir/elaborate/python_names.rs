//! Warns of names in Python's calls that Python does not read as names: of tools that `pythonic` and `tool_code` call,
//! and of their parameters.

use ogc_grammar::{Code, Diagnostic};
use ogc_regular::pattern::compile_anchored;
use ogc_schema::source::Origin;

use super::Elaborator;
use crate::hir::items::ItemId;
use crate::hir::standard;

/// The template of the standard library that writes a call of Python.
pub(super) const CALL: &str = "python_call";

/// The template of the standard library that writes an argument of such a call.
pub(super) const ARGUMENT: &str = "python_argument";

/// The words that Python reserves.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Cap on the names that a finding lists.
const LISTED: usize = 5;

impl Elaborator<'_> {
    /// Returns whether an item is a template of the standard library with this name.
    pub(super) fn is_standard_template(&self, item: &ItemId, name: &str) -> bool {
        item.key.name == name && standard::text(item.file.name(self.db)).is_some()
    }

    /// Warns of the names that are no identifiers of Python; `what` says whose names they are.
    pub(super) fn check_python_names<'n>(
        &mut self,
        what: &str,
        names: impl Iterator<Item = &'n str>,
        place: impl FnOnce(&mut Self) -> Origin,
    ) {
        let mut wrong: Vec<&str> = names.filter(|name| !is_identifier(name)).collect();
        let count = wrong.len();
        wrong.truncate(LISTED);
        if wrong.is_empty() {
            return;
        }
        let more = if count > LISTED { format!(" and {} more", count - LISTED) } else { String::new() };
        let listed = wrong.join("`, `");
        let message = match count {
            1 => format!("the {what} `{listed}` has a name that Python does not read: it is no identifier"),
            _ => format!("the {what}s `{listed}`{more} have names that Python does not read: they are no identifiers"),
        };
        let help =
            "rename it in the list, write another style such as `std.hermes<tools>`, or read the calls by events";
        let origin = place(self);
        self.findings.add(Diagnostic::warning(Code::PythonName, origin, message).help(help));
    }
}

/// Returns whether Python reads a text as a name.
fn is_identifier(name: &str) -> bool {
    if KEYWORDS.contains(&name) {
        return false;
    }
    let begins = |c: u8| c.is_ascii_alphabetic() || c == b'_';
    if name.is_ascii() {
        return name.bytes().next().is_some_and(begins) && name.bytes().all(|c| begins(c) || c.is_ascii_digit());
    }
    let pattern = compile_anchored(r"[_\p{XID_Start}]\p{XID_Continue}*", &ogc_regular::Limits::default());
    pattern.is_ok_and(|dfa| dfa.contains(name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::is_identifier;

    #[test]
    fn identifiers_are_those_of_python() {
        for name in ["a", "_x9", "größe", "नम्र", "classes"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["", "9a", "get-weather", "a.b", "class", "None", "a b", "x²€"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
