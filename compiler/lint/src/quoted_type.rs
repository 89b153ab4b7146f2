//! `quoted-type`: a field whose only value is the text `"string"`, or a text that is the name of a type like the
//! field's own name; and a record that looks like a JSON Schema or has one of its keywords.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Field, MemberKind, Record};
use ogc_grammar::{Code, Diagnostic, Fix};

/// The names of types in JSON Schema. Names that are hardly ever meant as texts come with the name of the type in ogc.
const TYPES: [(&str, Option<&str>); 8] = [
    ("array", None),
    ("boolean", Some("bool")),
    ("integer", Some("int")),
    ("int", Some("int")),
    ("null", None),
    ("number", Some("number")),
    ("object", None),
    ("string", Some("string")),
];

/// Names of fields that tell the kind of a thing; there, the name of a type is meant as a text.
const KINDS: [&str; 6] = ["type", "kind", "format", "tag", "class", "op"];

/// Finds fields with quoted type names, and records that look like JSON Schemas, in the body of a definition; `is_type`
/// tells whether a name is a type of the file.
pub(super) fn lint(body: &Expr, is_type: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    look(body, &is_type, &mut found);
    found
}

fn look(expr: &Expr, is_type: &dyn Fn(&str) -> bool, found: &mut Vec<Diagnostic>) {
    if let ExprKind::Record(record) = &expr.kind {
        if is_schema(record) {
            let message = "this record reads like a JSON Schema, and describes objects that have these keys";
            let help = "write the type itself, as in `{ name: string, age?: int }`, or put the schema into a file \
                        `x.schema.json` and write `import root as X from \"x.schema.json\"`";
            return found.push(Diagnostic::warning(Code::QuotedType, expr.span, message).help(help));
        }
        let one = |field| quoted(field).or_else(|| own(field, is_type)).or_else(|| keyword(field));
        found.extend(fields(record).filter_map(one));
    }
    expr.children().into_iter().for_each(|child| look(child, is_type, found));
}

fn fields(record: &Record) -> impl Iterator<Item = &Field> {
    record.members.iter().filter_map(|member| match &member.kind {
        MemberKind::Field(field) => Some(field),
        MemberKind::Error | MemberKind::Open | MemberKind::Pattern { .. } | MemberKind::Spread(_) => None,
    })
}

/// Returns whether a record looks like a JSON Schema: `{ type: "object", properties: { ... } }`.
fn is_schema(record: &Record) -> bool {
    let has = |name: &str, fits: fn(&ExprKind) -> bool| {
        fields(record).any(|field| field.name.text == name && !field.optional && fits(&field.value.ungrouped().kind))
    };
    let object = has("type", |kind| matches!(kind, ExprKind::String(name) if name == "object"));
    let array = has("type", |kind| matches!(kind, ExprKind::String(name) if name == "array"));
    let is_record = |kind: &ExprKind| matches!(kind, ExprKind::Record(_));
    object && has("properties", is_record) || array && has("items", is_record)
}

fn quoted(field: &Field) -> Option<Diagnostic> {
    let ExprKind::String(text) = &field.value.kind else { return None };
    let key = field.name.text.to_lowercase();
    let native = TYPES.iter().find(|(name, _)| name == text)?.1?;
    if KINDS.iter().any(|kind| key.contains(kind)) {
        return None;
    }
    let message = format!("`{text:?}` is this text and no other; the type stands without quotes");
    let fix = Fix::new(format!("write `{native}`"), field.value.span, native);
    Some(Diagnostic::warning(Code::QuotedType, field.value.span, message).help(format!("write `{native}`")).fix(fix))
}

/// Reports a field that is named like a type of the file and whose value is that name as a text, as in `pet: "Pet"`.
fn own(field: &Field, is_type: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
    let ExprKind::String(text) = &field.value.kind else { return None };
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let is_meant = plain(&field.name.text) == plain(text) && text.starts_with(char::is_uppercase) && is_type(text);
    let message = format!("`{text:?}` is this text and no other; the type `{text}` stands without quotes");
    let fix = || Fix::new(format!("write `{text}`"), field.value.span, text.clone());
    is_meant.then(|| {
        let found = Diagnostic::warning(Code::QuotedType, field.value.span, message);
        found.help(format!("write `{text}`")).guess(Some(fix()))
    })
}

/// Reports `additionalProperties: false`: a keyword of JSON Schema that describes what every record does anyway.
fn keyword(field: &Field) -> Option<Diagnostic> {
    let closes = matches!(field.name.text.as_str(), "additionalProperties" | "unevaluatedProperties");
    let ExprKind::Bool(open) = field.value.ungrouped().kind else { return None };
    let name = &field.name.text;
    let message = format!("this is a key of the object, `{name}`, and says nothing about others");
    let help = match open {
        false => "leave it out: a record has no other keys",
        true => "write `...` for any other key",
    };
    closes.then(|| Diagnostic::warning(Code::QuotedType, field.name.span.merge(field.value.span), message).help(help))
}
