//! Prints items.

use always_assert::never;

use super::expr::{Level, Printer, joined, key};
use crate::ogc::ast::{
    Case, Definition, Expectation, Import, Imported, Item, ItemKind, Json, JsonKind, JsonMember, Parameter, PieceKind,
    Policy, Subject, Test,
};
use crate::ogc::literal::quote;

const PRINTER: Printer = Printer { docs: true };

/// Writes an item.
pub(super) fn item(item: &Item, out: &mut String) {
    PRINTER.docs(&item.docs, out);
    for attribute in &item.attributes {
        PRINTER.attribute(attribute, out);
        out.push('\n');
    }
    match &item.kind {
        ItemKind::Error(name) => {
            let name = name.as_ref().map_or("error", |name| name.text.as_str());
            out.push_str(&format!("type {name} = error"));
        }
        ItemKind::Type(body) => definition("type", body, out),
        ItemKind::Rule(body) => definition("rule", body, out),
        ItemKind::Output(body) => definition("output", body, out),
        ItemKind::Test(body) => test(body, out),
        ItemKind::Import(body) => import(body, out),
        ItemKind::Policy(body) => policy(body, out),
    }
}

fn definition(keyword: &str, body: &Definition, out: &mut String) {
    out.push_str(&format!("{keyword} {}", body.name.text));
    if !body.parameters.is_empty() {
        out.push('<');
        joined(&body.parameters, ", ", out, parameter);
        out.push('>');
    }
    out.push_str(" = ");
    PRINTER.expr(&body.body, Level::Union, out);
}

fn parameter(parameter: &Parameter, out: &mut String) {
    out.push_str(&parameter.name.text);
    if let Some(default) = &parameter.default {
        out.push_str(" = ");
        PRINTER.expr(default, Level::Union, out);
    }
}

fn policy(body: &Policy, out: &mut String) {
    out.push_str("policy ");
    joined(&body.settings, ", ", out, |setting, out| {
        out.push_str(&setting.name.as_ref().map(|name| format!("{} = ", name.text)).unwrap_or_default());
        PRINTER.expr(&setting.value, Level::Union, out);
    });
}

fn import(body: &Import, out: &mut String) {
    out.push_str("import ");
    match &body.imported {
        Imported::Whole(module) => out.push_str(&format!("{} as {}", quote(&body.path.value), module.text)),
        Imported::Names(names) => {
            joined(names, ", ", out, |name, out| {
                import_key(&name.name.text, out);
                out.push_str(&name.alias.as_ref().map(|alias| format!(" as {}", alias.text)).unwrap_or_default());
            });
            out.push_str(&format!(" from {}", quote(&body.path.value)));
        }
    }
    if body.overrides.is_empty() {
        return;
    }
    out.push_str(" with { ");
    joined(&body.overrides, ", ", out, |replaced, out| {
        key(&replaced.name, out);
        out.push_str(" = ");
        PRINTER.expr(&replaced.value, Level::Union, out);
    });
    out.push_str(" }");
}

/// Writes an imported name: in quotes if it is a keyword of imports or not a plain name.
fn import_key(text: &str, out: &mut String) {
    let tokens = crate::ogc::tokens(text);
    let plain = matches!(tokens.as_slice(), [only] if only.kind == crate::ogc::token::TokenKind::Name);
    let special = matches!(text, "from" | "as" | "with");
    out.push_str(&if plain && !special { text.to_owned() } else { quote(text) });
}

fn test(body: &Test, out: &mut String) {
    out.push_str("test ");
    PRINTER.expr(&body.target, Level::Primary, out);
    out.push_str(" {\n");
    for one in &body.cases {
        case(one, out);
        out.push('\n');
    }
    out.push('}');
}

fn case(case: &Case, out: &mut String) {
    PRINTER.docs(&case.docs, out);
    out.push_str(match case.expectation {
        Expectation::Accept => "accept ",
        Expectation::Reject => "reject ",
    });
    match &case.subject {
        Subject::Json(value) => json(value, out),
        Subject::Text(pieces) => joined(pieces, " ", out, |piece, out| match &piece.kind {
            PieceKind::Text(text) => out.push_str(&single(text)),
            PieceKind::Token(token) => out.push_str(&format!("tok{}", quote(token))),
        }),
    }
    if !case.captures.is_empty() {
        out.push_str(" with ");
        object(&case.captures, out);
    }
    if let Some(reason) = &case.reason {
        out.push_str(&format!(" because {}", quote(&reason.value)));
    }
}

/// Quotes a text under test; uses single quotes if that saves escapes, because JSON has many double quotes.
fn single(text: &str) -> String {
    let quoted = quote(text);
    if !text.contains('"') || text.contains('\'') {
        return quoted;
    }
    let Some(body) = quoted.strip_prefix('"').and_then(|body| body.strip_suffix('"')) else {
        never!("{} is not in double quotes", quoted);
        return quoted;
    };
    format!("'{}'", body.replace("\\\"", "\""))
}

fn json(value: &Json, out: &mut String) {
    match &value.kind {
        JsonKind::Null => out.push_str("null"),
        JsonKind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        JsonKind::Number(number) => out.push_str(number),
        JsonKind::String(text) => out.push_str(&quote(text)),
        JsonKind::Array(items) => {
            out.push('[');
            joined(items, ", ", out, json);
            out.push(']');
        }
        JsonKind::Object(members) => object(members, out),
    }
}

fn object(members: &[JsonMember], out: &mut String) {
    out.push_str("{ ");
    joined(members, ", ", out, |member, out| {
        key(&member.name, out);
        out.push_str(": ");
        json(&member.value, out);
    });
    out.push_str(" }");
}
