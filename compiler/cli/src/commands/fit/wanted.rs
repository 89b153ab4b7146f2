//! What the model would have written: a refused token is only its beginning, so that the model goes on freely behind it for a few
//! tokens.

use std::collections::BTreeMap;
use std::sync::Arc;

use always_assert::never;
use ogc_generate::{LoadedModel, PrefixCache, Prefixes, Request, Sequence, pass};
use ogc_runtime::automaton::{Automaton, AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;

use super::kind::{Kind, is_space};
use super::scan::JsonPlace;
use super::walk::Refusal;
use super::write::{AT_A_TIME, Written};

/// The most tokens that the model goes on for.
const MOST_TOKENS: u32 = 8;

/// The most places at which it goes on.
const MOST_PLACES: usize = 48;

/// The most characters that are told of what it wants.
const MOST_SHOWN: usize = 40;

/// The bytes that are kept of prompts, which many continuations share.
const KEPT: usize = 1 << 28;

/// The greatest byte of UTF-8.
const LAST_BYTE: u8 = 0xf4;

/// What of refusals is alike: what the model goes on with is looked at once for all of them.
pub(super) type Alike<G> = (G, u32);

/// Goes on behind the heaviest of the refusals that are alike, those with the most probability first. A place that has no room for that is
/// left out, and so are groups of less than the least probability, which are not told.
pub(super) fn continuations<G: Ord + Clone>(
    refusals: &[(G, Refusal)],
    written: &[Written],
    least: f64,
    (loaded, store): (&LoadedModel, &Arc<MaskStore>),
) -> BTreeMap<Alike<G>, Vec<u8>> {
    let mut masses: BTreeMap<&G, f64> = BTreeMap::new();
    refusals.iter().for_each(|(group, refusal)| *masses.entry(group).or_insert(0.0) += refusal.mass);
    let mut alike: BTreeMap<Alike<G>, (f64, &Refusal)> = BTreeMap::new();
    let is_told = |group: &G| masses.get(group).is_some_and(|mass| *mass >= least);
    for (group, refusal) in refusals.iter().filter(|(group, refusal)| goes_on(refusal.kind) && is_told(group)) {
        let entry = alike.entry((group.clone(), refusal.token)).or_insert((0.0, refusal));
        entry.0 += refusal.mass;
        if refusal.mass > entry.1.mass {
            entry.1 = refusal;
        }
    }
    let mut alike: Vec<(Alike<G>, (f64, &Refusal))> = alike.into_iter().collect();
    alike.sort_by(|(_, (one, _)), (_, (other, _))| other.total_cmp(one));
    let Some(anything) = anything() else { return BTreeMap::new() };
    let prefixes = Prefixes { cache: Arc::new(PrefixCache::new(KEPT)), group: 0 };
    alike.truncate(MOST_PLACES);
    let mut found = BTreeMap::new();
    for some in alike.chunks(AT_A_TIME) {
        let begun = some.iter().filter_map(|(key, (_, refusal))| {
            let matcher = Matcher::new(Arc::clone(&anything), Arc::clone(store));
            Some((key.clone(), begun(refusal, &written[refusal.text], matcher, &prefixes, loaded)?))
        });
        found.extend(continued(begun.collect(), loaded));
    }
    found
}

/// Returns whether more than its first token is to be known of what the model wants.
fn goes_on(kind: Kind) -> bool {
    matches!(kind, Kind::Preface | Kind::Onward | Kind::Key | Kind::MoreKeys | Kind::Value | Kind::Text)
}

/// Makes the format of all texts.
fn anything() -> Option<Arc<Automaton>> {
    let mut builder = AutomatonBuilder::new();
    let rule = builder.rule("anything", 0);
    let [first, other] = [(); 2].map(|()| builder.state(rule, StateKind::Bytes));
    builder.start(rule, first);
    for state in [first, other] {
        builder.edge(state, 0, LAST_BYTE, OpId::NONE, other);
    }
    builder.accept(other);
    let built = builder.finish((rule, 0, 0), false, Escapes::Any);
    never!(built.is_err(), "the format of all texts is none: {:?}", built);
    built.ok().map(Arc::new)
}

/// Begins a free text behind a token that was refused; there is none where the context has no room.
fn begun(
    refusal: &Refusal,
    written: &Written,
    matcher: Matcher,
    prefixes: &Prefixes,
    loaded: &LoadedModel,
) -> Option<Sequence> {
    let before = written.generated.tokens.get(..refusal.at)?;
    let prompt = [&written.prompt, before, &[TokenId(refusal.token)]].concat();
    let request = Request { prefixes: Some(prefixes.clone()), ..Request::new(prompt, MOST_TOKENS) };
    Sequence::new(loaded, matcher, request).ok()
}

/// Returns the bytes that the model goes on with, as far as it can.
fn continued<K>(mut texts: Vec<(K, Sequence)>, loaded: &LoadedModel) -> Vec<(K, Vec<u8>)> {
    while texts.iter().any(|(_, text)| text.ended().is_none()) {
        let mut going_on: Vec<&mut Sequence> =
            texts.iter_mut().map(|(_, text)| text).filter(|text| text.ended().is_none()).collect();
        let results = pass(loaded, &mut going_on);
        let Ok(results) = results else { break };
        going_on.iter_mut().zip(results).filter(|(_, result)| result.is_err()).for_each(|(text, _)| text.stop());
    }
    let text = |token: &TokenId| loaded.vocabulary.text(*token).unwrap_or_default().to_vec();
    texts.into_iter().map(|(key, sequence)| (key, sequence.tokens().iter().flat_map(text).collect())).collect()
}

/// Returns what the model wants, as far as it is known: a key, a value, or the beginning of a text.
pub(super) fn wanted(refusal: &Refusal, continuation: &[u8]) -> String {
    let rest = [&refusal.rest, continuation].concat();
    let written = refusal.json.as_ref().map(|json| json.written.as_slice()).unwrap_or_default();
    match (refusal.kind, refusal.json.as_ref().map(|json| json.place)) {
        (Kind::Key | Kind::MoreKeys, Some(JsonPlace::KeyString)) => string(written, &rest),
        (Kind::Key | Kind::MoreKeys, _) => match rest.iter().position(|byte| *byte == b'"') {
            Some(quote) => string(b"", &rest[quote + 1..]),
            None => shown(&rest),
        },
        (Kind::Value, Some(JsonPlace::String)) => format!("\"{}", closed(&string(written, &rest))),
        (Kind::Value, Some(JsonPlace::Scalar)) => scalar(&[written, &rest].concat()),
        (Kind::Value, _) if rest.first() == Some(&b'"') => format!("\"{}", closed(&string(b"", &rest[1..]))),
        (Kind::Value, _) => scalar(&rest),
        (Kind::Space, _) => {
            let space = rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len());
            lossy(&rest[..space])
        }
        (Kind::Preface | Kind::Onward, _) => line(&rest),
        (Kind::Escape, _) => shown(&[refusal.read.as_slice(), &refusal.rest].concat()),
        _ => shown(&rest),
    }
}

/// Returns a string up to its closing quote, cut with an ellipsis where that is not known.
fn string(before: &[u8], rest: &[u8]) -> String {
    let text = [before, rest].concat();
    let mut is_escaped = false;
    let end = text.iter().position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    match end {
        Some(end) if end <= MOST_SHOWN => lossy(&text[..end]),
        _ => format!("{}…", lossy(&text).chars().take(MOST_SHOWN).collect::<String>()),
    }
}

/// Puts a quote behind a string that is known to its end.
fn closed(text: &str) -> String {
    if text.ends_with('…') { text.to_owned() } else { format!("{text}\"") }
}

/// Returns a value up to what ends it in an object or array; of an object or array only its beginning.
fn scalar(text: &[u8]) -> String {
    let text = lossy(text);
    let text = text.trim_start();
    let opens = text.chars().take_while(|c| matches!(c, '{' | '[')).count();
    let end = text[opens..].find([',', '}', ']', '\n']).map_or(text.len(), |end| opens + end);
    let cut: String = text[..end].chars().take(MOST_SHOWN).collect();
    if opens > 0 || cut.len() < end { format!("{cut}…") } else { cut.trim_end().to_owned() }
}

/// Returns the first line of a text that has words, or the beginning of one that has none.
fn line(text: &[u8]) -> String {
    let first = text.split(|byte| *byte == b'\n').find(|line| line.iter().any(|byte| !is_space(*byte)));
    shown(first.unwrap_or(text))
}

/// Returns the beginning of a text.
fn shown(text: &[u8]) -> String {
    let text = lossy(text);
    let cut: String = text.chars().take(MOST_SHOWN).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// Returns bytes as text, without the beginning of a character that ends them.
fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned()
}

#[cfg(test)]
mod tests {
    use ogc_runtime::matcher::MatcherPosition;

    use super::super::scan::Scanner;
    use super::*;

    /// Checks what is wanted behind a text, where a token is refused from `rest` on and the model goes on.
    #[track_caller]
    fn check(kind: Kind, text: &str, rest: &str, continuation: &str, expected: &str) {
        let mut json = Scanner::new();
        json.read(text.as_bytes());
        let position = MatcherPosition {
            expected: Vec::new(),
            tokens: Vec::new(),
            may_end: false,
            frames: Vec::new(),
            depth: 0,
            readings: 1,
        };
        let refusal = Refusal {
            text: 0,
            at: 0,
            token: 0,
            mass: 1.0,
            is_first: true,
            kind,
            read: Vec::new(),
            rest: rest.into(),
            position,
            json: Some(json),
            forced: Vec::new(),
            keys: Vec::new(),
        };
        assert_eq!(wanted(&refusal, continuation.as_bytes()), expected, "{text} {rest}{continuation}");
    }

    #[test]
    fn wanted_keys_and_values_are_whole() {
        check(Kind::Key, "{\"e", "ma", "il\": 1", "email");
        check(Kind::Key, "{", "\"email", "\": 1", "email");
        check(Kind::MoreKeys, "{\"a\":1", ", ", "\"b\": 2}", "b");
        check(Kind::Value, "{\"a\":\"ha", "ngry", "\", \"b\"", "\"hangry\"");
        check(Kind::Value, "{\"a\":", "\"x", "y\"}", "\"xy\"");
        check(Kind::Value, "{\"a\":", "nu", "ll, \"b\"", "null");
        check(Kind::Value, "{\"a\":1", "0", "5}", "105");
        check(Kind::Value, "{\"a\":", "[", "\"x\", 2", "[\"x\"…");
        check(
            Kind::Value,
            "{\"a\":\"",
            "never closed, and long, long, lo",
            "ng, long, so it is cut",
            "\"never closed, and long, long, long, long…",
        );
        check(Kind::Space, "{\"a\":", " \"x", "", " ");
        check(Kind::Preface, "", "Here is", " the JSON\n{", "Here is the JSON");
        check(Kind::Onward, "{}", "\n\n", "That is\n", "That is");
        check(Kind::Onward, "{}", "\n", "\n", "\n\n");
    }
}
