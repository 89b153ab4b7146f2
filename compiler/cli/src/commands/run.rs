//! `ogc run`: matches texts against a format. For a refused text it shows how far the text is accepted, what was
//! expected there, the rules of the source around that place, and the token there. For an accepted text it shows the
//! captures.
//!
//! # Steps
//!
//! 1. [`input`] reads the texts.
//! 2. [`ogc_workbench::attempt`] matches each text: byte by byte, or token by token if there is a vocabulary, so that
//!    bounds on tokens are enforced.
//! 3. [`show`] writes the outcome for people or machines, [`captures`] the captures of an accepted text, [`events`] its events.

mod captures;
mod events;
mod input;
mod show;

use std::path::Path;
use std::sync::Arc;

use ogc_compiler::db::SourceFile;
use ogc_compiler::pipeline::Format;
use ogc_runtime::automaton::KeyOrder;
use ogc_workbench::attempt::{Reason, Refused, Trial, is_value, with_tokens};

use ogc_workbench::settings::Policy;

use crate::args::Run;
use crate::output::Output;
use crate::problem::Problem;
use crate::session::Session;
use crate::verdict::Verdict;
use crate::vocabulary;

use input::Text;

/// A format, and the trial that matches texts.
struct Tried<'a> {
    args: &'a Run,
    session: &'a Session,
    format: Format,
    trial: Trial,
}

pub(crate) fn run(args: &Run, output: &Output) -> Result<Verdict, Problem> {
    // The text may come from another source, whose order of keys means nothing. `.ogc` files set their own order.
    let any_order = Policy { order: Some(KeyOrder::Any), ..Policy::default() };
    let mut session = Session::with_defaults(&args.format, any_order).speaking(args.vocab.as_deref(), &args.ends);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let texts = input::texts(args)?;
    if texts.is_empty() {
        return Err(Problem::NoTexts { path: args.text_file.clone().unwrap_or_else(|| "-".into()) });
    }
    let trial = Trial::new(automaton, is_value(&session.db, &format));
    let trial = trial.map_err(|error| vocabulary::failed(Path::new(vocabulary::BYTES), &error))?;
    let tried = Tried { args, session: &session, trial: counting(trial, &session, args, file)?, format };
    tried.warn_of_bounds(output)?;
    let mut refused = 0;
    for text in &texts {
        refused += usize::from(tried.one(text, output)? == Verdict::Bad);
    }
    if args.jsonl.is_some() {
        show::summary(texts.len(), refused, output)?;
    }
    Ok(if refused == 0 { Verdict::Good } else { Verdict::Bad })
}

/// Makes the trial count tokens, if a flag or `ogc.toml` names a vocabulary.
fn counting(trial: Trial, session: &Session, args: &Run, file: SourceFile) -> Result<Trial, Problem> {
    let project = session.project(file).vocab.clone();
    let Some(path) = args.vocab.as_deref().or(project.as_deref()) else { return Ok(trial) };
    let store = session.vocabulary(Some(path), file)?.store(&session.db);
    Ok(trial.counting(store, Arc::new(vocabulary::load_encoder(path)?)))
}

impl Tried<'_> {
    /// Writes a note if the format bounds tokens but no vocabulary counts them.
    fn warn_of_bounds(&self, output: &Output) -> Result<(), Problem> {
        if !self.trial.counts() && self.trial.automaton().rules.iter().any(|rule| rule.counts_tokens) {
            output.aside(
                "note: bounds on tokens (`max_tokens`) are not counted without a vocabulary: name one with `--vocab`",
            )?;
        }
        Ok(())
    }

    fn one(&self, text: &Text, output: &Output) -> Result<Verdict, Problem> {
        let names = &self.trial.automaton().tokens;
        let bytes = if self.args.tokens { with_tokens(&text.bytes, names) } else { text.bytes.clone() };
        let refused = self.refusal(&bytes)?;
        let shorter = input::without_line_break(&bytes).filter(|_| !self.args.exact);
        let (bytes, refused, ignored) = match (refused, shorter) {
            (Some(refused), Some(shorter)) if refused.accepted >= shorter.len() => {
                (shorter, self.refusal(shorter)?, true)
            }
            (refused, _) => (bytes.as_slice(), refused, false),
        };
        let shown =
            show::MatchedText { session: self.session, format: &self.format, text: bytes, line: text.line, ignored };
        match refused {
            None => {
                let captures = captures::read(self.session, &self.format, bytes, output)?;
                if self.args.events {
                    events::show(self, bytes, output)?;
                }
                shown.good(&captures.map_err(|error| engine(self.args, &error))?, output)?;
                Ok(Verdict::Good)
            }
            Some(refused) => {
                let token = shown.token(&self.trial, refused.accepted);
                shown.bad(&Refused { reason: self.hinted(refused.reason), ..refused }, token, output)?;
                Ok(Verdict::Bad)
            }
        }
    }

    /// Matches a text; `None` if it is accepted.
    fn refusal(&self, text: &[u8]) -> Result<Option<Refused>, Problem> {
        self.trial.refusal(text).map_err(|error| engine(self.args, &error))
    }

    /// Adds a help if the text is the name of an existing file, which the user probably meant.
    fn hinted(&self, reason: Reason) -> Reason {
        let name = self.args.text.as_deref().filter(|text| self.args.text_file.is_none() && Path::new(text).is_file());
        match name {
            Some(name) => {
                Reason { help: Some(format!("`{name}` is a file; to try what is in it: `--file {name}`")), ..reason }
            }
            None => reason,
        }
    }
}

fn engine(args: &Run, error: &impl std::fmt::Display) -> Problem {
    Problem::Engine { path: args.file.clone(), message: error.to_string() }
}
