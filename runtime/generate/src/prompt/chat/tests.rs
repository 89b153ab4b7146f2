//! Tests of hostile templates: each ends soon, in little memory, with an error that names a limit. Ordinary templates
//! render.

#![allow(clippy::disallowed_methods, reason = "the memory of a process is in a file")]

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

/// The time limit of a template; debug builds are slower.
const SOON: Duration = Duration::from_secs(if cfg!(debug_assertions) { 15 } else { 1 });

/// The memory limit of a template, in KiB.
const MEMORY: u64 = 64 << 10;

/// Tells a child process of the tests to run the hostile templates.
const CHILD: &str = "OGC_HOSTILE_TEMPLATES";

/// Templates that make large results of small inputs, with the number of a repeated part.
fn growing() -> Vec<String> {
    let loops = |start: &str, step: &str| {
        format!(
            "{{% set ns = namespace(x={start}) %}}{{% for i in range(90000) %}}{{% set ns.x = {step} %}}{{% endfor %}}{{{{ ns.x }}}}"
        )
    };
    let mut all: Vec<String> = [
        ("'ab'", "ns.x ~ ns.x"),
        ("'ab'", "ns.x + ns.x"),
        ("'ab'", "ns.x * 1000"),
        ("'ab'", "1000 * ns.x"),
        ("[1]", "ns.x + ns.x"),
        ("[1]", "ns.x * 1000"),
        ("[1]", "ns.x|chain(ns.x)|list"),
        ("[1]", "[ns.x]"),
        ("[1]", "[ns.x, ns.x]"),
        ("[1]", "{'a': ns.x}"),
        ("[1]", "{'a': ns.x, 'b': ns.x}"),
        ("[1]", "ns.x|zip(ns.x)"),
        ("[1]", "ns.x|batch(100000000, 1)"),
        ("[1]", "ns.x|slice(100000000)"),
        ("[1]", "ns.x[0:]|reverse + ns.x"),
        ("'ab'", "ns.x|replace('', ns.x)"),
        ("'ab'", "ns.x.replace('b', 'bbbbbbbbbb')"),
        ("'ab'", "ns.x|list|join(ns.x)"),
        ("'ab'", "ns.x.join([1, 2, 3, ns.x])"),
        ("'ab\n'", "ns.x|indent(1000, true) ~ ns.x"),
        ("'ab'", "'%1000000000d'|format(1)"),
        ("'ab'", "'%*d'|format(1000000000, 1)"),
        ("'ab'", "'{:>1000000000}'.format(ns.x)"),
        ("'ab'", "('%s%s')|format(ns.x, ns.x)"),
        ("'ab'", "'{}{}{0}'.format(ns.x, ns.x)"),
        ("'ab'", "[ns.x, ns.x]|sum"),
        ("'ab'", "ns.x|escape ~ '<<<<'|escape"),
        ("[1]", "[ns.x]|tojson(indent=1000000000)"),
        ("[1]", "ns.x|tojson(1000000000)"),
        ("[1]", "[ns.x]|pprint ~ [ns.x]|pprint"),
        ("'ab'", "(ns.x ~ ns.x)|upper"),
        ("'ab'", "ns.x ~ ns.x|split('')|join('-')"),
        ("[1]", "ns.x|map('string')|list + ns.x"),
        ("'ab'", "dict(a=ns.x, b=ns.x)|string"),
        ("[1]", "dict(a=ns.x)"),
        ("'a'", "[ns.x, ns.x]|map('replace', '', ns.x)|join"),
        ("'a'", "(ns.x ~ ns.x)[0:]"),
        ("1", "ns.x ** 2"),
    ]
    .map(|(start, step)| loops(start, step))
    .to_vec();
    let captured = "{% set ns = namespace(x='ab') %}{% for i in range(90000) %}{% set t %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = t %}{% endfor %}";
    all.push(captured.to_owned());
    all.push(format!("{{% for i in range(90000) %}}{}{{% endfor %}}", "text ".repeat(20_000)));
    // A template that is rendered with a call when it is loaded.
    all.push(format!("{{{{ messages[0].tool_calls }}}}{}", loops("[1]", "[ns.x, ns.x]")));
    all.push(format!(
        "{{% set t %}}{{% for i in range(90000) %}}{}{{% endfor %}}{{% endset %}}",
        "text ".repeat(20_000)
    ));
    all.push("{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{% set ns = namespace(x='ab') %}{% for i in range(90000) %}{% set ns.x = m(ns.x) %}{% endfor %}".to_owned());
    all.push(
        "{% filter replace('', 'ab'*100000) %}{% for i in range(90000) %}ab{% endfor %}{% endfilter %}".to_owned(),
    );
    all
}

/// Templates that take long.
fn slow() -> Vec<String> {
    let each = |what: &str| {
        format!(
            "{{% set a = range(90000)|list %}}{{% set s = a|join %}}{{% for i in a %}}{{% if {what} %}}{{% endif %}}{{% endfor %}}"
        )
    };
    let mut all: Vec<String> = [
        "a|sort",
        "a|sum",
        "a == a",
        "a < a",
        "a < a <= a",
        "-1 in a",
        "'x' in s",
        "'x' in s in a",
        "a|unique|list",
        "a|map('string')|list",
        "a|select('odd')|list",
        "a|max",
        "a|tojson",
        "s|upper",
        "s.split('1')",
        "s.count('x')",
        "s.strip(s)",
        "s|trim(s)",
        "s[1:]",
        "s[5]",
        "a[1:]",
        "a is eq(a)",
        "a is in(a)",
        "s is lower",
        "a|groupby('x')",
        "a|length and a|string",
        "s|length",
        "s.find('x')",
        "loop.changed(a)",
        "s|lines",
        "s.splitlines()",
        "a|reverse|list",
        "a|selectattr('x')|list",
        "a|map(attribute='x')|list",
        "a.count(-1)",
        "{'a': a}",
        "[a]",
        "s is startingwith(s)",
        "s.startswith(s)",
    ]
    .map(each)
    .to_vec();
    all.push(
        "{{ 'a'.count('') }}{% for i in range(90000) %}{% for j in range(90000) %}{% endfor %}{% endfor %}".to_owned(),
    );
    all.push("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}".to_owned());
    all.push("{% for x in [[1]] recursive %}{{ loop([x, x]) }}{{ loop([x, x]) }}{% endfor %}".to_owned());
    all
}

/// Templates that are rejected when they are loaded.
fn endless() -> Vec<String> {
    let many = |part: &str| part.repeat(100_000);
    vec![
        format!("{{{{ 1{} }}}}", many("+1")),
        format!("{{{{ {}1 }}}}", many("-")),
        format!("{{{{ {}1 }}}}", many("not ")),
        format!("{{{{ {}1{} }}}}", many("("), many(")")),
        format!("{{{{ {}1{} }}}}", many("["), many("]")),
        format!("{{{{ a{} }}}}", many(".a")),
        format!("{{{{ a{} }}}}", many("|e")),
        format!("{{{{ a{} }}}}", many("[0]")),
        format!("{{{{ a{} }}}}", many("()")),
        format!("{{{{ 1{} }}}}", many(" if 1 else 1")),
        format!("{{{{ 1{} }}}}", many(" < 1")),
        format!("{{% if 1 %}}{}{{% endif %}}", "{% elif 1 %}".repeat(20_000)),
        format!("{}{}", "{% if 1 %}".repeat(10_000), "{% endif %}".repeat(10_000)),
        format!("{}{}", "{% for x in y %}".repeat(5_000), "{% endfor %}".repeat(5_000)),
        "{{ f(*messages) }}".to_owned(),
        "{{ f(**messages) }}".to_owned(),
        "{% include 'chat' %}".to_owned(),
        "{% extends 'chat' %}".to_owned(),
        many("text "),
    ]
}

/// Returns the peak memory of the process, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

/// Renders a template and returns its error, if it ends soon and takes little memory.
fn ended(source: &str, before: u64) -> Option<GenerateError> {
    let shown: String = source.chars().take(200).collect();
    let start = Instant::now();
    let made = ChatTemplate::new(source.to_owned(), "", "").and_then(|template| template.prompt(None, "Hi"));
    let took = start.elapsed();
    assert!(took < SOON, "{took:?}: {shown}");
    assert!(peak() - before < MEMORY, "{} KiB: {shown}", peak() - before);
    made.err()
}

/// Runs the hostile templates in a process of their own, to measure their memory alone.
#[test]
fn hostile_templates_end_soon_in_little_memory() {
    if cfg!(ogc_sanitized) {
        return ogc_kit::skip("AddressSanitizer keeps memory that was freed");
    }
    if std::env::var_os(CHILD).is_none() {
        let name = "prompt::chat::tests::hostile_templates_end_soon_in_little_memory";
        let child = Command::new(std::env::current_exe().unwrap())
            .args([name, "--exact", "--nocapture"])
            .env(CHILD, "1")
            .output();
        let child = child.unwrap();
        assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stderr));
        return;
    }
    assert!(ended("{{ messages[0].content }}", 0).is_none());
    let before = peak();
    for source in growing().iter().chain(&slow()).chain(&endless()) {
        ended(source, before);
    }
}

/// Some messages and a tool.
fn inputs() -> Value {
    let messages = json!([
        {"role": "system", "content": " Be brief. "},
        {"role": "user", "content": "Hi <b>", "tags": ["a", "b"]},
        {"role": "assistant", "content": "<think>x</think>\n\nHello"},
    ]);
    let tools = json!([{"type": "function", "function": {"name": "f", "parameters": {}}}]);
    context! { messages, tools }
}

fn rendered(source: &str) -> Result<String, GenerateError> {
    let template = ChatTemplate::new(source.to_owned(), "<s>", "</s>")?;
    let values = serde_json::to_value(inputs()).unwrap();
    template.render(&values["messages"].as_array().unwrap(), Some(&values["tools"]))
}

/// Renders by the engine, without a meter.
fn unmetered(source: &str) -> String {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_unknown_method_callback(unknown_method_callback);
    environment.render_str(source, context! { ..inputs(), ..context! { bos_token => "<s>" } }).unwrap()
}

/// Checks that metered operations of templates in use have the same results as in the engine itself.
#[test]
fn metered_template_operations_match_the_plain_engine() {
    for source in [
        "{{ 1 + 2 }} {{ 1.5 * 2 }} {{ 'a' ~ 1 ~ none }} {{ 'a' + 'b' }} {{ '-' * 3 }} {{ 2 * 3 + 1 }}",
        "{{ [1] + [2] }} {{ [0] * 2 }} {{ ([1, 2, 3])[1:] }} {{ 'abc'[::-1] }} {{ 'abc'[1] }}",
        "{{ 1 < 2 < 3 }} {{ 1 < 2 > 3 }} {{ 1 == 1 != 2 }} {{ 'a' in 'abc' }} {{ 2 not in [1] }}",
        "{% for m in messages if m.role != 'system' %}{{ loop.index }}{{ m.role }}{% if not loop.last %},{% endif %}{% endfor %}",
        "{{ messages[0]['content'] | trim }}{{ messages[-1].content.split('</think>')[-1].lstrip('\\n') }}",
        "{% set ns = namespace(x=[], y='') %}{% for m in messages %}{% set ns.x = ns.x + [m.role] %}{% set ns.y = ns.y ~ m.role[0] %}{% endfor %}{{ ns.x | join('-') }} {{ ns.y }}",
        "{{ {'b': 1, 'a': [1]} | tojson(indent=2) }}",
        "{% macro show(m, end='!') %}[{{ m.role }}{{ end }}]{% endmacro %}{{ show(messages[0]) }}{{ show(messages[1], end='?') }}",
        "{% for k, v in messages[1].items() %}{{ k }} {% endfor %}{{ messages[1].get('x', 'none') }}",
        "{{ messages | map(attribute='role') | join(' ') }} {{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
        "{{ '%s-%05d' | format('a', 7) }} {{ '{}:{:>4}'.format('a', 7) }}",
        "{{ 'a b'.title() }} {{ 'AB' | lower }} {{ ['b', 'a'] | sort | first }} {{ range(3) | list }} {{ 'x' is string and none is none }}",
        "{% for m in messages[::-1] recursive %}{{ m.role[0] }}{% endfor %} {{ loop is defined }} {{ nothing is defined }}{{ nothing.x if nothing else 'no' }}",
        "{% set t %}{% for m in messages %}{{ m.role }};{% endfor %}{% endset %}{{ t | replace('s', 'S') }}",
        "{{ bos_token }}{% if messages[1].tags is iterable and messages[1].tags is not string %}{{ messages[1].tags | last }}{% endif %}",
        "{% for x in [[1, [2]], 3] recursive %}{% if x is sequence %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}",
    ] {
        assert_eq!(rendered(source).unwrap(), unmetered(source), "{source}");
    }
    assert_eq!(rendered("{{ 'aaa'.count('') }}").unwrap(), "4", "the engine never ends with this");
    let iterable = "{{ none is iterable }} {{ [] is iterable }} {{ 'a' is iterable }} {{ none is not iterable }}";
    assert_eq!(rendered(iterable).unwrap(), "False True True True", "as in Python");
}

#[test]
fn exceeded_limits_are_named() {
    let limit = |source: &str| match rendered(source) {
        Err(GenerateError::TemplateLimit { what, given, limit }) => {
            assert!(given > limit, "{source}");
            what
        }
        other => panic!("{source}: {other:?}"),
    };
    assert_eq!(limit("{% for i in range(9000) %}{{ 'a' * 9000 }}{% endfor %}"), "bytes of text and values");
    assert_eq!(limit("{% set a = range(90000) %}{% for i in a %}{{ a == a }}{% endfor %}"), "units of work");
    assert_eq!(
        limit("{% for i in range(90000) %}{% for i in range(9) %}{% set x = -i %}{% endfor %}{% endfor %}"),
        "instructions"
    );
    assert_eq!(
        limit("{% set ns = namespace(x=1) %}{% for i in range(300) %}{% set ns.x = [ns.x] %}{% endfor %}"),
        "nested values"
    );
    assert_eq!(limit(&format!("{{{{ 1{} }}}}", "+1".repeat(2_000))), "tokens in a tag");
    assert_eq!(limit(&"a".repeat(300_000)), "bytes");
}

#[test]
fn a_namespace_that_contains_itself_is_refused() {
    for source in [
        "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
        "{% set ns = namespace() %}{% set ns.x = [{'a': ns}] %}",
    ] {
        assert!(rendered(source).unwrap_err().to_string().contains("a namespace in a namespace"), "{source}");
    }
}

/// Checks that long conversations stay far below the limits.
#[test]
fn a_long_conversation_is_rendered() {
    let source = "{% set ns = namespace(last=0) %}{% for m in messages[::-1] %}{% set ns.last = ns.last + (1 if m.role == 'user' else 0) %}{% endfor %}\
                  {% for m in messages %}{% set c = m.content | trim %}{% if '</think>' in c %}{% set c = c.split('</think>')[-1].lstrip('\\n') %}{% endif %}\
                  {{ '<|im_start|>' + m.role + '\\n' + c + '<|im_end|>' + '\\n' }}{% if loop.last and m.role == messages[loop.index0 - 1].role %}!{% endif %}{% endfor %}";
    let template = ChatTemplate::new(source.to_owned(), "", "").unwrap();
    let message = |number: usize| json!({"role": if number.is_multiple_of(2) { "user" } else { "assistant" }, "content": "words ".repeat(150)});
    let messages: Vec<_> = (0..1_000).map(message).collect();
    assert!(template.render(&messages, None::<&()>).unwrap().len() > 900_000);
}
