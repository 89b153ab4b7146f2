//! `ogc/status`: the content of the item in an editor's status bar.

use ogc_ide::{cancellable, costs};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::notification::Notification;

use super::Owner;
use crate::event::Event;
use crate::pool::Lane;

/// The state of the server, and the settings of the last edited document.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Status {
    vocabularies: Vec<String>,
    budget: Option<String>,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ready,
    Working,
}

impl Notification for Status {
    type Params = Status;
    const METHOD: &'static str = "ogc/status";
}

/// The facts about the last edited document, and the last status sent to the client.
#[derive(Default)]
pub(super) struct StatusOfServer {
    last_edited: Option<String>,
    vocabularies: Vec<String>,
    budget: Option<String>,
    said: Option<Status>,
}

impl Owner {
    /// Records which document was edited last.
    pub(super) fn look_at(&mut self, name: &str) {
        self.status.last_edited = Some(name.to_owned());
    }

    /// Starts to read the settings of the last edited document.
    pub(super) fn find_status(&mut self) {
        let Some(name) = self.status.last_edited.clone().filter(|_| self.client.notifications) else { return };
        let (view, events) = (self.view(), self.events.clone());
        self.pool.run(Lane::Quick, move || {
            let Some(file) = view.snapshot.file(&name) else { return };
            let vocabularies = view.snapshot.settings(file).vocabularies.clone();
            // The edit that cancels this also starts it again.
            let Ok(budget) = cancellable(&view.snapshot, |snapshot| costs::budget(snapshot, file)) else { return };
            drop(view);
            drop(events.send(Event::Facts { vocabularies, budget }));
        });
    }

    /// Receives the settings of the last edited document.
    pub(super) fn facts(&mut self, vocabularies: Vec<String>, budget: Option<String>) {
        self.status.vocabularies = vocabularies;
        self.status.budget = budget;
    }

    /// Sends the client the server's status, if it has changed.
    pub(super) fn say_status(&mut self) {
        if !self.client.notifications {
            return;
        }
        let detail = if self.scan.is_running() {
            Some("reading the formats of the workspace")
        } else if !self.loading.is_empty() {
            Some("reading vocabularies")
        } else if self.measuring.is_running() {
            Some("computing masks")
        } else {
            None
        };
        let detail = detail.map(str::to_owned);
        let status = Status {
            vocabularies: self.status.vocabularies.clone(),
            budget: self.status.budget.clone(),
            state: if detail.is_some() { State::Working } else { State::Ready },
            detail,
        };
        if self.status.said.as_ref() != Some(&status) {
            self.outbox.notify::<Status>(&status);
            self.status.said = Some(status);
        }
    }
}
