//! The startup warning of a server whose tool call style does not fit the chat template.

use ogc_generate::{ChatTemplate, ToolStyle};

/// Returns a warning about the chosen style, or about the style of the chat template.
pub(super) fn warning(chosen: Option<ToolStyle>, template: Option<&ChatTemplate>) -> Option<String> {
    let template = template?;
    match (chosen, template.tool_style()) {
        (Some(chosen), Some(known)) if chosen != known => Some(format!(
            "the chat template has calls of the style `{}`, and `--tool-style` is `{}`",
            known.name(),
            chosen.name()
        )),
        (None, None) if template.reads_tools() => {
            let styles = ToolStyle::ALL.map(ToolStyle::name).join(", ");
            let unknown = "the style in which the model writes calls is not known from its chat template";
            Some(format!(
                "{unknown}, so that requests with `tools` are refused: choose one with `--tool-style` ({styles})"
            ))
        }
        (None, Some(style)) if !template.writes_style() && template.past_calls().is_some() => Some(format!(
            "the chat template has the marks of the style `{}`, and writes calls of earlier messages otherwise: if the model writes no good calls, choose another with `--tool-style`",
            style.name()
        )),
        _ => None,
    }
}
