//! Typed events of a growing text: values with their paths, captures, calls.

mod event;

use std::collections::VecDeque;
use std::sync::Arc;

use ogc_runtime::events::{Event, EventError, EventReader};
use ogc_runtime::mask::MaskStore;
use ogc_runtime::vocabulary::TokenId;

use crate::format::ogc_format;
use crate::pointers::{give, shared, slice, take, unique};
use crate::status::{Failure, call, ogc_status};
use crate::vocabulary::ogc_vocabulary;
use event::Shown;
pub use event::{ogc_event, ogc_event_kind, ogc_value_kind};

/// A reader of one growing text, with the events not yet taken.
#[derive(Clone, Debug)]
pub struct ogc_events {
    reader: EventReader,
    vocabulary: Option<Vocabulary>,
    waiting: VecDeque<Event>,
    /// The event that was taken last; the caller has pointers into it.
    shown: Shown,
}

/// The vocabulary of a reader, and the tokens that end texts if they differ from the vocabulary's own.
#[derive(Clone, Debug)]
struct Vocabulary {
    store: Arc<MaskStore>,
    ends: Option<Box<[TokenId]>>,
}

/// Makes a reader of the events of one text, at its beginning. With null for `vocabulary` it reads bytes only, and no tokens. Feed it
/// what a matcher has accepted; [`ogc_events_next`] takes the events from it.
///
/// # Safety
///
/// `format` is a format, `vocabulary` null or a vocabulary, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_new(
    format: *const ogc_format,
    vocabulary: *const ogc_vocabulary,
    out: *mut *mut ogc_events,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (format, vocabulary) = unsafe { (shared(format, "format")?, vocabulary.as_ref()) };
        // SAFETY: as this function's.
        let out = unsafe { unique(out, "out") }?;
        let of = |given: &ogc_vocabulary| Vocabulary { store: Arc::clone(&given.store), ends: given.ends.clone() };
        let events = ogc_events {
            reader: EventReader::new(&format.artifact.format().content),
            vocabulary: vocabulary.map(of),
            waiting: VecDeque::new(),
            shown: Shown::default(),
        };
        give(events, out);
        Ok(())
    })
}

/// Makes a second reader in the same state, independent from now on. Readers cannot roll back, so keep one at each state to return to.
///
/// # Safety
///
/// `events` is a reader, `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_fork(events: *const ogc_events, out: *mut *mut ogc_events) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (events, out) = unsafe { (shared(events, "events")?, unique(out, "out")?) };
        give(events.clone(), out);
        Ok(())
    })
}

/// Frees a reader.
///
/// # Safety
///
/// `events` is null, or a reader that is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_free(events: *mut ogc_events) {
    // SAFETY: as this function's.
    unsafe { take(events) };
}

/// Reads a token that a matcher has accepted; an end token of the vocabulary has no events. `OGC_STATUS_NOT_ALLOWED` if the
/// format does not allow it, and `OGC_STATUS_LIMIT` if too many objects and arrays are open: then nothing more is read, and each further
/// call returns the same.
///
/// # Safety
///
/// `events` is a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_read_token(events: *mut ogc_events, token: u32) -> ogc_status {
    let read = |events: &mut ogc_events| {
        let vocabulary = events.vocabulary.as_ref();
        let missing = || Failure::argument("the reader was made without a vocabulary: it reads bytes");
        let Vocabulary { store, ends } = vocabulary.ok_or_else(missing)?;
        match ends.as_deref().is_some_and(|ends| ends.contains(&TokenId(token))) {
            true => Ok(Vec::new()),
            false => Ok(events.reader.read_token(store.vocabulary(), TokenId(token))?),
        }
    };
    // SAFETY: as this function's.
    unsafe { reading(events, read) }
}

/// Reads bytes that a matcher has accepted, or those of a text of the format from elsewhere. They may end in the middle of a character. Errors
/// are those of [`ogc_events_read_token`].
///
/// # Safety
///
/// `events` is a reader, `bytes` points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_read_bytes(events: *mut ogc_events, bytes: *const u8, len: usize) -> ogc_status {
    let read = |events: &mut ogc_events| {
        // SAFETY: as this function's.
        let bytes = unsafe { slice(bytes, len, "bytes") }?;
        Ok(events.reader.read_bytes(bytes)?)
    };
    // SAFETY: as this function's.
    unsafe { reading(events, read) }
}

/// Ends the text, which yields the events that only the end makes certain, the last of them `OGC_EVENT_KIND_ENDED`.
/// `OGC_STATUS_NOT_ALLOWED` if the text is not complete.
///
/// # Safety
///
/// `events` is a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_finish(events: *mut ogc_events) -> ogc_status {
    // SAFETY: as this function's.
    unsafe { reading(events, |events| Ok(events.reader.finish()?)) }
}

/// Reads tokens or bytes with `read`, and queues their events.
///
/// # Safety
///
/// `events` is null, or a reader that no other thread uses.
unsafe fn reading(
    events: *mut ogc_events,
    read: impl FnOnce(&mut ogc_events) -> Result<Vec<Event>, Failure>,
) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let events = unsafe { unique(events, "events") }?;
        let found = read(events)?;
        events.waiting.extend(found);
        Ok(())
    })
}

/// Takes the next event and writes it to `event`, whose size is its `struct_size`; the kind is `OGC_EVENT_KIND_NONE` if there is no event
/// yet. The event's pointers are valid until the next event is taken or the reader is freed.
///
/// # Safety
///
/// `events` is a reader, `event` points to an event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ogc_events_next(events: *mut ogc_events, event: *mut ogc_event) -> ogc_status {
    call(|| {
        // SAFETY: as this function's.
        let (events, event) = unsafe { (unique(events, "events")?, unique(event, "event")?) };
        if event.struct_size < size_of::<ogc_event>() {
            return Err(Failure::argument("event.struct_size is less than sizeof(ogc_event)"));
        }
        events.shown = events.waiting.pop_front().map(Shown::new).unwrap_or_default();
        *event = events.shown.event(event.struct_size);
        Ok(())
    })
}

impl From<EventError> for Failure {
    fn from(error: EventError) -> Self {
        match error {
            EventError::Match(error) => error.into(),
            EventError::NotJson { .. } | EventError::NotText { .. } | EventError::Incomplete { .. } => {
                Failure::not_allowed(&error)
            }
            EventError::Depth { .. } => Failure::limit(&error.to_string()),
        }
    }
}
