//! A file that is no libllama, no model or no generative model is refused with a message that says the way out, and nothing crashes.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use ogc_generate::{GenerateError, LoadedModel};
use ogc_kit::gguf;
use ogc_kit::model;
use ogc_llama::{Library, LlamaError, LlamaModel, LlamaOptions};

use super::library;

#[track_caller]
fn check_library(path: &Path, part: &str) {
    let error = Library::open(path, None).expect_err("it is none").to_string();
    assert!(error.contains(part), "{error}");
}

#[test]
fn files_that_are_no_libllama_are_refused() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    check_library(file.path(), "cannot be loaded");
    std::fs::write(file.path(), "not a library").expect("a file");
    check_library(file.path(), "cannot be loaded");
    check_library(Path::new("no/such/libllama.so"), "cannot be loaded");
    check_library(Path::new("libm.so.6"), "has no function `llama_");
    let Some(folder) = ogc_kit::corpora::find_model("llama.cpp-0.5.0") else { return };
    check_library(&folder.join("libggml-base.so"), "has no function `llama_");
    check_library(&folder, "cannot be loaded");
    assert_eq!(library().expect("it is there").version(), "0.5.0-dev");
}

/// Loads a model from these bytes, as the command line does.
fn load(library: &Library, bytes: &[u8], options: LlamaOptions) -> Result<LoadedModel, GenerateError> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), bytes).expect("a file");
    LoadedModel::in_engine(File::open(file.path()).expect("a file"), || {
        let model = LlamaModel::load(library, file.path(), options)?;
        let tokenizer = Arc::new(model.tokenizer());
        Ok((Box::new(model), tokenizer))
    })
}

#[test]
fn files_that_are_no_models_are_refused() {
    let Some(library) = library() else { return };
    let options = LlamaOptions { threads: 1, ..LlamaOptions::new(1, 256) };
    let whole = model::gguf();
    assert!(load(&library, &whole, options).is_ok());
    for len in (0..whole.len()).step_by(whole.len() / 40) {
        let error = load(&library, &whole[..len], options).map(|_| ()).expect_err("it is cut off");
        assert!(!error.to_string().is_empty());
        // The library also refuses it by itself.
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), &whole[..len]).expect("a file");
        let error = LlamaModel::load(&library, file.path(), options).map(|_| ()).expect_err("it is cut off");
        assert!(matches!(error, LlamaError::Model { .. }), "{error}");
    }
    let head = [("general.architecture", "llama".into())];
    for bytes in [b"no model at all".to_vec(), gguf::write(&head, &[]), gguf::write(&[], &[])] {
        assert!(load(&library, &bytes, options).is_err());
    }
    let error = LlamaModel::load(&library, Path::new("no/such.gguf"), options).map(|_| ()).expect_err("no file");
    assert!(error.to_string().contains("no/such.gguf"), "{error}");
    let without = model::gguf_with(vec![("tokenizer.ggml.model", "no_vocab".into())]);
    let error = load(&library, &without, options).map(|_| ()).expect_err("no vocabulary").to_string();
    assert!(error.contains("vocabulary"), "{error}");
}

#[test]
fn too_many_texts_or_positions_are_refused() {
    let Some(library) = library() else { return };
    let bytes = model::gguf();
    for (texts, positions) in [(257, 256), (u32::MAX, 1), (256, u32::MAX)] {
        let options = LlamaOptions { threads: 1, ..LlamaOptions::new(texts, positions) };
        match load(&library, &bytes, options) {
            // The model has 2,048 positions.
            Ok(loaded) => assert_eq!((texts, loaded.model.context()), (256, 2048)),
            Err(error) => assert!(texts > 256 && error.to_string().contains("Ask for fewer"), "{error}"),
        }
    }
}
