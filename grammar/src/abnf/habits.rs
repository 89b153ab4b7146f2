//! Signs of other notations that the lexer of ABNF reports and reads over: comments and defining signs.

use super::lex::{Abnf, is_name_char};
use crate::code::Code;
use crate::notation::comments::OwnComments;
use crate::notation::define::OwnDefinition;
use crate::notation::lexer::Lexer;
use crate::span::part;

const COMMENTS: OwnComments =
    OwnComments { code: Code::AbnfSign, notation: "ABNF", way_out: "comments begin with `;`, and end with their line" };

const DEFINITION: OwnDefinition = OwnDefinition { code: Code::ExpectedRule, notation: "ABNF", sign: "=" };

impl Lexer<'_, '_, Abnf> {
    /// Skips a comment of another notation, if one begins here.
    pub(super) fn skip_other_comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let begins = |sign: &str| rest.strip_prefix(sign).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        let sign = if rest.starts_with("//") || rest.starts_with("--") {
            part(rest, ..2)
        // `/*x` is an alternative, and `(*x)` a group.
        } else if begins("/*") || rest.starts_with("/**") {
            "/*"
        } else if begins("(*") {
            "(*"
        // `#x` is a list of HTTP's documents.
        } else if begins("#") && self.is_spaced() || rest.starts_with('#') && self.cursor.line_before() == Some("") {
            "#"
        } else {
            return false;
        };
        self.skip_foreign_comment(sign, &COMMENTS);
        true
    }

    /// Reads the defining sign of another notation after a rule name at the start of a line; leaves ABNF's own signs to
    /// the caller.
    pub(super) fn other_definition(&mut self) -> bool {
        let rest = self.cursor.rest();
        let is_own = rest.starts_with("=/") || self.written_definition() == "=";
        let is_other = !is_own && self.begins_definition() && self.defined_name(is_name_char);
        if is_other {
            self.eat_definition(&DEFINITION);
        }
        is_other
    }
}
