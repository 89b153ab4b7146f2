//! `ogc/difference`: texts that one of two formats accepts and the other refuses.

use ogc_ide::requests::{self, Other};
use serde::{Deserialize, Serialize};

use super::FormatParams;
use crate::disk;
use crate::failure::Failure;
use crate::view::View;

/// Parameters of the request.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DifferenceParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    against: Against,
}

/// The other side of the comparison: a format, a definition in another text, or the saved file.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Against {
    Format(FormatParams),
    Text { text: String, definition: Option<String> },
    Saved { saved: bool },
}

/// Texts that only one of the two formats accepts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DifferenceResult {
    only_this: Option<String>,
    only_other: Option<String>,
    complete: bool,
}

/// Compares two formats.
pub(crate) fn compare(view: &View, params: DifferenceParams) -> Result<DifferenceResult, Failure> {
    let format = params.format.decide(view)?;
    let snapshot = &view.snapshot;
    let found = match &params.against {
        Against::Format(other) => requests::difference(snapshot, &format, Other::Format(&other.decide(view)?)),
        Against::Text { text, definition } => {
            requests::difference(snapshot, &format, Other::Text(text, definition.as_deref()))
        }
        Against::Saved { saved: true } => {
            let unsaved = || Failure::Refused("the file is not saved yet, or too long; save it first".to_owned());
            let text = disk::read(snapshot.name(format.file)).ok_or_else(unsaved)?;
            requests::difference(snapshot, &format, Other::Text(&text, None))
        }
        Against::Saved { saved: false } => {
            return Err(Failure::Refused("`saved` is `true`, or absent beside `text` or `textDocument`".to_owned()));
        }
    }?;
    Ok(DifferenceResult { only_this: found.only_this, only_other: found.only_other, complete: found.is_complete })
}
