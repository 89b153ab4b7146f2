//! The engine that an inference server links: the automaton, the masks, the artifact and the matcher.
//!
//! It knows no compiler, no CUDA and no file system.

pub mod artifact;
pub mod automaton;
pub mod cache;
pub mod canonical;
pub mod captures;
mod completion;
mod container;
pub mod events;
mod item;
pub mod logits;
pub mod mask;
pub mod matcher;
pub mod sampling;
pub mod step;
pub mod trie;
pub mod vocabulary;
pub mod walk;
pub mod watch;

// The formats that unit tests and integration tests share name the crate as its users do.
#[cfg(test)]
extern crate self as ogc_runtime;
