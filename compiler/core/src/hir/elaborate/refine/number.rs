//! Elaborates conditions on numbers: bounds, divisors, digits after the decimal point.

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Bound, BoundKind, Expr, ExprKind, Range};
use ogc_regular::number::{Decimal, Decimals};
use ogc_schema::source::{At, Keywords, NodeId, Origin};

use super::{Elaborator, EnvId, Parameter, base};
use crate::hir::builtin::{Builtin, BuiltinKind, ValueKind};

/// Maximum argument of `digits`: digits after the decimal point.
const DIGITS: u32 = 100;

impl<'db> Elaborator<'db> {
    /// Adds a condition on numbers; returns whether numbers have such a condition.
    pub(super) fn number_refinement(
        &mut self,
        builtin: &'static Builtin,
        keywords: &mut Keywords,
        parameter: &Parameter<'db>,
    ) -> bool {
        let Parameter { value, env, origin, .. } = *parameter;
        let is_int = builtin.kind == BuiltinKind::Value(ValueKind::Int);
        match (parameter.name, &value.kind) {
            (None, ExprKind::Range(range)) => self.bounds(is_int, keywords, range, env, origin),
            (Some("digits"), _) if !is_int => self.digits(keywords, value, env, origin),
            (Some("multiple_of"), ExprKind::Number(number)) => {
                if let Some(divisor) = self.positive(number, value, env) {
                    self.divisor(keywords, divisor, origin);
                }
            }
            (Some("above"), ExprKind::Number(number)) => {
                keywords.number.exclusive_minimum = self.number(number, value, env).map(|value| At { origin, value });
            }
            (Some("below"), ExprKind::Number(number)) => {
                keywords.number.exclusive_maximum = self.number(number, value, env).map(|value| At { origin, value });
            }
            _ => return false,
        }
        true
    }

    /// Adds the bounds of a range.
    fn bounds(&mut self, is_int: bool, keywords: &mut Keywords, range: &'db Range, env: EnvId, origin: Origin) {
        let min = range.min.as_ref().and_then(|bound| self.decimal(bound, env));
        let max = range.max.as_ref().and_then(|bound| self.decimal(bound, env));
        if let (Some(least), Some(most)) = (&min, &max)
            && least > most
        {
            self.upside_down(&least.to_string(), &most.to_string(), range, env);
        }
        if is_int {
            for bound in [&range.min, &range.max].into_iter().flatten() {
                self.whole_bound(bound, env);
            }
        }
        keywords.number.minimum = min.map(|value| At { origin, value });
        keywords.number.maximum = max.map(|value| At { origin, value });
    }

    /// Warns of a bound of integers that is not an integer.
    fn whole_bound(&mut self, bound: &'db Bound, env: EnvId) {
        let value = self.decimal(bound, env);
        if value.is_some_and(|value| !value.is_integer()) {
            self.warning(Code::FractionalBound, bound.span, env, "no integer is equal to this bound").help =
                Some("write the nearest integer inside the range".to_owned());
        }
    }

    /// Adds `digits`: "at most 2 digits after the point" means multiples of 0.01. A range also sets how many digits are
    /// written.
    fn digits(&mut self, keywords: &mut Keywords, value: &'db Expr, env: EnvId, origin: Origin) {
        let Some((least, most)) = self.decimals(value, env) else { return };
        if let Some(least) = least.filter(|&least| least <= most) {
            keywords.number.decimals = Some(At { origin, value: Decimals { least, most } });
        }
        if let Ok(divisor) = Decimal::parse(&format!("1e-{most}")) {
            self.divisor(keywords, divisor, origin);
        }
    }

    /// Returns the argument of `digits`: the minimum of written digits if it is a range, and the maximum.
    fn decimals(&mut self, value: &'db Expr, env: EnvId) -> Option<(Option<u32>, u32)> {
        let wrong = |message: String, help: &str| (message, help.to_owned());
        let (message, help) = match &value.kind {
            ExprKind::Number(number) => match number.parse().ok().filter(|most| *most <= DIGITS) {
                Some(most) => return Some((None, most)),
                None => wrong(too_many(number), "write for example `number<digits = 2>`"),
            },
            ExprKind::Range(range) => {
                let ends = self.counts(range, env);
                let least = u32::try_from(ends.min.unwrap_or(0)).ok();
                match ends.max {
                    Some(most) if most <= DIGITS.into() => return Some((least, most as u32)),
                    Some(most) => wrong(too_many(&most.to_string()), "write for example `number<digits = 2>`"),
                    // The wrong bound has been reported already.
                    None if range.max.is_some() => return None,
                    None => {
                        wrong("`digits` needs an end".to_owned(), "write how many there are at most: `digits = 2..4`")
                    }
                }
            }
            _ => wrong(
                "`digits` takes a number or a range".to_owned(),
                "write `number<digits = 2>` for at most two, `number<digits = 2..2>` for exactly two",
            ),
        };
        self.error(Code::WrongRefinement, value.span, env, message).help = Some(help);
        None
    }

    /// Adds a divisor. A node holds one divisor; each further one gets a node of its own under `allOf`.
    fn divisor(&mut self, keywords: &mut Keywords, divisor: Decimal, origin: Origin) {
        let value = Some(At { origin, value: divisor });
        if keywords.number.multiple_of.is_none() {
            keywords.number.multiple_of = value;
            return;
        }
        let mut other = base(ValueKind::Number, origin);
        other.number.multiple_of = value;
        let other = self.parts.keywords(other, origin);
        keywords.all_of.push(other);
    }

    /// Parses a number, and reports one that is out of range.
    fn number(&mut self, written: &str, expr: &Expr, env: EnvId) -> Option<Decimal> {
        match Decimal::parse(written) {
            Ok(number) => Some(number),
            Err(error) => {
                self.error(Code::WrongBound, expr.span, env, error.to_string());
                None
            }
        }
    }

    /// Parses a divisor, and reports one that is not positive.
    fn positive(&mut self, written: &str, expr: &Expr, env: EnvId) -> Option<Decimal> {
        let number = self.number(written, expr, env)?;
        if number.is_zero() || number.is_negative() {
            self.error(Code::WrongRefinement, expr.span, env, "a divisor is greater than 0").help =
                Some("write for example `multiple_of = 5`".to_owned());
            return None;
        }
        Some(number)
    }

    /// Elaborates `0..5` as a type; the values are integers if no end has a point or an exponent.
    pub(in crate::hir::elaborate) fn range_value(&mut self, range: &'db Range, env: EnvId, origin: Origin) -> NodeId {
        let fractional = |bound: &Bound| match &bound.kind {
            BoundKind::Number(number) => number.contains(['.', 'e', 'E']),
            BoundKind::Name(_) => false,
        };
        let is_int = ![&range.min, &range.max].into_iter().flatten().any(fractional);
        let mut keywords = base(if is_int { ValueKind::Int } else { ValueKind::Number }, origin);
        self.bounds(is_int, &mut keywords, range, env, origin);
        self.parts.keywords(keywords, origin)
    }
}

fn too_many(given: &str) -> String {
    format!("`digits` is {given}; it is a whole number up to {DIGITS}")
}
