//! Builds expressions without places, in the simplest form that means the same.

use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{
    Alternative, Argument, Bound, BoundKind, Expr, ExprKind, Field, Member, MemberKind, Name, Path, Range, Record,
    Reference, Repetition,
};

const NOWHERE: Span = Span { start: 0, end: 0 };

pub(super) fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, NOWHERE)
}

pub(super) fn name(text: &str) -> Name {
    Name { text: text.to_owned(), span: NOWHERE }
}

/// Returns a name without arguments; literals such as `true` count as names.
pub(super) fn word(text: &str) -> Expr {
    match text {
        "null" => expr(ExprKind::Null),
        _ => with(text, Vec::new()),
    }
}

/// Builds `name<arguments>`.
pub(super) fn with(text: &str, arguments: Vec<Argument>) -> Expr {
    let path = Path { segments: vec![name(text)], span: NOWHERE };
    expr(ExprKind::Reference(Reference { path, arguments }))
}

pub(super) fn argument(value: Expr) -> Argument {
    Argument { name: None, value, span: NOWHERE }
}

/// Builds `key = value`.
pub(super) fn setting(key: &str, value: Expr) -> Argument {
    Argument { name: Some(name(key)), value, span: NOWHERE }
}

pub(super) fn any() -> Expr {
    word("any")
}

/// Builds the type without values.
pub(super) fn never() -> Expr {
    expr(ExprKind::Difference { kept: Box::new(any()), removed: vec![any()] })
}

pub(super) fn is_any(expr: &Expr) -> bool {
    *expr == any()
}

pub(super) fn is_never(expr: &Expr) -> bool {
    *expr == never()
}

pub(super) fn number(literal: impl ToString) -> Expr {
    expr(ExprKind::Number(literal.to_string()))
}

pub(super) fn text(text: &str) -> Expr {
    expr(ExprKind::String(text.to_owned()))
}

fn bound(number: impl ToString) -> Bound {
    Bound { kind: BoundKind::Number(number.to_string()), span: NOWHERE }
}

/// Builds `min..max`, if at least one end is given.
pub(super) fn range(min: Option<&impl ToString>, max: Option<&impl ToString>) -> Option<Range> {
    let range = Range { min: min.map(|min| bound(min.to_string())), max: max.map(|max| bound(max.to_string())) };
    (range.min.is_some() || range.max.is_some()).then_some(range)
}

pub(super) fn range_expr(range: Range) -> Expr {
    expr(ExprKind::Range(range))
}

/// Builds `item[min..max]`.
pub(super) fn repeated(item: Expr, min: u64, max: Option<u64>) -> Expr {
    let times = match max {
        Some(max) if max == min => Repetition::Exactly(bound(min)),
        _ => Repetition::Between(Range {
            min: Some(min).filter(|min| *min > 0 || max.is_none()).map(bound),
            max: max.map(bound),
        }),
    };
    expr(ExprKind::Repeat { item: Box::new(item), times })
}

/// Builds a union without duplicate branches.
pub(super) fn union(parts: Vec<Expr>) -> Expr {
    union_of(parts.into_iter().map(|expr| Alternative { docs: Vec::new(), expr }).collect())
}

/// Builds a union of documented branches.
pub(super) fn union_of(parts: Vec<Alternative>) -> Expr {
    let mut arms: Vec<Alternative> = Vec::with_capacity(parts.len());
    for part in parts {
        match part.expr.kind {
            ExprKind::Union(inner) if part.docs.is_empty() => arms.extend(inner),
            _ => arms.push(part),
        }
    }
    arms.retain(|arm| !is_never(&arm.expr));
    let mut seen = rustc_hash::FxHashSet::default();
    arms.retain(|arm| seen.insert(arm.expr.clone()));
    match arms.pop() {
        None => never(),
        Some(only) if arms.is_empty() => only.expr,
        Some(last) => {
            arms.push(last);
            expr(ExprKind::Union(arms))
        }
    }
}

/// Builds an intersection, in order.
pub(super) fn intersection(parts: Vec<Expr>) -> Expr {
    let mut all: Vec<Expr> = Vec::with_capacity(parts.len());
    for part in parts {
        match part.kind {
            ExprKind::Intersection(inner) => all.extend(inner),
            _ => all.push(part),
        }
    }
    if all.iter().any(is_never) {
        return never();
    }
    let mut seen = rustc_hash::FxHashSet::default();
    all.retain(|part| !is_any(part) && seen.insert(part.clone()));
    match all.pop() {
        None => any(),
        Some(only) if all.is_empty() => only,
        Some(last) => {
            all.push(last);
            expr(ExprKind::Intersection(all))
        }
    }
}

/// Builds `kept - removed`.
pub(super) fn difference(kept: Expr, mut removed: Vec<Expr>) -> Expr {
    removed.retain(|part| !is_never(part));
    if removed.is_empty() || is_never(&kept) {
        return kept;
    }
    match kept.kind {
        ExprKind::Difference { kept, removed: before } => {
            let removed = before.into_iter().chain(removed).collect();
            expr(ExprKind::Difference { kept, removed })
        }
        _ => expr(ExprKind::Difference { kept: Box::new(kept), removed }),
    }
}

fn member(kind: MemberKind) -> Member {
    Member { docs: Vec::new(), attributes: Vec::new(), kind, span: NOWHERE }
}

pub(super) fn field(key: &str, optional: bool, value: Expr) -> Member {
    member(MemberKind::Field(Field { name: name(key), optional, value }))
}

pub(super) fn open() -> Member {
    member(MemberKind::Open)
}

pub(super) fn pattern(key: Expr, value: Expr) -> Member {
    if is_any(&value) && key == word("string") {
        return open();
    }
    member(MemberKind::Pattern { key, value })
}

pub(super) fn record(members: Vec<Member>) -> Expr {
    expr(ExprKind::Record(Record { members }))
}

/// Builds `tuple<...>`; the array without items is `array<0..0>`.
pub(super) fn tuple(items: Vec<Expr>) -> Expr {
    if items.is_empty() {
        let none = range(Some(&0), Some(&0)).map(range_expr);
        return with("array", none.into_iter().map(argument).collect());
    }
    with("tuple", items.into_iter().map(argument).collect())
}
