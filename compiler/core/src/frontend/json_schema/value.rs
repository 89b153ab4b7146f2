//! Reads values inside schemas: the operands of `type`, `enum` and `const`, bounds and counts.

use ogc_grammar::json::{JsonKind, JsonValue};
use ogc_regular::number::Decimal;
use ogc_schema::source::Value;

/// Reads a value with exact numbers; the error is the literal of a number that exceeds the limits, and the reason.
///
/// The JSON reader's depth limit bounds the recursion.
pub(super) fn exact(value: &JsonValue) -> Result<Value, (&JsonValue, String)> {
    Ok(match &value.kind {
        JsonKind::Null => Value::Null,
        JsonKind::Bool(truth) => Value::Bool(*truth),
        JsonKind::Number(literal) => {
            Value::Number(Decimal::parse(literal).map_err(|error| (value, error.to_string()))?)
        }
        JsonKind::String(text) => Value::String(text.clone()),
        JsonKind::Array(items) => Value::Array(items.iter().map(exact).collect::<Result<_, _>>()?),
        JsonKind::Object(members) => {
            let pair = |m: &'_ ogc_grammar::json::Member| m.key.value.clone();
            let mut pairs = Vec::with_capacity(members.len());
            for member in members {
                pairs.push((pair(member), exact(&member.value)?));
            }
            Value::Object(pairs)
        }
    })
}

/// Returns the types that a `type` names.
pub(super) fn type_names(kind: &JsonValue) -> impl Iterator<Item = &str> {
    let single = std::slice::from_ref(kind);
    kind.as_array().unwrap_or(single).iter().filter_map(JsonValue::as_str)
}

/// Reads a count: a non-negative whole number in any spelling. A number beyond 64 bits becomes `u64::MAX`, which no
/// length can reach.
pub(super) fn count(literal: &str) -> Option<u64> {
    if literal.bytes().all(|b| b.is_ascii_digit()) {
        return Some(literal.parse().unwrap_or(u64::MAX));
    }
    let number = Decimal::parse(literal).ok()?;
    if number.is_negative() || !number.is_integer() {
        return None;
    }
    Some(whole(literal).unwrap_or(u64::MAX))
}

/// Returns the value of a whole number's literal, if it fits into 64 bits.
fn whole(literal: &str) -> Option<u64> {
    let (mantissa, exponent) = match literal.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (literal, 0),
    };
    let (int, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{}", int.trim_start_matches('-'), fraction);
    let shift = exponent - i64::try_from(fraction.len()).ok()?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(0);
    }
    if shift <= 0 {
        let cut = digits.len().checked_sub(usize::try_from(-shift).ok()?)?;
        return digits.get(..cut)?.parse().ok();
    }
    let power = 10u64.checked_pow(u32::try_from(shift).ok()?)?;
    digits.parse::<u64>().ok()?.checked_mul(power)
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_integers_in_any_spelling() {
        for (literal, expected) in [
            ("0", Some(0)),
            ("2.0", Some(2)),
            ("-0.0", Some(0)),
            ("2e3", Some(2000)),
            ("250e-1", Some(25)),
            ("1e30", Some(u64::MAX)),
            ("99999999999999999999", Some(u64::MAX)),
            ("2.5", None),
            ("-1", None),
        ] {
            assert_eq!(count(literal), expected, "{literal}");
        }
    }
}
