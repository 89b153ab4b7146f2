//! Reads vocabularies in the background, when the first answer needs one.

use std::collections::BTreeSet;

use ogc_ide::vocabulary::{self, BUILT_IN, Loaded};
use tower_lsp_server::ls_types::MessageType;

use super::Owner;
use crate::disk;
use crate::event::Event;
use crate::files;
use crate::pool::Lane;

/// The vocabularies that are being read, by name.
pub(super) type Loading = BTreeSet<String>;

impl Owner {
    /// Starts to read the configured vocabularies that are not read yet.
    pub(super) fn load_vocabularies(&mut self) {
        for name in self.host.snapshot().missing_vocabularies() {
            if !self.loading.insert(name.clone()) {
                continue;
            }
            let (events, root) = (self.events.clone(), self.roots.first().cloned());
            let running = self.tasks.begin("Reading a vocabulary", &self.events);
            self.pool.run(Lane::Long, move || {
                let loaded = load(&name, root.as_deref());
                drop(running);
                drop(events.send(Event::Vocabulary { name, loaded }));
            });
        }
    }

    /// Receives a vocabulary.
    pub(super) fn vocabulary_loaded(&mut self, name: &str, loaded: Loaded) {
        self.loading.remove(name);
        match loaded {
            Ok(store) => self.host.set_vocabulary(name, store),
            Err(message) => {
                self.say(MessageType::WARNING, &format!("The vocabulary `{name}` cannot be read: {message}"));
                self.host.set_vocabulary_error(name, message);
            }
        }
        self.measuring.begin_soon();
    }
}

fn load(name: &str, root: Option<&str>) -> Loaded {
    if name == BUILT_IN {
        return vocabulary::built_in();
    }
    let path = name.replace('\\', "/");
    let path = match root {
        Some(root) if !files::is_on_disk(&path) => files::below(root, &path),
        _ => path,
    };
    vocabulary::read(&disk::read_vocabulary(&path)?)
}
