//! Signs of other notations that the lexer of GBNF reports and reads over: comments, defining signs, names in angle brackets,
//! classes in classes.

use super::lex::Gbnf;
use crate::Code;
use crate::doubts::{inner_class, plain_class};
use crate::notation::comments::OwnComments;
use crate::notation::cursor::is_newline;
use crate::notation::define::OwnDefinition;
use crate::notation::lexeme::Token;
use crate::notation::lexer::Lexer;
use crate::rules::is_gbnf_name_char;
use crate::span::part;

const COMMENTS: OwnComments = OwnComments {
    code: Code::UnexpectedCharacter,
    notation: "GBNF",
    way_out: "comments begin with `#`, and end with their line",
};

const DEFINITION: OwnDefinition = OwnDefinition { code: Code::ExpectedRule, notation: "GBNF", sign: "::=" };

impl<const ALL_DIGITS: bool> Lexer<'_, '_, Gbnf<ALL_DIGITS>> {
    /// Skips a comment of another notation, if one begins here.
    pub(super) fn skip_other_comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let sign = if rest.starts_with("/*") || rest.starts_with("//") {
            part(rest, ..2)
        } else if rest.starts_with("(*") && self.is_parenthesised_comment() {
            "(*"
        } else if rest.starts_with(';') && self.has_words_behind(";", &["::="]) {
            ";"
        } else if rest.starts_with("--") && self.is_hyphen_comment() {
            "--"
        } else {
            return false;
        };
        self.skip_foreign_comment(sign, &COMMENTS);
        true
    }

    /// Returns whether hyphens with white space around begin a comment here, and are no name.
    fn is_hyphen_comment(&mut self) -> bool {
        let behind = self.cursor.rest().trim_start_matches('-');
        if !behind.starts_with([' ', '\t']) || !self.is_spaced() || !self.has_words_behind("--", &[]) {
            return false;
        }
        let text = self.cursor.text();
        !*self.habits.defines_hyphens.get_or_insert_with(|| defines_hyphens(text))
    }

    /// Reads the defining sign after a rule name, also that of another notation.
    pub(super) fn define(&mut self) -> Option<Token> {
        // `<-` may begin a token of the vocabulary.
        let is_arrow = self.cursor.rest().starts_with("<-");
        if !is_arrow
            && self.begins_definition()
            && self.defined_name(|c| is_gbnf_name_char(c) || matches!(c, '<' | '>'))
        {
            self.eat_definition(&DEFINITION);
            return Some(Token::Define);
        }
        self.cursor.eat("::=").then_some(Token::Define)
    }

    /// Reads a rule name that is written in angle brackets, as in `<name> ::=`.
    pub(super) fn bracketed_name(&mut self) -> Option<Token> {
        let (start, rest) = (self.cursor.offset(), self.cursor.rest());
        let inside = rest.strip_prefix('<')?;
        let length = inside.find(|c| !is_gbnf_name_char(c)).filter(|length| *length > 0)?;
        let behind = part(inside, length..).strip_prefix('>')?.trim_start_matches([' ', '\t']);
        if !behind.starts_with([':', '=']) || !self.is_line_start() {
            return None;
        }
        let name = part(inside, ..length).to_owned();
        self.cursor.seek(start + length + 2);
        if !self.sink.has(Code::ExpectedRule) {
            let message = format!("the name of a rule stands bare: `{name}`, without angle brackets");
            self.report(Code::ExpectedRule, self.cursor.span_from(start), &message, &format!("write `{name} ::=`"));
        }
        Some(Token::Name(name))
    }

    /// Reads a nested class such as `[[a-z]]` or `[[:alpha:]_]`, which no grammar notation has.
    pub(super) fn class_in_class(&mut self) -> Option<Token> {
        let start = self.cursor.offset();
        let len = inner_class(self.cursor.rest())?;
        let meant = plain_class(part(self.cursor.rest(), ..len));
        self.cursor.seek(start + len);
        let help = format!("write `{meant}`");
        let span = self.cursor.span_from(start);
        Some(self.report(Code::UnexpectedCharacter, span, "a class holds characters and ranges, no other class", &help))
    }
}

/// Returns whether a rule is called by hyphens alone.
fn defines_hyphens(text: &str) -> bool {
    let name = |line: &str| {
        line.trim_start().strip_prefix("--").map(|rest| rest.trim_start_matches('-').trim_start().to_owned())
    };
    text.split(is_newline).filter_map(name).any(|rest| rest.starts_with("::="))
}
