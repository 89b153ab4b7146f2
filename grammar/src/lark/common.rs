//! The terminals of Lark's library `common`, as patterns.
//!
//! Those that Lark writes with a lazy repetition (`ESCAPED_STRING`, `C_COMMENT`) mean what stops at the first end.

const EXPONENT: &str = r"(?:[eE][+\-]?[0-9]+)";

/// Returns the pattern of a terminal.
pub(super) fn pattern(name: &str) -> Option<String> {
    let plain = TERMINALS.iter().find(|(known, _)| *known == name).map(|(_, pattern)| (*pattern).to_owned());
    plain.or_else(|| number(name))
}

/// Returns the names of all terminals of the library, for suggestions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TERMINALS.iter().map(|(name, _)| *name).chain(["FLOAT", "SIGNED_FLOAT", "NUMBER", "SIGNED_NUMBER"])
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
