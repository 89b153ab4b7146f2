//! Signs between a rule's name and its meaning, as other notations write them: `:=`, `→`, `: ::=`.

use super::lexer::{Lexer, Notation};
use crate::code::Code;
use crate::span::part;

/// Signs with which some notation defines a rule, longer ones before their beginnings.
const SIGNS: [&str; 16] = ["::=", ":=", "::", "->", "=>", "==", "<-", "=", ":", "→", "⟶", "⇒", "←", "⟵", "≔", "⩴"];

/// The defining sign of a notation, for messages.
pub(crate) struct OwnDefinition {
    pub(crate) code: Code,
    /// Name of the notation.
    pub(crate) notation: &'static str,
    pub(crate) sign: &'static str,
}

impl<N: Notation> Lexer<'_, '_, N> {
    /// Skips the defining signs here (`=`, `::=`, `:`), and reports them if they are not the notation's own. The caller
    /// knows that a rule name stands before them.
    pub(crate) fn eat_definition(&mut self, own: &OwnDefinition) {
        let start = self.cursor.offset();
        let written = signs(self.cursor.rest());
        self.cursor.seek(start + written.len());
        // If one rule has a wrong sign, all have it, so only the first is reported.
        if written == own.sign || self.sink.has(own.code) {
            return;
        }
        let is_repeated = written.split_whitespace().all(|sign| sign == own.sign);
        let (message, help) = if is_repeated {
            (format!("`{}` stands twice", own.sign), format!("write `{}` once", own.sign))
        } else {
            let message = format!(
                "{} writes `{}` between a rule's name and its meaning, not `{written}`",
                own.notation, own.sign
            );
            (message, format!("write `{}`", own.sign))
        };
        self.report(own.code, self.cursor.span_from(start), &message, &help);
    }

    /// Returns the defining signs at the cursor; empty if there are none.
    pub(crate) fn written_definition(&self) -> &str {
        signs(self.cursor.rest())
    }

    /// Returns whether a defining sign of any notation comes next.
    pub(crate) fn begins_definition(&self) -> bool {
        let rest = self.cursor.rest();
        SIGNS.iter().any(|sign| rest.starts_with(sign))
    }

    /// Returns whether the text before the cursor on its line is a name, so that a rule may be defined here.
    pub(crate) fn defined_name(&self, is_name_char: impl Fn(char) -> bool) -> bool {
        let name = self.cursor.line_before().map_or("", str::trim_end);
        !name.is_empty() && name.chars().all(is_name_char)
    }
}

/// Returns the defining signs with which `rest` begins, white space between them included.
fn signs(rest: &str) -> &str {
    let mut len = 0;
    loop {
        let more = part(rest, len..);
        let spaces = if len == 0 { 0 } else { more.len() - more.trim_start_matches([' ', '\t']).len() };
        let next = part(more, spaces..);
        // After the first sign, an arrow may begin an expression.
        let is_next = |sign: &&&str| next.starts_with(**sign) && (len == 0 || sign.starts_with([':', '=']));
        match SIGNS.iter().find(is_next) {
            Some(sign) => len += spaces + sign.len(),
            None => return part(rest, ..len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[test]
    fn signs_are_read_as_one() {
        let cases = [
            ("::= a", "::="),
            (": ::= a", ": ::="),
            (":: = a", ":: ="),
            ("::= ::= a", "::= ::="),
            ("→ a", "→"),
            ("-> -> a", "->"),
            ("=/ a", "="),
            ("a", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(signs(text), expected, "{text}");
        }
    }
}
