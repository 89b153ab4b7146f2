//! Events of growing texts.

use ogc_runtime::events::{self, Event, EventRecord};
use ogc_runtime::vocabulary::TokenId;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::value;
use crate::format::Format;
use crate::vocabulary::Vocabulary;

/// Reads a growing text, and returns the events that have become certain.
#[pyclass(module = "ogc", name = "EventReader")]
#[derive(Debug)]
pub(crate) struct EventReader {
    reader: events::EventReader,
    vocabulary: Option<Py<Vocabulary>>,
}

impl EventReader {
    pub(crate) fn new(format: &Format, vocabulary: Option<Py<Vocabulary>>) -> Self {
        Self { reader: events::EventReader::new(&format.artifact.format().content), vocabulary }
    }
}

/// Returns events as dictionaries.
fn told<'py>(py: Python<'py>, events: Vec<Event>) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let record = |event: Event| {
        let EventRecord { event, name, path, value, text, start, end } = event.into();
        let fields = PyDict::new(py);
        fields.set_item("event", event.name())?;
        let texts = [("name", name), ("path", path), ("value", value.map(str::to_owned)), ("text", text)];
        for (key, text) in texts {
            text.map_or(Ok(()), |text| fields.set_item(key, text))?;
        }
        for (key, at) in [("start", start), ("end", end)] {
            at.map_or(Ok(()), |at| fields.set_item(key, at))?;
        }
        Ok(fields)
    };
    events.into_iter().map(record).collect()
}

#[pymethods]
impl EventReader {
    #[new]
    #[pyo3(signature = (format, vocabulary = None))]
    fn of(format: &Format, vocabulary: Option<Py<Vocabulary>>) -> Self {
        Self::new(format, vocabulary)
    }

    /// Reads bytes, which may end inside a character; returns the events.
    fn read<'py>(&mut self, py: Python<'py>, bytes: &[u8]) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let events = self.reader.read_bytes(bytes).map_err(|error| value(&error))?;
        told(py, events)
    }

    /// Reads a token of the vocabulary; returns the events.
    fn read_token<'py>(&mut self, py: Python<'py>, token: u32) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let vocabulary = self.vocabulary.as_ref().ok_or_else(|| value(&"this reader was made without a vocabulary"))?;
        let store = &vocabulary.get().store;
        let events = self.reader.read_token(store.vocabulary(), TokenId(token)).map_err(|error| value(&error))?;
        told(py, events)
    }

    /// Ends the text, which must be complete; returns the last events.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let events = self.reader.finish().map_err(|error| value(&error))?;
        told(py, events)
    }
}
