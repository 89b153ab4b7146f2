//! The options of a server.

use std::num::NonZeroUsize;
use std::time::Duration;

use ogc_generate::{DraftLength, ToolStyle};
use ogc_runtime::cache::CacheLimits;
use ogc_runtime::canonical::TokenPolicy;

use crate::access::AccessOptions;

/// The options of a server: who may use it, and the bounds of what it does at a time and of what a request may ask for.
///
/// ```
/// assert_eq!(ogc_serve::ServeOptions::default().slots.get(), 8);
/// ```
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The name of the model.
    pub model: String,
    /// The style in which the model writes calls of tools; `None` for that of its chat template.
    pub tool_style: Option<ToolStyle>,
    /// Who may use the server.
    pub access: AccessOptions,
    /// The most texts that are written at a time. Each keeps the model's cache of its positions, and so do as many again that have stepped aside
    /// for others. Another server is asked for so many of one client, and for an eighth more of others.
    pub slots: NonZeroUsize,
    /// The most texts of one client that wait for a slot, beside those that have one; requests beyond are refused (429). Those of other clients
    /// wait beside them: a client may have half of the places that others leave, of twice as many.
    pub queue: usize,
    /// The longest that a request may take.
    pub timeout: Duration,
    /// The most connections at a time; others wait until one ends.
    pub connections: NonZeroUsize,
    /// The most connections of one client's address at a time, or of one IPv6 network; others are refused (429).
    pub client_connections: NonZeroUsize,
    /// The longest that a client may take to send the head of a request, and again its body (408); and to read 16 KiB of an
    /// answer that waits for it.
    pub patience: Duration,
    /// The most bytes of a request. Bodies that arrive at the same time may have 32 times as many together, and those of one client 16 times;
    /// others are refused (429).
    pub max_body: usize,
    /// The most tokens of a text, also where a request names no number.
    pub max_tokens: u32,
    /// The most choices of a request.
    pub max_choices: usize,
    /// Policy for the tokens of what formats determine; `None` takes each format's, or canonical tokens where it has none.
    pub tokens: Option<TokenPolicy>,
    /// The most tokens that are guessed from what came before; 0 for none.
    pub speculate: usize,
    /// The bounds of drafts by the model's draft model ([`LoadedModel::with_draft`](ogc_generate::LoadedModel::with_draft)), which it must have then; `None`
    /// for no drafts. A text keeps the draft model's cache of its positions, too.
    pub draft: Option<DraftLength>,
    /// The bounds of compiled formats and of their compilation. Of the bytes that are kept, a quarter is for rows of masks, an eighth for
    /// formats in other notations, and the rest for compiled formats.
    pub formats: CacheLimits,
    /// The most bytes of what the model has read that are kept for texts that begin alike, on the host; 0 for none.
    pub prefix_cache: usize,
    /// The longest that the masks of a text may take which are not computed between two passes.
    pub mask_time: Duration,
    /// The longest that the masks of a text take between two passes; a text that takes longer is left out of a pass, and its masks are
    /// computed beside it.
    pub mask_pause: Duration,
    /// The threads that compute masks beside the passes, at least two; one client has half of them at most.
    pub mask_threads: NonZeroUsize,
}

impl ServeOptions {
    /// Returns the most bytes of what is known of masks.
    pub(crate) fn mask_bytes(&self) -> usize {
        self.formats.bytes / 4
    }

    /// Returns the most bytes of formats in other notations.
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
