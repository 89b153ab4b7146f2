//! Token budgets against a slow, obvious implementation: a token is withheld if and only if no continuation after it, tried token by token,
//! completes the text in time; and a far budget changes no mask.

use crate::formats;

use std::sync::Arc;

use formats::tries::{by_readings, by_text, compare_small_budgets};
use ogc_kit::Random;
use ogc_runtime::automaton::{
    Automaton, AutomatonBuilder, Call, Escapes, KeyOrder, OpId, Root, RuleId, StateId, StateKind, UNBOUNDED,
};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::{TokenId, Vocabulary};

#[test]
fn budgets_disallow_exactly_the_tokens_after_which_no_completion_fits() {
    let vocabulary = formats::vocabulary();
    let mut compared = 0;
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        compared +=
            compare_small_budgets(name, &automaton, &store, &mut Random::new(11 + name.len() as u64), (3, by_readings));
    }
    assert!(compared > 100, "{compared}");
}

/// Makes three rules of random states, with edges over a few letters and calls of earlier rules.
fn random_automaton(random: &mut Random) -> Option<Arc<Automaton>> {
    let mut builder = AutomatonBuilder::new();
    let mut rules = Vec::new();
    for _ in 0..3 {
        let rule = builder.rule("random", 0);
        let states: Vec<StateId> = (0..2 + random.below(4)).map(|_| builder.state(rule, StateKind::Bytes)).collect();
        builder.start(rule, states[0]);
        let end = states[states.len() - 1];
        builder.accept(end);
        for &from in &states {
            for _ in 0..1 + random.below(2) {
                let to = states[1 + random.below(states.len() - 1)];
                let callee: Option<&RuleId> = rules.get(random.below(6));
                match callee {
                    Some(&rule) => builder.call(from, Call { rule, ret: to, op: OpId::NONE, a: 0, b: 0 }),
                    None => {
                        let letter = b'a' + random.below(4) as u8;
                        builder.edge(from, letter, letter, OpId::NONE, to);
                    }
                }
            }
        }
        rules.push(rule);
    }
    let root = Root { rule: rules[2], a: 0, b: 0 };
    builder.finish(root, false, Escapes::Any).map(Arc::new).ok()
}

/// All bytes, and so many words of the letters of random formats.
fn letters(words: usize) -> Arc<Vocabulary> {
    let mut random = Random::new(99);
    let mut word = || (0..2 + random.below(4)).map(|_| b'a' + random.below(4) as u8).collect();
    with_bytes((0..words).map(|_| word()).collect())
}

fn with_bytes(words: Vec<Vec<u8>>) -> Arc<Vocabulary> {
    let texts: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).chain(words).collect();
    let texts: Vec<Option<&[u8]>> = texts.iter().map(|text| Some(text.as_slice())).collect();
    Arc::new(Vocabulary::from_tokens(&texts, &[("</s>", texts.len() as u32)]).expect("a vocabulary"))
}

#[test]
fn budgets_on_random_formats_disallow_only_what_does_not_fit() {
    let vocabulary = letters(60);
    let (mut built, mut compared) = (0, 0);
    for seed in 1..=400u64 {
        let mut random = Random::new(seed);
        let Some(automaton) = random_automaton(&mut random) else { continue };
        built += 1;
        let store = MaskStore::new(Arc::clone(&vocabulary));
        compared += compare_small_budgets(&format!("random {seed}"), &automaton, &store, &mut random, (2, by_text));
    }
    assert!(built > 50 && compared > 500, "{built} formats, {compared} masks");
}

/// A free string reads thousands of tokens that leave the same text to be written.
#[test]
fn budgets_on_strings_with_large_vocabularies_disallow_only_what_does_not_fit() {
    let words = (0..2_500u32).map(|number| format!("{number}").into_bytes());
    let others = ["\"]", "a\"", "\"\"", "\\u00", "\\", "\u{e9}", "ab\u{65e5}"].map(|text| text.as_bytes().to_vec());
    let cut = "\u{65e5}".as_bytes()[..2].to_vec();
    let vocabulary = with_bytes(words.chain(others).chain([cut]).collect());
    let mut compared = 0;
    for (name, automaton) in formats::all().into_iter().filter(|(name, _)| name.starts_with("string")) {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        compared += compare_small_budgets(name, &automaton, &store, &mut Random::new(7), (2, by_readings));
    }
    assert!(compared > 10, "{compared}");
}

/// Inside a key of an open object, groups are made from those of the text of an undeclared key.
#[test]
fn budgets_inside_keys_with_large_vocabularies_disallow_only_what_does_not_fit() {
    let words = (0..2_500u32).map(|number| format!("{number}").into_bytes());
    // The value of the key `1` is a text, and those of undeclared keys are numbers.
    let others = ["{\"", "\":", "\":1}", "1\":1}", "1\":\"\"}", "2\":1}", "\"}", "\\u00", "\\"];
    let others = others.map(|text| text.as_bytes().to_vec());
    let store = MaskStore::new(with_bytes(words.chain(others).collect()));
    let mut compared = 0;
    for order in [KeyOrder::Any, KeyOrder::Declared] {
        let mut builder = AutomatonBuilder::new();
        let [number, text] = [formats::digits(&mut builder), formats::string(&mut builder, false)];
        let keys = [("1", text), ("12", number), ("345", text)].map(|(name, value)| (name, false, (value, 0, 0)));
        let rule = formats::object(&mut builder, &keys, Some(number), order, false);
        let automaton = Arc::new(builder.finish(Root { rule, a: 0, b: 0 }, false, Escapes::Any).expect("a format"));
        for seed in 1..=4 {
            compared += compare_small_budgets("keys", &automaton, &store, &mut Random::new(seed), (2, by_readings));
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Where a text has several readings, the tokens that leave the same to be written are kept by the content of all stacks.
#[test]
fn masks_of_ambiguous_formats_do_not_depend_on_what_the_store_has_kept() {
    let vocabulary = letters(60);
    let kept = MaskStore::new(Arc::clone(&vocabulary));
    let (mut ambiguous, mut near) = (0, 0);
    for seed in (1..=200).chain(1..=200) {
        let mut random = Random::new(seed);
        let Some(automaton) = random_automaton(&mut random) else { continue };
        let empty = MaskStore::with_limit(Arc::clone(&vocabulary), Some(0));
        let mut matchers = [&kept, &empty].map(|store| Matcher::new(Arc::clone(&automaton), Arc::clone(store)));
        let tokens = 3 + random.below(5) as u32;
        let set = matchers.each_mut().map(|matcher| matcher.set_budget(Some(tokens)));
        assert_eq!(set[0].is_ok(), set[1].is_ok(), "seed {seed}");
        while let [Ok(tokens), Ok(expected)] =
            matchers.each_mut().map(|matcher| matcher.mask().map(|mask| mask.tokens()))
        {
            assert_eq!(tokens, expected, "seed {seed}");
            ambiguous += usize::from(matchers[0].readings().len() > 1);
            near += usize::from(!matchers[0].is_budget_far());
            let Some(&token) = random.choose(&tokens) else { break };
            matchers.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("it is allowed"));
            if matchers[0].is_terminated() {
                break;
            }
        }
    }
    assert!(ambiguous > 100 && near > 200, "{ambiguous} {near}");
}

#[test]
fn a_large_budget_changes_no_mask() {
    let vocabulary = formats::vocabulary();
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut random = Random::new(5 + name.len() as u64);
        for far in [2_000, 1_000_000, u32::MAX] {
            let mut matchers = [(); 2].map(|()| Matcher::new(Arc::clone(&automaton), Arc::clone(&store)));
            matchers[1].set_budget(Some(far)).expect("it is far");
            for _ in 0..25 {
                let [plain, bounded] = matchers.each_mut().map(|matcher| matcher.mask().expect("a mask"));
                let tokens = plain.tokens();
                assert_eq!(bounded.tokens(), tokens, "{name}: {far}");
                let Some(&token) = tokens.get(random.below(tokens.len())) else { break };
                matchers.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("it is allowed"));
                if matchers[0].is_terminated() {
                    break;
                }
            }
        }
    }
}

/// At each place up to the end of a budget, checks that masks reported as equal to those without a budget are equal.
#[test]
fn masks_equal_unbudgeted_ones_while_the_budget_is_reported_as_far() {
    let (vocabulary, mut far, mut changed) = (formats::vocabulary(), 0, 0);
    for (name, automaton) in formats::all() {
        let store = MaskStore::new(Arc::clone(&vocabulary));
        let mut random = Random::new(23 + name.len() as u64);
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        if matcher.set_budget(Some(40)).is_err() {
            continue;
        }
        while !matcher.is_terminated() {
            let mut plain = matcher.fork();
            plain.set_budget(None).expect("none is always allowed");
            assert!(plain.is_budget_far());
            let [tokens, expected] = [&mut matcher, &mut plain].map(|matcher| matcher.mask().expect("a mask").tokens());
            let is_far = matcher.is_budget_far();
            assert!(!is_far || tokens == expected, "{name}");
            far += usize::from(is_far);
            changed += usize::from(tokens != expected);
            let Some(&token) = tokens.get(random.below(tokens.len())) else { break };
            matcher.accept_token(token).expect("it is allowed");
        }
    }
    assert!(far > 50 && changed > 10, "{far} {changed}");
}

/// An object of many required keys in any order has more sets of seen keys than can be visited.
#[test]
fn budgets_are_exact_with_many_required_keys_in_any_order() {
    let names: Vec<String> = (0..150).map(|number| format!("{number}a")).collect();
    let mut builder = AutomatonBuilder::new();
    let value = formats::digits(&mut builder);
    let keys: Vec<formats::Key<'_>> = names.iter().map(|name| (name.as_str(), true, (value, 0, 0))).collect();
    let rule = formats::object(&mut builder, &keys, Some(value), KeyOrder::Any, false);
    let root = Root { rule, a: 0, b: 0 };
    let automaton = Arc::new(builder.finish(root, false, Escapes::Any).expect("a format"));
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(3);
    let mut matchers = [(); 2].map(|()| Matcher::new(Arc::clone(&automaton), Arc::clone(&store)));
    matchers[1].set_budget(Some(1_000_000)).expect("it is far");
    for _ in 0..60 {
        let [plain, bounded] = matchers.each_mut().map(|matcher| matcher.mask().expect("a mask").tokens());
        assert_eq!(plain, bounded);
        let token = plain[random.below(plain.len())];
        matchers.iter_mut().for_each(|matcher| matcher.accept_token(token).expect("it is allowed"));
    }
    let [mut matcher, _] = matchers;
    let Err(MatchError::Budget { limit, .. }) = matcher.set_budget(Some(0)) else { panic!("keys are missing") };
    matcher.set_budget(Some(limit)).expect("that many tokens are enough");
    let begin = matcher.len();
    while !matcher.is_complete() {
        let tokens = matcher.mask().expect("a completion is left").tokens();
        matcher.accept_token(tokens[random.below(tokens.len())]).expect("it is allowed");
    }
    assert!(matcher.len() - begin <= limit as usize);
}

/// Along random formats, the least budget can be set and one less cannot; if it is 0, the text may end.
#[test]
fn the_least_budget_is_the_least_that_can_be_set() {
    let (vocabulary, words) = (formats::vocabulary(), letters(200));
    let mut random = Random::new(31);
    let own = formats::all().into_iter().map(|(_, automaton)| (automaton, &vocabulary));
    let drawn: Vec<_> = (0..200).filter_map(|_| random_automaton(&mut random)).collect();
    let drawn = drawn.into_iter().flat_map(|automaton| [(Arc::clone(&automaton), &vocabulary), (automaton, &words)]);
    let (mut least_seen, mut none) = ([0; 4], 0);
    for (automaton, vocabulary) in own.chain(drawn) {
        let store = MaskStore::new(Arc::clone(vocabulary));
        let mut matcher = Matcher::new(automaton, store);
        for _ in 0..8 {
            let len = matcher.len();
            match matcher.least_budget() {
                None => {
                    none += 1;
                    assert!(matcher.set_budget(Some(100_000)).is_err());
                }
                Some(least) => {
                    least_seen[(least as usize).min(3)] += 1;
                    assert_eq!(least == 0, matcher.is_complete());
                    assert_eq!(matcher.set_budget(Some(least)), Ok(()));
                    if let Some(fewer) = least.checked_sub(1) {
                        assert!(matcher.set_budget(Some(fewer)).is_err(), "{least}");
                    }
                }
            }
            assert_eq!(matcher.len(), len);
            matcher.set_budget(None).expect("a bound is lifted");
            let tokens = matcher.mask().expect("a mask").tokens();
            let Some(&token) = tokens.get(random.below(tokens.len().max(1))) else { break };
            matcher.accept_token(token).expect("the mask allows it");
            if matcher.is_terminated() {
                break;
            }
        }
    }
    assert!(least_seen.iter().all(|&count| count > 20), "{least_seen:?}, {none} without one");
}

/// Known completions do not depend on what a store was asked before: tokens are allowed by what one matcher has found, and accepted by what
/// another finds.
#[test]
fn the_least_budget_does_not_depend_on_earlier_questions() {
    let vocabulary = letters(60);
    let mut random = Random::new(37);
    let own = formats::all().into_iter().map(|(_, automaton)| automaton);
    let drawn: Vec<_> = (0..300).filter_map(|_| random_automaton(&mut random)).collect();
    let mut compared = 0;
    for automaton in own.chain(drawn) {
        let asked = MaskStore::new(Arc::clone(&vocabulary));
        let mut matcher = Matcher::new(Arc::clone(&automaton), asked);
        for _ in 0..12 {
            let mut other = Matcher::new(Arc::clone(&automaton), MaskStore::new(Arc::clone(&vocabulary)));
            other.restore(&matcher.save()).expect("the same format");
            assert_eq!(matcher.least_budget(), other.least_budget(), "{:?}", matcher.readings());
            compared += 1;
            let tokens = matcher.mask().expect("a mask").tokens();
            let Some(&token) = random.choose(&tokens) else { break };
            matcher.accept_token(token).expect("the mask allows it");
            if matcher.is_terminated() {
                break;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Without the count of the token itself, the text could end with one token more: that of a letter and a comma.
#[test]
fn a_token_is_counted_before_a_budget_looks_for_a_completion_after_it() {
    let mut builder = AutomatonBuilder::new();
    let limited = formats::limited(&mut builder);
    let rule = builder.rule("limited text, then a comma or a token", 0);
    let [start, after, end] = std::array::from_fn(|_| builder.state(rule, StateKind::Bytes));
    builder.start(rule, start);
    builder.accept(end);
    builder.call(start, formats::call(limited, after, 1, UNBOUNDED));
    builder.edge(after, b',', b',', OpId::NONE, end);
    let marker = builder.token("<t>");
    formats::spell(&mut builder, rule, after, &marker, end);
    let automaton = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("a format"));
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let texts: Vec<Vec<u8>> = bytes.chain([b"\xA9x,".to_vec(), b"x,".to_vec()]).collect();
    let texts: Vec<Option<&[u8]>> = texts.iter().map(|text| Some(text.as_slice())).collect();
    let vocabulary = Vocabulary::from_tokens(&texts, &[("<t>", 258), ("</s>", 259)]).expect("a vocabulary");
    let mut matcher = Matcher::new(automaton, MaskStore::new(Arc::new(vocabulary)));
    matcher.set_budget(Some(2)).expect("a letter and a comma");
    let tokens = matcher.mask().expect("a completion is left").tokens();
    assert!(!tokens.contains(&TokenId(0xC3)) && tokens.contains(&TokenId(u32::from(b'x'))), "{tokens:?}");
    for token in tokens {
        matcher.accept_token(token).expect("the mask allows it");
        assert!(!matcher.mask().expect("a completion is left").is_empty());
        matcher.rollback(1).expect("one was accepted");
    }
}
