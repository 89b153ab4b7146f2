//! The chooser of each token, the device or the host, with the reason, and counts by chooser.

use std::fmt;

/// The chooser of the token of a row of logits, and the reason.
///
/// ```
/// use ogc_generate::ChosenBy;
/// assert!(ChosenBy::Device.is_device() && ChosenBy::DeviceBudget.is_device());
/// assert_eq!(ChosenBy::HostModel.reason(), Some("the model is there"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenBy {
    /// The device that computed the logits, under the mask that it found.
    Device,
    /// The device, under a mask of the host: a token budget is near, and only the host keeps it.
    DeviceBudget,
    /// The device, under a mask of the host: only canonical tokens are allowed, which only the host knows.
    DeviceCanonical,
    /// The device, under a mask of the host: the format is not on the device.
    DeviceFormat,
    /// The device, under a mask of the host: all slots of the device are taken.
    DeviceSlots,
    /// The device, under a mask of the host: the text has stop tokens of its own.
    DeviceStops,
    /// The device, under masks of the host: several tokens of a draft are requested.
    DeviceDraft,
    /// The device, under a mask of the host: the device could not step the text's slot.
    DeviceHandover,
    /// The host: the model computes there.
    HostModel,
    /// The host: probabilities are wanted, and they need all logits.
    Probabilities,
    /// The host: more tokens are penalised or have biases than a device takes.
    Lists,
    /// The host: the masks along a draft could not be computed before the draft was read.
    Draft,
    /// The host: the device could not find the mask of this token.
    Handover,
}

impl ChosenBy {
    /// All choosers.
    ///
    /// ```
    /// assert_eq!(ogc_generate::ChosenBy::ALL[0], ogc_generate::ChosenBy::Device);
    /// ```
    pub const ALL: [Self; 13] = [
        Self::Device,
        Self::DeviceBudget,
        Self::DeviceCanonical,
        Self::DeviceFormat,
        Self::DeviceSlots,
        Self::DeviceStops,
        Self::DeviceDraft,
        Self::DeviceHandover,
        Self::HostModel,
        Self::Probabilities,
        Self::Lists,
        Self::Draft,
        Self::Handover,
    ];

    /// Returns whether a device chose.
    ///
    /// ```
    /// assert!(!ogc_generate::ChosenBy::HostModel.is_device());
    /// ```
    #[must_use]
    pub fn is_device(self) -> bool {
        match self {
            Self::Device
            | Self::DeviceBudget
            | Self::DeviceCanonical
            | Self::DeviceFormat
            | Self::DeviceSlots
            | Self::DeviceStops
            | Self::DeviceDraft
            | Self::DeviceHandover => true,
            Self::HostModel | Self::Probabilities | Self::Lists | Self::Draft | Self::Handover => false,
        }
    }

    /// Returns the reason why the host found the mask, or chose; `None` if the device did both.
    ///
    /// ```
    /// assert_eq!(ogc_generate::ChosenBy::Device.reason(), None);
    /// ```
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Device => None,
            Self::DeviceBudget => Some("a budget is near"),
            Self::DeviceCanonical => Some("the format determines what comes"),
            Self::DeviceFormat => Some("the format is not there"),
            Self::DeviceSlots => Some("all slots are taken"),
            Self::DeviceStops => Some("stop tokens of its own"),
            Self::DeviceDraft => Some("drafts"),
            Self::DeviceHandover => Some("the device could not go on"),
            Self::HostModel => Some("the model is there"),
            Self::Probabilities => Some("probabilities are wanted"),
            Self::Lists => Some("many tokens are penalised"),
            Self::Draft => Some("a draft has no masks"),
            Self::Handover => Some("the device found no mask"),
        }
    }
}

/// The numbers of tokens by chooser. Tokens without alternatives that took no pass are not counted.
///
/// ```
/// use ogc_generate::{Choices, ChosenBy};
/// assert_eq!(Choices::default().by(ChosenBy::Device), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choices([usize; ChosenBy::ALL.len()]);

impl Choices {
    /// Counts a token.
    pub(crate) fn count(&mut self, by: ChosenBy) {
        self.0[by as usize] += 1;
    }

    /// Adds the counts of another text.
    ///
    /// ```
    /// use ogc_generate::Choices;
    /// let mut all = Choices::default();
    /// all.add(&Choices::default());
    /// assert_eq!(all, Choices::default());
    /// ```
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }

    /// Returns the number of tokens with this chooser.
    ///
    /// ```
    /// use ogc_generate::{Choices, ChosenBy};
    /// assert!(ChosenBy::ALL.iter().all(|by| Choices::default().by(*by) == 0));
    /// ```
    #[must_use]
    pub fn by(&self, by: ChosenBy) -> usize {
        self.0[by as usize]
    }

    /// Returns the number of tokens that were chosen on a device.
    #[must_use]
    pub fn on_device(&self) -> usize {
        ChosenBy::ALL.into_iter().filter(|by| by.is_device()).map(|by| self.by(by)).sum()
    }
}

impl fmt::Display for Choices {
    /// Writes the number of tokens that the device chose, by the source of their masks, and the number that the host
    /// chose, by reason.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} chosen on the device", self.on_device())?;
        for by in ChosenBy::ALL {
            let Some(reason) = by.reason().filter(|_| self.by(by) > 0) else { continue };
            let how = if by.is_device() { "of them under masks of the host" } else { "on the host" };
            write!(out, ", {} {how} ({reason})", self.by(by))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted_by_who_made_them() {
        let mut choices = Choices::default();
        for (at, by) in ChosenBy::ALL.into_iter().enumerate() {
            assert_eq!(by as usize, at, "its place among all");
            assert_eq!(by.is_device(), format!("{by:?}").starts_with("Device"));
            assert_eq!(by.reason().is_none(), by == ChosenBy::Device);
            (0..at).for_each(|_| choices.count(by));
            assert_eq!(choices.by(by), at);
        }
        let mut twice = choices;
        twice.add(&choices);
        assert_eq!(twice.on_device(), 2 * (1 + 2 + 3 + 4 + 5 + 6 + 7));
        let said = choices.to_string();
        assert!(
            said.starts_with("28 chosen on the device, 1 of them under masks of the host (a budget is near), 2 of"),
            "{said}"
        );
        assert!(said.contains(", 8 on the host (the model is there), 9 on the host ("), "{said}");
    }
}
