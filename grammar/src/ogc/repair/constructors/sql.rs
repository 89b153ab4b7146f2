//! Types of databases that have a size: `varchar(50)`, `char(3)`, `decimal(10, 2)`.

use super::made::Made;
use super::reader::Reader;
use crate::ogc::token::TokenKind;

/// Names of types of databases.
pub(super) const NAMES: [&str; 8] = ["varchar", "VARCHAR", "nvarchar", "char", "CHAR", "decimal", "DECIMAL", "numeric"];

/// Reads a type with its size.
pub(super) fn sized(reader: &mut Reader<'_, '_>) -> Option<Made> {
    let name = reader.take(TokenKind::Name)?;
    reader.open(TokenKind::LeftParen)?;
    let sizes = reader.list(TokenKind::RightParen, |reader| reader.take(TokenKind::Number))?;
    match (name.to_lowercase().as_str(), sizes.as_slice()) {
        ("varchar" | "nvarchar", [most]) => {
            let mut made = Made::named("string");
            made.at_most(most);
            Some(made)
        }
        ("char", [count]) => {
            let mut made = Made::named("string");
            made.at_least(count);
            made.at_most(count);
            Some(made)
        }
        ("decimal" | "numeric", [_] | [_, _]) => {
            let mut made = Made::named("number");
            if let [_, digits] = sizes.as_slice() {
                made.condition(format!("digits = {digits}"));
            }
            // The number of digits before the point has no counterpart.
            made.exact = false;
            Some(made)
        }
        _ => None,
    }
}
