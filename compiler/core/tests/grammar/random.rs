//! Random small grammars, with left recursion, empty rules, ambiguity and counts, on all short texts.

use ogc_compiler::frontend::grammar::{Dialect, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_grammar::{Code, Grammar, parse_abnf, parse_ebnf, parse_gbnf, parse_lark};
use ogc_kit::{Random, setting};
use ogc_runtime::automaton::Automaton;

use crate::grammar::matcher;
use crate::grammar::oracle;
use crate::grammar::simulator::{Simulator, accepts};

const RULES: [&str; 4] = ["root", "x", "y", "z"];

const TERMINALS: [&str; 2] = ["T", "U"];

fn expr(random: &mut Random, depth: u32, dialect: Dialect) -> String {
    let leaf = depth == 0 || random.below(5) == 0;
    if leaf {
        return match random.below(10) {
            0 => "\"\"".to_owned(),
            1 if dialect == Dialect::Lark => (*random.pick(&["\"a\"..\"b\"", "(\"a\" | \"c\")", "\"ab\"i"])).to_owned(),
            1 => (*random.pick(&["[ab]", "[^a]", "[^abc]", "[b-c]"])).to_owned(),
            2..=4 => (*random.pick(&["\"a\"", "\"b\"", "\"c\"", "\"ab\"", "\"ca\""])).to_owned(),
            _ => (*random.pick(&RULES)).to_owned(),
        };
    }
    let mut many = |joint: &str| {
        let count = 2 + random.below(2);
        let items: Vec<String> = (0..count).map(|_| expr(random, depth - 1, dialect)).collect();
        format!("({})", items.join(joint))
    };
    match many(" ").len() % 7 {
        0..=2 => many(" "),
        3 | 4 => many(" | "),
        5 if dialect == Dialect::Ebnf => {
            let side = |random: &mut Random| *random.pick(&["[a-c]", "[ab]*", "\"ab\"", "(\"a\" | \"bc\")*", "[abc]?"]);
            format!("({} - {})", side(random), side(random))
        }
        5 if dialect == Dialect::Lark => (*random.pick(&TERMINALS)).to_owned(),
        _ => {
            let inner = expr(random, depth - 1, dialect);
            let sign = match dialect {
                Dialect::Gbnf => *random.pick(&["?", "*", "+", "{2}", "{1,3}", "{0,2}", "{2,}", "{3,5}", "{0,0}"]),
                Dialect::Ebnf | Dialect::Abnf => *random.pick(&["?", "*", "+"]),
                Dialect::Lark => *random.pick(&["?", "*", "+", "~2", "~1..3", "{0,2}", "{2,}"]),
            };
            format!("({inner}){sign}")
        }
    }
}

fn grammar(random: &mut Random, dialect: Dialect) -> String {
    if dialect == Dialect::Lark {
        return lark(random);
    }
    let rule = |name: &&str| format!("{name} ::= {}\n", expr(random, 3, dialect));
    RULES.iter().map(rule).collect()
}

/// Writes a Lark grammar: rules, terminals built by set operations, and sometimes ignored text.
fn lark(random: &mut Random) -> String {
    let mut text = "start: root\n".to_owned();
    for name in RULES {
        text += &format!("{name}: {}\n", expr(random, 3, Dialect::Lark));
    }
    for name in TERMINALS {
        let side = |random: &mut Random| {
            *random.pick(&["\"a\"..\"c\"", "(\"a\"..\"b\")*", "\"ab\"", "(\"a\" | \"bc\")*", "(\"a\"..\"c\")?"])
        };
        let sign = *random.pick(&["&", "& ~", "|", "| ~"]);
        text += &format!("{name}: {} {sign}{}\n", side(random), side(random));
    }
    if random.below(2) == 0 {
        text += "%ignore \"c\"\n";
    }
    text
}

/// Returns all texts over three letters up to a length, and some longer ones.
fn texts(random: &mut Random) -> Vec<String> {
    let mut texts = vec![String::new()];
    for at in 0.. {
        if texts[at].len() == 4 {
            break;
        }
        let more: Vec<String> = "abc".chars().map(|c| format!("{}{c}", texts[at])).collect();
        texts.extend(more);
    }
    for _ in 0..60 {
        let len = 5 + random.below(10);
        texts.push((0..len).map(|_| *random.pick(&["a", "b", "c"])).collect());
    }
    texts
}

fn variants() -> [Limits; 5] {
    let usual = Limits::default();
    [
        usual,
        Limits { copies: 1, ..usual },
        Limits { copies: 1, inline_states: 0, ..usual },
        Limits { rule_states: 2, copies: 2, ..usual },
        Limits { rule_states: 4, inline_states: 1, ..usual },
    ]
}

/// Compares everything compiled from a grammar with the verdicts on some texts.
pub(super) fn check(source: &str, dialect: Dialect, verdicts: &[bool], texts: &[String], compiled: &mut u32) {
    for limits in variants() {
        let (automaton, found) = compile_grammar(source, dialect, &limits);
        let Some(automaton) = automaton else {
            let code = found.last().map(|d| d.code);
            assert!(matches!(code, Some(Code::EmptyGrammar | Code::EmptyTextOnly)), "{found:?}\n{source}");
            let some = texts.iter().zip(verdicts).any(|(text, verdict)| *verdict && !text.is_empty());
            assert!(!some, "refused, but not empty:\n{source}");
            continue;
        };
        *compiled += 1;
        for (text, &verdict) in texts.iter().zip(verdicts) {
            let given = accepts(&automaton, text.as_bytes());
            assert_eq!(given, verdict, "{text:?} under {limits:?} of\n{source}");
        }
        texts.iter().filter(|text| text.len() == 3).step_by(4).for_each(|text| prefix(&automaton, text, source));
        runtime(automaton, texts, verdicts, source);
    }
}

/// Checks that the runtime gives the same verdicts, and that its masks agree with stepping.
fn runtime(automaton: Automaton, texts: &[String], verdicts: &[bool], source: &str) {
    let mut matcher = matcher::matcher(automaton, &matcher::store());
    for (text, &verdict) in texts.iter().zip(verdicts).filter(|(text, _)| text.len() < 8) {
        let given = matcher::accepts(&mut matcher, text);
        if given.is_none() {
            // Every kind of ambiguity at once: the runtime reaches its limit after a few bytes, so there is nothing to
            // compare.
            return;
        }
        assert!(given.is_none_or(|given| given == verdict), "the runtime on {text:?} of\n{source}");
    }
    for text in texts.iter().filter(|text| text.len() < 6).step_by(13) {
        let wrong = matcher::disagreements(&mut matcher, text);
        assert!(wrong.is_empty(), "the mask after {text:?} on {wrong:?} of\n{source}");
    }
}

/// Checks that no head is stranded after any prefix of `text`, as far as a short search can tell.
fn prefix(automaton: &Automaton, text: &str, source: &str) {
    let mut simulator = Simulator::new(automaton);
    for byte in text.bytes() {
        if !simulator.step(byte) || simulator.width() > 40 {
            return;
        }
        assert_eq!(simulator.stranded(b"abcdA", 60), None, "{text:?} of\n{source}");
    }
}

fn verdicts(tree: &Grammar, dialect: Dialect, texts: &[String]) -> Vec<bool> {
    texts.iter().map(|text| oracle::accepts(tree, dialect.root().unwrap_or("root"), text)).collect()
}

fn run(dialect: Dialect, seed: u64, count: u32) {
    let mut random = Random::new(seed);
    let texts = texts(&mut random);
    let mut compiled = 0;
    for _ in 0..count {
        let source = grammar(&mut random, dialect);
        let (tree, found) = match dialect {
            Dialect::Gbnf => parse_gbnf(&source),
            Dialect::Ebnf => parse_ebnf(&source),
            // ABNF has other signs: `abnf.rs` writes such grammars.
            Dialect::Abnf => parse_abnf(&source),
            Dialect::Lark => parse_lark(&source),
        };
        assert!(!found.iter().any(|d| d.is_error()), "{found:?}\n{source}");
        let verdicts = verdicts(&tree, dialect, &texts);
        check(&source, dialect, &verdicts, &texts, &mut compiled);
    }
    assert!(compiled > count, "only {compiled} of {count} grammars hold any text");
}

fn rounds() -> u32 {
    setting("OGC_ROUNDS", 100) as u32
}

#[test]
fn random_gbnf_grammars_agree_with_the_oracle() {
    run(Dialect::Gbnf, 1, rounds());
}

#[test]
fn random_lark_grammars_agree_with_the_oracle() {
    // Complements contain nearly every text, which is slow for the oracle.
    run(Dialect::Lark, 2, rounds().div_ceil(4));
}

#[test]
fn random_ebnf_grammars_agree_with_the_oracle() {
    run(Dialect::Ebnf, 3, rounds());
}
