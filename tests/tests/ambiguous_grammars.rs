//! Tests of natural formats with many readings: their long texts are read, and masks are exact along the way.

use ogc_kit::Random;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::ambiguous::{CASES, Case};
use std::sync::Arc;

/// A vocabulary of all printable characters, the line feed, and pieces of the case's own texts.
fn vocabulary(case: &Case, random: &mut Random) -> Arc<Vocabulary> {
    let text = (case.text)(400);
    let mut tokens: Vec<String> = (b' '..=b'~').map(|byte| char::from(byte).to_string()).collect();
    tokens.push("\n".to_owned());
    for _ in 0..60 {
        let begin = random.below(text.len() - 20);
        tokens.extend(text.get(begin..begin + 2 + random.below(12)).map(str::to_owned));
    }
    tokens.extend(["*".repeat(9), "_*".repeat(4), "aaaaaaaaaaaaaaa".to_owned(), "\n\n".to_owned()]);
    tokens.sort();
    tokens.dedup();
    let tokens: Vec<Option<&str>> = tokens.iter().map(|token| Some(token.as_str())).collect();
    let eos = u32::try_from(tokens.len()).expect("few tokens");
    Arc::new(Vocabulary::from_tokens(&tokens, &[("</s>", eos)]).expect("a vocabulary"))
}

/// The tokens on which a mask and accepting disagree.
fn wrong(matcher: &mut Matcher) -> Vec<u32> {
    let mask = matcher.mask().expect("a mask");
    let tokens = 0..matcher.store().vocabulary().len() as u32;
    tokens.filter(|&id| mask.contains(TokenId(id)) != matcher.fork().accept_token(TokenId(id)).is_ok()).collect()
}

#[test]
fn masks_are_exact_far_into_texts() {
    for case in &CASES {
        let automaton = case.compile().expect("it compiles");
        let vocabulary = vocabulary(case, &mut Random::new(7));
        let [store, packed] = [(); 2].map(|()| MaskStore::new(Arc::clone(&vocabulary)));
        let masks = MaskPack::build(&automaton, &packed, &PackLimits::default(), |_, _| {}).expect("masks");
        let packed = Matcher::with_masks(Arc::clone(&automaton), packed, Arc::new(masks)).expect("a matcher");
        for mut matcher in [Matcher::new(automaton, store), packed] {
            let text = (case.text)(1_200);
            let mut read = 0;
            for at in [0, 1, 7, 30, 31, 60, 100, 177, 333, 700, text.len()] {
                let part = text.as_bytes().get(read..at).expect("a longer text");
                matcher.accept_bytes(part).expect(case.name);
                read = at;
                assert_eq!(wrong(&mut matcher), [0; 0], "{} after {at} bytes", case.name);
            }
            assert!(matcher.is_complete(), "{}", case.name);
            matcher.rollback(3).expect("more was accepted");
            assert_eq!(wrong(&mut matcher), [0; 0], "{} after taking back", case.name);
        }
    }
}

#[test]
fn long_texts_of_ambiguous_grammars_are_accepted() {
    for case in &CASES {
        let automaton = case.compile().expect("it compiles");
        let vocabulary = vocabulary(case, &mut Random::new(8));
        let mut matcher = Matcher::new(automaton, MaskStore::new(vocabulary));
        let text = (case.text)(4_000);
        for part in text.as_bytes().chunks(50) {
            matcher.accept_bytes(part).expect(case.name);
        }
        assert!(matcher.is_complete(), "{}", case.name);
        let mut fork = matcher.fork();
        fork.rollback(40).expect("more was accepted");
        let rest = text.as_bytes().chunks(50).skip(fork.len());
        rest.for_each(|part| fork.accept_bytes(part).expect(case.name));
        assert!(fork.is_complete() && matcher.is_complete(), "{}", case.name);
    }
}

#[test]
fn a_rollback_window_does_not_change_masks() {
    let mut forgot = 0;
    for case in &CASES {
        let automaton = case.compile().expect("it compiles");
        let store = MaskStore::new(vocabulary(case, &mut Random::new(10)));
        let [mut all, mut some] = [(); 2].map(|()| Matcher::new(Arc::clone(&automaton), Arc::clone(&store)));
        some.set_rollback_window(Some(10));
        let text = (case.text)(1_200);
        for byte in text.as_bytes().chunks(1) {
            all.accept_bytes(byte).expect(case.name);
            some.accept_bytes(byte).expect(case.name);
        }
        for back in [0, 7, 3] {
            for matcher in [&mut all, &mut some] {
                matcher.rollback(back).expect("it is remembered");
            }
            let [of_all, of_some] = [&mut all, &mut some].map(|matcher| matcher.mask().expect("a mask").tokens());
            assert_eq!(of_all, of_some, "{}", case.name);
            assert_eq!(wrong(&mut some), [0; 0], "{}", case.name);
        }
        let rest = &text.as_bytes()[text.len() - 10..];
        assert!(some.accept_bytes(rest).is_ok() && some.is_complete(), "{}", case.name);
        forgot += usize::from(some.rollback(text.len() - 9).is_err());
    }
    // A few texts end before nodes are dropped.
    assert!(forgot > CASES.len() / 2, "{forgot} texts were long enough");
}

/// Checks that nodes of the stack behind the text are dropped while it is read: as many remain as after reading it in
/// parts.
#[test]
fn long_texts_at_once_use_as_much_memory_as_in_parts() {
    for case in CASES.iter().filter(|case| ["Markdown", "expressions", "late oneOf"].contains(&case.name)) {
        let automaton = case.compile().expect("it compiles");
        let store = MaskStore::new(vocabulary(case, &mut Random::new(9)));
        let [mut whole, mut parts] = [(); 2].map(|()| Matcher::new(Arc::clone(&automaton), Arc::clone(&store)));
        let text = (case.text)(100_000);
        let (read, _) = text.as_bytes().split_at(text.len() - 5);
        whole.accept_bytes(read).expect(case.name);
        read.chunks(1_000).for_each(|part| parts.accept_bytes(part).expect(case.name));
        let [of_whole, of_parts] = [&mut whole, &mut parts].map(|matcher| matcher.mask().expect("a mask").tokens());
        assert_eq!(of_whole, of_parts, "{}", case.name);
        assert_eq!(wrong(&mut whole), [0; 0], "{}", case.name);
        whole.rollback(1).expect("one text was accepted");
        assert!(
            whole.is_empty() && whole.accept_bytes(text.as_bytes()).is_ok() && whole.is_complete(),
            "{}",
            case.name
        );
    }
}
