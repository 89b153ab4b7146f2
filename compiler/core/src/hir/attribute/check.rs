//! Checks attributes: whether they exist, belong where they stand, and have fitting arguments.

use ogc_grammar::level::nearest_code;
use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Item, ItemKind, MemberKind, Name, Reference};
use ogc_grammar::spelling::only_longer;
use ogc_grammar::{Code, Diagnostic, Fix, nearest};

use super::{AttributeKind, Site};
use crate::hir::setting::{BudgetKind, unit_help};

/// Checks all attributes of an item, inside it too. Places are relative to the item's start.
pub(in crate::hir) fn check_attributes(item: &Item, found: &mut Vec<Diagnostic>) {
    let site = match &item.kind {
        ItemKind::Type(_) => Site::Type,
        ItemKind::Rule(_) => Site::Rule,
        ItemKind::Output(_) => Site::Output,
        ItemKind::Import(_) => Site::Import,
        ItemKind::Error(_) => return,
        _ => Site::OtherItem,
    };
    check_all(&item.attributes, site, found);
    if let Some(definition) = item.definition() {
        let mut branches = Vec::new();
        definition.body.walk(&mut |expr| inside(expr, site == Site::Type, &mut branches, found));
    }
}

/// Checks the attributes inside an expression, outer before inner. `branches` collects the branches of unions of values
/// met so far.
fn inside<'e>(expr: &'e Expr, in_type: bool, branches: &mut Vec<&'e Expr>, found: &mut Vec<Diagnostic>) {
    match &expr.kind {
        ExprKind::Attributed { attributes, .. } => {
            let is_branch = branches.iter().any(|branch| std::ptr::eq(*branch, expr));
            check_all(attributes, if is_branch { Site::Branch } else { Site::Expression }, found);
        }
        ExprKind::Union(arms) if in_type => {
            let attributed = |expr: &&Expr| matches!(expr.kind, ExprKind::Attributed { .. });
            branches.extend(arms.iter().map(|arm| &arm.expr).filter(attributed));
        }
        ExprKind::Record(record) => {
            for member in &record.members {
                let site = if matches!(member.kind, MemberKind::Field(_)) { Site::Member } else { Site::Expression };
                check_all(&member.attributes, site, found);
            }
        }
        _ => {}
    }
}

/// Checks the attributes of one item or expression. A policy may be set once: of two values one would be ignored.
fn check_all(attributes: &[Attribute], site: Site, found: &mut Vec<Diagnostic>) {
    for (at, attribute) in attributes.iter().enumerate() {
        let name = &attribute.name.text;
        let Some(kind) = AttributeKind::of(name) else {
            found.push(unknown(&attribute.name));
            continue;
        };
        match (check(attribute, kind, site), kind) {
            (Some(wrong), _) => found.push(wrong),
            (None, AttributeKind::Level(_)) => attribute.arguments.iter().for_each(|one| check_code(one, found)),
            (None, _) => {}
        }
        let same = |before: &&Attribute| before.name.text == *name;
        let is_policy = matches!(kind, AttributeKind::Policy(_) | AttributeKind::Schemas(_));
        if let Some(first) = is_policy.then(|| attributes[..at].iter().find(same)).flatten() {
            let twice = Diagnostic::error(Code::DuplicatePolicy, attribute.span, format!("`@{name}` is set twice"));
            found.push(twice.label(first.span, "here first").help("keep one of them"));
        }
    }
}

/// Reports an unknown attribute name.
fn unknown(name: &Name) -> Diagnostic {
    let known = AttributeKind::names();
    let near = nearest(&name.text, known.iter().copied());
    let guess = near.filter(|_| foreign(&name.text).is_none()).map(|near| Fix::instead(name.span, near));
    let help = match (foreign(&name.text), near) {
        _ if matches!(name.text.as_str(), "description" | "desc" | "doc" | "describe") => {
            "write a doc comment on the line before: `/// ...`".to_owned()
        }
        (Some(help), _) => help.to_owned(),
        (None, Some(near)) => format!("did you mean `@{near}`?"),
        (None, None) => format!("the attributes are @{}", known.join(", @")),
    };
    let message = format!("there is no attribute `@{}`", name.text);
    Diagnostic::error(Code::UnknownAttribute, name.span, message).help(help).guess(guess)
}

/// Reports an attribute at the wrong site or with the wrong arguments. The value of a policy is checked where the
/// policy is read.
fn check(attribute: &Attribute, kind: AttributeKind, site: Site) -> Option<Diagnostic> {
    let name = &attribute.name.text;
    if !kind.belongs(site) {
        let message = format!("`@{name}` does not belong here");
        return Some(Diagnostic::error(Code::MisplacedAttribute, attribute.span, message).help(kind.home()));
    }
    if takes(attribute, kind) {
        return None;
    }
    let message = format!("`@{name}` takes {}", kind.takes());
    let is_budget = kind == AttributeKind::Budget;
    let wrong = attribute.arguments.iter().find(|argument| is_budget && BudgetKind::read(argument).is_none());
    let span = wrong.map_or(attribute.span, |argument| argument.span);
    let quoted =
        bare_key(attribute, kind).map(|key| Fix::new("write the quotes", key.span, format!("\"{}\"", key.text)));
    let found = Diagnostic::error(Code::AttributeArguments, span, message).fix(quoted);
    Some(wrong.and_then(unit_help).into_iter().fold(found, |found, help| found.help(help)))
}

/// Returns the `.ogc` spelling for an attribute of another language.
fn foreign(name: &str) -> Option<&'static str> {
    let plain = name.to_lowercase().replace('_', "");
    Some(match plain.as_str() {
        "min" | "max" | "range" | "minimum" | "maximum" | "length" | "minlength" | "maxlength" | "size" | "pattern"
        | "regex" | "format" | "multipleof" => {
            "conditions are arguments of the type: `int<0..5>`, `string<1..80>`, `string</[a-z]+/>`"
        }
        "minitems" | "maxitems" => "how many items there are comes after the type: `T[1..5]`",
        "pretty" | "compact" | "spaced" => "white space is a policy: `@space(\"pretty\")`",
        "unique" | "uniqueitems" => "it is a condition of arrays: `T[1..3] & array<unique = true>`",
        "strict" | "closed" | "additionalproperties" => "a record has no other keys, unless it ends in `...`",
        "example" => "write `@examples(...)`",
        "enum" | "oneof" | "literal" => "alternatives are a union: `\"a\" | \"b\"`",
        "whitespace" | "ws" | "ignore" => "texts between parts are `@skip(/[ \\t\\n]*/)` before a rule or output",
        "optional" | "required" | "nullable" | "notnull" => {
            "a field that may be absent is `name?: T`, a value that may be null `T | null`"
        }
        _ => return None,
    })
}

/// Returns the word without quotes in `@discriminator(key)` or `@title(Word)`.
fn bare_key(attribute: &Attribute, kind: AttributeKind) -> Option<&Name> {
    let [Argument { name: None, value, .. }] = attribute.arguments.as_slice() else { return None };
    let ExprKind::Reference(Reference { path, arguments }) = &value.kind else { return None };
    let plain = matches!(kind, AttributeKind::Discriminator | AttributeKind::Title)
        && arguments.is_empty()
        && path.segments.len() == 1;
    path.segments.first().filter(|_| plain)
}

/// Reports a code in `@allow`, `@warn` or `@deny` that belongs to no warning or note.
fn check_code(argument: &Argument, found: &mut Vec<Diagnostic>) {
    let ExprKind::String(code) = &argument.value.kind else { return };
    if Code::from_name(code).is_some_and(Code::has_level) {
        return;
    }
    let levelled = || Code::ALL.iter().filter(|known| known.has_level()).map(|known| known.name());
    let begins = || Code::from_name(only_longer(code, levelled())?);
    let near = nearest_code(code, Code::has_level).or_else(begins);
    let guess = near.map(|near| Fix::instead(argument.value.span, format!("\"{near}\"")));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ogc explain` lists all codes; errors have no level".to_owned(),
    };
    let message = format!("no warning or note has the code `{code}`");
    found.push(Diagnostic::warning(Code::UnknownLint, argument.value.span, message).help(help).guess(guess));
}

/// Returns whether the arguments fit the attribute.
fn takes(attribute: &Attribute, kind: AttributeKind) -> bool {
    let arguments = attribute.arguments.as_slice();
    let is_string = |one: &Argument| one.name.is_none() && matches!(one.value.kind, ExprKind::String(_));
    let strings = arguments.iter().all(is_string);
    match kind {
        AttributeKind::Skip => arguments.len() == 1,
        AttributeKind::Discriminator | AttributeKind::Title => strings && arguments.len() == 1,
        AttributeKind::Deprecated => strings && arguments.len() <= 1,
        AttributeKind::Level(_) => strings && !arguments.is_empty(),
        AttributeKind::Examples => !arguments.is_empty(),
        AttributeKind::Default => matches!(arguments, [one] if one.name.is_none()),
        AttributeKind::Annotation => matches!(arguments, [key, value] if is_string(key) && value.name.is_none()),
        AttributeKind::Budget => !arguments.is_empty() && arguments.iter().all(|one| BudgetKind::read(one).is_some()),
        AttributeKind::Policy(_) | AttributeKind::Schemas(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use ogc_grammar::Code;
    use ogc_grammar::ogc::parse;

    /// Returns the codes of the findings about the attributes of a program.
    fn codes(text: &str) -> Vec<Code> {
        let mut found = Vec::new();
        parse(text).file.items.iter().for_each(|item| super::check_attributes(item, &mut found));
        found.iter().map(|one| one.code).collect()
    }

    #[test]
    fn a_wrong_attribute_has_one_finding() {
        assert_eq!(codes("type A = { @allow(\"nothing-such\") a: int }"), [Code::MisplacedAttribute]);
        assert_eq!(codes("@allow(\"nothing-such\", 5) type A = int"), [Code::AttributeArguments]);
        assert_eq!(codes("@allow(\"nothing-such\") type A = int"), [Code::UnknownLint]);
        assert_eq!(
            codes("@space(\"any\") @space(\"any\") @sapce(1) type A = int"),
            [Code::DuplicatePolicy, Code::UnknownAttribute]
        );
    }
}
