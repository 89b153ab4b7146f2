//! Makes a finding for each group of refusals: where model and format disagree, how often, and what to do.

use ogc_compiler::db::Language;
use ogc_grammar::{Code, Diagnostic, Severity};
use ogc_workbench::describe::{describe, show};
use ogc_workbench::words::{counted, either};

use super::fixes::{self, Subject};
use super::group::Group;
use super::kind::Kind;

/// Refused probability per text from which a disagreement is a warning. At 0.5, the format changes every second text.
const WARNING: f64 = 0.5;

/// Maximum number of wanted texts that a finding names.
const NAMED: usize = 3;

/// Minimum share of a group's probability for a wanted text to be named.
const NAMED_SHARE: f64 = 0.01;

/// Number of allowed bytes from which a place counts as free text.
const ANY: usize = 64;

/// Makes the finding of a group.
pub(super) fn finding(group: &Group, subject: Subject<'_>, texts: usize) -> Diagnostic {
    let code = code(group.key.kind);
    let message = format!("{}; {}", said(group), numbers(group, texts));
    let is_harmless = group.key.kind == Kind::Onward;
    let severity =
        if group.mass / texts as f64 >= WARNING && !is_harmless { Severity::Warning } else { Severity::Note };
    let finding = match severity {
        Severity::Warning => Diagnostic::warning(code, subject.span, message),
        Severity::Note | Severity::Error => Diagnostic::note(code, subject.span, message),
    };
    finding.help(help(group, subject.language)).fix(fixes::fix(group, subject))
}

/// Returns the code for a kind of disagreement.
pub(super) fn code(kind: Kind) -> Code {
    match kind {
        Kind::Space | Kind::NoSpace => Code::FitSpace,
        Kind::Preface => Code::FitPreface,
        Kind::End | Kind::Onward => Code::FitEnd,
        Kind::Key | Kind::MoreKeys | Kind::CloseObject => Code::FitKey,
        Kind::Order => Code::FitOrder,
        Kind::MoreItems | Kind::FewerItems | Kind::ShortString | Kind::LongString => Code::FitLength,
        Kind::Escape | Kind::Control => Code::FitEscape,
        Kind::Value => Code::FitValue,
        Kind::Text => Code::FitText,
    }
}

/// Reports how often the tokens were refused, and how much probability.
fn numbers(group: &Group, texts: usize) -> String {
    let each = group.mass / texts as f64;
    let (places, own) = (counted(group.places.len(), "place"), group.texts.len());
    let first = match group.first {
        0 => String::new(),
        first if first == group.places.len() => ", each time its first choice".to_owned(),
        first => format!(", at {first} of them its first choice"),
    };
    format!("refused {each:.2} times per text: at {places} in {own} of {}{first}", counted(texts, "text"))
}

/// Describes the disagreement: what the model wants.
fn said(group: &Group) -> String {
    let at =
        if group.key.path.is_empty() { String::new() } else { format!(" at `{}`", show(group.key.path.as_bytes())) };
    let wanted = || wanted(group);
    let missing = || missing(group);
    match group.key.kind {
        Kind::Space => format!("the model wants {} between the tokens of JSON", fixes::wanted_space(group).words()),
        Kind::NoSpace => "the model wants no white space between the tokens of JSON".to_owned(),
        Kind::Preface => format!("the model wants to begin with {}", wanted()),
        Kind::End => format!("the model wants to end the text{at}, where the format expects {}", expected(group)),
        Kind::Onward => format!("the model wants to go on after the end, with {}", wanted()),
        Kind::Key => format!("the model wants another key{at}, {}", wanted()),
        Kind::MoreKeys => format!("the model wants a further key{at}, {}", wanted()),
        Kind::Order => format!("the model wants the keys{at} in another order, {} {}", wanted(), earlier(group)),
        Kind::CloseObject => format!("the model wants to close the object{at}{}", missing()),
        Kind::MoreItems => format!("the model wants further items{at}"),
        Kind::FewerItems => format!("the model wants fewer items{at}"),
        Kind::ShortString => format!("the model wants a shorter string{at}"),
        Kind::LongString => format!("the model wants a longer string{at}"),
        Kind::Escape => format!("the model wants to write escapes, as {}", wanted()),
        Kind::Control => format!("the model wants line breaks or other control characters in strings, as {}", wanted()),
        Kind::Value => format!("the model wants another value{at}, {}", wanted()),
        Kind::Text => format!("the model wants {}{at}, where the format expects {}", wanted(), expected(group)),
    }
}

/// Names what the model wants most, with its share of the group's probability.
fn wanted(group: &Group) -> String {
    let named = group.most_wanted(NAMED).into_iter().filter(|(_, share)| *share >= NAMED_SHARE);
    either(named.map(|(wanted, share)| match share {
        share if share > 0.995 => quoted(wanted),
        share => format!("{} ({:.0}%)", quoted(wanted), 100.0 * share),
    }))
}

/// Puts a text in backticks, or in quotes if it contains backticks.
fn quoted(text: &str) -> String {
    let text = show(text.as_bytes());
    if text.contains('`') { format!("\"{text}\"") } else { format!("`{text}`") }
}

fn expected(group: &Group) -> String {
    if !group.forced.is_empty() {
        return quoted(&String::from_utf8_lossy(&group.forced));
    }
    match group.expected.as_slice() {
        expected if expected.len() >= ANY => "more text".to_owned(),
        [] if group.may_end => "its end".to_owned(),
        [] => "nothing".to_owned(),
        expected => describe(expected),
    }
}

/// Names the required keys that have not appeared.
fn missing(group: &Group) -> String {
    let missing =
        group.keys.iter().filter(|key| key.required && !key.past).map(|key| format!("`{}`", show(key.name.as_bytes())));
    match either(missing.take(NAMED)).as_str() {
        "" => String::new(),
        keys => format!(" without {keys}"),
    }
}

/// Names the keys that the format expects in the place of the model's key.
fn earlier(group: &Group) -> String {
    let next = group.keys.iter().filter(|key| key.allowed).map(|key| format!("`{}`", show(key.name.as_bytes())));
    match either(next.take(NAMED)).as_str() {
        "" => "again or behind its place".to_owned(),
        keys => format!("before {keys}"),
    }
}

/// Returns advice for a group.
fn help(group: &Group, language: Language) -> String {
    let in_prompt = "or say in the prompt what is expected";
    match group.key.kind {
        Kind::Space | Kind::NoSpace => {
            let space = fixes::wanted_space(group).policy();
            format!("allow it: {}", policy("space", space, language))
        }
        Kind::Preface if fenced(group) => {
            "allow it: put \"```json\\n\" before and \"\\n```\" behind the value in an output of text, or say in the prompt that the answer is \
             JSON alone"
                .to_owned()
        }
        Kind::Preface => "let text come before the value in an output of text, as a `text` or a thought, or say in the prompt that the \
                          answer is JSON alone"
            .to_owned(),
        Kind::End => format!("make what follows optional, {in_prompt}"),
        Kind::Onward => "nothing of the format is lost: the text is complete, and ends there".to_owned(),
        Kind::Key | Kind::MoreKeys => format!("add the key as an optional field, {in_prompt}"),
        Kind::Order => format!("declare the keys in the order that the model writes, or let them come in any: {}", policy("order", "any", language)),
        Kind::CloseObject => format!("make the field optional, {in_prompt}"),
        Kind::MoreItems => "raise the maximum number of items, or name it in the prompt".to_owned(),
        Kind::FewerItems => "lower the minimum number of items, or name it in the prompt".to_owned(),
        Kind::ShortString => "lower the minimum length, or name it in the prompt".to_owned(),
        Kind::LongString => "raise the maximum length, or ask for shorter texts in the prompt: strings now end in the middle".to_owned(),
        Kind::Escape => format!("allow all spellings: {}", policy("escapes", "any", language)),
        Kind::Control => "JSON has no control characters in strings; say in the prompt that the answer is JSON, in which `\\n` is a line break"
            .to_owned(),
        Kind::Value => value_help(group),
        Kind::Text => "write the text as the model does, or show it in the prompt".to_owned(),
    }
}

/// Returns advice for a wanted value.
fn value_help(group: &Group) -> String {
    let wanted = group.most_wanted(1).first().map_or("", |(wanted, _)| *wanted);
    let is_text = wanted.starts_with('"');
    let help = match group.expected.as_slice() {
        _ if wanted == "null" => "allow `null` for unknown values: `| null`, or say in the prompt what is expected",
        expected if is_text && expected.contains(&b'1') && !expected.contains(&b'"') => {
            "the format has a number, which the model writes in quotes: say in the prompt that it is a number"
        }
        b"\"" if !is_text => {
            "the format has a string, where the model writes another kind of value: say in the prompt that it is a string"
        }
        _ => "allow the value as a further alternative, or say in the prompt what is expected",
    };
    help.to_owned()
}

fn fenced(group: &Group) -> bool {
    group.most_wanted(1).first().is_some_and(|(wanted, _)| wanted.trim_start().starts_with("```"))
}

/// Returns how to set a policy in a language.
fn policy(name: &str, value: &str, language: Language) -> String {
    match language {
        Language::Ogc => format!("`policy {name} = \"{value}\"`"),
        _ => format!("`--{name} {value}`, or `{name} = \"{value}\"` in `[policy]` of ogc.toml"),
    }
}
