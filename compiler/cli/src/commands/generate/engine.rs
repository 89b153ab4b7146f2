//! Finds libllama, and loads models into it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_generate::{GenerateError, LoadedModel};
use ogc_llama::{Library, LlamaError, LlamaModel, LlamaOptions};

use crate::args::device::{DeviceArgs, ModelDevice, ModelEngine};
use crate::problem::Problem;

/// Environment variable that names the library file, or the folder that holds it.
const LIBRARY: &str = "OGC_LLAMA";

/// Reports arguments that do not apply to the chosen engine.
pub(super) fn check(place: &DeviceArgs) -> Result<(), Problem> {
    let message = match (place.engine, place.device) {
        (ModelEngine::Llama, ModelDevice::Cuda) => {
            "`--device cuda` is for the embedded engine: with `--engine llama`, use `--gpu-layers` instead"
        }
        (ModelEngine::Embedded, _) if place.library.is_some() => {
            "`--library` needs `--engine llama`: add that, or remove `--library`"
        }
        (ModelEngine::Embedded, _) if place.gpu_layers.is_some() => {
            "`--gpu-layers` needs `--engine llama`: add that, or remove `--gpu-layers`"
        }
        _ => return Ok(()),
    };
    Err(Problem::Usage { message: message.to_owned() })
}

/// Loads a model into libllama, with room for `texts` concurrent sequences.
pub(super) fn load(path: &Path, place: &DeviceArgs, texts: usize) -> Result<LoadedModel, Problem> {
    if path.is_dir() {
        let message =
            format!("`--engine llama` takes a GGUF file, and {} is a folder: leave the engine out", path.display());
        return Err(Problem::Usage { message });
    }
    let library = library(place)?;
    let texts = u32::try_from(texts).unwrap_or(u32::MAX);
    let options = LlamaOptions {
        gpu_layers: place.gpu_layers,
        ..with_threads(LlamaOptions::new(texts, place.positions.get()), place)
    };
    let unreadable = |error| Problem::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let loaded = LoadedModel::in_engine(file, || {
        let model = LlamaModel::load(&library, path, options)?;
        let tokenizer = Arc::new(model.tokenizer());
        Ok((Box::new(model), tokenizer))
    });
    loaded.map_err(|error| match error {
        GenerateError::Io(error) => unreadable(error),
        GenerateError::Engine(message) => Problem::Usage { message: format!("`--engine llama`: {message}") },
        other => unreadable(std::io::Error::new(std::io::ErrorKind::InvalidData, other)),
    })
}

fn with_threads(options: LlamaOptions, place: &DeviceArgs) -> LlamaOptions {
    let threads = place.threads.map(|threads| u32::try_from(threads.get()).unwrap_or(u32::MAX));
    LlamaOptions { threads: threads.unwrap_or(options.threads), ..options }
}

/// Opens the named library, or the first one that the system finds.
fn library(place: &DeviceArgs) -> Result<Library, Problem> {
    let named = std::env::var_os(LIBRARY).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = place.library.clone().or(named) {
        let path = in_folder(path)?;
        let backends = path.parent().map(Path::to_owned);
        return Library::open(&path, backends.as_deref()).map_err(|error| refused(&error));
    }
    let mut refusal = None;
    for name in Library::names() {
        match Library::open(name.as_ref(), None) {
            Ok(library) => return Ok(library),
            // An error about an existing library is more useful than an error about a missing one.
            Err(LlamaError::Open { .. }) => {}
            Err(error) => drop(refusal.get_or_insert(error)),
        }
    }
    Err(refusal.map_or_else(not_found, |error| refused(&error)))
}

fn refused(error: &LlamaError) -> Problem {
    Problem::Usage { message: format!("`--engine llama`: {error}") }
}

fn not_found() -> Problem {
    let message = format!(
        "`--engine llama`: the system finds no {}: name the library of llama.cpp, or the folder with it, by `--library` or {LIBRARY}",
        Library::names()[0]
    );
    Problem::Usage { message }
}

/// Returns the full path of a library; if the path is a folder, searches for the library in it.
fn in_folder(path: PathBuf) -> Result<PathBuf, Problem> {
    let unreadable = |error| Problem::Unreadable { path: path.clone(), error };
    let whole = std::fs::canonicalize(&path).map_err(unreadable)?;
    if !whole.is_dir() {
        return Ok(whole);
    }
    let entries = std::fs::read_dir(&whole).map_err(unreadable)?;
    let is_library = |path: &PathBuf| path.file_name().is_some_and(Library::is_named);
    // If several links lead to the same file, the shortest name is taken.
    let found = entries.flatten().map(|entry| entry.path()).filter(is_library);
    found.min_by_key(|path| (path.as_os_str().len(), path.clone())).ok_or_else(|| {
        let message = format!("`--library {}`: the folder has no {}", path.display(), Library::names()[0]);
        Problem::Usage { message }
    })
}
