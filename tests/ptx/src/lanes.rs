//! The lanes of a warp: sets of them, and a value for each.

/// The values of a register, one for each lane.
pub(crate) type Lanes = [u64; 32];

/// Returns the lanes of a mask, in order.
pub(crate) fn each(lanes: u32) -> impl Iterator<Item = usize> {
    let next = |lanes: &u32| Some(lanes & (lanes - 1)).filter(|rest| *rest != 0);
    let rests = std::iter::successors(Some(lanes).filter(|lanes| *lanes != 0), next);
    rests.map(|lanes| lanes.trailing_zeros() as usize)
}
