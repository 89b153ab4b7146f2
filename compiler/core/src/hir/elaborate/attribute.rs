//! Attributes: which exist, where they belong, and what they take.

use ogc_grammar::ogc::ast::{Argument, Attribute, Expr, ExprKind, Item, ItemKind, MemberKind, Name, Reference};
use ogc_grammar::{Code, Diagnostic, Fix};

use super::policy::is_policy;
use ogc_grammar::Level;
use ogc_grammar::level::nearest_code;
use ogc_grammar::nearest;

/// Where an attribute stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Site {
    Type,
    Rule,
    Output,
    OtherItem,
    Member,
    /// A branch of a union of values.
    Branch,
    Expression,
}

const NAMES: [&str; 19] = [
    "allow",
    "annotation",
    "budget",
    "default",
    "deny",
    "deprecated",
    "depth",
    "discriminator",
    "escapes",
    "examples",
    "indent",
    "numbers",
    "order",
    "run",
    "skip",
    "space",
    "title",
    "unique_keys",
    "warn",
];

/// Checks all attributes of an item, inside it too; places from its beginning.
pub(crate) fn check_attributes(item: &Item, found: &mut Vec<Diagnostic>) {
    let site = match &item.kind {
        ItemKind::Type(_) => Site::Type,
        ItemKind::Rule(_) => Site::Rule,
        ItemKind::Output(_) => Site::Output,
        ItemKind::Error(_) => return,
        ItemKind::Test(_) | ItemKind::Import(_) | ItemKind::Policy(_) => Site::OtherItem,
    };
    check_all(&item.attributes, site, found);
    if let ItemKind::Type(definition) | ItemKind::Rule(definition) | ItemKind::Output(definition) = &item.kind {
        let mut branches = Vec::new();
        definition.body.walk(&mut |expr| inside(expr, site == Site::Type, &mut branches, found));
    }
}

/// Checks what stands in an item, outer before inner; `branches` are the branches of unions of values that were met.
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

/// Checks the attributes of one thing. Policies hold once each: of two values one would be ignored.
fn check_all(attributes: &[Attribute], site: Site, found: &mut Vec<Diagnostic>) {
    for (at, attribute) in attributes.iter().enumerate() {
        check(attribute, site, found);
        let name = &attribute.name.text;
        let same = |before: &&Attribute| before.name.text == *name;
        if let Some(first) = is_policy(name).then(|| attributes[..at].iter().find(same)).flatten() {
            let found_here =
                Diagnostic::error(Code::DuplicatePolicy, attribute.span, format!("`@{name}` is set twice"));
            found.push(found_here.label(first.span, "here first").help("keep one of them"));
        }
    }
}

fn check(attribute: &Attribute, site: Site, found: &mut Vec<Diagnostic>) {
    let name = attribute.name.text.as_str();
    if !NAMES.contains(&name) {
        let help = match (foreign(name), nearest(name, NAMES)) {
            _ if matches!(name, "description" | "desc" | "doc" | "describe") => {
                "write a doc comment on the line before: `/// ...`".to_owned()
            }
            (Some(help), _) => help.to_owned(),
            (None, Some(near)) => format!("did you mean `@{near}`?"),
            (None, None) => format!("the attributes are @{}", NAMES.join(", @")),
        };
        let message = format!("there is no attribute `@{name}`");
        found.push(Diagnostic::error(Code::UnknownAttribute, attribute.name.span, message).help(help));
        return;
    }
    if !belongs(name, site) {
        let message = format!("`@{name}` does not belong here");
        found.push(Diagnostic::error(Code::MisplacedAttribute, attribute.span, message).help(home(name)));
        return;
    }
    // What a policy's attribute takes is said where its value is read.
    if !takes(attribute) && !is_policy(name) {
        let message = format!("`@{name}` takes {}", wanted(name));
        let wrong = attribute.arguments.iter().find(|argument| name == "budget" && !budget(argument));
        let span = wrong.map_or(attribute.span, |argument| argument.span);
        let quoted = bare_key(attribute).map(|key| Fix::new("write the quotes", key.span, format!("\"{}\"", key.text)));
        found.push(Diagnostic::error(Code::AttributeArguments, span, message).fix(quoted));
        return;
    }
    if Level::of_name(name).is_some() {
        attribute.arguments.iter().for_each(|argument| check_code(argument, found));
    }
}

/// What is written here for an attribute of another language.
fn foreign(name: &str) -> Option<&'static str> {
    let plain = name.to_lowercase().replace('_', "");
    Some(match plain.as_str() {
        "min" | "max" | "range" | "minimum" | "maximum" | "length" | "minlength" | "maxlength" | "size" | "pattern"
        | "regex" | "format" | "multipleof" => {
            "conditions are arguments of the type: `int<0..5>`, `string<1..80>`, `string</[a-z]+/>`"
        }
        "minitems" | "maxitems" => "how many items there are comes after the type: `T[1..5]`",
        "optional" | "required" | "nullable" | "notnull" => {
            "a field that may be absent is `name?: T`, a value that may be null `T | null`"
        }
        _ => return None,
    })
}

/// The word of `@discriminator(key)` or `@title(Word)`, which has no quotes.
fn bare_key(attribute: &Attribute) -> Option<&Name> {
    let [Argument { name: None, value, .. }] = attribute.arguments.as_slice() else { return None };
    let ExprKind::Reference(Reference { path, arguments }) = &value.kind else { return None };
    let plain = matches!(attribute.name.text.as_str(), "discriminator" | "title")
        && arguments.is_empty()
        && path.segments.len() == 1;
    path.segments.first().filter(|_| plain)
}

/// A level is about a code that warnings or notes have.
fn check_code(argument: &Argument, found: &mut Vec<Diagnostic>) {
    let ExprKind::String(code) = &argument.value.kind else { return };
    if Code::from_name(code).is_some_and(Code::has_level) {
        return;
    }
    let help = match nearest_code(code, Code::has_level) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`ogc explain` lists all codes; errors have no level".to_owned(),
    };
    let message = format!("no warning or note has the code `{code}`");
    found.push(Diagnostic::warning(Code::UnknownLint, argument.value.span, message).help(help));
}

fn belongs(name: &str, site: Site) -> bool {
    let defines = matches!(site, Site::Type | Site::Rule | Site::Output);
    match name {
        "skip" => matches!(site, Site::Rule | Site::Output),
        "discriminator" => site == Site::Type,
        "deprecated" => defines || matches!(site, Site::Member | Site::Branch),
        "title" | "examples" => defines || matches!(site, Site::Member | Site::Branch),
        "default" | "annotation" => matches!(site, Site::Type | Site::Member | Site::Branch),
        "allow" | "warn" | "deny" => !matches!(site, Site::Member | Site::Branch | Site::Expression),
        "budget" => defines,
        _ => defines || matches!(site, Site::Member | Site::Branch | Site::Expression),
    }
}

fn home(name: &str) -> &'static str {
    match name {
        "skip" => "write it before a rule or output",
        "discriminator" => "write it before a type that is a union of records",
        "deprecated" => "write it before an item, a field or a branch of a type",
        "title" | "examples" => "write it before a definition, a field or a branch of a type",
        "default" | "annotation" => "write it before a type, a field or a branch of a type",
        "allow" | "warn" | "deny" => "write it before an item",
        "budget" => "write it before a type, rule or output",
        _ => "write it before a definition, a field or an expression",
    }
}

fn takes(attribute: &Attribute) -> bool {
    let strings =
        attribute.arguments.iter().all(|one| one.name.is_none() && matches!(one.value.kind, ExprKind::String(_)));
    let count = attribute.arguments.len();
    match attribute.name.text.as_str() {
        "skip" => count == 1,
        "discriminator" | "title" => strings && count == 1,
        "deprecated" => strings && count <= 1,
        "allow" | "warn" | "deny" => strings && count >= 1,
        "examples" => count >= 1,
        "default" => count == 1 && attribute.arguments.iter().all(|one| one.name.is_none()),
        "annotation" => {
            let key = attribute.arguments.first().map(|one| &one.value.kind);
            count == 2
                && attribute.arguments.iter().all(|one| one.name.is_none())
                && matches!(key, Some(ExprKind::String(_)))
        }
        "budget" => count >= 1 && attribute.arguments.iter().all(budget),
        // The value is looked at where the policy is.
        name => !is_policy(name) || count == 1,
    }
}

fn budget(argument: &Argument) -> bool {
    let name = argument.name.as_ref().map(|name| name.text.as_str());
    match (name, &argument.value.kind) {
        (Some("states"), ExprKind::Number(number)) => number.parse::<u64>().is_ok(),
        (Some("mask"), ExprKind::String(size)) => crate::hir::check::bytes(size).is_some(),
        (Some("build"), ExprKind::String(time)) => crate::hir::check::milliseconds(time).is_some(),
        _ => false,
    }
}

fn wanted(name: &str) -> &'static str {
    match name {
        "skip" => "the text between the parts",
        "discriminator" => "the name of a key, in quotes",
        "title" => "one text in quotes",
        "deprecated" => "nothing, or why, in quotes",
        "allow" | "warn" | "deny" => "the codes of findings, in quotes",
        "examples" => "at least one value",
        "annotation" => "a keyword of JSON Schema in quotes, and its value",
        "budget" => "`states = 400`, `mask = \"64KiB\"`, `build = \"50ms\"`, at least one of them",
        _ => "one value",
    }
}
