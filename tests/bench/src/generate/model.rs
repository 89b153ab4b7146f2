//! Loads the model that is measured: the embedded one, or one in libllama.

use std::fs::File;
use std::sync::Arc;

use ogc_generate::{LoadedModel, use_threads};
use ogc_llama::{Library, LlamaModel, LlamaOptions};

use crate::args::Generate;

/// Cap on the positions of a text.
const POSITIONS: u32 = 2048;

/// Loads the model.
pub(super) fn load(args: &Generate) -> Result<LoadedModel, String> {
    let file = File::open(&args.model).map_err(|error| format!("{}: {error}", args.model.display()))?;
    let Some(path) = &args.library else {
        args.threads.map_or(Ok(()), use_threads).map_err(|error| error.to_string())?;
        return LoadedModel::from_gguf(file).map_err(|error| error.to_string());
    };
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let library = Library::open(&path, path.parent()).map_err(|error| error.to_string())?;
    let mut options = LlamaOptions::new(1, POSITIONS);
    options.threads = args.threads.map_or(options.threads, |threads| threads.get() as u32);
    let loaded = LoadedModel::in_engine(file, || {
        let model = LlamaModel::load(&library, &args.model, options)?;
        let tokenizer = Arc::new(model.tokenizer());
        Ok((Box::new(model), tokenizer))
    });
    loaded.map_err(|error| error.to_string())
}
