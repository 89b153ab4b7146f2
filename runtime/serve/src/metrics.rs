//! Counters of a server's work, in the text format of Prometheus.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ogc_generate::{PrefixUsage, Statistics};
use ogc_runtime::cache::CacheStats;

/// A counter that many threads increment.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn add_time(&self, time: Duration) {
        self.add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    fn set(&self, value: usize) {
        self.0.store(value as u64, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counters of a server's work.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) requests: Counter,
    pub(crate) refused: Counter,
    pub(crate) failed: Counter,
    pub(crate) tokens: Counter,
    pub(crate) passes: Counter,
    pub(crate) inner_passes: Counter,
    pub(crate) upstream_requests: Counter,
    pub(crate) violations: Counter,
    prompt_tokens: Counter,
    reused_tokens: Counter,
    forced: Counter,
    guessed: Counter,
    drafted: Counter,
    accepted: Counter,
    pub(crate) draft_passes: Counter,
    chosen_on_device: Counter,
    mask_microseconds: Counter,
    pub(crate) slow_masks: Counter,
    masking: Counter,
    running: Counter,
    waiting: Counter,
}

impl Metrics {
    /// Counts an answer by its status.
    pub(crate) fn count_answer(&self, status: u16) {
        self.requests.add(1);
        match status {
            400..500 => self.refused.add(1),
            500.. => self.failed.add(1),
            _ => {}
        }
    }

    /// Returns a number that grows with each answer and each pass.
    pub(crate) fn work(&self) -> u64 {
        self.requests.get() + self.passes.get()
    }

    /// Adds the statistics of a text that has ended.
    pub(crate) fn count_work(&self, work: &Statistics) {
        self.prompt_tokens.add(work.prompt_tokens as u64);
        self.reused_tokens.add(work.reused as u64);
        self.forced.add(work.forced as u64);
        self.guessed.add(work.guessed as u64);
        self.drafted.add(work.drafted as u64);
        self.accepted.add(work.accepted as u64);
        self.chosen_on_device.add(work.choices.on_device() as u64);
        self.mask_microseconds.add_time(work.mask_time);
    }

    /// Sets the gauges: texts that are being written, that wait for a slot, and that wait for their masks.
    pub(crate) fn show_load(&self, running: usize, waiting: usize, masking: usize) {
        self.running.set(running);
        self.waiting.set(waiting);
        self.masking.set(masking);
    }

    /// Writes all counters and gauges.
    pub(crate) fn text(&self, formats: &CacheStats, prefixes: PrefixUsage) -> String {
        let kinds: [(&str, &str, &str, u64); 28] = [
            ("ogc_requests_total", "counter", "requests that were answered", self.requests.get()),
            ("ogc_requests_refused_total", "counter", "requests that were refused", self.refused.get()),
            ("ogc_requests_failed_total", "counter", "requests on which the server failed", self.failed.get()),
            ("ogc_tokens_total", "counter", "tokens that were written", self.tokens.get()),
            (
                "ogc_prompt_tokens_total",
                "counter",
                "tokens of prompts, counted when their texts end",
                self.prompt_tokens.get(),
            ),
            (
                "ogc_reused_tokens_total",
                "counter",
                "tokens of prompts found in the prefix cache",
                self.reused_tokens.get(),
            ),
            ("ogc_forced_tokens_total", "counter", "tokens that formats forced", self.forced.get()),
            ("ogc_guessed_tokens_total", "counter", "tokens that --speculate guessed right", self.guessed.get()),
            ("ogc_drafted_tokens_total", "counter", "tokens that the draft model drew", self.drafted.get()),
            (
                "ogc_accepted_tokens_total",
                "counter",
                "tokens that the draft model drew and the model kept",
                self.accepted.get(),
            ),
            ("ogc_device_tokens_total", "counter", "tokens that a device chose", self.chosen_on_device.get()),
            ("ogc_passes_total", "counter", "passes of the model", self.passes.get()),
            ("ogc_draft_passes_total", "counter", "passes of the draft model", self.draft_passes.get()),
            (
                "ogc_inner_passes_total",
                "counter",
                "passes of a text made while another text's pass ran",
                self.inner_passes.get(),
            ),
            ("ogc_upstream_requests_total", "counter", "requests to another server", self.upstream_requests.get()),
            (
                "ogc_violations_total",
                "counter",
                "texts of another server that violated their format",
                self.violations.get(),
            ),
            ("ogc_mask_microseconds_total", "counter", "time in masks and drafts", self.mask_microseconds.get()),
            ("ogc_slow_masks_total", "counter", "masks computed beside the passes", self.slow_masks.get()),
            ("ogc_texts_masking", "gauge", "texts whose masks are computed beside the passes", self.masking.get()),
            ("ogc_texts_running", "gauge", "texts that are being written", self.running.get()),
            ("ogc_texts_waiting", "gauge", "texts that wait for a slot", self.waiting.get()),
            ("ogc_prefix_bytes", "gauge", "bytes of the prefix cache", prefixes.bytes as u64),
            ("ogc_prefix_dropped_total", "counter", "pages dropped from the prefix cache", prefixes.dropped),
            ("ogc_formats", "gauge", "compiled formats in the cache", formats.formats as u64),
            ("ogc_formats_bytes", "gauge", "bytes of the compiled formats in the cache", formats.bytes as u64),
            (
                "ogc_format_hits_total",
                "counter",
                "requests whose format was in the cache",
                formats.hits + formats.joined,
            ),
            ("ogc_format_misses_total", "counter", "formats that were compiled", formats.misses),
            ("ogc_format_failures_total", "counter", "formats that could not be compiled", formats.failed),
        ];
        let mut text = String::new();
        for (name, kind, help, value) in kinds {
            text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"));
        }
        text
    }
}
