//! Elaborates built-in types with their arguments, such as `int<0..5>` and `string<1..80>`.

use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Range, Reference};
use ogc_schema::source::{At, Keywords, NodeId, Origin, Types};

mod ends;
mod number;
mod tuple;
mod wrong;

use super::literal::NO_TYPES;
use super::value::{all_types, types};
use super::{Elaborator, EnvId};
use crate::hir::builtin::{Builtin, BuiltinKind, ValueKind};

impl<'db> Elaborator<'db> {
    /// Elaborates a built-in type with its arguments.
    pub(super) fn builtin_value(
        &mut self,
        builtin: &'static Builtin,
        kind: ValueKind,
        reference: &'db Reference,
        env: EnvId,
        origin: Origin,
    ) -> NodeId {
        match kind {
            ValueKind::Tuple => self.tuple(reference, env, origin),
            ValueKind::Map => self.map(reference, env, origin),
            ValueKind::Omit => self.omitted(reference, env, origin),
            ValueKind::Any => {
                self.no_arguments(reference, "`any`", env);
                self.anything(origin)
            }
            ValueKind::Null
            | ValueKind::Bool
            | ValueKind::Int
            | ValueKind::Number
            | ValueKind::String
            | ValueKind::Format(_)
            | ValueKind::Array
            | ValueKind::Object => self.refined(builtin, kind, reference, env, origin),
        }
    }

    /// Elaborates a built-in type whose arguments are conditions on one JSON type.
    fn refined(
        &mut self,
        builtin: &'static Builtin,
        kind: ValueKind,
        reference: &'db Reference,
        env: EnvId,
        origin: Origin,
    ) -> NodeId {
        let mut keywords = base(kind, origin);
        let elsewhere = self.items_of_array(kind, reference, env) || self.keys_of_object(kind, reference, env);
        if !elsewhere && !self.two_numbers(builtin, reference, env) && !self.named_ends(builtin, reference, env) {
            for written in &reference.arguments {
                self.refinement(builtin, &mut keywords, written, env);
            }
        }
        self.parts.keywords(keywords, origin)
    }

    /// Adds one condition of a built-in type to its keywords. Opaque parameters add none.
    fn refinement(&mut self, builtin: &'static Builtin, keywords: &mut Keywords, written: &'db Written, env: EnvId) {
        let origin = self.origin(written.span, env);
        let (value, inside) = self.unfolded(&written.value, env);
        if self.is_opaque(value, inside) {
            return;
        }
        let parameter = Parameter { name: written.name.as_ref().map(|name| &*name.text), value, env: inside, origin };
        let known = match conditions(builtin) {
            Conditions::Number => self.number_refinement(builtin, keywords, &parameter),
            Conditions::String if wrong::is_dated(builtin) && matches!(value.kind, ExprKind::Range(_)) => false,
            Conditions::String => self.string_refinement(keywords, &parameter),
            Conditions::Array => self.array_refinement(keywords, &parameter),
            Conditions::Object => self.object_refinement(keywords, &parameter),
            Conditions::Fixed => false,
        };
        if !known {
            self.wrong_refinement(builtin, written, value, env);
        }
    }

    /// Adds a condition on strings; returns whether strings have such a condition.
    fn string_refinement(&mut self, keywords: &mut Keywords, parameter: &Parameter<'db>) -> bool {
        let Parameter { origin, .. } = *parameter;
        let string = &mut keywords.string;
        match (parameter.name, &parameter.value.kind) {
            (None, ExprKind::Range(range)) => {
                (string.min_length, string.max_length) = self.counted(range, parameter);
            }
            (None, ExprKind::Regex(pattern)) => {
                let whole = self.whole_pattern(parameter.value, pattern, parameter.env);
                string.patterns.extend(whole.map(|value| At { origin, value }));
            }
            (Some("search"), ExprKind::Regex(pattern)) => string.patterns.push(At { origin, value: pattern.clone() }),
            _ => return false,
        }
        true
    }

    /// Adds a condition on arrays; returns whether arrays have such a condition.
    fn array_refinement(&mut self, keywords: &mut Keywords, parameter: &Parameter<'db>) -> bool {
        let Parameter { value, env, origin, .. } = *parameter;
        let array = &mut keywords.array;
        match (parameter.name, &value.kind) {
            (None, ExprKind::Range(range)) => (array.min_items, array.max_items) = self.counted(range, parameter),
            (Some("unique"), ExprKind::Bool(unique)) => array.unique_items = unique.then_some(origin),
            (Some("contains"), _) => array.contains = Some(At { origin, value: self.value(value, env) }),
            (Some("times"), _) => {
                if let Some(ends) = self.count_argument(value, env) {
                    array.min_contains = Some(At { origin, value: ends.min.unwrap_or(0) });
                    array.max_contains = ends.max.map(|value| At { origin, value });
                }
            }
            _ => return false,
        }
        true
    }

    /// Adds a condition on objects; returns whether objects have such a condition.
    fn object_refinement(&mut self, keywords: &mut Keywords, parameter: &Parameter<'db>) -> bool {
        let Parameter { value, env, origin, .. } = *parameter;
        let object = &mut keywords.object;
        match (parameter.name, &value.kind) {
            (None, ExprKind::Range(range)) => {
                (object.min_properties, object.max_properties) = self.counted(range, parameter);
            }
            (Some("keys"), _) => object.property_names = Some(At { origin, value: self.value(value, env) }),
            _ => return false,
        }
        true
    }

    /// Returns the ends of a range of counts as keywords.
    fn counted(&mut self, range: &'db Range, parameter: &Parameter<'db>) -> (Option<At<u64>>, Option<At<u64>>) {
        let ends = self.counts(range, parameter.env);
        let at = |value| At { origin: parameter.origin, value };
        (ends.min.map(at), ends.max.map(at))
    }

    /// Elaborates `/.../` as a type.
    pub(super) fn pattern_value(&mut self, expr: &Expr, pattern: &str, env: EnvId, origin: Origin) -> NodeId {
        let mut keywords = base(ValueKind::String, origin);
        let whole = self.whole_pattern(expr, pattern, env);
        keywords.string.patterns.extend(whole.map(|value| At { origin, value }));
        self.parts.keywords(keywords, origin)
    }
}

/// Returns the keywords of a built-in type without arguments.
pub(super) fn base(kind: ValueKind, origin: Origin) -> Keywords {
    let set = match kind {
        ValueKind::Any => all_types(),
        ValueKind::Bool => Types { boolean: true, ..NO_TYPES },
        ValueKind::Int => Types { integer: true, ..NO_TYPES },
        ValueKind::Number => Types { number: true, ..NO_TYPES },
        ValueKind::Array | ValueKind::Tuple => Types { array: true, ..NO_TYPES },
        ValueKind::Object | ValueKind::Map | ValueKind::Omit => Types { object: true, ..NO_TYPES },
        ValueKind::Null => Types { null: true, ..NO_TYPES },
        ValueKind::String | ValueKind::Format(_) => Types { string: true, ..NO_TYPES },
    };
    let mut keywords = Keywords { types: types(origin, set), ..Keywords::default() };
    if let ValueKind::Format(format) = kind {
        match format.json_schema {
            Some(name) => {
                keywords.string.formats.push(At { origin, value: name.to_owned() });
                let form = ogc_regular::format::practical(name).filter(|_| format.is_practical);
                let pattern = form.map(|form| At { origin, value: form.pattern.clone() });
                keywords.string.patterns.extend(pattern);
            }
            None => {
                let value = crate::frontend::json_schema::BASE64.to_owned();
                keywords.string.patterns.push(At { origin, value });
            }
        }
    }
    keywords
}

/// An argument of a built-in type: `0..5`, `multiple_of = 3`.
struct Parameter<'db> {
    name: Option<&'db str>,
    /// The value with names unfolded, and the environment that it is written in.
    value: &'db Expr,
    env: EnvId,
    origin: Origin,
}

/// The kind of conditions that a built-in type takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conditions {
    Number,
    String,
    Array,
    Object,
    Fixed,
}

/// Returns the kind of conditions that a built-in type takes; `Fixed` if it takes none.
fn conditions(builtin: &Builtin) -> Conditions {
    let BuiltinKind::Value(kind) = builtin.kind else { return Conditions::Fixed };
    match kind {
        ValueKind::Int | ValueKind::Number => Conditions::Number,
        ValueKind::String | ValueKind::Format(_) => Conditions::String,
        ValueKind::Array | ValueKind::Tuple => Conditions::Array,
        ValueKind::Object | ValueKind::Map | ValueKind::Omit => Conditions::Object,
        ValueKind::Any | ValueKind::Bool | ValueKind::Null => Conditions::Fixed,
    }
}
