//! A model's folder in the layout of Hugging Face: `config.json`, `tokenizer.json`, safetensors, and the files that
//! describe how prompts are framed.
//!
//! The caller opens the files by their names: nothing here knows where a folder lies.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek};

use ogc_runtime::vocabulary::{END_CONFIGS, Vocabulary, ends_of_config};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::GenerateError;
use crate::model::SafeTensors;
use crate::prompt::ChatTemplate;

/// Cap on the bytes of a text file.
const MAX_TEXT: u64 = 1 << 28;

/// A folder whose files are opened by name; `None` is a file that is not there.
pub(crate) struct Folder<F>(pub(crate) F);

/// The name of a token, alone or in an object with further properties of the token.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Named {
    Name(String),
    Token { content: String },
}

/// A template, or several with names.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Templates {
    One(String),
    Many(Vec<NamedTemplate>),
}

#[derive(Debug, Deserialize)]
struct NamedTemplate {
    name: String,
    template: String,
}

/// The part of `tokenizer_config.json` that frames prompts.
#[derive(Debug, Default, Deserialize)]
struct Framing {
    chat_template: Option<Templates>,
    bos_token: Option<Named>,
    eos_token: Option<Named>,
}

/// The part of an index that maps each tensor to its file.
#[derive(Debug, Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl<R: Read + Seek, F: FnMut(&str) -> io::Result<Option<R>>> Folder<F> {
    /// Reads a text file.
    pub(crate) fn text(&mut self, name: &str) -> Result<Vec<u8>, GenerateError> {
        self.optional_text(name)?.ok_or_else(|| fault(name, "is not in the folder"))
    }

    fn optional_text(&mut self, name: &str) -> Result<Option<Vec<u8>>, GenerateError> {
        let Some(file) = (self.0)(name)? else { return Ok(None) };
        let mut text = Vec::new();
        file.take(MAX_TEXT + 1).read_to_end(&mut text)?;
        if text.len() as u64 > MAX_TEXT {
            return Err(fault(name, "is longer than any file of its kind"));
        }
        Ok(Some(text))
    }

    fn json<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>, GenerateError> {
        let Some(text) = self.optional_text(name)? else { return Ok(None) };
        serde_json::from_slice(&text).map(Some).map_err(|error| fault(name, &error.to_string()))
    }

    /// Opens the tensors of the single file, or of all files that the index names.
    pub(crate) fn tensors(&mut self) -> Result<SafeTensors<R>, GenerateError> {
        const INDEX: &str = "model.safetensors.index.json";
        let names = match self.json::<Index>(INDEX)? {
            Some(index) => index.weight_map.into_values().collect(),
            None => BTreeSet::from(["model.safetensors".to_owned()]),
        };
        let mut files = Vec::new();
        for name in names {
            if name.contains(['/', '\\', ':']) {
                return Err(fault(INDEX, &format!("names `{name}`, which is in another folder")));
            }
            files.push((self.0)(&name)?.ok_or_else(|| fault(&name, "is not in the folder"))?);
        }
        SafeTensors::new(files)
    }

    /// Reads the texts of the tokens, and the tokens that end a text.
    pub(crate) fn vocabulary(&mut self, tokenizer: &[u8]) -> Result<Vocabulary, GenerateError> {
        let vocabulary = Vocabulary::from_tokenizer_json(tokenizer)?;
        // Files tend to name only one of several end tokens. The vocabulary already knows the names that end a text in
        // all models.
        let mut ends = vocabulary.eos().to_vec();
        for file in END_CONFIGS {
            let Some(config) = self.optional_text(file)? else { continue };
            ends.extend(ends_of_config(&config).map_err(|error| fault(file, &error.to_string()))?);
        }
        Ok(vocabulary.with_eos(&ends)?)
    }

    /// Reads the chat template: that of a file of its own, or of the tokenizer's configuration.
    pub(crate) fn template(&mut self) -> Result<Option<ChatTemplate>, GenerateError> {
        const FILE: &str = "chat_template.jinja";
        const TOOL_USE: &str = "additional_chat_templates/tool_use.jinja";
        let framing: Framing = self.json("tokenizer_config.json")?.unwrap_or_default();
        let (usual, tool_use) = framing.chat_template.map(Templates::both).unwrap_or_default();
        let source = self.template_file(FILE)?.or(usual);
        let tool_use = self.template_file(TOOL_USE)?.or(tool_use);
        let name = |named: Option<Named>| match named {
            Some(Named::Name(name) | Named::Token { content: name }) => name,
            None => String::new(),
        };
        let (begin, end) = (name(framing.bos_token), name(framing.eos_token));
        let read = |source: String| ChatTemplate::new(source, &begin, &end);
        let (template, tool_use) = (source.map(read).transpose()?, tool_use.map(read).transpose()?);
        Ok(template.map(|template| template.with_tool_use(tool_use)))
    }

    /// Reads the file of a template, if it is there.
    fn template_file(&mut self, name: &str) -> Result<Option<String>, GenerateError> {
        let text = self.optional_text(name)?.map(String::from_utf8).transpose();
        text.map_err(|error| fault(name, &error.to_string()))
    }
}

impl Templates {
    /// Returns the template for chats without tools or documents, and the template for chats with tools.
    fn both(self) -> (Option<String>, Option<String>) {
        let mut many = match self {
            Templates::One(template) => return (Some(template), None),
            Templates::Many(many) => many,
        };
        let mut take = |name: &str| {
            let at = many.iter().position(|one| one.name == name)?;
            Some(many.swap_remove(at).template)
        };
        (take("default"), take("tool_use"))
    }
}

fn fault(file: &str, reason: &str) -> GenerateError {
    GenerateError::Folder { file: file.to_owned(), reason: reason.to_owned() }
}
