//! The threads that compute answers. Short requests have threads of their own, so that long work does not delay them.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use always_assert::never;

/// The group of threads for some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Short work that someone waits for.
    Quick,
    /// Work that may take seconds.
    Long,
}

/// Some work.
type Work = Box<dyn FnOnce() + Send>;

/// The threads. They finish their work and end when the pool is dropped.
#[derive(Debug)]
pub(crate) struct Pool {
    quick: Sender<Work>,
    long: Sender<Work>,
}

/// Stack size of a thread in bytes; it is large because formats nest deeply.
pub(crate) const STACK: usize = 64 << 20;

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// The system cannot start threads.
    pub(crate) fn new() -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(2, usize::from);
        Ok(Self { quick: start("quick", cores.clamp(2, 4))?, long: start("long", cores.clamp(2, 8))? })
    }

    /// Hands work to the threads of a lane. If it panics, the panic hook reports it and the thread goes on.
    pub(crate) fn run(&self, lane: Lane, work: impl FnOnce() + Send + 'static) {
        let queue = match lane {
            Lane::Quick => &self.quick,
            Lane::Long => &self.long,
        };
        // The threads accept work as long as the pool exists.
        never!(queue.send(Box::new(work)).is_err(), "the threads of a lane are gone");
    }
}

fn start(name: &str, threads: usize) -> io::Result<Sender<Work>> {
    let (sender, receiver) = channel::<Work>();
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..threads {
        let receiver = Arc::clone(&receiver);
        thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(move || serve(&receiver))?;
    }
    Ok(sender)
}

fn serve(queue: &Mutex<Receiver<Work>>) {
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match next {
            Ok(work) => drop(catch_unwind(AssertUnwindSafe(work))),
            Err(_) => return,
        }
    }
}
