//! Measures one schema with one engine: compiles it, steps every instance, judges, and times each step.

use crate::engine::{Engine, Format, Next, Sequence};
use crate::memory;
use crate::tally::{First, Tally, Wrong};
use crate::verdict::{Prepared, Verdict};
use crate::why::Why;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The tally, the buffer and the settings that all sequences of a run share.
pub(crate) struct Bench<'b> {
    /// The results.
    pub(crate) tally: &'b mut Tally,
    /// A row of bits, wide enough for the vocabulary.
    pub(crate) buffer: &'b mut [u32],
    /// Whether no instance is stepped.
    pub(crate) first_only: bool,
    /// Explains wrong verdicts, if that was asked for.
    pub(crate) why: Option<&'b Why<'b>>,
}

/// Measures one schema. A panic counts as a compile error with the code `panic`.
pub(crate) fn schema(engine: &mut dyn Engine, prepared: &Prepared, bench: &mut Bench<'_>) {
    let before = memory::resident_kib();
    bench.tally.schemas += 1;
    let whole = catch_unwind(AssertUnwindSafe(|| compiled(engine, prepared, bench)));
    if whole.is_err() {
        bench.tally.compile_error(&prepared.case.id, "panic", "the engine panicked");
    }
    bench.tally.kept_kib += memory::resident_kib() - before;
}

fn compiled(engine: &mut dyn Engine, prepared: &Prepared, bench: &mut Bench<'_>) {
    let case = &prepared.case;
    let begin = Instant::now();
    let mut format = match engine.compile(&case.schema) {
        Ok(format) => format,
        Err(refusal) => {
            let took = nanos(begin);
            bench.tally.refusal_nanos.push(took);
            bench.tally.first_by_schema.push(First::refused(&case.id, took, &refusal.code));
            bench.tally.compile_error(&case.id, &refusal.code, &refusal.message);
            bench.why.inspect(|why| why.compile_error(case, engine, &refusal));
            return;
        }
    };
    let first = format.first_mask();
    let built = format.build_nanos();
    let took = nanos(begin).saturating_sub(built.unwrap_or(0));
    bench.tally.first_nanos.push(took);
    bench.tally.first_by_schema.push(First::made(&case.id, took));
    bench.tally.slow_first.offer(took, || case.id.clone());
    built.inspect(|&nanos| {
        bench.tally.build_nanos.push(nanos);
        bench.tally.slow_build.offer(nanos, || case.id.clone());
    });
    if let Err(message) = first {
        bench.tally.compile_error(&case.id, "no first mask", &message);
        return;
    }
    bench.tally.handled += 1;
    for (name, number) in format.notes() {
        *bench.tally.notes.entry(name).or_default() += number;
    }
    if let Some(cause) = format.incomplete() {
        bench.tally.incomplete.push(format!("{}: {cause}", case.id));
    }
    if bench.first_only {
        return;
    }
    let (wrong, for_order) = (bench.tally.wrong.len(), bench.tally.for_order.len());
    let before = bench.tally.step_nanos.totals();
    let mut any_order = None;
    for index in 0..case.tests.len() {
        instance(engine, &mut *format, &mut any_order, prepared, index, bench);
    }
    let clean = bench.tally.wrong.len() == wrong;
    bench.tally.handled_clean += usize::from(clean);
    bench.tally.handled_strict += usize::from(clean && bench.tally.for_order.len() == for_order);
    let after = bench.tally.step_nanos.totals();
    bench.tally.by_schema.insert(case.id.clone(), (after.0 - before.0, after.1 - before.1));
}

/// The format with any order of keys, compiled at first use; the outer `None` stands for "not tried yet".
type AnyOrder = Option<Option<Box<dyn Format>>>;

fn instance(
    engine: &mut dyn Engine,
    format: &mut dyn Format,
    any_order: &mut AnyOrder,
    prepared: &Prepared,
    index: usize,
    bench: &mut Bench<'_>,
) {
    let (Some(test), Some(tokens)) = (prepared.case.tests.get(index), prepared.tokens.get(index)) else { return };
    let verdict = run(format, tokens, bench, || format!("{} test {index}", prepared.case.id));
    let (count, wrong) = match (test.valid, &verdict) {
        (true, Verdict::Accepted) => (&mut bench.tally.valid_accepted, None),
        (false, Verdict::Refused { .. }) => (&mut bench.tally.invalid_refused, None),
        (false, Verdict::Accepted) => (&mut bench.tally.invalid_accepted, Some("invalid accepted")),
        (true, Verdict::Refused { .. }) if ordered(engine, any_order, prepared, tokens) => {
            (&mut bench.tally.valid_refused_for_order, None)
        }
        (true, Verdict::Refused { .. }) => (&mut bench.tally.valid_refused, Some("valid refused")),
    };
    *count += 1;
    let ordered = test.valid && wrong.is_none() && verdict != Verdict::Accepted;
    if ordered {
        let why = verdict.sentence("order of keys");
        bench.tally.for_order.push(Wrong { id: prepared.case.id.clone(), test: index, why });
    }
    if let Some(what) = wrong {
        let why = verdict.sentence(what);
        bench.tally.wrong.push(Wrong { id: prepared.case.id.clone(), test: index, why });
        bench.why.inspect(|why| why.verdict(prepared, index, format, engine.name(), what, &verdict));
    }
}

/// Returns whether only the order of keys was wrong: then the format with any order accepts the instance. This is not
/// timed.
fn ordered(engine: &mut dyn Engine, any_order: &mut AnyOrder, prepared: &Prepared, tokens: &[u32]) -> bool {
    let format = any_order.get_or_insert_with(|| engine.compile_any_order(&prepared.case.schema));
    let Some(format) = format else { return false };
    let Ok(mut sequence) = format.start(tokens.len()) else { return false };
    let accepted = (0..tokens.len()).all(|at| {
        sequence.mask(Next::at(tokens, at)).unwrap_or(false)
            && tokens.get(at).is_some_and(|&t| sequence.accept(t).is_ok())
    });
    accepted && sequence.mask(Next::End).unwrap_or(false)
}

/// Steps through the tokens; each accepted token with the mask after it is one sample.
fn run(format: &mut dyn Format, tokens: &[u32], bench: &mut Bench<'_>, name: impl Fn() -> String) -> Verdict {
    let begin = Instant::now();
    let started = format.start(tokens.len());
    bench.tally.start_nanos.push(nanos(begin));
    let mut sequence = match started {
        Ok(sequence) => sequence,
        Err(message) => return Verdict::Refused { at: 0, message },
    };
    let mut allowed = sequence.mask(Next::at(tokens, 0));
    for (at, &token) in tokens.iter().enumerate() {
        if allowed != Ok(true) {
            return refused(at, allowed);
        }
        let computed = sequence.rows_computed();
        let begin = Instant::now();
        let accepted = sequence.accept(token);
        let after = if accepted.is_ok() { sequence.mask(Next::at(tokens, at + 1)) } else { Ok(false) };
        let took = nanos(begin);
        bench.tally.step_nanos.push(took);
        bench.tally.slow_step.offer(took, || format!("{} token {at}{}", name(), reason(&*sequence, computed)));
        if let Err(message) = accepted {
            return Verdict::Refused { at, message };
        }
        allowed = after;
        fill(&mut *sequence, bench);
    }
    for (name, number) in sequence.saved(tokens) {
        *bench.tally.notes.entry(name).or_default() += number;
    }
    if allowed == Ok(true) { Verdict::Accepted } else { refused(tokens.len(), allowed) }
}

/// Names the place that a step led to, and the number of rows that were computed for it.
fn reason(sequence: &dyn Sequence, computed: usize) -> String {
    let Some(rule) = sequence.rule() else { return String::new() };
    format!(" in `{rule}`, rows computed: {}", sequence.rows_computed() - computed)
}

fn fill(sequence: &mut dyn Sequence, bench: &mut Bench<'_>) {
    let begin = Instant::now();
    sequence.fill(bench.buffer);
    bench.tally.fill_nanos.push(nanos(begin));
}

fn refused(at: usize, answer: Result<bool, String>) -> Verdict {
    Verdict::Refused { at, message: answer.err().unwrap_or_default() }
}

fn nanos(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
