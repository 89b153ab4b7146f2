//! Loads vocabularies by name or from files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::{END_CONFIGS, Gguf, MAX_SOURCE_BYTES, TokenId, Vocabulary, ends_of_config};
use ogc_workbench::mask_view::find_token;
use ogc_workbench::vocabulary::{BUILT_IN, Encoder, default_vocabulary, is_tiktoken, parse};

use crate::files;
use crate::problem::Problem;

/// Loads a vocabulary from a tokenizer file, from a model's file or folder, or the built-in one. `ends` are the tokens
/// that end a text, by name or id; they replace those that the files name.
pub(crate) fn load(path: &Path, ends: &[String]) -> Result<Arc<MaskStore>, Problem> {
    if path == Path::new(BUILT_IN) {
        let vocabulary = default_vocabulary().map_err(|error| failed(path, &error))?;
        return Ok(store(ended(vocabulary, ends, path)?));
    }
    let file = in_folder(path)?;
    let vocabulary = if is_gguf(&file) { of_gguf(&file)? } else { of_tokenizer(&file, ends)? };
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(store(ended(vocabulary, ends, path)?.with_name(&name)))
}

/// Returns the files that a vocabulary is read from; `None` for a model file, which is too long to be compared.
pub(crate) fn sources(path: &Path) -> Option<Vec<PathBuf>> {
    if path == Path::new(BUILT_IN) {
        return Some(Vec::new());
    }
    let file = in_folder(path).ok().filter(|file| !is_gguf(file))?;
    let configs = END_CONFIGS.iter().map(|name| file.with_file_name(name)).filter(|beside| beside.is_file());
    Some(std::iter::once(file.clone()).chain(configs).collect())
}

/// Names of tokenizer files in the folder of a model, in order of preference.
const FILES: [&str; 3] = ["tokenizer.json", "tekken.json", "tokenizer.model"];

/// Returns the tokenizer file in a model's folder, or else its only GGUF or tiktoken file. A path to a file is returned
/// as it is.
fn in_folder(path: &Path) -> Result<PathBuf, Problem> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    if let Some(file) = FILES.iter().map(|name| path.join(name)).find(|file| file.is_file()) {
        return Ok(file);
    }
    let is_model = |name: &str| name.ends_with(".gguf") || name.ends_with(".tiktoken");
    let mut found = files::matching(&[path.to_owned()], is_model).found;
    found.retain(|file| file.path.parent() == Some(path));
    match found.as_slice() {
        [only] => Ok(only.path.clone()),
        several => {
            let (files, count) = (FILES.join(", no "), several.len());
            let message = format!(
                "the folder has no {files}, and {count} .gguf or .tiktoken files: give the path of the right file"
            );
            Err(Problem::Vocabulary { path: path.to_owned(), message })
        }
    }
}

fn is_gguf(path: &Path) -> bool {
    let mut magic = [0; 4];
    !files::is_device(path)
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok())
        && &magic == b"GGUF"
}

/// Reads the head of a model file, which names the tokens that end a text.
fn of_gguf(path: &Path) -> Result<Vocabulary, Problem> {
    let unreadable = |error| Problem::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let len = file.metadata().map_err(unreadable)?.len();
    let gguf = Gguf::read(file, len).map_err(|error| failed(path, &error))?;
    Vocabulary::from_gguf(&gguf).map_err(|error| failed(path, &error))
}

/// Reads a tokenizer file; configuration files next to it name more tokens that end a text. A file of ranks has no
/// special tokens, so `ends` may give them with ids: `</s>=256`.
fn of_tokenizer(path: &Path, ends: &[String]) -> Result<Vocabulary, Problem> {
    let bytes = files::read(path, MAX_SOURCE_BYTES)?;
    let added: Vec<(&str, u32)> = ends.iter().filter_map(|end| numbered(end)).collect();
    let vocabulary = if is_tiktoken(&bytes) { Vocabulary::from_tiktoken(&bytes, &added) } else { parse(&bytes) };
    let vocabulary = vocabulary.map_err(|error| failed(path, &error))?;
    let mut ends = vocabulary.eos().to_vec();
    for (_, more) in configured(path)? {
        ends.extend(more);
    }
    vocabulary.with_eos(&ends).map_err(|error| failed(path, &error))
}

/// Splits `NAME=NUMBER`.
fn numbered(end: &str) -> Option<(&str, u32)> {
    let (name, number) = end.rsplit_once('=')?;
    Some((name, number.parse().ok()?)).filter(|(name, _)| !name.is_empty())
}

/// Returns the tokens that end a text according to the configuration files next to a tokenizer file, with the names of
/// these files.
fn configured(path: &Path) -> Result<Vec<(&'static str, Vec<TokenId>)>, Problem> {
    let beside = END_CONFIGS.iter().map(|name| (*name, path.with_file_name(name))).filter(|(_, file)| file.is_file());
    beside
        .map(|(name, file)| {
            let ends = ends_of_config(&files::read(&file, MAX_CONFIG)?).map_err(|error| failed(&file, &error))?;
            Ok((name, ends))
        })
        .collect()
}

/// Describes which tokens end a text and where that is stated, for a vocabulary loaded from `path` with these `ends`.
pub(crate) fn known_ends(vocabulary: &Vocabulary, path: &Path, ends: &[String]) -> Result<String, Problem> {
    let is_file = path != Path::new(BUILT_IN);
    let file = if is_file { in_folder(path)? } else { path.to_owned() };
    let is_model = is_file && is_gguf(&file);
    let said = if is_file && !is_model { configured(&file)? } else { Vec::new() };
    let how = |id: &TokenId| match said.iter().find(|(_, ids)| ids.contains(id)) {
        _ if !ends.is_empty() => "named by `--end` or ogc.toml",
        Some((config, _)) => config,
        None if is_model => "the model's file",
        None => "its name",
    };
    let shown = |id: &TokenId| {
        let name = vocabulary.name_of(*id).map_or_else(String::new, |name| format!(" `{name}`"));
        format!("{}{name} ({})", id.0, how(id))
    };
    let all: Vec<String> = vocabulary.eos().iter().map(shown).collect();
    Ok(match all.as_slice() {
        [] => "no token of the vocabulary ends a text; `--end TOKEN` names one\n".to_owned(),
        [one] => format!("a text ends with the token {one}\n"),
        all => format!("a text ends with one of the tokens {}\n", all.join(", ")),
    })
}

/// Maximum length of a model's configuration file, in bytes.
const MAX_CONFIG: u64 = 1 << 24;

/// Sets the tokens that end a text, if any are named.
fn ended(vocabulary: Vocabulary, ends: &[String], path: &Path) -> Result<Vocabulary, Problem> {
    if ends.is_empty() {
        return Ok(vocabulary);
    }
    let unknown = |name: &String| Problem::Usage {
        message: format!(
            "{} has no token `{name}` to end a text: write its name, its number as `#123`, or for a .tiktoken file both as `NAME=123`",
            path.display()
        ),
    };
    let added = |name: &str| {
        let (name, number) = numbered(name)?;
        vocabulary.named(name).filter(|id| id.0 == number)
    };
    let token =
        |name: &String| vocabulary.named(name).or_else(|| find_token(&vocabulary, name)).or_else(|| added(name));
    let found = ends.iter().map(|name| token(name).ok_or_else(|| unknown(name)));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    vocabulary.with_eos(&found).map_err(|error| failed(path, &error))
}

/// Loads the encoder of a tokenizer file, or of the built-in vocabulary.
pub(crate) fn load_encoder(path: &Path) -> Result<Encoder, Problem> {
    if path == Path::new(BUILT_IN) {
        return Encoder::built_in().map_err(|error| failed(path, &error));
    }
    Encoder::parse(&files::read(&in_folder(path)?, MAX_SOURCE_BYTES)?).map_err(|error| failed(path, &error))
}

/// Makes the problem of a vocabulary; the vocabulary of single bytes and named tokens has no file.
pub(crate) fn failed(path: &Path, error: &dyn std::error::Error) -> Problem {
    Problem::Vocabulary { path: path.to_owned(), message: error.to_string() }
}

/// Stands for the path of the vocabulary of single bytes and named tokens in messages.
pub(crate) const BYTES: &str = "bytes";

fn store(vocabulary: Vocabulary) -> Arc<MaskStore> {
    MaskStore::new(Arc::new(vocabulary))
}
