//! Worker threads for masks that take long, beside the passes of the model.
//!
//! One client has at most half of the threads, so that its slow texts do not block the texts of others. Among waiting
//! tasks, the client with the fewest running threads goes first, then the task whose text has had the least time so
//! far.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ogc_runtime::cache::Client;

use crate::system::ThreadId;

/// A task that waits for a thread.
struct WaitingTask {
    client: Client,
    /// Time that earlier tasks of the same text took.
    had: Duration,
    task: Box<dyn FnOnce() + Send>,
}

/// Waiting tasks in order of arrival, and the clients of running tasks.
#[derive(Default)]
struct Tasks {
    waiting: Vec<WaitingTask>,
    running: Vec<Client>,
}

impl Tasks {
    fn running_of(&self, client: Client) -> usize {
        self.running.iter().filter(|running| **running == client).count()
    }

    /// Takes the next task that may run; one client may have `of_client` threads.
    fn next(&mut self, of_client: usize) -> Option<WaitingTask> {
        let tasks = self.waiting.iter().enumerate();
        let may_run = tasks.map(|(at, task)| (self.running_of(task.client), task.had, at));
        let (_, _, at) = may_run.filter(|(running, ..)| *running < of_client).min()?;
        let task = self.waiting.remove(at);
        self.running.push(task.client);
        Some(task)
    }

    fn end(&mut self, client: Client) {
        if let Some(at) = self.running.iter().position(|running| *running == client) {
            self.running.swap_remove(at);
        }
    }
}

/// Threads for tasks of clients. A thread is started when there is work, and ends when there is none.
pub(crate) struct Workers {
    threads: NonZeroUsize,
    tasks: Mutex<Tasks>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// Marks a task as running until this is dropped, even by a panic; the drop starts waiting tasks.
struct RunningTask {
    workers: Arc<Workers>,
    client: Client,
}

impl Drop for RunningTask {
    fn drop(&mut self) {
        let mut tasks = self.workers.lock();
        tasks.end(self.client);
        self.workers.start_threads(&mut tasks);
    }
}

impl Workers {
    /// Makes workers with `threads` threads, at least two.
    pub(crate) fn new(threads: NonZeroUsize) -> Arc<Self> {
        Arc::new(Self { threads: threads.max(NonZeroUsize::MIN.saturating_add(1)), tasks: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, Tasks> {
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Submits a task of a client, whose text has had `had` time before. The number of waiting tasks is bounded by the number of texts.
    pub(crate) fn submit(self: &Arc<Self>, client: Client, had: Duration, task: impl FnOnce() + Send + 'static) {
        let mut tasks = self.lock();
        tasks.waiting.push(WaitingTask { client, had, task: Box::new(task) });
        self.start_threads(&mut tasks);
    }

    /// Starts threads for tasks that may run.
    fn start_threads(self: &Arc<Self>, tasks: &mut Tasks) {
        while tasks.running.len() < self.threads.get() {
            let Some(WaitingTask { client, task, .. }) = tasks.next(self.threads.get() / 2) else { return };
            let running = RunningTask { workers: Arc::clone(self), client };
            std::thread::spawn(move || {
                let _running = running;
                // The passes of the model have priority.
                ThreadId::current().put_behind();
                task();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Submits a task that sends its name when it begins, and ends when it is told to.
    fn submit(workers: &Arc<Workers>, began: &Sender<u32>, client: u64, had: u64, name: u32) -> Sender<()> {
        let (end, ended) = channel::<()>();
        let began = began.clone();
        workers.submit(Client(client), Duration::from_secs(had), move || {
            let _ = began.send(name);
            let _ = ended.recv();
        });
        end
    }

    fn next(begun: &Receiver<u32>) -> u32 {
        begun.recv_timeout(Duration::from_secs(60)).expect("a task begins")
    }

    #[test]
    fn one_client_uses_at_most_half_of_the_threads() {
        let workers = Workers::new(NonZeroUsize::MIN.saturating_add(3));
        let (began, begun) = channel();
        let mut ends: Vec<Sender<()>> = (0..5).map(|name| submit(&workers, &began, 1, 0, name)).collect();
        let mut first = [next(&begun), next(&begun)];
        first.sort_unstable();
        assert_eq!(first, [0, 1]);
        let _other = submit(&workers, &began, 2, 9, 10);
        assert_eq!(next(&begun), 10, "it does not wait for the first client");
        assert_eq!(begun.try_recv().ok(), None, "the first client has its half");
        drop(ends.remove(0));
        assert_eq!(next(&begun), 2);
        drop(ends);
        let mut last = [next(&begun), next(&begun)];
        last.sort_unstable();
        assert_eq!(last, [3, 4]);
    }

    #[test]
    fn texts_with_the_least_time_go_first_and_a_panic_frees_its_thread() {
        let workers = Workers::new(NonZeroUsize::MIN);
        let (began, begun) = channel();
        let end = submit(&workers, &began, 1, 0, 0);
        assert_eq!(next(&begun), 0);
        let _ends: Vec<Sender<()>> =
            [(5, 1), (0, 2), (3, 3)].map(|(had, name)| submit(&workers, &began, 1, had, name)).into();
        workers.submit(Client(2), Duration::ZERO, || std::panic::resume_unwind(Box::new("a panic")));
        drop(end);
        assert_eq!(next(&begun), 2);
    }
}
