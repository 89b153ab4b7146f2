//! The outline of the ogc language.

use super::Node;
use crate::ogc::ast::{
    Alternative, Argument, Attribute, Bound, BoundKind, Case, Definition, Doc, Expectation, Expr, ExprKind, File,
    Import, Imported, ImportedName, Item, ItemKind, Json, JsonKind, Member, MemberKind, Name, Override, Parameter,
    Piece, PieceKind, Repetition, Subject, Test,
};
use crate::span::Span;

impl Node {
    /// Returns the outline of a file, with its items.
    #[must_use]
    pub fn of_ogc(file: &File) -> Node {
        let children: Vec<Node> = file.items.iter().map(item).collect();
        let spans = children.iter().map(|child| child.span);
        Node::new("file", spans.reduce(Span::merge).unwrap_or_default(), children)
    }
}

fn item(item: &Item) -> Node {
    let (kind, own) = match &item.kind {
        ItemKind::Error(_) => ("error", Vec::new()),
        ItemKind::Type(it) => ("type", definition(it)),
        ItemKind::Rule(it) => ("rule", definition(it)),
        ItemKind::Output(it) => ("output", definition(it)),
        ItemKind::Test(it) => ("test", test(it)),
        ItemKind::Import(it) => ("import", import(it)),
        ItemKind::Policy(it) => ("policy", it.settings.iter().map(argument).collect()),
    };
    Node::new(kind, item.span, with_head(&item.docs, &item.attributes, own))
}

/// Returns nodes for doc comments and attributes, followed by the nodes `own`.
fn with_head(docs: &[Doc], attributes: &[Attribute], own: Vec<Node>) -> Vec<Node> {
    let docs = docs.iter().map(|doc| Node::leaf("doc", doc.span));
    docs.chain(attributes.iter().map(attribute)).chain(own).collect()
}

fn definition(definition: &Definition) -> Vec<Node> {
    let parameters = definition.parameters.iter().map(parameter);
    [name(&definition.name)].into_iter().chain(parameters).chain([expr(&definition.body)]).collect()
}

fn parameter(parameter: &Parameter) -> Node {
    Node::new("parameter", parameter.span, parameter.default.iter().map(expr).collect())
}

fn name(name: &Name) -> Node {
    Node::leaf("name", name.span)
}

fn attribute(attribute: &Attribute) -> Node {
    Node::new("attribute", attribute.span, attribute.arguments.iter().map(argument).collect())
}

fn argument(argument: &Argument) -> Node {
    let own = argument.name.iter().map(name).chain([expr(&argument.value)]);
    Node::new("argument", argument.span, own.collect())
}

fn test(test: &Test) -> Vec<Node> {
    let target = match test.name() {
        Some(name) => Node::leaf("name", name.span),
        None => expr(&test.target),
    };
    [target].into_iter().chain(test.cases.iter().map(case)).collect()
}

fn case(case: &Case) -> Node {
    let kind = match case.expectation {
        Expectation::Accept => "accept",
        Expectation::Reject => "reject",
    };
    let subject = match &case.subject {
        Subject::Text(pieces) => pieces.iter().map(piece).collect(),
        Subject::Json(value) => vec![json(value)],
    };
    let captures = case
        .captures
        .iter()
        .map(|one| Node::new("capture", one.name.span.merge(one.value.span), vec![json(&one.value)]));
    let reason = case.reason.iter().map(|reason| Node::leaf("because", reason.span));
    Node::new(kind, case.span, with_head(&case.docs, &[], subject.into_iter().chain(captures).chain(reason).collect()))
}

fn piece(piece: &Piece) -> Node {
    let kind = match piece.kind {
        PieceKind::Text(_) => "string",
        PieceKind::Token(_) => "token",
    };
    Node::leaf(kind, piece.span)
}

fn json(value: &Json) -> Node {
    let (kind, children) = match &value.kind {
        JsonKind::Null => ("null", Vec::new()),
        JsonKind::Bool(_) => ("boolean", Vec::new()),
        JsonKind::Number(_) => ("number", Vec::new()),
        JsonKind::String(_) => ("string", Vec::new()),
        JsonKind::Array(items) => ("array", items.iter().map(json).collect()),
        JsonKind::Object(members) => {
            let member = members.iter().map(|member| {
                Node::new("member", member.name.span.merge(member.value.span), vec![json(&member.value)])
            });
            ("object", member.collect())
        }
    };
    Node::new(kind, value.span, children)
}

fn import(import: &Import) -> Vec<Node> {
    let imported: Vec<Node> = match &import.imported {
        Imported::Names(names) => names.iter().map(imported_name).collect(),
        Imported::Whole(whole) => vec![name(whole)],
    };
    let overrides = import.overrides.iter().map(replaced);
    imported.into_iter().chain([Node::leaf("path", import.path.span)]).chain(overrides).collect()
}

fn imported_name(imported: &ImportedName) -> Node {
    let span = imported.alias.iter().fold(imported.name.span, |span, alias| span.merge(alias.span));
    Node::leaf("name", span)
}

fn replaced(replaced: &Override) -> Node {
    Node::new("override", replaced.span, vec![name(&replaced.name), expr(&replaced.value)])
}

fn expr(tree: &Expr) -> Node {
    let (kind, children) = match &tree.kind {
        ExprKind::Error => ("error", Vec::new()),
        ExprKind::Null => ("null", Vec::new()),
        ExprKind::Bool(_) => ("boolean", Vec::new()),
        ExprKind::Number(_) => ("number", Vec::new()),
        ExprKind::String(_) => ("string", Vec::new()),
        ExprKind::Regex(_) => ("regex", Vec::new()),
        ExprKind::Token(_) => ("token", Vec::new()),
        ExprKind::Range(range) => ("range", [&range.min, &range.max].into_iter().flatten().map(bound).collect()),
        ExprKind::Reference(reference) => ("reference", reference.arguments.iter().map(argument).collect()),
        ExprKind::Record(record) => ("record", record.members.iter().map(member).collect()),
        ExprKind::Union(arms) => {
            let arm = |arm: &Alternative| with_head(&arm.docs, &[], vec![expr(&arm.expr)]);
            ("union", arms.iter().flat_map(arm).collect())
        }
        ExprKind::Intersection(parts) => ("intersection", parts.iter().map(expr).collect()),
        ExprKind::Difference { kept, removed } => {
            ("difference", [&**kept].into_iter().chain(removed).map(expr).collect())
        }
        ExprKind::Repeat { item, times } => ("repeat", [expr(item)].into_iter().chain(repetition(times)).collect()),
        ExprKind::List { item, times, separator } => {
            let times = times.iter().flat_map(repetition);
            ("list", [expr(item)].into_iter().chain(times).chain([expr(separator)]).collect())
        }
        ExprKind::Sequence(parts) => ("sequence", parts.iter().map(expr).collect()),
        ExprKind::Capture { name: captured, item } => ("capture", vec![name(captured), expr(item)]),
        ExprKind::Attributed { attributes, item } => ("attributed", with_head(&[], attributes, vec![expr(item)])),
        ExprKind::Group(inner) => ("group", vec![expr(inner)]),
    };
    Node::new(kind, tree.span, children)
}

fn repetition(times: &Repetition) -> Vec<Node> {
    match times {
        Repetition::Optional | Repetition::Star | Repetition::Plus => Vec::new(),
        Repetition::Exactly(times) => vec![bound(times)],
        Repetition::Between(range) => [&range.min, &range.max].into_iter().flatten().map(bound).collect(),
    }
}

fn bound(bound: &Bound) -> Node {
    let kind = match bound.kind {
        BoundKind::Number(_) => "number",
        BoundKind::Name(_) => "name",
    };
    Node::leaf(kind, bound.span)
}

fn member(member: &Member) -> Node {
    let (kind, own) = match &member.kind {
        MemberKind::Error => ("error", Vec::new()),
        MemberKind::Field(field) => ("field", vec![name(&field.name), expr(&field.value)]),
        MemberKind::Pattern { key, value } => ("pattern", vec![expr(key), expr(value)]),
        MemberKind::Spread(base) => ("spread", vec![expr(base)]),
        MemberKind::Open => ("open", Vec::new()),
    };
    Node::new(kind, member.span, with_head(&member.docs, &member.attributes, own))
}
