//! Reports range ends in the notation of other languages: `int<0, 10>`, `int<min = 0, max = 10>`.

use ogc_grammar::ogc::ast::{Argument as Written, ExprKind, Reference};
use ogc_grammar::{Code, Fix, Span};

use super::{Conditions, Elaborator, EnvId, conditions};
use crate::hir::builtin::Builtin;

impl<'db> Elaborator<'db> {
    /// Reports `int<0, 10>`; returns whether the arguments are two numbers.
    pub(super) fn two_numbers(&mut self, builtin: &'static Builtin, reference: &'db Reference, env: EnvId) -> bool {
        let [least, most] = reference.arguments.as_slice() else { return false };
        let (ExprKind::Number(min), ExprKind::Number(max)) = (&least.value.kind, &most.value.kind) else {
            return false;
        };
        let ranged = conditions(builtin) != Conditions::Fixed && least.name.is_none() && most.name.is_none();
        if ranged {
            let place = least.span.merge(most.span);
            self.meant_range(builtin, place, "the ends of a range are joined by `..`", &format!("{min}..{max}"), env);
        }
        ranged
    }

    /// Reports arguments that stand for the range `range`.
    pub(super) fn meant_range(&mut self, builtin: &Builtin, place: Span, message: &str, range: &str, env: EnvId) {
        let fix = self.fix(&Fix::new(format!("write `{range}`"), place, range), env);
        let found = self.error(Code::WrongRefinement, place, env, message);
        (found.help, found.fix) = (Some(format!("write `{}<{range}>`", builtin.name)), Some(fix));
    }

    /// Reports `int<min = 0, max = 10>`, with one end or both; returns whether the arguments are such ends.
    pub(super) fn named_ends(&mut self, builtin: &'static Builtin, reference: &'db Reference, env: EnvId) -> bool {
        let end = |written: &Written| match (&written.name, &written.value.kind) {
            (Some(given), ExprKind::Number(number)) => Some((bound_named(builtin, &given.text)?, number.clone())),
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
        self.meant_range(builtin, place, "bounds are a range, without names", &range, env);
        true
    }
}

/// One end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

/// Returns the range end that a name of another language means: `minLength` for strings, `ge` for numbers.
fn bound_named(builtin: &Builtin, given: &str) -> Option<End> {
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
    // `ge` compares numbers; for strings it would be the alphabetical order.
    let measures = given.starts_with('m');
    let fits = match conditions(builtin) {
        Conditions::Number => ["", "imum", "inclusive", "value"].contains(&rest),
        Conditions::String => measures && ["", "length", "len", "chars", "size"].contains(&rest),
        Conditions::Array => measures && ["", "items", "length", "size"].contains(&rest),
        Conditions::Object => measures && ["", "properties", "size"].contains(&rest),
        Conditions::Fixed => false,
    };
    fits.then_some(end)
}
