//! Compilations that stop when their client disconnects or their time is over.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::time::{Duration, Instant};

use ogc_compiler::db::{LimitError, exhaust, watched};
use ogc_serve::{Cancel, CompileStop};

/// Time that a late compilation gets to report where its time went.
const EXPLAINED_WITHIN: Duration = Duration::from_millis(500);

/// Runs a compilation that stops soon after `cancel` is set. If it is late, it stops with a finding at the place that
/// took most steps. If it does not stop then, or was cancelled for another reason, it stops by a panic; the cache of
/// formats knows the reason.
///
/// The compilation must own its database, so that nothing half-made is used after a panic.
pub(super) fn stoppable<T>(cancel: &Cancel, compilation: impl FnOnce() -> T) -> T {
    let cancel = cancel.clone();
    let late_since: Cell<Option<Instant>> = Cell::new(None);
    let watch = move || match cancel.check() {
        Ok(()) => {}
        Err(CompileStop::Late { given, limit }) if !is_over(&late_since) => {
            let number = |time: Duration| usize::try_from(time.as_secs()).unwrap_or(usize::MAX);
            exhaust(LimitError { what: "seconds of one compilation", given: number(given), limit: number(limit) });
        }
        Err(stop) => resume_unwind(Box::new(stop)),
    };
    watched(watch, compilation)
}

/// Returns whether the time for the report is over; the time starts at the first call.
fn is_over(since: &Cell<Option<Instant>>) -> bool {
    let start = since.get().unwrap_or_else(Instant::now);
    since.set(Some(start));
    start.elapsed() > EXPLAINED_WITHIN
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use ogc_compiler::db::{Compiler, Language, Limits, Options, SourceFile};
    use ogc_compiler::pipeline;

    use super::*;

    /// A schema of a few kilobytes that takes half a minute to compile: six properties whose texts match exactly one of
    /// twelve patterns.
    fn dear() -> String {
        let text = |at: usize, key: usize| format!("{{ \"type\": \"string\", \"pattern\": \"a{at}.*b{at}{key}\" }}");
        let one_of = |key: usize| (0..12).map(|at| text(at, key)).collect::<Vec<_>>().join(", ");
        let properties: Vec<String> =
            (0..6).map(|key| format!("\"p{key}\": {{ \"oneOf\": [{}] }}", one_of(key))).collect();
        format!("{{ \"type\": \"object\", \"properties\": {{ {} }} }}", properties.join(", "))
    }

    fn findings(text: &str) -> Vec<String> {
        let db = Compiler::default();
        let options = Options::new(&db, Default::default(), Default::default(), Limits::default());
        let file = SourceFile::new(&db, "a.schema.json".to_owned(), text.to_owned(), Language::JsonSchema, options);
        pipeline::diagnostics(&db, file).iter().map(|found| found.message.clone()).collect()
    }

    /// Maximum time between cancelling a compilation and its end: an unoptimised build on a busy machine is slow.
    const MOST: Duration = Duration::from_secs(12);

    #[test]
    fn a_compilation_over_its_time_limit_says_where_the_time_went() {
        let late = Cancel::after(Duration::from_secs(1));
        let start = Instant::now();
        let found = stoppable(&late, || findings(&dear()));
        let is_told =
            |found: &String| found.contains("seconds of one compilation: ") && found.contains("; the limit is 1");
        assert!(found.iter().any(is_told), "{found:?}");
        assert!(start.elapsed() < Duration::from_secs(1) + MOST, "{:?}", start.elapsed());
    }

    #[test]
    fn a_compilation_that_nobody_waits_for_ends_soon() {
        let (start, stop) = (Instant::now(), Duration::from_millis(700));
        let abandoned = move || {
            if start.elapsed() > stop {
                resume_unwind(Box::new(CompileStop::Abandoned))
            }
        };
        let stopped = catch_unwind(AssertUnwindSafe(|| watched(abandoned, || findings(&dear()))));
        assert!(stopped.unwrap_err().is::<CompileStop>());
        assert!(start.elapsed() < stop + MOST, "{:?}", start.elapsed());
    }

    #[test]
    fn a_compilation_that_ignores_its_time_limit_is_stopped() {
        let late = Cancel::after(Duration::ZERO);
        let start = Instant::now();
        let deaf = || -> () {
            loop {
                drop(findings("{ \"type\": \"string\", \"pattern\": \"a+b\" }"));
            }
        };
        let stopped = catch_unwind(AssertUnwindSafe(|| stoppable(&late, deaf)));
        assert!(matches!(stopped.unwrap_err().downcast_ref(), Some(CompileStop::Late { .. })));
        assert!(start.elapsed() < MOST, "{:?}", start.elapsed());
    }
}
