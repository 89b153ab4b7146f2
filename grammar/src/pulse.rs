//! Lets whoever waits for a reader stop it in the middle of a long text.
//!
//! A reader has no errors of its own for that: what it would return is of no use. So it calls a function now and then, which may
//! panic when nobody needs the result any more.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The lexemes, values or expressions between two calls: a fraction of a millisecond.
const EVERY: u32 = 1 << 12;

thread_local! {
    static PULSE: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
    static STEPS: Cell<u32> = const { Cell::new(0) };
}

/// The function that is called again when an inner reading ends, after a panic too.
struct Outer(Option<Rc<dyn Fn()>>);

impl Drop for Outer {
    fn drop(&mut self) {
        PULSE.with(|pulse| *pulse.borrow_mut() = self.0.take());
    }
}

/// Reads texts and calls `pulse` every few thousand lexemes, so that it can end the reading by a panic.
///
/// ```
/// use ogc_grammar::{parse_gbnf, pulsed};
/// let text = "root ::= \"a\" ".to_owned() + &"\"b\" ".repeat(10_000);
/// let stopped = std::panic::catch_unwind(|| {
///     pulsed(|| std::panic::resume_unwind(Box::new("nobody waits")), || parse_gbnf(&text))
/// });
/// assert!(stopped.is_err() && parse_gbnf(&text).1.is_empty());
/// ```
pub fn pulsed<T>(pulse: impl Fn() + 'static, read: impl FnOnce() -> T) -> T {
    let _outer = Outer(PULSE.with(|known| known.borrow_mut().replace(Rc::new(pulse))));
    read()
}

/// Counts a lexeme, value or expression.
#[inline]
pub(crate) fn step() {
    STEPS.with(|steps| {
        let count = steps.get().wrapping_add(1);
        steps.set(count);
        if count % EVERY == 0 {
            beat();
        }
    });
}

#[cold]
fn beat() {
    if let Some(pulse) = PULSE.with(|pulse| pulse.borrow().clone()) {
        pulse();
    }
}
