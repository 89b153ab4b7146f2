//! Reads the numbers in bounds and arguments, written there or passed as parameters.

use ogc_grammar::ogc::ast::{Bound, BoundKind, Expr, ExprKind, Range, Repetition};
use ogc_grammar::{Code, Fix};
use ogc_regular::number::Decimal;

use super::environment::Argument;
use super::{Elaborator, EnvId};
use crate::hir::builtin::Builtin;

/// The ends of a range `min..max`; an omitted end is `None`.
#[derive(Clone, Debug)]
pub(super) struct Ends<T> {
    pub(super) min: Option<T>,
    pub(super) max: Option<T>,
}

impl<'db> Elaborator<'db> {
    /// Returns the number of a bound as written, either in place or in the argument of a parameter.
    fn written(&mut self, bound: &'db Bound, env: EnvId) -> Option<&'db str> {
        let name = match &bound.kind {
            BoundKind::Number(number) => return Some(number),
            BoundKind::Name(name) => name,
        };
        match self.environment.parameter(name, env) {
            Some(Argument::Opaque) => None,
            Some(Argument::Given(expr, inside)) => {
                let (number, _) = self.unfolded(expr, inside);
                if let ExprKind::Number(number) = &number.kind {
                    return Some(number);
                }
                let message = format!("a number is needed here, because `{name}` is a bound");
                let place = self.origin(bound.span, env);
                let found = self.error(Code::WrongBound, expr.span, inside, message);
                found.labels.push((place, "the bound".to_owned()));
                found.help = Some(format!("write a number: `{name} = 10`"));
                None
            }
            Some(Argument::Value(_) | Argument::Names(_)) | None => {
                let message = format!("`{name}` is not a number");
                let endless = ["inf", "infinity", "unbounded"].contains(&name.to_lowercase().as_str());
                let help = match endless {
                    true => "leave the end out: `0..`",
                    false if Builtin::of(name).is_some() => "arguments stand in `<` and `>`: `Name<T>`",
                    false => "a bound is a number or a parameter that stands for one",
                };
                self.error(Code::WrongBound, bound.span, env, message).help = Some(help.to_owned());
                None
            }
        }
    }

    /// Returns a bound as an exact number.
    pub(super) fn decimal(&mut self, bound: &'db Bound, env: EnvId) -> Option<Decimal> {
        let written = self.written(bound, env)?;
        match Decimal::parse(written) {
            Ok(number) => Some(number),
            Err(error) => {
                self.error(Code::WrongBound, bound.span, env, error.to_string()).help =
                    Some("write a lesser number, or leave the bound out".to_owned());
                None
            }
        }
    }

    /// Returns a bound as a count.
    pub(super) fn count(&mut self, bound: &'db Bound, env: EnvId) -> Option<u64> {
        let written = self.written(bound, env)?;
        if let Ok(count) = written.parse() {
            return Some(count);
        }
        let (message, help) = match written.bytes().all(|byte| byte.is_ascii_digit()) {
            true => (format!("{written} is more than can be counted"), "leave the bound out"),
            false => (format!("`{written}` is no count"), "write a whole number from 0"),
        };
        self.error(Code::WrongBound, bound.span, env, message).help = Some(help.to_owned());
        None
    }

    /// Returns a bound as a number of repetitions of a text, which must fit in 32 bits.
    pub(super) fn times(&mut self, bound: &'db Bound, env: EnvId) -> Option<u32> {
        let count = self.count(bound, env)?;
        let narrow = u32::try_from(count).ok().filter(|&count| count < u32::MAX);
        if narrow.is_none() {
            let message = format!("{count} repetitions; the limit is {}", u32::MAX - 1);
            self.error(Code::RepetitionLimit, bound.span, env, message).help = Some("leave the bound out".to_owned());
        }
        narrow
    }

    /// Returns both ends of a range of counts.
    pub(super) fn counts(&mut self, range: &'db Range, env: EnvId) -> Ends<u64> {
        let min = range.min.as_ref().and_then(|bound| self.count(bound, env));
        let max = range.max.as_ref().and_then(|bound| self.count(bound, env));
        if let (Some(least), Some(most)) = (min, max)
            && least > most
        {
            self.upside_down(&least.to_string(), &most.to_string(), range, env);
        }
        Ends { min, max }
    }

    /// Reports a range whose lower end is greater than its upper end.
    pub(super) fn upside_down(&mut self, least: &str, most: &str, range: &Range, env: EnvId) {
        let (Some(min), Some(max)) = (&range.min, &range.max) else { return };
        let message = format!("the range is empty: {least} is greater than {most}");
        let numbers = [min, max].iter().all(|bound| matches!(bound.kind, BoundKind::Number(_)));
        let guess = Fix::new(format!("write `{most}..{least}`"), min.span, most).and(max.span, least);
        let guess = numbers.then(|| self.fix(&guess, env));
        let found = self.error(Code::EmptyRange, max.span, env, message);
        found.help = Some("write the lesser end first".to_owned());
        found.guesses.extend(guess);
    }

    /// Returns the minimum and maximum number of repetitions of a text.
    pub(super) fn repetition(&mut self, times: &'db Repetition, env: EnvId) -> (u32, Option<u32>) {
        match times {
            Repetition::Optional => (0, Some(1)),
            Repetition::Star => (0, None),
            Repetition::Plus => (1, None),
            Repetition::Exactly(bound) => {
                let count = self.times(bound, env).unwrap_or(1);
                (count, Some(count))
            }
            Repetition::Between(range) => {
                self.counts(range, env);
                let min = range.min.as_ref().and_then(|bound| self.times(bound, env)).unwrap_or(0);
                let max = range.max.as_ref().and_then(|bound| self.times(bound, env));
                (min, max.map(|max| max.max(min)))
            }
        }
    }

    /// Returns an argument that is a count or a range of counts: `3`, `0..3`, or a parameter with such a value.
    pub(super) fn count_argument(&mut self, expr: &'db Expr, env: EnvId) -> Option<Ends<u64>> {
        let (inner, inside) = self.unfolded(expr, env);
        match &inner.kind {
            ExprKind::Range(range) => Some(self.counts(range, inside)),
            ExprKind::Number(number) => match number.parse() {
                Ok(count) => Some(Ends { min: Some(count), max: Some(count) }),
                Err(_) => {
                    self.error(Code::WrongBound, inner.span, inside, format!("`{number}` is no count"));
                    None
                }
            },
            _ if self.is_opaque(inner, inside) => None,
            _ => {
                self.error(Code::WrongBound, expr.span, env, "a number or a range of numbers belongs here").help =
                    Some("write for example `3` or `0..3`".to_owned());
                None
            }
        }
    }

    /// Returns an argument that is a single positive count.
    pub(super) fn limit_argument(&mut self, expr: &'db Expr, env: EnvId) -> Option<u32> {
        let (inner, inside) = self.unfolded(expr, env);
        if self.is_opaque(inner, inside) {
            return None;
        }
        if let ExprKind::Number(number) = &inner.kind
            && let Some(count) = number.parse::<u32>().ok().filter(|&count| count > 0 && count < u32::MAX)
        {
            return Some(count);
        }
        self.error(Code::WrongBound, expr.span, env, "a whole number from 1 belongs here").help =
            Some(format!("the limit is {}", u32::MAX - 1));
        None
    }
}
