//! Signs of other notations that the lexer of Lark reports and reads over: comments, defining signs, names with hyphens, slashes between
//! alternatives, slashes in regular expressions.

use super::lex::{Lark, is_name_char, regex_len};
use super::lexemes::Token;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::notation::comments::OwnComments;
use crate::notation::define::OwnDefinition;
use crate::notation::lexer::Lexer;
use crate::span::{Span, part};

const COMMENTS: OwnComments = OwnComments {
    code: Code::UnexpectedCharacter,
    notation: "Lark",
    way_out: "comments begin with `//`, and end with their line",
};

const DEFINITION: OwnDefinition = OwnDefinition { code: Code::ExpectedRule, notation: "Lark", sign: ":" };

/// Maximum length in bytes of the text examined after a regular expression.
const LONGEST: usize = 200;

impl Lexer<'_, '_, Lark> {
    /// Skips a comment of another notation, if one begins here.
    pub(super) fn skip_other_comment(&mut self) -> bool {
        let rest = self.cursor.rest();
        let sign = if rest.starts_with("/*") {
            "/*"
        } else if rest.starts_with("--") && !rest.starts_with("-->") {
            "--"
        } else if rest.starts_with("(*") && self.is_parenthesised_comment() {
            "(*"
        } else if rest.starts_with(';') && self.has_words_behind(";", &[":"]) {
            ";"
        } else {
            return false;
        };
        self.skip_foreign_comment(sign, &COMMENTS);
        true
    }

    /// Reads the defining sign after a rule name at the start of a line, also that of another notation.
    pub(super) fn define(&mut self) -> Option<Token> {
        let rest = self.cursor.rest();
        // `::` begins the parameters of a rule, `->` an alias, `<` a token.
        let is_own = rest.starts_with("::") && !rest.starts_with("::=") || rest.starts_with(['-', '<']);
        if is_own || !self.begins_definition() {
            return None;
        }
        let name = self.cursor.line_before()?.trim_end().trim_start_matches(['?', '!']);
        if name.is_empty() || !name.chars().all(is_name_char) {
            return None;
        }
        self.eat_definition(&DEFINITION);
        Some(Token::Sign(':'))
    }

    /// Reads a name, and reports hyphens in it.
    pub(super) fn name(&mut self) -> String {
        let start = self.cursor.offset();
        let is_joined = |rest: &str| rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(is_name_char));
        // The value of an attribute may have hyphens.
        let is_value = part(self.cursor.text(), ..start).ends_with('=');
        let mut name = self.cursor.take_while(is_name_char).to_owned();
        while !is_value && is_joined(self.cursor.rest()) {
            self.cursor.bump();
            name.push('_');
            name.push_str(self.cursor.take_while(is_name_char));
        }
        let span = self.cursor.span_from(start);
        // If one name has it, all have it, so it is reported once.
        if span.text(self.cursor.text()) != name && !self.sink.has(Code::LarkName) {
            self.report(Code::LarkName, span, "names have no hyphens", &format!("write `{name}`, wherever it stands"));
        }
        name
    }

    /// Reads a slash between two alternatives, which separates them in other notations.
    pub(super) fn separating_slash(&mut self) -> Option<Token> {
        let start = self.cursor.offset();
        let rest = self.cursor.rest();
        let before = self.cursor.line_before().unwrap_or_default();
        let follows = before
            .trim_end()
            .ends_with(|c: char| is_name_char(c) || matches!(c, '"' | ')' | ']' | '*' | '+' | '?' | '/'));
        let spaced = before.ends_with([' ', '\t']) && rest.starts_with("/ ");
        if !follows || !spaced || regex_len(rest).is_some() {
            return None;
        }
        self.cursor.bump();
        self.report(
            Code::LarkUnclosed,
            self.cursor.span_from(start),
            "this `/` begins a regular expression that is never closed",
            "alternatives are separated by `|`; a regular expression ends with `/`",
        );
        Some(Token::Sign('|'))
    }

    /// Warns of a regular expression that is probably an item between two slashes that separate alternatives:
    /// `A / "b" / C`.
    pub(super) fn warn_of_separators(&mut self, start: usize, body: &str) {
        let item = body.trim();
        let is_item = item.starts_with('"') && item.len() > 2 && item.ends_with('"')
            || item.len() > 1 && item.starts_with(char::is_alphabetic) && item.chars().all(is_name_char);
        let before = part(self.cursor.text(), ..start).trim_end_matches([' ', '\t']);
        let follows = before.ends_with(|c: char| is_name_char(c) || matches!(c, '"' | ')' | ']' | '*' | '+' | '?'));
        if is_item && follows && body.starts_with(' ') && body.ends_with(' ') {
            let message = "this is a regular expression with spaces in it, and separates no alternatives";
            let found = Diagnostic::warning(Code::DoubtfulPattern, self.cursor.span_from(start), message);
            self.sink.push(found.help(format!("write `| {item} |` for alternatives, `[ ]` for a space that is meant")));
        }
    }

    /// Reads on if a regular expression that began at `start` ends in the middle of what was meant: `/<\/?a></b>/`.
    pub(super) fn unescaped_slash(&mut self, start: usize) -> Option<Token> {
        let slash = self.cursor.offset() - 1;
        let rest = self.cursor.rest();
        let length = rest.char_indices().take(LONGEST + 1).take_while(|(_, c)| !c.is_whitespace());
        let run = part(rest, ..length.last().map_or(0, |(at, c)| at + c.len_utf8()));
        if run.starts_with('/') || run.contains('"') || run.len() > LONGEST {
            return None;
        }
        let mut escaped = false;
        let slashes = run.char_indices().filter(|(_, c)| {
            let is_plain = *c == '/' && !escaped;
            escaped = *c == '\\' && !escaped;
            is_plain
        });
        let places: Vec<usize> = slashes.map(|(at, _)| at).collect();
        let last = *places.last().filter(|_| places.len() % 2 == 1)?;
        // Another regular expression may begin there.
        if regex_len(part(rest, last..)).is_some() {
            return None;
        }
        self.cursor.seek(slash + 1 + last + 1);
        self.cursor.take_while(|c| c.is_ascii_lowercase());
        let whole = part(self.cursor.text(), start + 1..slash + 1 + last).replace("\\/", "/").replace('/', "\\/");
        let place = Span::of(slash, slash + 1);
        let help = format!("write `\\/` for a slash in it: `/{whole}/`");
        Some(self.report(Code::LarkUnclosed, place, "this slash ends the regular expression", &help))
    }
}
