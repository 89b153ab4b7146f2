//! Signs of other notations that the lexer of ISO 14977 reports and reads over: comments and defining signs.

use super::iso_lex::Iso;
use crate::code::Code;
use crate::notation::comments::OwnComments;
use crate::notation::define::OwnDefinition;
use crate::notation::lexer::Lexer;
use crate::span::part;

const COMMENTS: OwnComments =
    OwnComments { code: Code::EbnfMixedStyles, notation: "ISO EBNF", way_out: "a comment is `(* ... *)`" };

const DEFINITION: OwnDefinition = OwnDefinition { code: Code::ExpectedRule, notation: "ISO EBNF", sign: "=" };

/// A rule of the W3C's EBNF in a file of ISO 14977.
const W3C_DEFINITION: OwnDefinition = OwnDefinition { code: Code::EbnfMixedStyles, ..DEFINITION };

impl Lexer<'_, '_, Iso> {
    /// Skips a comment of another notation, if one begins here.
    pub(super) fn skip_other_comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let sign = if rest.starts_with("/*") || rest.starts_with("--") {
            part(rest, ..2)
        } else if rest.starts_with('#') {
            "#"
        // Inside a rule, `//` is an empty alternative.
        } else if rest.starts_with("//") && self.is_between_rules() {
            "//"
        } else {
            return false;
        };
        self.skip_foreign_comment(sign, &COMMENTS);
        true
    }

    /// Returns whether a rule has ended before the cursor, or none has begun.
    fn is_between_rules(&self) -> bool {
        let before = part(self.cursor.text(), ..self.cursor.offset()).trim_end();
        before.is_empty() || before.ends_with([';', '.']) || before.ends_with("*)")
    }

    /// Reads the defining sign after a rule name at the start of a line, also that of another notation.
    pub(super) fn define(&mut self) -> bool {
        let rest = self.cursor.rest();
        if !self.begins_definition() || rest.starts_with(":)") {
            return false;
        }
        let is_name = self.cursor.line_before().is_some_and(|line| {
            let name = line.rsplit(';').next().unwrap_or_default().trim();
            name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ' '))
        });
        if is_name {
            self.eat_definition(if rest.starts_with("::=") { &W3C_DEFINITION } else { &DEFINITION });
        }
        is_name
    }
}
