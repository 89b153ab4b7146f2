//! Compares two versions of an output.

use std::path::Path;

use ogc_runtime::vocabulary::shown;
use ogc_workbench::attempt::{Refused, Trial};
use ogc_workbench::difference::{SearchLimits, difference};

use super::version::Compiled;
use crate::args::Expected;
use crate::message::{FormatDifference, Presence};
use crate::problem::Problem;
use crate::vocabulary;

/// Limits of a search; they are generous, because no editor waits for it.
const LIMITS: SearchLimits = SearchLimits { pairs: 2_000_000, memory: 1 << 30 };

/// The difference between two versions of an output.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) name: Option<String>,
    pub(super) versions: Presence,
    /// Whether the new version accepts each text of the old one; `None` if the search did not decide.
    pub(super) keeps: Option<bool>,
    /// Whether the new version accepts a text that the old one refuses; `None` if the search did not decide.
    pub(super) adds: Option<bool>,
    /// A shortest text that only the old version accepts, and the place where the new version refuses it.
    pub(super) refused: Option<(String, Refused)>,
    /// A shortest text that only the new version accepts.
    pub(super) accepted: Option<String>,
    /// Whether a version bounds the number of tokens; the comparison ignores such bounds.
    pub(super) bounds_tokens: bool,
    /// Whether a version has items that must differ; the search is incomplete then.
    pub(super) has_distinct_items: bool,
}

impl Comparison {
    fn of(output: Option<&Compiled>, versions: Presence) -> Self {
        Self {
            name: output.and_then(|output| output.name.clone()),
            versions,
            keeps: Some(versions != Presence::Old),
            adds: Some(versions == Presence::New),
            refused: None,
            accepted: None,
            bounds_tokens: false,
            has_distinct_items: false,
        }
    }

    /// Returns the result for an output that the new version lacks.
    pub(super) fn gone(old: &Compiled) -> Self {
        Self::of(Some(old), Presence::Old)
    }

    /// Returns the result for an output that the old version lacks.
    pub(super) fn added(new: Option<&Compiled>) -> Self {
        Self::of(new, Presence::New)
    }

    /// Returns whether the change is the expected one; an undecided question counts as no.
    pub(super) fn is(&self, expected: Expected) -> bool {
        let (keeps, adds_nothing) = (self.keeps == Some(true), self.adds == Some(false));
        match expected {
            Expected::Same => keeps && adds_nothing,
            Expected::Wider => keeps,
            Expected::Narrower => adds_nothing,
        }
    }

    /// Returns the message for machines.
    pub(super) fn message(&self, expected: Expected) -> FormatDifference {
        FormatDifference {
            output: self.name.clone(),
            versions: self.versions,
            keeps: self.keeps,
            adds: self.adds,
            refused_now: self.refused.as_ref().map(|(text, _)| text.clone()),
            reason: self.refused.as_ref().map(|(_, refused)| refused.reason.message.clone()),
            accepted_now: self.accepted.clone(),
            expected: self.is(expected),
        }
    }
}

/// Compares an output that both versions have.
pub(super) fn both(old: &Compiled, new: &Compiled, path: &Path) -> Result<Comparison, Problem> {
    let automata = [&old.automaton, &new.automaton];
    let found = difference(&old.automaton, &new.automaton, LIMITS, &|| {});
    // A found text decides the question; without a text, only a complete search does.
    let none = |text: &Option<Vec<u8>>, decided: bool| decided.then_some(text.is_none());
    let [keeps, adds_nothing] = found.decided;
    let refused =
        found.only_first.as_deref().map(|text| refusal(new, text, path).map(|refused| (shown(text), refused)));
    Ok(Comparison {
        name: new.name.clone(),
        keeps: none(&found.only_first, keeps),
        adds: none(&found.only_second, adds_nothing).map(|none| !none),
        refused: refused.transpose()?,
        accepted: found.only_second.as_deref().map(shown),
        bounds_tokens: automata.iter().any(|one| one.rules.iter().any(|rule| rule.counts_tokens)),
        has_distinct_items: automata.iter().any(|one| one.has_distinct_items()),
        ..Comparison::of(None, Presence::Both)
    })
}

/// Finds the reason why the new version refuses a text.
fn refusal(new: &Compiled, text: &[u8], path: &Path) -> Result<Refused, Problem> {
    let trial = Trial::new(new.automaton.clone(), new.is_value);
    let trial = trial.map_err(|error| vocabulary::failed(Path::new(vocabulary::BYTES), &error))?;
    let engine = |message: String| Problem::Engine { path: path.to_owned(), message };
    let refused = trial.refusal(text).map_err(|error| engine(error.to_string()))?;
    refused.ok_or_else(|| engine(format!("the search and the matcher do not agree on {:?}", shown(text))))
}
