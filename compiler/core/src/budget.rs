//! The budget of compiling queries: each query that does much work opens a budget, and reports an error when it is
//! exceeded.

use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::LimitError;
use ogc_regular::budget::{Allowance, Spender, Usage, spend};
use ogc_schema::source::Origin;

use crate::SchemaFault;

use crate::db::Limits;

/// Runs a query's work under its budget; if the work exceeds the budget, `refused` turns the error into the result.
pub fn within<T>(limits: &Limits, work: impl FnOnce() -> T, refused: impl FnOnce(Diagnostic<Origin>) -> T) -> T {
    let (made, usage) = spend(limits.budget, work);
    match usage.exceeded {
        Some((error, place)) => refused(exceeded(place, &error)),
        None => made,
    }
}

/// Runs work as [`within`] does, for errors whose places are handles of a source map.
pub(crate) fn within_schema<T>(
    limits: &Limits,
    work: impl FnOnce() -> Result<T, Vec<SchemaFault>>,
) -> Result<T, Vec<SchemaFault>> {
    let (made, usage) = spend(limits.budget, work);
    match usage.exceeded {
        Some((error, place)) => Err(vec![SchemaFault::budget(place, error)]),
        None => made,
    }
}

/// Returns the finding of a compilation that exceeds its budget, at the place that used most of it.
pub(crate) fn exceeded(place: Spender, error: &LimitError) -> Diagnostic<Origin> {
    SchemaFault::budget(place, *error).finding()
}

/// Budget of all parts of a file together, as a multiple of the budget of one compilation.
const PARTS: u64 = 2;

/// The work and memory that the parts of a file have used so far. The counts come from the recorded usage of each part,
/// so they do not depend on whether a part was compiled now or earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    work: u64,
    kept: u64,
}

/// An error: the parts of a file together exceed their budget.
#[derive(Clone, Copy, Debug)]
pub struct Overspent(LimitError);

impl Spent {
    /// Adds the usages of one part; fails if the sum exceeds the shared budget.
    pub fn add(&mut self, usages: &[Usage], budget: Allowance) -> Result<(), Overspent> {
        self.work += usages.iter().map(|usage| usage.work).sum::<u64>();
        self.kept += usages.iter().map(|usage| usage.kept).sum::<u64>();
        check("steps of all definitions of the file", self.work, budget.work.saturating_mul(PARTS))?;
        check("bytes of memory of all definitions of the file", self.kept, budget.bytes)
    }
}

fn check(what: &'static str, given: u64, limit: u64) -> Result<(), Overspent> {
    if given > limit { Err(Overspent(LimitError::of_large(what, given, limit))) } else { Ok(()) }
}

impl Overspent {
    /// Returns the error, placed at the definition that was compiled last.
    pub(crate) fn at(self, span: Span) -> Diagnostic {
        Diagnostic::error(Code::Limit, span, self.0.to_string())
            .help("the definitions after this one were not compiled: split the file")
    }
}
