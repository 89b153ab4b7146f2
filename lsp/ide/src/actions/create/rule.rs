//! New rules of grammars, in the notation of the file.

use ogc_compiler::db::Language;
use ogc_compiler::foreign::read_rules;
use ogc_grammar::span::part;
use ogc_grammar::{Code, Diagnostic};

use super::NewDefinition;
use crate::actions::context::Context;
use crate::place::TextEdit;

/// Returns the name, and that it can be made a rule, if it can.
pub(super) fn kinds<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<(&'s str, &'static [NewDefinition])> {
    let name = found.span.text(context.text());
    (!forms(context, found).is_empty()).then_some((name, &[NewDefinition::Rule]))
}

/// Returns edits that define the name: behind the rule that uses it, or at the end of the file, in each form of the notation.
pub(super) fn ways(context: &Context<'_>, found: &Diagnostic) -> Vec<TextEdit> {
    let (text, forms) = (context.text(), forms(context, found));
    let rules = &read_rules(&context.snapshot.db, context.file()).0.rules;
    let holds = |start: u32, end: u32| start <= found.span.start && found.span.end <= end;
    let user = rules.iter().find(|rule| holds(rule.name.span.start, rule.body.span.end));
    let behind = user.map(|user| {
        let rest = part(text, user.body.span.end as usize..);
        user.body.span.end + rest.lines().next().unwrap_or_default().trim_end().len() as u32
    });
    let end = text.trim_end().len() as u32;
    let places = behind.into_iter().chain([end]);
    places.flat_map(|at| forms.iter().map(move |form| TextEdit::insert(at, format!("\n{form}")))).collect()
}

/// Returns how a rule is written that has the name and accepts it as a text; nothing if the name cannot be a rule's.
fn forms(context: &Context<'_>, found: &Diagnostic) -> Vec<String> {
    let text = context.text();
    let name = found.span.text(text);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' '));
    let has_letter = name.chars().any(char::is_alphabetic);
    // A template of Lark has parameters, whose number is not all that matters.
    let is_template = part(text, found.span.end as usize..).trim_start().starts_with('{');
    if found.code != Code::UndefinedRule || !is_name || !has_letter {
        return Vec::new();
    }
    match context.snapshot.language(context.file()) {
        Language::Gbnf => vec![format!("{name} ::= \"{name}\"")],
        Language::Ebnf => vec![format!("{name} ::= \"{name}\""), format!("{name} = \"{name}\";")],
        Language::Abnf => vec![format!("{name} = \"{name}\"")],
        Language::Lark if !is_template => vec![format!("{name}: \"{name}\"")],
        Language::Lark | Language::Ogc | Language::JsonSchema | Language::Regex => Vec::new(),
    }
}
