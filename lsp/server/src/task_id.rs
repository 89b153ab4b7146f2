//! The ids of long-running tasks, which server and client use in progress messages.

use tower_lsp_server::ls_types::NumberOrString;

/// The number of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TaskId(u64);

impl TaskId {
    /// Returns the number of the task that begins after this one.
    pub(crate) fn next(self) -> TaskId {
        TaskId(self.0 + 1)
    }

    /// Returns the token that stands for the task in messages.
    pub(crate) fn token(self) -> NumberOrString {
        NumberOrString::String(format!("ogc/{}", self.0))
    }
}
