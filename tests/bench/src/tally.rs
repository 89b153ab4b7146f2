//! Counts the results of one engine in one mode, and makes its report.

use crate::memory;
use crate::samples::{Samples, Summary};
use serde::Serialize;
use std::collections::BTreeMap;

/// The counts and times so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// Schemas tried.
    pub(crate) schemas: usize,
    /// Schemas that compiled.
    pub(crate) handled: usize,
    /// Schemas that compiled and gave no wrong verdict (a rejection because of the order of keys is not wrong).
    pub(crate) handled_clean: usize,
    pub(crate) valid_accepted: usize,
    pub(crate) valid_refused: usize,
    pub(crate) valid_refused_for_order: usize,
    pub(crate) invalid_accepted: usize,
    pub(crate) invalid_refused: usize,
    /// Times from the schema's text to its first mask.
    pub(crate) first_nanos: Samples,
    /// Times to the first mask or to the rejection, schema by schema.
    pub(crate) first_by_schema: Vec<First>,
    /// Times to start a sequence, and to set its budget if it has one.
    pub(crate) start_nanos: Samples,
    /// Times to accept a token and compute the next mask.
    pub(crate) step_nanos: Samples,
    /// Times to copy the mask of a step into a buffer.
    pub(crate) fill_nanos: Samples,
    /// Times spent on a schema ahead of time.
    pub(crate) build_nanos: Samples,
    /// Times to reject a schema.
    pub(crate) refusal_nanos: Samples,
    /// The sum of the changes of resident memory over this engine's turns.
    pub(crate) kept_kib: i64,
    /// Wrong verdicts.
    pub(crate) wrong: Vec<Wrong>,
    /// Valid instances that were rejected only because of their order of keys.
    pub(crate) for_order: Vec<Wrong>,
    /// Steps and their nanoseconds, by schema: for means over the schemas that several engines compile.
    pub(crate) by_schema: BTreeMap<String, (u64, u64)>,
    /// Schemas that compiled and agreed with every label, including the order of keys.
    pub(crate) handled_strict: usize,
    /// The sums of the figures that formats report.
    pub(crate) notes: BTreeMap<&'static str, u64>,
    /// The schemas of which not everything was made ahead of time, with the reasons.
    pub(crate) incomplete: Vec<String>,
    /// The schemas that took longest to their first mask.
    pub(crate) slow_first: Slowest,
    /// The schemas that took longest ahead of time.
    pub(crate) slow_build: Slowest,
    /// The steps that took longest.
    pub(crate) slow_step: Slowest,
    errors: BTreeMap<String, Vec<(String, String)>>,
}

/// The time of one schema to its first mask, or to its rejection.
#[derive(Clone, Debug)]
pub(crate) struct First {
    pub(crate) schema: String,
    pub(crate) us: f64,
    /// The error's code.
    pub(crate) refusal: Option<String>,
}

impl First {
    /// Makes the entry of a schema that has its first mask.
    pub(crate) fn made(schema: &str, nanos: u64) -> First {
        First { schema: schema.to_owned(), us: nanos as f64 / 1e3, refusal: None }
    }

    /// Makes the entry of a schema that did not compile.
    pub(crate) fn refused(schema: &str, nanos: u64, code: &str) -> First {
        First { refusal: Some(code.to_owned()), ..First::made(schema, nanos) }
    }
}

/// The slowest of many, slowest first.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Slowest(pub(crate) Vec<Slow>);

/// A slow schema or step, with its time.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Slow {
    pub(crate) us: f64,
    pub(crate) what: String,
}

impl Slowest {
    const KEPT: usize = 10;

    /// Keeps this if it is among the slowest.
    pub(crate) fn offer(&mut self, nanos: u64, what: impl FnOnce() -> String) {
        let us = nanos as f64 / 1e3;
        let at = self.0.partition_point(|slow| slow.us >= us);
        if at < Self::KEPT {
            self.0.insert(at, Slow { us, what: what() });
            self.0.truncate(Self::KEPT);
        }
    }
}

/// A wrong verdict.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Wrong {
    pub(crate) id: String,
    /// The instance's index.
    pub(crate) test: usize,
    pub(crate) why: String,
}

/// A kind of compile error: the number of schemas, and the first of them.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ErrorCount {
    pub(crate) code: String,
    pub(crate) count: usize,
    pub(crate) first: String,
    pub(crate) message: String,
}

/// The report of one engine in one mode.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) engine: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) vocab: String,
    pub(crate) settings: String,
    pub(crate) schemas: usize,
    /// Schemas that compiled.
    pub(crate) handled: usize,
    /// Schemas that compiled without a wrong verdict.
    pub(crate) handled_clean: usize,
    /// Schemas without a wrong verdict, where a rejection because of the order of keys counts as wrong. This is the
    /// figure to compare between engines, because only an engine with that policy can be tried again with any order.
    pub(crate) handled_strict: usize,
    pub(crate) compile_errors: usize,
    pub(crate) compile_error_codes: Vec<ErrorCount>,
    pub(crate) valid_accepted: usize,
    pub(crate) valid_refused: usize,
    pub(crate) valid_refused_for_order: usize,
    pub(crate) invalid_accepted: usize,
    pub(crate) invalid_refused: usize,
    pub(crate) ttfm_us: Summary,
    pub(crate) start_us: Summary,
    pub(crate) tbm_us: Summary,
    pub(crate) fill_us: Summary,
    pub(crate) build_us: Summary,
    pub(crate) refusal_us: Summary,
    /// The time of one reading of the clock; each sample includes about one.
    pub(crate) timer_us: f64,
    /// The peak of the whole process, including vocabularies and pack; see `memory`.
    pub(crate) peak_rss_mb: f64,
    pub(crate) kept_rss_mb: f64,
    pub(crate) notes: BTreeMap<&'static str, u64>,
    pub(crate) incomplete: Vec<String>,
    pub(crate) slow_first: Slowest,
    pub(crate) slow_build: Slowest,
    pub(crate) slow_step: Slowest,
    pub(crate) wrong: Vec<Wrong>,
    pub(crate) for_order: Vec<Wrong>,
    pub(crate) by_schema: BTreeMap<String, (u64, u64)>,
    /// Ids of the schemas that did not compile, by code.
    pub(crate) not_compiled: BTreeMap<String, Vec<String>>,
}

/// The title of a report: engine, mode, vocabulary, settings.
#[derive(Clone, Debug)]
pub(crate) struct Title {
    pub(crate) engine: &'static str,
    pub(crate) mode: &'static str,
    pub(crate) vocab: String,
    pub(crate) settings: String,
}

impl Tally {
    /// Counts a schema that did not compile.
    pub(crate) fn compile_error(&mut self, id: &str, code: &str, message: &str) {
        self.errors.entry(code.to_owned()).or_default().push((id.to_owned(), message.to_owned()));
    }

    /// Makes the report.
    pub(crate) fn report(mut self, title: Title, timer_us: f64) -> Report {
        let codes = self.error_counts();
        Report {
            engine: title.engine,
            mode: title.mode,
            vocab: title.vocab,
            settings: title.settings,
            schemas: self.schemas,
            handled: self.handled,
            handled_clean: self.handled_clean,
            handled_strict: self.handled_strict,
            compile_errors: codes.iter().map(|code| code.count).sum(),
            compile_error_codes: codes,
            valid_accepted: self.valid_accepted,
            valid_refused: self.valid_refused,
            valid_refused_for_order: self.valid_refused_for_order,
            invalid_accepted: self.invalid_accepted,
            invalid_refused: self.invalid_refused,
            ttfm_us: self.first_nanos.summary(),
            start_us: self.start_nanos.summary(),
            tbm_us: self.step_nanos.summary(),
            fill_us: self.fill_nanos.summary(),
            build_us: self.build_nanos.summary(),
            refusal_us: self.refusal_nanos.summary(),
            timer_us,
            peak_rss_mb: memory::peak_kib() as f64 / 1024.0,
            kept_rss_mb: self.kept_kib as f64 / 1024.0,
            notes: self.notes,
            incomplete: self.incomplete,
            slow_first: self.slow_first,
            slow_build: self.slow_build,
            slow_step: self.slow_step,
            wrong: self.wrong,
            for_order: self.for_order,
            by_schema: self.by_schema,
            not_compiled: ids_only(self.errors),
        }
    }

    fn error_counts(&self) -> Vec<ErrorCount> {
        let mut counts: Vec<ErrorCount> = self.errors.iter().filter_map(error_count).collect();
        counts.sort_by_key(|error| std::cmp::Reverse(error.count));
        counts
    }
}

fn error_count((code, schemas): (&String, &Vec<(String, String)>)) -> Option<ErrorCount> {
    let (first, message) = schemas.first()?;
    Some(ErrorCount { code: code.clone(), count: schemas.len(), first: first.clone(), message: message.clone() })
}

fn ids_only(errors: BTreeMap<String, Vec<(String, String)>>) -> BTreeMap<String, Vec<String>> {
    errors.into_iter().map(|(code, list)| (code, list.into_iter().map(|(id, _)| id).collect())).collect()
}
