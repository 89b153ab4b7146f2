//! The codes that examples of explanations do not produce. `compiler/cli/tests/cli/codes.rs` also uses this list: it
//! produces each code with a command, or states why it cannot.

use ogc_grammar::Code;
use ogc_grammar::code::Group;

/// Codes whose findings need other files, much text, or a vocabulary that cannot spell everything.
pub(crate) const ELSEWHERE: &[Code] = &[
    Code::Automaton,
    Code::CapturesLimit,
    Code::ExpensivePart,
    Code::Format,
    Code::GrammarAutomaton,
    Code::GrammarLimit,
    Code::ImportCycle,
    Code::ImportErrors,
    Code::JsonTooDeep,
    Code::LintLimit,
    Code::LooseSpace,
    Code::MoreDiagnostics,
    Code::MoreFindings,
    Code::NestingTooDeep,
    Code::NondeterministicRule,
    Code::OpenRecord,
    Code::PythonName,
    Code::RemoteSyntax,
    Code::Test,
    Code::TextTooLong,
    Code::TooManySchemas,
    Code::UnbuiltMasks,
    Code::UnspelledText,
    Code::WeakenedKeyword,
    Code::WideRecord,
];

/// Returns whether a code is about a command, an export or a model, and never found by checking a file.
pub(crate) fn is_outside(group: Group) -> bool {
    matches!(group, Group::CommandLine | Group::Export | Group::Fit)
}
