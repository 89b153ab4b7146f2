//! Shows the progress of long work in the editor: only work that takes more than half a second.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use always_assert::never;
use tower_lsp_server::ls_types::notification::Progress;
use tower_lsp_server::ls_types::request::WorkDoneProgressCreate;
use tower_lsp_server::ls_types::{
    ProgressParams, ProgressParamsValue, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd,
};

use crate::event::Event;
use crate::outbox::{FromClient, Outbox};
use crate::task_id::TaskId;

/// The time after which work is shown.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// Reports on drop that a task is done, even if it fails.
pub(crate) struct Running {
    id: TaskId,
    events: Sender<Event>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // If the owner is gone, nobody shows it.
        drop(self.events.send(Event::Done(self.id)));
    }
}

/// The running tasks.
#[derive(Debug, Default)]
pub(crate) struct Tasks {
    last: TaskId,
    running: BTreeMap<TaskId, Task>,
}

#[derive(Debug)]
struct Task {
    title: &'static str,
    begun: Instant,
    shown: Shown,
}

/// Whether the client shows the progress of a task, or was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Not,
    Asked,
    Yes,
}

impl Tasks {
    /// Begins a task.
    pub(crate) fn begin(&mut self, title: &'static str, events: &Sender<Event>) -> Running {
        self.last = self.last.next();
        let id = self.last;
        self.running.insert(id, Task { title, begun: Instant::now(), shown: Shown::Not });
        Running { id, events: events.clone() }
    }

    /// Returns the time at which the next task must be shown.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let waiting = self.running.values().filter(|task| task.shown == Shown::Not);
        waiting.map(|task| task.begun + SHOWN_AFTER).min()
    }

    /// Asks the client to show tasks that take long.
    pub(crate) fn show(&mut self, now: Instant, outbox: &Outbox) {
        for (id, task) in &mut self.running {
            if task.shown == Shown::Not && task.begun + SHOWN_AFTER <= now {
                task.shown = Shown::Asked;
                let params = WorkDoneProgressCreateParams { token: id.token() };
                outbox.request::<WorkDoneProgressCreate>(&params, FromClient::Progress(*id));
            }
        }
    }

    /// Shows a task after the client has agreed.
    pub(crate) fn allowed(&mut self, id: TaskId, outbox: &Outbox) {
        if let Some(task) = self.running.get_mut(&id) {
            task.shown = Shown::Yes;
            let begin = WorkDoneProgressBegin { title: task.title.to_owned(), ..WorkDoneProgressBegin::default() };
            notify(id, WorkDoneProgress::Begin(begin), outbox);
        }
    }

    /// Ends a task.
    pub(crate) fn done(&mut self, id: TaskId, outbox: &Outbox) {
        let Some(task) = self.running.remove(&id) else {
            never!("{:?} was not running", id);
            return;
        };
        if task.shown == Shown::Yes {
            notify(id, WorkDoneProgress::End(WorkDoneProgressEnd { message: None }), outbox);
        }
    }
}

fn notify(id: TaskId, value: WorkDoneProgress, outbox: &Outbox) {
    outbox.notify::<Progress>(&ProgressParams { token: id.token(), value: ProgressParamsValue::WorkDone(value) });
}
