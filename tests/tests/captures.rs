//! Tests of captures against their definition: of all ways to mark a text, the reader finds the least, for every split
//! of the text.
//!
//! `OGC_SEED` chooses the first seed, `OGC_ROUNDS` the number of seeds; a failure names its seed.

use std::sync::Arc;

use ogc_kit::{Random, setting};
use ogc_runtime::captures::{Capture, CapturePart as Reported, CaptureReader, Captures, Content};
use ogc_runtime::matcher::MatchError;
use ogc_runtime::vocabulary::{TokenId, Vocabulary};
use ogc_tests::engine::captures;
use ogc_tests::events;
use ogc_tests::oracle::captures::{Marked, NAMES, Part, Symbol};

/// The number of texts of one format.
const TEXTS: usize = 12;

/// Cap on the bytes of a text: longer texts have too many readings to be listed.
const LONGEST: usize = 12;

#[test]
fn captures_match_the_least_reading() {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", 400));
    let (mut formats, mut texts, mut ambiguous) = (0, 0, 0);
    for seed in first..first + rounds {
        let mut random = Random::new(seed);
        let part = Part::random(&mut random, 4);
        let Some(captures) = captures(&part.program()) else { continue };
        formats += 1;
        for _ in 0..TEXTS {
            let Some(text) = part.sample(&mut random, &part, 2).filter(|text| text.len() <= LONGEST) else { continue };
            let readings = compare(&captures, &part, text.as_bytes(), &mut random, seed);
            texts += 1;
            ambiguous += usize::from(readings > 1);
        }
    }
    let enough = formats * 4 > rounds && ambiguous * 10 > texts;
    assert!(enough, "{formats} formats, {texts} texts, {ambiguous} of them ambiguous: too little was compared");
}

/// Reads a text in pieces and compares; returns the number of its readings.
fn compare(captures: &Arc<Captures>, part: &Part, text: &[u8], random: &mut Random, seed: u64) -> usize {
    let rank = |name: &str| captures.parts.iter().position(|part| *part == Reported::Capture(name.to_owned()));
    let ranks = NAMES.map(|name| rank(name).unwrap_or(NAMES.len()));
    let readings = part.readings(text, &ranks);
    let expected = readings.first().map(|marked| tree(marked, &captures.parts));
    let mut reader = CaptureReader::new(Arc::clone(captures));
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(1 + random.below(rest.len()));
        let read = reader.accept_bytes(piece);
        assert_eq!(read, Ok(()), "seed {seed}: {}, {:?}", part.program(), String::from_utf8_lossy(text));
        rest = after;
    }
    let found = reader.is_complete().then(|| reader.captures());
    let context = || format!("seed {seed}: {}{:?}", part.program(), String::from_utf8_lossy(text));
    assert_eq!(found, expected, "{}", context());
    // Events come while the text grows, with the same content.
    let told = events::in_pieces(&Content::Parts(Arc::clone(captures)), text, random).unwrap_or_default();
    assert_eq!(Some(events::captures(&told)), expected, "{}", context());
    assert_eq!(events::text(&told).as_bytes(), text, "{}", context());
    readings.len()
}

/// The captures of a marked text.
fn tree(marked: &Marked, parts: &[Reported]) -> Vec<Capture> {
    let mut open = vec![Capture { name: String::new(), start: 0, end: None, inner: Vec::new() }];
    let mut at = 0;
    for symbol in marked {
        match symbol {
            Symbol::Begin(name) => {
                let Reported::Capture(name) = &parts[*name] else { panic!("{parts:?}") };
                open.push(Capture { name: name.clone(), start: at, end: None, inner: Vec::new() });
            }
            Symbol::Byte(_) => at += 1,
            Symbol::First | Symbol::Other | Symbol::Stop => {}
            Symbol::End => {
                let capture = open.pop().expect("a beginning for each end");
                let around = open.last_mut().expect("the text is around all");
                around.inner.push(Capture { end: Some(at), ..capture });
            }
        }
    }
    open.swap_remove(0).inner
}

#[test]
fn captures_count_tokens_as_tokens() {
    let program =
        "output Out = tok\"<t>\" thought: text<max_tokens = 2> rest: text<max_tokens = 9> tok\"</t>\" answer: /[a-z]*/";
    let captures = captures(program).expect("captures");
    let texts = [Some("a"), Some("b"), Some("<t>"), None, None, None];
    let vocabulary = Vocabulary::from_tokens(&texts, &[("<t>", 3), ("</t>", 4), ("</s>", 5)]).expect("a vocabulary");
    let mut reader = CaptureReader::new(captures);
    // The characters of a token's name are text, and only two tokens can be part of the first text.
    for token in [3, 0, 2, 1, 1] {
        assert_eq!(reader.accept_token(&vocabulary, TokenId(token)), Ok(()), "{token}");
    }
    assert_eq!(reader.accept_token(&vocabulary, TokenId(3)), Err(MatchError::TokenNotAllowed { token: 3 }));
    for token in [4, 0, 5] {
        assert_eq!(reader.accept_token(&vocabulary, TokenId(token)), Ok(()), "{token}");
    }
    assert!(reader.is_complete());
    let found = reader.captures();
    let shown = |one: &Capture| (one.name.clone(), reader.text()[one.start..one.end.expect("an end")].to_vec());
    let expected = [("thought", "a<t>"), ("rest", "bb"), ("answer", "a")];
    let expected: Vec<_> = expected.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected);
}
