//! Vocabulary tokens in rules: by name, by id, and all except some.

use std::fmt;

/// A vocabulary token, or a choice of several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VocabularyToken {
    /// One of these tokens.
    Of(TokenSet),
    /// Any other token: `!<think>`, `<[^12]>`. With an empty set, any token: `<[*]>`.
    Except(TokenSet),
}

/// A set of tokens.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TokenSet {
    /// The special token with this name, which includes its angle brackets: `<think>`.
    Named(String),
    /// The tokens with these ids; both ends of each range are included: `<[12,20-30]>`.
    Numbered(Vec<(u32, u32)>),
}

impl VocabularyToken {
    /// Returns the special token with a name in angle brackets.
    #[must_use]
    pub fn named(name: &str) -> VocabularyToken {
        VocabularyToken::Of(TokenSet::Named(name.to_owned()))
    }

    /// Returns the token with an id.
    #[must_use]
    pub fn numbered(number: u32) -> VocabularyToken {
        VocabularyToken::Of(TokenSet::Numbered(vec![(number, number)]))
    }

    /// Reads a token as rules spell it; `None` if the text spells none.
    ///
    /// ```
    /// use ogc_grammar::rules::VocabularyToken;
    /// for text in ["<think>", "!<think>", "<[12,20-30]>", "<[^12]>", "<[*]>"] {
    ///     assert_eq!(VocabularyToken::read(text).map(|token| token.to_string()).as_deref(), Some(text));
    /// }
    /// assert_eq!(VocabularyToken::read("<[30-20]>"), None);
    /// ```
    #[must_use]
    pub fn read(text: &str) -> Option<VocabularyToken> {
        let (is_other, name) = text.strip_prefix('!').map_or((false, text), |name| (true, name));
        let body = name.strip_prefix('<')?.strip_suffix('>').filter(|body| !body.is_empty())?;
        let Some(list) = body.strip_prefix('[') else {
            return Some(VocabularyToken::new(is_other, TokenSet::Named(name.to_owned())));
        };
        let list = list.strip_suffix(']')?;
        match list.strip_prefix('^') {
            Some(_) if is_other => None,
            None if list == "*" && !is_other => Some(VocabularyToken::Except(TokenSet::Numbered(Vec::new()))),
            Some(list) => Some(VocabularyToken::new(true, TokenSet::Numbered(numbers(list)?))),
            None => Some(VocabularyToken::new(is_other, TokenSet::Numbered(numbers(list)?))),
        }
    }

    fn new(is_other: bool, set: TokenSet) -> VocabularyToken {
        if is_other { VocabularyToken::Except(set) } else { VocabularyToken::Of(set) }
    }

    /// Returns its set: the allowed or the excluded tokens.
    #[must_use]
    pub fn set(&self) -> &TokenSet {
        match self {
            VocabularyToken::Of(set) | VocabularyToken::Except(set) => set,
        }
    }
}

/// Reads a list such as `1,20-30` with ascending ranges.
fn numbers(list: &str) -> Option<Vec<(u32, u32)>> {
    list.split(',')
        .map(|part| {
            let (low, high) = part.split_once('-').unwrap_or((part, part));
            let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let range = (low.parse().ok()?, high.parse().ok()?);
            (is_number(low) && is_number(high) && range.0 <= range.1).then_some(range)
        })
        .collect()
}

impl fmt::Display for VocabularyToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VocabularyToken::Of(TokenSet::Named(name)) => f.write_str(name),
            VocabularyToken::Except(TokenSet::Named(name)) => write!(f, "!{name}"),
            VocabularyToken::Of(TokenSet::Numbered(ranges)) => write!(f, "<[{}]>", list(ranges)),
            VocabularyToken::Except(TokenSet::Numbered(ranges)) if ranges.is_empty() => f.write_str("<[*]>"),
            VocabularyToken::Except(TokenSet::Numbered(ranges)) => write!(f, "<[^{}]>", list(ranges)),
        }
    }
}

fn list(ranges: &[(u32, u32)]) -> String {
    let parts = ranges.iter().map(|(low, high)| if low == high { low.to_string() } else { format!("{low}-{high}") });
    parts.collect::<Vec<_>>().join(",")
}
