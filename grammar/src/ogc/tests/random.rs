//! Tests of random trees: a printed tree reads back unchanged, and formatting twice changes nothing.

use crate::ogc::ast::*;
use crate::ogc::{format, parse, print};
use crate::span::{Span, Spanned};
use proptest::prelude::*;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn at<T>(value: T) -> Spanned<T> {
    Spanned::new(value, NOWHERE)
}

fn named(text: impl Into<String>) -> Name {
    Name { text: text.into(), span: NOWHERE }
}

fn name() -> impl Strategy<Value = Name> {
    "(a|b|Page|x_1|é)[a-z]{0,3}".prop_filter("a word of imports", |name| name != "as").prop_map(named)
}

/// Names of fields, captures and arguments, which may be reserved words.
fn word() -> impl Strategy<Value = Name> {
    prop_oneof![name(), prop::sample::select(vec!["type", "null", "test", "from", "accept"]).prop_map(named)]
}

fn key() -> impl Strategy<Value = Name> {
    prop_oneof![4 => word(), 1 => "[ -~é]{0,4}".prop_map(named)]
}

fn number() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,2})(\\.[0-9]{1,2})?(e-?[1-9])?"
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z\"'\\\\/\n\t ]{0,6}", any::<String>().prop_map(|s| s.chars().take(4).collect())]
}

fn pattern() -> impl Strategy<Value = String> {
    "([a-z]|\\[/\\]|\\\\d|/|\\.\\*){1,4}"
}

fn path() -> impl Strategy<Value = Path> {
    (name(), prop::collection::vec(key(), 0..2))
        .prop_map(|(first, rest)| Path { segments: std::iter::once(first).chain(rest).collect(), span: NOWHERE })
}

fn bound() -> impl Strategy<Value = Bound> {
    let number = number().prop_map(BoundKind::Number);
    let name = name().prop_map(|name| BoundKind::Name(name.text));
    prop_oneof![3 => number, 1 => name].prop_map(|kind| Bound { kind, span: NOWHERE })
}

fn range() -> impl Strategy<Value = Range> {
    prop_oneof![
        (bound(), bound()).prop_map(|(min, max)| Range { min: Some(min), max: Some(max) }),
        bound().prop_map(|min| Range { min: Some(min), max: None }),
        bound().prop_map(|max| Range { min: None, max: Some(max) }),
    ]
}

fn docs() -> impl Strategy<Value = Vec<Doc>> {
    let doc = "[a-z]{1,5}".prop_map(|text| Doc { text, span: NOWHERE });
    prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec(doc, 1..3)]
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, NOWHERE)
}

fn leaf() -> impl Strategy<Value = Expr> {
    prop_oneof![
        Just(ExprKind::Null),
        any::<bool>().prop_map(ExprKind::Bool),
        number().prop_map(ExprKind::Number),
        text().prop_map(ExprKind::String),
        pattern().prop_map(ExprKind::Regex),
        "[<a-z>]{1,5}".prop_map(ExprKind::Token),
        range().prop_map(ExprKind::Range),
        path().prop_map(|path| ExprKind::Reference(Reference { path, arguments: Vec::new() })),
    ]
    .prop_map(expr)
}

fn arguments(inner: BoxedStrategy<Expr>, least: usize) -> impl Strategy<Value = Vec<Argument>> {
    let one = (prop::option::of(word()), inner).prop_map(|(name, value)| Argument { name, value, span: NOWHERE });
    prop::collection::vec(one, least..3)
}

fn attributes(inner: BoxedStrategy<Expr>, least: usize) -> impl Strategy<Value = Vec<Attribute>> {
    let one = (word(), arguments(inner, 0)).prop_map(|(name, arguments)| Attribute { name, arguments, span: NOWHERE });
    prop::collection::vec(one, least..2.max(least + 1))
}

fn record(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = ExprKind> {
    let field = (key(), any::<bool>(), inner.clone())
        .prop_map(|(name, optional, value)| MemberKind::Field(Field { name, optional, value }));
    let pattern = (inner.clone(), inner.clone()).prop_map(|(key, value)| MemberKind::Pattern { key, value });
    let spread = inner.clone().prop_map(MemberKind::Spread);
    let kind = prop_oneof![4 => field, 1 => pattern, 1 => spread, 1 => Just(MemberKind::Open)];
    let member = (docs(), attributes(leaf().boxed(), 0), kind).prop_map(|(docs, attributes, kind)| Member {
        docs,
        attributes,
        kind,
        span: NOWHERE,
    });
    prop::collection::vec(member, 0..4).prop_map(|members| ExprKind::Record(Record { members }))
}

fn times(text: bool) -> BoxedStrategy<Repetition> {
    let counted = prop_oneof![bound().prop_map(Repetition::Exactly), range().prop_map(Repetition::Between)];
    let signs = prop::sample::select(vec![Repetition::Optional, Repetition::Star, Repetition::Plus]);
    if text { prop_oneof![counted, signs].boxed() } else { counted.boxed() }
}

/// Generates the expressions that types and text share.
fn shared(inner: BoxedStrategy<Expr>, text: bool) -> BoxedStrategy<ExprKind> {
    let alternative = (docs(), inner.clone()).prop_map(|(docs, expr)| Alternative { docs, expr });
    prop_oneof![
        (path(), arguments(inner.clone(), 1))
            .prop_map(|(path, arguments)| ExprKind::Reference(Reference { path, arguments })),
        prop::collection::vec(alternative, 2..4).prop_map(ExprKind::Union),
        prop::collection::vec(inner.clone(), 2..4).prop_map(ExprKind::Intersection),
        (inner.clone(), prop::collection::vec(inner.clone(), 1..3))
            .prop_map(|(kept, removed)| ExprKind::Difference { kept: Box::new(kept), removed }),
        (inner.clone(), times(text)).prop_map(|(item, times)| ExprKind::Repeat { item: Box::new(item), times }),
        (attributes(leaf().boxed(), 1), inner)
            .prop_map(|(attributes, item)| ExprKind::Attributed { attributes, item: Box::new(item) }),
    ]
    .boxed()
}

fn value() -> BoxedStrategy<Expr> {
    let grow = |inner: BoxedStrategy<Expr>| {
        prop_oneof![3 => shared(inner.clone(), false), 2 => record(inner)].prop_map(expr).boxed()
    };
    leaf().prop_recursive(3, 24, 4, grow).boxed()
}

fn texts() -> BoxedStrategy<Expr> {
    let grow = |inner: BoxedStrategy<Expr>| {
        let sequence = prop::collection::vec(inner.clone(), 2..4).prop_map(ExprKind::Sequence);
        let capture = (word(), inner.clone()).prop_map(|(name, item)| ExprKind::Capture { name, item: Box::new(item) });
        let list =
            (inner.clone(), prop::option::of(times(true)), inner.clone()).prop_map(|(item, times, separator)| {
                ExprKind::List { item: Box::new(item), times, separator: Box::new(separator) }
            });
        prop_oneof![3 => shared(inner.clone(), true), 2 => sequence, 1 => capture, 1 => list, 1 => record(value())]
            .prop_map(expr)
            .boxed()
    };
    leaf().prop_recursive(3, 24, 4, grow).boxed()
}

fn definition(body: BoxedStrategy<Expr>, parameters: usize) -> impl Strategy<Value = Definition> {
    let parameter =
        (name(), prop::option::of(body.clone())).prop_map(|(name, default)| Parameter { name, default, span: NOWHERE });
    (name(), prop::collection::vec(parameter, 0..=parameters), body).prop_map(|(name, parameters, body)| Definition {
        name,
        parameters,
        body,
    })
}

fn test_item() -> impl Strategy<Value = ItemKind> {
    let piece = prop_oneof![text().prop_map(PieceKind::Text), "[<a-z>]{1,5}".prop_map(PieceKind::Token)]
        .prop_map(|kind| Piece { kind, span: NOWHERE });
    let json = number().prop_map(JsonKind::Number).boxed();
    let json = (key(), json).prop_map(|(name, kind)| JsonMember { name, value: Json { kind, span: NOWHERE } }).boxed();
    let captures = prop::collection::vec(json.clone(), 0..3);
    let json =
        prop::collection::vec(json, 0..3).prop_map(|members| Json { kind: JsonKind::Object(members), span: NOWHERE });
    let subject = prop_oneof![prop::collection::vec(piece, 1..3).prop_map(Subject::Text), json.prop_map(Subject::Json)];
    let expectation = prop::sample::select(vec![Expectation::Accept, Expectation::Reject]);
    let case = (docs(), expectation, subject, captures, prop::option::of(text().prop_map(at))).prop_map(
        |(docs, expectation, subject, captures, reason)| Case {
            docs,
            expectation,
            subject,
            captures,
            reason,
            span: NOWHERE,
        },
    );
    let target = (path(), arguments(texts(), 0)).prop_map(|(path, arguments)| Reference { path, arguments });
    let target = target.prop_map(|reference| expr(ExprKind::Reference(reference)));
    (target, prop::collection::vec(case, 0..3)).prop_map(|(target, cases)| ItemKind::Test(Test { target, cases }))
}

fn import() -> impl Strategy<Value = ItemKind> {
    let imported = (key(), prop::option::of(name())).prop_map(|(name, alias)| ImportedName { name, alias });
    let imported =
        prop_oneof![prop::collection::vec(imported, 1..3).prop_map(Imported::Names), name().prop_map(Imported::Whole),];
    let replaced = (key(), texts()).prop_map(|(name, value)| Override { name, value, span: NOWHERE });
    (imported, text().prop_map(at), prop::collection::vec(replaced, 0..2))
        .prop_map(|(imported, path, overrides)| ItemKind::Import(Import { imported, path, overrides }))
}

fn item() -> impl Strategy<Value = Item> {
    let setting = (word(), texts()).prop_map(|(name, value)| Argument { name: Some(name), value, span: NOWHERE });
    let kind = prop_oneof![
        3 => definition(value(), 2).prop_map(ItemKind::Type),
        3 => definition(texts(), 2).prop_map(ItemKind::Rule),
        1 => definition(texts(), 0).prop_map(ItemKind::Output),
        1 => test_item(),
        1 => import(),
        1 => prop::collection::vec(setting, 1..3).prop_map(|settings| ItemKind::Policy(Policy { settings })),
    ];
    (docs(), attributes(leaf().boxed(), 0), kind).prop_map(|(docs, attributes, kind)| Item {
        docs,
        attributes,
        kind,
        span: NOWHERE,
    })
}

pub(super) fn file() -> impl Strategy<Value = File> {
    prop::collection::vec(item(), 0..4).prop_map(|items| File { items })
}

/// Returns a tree as text without places and parentheses.
fn shape(file: &File) -> String {
    let shown = format!("{file:?}");
    let mut out = String::new();
    let mut rest = shown.as_str();
    while let Some(start) = rest.find("span: ") {
        out.push_str(&rest[..start]);
        rest = rest[start..].trim_start_matches(|c: char| c.is_ascii_digit() || ".span: ".contains(c));
    }
    out + rest
}

/// Removes all parentheses, which printing adds where precedences need them.
fn ungroup(text: &str) -> String {
    // `Group(Expr { kind: K })` is `K` in `Expr { kind: K }`: the derived output nests, so brackets are matched.
    let mut text = text.to_owned();
    while let Some(start) = text.find("Group(Expr { , kind: ").or_else(|| text.find("Group(Expr { kind: ")) {
        let open = start + "Group".len();
        let inner_start = start + text[start..].find("kind: ").expect("a kind") + "kind: ".len();
        let mut depth = 0_usize;
        let mut in_string = false;
        let mut escaped = false;
        let mut close = open;
        for (at, c) in text[open..].char_indices() {
            match c {
                '"' if !escaped => in_string = !in_string,
                '(' if !in_string => depth += 1,
                ')' if !in_string => depth -= 1,
                _ => {}
            }
            escaped = c == '\\' && !escaped;
            if depth == 0 {
                close = open + at;
                break;
            }
        }
        let inner = text[inner_start..close].trim_end_matches(" }").to_owned();
        let braces = text[inner_start..close].len() - inner.len();
        let kept = " }".repeat((braces / 2).saturating_sub(1));
        text.replace_range(start..=close, &format!("{inner}{kept}"));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_trees_read_back(file in file()) {
        let printed = print(&file);
        let again = parse(&printed);
        prop_assert!(again.diagnostics.is_empty(), "{:?}\n{}", again.diagnostics, printed);
        prop_assert_eq!(ungroup(&shape(&again.file)), ungroup(&shape(&file)), "{}", printed);
    }

    #[test]
    fn the_layout_is_a_fixed_point(file in file()) {
        let printed = print(&file);
        prop_assert_eq!(format(&printed), printed);
    }
}
