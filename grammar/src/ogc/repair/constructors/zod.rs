//! Types of zod: `z.string().min(1)`, `z.array(z.number())`, `z.enum(["a", "b"])`.

use super::made::Made;
use super::reader::Reader;
use crate::ogc::token::TokenKind;

/// Reads `z.name(...)` with the methods after it.
pub(super) fn chain(reader: &mut Reader<'_, '_>) -> Option<Made> {
    reader.take(TokenKind::Name)?;
    reader.take(TokenKind::Dot)?;
    let mut name = reader.word()?;
    let iso = name == "iso";
    if matches!(name, "coerce" | "iso") && reader.take(TokenKind::Dot).is_some() {
        name = reader.word()?;
    }
    reader.open(TokenKind::LeftParen)?;
    let made = match plain(name).filter(|_| !iso).or_else(|| native(name).filter(|_| iso).map(Made::named)) {
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

/// Returns whether a method that derives a type is called on a capitalised name: `User.partial()`.
pub(super) fn has_method_of_types(reader: &Reader<'_, '_>) -> bool {
    const METHODS: [&str; 12] = [
        "and",
        "array",
        "extend",
        "merge",
        "nullable",
        "nullish",
        "omit",
        "optional",
        "or",
        "partial",
        "passthrough",
        "pick",
    ];
    let capital = reader.is(TokenKind::Name) && reader.text().starts_with(char::is_uppercase);
    capital && has_method(reader) && METHODS.contains(&reader.item.text(reader.at + 2))
}

/// Reads a name of a type with methods behind it: `User.extend({ b: z.string() })`.
pub(super) fn methods_of_type(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let name = reader.take(TokenKind::Name)?;
    chained(Made::tight(name), reader)
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
        "date" | "datetime" => Made::named("datetime"),
        "time" => Made::named("time"),
        "never" => Made::tight("(any - any)"),
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
        "lazy" | "nativeEnum" | "promise" | "readonly" => reader.operand()?,
        "intersection" => {
            let left = reader.operand()?;
            reader.take(TokenKind::Comma)?;
            joined(&left, &reader.operand()?)
        }
        "discriminatedUnion" => {
            reader.take(TokenKind::String)?;
            reader.take(TokenKind::Comma)?;
            reader.take(TokenKind::LeftBracket)?;
            Made::union(&reader.list(TokenKind::RightBracket, Reader::operand)?)
        }
        "union" | "tuple" => {
            reader.take(TokenKind::LeftBracket)?;
            let parts = reader.list(TokenKind::RightBracket, Reader::operand)?;
            if name == "union" { Made::union(&parts) } else { arguments("tuple", &parts) }
        }
        "record" | "map" => {
            let mut parts = vec![reader.operand()?];
            if reader.take(TokenKind::Comma).is_some() {
                parts.push(reader.operand()?);
            } else {
                parts.insert(0, Made::named("string"));
            }
            // The keys of an object in JSON are texts, whatever those of a map in JavaScript are.
            arguments("map", &parts)
        }
        "object" | "strictObject" => object(reader)?,
        "looseObject" => {
            let mut made = object(reader)?;
            made.open("...");
            made
        }
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

/// Makes the record that has the fields of two others.
fn joined(left: &Made, right: &Made) -> Made {
    let parts = [left.clone(), right.clone()];
    let inner = |made: &Made| {
        let text = made.written();
        let fields = text.strip_prefix("{ ").and_then(|rest| rest.strip_suffix(" }"));
        fields.map_or_else(|| format!("...{}", made.operand()), str::to_owned)
    };
    Made::around(format!("{{ {}, {} }}", inner(left), inner(right)), &parts)
}

/// Applies a method; its opening bracket has been read.
fn apply(method: &str, made: Made, reader: &mut Reader<'_, '_>) -> Option<Made> {
    let made = match combined(method, &made, reader) {
        Some(combined) => combined?,
        None => refined(method, made, reader),
    };
    reader.skip_arguments()?;
    Some(made)
}

/// Applies a method that makes another type of this one; `None` if the method is none of those.
fn combined(method: &str, made: &Made, reader: &mut Reader<'_, '_>) -> Option<Option<Made>> {
    Some(match method {
        "array" => Some(Made::array(made, false)),
        "or" => reader.operand().map(|other| Made::union(&[made.clone(), other])),
        "and" | "merge" => reader.operand().map(|other| joined(made, &other)),
        "extend" => object(reader).map(|other| joined(made, &other)),
        "omit" => keys(reader)
            .map(|keys| Made::around(format!("omit<{}, {keys}>", made.written()), std::slice::from_ref(made))),
        _ => return None,
    })
}

/// Reads `{ a: true, b: true }` as `"a", "b"`.
fn keys(reader: &mut Reader<'_, '_>) -> Option<String> {
    reader.take(TokenKind::LeftBrace)?;
    let keys = reader.list(TokenKind::RightBrace, |reader| {
        let key = reader.take(TokenKind::String).map(str::to_owned);
        let key = key.or_else(|| reader.word().map(|word| format!("\"{word}\"")))?;
        reader.take(TokenKind::Colon)?;
        reader.take(TokenKind::True)?;
        Some(key)
    })?;
    Some(keys.join(", "))
}

/// Returns a literal of plain characters as the text of a regex; `None` for a literal with escapes or a `/`.
fn plain_text(literal: &str) -> Option<String> {
    let inner = literal.get(1..literal.len().checked_sub(1)?)?;
    let mut out = String::new();
    for c in inner.chars() {
        match c {
            '\\' => return None,
            '^' | '$' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Adds the condition that a text begins with, ends with or contains a literal.
fn part_of_text(method: &str, made: &mut Made, literal: &str) {
    let condition = plain_text(literal).map(|text| match method {
        "startsWith" => format!("search = /^{text}/"),
        "endsWith" => format!("search = /{text}$/"),
        _ => format!("search = /{text}/"),
    });
    match condition {
        Some(condition) => made.condition(condition),
        None => made.exact = false,
    }
}

/// Applies a method that refines this type; its arguments are left to be skipped.
fn refined(method: &str, mut made: Made, reader: &Reader<'_, '_>) -> Made {
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
        "nullable" => made.or_null(),
        "nullish" => {
            made.or_null();
            made.optional = true;
        }
        "optional" => made.optional = true,
        // In ogc, records are always closed, and numbers are always finite; the rest changes no values.
        "strict" | "strip" | "finite" | "safe" | "readonly" | "brand" => {}
        "passthrough" | "loose" => made.open("..."),
        "startsWith" | "endsWith" | "includes" if reader.is(TokenKind::String) => {
            part_of_text(method, &mut made, value);
        }
        "default" | "prefault" if reader.item.kind(reader.at + 1) == Some(TokenKind::RightParen) => {
            made.beside.push(format!("`@default({value})` before the field"));
        }
        "describe" => made.beside.push("a line `/// ...` before the field".to_owned()),
        "partial" => made.beside.push("`?` behind the names of its fields".to_owned()),
        "pick" => made.beside.push("leave its other fields out: `omit<T, \"name\">`".to_owned()),
        _ => made.exact = false,
    }
    made
}
