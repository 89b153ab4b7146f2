//! Code actions: corrections of findings, refactorings, and what tidies a whole file.
//!
//! Each action has a file, which tells whether the action applies at a selection, and makes the change. An expensive
//! action (one that compiles the file, perhaps several times) is offered without its change; [`resolve`] makes the
//! change when the user chooses the action.

mod add_test;
mod allow;
mod bound;
mod case;
mod context;
pub(crate) mod convert;
mod create;
mod depth;
mod discriminator;
mod extract;
mod fix_all;
mod fixes;
mod inline;
mod kind;
mod record;
mod substitute;
mod unused;

#[cfg(test)]
mod tests;

use ogc_compiler::db::Language;
use ogc_compiler::pipeline::Format;
use ogc_grammar::{Code, Span};

use crate::place::{FileEdits, FilePosition, FileSpan, TextEdit};
use crate::snapshot::Snapshot;
use context::Context;
pub use create::NewDefinition;

/// The kind of an action, by which editors filter actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Corrects a finding.
    QuickFix,
    /// Gives a part a name of its own.
    Extract,
    /// Replaces a name by the body of its definition.
    Inline,
    /// Expresses the same, or nearly the same, in another way.
    Rewrite,
    /// Corrects all findings of a file.
    FixAll,
    /// Removes unused items.
    Organize,
}

/// The change that an action makes, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// Corrects one finding.
    Fix,
    /// Corrects all findings of a code.
    FixCode(Code),
    /// Corrects all findings of a file, as `ogc check --fix` does.
    FixAll,
    /// Defines the unknown name whose first use starts at this offset.
    Create(NewDefinition, u32),
    /// Gives the failing case at this offset a text that the format accepts.
    AcceptText(u32),
    /// Makes the failing case at this offset expect the opposite.
    TurnCase(u32),
    /// Allows a finding in its item.
    Allow(Code),
    /// Gives the selected expression a name.
    Extract,
    /// Replaces one use of a definition by its body.
    InlineUse,
    /// Replaces all uses of a definition by its body, and removes the definition.
    InlineAll,
    /// Allows other keys in a record.
    OpenRecord,
    /// Allows no other keys in a record.
    CloseRecord,
    /// Names the key that tells the branches of a union apart.
    Discriminate,
    /// Writes an imported schema or grammar as an `.ogc` file.
    Convert,
    /// Bounds a repetition or a length.
    Bound,
    /// Bounds the nesting depth of values.
    BoundDepth,
    /// Removes unused items.
    RemoveUnused,
    /// Adds an accepted text to the test of a definition.
    AddTest,
}

/// The identity of an action, from which its change can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ActionId {
    /// The selection for which it was offered.
    pub selection: FileSpan,
    /// Change that the action makes.
    pub command: Command,
}

/// An action that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Identity of the action.
    pub id: ActionId,
    /// Description of the change, in the imperative.
    pub title: String,
    /// Kind of the action.
    pub kind: ActionKind,
    /// Whether the action is the one that users usually want.
    pub is_preferred: bool,
    /// The finding that it resolves: the code, and the place where it is shown.
    pub fixes: Option<(Code, FileSpan)>,
    /// The change; `None` if [`resolve`] makes it.
    pub change: Option<Change>,
}

/// A change of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Files to create before the edits are made. Existing files are not overwritten.
    pub creates: Vec<CreateFile>,
    /// The edits of existing files.
    pub edits: Vec<FileEdits>,
    /// A new name in the changed text, for which the editor may ask the user.
    pub rename: Option<FilePosition>,
}

/// A file that is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateFile {
    /// Name of the new file.
    pub name: String,
    /// Text of the new file.
    pub text: String,
}

impl Change {
    /// Makes a change of one file.
    fn of(file: crate::SourceFile, mut edits: Vec<TextEdit>) -> Change {
        edits.sort_by_key(|edit| edit.span);
        Change { edits: vec![FileEdits { file, edits }], ..Change::default() }
    }
}

impl Action {
    fn new(context: &Context<'_>, command: Command, kind: ActionKind, title: impl Into<String>) -> Action {
        let id = ActionId { selection: context.selection, command };
        Action { id, title: title.into(), kind, is_preferred: false, fixes: None, change: None }
    }

    fn with(self, change: Change) -> Action {
        Action { change: Some(change), ..self }
    }
}

/// Returns the actions of one file of this folder that apply.
type Offer = fn(&Context<'_>) -> Vec<Action>;

/// The actions on `.ogc` files other than the corrections of findings.
const OFFERS: [(ActionKind, Offer); 13] = [
    (ActionKind::QuickFix, case::offered),
    (ActionKind::QuickFix, allow::offered),
    (ActionKind::QuickFix, fix_all::offered_of_code),
    (ActionKind::Extract, extract::offered),
    (ActionKind::Inline, inline::offered),
    (ActionKind::Rewrite, record::offered),
    (ActionKind::Rewrite, discriminator::offered),
    (ActionKind::Rewrite, convert::offered),
    (ActionKind::Rewrite, bound::offered),
    (ActionKind::Rewrite, depth::offered),
    (ActionKind::Rewrite, add_test::offered),
    (ActionKind::FixAll, fix_all::offered),
    (ActionKind::Organize, unused::offered),
];

/// Returns the actions at a selection, of the wanted kinds; of all kinds if none is named.
#[must_use]
pub fn actions(snapshot: &Snapshot, selection: FileSpan, wanted: &[ActionKind]) -> Vec<Action> {
    let context = Context::new(snapshot, selection);
    let is_wanted = |kind: ActionKind| wanted.is_empty() || wanted.contains(&kind);
    let mut found = Vec::new();
    if is_wanted(ActionKind::QuickFix) {
        found.extend(fixes::offered(&context));
        found.extend(create::offered(&context));
    }
    if snapshot.language(selection.file) == Language::Ogc {
        found.extend(OFFERS.iter().filter(|(kind, _)| is_wanted(*kind)).flat_map(|(_, offer)| offer(&context)));
    }
    found
}

/// Returns the change that adds a case with a text to the test of a definition; `None` if the file has no definition
/// with that name and without parameters. `tokens` are the names of the format's tokens.
#[must_use]
pub fn with_text(
    snapshot: &Snapshot,
    format: &Format,
    text: &str,
    is_accepted: bool,
    tokens: &[String],
) -> Option<Change> {
    let context = Context::new(snapshot, FileSpan::new(format.file, Span::default()));
    add_test::with_text(&context, format.name.as_deref()?, text, is_accepted, tokens)
}

/// Returns the change that makes the failing case at a position hold, with an accepted text or the opposite
/// expectation. `None` if no case fails there.
#[must_use]
pub fn accepted_case(snapshot: &Snapshot, position: FilePosition) -> Option<Change> {
    case::accepted(&Context::new(snapshot, FileSpan::new(position.file, Span::empty(position.offset))))
}

/// Makes the change of an action that was offered without it; `None` if the action no longer applies.
#[must_use]
pub fn resolve(snapshot: &Snapshot, id: &ActionId) -> Option<Change> {
    let context = Context::new(snapshot, id.selection);
    match id.command {
        Command::FixAll => fix_all::change(&context, None),
        Command::FixCode(code) => fix_all::change(&context, Some(code)),
        Command::RemoveUnused => unused::change(&context),
        Command::Convert => convert::change(&context),
        Command::AddTest => add_test::change(&context),
        Command::AcceptText(at) => case::change(&context, at),
        Command::Create(kind, at) => create::change(&context, kind, at),
        _ => actions(snapshot, id.selection, &[]).into_iter().find(|action| action.id == *id)?.change,
    }
}
