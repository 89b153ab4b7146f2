//! Reads escapes, outside and inside classes.

use super::ast::Node;
use super::error::{PatternError, PatternErrorKind as Kind};
use super::parse::Parser;
use crate::charset::CharSet;

/// An escape: one code point (possibly a lone surrogate), or a set.
pub(super) enum Escape {
    Point(u32),
    Set(CharSet),
}

const DIGITS: [(u32, u32); 1] = [(0x30, 0x39)];
const WORD: [(u32, u32); 4] = [(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
/// The white space and line terminators of ECMA-262: tab to carriage return, the space separators, the byte order mark.
const SPACE: [(u32, u32); 10] = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

impl Parser<'_> {
    /// Reads an escape outside classes; the backslash at `start` is read.
    pub(super) fn escape(&mut self, start: usize) -> Result<Node, PatternError> {
        if let Some(letter @ ('b' | 'B')) = self.peek() {
            self.at += 1;
            let word = self.word();
            let word = self.set(word);
            return Ok(Node::Boundary { word, negated: letter == 'B', span: self.since(start) });
        }
        match self.escaped(start)? {
            Escape::Set(set) => Ok(Node::Set(self.set(set))),
            Escape::Point(point) => match char::from_u32(point) {
                Some(one) => Ok(self.literal(one)),
                None => Ok(self.half(point < 0xDC00, vec![(point, point)], self.since(start))),
            },
        }
    }

    /// Reads an escape that stands for one character or a set of characters.
    pub(super) fn escaped(&mut self, start: usize) -> Result<Escape, PatternError> {
        let Some(letter) = self.bump() else { return Err(Kind::EscapeAtEnd.at(self.since(start))) };
        match letter {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => Ok(Escape::Set(self.perl(letter))),
            'p' | 'P' => self.property(start, letter == 'P').map(Escape::Set),
            't' => Ok(Escape::Point(0x09)),
            'n' => Ok(Escape::Point(0x0A)),
            'v' => Ok(Escape::Point(0x0B)),
            'f' => Ok(Escape::Point(0x0C)),
            'r' => Ok(Escape::Point(0x0D)),
            'x' => self.hex(2).map(Escape::Point).ok_or_else(|| Kind::BadEscape.at(self.since(start))),
            'u' => self.unicode().map(Escape::Point).ok_or_else(|| Kind::BadEscape.at(self.since(start))),
            'c' => self.control().map(Escape::Point).ok_or_else(|| Kind::BadEscape.at(self.since(start))),
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => Ok(Escape::Point(0)),
            '0'..='9' | 'k' => Err(refused(letter).at(self.since(start))),
            other if other.is_alphanumeric() => Err(refused(other).at(self.since(start))),
            other => Ok(Escape::Point(other.into())),
        }
    }

    /// Returns the word characters; with ignored case also the two characters that fold to ASCII letters.
    fn word(&self) -> CharSet {
        self.folded(CharSet::from_ranges(WORD.to_vec()))
    }

    fn perl(&self, letter: char) -> CharSet {
        let set = match letter {
            'd' | 'D' => CharSet::from_ranges(DIGITS.to_vec()),
            'w' | 'W' => self.word(),
            _ => CharSet::from_ranges(SPACE.to_vec()),
        };
        if letter.is_ascii_uppercase() { set.complement() } else { set }
    }

    fn hex(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest().get(..count).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.at += count;
        u32::from_str_radix(digits, 16).ok()
    }

    /// Reads the digits after `\u`: four digits, a surrogate pair, or digits in braces.
    fn unicode(&mut self) -> Option<u32> {
        if self.eat("{") {
            let (digits, _) = self.rest().split_once('}')?;
            let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let point = u32::from_str_radix(digits.trim_start_matches('0'), 16);
            self.at += digits.len() + 1;
            return valid
                .then(|| point.unwrap_or(if digits.bytes().all(|byte| byte == b'0') { 0 } else { u32::MAX }))
                .filter(|&point| point <= 0x10_FFFF);
        }
        let high = self.hex(4)?;
        let after = self.at;
        if (0xD800..0xDC00).contains(&high) && self.eat("\\u") {
            if let Some(low) = self.hex(4).filter(|low| (0xDC00..0xE000).contains(low)) {
                return Some(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00));
            }
            self.at = after;
        }
        Some(high)
    }

    fn control(&mut self) -> Option<u32> {
        let letter = self.peek().filter(char::is_ascii_alphabetic)?;
        self.at += 1;
        Some(u32::from(letter) % 32)
    }

    /// Reads `\p{name}` or `\p{key=value}`.
    fn property(&mut self, start: usize, negated: bool) -> Result<CharSet, PatternError> {
        let name = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).map_or("", |parts| parts.0);
        self.at += if name.is_empty() { 0 } else { name.len() + 2 };
        if let Some(kind) = ambiguous_property(name) {
            return Err(kind.at(self.since(start)));
        }
        let unknown = Kind::UnknownProperty.at(self.since(start));
        let set = property_set(name).ok_or(unknown)?;
        Ok(self.folded(if negated { set.complement() } else { set }))
    }
}

/// Returns why a property is refused whose name means a set of ASCII in Java, one of Unicode in Perl, and nothing in
/// ECMA-262, which knows `\p{digit}` and `\p{punct}` only as they are written here.
fn ambiguous_property(name: &str) -> Option<Kind> {
    let (what, instead) = match name {
        "Digit" => ("`\\p{Digit}`", "`[0-9]`, or `\\p{Nd}` for the digits of all scripts"),
        "Punct" => ("`\\p{Punct}`", "a class of characters, or `\\p{P}` for the punctuation of all scripts"),
        "Space" => ("`\\p{Space}`", "`\\s`"),
        "Cntrl" => ("`\\p{Cntrl}`", "`\\p{Cc}`"),
        _ => return None,
    };
    Some(Kind::Ambiguous { what, instead })
}

/// Returns the members of a property, from Unicode's tables.
fn property_set(name: &str) -> Option<CharSet> {
    let (key, value) = name.split_once('=').map_or(("", name), |parts| parts);
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let keys = ["", "gc", "General_Category", "sc", "Script", "scx", "Script_Extensions"];
    if value.is_empty() || !plain(value) || !keys.contains(&key) || key.is_empty() && name.contains('=') {
        return None;
    }
    let hir = regex_syntax::Parser::new().parse(&format!("\\p{{{name}}}")).ok()?;
    match hir.kind() {
        regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => Some(CharSet::from(class)),
        regex_syntax::hir::HirKind::Literal(literal) => {
            let one = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(CharSet::single(one))
        }
        _ => None,
    }
}

/// Returns the error for a letter or digit that is no escape.
fn refused(letter: char) -> Kind {
    match letter {
        '1'..='9' | 'k' => Kind::Unsupported("a backreference, which is not regular,"),
        '0' => Kind::BadEscape,
        'A' | 'z' | 'Z' => Kind::ForeignAnchor(letter),
        'h' => Kind::ForeignEscape { escape: 'h', instead: "[ \\t]" },
        'a' => Kind::ForeignEscape { escape: 'a', instead: "\\x07" },
        'e' => Kind::ForeignEscape { escape: 'e', instead: "\\x1B" },
        other => Kind::UnknownEscape(other),
    }
}
