//! How calls stand in a text, style by style: what is written around them and in them, in the ogc language.
//!
//! The texts are those of `std.tools`. They are written out here because calls of custom tools, which are no types, stand between the same
//! tags, and because answers are read by their captures ([`super::capture`]).

use ogc_generate::ToolStyle;

/// How the calls of a style stand in a text. All but `most` are expressions of the ogc language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFrame {
    /// The literal or token that begins a region of calls: free text before it ends there.
    pub(crate) begins: &'static str,
    /// A call, with [`NAME`] and [`ARGUMENTS`] in it.
    pub(crate) call: &'static str,
    /// The text behind the calls of a region.
    pub(crate) ends: &'static str,
    /// The text between calls of one region; nothing where each has a region of its own.
    pub(crate) in_block: Option<&'static str>,
    /// The text between regions.
    pub(crate) between: &'static str,
    pub(crate) arguments: ArgumentFrame,
    /// Whether only one call may be written.
    pub(crate) is_single: bool,
    /// Whether tokens stand in it, which are no characters.
    pub(crate) has_tokens: bool,
}

/// How arguments stand in a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentFrame {
    /// As JSON, whose white space this policy says.
    Json { space: &'static str },
    /// Each by itself: the rule of `std.tools` for one, and what stands before and behind the one of a custom tool.
    Fields { rule: &'static str, separator: &'static str, before: &'static str, behind: &'static str },
}

/// The place of the tool's name in a call.
pub(crate) const NAME: &str = "NAME";

/// The place of the arguments in a call.
pub(crate) const ARGUMENTS: &str = "ARGUMENTS";

/// JSON as most styles have it.
const SPACED: ArgumentFrame = ArgumentFrame::Json { space: "spaced" };

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

impl CallFrame {
    /// Returns how the calls of a style stand in a text.
    pub(crate) fn of(style: ToolStyle) -> Self {
        match style {
            ToolStyle::Bare => Self { is_single: true, ..PLAIN },
            ToolStyle::Hermes => {
                Self { begins: r#""<tool_call>\n{\"name\": \"""#, ends: r#""}\n</tool_call>""#, ..PLAIN }
            }
            ToolStyle::Llama3 => Self { call: r#"NAME "\", \"parameters\": " ARGUMENTS"#, is_single: true, ..PLAIN },
            ToolStyle::Llama3Python => Self {
                begins: r#"tok"<|python_tag|>""#,
                call: r#""{\"name\": \"" NAME "\", \"parameters\": " ARGUMENTS "}""#,
                ends: "",
                is_single: true,
                has_tokens: true,
                ..PLAIN
            },
            ToolStyle::Mistral
            | ToolStyle::MistralArgs
            | ToolStyle::Harmony
            | ToolStyle::DeepseekV3
            | ToolStyle::DeepseekV31
            | ToolStyle::Kimi => Self::with_tokens(style),
            ToolStyle::DeepseekV32 => {
                Self {
                    begins: r#""<｜DSML｜function_calls>\n""#, ends: r#""\n</｜DSML｜function_calls>""#, ..MARKUP
                }
            }
            ToolStyle::DeepseekV4 => {
                Self { begins: r#""<｜DSML｜tool_calls>\n""#, ends: r#""\n</｜DSML｜tool_calls>""#, ..MARKUP }
            }
            ToolStyle::QwenCoder | ToolStyle::Glm | ToolStyle::Glm47 | ToolStyle::Minimax => Self::with_fields(style),
        }
    }

    /// Returns the frames that have tokens around calls with JSON.
    fn with_tokens(style: ToolStyle) -> Self {
        let frame = Self { ends: "", has_tokens: true, ..PLAIN };
        match style {
            ToolStyle::Mistral => Self {
                begins: r#"tok"[TOOL_CALLS]" "[""#,
                call: r#""{\"name\": \"" NAME "\", \"arguments\": " ARGUMENTS (", \"id\": \"" /[a-zA-Z0-9]{9}/ "\"")? "}""#,
                ends: r#""]""#,
                in_block: Some(r#"", ""#),
                ..frame
            },
            ToolStyle::MistralArgs => {
                Self { begins: r#"tok"[TOOL_CALLS]""#, call: r#"NAME tok"[ARGS]" ARGUMENTS"#, between: "", ..frame }
            }
            ToolStyle::Harmony => Self {
                begins: r#"tok"<|channel|>" "commentary to=functions.""#,
                call: r#"NAME " " tok"<|constrain|>" "json" tok"<|message|>" ARGUMENTS"#,
                ends: r#"tok"<|call|>""#,
                arguments: ArgumentFrame::Json { space: "compact" },
                is_single: true,
                ..frame
            },
            ToolStyle::DeepseekV3 => Self {
                begins: r#"tok"<｜tool▁calls▁begin｜>""#,
                call: r#"tok"<｜tool▁call▁begin｜>" "function" tok"<｜tool▁sep｜>" NAME "\n```json\n" ARGUMENTS "\n```" tok"<｜tool▁call▁end｜>""#,
                ends: r#"tok"<｜tool▁calls▁end｜>""#,
                in_block: Some(r#""\n""#),
                ..frame
            },
            ToolStyle::DeepseekV31 => Self {
                begins: r#"tok"<｜tool▁calls▁begin｜>""#,
                call: r#"tok"<｜tool▁call▁begin｜>" NAME tok"<｜tool▁sep｜>" ARGUMENTS tok"<｜tool▁call▁end｜>""#,
                ends: r#"tok"<｜tool▁calls▁end｜>""#,
                in_block: Some(""),
                ..frame
            },
            _ => Self {
                begins: r#"tok"<|tool_calls_section_begin|>""#,
                call: r#"tok"<|tool_call_begin|>" "functions." NAME ":" /0|[1-9][0-9]{0,3}/ tok"<|tool_call_argument_begin|>" ARGUMENTS tok"<|tool_call_end|>""#,
                ends: r#"tok"<|tool_calls_section_end|>""#,
                in_block: Some(""),
                ..frame
            },
        }
    }

    /// Returns the frames of text around calls whose arguments have tags.
    fn with_fields(style: ToolStyle) -> Self {
        let fields = |rule, before, behind| ArgumentFrame::Fields { rule, separator: "", before, behind };
        match style {
            ToolStyle::QwenCoder => Self {
                begins: r#""<tool_call>\n""#,
                call: r#""<function=" NAME ">\n" ARGUMENTS "</function>""#,
                ends: r#""\n</tool_call>""#,
                arguments: fields("qwen_parameter", r#""<parameter=input>\n""#, r#""\n</parameter>\n""#),
                ..PLAIN
            },
            ToolStyle::Glm => Self {
                begins: r#""<tool_call>""#,
                call: r#"NAME "\n" ARGUMENTS"#,
                ends: r#""</tool_call>""#,
                arguments: fields("glm_argument", r#""<arg_key>input</arg_key>\n<arg_value>""#, r#""</arg_value>\n""#),
                ..PLAIN
            },
            ToolStyle::Glm47 => Self {
                begins: r#""<tool_call>""#,
                call: "NAME ARGUMENTS",
                ends: r#""</tool_call>""#,
                between: "",
                arguments: fields("glm47_argument", r#""<arg_key>input</arg_key><arg_value>""#, r#""</arg_value>""#),
                ..PLAIN
            },
            _ => Self {
                begins: r#""<minimax:tool_call>\n""#,
                call: r#""<invoke name=\"" NAME "\">\n" ARGUMENTS "</invoke>\n""#,
                ends: r#""</minimax:tool_call>""#,
                in_block: Some(""),
                arguments: fields("parameter", r#""<parameter name=\"input\">""#, r#""</parameter>\n""#),
                ..PLAIN
            },
        }
    }
}
