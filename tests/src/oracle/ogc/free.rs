//! Finds the ends of free text, of free text with regions, and of parts of a text.

use ogc_grammar::ogc::ast::{Expr, ExprKind, Reference};

use super::first::Begin;
use super::scope::named;
use super::{Context, Ends, Judge, char_at};

impl<'p> Judge<'p> {
    /// Returns the ends of `text<...>`.
    pub(super) fn free(&self, reference: &'p Reference, context: &Context<'p>, from: usize) -> Ends {
        if context.follow.unknown {
            self.give_up();
        }
        let of = |name: &str| named(&reference.arguments, name);
        if of("max_tokens").is_some() {
            self.give_up();
        }
        let most = of("max_chars").map_or(usize::MAX, |most| self.times_argument(most, &context.env).1);
        let mut ends = Ends::from([from]);
        let mut at = from;
        for _ in 0..most {
            let Some((_, next)) = char_at(self.text, at) else { break };
            if self.stopped(from, next, &context.follow) || self.excluded(of("without"), context, from, next) {
                break;
            }
            ends.insert(next);
            at = next;
        }
        ends
    }

    /// Returns whether one of the literals that may follow ends at `end`, within the text.
    fn stopped(&self, from: usize, end: usize, follow: &Begin) -> bool {
        follow.literals.iter().any(|literal| self.text[from..end].ends_with(literal))
    }

    /// Returns whether an excluded text ends at `end`.
    fn excluded(&self, without: Option<&'p Expr>, context: &Context<'p>, from: usize, end: usize) -> bool {
        let Some(without) = without else { return false };
        (from..end).any(|start| self.ends(without, context, start).contains(&end))
    }

    /// Returns the ends of `mix<stretch, regions, calls = m..n>`.
    pub(super) fn mix(&self, reference: &'p Reference, context: &Context<'p>, from: usize) -> Ends {
        let [stretch, regions, ..] = reference.arguments.as_slice() else { return Ends::new() };
        let calls = named(&reference.arguments, "calls");
        let (least, most) = calls.map_or((0, usize::MAX), |calls| self.times_argument(calls, &context.env));
        let triggers = self.first(&regions.value, &context.env);
        let stretches = Context { follow: context.follow.or(&triggers), ..context.clone() };
        let regional = Context { follow: Begin::default(), ..context.clone() };
        let stretch = |from: &Ends| -> Ends {
            from.iter().flat_map(|&from| self.ends(&stretch.value, &stretches, from)).collect()
        };
        let mut here = stretch(&[from].into());
        let mut all = if least == 0 { here.clone() } else { Ends::new() };
        for count in 1..=most {
            let behind: Ends = here.iter().flat_map(|&start| self.ends(&regions.value, &regional, start)).collect();
            here = stretch(&behind);
            if here.is_empty() || !self.step() {
                break;
            }
            if count >= least {
                all.extend(&here);
            }
        }
        all
    }

    /// Returns the ends of `substring<"...">`.
    pub(super) fn substring(&self, whole: &'p Expr, context: &Context<'p>, from: usize) -> Ends {
        let ExprKind::String(whole) = &self.unfolded(whole, &context.env).0.kind else { return Ends::new() };
        let part = |end: &usize| std::str::from_utf8(&self.text[from..*end]).is_ok_and(|part| whole.contains(part));
        (from..=self.text.len()).filter(part).collect()
    }
}
