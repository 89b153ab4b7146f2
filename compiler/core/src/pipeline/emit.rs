//! Builds masks for a vocabulary from an automaton, and the bytes of an artifact.

use std::sync::Arc;

use ogc_regular::budget::poll;
use ogc_runtime::artifact::{self, LoadError, SourceMap, SourcePlace, write, write_pooled};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::{MaskPack, PackLimits};

use super::place::place_in;
use super::{Format, automaton, content, machine};
use crate::db::{Db, SourceFile, VocabularyInput};

/// The result of a stage after compilation; `None` if the source has errors.
pub type Built<T> = Result<Option<Arc<T>>, LoadError>;

/// Returns all masks of a format for a vocabulary. They depend on the automaton's behaviour, not on its places in the
/// source.
///
/// # Errors
/// The automaton breaks an invariant that an artifact must have, or the vocabulary lacks a token that it names.
pub fn masks(db: &dyn Db, format: impl Into<Format>, vocabulary: VocabularyInput) -> Built<MaskPack> {
    let Format { file, name } = format.into();
    masks_of(db, file, name, vocabulary)
}

#[salsa::tracked(returns(clone), no_eq)]
fn masks_of(db: &dyn Db, file: SourceFile, name: Option<Arc<str>>, vocabulary: VocabularyInput) -> Built<MaskPack> {
    let Some(machine) = machine(db, Format { file, name }) else { return Ok(None) };
    let cancelled = |_, _| db.unwind_if_revision_cancelled();
    let pack = MaskPack::build(&machine.0, &vocabulary.store(db), &PackLimits::default(), cancelled)?;
    db.count_kept(pack.report().row_bytes as u64);
    Ok(Some(Arc::new(pack)))
}

/// Returns the artifact of a format with its masks for a vocabulary.
///
/// # Errors
/// As [`masks`].
pub fn artifact(db: &dyn Db, format: impl Into<Format>, vocabulary: VocabularyInput) -> Built<[u8]> {
    let Format { file, name } = format.into();
    artifact_of(db, file, name, vocabulary)
}

#[salsa::tracked(returns(clone))]
fn artifact_of(db: &dyn Db, file: SourceFile, name: Option<Arc<str>>, vocabulary: VocabularyInput) -> Built<[u8]> {
    let format = Format { file, name };
    let Some(runtime) = runtime_format(db, &format) else { return Ok(None) };
    let masks = masks(db, format, vocabulary)?;
    let bytes = write(&runtime, masks.as_deref());
    db.count_kept(bytes.len() as u64);
    Ok(Some(bytes.into()))
}

/// Returns the artifact of a format whose mask rows are in a pool. The pool must contain the rows of the [`masks`].
///
/// # Errors
/// As [`masks`].
pub fn pooled_artifact(db: &dyn Db, format: impl Into<Format>, vocabulary: VocabularyInput) -> Built<[u8]> {
    let format = format.into();
    let Some(runtime) = runtime_format(db, &format) else { return Ok(None) };
    let masks = masks(db, format, vocabulary)?;
    Ok(masks.map(|masks| write_pooled(&runtime, &masks).into()))
}

/// Returns the artifact of a format without masks: an engine computes masks when it needs them.
pub fn bare_artifact(db: &dyn Db, format: impl Into<Format>) -> Option<Arc<[u8]>> {
    runtime_format(db, &format.into()).map(|format| write(&format, None).into())
}

fn runtime_format(db: &dyn Db, format: &Format) -> Option<artifact::Format> {
    let automaton = automaton(db, format.clone())?;
    let sources = source_map(db, format, &automaton);
    let mut provenance = vec![
        ("compiler".to_owned(), concat!("ogc ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("language".to_owned(), format.file.language(db).name().to_owned()),
    ];
    provenance.extend(format.name.iter().map(|name| ("output".to_owned(), name.to_string())));
    let content = content(db, format.clone());
    Some(artifact::Format { automaton, sources, provenance, content })
}

/// Returns the source map: the places of all handles in the automaton.
fn source_map(db: &dyn Db, format: &Format, automaton: &Automaton) -> SourceMap {
    let rules = automaton.rules.iter().map(|rule| rule.origin);
    let mut handles: Vec<u32> = rules.chain(automaton.origins.iter().copied()).collect();
    handles.sort_unstable();
    handles.dedup();
    let mut sources = vec![format.file.name(db).to_owned()];
    let mut places = Vec::new();
    for handle in handles {
        poll();
        let Some((file, span)) = place_in(db, format, handle) else { continue };
        let name = file.name(db);
        let known = sources.iter().position(|source| source == name);
        let source = known.unwrap_or_else(|| {
            sources.push(name.to_owned());
            sources.len() - 1
        });
        places.push(SourcePlace { handle, source: source as u32, start: span.start, end: span.end });
    }
    SourceMap { sources, places }
}
