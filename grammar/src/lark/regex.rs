//! Translates Python's regular expressions, which Lark uses, to ogc's dialect (ECMA-262 with the `u` flag).
//!
//! One pass without recursion: the pattern is copied construct by construct, constructs that differ are rewritten, and
//! constructs without an exact meaning for a terminal are refused. Lazy repetition is read as plain repetition, with a
//! warning: both give the same set of texts, but authors of `.*?` expect a lexer that stops early.

mod class;
mod look;

use always_assert::never;

use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::cursor::Cursor;
use crate::span::Span;

/// Members of Python's `\s`, in the notation of a class.
const SPACE: &str = r"\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
/// Members of Python's `\w`, in the notation of a class.
const WORD: &str = r"\p{L}\p{N}_";

/// The flags after a regular expression, and their place.
#[derive(Clone, Copy)]
pub(super) struct Spelled<'t> {
    pub(super) flags: &'t str,
    pub(super) at: usize,
}

/// The flags in force that change how a pattern is copied.
#[derive(Clone, Copy, Default)]
struct Flags {
    dot_all: bool,
    verbose: bool,
}

/// The translator: a place in the pattern, and the output so far.
struct Translator<'t, 's> {
    cursor: Cursor<'t>,
    out: String,
    /// Offset of the pattern in the file.
    base: usize,
    flags: Flags,
    /// Flags outside of each open group.
    groups: Vec<Flags>,
    ignore_case: bool,
    sound: bool,
    lazy: bool,
    /// Whether an anchor was reported.
    anchored: bool,
    /// Offsets of the lookarounds that look only at text inside the pattern.
    looks: Vec<usize>,
    sink: &'s mut Sink,
}

/// Translates a pattern to ogc's dialect; `None` after an error, which is reported. `at` is the offset of `text` in the
/// file.
pub(super) fn translate(text: &str, at: usize, spelled: Spelled<'_>, sink: &mut Sink) -> Option<String> {
    let has = |flag| spelled.flags.contains(flag);
    if has('l') {
        let place = Span::of(spelled.at, spelled.at + spelled.flags.len());
        let message = "the flag `l` makes a pattern depend on the computer's language";
        sink.push(Diagnostic::error(Code::LarkRegex, place, message).help("remove it; patterns are about Unicode"));
        return None;
    }
    let mut translator = Translator {
        cursor: Cursor::new(text),
        out: String::new(),
        base: at,
        flags: Flags { dot_all: has('s'), verbose: has('x') },
        groups: Vec::new(),
        ignore_case: has('i'),
        sound: true,
        lazy: false,
        anchored: false,
        looks: if has('x') { Vec::new() } else { look::inside(text) },
        sink,
    };
    translator.pattern();
    let Translator { out, ignore_case, sound, .. } = translator;
    sound.then(|| if ignore_case { format!("(?i){out}") } else { out })
}

/// Returns a pattern that matches a text in any letter case.
pub(super) fn ignoring_case(text: &str) -> String {
    let mut out = "(?i)".to_owned();
    text.chars().for_each(|c| push(c, &mut out));
    out
}

/// Writes a pattern for one character.
fn push(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        _ if "^$\\.*+?()[]{}|/-".contains(c) => out.extend(['\\', c]),
        _ => out.push(c),
    }
}

impl Translator<'_, '_> {
    fn pattern(&mut self) {
        while let Some(c) = self.cursor.peek() {
            let start = self.cursor.offset();
            if self.skip_verbose(c) {
                continue;
            }
            self.cursor.bump();
            match c {
                '\\' => self.escape(start),
                '[' => self.class(start),
                '.' if self.flags.dot_all => self.out.push_str("(?s:.)"),
                '.' => self.out.push_str("[^\\n]"),
                '^' | '$' => self.anchor(start),
                '(' => self.open(start),
                ')' => self.close(start),
                '*' | '+' | '?' => {
                    self.out.push(c);
                    self.after_quantifier(start);
                }
                '{' => self.braces(start),
                '|' => self.out.push('|'),
                _ => push(c, &mut self.out),
            }
        }
        if !self.groups.is_empty() {
            self.fail(
                0,
                "this pattern has a group that is not closed",
                "close it with `)`, or write `\\(` for the character",
            );
        }
    }

    /// Skips white space and comments under the flag `x`; returns whether it skipped any.
    fn skip_verbose(&mut self, c: char) -> bool {
        if !self.flags.verbose || !(c.is_whitespace() || c == '#') {
            return false;
        }
        self.cursor.bump();
        if c == '#' {
            self.cursor.take_while(|c| c != '\n');
        }
        true
    }

    /// Reports the first anchor of a pattern.
    fn anchor(&mut self, start: usize) {
        if std::mem::replace(&mut self.anchored, true) {
            return;
        }
        let help = "remove it: a terminal matches as a whole; for `^` or `$` as characters write `\\^` or `\\$`";
        self.fail(start, "an anchor asks what stands around a terminal, which is not told by its own text", help);
    }

    fn open(&mut self, start: usize) {
        self.groups.push(self.flags);
        if !self.cursor.eat("?") {
            self.out.push_str("(?:");
            return;
        }
        if self.cursor.eat(":") {
            self.out.push_str("(?:");
        } else if ["=", "!", "<=", "<!"].iter().any(|look| self.cursor.rest().starts_with(look)) {
            self.looking_around(start);
        } else if self.cursor.eat("P<") || self.cursor.eat("<") {
            self.group_name(start);
        } else if self.cursor.eat("#") {
            self.groups.pop();
            if self.cursor.take_past(")").is_none() {
                self.fail(start, "this comment is not closed", "close it with `)`");
            }
        } else {
            self.modifiers(start);
        }
    }

    fn looking_around(&mut self, start: usize) {
        if self.looks.contains(&start) {
            let sign = self.cursor.take_while(|c| "<=!".contains(c));
            self.out.extend(["(?", sign]);
            return;
        }
        // The group is copied as a plain group, so that the rest of the pattern can be read.
        self.cursor.take_while(|c| "<=!".contains(c));
        self.out.push_str("(?:");
        let help = "say it with texts: `A & B`, `A & ~B` in a terminal, or a pattern that spells out what may follow";
        self.fail(start, "looking around asks for text outside of the terminal", help);
    }

    fn group_name(&mut self, start: usize) {
        self.cursor.take_while(|c| c.is_alphanumeric() || c == '_');
        self.out.push_str("(?:");
        if !self.cursor.eat(">") {
            self.fail(start, "this group's name has no `>`", "write `(?P<name>...)`, or `(...)` without a name");
        }
    }

    /// Translates `(?i)` at the beginning of the pattern, or `(?i:...)` anywhere.
    fn modifiers(&mut self, start: usize) {
        let letters = self.cursor.take_while(|c| c.is_ascii_alphabetic() || c == '-').to_owned();
        let (on, off) = letters.split_once('-').unwrap_or((&letters, ""));
        let known = on.chars().chain(off.chars()).all(|c| "imsux".contains(c)) && !letters.is_empty();
        let whole = known && start == 0 && off.is_empty() && self.cursor.eat(")");
        if !(whole || known && self.cursor.eat(":")) {
            self.out.push_str("(?:");
            let help = "groups are `(...)`, `(?:...)`, `(?P<name>...)`, `(?i:...)`, and `(?i)` at the beginning";
            self.fail(start, "this kind of group is not supported", help);
            return;
        }
        self.flags.dot_all = (self.flags.dot_all || on.contains('s')) && !off.contains('s');
        self.flags.verbose = (self.flags.verbose || on.contains('x')) && !off.contains('x');
        if whole {
            self.groups.pop();
            self.ignore_case |= on.contains('i');
            return;
        }
        let sign = match (on.contains('i'), off.contains('i')) {
            (true, _) => "(?i:",
            (false, true) => "(?-i:",
            (false, false) => "(?:",
        };
        self.out.push_str(sign);
    }

    fn close(&mut self, start: usize) {
        match self.groups.pop() {
            Some(flags) => {
                self.flags = flags;
                self.out.push(')');
            }
            None => self.fail(start, "this `)` closes no group", "write `\\)` for the character"),
        }
    }

    /// Translates `{n}`, `{n,}`, `{,m}` or `{n,m}`; any other brace is a character.
    fn braces(&mut self, start: usize) {
        let rest = self.cursor.rest();
        let inner = rest.split_once('}').map(|(inner, _)| inner).filter(|inner| is_count(inner));
        let Some(inner) = inner else {
            push('{', &mut self.out);
            return;
        };
        let zero = if inner.starts_with(',') { "0" } else { "" };
        self.out.extend(["{", zero, inner, "}"]);
        self.cursor.seek(self.cursor.offset() + inner.len() + 1);
        self.after_quantifier(start);
    }

    fn after_quantifier(&mut self, start: usize) {
        if self.cursor.eat("?") {
            self.warn_lazy(start);
        } else if self.cursor.eat("+") {
            let help = "remove the second sign, or exclude what follows from what is repeated";
            self.fail(start, "a possessive repetition refuses texts by how they are searched", help);
        }
    }

    fn warn_lazy(&mut self, start: usize) {
        if std::mem::replace(&mut self.lazy, true) {
            return;
        }
        let message = "a terminal is a set of texts, so a lazy repetition allows the same as a plain one: texts go on beyond \
                       the first end too";
        let help = "exclude the end from what is repeated, as in `[^\"]*`, or make it a rule with `[lazy]`";
        self.sink.push(Diagnostic::warning(Code::LarkLazyRepetition, self.span(start), message).help(help));
    }

    /// Translates an escape outside of classes; the backslash at `start` has been read.
    fn escape(&mut self, start: usize) {
        let Some(letter) = self.cursor.peek() else {
            self.fail(start, "this backslash escapes nothing", "write `\\\\` for a backslash");
            return;
        };
        let set = match letter {
            'd' => "\\p{Nd}".to_owned(),
            'D' => "\\P{Nd}".to_owned(),
            'w' => format!("[{WORD}]"),
            'W' => format!("[^{WORD}]"),
            's' => format!("[{SPACE}]"),
            'S' => format!("[^{SPACE}]"),
            'p' | 'P' => return self.property(start),
            'b' | 'B' | 'A' | 'Z' | 'z' | 'G' => {
                self.cursor.bump();
                return self.anchor(start);
            }
            _ => {
                if let Some(c) = self.escaped(start) {
                    push(c, &mut self.out);
                }
                return;
            }
        };
        self.cursor.bump();
        self.out.push_str(&set);
    }

    /// Translates `\p{name}` or `\pL`, which Python's own module lacks and other libraries have.
    fn property(&mut self, start: usize) {
        let Some(letter) = self.cursor.bump() else {
            never!("no property stands at the end of a pattern");
            return;
        };
        let name = if self.cursor.eat("{") {
            self.cursor.take_past("}").map(str::to_owned)
        } else {
            self.cursor.bump().filter(char::is_ascii_alphabetic).map(String::from)
        };
        match name {
            Some(name) => self.out.extend(["\\", &letter.to_string(), "{", &name, "}"]),
            None => self.fail(start, "this names no property of characters", "write `\\p{L}`"),
        }
    }

    fn fail(&mut self, start: usize, message: &str, help: &str) {
        self.sound = false;
        self.sink.push(Diagnostic::error(Code::LarkRegex, self.span(start), message).help(help));
    }

    fn span(&self, start: usize) -> Span {
        Span::of(self.base + start, self.base + self.cursor.offset())
    }
}

fn is_count(inner: &str) -> bool {
    let (low, high) = inner.split_once(',').unwrap_or((inner, "0"));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    digits(low) && digits(high) && !(low.is_empty() && (high.is_empty() || !inner.contains(',')))
}
