//! `textDocument/signatureHelp`: the parameters of the use that the cursor is in.

use always_assert::never;
use ogc_ide::signature_help;
use tower_lsp_server::ls_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
    SignatureHelpOptions, SignatureHelpParams, SignatureInformation,
};

use crate::failure::Failure;
use crate::view::View;

/// Returns the parameters.
pub(crate) fn at(view: &View, params: SignatureHelpParams) -> Result<Option<SignatureHelp>, Failure> {
    let Some(at) = view.asked_at(&params.text_document_position_params) else { return Ok(None) };
    Ok(signature_help::signature_help(&view.snapshot, at).map(convert))
}

/// Returns the characters that make an editor ask for signatures.
pub(crate) fn options() -> SignatureHelpOptions {
    SignatureHelpOptions {
        trigger_characters: Some(signature_help::TRIGGERS.iter().map(char::to_string).collect()),
        ..SignatureHelpOptions::default()
    }
}

fn convert(found: signature_help::SignatureHelp) -> SignatureHelp {
    let active_parameter = found.active.and_then(|active| u32::try_from(active).ok());
    let parameters = found.parameters.iter().map(|parameter| {
        let name = found.label.get(parameter.start..parameter.end).unwrap_or_else(|| {
            never!("`{}` has no parameter at {}..{}", found.label, parameter.start, parameter.end);
            ""
        });
        ParameterInformation {
            // Labels are almost always ASCII; offsets would have to be counted in UTF-16.
            label: ParameterLabel::Simple(name.to_owned()),
            documentation: documentation(&parameter.documentation),
        }
    });
    let parameters = Some(parameters.collect());
    let documentation = documentation(&found.documentation);
    let signature = SignatureInformation { label: found.label, documentation, parameters, active_parameter };
    SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter }
}

fn documentation(text: &str) -> Option<Documentation> {
    let content = || MarkupContent { kind: MarkupKind::Markdown, value: text.to_owned() };
    (!text.is_empty()).then(|| Documentation::MarkupContent(content()))
}
