//! The reader of EBNF in its two standard styles (ISO 14977 and W3C) and as GBNF, which many tools call EBNF; gives a rule tree.
//!
//! **W3C** (as in the XML recommendation): `name ::= ...` without terminator, items side by side, `* + ?` after an item,
//! `A - B`, classes `[a-z] [^#x20-#x7E]`, characters `#xN`, literals in either quotes without escapes, `/* ... */`, and `// ...`
//! as the W3C's tools write.
//! Production numbers such as `[12]` before a rule are labels and have no meaning.
//!
//! **ISO 14977**: `name = ... ;`, items joined by `,`, `{ }`, `[ ]`, `( )`, `n * x`, `A - B`, `(* ... *)`; the standard's
//! other signs `/ ! (/ /) (: :) .` are read too. Names may have several words; they are joined by hyphens in the tree.
//!
//! **GBNF**: see [`crate::gbnf`].
//!
//! **The content of a file decides its style** ([`recognise`]): `=` after the first name makes the whole file ISO. With
//! `::=`, constructs that only one of the other two styles has decide. Signs of another style are then errors that name
//! it (`ebnf-mixed-styles`). A text that is valid in both and differs in meaning is an error too (`ebnf-dialect`,
//! `ebnf-backslash`). The start rule is the first rule, in GBNF `root`.

mod iso;
mod iso_habits;
mod iso_lex;
mod names;
mod nullable;
mod quoted;
mod recognise;
#[cfg(test)]
mod tests;
mod w3c_lex;

pub use names::names;

use crate::diagnostic::{Diagnostic, too_long};
use crate::doubts::{PatternSigns, dotted_ranges, named_classes, quoted_patterns, text_marks};
use crate::notation::TEXT_LIMIT;
use crate::notation::cursor::Cursor;
use crate::notation::other::{Guess, other_notation, skip_comments};
use crate::rules::{Grammar, Start, case_flags, check, extend_unless_empty};
use recognise::Reading;

/// The style of an EBNF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `name ::= ...`
    W3c,
    /// `name = ... ;`
    Iso,
    /// `name ::= ...`, with the escapes and comments of llama.cpp.
    Gbnf,
}

/// Reads an EBNF grammar of any style, and checks its names. The first rule is the start, or `root` where the text is GBNF.
///
/// ```
/// let (grammar, found) = ogc_grammar::parse_ebnf("item ::= [^\n]\nroot ::= item+ \"\\n\"\n");
/// assert_eq!((grammar.start.as_deref(), found.len()), (Some("root"), 0));
/// let (_, found) = ogc_grammar::parse_ebnf("item ::= 'a' | \"\\n\"\n");
/// assert_eq!(found[0].code, ogc_grammar::Code::EbnfBackslash);
/// ```
#[must_use]
pub fn parse_ebnf(text: &str) -> (Grammar, Vec<Diagnostic>) {
    parse_ebnf_rooted(text, Start::First)
}

/// Reads an EBNF grammar of any style that begins with the rule `start`, and checks its names.
#[must_use]
pub fn parse_ebnf_rooted(text: &str, start: Start<'_>) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let Reading { grammar, mut diagnostics, open_start, style } = recognise::read(text);
    if diagnostics.iter().any(Diagnostic::is_error)
        && let Some(other) = other_notation(text, style.name(), &[Guess::Bnf, Guess::IsoEbnf])
    {
        return (grammar, vec![other]);
    }
    diagnostics.extend(open_start.filter(|_| start == Start::First));
    extend_unless_empty(&mut diagnostics, &grammar, check(&grammar, start), text);
    let signs = if style == Style::Iso { PatternSigns::Alternatives } else { PatternSigns::Classes };
    case_flags(&mut diagnostics, &grammar, text);
    text_marks(&mut diagnostics, text, signs);
    if style == Style::Iso {
        quoted::classes(&mut diagnostics, text);
    }
    diagnostics.extend(named_classes(&grammar, text));
    diagnostics.extend(dotted_ranges(&grammar, style != Style::Iso));
    diagnostics.extend(quoted_patterns(&grammar, text, signs));
    (grammar, diagnostics)
}

/// Reads EBNF without checking its names.
#[must_use]
pub fn parse(text: &str) -> (Grammar, Vec<Diagnostic>) {
    if let Some(refusal) = too_long(text, TEXT_LIMIT) {
        return (Grammar::default(), vec![refusal]);
    }
    let Reading { grammar, diagnostics, .. } = recognise::read(text);
    (grammar, diagnostics)
}

/// Returns the style of a text.
///
/// ```
/// use ogc_grammar::ebnf::{Style, style};
/// assert_eq!(style("a = 'x';"), Style::Iso);
/// assert_eq!(style("# one\nroot ::= \"x\""), Style::Gbnf);
/// ```
#[must_use]
pub fn style(text: &str) -> Style {
    recognise::read(text).style
}

/// Returns ISO if the first name (after comments and a production number) is followed by `=`, else W3C.
fn first_sign(text: &str) -> Style {
    // `#` begins comments of GBNF, whose rules have no terminator.
    let ends = (text.contains('#') || text.contains("--")) && text.lines().any(|line| line.trim_end().ends_with(';'));
    let line_comments: &[&str] = if ends { &["//", "#", "--"] } else { &["//"] };
    let mut cursor = Cursor::new(text);
    skip_comments(&mut cursor, line_comments);
    if cursor.eat("[") && cursor.take_past("]").is_some() {
        skip_comments(&mut cursor, line_comments);
    }
    loop {
        cursor.take_while(|c| c.is_alphanumeric() || "_-.".contains(c));
        let before = cursor.offset();
        skip_comments(&mut cursor, &["//"]);
        let more = cursor.peek().is_some_and(char::is_alphanumeric);
        if before == cursor.offset() || !more {
            break;
        }
    }
    if cursor.rest().starts_with('=') { Style::Iso } else { Style::W3c }
}
