//! The budget of one compilation: work and memory, which every stage draws before it uses them.
//!
//! [`spend`] opens a budget on the current thread and runs a compilation under it. Everything that runs inside, at any
//! depth, draws with [`work`] before it takes steps and with [`keep`] or a [`Loan`] before it allocates. Only steps and
//! sizes count, never time: the same input is therefore always accepted or always refused.
//!
//! A draw that fails makes the budget *exhausted*, and every later one fails too. Operations that return no `Result`
//! then stop early and return an arbitrary value. [`spend`] reports that the budget was exceeded, and its caller must
//! discard the result.
//!
//! Budgets nest without sharing: a query that runs inside another one, because it was not cached, opens a budget of its
//! own and draws nothing from the outer one. So the outcome does not depend on what was cached. Values that all
//! compilations share are made [`apart`] for the same reason.
//!
//! The budget is thread-local state and no parameter: otherwise every function from the parser to the automaton would
//! have to pass it on, even those that cannot fail, and none of them ever chooses between budgets.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::limits::LimitError;

/// Limits on the work and memory of one compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Allowance {
    /// Steps, each about a tenth of a microsecond.
    pub work: u64,
    /// Bytes held at one time. Automata, sets and tables are counted; small lists are not.
    pub bytes: u64,
}

impl Allowance {
    /// An allowance without bounds.
    pub const NONE: Self = Self { work: u64::MAX, bytes: u64::MAX };
}

impl Default for Allowance {
    /// Returns a hundred million steps, about ten seconds, and 512 MiB.
    fn default() -> Self {
        Self { work: 100_000_000, bytes: 512 << 20 }
    }
}

/// The part of a source that a draw is charged to, as a number in the source map of the caller that opened the budget;
/// 0 is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spender(pub u32);

/// The work and memory that a compilation has used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Usage {
    /// Steps.
    pub work: u64,
    /// Peak of the bytes held at one time.
    pub bytes: u64,
    /// The bytes that were still held at the end.
    pub kept: u64,
    /// The first draw that failed, and the place that had drawn most of the exhausted resource.
    pub exceeded: Option<(LimitError, Spender)>,
}

/// The budget of the compilation that runs on this thread, and what was drawn from it.
#[derive(Debug, Default)]
struct Meter {
    allowed: Cell<Option<Allowance>>,
    work: Cell<u64>,
    held: Cell<u64>,
    most: Cell<u64>,
    exceeded: Cell<Option<LimitError>>,
    place: Cell<Spender>,
    /// Work and bytes drawn when the current place began to draw.
    since: Cell<(u64, u64)>,
    /// Work and bytes drawn by each place.
    by_place: RefCell<FxHashMap<Spender, (u64, u64)>>,
}

thread_local! {
    static METER: Meter = Meter::default();
    static WATCH: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
    static POLLS: Cell<u32> = const { Cell::new(0) };
}

/// The steps between two calls of a watch: a fraction of a millisecond.
const WATCHED_EVERY: u64 = 1 << 12;

impl Meter {
    /// Charges the draws since the last change of place to the current place.
    fn book(&self) {
        let (work, bytes) = self.since.replace((self.work.get(), self.held.get()));
        let (work, bytes) = (self.work.get() - work, self.held.get().saturating_sub(bytes));
        if work > 0 || bytes > 0 {
            let mut places = self.by_place.borrow_mut();
            let entry = places.entry(self.place.get()).or_default();
            *entry = (entry.0 + work, entry.1 + bytes);
        }
    }

    fn refuse(&self, what: &'static str, given: u64, limit: u64) -> LimitError {
        let error = self.exceeded.get().unwrap_or_else(|| LimitError::of_large(what, given, limit));
        self.exceeded.set(Some(error));
        error
    }

    /// Returns the named place that drew most of the exhausted resource (bytes if `of_bytes`, else work); the first of
    /// equals.
    fn costliest(&self, of_bytes: bool) -> Spender {
        self.book();
        let drawn = |(work, bytes): (u64, u64)| if of_bytes { bytes } else { work };
        let places = self.by_place.borrow();
        let named = places.iter().filter(|(place, _)| **place != Spender::default());
        let most = named.max_by_key(|(place, used)| (drawn(**used), std::cmp::Reverse(**place)));
        most.map(|(place, _)| *place).unwrap_or_default()
    }

    fn usage(&self) -> Usage {
        let exceeded = self.exceeded.get().map(|error| (error, self.costliest(error.what == BYTES)));
        Usage { work: self.work.get(), bytes: self.most.get(), kept: self.held.get(), exceeded }
    }

    /// Swaps the state of the two meters.
    fn exchange(&self, other: &Meter) {
        self.allowed.swap(&other.allowed);
        self.work.swap(&other.work);
        self.held.swap(&other.held);
        self.most.swap(&other.most);
        self.exceeded.swap(&other.exceeded);
        self.place.swap(&other.place);
        self.since.swap(&other.since);
        self.by_place.swap(&other.by_place);
    }
}

const WORK: &str = "steps of one compilation";
const BYTES: &str = "bytes of memory for one compilation";

/// Restores the outer budget on drop, so also after a panic.
struct OuterBudget(Meter);

impl OuterBudget {
    fn open(allowance: Option<Allowance>) -> Self {
        let fresh = Meter { allowed: Cell::new(allowance), ..Meter::default() };
        METER.with(|meter| meter.exchange(&fresh));
        Self(fresh)
    }
}

impl Drop for OuterBudget {
    fn drop(&mut self) {
        METER.with(|meter| meter.exchange(&self.0));
    }
}

/// Runs a compilation under a budget of its own; its result must not be used if the budget was exceeded.
///
/// ```
/// use ogc_regular::budget::{self, Allowance};
/// let allowance = Allowance { work: 10, ..Allowance::default() };
/// let (drawn, usage) = budget::spend(allowance, || budget::work(11));
/// assert!(drawn.is_err() && usage.exceeded.is_some());
/// ```
pub fn spend<T>(allowance: Allowance, compilation: impl FnOnce() -> T) -> (T, Usage) {
    let _outer = OuterBudget::open(Some(allowance));
    // Many small compilations in a row are watched too.
    watch();
    let made = compilation();
    (made, METER.with(Meter::usage))
}

/// The work and memory that computing a result took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    work: u64,
    bytes: u64,
}

impl Drawn {
    /// Draws the same amounts again, as if the result were computed anew.
    pub fn draw(self) {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        // If this exhausts the budget, the next draw reports it.
        let _ = work(size(self.work)).and_then(|()| Loan::default().grow(size(self.bytes)));
    }
}

/// Computes a result and measures the work and memory it took. Returns `None` for these if the budget was exhausted;
/// the result must then be discarded.
///
/// ```
/// use ogc_regular::budget::{self, Allowance};
/// let allowance = Allowance { work: 25, bytes: 0 };
/// let ((), usage) = budget::spend(allowance, || {
///     let (_, drawn) = budget::metered(|| budget::work(10));
///     drawn.into_iter().for_each(|drawn| drawn.draw());
/// });
/// assert_eq!((usage.work, usage.exceeded), (20, None));
/// ```
pub fn metered<T>(make: impl FnOnce() -> T) -> (T, Option<Drawn>) {
    let left = METER.with(|meter| {
        let allowed = meter.allowed.get().unwrap_or(Allowance::NONE);
        let work = allowed.work.saturating_sub(meter.work.get());
        Allowance { work, bytes: allowed.bytes.saturating_sub(meter.held.get()) }
    });
    let outer_failed = exhausted();
    let (made, usage) = spend(left, make);
    let drawn = Drawn { work: usage.work, bytes: usage.bytes };
    drawn.draw();
    if let Some((error, _)) = usage.exceeded {
        exhaust(error);
    }
    (made, (usage.exceeded.is_none() && !outer_failed).then_some(drawn))
}

/// Computes something that all compilations share, without charging the compilation that happens to need it first.
///
/// ```
/// use ogc_regular::budget::{self, Allowance};
/// let nothing = Allowance { work: 0, bytes: 0 };
/// let (drawn, usage) = budget::spend(nothing, || budget::apart(|| budget::work(11)));
/// assert!(drawn.is_ok() && usage.exceeded.is_none());
/// ```
pub fn apart<T>(shared: impl FnOnce() -> T) -> T {
    let _outer = OuterBudget::open(None);
    shared()
}

/// Draws steps before they are taken.
///
/// ```
/// assert!(ogc_regular::budget::work(1_000).is_ok(), "outside of a budget everything is allowed");
/// ```
///
/// # Errors
///
/// The budget is exhausted.
#[inline]
pub fn work(steps: usize) -> Result<(), LimitError> {
    METER.with(|meter| {
        let Some(allowed) = meter.allowed.get() else { return Ok(()) };
        let before = meter.work.get();
        let given = before.saturating_add(steps as u64);
        meter.work.set(given);
        if before / WATCHED_EVERY != given / WATCHED_EVERY {
            watch();
        }
        if given > allowed.work || meter.exceeded.get().is_some() {
            return Err(meter.refuse(WORK, given, allowed.work));
        }
        Ok(())
    })
}

/// Calls the watch of this thread, if there is one.
#[cold]
fn watch() {
    if let Some(watch) = WATCH.with(|watch| watch.borrow().clone()) {
        watch();
    }
}

/// Polls between two calls of a watch. Each poll stands for one state, node or place: some microseconds of work.
const POLLED_EVERY: u32 = 1 << 6;

/// Calls the watch of this thread every few calls. Work that no budget counts calls this once for each state, node or
/// place.
///
/// ```
/// use ogc_regular::budget;
/// let stopped = std::panic::catch_unwind(|| {
///     budget::watched(|| std::panic::resume_unwind(Box::new("nobody waits")), || (0..1_000).for_each(|_| budget::poll()))
/// });
/// assert!(stopped.is_err());
/// ```
#[inline]
pub fn poll() {
    POLLS.with(|polls| {
        let count = polls.get().wrapping_add(1);
        polls.set(count);
        if count % POLLED_EVERY == 0 {
            watch();
        }
    });
}

/// Restores the outer watch on drop, so also after a panic.
struct OuterWatch(Option<Rc<dyn Fn()>>);

impl Drop for OuterWatch {
    fn drop(&mut self) {
        WATCH.with(|watch| *watch.borrow_mut() = self.0.take());
    }
}

/// Runs compilations, and calls `watch` at the beginning of each one and every few thousand steps. The watch can stop a
/// compilation: by a panic when nobody needs the result any more, or by [`exhaust`].
///
/// ```
/// use ogc_regular::budget::{self, Allowance};
/// let loops = || budget::spend(Allowance::default(), || (0..100_000).try_for_each(|_| budget::work(1)));
/// let stopped = std::panic::catch_unwind(|| {
///     budget::watched(|| std::panic::resume_unwind(Box::new("an edit came")), loops)
/// });
/// assert!(stopped.is_err() && loops().0.is_ok());
/// ```
pub fn watched<T>(watch: impl Fn() + 'static, compilations: impl FnOnce() -> T) -> T {
    let _outer = OuterWatch(WATCH.with(|known| known.borrow_mut().replace(Rc::new(watch))));
    compilations()
}

/// Exhausts the open budget of this thread for a reason that budgets do not count, such as time. Meant to be called by
/// a watch; does nothing outside of a budget.
///
/// ```
/// use ogc_regular::LimitError;
/// use ogc_regular::budget::{self, Allowance};
/// let late = LimitError { what: "seconds of one compilation", given: 11, limit: 10 };
/// let endless = || while budget::work(1).is_ok() {};
/// let ((), usage) = budget::watched(move || budget::exhaust(late), || budget::spend(Allowance::NONE, endless));
/// assert_eq!(usage.exceeded.map(|(error, _)| error), Some(late));
/// ```
pub fn exhaust(reason: LimitError) {
    METER.with(|meter| {
        if meter.allowed.get().is_some() && meter.exceeded.get().is_none() {
            meter.exceeded.set(Some(reason));
        }
    });
}

/// Draws bytes that are held until the end of the compilation, before they are allocated.
///
/// ```
/// use ogc_regular::budget::{self, Allowance};
/// let allowance = Allowance { bytes: 100, ..Allowance::default() };
/// let (_, usage) = budget::spend(allowance, || budget::keep(200));
/// assert_eq!(usage.exceeded.map(|(error, _)| (error.given, error.limit)), Some((200, 100)));
/// ```
///
/// # Errors
///
/// The budget is exhausted.
#[inline]
pub fn keep(bytes: usize) -> Result<(), LimitError> {
    METER.with(|meter| {
        let Some(allowed) = meter.allowed.get() else { return Ok(()) };
        let given = meter.held.get().saturating_add(bytes as u64);
        meter.held.set(given);
        meter.most.set(meter.most.get().max(given));
        if given > allowed.bytes || meter.exceeded.get().is_some() {
            return Err(meter.refuse(BYTES, given, allowed.bytes));
        }
        Ok(())
    })
}

/// Returns whether a draw has failed. Results are then discarded.
///
/// ```
/// assert!(!ogc_regular::budget::exhausted());
/// ```
#[must_use]
pub fn exhausted() -> bool {
    METER.with(|meter| meter.exceeded.get().is_some())
}

/// Drawn bytes that are given back when the loan is dropped: for tables that an operation needs only while it runs.
///
/// ```
/// use ogc_regular::budget::{self, Allowance, Loan};
/// let (_, usage) = budget::spend(Allowance::default(), || {
///     for _ in 0..2 {
///         let mut table = Loan::default();
///         table.grow(1_000)?;
///     }
///     Ok::<(), ogc_regular::LimitError>(())
/// });
/// assert_eq!(usage.bytes, 1_000);
/// ```
#[derive(Debug, Default)]
pub struct Loan(u64);

impl Loan {
    /// Draws more bytes, before they are allocated.
    ///
    /// ```
    /// assert!(ogc_regular::budget::Loan::default().grow(10).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// The budget is exhausted.
    #[inline]
    pub fn grow(&mut self, bytes: usize) -> Result<(), LimitError> {
        self.0 = self.0.saturating_add(bytes as u64);
        keep(bytes)
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        METER.with(|meter| meter.held.set(meter.held.get().saturating_sub(self.0)));
    }
}

/// The guard that [`at`] returns: while it lives, draws are charged to its place.
#[derive(Debug)]
pub struct SpenderGuard(Spender);

/// Charges draws to `place` until the returned guard is dropped.
///
/// ```
/// use ogc_regular::budget::{self, Allowance, Spender};
/// let allowance = Allowance { work: 10, ..Allowance::default() };
/// let (_, usage) = budget::spend(allowance, || {
///     let _place = budget::at(Spender(3));
///     budget::work(11)
/// });
/// assert_eq!(usage.exceeded.map(|(_, place)| place), Some(Spender(3)));
/// ```
#[must_use = "the place holds until this is dropped"]
pub fn at(place: Spender) -> SpenderGuard {
    METER.with(|meter| {
        meter.book();
        SpenderGuard(meter.place.replace(place))
    })
}

impl Drop for SpenderGuard {
    fn drop(&mut self) {
        METER.with(|meter| {
            meter.book();
            meter.place.set(self.0);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: Allowance = Allowance { work: 100, bytes: 1_000 };

    #[test]
    fn a_nested_budget_does_not_draw_from_the_outer_one() {
        let ((), outer) = spend(FEW, || {
            assert!(work(60).is_ok());
            let (drawn, inner) = spend(FEW, || work(60));
            assert!(drawn.is_ok() && inner.work == 60);
            let (_, inner) = spend(FEW, || work(101));
            assert!(inner.exceeded.is_some() && !exhausted(), "the inner budget is exhausted, not the outer one");
        });
        assert_eq!((outer.work, outer.exceeded), (60, None));
    }

    #[test]
    fn an_exhausted_budget_refuses_everything() {
        let ((), usage) = spend(FEW, || {
            assert!(keep(1_001).is_err() && work(1).is_err() && exhausted());
        });
        let (error, _) = usage.exceeded.expect("it was refused");
        assert_eq!((error.what, error.given, error.limit), (BYTES, 1_001, 1_000));
    }

    #[test]
    fn the_part_that_used_most_of_the_budget_is_named() {
        let ((), usage) = spend(FEW, || {
            let _first = at(Spender(1));
            let _ = work(60);
            {
                let _second = at(Spender(2));
                let _ = work(30);
            }
            let _ = work(20);
        });
        assert_eq!(usage.exceeded.map(|(_, place)| place), Some(Spender(1)));
    }

    #[test]
    fn a_panic_ends_its_budget() {
        let caught = std::panic::catch_unwind(|| spend(FEW, || std::panic::resume_unwind(Box::new(()))).1);
        assert!(caught.is_err() && work(1_000).is_ok());
    }
}
