//! Classes that other notations read as something else: `["b"]`, `[:alpha:]`, `[[a-z]]`.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::span::{Span, part};

/// The names of POSIX for sets of characters, and their members in a class of a grammar.
const POSIX: [(&str, &str); 9] = [
    ("alpha", "A-Za-z"),
    ("digit", "0-9"),
    ("alnum", "A-Za-z0-9"),
    ("upper", "A-Z"),
    ("lower", "a-z"),
    ("xdigit", "0-9A-Fa-f"),
    ("word", "A-Za-z0-9_"),
    ("space", " \\t\\n\\r"),
    ("blank", " \\t"),
];

/// Returns the warning about a class that is hardly meant as it stands.
pub(crate) fn class_warnings(class: &str, place: Span) -> Option<Diagnostic> {
    let named = || {
        let (message, help) = posix(class)?;
        Some(Diagnostic::warning(Code::DoubtfulPattern, place, message).help(help))
    };
    quoted_class(class, place).or_else(named)
}

/// Returns what is doubtful about a class that only names one of POSIX, `[:alpha:]`, and the way out.
pub(super) fn posix(class: &str) -> Option<(String, String)> {
    let name = class.strip_prefix("[:")?.strip_suffix(":]")?;
    let (_, members) = POSIX.iter().find(|(known, _)| *known == name)?;
    let message = format!("this is one character of those of `{name}` and `:`, and not the class of that name");
    Some((message, format!("write `[{members}]`")))
}

/// Returns the warning about a class such as `["b"]`, which other notations read as something that may be absent.
fn quoted_class(class: &str, place: Span) -> Option<Diagnostic> {
    let inner = class.strip_prefix('[')?.strip_suffix(']')?.trim();
    let quote = inner.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let text = inner.strip_prefix(quote)?.strip_suffix(quote).filter(|text| !text.is_empty())?;
    if !text.chars().all(|c| c.is_alphanumeric() || " _.,:;=+*/<>".contains(c)) {
        return None;
    }
    let message = "this is a class of single characters, quotes among them, and not something that may be absent";
    let meant = format!("(\"{text}\")?");
    let help = format!("write `{meant}` for what may be absent; in a class, a quote stands once");
    Some(Diagnostic::warning(Code::DoubtfulPattern, place, message).help(help).fix(Fix::instead(place, meant)))
}

/// Maximum length of a class in another, in characters.
const LONGEST: usize = 200;

/// Returns the length of a class in another, `[[a-z]]` or `[[:alpha:]_]`, with which `rest` begins. A bracket would stand alone behind the
/// class that a notation without such classes reads.
pub(crate) fn inner_class(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('[')?;
    let inside = inside.strip_prefix('^').unwrap_or(inside);
    let before = inside.find('[')?;
    if before > LONGEST || part(inside, ..before).contains(|c: char| !is_member(c)) {
        return None;
    }
    let inner = part(inside, before + 1..);
    let is_named = POSIX
        .iter()
        .any(|(name, _)| inner.strip_prefix(':').is_some_and(|rest| rest.starts_with(&format!("{name}:]"))));
    let end = inner.char_indices().take(LONGEST).find(|(_, c)| !is_member(*c)).filter(|(_, c)| *c == ']')?.0;
    let behind = part(inner, end + 1..);
    let more = behind.char_indices().take(LONGEST).find(|(_, c)| !is_member(*c)).filter(|(_, c)| *c == ']')?.0;
    let length = rest.len() - behind.len() + more + 1;
    (is_named || before == 0 && more == 0).then_some(length)
}

/// Returns whether a character may be part of a class without more ado.
fn is_member(c: char) -> bool {
    !matches!(c, '[' | ']' | '\\' | '"' | '\'' | '|' | '(' | ')') && !c.is_whitespace()
}

/// Returns a class without the brackets of those in it, and with the members of those of POSIX.
pub(crate) fn plain_class(class: &str) -> String {
    let named =
        POSIX.iter().fold(class.to_owned(), |class, (name, members)| class.replace(&format!("[:{name}:]"), members));
    let inside = named.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&named);
    format!("[{}]", inside.replace(['[', ']'], ""))
}

#[cfg(test)]
mod tests {
    use super::{inner_class, plain_class};

    #[test]
    fn classes_in_classes_are_found() {
        let cases = [
            ("[[a-z]]+", Some("[a-z]")),
            ("[[:alpha:]_] x", Some("[A-Za-z_]")),
            ("[^[:digit:]]", Some("[^0-9]")),
            ("[a[:digit:]]", Some("[a0-9]")),
            ("[[]", None),
            ("[[a] \"]\"", None),
            ("[a-z]", None),
            ("[[a-z] ]", None),
        ];
        for (text, expected) in cases {
            let found = inner_class(text).map(|len| plain_class(&text[..len]));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
