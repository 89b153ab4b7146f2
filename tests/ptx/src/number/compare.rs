//! Comparisons.

use super::format::{flush, widen};
use crate::ir::alu::{Comparison, FloatRelation, Relation};
use std::cmp::Ordering;

/// Returns whether a comparison holds for two values.
#[inline]
pub(super) fn holds(comparison: Comparison, a: u64, b: u64) -> bool {
    match comparison {
        Comparison::Integer(relation, ty) if ty.signed => {
            relates(relation, Some(ty.width.sign_extend(a).cmp(&ty.width.sign_extend(b))))
        }
        Comparison::Integer(relation, ty) => relates(relation, Some(ty.width.truncate(a).cmp(&ty.width.truncate(b)))),
        Comparison::Float { relation, format, flush: flushes } => {
            let read = |bits| {
                let bits = format.width().truncate(bits);
                widen(format, if flushes { flush(format, bits) } else { bits })
            };
            let order = read(a).partial_cmp(&read(b));
            match relation {
                FloatRelation::Ordered(relation) => order.is_some() && relates(relation, order),
                FloatRelation::Unordered(relation) => order.is_none() || relates(relation, order),
                FloatRelation::BothNumbers => order.is_some(),
                FloatRelation::EitherNan => order.is_none(),
            }
        }
    }
}

fn relates(relation: Relation, order: Option<Ordering>) -> bool {
    order.is_some_and(|order| match relation {
        Relation::Equal => order.is_eq(),
        Relation::NotEqual => order.is_ne(),
        Relation::Less => order.is_lt(),
        Relation::LessOrEqual => order.is_le(),
        Relation::Greater => order.is_gt(),
        Relation::GreaterOrEqual => order.is_ge(),
    })
}
