//! The frames of calls, style by style: the texts around calls and in them.
//!
//! Readers and writers of calls share this table: [`ToolStyle::written`] writes a call by its frame, and a server writes the format of a model's calls by
//! it. `std.tools` says the same in the ogc language, for formats of functions alone; tests compare the two.

use super::ToolStyle;

/// A part of a call's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallPiece {
    /// Characters.
    Text(&'static str),
    /// A special token, by its name.
    Token(&'static str),
    /// The name of the tool.
    Name,
    /// The name of the tool inside a JSON string.
    NameInString,
    /// The arguments.
    Arguments,
    /// The number of the call in its message, of up to four digits.
    Number,
    /// The field with the call's identification, which need not be there: nine letters and digits.
    NineLetterId,
}

/// A part of the text before the value of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPiece {
    /// Characters.
    Tag(&'static str),
    /// The name of the argument.
    Key,
    /// `true` for an argument that is a string, and `false` for others.
    IsString,
}

use CallPiece::{Arguments, Name, NameInString, NineLetterId, Number, Text, Token};
use FieldPiece::{IsString, Key, Tag};

/// The texts around the calls of a style and around their arguments.
///
/// ```
/// use ogc_generate::{CallFrame, CallPiece, ToolStyle};
/// let frame = CallFrame::of(ToolStyle::MistralArgs);
/// assert_eq!(frame.begins, [CallPiece::Token("[TOOL_CALLS]")]);
/// assert_eq!(frame.call, [CallPiece::Name, CallPiece::Token("[ARGS]"), CallPiece::Arguments]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CallFrame {
    /// Text or token that begins a region of calls; free text ends there.
    pub begins: &'static [CallPiece],
    /// A call.
    pub call: &'static [CallPiece],
    /// The text behind the calls of a region.
    pub ends: &'static [CallPiece],
    /// The text between calls of one region; `None` if each call has a region of its own.
    pub in_block: Option<&'static str>,
    /// The text between regions.
    pub between: &'static str,
    /// The form of the arguments.
    pub arguments: ArgumentFrame,
    /// Whether only one call may be written.
    pub is_single: bool,
    /// Whether calls are the whole message: they begin like text that is common, so no text stands beside them.
    pub is_whole: bool,
}

/// The form of the arguments in a call.
#[derive(Clone, Copy, Debug)]
pub enum ArgumentFrame {
    /// As JSON.
    Json(JsonSpace),
    /// Each argument separately.
    Fields {
        /// The rule of `std.tools` for an argument.
        rule: &'static str,
        /// The text between arguments.
        separator: &'static str,
        /// The text before the value of an argument.
        before: &'static [FieldPiece],
        /// The text behind the value of an argument.
        behind: &'static str,
    },
    /// Each argument separately, as Python writes arguments with keywords: `key=value`.
    Keywords {
        /// The rule of `std.tools` for an argument.
        rule: &'static str,
        /// The text between arguments.
        separator: &'static str,
    },
}

/// White space in JSON, as the policy `space` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonSpace {
    /// A space behind each comma and colon.
    Spaced,
    /// No white space.
    Compact,
}

impl JsonSpace {
    /// Returns the value of the policy `space`.
    ///
    /// ```
    /// assert_eq!(ogc_generate::JsonSpace::Spaced.name(), "spaced");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spaced => "spaced",
            Self::Compact => "compact",
        }
    }
}

/// JSON as in most styles.
const SPACED: ArgumentFrame = ArgumentFrame::Json(JsonSpace::Spaced);

/// A region of one call, with JSON on one line.
const PLAIN: CallFrame = CallFrame {
    begins: &[Text("{\"name\": \"")],
    call: &[NameInString, Text("\", \"arguments\": "), Arguments],
    ends: &[Text("}")],
    in_block: None,
    between: "\n",
    arguments: SPACED,
    is_single: false,
    is_whole: false,
};

/// A region of one call without a text behind it.
const UNENDED: CallFrame = CallFrame { ends: &[], ..PLAIN };

/// A call as one JSON object, inside an array.
const OBJECT: &[CallPiece] = &[Text("{\"name\": \""), NameInString, Text("\", \"arguments\": "), Arguments, Text("}")];

/// The arguments of DeepSeek's markup.
const DSML: ArgumentFrame = ArgumentFrame::Fields {
    rule: "dsml_parameter",
    separator: "\n",
    before: &[Tag("<｜DSML｜parameter name=\""), Key, Tag("\" string=\""), IsString, Tag("\">")],
    behind: "</｜DSML｜parameter>",
};

/// A block with the markup of DeepSeek.
const MARKUP: CallFrame = CallFrame {
    call: &[Text("<｜DSML｜invoke name=\""), Name, Text("\">\n"), Arguments, Text("\n</｜DSML｜invoke>")],
    in_block: Some("\n"),
    arguments: DSML,
    ..PLAIN
};

const HERMES: CallFrame =
    CallFrame { begins: &[Text("<tool_call>\n{\"name\": \"")], ends: &[Text("}\n</tool_call>")], ..PLAIN };

const LLAMA3: CallFrame =
    CallFrame { call: &[NameInString, Text("\", \"parameters\": "), Arguments], is_single: true, ..PLAIN };

const LLAMA3_PYTHON: CallFrame = CallFrame {
    begins: &[Token("<|python_tag|>")],
    call: &[Text("{\"name\": \""), NameInString, Text("\", \"parameters\": "), Arguments, Text("}")],
    is_single: true,
    ..UNENDED
};

const MISTRAL: CallFrame = CallFrame {
    begins: &[Token("[TOOL_CALLS]"), Text("[")],
    call: &[Text("{\"name\": \""), NameInString, Text("\", \"arguments\": "), Arguments, NineLetterId, Text("}")],
    ends: &[Text("]")],
    in_block: Some(", "),
    ..PLAIN
};

const MISTRAL_ARGS: CallFrame =
    CallFrame { begins: &[Token("[TOOL_CALLS]")], call: &[Name, Token("[ARGS]"), Arguments], between: "", ..UNENDED };

const HARMONY: CallFrame = CallFrame {
    begins: &[Token("<|channel|>"), Text("commentary to=functions.")],
    call: &[Name, Text(" "), Token("<|constrain|>"), Text("json"), Token("<|message|>"), Arguments],
    ends: &[Token("<|call|>")],
    arguments: ArgumentFrame::Json(JsonSpace::Compact),
    is_single: true,
    ..PLAIN
};

const DEEPSEEK_V3: CallFrame = CallFrame {
    begins: &[Token("<｜tool▁calls▁begin｜>")],
    call: &[
        Token("<｜tool▁call▁begin｜>"),
        Text("function"),
        Token("<｜tool▁sep｜>"),
        Name,
        Text("\n```json\n"),
        Arguments,
        Text("\n```"),
        Token("<｜tool▁call▁end｜>"),
    ],
    ends: &[Token("<｜tool▁calls▁end｜>")],
    in_block: Some("\n"),
    ..PLAIN
};

const DEEPSEEK_V31: CallFrame = CallFrame {
    call: &[Token("<｜tool▁call▁begin｜>"), Name, Token("<｜tool▁sep｜>"), Arguments, Token("<｜tool▁call▁end｜>")],
    in_block: Some(""),
    ..DEEPSEEK_V3
};

const DEEPSEEK_V32: CallFrame =
    CallFrame {
        begins: &[Text("<｜DSML｜function_calls>\n")], ends: &[Text("\n</｜DSML｜function_calls>")], ..MARKUP
    };

const DEEPSEEK_V4: CallFrame =
    CallFrame { begins: &[Text("<｜DSML｜tool_calls>\n")], ends: &[Text("\n</｜DSML｜tool_calls>")], ..MARKUP };

const KIMI: CallFrame = CallFrame {
    begins: &[Token("<|tool_calls_section_begin|>")],
    call: &[
        Token("<|tool_call_begin|>"),
        Text("functions."),
        Name,
        Text(":"),
        Number,
        Token("<|tool_call_argument_begin|>"),
        Arguments,
        Token("<|tool_call_end|>"),
    ],
    ends: &[Token("<|tool_calls_section_end|>")],
    in_block: Some(""),
    ..PLAIN
};

const COMMAND_R: CallFrame = CallFrame {
    begins: &[Token("<|START_ACTION|>"), Text("[\n    ")],
    call: &[
        Text("{\"tool_call_id\": \""),
        Number,
        Text("\", \"tool_name\": \""),
        NameInString,
        Text("\", \"parameters\": "),
        Arguments,
        Text("}"),
    ],
    ends: &[Text("\n]"), Token("<|END_ACTION|>")],
    in_block: Some(",\n    "),
    ..PLAIN
};

const GRANITE: CallFrame = CallFrame {
    begins: &[Token("<|tool_call|>"), Text("[")],
    call: OBJECT,
    ends: &[Text("]")],
    in_block: Some(", "),
    ..PLAIN
};

const PHI4_MINI: CallFrame = CallFrame { ends: &[Text("]"), Token("<|/tool_call|>")], ..GRANITE };

const QWEN_CODER: CallFrame = CallFrame {
    begins: &[Text("<tool_call>\n")],
    call: &[Text("<function="), Name, Text(">\n"), Arguments, Text("</function>")],
    ends: &[Text("\n</tool_call>")],
    arguments: fields("qwen_parameter", &[Tag("<parameter="), Key, Tag(">\n")], "\n</parameter>\n"),
    ..PLAIN
};

const GLM: CallFrame = CallFrame {
    begins: &[Text("<tool_call>")],
    call: &[Name, Text("\n"), Arguments],
    ends: &[Text("</tool_call>")],
    arguments: fields("glm_argument", &[Tag("<arg_key>"), Key, Tag("</arg_key>\n<arg_value>")], "</arg_value>\n"),
    ..PLAIN
};

const GLM47: CallFrame = CallFrame {
    call: &[Name, Arguments],
    between: "",
    arguments: fields("glm47_argument", &[Tag("<arg_key>"), Key, Tag("</arg_key><arg_value>")], "</arg_value>"),
    ..GLM
};

const MINIMAX: CallFrame = CallFrame {
    begins: &[Text("<minimax:tool_call>\n")],
    call: &[Text("<invoke name=\""), Name, Text("\">\n"), Arguments, Text("</invoke>\n")],
    ends: &[Text("</minimax:tool_call>")],
    in_block: Some(""),
    arguments: fields("parameter", &[Tag("<parameter name=\""), Key, Tag("\">")], "</parameter>\n"),
    ..PLAIN
};

/// A call as Python writes it.
const PYTHON_CALL: &[CallPiece] = &[Name, Text("("), Arguments, Text(")")];

/// Arguments as Python writes them.
const PYTHON: ArgumentFrame = ArgumentFrame::Keywords { rule: "python_argument", separator: ", " };

const PYTHONIC: CallFrame = CallFrame {
    begins: &[Text("[")],
    call: PYTHON_CALL,
    ends: &[Text("]")],
    in_block: Some(", "),
    arguments: PYTHON,
    is_whole: true,
    ..PLAIN
};

const TOOL_CODE: CallFrame = CallFrame {
    begins: &[Text("```tool_code\n")],
    call: PYTHON_CALL,
    ends: &[Text("\n```")],
    arguments: PYTHON,
    ..PLAIN
};

/// Arguments with tags, one behind another.
const fn fields(rule: &'static str, before: &'static [FieldPiece], behind: &'static str) -> ArgumentFrame {
    ArgumentFrame::Fields { rule, separator: "", before, behind }
}

impl FieldPiece {
    /// Returns the text before the value of an argument.
    ///
    /// ```
    /// use ogc_generate::{ArgumentFrame, CallFrame, FieldPiece, ToolStyle};
    /// if let ArgumentFrame::Fields { before, .. } = CallFrame::of(ToolStyle::QwenCoder).arguments {
    ///     assert_eq!(FieldPiece::written(before, "city", true), "<parameter=city>\n");
    /// }
    /// ```
    #[must_use]
    pub fn written(pieces: &[Self], key: &str, is_string: bool) -> String {
        let piece = |piece: &Self| match piece {
            Tag(text) => text,
            Key => key,
            IsString if is_string => "true",
            IsString => "false",
        };
        pieces.iter().map(piece).collect()
    }
}

impl CallFrame {
    /// Returns the frame of the calls of a style.
    #[must_use]
    pub const fn of(style: ToolStyle) -> Self {
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
            ToolStyle::Pythonic => PYTHONIC,
            ToolStyle::ToolCode => TOOL_CODE,
        }
    }

    /// Returns whether the frame contains special tokens, which are not characters.
    ///
    /// ```
    /// use ogc_generate::{CallFrame, ToolStyle};
    /// assert!(CallFrame::of(ToolStyle::Mistral).has_tokens());
    /// assert!(!CallFrame::of(ToolStyle::Hermes).has_tokens());
    /// ```
    #[must_use]
    pub fn has_tokens(&self) -> bool {
        [self.begins, self.call, self.ends].concat().iter().any(|piece| matches!(piece, Token(_)))
    }
}
