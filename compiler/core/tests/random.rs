//! Compares random small schemas with a slow and obvious evaluator: the automaton accepts exactly the valid instances,
//! and every text that a random walk through its masks ends with is valid.

use crate::random_support;

use std::sync::Arc;

use ogc_compiler::lower::json::{JsonPolicy, Space, lower};
use ogc_grammar::Code;
use ogc_kit::{Random, setting};
use ogc_runtime::automaton::{Automaton, KeyOrder};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_schema::Limits;
use ogc_schema::source::{Schemas, Value};
use random_support::{evaluate, instance, parse, schemas, write};

fn store() -> Arc<MaskStore> {
    let tokens: Vec<String> = (0..128u8).map(|byte| char::from(byte).to_string()).collect();
    let tokens: Vec<Option<&str>> = tokens.iter().map(|token| Some(token.as_str())).collect();
    MaskStore::new(Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", 128)]).expect("a vocabulary")))
}

fn accepts(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, text: &str) -> bool {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.accept_bytes(text.as_bytes()).is_ok() && matcher.is_complete()
}

/// Returns a random text of the format, or `None` if the walk takes too long. Panics at a dead end.
fn walk(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random) -> Option<String> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    let mut text = String::new();
    for _ in 0..120 {
        let mask = matcher.mask().expect("a mask").tokens();
        let closing = mask.iter().copied().filter(|token| matches!(token.0, 34 | 44 | 58 | 93 | 125 | 128));
        let closing: Vec<TokenId> = closing.collect();
        assert!(!mask.is_empty(), "dead end after {text}");
        let from = if !closing.is_empty() && random.one_in(2) { &closing } else { &mask };
        let token = from[random.below(from.len())];
        if token.0 == 128 {
            return Some(text);
        }
        matcher.accept_token(token).expect("an allowed token");
        text.push(char::from(token.0 as u8));
    }
    None
}

fn check(schemas: &Schemas, order: KeyOrder, store: &Arc<MaskStore>, random: &mut Random) -> Result<usize, String> {
    let spaces = [Space::Compact, Space::Any { max_run: Some(2) }, Space::Spaced, Space::Pretty { indent: 1 }];
    let space = spaces[random.below(6).saturating_sub(2)];
    let policy = JsonPolicy { order, space, ..JsonPolicy::default() };
    let automaton = match lower(schemas, &policy, &Limits::default()) {
        Ok(lowered) => Arc::new(lowered.automaton),
        Err(errors) => return Err(errors[0].kind.code().name().to_owned()),
    };
    let root = schemas.root.expect("a root");
    let mut valid = 0;
    for _ in 0..40 {
        let value = instance(random, 3);
        let expected = evaluate(schemas, root, &value);
        valid += usize::from(expected);
        let found = accepts(&automaton, store, &write(&value));
        // Declared order rejects valid objects whose keys are in another order.
        let compact = matches!(space, Space::Compact | Space::Any { .. });
        if expected != found && (found || compact) && (order == KeyOrder::Any || found) {
            panic!("{} should be {expected}\n{schemas:#?}", write(&value));
        }
    }
    for _ in 0..6 {
        let Some(text) = walk(&automaton, store, random) else { continue };
        let Some(value) = parse(&text) else { continue };
        assert!(evaluate(schemas, root, &value), "{text} is not valid\n{schemas:#?}");
    }
    Ok(valid)
}

fn empty_is_empty(schemas: &Schemas, random: &mut Random) {
    let root = schemas.root.expect("a root");
    for _ in 0..60 {
        let value: Value = instance(random, 3);
        assert!(!evaluate(schemas, root, &value), "{} is valid\n{schemas:#?}", write(&value));
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "the test says how many of each verdict it saw")]
fn random_schemas_agree_with_the_evaluator() {
    let store = store();
    let rounds = setting("OGC_ROUNDS", 1500);
    let first = setting("OGC_SEED", 1);
    let mut fates = std::collections::BTreeMap::<String, usize>::new();
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let schemas = schemas(&mut random);
        let order = if random.one_in(3) { KeyOrder::Declared } else { KeyOrder::Any };
        let fate = match check(&schemas, order, &store, &mut random) {
            Ok(valid) => {
                if valid > 0 {
                    "valid".to_owned()
                } else {
                    "compiled".to_owned()
                }
            }
            Err(code) => {
                if code == Code::EmptyFormat.name() {
                    empty_is_empty(&schemas, &mut random);
                }
                code
            }
        };
        *fates.entry(fate).or_default() += 1;
    }
    println!("{fates:?}");
    assert!(fates.get("valid").copied().unwrap_or(0) as u64 > rounds / 3, "{fates:?}");
}
