//! Tests of checking and printing, and the notation of trees that all tests of this crate compare.

use super::{Expr, ExprKind, Grammar, PrintError, Rule, Start, VocabularyToken, check, print};
use crate::span::{Span, Spanned};
use crate::{Code, ebnf, gbnf};
use ogc_kit::Random;

/// Returns a tree as fully bracketed text without spans.
pub(crate) fn shape(expr: &Expr) -> String {
    let list = |items: &[Expr], sign: &str| {
        let items: Vec<String> = items.iter().map(shape).collect();
        format!("({sign} {})", items.join(" "))
    };
    match &expr.kind {
        ExprKind::Literal(text) => format!("{text:?}"),
        ExprKind::Class { negated, ranges } => {
            let ranges = ranges.iter().map(|(a, b)| if a == b { format!("{a:?}") } else { format!("{a:?}-{b:?}") });
            format!("[{}{}]", if *negated { "^" } else { "" }, ranges.collect::<Vec<_>>().join(" "))
        }
        ExprKind::Any => ".".to_owned(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Sequence(items) => list(items, ","),
        ExprKind::Alternation(arms) => list(arms, "|"),
        ExprKind::Repeat { expr, min, max } => {
            let max = max.map_or_else(String::new, |m| m.to_string());
            format!("{}{{{min},{max}}}", shape(expr))
        }
        ExprKind::Exception(kept, refused) => format!("(- {} {})", shape(kept), shape(refused)),
        ExprKind::Regex(pattern) => format!("/{pattern}/"),
        ExprKind::Token(text) => format!("token {text}"),
        ExprKind::Substring(chunks) => format!("substring {chunks:?}"),
        ExprKind::Json(schema) => format!("json {schema}"),
        ExprKind::Captured { expr, name, part } => format!("({} {part:?} {})", name.value, shape(expr)),
        ExprKind::Lazy(expr) => format!("(lazy {})", shape(expr)),
        ExprKind::Limited(expr, length) => format!("{} at most {length:?}", shape(expr)),
    }
}

const CHARS: [char; 18] = [
    'a',
    'z',
    '^',
    '-',
    ']',
    '[',
    '\\',
    '"',
    '\n',
    '\t',
    ' ',
    '\u{0}',
    '\u{85}',
    'é',
    '\u{2028}',
    '😀',
    '\u{10ffff}',
    '#',
];

fn random_expr(dice: &mut Random, depth: usize) -> Expr {
    let leaf = depth == 0 || dice.below(3) == 0;
    let kind = if leaf { random_leaf(dice) } else { random_branch(dice, depth) };
    Expr::new(kind, Span::default())
}

fn random_leaf(dice: &mut Random) -> ExprKind {
    match dice.below(6) {
        0 => ExprKind::Literal((0..dice.below(5)).map(|_| *dice.pick(&CHARS)).collect()),
        1 | 2 => ExprKind::Class {
            negated: dice.below(2) == 0,
            ranges: (0..=dice.below(3)).map(|_| random_range(dice)).collect(),
        },
        3 => ExprKind::Any,
        4 => ExprKind::Token(
            VocabularyToken::read(dice.pick::<&str>(&["<think>", "!<[12]>", "</a b>"])).expect("a token"),
        ),
        _ => ExprKind::Name((*dice.pick(&["root", "a-b", "x_1", "9", "Regex"])).to_owned()),
    }
}

fn random_range(dice: &mut Random) -> (char, char) {
    let (a, b) = (*dice.pick(&CHARS), *dice.pick(&CHARS));
    (a.min(b), a.max(b))
}

fn random_branch(dice: &mut Random, depth: usize) -> ExprKind {
    let mut many = |least: usize| {
        let count = least + dice.below(3);
        (0..count).map(|_| random_expr(dice, depth - 1)).collect::<Vec<_>>()
    };
    match depth % 3 {
        0 => {
            let items = many(2);
            if items.len() == 2 { ExprKind::Sequence(items) } else { ExprKind::Sequence(Vec::new()) }
        }
        1 => ExprKind::Alternation(many(2)),
        _ => {
            let expr = Box::new(random_expr(dice, depth - 1));
            let min = u32::try_from(dice.below(3)).unwrap_or(0);
            let max = if dice.below(2) == 0 { None } else { Some(min + u32::try_from(dice.below(3)).unwrap_or(0)) };
            ExprKind::Repeat { expr, min, max }
        }
    }
}

#[test]
fn printed_trees_read_as_themselves() {
    let mut dice = Random::new(3);
    for round in 0..3000 {
        let body = random_expr(&mut dice, 1 + round % 6);
        let name = Spanned::new("root".to_owned(), Span::default());
        let grammar = Grammar {
            rules: vec![Rule { name: name.clone(), body }, Rule { name, body: Expr::empty(Span::default()) }],
            start: None,
        };
        let text = print(&grammar).expect("printable");
        let (again, diagnostics) = gbnf::parse(&text);
        assert_eq!(diagnostics, [], "{text}");
        assert_eq!(crate::tests::shape(&again), crate::tests::shape(&grammar), "{text}");
    }
}

#[test]
fn undefined_duplicate_and_missing_names_are_reported() {
    let cases = [
        ("root ::= valeu\nvalue ::= \"a\"", Code::UndefinedRule, "valeu", "did you mean `value`?"),
        ("root ::= [a]-[b]", Code::UndefinedRule, "-", "write what is left"),
        ("root ::= x x x\n", Code::UndefinedRule, "x", "define `x`"),
        ("root ::= \"a\"\nroot ::= \"b\"", Code::DuplicateRule, "root", "another name"),
        ("start ::= b\nb ::= \"a\"", Code::MissingRoot, "start", "add `root ::= start`"),
        ("Root ::= \"a\"", Code::MissingRoot, "Root", "add `root ::= Root`"),
        ("", Code::NoRules, "", ""),
    ];
    for (text, code, place, help) in cases {
        let found = check(&gbnf::parse(text).0, Start::Named("root"));
        let [diagnostic] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!((diagnostic.code, diagnostic.span.text(text)), (code, place), "{text}");
        assert!(diagnostic.help.as_deref().unwrap_or("").contains(help), "{text}: {diagnostic:?}");
    }
    assert_eq!(check(&gbnf::parse("start ::= \"a\"").0, Start::First), []);
}

#[test]
fn constructs_foreign_to_gbnf_are_errors_and_names_are_adapted() {
    let (grammar, _) = ebnf::parse("a ::= b - 'c'\nb ::= 'd'");
    assert_eq!(print(&grammar), Err(PrintError::Exception(Span::new(6, 13))));
    let (grammar, _) = ebnf::parse("a.b ::= a-b é\na-b ::= 'c'\né ::= 'd'");
    assert_eq!(print(&grammar).as_deref(), Ok("a-b-2 ::= a-b -\na-b ::= \"c\"\n- ::= \"d\"\n"));
}
