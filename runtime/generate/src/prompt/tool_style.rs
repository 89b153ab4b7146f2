//! The styles in which models write calls of tools, and the detection of a chat template's style.
//!
//! The [`MARKS`] in a template tell its style: the template tells the model what calls look like, or writes calls of earlier messages. The
//! output for a call is compared with the style ([`written`]).

mod frame;
mod written;

pub use frame::{ArgumentFrame, CallFrame, CallPiece, FieldPiece, JsonSpace};

/// A style of calls, one of the standard library's `std.tools` by name.
///
/// ```
/// use ogc_generate::ToolStyle;
/// assert_eq!(ToolStyle::of_name("qwen_coder"), Some(ToolStyle::QwenCoder));
/// assert_eq!(ToolStyle::QwenCoder.name(), "qwen_coder");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ToolStyle {
    /// One JSON object and nothing around it.
    Bare,
    /// Hermes, Qwen 2.5 and 3: JSON between `<tool_call>` tags.
    Hermes,
    /// Llama 3: JSON with `parameters`, and nothing around it.
    Llama3,
    /// Llama 3 with code execution: the same JSON after a token.
    Llama3Python,
    /// Mistral up to version 7 of its tokenizer: an array.
    Mistral,
    /// Mistral from version 11 on: the name, then the arguments.
    MistralArgs,
    /// gpt-oss: a message on the channel `commentary`.
    Harmony,
    /// DeepSeek V3 and R1: a block of code.
    DeepseekV3,
    /// DeepSeek V3.1: the name, then the arguments.
    DeepseekV31,
    /// DeepSeek V3.2: its markup.
    DeepseekV32,
    /// DeepSeek V4: the same in a block of another name.
    DeepseekV4,
    /// Qwen3-Coder: a tag for each parameter.
    QwenCoder,
    /// GLM 4.5 and 4.6: tags for keys and values, on lines of their own.
    Glm,
    /// GLM 4.7: the same without line ends.
    Glm47,
    /// MiniMax M2: a tag for each parameter, all calls in one block.
    Minimax,
    /// Kimi K2: each call with its number.
    Kimi,
    /// Command R7B and Command A: a list with a line for each call.
    CommandR,
    /// Granite 3: an array behind a token.
    Granite,
    /// Phi-4-mini: an array between two tokens.
    Phi4Mini,
    /// Llama 3.2, Llama 4 and others that write Python: all calls in one list.
    Pythonic,
    /// Gemma 3 where it is told to: a call of Python in a block of code.
    ToolCode,
}

/// The words by which the text of a template is recognized as of a style.
struct Marks {
    style: ToolStyle,
    has: &'static [&'static str],
    lacks: &'static [&'static str],
}

/// The marks of styles; the first row that fits decides. Marks have no line ends and no quotes, because templates may
/// write these as escapes; only Llama's marks have quotes, because it has no others.
const MARKS: [Marks; 21] = {
    use ToolStyle::{
        CommandR, DeepseekV3, DeepseekV4, DeepseekV31, DeepseekV32, Glm, Glm47, Granite, Harmony, Hermes, Kimi, Llama3,
        Minimax, Mistral, MistralArgs, Phi4Mini, Pythonic, QwenCoder, ToolCode,
    };
    const fn marks(style: ToolStyle, has: &'static [&'static str], lacks: &'static [&'static str]) -> Marks {
        Marks { style, has, lacks }
    }
    [
        marks(DeepseekV32, &["｜DSML｜", "function_calls"], &[]),
        marks(DeepseekV4, &["｜DSML｜"], &[]),
        marks(Kimi, &["<|tool_calls_section_begin|>"], &[]),
        marks(Minimax, &["<minimax:tool_call>", "<invoke name="], &[]),
        marks(Harmony, &["<|channel|>", "<|message|>", "functions."], &[]),
        marks(Glm47, &["</arg_key><arg_value>"], &[]),
        marks(Glm, &["<arg_key>", "<arg_value>"], &[]),
        marks(QwenCoder, &["<tool_call>", "<function=", "<parameter="], &[]),
        marks(MistralArgs, &["[TOOL_CALLS]", "[ARGS]"], &[]),
        marks(Mistral, &["[TOOL_CALLS]"], &[]),
        marks(DeepseekV3, &["<｜tool▁calls▁begin｜>", "```json"], &[]),
        marks(DeepseekV31, &["<｜tool▁calls▁begin｜>"], &[]),
        marks(CommandR, &["<|START_ACTION|>", "tool_name"], &[]),
        marks(Phi4Mini, &["<|/tool_call|>"], &[]),
        marks(Phi4Mini, &["<|tool|>", "<|/tool|>"], &[]),
        marks(Granite, &["<|tool_call|>"], &[]),
        marks(Hermes, &["<tool_call>", "arguments"], &["<function="]),
        marks(Pythonic, &["(params_name1=params_value1"], &[]),
        marks(ToolCode, &["```tool_code"], &[]),
        marks(Llama3, &["<|start_header_id|>", "\"parameters\": "], &["<function=", "<tool_call>"]),
        marks(Llama3, &["<|start_header_id|>", "\\\"parameters\\\": "], &["<function=", "<tool_call>"]),
    ]
};

/// The styles and their names in `std.tools`.
const NAMES: [(ToolStyle, &str); 21] = [
    (ToolStyle::Bare, "bare"),
    (ToolStyle::Hermes, "hermes"),
    (ToolStyle::Llama3, "llama3"),
    (ToolStyle::Llama3Python, "llama3_python"),
    (ToolStyle::Mistral, "mistral"),
    (ToolStyle::MistralArgs, "mistral_args"),
    (ToolStyle::Harmony, "harmony"),
    (ToolStyle::DeepseekV3, "deepseek_v3"),
    (ToolStyle::DeepseekV31, "deepseek_v31"),
    (ToolStyle::DeepseekV32, "deepseek_v32"),
    (ToolStyle::DeepseekV4, "deepseek_v4"),
    (ToolStyle::QwenCoder, "qwen_coder"),
    (ToolStyle::Glm, "glm"),
    (ToolStyle::Glm47, "glm47"),
    (ToolStyle::Minimax, "minimax"),
    (ToolStyle::Kimi, "kimi"),
    (ToolStyle::CommandR, "command_r"),
    (ToolStyle::Granite, "granite"),
    (ToolStyle::Phi4Mini, "phi4_mini"),
    (ToolStyle::Pythonic, "pythonic"),
    (ToolStyle::ToolCode, "tool_code"),
];

impl ToolStyle {
    /// All styles.
    pub const ALL: [Self; NAMES.len()] = {
        let mut all = [Self::Bare; NAMES.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = NAMES[at].0;
            at += 1;
        }
        all
    };

    /// Returns its name in `std.tools`.
    ///
    /// ```
    /// assert_eq!(ogc_generate::ToolStyle::Glm47.name(), "glm47");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Returns the style with this name.
    ///
    /// ```
    /// assert_eq!(ogc_generate::ToolStyle::of_name("morse"), None);
    /// ```
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, other)| *other == name).map(|(style, _)| *style)
    }

    /// Returns the identification that templates of the style want for a call with the identification `id` and a number
    /// in its message. Mistral accepts only nine letters and digits, and Kimi's identification contains the name of the
    /// tool.
    ///
    /// ```
    /// use ogc_generate::ToolStyle;
    /// assert_eq!(ToolStyle::Kimi.call_id("call_1", "now", 2), "functions.now:2");
    /// assert_eq!(ToolStyle::Mistral.call_id("call_1", "now", 2).len(), 9);
    /// assert_eq!(ToolStyle::Hermes.call_id("call_1", "now", 2), "call_1");
    /// ```
    #[must_use]
    pub fn call_id(self, id: &str, name: &str, number: usize) -> String {
        match self {
            Self::Kimi => format!("functions.{name}:{number}"),
            Self::Mistral | Self::MistralArgs => nine_letters(id),
            _ => id.to_owned(),
        }
    }

    /// Returns the style whose marks are in the text of a chat template.
    ///
    /// ```
    /// use ogc_generate::ToolStyle;
    /// let source = "{% for t in tools %}{{ t }}{% endfor %}Write <tool_call>{\"name\": ..., \"arguments\": ...}</tool_call>";
    /// assert_eq!(ToolStyle::of_template(source), Some(ToolStyle::Hermes));
    /// ```
    #[must_use]
    pub fn of_template(source: &str) -> Option<Self> {
        let fits = |marks: &&Marks| {
            marks.has.iter().all(|mark| source.contains(mark)) && !marks.lacks.iter().any(|mark| source.contains(mark))
        };
        MARKS.iter().find(fits).map(|marks| marks.style)
    }
}

/// Returns nine letters and digits for a text: the text itself if it has this form, else a hash of it (FNV-1a, 64 bits
/// in base 36).
fn nine_letters(id: &str) -> String {
    if id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return id.to_owned();
    }
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let mut hash = id.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    let digit = |_| {
        let digit = char::from_digit((hash % 36) as u32, 36).unwrap_or('0');
        hash /= 36;
        digit
    };
    (0..9).map(digit).collect()
}

#[cfg(test)]
mod tests;
