//! Types of zod: `z.string().min(1)`, `z.array(z.number())`, `z.enum(["a", "b"])`.

use super::made::Made;
use super::reader::Reader;
use crate::ogc::token::TokenKind;

/// Reads `z.name(...)` with the methods after it.
pub(super) fn chain(reader: &mut Reader<'_, '_>) -> Option<Made> {
    reader.take(TokenKind::Name)?;
    reader.take(TokenKind::Dot)?;
    let name = reader.word()?;
    reader.open(TokenKind::LeftParen)?;
    let made = match plain(name) {
        Some(made) => {
            reader.skip_arguments()?;
            made
        }
        None => composed(name, reader)?,
    };
    chained(made, reader)
}

/// Returns whether a call of a method touches the current token: `date.nullable()`.
pub(super) fn has_method(reader: &Reader<'_, '_>) -> bool {
    let kind = |ahead: usize| reader.item.kind(reader.at + ahead);
    let called = kind(1) == Some(TokenKind::Dot) && kind(3) == Some(TokenKind::LeftParen);
    called && kind(2).is_some_and(TokenKind::is_word) && reader.item.touches(reader.at + 3)
}

/// Returns the ogc type with this name, if it is a scalar.
pub(super) fn native(name: &str) -> Option<&'static str> {
    Some(match name {
        "date" => "date",
        "datetime" => "datetime",
        "time" => "time",
        "uuid" => "uuid",
        "email" => "email",
        "uri" => "uri",
        "bool" => "bool",
        _ => return None,
    })
}

/// Reads the name of a scalar with methods behind it: `date.nullable().optional()`.
pub(super) fn methods(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let name = reader.take(TokenKind::Name)?;
    let made = Made::named(native(name).or_else(|| super::pydantic::scalar(name))?);
    chained(made, reader)
}

/// Applies the methods that follow.
fn chained(mut made: Made, reader: &mut Reader<'_, '_>) -> Option<Made> {
    while reader.is(TokenKind::Dot) {
        reader.at += 1;
        let method = reader.word()?;
        reader.open(TokenKind::LeftParen)?;
        made = apply(method, made, reader)?;
    }
    Some(made)
}

/// Returns the type of a function without arguments, or with only options.
fn plain(name: &str) -> Option<Made> {
    Some(match name {
        "string" => Made::named("string"),
        "number" | "float32" | "float64" => Made::named("number"),
        "int" | "bigint" | "int32" | "int64" => Made::named("int"),
        "email" => Made::named("email"),
        "uuid" | "guid" => Made::named("uuid"),
        "url" => Made::named("uri"),
        "ipv4" => Made::named("ipv4"),
        "ipv6" => Made::named("ipv6"),
        "boolean" => Made::tight("bool"),
        "null" => Made::tight("null"),
        "any" | "unknown" => Made::tight("any"),
        "date" => Made::named("datetime"),
        _ => return None,
    })
}

/// Reads the arguments of a function that combines other types.
fn composed(name: &str, reader: &mut Reader<'_, '_>) -> Option<Made> {
    let made = match name {
        "literal" => Made::tight(reader.literal()?),
        "enum" => {
            reader.take(TokenKind::LeftBracket)?;
            let texts = reader.list(TokenKind::RightBracket, |reader| reader.take(TokenKind::String))?;
            Made::union(&texts.into_iter().map(Made::tight).collect::<Vec<_>>())
        }
        "array" => Made::array(&reader.operand()?, false),
        "set" => Made::array(&reader.operand()?, true),
        "nullable" => {
            let mut made = reader.operand()?;
            made.or_null();
            made
        }
        "optional" => reader.operand()?.in_field(true),
        "union" | "tuple" => {
            reader.take(TokenKind::LeftBracket)?;
            let parts = reader.list(TokenKind::RightBracket, Reader::operand)?;
            if name == "union" { Made::union(&parts) } else { arguments("tuple", &parts) }
        }
        "record" => {
            let mut parts = vec![reader.operand()?];
            if reader.take(TokenKind::Comma).is_some() {
                parts.push(reader.operand()?);
            } else {
                parts.insert(0, Made::named("string"));
            }
            arguments("map", &parts)
        }
        "object" | "strictObject" => object(reader)?,
        _ => return None,
    };
    let _ = reader.take(TokenKind::Comma);
    reader.take(TokenKind::RightParen)?;
    Some(made)
}

fn arguments(name: &str, parts: &[Made]) -> Made {
    let texts: Vec<String> = parts.iter().map(Made::written).collect();
    Made::around(format!("{name}<{}>", texts.join(", ")), parts)
}

/// Reads `{ name: T, ... }`.
fn object(reader: &mut Reader<'_, '_>) -> Option<Made> {
    reader.take(TokenKind::LeftBrace)?;
    let members = reader.list(TokenKind::RightBrace, |reader| {
        let key = reader.take(TokenKind::String).or_else(|| reader.word())?;
        reader.take(TokenKind::Colon)?;
        Some((key, reader.operand()?))
    })?;
    let written = members.iter().map(|(key, value)| {
        let sign = if value.optional { "?" } else { "" };
        format!("{key}{sign}: {}", value.written())
    });
    let written = written.collect::<Vec<_>>().join(", ");
    let values: Vec<Made> = members.into_iter().map(|(_, value)| value.in_field(false)).collect();
    Some(Made::around(format!("{{ {written} }}"), &values))
}

/// Applies a method; its opening bracket has been read.
fn apply(method: &str, mut made: Made, reader: &mut Reader<'_, '_>) -> Option<Made> {
    let value = reader.text();
    let number = reader.is(TokenKind::Number);
    match method {
        "min" | "gte" if number => made.at_least(value),
        "max" | "lte" if number => made.at_most(value),
        "length" if number => {
            made.at_least(value);
            made.at_most(value);
        }
        "gt" if number => made.condition(format!("above = {value}")),
        "lt" if number => made.condition(format!("below = {value}")),
        "multipleOf" | "step" if number => made.condition(format!("multiple_of = {value}")),
        "nonempty" => made.at_least("1"),
        "nonnegative" => made.at_least("0"),
        "nonpositive" => made.at_most("0"),
        "positive" => made.condition("above = 0".to_owned()),
        "negative" => made.condition("below = 0".to_owned()),
        "regex" if reader.is(TokenKind::Regex) => made.condition(format!("search = {value}")),
        "int" => made.rename("int"),
        "email" => made.rename("email"),
        "uuid" => made.rename("uuid"),
        "url" => made.rename("uri"),
        "datetime" => made.rename("datetime"),
        "date" => made.rename("date"),
        "time" => made.rename("time"),
        "array" => made = Made::array(&made, false),
        "nullable" => made.or_null(),
        "nullish" => {
            made.or_null();
            made.optional = true;
        }
        "optional" => made.optional = true,
        // In ogc, records are always closed, and numbers are always finite.
        "strict" | "finite" | "safe" => {}
        "or" => made = Made::union(&[made, reader.operand()?]),
        _ => made.exact = false,
    }
    reader.skip_arguments()?;
    Some(made)
}
