//! `unused-parameter`: a parameter that its definition does not use, so that its argument says nothing.

use ogc_grammar::ogc::ast::{Definition, Parameter};
use ogc_grammar::ogc::token::{Token, TokenClass, TokenKind};
use ogc_grammar::ogc::tokens;
use ogc_grammar::{Code, Diagnostic, Fix};

/// Finds parameters that a definition does not use, except those whose names begin with `_`; places are in `text`, the
/// text of its item.
pub(super) fn lint(text: &str, definition: &Definition) -> Vec<Diagnostic> {
    let unmarked = |one: &&Parameter| !one.name.text.starts_with('_');
    let parameters: Vec<&Parameter> = definition.parameters.iter().filter(unmarked).collect();
    if parameters.is_empty() {
        return Vec::new();
    }
    let tokens: Vec<Token> = tokens(text)
        .into_iter()
        .filter(|one| !matches!(one.kind.class(), TokenClass::Space | TokenClass::Comment))
        .collect();
    let is_used = |parameter: &Parameter| (0..tokens.len()).any(|at| uses(text, &tokens, at, parameter));
    parameters.into_iter().filter(|one| !is_used(one)).map(|one| found(definition, one)).collect()
}

/// Returns whether the token at `at` uses a parameter: it is its name, and names no field, capture or argument.
fn uses(text: &str, tokens: &[Token], at: usize, parameter: &Parameter) -> bool {
    let kind = |at: usize| tokens.get(at).map(|one| one.kind);
    let token = tokens[at];
    let behind = at + 1 + usize::from(kind(at + 1) == Some(TokenKind::Question));
    let names = matches!(kind(behind), Some(TokenKind::Colon)) || kind(at + 1) == Some(TokenKind::Equals);
    token.span != parameter.name.span && token.span.text(text) == parameter.name.text && !names
}

fn found(definition: &Definition, parameter: &Parameter) -> Diagnostic {
    let name = &parameter.name.text;
    let message = format!("`{}` does not use its parameter `{name}`", definition.name.text);
    let found = Diagnostic::warning(Code::UnusedParameter, parameter.name.span, message);
    let help = format!("remove it, or use it; `_{name}` says that it is not used");
    found.help(help).guess(Fix::instead(parameter.name.span, format!("_{name}")))
}
