//! The table of the language's tokens: their kinds, their names in messages, and their classes for editors.

use std::sync::LazyLock;

use crate::span::Span;

/// A token and its place. Tokens follow one another without gaps: every byte is in exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Place of the token. Invariant: not empty.
    pub span: Span,
}

/// The class of a token, by which an editor colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// White space.
    Space,
    /// Comments and doc comments.
    Comment,
    /// A word that begins an item.
    Keyword,
    /// A word that is special in one construct and a plain name elsewhere.
    ContextualKeyword,
    /// `true`, `false`, `null`.
    Constant,
    /// A name.
    Name,
    /// A string, regex, number or vocabulary token.
    Literal,
    /// `@name`.
    Attribute,
    /// A sign between or after expressions.
    Operator,
    /// A bracket.
    Bracket,
    /// Any other sign.
    Punctuation,
    /// A token that is always an error.
    Wrong,
}

macro_rules! tokens {
    ($($(#[doc = $doc:literal])+ $kind:ident $class:ident $shown:literal;)+) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TokenKind {
            $($(#[doc = $doc])+ $kind,)+
        }

        impl TokenKind {
            /// All kinds, in the order of the table.
            pub const ALL: &[TokenKind] = &[$(TokenKind::$kind),+];

            /// Returns the spelling of the token if there is only one, else a description.
            #[must_use]
            pub fn shown(self) -> &'static str {
                match self { $(TokenKind::$kind => $shown,)+ }
            }

            /// Returns the class of the token for an editor.
            #[must_use]
            pub fn class(self) -> TokenClass {
                match self { $(TokenKind::$kind => TokenClass::$class,)+ }
            }
        }
    };
}

tokens! {
    /// Spaces, tabs, line ends, and a byte order mark.
    Space Space "white space";
    /// `// ...` to the end of the line.
    Comment Comment "a comment";
    /// `/// ...` to the end of the line.
    Doc Comment "a doc comment";
    /// `/* ... */`, which the language does not have: reported, then treated as a comment.
    BlockComment Comment "a block comment";
    /// `type` where it begins an item; elsewhere a name. The same holds for all keywords.
    Type Keyword "type";
    /// `rule`
    Rule Keyword "rule";
    /// `output`
    Output Keyword "output";
    /// `import`
    Import Keyword "import";
    /// `test`
    Test Keyword "test";
    /// `policy`
    Policy Keyword "policy";
    /// `from`, in an import.
    From ContextualKeyword "from";
    /// `as`, in an import.
    As ContextualKeyword "as";
    /// `with`, in an import or a test.
    With ContextualKeyword "with";
    /// `accept`, in a test.
    Accept ContextualKeyword "accept";
    /// `reject`, in a test.
    Reject ContextualKeyword "reject";
    /// `because`, in a test.
    Because ContextualKeyword "because";
    /// `true`
    True Constant "true";
    /// `false`
    False Constant "false";
    /// `null`
    Null Constant "null";
    /// A name.
    Name Name "a name";
    /// A number. The parser joins it with a touching sign that cannot be a difference.
    Number Literal "a number";
    /// `"..."` or `'...'`
    String Literal "a string";
    /// `/.../`
    Regex Literal "a regex";
    /// `tok"..."` or `tok'...'`
    Tok Literal "a vocabulary token";
    /// `@name`
    Attribute Attribute "an attribute";
    /// `@name(`
    AttributeOpen Attribute "an attribute";
    /// `{`
    LeftBrace Bracket "{";
    /// `}`
    RightBrace Bracket "}";
    /// `(`
    LeftParen Bracket "(";
    /// `)`
    RightParen Bracket ")";
    /// `[`
    LeftBracket Bracket "[";
    /// `]`
    RightBracket Bracket "]";
    /// `<`, always a bracket
    Less Bracket "<";
    /// `>`, always single, so that `>>` closes two lists
    Greater Bracket ">";
    /// `,`
    Comma Punctuation ",";
    /// `:`
    Colon Punctuation ":";
    /// `=`
    Equals Punctuation "=";
    /// `.`
    Dot Punctuation ".";
    /// `...`
    Ellipsis Punctuation "...";
    /// `..`
    Dots Operator "..";
    /// `|`
    Bar Operator "|";
    /// `&`
    And Operator "&";
    /// `-`
    Minus Operator "-";
    /// `%`
    Percent Operator "%";
    /// `?`
    Question Operator "?";
    /// `*`
    Star Operator "*";
    /// `+`
    Plus Operator "+";
    /// `;`, `=>`, `->`, `::=`, `:=`, `==`: signs of other languages.
    Foreign Wrong "a sign of another language";
    /// A string, regex or vocabulary token whose end is missing: to the end of the line.
    Unclosed Wrong "an unclosed literal";
    /// A regex in which a `/` should have been escaped: `/a/b/`.
    SlashedRegex Wrong "a regex";
    /// A regex without its slashes: `[^,]+`, `\\d{4}`.
    BareRegex Wrong "a regex";
    /// A string in quotes of another language or of a text: `“...”`.
    OtherQuotes Wrong "a string";
    /// Digits that run into letters.
    BadNumber Wrong "a number";
    /// A character that begins no token.
    Unknown Wrong "an unknown character";
}

/// Words that are never names where they begin something: keywords of items and constants.
static RESERVED: LazyLock<Vec<TokenKind>> = LazyLock::new(|| {
    let reserved = |kind: &&TokenKind| matches!(kind.class(), TokenClass::Keyword | TokenClass::Constant);
    TokenKind::ALL.iter().filter(reserved).copied().collect()
});

impl TokenKind {
    /// Returns the kind of a word: a keyword of items, a constant or a name.
    pub(crate) fn of_word(text: &str) -> TokenKind {
        RESERVED.iter().find(|kind| kind.shown() == text).copied().unwrap_or(TokenKind::Name)
    }

    /// Returns the words that begin items, in the order of the table.
    pub(crate) fn item_keywords() -> impl Iterator<Item = &'static str> {
        RESERVED.iter().filter(|kind| kind.is_keyword()).map(|kind| kind.shown())
    }

    /// Returns whether the token has no meaning for the parser: white space or a comment.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(self.class(), TokenClass::Space | TokenClass::Comment)
    }

    /// Returns whether the token is spelled like a name, so that it may name a field, a capture, an argument or an
    /// attribute.
    #[must_use]
    pub fn is_word(self) -> bool {
        use TokenClass::{Constant, ContextualKeyword, Keyword, Name};
        matches!(self.class(), Keyword | ContextualKeyword | Constant | Name)
    }

    /// Returns whether the token begins an item.
    #[must_use]
    pub fn is_keyword(self) -> bool {
        self.class() == TokenClass::Keyword
    }

    /// Returns whether an expression may end with the token.
    #[must_use]
    pub fn ends_expression(self) -> bool {
        use TokenKind::{Greater, Plus, Question, RightBrace, RightBracket, RightParen, Star, Unclosed};
        let closes = matches!(self, Greater | RightBrace | RightBracket | RightParen);
        closes || matches!(self, Question | Star | Plus | Unclosed) || self.is_word() || self.is_literal()
    }

    /// Returns whether an expression may begin with the token; signs, attributes and a leading `|` do not count.
    #[must_use]
    pub fn begins_expression(self) -> bool {
        use TokenKind::{LeftBrace, LeftParen, Unclosed};
        matches!(self, LeftBrace | LeftParen | Unclosed) || self.is_word() || self.is_literal()
    }

    /// Returns whether an expression must follow the token.
    #[must_use]
    pub(crate) fn wants_expression(self) -> bool {
        use TokenKind::{And, Bar, Colon, Comma, Equals, LeftParen, Less, Minus, Percent};
        matches!(self, And | Bar | Colon | Comma | Equals | LeftParen | Less | Minus | Percent)
    }

    /// Returns the bracket that closes this one.
    #[must_use]
    pub fn closer(self) -> Option<TokenKind> {
        match self {
            TokenKind::LeftBrace => Some(TokenKind::RightBrace),
            TokenKind::LeftParen | TokenKind::AttributeOpen => Some(TokenKind::RightParen),
            TokenKind::LeftBracket => Some(TokenKind::RightBracket),
            TokenKind::Less => Some(TokenKind::Greater),
            _ => None,
        }
    }

    /// Returns whether the token closes a bracket.
    #[must_use]
    pub fn is_closer(self) -> bool {
        use TokenKind::{Greater, RightBrace, RightBracket, RightParen};
        matches!(self, Greater | RightBrace | RightBracket | RightParen)
    }

    fn is_literal(self) -> bool {
        self.class() == TokenClass::Literal
            || matches!(self, TokenKind::BadNumber | TokenKind::OtherQuotes)
            || matches!(self, TokenKind::SlashedRegex | TokenKind::BareRegex)
    }
}
