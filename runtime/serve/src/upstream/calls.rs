//! Verifies the calls of tools in another server's answer: the names, the arguments, how many there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use always_assert::never;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::MatchError;

use super::piece::CallPiece;
use super::verify::{Verified, Verifier, Violation};
use crate::answer::Delta;
use crate::compile::CompiledFormat;

/// The most calls of an answer.
const MAX_CALLS: usize = 128;

/// The tools that a request allows, and how often they may be called.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolRules {
    /// The format of the arguments of each tool that may be called.
    pub(crate) tools: BTreeMap<String, Arc<CompiledFormat>>,
    /// Whether one must be called.
    pub(crate) must_call: bool,
    /// Whether only one may be called.
    pub(crate) is_single: bool,
}

/// The calls of an answer while it grows.
pub(crate) struct Calls {
    rules: Arc<ToolRules>,
    store: Arc<MaskStore>,
    /// The verifiers of the arguments of the calls, by their number.
    calls: Vec<Verifier>,
}

impl Calls {
    pub(crate) fn new(rules: Arc<ToolRules>, store: Arc<MaskStore>) -> Self {
        Self { rules, store, calls: Vec::new() }
    }

    /// Returns the number of calls that began.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Reads more of a call; returns what may be passed on, and why the rest may not.
    ///
    /// # Errors
    /// A format is too ambiguous to be followed.
    pub(crate) fn grow(&mut self, piece: CallPiece) -> Result<(Vec<Delta>, Option<Violation>), MatchError> {
        let CallPiece { index, name, arguments } = piece;
        let mut deltas = Vec::new();
        if index > self.calls.len() || (index == self.calls.len() && name.is_none()) {
            let found = format!("call {index} without a name");
            return Ok((deltas, Some(Violation::of_calls(Some(&found), vec!["a name".to_owned()]))));
        }
        if let Some(name) = name.filter(|_| index == self.calls.len()) {
            let format = match self.format(&name) {
                Ok(format) => format,
                Err(violation) => return Ok((deltas, Some(violation))),
            };
            let part = format!("tool_calls[{index}].function.arguments");
            self.calls.push(Verifier::new(format, &self.store, part));
            deltas.push(Delta::CallBegins { index, name });
        }
        let Some(verifier) = self.calls.get_mut(index) else {
            never!("call {} goes on, and {} have begun", index, self.calls.len());
            return Ok((deltas, None));
        };
        let Verified { text, refused } = verifier.grow(&arguments)?;
        deltas.extend((!text.is_empty()).then_some(Delta::Arguments { index, text }));
        Ok((deltas, refused.map(|(_, violation)| violation)))
    }

    /// Returns the format of the arguments of this tool, or why a call of it may not follow.
    fn format(&self, name: &str) -> Result<&CompiledFormat, Violation> {
        let refused = |expected| Violation::of_calls(Some(name), expected);
        let Some(format) = self.rules.tools.get(name) else {
            return Err(refused(self.rules.tools.keys().map(|name| format!("{name:?}")).collect()));
        };
        if self.calls.len() >= MAX_CALLS {
            return Err(refused(vec![format!("at most {MAX_CALLS} calls")]));
        }
        if self.rules.is_single && !self.calls.is_empty() {
            return Err(refused(vec!["one call".to_owned()]));
        }
        Ok(format)
    }

    /// Returns whether all calls are whole, and there is one where one must be.
    pub(crate) fn is_whole(&self) -> bool {
        let missing = self.rules.must_call && self.calls.is_empty();
        !missing && self.calls.iter().all(Verifier::is_whole)
    }

    /// Ends the answer: returns white space that must follow, and what is missing.
    ///
    /// # Errors
    /// As [`Calls::grow`].
    pub(crate) fn end(&mut self) -> Result<(Vec<Delta>, Option<Violation>), MatchError> {
        if self.rules.must_call && self.calls.is_empty() {
            let missing = Violation::of_calls(None, vec!["a call".to_owned()]);
            return Ok((Vec::new(), Some(missing)));
        }
        let mut deltas = Vec::new();
        for (index, verifier) in self.calls.iter_mut().enumerate() {
            let (text, violation) = verifier.end()?;
            deltas.extend((!text.is_empty()).then_some(Delta::Arguments { index, text }));
            if violation.is_some() {
                return Ok((deltas, violation));
            }
        }
        Ok((deltas, None))
    }
}
