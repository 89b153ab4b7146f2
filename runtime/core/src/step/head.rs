//! A head: the top frame of one reading of the text so far.

use super::BOTTOM;
use super::stack::NodeId;
use super::ways::WayId;
use crate::automaton::StateId;

/// One reading of the text, given by its top frame. The frames below are shared in the [`super::Stack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Head {
    /// The state of the top frame.
    pub(crate) state: StateId,
    /// The countdown to the minimum: ticks that must still come.
    pub(crate) a: u32,
    /// The countdown from the minimum to the maximum: ticks that may come after those.
    pub(crate) b: u32,
    /// The keys of an object that were seen (see [`super::keys`]), or in a token-counted rule the tokens left (see
    /// [`super::tokens`]), or the way of a frame whose registers are not known (see [`super::ways`]).
    pub(crate) aux: u32,
    /// The escape sequence that is being read, 0 for none: see [`super::text`].
    pub(crate) esc: u32,
    /// The node of the stack with the frames below.
    pub(crate) parent: NodeId,
}

impl Head {
    /// The head that has returned from the last frame: nothing more can be read.
    pub(crate) const RETURNED: Head = Head { state: StateId(u32::MAX), a: 0, b: 0, aux: 0, esc: 0, parent: BOTTOM };

    /// Returns the head after its frame, the lowest, has returned: nothing is left of it but its way.
    #[inline]
    pub(super) fn returned(&self) -> Head {
        WayId::of_aux(self.aux).map_or(Self::RETURNED, |way| Head { aux: way.aux(), ..Self::RETURNED })
    }

    #[inline]
    pub(crate) fn is_returned(&self) -> bool {
        self.state.0 == u32::MAX
    }
}
