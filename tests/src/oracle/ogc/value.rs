//! Decides whether a value is in a type.
//!
//! A type is split from the outside: a list of conditions that must all hold is split at unions and differences until
//! each condition concerns one kind of value. So the key order of `A & B` is known where it matters: at the object.

use ogc_grammar::ogc::ast::{Alternative, Argument, Expr, ExprKind, Range, Reference};

use super::json::{Value, values};
use super::number::Number;
use super::scope::{Env, Meaning, named};
use super::{Context, Ends, Judge, Policy};

/// A type, and the environment of its names.
pub(super) type Typed<'p> = (&'p Expr, Env<'p>);

/// The strictness of the comparison of a value with a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Whether the order of keys and the spelling of numbers matter.
    pub(super) written: bool,
    /// Whether keys may come in any order.
    pub(super) any_order: bool,
    /// Whether the value may be in another branch of a union, too.
    pub(super) branch: bool,
}

/// The comparison of values regardless of their spelling.
const SET: Look = Look { written: false, any_order: true, branch: false };

impl<'p> Judge<'p> {
    /// Returns the ends of the spellings of a type's values.
    pub(super) fn value_ends(&self, expr: &'p Expr, env: &Env<'p>, policy: Policy, from: usize) -> Ends {
        let look = Look { written: true, any_order: policy.any_order, branch: false };
        let shallow = |value: &Value| policy.depth.is_none_or(|depth| value.depth() <= depth);
        let fits = |(value, _): &(Value, usize)| shallow(value) && self.fits(vec![(expr, env.clone())], value, look);
        values(self.text, from, policy).into_iter().filter(fits).map(|(_, end)| end).collect()
    }

    /// Returns the ends of the scalars of a type, written without quotes.
    pub(super) fn raw_ends(&self, expr: &'p Expr, env: &Env<'p>, policy: Policy, from: usize) -> Ends {
        let look = Look { written: true, any_order: policy.any_order, branch: false };
        let words = values(self.text, from, Policy { around: false, ..policy }).into_iter();
        let words = words.filter(|(value, _)| matches!(value, Value::Null | Value::Bool(_) | Value::Number(_)));
        let strings = (from..=self.text.len()).filter_map(|end| {
            let string = std::str::from_utf8(self.text.get(from..end)?).ok()?;
            Some((Value::String(string.to_owned()), end))
        });
        let fits = |(value, _): &(Value, usize)| self.fits(vec![(expr, env.clone())], value, look);
        words.chain(strings).filter(fits).map(|(_, end)| end).collect()
    }

    /// Returns the ends of the values of a type in which `without` does not occur in strings; arrays and records are
    /// JSON.
    pub(super) fn bare_ends(
        &self,
        reference: &'p Reference,
        without: &'p Expr,
        context: &Context<'p>,
        from: usize,
    ) -> Ends {
        let [first, settings @ ..] = reference.arguments.as_slice() else { return Ends::new() };
        let mut policy = context.policy;
        settings.iter().for_each(|setting| self.set(&mut policy, setting));
        let occurs = |end: usize| {
            (from..end)
                .any(|start| self.ends(without, context, start).into_iter().any(|found| found > start && found <= end))
        };
        let look = Look { written: true, any_order: policy.any_order, branch: false };
        let values = values(self.text, from, Policy { around: false, ..policy }).into_iter();
        let values = values.filter(|(value, _)| !matches!(value, Value::String(_)));
        let strings = (from..=self.text.len()).take_while(|&end| !occurs(end)).filter_map(|end| {
            let string = std::str::from_utf8(self.text.get(from..end)?).ok()?;
            Some((Value::String(string.to_owned()), end))
        });
        let typed = (&first.value, context.env.clone());
        let fits = |(value, _): &(Value, usize)| self.fits(vec![typed.clone()], value, look);
        values.chain(strings).filter(fits).map(|(_, end)| end).collect()
    }

    /// Returns whether the value is in the type.
    pub(super) fn member(&self, typed: Typed<'p>, value: &Value) -> bool {
        self.fits(vec![typed], value, SET)
    }

    /// Returns whether the value is in all the types, and spelled as they require.
    pub(super) fn fits(&self, conditions: Vec<Typed<'p>>, value: &Value, look: Look) -> bool {
        if matches!(value, Value::Number(number) if !number.exact) {
            self.give_up();
        }
        for at in 0..conditions.len() {
            if !self.step() {
                return false;
            }
            let (expr, env) = self.unfolded(conditions[at].0, &conditions[at].1);
            let with = |parts: &[&'p Expr]| {
                let mut all = conditions.clone();
                all.splice(at..=at, parts.iter().map(|&part| (part, env.clone())));
                all
            };
            match &expr.kind {
                ExprKind::Union(arms) => {
                    let look = Look { branch: true, ..look };
                    return arms.iter().any(|Alternative { expr, .. }| self.fits(with(&[expr]), value, look));
                }
                ExprKind::Intersection(parts) => {
                    return self.fits(with(&parts.iter().collect::<Vec<_>>()), value, look);
                }
                ExprKind::Difference { kept, removed } => {
                    let out = removed.iter().any(|one| self.member((one, env.clone()), value));
                    return !out && self.fits(with(&[kept]), value, look);
                }
                ExprKind::Attributed { item, .. } => return self.fits(with(&[item]), value, look),
                _ => {}
            }
        }
        let plain: Vec<Typed<'p>> = conditions.iter().map(|(expr, env)| self.unfolded(expr, env)).collect();
        self.all_hold(&plain, value, look)
    }

    /// Returns whether conditions hold that are neither unions nor intersections nor differences.
    fn all_hold(&self, conditions: &[Typed<'p>], value: &Value, look: Look) -> bool {
        let each = conditions.iter().all(|(expr, env)| self.holds(expr, env, value));
        each && match value {
            Value::Number(number) if look.written => {
                let decimals: Vec<(usize, usize)> =
                    conditions.iter().flat_map(|(expr, env)| self.decimals(expr, env)).collect();
                if !decimals.is_empty() {
                    let count = number.decimals();
                    return !number.is_negative_zero() && decimals.iter().all(|&range| within(count, range));
                }
                let whole = conditions.iter().any(|(expr, env)| self.is_whole(expr, env));
                // The reference does not define whether the numbers of `int | 0.5` may have a point.
                if whole && number.point && look.branch {
                    self.give_up();
                }
                // The allowed number of zeros behind the point depends on the whole union; `ogc-regular` tests that.
                if number.point && number.written.ends_with('0') {
                    self.give_up();
                }
                !(number.is_negative_zero() || whole && number.point)
            }
            Value::Array(items) => items.iter().enumerate().all(|(at, item)| {
                let of = conditions.iter().filter_map(|(expr, env)| self.item(expr, env, at)).collect();
                self.fits(of, item, Look { branch: false, ..look })
            }),
            Value::Object(members) => self.object(conditions, members, look),
            _ => true,
        }
    }

    /// Returns whether a condition holds for a value as a whole; items and members are checked elsewhere.
    fn holds(&self, expr: &'p Expr, env: &Env<'p>, value: &Value) -> bool {
        match (&expr.kind, value) {
            (ExprKind::Null, value) => *value == Value::Null,
            (ExprKind::Bool(truth), value) => *value == Value::Bool(*truth),
            (ExprKind::Number(written), Value::Number(number)) => {
                self.number(written).is_some_and(|known| known.compare(number).is_eq())
            }
            (ExprKind::String(known), Value::String(string)) => known == string,
            (ExprKind::Regex(written), Value::String(string)) => {
                self.pattern(written).is_some_and(|pattern| pattern.matches(string))
            }
            (ExprKind::Range(range), Value::Number(number)) => {
                self.in_range(range, env, number) && (fractional(range) || number.is_whole())
            }
            (ExprKind::Record(_), Value::Object(_)) => true,
            (ExprKind::Repeat { times, .. }, Value::Array(items)) => within(items.len(), self.times(times, env)),
            (ExprKind::Reference(reference), value) => match self.meaning(reference, env) {
                Meaning::Builtin(name) => self.builtin_holds(name, reference, env, value),
                _ => false,
            },
            _ => false,
        }
    }

    fn builtin_holds(&self, name: &str, reference: &'p Reference, env: &Env<'p>, value: &Value) -> bool {
        let arguments = &reference.arguments;
        match (name, value) {
            ("any", _) | ("bool", Value::Bool(_)) | ("object" | "map" | "omit", Value::Object(_)) => true,
            ("int", Value::Number(number)) => number.is_whole() && self.refined(arguments, env, value),
            ("number" | "string", Value::Number(_) | Value::String(_)) => {
                (name == "number") == matches!(value, Value::Number(_)) && self.refined(arguments, env, value)
            }
            ("tuple", Value::Array(items)) => within(items.len(), self.tuple_items(arguments, env)),
            ("array", Value::Array(items)) => self.array(arguments, env, items),
            ("bool" | "int" | "object" | "map" | "omit" | "tuple" | "array" | "number" | "string", _) => false,
            _ => {
                self.give_up();
                false
            }
        }
    }

    /// Returns whether the arguments of a number or string type are satisfied.
    fn refined(&self, arguments: &'p [Argument], env: &Env<'p>, value: &Value) -> bool {
        arguments.iter().all(|argument| {
            let (expr, inside) = self.unfolded(&argument.value, env);
            let name = argument.name.as_ref().map(|name| name.text.as_str());
            match (name, &expr.kind, value) {
                (None, ExprKind::Range(range), Value::Number(number)) => self.in_range(range, &inside, number),
                (Some("digits"), ExprKind::Range(range), Value::Number(number)) => {
                    number.has_digits(self.counts(range, &inside).1 as u32)
                }
                (None, ExprKind::Range(range), Value::String(string)) => {
                    within(string.chars().count(), self.counts(range, &inside))
                }
                (None, ExprKind::Regex(written), Value::String(string)) => {
                    self.pattern(written).is_some_and(|pattern| pattern.matches(string))
                }
                (Some("search"), ExprKind::Regex(written), Value::String(string)) => {
                    self.pattern(written).is_some_and(|pattern| pattern.occurs(string))
                }
                (Some(name), ExprKind::Number(written), Value::Number(number)) => {
                    self.number(written).is_some_and(|known| limited(name, number, &known))
                }
                _ => {
                    self.give_up();
                    false
                }
            }
        })
    }

    /// Returns whether items satisfy `array<m..n, unique = true, contains = T, times = m..n>`.
    fn array(&self, arguments: &'p [Argument], env: &Env<'p>, items: &[Value]) -> bool {
        let named = |wanted: &str| named(arguments, wanted);
        let repeated = || (0..items.len()).any(|at| items[..at].iter().any(|item| item.same(&items[at])));
        let unique = named("unique").is_none_or(|unique| unique.kind != ExprKind::Bool(true) || !repeated());
        let contained = named("contains").is_none_or(|contained| {
            let count = items.iter().filter(|item| self.member((contained, env.clone()), item)).count();
            within(count, named("times").map_or((1, usize::MAX), |times| self.times_argument(times, env)))
        });
        let bounds = arguments.iter().filter(|argument| argument.name.is_none());
        let mut bounds = bounds.map(|argument| self.times_argument(&argument.value, env));
        unique && contained && bounds.all(|bounds| within(items.len(), bounds))
    }

    /// Returns the minimum and the maximum number of items of a tuple.
    fn tuple_items(&self, arguments: &'p [Argument], env: &Env<'p>) -> (usize, usize) {
        let listed = listed(arguments).count();
        let most = if named(arguments, "rest").is_some() { usize::MAX } else { listed };
        let (min, max) = named(arguments, "items").map_or((listed, most), |items| self.times_argument(items, env));
        (min, max.min(most))
    }

    /// Returns the type of an array's item.
    fn item(&self, expr: &'p Expr, env: &Env<'p>, at: usize) -> Option<Typed<'p>> {
        match &expr.kind {
            ExprKind::Repeat { item, .. } => Some((item, env.clone())),
            ExprKind::Reference(reference) => match self.meaning(reference, env) {
                Meaning::Builtin("tuple") => {
                    let item = listed(&reference.arguments).nth(at).or_else(|| named(&reference.arguments, "rest"));
                    Some((item?, env.clone()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether a condition allows only whole numbers.
    fn is_whole(&self, expr: &'p Expr, env: &Env<'p>) -> bool {
        match &expr.kind {
            ExprKind::Number(written) => self.number(written).is_some_and(|number| number.is_whole()),
            ExprKind::Range(range) => !fractional(range),
            ExprKind::Reference(reference) => match self.meaning(reference, env) {
                Meaning::Builtin("int") => true,
                Meaning::Builtin("number") => reference.arguments.iter().any(|argument| {
                    let (expr, _) = self.unfolded(&argument.value, env);
                    let (Some(name), ExprKind::Number(number)) = (&argument.name, &expr.kind) else { return false };
                    match name.text.as_str() {
                        "multiple_of" => self.number(number).is_some_and(|number| number.is_whole()),
                        "digits" => number == "0",
                        _ => false,
                    }
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns the numbers of digits behind the point that a condition requires.
    fn decimals(&self, expr: &'p Expr, env: &Env<'p>) -> Vec<(usize, usize)> {
        let ExprKind::Reference(reference) = &expr.kind else { return Vec::new() };
        if !matches!(self.meaning(reference, env), Meaning::Builtin("number")) {
            return Vec::new();
        }
        let named =
            reference.arguments.iter().filter(|one| one.name.as_ref().is_some_and(|name| name.text == "digits"));
        let ranges = named.filter_map(|argument| {
            let (expr, inside) = self.unfolded(&argument.value, env);
            let ExprKind::Range(range) = &expr.kind else { return None };
            Some(self.counts(range, &inside))
        });
        ranges.collect()
    }

    fn in_range(&self, range: &'p Range, env: &Env<'p>, number: &Number) -> bool {
        let end = |bound: &'p _| self.number(self.bound(bound, env));
        let above = range.min.as_ref().and_then(end).is_none_or(|min| number.compare(&min).is_ge());
        above && range.max.as_ref().and_then(end).is_none_or(|max| number.compare(&max).is_le())
    }

    fn number(&self, written: &str) -> Option<Number> {
        let number = Number::parse(written);
        if number.is_none() {
            self.give_up();
        }
        number
    }
}

/// Returns the arguments without a name.
fn listed(arguments: &[Argument]) -> impl Iterator<Item = &Expr> {
    arguments.iter().filter(|argument| argument.name.is_none()).map(|argument| &argument.value)
}

fn limited(name: &str, number: &Number, known: &Number) -> bool {
    match name {
        "above" => number.compare(known).is_gt(),
        "below" => number.compare(known).is_lt(),
        "multiple_of" => number.is_multiple(known),
        "digits" => known.written.parse().is_ok_and(|digits| number.has_digits(digits)),
        _ => false,
    }
}

pub(super) fn within(count: usize, (least, most): (usize, usize)) -> bool {
    least <= count && count <= most
}

/// Returns whether an end of a range has a point.
fn fractional(range: &Range) -> bool {
    use ogc_grammar::ogc::ast::BoundKind;
    let of = |bound: &ogc_grammar::ogc::ast::Bound| match &bound.kind {
        BoundKind::Number(number) => number.contains('.'),
        BoundKind::Name(_) => false,
    };
    [&range.min, &range.max].into_iter().flatten().any(of)
}
