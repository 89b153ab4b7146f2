//! Support for tools in a chat template: whether it reads them, the style of its calls, and the form in which it wants calls of earlier messages.
//!
//! A template is rendered with a call in an earlier message. If a style's frame of the call is in the output, that is the style; else the
//! marks in the template's text tell it.

use minijinja::Value as Rendered;
use serde_json::{Map, Value, json};

use super::ChatTemplate;
use crate::error::GenerateError;
use crate::prompt::tool_style::ToolStyle;

/// The form in which a template wants the calls of earlier messages.
///
/// ```
/// use ogc_generate::{ArgumentsForm, PastCalls};
/// let calls = PastCalls { arguments: ArgumentsForm::Object, has_content: false };
/// assert_ne!(calls.arguments, ArgumentsForm::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastCalls {
    /// The form of the arguments.
    pub arguments: ArgumentsForm,
    /// Whether a message with calls and without text has the empty text as its content, and not null.
    pub has_content: bool,
}

/// The form in which a template wants the arguments of a call.
///
/// ```
/// assert_ne!(ogc_generate::ArgumentsForm::Object, ogc_generate::ArgumentsForm::Text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentsForm {
    /// As an object.
    Object,
    /// As a text with JSON.
    Text,
}

/// The support for tools that a template has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ToolSupport {
    /// Whether it reads the tools that may be called.
    pub(super) reads_tools: bool,
    pub(super) style: Option<ToolStyle>,
    pub(super) past_calls: Option<PastCalls>,
    /// Whether it wrote the call of the probe in that style.
    pub(super) writes_style: bool,
}

/// The name and an argument of the call with which templates are probed; templates hardly contain these texts themselves.
const PROBE: &str = "ogc_probe";
const PROBE_VALUE: &str = "ogc probe value";

/// The identification of a call for templates whose style does not ask for one of its own.
const USUAL_ID: &str = "abcdefgh1";

/// Finds the support of a template for tools. If the template mentions calls, it is rendered with a call in all forms.
pub(super) fn support(template: &ChatTemplate, reads_tools: bool) -> ToolSupport {
    // The marks of a template that reads no tools may have another cause.
    let marked = ToolStyle::of_template(&template.given).filter(|_| reads_tools);
    let by_marks = ToolSupport { reads_tools, style: marked, past_calls: None, writes_style: false };
    if !template.given.contains("tool_calls") {
        return by_marks;
    }
    let mut past_calls = None;
    for arguments in [ArgumentsForm::Object, ArgumentsForm::Text] {
        match shown_well(template, arguments, marked) {
            Err(Exceeded) => return by_marks,
            Ok(None) => {}
            Ok(Some((form, text))) => match style_of(&text, marked) {
                Some(style) => {
                    return ToolSupport { style: Some(style), past_calls: Some(form), writes_style: true, ..by_marks };
                }
                None => past_calls = past_calls.or(Some(form)),
            },
        }
    }
    ToolSupport { past_calls, ..by_marks }
}

/// The template has exceeded a limit and is no longer probed.
struct Exceeded;

/// Renders a template with a call whose arguments have a form. The content of the call's message is null, as clients send it, or the empty
/// text where the template writes null as a word. Returns the form, and the output without white space; `None` if the template writes no
/// call.
fn shown_well(
    template: &ChatTemplate,
    arguments: ArgumentsForm,
    marked: Option<ToolStyle>,
) -> Result<Option<(PastCalls, String)>, Exceeded> {
    let shown = |has_content| {
        let form = PastCalls { arguments, has_content };
        Ok(shown(template, form, marked)?.map(|text| (form, text)))
    };
    let words = |text: &str| text.matches("none").count() + text.matches("None").count();
    Ok(match (shown(false)?, shown(true)?) {
        (Some((_, without)), Some((form, with))) if words(&without) > words(&with) => Some((form, with)),
        (without, with) => without.or(with),
    })
}

/// Returns the output of a template for a call of an earlier message, without white space; `None` if it writes no call.
fn shown(template: &ChatTemplate, form: PastCalls, marked: Option<ToolStyle>) -> Result<Option<String>, Exceeded> {
    let arguments = match form.arguments {
        ArgumentsForm::Object => Value::Object(probe_arguments()),
        ArgumentsForm::Text => json!(Value::Object(probe_arguments()).to_string()),
    };
    let content = if form.has_content { json!("") } else { Value::Null };
    let id = marked.map_or_else(|| USUAL_ID.to_owned(), |style| style.call_id(USUAL_ID, PROBE, 0));
    let call = json!({ "id": id, "type": "function", "function": { "name": PROBE, "arguments": arguments } });
    let messages = json!([
        { "role": "user", "content": "a" },
        { "role": "assistant", "content": content, "tool_calls": [call] },
        { "role": "tool", "tool_call_id": id, "name": PROBE, "content": "b" },
    ]);
    let tools = json!([{ "type": "function", "function": { "name": PROBE, "description": "", "parameters": {
        "type": "object", "properties": {}, "required": [] } } }]);
    match template.render(&messages, Some(&tools)) {
        Ok(text) => Ok(text.contains(PROBE_VALUE).then(|| bare(&text))),
        Err(GenerateError::TemplateLimit { .. }) => Err(Exceeded),
        Err(_) => Ok(None),
    }
}

fn probe_arguments() -> Map<String, Value> {
    [("key".to_owned(), json!(PROBE_VALUE)), ("count".to_owned(), json!(7))].into_iter().collect()
}

/// Returns the style of the call in a text: the style with the longest frame that the text contains. A style without a
/// frame counts only if the template has its marks, because the call may be in an unknown frame.
fn style_of(text: &str, marked: Option<ToolStyle>) -> Option<ToolStyle> {
    let is_framed = |style: ToolStyle| !matches!(style, ToolStyle::Bare | ToolStyle::Llama3);
    let candidates = ToolStyle::ALL.into_iter().filter(|style| is_framed(*style) || marked == Some(*style));
    let written = candidates.map(|style| (bare(&style.written(PROBE, &probe_arguments())), style));
    let fitting = written.filter(|(call, _)| text.contains(frame(call)));
    // Of styles that differ only in white space, or after the arguments, takes the style of the marks.
    fitting.max_by_key(|(call, style)| (frame(call).len(), marked == Some(*style), call.len())).map(|(_, style)| style)
}

/// Returns a call up to the end of its arguments: templates may write more after them.
fn frame(call: &str) -> &str {
    match call.rfind("7}") {
        Some(end) => &call[..end + 2],
        None => call,
    }
}

/// Returns a text without white space.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns whether there are calls in messages.
pub(super) fn has_calls(messages: &Rendered) -> bool {
    let has_calls = |message: Rendered| message.get_attr("tool_calls").is_ok_and(|calls| calls.is_true());
    messages.try_iter().is_ok_and(|mut messages| messages.any(has_calls))
}

impl ChatTemplate {
    /// Returns whether the template reads the tools that may be called.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// let reads = |source: &str| ChatTemplate::new(source.to_owned(), "", "").map(|template| template.reads_tools());
    /// assert!(reads("{% for t in tools %}{{ t }}{% endfor %}")? && !reads("{{ messages[0].content }}")?);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn reads_tools(&self) -> bool {
        self.support.reads_tools
    }

    /// Returns the style of the calls; `None` if the template reads no tools, or its style is not known.
    ///
    /// ```
    /// use ogc_generate::{ChatTemplate, ToolStyle};
    /// let source = "{% for t in tools %}{{ t }}{% endfor %}{% for m in messages %}{% for c in m.tool_calls %}[TOOL_CALLS]\
    ///               {{ c.function.name }}[ARGS]{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}";
    /// let template = ChatTemplate::new(source.to_owned(), "", "")?;
    /// assert_eq!(template.tool_style(), Some(ToolStyle::MistralArgs));
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn tool_style(&self) -> Option<ToolStyle> {
        self.support.style
    }

    /// Returns whether the template writes calls of earlier messages in its style; if not, the style is known from the
    /// marks alone.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// let source = "{{ tools }} <tool_call> arguments {{ messages[0].content }}";
    /// let template = ChatTemplate::new(source.to_owned(), "", "")?;
    /// assert!(template.tool_style().is_some() && !template.writes_style());
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn writes_style(&self) -> bool {
        self.support.writes_style
    }

    /// Returns the form in which the template wants calls of earlier messages; `None` if it writes none.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// let template = ChatTemplate::new("{{ tools }}{{ messages[0].content }}".to_owned(), "", "")?;
    /// assert_eq!(template.past_calls(), None);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn past_calls(&self) -> Option<PastCalls> {
        self.support.past_calls
    }
}
