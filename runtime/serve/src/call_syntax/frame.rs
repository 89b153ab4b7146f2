//! The frames of calls, style by style: the texts around them and in them, in the ogc language.
//!
//! The texts are those of `std.tools`. They are repeated here because calls of custom tools stand between the same tags, though custom tools are no
//! types; and because answers are read by their captures ([`super::capture`]).

use ogc_generate::ToolStyle;

/// The texts around the calls of a style and around their arguments, as expressions of the ogc language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFrame {
    /// Literal or token that begins a region of calls; free text ends there.
    pub(crate) begins: &'static str,
    /// A call, with the placeholders [`NAME`] and [`ARGUMENTS`].
    pub(crate) call: &'static str,
    /// The text behind the calls of a region.
    pub(crate) ends: &'static str,
    /// The text between calls of one region; `None` if each call has a region of its own.
    pub(crate) in_block: Option<&'static str>,
    /// The text between regions.
    pub(crate) between: &'static str,
    pub(crate) arguments: ArgumentFrame,
    /// Whether only one call may be written.
    pub(crate) is_single: bool,
    /// Whether the frame contains special tokens, which are not characters.
    pub(crate) has_tokens: bool,
}

/// The form of the arguments in a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentFrame {
    /// As JSON.
    Json(JsonSpace),
    /// Each argument separately: the rule of `std.tools` for an argument, and the texts before and behind the argument of a custom tool.
    Fields { rule: &'static str, separator: &'static str, before: &'static str, behind: &'static str },
}

/// White space in JSON, as the policy `space` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonSpace {
    /// A space behind each comma and colon.
    Spaced,
    /// No white space.
    Compact,
}

impl JsonSpace {
    /// Returns the value of the policy `space`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Spaced => "spaced",
            Self::Compact => "compact",
        }
    }
}

/// Placeholder of the tool's name in a call.
pub(crate) const NAME: &str = "NAME";

/// Placeholder of the arguments in a call.
pub(crate) const ARGUMENTS: &str = "ARGUMENTS";

/// JSON as in most styles.
const SPACED: ArgumentFrame = ArgumentFrame::Json(JsonSpace::Spaced);

/// A region of one call, with JSON on one line.
const PLAIN: CallFrame = CallFrame {
    begins: r#""{\"name\": \"""#,
    call: r#"NAME "\", \"arguments\": " ARGUMENTS"#,
    ends: r#""}""#,
    in_block: None,
    between: r#""\n""#,
    arguments: SPACED,
    is_single: false,
    has_tokens: false,
};

/// The arguments of DeepSeek's markup.
const DSML: ArgumentFrame = ArgumentFrame::Fields {
    rule: "dsml_parameter",
    separator: r#""\n""#,
    before: r#""<｜DSML｜parameter name=\"input\" string=\"true\">""#,
    behind: r#""</｜DSML｜parameter>""#,
};

/// A block with the markup of DeepSeek.
const MARKUP: CallFrame = CallFrame {
    call: r#""<｜DSML｜invoke name=\"" NAME "\">\n" ARGUMENTS "\n</｜DSML｜invoke>""#,
    in_block: Some(r#""\n""#),
    arguments: DSML,
    ..PLAIN
};

/// The frame of calls between special tokens, with JSON.
const TOKENS: CallFrame = CallFrame { ends: "", has_tokens: true, ..PLAIN };

const HERMES: CallFrame =
    CallFrame { begins: r#""<tool_call>\n{\"name\": \"""#, ends: r#""}\n</tool_call>""#, ..PLAIN };

const LLAMA3: CallFrame = CallFrame { call: r#"NAME "\", \"parameters\": " ARGUMENTS"#, is_single: true, ..PLAIN };

const LLAMA3_PYTHON: CallFrame = CallFrame {
    begins: r#"tok"<|python_tag|>""#,
    call: r#""{\"name\": \"" NAME "\", \"parameters\": " ARGUMENTS "}""#,
    is_single: true,
    ..TOKENS
};

const MISTRAL: CallFrame = CallFrame {
    begins: r#"tok"[TOOL_CALLS]" "[""#,
    call: r#""{\"name\": \"" NAME "\", \"arguments\": " ARGUMENTS (", \"id\": \"" /[a-zA-Z0-9]{9}/ "\"")? "}""#,
    ends: r#""]""#,
    in_block: Some(r#"", ""#),
    ..TOKENS
};

const MISTRAL_ARGS: CallFrame =
    CallFrame { begins: r#"tok"[TOOL_CALLS]""#, call: r#"NAME tok"[ARGS]" ARGUMENTS"#, between: "", ..TOKENS };

const HARMONY: CallFrame = CallFrame {
    begins: r#"tok"<|channel|>" "commentary to=functions.""#,
    call: r#"NAME " " tok"<|constrain|>" "json" tok"<|message|>" ARGUMENTS"#,
    ends: r#"tok"<|call|>""#,
    arguments: ArgumentFrame::Json(JsonSpace::Compact),
    is_single: true,
    ..TOKENS
};

const DEEPSEEK_V3: CallFrame = CallFrame {
    begins: r#"tok"<｜tool▁calls▁begin｜>""#,
    call: r#"tok"<｜tool▁call▁begin｜>" "function" tok"<｜tool▁sep｜>" NAME "\n```json\n" ARGUMENTS "\n```" tok"<｜tool▁call▁end｜>""#,
    ends: r#"tok"<｜tool▁calls▁end｜>""#,
    in_block: Some(r#""\n""#),
    ..TOKENS
};

const DEEPSEEK_V31: CallFrame = CallFrame {
    call: r#"tok"<｜tool▁call▁begin｜>" NAME tok"<｜tool▁sep｜>" ARGUMENTS tok"<｜tool▁call▁end｜>""#,
    in_block: Some(""),
    ..DEEPSEEK_V3
};

const DEEPSEEK_V32: CallFrame =
    CallFrame { begins: r#""<｜DSML｜function_calls>\n""#, ends: r#""\n</｜DSML｜function_calls>""#, ..MARKUP };

const DEEPSEEK_V4: CallFrame =
    CallFrame { begins: r#""<｜DSML｜tool_calls>\n""#, ends: r#""\n</｜DSML｜tool_calls>""#, ..MARKUP };

const KIMI: CallFrame = CallFrame {
    begins: r#"tok"<|tool_calls_section_begin|>""#,
    call: r#"tok"<|tool_call_begin|>" "functions." NAME ":" /0|[1-9][0-9]{0,3}/ tok"<|tool_call_argument_begin|>" ARGUMENTS tok"<|tool_call_end|>""#,
    ends: r#"tok"<|tool_calls_section_end|>""#,
    in_block: Some(""),
    ..TOKENS
};

const COMMAND_R: CallFrame = CallFrame {
    begins: r#"tok"<|START_ACTION|>" "[\n    ""#,
    call: r#""{\"tool_call_id\": \"" /0|[1-9][0-9]{0,3}/ "\", \"tool_name\": \"" NAME "\", \"parameters\": " ARGUMENTS "}""#,
    ends: r#""\n]" tok"<|END_ACTION|>""#,
    in_block: Some(r#"",\n    ""#),
    ..TOKENS
};

const GRANITE: CallFrame = CallFrame {
    begins: r#"tok"<|tool_call|>" "[""#,
    call: r#""{\"name\": \"" NAME "\", \"arguments\": " ARGUMENTS "}""#,
    ends: r#""]""#,
    in_block: Some(r#"", ""#),
    ..TOKENS
};

const PHI4_MINI: CallFrame = CallFrame { ends: r#""]" tok"<|/tool_call|>""#, ..GRANITE };

const QWEN_CODER: CallFrame = CallFrame {
    begins: r#""<tool_call>\n""#,
    call: r#""<function=" NAME ">\n" ARGUMENTS "</function>""#,
    ends: r#""\n</tool_call>""#,
    arguments: fields("qwen_parameter", r#""<parameter=input>\n""#, r#""\n</parameter>\n""#),
    ..PLAIN
};

const GLM: CallFrame = CallFrame {
    begins: r#""<tool_call>""#,
    call: r#"NAME "\n" ARGUMENTS"#,
    ends: r#""</tool_call>""#,
    arguments: fields("glm_argument", r#""<arg_key>input</arg_key>\n<arg_value>""#, r#""</arg_value>\n""#),
    ..PLAIN
};

const GLM47: CallFrame = CallFrame {
    call: "NAME ARGUMENTS",
    between: "",
    arguments: fields("glm47_argument", r#""<arg_key>input</arg_key><arg_value>""#, r#""</arg_value>""#),
    ..GLM
};

const MINIMAX: CallFrame = CallFrame {
    begins: r#""<minimax:tool_call>\n""#,
    call: r#""<invoke name=\"" NAME "\">\n" ARGUMENTS "</invoke>\n""#,
    ends: r#""</minimax:tool_call>""#,
    in_block: Some(""),
    arguments: fields("parameter", r#""<parameter name=\"input\">""#, r#""</parameter>\n""#),
    ..PLAIN
};

/// Arguments with tags, one behind another.
const fn fields(rule: &'static str, before: &'static str, behind: &'static str) -> ArgumentFrame {
    ArgumentFrame::Fields { rule, separator: "", before, behind }
}

impl CallFrame {
    /// Returns the frame of the calls of a style.
    pub(crate) fn of(style: ToolStyle) -> Self {
        match style {
            ToolStyle::Bare => Self { is_single: true, ..PLAIN },
            ToolStyle::Hermes => HERMES,
            ToolStyle::Llama3 => LLAMA3,
            ToolStyle::Llama3Python => LLAMA3_PYTHON,
            ToolStyle::Mistral => MISTRAL,
            ToolStyle::MistralArgs => MISTRAL_ARGS,
            ToolStyle::Harmony => HARMONY,
            ToolStyle::DeepseekV3 => DEEPSEEK_V3,
            ToolStyle::DeepseekV31 => DEEPSEEK_V31,
            ToolStyle::DeepseekV32 => DEEPSEEK_V32,
            ToolStyle::DeepseekV4 => DEEPSEEK_V4,
            ToolStyle::QwenCoder => QWEN_CODER,
            ToolStyle::Glm => GLM,
            ToolStyle::Glm47 => GLM47,
            ToolStyle::Minimax => MINIMAX,
            ToolStyle::Kimi => KIMI,
            ToolStyle::CommandR => COMMAND_R,
            ToolStyle::Granite => GRANITE,
            ToolStyle::Phi4Mini => PHI4_MINI,
        }
    }
}
