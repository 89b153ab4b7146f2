//! Formats: their sources, and the options that Python passes. The methods are in `format_methods.rs`.

use std::sync::Arc;

use ogc_compiler::db::{Language, Resources, SpecialTokens};
use ogc_embed::{NamedText, Source, compile};
use ogc_runtime::artifact::Artifact;
use ogc_runtime::automaton::TokenPolicy;
use ogc_runtime::matcher as engine;
use ogc_workbench::settings::Policy;
use ogc_workbench::settings::table::PolicyKey;
use pyo3::prelude::*;

use crate::error::value;
use crate::finding::{Finding, refusal};
use crate::vocabulary::Vocabulary;

/// A compiled format.
///
/// A format pickles as an artifact, with its warnings and its Python type: loading one compiles nothing. Copying returns the format itself.
#[pyclass(frozen, module = "ogc", name = "Format")]
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) artifact: Artifact,
    /// Description of its source, for `repr`.
    pub(crate) origin: String,
    pub(crate) warnings: Vec<Finding>,
    /// Converts its texts to objects, if it was made from a type.
    pub(crate) reader: Option<Py<PyAny>>,
}

/// Options of `ogc.Format` beside the text: language, definition and policies.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Given {
    /// The file extension of its language.
    language: String,
    definition: Option<String>,
    /// Values of policies by their names.
    policies: Vec<(String, String)>,
    /// The vocabulary for which a structural tag is compiled.
    vocabulary: Option<Py<Vocabulary>>,
}

impl Given {
    /// Reads the given policies; a language without JSON values has none.
    fn policy(&self, language: Language) -> PyResult<Policy> {
        let mut policy = Policy::default();
        for (name, given) in &self.policies {
            let key = PolicyKey::ALL.into_iter().find(|key| key.name() == name);
            let key = key.ok_or_else(|| value(&format!("{name} is no policy")))?;
            policy.set(key, given).map_err(|message| value(&format!("{name} is {given:?}: {message}")))?;
        }
        if !self.policies.is_empty() && language != Language::JsonSchema {
            let names = PolicyKey::ALL.map(PolicyKey::name).join(", ");
            return Err(value(&format!("{names} are for JSON Schema; this is {}", language.name())));
        }
        Ok(policy)
    }
}

/// Returns the language with a name of this package.
fn language(name: &str) -> PyResult<Language> {
    Language::of_name(&format!("format.{name}")).map_err(|error| value(&error))
}

impl Format {
    /// Returns the default policy for tokens: the format's own, else canonical tokens if the vocabulary has a tokenizer, else any.
    pub(crate) fn written_with(&self, vocabulary: &Vocabulary) -> TokenPolicy {
        let usual = if vocabulary.has_tokenizer() { TokenPolicy::Canonical } else { TokenPolicy::Any };
        self.artifact.format().automaton.token_policy.unwrap_or(usual)
    }

    /// Compiles a text, which may import others; `below` has the defaults of policies that are not given.
    pub(crate) fn compiled(
        py: Python<'_>,
        (name, text): &(String, String),
        imports: &[(String, String)],
        given: &Given,
        below: Policy,
        resources: Resources,
    ) -> PyResult<Self> {
        let language = language(&given.language)?;
        let policy = given.policy(language)?.over(below);
        let imports = imports.iter().map(|(name, text)| NamedText { name, text }).collect();
        let definition = given.definition.as_deref();
        let (policy, formats, adjustments) = (policy.json(), policy.formats(), policy.adjustments());
        let special = |vocabulary: &Py<Vocabulary>| SpecialTokens::of(vocabulary.get().store.vocabulary());
        let special_tokens = given.vocabulary.as_ref().map(|vocabulary| Arc::new(special(vocabulary)));
        let source = Source {
            name,
            text,
            language,
            definition,
            policy,
            formats,
            adjustments,
            imports,
            resources,
            special_tokens,
        };
        let compiled = py.detach(|| compile(&source)).map_err(|refused| refusal(py, &source, refused))?;
        let origin = definition.map_or_else(|| name.clone(), |definition| format!("{definition} of {name}"));
        let warnings = Finding::all(&source, &compiled.findings);
        Ok(Self { artifact: compiled.artifact, origin, warnings, reader: None })
    }

    /// Makes a matcher at the beginning of a text.
    pub(crate) fn engine(&self, vocabulary: &Vocabulary) -> PyResult<engine::Matcher> {
        self.artifact.matcher(Arc::clone(&vocabulary.store)).map_err(|error| value(&error))
    }
}
