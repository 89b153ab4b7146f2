//! The thread that owns the database and the documents: it takes events one after the other, edits, and hands out snapshots.
//!
//! # Parts
//!
//! 1. [`sync`](self) keeps the database in step with documents, imports and the disk.
//! 2. `workspace` reads the roots and handles changes on the disk.
//! 3. `publish` pushes findings to clients that do not pull them.
//! 4. `waiting` holds back requests that wait for a change.
//! 5. `vocabularies` reads vocabularies, and `measuring` computes masks whose costs are shown; both run in the
//!    background.
//! 6. `status` tells the client the server's status.

mod measuring;
mod publish;
mod status;
mod sync;
mod vocabularies;
mod waiting;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use ogc_ide::{Host, costs};
use serde_json::Value;
use tower_lsp_server::ls_types::notification::ShowMessage;
use tower_lsp_server::ls_types::{MessageType, ShowMessageParams};

use crate::capabilities;
use crate::client::Client;
use crate::documents::{Document, Documents, Role, edit, role};
use crate::event::Event;
use crate::files;
use crate::imports::Imports;
use crate::job::{Asked, Parking};
use crate::last_tokens::LastTokens;
use crate::outbox::{FromClient, Outbox};
use crate::pool::{Lane, Pool, STACK};
use crate::progress::Tasks;
use crate::settings::Settings;
use crate::view::{Opened, View};
use measuring::Measuring;
use publish::Publisher;
use status::StatusOfServer;
use vocabularies::Loading;
use waiting::{Busy, Waiting};
use workspace::Scan;

/// Maximum time for which findings wait for further events.
const PATIENCE: Duration = Duration::from_millis(200);

/// The owner of everything that changes.
struct Owner {
    host: Host,
    documents: Documents,
    /// The open documents as snapshots have them.
    open: Arc<BTreeMap<String, Opened>>,
    imports: Imports,
    /// The names of files whose text in the database may be outdated.
    dirty: BTreeSet<String>,
    changes: Changes,
    client: Arc<Client>,
    roots: Arc<Vec<String>>,
    tokens: Arc<LastTokens>,
    settings: Arc<Settings>,
    /// The client's initial settings; messages about them can only be sent later.
    first_settings: Option<Value>,
    /// The names of the `ogc.toml` files that were searched above documents.
    looked_for: BTreeSet<String>,
    seeds: Arc<AtomicU64>,
    loading: Loading,
    measuring: Measuring,
    status: StatusOfServer,
    scan: Scan,
    publisher: Publisher,
    waiting: Waiting,
    tasks: Tasks,
    pool: Pool,
    outbox: Outbox,
    events: Sender<Event>,
}

/// The changes since findings were last requested.
#[derive(Clone, Copy, Debug, Default)]
struct Changes {
    /// Any text changed.
    any: bool,
    /// Something changed that the client does not know of: a file on the disk, or settings.
    outside: bool,
}

/// Starts the owner's thread; returns its queue.
///
/// # Errors
/// The system cannot start threads.
pub(crate) fn start(outbox: Outbox) -> io::Result<Sender<Event>> {
    let (events, queue) = channel();
    let pool = Pool::new()?;
    let sender = events.clone();
    let run = move || Owner::new(pool, outbox, sender).serve(&queue);
    thread::Builder::new().name("owner".to_owned()).stack_size(STACK).spawn(run)?;
    Ok(events)
}

impl Owner {
    fn new(pool: Pool, outbox: Outbox, events: Sender<Event>) -> Self {
        Self {
            host: Host::new(),
            documents: Documents::new(),
            open: Arc::default(),
            imports: Imports::default(),
            dirty: BTreeSet::new(),
            changes: Changes::default(),
            client: Arc::default(),
            roots: Arc::default(),
            tokens: Arc::default(),
            settings: Arc::default(),
            first_settings: None,
            looked_for: BTreeSet::new(),
            seeds: Arc::default(),
            loading: Loading::new(),
            measuring: Measuring::default(),
            status: StatusOfServer::default(),
            scan: Scan::default(),
            publisher: Publisher::default(),
            waiting: Waiting::default(),
            tasks: Tasks::default(),
            pool,
            outbox,
            events,
        }
    }

    fn serve(mut self, queue: &Receiver<Event>) {
        loop {
            match self.next(queue) {
                Ok(Event::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                match queue.try_recv() {
                    Ok(Event::Stop) => return,
                    Ok(event) => self.take(event),
                    Err(_) => break,
                }
            }
            self.settle();
        }
    }

    fn next(&self, queue: &Receiver<Event>) -> Result<Event, RecvTimeoutError> {
        let own = [self.tasks_deadline(), self.measuring_deadline()];
        let deadlines = own.into_iter().chain([self.publisher.deadline(), self.waiting.deadline()]);
        match deadlines.flatten().min() {
            Some(deadline) => queue.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => queue.recv().map_err(|_| RecvTimeoutError::Disconnected),
        }
    }

    fn tasks_deadline(&self) -> Option<Instant> {
        self.tasks.deadline().filter(|_| self.client.progress)
    }

    /// Returns the time to compute masks; `None` while vocabularies are being read, because no masks can be computed
    /// then.
    fn measuring_deadline(&self) -> Option<Instant> {
        self.measuring.deadline().filter(|_| self.loading.is_empty())
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Initialize { params, reply } => {
                let client = Client::new(&params);
                self.set_roots(workspace::roots(&params));
                let said = params.initialization_options.as_ref();
                self.first_settings = said.map(|said| said.get("ogc").unwrap_or(said).clone());
                // A disconnected client does not need the answer.
                drop(reply.send(capabilities::server(&client)));
                self.client = Arc::new(client);
            }
            Event::Initialized => self.initialized(),
            Event::Opened(params) => {
                let one = params.text_document;
                let (name, uri, version) = (files::name(&one.uri), one.uri, one.version);
                let document = Document { uri, version, text: one.text, language_id: one.language_id };
                self.documents.insert(name.clone(), document);
                self.look_for_settings(&name);
                self.edited(name);
            }
            Event::Changed(params) => {
                let name = files::name(&params.text_document.uri);
                if let Some(document) = self.documents.get_mut(&name) {
                    document.version = params.text_document.version;
                    edit(&mut document.text, params.content_changes, self.client.unit);
                    self.edited(name);
                }
            }
            Event::Saved => self.saved(),
            Event::Closed(params) => {
                let name = files::name(&params.text_document.uri);
                self.documents.remove(&name);
                self.publisher.closed(&name, params.text_document.uri, &self.outbox);
                self.edited(name);
            }
            Event::Watched(changes) => self.watched(changes),
            Event::Folders(params) => self.folders(params.event),
            Event::Configuration(settings) => self.configuration(settings),
            Event::Ask(asked) => self.ask(asked),
            Event::Cancelled(asked) => self.cancelled(asked),
            Event::Done(task) => self.tasks.done(task, &self.outbox),
            Event::DocumentFindings(found) => self.found(found),
            Event::Scanned { files, scan } => self.scanned(files, scan),
            Event::Vocabulary { name, loaded } => self.vocabulary_loaded(&name, loaded),
            Event::Wanted => self.measuring.begin_soon(),
            Event::Measured { wanted, outcome } => self.measured(wanted, outcome),
            Event::Facts { vocabularies, budget } => self.facts(vocabularies, budget),
            Event::Answered { about, result } => match about {
                FromClient::Nothing => {}
                FromClient::Settings => self.settings_answered(result),
                FromClient::Progress(task) if result.is_some() => self.tasks.allowed(task, &self.outbox),
                FromClient::Progress(_) => {}
            },
            Event::Stop => {}
        }
    }

    /// Records that a document was opened, edited or closed.
    fn edited(&mut self, name: String) {
        let open = Arc::make_mut(&mut self.open);
        match self.documents.get(&name) {
            Some(document) => {
                let is_settings = role(&name, document, false) == Role::Settings;
                let settings = is_settings.then(|| document.text.as_str().into());
                let (uri, version) = (document.uri.clone(), document.version);
                open.insert(name.clone(), Opened { uri, version, settings });
            }
            None => {
                open.remove(&name);
            }
        }
        self.publisher.edited(&name);
        self.measuring.edited();
        self.look_at(&name);
        self.dirty.insert(name);
        self.changes.any = true;
    }

    /// Does the remaining work when the queue is empty.
    fn settle(&mut self) {
        self.flush();
        let changes = std::mem::take(&mut self.changes);
        if changes.any {
            self.publish();
            self.find_status();
            self.waiting.changed(Instant::now());
        }
        if changes.outside {
            self.refresh();
        }
        let now = Instant::now();
        self.publish_held(now);
        if self.client.progress {
            self.tasks.show(now, &self.outbox);
        }
        if self.waiting.waits_for_vocabularies() {
            self.load_vocabularies();
        }
        self.measure(now);
        self.say_status();
        let busy = Busy { is_scanning: self.scan.is_running(), is_loading: !self.loading.is_empty() };
        for asked in self.waiting.ready(now, busy) {
            self.run(asked);
        }
    }

    fn ask(&mut self, mut asked: Asked) {
        asked.version = self.version_of(&asked);
        match asked.parking {
            Parking::Never => self.run(asked),
            Parking::Scan | Parking::Change | Parking::Vocabularies => self.waiting.park(asked, Instant::now()),
        }
    }

    /// Hands a request to the pool, with the database as it is now.
    fn run(&mut self, mut asked: Asked) {
        self.flush();
        self.host.trim();
        let (view, events) = (self.view(), self.events.clone());
        let running = (asked.lane == Lane::Long).then(|| self.tasks.begin(asked.title, &self.events));
        self.pool.run(asked.lane, move || {
            let done = asked.job.run(&view);
            if costs::is_any_wanted(&view.snapshot) {
                drop(events.send(Event::Wanted));
            }
            // The next edit waits until the view is dropped.
            drop(view);
            drop(running);
            if done.is_err() {
                drop(events.send(Event::Cancelled(asked)));
            }
        });
    }

    /// Restarts a request that an edit cancelled, unless the request's own document has changed.
    fn cancelled(&mut self, mut asked: Asked) {
        if self.version_of(&asked) == asked.version {
            self.run(asked);
        } else {
            asked.job.refuse();
        }
    }

    fn version_of(&self, asked: &Asked) -> Option<i32> {
        asked.about.as_ref().and_then(|uri| self.documents.get(&files::name(uri))).map(|document| document.version)
    }

    fn view(&self) -> View {
        View {
            snapshot: self.host.snapshot(),
            client: Arc::clone(&self.client),
            open: Arc::clone(&self.open),
            roots: Arc::clone(&self.roots),
            tokens: Arc::clone(&self.tokens),
            settings: Arc::clone(&self.settings),
            outbox: self.outbox.clone(),
            seeds: Arc::clone(&self.seeds),
        }
    }

    /// Shows a message to people.
    fn say(&self, typ: MessageType, message: &str) {
        self.outbox.notify::<ShowMessage>(&ShowMessageParams { typ, message: message.to_owned() });
    }
}
