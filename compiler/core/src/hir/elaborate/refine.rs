//! Built-in types and what their parameters say.

use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Range, Reference};
use ogc_grammar::{Fix, Span};
use ogc_regular::number::{Decimal, Decimals};
use ogc_schema::source::{At, Keywords, NodeId, Origin, Types};

use super::literal::NO_TYPES;
use super::value::types;
use super::{Elaborator, EnvId, builtin};
use crate::hir::spelling::nearest;

/// Digits behind the point that `digits` can ask for.
const DIGITS: u64 = 100;

impl<'db> Elaborator<'db> {
    /// A built-in type with its arguments.
    pub(super) fn builtin_value(
        &mut self,
        name: &str,
        reference: &'db Reference,
        env: EnvId,
        origin: Origin,
    ) -> NodeId {
        match name {
            "tuple" => return self.tuple(reference, env, origin),
            "map" => return self.map(reference, env, origin),
            "any" => {
                self.no_arguments(reference, "`any`", env);
                return self.anything(origin);
            }
            _ => {}
        }
        let mut keywords = base(name, origin);
        if !self.two_numbers(name, reference, env) && !self.named_ends(name, reference, env) {
            for written in &reference.arguments {
                self.refinement(name, &mut keywords, written, env);
            }
        }
        self.keywords(keywords, origin)
    }

    /// `int<0, 10>`, which is reported.
    fn two_numbers(&mut self, name: &str, reference: &'db Reference, env: EnvId) -> bool {
        let [least, most] = reference.arguments.as_slice() else { return false };
        let (ExprKind::Number(min), ExprKind::Number(max)) = (&least.value.kind, &most.value.kind) else {
            return false;
        };
        let ranged = kind(name) != Kind::Fixed && least.name.is_none() && most.name.is_none();
        if ranged {
            let place = least.span.merge(most.span);
            self.meant_range(name, place, "the ends of a range are joined by `..`", &format!("{min}..{max}"), env);
        }
        ranged
    }

    /// Reports what stands where `range` is meant.
    fn meant_range(&mut self, name: &str, place: Span, message: &str, range: &str, env: EnvId) {
        let fix = self.fix(Fix::new(format!("write `{range}`"), place, range), env);
        let found = self.error("wrong-refinement", place, env, message);
        (found.help, found.fix) = (Some(format!("write `{name}<{range}>`")), Some(fix));
    }

    /// `int<min = 0, max = 10>`, which is reported: one end or both, one after the other, with numbers.
    fn named_ends(&mut self, name: &str, reference: &'db Reference, env: EnvId) -> bool {
        let end = |written: &Written| match (&written.name, &written.value.kind) {
            (Some(given), ExprKind::Number(number)) => Some((bound_named(name, &given.text)?, number.clone())),
            _ => None,
        };
        let ends: Vec<_> = reference.arguments.iter().map(end).collect();
        let Some(first) = ends.iter().position(Option::is_some) else { return false };
        let run: Vec<&(End, String)> = ends[first..].iter().map_while(Option::as_ref).collect();
        let [least, most] = [End::Least, End::Most].map(|wanted| {
            run.iter().filter(|(end, _)| *end == wanted).map(|(_, number)| number.as_str()).collect::<Vec<_>>()
        });
        if ends.iter().flatten().count() != run.len() || least.len() > 1 || most.len() > 1 {
            return false;
        }
        let range = format!("{}..{}", least.concat(), most.concat());
        let last = first + run.len() - 1;
        let place = reference.arguments[first].span.merge(reference.arguments[last].span);
        self.meant_range(name, place, "bounds are a range, without names", &range, env);
        true
    }

    /// One condition of a built-in type.
    fn refinement(&mut self, name: &str, keywords: &mut Keywords, written: &'db Written, env: EnvId) {
        let origin = self.origin(written.span, env);
        let (value, inside) = self.unfolded(&written.value, env);
        if self.is_opaque(value, inside) {
            return;
        }
        match (kind(name), written.name.as_ref().map(|name| name.text.as_str()), &value.kind) {
            (Kind::Number, None, ExprKind::Range(range)) => self.bounds(name, keywords, range, inside, origin),
            (Kind::Number, Some("digits"), _) if name == "number" => self.digits(keywords, value, inside, origin),
            (Kind::Number, Some("multiple_of"), ExprKind::Number(number)) => {
                if let Some(divisor) = self.positive(number, value, inside) {
                    self.divisor(keywords, divisor, origin);
                }
            }
            (Kind::Number, Some("above"), ExprKind::Number(number)) => {
                keywords.number.exclusive_minimum =
                    self.number(number, value, inside).map(|value| At { origin, value });
            }
            (Kind::Number, Some("below"), ExprKind::Number(number)) => {
                keywords.number.exclusive_maximum =
                    self.number(number, value, inside).map(|value| At { origin, value });
            }
            (Kind::String, None, ExprKind::Range(range)) => {
                let ends = self.counts(range, inside);
                keywords.string.min_length = ends.min.map(|value| At { origin, value });
                keywords.string.max_length = ends.max.map(|value| At { origin, value });
            }
            (Kind::String, None, ExprKind::Regex(pattern)) => {
                let whole = self.whole_pattern(value, pattern, inside);
                keywords.string.patterns.extend(whole.map(|value| At { origin, value }));
            }
            (Kind::String, Some("search"), ExprKind::Regex(pattern)) => {
                keywords.string.patterns.push(At { origin, value: pattern.clone() });
            }
            (Kind::Array, None, ExprKind::Range(range)) => {
                let ends = self.counts(range, inside);
                keywords.array.min_items = ends.min.map(|value| At { origin, value });
                keywords.array.max_items = ends.max.map(|value| At { origin, value });
            }
            (Kind::Array, Some("unique"), ExprKind::Bool(unique)) => {
                keywords.array.unique_items = unique.then_some(origin);
            }
            (Kind::Array, Some("contains"), _) => {
                let node = self.value(value, inside);
                keywords.array.contains = Some(At { origin, value: node });
            }
            (Kind::Array, Some("times"), _) => {
                if let Some(ends) = self.count_argument(value, inside) {
                    keywords.array.min_contains = Some(At { origin, value: ends.min.unwrap_or(0) });
                    keywords.array.max_contains = ends.max.map(|value| At { origin, value });
                }
            }
            (Kind::Object, None, ExprKind::Range(range)) => {
                let ends = self.counts(range, inside);
                keywords.object.min_properties = ends.min.map(|value| At { origin, value });
                keywords.object.max_properties = ends.max.map(|value| At { origin, value });
            }
            (Kind::Object, Some("keys"), _) => {
                let node = self.value(value, inside);
                keywords.object.property_names = Some(At { origin, value: node });
            }
            _ => self.wrong_refinement(name, written, value, env),
        }
    }

    fn wrong_refinement(&mut self, name: &str, written: &Written, value: &Expr, env: EnvId) {
        let known = parameters(name);
        let (message, help) = match &written.name {
            Some(given) if known.contains(&given.text.as_str()) => {
                (format!("`{}` does not take this", given.text), example(name))
            }
            Some(given) => {
                let near = nearest(&given.text, known.iter().copied());
                let help = match (unnamed(name, &given.text), near) {
                    _ if matches!((given.text.as_str(), &value.kind), ("format", ExprKind::String(_))) => {
                        let ExprKind::String(format) = &value.kind else { return };
                        let native = format.replace('-', "_").replace("date_time", "datetime");
                        if builtin::is_builtin(&native) {
                            format!("a format is a type: write `{native}`")
                        } else {
                            "formats are types: `email`, `date`, `uri` and others".to_owned()
                        }
                    }
                    (Some(help), _) => help,
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => example(name),
                };
                (format!("`{name}` has no parameter `{}`", given.text), help)
            }
            None => match (&value.kind, kind(name)) {
                (ExprKind::Reference(_) | ExprKind::Record(_), Kind::Array) => (
                    "`array` does not take the type of its items".to_owned(),
                    "write `T[0..]`, or `T[1..5]`".to_owned(),
                ),
                (ExprKind::Reference(inner), Kind::String) if format_named(inner).is_some() => {
                    let format = format_named(inner).unwrap_or_default();
                    (format!("`{name}` cannot be refined by this"), format!("a format is a type: write `{format}`"))
                }
                (ExprKind::Number(number), Kind::String | Kind::Number | Kind::Array | Kind::Object) => (
                    format!("`{name}` takes a range, not a number"),
                    format!("`{name}<..{number}>` is at most {number}, `{name}<{number}..{number}>` exactly"),
                ),
                (ExprKind::Difference { kept, removed }, Kind::String | Kind::Number | Kind::Array | Kind::Object) => {
                    let ends = match (&kept.kind, removed.as_slice()) {
                        (ExprKind::Number(min), [Expr { kind: ExprKind::Number(max), .. }]) => Some((min, max)),
                        _ => None,
                    };
                    if let Some((min, max)) = ends {
                        let (message, range) = ("the ends of a range are joined by `..`", format!("{min}..{max}"));
                        return self.meant_range(name, written.span, message, &range, env);
                    }
                    (format!("`{name}` cannot be refined by this"), example(name))
                }
                _ => (format!("`{name}` cannot be refined by this"), example(name)),
            },
        };
        self.error("wrong-refinement", written.span, env, message).help = Some(help);
    }

    fn bounds(&mut self, name: &str, keywords: &mut Keywords, range: &'db Range, env: EnvId, origin: Origin) {
        let min = range.min.as_ref().and_then(|bound| self.decimal(bound, env));
        let max = range.max.as_ref().and_then(|bound| self.decimal(bound, env));
        if let (Some(least), Some(most), Some(bound)) = (&min, &max, &range.max)
            && least > most
        {
            self.upside_down(&least.to_string(), &most.to_string(), bound, env);
        }
        if name == "int" {
            for bound in [&range.min, &range.max].into_iter().flatten() {
                self.whole_bound(bound, env);
            }
        }
        keywords.number.minimum = min.map(|value| At { origin, value });
        keywords.number.maximum = max.map(|value| At { origin, value });
    }

    fn whole_bound(&mut self, bound: &'db ogc_grammar::ogc::ast::Bound, env: EnvId) {
        let value = self.decimal(bound, env);
        if value.is_some_and(|value| !value.is_integer()) {
            self.warning("fractional-bound", bound.span, env, "no integer is equal to this bound").help =
                Some("write the nearest integer inside the range".to_owned());
        }
    }

    /// At most so many digits after the point: a multiple of a power of ten. A range says how many are written, too.
    fn digits(&mut self, keywords: &mut Keywords, value: &'db Expr, env: EnvId, origin: Origin) {
        let (most, decimals) = match &value.kind {
            ExprKind::Number(number) => (number.parse::<u64>().map_err(|_| number.clone()), None),
            ExprKind::Range(range) => {
                let ends = self.counts(range, env);
                if range.max.is_none() {
                    self.error("wrong-refinement", value.span, env, "`digits` needs an end").help =
                        Some("write how many there are at most: `digits = 2..4`".to_owned());
                }
                let (Some(most), least) = (ends.max, ends.min.unwrap_or(0)) else { return };
                (Ok(most), Some(least))
            }
            _ => {
                self.error("wrong-refinement", value.span, env, "`digits` takes a number or a range").help = Some(
                    "write `number<digits = 2>` for at most two, `number<digits = 2..2>` for exactly two".to_owned(),
                );
                return;
            }
        };
        let limited = most.and_then(|most| if most <= DIGITS { Ok(most) } else { Err(most.to_string()) });
        let most = match limited {
            Ok(most) => most,
            Err(given) => {
                let message = format!("`digits` is {given}; it is a whole number up to {DIGITS}");
                self.error("wrong-refinement", value.span, env, message).help =
                    Some("write for example `number<digits = 2>`".to_owned());
                return;
            }
        };
        if let Some(least) = decimals.filter(|&least| least <= most) {
            let value = Decimals { least: least as u32, most: most as u32 };
            keywords.number.decimals = Some(At { origin, value });
        }
        if let Ok(divisor) = Decimal::parse(&format!("1e-{most}")) {
            self.divisor(keywords, divisor, origin);
        }
    }

    /// One more divisor: each has a node of its own.
    fn divisor(&mut self, keywords: &mut Keywords, divisor: Decimal, origin: Origin) {
        let value = Some(At { origin, value: divisor });
        if keywords.number.multiple_of.is_none() {
            keywords.number.multiple_of = value;
            return;
        }
        let mut other = base("number", origin);
        other.number.multiple_of = value;
        let other = self.keywords(other, origin);
        keywords.all_of.push(other);
    }

    fn number(&mut self, written: &str, expr: &Expr, env: EnvId) -> Option<Decimal> {
        match Decimal::parse(written) {
            Ok(number) => Some(number),
            Err(error) => {
                self.error("wrong-bound", expr.span, env, error.to_string());
                None
            }
        }
    }

    fn positive(&mut self, written: &str, expr: &Expr, env: EnvId) -> Option<Decimal> {
        let number = self.number(written, expr, env)?;
        if number.is_zero() || number.is_negative() {
            self.error("wrong-refinement", expr.span, env, "a divisor is greater than 0").help =
                Some("write for example `multiple_of = 5`".to_owned());
            return None;
        }
        Some(number)
    }

    /// `/.../` as a type.
    pub(super) fn pattern_value(&mut self, expr: &Expr, pattern: &str, env: EnvId, origin: Origin) -> NodeId {
        let mut keywords = base("string", origin);
        let whole = self.whole_pattern(expr, pattern, env);
        keywords.string.patterns.extend(whole.map(|value| At { origin, value }));
        self.keywords(keywords, origin)
    }

    /// `0..5` as a type: integers, if no end has a point or an exponent.
    pub(super) fn range_value(&mut self, range: &'db Range, env: EnvId, origin: Origin) -> NodeId {
        let fractional = |bound: &ogc_grammar::ogc::ast::Bound| match &bound.kind {
            ogc_grammar::ogc::ast::BoundKind::Number(number) => number.contains(['.', 'e', 'E']),
            ogc_grammar::ogc::ast::BoundKind::Name(_) => false,
        };
        let name = match [&range.min, &range.max].into_iter().flatten().any(fractional) {
            true => "number",
            false => "int",
        };
        let mut keywords = base(name, origin);
        self.bounds(name, &mut keywords, range, env, origin);
        self.keywords(keywords, origin)
    }

    /// `tuple<A, B, rest = T, items = m..n>`
    fn tuple(&mut self, reference: &'db Reference, env: EnvId, origin: Origin) -> NodeId {
        let mut keywords = base("array", origin);
        for written in reference.arguments.iter().filter(|written| written.name.is_none()) {
            let node = self.value(&written.value, env);
            keywords.array.prefix_items.push(node);
        }
        let count = keywords.array.prefix_items.len() as u64;
        if count == 0 {
            self.error("wrong-arguments", reference.path.span, env, "`tuple` needs its items").help =
                Some("write `tuple<A, B>`; an empty array is `any[0]`, one of any length `T[0..]`".to_owned());
        }
        keywords.array.min_items = Some(At { origin, value: count });
        for written in &reference.arguments {
            let Some(name) = &written.name else { continue };
            let place = self.origin(written.span, env);
            match name.text.as_str() {
                "rest" => {
                    let value = self.value(&written.value, env);
                    keywords.array.items = Some(At { origin: place, value });
                }
                "items" => {
                    if let Some(ends) = self.count_argument(&written.value, env) {
                        keywords.array.min_items = ends.min.map(|value| At { origin: place, value });
                        keywords.array.max_items = ends.max.map(|value| At { origin: place, value });
                    }
                }
                name => {
                    let message = format!("`tuple` has no parameter `{name}`");
                    let help = "list the items: `tuple<A, B>`; any number of others is `rest = T`, how many there are in \
                                all `items = 1..5`";
                    self.error("wrong-refinement", written.span, env, message).help = Some(help.to_owned());
                }
            }
        }
        if keywords.array.items.is_none() {
            let none = self.node(ogc_schema::source::NodeKind::Bool(false), origin);
            keywords.array.items = Some(At { origin, value: none });
        }
        self.keywords(keywords, origin)
    }
}

/// What a built-in type is before its arguments.
pub(super) fn base(name: &str, origin: Origin) -> Keywords {
    let set = match name {
        "bool" => Types { boolean: true, ..NO_TYPES },
        "int" => Types { integer: true, ..NO_TYPES },
        "number" => Types { number: true, ..NO_TYPES },
        "array" => Types { array: true, ..NO_TYPES },
        "object" => Types { object: true, ..NO_TYPES },
        "null" => Types { null: true, ..NO_TYPES },
        _ => Types { string: true, ..NO_TYPES },
    };
    let mut keywords = Keywords { types: types(origin, set), ..Keywords::default() };
    if let Some(format) = builtin::format(name) {
        keywords.string.formats.push(At { origin, value: format.to_owned() });
    }
    if name == "base64" {
        let value = crate::frontend::json_schema::BASE64.to_owned();
        keywords.string.patterns.push(At { origin, value });
    }
    keywords
}

/// What a built-in type is refined as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    String,
    Array,
    Object,
    Fixed,
}

fn kind(name: &str) -> Kind {
    match name {
        "int" | "number" => Kind::Number,
        "array" => Kind::Array,
        "object" => Kind::Object,
        "bool" | "null" => Kind::Fixed,
        _ => Kind::String,
    }
}

fn parameters(name: &str) -> &'static [&'static str] {
    match name {
        "number" => &["above", "below", "digits", "multiple_of"],
        "int" => &["above", "below", "multiple_of"],
        "array" => &["contains", "times", "unique"],
        "object" => &["keys"],
        "bool" | "null" => &[],
        _ => &["search"],
    }
}

/// The format that a reference is.
fn format_named(reference: &Reference) -> Option<&str> {
    let [name] = reference.path.segments.as_slice() else { return None };
    builtin::format(&name.text).map(|_| name.text.as_str())
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

/// The end of the range of `name` that other languages call so: `minLength` of strings, `ge` of numbers.
fn bound_named(name: &str, given: &str) -> Option<End> {
    let given = given.to_lowercase().replace('_', "");
    let (end, rest) = match given.as_str() {
        "ge" | "gte" => (End::Least, ""),
        "le" | "lte" => (End::Most, ""),
        other => match (other.strip_prefix("min"), other.strip_prefix("max")) {
            (Some(rest), _) => (End::Least, rest),
            (None, Some(rest)) => (End::Most, rest),
            (None, None) => return None,
        },
    };
    // `ge` compares numbers; of a string it would be about its order.
    let measures = given.starts_with('m');
    let fits = match kind(name) {
        Kind::Number => ["", "imum", "inclusive", "value"].contains(&rest),
        Kind::String => measures && ["", "length", "len", "chars", "size"].contains(&rest),
        Kind::Array => measures && ["", "items", "length", "size"].contains(&rest),
        Kind::Object => measures && ["", "properties", "size"].contains(&rest),
        Kind::Fixed => false,
    };
    fits.then_some(end)
}

/// What is written without a name here and with one elsewhere.
fn unnamed(name: &str, given: &str) -> Option<String> {
    let given = given.to_lowercase().replace('_', "");
    let measure = ["length", "items", "imum", "properties"].iter().any(|end| given.ends_with(end));
    let bounds =
        given.starts_with("min") || given.starts_with("max") || ["ge", "le", "len", "length"].contains(&&*given);
    match (kind(name), given.as_str()) {
        (Kind::Fixed, _) => None,
        (Kind::Number, "precision" | "decimals" | "scale" | "places") if name == "number" => {
            Some(
                "write `number<digits = 2>` for at most two digits after the point, `number<digits = 2..2>` for exactly two"
                    .to_owned(),
            )
        }
        (Kind::Number, "step") => Some(format!("write `{name}<multiple_of = 5>`")),
        (Kind::Number, "gt" | "greaterthan" | "exclusiveminimum") => Some(format!("write `{name}<above = 0>`")),
        (Kind::Number, "lt" | "lessthan" | "exclusivemaximum") => Some(format!("write `{name}<below = 10>`")),
        (Kind::String, "pattern" | "regex") => Some(format!("a pattern has no name: `{name}</[a-z]+/>`")),
        _ if bounds && (measure || given.len() <= 3) => Some(format!("bounds are a range: `{name}<1..80>`")),
        _ => None,
    }
}

fn example(name: &str) -> String {
    let text = match kind(name) {
        Kind::Number if name == "number" => "write for example `number<0..1, digits = 2>` or `number<above = 0>`",
        Kind::Number => "write for example `int<0..5>` or `int<multiple_of = 3>`",
        Kind::String => return format!("write for example `{name}<1..80>` or `{name}</[a-z]+/>`"),
        Kind::Array => "write for example `array<1..5>` or `array<contains = T, times = 1..3>`; of one type, `T[1..5]`",
        Kind::Object => "write for example `object<1..5>` or `object<keys = K>`",
        Kind::Fixed => "it has no parameters",
    };
    text.to_owned()
}
