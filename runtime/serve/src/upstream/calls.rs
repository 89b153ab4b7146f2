//! Verifies the tool calls in another server's answer: their names, arguments and number.

use std::collections::BTreeMap;
use std::sync::Arc;

use always_assert::never;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::MatchError;

use super::piece::CallPiece;
use super::verify::{Verified, Verifier, Violation};
use crate::answer::{Delta, InputReader, NoInput};
use crate::call_syntax::ToolKind;
use crate::compile::CompiledFormat;

/// Maximum number of calls of an answer.
const MAX_CALLS: usize = 128;

/// The tools that a request allows, and the number of calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolRules {
    /// The tools that may be called.
    pub(crate) tools: BTreeMap<String, ToolRule>,
    /// Whether a tool must be called.
    pub(crate) must_call: bool,
    /// Whether only one tool may be called.
    pub(crate) is_single: bool,
}

/// A tool that may be called, and the format of its arguments or input.
#[derive(Clone, Debug)]
pub(crate) struct ToolRule {
    pub(crate) kind: ToolKind,
    pub(crate) format: Arc<CompiledFormat>,
}

/// The calls of an answer while it grows.
pub(crate) struct Calls {
    rules: Arc<ToolRules>,
    store: Arc<MaskStore>,
    /// The calls that began; the index of each is its number.
    calls: Vec<Called>,
}

/// A call that began.
struct Called {
    /// Verifies the arguments, or the input of a custom tool.
    verifier: Verifier,
    /// Decodes the input of a custom tool, if the other server writes it as the arguments of a function.
    input: Option<InputReader>,
    part: String,
}

impl Called {
    /// Reads more of the arguments or input.
    fn grow(&mut self, arguments: &str) -> Result<Verified, MatchError> {
        let Some(input) = &mut self.input else { return self.verifier.grow(arguments) };
        match input.grow(arguments) {
            Ok(text) => self.verifier.grow(&text),
            Err(NoInput) => {
                let violation = Violation::of_input(&self.part, Some(arguments));
                Ok(Verified { text: String::new(), refused: Some((arguments.to_owned(), violation)) })
            }
        }
    }

    fn is_whole(&self) -> bool {
        self.verifier.is_whole() && self.input.as_ref().is_none_or(InputReader::is_whole)
    }
}

impl Calls {
    pub(crate) fn new(rules: Arc<ToolRules>, store: Arc<MaskStore>) -> Self {
        Self { rules, store, calls: Vec::new() }
    }

    /// Returns the number of calls that began.
    pub(crate) fn len(&self) -> usize {
        self.calls.len()
    }

    /// Reads more of a call; returns the changes that may be passed on, and the violation if there is one.
    ///
    /// # Errors
    /// A format is too ambiguous to be followed.
    pub(crate) fn grow(&mut self, piece: CallPiece) -> Result<(Vec<Delta>, Option<Violation>), MatchError> {
        let CallPiece { index, name, kind, arguments } = piece;
        let mut deltas = Vec::new();
        if index > self.calls.len() || (index == self.calls.len() && name.is_none()) {
            let found = format!("call {index} without a name");
            return Ok((deltas, Some(Violation::of_calls(Some(&found), vec!["a name".to_owned()]))));
        }
        if let Some(name) = name.filter(|_| index == self.calls.len()) {
            let (call, kind) = match self.begin(index, &name, kind.unwrap_or(ToolKind::Function)) {
                Ok(begun) => begun,
                Err(violation) => return Ok((deltas, Some(violation))),
            };
            self.calls.push(call);
            deltas.push(Delta::CallBegins { index, kind, name });
        }
        let Some(call) = self.calls.get_mut(index) else {
            never!("call {} goes on, and {} have begun", index, self.calls.len());
            return Ok((deltas, None));
        };
        let Verified { text, refused } = call.grow(&arguments)?;
        deltas.extend((!text.is_empty()).then_some(Delta::Arguments { index, text }));
        Ok((deltas, refused.map(|(_, violation)| violation)))
    }

    /// Begins a call of a tool, which the other server writes as a call of kind `written`; or returns the violation.
    fn begin(&self, index: usize, name: &str, written: ToolKind) -> Result<(Called, ToolKind), Violation> {
        let ToolRule { kind, format } = self.rule(name, written)?;
        let part = format!("tool_calls[{index}].{}.{}", kind.name(), kind.field());
        let verifier = Verifier::new(format, &self.store, part.clone());
        let is_decoded = (*kind, written) == (ToolKind::Custom, ToolKind::Function);
        Ok((Called { verifier, input: is_decoded.then(InputReader::default), part }, *kind))
    }

    /// Returns the rule of this tool, or the violation of calling it.
    fn rule(&self, name: &str, written: ToolKind) -> Result<&ToolRule, Violation> {
        let refused = |expected| Violation::of_calls(Some(name), expected);
        let Some(rule) = self.rules.tools.get(name) else {
            return Err(refused(self.rules.tools.keys().map(|name| format!("{name:?}")).collect()));
        };
        if (rule.kind, written) == (ToolKind::Function, ToolKind::Custom) {
            return Err(refused(vec!["a call of a function".to_owned()]));
        }
        if self.calls.len() >= MAX_CALLS {
            return Err(refused(vec![format!("at most {MAX_CALLS} calls")]));
        }
        if self.rules.is_single && !self.calls.is_empty() {
            return Err(refused(vec!["one call".to_owned()]));
        }
        Ok(rule)
    }

    /// Returns whether all calls are complete, and there is a call if one is required.
    pub(crate) fn is_whole(&self) -> bool {
        let missing = self.rules.must_call && self.calls.is_empty();
        !missing && self.calls.iter().all(Called::is_whole)
    }

    /// Ends the answer: returns white space that must follow, and the violation if something is missing.
    ///
    /// # Errors
    /// As for [`Calls::grow`].
    pub(crate) fn end(&mut self) -> Result<(Vec<Delta>, Option<Violation>), MatchError> {
        if self.rules.must_call && self.calls.is_empty() {
            let missing = Violation::of_calls(None, vec!["a call".to_owned()]);
            return Ok((Vec::new(), Some(missing)));
        }
        let mut deltas = Vec::new();
        for (index, call) in self.calls.iter_mut().enumerate() {
            let (text, violation) = call.verifier.end()?;
            deltas.extend((!text.is_empty()).then_some(Delta::Arguments { index, text }));
            let broken = (!call.is_whole()).then(|| Violation::of_input(&call.part, None));
            if let Some(violation) = violation.or(broken) {
                return Ok((deltas, Some(violation)));
            }
        }
        Ok((deltas, None))
    }
}
