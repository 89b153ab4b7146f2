//! Counts the bytes that a rendering makes and reads, and ends it when a limit is exceeded.
//!
//! A template is a program of a stranger. The engine's own fuel counts instructions, but one instruction can make
//! gigabytes. So every operation that makes or walks values asks the meter first. Both counts only grow, so that they
//! bound memory and time without knowing when a value is freed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use crate::error::GenerateError;

/// Bytes that a rendering may make, besides [`MADE_PER_BYTE`].
const MADE: u64 = 24 << 20;

/// Bytes that a rendering may make for each byte of its messages and tools.
const MADE_PER_BYTE: u64 = 64;

/// Units of work that a rendering may take, besides [`WORK_PER_BYTE`]: a unit is about a byte read.
const WORK: u64 = 128 << 20;

/// Units of work for each byte of messages and tools.
const WORK_PER_BYTE: u64 = 1024;

/// Cap on the nesting of values that a template makes. The JSON of a request never reaches it.
const DEPTH: u64 = 200;

/// The work of visiting a value, in units.
const NODE_WORK: u64 = 16;

/// The bytes that a list takes for each of its values, with the growth of its allocation.
pub(super) const NODE_BYTES: u64 = 48;

/// A limit of chat templates that was exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) struct TemplateLimit {
    pub(super) what: &'static str,
    pub(super) given: u64,
    pub(super) limit: u64,
}

impl From<TemplateLimit> for GenerateError {
    fn from(TemplateLimit { what, given, limit }: TemplateLimit) -> Self {
        Self::TemplateLimit { what, given, limit }
    }
}

/// The size of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ValueSize {
    /// Bytes of all strings in it.
    pub(super) text: u64,
    /// Values in it, itself among them.
    pub(super) nodes: u64,
    /// The sum of the depths of all nodes, by which indentation is multiplied.
    pub(super) depths: u64,
    /// Whether a namespace is in it.
    pub(super) has_namespace: bool,
}

impl ValueSize {
    /// Returns a bound of the bytes of the value as text: in lists, an escape takes up to ten bytes.
    pub(super) fn rendered(&self) -> u64 {
        if self.nodes <= 1 { self.text + 48 } else { self.text.saturating_mul(10) + self.nodes * 48 }
    }
}

/// The counts of one rendering, and the limit that it exceeded.
#[derive(Debug)]
pub(super) struct Meter {
    made: AtomicU64,
    made_limit: u64,
    work: AtomicU64,
    work_limit: u64,
    exceeded: Mutex<Option<TemplateLimit>>,
}

impl Meter {
    /// Makes a meter for inputs of `input` bytes.
    pub(super) fn new(input: u64) -> Self {
        Self {
            made: AtomicU64::new(0),
            made_limit: MADE + input.saturating_mul(MADE_PER_BYTE),
            work: AtomicU64::new(0),
            work_limit: WORK + input.saturating_mul(WORK_PER_BYTE),
            exceeded: Mutex::new(None),
        }
    }

    /// Makes a meter that only rejects deep values.
    pub(super) fn unlimited() -> Self {
        Self { made_limit: u64::MAX, work_limit: u64::MAX, ..Self::new(0) }
    }

    /// Returns the limit that was exceeded, if one was.
    pub(super) fn exceeded(&self) -> Option<TemplateLimit> {
        *self.exceeded.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Counts bytes before they are made.
    pub(super) fn make(&self, bytes: u64) -> Result<(), Error> {
        self.count(&self.made, bytes, self.made_limit, "bytes of text and values")
    }

    /// Counts units of work before they are taken.
    pub(super) fn work(&self, units: u64) -> Result<(), Error> {
        self.count(&self.work, units, self.work_limit, "units of work")
    }

    fn count(&self, counter: &AtomicU64, more: u64, limit: u64, what: &'static str) -> Result<(), Error> {
        let given = counter.load(Ordering::Relaxed).saturating_add(more);
        counter.store(given, Ordering::Relaxed);
        if given > limit { Err(self.refuse(TemplateLimit { what, given, limit })) } else { Ok(()) }
    }

    /// Records the limit that ends the rendering, and returns the error.
    pub(super) fn refuse(&self, limit: TemplateLimit) -> Error {
        let mut exceeded = self.exceeded.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        exceeded.get_or_insert(limit);
        Error::new(ErrorKind::InvalidOperation, format!("{} are more than {}", limit.what, limit.limit))
    }

    /// Walks a whole value.
    pub(super) fn size(&self, value: &Value) -> Result<ValueSize, Error> {
        let mut size = ValueSize::default();
        self.add_size(value, 0, &mut size)?;
        Ok(size)
    }

    /// Walks several values.
    pub(super) fn sizes(&self, values: &[Value]) -> Result<ValueSize, Error> {
        let mut size = ValueSize::default();
        values.iter().try_for_each(|value| self.add_size(value, 0, &mut size))?;
        Ok(size)
    }

    fn add_size(&self, value: &Value, depth: u64, size: &mut ValueSize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(self.refuse(TemplateLimit { what: "nested values", given: depth, limit: DEPTH }));
        }
        let text = value.as_bytes().map_or(0, |text| text.len() as u64);
        self.work(NODE_WORK + text)?;
        size.text += text;
        size.nodes += 1;
        size.depths += depth;
        match value.kind() {
            ValueKind::Map => self.add_pairs(value, depth, size),
            ValueKind::Seq | ValueKind::Iterable => {
                value.try_iter()?.try_for_each(|item| self.add_size(&item, depth + 1, size))
            }
            _ => Ok(()),
        }
    }

    fn add_pairs(&self, value: &Value, depth: u64, size: &mut ValueSize) -> Result<(), Error> {
        let Some(object) = value.as_object() else { return Ok(()) };
        size.has_namespace |= is_namespace(value);
        for (key, item) in object.try_iter_pairs().into_iter().flatten() {
            self.add_size(&key, depth + 1, size)?;
            self.add_size(&item, depth + 1, size)?;
        }
        Ok(())
    }

    /// Counts the work of inspecting the top level of a value.
    pub(super) fn glance(&self, value: &Value) -> Result<(), Error> {
        self.work(NODE_WORK + value.as_bytes().map_or(0, |text| text.len() as u64))
    }

    /// Returns a list instead of a lazy value. A lazy value over lazy values takes a frame of the stack for each.
    pub(super) fn settled(&self, value: Value) -> Result<Value, Error> {
        if value.kind() != ValueKind::Iterable {
            return Ok(value);
        }
        let mut items = Vec::new();
        for item in value.try_iter()? {
            self.work(NODE_WORK)?;
            self.make(NODE_BYTES)?;
            items.push(item);
        }
        Ok(Value::from(items))
    }
}

/// Returns whether a value was made by `namespace()`: only such a value can come to hold itself.
fn is_namespace(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.type_name().ends_with("Namespace"))
}
