//! Constrained types of pydantic: `constr(max_length=5)`, `conlist(int, min_length=1)`, `Annotated[int, Field(ge=0)]`.

use super::made::Made;
use super::reader::Reader;
use crate::ogc::token::TokenKind;

/// Functions of pydantic that make a type.
pub(super) const NAMES: [&str; 7] = ["constr", "conint", "confloat", "condecimal", "conlist", "conset", "conbytes"];

/// Returns the ogc type that corresponds to a scalar of Python.
pub(super) fn scalar(name: &str) -> Option<&'static str> {
    Some(match name {
        "str" | "string" => "string",
        "int" => "int",
        "float" | "number" | "Decimal" => "number",
        _ => return None,
    })
}

/// Reads `constr(...)` and similar calls.
pub(super) fn constrained(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let name = reader.take(TokenKind::Name)?;
    reader.open(TokenKind::LeftParen)?;
    let mut made = match name {
        "constr" => Made::named("string"),
        "conint" => Made::named("int"),
        "confloat" | "condecimal" => Made::named("number"),
        "conlist" | "conset" => {
            let item = reader.operand()?;
            let _ = reader.take(TokenKind::Comma);
            Made::array(&item, name == "conset")
        }
        _ => return None,
    };
    let all = reader.list(TokenKind::RightParen, argument)?;
    all.iter().for_each(|one| one.constrain(&mut made));
    // In a rule, `constr ("a")` is a name and a group.
    (!all.is_empty() || matches!(name, "conlist" | "conset")).then_some(made)
}

/// Returns whether a scalar is called with named arguments, or a string with a number: `int(ge=0)`, `string(10)`.
pub(super) fn calls_scalar(reader: &Reader<'_, '_>) -> bool {
    let kind = |ahead: usize| reader.item.kind(reader.at + ahead);
    let called = reader.is(TokenKind::Name) && kind(1) == Some(TokenKind::LeftParen);
    let Some(scalar) = scalar(reader.text()).filter(|_| called) else { return false };
    let named = kind(2) == Some(TokenKind::Name) && kind(3) == Some(TokenKind::Equals);
    let counted = kind(2) == Some(TokenKind::Number) && kind(3) == Some(TokenKind::RightParen) && scalar == "string";
    named || counted
}

/// Reads `int(ge=0, le=150)` and `string(10)`.
pub(super) fn called_scalar(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let mut made = Made::named(scalar(reader.take(TokenKind::Name)?)?);
    reader.open(TokenKind::LeftParen)?;
    if let Some(number) = reader.take(TokenKind::Number) {
        made.at_most(number);
        reader.take(TokenKind::RightParen)?;
        return Some(made);
    }
    reader.list(TokenKind::RightParen, argument)?.iter().for_each(|one| one.constrain(&mut made));
    Some(made)
}

/// Reads `Annotated[T, Field(...)]`.
pub(super) fn annotated(reader: &mut Reader<'_, '_>) -> Option<Made> {
    reader.take(TokenKind::Name)?;
    reader.open(TokenKind::LeftBracket)?;
    let mut made = reader.operand()?;
    while reader.take(TokenKind::Comma).is_some() {
        let field = reader.take(TokenKind::Name)? == "Field" && reader.open(TokenKind::LeftParen).is_some();
        if !field {
            return None;
        }
        reader.list(TokenKind::RightParen, argument)?.iter().for_each(|one| one.constrain(&mut made));
    }
    reader.take(TokenKind::RightBracket)?;
    Some(made)
}

/// Returns whether `T = Field(...)` begins here.
pub(super) fn has_field(reader: &Reader<'_, '_>) -> bool {
    let kind = |ahead: usize| reader.item.kind(reader.at + ahead);
    let field = reader.is(TokenKind::Name) && reader.item.text(reader.at + 2) == "Field";
    field && kind(1) == Some(TokenKind::Equals) && kind(3) == Some(TokenKind::LeftParen)
}

/// Reads `int = Field(ge=0)`.
pub(super) fn field(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let mut made = Made::named(scalar(reader.take(TokenKind::Name)?)?);
    reader.take(TokenKind::Equals)?;
    reader.take(TokenKind::Name)?;
    reader.open(TokenKind::LeftParen)?;
    // `...` says that there is no default.
    if reader.take(TokenKind::Ellipsis).is_some() && !reader.is(TokenKind::RightParen) {
        reader.take(TokenKind::Comma)?;
    }
    reader.list(TokenKind::RightParen, argument)?.iter().for_each(|one| one.constrain(&mut made));
    Some(made)
}

/// A named argument; its value is empty if the argument sets no bound.
struct Argument<'t> {
    name: &'t str,
    value: &'t str,
}

fn argument<'t>(reader: &mut Reader<'_, 't>) -> Option<Argument<'t>> {
    let name = reader.take(TokenKind::Name)?;
    reader.take(TokenKind::Equals)?;
    // `r"..."`
    if reader.is(TokenKind::Name) && reader.text() == "r" && reader.item.kind(reader.at + 1) == Some(TokenKind::String)
    {
        reader.at += 1;
    }
    let value = reader.text();
    reader.literal().or_else(|| reader.word())?;
    Some(Argument { name, value })
}

impl Argument<'_> {
    fn constrain(&self, made: &mut Made) {
        let number = self.value.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        match self.name {
            "min_length" | "min_items" | "ge" | "min" | "minLength" | "minimum" | "min_value" if number => {
                made.at_least(self.value);
            }
            "max_length" | "max_items" | "le" | "max" | "maxLength" | "maximum" | "max_value" if number => {
                made.at_most(self.value);
            }
            "gt" | "exclusiveMinimum" if number => made.condition(format!("above = {}", self.value)),
            "lt" | "exclusiveMaximum" if number => made.condition(format!("below = {}", self.value)),
            "multiple_of" | "multipleOf" if number => made.condition(format!("multiple_of = {}", self.value)),
            "decimal_places" if number => made.condition(format!("digits = {}", self.value)),
            "pattern" | "regex" => match pattern(self.value) {
                Some(pattern) => made.condition(pattern),
                None => made.exact = false,
            },
            _ => made.exact = false,
        }
    }
}

/// Returns the condition that corresponds to a pattern in a string of Python, which matches anywhere in a text.
fn pattern(string: &str) -> Option<String> {
    let quote = string.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = string.strip_prefix(quote)?.strip_suffix(quote)?.replace("\\\\", "\\").replace('/', "\\/");
    let whole = inner.strip_prefix('^').and_then(|inner| inner.strip_suffix('$'));
    Some(match whole.filter(|whole| !whole.contains('|') && !whole.ends_with('\\')) {
        Some(whole) => format!("/{whole}/"),
        None => format!("search = /{inner}/"),
    })
}
