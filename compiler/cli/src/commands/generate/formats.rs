//! The formats of the requested texts, each compiled once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ogc_compiler::db::{Limits, SpecialTokens};
use ogc_compiler::pipeline;
use ogc_generate::{LoadedModel, ToolStyle};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::captures::Content;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::Vocabulary;

use super::wanted::Wanted;
use super::{escapes, tool_style};
use crate::args::{FormatArgs, Generate};
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;

/// A compiled format.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Format {
    automaton: Arc<Automaton>,
    /// The kind of content in its texts.
    pub(in crate::commands) content: Content,
    /// Whether it contains structural tags.
    has_tags: bool,
    /// The styles of tool calls that it uses.
    pub(super) styles: BTreeSet<ToolStyle>,
}

impl Format {
    /// Makes the format of a compiled definition.
    pub(in crate::commands) fn of(session: &Session, named: &pipeline::Format, automaton: Arc<Automaton>) -> Self {
        let styles = tool_style::named(&session.db, named);
        let content = pipeline::content(&session.db, named.clone());
        Self { automaton, content, has_tags: !session.asking_vocabulary().is_empty(), styles }
    }

    /// Makes a matcher at the start of a text.
    pub(in crate::commands) fn matcher(&self, store: &Arc<MaskStore>) -> Matcher {
        Matcher::new(Arc::clone(&self.automaton), Arc::clone(store))
    }

    /// Reports a format that needs tokens which the model lacks.
    pub(super) fn check_tokens(&self, loaded: &LoadedModel, wanted: &Wanted) -> Result<(), Problem> {
        self.check_missing(loaded, wanted.path(), &wanted.place())
    }

    /// Reports a format that needs tokens which the model lacks; `place` says where the format was requested.
    pub(in crate::commands) fn check_missing(
        &self,
        loaded: &LoadedModel,
        path: &Path,
        place: &str,
    ) -> Result<(), Problem> {
        let missing = loaded.vocabulary.missing_tokens(&self.automaton.tokens);
        if missing.is_empty() {
            return Ok(());
        }
        let message = format!("the format asks for tokens that the model does not have: {}", missing.join(", "));
        Err(super::engine_at(path, place, &message))
    }
}

/// Compiles formats, each once.
#[derive(Debug)]
pub(super) struct Formats<'a> {
    args: &'a FormatArgs,
    compiled: BTreeMap<(PathBuf, Option<String>), Format>,
    /// The special tokens of the model, once the model is loaded.
    special: Option<SpecialTokens>,
}

impl<'a> Formats<'a> {
    pub(super) fn new(args: &'a Generate) -> Self {
        Self { args: &args.format, compiled: BTreeMap::new(), special: None }
    }

    /// Resolves names of special tokens in structural tags by a vocabulary; formats with such tags are compiled again.
    pub(super) fn written_by(self, vocabulary: &Vocabulary) -> Self {
        let kept = self.compiled.into_iter().filter(|(_, format)| !format.has_tags).collect();
        Self { compiled: kept, special: Some(SpecialTokens::of(vocabulary)), ..self }
    }

    /// Returns the formats of all texts; `None` if any format has errors, which are shown.
    pub(super) fn all(&mut self, wanted: &[Wanted], output: &Output) -> Result<Option<Vec<Format>>, Problem> {
        let mut all = Vec::new();
        for wanted in wanted {
            let Some(format) = self.one(wanted, output)? else { return Ok(None) };
            all.push(format);
        }
        Ok(Some(all))
    }

    fn one(&mut self, wanted: &Wanted, output: &Output) -> Result<Option<Format>, Problem> {
        let key = (wanted.file.clone(), wanted.definition.clone());
        if let Some(format) = self.compiled.get(&key) {
            return Ok(Some(format.clone()));
        }
        let args = FormatArgs { definition: wanted.definition.clone(), ..self.args.clone() };
        let (mut session, file) = escapes::open(&args, &wanted.file, Limits::default())?;
        if let Some(special) = &self.special {
            session.set_special_tokens(special);
        }
        let named = session.format(file)?;
        let Some(automaton) = session.compile(&named, output)? else { return Ok(None) };
        let format = Format::of(&session, &named, automaton);
        self.compiled.insert(key, format.clone());
        Ok(Some(format))
    }
}
