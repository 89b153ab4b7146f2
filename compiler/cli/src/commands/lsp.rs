//! `ogc lsp`: serves an editor on standard input and output, until the editor sends `exit` or disconnects.

use ogc_lsp::Ending;

use crate::args::Lsp;
use crate::problem::Problem;
use crate::verdict::Verdict;

pub(crate) fn run(args: &Lsp) -> Result<Verdict, Problem> {
    let Lsp { stdio: _ } = args;
    Ok(match ogc_lsp::run_stdio()? {
        Ending::Asked => Verdict::Good,
        Ending::Left => Verdict::Bad,
    })
}
