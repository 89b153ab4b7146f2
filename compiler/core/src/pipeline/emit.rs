//! From an automaton to masks for a vocabulary, and to the bytes of an artifact.

use std::sync::Arc;

use ogc_runtime::artifact::{Format, LoadError, Place, SourceMap, write};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, PackLimits};

use super::{automaton, machine, place};
use crate::db::{Db, SourceFile, VocabularyInput};

/// What a stage after compilation gives: nothing where the source has errors.
pub type Built<T> = Result<Option<Arc<T>>, LoadError>;

/// All masks of a file for a vocabulary. Depends on what the automaton does, not on where it was written.
///
/// # Errors
/// The automaton breaks an invariant that an artifact must have.
#[salsa::tracked(returns(clone), no_eq)]
pub fn masks(db: &dyn Db, file: SourceFile, vocabulary: VocabularyInput) -> Built<MaskPack> {
    let Some(machine) = machine(db, file) else { return Ok(None) };
    let cancelled = |_, _| db.unwind_if_revision_cancelled();
    let pack = MaskPack::build(&machine.0, &vocabulary.store(db), &PackLimits::default(), cancelled)?;
    Ok(Some(Arc::new(pack)))
}

/// The artifact of a file with its masks for a vocabulary.
///
/// # Errors
/// As [`masks`].
#[salsa::tracked(returns(clone))]
pub fn artifact(db: &dyn Db, file: SourceFile, vocabulary: VocabularyInput) -> Built<[u8]> {
    let Some(format) = format(db, file) else { return Ok(None) };
    let masks = masks(db, file, vocabulary)?;
    Ok(Some(write(&format, masks.as_deref()).into()))
}

/// The artifact of a file without masks: an engine computes them as it needs them.
#[salsa::tracked(returns(clone))]
pub fn bare_artifact(db: &dyn Db, file: SourceFile) -> Option<Arc<[u8]>> {
    format(db, file).map(|format| write(&format, None).into())
}

fn format(db: &dyn Db, file: SourceFile) -> Option<Format> {
    let automaton = automaton(db, file)?;
    let sources = source_map(db, file, &automaton);
    let provenance = vec![
        ("compiler".to_owned(), concat!("ogc ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("language".to_owned(), file.language(db).name().to_owned()),
    ];
    Some(Format { automaton, sources, provenance })
}

/// The places of all handles that the automaton carries.
fn source_map(db: &dyn Db, file: SourceFile, automaton: &Automaton) -> SourceMap {
    let rules = automaton.rules.iter().map(|rule| rule.origin);
    let mut handles: Vec<u32> = rules.chain(automaton.origins.iter().copied()).collect();
    handles.sort_unstable();
    handles.dedup();
    let places = handles.into_iter().filter_map(|handle| {
        let span = place(db, file, handle)?;
        Some(Place { handle, source: 0, start: span.start, end: span.end })
    });
    SourceMap { sources: vec![file.name(db).to_owned()], places: places.collect() }
}
