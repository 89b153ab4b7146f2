//! `textDocument/hover`: the documentation, costs and samples of the thing at the cursor.

use ogc_ide::hover::{self, HoverParts};
use ogc_ide::requests::{self, SampleOptions};
use ogc_ide::{Format, costs};
use tower_lsp_server::ls_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range};

use crate::failure::Failure;
use crate::requests::settings_file::SettingsText;
use crate::view::View;

/// The samples to show. The seed is fixed, so that a definition always has the same samples.
const SAMPLES: SampleOptions = SampleOptions { count: 2, seed: 1, length: 80 };

/// Maximum number of characters shown of a sample.
const SHOWN: usize = 200;

/// Returns the hover of the thing at the cursor.
pub(crate) fn at(view: &View, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let about = &params.text_document_position_params;
    if let Some(settings) = SettingsText::of(view, &about.text_document.uri) {
        let found = settings.hover(view, about.position);
        return Ok(found.map(|found| convert(&found.parts, settings.to_range(view, found.span))));
    }
    let Some(at) = view.asked_at(about) else { return Ok(None) };
    let found = hover::hover(&view.snapshot, at).filter(|found| !found.parts.is_empty());
    Ok(found.map(|mut found| {
        if let Some(format) = &found.format {
            measure(view, format, &mut found.parts);
        }
        convert(&found.parts, view.to_range(at.file, found.span))
    }))
}

/// Adds the known costs of a format, and two texts that it accepts.
fn measure(view: &View, format: &Format, parts: &mut HoverParts) {
    parts.costs = costs::costs(&view.snapshot, format).map(|cost| costs::markdown(&cost));
    // Formats with errors have no samples and no costs.
    let samples = requests::sample(&view.snapshot, format, SAMPLES).map(|found| found.samples);
    parts.samples = samples.unwrap_or_default().iter().map(|sample| shortened(sample)).collect();
}

fn shortened(sample: &str) -> String {
    match sample.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &sample[..end]),
        None => sample.to_owned(),
    }
}

fn convert(parts: &HoverParts, range: Range) -> Hover {
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: parts.markdown() };
    Hover { contents: HoverContents::Markup(contents), range: Some(range) }
}
