//! Tests that records of a text do not change it, and do not depend on the other texts in a pass.

use std::ops::ControlFlow;
use std::sync::Arc;

use ogc_generate::{
    Ended, Generated, Jump, LoadedModel, Recording, Request, Sampling, Speculation, TokenRecord, TokenSource, generate,
};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use crate::formats;

const LIKELIEST: usize = 5;

fn matcher(loaded: &LoadedModel, automaton: &Arc<Automaton>) -> Matcher {
    let mut matcher = Matcher::new(Arc::clone(automaton), MaskStore::new(Arc::clone(&loaded.vocabulary)));
    let canonical = loaded.canonical_tokens(matcher.store());
    matcher.set_canonical_tokens(Some(canonical)).expect("tokens of its vocabulary");
    matcher
}

fn request(random: &mut Random) -> Request {
    let prompt = (0..1 + random.below(60)).map(|_| TokenId(random.below(256) as u32)).collect();
    let sampling =
        Sampling { temperature: [0.0, 1.5][random.below(2)], seed: random.below(99) as u64, ..Sampling::default() };
    Request { sampling, ..Request::new(prompt, 4 + random.below(60) as u32) }
}

/// Checks that the record of a text agrees with its counts.
fn check_counts(text: &Generated) {
    let count = |source| text.record.iter().filter(|token| token.source == source).count();
    assert_eq!(text.record.len(), text.tokens.len() + usize::from(text.ended == Ended::Chosen));
    assert!(text.record.iter().map(|token| token.token).take(text.tokens.len()).eq(text.tokens.iter().copied()));
    assert_eq!(count(TokenSource::Only) + count(TokenSource::Run), text.statistics.forced);
    assert_eq!(count(TokenSource::Guess), text.statistics.guessed);
    assert!(text.record.is_sorted_by_key(|token| token.pass));
    assert!(text.record.iter().all(|token| token.pass <= text.statistics.passes));
    // Only tokens behind the last token that was read have no odds.
    let known = text.record.iter().rposition(|token| token.odds.is_some()).map_or(0, |at| at + 1);
    assert!(text.record[..known].iter().all(|token| token.odds.is_some()));
    assert!(text.record[known..].iter().all(|token| token.source == TokenSource::Only));
}

/// Compares the odds of every place with the mask of a matcher that reads the text by itself.
fn check_odds(mut matcher: Matcher, max_tokens: u32, record: &[TokenRecord]) {
    matcher.set_budget(Some(max_tokens)).expect("it was written so");
    for token in record {
        let mask = matcher.mask().expect("a mask");
        let odds = token.odds.as_ref().expect("every place was asked");
        assert_eq!(odds.allowed_tokens, mask.count());
        assert!((odds.allowed + odds.refused - 1.0).abs() < 1e-3, "{odds:?}");
        assert!(odds.written <= odds.allowed + 1e-4, "{odds:?}");
        assert!(odds.likeliest_allowed.iter().all(|probable| mask.tokens().contains(&probable.token)));
        assert!(!odds.likeliest_refused.iter().any(|probable| mask.tokens().contains(&probable.token)));
        matcher.accept_token(token.token).expect("it was written");
    }
}

#[test]
fn records_do_not_depend_on_the_texts_that_share_a_pass() {
    let loaded = LoadedModel::from_gguf(std::io::Cursor::new(ogc_kit::model::gguf())).expect("a model");
    let mut random = Random::new(ogc_kit::setting("OGC_SEED", 3));
    let (mut compared, mut forced, mut ended) = (0, 0, 0);
    for round in 0.. {
        if round >= ogc_kit::setting("OGC_ROUNDS", 40) && compared > 15 && forced > 100 && ended > 5 {
            break;
        }
        assert!(round < 200, "{compared} texts, {forced} forced tokens, {ended} ends");
        let all = formats::all();
        let (_, automaton) = &all[random.below(all.len())];
        let plain = request(&mut random);
        let write =
            |request: Request| generate(&loaded, matcher(&loaded, automaton), request, |_| ControlFlow::Continue(()));
        // A budget may be too small for the format.
        let Ok(expected) = write(plain.clone()) else { continue };
        assert!(expected.record.is_empty(), "nothing is recorded unless that is asked for");
        let every = Request { recording: Recording::EveryPlace { likeliest: LIKELIEST }, ..plain.clone() };
        let every = write(every).expect("it was written before");
        assert_eq!(every.tokens, expected.tokens);
        check_counts(&every);
        check_odds(matcher(&loaded, automaton), plain.max_tokens, &every.record);
        ended += usize::from(every.ended == Ended::Chosen);
        for (jump, speculation) in [
            (Jump::Verify, Speculation::Off),
            (Jump::Verify, Speculation::Lookup { most: 6 }),
            (Jump::Off, Speculation::Off),
        ] {
            let recording = Recording::Passes { likeliest: LIKELIEST };
            let found =
                write(Request { jump, speculation, recording, ..plain.clone() }).expect("it was written before");
            assert_eq!((&found.tokens, &found.text, found.ended), (&expected.tokens, &expected.text, expected.ended));
            check_counts(&found);
            for (one, other) in found.record.iter().zip(&every.record) {
                assert!(one.odds.is_none() || one.odds == other.odds, "{one:?} {other:?}");
            }
            forced += found.statistics.forced;
        }
        compared += 1;
    }
}
