//! `ogc generate --html`: a page that shows texts token by token, and the effect of the format on the model at each
//! token.
//!
//! The page is one file without scripts or outside resources, as its content security policy enforces. The details of a
//! token are inside its element, and are visible while the pointer or the focus is on it.
//!
//! # Steps
//!
//! 1. [`tokens`] writes the text, [`passes`] the row of passes, [`events`] the events with the token at which each
//!    became certain.
//! 2. [`page`] fills them into the template `page/page.html`, with the style `page/page.css`.

mod events;
mod marked;
mod passes;
mod tokens;

use std::path::Path;

use ogc_generate::{Ended, Generated, TokenRecord, TokenSource};
use ogc_runtime::captures::Content;
use ogc_runtime::vocabulary::Vocabulary;
use ogc_workbench::markup::escape;
use ogc_workbench::words::counted;

use super::formats::Format;
use super::wanted::Wanted;
use crate::args::Generate;
use crate::files;
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::visible::file_name;
use marked::percent;

/// A generated text, and the request for it.
pub(super) struct Answer<'a> {
    pub(super) wanted: &'a Wanted,
    pub(super) content: &'a Content,
    pub(super) generated: Generated,
}

impl<'a> Answer<'a> {
    pub(super) fn new(wanted: &'a Wanted, format: &'a Format, generated: Generated) -> Self {
        Self { wanted, content: &format.content, generated }
    }
}

/// Writes the page of the texts, if the arguments name a file for it.
pub(super) fn write(
    answers: &[Answer<'_>],
    args: &Generate,
    vocabulary: &Vocabulary,
    output: &Output,
) -> Result<(), Problem> {
    let Some(path) = &args.html else { return Ok(()) };
    let page = page(answers, &args.model, vocabulary);
    files::write_changed(path, page.as_bytes())?;
    if output.is_json() {
        output.say(&Message::Report { path: Some(file_name(path)), bytes: page.len(), page: None })?;
    }
    output.aside(&format!("the page is in {}", file_name(path)))?;
    Ok(())
}

/// Writes the whole page.
fn page(answers: &[Answer<'_>], model: &Path, vocabulary: &Vocabulary) -> String {
    // The folder is left out: it would reveal details of the author's machine.
    let model = model.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let title = match answers {
        [only] => format!("{} by {model}", format_name(only.wanted)),
        several => format!("{} by {model}", counted(several.len(), "text")),
    };
    let refused: Vec<f32> = answers.iter().flat_map(|answer| refused(&answer.generated.record)).collect();
    let lead = format!(
        "On average the mask refused {} of what the model would have written at each place.",
        percent(mean(&refused))
    );
    let all: String =
        answers.iter().zip(1..).map(|(one, number)| answer(one, number, answers.len(), vocabulary)).collect();
    fill(
        include_str!("page/page.html"),
        &[
            ("title", &escape(&title)),
            ("style", include_str!("page/page.css")),
            ("lead", &lead),
            ("answers", &all),
            ("version", env!("CARGO_PKG_VERSION")),
        ],
    )
}

/// Returns the name of a format's definition and file.
fn format_name(wanted: &Wanted) -> String {
    let file = wanted.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    match &wanted.definition {
        Some(definition) => format!("{definition} in {file}"),
        None => file,
    }
}

/// Writes the section of one text.
fn answer(answer: &Answer<'_>, number: usize, of: usize, vocabulary: &Vocabulary) -> String {
    let generated = &answer.generated;
    let heading = match of {
        1 => String::new(),
        _ => format!("<h2>Text {number}: {}</h2>\n", escape(&format_name(answer.wanted))),
    };
    format!(
        "<section class=\"answer\">\n{heading}{}{}<h3>Text</h3>\n{}<h3>Passes</h3>\n{}<h3>Events and captures</h3>\n{}</section>\n",
        asked(answer.wanted),
        tiles(generated),
        tokens::text(generated, number, vocabulary),
        passes::row(&generated.record, number, vocabulary),
        events::table(answer.content, generated, number, vocabulary),
    )
}

/// Writes the request.
fn asked(wanted: &Wanted) -> String {
    let part = |name: &str, text: &str| {
        format!("<details class=\"card\" open><summary>{name}</summary><pre>{}</pre></details>\n", escape(text))
    };
    let (system, prompt) = wanted.messages();
    format!("{}{}", system.map_or_else(String::new, |system| part("System message", system)), part("Prompt", prompt))
}

/// Writes the statistics of a text.
fn tiles(generated: &Generated) -> String {
    let (work, record) = (&generated.statistics, &generated.record);
    let first = record.iter().filter(|token| token.odds.as_ref().is_some_and(|odds| odds.refused_first().is_some()));
    let ended = match generated.ended {
        Ended::Chosen => "chosen",
        Ended::Complete => "complete",
        Ended::Stopped => "stopped",
    };
    let sampled = record.iter().filter(|token| token.source == TokenSource::Sampled).count();
    let tiles = [
        ("tokens", work.tokens.to_string()),
        ("sampled", sampled.to_string()),
        ("forced", work.forced.to_string()),
        ("guessed", work.guessed.to_string()),
        ("drafts kept", format!("{} of {}", work.accepted, work.drafted)),
        ("passes", work.passes.to_string()),
        ("passes a token", format!("{:.2}", work.passes_per_token())),
        ("tokens a second", format!("{:.1}", work.tokens_per_second())),
        ("prompt", counted(work.prompt_tokens, "token")),
        ("mean refused", percent(mean(&refused(record)))),
        ("first choices refused", first.count().to_string()),
        ("end", ended.to_owned()),
    ];
    let tiles = tiles.iter().map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>"));
    format!("<dl class=\"tiles\">{}</dl>\n", tiles.collect::<String>())
}

/// Returns the refused probability at each place where the model was asked.
fn refused(record: &[TokenRecord]) -> Vec<f32> {
    record.iter().filter_map(|token| Some(token.odds.as_ref()?.refused)).collect()
}

fn mean(numbers: &[f32]) -> f32 {
    numbers.iter().sum::<f32>() / numbers.len().max(1) as f32
}

/// Replaces each `{{name}}` by its value; placeholders inside values are not replaced.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        page += values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
        page += rest;
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_in_values_are_not_expanded_again() {
        assert_eq!(fill("a {{x}} b {{y}}.", &[("x", "{{y}}"), ("y", "2")]), "a {{y}} b 2.");
    }

    #[test]
    fn the_page_template_has_exactly_the_expected_placeholders() {
        let names = ["title", "style", "lead", "answers", "version"];
        let marked = names.map(|name| (name, "*"));
        let page = fill(include_str!("page/page.html"), &marked);
        assert!(!page.contains("{{") && page.matches('*').count() >= names.len(), "{page}");
        assert!(!include_str!("page/page.css").contains("{{"));
    }
}
