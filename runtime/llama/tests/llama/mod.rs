//! An unmodified libllama makes the passes of a model: the texts are those of the embedded model except at near ties, and requests are
//! fulfilled. Skipped without the library or the model, which `tests/models/fetch` installs.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::disallowed_methods, reason = "models are files; see clippy.toml")]
#![allow(clippy::print_stdout, reason = "the counts are the reports of the tests")]

mod agreement;
mod architectures;
mod drafts;
mod errors;
mod positions;

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ogc_compiler::db::Language;
use ogc_embed::Source;
use ogc_generate::{Generated, LoadedModel, Request, generate};
use ogc_llama::{Library, LlamaModel, LlamaOptions};
use ogc_runtime::artifact::Artifact;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::TokenId;

const MODEL: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";

const PROMPTS: [&str; 3] =
    ["Describe a famous river.", "My cat is 3 years old and likes fish. What do you think?", "Who was Ada Lovelace?"];

const PERSON: &str = r#"policy escapes = "canonical"
output person = { name: string<1..30>, born: int<1..2026>, occupation: "writer" | "mathematician" | "painter" | "king", is_alive: bool }
"#;

const RIVER: &str = r#"policy escapes = "canonical"
type Country = { name_of_the_country: string<1..20>, population_in_millions: int<1..2000> }
output river = { name_of_the_river: string<1..24>, length_in_kilometres: int<1..10000>, countries_on_its_way: Country[1..2] }
"#;

const ANSWER: &str = "root ::= \"Answer: \" word (\", \" word)* \".\"\nword ::= [a-z]+\n";

const STAMP: &str = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{4}-[0-9]{2}-[0-9]{2} at [0-9]{2}:[0-9]{2}";

/// The formats of tests, by their names.
fn formats() -> Vec<(&'static str, Artifact)> {
    let sources = [
        ("person.ogc", PERSON, Language::Ogc),
        ("river.ogc", RIVER, Language::Ogc),
        ("answer.gbnf", ANSWER, Language::Gbnf),
        ("stamp.regex", STAMP, Language::Regex),
    ];
    let compiled = |(name, text, language)| {
        let compiled = ogc_embed::compile(&Source::new(name, text, language));
        (name, compiled.unwrap_or_else(|error| panic!("{name}: {error}")).artifact)
    };
    sources.into_iter().map(compiled).collect()
}

/// The library, opened once.
fn library() -> Option<Library> {
    static OPENED: OnceLock<Library> = OnceLock::new();
    let folder = ogc_kit::corpora::find_model("llama.cpp-0.5.0")?;
    let open = || Library::open(&folder.join("libllama.v0.5.0.so"), Some(&folder)).expect("a libllama");
    Some(OPENED.get_or_init(open).clone())
}

fn model_file() -> Option<PathBuf> {
    ogc_kit::corpora::find_model(MODEL)
}

/// Loads a model into libllama with these options.
fn load(path: &Path, library: &Library, options: LlamaOptions) -> LoadedModel {
    let file = File::open(path).expect("a file");
    let loaded = LoadedModel::in_engine(file, || {
        let model = LlamaModel::load(library, path, options)?;
        let tokenizer = Arc::new(model.tokenizer());
        Ok((Box::new(model), tokenizer))
    });
    loaded.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the model in libllama with room for `texts` texts, and the masks of its vocabulary.
fn smollm(texts: u32) -> Option<(LoadedModel, Arc<MaskStore>)> {
    let (library, path) = (library()?, model_file()?);
    let loaded = load(&path, &library, LlamaOptions { threads: 1, ..LlamaOptions::new(texts, 1024) });
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    Some((loaded, store))
}

/// The embedded model, loaded once.
fn own() -> Option<&'static LoadedModel> {
    static LOADED: OnceLock<LoadedModel> = OnceLock::new();
    let path = model_file()?;
    Some(LOADED.get_or_init(|| LoadedModel::from_gguf(File::open(path).expect("a file")).expect("a model")))
}

/// Makes a request for a text of at most 80 tokens.
fn request(loaded: &LoadedModel, prompt: &str, temperature: f32) -> Request {
    let prompt = loaded.template.as_ref().expect("a template").prompt(None, prompt).expect("a prompt");
    let mut request = Request::new(loaded.tokenizer.tokens(&prompt).expect("tokens"), 80);
    request.sampling.temperature = temperature;
    request.sampling.seed = 11;
    request
}

fn write(loaded: &LoadedModel, store: &Arc<MaskStore>, format: &Artifact, request: Request) -> Generated {
    let matcher = format.matcher(Arc::clone(store)).expect("masks");
    generate(loaded, matcher, request, |_| ControlFlow::Continue(())).expect("a text")
}

/// Returns how much less likely the second of two tokens is than the first, after the tokens in `read`: the gap of their logits.
fn gap(loaded: &LoadedModel, read: &[TokenId], [one, two]: [TokenId; 2]) -> f32 {
    let mut cache = loaded.model.cache(read.len());
    let logits = loaded.model.forward(&mut cache, read, 1).expect("logits");
    (logits[one.0 as usize] - logits[two.0 as usize]).abs()
}

/// Returns the index at which two texts first differ, and the tokens there; at the end of a text, the token that ends it.
fn parting(loaded: &LoadedModel, one: &[TokenId], two: &[TokenId]) -> Option<(usize, [TokenId; 2])> {
    let end = loaded.vocabulary.eos()[0];
    let at = (0..one.len().max(two.len())).find(|&at| one.get(at) != two.get(at))?;
    Some((at, [one, two].map(|text| text.get(at).copied().unwrap_or(end))))
}
