//! Runs kernels.
//!
//! # Steps
//! `device` holds memory and starts launches (`launch`), which a `mirror` may do again; `grid` runs blocks in a random order, some at a time; `machine` is what they and
//! their threads share; `block` passes barriers; `warp` runs instructions for groups of lanes, which part and meet in `groups`; `compute` is what each lane computes of its
//! `operands`, `lanes` what lanes of a warp do together, `access` what they do to memory (`traffic` counts it), `control` where
//! they go, `registers` what they hold.

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
