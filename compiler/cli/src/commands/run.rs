//! `ogc run`: matches texts against a format. Shows how far a text is accepted, what was expected there, the rules of
//! the source around that place, and the token there. For an accepted text it shows the captures.
//!
//! # Steps
//!
//! 1. [`input`] reads the texts.
//! 2. [`stop`] steps each through the format: byte by byte, or with a vocabulary token by token, so that bounds on
//!    tokens count.
//! 3. [`reason`] describes the mistake, with its path if the text is JSON ([`json`]), and what may come there
//!    ([`next`]).
//! 4. [`show`] writes the outcome for people or machines, [`captures`] the captures of an accepted text.

mod captures;
mod input;
mod json;
mod next;
mod reason;
mod show;
mod stop;
mod tokens;

use std::path::Path;
use std::sync::Arc;

use ogc_compiler::db::Language;
use ogc_compiler::hir::{Root, elaborate};
use ogc_compiler::pipeline::Format;
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::marker;

use crate::args::Run;
use crate::output::{Output, Verdict};
use crate::problem::Problem;
use crate::session::Session;
use crate::vocabulary;

use input::Text;
use reason::{Reason, Refusal};
pub(super) use stop::accept_most;
use stop::{Counted, Stop};

/// A format, and the vocabularies with which texts are matched.
struct Trial<'a> {
    args: &'a Run,
    session: &'a Session,
    format: Format,
    automaton: Arc<Automaton>,
    /// The vocabulary of single bytes and of the tokens that the format names.
    store: Arc<MaskStore>,
    counted: Option<Counted>,
    is_value: bool,
}

/// The outcome of matching a text.
enum Outcome {
    Accepted,
    Refused(Box<(Stop, Reason)>),
}

pub(crate) fn run(args: &Run, output: &Output) -> Result<Verdict, Problem> {
    let mut session = Session::new(&args.format);
    let file = session.open(&args.file)?;
    let format = session.format(file)?;
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let texts = input::texts(args)?;
    if texts.is_empty() {
        return Err(Problem::NoTexts { path: args.text_file.clone().unwrap_or_else(|| "-".into()) });
    }
    let store = vocabulary::bytes_and(&automaton.tokens)?;
    let counted = Counted::load(&session, args, file)?;
    let is_value = is_value(&session, &format);
    let trial = Trial { args, session: &session, format, automaton, store, counted, is_value };
    trial.warn_of_bounds(output)?;
    let mut refused = 0;
    for text in &texts {
        refused += usize::from(trial.one(text, output)? == Verdict::Bad);
    }
    if args.jsonl.is_some() {
        show::summary(texts.len(), refused, output)?;
    }
    Ok(if refused == 0 { Verdict::Good } else { Verdict::Bad })
}

/// Describes what may come next.
pub(super) fn may_follow(matcher: &mut Matcher) -> String {
    next::Next::of(matcher).describe()
}

/// Returns whether the format's texts are JSON values.
fn is_value(session: &Session, format: &Format) -> bool {
    match (format.file.language(&session.db), &format.name) {
        (Language::JsonSchema, _) => true,
        (Language::Ogc, Some(name)) => elaborate::module(&session.db, format.file, Arc::clone(name))
            .is_some_and(|module| matches!(module.root, Root::Value(_))),
        _ => false,
    }
}

impl Trial<'_> {
    /// Writes a note if the format bounds tokens and there is no vocabulary to count them.
    fn warn_of_bounds(&self, output: &Output) -> Result<(), Problem> {
        if self.counted.is_none() && self.automaton.rules.iter().any(|rule| rule.counts_tokens) {
            output.aside(
                "note: bounds on tokens (`max_tokens`) are not counted without a vocabulary: name one with `--vocab`",
            )?;
        }
        Ok(())
    }

    fn one(&self, text: &Text, output: &Output) -> Result<Verdict, Problem> {
        let bytes =
            if self.args.tokens { with_tokens(&text.bytes, &self.automaton.tokens) } else { text.bytes.clone() };
        let outcome = self.outcome(&bytes)?;
        let shorter = input::without_line_break(&bytes).filter(|_| !self.args.exact);
        let (bytes, outcome, ignored) = match (outcome, shorter) {
            (Outcome::Refused(refused), Some(shorter)) if refused.0.accepted >= shorter.len() => {
                (shorter, self.outcome(shorter)?, true)
            }
            (outcome, _) => (bytes.as_slice(), outcome, false),
        };
        let shown = show::Shown { session: self.session, format: &self.format, text: bytes, line: text.line, ignored };
        match outcome {
            Outcome::Accepted => {
                let captures = captures::read(self.session, &self.format, bytes, output)?;
                shown.good(&captures.map_err(|error| engine(self.args, &error))?, output)?;
                Ok(Verdict::Good)
            }
            Outcome::Refused(refused) => {
                shown.bad(&refused.0, &self.hinted(refused.1), output)?;
                Ok(Verdict::Bad)
            }
        }
    }

    /// Steps a text, and finds the reason if it is refused.
    fn outcome(&self, text: &[u8]) -> Result<Outcome, Problem> {
        let engine = |error: MatchError| engine(self.args, &error);
        let stop = match &self.counted {
            Some(counted) => counted.stop(&self.automaton, &self.store, text),
            None => stop::by_bytes(&self.automaton, &self.store, text),
        };
        let Some(stop) = stop.map_err(engine)? else { return Ok(Outcome::Accepted) };
        let refusal = Refusal {
            automaton: &self.automaton,
            store: &self.store,
            text,
            accepted: stop.accepted,
            is_value: self.is_value,
        };
        let reason = match stop.token_bound() {
            Some(bound) => Some(bound),
            None => refusal.reason(),
        };
        Ok(Outcome::Refused(Box::new((stop, reason.unwrap_or_default()))))
    }

    /// Adds a help if the text is the name of a file, which was probably to be read.
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

/// Replaces the names of the format's tokens in a text by the tokens; of two at one place the longer.
fn with_tokens(text: &[u8], names: &[String]) -> Vec<u8> {
    let mut read = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let named = names.iter().filter(|name| !name.is_empty() && rest.starts_with(name.as_bytes()));
        rest = match named.max_by_key(|name| name.len()) {
            Some(name) => {
                read.extend(marker(name));
                &rest[name.len()..]
            }
            None => {
                read.push(byte);
                after
            }
        };
    }
    read
}

fn engine(args: &Run, error: &MatchError) -> Problem {
    Problem::Engine { path: args.file.clone(), message: error.to_string() }
}
