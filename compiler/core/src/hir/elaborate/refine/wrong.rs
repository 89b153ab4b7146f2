//! Reports conditions that a built-in type does not take, and what to write instead.

use ogc_grammar::nearest;
use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Reference};
use ogc_grammar::ogc::meant_regex;
use ogc_grammar::{Code, Fix};

use super::{Conditions, Elaborator, EnvId, conditions};
use crate::hir::builtin::{Builtin, BuiltinKind, ValueKind};
use crate::hir::resolve::Resolver;

const NUMBER: BuiltinKind = BuiltinKind::Value(ValueKind::Number);

impl Elaborator<'_> {
    /// Reports a condition that a built-in type does not take.
    pub(super) fn wrong_refinement(&mut self, builtin: &'static Builtin, written: &Written, value: &Expr, env: EnvId) {
        if written.name.is_none()
            && conditions(builtin) != Conditions::Fixed
            && let Some((min, max)) = ends_with_hyphen(&value.kind)
        {
            let range = format!("{min}..{max}");
            return self.meant_range(builtin, written.span, "the ends of a range are joined by `..`", &range, env);
        }
        let (message, help) = match &written.name {
            Some(given) if builtin.named_parameters().any(|name| name == given.text) => {
                (format!("`{}` does not take this", given.text), example(builtin))
            }
            Some(given) => {
                let message = format!("`{}` has no parameter `{}`", builtin.name, given.text);
                (message, instead_of(builtin, &given.text, &value.kind))
            }
            None => unnamed(builtin, &value.kind),
        };
        let fix = quoted_pattern(builtin, written, value).map(|regex| Fix::instead(written.span, regex));
        let fix = fix.map(|fix| self.fix(&fix, env));
        let found = self.error(Code::WrongRefinement, written.span, env, message);
        (found.help, found.fix) = (Some(help), fix);
    }
}

/// Returns the pattern that an unnamed string argument certainly means, if the type takes a pattern.
fn quoted_pattern(builtin: &Builtin, written: &Written, value: &Expr) -> Option<String> {
    let ExprKind::String(text) = &value.kind else { return None };
    let takes_pattern = conditions(builtin) == Conditions::String && written.name.is_none() && !is_dated(builtin);
    meant_regex(text).filter(|_| takes_pattern)
}

impl<'db> Elaborator<'db> {
    /// Reports `array<T>`; returns whether the arguments have that form.
    pub(super) fn items_of_array(&mut self, kind: ValueKind, reference: &'db Reference, env: EnvId) -> bool {
        let [only] = reference.arguments.as_slice() else { return false };
        if kind != ValueKind::Array || only.name.is_some() || !self.is_type(&only.value, env) {
            return false;
        }
        self.value(&only.value, env);
        let place = reference.path.span.merge(only.span);
        let names = Resolver::of(self.db, self.environment.item(env));
        let fix = names.array_fix(&reference.path.segments[0], &reference.arguments);
        let fix = fix.map(|fix| self.fix(&fix, env));
        let found = self.error(Code::WrongRefinement, place, env, "`array` does not take the type of its items");
        (found.help, found.fix) = (Some("write `T[0..]`, or `T[1..5]`".to_owned()), fix);
        true
    }

    /// Reports `object<string, T>`; returns whether the arguments have that form.
    pub(super) fn keys_of_object(&mut self, kind: ValueKind, reference: &'db Reference, env: EnvId) -> bool {
        let [keys, values] = reference.arguments.as_slice() else { return false };
        let mut types = [keys, values].into_iter();
        let types = types.all(|one| one.name.is_none() && self.is_type(&one.value, env));
        if kind != ValueKind::Object || !types {
            return false;
        }
        self.value(&keys.value, env);
        self.value(&values.value, env);
        let fix = self.fix(&Fix::new("write `map`", reference.path.span, "map"), env);
        let place = reference.path.span.merge(values.span);
        let found = self.error(Code::WrongRefinement, place, env, "`object` does not take types of keys and values");
        (found.help, found.fix) = (Some("write `map<string, T>`".to_owned()), Some(fix));
        true
    }

    /// Returns whether an argument can only be a type.
    fn is_type(&mut self, value: &'db Expr, env: EnvId) -> bool {
        let (value, _) = self.unfolded(value, env);
        matches!(value.kind, ExprKind::Reference(_) | ExprKind::Record(_) | ExprKind::Union(_) | ExprKind::String(_))
    }
}

/// Returns the help for a named parameter that does not exist.
fn instead_of(builtin: &Builtin, given: &str, value: &ExprKind) -> String {
    if let ("format", ExprKind::String(format)) = (given, value) {
        return format_type(format);
    }
    let near = || nearest(given, builtin.named_parameters()).map(|near| format!("did you mean `{near}`?"));
    if let ("step", ExprKind::Number(step), Conditions::Number) = (given, value, conditions(builtin)) {
        return format!("write `multiple_of = {step}`");
    }
    elsewhere(builtin, given).or_else(near).unwrap_or_else(|| example(builtin))
}

/// Returns the help for `format = "..."`: the type of that format.
fn format_type(format: &str) -> String {
    let of_format = |is_practical| Builtin::of_format(format, is_practical);
    let known = of_format(true).or_else(|| of_format(false));
    match known.or_else(|| Builtin::of(format).filter(|known| known.format().is_some())) {
        Some(known) => format!("a format is a type: write `{}`", known.name),
        None => "formats are types: `email`, `date`, `uri` and others".to_owned(),
    }
}

/// Returns the message and the help for a condition without a name.
fn unnamed(builtin: &Builtin, value: &ExprKind) -> (String, String) {
    let name = builtin.name;
    let refused = || format!("`{name}` cannot be refined by this");
    match (value, conditions(builtin)) {
        _ if is_dated(builtin) => (refused(), dated(name)),
        (ExprKind::Reference(inner), Conditions::String) => {
            let meant = format_named(inner).map(|format| format!("a format is a type: write `{format}`"));
            (refused(), meant.unwrap_or_else(|| example(builtin)))
        }
        (ExprKind::String(text), Conditions::String) => {
            let regex = meant_regex(text).unwrap_or_else(|| "/[a-z]+/".to_owned());
            (refused(), format!("a pattern stands between slashes: write `{name}<{regex}>`"))
        }
        (_, Conditions::Fixed) => (refused(), example(builtin)),
        (ExprKind::Number(number), _) => (
            format!("`{name}` takes a range, not a number"),
            format!("`{name}<..{number}>` is at most {number}, `{name}<{number}..{number}>` exactly"),
        ),
        _ => (refused(), example(builtin)),
    }
}

/// Returns the two numbers of `1-10`, which the parser reads as a difference.
fn ends_with_hyphen(value: &ExprKind) -> Option<(&str, &str)> {
    let ExprKind::Difference { kept, removed } = value else { return None };
    match (&kept.kind, removed.as_slice()) {
        (ExprKind::Number(min), [Expr { kind: ExprKind::Number(max), .. }]) => Some((min, max)),
        _ => None,
    }
}

/// Returns the format that a reference names.
fn format_named(reference: &Reference) -> Option<&str> {
    let [name] = reference.path.segments.as_slice() else { return None };
    Builtin::of(&name.text)?.format().map(|_| name.text.as_str())
}

/// Returns the help for a named parameter of another language, such as `maxLength` or `gt`.
fn elsewhere(builtin: &Builtin, given: &str) -> Option<String> {
    let name = builtin.name;
    let given = given.to_lowercase().replace('_', "");
    let measure = ["length", "items", "imum", "properties"].iter().any(|end| given.ends_with(end));
    let bounds =
        given.starts_with("min") || given.starts_with("max") || ["ge", "le", "len", "length"].contains(&&*given);
    match (conditions(builtin), given.as_str()) {
        (Conditions::Fixed, _) => None,
        (Conditions::Number, "precision" | "decimals" | "scale" | "places") if builtin.kind == NUMBER => {
            Some(
                "write `number<digits = 2>` for at most two digits after the point, `number<digits = 2..2>` for exactly two"
                    .to_owned(),
            )
        }
        (Conditions::Number, "step") => Some(format!("write `{name}<multiple_of = 5>`")),
        (Conditions::Number, "gt" | "greaterthan" | "exclusiveminimum") => Some(format!("write `{name}<above = 0>`")),
        (Conditions::Number, "lt" | "lessthan" | "exclusivemaximum") => Some(format!("write `{name}<below = 10>`")),
        (Conditions::String, "pattern" | "regex") => Some(format!("a pattern has no name: `{name}</[a-z]+/>`")),
        _ if bounds && (measure || given.len() <= 3) => Some(format!("bounds are a range: `{name}<1..80>`")),
        _ => None,
    }
}

/// Returns whether a built-in type is a date or time: a text, which cannot have a range.
pub(super) fn is_dated(builtin: &Builtin) -> bool {
    builtin.format().is_some_and(|format| format.is_dated)
}

/// Returns the help for conditions on a date or time.
pub(super) fn dated(name: &str) -> String {
    let pattern = if name == "time" { "/12:.*/" } else { "/2020-.*/" };
    format!("write `{name}` for any, `{name}<{pattern}>` for those of a pattern; there is no range of them")
}

fn example(builtin: &Builtin) -> String {
    let name = builtin.name;
    let text = match conditions(builtin) {
        Conditions::Number if builtin.kind == NUMBER => {
            "write for example `number<0..1, digits = 2>` or `number<above = 0>`"
        }
        Conditions::Number => "write for example `int<0..5>` or `int<multiple_of = 3>`",
        Conditions::String => return format!("write for example `{name}<1..80>` or `{name}</[a-z]+/>`"),
        Conditions::Array => {
            "write for example `array<1..5>` or `array<contains = T, times = 1..3>`; of one type, `T[1..5]`"
        }
        Conditions::Object => "write for example `object<1..5>` or `object<keys = K>`",
        Conditions::Fixed => "it has no parameters",
    };
    text.to_owned()
}
