//! Lets a caller stop a reader in the middle of a long text.
//!
//! A reader has no error for this case, because its result is not needed. Instead it calls a function now and then,
//! which may panic when nobody needs the result any more.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Number of lexemes, values or expressions between two calls, which take a fraction of a millisecond.
const EVERY: u32 = 1 << 12;

thread_local! {
    static PULSE: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
    static STEPS: Cell<u32> = const { Cell::new(0) };
}

/// The outer function, which is restored when an inner reading ends, even after a panic.
struct Outer(Option<Rc<dyn Fn()>>);

impl Drop for Outer {
    fn drop(&mut self) {
        PULSE.with(|pulse| *pulse.borrow_mut() = self.0.take());
    }
}

/// Calls `read`, whose readers call `pulse` every few thousand lexemes, so that `pulse` can stop them by a panic.
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
