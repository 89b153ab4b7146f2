//! New rules of grammars, in the notation of the file.

use ogc_compiler::db::Language;
use ogc_compiler::foreign::read_rules;
use ogc_grammar::span::part;
use ogc_grammar::{Code, Diagnostic};

use super::{NewDefinition, Wanted, Way};
use crate::actions::context::Context;
use crate::place::TextEdit;

/// Returns the name, if it can become a rule.
pub(super) fn wanted<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<Wanted<'s>> {
    let name = name(context, found)?;
    Some(Wanted { name, home: context.file(), kinds: &[NewDefinition::Rule] })
}

/// Returns the name that a finding is about, if a rule can have it.
fn name<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<&'s str> {
    let name = found.span.text(context.text());
    // A Lark template has parameters, and their number alone does not describe it.
    let is_template = part(context.text(), found.span.end as usize..).trim_start().starts_with('{');
    let is_lark = context.snapshot.language(context.file()) == Language::Lark;
    (found.code == Code::UndefinedRule && is_name(name) && !(is_lark && is_template)).then_some(name)
}

/// Returns edits that define the name: after the rule that uses it, or at the end of the file, in each form of the
/// notation.
pub(super) fn ways(context: &Context<'_>, found: &Diagnostic) -> Vec<Way> {
    let Some(name) = name(context, found) else { return Vec::new() };
    let (file, text) = (context.file(), context.text());
    let rules = &read_rules(&context.snapshot.db, file).0.rules;
    let holds = |start: u32, end: u32| start <= found.span.start && found.span.end <= end;
    let user = rules.iter().find(|rule| holds(rule.name.span.start, rule.body.span.end));
    let behind = user.map(|user| {
        let rest = part(text, user.body.span.end as usize..);
        user.body.span.end + rest.lines().next().unwrap_or_default().trim_end().len() as u32
    });
    let end = text.trim_end().len() as u32;
    let forms = forms(context.snapshot.language(file), name);
    let places = behind.into_iter().chain([end]);
    places.flat_map(|at| forms.iter().map(move |form| (file, TextEdit::insert(at, format!("\n{form}"))))).collect()
}

/// Returns whether a rule may have this name in all notations.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ');
    name.chars().all(fits) && name.chars().any(char::is_alphabetic)
}

/// Returns the forms of a rule that has a name and accepts that name as a text; empty for languages without such rules.
pub(super) fn forms(language: Language, name: &str) -> Vec<String> {
    match language {
        Language::Gbnf => vec![format!("{name} ::= \"{name}\"")],
        Language::Ebnf => vec![format!("{name} ::= \"{name}\""), format!("{name} = \"{name}\";")],
        Language::Abnf => vec![format!("{name} = \"{name}\"")],
        Language::Lark => vec![format!("{name}: \"{name}\"")],
        Language::Ogc | Language::JsonSchema | Language::Regex => Vec::new(),
    }
}
