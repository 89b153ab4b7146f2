//! `quoted-pattern`: a string literal that was certainly meant as a pattern, as in `{ code: "[A-Z]{3}" }`.

use ogc_compiler::hir::{AttributeKind, Builtin};
use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Field, MemberKind, Reference};
use ogc_grammar::ogc::meant_regex;
use ogc_grammar::{Code, Diagnostic, Fix, Span};
use ogc_regular::Limits;
use ogc_regular::pattern::compile;

/// Finds strings in the body of a definition, and keys of its records, that were meant as patterns.
pub(super) fn lint(body: &Expr) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    look(body, &mut found);
    found
}

/// The regex for white space.
const SPACE: &str = "/[ \\t\\n]*/";

/// Finds strings in `@skip` that were meant as a pattern, or for white space: `@skip("whitespace")`.
pub(super) fn of_skip(attributes: &[Attribute]) -> Vec<Diagnostic> {
    let skips = attributes.iter().filter(|one| AttributeKind::of(&one.name.text) == Some(AttributeKind::Skip));
    let arguments = skips.flat_map(|one| &one.arguments);
    let found = arguments.filter_map(|argument| {
        let ExprKind::String(text) = &argument.value.kind else { return None };
        let space = matches!(
            text.to_lowercase().replace(['_', '-', ' '], "").as_str(),
            "ws" | "whitespace" | "whitespaces" | "space" | "spaces" | "blank" | "blanks" | "any"
        );
        let is_word = space && !text.trim().is_empty();
        // Of white space, a class or an escape is enough: nobody skips these characters.
        let is_class = text.starts_with('[') && text.contains(']') || text.starts_with("\\s");
        let is_class = is_class && compile(text, &Limits::default()).is_ok();
        let regex = match is_word {
            true => Some(SPACE.to_owned()),
            false if is_class => Some(format!("/{}/", text.replace('/', "\\/"))),
            false => pattern(text),
        };
        regex.map(|regex| quoted(&regex, argument.value.span))
    });
    found.collect()
}

fn look(expr: &Expr, found: &mut Vec<Diagnostic>) {
    match &expr.kind {
        ExprKind::String(text) => found.extend(pattern(text).map(|regex| quoted(&regex, expr.span))),
        ExprKind::Reference(reference) => {
            patterns_of(reference).for_each(|argument| look(&argument.value, found));
        }
        // The arguments of attributes are not part of the texts.
        ExprKind::Attributed { item, .. } => look(item, found),
        ExprKind::Record(record) => {
            for member in &record.members {
                match &member.kind {
                    MemberKind::Field(field) => {
                        found.extend(key(field));
                        look(&field.value, found);
                    }
                    MemberKind::Pattern { key, value } => {
                        look(key, found);
                        look(value, found);
                    }
                    MemberKind::Spread(base) => look(base, found),
                    MemberKind::Error | MemberKind::Open => {}
                }
            }
        }
        _ => expr.children().into_iter().for_each(|child| look(child, found)),
    }
}

/// Returns the arguments in which a pattern may be meant: not those that quote text, and not policies.
fn patterns_of(reference: &Reference) -> impl Iterator<Item = &Argument> {
    // A string that refines a string type is an error anyway.
    let builtin = reference.path.segments.first().and_then(|name| Builtin::of(&name.text));
    let quotes = builtin.is_some_and(|builtin| builtin.name == "substring" || builtin.is_string());
    let named = |argument: &Argument| argument.name.as_ref().is_none_or(|name| name.text == "without");
    reference.arguments.iter().filter(move |argument| !quotes && named(argument))
}

/// Returns the regex that a text was meant as, if the text compiles as a pattern.
fn pattern(text: &str) -> Option<String> {
    let regex = meant_regex(text)?;
    compile(text, &Limits::default()).ok().map(|_| regex)
}

fn quoted(regex: &str, span: Span) -> Diagnostic {
    let message = "this is a text of these characters, and reads like a pattern";
    let fix = Fix::new(format!("write `{regex}`"), span, regex);
    Diagnostic::warning(Code::QuotedPattern, span, message).help(format!("write `{regex}`")).fix(fix)
}

/// Reports a key that is a pattern, as in the `patternProperties` of a JSON Schema.
fn key(field: &Field) -> Option<Diagnostic> {
    let regex = pattern(&field.name.text)?;
    let span = field.name.span;
    let message = "this is a key of these characters, and reads like a pattern of keys";
    let found = Diagnostic::warning(Code::QuotedPattern, span, message).help(format!("write `[{regex}]: T`"));
    let fix = Fix::new(format!("write `[{regex}]`"), span, format!("[{regex}]"));
    Some(found.fix((!field.optional).then_some(fix)))
}
