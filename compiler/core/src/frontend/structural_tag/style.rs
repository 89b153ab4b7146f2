//! The styles in which a tag can write the values of a schema, and the `.ogc` rules that implement them.
//!
//! In all styles but JSON, the fields of an object follow one another, each in a frame of its own; strings have no
//! quotes, and arrays and records are JSON. The styles are those of xgrammar 0.2.8
//! (`cpp/json_schema_converter_ext.cc`), which takes them from the chat templates of the models.

use ogc_grammar::ogc::quote;

/// A style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Style {
    /// JSON.
    Json,
    /// Qwen3-Coder: `<parameter=key>value</parameter>`.
    Qwen,
    /// MiniMax M2: `<parameter name="key">value</parameter>`.
    Minimax,
    /// DeepSeek V3.2: `<｜DSML｜parameter name="key" string="true">value</｜DSML｜parameter>`.
    Deepseek,
    /// DeepSeek V4.1: as V3.2, with a space after `DSML｜`.
    DeepseekV41,
    /// GLM-4: `<arg_key>key</arg_key><arg_value>value</arg_value>`.
    Glm,
    /// Kimi K3: `<|open|>argument key="key" type="string"<|sep|>value<|close|>argument<|sep|>`.
    KimiK3,
}

/// Unsupported styles that write the items of arrays one by one; `.ogc` has no construct for that.
pub(super) const ITEM_BY_ITEM: [&str; 2] = ["cohere_xml", "minimax_m3_xml"];

impl Style {
    /// All styles, with the names that tags give them.
    pub(super) const ALL: [(&str, Style); 7] = [
        ("json", Style::Json),
        ("qwen_xml", Style::Qwen),
        ("minimax_xml", Style::Minimax),
        ("deepseek_xml", Style::Deepseek),
        ("deepseek_v4_1_xml", Style::DeepseekV41),
        ("glm_xml", Style::Glm),
        ("kimi_k3_xml", Style::KimiK3),
    ];

    /// Returns the style called `name`.
    pub(super) fn of(name: &str) -> Option<Style> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, style)| *style)
    }

    /// Returns the rule that writes a field; `None` for JSON.
    pub(super) fn field(self, frame: &Frame<'_>) -> Option<String> {
        let body = match self {
            Style::Json => return None,
            Style::Qwen => frame.plain("<parameter=", ">", "</parameter>"),
            Style::Minimax => frame.plain("<parameter name=\"", "\">", "</parameter>"),
            Style::Glm => frame.plain_apart(["<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"]),
            Style::Deepseek => frame.dsml("parameter"),
            Style::DeepseekV41 => frame.dsml(" parameter"),
            Style::KimiK3 => frame.kimi_k3(),
        };
        Some(format!("rule {}<name, Value> = {body}\n", frame.rule))
    }
}

/// The parts of the text around a field.
pub(super) struct Frame<'w> {
    /// The name of the rule.
    pub(super) rule: &'w str,
    /// Name of the rule for white space.
    pub(super) gap: &'w str,
    /// Texts that must not occur in unquoted strings.
    pub(super) excludes: &'w [&'w str],
    /// Writes a literal in which special tokens may occur.
    pub(super) literal: &'w dyn Fn(&str) -> String,
}

impl Frame<'_> {
    /// Writes a frame that holds the key and its value.
    fn plain(&self, open: &str, middle: &str, close: &str) -> String {
        let Self { gap, literal, .. } = self;
        let value = self.bare("Value", close);
        format!("{gap} {} name {} {gap} {value} {gap} {}", literal(open), literal(middle), literal(close))
    }

    /// Writes the key and the value, each in a frame of its own.
    fn plain_apart(&self, [key, end, open, close]: [&str; 4]) -> String {
        let Self { gap, literal, .. } = self;
        let value = self.bare("Value", close);
        let key = format!("{gap} {} name {}", literal(key), literal(end));
        format!("{key} {gap} {} {gap} {value} {gap} {}", literal(open), literal(close))
    }

    /// Writes a frame whose attribute tells strings from other values.
    fn dsml(&self, word: &str) -> String {
        let Self { gap, literal, .. } = self;
        let close = format!("</｜DSML｜{word}>");
        let open = literal(&format!("<｜DSML｜{word} name=\""));
        let strings = format!("{} {}", literal("\" string=\"true\">"), self.bare("Value & string", &close));
        let others = format!("{} {gap} json<Value - string> {gap}", literal("\" string=\"false\">"));
        format!("{gap} {open} name ({strings} | {others}) {}", literal(&close))
    }

    /// Writes a frame with an attribute for the type of each value.
    fn kimi_k3(&self) -> String {
        let Self { gap, literal, .. } = self;
        let close = "<|close|>argument<|sep|>";
        let typed = |name: &str, value: String| format!("{} {value}", literal(&format!("\" type=\"{name}\"<|sep|>")));
        let mut arms = vec![typed("string", self.bare("Value & string", close))];
        let others = [
            ("number", "Value & number"),
            ("boolean", "Value & bool"),
            ("null", "Value & null"),
            ("object", "Value & object"),
            ("array", "Value & array"),
        ];
        arms.extend(others.iter().map(|(name, set)| typed(name, format!("{gap} json<{set}> {gap}"))));
        format!("{gap} {} name ({}) {}", literal("<|open|>argument key=\""), arms.join(" | "), literal(close))
    }

    /// Writes a value whose strings have no quotes.
    fn bare(&self, set: &str, close: &str) -> String {
        let all: Vec<String> = std::iter::once(close).chain(self.excludes.iter().copied()).map(quote).collect();
        let without = if let [only] = all.as_slice() { only.clone() } else { format!("({})", all.join(" | ")) };
        format!("raw<{set}, without = {without}>")
    }
}
