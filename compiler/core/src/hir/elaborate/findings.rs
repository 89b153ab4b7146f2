//! Collects the errors and warnings of an elaboration, up to the maximum that is ever shown.

use ogc_grammar::diagnostic::DIAGNOSTIC_LIMIT;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::source::Origin;

/// The findings of one elaboration.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) found: Vec<Diagnostic<Origin>>,
    /// The last finding that was dropped because there were too many. It is kept here because callers add help to a
    /// finding after reporting it.
    left_out: Diagnostic<Origin>,
    /// Whether some part has no meaning because of an error that is not in `found` but reported by another check, such
    /// as a syntax error or a missing import. The module then has no root, although it may have no finding.
    pub(super) reported_elsewhere: bool,
}

impl Default for Findings {
    fn default() -> Self {
        let left_out = Diagnostic::note(Code::MoreDiagnostics, Origin(0), String::new());
        Self { found: Vec::new(), left_out, reported_elsewhere: false }
    }
}

impl Findings {
    /// Returns whether there is no error, here or in another check, so that the module can be lowered.
    pub(super) fn is_sound(&self) -> bool {
        !self.reported_elsewhere && !self.found.iter().any(Diagnostic::is_error)
    }

    /// Adds a finding and returns it. Beyond the limit, a finding is kept only if it is the first error.
    pub(super) fn add(&mut self, one: Diagnostic<Origin>) -> &mut Diagnostic<Origin> {
        let kept = !self.is_flooded() || one.is_error() && !self.found.iter().any(Diagnostic::is_error);
        if !kept {
            self.left_out = one;
            return &mut self.left_out;
        }
        self.found.push(one);
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// Returns whether there are more findings than are ever shown.
    pub(super) fn is_flooded(&self) -> bool {
        self.found.len() > DIAGNOSTIC_LIMIT
    }
}
