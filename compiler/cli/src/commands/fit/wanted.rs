//! Finds the text that the model wanted. A refused token is only its beginning, so the model continues freely after the
//! token for a few tokens.

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

/// Maximum number of tokens of a continuation.
const MOST_TOKENS: u32 = 8;

/// Maximum number of places with a continuation.
const MOST_PLACES: usize = 48;

/// Maximum number of characters shown of a wanted text.
const MOST_SHOWN: usize = 40;

/// Maximum bytes of cached prompts, which many continuations share.
const KEPT: usize = 1 << 28;

/// The largest byte that occurs in UTF-8.
const LAST_BYTE: u8 = 0xf4;

/// The common part of similar refusals: one continuation serves all of them.
pub(super) type Alike<G> = (G, u32);

/// Writes continuations for similar refusals, once for the heaviest of them, the most probable refusals first. Skips
/// places whose context has no room, and groups below the minimum probability, which are not reported.
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

/// Returns whether the first token alone does not tell what the model wants.
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

/// Starts a free text after a refused token; `None` if the context has no room.
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

/// Returns the bytes of each continuation, as far as the model gets.
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

/// Returns the text that the model wants, as far as it is known: a key, a value, or the beginning of a text.
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

/// Returns a string up to its closing quote; a string that is not closed ends with an ellipsis.
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

/// Appends a quote to a string that was not cut.
fn closed(text: &str) -> String {
    if text.ends_with('…') { text.to_owned() } else { format!("{text}\"") }
}

/// Returns a value up to its end inside an object or array; for an object or array, only its beginning.
fn scalar(text: &[u8]) -> String {
    let text = lossy(text);
    let text = text.trim_start();
    let opens = text.chars().take_while(|c| matches!(c, '{' | '[')).count();
    let end = text[opens..].find([',', '}', ']', '\n']).map_or(text.len(), |end| opens + end);
    let cut: String = text[..end].chars().take(MOST_SHOWN).collect();
    if opens > 0 || cut.len() < end { format!("{cut}…") } else { cut.trim_end().to_owned() }
}

/// Returns the first line that is not blank; the beginning of the text if all lines are blank.
fn line(text: &[u8]) -> String {
    let first = text.split(|byte| *byte == b'\n').find(|line| line.iter().any(|byte| !is_space(*byte)));
    shown(first.unwrap_or(text))
}

/// Returns at most [`MOST_SHOWN`] characters of a text.
fn shown(text: &[u8]) -> String {
    let text = lossy(text);
    let cut: String = text.chars().take(MOST_SHOWN).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}

/// Decodes bytes, without an incomplete character at their end.
fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).trim_end_matches(char::REPLACEMENT_CHARACTER).to_owned()
}

#[cfg(test)]
mod tests {
    use ogc_runtime::matcher::MatcherPosition;

    use super::super::scan::Scanner;
    use super::*;

    /// Checks the wanted text where `rest` of a token is refused after `text` and the model continues with
    /// `continuation`.
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
    fn wanted_keys_and_values_are_completed_beyond_the_refused_token() {
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
