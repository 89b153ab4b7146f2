//! `textDocument/foldingRange` and `textDocument/selectionRange`: the parts of a document.

use ogc_ide::folding::{self, FoldKind};
use ogc_ide::selection;
use tower_lsp_server::ls_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, Position, SelectionRange, SelectionRangeParams,
};

use crate::failure::Failure;
use crate::view::View;

/// Returns the parts that can be collapsed.
pub(crate) fn folds(view: &View, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let folds = folding::folds(&view.snapshot, file).into_iter().map(|fold| {
        let range = view.to_range(file, fold.span);
        let column = |position: Position| (!view.client.folds_lines).then_some(position.character);
        FoldingRange {
            start_line: range.start.line,
            start_character: column(range.start),
            end_line: range.end.line,
            end_character: column(range.end),
            kind: kind(fold.kind),
            collapsed_text: None,
        }
    });
    Ok(Some(folds.collect()))
}

fn kind(kind: FoldKind) -> Option<FoldingRangeKind> {
    match kind {
        FoldKind::Comment => Some(FoldingRangeKind::Comment),
        FoldKind::Imports => Some(FoldingRangeKind::Imports),
        // The protocol's region kind is only for regions that comments mark.
        FoldKind::Region => None,
    }
}

/// Returns the selection ranges around each position, each range nested in the next.
pub(crate) fn selections(view: &View, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let around = |position: &Position| {
        let spans = selection::selections(&view.snapshot, view.at(file, *position));
        let outer_first = spans.into_iter().rev().map(|span| view.to_range(file, span));
        let chain = outer_first.fold(None, |parent, range| Some(Box::new(SelectionRange { range, parent })));
        chain.map_or_else(|| alone(*position), |inner| *inner)
    };
    Ok(Some(params.positions.iter().map(around).collect()))
}

fn alone(position: Position) -> SelectionRange {
    SelectionRange { range: tower_lsp_server::ls_types::Range::new(position, position), parent: None }
}
