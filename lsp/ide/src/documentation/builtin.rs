//! Documentation of built-in names, attributes and settings, from the tables of the language.

use always_assert::never;
use ogc_compiler::hir::{
    AttributeKind, Builtin, BuiltinKind, BuiltinParameter, ParameterKind, Setting, SettingKind, ValueKind,
};

use super::{CodeBlock, Documentation, is_policy};

/// Returns the documentation of a built-in name.
pub(super) fn builtin(one: &Builtin) -> Documentation {
    let mut text = one.doc.to_owned();
    if let BuiltinKind::Value(ValueKind::Format(format)) = one.kind {
        if let Some(example) = format.example {
            text.push_str(&format!("\n\nFor example `\"{example}\"`."));
        }
        if let Some(name) = format.json_schema {
            let with = if format.is_practical { ", with a `pattern`" } else { "" };
            text.push_str(&format!(" In JSON Schema: `\"format\": \"{name}\"`{with}."));
        }
    }
    for parameter in one.parameters {
        text.push_str(&format!("\n- `{}`: {}", shown(parameter), parameter.doc));
    }
    Documentation { signature: Some(CodeBlock::ogc(signature(one).0)), text, ..Documentation::default() }
}

/// Returns a built-in name with its parameters, and the parameters' places in that text.
pub(crate) fn signature(one: &Builtin) -> (String, Vec<(usize, usize)>) {
    let mut text = one.name.to_owned();
    let mut places = Vec::new();
    for (at, parameter) in one.parameters.iter().enumerate() {
        text.push_str(if at == 0 { "<" } else { ", " });
        let start = text.len();
        text.push_str(&shown(parameter));
        places.push((start, text.len()));
    }
    if !places.is_empty() {
        text.push('>');
    }
    (text, places)
}

/// Returns a parameter as it is written, with the kind of its argument.
fn shown(parameter: &BuiltinParameter) -> String {
    let value = kind(parameter.value);
    match parameter.name {
        Some(name) => format!("{name} = {}", parameter.default.unwrap_or(value)),
        None => value.to_owned(),
    }
}

/// Returns the form of an argument.
fn kind(kind: ParameterKind) -> &'static str {
    match kind {
        ParameterKind::Range => "a..b",
        ParameterKind::Count => "m..n",
        ParameterKind::Number => "number",
        ParameterKind::Regex => "/pattern/",
        ParameterKind::Bool => "bool",
        ParameterKind::String => "\"...\"",
        ParameterKind::Type => "T",
        ParameterKind::Types => "T, ...",
        ParameterKind::Text => "x",
        ParameterKind::Tools => "tools",
        ParameterKind::CallStyle => "call",
        ParameterKind::FieldStyle => "field",
        ParameterKind::Policies => "policy = value, ...",
    }
}

/// Returns the documentation of a parameter of a built-in name.
pub(crate) fn parameter(one: &Builtin, parameter: &BuiltinParameter) -> Documentation {
    let mut text = parameter.doc.to_owned();
    if let Some(default) = parameter.default {
        text.push_str(&format!(" `{default}` if it is left out."));
    }
    let signature = CodeBlock::ogc(format!("{}<{}>", one.name, shown(parameter)));
    Documentation { signature: Some(signature), text, ..Documentation::default() }
}

/// Returns the documentation of an attribute; for a policy, that of the policy.
pub(super) fn attribute(kind: AttributeKind) -> Documentation {
    let (name, doc) = match (kind, kind.info()) {
        (_, Some(info)) => (info.name, info.doc),
        (AttributeKind::Policy(policy), None) => return of_policy(SettingKind::Policy(policy)),
        (AttributeKind::Schemas(policy), None) => return of_policy(SettingKind::Schemas(policy)),
        (_, None) => {
            never!("{:?} has no entry in the table of attributes", kind);
            return Documentation::default();
        }
    };
    let text = format!("{doc}\n\nIt takes {}; {}.", kind.takes(), kind.home());
    Documentation { signature: Some(CodeBlock::ogc(format!("@{name}"))), text, ..Documentation::default() }
}

/// Returns the documentation of an attribute that sets a policy.
fn of_policy(kind: SettingKind) -> Documentation {
    let Some(setting) = Setting::policies().find(|setting| setting.kind == kind) else {
        never!("no setting is the policy {:?}", kind);
        return Documentation::default();
    };
    let signature = CodeBlock::ogc(format!("@{}(...)", setting.name));
    Documentation { signature: Some(signature), text: about(setting), ..Documentation::default() }
}

/// Returns the documentation of a policy or a budget.
pub(super) fn setting(setting: &Setting) -> Documentation {
    let kind = if is_policy(setting) { "policy" } else { "budget" };
    let signature = CodeBlock::ogc(format!("{} = ...", setting.name));
    Documentation {
        signature: Some(signature),
        text: format!("{} (a {kind})", about(setting)),
        ..Documentation::default()
    }
}

/// Returns the sentence about a setting and its values.
fn about(setting: &Setting) -> String {
    let mut text = setting.doc.to_owned();
    for choice in setting.choices {
        text.push_str(&format!("\n- `{}`: {}", choice.written, choice.doc));
    }
    if setting.choices.is_empty() {
        text.push_str(&format!(" To set it, {}.", setting.values));
    } else {
        text.push('\n');
    }
    text
}
