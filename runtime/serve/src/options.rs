//! The options of a server.

use std::num::NonZeroUsize;
use std::time::Duration;

use ogc_generate::{DraftLength, ToolStyle};
use ogc_runtime::cache::CacheLimits;
use ogc_runtime::canonical::TokenPolicy;

use crate::access::AccessOptions;

/// The options of a server: access control, limits of concurrent work, and limits of a request.
///
/// ```
/// assert_eq!(ogc_serve::ServeOptions::default().slots.get(), 8);
/// ```
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The name of the model.
    pub model: String,
    /// Style in which the model writes tool calls; `None` takes the style of its chat template.
    pub tool_style: Option<ToolStyle>,
    /// Access control: hosts, origins and keys.
    pub access: AccessOptions,
    /// Maximum number of texts that are written concurrently. Each keeps its KV cache; texts that have stepped aside
    /// for others keep theirs, too, and there may be as many of them again. If another server writes the texts, it is
    /// asked for this number of texts of one client, and for an eighth more of other clients.
    pub slots: NonZeroUsize,
    /// Maximum number of texts of one client that wait for a slot, beside those that have one; further requests are
    /// rejected (429). Texts of other clients have further places: there are twice as many places as one client may
    /// have, and a client may have half of the places that others leave.
    pub queue: usize,
    /// Timeout of a request.
    pub timeout: Duration,
    /// Maximum number of concurrent connections; others wait.
    pub connections: NonZeroUsize,
    /// Maximum number of concurrent connections of one client address, or of one IPv6 network; others are rejected
    /// (429).
    pub client_connections: NonZeroUsize,
    /// Timeout for a client to send the head of a request, again to send its body (408), and to read 16 KiB of a pending answer.
    pub patience: Duration,
    /// Maximum number of bytes of a request body. Bodies that arrive concurrently may have 32 times as many bytes
    /// together, and the bodies of one client 16 times; others are rejected (429).
    pub max_body: usize,
    /// Maximum number of tokens of a text; also the default if a request names no number.
    pub max_tokens: u32,
    /// Maximum number of choices of a request.
    pub max_choices: usize,
    /// Policy for the tokens of text that formats determine; `None` takes each format's policy, or canonical tokens if it has none.
    pub tokens: Option<TokenPolicy>,
    /// Maximum number of tokens that are drafted by prompt lookup; 0 turns it off.
    pub speculate: usize,
    /// Limits of drafts by the model's draft model
    /// ([`LoadedModel::with_draft`](ogc_generate::LoadedModel::with_draft)), which must then be present; `None` turns
    /// drafts off. Each text keeps a KV cache of the draft model, too.
    pub draft: Option<DraftLength>,
    /// Limits of compiled formats and of their compilation. Of the cached bytes, a quarter is for rows of masks, an eighth for formats in other
    /// notations, and the rest for compiled formats.
    pub formats: CacheLimits,
    /// Maximum number of bytes of the prefix cache (KV cache of common prompt prefixes) on the host; 0 turns it off.
    pub prefix_cache: usize,
    /// Timeout for the masks of a text that are computed beside the passes.
    pub mask_time: Duration,
    /// Maximum time for the masks of a text between two passes. A text that takes longer skips passes while its masks are computed beside them.
    pub mask_pause: Duration,
    /// Threads that compute masks beside the passes, at least two; one client has at most half of them.
    pub mask_threads: NonZeroUsize,
}

impl ServeOptions {
    /// Returns the maximum number of bytes of the mask cache.
    pub(crate) fn mask_bytes(&self) -> usize {
        self.formats.bytes / 4
    }

    /// Returns the maximum number of bytes of formats in other notations.
    pub(crate) fn lowered_bytes(&self) -> usize {
        self.formats.bytes / 8
    }
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self {
            model: "model".to_owned(),
            tool_style: None,
            access: AccessOptions::default(),
            slots: NonZeroUsize::MIN.saturating_add(7),
            queue: 64,
            timeout: Duration::from_secs(600),
            connections: NonZeroUsize::MIN.saturating_add(1_023),
            client_connections: NonZeroUsize::MIN.saturating_add(511),
            patience: Duration::from_secs(30),
            max_body: 8 << 20,
            max_tokens: 4_096,
            max_choices: 8,
            tokens: None,
            speculate: 0,
            draft: None,
            formats: CacheLimits::default(),
            prefix_cache: 256 << 20,
            mask_time: Duration::from_secs(60),
            mask_pause: Duration::from_millis(2),
            mask_threads: NonZeroUsize::MIN.saturating_add(1),
        }
    }
}
