//! `textDocument/inlayHint`: shows the ends of free texts and, if wanted, the sizes of definitions inside the text.

use ogc_ide::inlay_hints::{self, HintKind};
use tower_lsp_server::ls_types::{InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip};

use crate::failure::Failure;
use crate::view::View;

/// Returns the hints of a range.
pub(crate) fn range(view: &View, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri).filter(|_| view.settings.inlay_hints) else {
        return Ok(None);
    };
    let wanted: &[HintKind] = if view.settings.sizes { &HintKind::ALL } else { &[HintKind::Inferred] };
    let hints = inlay_hints::inlay_hints(&view.snapshot, file, view.span(file, params.range), wanted);
    let hints = hints.into_iter().map(|hint| InlayHint {
        position: view.to_position(file, hint.at),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    Ok(Some(hints.collect()))
}
