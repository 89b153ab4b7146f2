//! Tests of miniatures of chat templates: each is recognized as its style, by its output and by its marks.

use serde_json::{Map, json};

use super::{NAMES, ToolStyle};
use crate::prompt::chat::{ArgumentsForm, ChatTemplate};

/// A template that reads tools, tells the model `told`, and writes each call of an assistant's message as `call`.
fn miniature(told: &str, call: &str) -> String {
    format!(
        "{{% if tools %}}{{% for t in tools %}}{{{{ t | tojson }}}}\n{{% endfor %}}{told}{{% endif %}}{{% for m in messages %}}<|{{{{ m.role }}}}|>\
         {{% if m.tool_calls %}}{{% for tc in m.tool_calls %}}{{% set f = tc.function %}}{call}{{% endfor %}}{{% else %}}{{{{ m.content }}}}{{% endif %}}\
         {{% endfor %}}<|assistant|>"
    )
}

const FIELDS: &str = "{% for k, v in f.arguments.items() %}BEFORE{{ v if v is string else v | tojson(ensure_ascii=False) }}AFTER{% endfor %}";

/// A call of Python.
const PYTHON: &str = "{{ f.name }}({% for k, v in f.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %})";

/// Each style with a template that tells the model about calls and writes them.
fn miniatures() -> Vec<(ToolStyle, String)> {
    [miniatures_of_json(), miniatures_of_tags()].concat()
}

fn one(style: ToolStyle, told: &str, call: &str) -> (ToolStyle, String) {
    (style, miniature(told, call))
}

/// The styles whose calls have arguments in JSON.
fn miniatures_of_json() -> Vec<(ToolStyle, String)> {
    let json = "{{ f.arguments | tojson }}";
    vec![
        one(
            ToolStyle::Hermes,
            "<tool_call>\\n{\"name\": <name>, \"arguments\": <args>}\\n</tool_call>",
            "<tool_call>\n{{ '{\"name\": \"' ~ f.name ~ '\", \"arguments\": ' }}{{ f.arguments | tojson }}{{ '}' }}\n</tool_call>",
        ),
        one(
            ToolStyle::Llama3,
            "<|start_header_id|>Respond as {\"name\": function name, \"parameters\": {}}",
            "{{ '{\"name\": \"' + f.name + '\", ' }}{{ '\"parameters\": ' }}{{ f.arguments | tojson }}{{ '}' }}",
        ),
        one(
            ToolStyle::Mistral,
            "",
            "{% if tc.id | length != 9 %}{{ raise_exception('9') }}{% endif %}[TOOL_CALLS] [{{ (f | tojson)[:-1] }}{{ ', \"id\": \"' + tc.id + '\"}' }}]",
        ),
        one(ToolStyle::MistralArgs, "", &format!("[TOOL_CALLS]{{{{ f.name }}}}[ARGS]{json}")),
        one(
            ToolStyle::Harmony,
            "to functions.NAME",
            &format!("<|channel|>commentary to=functions.{{{{ f.name }}}} <|constrain|>json<|message|>{json}<|call|>"),
        ),
        one(
            ToolStyle::DeepseekV3,
            "",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ tc.type + '<｜tool▁sep｜>' + f.name + '\n```json\n' + f.arguments + '\n```' }}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        one(
            ToolStyle::DeepseekV31,
            "",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ f.name + '<｜tool▁sep｜>' + f.arguments }}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        one(
            ToolStyle::Kimi,
            "",
            &format!(
                "<|tool_calls_section_begin|><|tool_call_begin|>{{{{ tc.id }}}}<|tool_call_argument_begin|>{json}<|tool_call_end|><|tool_calls_section_end|>"
            ),
        ),
        one(
            ToolStyle::CommandR,
            "",
            "<|START_ACTION|>[\n    {{ '{\"tool_call_id\": \"0\", \"tool_name\": \"' + f.name + '\", \"parameters\": ' }}{{ f.arguments | tojson }}{{ '}' }}\n]<|END_ACTION|>",
        ),
        one(
            ToolStyle::Granite,
            "respond with <|tool_call|> followed by a JSON list",
            "<|tool_call|>[{{ f | tojson }}]",
        ),
        one(ToolStyle::Phi4Mini, "", "<|tool_call|>[{{ f | tojson }}]<|/tool_call|>"),
        one(
            ToolStyle::Pythonic,
            "Respond in the format [func_name1(params_name1=params_value1, params_name2=params_value2...)]",
            &format!("[{PYTHON}]"),
        ),
        one(ToolStyle::ToolCode, "", &format!("```tool_code\n{PYTHON}\n```")),
    ]
}

/// The styles whose calls have a tag for each argument.
fn miniatures_of_tags() -> Vec<(ToolStyle, String)> {
    let fields = |before: &str, after: &str| FIELDS.replace("BEFORE", before).replace("AFTER", after);
    let dsml = fields(
        "{{ '<' + d + 'parameter name=\"' + k + '\" string=\"' ~ ('true' if v is string else 'false') ~ '\">' }}",
        "{{ '</' + d + 'parameter>' }}\n",
    );
    let dsml = |block: &str| {
        format!(
            "{{% set d = '｜DSML｜' %}}{{{{ '<' + d + '{block}>' }}}}\n{{{{ '<' + d + 'invoke name=\"' + f.name + '\">' }}}}\n{dsml}\
             {{{{ '</' + d + 'invoke>' }}}}\n{{{{ '</' + d + '{block}>' }}}}"
        )
    };
    vec![
        one(ToolStyle::DeepseekV32, "", &dsml("function_calls")),
        one(ToolStyle::DeepseekV4, "", &dsml("tool_calls")),
        one(
            ToolStyle::QwenCoder,
            "<function=example>",
            &format!(
                "<tool_call>\n<function={{{{ f.name }}}}>\n{}</function>\n</tool_call>",
                fields("<parameter={{ k }}>\n", "\n</parameter>\n")
            ),
        ),
        one(
            ToolStyle::Glm,
            "<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>",
            &format!(
                "<tool_call>{{{{ f.name }}}}\n{}</tool_call>",
                fields("<arg_key>{{ k }}</arg_key>\n<arg_value>", "</arg_value>\n")
            ),
        ),
        one(
            ToolStyle::Glm47,
            "<arg_key>{key}</arg_key><arg_value>{value}</arg_value>",
            &format!(
                "<tool_call>{{{{ f.name }}}}{}</tool_call>",
                fields("<arg_key>{{ k }}</arg_key><arg_value>", "</arg_value>")
            ),
        ),
        one(
            ToolStyle::Minimax,
            "",
            &format!(
                "<minimax:tool_call>\n<invoke name=\"{{{{ f.name }}}}\">\n{}</invoke>\n</minimax:tool_call>",
                fields("<parameter name=\"{{ k }}\">", "</parameter>\n")
            ),
        ),
    ]
}

#[test]
fn tool_style_is_detected_from_the_calls_that_a_template_writes() {
    for (style, source) in miniatures() {
        let template = ChatTemplate::new(source.clone(), "", "").unwrap();
        assert_eq!((template.tool_style(), template.writes_style()), (Some(style), true), "{source}");
        let text = [ToolStyle::DeepseekV3, ToolStyle::DeepseekV31].contains(&style);
        let form = if text { ArgumentsForm::Text } else { ArgumentsForm::Object };
        assert_eq!(template.past_calls().map(|past| past.arguments), Some(form), "{source}");
    }
}

#[test]
fn tool_style_falls_back_to_marks_in_the_template_text() {
    for (style, source) in miniatures() {
        assert_eq!(ToolStyle::of_template(&source), Some(style), "{source}");
        // The text of the template contains the marks, but no call is written.
        let told = source.replace("m.tool_calls", "m.calls");
        let template = ChatTemplate::new(told, "", "").unwrap();
        assert_eq!((template.tool_style(), template.writes_style()), (Some(style), false), "{source}");
        assert_eq!(template.past_calls(), None);
    }
}

#[test]
fn templates_of_unknown_styles_have_no_tool_style() {
    for (told, call) in [
        ("", "{{ f.name }}: {{ f.arguments | tojson }}"),
        ("Action: ```json", "Action: {\"tool_name\": \"{{ f.name }}\", \"parameters\": {{ f.arguments | tojson }} }"),
        (
            "<seed:tool_call>",
            "<seed:tool_call><function={{ f.name }}><parameter=a></parameter></function></seed:tool_call>",
        ),
        ("<function=", "<function={{ f.name }}>{{ f.arguments | tojson }}</function>"),
    ] {
        let template = ChatTemplate::new(miniature(told, call), "", "").unwrap();
        assert_eq!((template.reads_tools(), template.tool_style()), (true, None), "{call}");
    }
    // A template that reads no tools, but writes calls in a known style.
    let call =
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{{ f.name + '<｜tool▁sep｜>' + f.arguments }}<｜tool▁call▁end｜>";
    let template = ChatTemplate::new(miniature("", call).replace("tools", "docs"), "", "").unwrap();
    assert_eq!((template.reads_tools(), template.tool_style()), (false, Some(ToolStyle::DeepseekV31)));
    let plain = "<tool_call> arguments {% for m in messages %}{{ m.content }}{% endfor %}";
    let template = ChatTemplate::new(plain.to_owned(), "", "").unwrap();
    assert_eq!((template.reads_tools(), template.tool_style()), (false, None));
}

#[test]
fn tool_style_names_and_texts_match_their_styles() {
    for (at, (style, name)) in NAMES.iter().enumerate() {
        assert_eq!((*style as usize, style.name(), ToolStyle::of_name(name)), (at, *name, Some(*style)));
    }
    let arguments = json!({ "a": "x\n", "b": [1, { "c": null }] });
    let written = ToolStyle::QwenCoder.written("f", arguments.as_object().unwrap());
    let expected = "<tool_call>\n<function=f>\n<parameter=a>\nx\n\n</parameter>\n<parameter=b>\n[1, {\"c\": null}]\n</parameter>\n</function>\n</tool_call>";
    assert_eq!(written, expected);
    let arguments = json!({ "a": "x", "b": [true, { "c": null }] });
    let arguments = arguments.as_object().unwrap();
    assert_eq!(ToolStyle::Pythonic.written("f", arguments), "[f(a=\"x\", b=[True, {\"c\": None}])]");
    assert_eq!(ToolStyle::ToolCode.written("f", &Map::new()), "```tool_code\nf()\n```");
}

/// Models may have a separate template for chats with tools.
#[test]
fn a_separate_tool_template_decides_the_style_and_renders_calls() {
    let usual = ChatTemplate::new("{{ messages[0].content }}".to_owned(), "", "").unwrap();
    let tool_use = ChatTemplate::new(miniature("", "<tool_call>{{ f | tojson }}</tool_call>"), "", "").unwrap();
    let both = usual.with_tool_use(Some(tool_use));
    assert_eq!((both.reads_tools(), both.tool_style()), (true, Some(ToolStyle::Hermes)));
    let call = json!({ "id": "1", "type": "function", "function": { "name": "f", "arguments": {} } });
    let user = json!({ "role": "user", "content": "Hi" });
    let render = |messages: &[serde_json::Value], tools: Option<&[u8]>| both.render(&messages, tools.as_ref()).unwrap();
    assert_eq!(render(std::slice::from_ref(&user), None), "Hi");
    assert!(render(std::slice::from_ref(&user), Some(&[])).starts_with("<|user|>Hi"));
    let calls = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    assert!(render(&[user, calls], None).contains("<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>"));
    let plain = ChatTemplate::new("a".to_owned(), "", "").unwrap();
    assert!(!plain.with_tool_use(ChatTemplate::new("b".to_owned(), "", "").ok()).reads_tools());
}

/// A message with calls has no content, or an empty content if the template would write the missing content as a word.
#[test]
fn messages_with_calls_have_no_content_unless_the_template_needs_it() {
    for (content, has_content) in
        [("{{ m.content }}", true), ("{{ m.content or '' }}", false), ("{{ 'no' if m.content is not none }}", false)]
    {
        let call = "[TOOL_CALLS]{{ f.name }}[ARGS]{{ f.arguments | tojson }}";
        let source = miniature("", call).replace("{% for tc in", &format!("{content}{{% for tc in"));
        let template = ChatTemplate::new(source, "", "").unwrap();
        assert_eq!(template.past_calls().map(|past| past.has_content), Some(has_content), "{content}");
        assert_eq!(template.tool_style(), Some(ToolStyle::MistralArgs));
    }
}
