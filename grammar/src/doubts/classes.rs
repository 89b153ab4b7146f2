//! Classes with a different meaning in other notations: `["b"]`, `[:alpha:]`, `[[a-z]]`.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::span::{Span, part};

/// POSIX names of sets of characters, with their members as in a class of a grammar.
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

/// Returns the warning about a class whose meaning is probably not the intended one.
pub(crate) fn class_warnings(class: &str, place: Span) -> Option<Diagnostic> {
    let named = || {
        let (message, help) = posix(class)?;
        Some(Diagnostic::warning(Code::DoubtfulPattern, place, message).help(help))
    };
    quoted_class(class, place).or_else(named)
}

/// Returns the message and advice for a class that consists of a POSIX name only, `[:alpha:]`.
pub(super) fn posix(class: &str) -> Option<(String, String)> {
    let name = class.strip_prefix("[:")?.strip_suffix(":]")?;
    let (_, members) = POSIX.iter().find(|(known, _)| *known == name)?;
    let message = format!("this is one character of those of `{name}` and `:`, and not the class of that name");
    Some((message, format!("write `[{members}]`")))
}

/// Returns the warning about a class such as `["b"]`: in other notations, the brackets make the text optional.
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

/// Maximum length of a nested class, in characters.
const LONGEST: usize = 200;

/// Returns the length of the nested class with which `rest` begins: `[[a-z]]` or `[[:alpha:]_]`. A notation without
/// nested classes would read a class up to the first bracket, and be left with a lone bracket.
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

/// Returns whether a character can be a member of a class without an escape.
fn is_member(c: char) -> bool {
    !matches!(c, '[' | ']' | '\\' | '"' | '\'' | '|' | '(' | ')') && !c.is_whitespace()
}

/// Returns a class with nested classes dissolved and POSIX names replaced by their members.
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
