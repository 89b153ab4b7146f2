//! `missing-token`: `tok"..."` with a name that is not in the vocabulary in use. This is an error, as nothing can be
//! built.

mod role;

use ogc_compiler::ir::{ExprKind, marker};
use ogc_grammar::{Code, Diagnostic};
use ogc_runtime::vocabulary::{TokenKind, Vocabulary};
use ogc_schema::source::Origin;

use super::compiled::Compiled;

/// Cap on the listed names of the vocabulary; the rest are counted.
const SHOWN: usize = 4;

pub(super) fn lint(compiled: &Compiled<'_>) -> Vec<Diagnostic<Origin>> {
    let Some(vocabulary) = compiled.vocabulary() else { return Vec::new() };
    let missing = compiled.automaton.tokens.iter().filter(|name| vocabulary.named(name).is_none());
    missing.flat_map(|name| places(compiled, name).into_iter().map(|place| found(place, name, &vocabulary))).collect()
}

/// The places where the format uses a token; for a grammar in another notation, no specific place.
fn places(compiled: &Compiled<'_>, wanted: &str) -> Vec<Origin> {
    let exprs = compiled.module().map(|module| module.grammar.exprs.as_slice()).unwrap_or_default();
    let spelled = marker(wanted);
    let uses = exprs.iter().filter(|expr| matches!(&expr.kind, ExprKind::Literal(text) if text[..] == spelled[..]));
    let places: Vec<Origin> = uses.map(|expr| expr.origin).collect();
    if places.is_empty() { vec![Origin(0)] } else { places }
}

fn found(place: Origin, name: &str, vocabulary: &Vocabulary) -> Diagnostic<Origin> {
    let special = vocabulary.named_tokens().filter(|(id, _)| vocabulary.kind(*id) == TokenKind::Special);
    let special: Vec<&str> = special.map(|(_, name)| name).collect();
    let named: Vec<&str> = vocabulary.named_tokens().map(|(_, name)| name).collect();
    let help = match role::meant(name, &named) {
        Some(near) => format!("did you mean `tok{near:?}`?"),
        None if special.is_empty() => format!("it has no special tokens; these characters are `{name:?}`"),
        None => {
            let shown: Vec<String> = special.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = match special.len().saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("it has {}{more}; these characters are `{name:?}`", shown.join(", "))
        }
    };
    Diagnostic::error(Code::MissingToken, place, format!("the vocabulary has no token `{name}`")).help(help)
}
