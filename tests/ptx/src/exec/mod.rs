//! Runs kernels.
//!
//! # Steps
//! `device` holds memory and starts launches (`launch`), which a `mirror` may do again; `grid` runs blocks in a random
//! order, some at a time; `machine` has the state that they and their threads share; `block` passes barriers; `warp`
//! runs instructions for groups of lanes, which part and meet in `groups`; `compute` computes each lane's function of
//! its `operands`, `lanes` runs operations of the lanes of a warp together, `access` the accesses to memory (`traffic`
//! counts them), `control` branches and calls, and `registers` has the values of lanes.

mod access;
mod block;
mod compute;
mod control;
mod device;
mod grid;
mod groups;
mod lanes;
mod launch;
mod machine;
mod mirror;
mod operands;
mod random;
mod registers;
mod traffic;
mod warp;

pub use device::{Device, Element};
pub use launch::{Argument, Launch, Size};
pub use mirror::{Mirror, MirrorBuffer};
