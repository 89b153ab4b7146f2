//! The codes that the examples of explanations do not give. `compiler/cli/tests/cli/codes.rs` reads this list too, and provokes each
//! of them with a command, or says why it cannot.

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
    Code::RemoteSyntax,
    Code::Test,
    Code::TextTooLong,
    Code::TooManySchemas,
    Code::UnbuiltMasks,
    Code::UnspelledText,
    Code::WeakenedKeyword,
    Code::WideRecord,
];

/// Returns whether the code is about a command, an export or a model, and not found in a file that is checked.
pub(crate) fn is_outside(group: Group) -> bool {
    matches!(group, Group::CommandLine | Group::Export | Group::Fit)
}
