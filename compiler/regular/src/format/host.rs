//! Patterns of host names (RFC 1123, RFC 5891) and mail addresses (RFC 5321, RFC 6531).

use crate::dfa::Dfa;
use crate::length::with_length;
use crate::limits::Limits;
use crate::pattern::compile_anchored;

/// A label of letters, digits and inner hyphens.
const LABEL: &str = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";

/// A lookahead that refuses A-labels, such as `xn--mnchen-3ya`. No automaton of bearable size decides which A-labels
/// are valid: in Punycode, the meaning of a digit depends on all characters before it.
const NO_A_LABEL: &str = "(?![xX][nN]--)";

const ATOM: &str = "a-zA-Z0-9!#$%&'*+/=?^_`{|}~\\-";
/// A quoted local part, in which a backslash quotes the next character, and the `@` behind it.
const QUOTED: &str = "\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\"@";

fn dotted(label: &str) -> String {
    format!("(?:{label})(?:\\.(?:{label}))*")
}

/// Returns the pattern of a host name without A-labels: labels of at most 63 characters. The total length is bounded
/// elsewhere.
pub(super) fn hostname() -> String {
    dotted(&format!("{NO_A_LABEL}{LABEL}"))
}

/// Returns the pattern of a host name in which A-labels are not decoded, so invalid ones are accepted.
pub(super) fn undecoded_hostname() -> String {
    dotted(LABEL)
}

/// Returns the pattern of an internationalised host name: labels of ASCII, or short ones of common scripts.
pub(super) fn idn_hostname() -> String {
    idn(&format!("{NO_A_LABEL}{LABEL}"))
}

/// Returns a pattern that all internationalised host names match, and other texts too: any characters beyond ASCII,
/// besides those of host names. It does not bound the length of labels, as together with the total length that would
/// take 100,000 states.
pub(super) fn any_idn_hostname() -> String {
    "[a-zA-Z0-9.\\-\\u{80}-\\u{10FFFF}]+".to_owned()
}

/// Returns the pattern of an internationalised host name; `label` is the pattern of its ASCII labels. If a name has
/// right-to-left letters, its other labels are in ASCII.
fn idn(label: &str) -> String {
    format!("(?:{}|{})", dotted(&super::idn::label(label)), dotted(&super::idn::label_of_both_ways(label)))
}

/// Returns the pattern of a local part of at most `most` characters. Dots neither begin nor end it, nor stand next to
/// each other. `extra` are the characters allowed besides those of ASCII.
fn local(extra: &str, most: u32) -> String {
    let inner = most - 1;
    format!("(?!\\.)(?![^@]*\\.\\.)(?:[{ATOM}{extra}.]{{0,{inner}}}[{ATOM}{extra}])")
}

/// Returns the pattern of an address in brackets. Its numbers may have leading zeros, and its `::` stands for at least
/// two groups.
fn literal() -> String {
    let number = "(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
    let four = format!("{number}(?:\\.{number}){{3}}");
    format!("\\[(?:{four}|[Ii][Pp][vV]6:{})\\]", super::address::ipv6_of_mail())
}

/// Builds the automaton of a mail address in ASCII. The automaton counts the length of quoted text: a pattern with a
/// lookahead for the quoting and a count of characters would take a hundred times as long to compile.
pub(super) fn email(limits: &Limits) -> Option<Dfa> {
    let plain = compile_anchored(&format!("{}@", local("", 64)), limits).ok()?;
    let quoted = compile_anchored(QUOTED, limits).ok()?;
    let quoted = with_length(&quoted, 0, Some(65), limits.states).ok()?;
    let domain = compile_anchored(&format!("(?:{}|{})", undecoded_hostname(), literal()), limits).ok()?;
    plain.union(&quoted, limits.states).ok()?.concat(&domain, limits.states).ok()
}

/// Returns the pattern of a mail address with characters beyond ASCII in both parts. The local part has at most 16
/// characters, which never need more than 64 bytes.
pub(super) fn idn_email() -> String {
    let other = "\\u00C0-\\u167F\\u1681-\\u1FFF\\u2C00-\\u2FFF\\u3001-\\uD7FF\\uF900-\\uFDCF\\u{10000}-\\u{1FFFD}";
    format!("{}@{}", local(other, 16), idn(LABEL))
}

/// Returns a pattern that all internationalised mail addresses match, and other texts too: an `@` before a text of
/// [`any_idn_hostname`].
pub(super) fn any_idn_email() -> String {
    format!("[^\\u{{0}}-\\u{{1F}}\\u{{7F}}]+@(?:{}|\\[[^\\[\\]]*\\])", any_idn_hostname())
}
