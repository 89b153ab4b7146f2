//! `textDocument/definition`, `declaration`, `typeDefinition` and `implementation`: the targets of a name.

use ogc_ide::goto::{self, Targets};
use ogc_ide::{FilePosition, FileSpan, Snapshot, SourceFile};
use tower_lsp_server::ls_types::{GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink};

use crate::failure::Failure;
use crate::view::View;
use crate::{files, library};

/// Returns the definition of the thing that the cursor names.
pub(crate) fn definition(view: &View, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>, Failure> {
    Ok(find(view, &params, goto::definition))
}

/// Returns the definitions that describe the thing at the cursor.
pub(crate) fn type_definition(
    view: &View,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    Ok(find(view, &params, goto::type_definition))
}

/// Returns the definitions that narrow or extend the one at the cursor.
pub(crate) fn implementation(
    view: &View,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    Ok(find(view, &params, goto::implementations))
}

fn find(
    view: &View,
    params: &GotoDefinitionParams,
    feature: fn(&Snapshot, FilePosition) -> Option<Targets>,
) -> Option<GotoDefinitionResponse> {
    let at = view.asked_at(&params.text_document_position_params)?;
    Some(response(view, at.file, &feature(&view.snapshot, at)?))
}

fn response(view: &View, file: SourceFile, found: &Targets) -> GotoDefinitionResponse {
    let targets = found.targets.iter();
    if !view.client.links {
        return GotoDefinitionResponse::Array(targets.filter_map(|place| location(view, *place)).collect());
    }
    let links = targets.filter_map(|place| {
        let target = location(view, *place)?;
        Some(LocationLink {
            origin_selection_range: Some(view.to_range(file, found.origin)),
            target_uri: target.uri,
            target_range: target.range,
            target_selection_range: target.range,
        })
    });
    GotoDefinitionResponse::Link(links.collect())
}

/// Converts a target; one in the standard library is in a file that is written now, if it is not there.
fn location(view: &View, place: FileSpan) -> Option<Location> {
    let library = || {
        let name = view.snapshot.name(place.file);
        let text = goto::library(name)?;
        let uri = files::uri(&library::file(name, text)?)?;
        Some(Location::new(uri, view.to_range(place.file, place.span)))
    };
    view.to_location(place).or_else(library)
}
