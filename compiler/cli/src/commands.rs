//! Runs the commands; each has a file.

mod build;
mod check;
mod completions;
mod cost;
mod diff;
mod events;
mod explain;
mod export;
#[cfg(feature = "generate")]
mod fit;
mod fmt;
#[cfg(feature = "generate")]
mod generate;
mod import;
mod inspect;
mod lsp;
mod new;
mod origin;
mod report;
mod run;
mod sample;
#[cfg(feature = "generate")]
mod serve;
mod test;

use crate::args::Command;
use crate::output::Output;
use crate::problem::Problem;
use crate::verdict::Verdict;

/// Runs the command that the command line names.
pub(crate) fn run(command: &Command, output: &Output) -> Result<Verdict, Problem> {
    match command {
        Command::New(args) => new::run(args, output),
        Command::Fmt(args) => fmt::run(args, output),
        Command::Check(args) => check::run(args, output),
        Command::Build(args) => build::run(args, output),
        Command::Run(args) => run::run(args, output),
        Command::Test(args) => test::run(args, output),
        Command::Sample(args) => sample::run(args, output),
        Command::Diff(args) => diff::run(args, output),
        #[cfg(feature = "generate")]
        Command::Generate(args) => generate::run(args, output),
        #[cfg(feature = "generate")]
        Command::Fit(args) => fit::run(args, output),
        #[cfg(feature = "generate")]
        Command::Serve(args) => serve::run(args, output),
        Command::Export(args) => export::run(args, output),
        Command::Import(args) => import::run(args, output),
        Command::Explain(args) => explain::run(args, output),
        Command::Inspect(args) => inspect::run(args, output),
        Command::Cost(args) => cost::run(args, output),
        Command::Report(args) => report::run(args, output),
        Command::Lsp(args) => lsp::run(args),
        Command::Completions(args) => completions::run(args, output),
    }
}
