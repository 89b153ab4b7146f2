//! Finds the ends of sequences, repetitions and lists, with the gap that `@skip` allows between two present parts.

use ogc_grammar::ogc::ast::{Expr, ExprKind};

use super::kind::Kind;
use super::{Context, Ends, Judge};

/// A repetition: the item, the separator, and the minimum and maximum number of times.
struct Repeated<'p> {
    item: &'p Expr,
    separator: Option<&'p Expr>,
    times: (usize, usize),
}

impl<'p> Judge<'p> {
    /// Returns the ends of the gaps that are allowed at these places.
    fn gaps(&self, context: &Context<'p>, from: &Ends) -> Ends {
        let Some((skip, env)) = &context.skip else { return from.clone() };
        let inside = Context { env: env.clone(), skip: None, ..context.clone() };
        from.iter().flat_map(|&from| self.ends(skip, &inside, from)).collect()
    }

    pub(super) fn sequence(&self, parts: &'p [Expr], context: &Context<'p>, from: usize) -> Ends {
        // The places before any part of the sequence is present, and the places after.
        let (mut before, mut behind) = (Ends::from([from]), Ends::new());
        for (at, part) in parts.iter().enumerate() {
            let follow = self.first_of(&parts[at + 1..], &context.env).then(&context.follow);
            let inside = Context { follow, ..context.clone() };
            let starts: Ends = &self.gaps(context, &behind) | &before;
            let there: Ends = starts.iter().flat_map(|&start| self.present(part, &inside, start)).collect();
            let absent = self.may_be_absent(part, context);
            behind = if absent { &behind | &there } else { there };
            before = if absent { before } else { Ends::new() };
        }
        &before | &behind
    }

    /// Returns the repetition, inside captures and parentheses, that may be without items.
    fn optional(&self, part: &'p Expr, context: &Context<'p>) -> Option<Repeated<'p>> {
        let mut part = part;
        while let ExprKind::Capture { item, .. } | ExprKind::Group(item) = &part.kind {
            part = item;
        }
        let (item, separator, times) = match &part.kind {
            ExprKind::Repeat { item, times } if self.kind(part, &context.env) != Kind::Value => (item, None, times),
            ExprKind::List { item, times: Some(times), separator } => (item, Some(&**separator), times),
            _ => return None,
        };
        let times = self.times(times, &context.env);
        (times.0 == 0).then_some(Repeated { item, separator, times })
    }

    fn may_be_absent(&self, part: &'p Expr, context: &Context<'p>) -> bool {
        self.optional(part, context).is_some()
    }

    /// Returns the ends of a part that is present.
    fn present(&self, part: &'p Expr, context: &Context<'p>, from: usize) -> Ends {
        match self.optional(part, context) {
            Some(Repeated { times: (_, 0), .. }) => Ends::new(),
            Some(Repeated { item, separator, times: (_, most) }) => {
                self.repeated(item, separator, (1, most), context, from)
            }
            None => self.ends(part, context, from),
        }
    }

    /// Returns the ends of `x[m..n]` and `x[m..n] % s`.
    pub(super) fn repeated(
        &self,
        item: &'p Expr,
        separator: Option<&'p Expr>,
        (least, most): (usize, usize),
        context: &Context<'p>,
        from: usize,
    ) -> Ends {
        let again = self.first_of(separator.into_iter().chain([item]), &context.env);
        let follow = if most > 1 { context.follow.or(&again) } else { context.follow.clone() };
        let inside = Context { follow, ..context.clone() };
        let mut all = if least == 0 { Ends::from([from]) } else { Ends::new() };
        let mut here = Ends::from([from]);
        let mut seen = Ends::new();
        for count in 1..=most {
            let starts = if count == 1 { here.clone() } else { self.between(separator, &inside, &here) };
            here = starts.iter().flat_map(|&start| self.ends(item, &inside, start)).collect();
            if count >= least {
                all.extend(&here);
                here = &here - &seen;
                // If repetitions have a maximum, their number matters.
                if most == usize::MAX {
                    seen.extend(&here);
                }
            }
            if here.is_empty() || !self.step() {
                break;
            }
        }
        all
    }

    /// Returns the places where the next item can begin, behind the ends of an item.
    fn between(&self, separator: Option<&'p Expr>, context: &Context<'p>, from: &Ends) -> Ends {
        let behind = self.gaps(context, from);
        let Some(separator) = separator else { return behind };
        let over = behind.iter().flat_map(|&start| self.ends(separator, context, start)).collect();
        self.gaps(context, &over)
    }
}
