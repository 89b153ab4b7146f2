//! The thread of the model: texts join and leave between its passes, and all texts under way share each pass.
//!
//! # Masks that take long
//!
//! Before a pass each text is prepared: the tokens that the last pass decided are appended, and the masks for the next
//! pass are computed. This happens here, and nearly always takes microseconds. A text that takes longer leaves: its
//! preparation goes on beside the passes ([`Workers`]), which reuse the masks computed so far, and the text returns
//! when it is prepared. So no text waits for the masks of another. While it is away, another text may have its slot.
//!
//! # Drafts
//!
//! A draft model writes the drafts of all texts together, between their preparation and the pass (`drafts`).
//!
//! # Clients
//!
//! If there are more texts than slots, clients share the slots equally: between two passes, a text of a client with more slots steps aside, and keeps
//! its KV cache. Texts begin in the order of [`BeginOrder`]; [`PassShares`] decides which texts take part in a pass, and [`prompt_order()`] the order
//! in which prompts are read.
//!
//! # Passes within passes
//!
//! A pass over many rows takes ten times as long as one over a single row, and a text that arrives meanwhile would wait for it. So a model on a CPU
//! asks between its layers whether there are texts that cannot wait: texts of clients that have had less time than every client whose text is in the
//! pass. Inner passes are made for them, until they have had as much time.
//!
//! The time of a text's masks is bounded, both here and on the workers ([`MaskLimits`]), and so are the threads of one client. The work stops when
//! nobody wants the text any more.

mod begin_order;
mod drafts;
mod mask_time;
mod pass_shares;
mod prompt_order;
mod running;
mod workers;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use ogc_generate::{GenerateError, LoadedModel, Sequence, read_shared, share_prompts};
use ogc_runtime::cache::Client;

use crate::api::ApiError;
use crate::metrics::Metrics;
use begin_order::BeginOrder;
pub(crate) use mask_time::{Bounded, MaskLimits, bounded};
use pass_shares::{Outstanding, PassShares, PassText};
use prompt_order::{UnreadPrompt, prompt_order};
pub(crate) use running::{Job, News, Update};
use running::{Prepared, Running};
pub(crate) use workers::Workers;

/// Event for the thread of the model.
enum Event {
    /// A text begins; the sender is for its return.
    Began(Box<Job>, Sender<Event>),
    /// A text returns; its masks were computed beside the passes.
    Back(Box<Running>, Prepared),
}

/// Hands texts to the thread of the model.
#[derive(Clone, Debug)]
pub(crate) struct Jobs(Sender<Event>);

impl Jobs {
    /// Hands over a text.
    pub(crate) fn send(&self, job: Job) -> Result<(), ApiError> {
        let began = Event::Began(Box::new(job), self.0.clone());
        self.0.send(began).map_err(|_| ApiError::defect("the model has stopped"))
    }
}

/// State of the thread of the model.
struct Scheduler {
    loaded: Arc<LoadedModel>,
    workers: Arc<Workers>,
    limits: MaskLimits,
    /// Maximum number of texts that share a pass.
    slots: usize,
    metrics: Arc<Metrics>,
    /// The texts that take part in passes.
    here: Vec<Running>,
    /// Clients of the texts whose masks are computed beside the passes.
    away: Vec<Client>,
    /// Texts that wait for a slot again: they were away, or have stepped aside.
    back: Vec<Running>,
    /// Texts that have not begun, in order of arrival.
    waiting: Vec<Running>,
    begins: BeginOrder,
    shares: PassShares,
    /// Clients of the texts in the running pass, each with the number of unread tokens of its prompt.
    reading: Vec<(Client, usize)>,
}

/// Writes texts on a thread of its own, until no [`Jobs`] are left.
pub(crate) fn start(
    loaded: Arc<LoadedModel>,
    workers: Arc<Workers>,
    limits: MaskLimits,
    slots: usize,
    metrics: Arc<Metrics>,
) -> (Jobs, JoinHandle<()>) {
    let (sender, mut events) = channel();
    let scheduler = Scheduler::new(loaded, workers, limits, slots, metrics);
    let thread = std::thread::spawn(move || scheduler.run(&mut events));
    (Jobs(sender), thread)
}

impl Scheduler {
    fn new(
        loaded: Arc<LoadedModel>,
        workers: Arc<Workers>,
        limits: MaskLimits,
        slots: usize,
        metrics: Arc<Metrics>,
    ) -> Self {
        let (here, away, back, waiting) = Default::default();
        let (begins, shares, reading) = Default::default();
        Self { loaded, workers, limits, slots, metrics, here, away, back, waiting, begins, shares, reading }
    }

    fn run(mut self, events: &mut Receiver<Event>) {
        loop {
            self.join();
            if self.here.is_empty() {
                match events.recv() {
                    Ok(event) => self.take(event),
                    Err(_) => return,
                }
            }
            events.try_iter().for_each(|event| self.take(event));
            self.turn(events);
            self.show_load();
        }
    }

    /// Makes a pass for the texts that take part in it; returns whether there were any.
    fn turn(&mut self, events: &mut Receiver<Event>) -> bool {
        self.join();
        self.prepare();
        self.draft();
        self.pass(events)
    }

    /// Makes inner passes during the running one, as long as there are texts that cannot wait for it.
    fn between_layers(&mut self, events: &mut Receiver<Event>, is_first: bool) {
        let mut has_news = is_first;
        loop {
            events.try_iter().for_each(|event| {
                self.take(event);
                has_news = true;
            });
            has_news &= !(self.here.is_empty() && self.back.is_empty() && self.waiting.is_empty());
            if !has_news || !self.turn(events) {
                return;
            }
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Began(job, back) => self.waiting.push(Running::new(*job, back)),
            Event::Back(mut text, prepared) => {
                let client = text.job.client;
                if let Some(at) = self.away.iter().position(|away| *away == client) {
                    self.away.swap_remove(at);
                }
                let goes_on = match prepared {
                    Prepared::Yes => text.tell_growth(&self.metrics),
                    Prepared::Failed(error) => text.fail(error, &self.metrics),
                };
                self.back.extend(goes_on.then_some(*text));
            }
        }
    }

    /// Lets texts join the passes: first those that return, then those that begin.
    fn join(&mut self) {
        for texts in [&mut self.waiting, &mut self.back, &mut self.here] {
            texts.retain(|text| !text.job.is_given_up());
        }
        self.forget_clients();
        let room = self.slots.saturating_sub(self.here.len()).min(self.back.len());
        self.here.extend(self.back.drain(..room));
        while self.here.len() < self.slots && self.begun() < self.most_begun() {
            let waiting: Vec<Client> = self.waiting.iter().map(|text| text.job.client).collect();
            match self.begins.next(&waiting, |client| self.begun_of(client)) {
                Some(at) if self.may_begin(&self.waiting[at]) => {
                    let text = self.begin(at);
                    self.here.push(text);
                }
                _ => break,
            }
        }
        self.share_slots();
        self.show_load();
    }

    /// Takes a text out of the waiting ones.
    fn begin(&mut self, at: usize) -> Running {
        let text = self.waiting.remove(at);
        self.begins.begins(text.job.client);
        text
    }

    fn forget_clients(&mut self) {
        let texts = self.here.iter().chain(&self.back).chain(&self.waiting).map(|text| text.job.client);
        let clients: HashSet<Client> = texts.chain(self.elsewhere()).collect();
        self.begins.keep(|client| clients.contains(&client));
    }

    /// Makes texts of clients with many slots step aside for texts of clients with fewer slots, the youngest first.
    /// With a model on a device, texts that have begun keep their slots.
    fn share_slots(&mut self) {
        while !self.loaded.model.is_elsewhere() {
            let may_begin = self.begun() < self.most_begun();
            let back = self.back.iter().enumerate().map(|(at, text)| (self.here_of(text.job.client), false, at));
            let waiting = self.waiting.iter().enumerate().filter(|(_, text)| may_begin && self.may_begin(text));
            let others = back.chain(waiting.map(|(at, text)| (self.here_of(text.job.client), true, at)));
            let here = self.here.iter().enumerate().map(|(at, text)| (self.here_of(text.job.client), at));
            let (Some((few, is_new, next)), Some((many, leaves))) = (others.min(), here.max()) else { return };
            if many < few + 2 {
                return;
            }
            let joins = if is_new { self.begin(next) } else { self.back.remove(next) };
            self.back.push(self.here.remove(leaves));
            self.here.push(joins);
        }
    }

    /// Returns whether the client of a text may begin one more: half of the lent slots are reserved for other clients.
    fn may_begin(&self, text: &Running) -> bool {
        self.begun_of(text.job.client) < self.slots + self.slots / 2
    }

    fn here_of(&self, client: Client) -> usize {
        let read = self.reading.iter().filter(|(read, _)| *read == client).count();
        read + self.here.iter().filter(|text| text.job.client == client).count()
    }

    /// Returns the clients of the texts that are in the running pass, or away.
    fn elsewhere(&self) -> impl Iterator<Item = Client> {
        self.reading.iter().map(|(client, _)| *client).chain(self.away.iter().copied())
    }

    /// Returns the maximum number of texts that may have begun. Texts that are away lend their slots, unless the model's memory on a device is
    /// limited to as many texts as there are slots.
    fn most_begun(&self) -> usize {
        if self.loaded.model.is_elsewhere() { self.slots } else { self.slots.saturating_mul(2) }
    }

    fn begun(&self) -> usize {
        self.here.len() + self.back.len() + self.elsewhere().count()
    }

    fn begun_of(&self, client: Client) -> usize {
        let texts = self.here.iter().chain(&self.back).map(|text| text.job.client);
        texts.chain(self.elsewhere()).filter(|begun| *begun == client).count()
    }

    /// Prepares the texts that are here; texts that take long leave.
    fn prepare(&mut self) {
        for mut text in std::mem::take(&mut self.here) {
            match text.prepare_soon(&self.loaded, self.limits.quick) {
                Some(Prepared::Yes) => {
                    let goes_on = text.tell_growth(&self.metrics);
                    self.here.extend(goes_on.then_some(text));
                }
                Some(Prepared::Failed(error)) => drop(text.fail(error, &self.metrics)),
                None => self.send_away(text),
            }
        }
    }

    /// Has a text prepared beside the passes, by a worker.
    fn send_away(&mut self, mut text: Running) {
        text.tell_growth(&self.metrics);
        self.metrics.slow_masks.add(1);
        let (client, had) = (text.job.client, text.mask_time);
        self.away.push(client);
        let (loaded, limits) = (Arc::clone(&self.loaded), self.limits);
        self.workers.submit(client, had, move || {
            let prepared = text.prepare_beside(&loaded, limits);
            let back = text.back.clone();
            // The model's thread may have ended with all requests.
            let _ = back.send(Event::Back(Box::new(text), prepared));
        });
    }

    /// Makes a pass for prepared texts whose clients have a share of the model's time left; returns whether there are any.
    fn pass(&mut self, events: &mut Receiver<Event>) -> bool {
        let mut part = self.take_part();
        if part.is_empty() {
            return false;
        }
        let loaded = Arc::clone(&self.loaded);
        let unread: Vec<usize> = part.iter().map(|text| text.job.sequence.unread()).collect();
        let mut sequences: Vec<&mut Sequence> = part.iter_mut().map(|text| &mut text.job.sequence).collect();
        share_prompts(&loaded, &mut sequences);
        let rows: Vec<usize> = sequences.iter().map(|sequence| sequence.asked_tokens()).collect();
        let clients = || part.iter().map(|text| text.job.client);
        let texts = clients().zip(&rows).map(|(client, &rows)| PassText { client, rows });
        self.shares.begin(&texts.collect::<Vec<_>>());
        let reading = clients().zip(unread.iter().copied()).collect();
        let done = self.read(&mut part, reading, events);
        self.shares.end();
        if let Err(error) = done {
            for text in &mut part {
                text.fail(ApiError::of_model(&error), &self.metrics);
            }
            return true;
        }
        self.metrics.passes.add(1);
        for ((text, unread), rows) in part.iter_mut().zip(unread).zip(rows) {
            if unread > 0 {
                text.count_prompt(unread, rows);
            }
        }
        part.append(&mut self.here);
        self.here = part;
        self.step_aside();
        true
    }

    /// Takes the texts that take part in the next pass out of `here`, and sorts prompts into their reading order. On a device, where rows cost
    /// little, all texts take part.
    fn take_part(&mut self) -> Vec<Running> {
        self.count_outstanding();
        let text = |text: &Running| PassText { client: text.job.client, rows: text.job.sequence.most_asked_tokens() };
        // The draft model has still to read for the others; no other text waits for them.
        let is_ready = |text: &Running| !text.job.sequence.reads_draft();
        let texts: Vec<PassText> = self.here.iter().filter(|text| is_ready(text)).map(text).collect();
        let reading: Vec<Client> = self.reading.iter().map(|(client, _)| *client).collect();
        let mut joining = self.shares.joining(&texts, &reading).into_iter();
        let is_elsewhere = self.loaded.model.is_elsewhere();
        let joins = |text: &mut Running| is_ready(text) && (joining.next() == Some(true) || is_elsewhere);
        let part: Vec<Running> = self.here.extract_if(.., joins).collect();
        in_order(&self.shares, part)
    }

    fn count_outstanding(&mut self) {
        let mut outstanding = Outstanding::default();
        for text in self.here.iter().chain(&self.back).chain(&self.waiting) {
            outstanding.add(text.job.client, text.job.sequence.unread());
        }
        self.reading.iter().for_each(|&(client, unread)| outstanding.add(client, unread));
        self.away.iter().for_each(|client| outstanding.add(*client, 0));
        self.shares.set_outstanding(outstanding);
    }

    /// Runs the model on the rows that texts ask for. Inner passes are made meanwhile, unless this is an inner pass itself.
    fn read(
        &mut self,
        part: &mut [Running],
        reading: Vec<(Client, usize)>,
        events: &mut Receiver<Event>,
    ) -> Result<(), GenerateError> {
        let loaded = Arc::clone(&self.loaded);
        let mut sequences: Vec<&mut Sequence> = part.iter_mut().map(|text| &mut text.job.sequence).collect();
        if !self.reading.is_empty() {
            self.metrics.inner_passes.add(1);
            return read_shared(&loaded, &mut sequences, &mut || {});
        }
        self.reading = reading;
        let mut is_first = true;
        let done = read_shared(&loaded, &mut sequences, &mut || {
            self.between_layers(events, std::mem::take(&mut is_first));
        });
        self.reading.clear();
        done
    }

    /// Makes texts that arrived during a pass step aside, until there are no more than slots.
    fn step_aside(&mut self) {
        while self.here.len() > self.slots {
            let here = self.here.iter().enumerate().map(|(at, text)| (self.here_of(text.job.client), at));
            let Some((_, leaves)) = here.max() else { return };
            let leaves = self.here.remove(leaves);
            self.back.push(leaves);
        }
    }

    fn show_load(&self) {
        self.metrics.show_load(
            self.here.len() + self.back.len() + self.reading.len(),
            self.waiting.len(),
            self.away.len(),
        );
    }
}

/// Returns the texts of a pass, with prompts in their reading order.
fn in_order(shares: &PassShares, part: Vec<Running>) -> Vec<Running> {
    let (prompts, mut texts): (Vec<_>, Vec<_>) = part.into_iter().partition(|text| text.job.sequence.unread() > 0);
    let unread = |text: &Running| {
        let (client, unread, waited) = (text.job.client, text.job.sequence.unread(), text.waited);
        UnreadPrompt { client, time: shares.time(client), unread, waited }
    };
    let order = prompt_order(&prompts.iter().map(unread).collect::<Vec<_>>());
    let mut prompts: Vec<_> = prompts.into_iter().map(Some).collect();
    texts.extend(order.into_iter().filter_map(|at| prompts[at].take()));
    texts
}

#[cfg(test)]
mod tests;
