//! Finds and loads models.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use always_assert::never;
use ogc_generate::{GenerateError, LoadedModel};

use super::engine;
use crate::args::device::{DeviceArgs, ModelDevice, ModelEngine};
use crate::args::draft::DraftArgs;
use crate::problem::Problem;

/// Environment variable that names the folder of models.
const FOLDER: &str = "OGC_MODELS";

/// Loads a model, its tokenizer and its chat template from a file or folder, with room for `texts` concurrent
/// sequences.
pub(in crate::commands) fn load(named: &Path, place: &DeviceArgs, texts: usize) -> Result<LoadedModel, Problem> {
    engine::check(place)?;
    if let (ModelEngine::Embedded, Some(threads)) = (place.engine, place.threads) {
        ogc_generate::use_threads(threads)
            .map_err(|error| Problem::Usage { message: format!("`--threads`: {error}") })?;
    }
    load_one(named, place, texts)
}

/// Loads a model to its device. The threads of the embedded engine must have been set before, because all models share
/// them.
fn load_one(named: &Path, place: &DeviceArgs, texts: usize) -> Result<LoadedModel, Problem> {
    if place.engine == ModelEngine::Llama {
        return engine::load(&find(named)?, place, texts);
    }
    let loaded = on_host(named)?;
    match place.device {
        ModelDevice::Cpu => Ok(loaded),
        ModelDevice::Cuda => on_device(loaded, place, texts),
    }
}

/// Loads a model like [`load`], and its draft model if one is named.
pub(in crate::commands) fn load_with_draft(
    named: &Path,
    draft: &DraftArgs,
    place: &DeviceArgs,
    texts: usize,
) -> Result<LoadedModel, Problem> {
    let Some(draft) = &draft.draft else { return load(named, place, texts) };
    let failed = |message: String| Problem::Usage { message: format!("`--draft {}`: {message}", draft.display()) };
    if place.device != ModelDevice::Cpu {
        let reason = "drafts by a model are not supported on a device: leave out `--draft` or `--device`";
        return Err(failed(reason.to_owned()));
    }
    let loaded = load(named, place, texts)?;
    loaded.with_draft(load_one(draft, place, texts)?).map_err(|error| failed(error.to_string()))
}

/// Puts a model on the first device.
#[cfg(feature = "cuda")]
fn on_device(loaded: LoadedModel, place: &DeviceArgs, texts: usize) -> Result<LoadedModel, Problem> {
    let texts = u32::try_from(texts).unwrap_or(u32::MAX);
    let failed = |error| Problem::Usage { message: format!("`--device cuda`: {error}") };
    loaded.on_device(0, texts, place.positions.get()).map_err(failed)
}

/// Reports that this program was built without support for devices.
#[cfg(not(feature = "cuda"))]
fn on_device(_loaded: LoadedModel, _place: &DeviceArgs, _texts: usize) -> Result<LoadedModel, Problem> {
    let message =
        "`--device cuda`: this `ogc` was built without it: build it with `--features cuda`, or leave the flag out";
    Err(Problem::Usage { message: message.to_owned() })
}

fn on_host(named: &Path) -> Result<LoadedModel, Problem> {
    let path = find(named)?;
    let unreadable = |error| Problem::Unreadable { path: path.clone(), error };
    let loaded = if path.is_dir() {
        LoadedModel::from_folder(|name| open_if_there(&path.join(name)))
    } else {
        LoadedModel::from_gguf(File::open(&path).map_err(unreadable)?)
    };
    loaded.map_err(|error| match error {
        GenerateError::Io(error) => unreadable(error),
        other => unreadable(io::Error::new(io::ErrorKind::InvalidData, other)),
    })
}

/// Opens a file; `None` if it does not exist.
fn open_if_there(path: &Path) -> io::Result<Option<File>> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Finds a model by its path, or by a prefix of its name in the folder of models, ignoring case.
fn find(named: &Path) -> Result<PathBuf, Problem> {
    let name = named.to_string_lossy().to_lowercase();
    let folder = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty());
    let (false, 1, Some(folder)) = (named.exists(), named.components().count(), folder) else {
        return Ok(named.to_owned());
    };
    let entries =
        std::fs::read_dir(&folder).map_err(|error| Problem::Unreadable { path: folder.clone().into(), error })?;
    let begins = |path: &PathBuf| {
        let file = file_name(path).to_lowercase();
        file.starts_with(&name) && (file.ends_with(".gguf") || path.is_dir())
    };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(begins).collect();
    found.sort();
    match &found[..] {
        [only] => Ok(only.clone()),
        [] => Ok(named.to_owned()),
        [first, second, ..] => {
            let message = format!(
                "`--model {}` is the beginning of {} and of {}: write more of the name",
                named.display(),
                file_name(first),
                file_name(second)
            );
            Err(Problem::Usage { message })
        }
    }
}

/// Returns the name of an entry of a folder.
fn file_name(path: &Path) -> String {
    let Some(name) = path.file_name() else {
        never!("the entry {} of a folder has no name", path.display());
        return String::new();
    };
    name.to_string_lossy().into_owned()
}
