//! Numbers of ABNF: `%x41`, `%x41-5A`, `%d13.10`, `%b1010`, and the prefixes `%s` and `%i` of strings.

use super::lex::Abnf;
use super::lexemes::{Token, Value};
use crate::code::Code;
use crate::notation::lexer::Lexer;

/// A base of numbers: its radix, the name of its digits, and the maximum number of digits of an octet.
#[derive(Clone, Copy)]
struct Base {
    radix: u32,
    digits: &'static str,
    octet: usize,
}

impl Base {
    fn of(letter: char) -> Option<Base> {
        Some(match letter.to_ascii_lowercase() {
            'b' => Base { radix: 2, digits: "binary", octet: 8 },
            'd' => Base { radix: 10, digits: "decimal", octet: 3 },
            'x' => Base { radix: 16, digits: "hexadecimal", octet: 2 },
            _ => return None,
        })
    }
}

impl Lexer<'_, '_, Abnf> {
    /// Reads a terminal that begins with `%`.
    pub(super) fn percent(&mut self) -> Token {
        let start = self.cursor.offset();
        self.cursor.bump();
        let letter = self.cursor.peek().unwrap_or(' ');
        let quoted = |c: char| matches!(c, 's' | 'S' | 'i' | 'I');
        if quoted(letter) && self.cursor.rest().get(1..).is_some_and(|rest| rest.starts_with('"')) {
            self.cursor.bump();
            return self.text(letter.eq_ignore_ascii_case(&'s'));
        }
        let Some(base) = Base::of(letter) else {
            let help = "write %x, %d or %b and digits, or %s or %i and a string in quotes";
            let span = self.cursor.span_from(start);
            return self.report(Code::AbnfValue, span, "this `%` begins neither a value nor a string", help);
        };
        self.cursor.bump();
        self.numbers(base)
    }

    /// Reads the numbers after `%x` or another base: one, a range, or a series.
    fn numbers(&mut self, base: Base) -> Token {
        let Some(first) = self.value(base) else { return self.broken(base) };
        if self.cursor.eat("-") {
            let start = self.cursor.offset();
            let Some(last) = self.value(base) else { return self.broken(base) };
            if last.code < first.code {
                let span = self.cursor.span_from(start);
                let message = "this range ends before it begins";
                return self.report(Code::ReversedRange, span, message, "swap the two");
            }
            return Token::Range(first, last);
        }
        let mut series = vec![first];
        while self.cursor.eat(".") {
            match self.value(base) {
                Some(value) => series.push(value),
                None => return self.broken(base),
            }
        }
        Token::Series(series)
    }

    /// Skips the rest of an erroneous value.
    fn broken(&mut self, base: Base) -> Token {
        self.cursor.take_while(|c| c.is_digit(base.radix) || c == '.' || c == '-');
        Token::Reported
    }

    /// Reads one number; `None` after an error, which is reported.
    fn value(&mut self, base: Base) -> Option<Value> {
        let start = self.cursor.offset();
        let digits = self.cursor.take_while(|c| c.is_digit(base.radix));
        let span = self.cursor.span_from(start);
        if digits.is_empty() {
            let message = format!("a value needs {} digits here", base.digits);
            let help = "write %x41 for one character, %x41-5A for a range, %x41.42 for several in a row";
            self.report(Code::AbnfValue, span, &message, help);
            return None;
        }
        let number = u32::from_str_radix(digits, base.radix).ok();
        let Some(code) = number.and_then(char::from_u32) else {
            let surrogate = number.is_some_and(|number| (0xD800..=0xDFFF).contains(&number));
            let (message, help) = match surrogate {
                true => ("surrogates are no characters", "a range of all characters may go over them: %x80-10FFFF"),
                false => ("no character has a number above 10FFFF", "the last character is %x10FFFF"),
            };
            self.report(Code::AbnfValue, span, message, help);
            return None;
        };
        Some(Value { code, is_long: digits.len() > base.octet })
    }
}
