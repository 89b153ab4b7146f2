//! What elaboration finds, up to the number that is ever shown.

use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::Origin;

/// The findings of one elaboration.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) found: Vec<Diagnostic<Origin>>,
    /// The last finding beyond those that are kept, for whoever adds help to it.
    left_out: Diagnostic<Origin>,
    /// An error that is reported elsewhere keeps the module from having a meaning.
    pub(super) reported_elsewhere: bool,
}

impl Default for Findings {
    fn default() -> Self {
        let left_out = Diagnostic::note(Code::MoreDiagnostics, Origin(0), String::new());
        Self { found: Vec::new(), left_out, reported_elsewhere: false }
    }
}

impl Findings {
    /// Nothing keeps the module from having a meaning.
    pub(super) fn is_sound(&self) -> bool {
        !self.reported_elsewhere && !self.found.iter().any(Diagnostic::is_error)
    }

    /// Keeps a finding, unless there are too many and it is not the first error of them.
    pub(super) fn say(&mut self, one: Diagnostic<Origin>) -> &mut Diagnostic<Origin> {
        let kept = !self.is_flooded() || one.is_error() && !self.found.iter().any(Diagnostic::is_error);
        if !kept {
            self.left_out = one;
            return &mut self.left_out;
        }
        self.found.push(one);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// More was found than is ever shown.
    pub(super) fn is_flooded(&self) -> bool {
        self.found.len() > DIAGNOSTIC_LIMIT
    }
}
