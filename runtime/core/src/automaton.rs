//! The byte-level pushdown automaton with registers, which the compiler writes and the matcher steps.
//!
//! A format is a set of *rules*. A rule is a small byte automaton whose states may also *call* other rules; a call
//! pushes a frame (the state to return to and the caller's registers), and a rule returns when it stops in an accepting
//! state. Several heads may be alive at once (alternatives that the bytes read so far do not tell apart); equal heads merge.
//!
//! # Frames and registers
//!
//! Each frame has three registers, touched only by the [`Op`]s on edges and calls:
//!
//! * `a`, `b`: a two-phase countdown for `{m,n}`, lengths and sizes. A *tick* decrements `a` while `a > 0` (the minimum is not reached
//!   yet), and `b` afterwards (what is left up to the maximum; [`UNBOUNDED`] never runs out). Nothing is unrolled: every string with 20
//!   characters to go is in the same state, whatever bounds its format declared.
//! * `memory`: the keys of an object: the next declared key (declared order), or the id of a set of seen keys (any order).
//!
//! # Two kinds of states
//!
//! A [`StateKind::Bytes`] state reads raw bytes. A [`StateKind::Text`] state is inside a JSON string: its edges speak of
//! the *decoded* text, and the matcher decodes escapes (`\n`, `\u00e9`, surrogate pairs) before it steps. A raw `"` takes the state's
//! `close` edge; raw control characters are refused. So an escaped character is the same as the raw one everywhere, keys included, and no
//! automaton grows with the number of spellings of a character.
//!
//! # Tokens of the vocabulary
//!
//! A format can ask for exactly one token by name. Edges spell the token's [`marker`](crate::vocabulary::marker()), which begins with the
//! byte 0xFF, like any text; in the token trie, the marker stands as the token's bytes. The byte 0xFF is reserved for markers.
//!
//! # Counting tokens
//!
//! A rule can be *token-counted*: the `a` of its call is the maximum number of tokens that may add to a text of the rule. Within a token
//! the count is not visible. After each token, a frame that has used its last one moves to the *spent twin* of its state, which only
//! finishes a character that has begun, and returns. The frame's `memory` holds the count, its countdown to the minimum begins at 0, and
//! `b` is free to count characters.
//!
//! # Invariants (checked by [`AutomatonBuilder::finish`] and again when an artifact is loaded)
//!
//! * Every state can reach the end of its rule, and every rule that is called accepts something ("no dead ends"; the
//!   operations' guards are written so that they never strand a frame: each is a *reachability* test).
//! * No rule accepts the empty text (a nullable rule is called by a caller that may also skip it), and no rule reaches
//!   itself through first calls (no left recursion): stepping one byte terminates.
//! * Edges are sorted by `lo`. Overlapping edges are allowed: they are parallel heads.

mod build;
mod byte_set;
mod conditions;
mod derive;
mod derived;
mod draft;
mod error;
mod fingerprint;
mod finish;
mod first;
mod grouped;
mod ids;
mod layout;
mod size;
mod token_policy;
mod twins;
mod types;
mod validate;

pub use build::AutomatonBuilder;
pub(crate) use byte_set::{ByteSet, has, insert};
pub use conditions::{KeyChoice, KeyConditions, KeyDiagram};
pub use derived::Derived;
pub(crate) use derived::Free;
pub use error::BuildError;
pub use first::MAX_FIRST_DEPTH;
pub use ids::{ObjectId, OpId, RuleId, StateId};
pub use token_policy::{TokenPolicy, UnknownTokenPolicy};
pub use types::*;
