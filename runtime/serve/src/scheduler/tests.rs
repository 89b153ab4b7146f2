//! Tests of inner passes, one turn of the scheduler at a time.

use std::num::NonZeroUsize;
use std::time::Duration;

use ogc_generate::{DraftLength, Request, Speculation};
use ogc_runtime::automaton::{AutomatonBuilder, Escapes, OpId, StateKind};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use tokio::sync::mpsc::Receiver as Updates;

use super::*;
use crate::held::HeldByClient;

const LONG: Client = Client(1);
const SHORT: Client = Client(2);

/// The scheduler without its thread.
struct Bench {
    scheduler: Scheduler,
    jobs: Sender<Event>,
    events: Receiver<Event>,
    store: Arc<MaskStore>,
    places: HeldByClient,
}

impl Bench {
    fn new(slots: usize) -> Self {
        let load = |file| LoadedModel::from_gguf(std::io::Cursor::new(file)).expect("a model");
        let draft = load(ogc_kit::model::draft_gguf());
        let loaded = load(ogc_kit::model::gguf()).with_draft(draft).expect("the same tokens");
        let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
        let limits = MaskLimits { quick: Duration::from_secs(60), text: Duration::from_secs(60) };
        let workers = Workers::new(NonZeroUsize::MIN);
        let scheduler = Scheduler::new(Arc::new(loaded), workers, limits, slots, Arc::default());
        let (jobs, events) = channel();
        Self { scheduler, jobs, events, store, places: HeldByClient::default() }
    }

    /// Has a client ask for 20 letters after a prompt of `prompt` tokens.
    fn ask(&self, client: Client, prompt: usize) -> Updates<Update> {
        self.ask_guessing(client, prompt, Speculation::Off)
    }

    /// As [`ask`](Self::ask), with speculation.
    fn ask_guessing(&self, client: Client, prompt: usize, speculation: Speculation) -> Updates<Update> {
        let mut builder = AutomatonBuilder::new();
        let rule = builder.rule("letters", 0);
        let states: Vec<_> = (0..=20).map(|_| builder.state(rule, StateKind::Bytes)).collect();
        builder.start(rule, states[0]);
        states.windows(2).for_each(|pair| builder.edge(pair[0], b'a', b'z', OpId::NONE, pair[1]));
        builder.accept(states[20]);
        let format = Arc::new(builder.finish((rule, 0, 0), false, Escapes::Any).expect("an automaton"));
        let request = Request { speculation, ..Request::new(vec![TokenId(3); prompt], 40) };
        let matcher = Matcher::new(format, Arc::clone(&self.store));
        let sequence = Sequence::new(&self.scheduler.loaded, matcher, request).expect("a text");
        let (updates, told) = tokio::sync::mpsc::channel(64);
        let place = self.places.take(client, 1, |_| usize::MAX).expect("a place");
        let (is_enough, is_unread) = Default::default();
        let job = Job { choice: 0, sequence, client, updates, is_enough, is_unread, _place: place };
        self.jobs.send(Event::Began(Box::new(job), self.jobs.clone())).expect("the receiver is here");
        told
    }

    fn turn(&mut self) -> bool {
        self.events.try_iter().for_each(|event| self.scheduler.take(event));
        self.scheduler.turn(&mut self.events)
    }

    fn inner_passes(&self) -> u64 {
        self.scheduler.metrics.inner_passes.get()
    }
}

/// Returns whether a text has ended; reads its pending updates.
fn has_ended(told: &mut Updates<Update>) -> bool {
    std::iter::from_fn(|| told.try_recv().ok()).any(|update| match update.news {
        News::Ended => true,
        News::Grown { .. } => false,
        News::Failed(error) => panic!("{error:?}"),
    })
}

#[test]
fn a_short_text_arriving_during_a_pass_is_written_within_it() {
    for slots in [1, 2, 8] {
        let mut bench = Bench::new(slots);
        let mut long: Vec<_> = (0..slots).map(|_| bench.ask(LONG, 400)).collect();
        assert!(bench.turn());
        // The text arrives after the next pass has begun, which takes it from the events between its layers.
        bench.scheduler.join();
        bench.scheduler.prepare();
        let mut short = bench.ask(SHORT, 2);
        assert!(bench.scheduler.pass(&mut bench.events));
        assert!(bench.inner_passes() >= 6, "{slots}: {}", bench.inner_passes());
        assert!(bench.scheduler.here.len() <= slots && bench.scheduler.reading.is_empty());
        // All texts are complete in the end.
        while bench.turn() {}
        assert!(has_ended(&mut short) && long.iter_mut().all(has_ended));
    }
}

#[test]
fn equally_busy_clients_hardly_interrupt_each_other() {
    let mut bench = Bench::new(8);
    let mut texts = vec![bench.ask(LONG, 400), bench.ask(SHORT, 400)];
    while bench.scheduler.here.iter().any(|text| text.job.sequence.unread() > 0) || texts.len() == 2 {
        assert!(bench.turn());
        // A second text of a client in the pass waits for the end of the pass.
        if texts.len() == 2 {
            texts.push(bench.ask(LONG, 2));
        }
    }
    // Only the last parts of prompts are shorter than the others.
    let (inner, all) = (bench.inner_passes(), bench.scheduler.metrics.passes.get());
    assert!(inner <= 4 && all >= 26, "{inner} of {all}");
    while bench.turn() {}
    assert!(texts.iter_mut().all(has_ended));
}

#[test]
fn a_stream_of_new_clients_does_not_starve_a_pass() {
    let mut bench = Bench::new(4);
    let mut long = bench.ask(LONG, 400);
    let mut turns = 0;
    while !has_ended(&mut long) {
        let others: Vec<_> = (2..5).map(|client| bench.ask(Client(client + 3 * turns), 40)).collect();
        bench.turn();
        turns += 1;
        assert!(turns < 1_000);
        drop(others);
    }
}

#[test]
fn draft_model_prompts_do_not_block_other_texts() {
    let mut bench = Bench::new(4);
    let speculation = Speculation::Draft { length: DraftLength { most: 2, least_sure: 0.0 }, lookup: 0 };
    let mut long = bench.ask_guessing(LONG, 1_000, speculation);
    // The model reads the prompt; after that the draft model would read it.
    while bench.scheduler.metrics.draft_passes.get() == 0 {
        bench.turn();
    }
    let mut short = bench.ask(SHORT, 1);
    let mut turns = 0;
    while !has_ended(&mut short) {
        let before = bench.scheduler.metrics.draft_passes.get();
        bench.turn();
        turns += 1;
        // One pass is made in the turn, one in the inner turn; later each pass writes one token of a draft.
        let read = bench.scheduler.metrics.draft_passes.get() - before;
        assert!(turns > 8 || read <= 2, "turn {turns}: {read} parts of the prompt");
    }
    assert!(turns <= 24, "20 letters take {turns} turns");
    while !has_ended(&mut long) {
        bench.turn();
    }
    assert!(bench.scheduler.metrics.draft_passes.get() > 1_000 / 32 + 10, "the draft model drafts");
}
