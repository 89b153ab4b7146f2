//! Literals without an end, digits that run into letters, and characters that begin nothing.

use super::{Patient, read_as};
use crate::diagnostic::Diagnostic;
use crate::ogc::terminal::Lexeme;
use crate::ogc::token::TokenKind;

pub(super) fn repair(patient: &mut Patient<'_>) {
    let lexemes = std::mem::take(&mut patient.lexemes);
    let mut mended: Vec<Lexeme<'_>> = Vec::with_capacity(lexemes.len());
    for lexeme in lexemes {
        let flags = mended.last().is_some_and(|last| are_flags(last, &lexeme));
        if flags {
            regex_flags(&lexeme, patient);
        } else {
            mended.extend(mend(lexeme, patient));
        }
    }
    patient.lexemes = mended;
}

/// Whether `next` is `i` in `/x/i`.
fn are_flags(regex: &Lexeme<'_>, next: &Lexeme<'_>) -> bool {
    let touches = regex.kind == TokenKind::Regex && next.kind == TokenKind::Name && regex.end == next.start;
    touches && next.text.chars().all(|c| "dgimsuxUy".contains(c))
}

fn regex_flags(flags: &Lexeme<'_>, patient: &mut Patient<'_>) {
    let span = patient.place(flags);
    let help = format!("write them inside, as in `/(?{}).../`; `g` and `y` have no meaning here", flags.text);
    patient.report(Diagnostic::error("regex-flags", span, "a regex has no flags after it").help(help));
}

fn mend<'t>(lexeme: Lexeme<'t>, patient: &mut Patient<'t>) -> Option<Lexeme<'t>> {
    match lexeme.kind {
        TokenKind::Unclosed => Some(unclosed(lexeme, patient)),
        TokenKind::BadNumber => Some(bad_number(lexeme, patient)),
        TokenKind::Number => Some(leading_zero(lexeme, patient)),
        TokenKind::Unknown => {
            unknown(lexeme, patient);
            patient.confused = true;
            None
        }
        _ => Some(lexeme),
    }
}

fn unclosed<'t>(lexeme: Lexeme<'t>, patient: &mut Patient<'t>) -> Lexeme<'t> {
    let (kind, what, code, end) = match lexeme.text.chars().next() {
        Some('/') => (TokenKind::Regex, "regex", "unclosed-regex", "/"),
        Some('t') => (TokenKind::Tok, "vocabulary token", "unclosed-string", "\""),
        Some('\'') => (TokenKind::String, "string", "unclosed-string", "'"),
        _ => (TokenKind::String, "string", "unclosed-string", "\""),
    };
    let help = match kind {
        TokenKind::Regex => "close it with `/` on the same line; a `/` outside a class is written `\\/`".to_owned(),
        _ => format!("close it with `{end}` on the same line; a line end inside is written `\\n`"),
    };
    let span = patient.place(&lexeme);
    patient.report(Diagnostic::error(code, span, format!("this {what} is not closed")).help(help));
    // The rest of the line is in the literal, closing brackets too.
    patient.confused = true;
    read_as(lexeme, kind)
}

fn bad_number<'t>(lexeme: Lexeme<'t>, patient: &mut Patient<'t>) -> Lexeme<'t> {
    let span = patient.place(&lexeme);
    let digits = lexeme.text.len() - lexeme.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, rest) = lexeme.text.split_at_checked(digits).unwrap_or((lexeme.text, ""));
    let underscores = lexeme.text.chars().all(|c| c.is_ascii_digit() || c == '_');
    let help = match rest {
        _ if underscores => format!("write `{}`", lexeme.text.replace('_', "")),
        _ if rest.starts_with(['x', 'b', 'o']) => "numbers are decimal, as in JSON".to_owned(),
        _ => format!("put a space between `{number}` and `{rest}`, or write the text in quotes"),
    };
    let message = format!("`{}` is neither a number nor a name", lexeme.text);
    patient.report(Diagnostic::error("bad-number", span, message).help(help));
    Lexeme { kind: TokenKind::Number, text: number, ..lexeme }
}

fn leading_zero<'t>(lexeme: Lexeme<'t>, patient: &mut Patient<'t>) -> Lexeme<'t> {
    let digits = lexeme.text.trim_start_matches('-');
    if digits.starts_with('0') && digits.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
        let span = patient.place(&lexeme);
        let zeros = digits.trim_start_matches('0');
        let short = if zeros.starts_with(|c: char| c.is_ascii_digit()) { zeros } else { "0" };
        let help = format!("write `{short}`, or `\"{digits}\"` for this text");
        patient.report(Diagnostic::error("bad-number", span, "a number has no leading zeros").help(help));
    }
    lexeme
}

fn unknown<'t>(lexeme: Lexeme<'t>, patient: &mut Patient<'t>) {
    let span = patient.place(&lexeme);
    let c = lexeme.text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
    let help = match c {
        '“' | '”' | '„' | '‘' | '’' | '`' | '´' => "strings stand in `\"...\"` or `'...'`",
        '#' => "comments begin with `//`",
        '@' => "an attribute is `@` and a name, without space between",
        '\\' => "a backslash has a meaning in strings and regexes only",
        '!' | '~' | '^' => "what must not match is taken away with `-`, as in `/[a-z]+/ - \"no\"`",
        '$' => "a regex matches whole texts; it needs no anchors",
        '–' | '—' | '−' => "the sign of difference and of negative numbers is `-`",
        c if c.is_whitespace() || c.is_control() => "remove it; white space is spaces, tabs and line ends",
        _ => "remove it, or write it in quotes",
    };
    let shown = if c.is_whitespace() || c.is_control() { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") };
    let message = format!("the character {shown} begins nothing here");
    patient.report(Diagnostic::error("unknown-character", span, message).help(help));
}
