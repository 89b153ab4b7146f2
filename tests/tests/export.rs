//! Tests that exports have the same meaning: schema -> automaton against schema -> rules -> GBNF, Lark or regex ->
//! automaton, byte by byte along random walks.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds; a failure names its seed.

use ogc_compiler::db::{Compiler, Formats, JsonPolicy, Language, Limits, Options, SourceFile};
use ogc_compiler::foreign::foreign_grammar;
use ogc_compiler::pipeline::{automaton, diagnostics};
use ogc_export::{grammar_rules, without_patterns, without_recursion};
use ogc_grammar::rules::{Expr, ExprKind, Grammar, Rule, print, print_lark, print_regex};
use ogc_grammar::{Code, Span, Spanned};
use ogc_kit::{Random, setting};
use ogc_regular::pattern::compile_anchored;
use ogc_tests::corpus;
use ogc_tests::engine::{self, Policy, Reading, Space};
use ogc_tests::lockstep::compare;
use ogc_tests::oracle::schema::finite;
use std::collections::BTreeMap;

/// Cap on the bytes of a grammar that is compiled again.
const LARGEST: usize = 400_000;

/// Compares one schema in all notations; returns the result in a word, or the difference.
fn check(schema: &str, policy: Policy, random: &mut Random) -> Result<String, String> {
    let reading = Reading::asserting();
    let compiled = engine::schema(schema, &reading, policy);
    let rules = engine::exported(schema, &reading, policy);
    let (compiled, rules) = match (compiled, rules) {
        (Ok(compiled), Ok(rules)) => (compiled, rules),
        (_, Err(failure)) => return Ok(failure.code),
        (Err(failure), Ok(_)) => return Err(format!("exported, but does not compile: {failure:?}")),
    };
    let gbnf = print(&rules).map_err(|error| error.to_string())?;
    if gbnf.len() > LARGEST {
        return Ok("large".to_owned());
    }
    let same = |what: &str, again: Result<_, engine::Failure>, random: &mut Random| match again {
        Ok(again) => compare(&compiled, &again, 8, random).map_err(|fault| format!("{what}: {fault}\n{gbnf}")),
        Err(failure) if failure.code == Code::GrammarLimit.name() => Ok(()),
        Err(failure) => Err(format!("{what}: {failure:?}\n{gbnf}")),
    };
    same("GBNF", engine::gbnf(&gbnf), random)?;
    let lark = print_lark(&rules, "root").map_err(|error| error.to_string())?;
    same("Lark", engine::lark(&lark), random)?;
    let flat = without_recursion(&rules, "root").ok().and_then(|flat| print_regex(&flat, "root").ok());
    let Some(regex) = flat else { return Ok("checked".to_owned()) };
    match engine::regex(&regex) {
        // A pattern is compiled as a whole, and needs more states than rules.
        Err(failure) if failure.code == Code::Regex.name() && failure.message.contains("limit") => {
            Ok("checked".to_owned())
        }
        again => same("regex", again, random).map(|()| "checked, as a regex too".to_owned()),
    }
}

#[allow(clippy::print_stdout, reason = "the counts are the report of the test")]
fn report(what: &str, outcomes: Vec<(String, Result<String, String>)>) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    let total = outcomes.len();
    for (name, outcome) in outcomes {
        match outcome {
            Ok(outcome) => *counts.entry(outcome).or_default() += 1,
            Err(fault) => faults.push(format!("{name}: {}", fault.chars().take(2_000).collect::<String>())),
        }
    }
    println!("{what}: {counts:?}");
    let shown: Vec<&str> = faults.iter().take(5).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {total} are exported wrongly:\n{}", faults.len(), shown.join("\n"));
}

fn policy(random: &mut Random) -> Policy {
    let spaces = [Space::Any, Space::Compact, Space::Spaced, Space::Pretty(1), Space::Pretty(2), Space::Run(2)];
    let space = *random.choose(&spaces).expect("not empty");
    Policy { any_order: random.one_in(8), space, plain_strings: random.one_in(2), plain_numbers: random.one_in(2) }
}

#[test]
fn random_schemas_exported_accept_the_same_texts() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 300));
    let outcomes = (first..first + rounds).map(|seed| {
        let mut random = Random::new(seed);
        let schema = finite(&mut random, 3).schema.to_string();
        let policy = policy(&mut random);
        (format!("seed {seed}, {policy:?}, {schema}"), check(&schema, policy, &mut random))
    });
    report("random schemas", outcomes.collect());
}

/// A random pattern. Conditions on the whole text make automata for which no short expression was written.
fn pattern(random: &mut Random, depth: u32) -> String {
    let part = |random: &mut Random| pattern(random, depth.saturating_sub(1));
    match random.below(if depth == 0 { 4 } else { 11 }) {
        0 => "a".to_owned(),
        1 => "[bc]".to_owned(),
        2 => "é".to_owned(),
        3 => "[0-9]".to_owned(),
        4 => format!("(?:{})*", part(random)),
        5 => format!("(?:{}){{1,3}}", part(random)),
        6 => format!("(?:{}|{})", part(random), part(random)),
        7 => format!("(?=[a-c]*a[a-c]*$)(?:{})", part(random)),
        8 => format!("(?!(?:{})$)(?:{})", part(random), part(random)),
        _ => format!("{}{}", part(random), part(random)),
    }
}

/// Checks that automata as rules, with their states eliminated, become regular expressions of the same automata.
#[test]
fn random_regular_formats_exported_as_regexes_are_equal() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 300));
    let limits = ogc_regular::Limits::default();
    let (mut checked, mut through_rules) = (0, 0);
    for seed in first..first + rounds {
        let pattern = pattern(&mut Random::new(seed), 6);
        let Ok(before) = compile_anchored(&pattern, &limits) else { continue };
        let body = Expr::new(ExprKind::Regex(pattern.clone()), Span::default());
        let rule = Rule { name: Spanned::new("root".to_owned(), Span::default()), body };
        let rules = without_patterns(&Grammar { rules: vec![rule], start: None }, &limits).expect("it compiled");
        through_rules += usize::from(rules.rules.len() > 1);
        let Ok(flat) = without_recursion(&rules, "root") else { continue };
        let Ok(regex) = print_regex(&flat, "root") else { continue };
        let Ok(after) = compile_anchored(&regex, &limits) else { continue };
        assert!(before == after, "seed {seed}: {pattern}\n{regex}");
        checked += 1;
    }
    assert!(checked * 4 > rounds * 3 && through_rules > 0, "{checked} of {rounds} checked, {through_rules} were rules");
}

/// Grammars in other languages with features that GBNF and Lark lack, each with the name of its file.
const IMPORTS: [(&str, &str); 12] = [
    ("a.lark", "start: A b\nA: /[a-c]+x?/ & ~\"abx\"\nb: (\"y\" A)*\n%ignore /[ \\t]+/\n"),
    ("a.lark", "start: a a \"!\"\na[lazy]: /[a-z]*;/\n"),
    ("a.lark", "start: b \">\"\nb[max_chars=4]: /[a-zé]*/\n"),
    ("a.lark", "start: \"x\" %regex {\"substring_words\": \"to be or not to be\"} \".\"\n"),
    (
        "a.lark",
        "start: \"f(\" %json {\"type\": \"array\", \"items\": {\"enum\": [1, \"a\"]}, \"maxItems\": 3} \")\" start?\n",
    ),
    ("a.lark", "start: %lark { start: /[a-c]/ start? \"z\" } \";\"\n"),
    ("a.ebnf", "word ::= [a-z]+ - ('if' | 'else')\nlist ::= word (',' word)*\n"),
    ("a.ebnf", "a = ({ 'x' | 'y' }-) - 'xy' ;"),
    ("a.gbnf", "item ::= [a-z]+\nroot ::= TagDispatch((\"<t>\", item), excludes=(\"</\",)) \"</s>\"\n"),
    ("a.gbnf", "root ::= \"<\" name \">\" root?\nname[lazy] ::= [a-z]* [0-9]\n"),
    ("a.gbnf", "root ::= Regex(\"(?i)ab+\", json_string=true) Substring(\"a\", \"bc\", \"a\")\n"),
    ("a.regex", "(?=.*a)[a-c]{2,5}"),
];

/// Returns a file as rules without operations, and its automaton.
fn imported(name: &str, text: &str) -> (std::sync::Arc<ogc_runtime::automaton::Automaton>, Grammar) {
    let db = Compiler::default();
    let policy = JsonPolicy { space: ogc_compiler::db::Space::Compact, ..JsonPolicy::default() };
    let options = Options::new(&db, policy, Formats::Assert, Limits::default());
    let language = Language::of_name(name).expect("a language");
    let file = SourceFile::new(&db, name.to_owned(), text.to_owned(), language, options);
    let found = diagnostics(&db, file);
    let (placed, _) = foreign_grammar(&db, file);
    let (Some(automaton), Some(placed)) = (automaton(&db, file), placed) else { panic!("{text}: {found:?}") };
    let rules = grammar_rules(placed, &policy, &Limits::default());
    (automaton, rules.unwrap_or_else(|found| panic!("{text}: {found:?}")))
}

#[test]
fn exported_imports_accept_the_same_texts() {
    for (name, text) in IMPORTS {
        let mut random = Random::new(1);
        let (before, rules) = imported(name, text);
        let gbnf = print(&rules).expect("GBNF");
        let lark = print_lark(&rules, "root").expect("Lark");
        for (written, again) in [(&gbnf, engine::gbnf(&gbnf)), (&lark, engine::lark(&lark))] {
            let again = again.unwrap_or_else(|failure| panic!("{text}\n{written}\n{failure:?}"));
            compare(&before, &again, 60, &mut random).unwrap_or_else(|fault| panic!("{text}\n{written}\n{fault}"));
        }
    }
}

#[test]
#[allow(clippy::disallowed_methods, reason = "tests read the examples")]
fn exported_examples_accept_the_same_texts() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("examples").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(paths.len() > 3);
    let mut outcomes = Vec::new();
    for path in paths {
        let schema = std::fs::read_to_string(&path).expect("readable");
        for space in [Space::Any, Space::Compact, Space::Spaced, Space::Pretty(2)] {
            let policy = Policy { space, plain_strings: true, ..Policy::default() };
            let outcome = check(&schema, policy, &mut Random::new(1));
            outcomes.push((format!("{} {space:?}", path.display()), outcome));
        }
    }
    report("examples", outcomes);
}

#[test]
fn exported_real_schemas_accept_the_same_texts() {
    let Some(path) = corpus::find("maskbench-dev.jsonl.zst") else { return };
    let stride = if setting("OGC_FULL", 0) > 0 { 40 } else { 100 };
    let mut outcomes = Vec::new();
    for (at, case) in corpus::cases(&path).expect("the pack is readable").into_iter().enumerate() {
        if at % stride != 0 {
            continue;
        }
        let mut random = Random::new(at as u64);
        let policy = Policy { any_order: false, ..policy(&mut random) };
        outcomes.push((case.id.clone(), check(&case.schema, policy, &mut random)));
    }
    report("real schemas", outcomes);
}
