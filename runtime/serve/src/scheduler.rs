//! The thread of the model: texts join and leave between its passes, and all that are being written share each pass.
//!
//! # Masks that take long
//!
//! Before a pass each text is prepared: what the last pass decides is written, and the masks of the next are computed. Nearly always that takes
//! microseconds, and is done here. A text that takes longer leaves: the same work goes on beside the passes ([`Workers`]), where
//! what was computed before is found again, and the text comes back when it is prepared. So no text waits for the masks of another. While
//! it is away, another text may have its slot.
//!
//! # Drafts
//!
//! A draft model writes its drafts between the preparation and the pass, those of all texts together (`drafts`).
//!
//! # Clients
//!
//! Where more texts than slots are there, clients share the slots equally: a text of a client that has more steps aside between two passes, and
//! keeps what it has. Texts begin in the order of [`BeginOrder`]; [`PassShares`] says which take part in a pass, and [`prompt_order()`] in which order
//! prompts are read.
//!
//! # Passes within passes
//!
//! A pass over many rows takes ten times as long as one over a single row, and who comes meanwhile would wait for it. So a model on a processor
//! asks between its layers whether there are texts that cannot wait: those of clients that have had less time than all whose texts
//! are in the pass. For them passes are made meanwhile, until they have had as much.
//!
//! The time of a text here and there is bounded ([`MaskLimits`]), as are the threads of one client; the work ends inside when nobody wants the text.

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

/// What happens to the thread of the model.
enum Event {
    /// A text is to be written; the sender is for when it comes back.
    Began(Box<Job>, Sender<Event>),
    /// A text comes back that was away for its masks.
    Back(Box<Running>, Prepared),
}

/// Where texts are handed to the thread of the model.
#[derive(Clone, Debug)]
pub(crate) struct Jobs(Sender<Event>);

impl Jobs {
    /// Hands over a text.
    pub(crate) fn send(&self, job: Job) -> Result<(), ApiError> {
        let began = Event::Began(Box::new(job), self.0.clone());
        self.0.send(began).map_err(|_| ApiError::defect("the model has stopped"))
    }
}

/// What the thread of the model works with.
struct Scheduler {
    loaded: Arc<LoadedModel>,
    workers: Arc<Workers>,
    limits: MaskLimits,
    /// The most texts that share a pass.
    slots: usize,
    metrics: Arc<Metrics>,
    /// The texts that take part in passes.
    here: Vec<Running>,
    /// The texts that are away for their masks.
    away: Vec<Client>,
    /// The texts that wait for a slot again: they were away, or have stepped aside.
    back: Vec<Running>,
    /// The texts that have not begun, in their order.
    waiting: Vec<Running>,
    begins: BeginOrder,
    shares: PassShares,
    /// The clients of the texts in the pass that is under way, each with the tokens of its prompt that are unread.
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

    /// Makes passes within one that is under way, as long as there are texts that cannot wait for it.
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

    /// Lets texts take part that may: those that come back, then those that begin.
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

    /// Takes a text out of those that wait.
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

    /// Has texts of clients with many slots step aside for those of clients with fewer, the youngest first. A model on a device keeps the texts
    /// that have begun.
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

    /// Returns whether a text's client may have one more that has begun: of the slots that are lent, half are for other clients.
    fn may_begin(&self, text: &Running) -> bool {
        self.begun_of(text.job.client) < self.slots + self.slots / 2
    }

    fn here_of(&self, client: Client) -> usize {
        let read = self.reading.iter().filter(|(read, _)| *read == client).count();
        read + self.here.iter().filter(|text| text.job.client == client).count()
    }

    /// Returns the clients of the texts that are in the pass under way, or away.
    fn elsewhere(&self) -> impl Iterator<Item = Client> {
        self.reading.iter().map(|(client, _)| *client).chain(self.away.iter().copied())
    }

    /// Returns the most texts that may have begun: those that are away lend their slots, where the model's memory is not made for as
    /// many texts as there are slots.
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

    /// Prepares the texts that are here; those that take long leave.
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

    /// Has a text prepared beside the passes.
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

    /// Makes a pass for the texts that are here, all of which are prepared, and whose clients have their share of the model's time left; returns
    /// whether there are any.
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

    /// Takes the texts out of those that are here that take part in the next pass, those with prompts in the order in which these are read. On a
    /// device, where rows cost little, all do.
    fn take_part(&mut self) -> Vec<Running> {
        self.count_outstanding();
        let text = |text: &Running| PassText { client: text.job.client, rows: text.job.sequence.most_asked_tokens() };
        // For the others the draft model is still to read: nobody waits for them.
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

    /// Has the model read what texts ask for. Other passes are made meanwhile, unless this is one of those.
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

    /// Has texts step aside that came while a pass was made, as far as there are more than slots.
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

/// Returns the texts of a pass, those with prompts in the order in which these are read.
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
