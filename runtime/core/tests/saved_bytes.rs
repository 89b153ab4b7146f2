//! Altered bytes of saved states give an error, or a place in a text of the format, and never anything else.

use crate::formats;

use std::sync::Arc;

use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{Matcher, RestoreError};

/// The bytes before the fields: a magic number, the version, the length, the checksum.
const HEADER: usize = 8 + 4 + 8 + 32;

/// Corrects the length and the checksum.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let len = bytes.len() as u64;
    bytes[12..20].copy_from_slice(&len.to_le_bytes());
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..20]).update(&bytes[HEADER..]);
    bytes[20..HEADER].copy_from_slice(hasher.finalize().as_bytes());
    bytes
}

/// A saved state of a format after some tokens; half of them have a budget.
fn saved(automaton: &Arc<Automaton>, store: &Arc<MaskStore>, random: &mut Random) -> Vec<u8> {
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.set_rollback_window([None, Some(2)][random.below(2)]);
    for _ in 0..random.below(14) {
        if random.below(8) == 0 {
            // A budget that does not fit is not set.
            let _ = matcher.set_budget(Some(8 + random.below(20) as u32));
        }
        let tokens = matcher.mask().map(|mask| mask.tokens()).unwrap_or_default();
        let Some(&token) = tokens.get(random.below(tokens.len())) else { break };
        let text = matcher.store().vocabulary().text(token).unwrap_or_default().to_vec();
        let _ = if random.below(5) == 0 { matcher.accept_bytes(&text) } else { matcher.accept_token(token) };
    }
    matcher.save()
}

#[test]
fn truncated_and_flipped_states_are_refused() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(17);
    for (name, automaton) in formats::all() {
        let bytes = saved(&automaton, &store, &mut random);
        let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
        assert_eq!(matcher.restore(&bytes), Ok(()), "{name}");
        for len in 0..bytes.len() {
            let error = matcher.restore(&bytes[..len]).err();
            let named = matches!(error, Some(RestoreError::NotAState | RestoreError::Length { .. }));
            assert!(named, "{name}: {error:?}");
        }
        for at in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << random.below(8);
            let error = matcher.restore(&altered).err();
            let named = match at {
                0..8 => error == Some(RestoreError::NotAState),
                8..12 => matches!(error, Some(RestoreError::Version { .. })),
                12..20 => matches!(error, Some(RestoreError::Length { .. })),
                _ => error == Some(RestoreError::Corrupt),
            };
            assert!(named, "{name}, byte {at}: {error:?}");
        }
    }
}

/// An altered state with a corrected checksum gives an error, or a matcher whose masks are exact.
#[test]
fn flipped_states_with_valid_checksums_give_an_error_or_a_valid_matcher() {
    let store = MaskStore::new(formats::vocabulary());
    let mut random = Random::new(19);
    let [mut refused, mut restored] = [0; 2];
    for (name, automaton) in formats::all() {
        for round in 0..300 {
            let mut altered = saved(&automaton, &store, &mut random);
            // After the fingerprints.
            let first = HEADER + 64;
            for _ in 0..1 + random.below(2) {
                let at = first + random.below(altered.len() - first);
                match random.below(3) {
                    0 => altered[at] = random.below(256) as u8,
                    1 => altered[at] ^= 1 << random.below(8),
                    _ => {
                        let from = first + random.below(altered.len() - first);
                        altered[at] = altered[from];
                    }
                }
            }
            if round % 5 == 0 {
                let cut = random.below(altered.len() - first);
                altered.truncate(first + cut);
            }
            let mut matcher = Matcher::new(Arc::clone(&automaton), Arc::clone(&store));
            match matcher.restore(&seal(altered)) {
                Err(_) => {
                    assert!(matcher.is_empty(), "{name}");
                    refused += 1;
                }
                Ok(()) => {
                    restored += 1;
                    drive(matcher, &mut random);
                }
            }
        }
    }
    assert!(refused > 500 && restored > 500, "{refused} refused, {restored} restored");
}

/// Continues from a restored place, and checks that masks are exact. A budget may have run out, which is an error.
fn drive(mut matcher: Matcher, random: &mut Random) {
    for _ in 0..3 {
        let Ok(mask) = matcher.mask() else { return };
        formats::assert_mask_is_exact(&mut matcher);
        let tokens = mask.tokens();
        match tokens.get(random.below(tokens.len())) {
            Some(&token) => matcher.accept_token(token).expect("the mask allows it"),
            None => return,
        }
    }
    matcher.rollback(1).expect("it was just accepted");
    let _ = matcher.mask();
}
