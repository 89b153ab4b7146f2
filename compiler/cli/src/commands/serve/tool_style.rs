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
            Some(format!("{unknown}; requests with `tools` are refused: choose a style with `--tool-style` ({styles})"))
        }
        (None, Some(style)) if !template.writes_style() && template.past_calls().is_some() => Some(format!(
            "the chat template looks like the style `{}`, but writes earlier calls differently: if the model's calls are bad, choose another style with `--tool-style`",
            style.name()
        )),
        _ => None,
    }
}
