//! The engine that an inference server links: the automaton, the masks, the artifact and the matcher.
//!
//! It knows no compiler, no CUDA and no file system. `ogc build`, the crate `ogc-embed` or another program with the compiler makes the
//! [artifacts](artifact) that it runs.
//!
//! # Quick start
//!
//! An engine loads a format once, and has a [`Matcher`](matcher::Matcher) for each sequence. At each position it fills a mask, samples among the
//! tokens that the mask allows, and tells the matcher which token was chosen:
//!
//! ```
//! use ogc_runtime::artifact::Artifact;
//! use ogc_runtime::logits::mask_logits;
//! use ogc_runtime::mask::MaskStore;
//! use ogc_runtime::vocabulary::{TokenId, Vocabulary};
//! use std::error::Error;
//! use std::sync::Arc;
//!
//! /// Writes one text of a format; `logits` is the model's pass.
//! fn write(
//!     artifact: &Artifact,
//!     store: &Arc<MaskStore>,
//!     mut logits: impl FnMut(&[TokenId]) -> Vec<f32>,
//! ) -> Result<Vec<TokenId>, Box<dyn Error>> {
//!     let mut matcher = artifact.matcher(Arc::clone(store))?;
//!     matcher.set_budget(Some(200))?; // the text is whole within 200 tokens
//!     let mut written = Vec::new();
//!     let mut words = vec![0; store.vocabulary().padded_len().div_ceil(32)];
//!     while !matcher.is_terminated() {
//!         let mut logits = logits(&written);
//!         matcher.fill_mask(&mut words)?;
//!         mask_logits(&words, &mut logits, f32::NEG_INFINITY);
//!         let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b])).expect("logits");
//!         let token = TokenId(u32::try_from(best)?);
//!         matcher.accept_token(token)?;
//!         written.push(token);
//!     }
//!     Ok(written)
//! }
//!
//! # use ogc_runtime::artifact::{self, Format};
#![doc = include_str!("quick_start.md")]
//! # Ok::<(), Box<dyn Error>>(())
//! ```
//!
//! # Modules
//!
//! | to | module |
//! |---|---|
//! | load a format, and its masks | [`artifact`] |
//! | describe the tokens of a model, from the files of tokenizers | [`vocabulary`], [`trie`] |
//! | follow a text, fill masks, keep budgets, fork, take tokens back | [`matcher`] |
//! | look at masks, and share their rows | [`mask`] |
//! | apply masks to logits on the host | [`logits`] |
//! | write constants in the tokens of the tokenizer | [`canonical`] |
//! | tell captures, values and calls of tools while a text grows | [`events`], [`captures`] |
//! | compile formats of requests once, and keep them within a bound | [`cache`] |
//! | stop masks that nobody waits for | [`watch`] |
//! | name the numbers of sampling | [`sampling`] |
//! | build an automaton, step it, walk one of its readings | [`automaton`], [`step`], [`walk`] |
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `schema` | [`events::EventRecord`] has a JSON Schema (`schemars`); off by default |

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
