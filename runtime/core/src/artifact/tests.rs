//! Tests of round trips, of reproducibility, and of altered bytes.

#[path = "../../tests/formats/mod.rs"]
mod formats;
mod item_choices;
mod pools;

use std::sync::Arc;

use super::{Artifact, Fingerprint, Format, LoadError, SourceMap, SourcePlace, encode, write};
use crate::automaton::{Automaton, TokenPolicy};
use crate::captures::{CapturePart, CaptureReader, Captures, Content};
use crate::container::{SectionKind, VERSION, assemble, repair};
use crate::mask::{MaskPack, MaskStore, PackLimits};
use crate::matcher::Matcher;
use crate::vocabulary::Vocabulary;
use ogc_kit::Random;

fn format(automaton: &Arc<Automaton>) -> Format {
    Format {
        automaton: Arc::clone(automaton),
        sources: SourceMap {
            sources: vec!["main.ogc".into(), "größe.ogc".into()],
            places: vec![
                SourcePlace { handle: 1, source: 0, start: 0, end: 9 },
                SourcePlace { handle: 4, source: 1, start: 3, end: 3 },
            ],
        },
        provenance: vec![("compiler".into(), "0.1.0".into()), ("source".into(), "".into())],
        content: Content::Parts(Arc::new(captures(automaton))),
    }
}

/// Makes captures from any automaton: the automaton of captures need not have marks.
fn captures(automaton: &Arc<Automaton>) -> Captures {
    Captures {
        automaton: Arc::clone(automaton),
        parts: vec![CapturePart::Capture("one".into()), CapturePart::Call("größe".into()), CapturePart::Value],
    }
}

fn packed(automaton: &Arc<Automaton>, store: &Arc<MaskStore>) -> Vec<u8> {
    let pack = MaskPack::build(automaton, store, &PackLimits::default(), |_, _| {});
    write(&format(automaton), Some(&pack.expect("a pack")))
}

#[test]
fn loaded_artifacts_equal_written_ones() {
    let store = MaskStore::new(formats::vocabulary());
    for (name, automaton) in formats::all() {
        let bytes = packed(&automaton, &store);
        let artifact = Artifact::load(bytes.clone()).expect(name);
        assert_eq!(artifact.format(), &format(&automaton), "{name}");
        let masks = artifact.masks_for(&store).expect("this vocabulary").expect("masks");
        let again = write(artifact.format(), Some(masks));
        assert!(bytes == again, "{name}: writing what was loaded gives the same bytes");
        let mut matcher = artifact.matcher(Arc::clone(&store)).expect("a matcher");
        formats::assert_mask_is_exact(&mut matcher);
    }
}

/// The kind of a row is a number in the file: an unknown number is rejected, and does not become an empty row.
#[test]
fn rows_of_an_unknown_kind_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let (_, automaton) = formats::all().swap_remove(0);
    let pack = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).expect("a pack");
    let mut sections: Vec<(SectionKind, Vec<u8>)> =
        encode::sections(&format(&automaton)).into_iter().chain(pack.sections()).collect();
    let rows = sections.iter_mut().find(|(kind, _)| *kind == SectionKind::Rows).expect("rows");
    rows.1[0] = 3;
    let refused = Artifact::load(assemble(&sections)).err();
    assert_eq!(refused, Some(LoadError::Invalid { section: "rows", what: "an unknown kind" }));
}

/// Loading rejects trees of ways whose entries are not nested, or whose steps the format does not have.
#[test]
fn malformed_way_trees_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let all = formats::all();
    let (_, automaton) = all.iter().find(|(name, _)| *name == "seven keys in any order").expect("a format");
    let pack = MaskPack::build(automaton, &store, &PackLimits::default(), |_, _| {}).expect("a pack");
    let load = |word: usize, value: u32| {
        let stored = pack.sections().into_iter().map(|(kind, content)| (kind, content.to_vec()));
        let mut sections: Vec<(SectionKind, Vec<u8>)> =
            encode::sections(&format(automaton)).into_iter().chain(stored).collect();
        let ways = sections.iter_mut().find(|(kind, _)| *kind == SectionKind::WayEntries).expect("ways");
        ways.1[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
        Artifact::load(assemble(&sections)).err()
    };
    // The words of the first entry: the kind and the operation of its step, an escape, and the number of entries below.
    let refused = |what: &'static str| Some(LoadError::Invalid { section: "entries of ways", what });
    assert_eq!(load(0, 2), refused("an unknown step"));
    assert_eq!(load(1, u32::MAX), refused("an unknown step"));
    assert_eq!(load(2, 1), refused("an unknown step"));
    assert_eq!(load(3, u32::MAX), refused("they do not lie in each other"));
    assert_eq!(load(4, u32::MAX - 1), refused("an unknown row"));
    assert_eq!(load(5, u32::MAX), refused("unknown exits"));
}

/// The token policy is the seventh word of the format's record; 0 means no policy.
#[test]
fn policies_for_tokens_are_kept_and_unknown_ones_refused() {
    let (_, automaton) = formats::all().swap_remove(0);
    for (policy, word) in [(None, 0), (Some(TokenPolicy::Canonical), 1), (Some(TokenPolicy::Any), 2)] {
        let with_policy = Arc::new(Automaton { token_policy: policy, ..(*automaton).clone() });
        let mut sections = encode::sections(&format(&with_policy));
        let (_, record) = sections.iter_mut().find(|(kind, _)| *kind == SectionKind::Format).expect("a record");
        assert_eq!(record[24..28], u32::to_le_bytes(word));
        record[24] = 3;
        let refused = Some(LoadError::Invalid { section: "format", what: "an unknown policy for tokens" });
        assert_eq!(Artifact::load(assemble(&sections)).err(), refused);
        let loaded = Artifact::load(write(&format(&with_policy), None)).expect("an artifact");
        assert_eq!(loaded.format().automaton.token_policy, policy);
        let store = MaskStore::new(formats::vocabulary());
        let pack = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {}).expect("a pack");
        assert!(loaded.with_masks(Arc::new(pack)).is_ok(), "masks do not depend on it");
    }
}

#[test]
fn other_vocabularies_and_versions_are_refused_with_errors_of_their_own() {
    let store = MaskStore::new(formats::vocabulary());
    let (_, automaton) = formats::all().swap_remove(0);
    let mut bytes = packed(&automaton, &store);
    let artifact = Artifact::load(bytes.clone()).expect("an artifact");
    let other = Vocabulary::from_tokens(&[Some("\"")], &[]).expect("a vocabulary");
    let expected = Fingerprint(other.fingerprint());
    let refused = artifact.matcher(MaskStore::new(Arc::new(other))).err();
    let given = Fingerprint(store.vocabulary().fingerprint());
    assert_eq!(refused, Some(LoadError::OtherVocabulary { given, expected }));
    let (_, another) = formats::all().swap_remove(4);
    let masks = Arc::clone(artifact.masks().expect("masks"));
    let refused = Matcher::with_masks(another, store, masks).err();
    assert!(matches!(refused, Some(LoadError::Invalid { section: "masks", .. })));
    bytes[8] = VERSION as u8 + 1;
    let refused = Artifact::load(bytes.clone()).err();
    assert_eq!(refused, Some(LoadError::Version { given: VERSION + 1, supported: VERSION }));
    bytes[8] = VERSION as u8;
    bytes.push(0);
    assert!(matches!(Artifact::load(bytes).err(), Some(LoadError::Invalid { .. })));
    assert_eq!(Artifact::load("{}").err(), Some(LoadError::NotAnArtifact));
}

#[test]
fn every_truncation_and_every_flip_is_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(11);
    for (name, automaton) in formats::all().into_iter().step_by(4) {
        let bytes = packed(&automaton, &store);
        for _ in 0..300 {
            let mut altered = bytes.clone();
            altered.truncate(random.below(bytes.len()));
            let error = Artifact::load(altered).err();
            let named = matches!(error, Some(LoadError::NotAnArtifact | LoadError::Truncated { .. }));
            assert!(named, "{name}: {error:?}");
            let mut altered = bytes.clone();
            altered[random.below(bytes.len())] ^= 1 << random.below(8);
            assert!(Artifact::load(altered).is_err(), "{name}");
        }
    }
}

/// Bytes are flipped and the checksums fixed: loading gives an error or a format that works, never a panic or an endless loop.
#[test]
fn flips_under_right_checksums_never_panic() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(13);
    let (mut refused, mut loaded) = (0, 0);
    for (_, automaton) in formats::all() {
        let plain = write(&format(&automaton), None);
        let full = packed(&automaton, &store);
        for round in 0..400 {
            // Most of a full artifact is rows, so every second round alters an artifact without masks.
            let mut altered = if round % 2 == 0 { plain.clone() } else { full.clone() };
            let start = if round % 4 == 1 { plain.len().min(altered.len() - 1) } else { 40 };
            for _ in 0..1 + random.below(3) {
                let at = start + random.below(altered.len() - start);
                altered[at] ^= 1 << random.below(8);
            }
            repair(&mut altered);
            match Artifact::load(altered) {
                Ok(artifact) => {
                    loaded += 1;
                    drive(&artifact, &store, &mut random);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 500 && loaded > 500, "{refused} refused, {loaded} loaded");
}

/// Steps a format that was loaded from altered bytes: masks may be wrong, but every call must return.
fn drive(artifact: &Artifact, store: &Arc<MaskStore>, random: &mut Random) {
    // The store is shared: rows are keyed by content, so rows of altered rules do not mix with others.
    let Ok(mut matcher) = artifact.matcher(Arc::clone(store)) else {
        return;
    };
    let mut reader = CaptureReader::new(Arc::new(captures(&artifact.format().automaton)));
    for _ in 0..12 {
        let Ok(mask) = matcher.mask() else { return };
        let tokens = mask.tokens();
        let Some(&token) = tokens.get(random.below(tokens.len())) else {
            return;
        };
        // An altered row can allow what the format refuses.
        let _ = matcher.accept_token(token);
        let _ = reader.accept_token(store.vocabulary(), token);
        let _ = reader.captures();
        let _ = matcher.is_complete();
        if matcher.is_terminated() {
            return;
        }
    }
}
