//! Detects, by the first definition, that a text is in a different notation than expected. One finding then replaces an
//! error on each line.

use super::cursor::{Cursor, is_newline};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, part};

/// A notation of grammars, as guessed from a first definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    /// `name = %x41 / "b"`
    Abnf,
    /// `<name> ::= <other> | "x"`
    AngleBnf,
    /// `name : other | 'x' ;`
    Antlr,
    /// `name ::= other | "x"`, as in GBNF and in the W3C's EBNF.
    Bnf,
    /// `name = other, "x";`
    IsoEbnf,
    /// `{"type": "object"}`
    Json,
    /// `name: other | "x"`
    Lark,
    /// `name <- other / 'x'`
    Peg,
    /// `%token`, `%%`
    Yacc,
}

impl Guess {
    fn name(self) -> &'static str {
        match self {
            Guess::Abnf => "ABNF",
            Guess::AngleBnf => "BNF with names in angle brackets",
            Guess::Antlr => "ANTLR",
            Guess::Bnf => "GBNF or the W3C's EBNF",
            Guess::IsoEbnf => "the EBNF of ISO 14977",
            Guess::Json => "JSON",
            Guess::Lark => "Lark",
            Guess::Peg => "PEG",
            Guess::Yacc => "yacc",
        }
    }

    fn way_out(self) -> &'static str {
        match self {
            Guess::Abnf => "name it .abnf, or say so: `--language abnf`, in a request `\"syntax\": \"abnf\"`",
            Guess::AngleBnf => "write names bare, as in `name ::= other | \"x\"`, in a file called .ebnf or .gbnf",
            Guess::Antlr => {
                "write it as Lark, which is nearest: `name: other | \"x\"` without `;`, names of tokens in capitals, `\"x\"` for \
                 `'x'`, in a file called .lark"
            }
            Guess::Bnf => "name it .gbnf or .ebnf, or say so: `--language gbnf`, in a request `\"syntax\": \"gbnf\"`",
            Guess::IsoEbnf => "name it .ebnf, or say so: `--language ebnf`, in a request `\"syntax\": \"ebnf\"`",
            Guess::Json => "name a schema .json, or say so: `--language json-schema`",
            Guess::Lark => "name it .lark, or say so: `--language lark`, in a request `\"syntax\": \"lark\"`",
            Guess::Peg => {
                "write it as GBNF: `name ::= other | \"x\"`, in a file called .gbnf; the order of alternatives has no effect there, \
                 and `&x` and `!x` must be said with rules"
            }
            Guess::Yacc => {
                "write it as Lark: `name: other | \"x\"` without `;` and without actions, in a file called .lark"
            }
        }
    }
}

/// Returns the finding that a text is in a notation other than those of `own`, if that is clear; `reader` names the
/// notation in which it was read.
pub(crate) fn other_notation(text: &str, reader: &str, own: &[Guess]) -> Option<Diagnostic> {
    let (guess, span) = guess(text)?;
    if own.contains(&guess) {
        return None;
    }
    let message = format!("this is {}, and it is read as {reader}", guess.name());
    Some(Diagnostic::error(Code::OtherNotation, span, message).help(guess.way_out()))
}

/// Returns the notation of the first definition, and the place of its name.
fn guess(text: &str) -> Option<(Guess, Span)> {
    let mut cursor = Cursor::new(text);
    skip_comments(&mut cursor, &LINE_COMMENTS);
    let start = cursor.offset();
    let first = cursor.peek()?;
    let found = match first {
        '{' => json(cursor.rest()),
        '<' => angle(&mut cursor),
        '%' => directive(cursor.rest()),
        _ => definition(text, &mut cursor),
    };
    let name = part(text, start..).find(|c: char| c.is_whitespace() || c == ':').unwrap_or(1);
    found.map(|guess| (guess, Span::of(start, start + name.max(first.len_utf8()))))
}

/// Signs that begin a line comment in some notation.
const LINE_COMMENTS: [&str; 3] = ["#", ";", "//"];

/// Skips white space, comments in `/* */` and `(* *)`, and line comments that begin with one of `line_comments`.
pub(crate) fn skip_comments(cursor: &mut Cursor<'_>, line_comments: &[&str]) {
    loop {
        cursor.take_while(char::is_whitespace);
        let close = if cursor.eat("/*") {
            "*/"
        } else if cursor.eat("(*") {
            "*)"
        } else if line_comments.iter().any(|sign| cursor.eat(sign)) {
            cursor.take_while(|c| !is_newline(c));
            continue;
        } else {
            return;
        };
        if cursor.take_past(close).is_none() {
            return;
        }
    }
}

fn json(rest: &str) -> Option<Guess> {
    let inside = rest.get(1..).unwrap_or_default().trim_start();
    inside.starts_with(['"', '}']).then_some(Guess::Json)
}

fn angle(cursor: &mut Cursor<'_>) -> Option<Guess> {
    let head = cursor.take_while(|c| c != '>' && !is_newline(c));
    cursor.eat(">");
    cursor.take_while(char::is_whitespace);
    (head.len() > 1 && cursor.rest().starts_with("::=")).then_some(Guess::AngleBnf)
}

fn directive(rest: &str) -> Option<Guess> {
    let word = rest.get(1..).unwrap_or_default().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match word {
        "import" | "ignore" | "declare" | "override" | "extend" | "llguidance" => Some(Guess::Lark),
        "token" | "start" | "left" | "right" | "union" | "type" => Some(Guess::Yacc),
        _ => rest.starts_with("%{").then_some(Guess::Yacc),
    }
}

/// Returns the notation that the sign after the first name shows.
fn definition(text: &str, cursor: &mut Cursor<'_>) -> Option<Guess> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let rest = cursor.rest();
    if ["grammar ", "lexer grammar ", "parser grammar "].iter().any(|head| rest.starts_with(head)) {
        let line = rest.split(is_newline).next().unwrap_or_default();
        return line.trim_end().ends_with(';').then_some(Guess::Antlr);
    }
    cursor.take_while(|c| matches!(c, '?' | '!'));
    if cursor.take_while(is_part).trim_matches(['-', '.']).is_empty() {
        return None;
    }
    skip_comments(cursor, &LINE_COMMENTS);
    let body = cursor.rest();
    let signs = [("::=", Guess::Bnf), ("<-", Guess::Peg), ("\u{2190}", Guess::Peg)];
    if let Some((_, guess)) = signs.into_iter().find(|(sign, _)| body.starts_with(sign)) {
        return Some(guess);
    }
    match body.chars().next()? {
        ':' if !body.starts_with(":=") => Some(with_colon(text, body)),
        '=' => with_equals(body),
        _ => None,
    }
}

/// Returns the notation of a rule with a colon: ANTLR and yacc end rules with `;`, Lark does not.
fn with_colon(text: &str, body: &str) -> Guess {
    let ends = body.lines().any(|line| line.trim_end().ends_with(';') && !line.trim_start().starts_with("//"));
    // Only Lark has these statements.
    let is_lark = body.lines().any(|line| line.starts_with("%import ") || line.starts_with("%ignore "));
    match ends && !is_lark {
        true if text.contains("%%") => Guess::Yacc,
        true => Guess::Antlr,
        false => Guess::Lark,
    }
}

/// Returns the notation of a rule with `=`: ISO 14977 ends rules with `;`; in ABNF `;` begins a comment, and repetition
/// stands before its element.
fn with_equals(body: &str) -> Option<Guess> {
    let plain = unquoted(body);
    let has = |sign: &str| plain.contains(sign);
    let is_value = |rest: &str| match rest.chars().next() {
        Some('x' | 'X' | 'd' | 'D' | 'b' | 'B') => {
            rest.get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()))
        }
        Some('s' | 'S' | 'i' | 'I') => rest.get(1..).is_some_and(|rest| rest.starts_with('"')),
        _ => false,
    };
    let has_value = plain.match_indices('%').any(|(at, _)| plain.get(at + 1..).is_some_and(is_value));
    let ends = plain.lines().any(|line| line.trim_end().ends_with(';'));
    if has_value || has("=/") || !ends && is_repeated_before(&plain) {
        return Some(Guess::Abnf);
    }
    let is_behind =
        |sign: char| plain.match_indices(sign).any(|(at, _)| ends_element(plain.get(..at).unwrap_or_default()));
    if !ends && has("/") && !has(",") && !has("|") {
        return Some(if ['*', '+', '?'].into_iter().any(is_behind) { Guess::Peg } else { Guess::Abnf });
    }
    ends.then_some(Guess::IsoEbnf)
}

/// Returns whether `*x`, `1*x` or `2x` occurs after a space.
fn is_repeated_before(plain: &str) -> bool {
    plain.split(|c: char| c.is_whitespace() || c == '(' || c == '[').any(|word| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let starred = rest.strip_prefix('*').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        let repeats = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic());
        starred.is_some_and(repeats) || rest.len() < word.len() && repeats(rest)
    })
}

fn ends_element(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | ']' | '"' | '\'' | '_'))
}

/// Returns the beginning of a text without the parts in quotes.
fn unquoted(text: &str) -> String {
    const LOOKED_AT: usize = 64 << 10;
    let mut plain = String::new();
    let mut open = None;
    for (at, c) in text.char_indices() {
        if at > LOOKED_AT {
            break;
        }
        match open {
            Some(quote) if c == quote || is_newline(c) => open = None,
            Some(_) => continue,
            None if c == '"' || c == '\'' => open = Some(c),
            None => {}
        }
        plain.push(c);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::{Guess, guess};

    #[test]
    fn the_first_definition_tells_the_notation() {
        let cases = [
            ("; RFC\nuri = scheme \":\" hier-part\nscheme = ALPHA *( ALPHA / DIGIT )\n", Some(Guess::Abnf)),
            ("a = %x41-5A\n", Some(Guess::Abnf)),
            ("a = b ; one\n  / c ; two\n", Some(Guess::Abnf)),
            ("<expr> ::= <term> | <expr> \"+\" <term>\n", Some(Guess::AngleBnf)),
            ("grammar Expr;\nprog: expr EOF;\n", Some(Guess::Antlr)),
            ("prog\n  : expr EOF\n  ;\n", Some(Guess::Antlr)),
            ("# x\nroot ::= \"a\"\n", Some(Guess::Bnf)),
            ("(* x *) a b = { c }, 'd';\n", None),
            ("a = { c }, 'd';\nc = 'x';\n", Some(Guess::IsoEbnf)),
            ("{\"type\": \"object\"}", Some(Guess::Json)),
            ("// x\n?start: expr\n%import common.WS\n", Some(Guess::Lark)),
            ("%llguidance {}\nstart: \"a\"\n", Some(Guess::Lark)),
            ("start.2: \"a\"\n", Some(Guess::Lark)),
            ("Expr <- Term ('+' Term)*\n", Some(Guess::Peg)),
            ("expr = term ('+' term)* / number\n", Some(Guess::Peg)),
            ("%token A\n%%\na: A;\n", Some(Guess::Yacc)),
            ("a: A;\n%%\n", Some(Guess::Yacc)),
            ("[1] a ::= b\n", None),
            ("", None),
            ("hello world\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(guess(text).map(|(guess, _)| guess), expected, "{text}");
        }
    }
}
