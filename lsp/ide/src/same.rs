//! Compares formats in tests: by their automata, or, if the automata are built differently, by the texts that they
//! accept.

use std::sync::{Arc, OnceLock};

use ogc_compiler::db::SourceFile;
use ogc_compiler::pipeline::{automaton, definitions, machine};
use ogc_kit::Random;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;
use ogc_runtime::walk::{Walk, Way};

use crate::snapshot::Snapshot;

/// Number of texts drawn from each automaton.
const TEXTS: usize = 60;

/// Number of moves after which a text is ended as soon as possible.
const MOVES: usize = 40;

/// Checks that every definition that both files have accepts the same texts, and that there is at least one.
pub(crate) fn same_definitions(one: (&Snapshot, SourceFile), other: (&Snapshot, SourceFile)) -> Result<(), String> {
    let others = definitions(&other.0.db, other.1);
    let mut count = 0;
    for format in definitions(&one.0.db, one.1) {
        let Some(there) = others.iter().find(|there| there.name == format.name) else { continue };
        count += 1;
        let (first, second) = (machine(&one.0.db, format.clone()), machine(&other.0.db, there.clone()));
        if first.is_some() && first == second {
            continue;
        }
        let (first, second) = (automaton(&one.0.db, format.clone()), automaton(&other.0.db, there.clone()));
        let (Some(first), Some(second)) = (first, second) else {
            return Err(format!("{:?} has errors", format.name));
        };
        if let Some(text) = difference(&first, &second).or_else(|| difference(&second, &first)) {
            return Err(format!("{:?} differs in {text:?}", format.name));
        }
    }
    if count == 0 { Err("nothing was compared".to_owned()) } else { Ok(()) }
}

/// Returns a text of one automaton, or a slightly changed one, on which the two automata disagree.
fn difference(one: &Arc<Automaton>, other: &Arc<Automaton>) -> Option<String> {
    let mut random = Random::new(7);
    for _ in 0..TEXTS {
        let mut text = text_of(one, &mut random);
        for _ in 0..3 {
            if accepts(one, &text) != accepts(other, &text) {
                return Some(String::from_utf8_lossy(&text).into_owned());
            }
            let at = random.below(text.len() + 1);
            match random.below(3) {
                0 if at < text.len() => drop(text.remove(at)),
                1 if at < text.len() => text[at] = *random.pick(b"a0\" ,"),
                _ => text.insert(at, *random.pick(b"a0\" ,")),
            }
        }
    }
    None
}

/// Draws a text.
fn text_of(automaton: &Arc<Automaton>, random: &mut Random) -> Vec<u8> {
    let mut walk = Walk::new(Arc::clone(automaton));
    let mut text = Vec::new();
    for moves in 0.. {
        let ways = walk.ways();
        if ways.is_empty() || moves > 4 * MOVES {
            break;
        }
        let leave = ways.iter().find(|way| matches!(way, Way::Leave));
        let way = leave.filter(|_| moves > MOVES || random.below(3) == 0).unwrap_or_else(|| random.pick(&ways));
        let way = match *way {
            Way::Read { lo, hi, op, to } => {
                let byte = if lo <= b'a' && b'a' <= hi { b'a' } else { lo };
                text.push(byte);
                Way::Read { lo: byte, hi: byte, op, to }
            }
            way => way,
        };
        walk.take(&way);
    }
    text
}

/// Returns whether an automaton accepts a text.
fn accepts(automaton: &Arc<Automaton>, text: &[u8]) -> bool {
    static STORE: OnceLock<Arc<MaskStore>> = OnceLock::new();
    let store = STORE.get_or_init(|| {
        let bytes: Vec<Option<[u8; 1]>> = (0..=u8::MAX).map(|byte| Some([byte])).collect();
        MaskStore::new(Arc::new(Vocabulary::from_tokens(&bytes, &[("</s>", 256)]).unwrap()))
    });
    let mut matcher = Matcher::new(Arc::clone(automaton), Arc::clone(store));
    matcher.accept_bytes(text).is_ok() && matcher.is_complete()
}
