//! Translates xgrammar's regular expressions to ogc's dialect.
//!
//! They differ from ECMA-262 in three points: `\s` is ASCII white space, only ASCII letters ignore case, and `.` is any
//! character unless flags are given.

use crate::notation::cursor::Cursor;

/// The flags of a pattern.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RegexFlags {
    pub(super) ignore_case: bool,
    /// Whether `.` also matches a line break.
    pub(super) dot_all: bool,
}

/// A construct that cannot be translated.
#[derive(Debug)]
pub(super) struct RegexError {
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// Translates a pattern.
pub(super) fn translate(pattern: &str, flags: RegexFlags) -> Result<String, RegexError> {
    let (pattern, leading) = match pattern.strip_prefix("(?i)") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let ignore_case = flags.ignore_case || leading;
    let mut translator = Translator { cursor: Cursor::new(pattern), out: String::new(), ignore_case, flags };
    while let Some(c) = translator.cursor.bump() {
        translator.step(c)?;
    }
    Ok(translator.out)
}

struct Translator<'t> {
    cursor: Cursor<'t>,
    out: String,
    ignore_case: bool,
    flags: RegexFlags,
}

impl Translator<'_> {
    fn step(&mut self, c: char) -> Result<(), RegexError> {
        match c {
            '.' => self.out.push_str(if self.flags.dot_all { "(?s:.)" } else { "[^\\n]" }),
            '[' => return self.class(),
            '\\' => {
                let escape = self.escape(false)?;
                self.single(&escape);
            }
            '(' => return self.group(),
            c if c.is_ascii_alphabetic() => self.single(&Escape::Char(c)),
            c => self.out.push(c),
        }
        Ok(())
    }

    /// Translates the beginning of a group; the parenthesis has been read.
    fn group(&mut self) -> Result<(), RegexError> {
        self.out.push_str("(?:");
        if !self.cursor.eat("?") || self.cursor.eat(":") {
            return Ok(());
        }
        let is_name = self.cursor.eat("<") && !self.cursor.rest().starts_with(['=', '!']);
        if is_name && self.cursor.take_past(">").is_some() {
            return Ok(());
        }
        if self.cursor.rest().starts_with(['=', '!']) {
            return Err(refused(
                "looking around is no part of xgrammar's patterns",
                "say with rules what may stand beside it",
            ));
        }
        Err(refused(
            "this kind of group is no part of xgrammar's patterns",
            "groups are `(...)`, `(?:...)` and `(?<name>...)`",
        ))
    }

    /// Writes a character or a set outside of classes.
    fn single(&mut self, escape: &Escape) {
        match escape {
            Escape::Char(c) if self.ignore_case && c.is_ascii_alphabetic() => {
                self.out.extend(['[', c.to_ascii_lowercase(), c.to_ascii_uppercase(), ']']);
            }
            Escape::Char(c) if c.is_ascii_alphanumeric() => self.out.push(*c),
            Escape::Char(c) => push_code(&mut self.out, *c),
            Escape::Space { negated } => {
                self.out.push_str(if *negated { "[^\\t-\\r ]" } else { "[\\t-\\r ]" });
            }
            Escape::Kept(text) => self.out.push_str(text),
        }
    }

    /// Translates a class; the bracket has been read.
    fn class(&mut self) -> Result<(), RegexError> {
        self.out.push('[');
        if self.cursor.eat("^") {
            self.out.push('^');
        }
        loop {
            match self.cursor.bump() {
                None => return Err(refused("this pattern has a class that is not closed", "close it with `]`")),
                Some(']') => break,
                Some(c) => self.members(c)?,
            }
        }
        self.out.push(']');
        Ok(())
    }

    /// Translates a member of a class, or a range of two members.
    fn members(&mut self, c: char) -> Result<(), RegexError> {
        let low = if c == '\\' { self.escape(true)? } else { Escape::Char(c) };
        let Escape::Char(low) = low else {
            match low {
                Escape::Space { negated: true } => self.out.push_str("\\x00-\\x08\\x0e-\\x1f!-\\u{10ffff}"),
                Escape::Space { negated: false } => self.out.push_str("\\t-\\r "),
                Escape::Kept(text) => self.out.push_str(&text),
                Escape::Char(_) => {}
            }
            return Ok(());
        };
        let rest = self.cursor.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") {
            self.range(low, low);
            return Ok(());
        }
        self.cursor.bump();
        let high = match self.cursor.bump() {
            Some('\\') => self.escape(true)?,
            Some(c) => Escape::Char(c),
            None => return Err(refused("this pattern has a class that is not closed", "close it with `]`")),
        };
        match high {
            Escape::Char(high) if low <= high => self.range(low, high),
            Escape::Char(_) => return Err(refused("a range of this pattern ends before it begins", "swap the two")),
            _ => return Err(refused("a set of characters is no end of a range", "write the hyphen as `\\\\-`")),
        }
        Ok(())
    }

    /// Writes a range; if case is ignored, also its ASCII letters in the other case.
    fn range(&mut self, low: char, high: char) {
        let mut write = |low: char, high: char| {
            push_code(&mut self.out, low);
            if low != high {
                self.out.push('-');
                push_code(&mut self.out, high);
            }
        };
        write(low, high);
        for (first, last) in [('a', 'z'), ('A', 'Z')] {
            let (from, to) = (low.max(first), high.min(last));
            if self.ignore_case && from <= to {
                let other =
                    |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
                write(other(from), other(to));
            }
        }
    }

    /// Reads an escape; the backslash has been read.
    fn escape(&mut self, in_class: bool) -> Result<Escape, RegexError> {
        let unknown = |what: &str| {
            refused(&format!("`\\{what}` is no part of xgrammar's patterns"), "write a class of characters")
        };
        Ok(match self.cursor.bump() {
            None => return Err(refused("this pattern ends with a backslash", "write `\\\\\\\\` for one")),
            Some('n') => Escape::Char('\n'),
            Some('t') => Escape::Char('\t'),
            Some('r') => Escape::Char('\r'),
            Some('f') => Escape::Char('\u{c}'),
            Some('v') => Escape::Char('\u{b}'),
            Some('a') => Escape::Char('\u{7}'),
            Some('e') => Escape::Char('\u{1b}'),
            Some('0') => Escape::Char('\0'),
            Some('b') if in_class => Escape::Char('\u{8}'),
            Some(c @ ('d' | 'D' | 'w' | 'W')) => Escape::Kept(format!("\\{c}")),
            Some('s') => Escape::Space { negated: false },
            Some('S') => Escape::Space { negated: true },
            Some('x') => self.coded(2)?,
            Some('u') => self.coded(4)?,
            Some('c') => match self.cursor.bump().filter(char::is_ascii_alphabetic) {
                Some(letter) => Escape::Char(char::from(letter as u8 % 32)),
                None => return Err(unknown("c")),
            },
            Some(c) if c.is_ascii_alphanumeric() => return Err(unknown(&c.to_string())),
            Some(c) => Escape::Char(c),
        })
    }

    fn coded(&mut self, width: usize) -> Result<Escape, RegexError> {
        let code = if width == 4 && self.cursor.eat("{") {
            let digits = self.cursor.take_past("}").filter(|digits| (1..=6).contains(&digits.len()));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        } else {
            self.cursor.hex(width)
        };
        let found = code.and_then(char::from_u32);
        found
            .map(Escape::Char)
            .ok_or_else(|| refused("an escape of this pattern names no character", "write `\\\\u{1F600}`"))
    }
}

/// An escape.
enum Escape {
    Char(char),
    Space {
        negated: bool,
    },
    /// An escape that means the same in both dialects.
    Kept(String),
}

fn push_code(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else {
        out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
    }
}

fn refused(message: &str, help: &'static str) -> RegexError {
    RegexError { message: message.to_owned(), help }
}
