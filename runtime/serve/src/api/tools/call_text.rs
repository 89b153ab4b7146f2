//! The texts of calls as expressions of the ogc language.

use ogc_generate::{ArgumentFrame, CallPiece};

use crate::api::ogc_text::quoted;

/// Writes parts of a call; `name` and `arguments` are the expressions for the tool's name and its arguments.
pub(super) fn call_text(pieces: &[CallPiece], name: &str, arguments: &str) -> String {
    let written = |piece: &CallPiece| match piece {
        CallPiece::Text(text) => quoted(text),
        CallPiece::Token(token) => format!("tok{}", quoted(token)),
        CallPiece::Name | CallPiece::NameInString => name.to_owned(),
        CallPiece::Arguments => arguments.to_owned(),
        CallPiece::Number => "/0|[1-9][0-9]{0,3}/".to_owned(),
        CallPiece::NineLetterId => r#"(", \"id\": \"" /[a-zA-Z0-9]{9}/ "\"")?"#.to_owned(),
    };
    pieces.iter().map(written).collect::<Vec<_>>().join(" ")
}

/// Writes the arguments of a function, of the type `Args`.
pub(super) fn function_arguments(frame: ArgumentFrame) -> String {
    match frame {
        ArgumentFrame::Json(space) => format!("json<Args, space = \"{}\">", space.name()),
        ArgumentFrame::Fields { rule, separator: "", .. } => format!("each<Args & object, std.{rule}, \"spaced\">"),
        ArgumentFrame::Fields { rule, separator, .. } | ArgumentFrame::Keywords { rule, separator } => {
            format!("each<Args & object, std.{rule}, \"spaced\", separator = {}>", quoted(separator))
        }
    }
}
