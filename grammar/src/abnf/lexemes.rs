//! The lexemes of ABNF.

/// A word, sign or terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name, spelled as it is written.
    Name(String),
    /// `=`
    Define,
    /// `=/`
    Extend,
    /// A string.
    Text { text: String, has_case: bool },
    /// `%x41`, or several numbers joined by `.`.
    Series(Vec<Value>),
    /// `%x41-5A`
    Range(Value, Value),
    /// `/`
    Slash,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenOption,
    /// `]`
    CloseOption,
    /// `2*4`, `*` or `3`.
    Repeat { min: u32, max: Option<u32> },
    /// A broken lexeme, which has been reported; stands for nothing.
    Reported,
    /// A broken lexeme, which has been reported; it stands for nothing.
    Unknown(char),
}

/// A number after `%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Code point of the number.
    pub(super) code: char,
    /// Whether the number has more digits than an octet needs.
    pub(super) is_long: bool,
}

/// A token of ABNF in its text.
pub(super) type Lexeme = crate::notation::lexeme::Lexeme<Token>;
