//! Translates classes and escaped characters of Python's regular expressions.

use super::{SPACE, Translator, WORD};
use crate::doubts::range_doubt;
use crate::notation::cursor::is_newline;
use crate::notation::spaced_range;
use crate::span::Span;

/// Members of `\S`: all characters except the members of [`SPACE`].
const NO_SPACE: &str = r"\x00-\x08\x0e-\x1b!-\x84\x86-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\u{10ffff}";
/// Members of `\W`: the categories other than letters and numbers, with all connectors except `_`.
const NO_WORD: &str =
    r"\p{M}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}\p{C}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f";

/// A member of a class.
enum Member {
    Char(char),
    Set,
}

impl Translator<'_, '_> {
    /// Translates a class; the `[` at `start` has been read.
    pub(super) fn class(&mut self, start: usize) {
        self.out.push('[');
        if self.cursor.eat("^") {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let rest = self.cursor.rest();
            match self.cursor.peek() {
                None => return self.fail(start, "this class is not closed", "close it with `]`, or write `\\[`"),
                Some(']') if !first => break,
                _ if rest.starts_with("[:") || rest.starts_with("&&") => {
                    self.cursor.bump();
                    self.fail(start, "this is read differently by different engines", "escape it with a backslash");
                }
                _ => self.range(),
            }
            first = false;
        }
        self.cursor.bump();
        self.out.push(']');
    }

    /// Translates a member, or a range of two members with a hyphen between.
    fn range(&mut self) {
        let start = self.cursor.offset();
        let Some(low) = self.member() else { return };
        self.check_dash(start, &low);
        let rest = self.cursor.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") {
            return;
        }
        self.cursor.bump();
        self.out.push('-');
        let end = self.cursor.offset();
        let Some(high) = self.member() else { return };
        if self.is_doubled(end, &high) {
            let help = "write one backslash for an escape";
            return self.fail(
                end,
                "the backslash is doubled: two are the character `\\`, and what follows is text",
                help,
            );
        }
        if let (Member::Char(' '), Member::Char(' ')) = (&low, &high) {
            self.sink.push(spaced_range(self.span(start)));
        }
        match (low, high) {
            (Member::Char(low), Member::Char(high)) if low <= high => {}
            (Member::Char(_), Member::Char(_)) => self.fail(start, "this range ends before it begins", "swap the two"),
            _ => self.fail(start, "a set of characters is no end of a range", "write the hyphen as `\\-`"),
        }
    }

    /// Warns about a range that is written with a dash other than the hyphen, or holds more than letters.
    fn check_dash(&mut self, start: usize, first: &Member) {
        let mut behind = self.cursor.rest().chars();
        let (Member::Char(first), Some(dash), Some(last)) = (first, behind.next(), behind.next()) else { return };
        let place = start..self.cursor.offset() + dash.len_utf8() + last.len_utf8();
        if let Some(doubt) = range_doubt(*first, dash, last, place) {
            let length = (doubt.place.end - doubt.place.start) as u32;
            let from = self.span(start).start;
            self.sink.push(doubt.finding(Span::new(from, from + length)));
        }
    }

    /// Returns whether a range ends with `\\\\x41`: a backslash by itself where an escape is probably meant.
    fn is_doubled(&self, end: usize, last: &Member) -> bool {
        let is_escaped = matches!(last, Member::Char('\\')) && self.cursor.offset() == end + 2;
        let digits = self.cursor.rest().strip_prefix(['x', 'u', 'U']).filter(|_| is_escaped);
        digits.is_some_and(|digits| digits.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2)
    }

    fn member(&mut self) -> Option<Member> {
        let start = self.cursor.offset();
        let c = self.cursor.bump()?;
        if c != '\\' {
            self.push_member(c);
            return Some(Member::Char(c));
        }
        let set = match self.cursor.peek() {
            Some('d') => "\\p{Nd}",
            Some('D') => "\\P{Nd}",
            Some('w') => WORD,
            Some('W') => NO_WORD,
            Some('s') => SPACE,
            Some('S') => NO_SPACE,
            Some('p' | 'P') => {
                self.property(start);
                return Some(Member::Set);
            }
            Some('b') => {
                self.cursor.bump();
                self.push_member('\u{8}');
                return Some(Member::Char('\u{8}'));
            }
            _ => {
                let c = self.escaped(start)?;
                self.push_member(c);
                return Some(Member::Char(c));
            }
        };
        self.cursor.bump();
        self.out.push_str(set);
        Some(Member::Set)
    }

    fn push_member(&mut self, c: char) {
        match c {
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\\' | ']' | '[' | '^' | '-' => self.out.extend(['\\', c]),
            _ => self.out.push(c),
        }
    }

    /// Reads the character that an escape stands for; the backslash at `start` has been read. `None` after an error,
    /// which is reported.
    pub(super) fn escaped(&mut self, start: usize) -> Option<char> {
        let letter = self.cursor.bump();
        let found = match letter {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('f') => Some('\u{c}'),
            Some('v') => Some('\u{b}'),
            Some('a') => Some('\u{7}'),
            Some('x') => self.code_point(2),
            Some('u') => self.code_point(4),
            Some('U') => self.code_point(8),
            Some('0') => self.octal(0),
            Some(digit @ '1'..='9') => return self.numbered(start, digit),
            Some(c) if !c.is_alphanumeric() && !is_newline(c) => Some(c),
            _ => None,
        };
        if found.is_none() {
            let help = "characters are \\n \\r \\t \\f \\v \\a \\xNN \\uNNNN \\UNNNNNNNN, or `\\` before a sign";
            self.fail(start, "this escape names no character", help);
        }
        found
    }

    fn code_point(&mut self, width: usize) -> Option<char> {
        if self.cursor.eat("{") {
            let digits = self.cursor.take_past("}")?;
            let sound = (1..=8).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
            return u32::from_str_radix(digits, 16).ok().filter(|_| sound).and_then(char::from_u32);
        }
        self.cursor.hex(width).and_then(char::from_u32)
    }

    /// Reads at most two further octal digits.
    fn octal(&mut self, mut code: u32) -> Option<char> {
        for _ in 0..2 {
            let Some(digit) = self.cursor.peek().and_then(|c| c.to_digit(8)) else { break };
            self.cursor.bump();
            code = code * 8 + digit;
        }
        char::from_u32(code)
    }

    /// Reads a number after a backslash: `\123` is an octal character, any other number is a reference.
    fn numbered(&mut self, start: usize, digit: char) -> Option<char> {
        let rest = self.cursor.rest().as_bytes();
        let octal = |at: usize| rest.get(at).is_some_and(|b| (b'0'..=b'7').contains(b));
        if ('1'..='3').contains(&digit) && octal(0) && octal(1) {
            return self.octal(digit.to_digit(8)?);
        }
        self.cursor.take_while(|c| c.is_ascii_digit());
        self.fail(start, "a reference to a group is not regular", "write the rules of each case out");
        None
    }
}
