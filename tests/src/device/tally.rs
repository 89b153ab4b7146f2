//! Counts comparisons.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ogc_cuda::Outcome;

/// The counts of comparisons, of sequences that the device left to the host, and of differences.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Formats by name.
    pub formats: BTreeSet<String>,
    /// Batches.
    pub batches: usize,
    /// Sequences in all batches.
    pub sequences: usize,
    /// Tokens that were accepted, including tokens that ended the text.
    pub accepted: usize,
    /// Tokens, and requests to take back too many tokens, that were rejected.
    pub refused: usize,
    /// Texts that were ended.
    pub ended: usize,
    /// The number of times that tokens were taken back.
    pub taken_back: usize,
    /// Masks that were compared bit by bit.
    pub masks: usize,
    /// Tokens that were chosen by random logits.
    pub chosen: usize,
    /// Sequences that the matcher gave up: their texts are too ambiguous for it.
    pub given_up: usize,
    /// Sequences that were left to the host, by the reason.
    pub handed: BTreeMap<String, Handed>,
    /// Differences from the matcher.
    pub differences: Vec<String>,
}

/// Sequences that were left to the host for one reason.
#[derive(Clone, Debug, Default)]
pub struct Handed {
    /// Sequences.
    pub sequences: usize,
    /// Their formats by name.
    pub formats: BTreeSet<String>,
}

impl Tally {
    /// Counts a batch.
    pub(super) fn begin<'n>(&mut self, formats: impl Iterator<Item = &'n str>, sequences: usize) {
        self.formats.extend(formats.map(str::to_owned));
        self.batches += 1;
        self.sequences += sequences;
    }

    /// Counts an outcome that agrees with the matcher.
    pub(super) fn add(&mut self, is_back: bool, outcome: Outcome) {
        match outcome {
            Outcome::None => {}
            Outcome::Accepted if is_back => self.taken_back += 1,
            Outcome::Accepted => self.accepted += 1,
            Outcome::Ended => {
                self.accepted += 1;
                self.ended += 1;
            }
            Outcome::Refused => self.refused += 1,
            // A sequence that the host continues is not compared.
            Outcome::Host(_) => {}
        }
    }

    /// Counts a sequence that was left to the host.
    pub(super) fn hand_over(&mut self, why: &str, format: &str) {
        let handed = self.handed.entry(why.to_owned()).or_default();
        handed.sequences += 1;
        handed.formats.insert(format.to_owned());
    }

    /// Returns the number of formats that never left the device.
    #[must_use]
    pub fn whole(&self) -> usize {
        let left: BTreeSet<&String> = self.handed.values().flat_map(|handed| &handed.formats).collect();
        self.formats.iter().filter(|format| !left.contains(format)).count()
    }

    /// Returns the names of the columns of [`row`](Self::row), as the head of a table in Markdown.
    #[must_use]
    pub fn head() -> String {
        let names = "| | formats | wholly on the device | sequences | tokens accepted | refused | ended | taken back | masks | tokens chosen | differences |";
        format!("{names}\n|{}", "---|".repeat(names.matches('|').count() - 1))
    }

    /// Returns the counts as a row of a table in Markdown.
    #[must_use]
    pub fn row(&self, name: &str) -> String {
        let share = 100.0 * self.whole() as f64 / self.formats.len().max(1) as f64;
        format!(
            "| {name} | {} | {share:.1}% | {} | {} | {} | {} | {} | {} | {} | {} |",
            self.formats.len(),
            self.sequences,
            self.accepted,
            self.refused,
            self.ended,
            self.taken_back,
            self.masks,
            self.chosen,
            self.differences.len(),
        )
    }
}

impl fmt::Display for Tally {
    /// Describes the sequences that were left to the host, and the differences.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (why, handed) in &self.handed {
            let some: Vec<&String> = handed.formats.iter().take(4).collect();
            writeln!(
                out,
                "left to the host for {why}: {} sequences of {} formats ({some:?})",
                handed.sequences,
                handed.formats.len()
            )?;
        }
        if self.given_up > 0 {
            writeln!(out, "given up by the matcher: {} sequences", self.given_up)?;
        }
        for difference in &self.differences {
            writeln!(out, "DIFFERENCE {difference}")?;
        }
        Ok(())
    }
}
