//! What an inference engine links: the automaton, the masks, the artifact and the matcher.
//!
//! It knows no compiler, no CUDA and no file system.

pub mod automaton;
pub mod mask;
pub mod matcher;
pub mod step;
pub mod trie;
pub mod vocabulary;
