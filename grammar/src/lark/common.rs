//! The terminals of Lark's libraries, as patterns.
//!
//! Terminals that Lark writes with a lazy repetition (`ESCAPED_STRING`, `C_COMMENT`, the strings of `python`) match up
//! to the first end. Two of `python` look at the next character: an empty `STRING` must not precede another quote, and
//! a `DEC_NUMBER` of zeros must not precede a digit. As sets of texts they are the texts that their patterns match as a
//! whole, with nothing after them.

const EXPONENT: &str = r"(?:[eE][+\-]?[0-9]+)";

/// Names of the known libraries.
pub(super) const LIBRARIES: [&str; 3] = ["common", "python", "unicode"];

/// Returns the pattern of a terminal of a library.
pub(super) fn pattern(library: &str, name: &str) -> Option<String> {
    let plain = terminals(library).iter().find(|(known, _)| *known == name).map(|(_, pattern)| (*pattern).to_owned());
    plain.or_else(|| number(name).filter(|_| library == "common"))
}

/// Returns the names of all terminals of a library, for suggestions.
pub(super) fn names(library: &str) -> impl Iterator<Item = &'static str> {
    let numbers: &[&str] = if library == "common" { &NUMBERS } else { &[] };
    terminals(library).iter().map(|(name, _)| *name).chain(numbers.iter().copied())
}

/// Terminals of `common` that consist of others.
const NUMBERS: [&str; 4] = ["FLOAT", "SIGNED_FLOAT", "NUMBER", "SIGNED_NUMBER"];

fn terminals(library: &str) -> &'static [(&'static str, &'static str)] {
    match library {
        "python" => &PYTHON,
        "unicode" => &UNICODE,
        _ => &TERMINALS,
    }
}

fn number(name: &str) -> Option<String> {
    let float = format!(r"[0-9]+{EXPONENT}|(?:[0-9]+\.[0-9]*|\.[0-9]+){EXPONENT}?");
    let number = format!(r"{float}|[0-9]+");
    Some(match name {
        "FLOAT" => float,
        "NUMBER" => number,
        "SIGNED_FLOAT" => format!(r"[+\-]?(?:{float})"),
        "SIGNED_NUMBER" => format!(r"[+\-]?(?:{number})"),
        _ => return None,
    })
}

const TERMINALS: [(&str, &str); 21] = [
    ("DIGIT", "[0-9]"),
    ("HEXDIGIT", "[0-9A-Fa-f]"),
    ("INT", "[0-9]+"),
    ("SIGNED_INT", r"[+\-]?[0-9]+"),
    ("DECIMAL", r"[0-9]+\.[0-9]*|\.[0-9]+"),
    ("_EXP", EXPONENT),
    ("ESCAPED_STRING", r#""(?:[^"\\\n]|\\[^\n])*""#),
    ("LCASE_LETTER", "[a-z]"),
    ("UCASE_LETTER", "[A-Z]"),
    ("LETTER", "[A-Za-z]"),
    ("WORD", "[A-Za-z]+"),
    ("CNAME", "[A-Za-z_][A-Za-z_0-9]*"),
    ("WS_INLINE", r"[ \t]+"),
    ("WS", r"[ \t\f\r\n]+"),
    ("CR", r"\r"),
    ("LF", r"\n"),
    ("NEWLINE", r"(?:\r?\n)+"),
    ("SH_COMMENT", r"#[^\n]*"),
    ("CPP_COMMENT", r"\/\/[^\n]*"),
    ("C_COMMENT", r"\/\*(?:[^*]|\*+[^*\/])*\*+\/"),
    ("SQL_COMMENT", r"--[^\n]*"),
];

const PYTHON: [(&str, &str); 13] = [
    ("NAME", r"[\p{L}\p{Nl}\p{No}_][\p{L}\p{N}_]*"),
    ("COMMENT", r"#[^\n]*"),
    ("STRING", r#"(?:[uUbBfF]?[rR]?|[rR][uUbBfF])(?:"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*')"#),
    (
        "LONG_STRING",
        r#"(?:[uUbBfF]?[rR]?|[rR][uUbBfF])(?:"""(?:"{0,2}(?:[^"\\]|\\(?s:.)))*"""|'''(?:'{0,2}(?:[^'\\]|\\(?s:.)))*''')"#,
    ),
    ("_SPECIAL_DEC", "[0-9](?:_?[0-9])*"),
    ("_EXP", r"[eE][+\-]?[0-9](?:_?[0-9])*"),
    ("DEC_NUMBER", "[1-9](?:_?[0-9])*|0(?:_?0)*"),
    (
        "IMAG_NUMBER",
        r"(?:[0-9](?:_?[0-9])*(?:[eE][+\-]?[0-9](?:_?[0-9])*)?|(?:\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.(?:[0-9](?:_?[0-9])*)?)(?:[eE][+\-]?[0-9](?:_?[0-9])*)?)[jJ]",
    ),
    ("HEX_NUMBER", "0[xX](?:_?[0-9a-fA-F])+"),
    ("OCT_NUMBER", "0[oO](?:_?[0-7])+"),
    ("BIN_NUMBER", "0[bB](?:_?[01])+"),
    ("DECIMAL", r"\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.(?:[0-9](?:_?[0-9])*)?"),
    (
        "FLOAT_NUMBER",
        r"[0-9](?:_?[0-9])*[eE][+\-]?[0-9](?:_?[0-9])*|(?:\.[0-9](?:_?[0-9])*|[0-9](?:_?[0-9])*\.(?:[0-9](?:_?[0-9])*)?)(?:[eE][+\-]?[0-9](?:_?[0-9])*)?",
    ),
];

const UNICODE: [(&str, &str); 2] = [("WS_INLINE", r"[ \t\xa0]+"), ("WS", r"[ \t\xa0\f\r\n]+")];
