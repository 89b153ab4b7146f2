//! Chooses the tokens of rows of logits, on the device.

use std::collections::BTreeSet;

use zerocopy::IntoBytes;

use super::*;
use crate::machine::launch::KernelLaunch;
use crate::masking::Logits;
use crate::sampling::{AllowedTokens, RowSampling, SampleOutcome};

/// The host's record of the settings of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct SetRows {
    /// Number of rows.
    pub(super) count: u32,
    /// The slots that the rows move.
    slots: Vec<SlotId>,
    /// A slot that several rows have, if there is one.
    shared: Option<SlotId>,
}

/// Outcome of a row that was stepped.
///
/// ```
/// use ogc_cuda::{Outcome, RowOutcome, SampleOutcome};
/// let ended = RowOutcome { sampled: SampleOutcome::Token(2), moved: Outcome::Ended };
/// assert_ne!(ended.moved, Outcome::Accepted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowOutcome {
    /// The chosen token, or why none was chosen.
    pub sampled: SampleOutcome,
    /// Outcome of the token in the row's slot; [`Outcome::None`] if there is no slot or no token.
    pub moved: Outcome,
}

impl<M: Machine> DeviceSlots<M> {
    /// Sets the sampling settings of rows of logits from now on: row `i` has entry `i`. Each row is masked by a slot, by a
    /// [draft](Self::draft), by bits, or not at all. The settings stay until others are set; the device increments their positions with
    /// each chosen token.
    ///
    /// # Errors
    /// There are more rows than slots and drafts have; a row names a slot that is not open, or a row of bits or a located mask that does not exist;
    /// or the device failed.
    ///
    /// ```
    /// # use ogc_cuda::{AllowedTokens, DeviceSlots, Machine, RowSampling, SlotId, SlotsError, TokenChoice};
    /// fn greedy<M: Machine>(slots: &mut DeviceSlots<M>, slot: SlotId) -> Result<(), SlotsError> {
    ///     let allowed = AllowedTokens::Slot(slot.number());
    ///     slots.set_rows(&[RowSampling { choice: TokenChoice::Highest, allowed, ..RowSampling::default() }])
    /// }
    /// ```
    pub fn set_rows(&mut self, rows: &[RowSampling]) -> Result<(), SlotsError> {
        let slot = |row: &RowSampling| match row.allowed {
            AllowedTokens::Slot(slot) => Some(SlotId(slot)),
            AllowedTokens::All | AllowedTokens::Bits(_) | AllowedTokens::Located(_) => None,
        };
        let rows: Vec<(RowSampling, Option<SlotId>)> = rows.iter().map(|row| (*row, slot(row))).collect();
        self.set_rows_of_slots(&rows)
    }

    /// Sets the sampling settings of rows, as [`set_rows`](Self::set_rows) does, and the slot that [`step`](Self::step) moves by the token
    /// of each row. That slot may differ from the one that masks the row, as when the host wrote the slot's mask as bits; or the row moves
    /// no slot.
    ///
    /// # Errors
    /// As for [`set_rows`](Self::set_rows).
    ///
    /// ```
    /// # use ogc_cuda::{AllowedTokens, DeviceSlots, Machine, RowSampling, SlotId, SlotsError};
    /// /// Row 0 is masked by the bits of row 0, and moves a slot.
    /// fn by_bits<M: Machine>(
    ///     slots: &mut DeviceSlots<M>,
    ///     slot: SlotId,
    ///     row: RowSampling,
    ///     mask: &[u32],
    /// ) -> Result<(), SlotsError> {
    ///     slots.write_mask(0, mask)?;
    ///     slots.set_rows_of_slots(&[(RowSampling { allowed: AllowedTokens::Bits(0), ..row }, Some(slot))])
    /// }
    /// ```
    pub fn set_rows_of_slots(&mut self, rows: &[(RowSampling, Option<SlotId>)]) -> Result<(), SlotsError> {
        self.check_sampled_rows(rows.len())?;
        let (mut shared, mut seen) = (None, BTreeSet::new());
        for slot in rows.iter().filter_map(|(_, slot)| *slot) {
            self.state(slot)?;
            if !seen.insert(slot) {
                shared = Some(slot);
            }
        }
        for (row, _) in rows {
            match row.allowed {
                AllowedTokens::All => {}
                AllowedTokens::Bits(bits) => self.check_rows((bits as usize).saturating_add(1))?,
                AllowedTokens::Slot(slot) => self.state(SlotId(slot)).map(drop)?,
                AllowedTokens::Located(mask) => self.check_sampled_rows((mask as usize).saturating_add(1))?,
            }
        }
        let bytes: Vec<u8> = rows.iter().flat_map(|(row, _)| row.to_bytes()).collect();
        // A negative number stands for no slot.
        let slots: Vec<u32> = rows.iter().map(|(_, slot)| slot.map_or(u32::MAX, SlotId::number)).collect();
        if !rows.is_empty() {
            self.machine.write(self.memory.rows, &bytes)?;
            self.machine.write(self.memory.row_slots, slots.as_bytes())?;
        }
        let slots = rows.iter().filter_map(|(_, slot)| *slot).collect();
        self.rows = SetRows { count: rows.len() as u32, slots, shared };
        Ok(())
    }

    /// Rejects more rows than slots and drafts have.
    pub(super) fn check_sampled_rows(&self, given: usize) -> Result<(), SlotsError> {
        let limit = self.limits.rows();
        if given > limit as usize { Err(SlotsError::Rows { given, limit }) } else { Ok(()) }
    }

    /// Returns the launch that chooses a token for each row that was [set](Self::set_rows); `None` if no row was set. The same launch
    /// serves every step, because all data that changes is in memory: it can be the last of a plan that computes the logits.
    ///
    /// # Errors
    /// The logits have another number of rows, or their stated memory is invalid.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, Plan, SlotsError};
    /// fn append<M: Machine>(slots: &DeviceSlots<M>, logits: &Logits, plan: &mut Plan) -> Result<(), SlotsError> {
    ///     plan.launches.extend(slots.sample_launch(logits)?);
    ///     Ok(())
    /// }
    /// ```
    pub fn sample_launch(&self, logits: &Logits) -> Result<Option<KernelLaunch>, SlotsError> {
        self.check_logits(logits)?;
        Ok(self.memory.sample(&self.limits, logits))
    }

    /// Returns the launch of a step of decoding: it chooses a token for each row that was [set](Self::set_rows), moves the row's slot by it, and
    /// finds the slot's next mask. The same launch serves every step, as for [`sample_launch`](Self::sample_launch).
    ///
    /// # Errors
    /// Two rows have the same slot, the logits have another number of rows, or their stated memory is invalid.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, Plan, SlotsError};
    /// fn append<M: Machine>(slots: &DeviceSlots<M>, logits: &Logits, plan: &mut Plan) -> Result<(), SlotsError> {
    ///     plan.launches.extend(slots.step_launch(logits)?);
    ///     Ok(())
    /// }
    /// ```
    pub fn step_launch(&self, logits: &Logits) -> Result<Option<KernelLaunch>, SlotsError> {
        self.check_logits(logits)?;
        match self.rows.shared {
            Some(slot) => Err(SlotsError::Closed { given: slot.number() }),
            None => Ok(self.memory.step(&self.limits, logits)),
        }
    }

    /// Rejects logits whose number of rows is not the number that was set, or whose stated memory is invalid.
    fn check_logits(&self, logits: &Logits) -> Result<(), SlotsError> {
        if logits.rows != self.rows.count {
            return Err(SlotsError::OtherRows { given: logits.rows, expected: self.rows.count });
        }
        let limit = self.memory.tokens.max(self.limits.logits);
        if logits.width > limit {
            return Err(SlotsError::Width { given: logits.width, limit });
        }
        Ok(logits.check()?)
    }

    /// Chooses a token for each row that was [set](Self::set_rows), on the machine's stream. [`sampled`](Self::sampled) returns the outcomes.
    ///
    /// # Errors
    /// The logits have another number of rows, or their stated memory is invalid; or the device failed.
    ///
    /// # Safety
    /// The logits are in memory of this machine's device, are as long as stated, and are initialised; the same holds for lists whose
    /// addresses rows have ([`Adjustments`](crate::Adjustments)). Until the kernel has ended, they stay allocated and nothing writes them.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, SampleOutcome, SlotsError};
    /// /// # Safety
    /// /// As for `DeviceSlots::sample`.
    /// unsafe fn tokens<M: Machine>(
    ///     slots: &mut DeviceSlots<M>,
    ///     logits: &Logits,
    /// ) -> Result<Vec<SampleOutcome>, SlotsError> {
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { slots.sample(logits) }?;
    ///     slots.sampled()
    /// }
    /// ```
    pub unsafe fn sample(&mut self, logits: &Logits) -> Result<(), SlotsError> {
        if let Some(launch) = self.sample_launch(logits)? {
            // SAFETY: rows name existing slots, rows of bits and located masks, which name rows of the pool. The scratch memory has the
            // size that `scratch_bytes` returns, and begins with zeros, which kernels leave zero. The caller upholds the rest.
            unsafe { self.machine.launch(&launch) }?;
        }
        Ok(())
    }

    /// Chooses a token for each row that was [set](Self::set_rows), moves the row's slot by it, and finds the slot's next mask, in one launch on the
    /// machine's stream. [`stepped`](Self::stepped) returns the outcomes. A slot whose token is refused is unchanged.
    ///
    /// # Errors
    /// Two rows have the same slot, a slot has a [draft](Self::draft), the logits have another number of rows or their stated memory is invalid, or
    /// the device failed.
    ///
    /// # Safety
    /// As for [`sample`](Self::sample).
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Logits, Machine, RowOutcome, SlotsError};
    /// /// # Safety
    /// /// As for `DeviceSlots::step`.
    /// unsafe fn steps<M: Machine>(slots: &mut DeviceSlots<M>, logits: &Logits) -> Result<Vec<RowOutcome>, SlotsError> {
    ///     // SAFETY: the caller upholds this function's conditions.
    ///     unsafe { slots.step(logits) }?;
    ///     slots.stepped()
    /// }
    /// ```
    pub unsafe fn step(&mut self, logits: &Logits) -> Result<(), SlotsError> {
        let launch = self.step_launch(logits)?;
        self.check_undrafted(self.rows.slots.iter().copied())?;
        if let Some(launch) = launch {
            // SAFETY: as in `sample`; no two rows have the same slot, and the formats of slots are in the table.
            unsafe { self.machine.launch(&launch) }?;
        }
        Ok(())
    }

    /// Waits for the device; returns the outcome of the last step for each row that was [set](Self::set_rows).
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, Outcome, SlotsError};
    /// fn ended<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<bool, SlotsError> {
    ///     Ok(slots.stepped()?.iter().all(|row| row.moved == Outcome::Ended))
    /// }
    /// ```
    pub fn stepped(&mut self) -> Result<Vec<RowOutcome>, SlotsError> {
        let mut numbers = vec![0u32; self.rows.count as usize];
        if !numbers.is_empty() {
            self.machine.read(self.memory.moved, numbers.as_mut_bytes())?;
        }
        let moved = numbers.into_iter().map(|number| written(Outcome::from_number(number), Outcome::None, &number));
        Ok(self.sampled()?.into_iter().zip(moved).map(|(sampled, moved)| RowOutcome { sampled, moved }).collect())
    }

    /// Waits for the device; returns the outcome of the last sampling for each row that was [set](Self::set_rows).
    ///
    /// # Errors
    /// The device failed.
    ///
    /// ```
    /// # use ogc_cuda::{DeviceSlots, Machine, SampleOutcome, SlotsError};
    /// fn first<M: Machine>(slots: &mut DeviceSlots<M>) -> Result<Option<SampleOutcome>, SlotsError> {
    ///     Ok(slots.sampled()?.first().copied())
    /// }
    /// ```
    pub fn sampled(&mut self) -> Result<Vec<SampleOutcome>, SlotsError> {
        let mut bytes = vec![[0; SampleOutcome::BYTES]; self.rows.count as usize];
        if !bytes.is_empty() {
            self.machine.read(self.memory.sampled, bytes.as_mut_bytes())?;
        }
        let outcome = |bytes| written(SampleOutcome::from_bytes(bytes), SampleOutcome::Nothing, &bytes);
        Ok(bytes.into_iter().map(outcome).collect())
    }
}
