//! Passes: writes their rows, runs their plans, and reads the answers.

#![allow(unsafe_code, reason = "launches have addresses; that they are right is argued where plans run")]

use always_assert::never;
use zerocopy::IntoBytes;

use super::DeviceModel;
use super::choice::{RowAnswer, RowAsk};
use super::error::ModelError;
use super::memory::padded;
use super::part::AskingPart;
use super::plan::PassSize;
use super::records::{ModelRow, PageCopy, SPAN_POSITIONS, UNUSED};
use crate::machine::Machine;
use crate::sampling::SampleOutcome;

/// A row of a pass: the index of its part, and of its token in the part.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassRow {
    pub(super) part: usize,
    pub(super) token: usize,
}

impl<M: Machine> DeviceModel<M> {
    /// Copies pages that several texts share, before one of these texts writes into its copy.
    pub(super) fn copy(&mut self, copies: &[PageCopy]) -> Result<(), ModelError> {
        self.machine.write(self.placed.rows.copies, copies.as_bytes())?;
        let launch = self.placed.copy(copies.len() as u32);
        // SAFETY: the pool has all pages of `pages`, and the list, which has room for one page per row, was written.
        unsafe { self.machine.launch(&launch) }?;
        Ok(())
    }

    /// Writes the rows of a pass, padded to `size.rows`, and a page table for each text.
    fn write_rows(
        &mut self,
        parts: &[AskingPart<'_>],
        firsts: &[u32],
        rows: &[PassRow],
        size: PassSize,
    ) -> Result<(), ModelError> {
        let (mut tables, mut given): (Vec<u32>, Vec<ModelRow>) = (Vec::new(), Vec::new());
        let table = self.placed.limits.table() as usize;
        for of_part in rows.chunk_by(|one, two| one.part == two.part) {
            let part = &parts[of_part[0].part];
            let number = (tables.len() / table) as u32;
            tables.extend_from_slice(self.pages.table(part.text)?);
            tables.resize((number as usize + 1) * table, 0);
            given.extend(of_part.iter().map(|row| ModelRow {
                token: part.tokens[row.token],
                position: firsts[row.part] + row.token as u32,
                table: number,
            }));
        }
        given.resize(size.rows as usize, ModelRow { token: 0, position: 0, table: UNUSED });
        self.machine.write(self.placed.rows.tables, tables.as_bytes())?;
        Ok(self.machine.write(self.placed.rows.rows, given.as_bytes())?)
    }

    /// Reads the tokens of one pass, and appends the answers.
    pub(super) fn pass(
        &mut self,
        parts: &[AskingPart<'_>],
        firsts: &[u32],
        rows: &[PassRow],
        answers: &mut [Vec<RowAnswer>],
    ) -> Result<(), ModelError> {
        let asked = |row: &PassRow| parts[row.part].ask(row.token);
        let wanted: Vec<u32> =
            (0..).zip(rows).filter(|(_, row)| asked(row) != RowAsk::Nothing).map(|(at, _)| at).collect();
        let asks: Vec<RowAsk<'_>> = wanted.iter().map(|at| asked(&rows[*at as usize])).collect();
        let last = rows.iter().map(|row| firsts[row.part] + row.token as u32).max().unwrap_or(0);
        let spans = (last / SPAN_POSITIONS + 1).next_power_of_two().min(self.placed.limits.spans());
        let chooses = asks.iter().any(|ask| matches!(ask, RowAsk::Token(_)));
        let size = PassSize { rows: padded(rows.len() as u32), wanted: padded(wanted.len() as u32), spans, chooses };
        self.write_rows(parts, firsts, rows, size)?;
        self.write_asks(&wanted, &asks, size)?;
        self.run(size)?;
        for (at, answer) in wanted.iter().zip(self.answers(&asks, size)?) {
            let PassRow { part, token } = rows[*at as usize];
            match parts[part].answer_of(token) {
                Some(place) => answers[part][place] = answer,
                None => {
                    never!("nothing was asked after token {} of part {}", token, part);
                }
            }
        }
        Ok(())
    }

    /// Writes the rows that have logits, and the settings by which their tokens are chosen.
    fn write_asks(&mut self, wanted: &[u32], asks: &[RowAsk<'_>], size: PassSize) -> Result<(), ModelError> {
        if wanted.is_empty() {
            return Ok(());
        }
        let mut wanted = wanted.to_vec();
        wanted.resize(size.wanted as usize, UNUSED);
        self.machine.write(self.placed.rows.wanted, wanted.as_bytes())?;
        if size.chooses { self.chooser.write(&mut self.machine, asks, size.wanted) } else { Ok(()) }
    }

    /// Runs the plan of a pass whose rows were written.
    fn run(&mut self, size: PassSize) -> Result<(), ModelError> {
        if !self.plans.contains_key(&size) {
            let mut plan = self.placed.plan(size);
            if size.chooses {
                plan.launches.push(self.chooser.launch(&mut self.machine, size.wanted)?);
            }
            self.plans.insert(size, plan);
        }
        let Some(plan) = self.plans.get(&size) else {
            never!("{:?} has no plan", size);
            return Ok(());
        };
        // SAFETY: the plan has addresses of this machine, where as much memory was reserved as the checked shape and limits require. Rows
        // have known tokens and positions below the limit, and their tables have the pages of all positions up to theirs. The masks and
        // lists of rows that choose tokens were checked to fit their memory; slots have numbers below their count, and no two rows have the
        // same slot.
        unsafe { self.machine.run(plan) }?;
        Ok(())
    }

    /// Reads the answers of the rows that have logits.
    fn answers(&mut self, asks: &[RowAsk<'_>], size: PassSize) -> Result<Vec<RowAnswer>, ModelError> {
        let outcomes = if size.chooses { self.chooser.read(&mut self.machine, size.wanted)? } else { Vec::new() };
        let mut answers = Vec::with_capacity(asks.len());
        for row in 0..asks.len() {
            answers.push(match outcomes.get(row) {
                Some((SampleOutcome::Token(token), slot)) => RowAnswer::Token { token: *token, slot: *slot },
                Some((SampleOutcome::NoToken, _)) => RowAnswer::NoToken,
                Some((SampleOutcome::Nothing | SampleOutcome::Host | SampleOutcome::Full, _)) | None => {
                    RowAnswer::Logits(self.logits(row)?)
                }
            });
        }
        Ok(answers)
    }

    /// Reads the logits of a row.
    fn logits(&mut self, row: usize) -> Result<Vec<f32>, ModelError> {
        let mut logits = vec![0.0_f32; self.width()];
        let address = self.placed.rows.logits + (row * size_of_val(logits.as_slice())) as u64;
        self.machine.read(address, logits.as_mut_bytes())?;
        Ok(logits)
    }
}
