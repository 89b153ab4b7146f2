//! `ogc generate`: writes texts of formats with a local model. A text goes to standard output while it grows, its
//! statistics go to standard error.

mod engine;
pub(super) mod escapes;
pub(super) mod formats;
pub(super) mod model;
mod page;
mod several;
mod tool_style;
mod wanted;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use ogc_generate::{GenerateError, Generated, LoadedModel, Sequence, Statistics, pass};
use ogc_runtime::events::EventReader;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::MatchError;

use super::events::say;
use crate::args::Generate;
use crate::message::{GeneratedText, Message, millis};
use crate::output::Output;
use crate::problem::Problem;
use crate::verdict::Verdict;
use formats::{Format, Formats};
use page::Answer;
use wanted::Wanted;

pub(crate) fn run(args: &Generate, output: &Output) -> Result<Verdict, Problem> {
    let wanted = wanted::all(args)?;
    let mut formats = Formats::new(args);
    if formats.all(&wanted, output)?.is_none() {
        return Ok(Verdict::Bad);
    }
    let texts = if args.requests.is_some() { args.slots.get() } else { 1 };
    let loaded = model::load_with_draft(&args.model, &args.draft, &args.place, texts)?;
    // Structural tags refer to special tokens of the model.
    let Some(all) = formats.written_by(&loaded.vocabulary).all(&wanted, output)? else { return Ok(Verdict::Bad) };
    for (wanted, format) in wanted.iter().zip(&all) {
        format.check_tokens(&loaded, wanted)?;
    }
    warn_of_styles(&all, &loaded, output)?;
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    match (&wanted[..], &all[..]) {
        ([wanted], [format]) if args.requests.is_none() => one(wanted, format, args, (&loaded, &store), output),
        _ => several::run(&wanted, &all, args, (&loaded, &store), output),
    }
}

/// Warns of tool call styles that the model was not trained on, once for all formats.
fn warn_of_styles(formats: &[Format], loaded: &LoadedModel, output: &Output) -> io::Result<()> {
    let Some(template) = &loaded.template else { return Ok(()) };
    match formats.iter().find_map(|format| tool_style::warning(&format.styles, template)) {
        Some(warning) => output.aside(&format!("warning: {warning}")),
        None => Ok(()),
    }
}

/// Writes one text, and shows it while it grows.
fn one(
    wanted: &Wanted,
    format: &Format,
    args: &Generate,
    (loaded, store): (&LoadedModel, &Arc<MaskStore>),
    output: &Output,
) -> Result<Verdict, Problem> {
    let request = wanted.request(0, args, loaded)?;
    let failed = |error: GenerateError| refused(wanted, &error);
    let mut sequence = Sequence::new(loaded, format.matcher(store), request).map_err(failed)?;
    let mut reader = args.events.then(|| EventReader::new(&format.content));
    let (mut text, mut tokens) = (0, 0);
    while sequence.ended().is_none() {
        let results = pass(loaded, &mut [&mut sequence]).map_err(failed)?;
        results.into_iter().collect::<Result<(), _>>().map_err(failed)?;
        if let Some(reader) = &mut reader {
            for &token in &sequence.tokens()[tokens..] {
                let events = reader.read_token(&loaded.vocabulary, token);
                say(events.map_err(|error| engine(wanted, &error))?, output)?;
            }
        } else if show(&sequence.text()[text..], output)?.is_break() {
            sequence.stop();
        }
        (text, tokens) = (sequence.text().len(), sequence.tokens().len());
    }
    if let Some(mut reader) = reader {
        say(reader.finish().map_err(|error| engine(wanted, &error))?, output)?;
    } else if !output.is_json() {
        output.data("\n")?;
    }
    finish(Answer::new(wanted, format, sequence.into_generated()), args, loaded, output)
}

/// Shows the statistics of a text, and writes its page.
fn finish(answer: Answer<'_>, args: &Generate, loaded: &LoadedModel, output: &Output) -> Result<Verdict, Problem> {
    let generated = &answer.generated;
    if output.is_json() {
        output.say(&message(None, generated))?;
    }
    output.aside(&summary(&generated.statistics))?;
    if loaded.model.is_on_device() {
        output.aside(&format!("tokens: {}", generated.statistics.choices))?;
    }
    page::write(&[answer], args, &loaded.vocabulary, output)?;
    Ok(Verdict::Good)
}

/// Shows a piece of the text; stops the generation if nobody reads standard output any more.
fn show(piece: &str, output: &Output) -> io::Result<ControlFlow<()>> {
    match piece {
        "" => {}
        piece if output.is_json() => output.say(&Message::Piece { text: piece.to_owned() })?,
        piece => output.data(piece)?,
    }
    Ok(if output.is_unread() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
}

/// Makes the message for machines: a text and its statistics.
fn message(line: Option<usize>, generated: &Generated) -> Message {
    let work = &generated.statistics;
    Message::Generated(GeneratedText {
        request: line,
        text: generated.text.clone(),
        prompt_tokens: work.prompt_tokens,
        tokens: work.tokens,
        forced: work.forced,
        guessed: work.guessed,
        drafted: work.drafted,
        accepted: work.accepted,
        chosen_on_device: work.choices.on_device(),
        passes: work.passes,
        prompt_ms: millis(work.prompt_time),
        model_ms: millis(work.model_time),
        draft_ms: millis(work.draft_time),
        mask_ms: millis(work.mask_time),
        choice_ms: millis(work.choice_time),
    })
}

/// Describes the statistics of a text for people.
fn summary(work: &Statistics) -> String {
    let masks = 100.0 * work.mask_time.as_secs_f64() / work.time().as_secs_f64().max(1e-9);
    format!(
        "{} tokens, {} forced, {}in {} passes ({:.2} a token); {:.1} tokens/s, {masks:.1}% of the time in masks; \
         prompt of {} tokens in {:.2} s",
        work.tokens,
        work.forced,
        drafts(work),
        work.passes,
        work.passes_per_token(),
        work.tokens_per_second(),
        work.prompt_tokens,
        work.prompt_time.as_secs_f64(),
    )
}

/// Describes how many drafted tokens were accepted, if there is a draft model.
fn drafts(work: &Statistics) -> String {
    match work.drafted {
        0 => String::new(),
        drafted => format!("{} of {drafted} drafted kept ({:.0}%), ", work.accepted, 100.0 * work.acceptance()),
    }
}

fn engine(wanted: &Wanted, error: &impl ToString) -> Problem {
    engine_at(wanted.path(), &wanted.place(), error)
}

/// Makes the problem of an engine failure; `place` says where the text was requested.
fn engine_at(path: &Path, place: &str, error: &impl ToString) -> Problem {
    Problem::Engine { path: path.to_owned(), message: format!("{place}{}", error.to_string()) }
}

/// Makes the problem of a text that cannot be written.
fn refused(wanted: &Wanted, error: &GenerateError) -> Problem {
    refused_at(wanted.path(), &wanted.place(), error)
}

/// Makes the problem of a text that cannot be written; `place` says where it was requested.
pub(super) fn refused_at(path: &Path, place: &str, error: &GenerateError) -> Problem {
    let usage = |message: String| Problem::Usage { message: format!("{place}{message}") };
    match error {
        GenerateError::Match(MatchError::Budget { given, limit: u32::MAX }) => {
            usage(format!("no text of the format was found that fits into {given} tokens: raise `--max-tokens`"))
        }
        GenerateError::Match(MatchError::Budget { given, limit }) => {
            usage(format!("the format needs at least {limit} tokens, and {given} are allowed: raise `--max-tokens`"))
        }
        GenerateError::Context { .. } => usage(format!("{error}: shorten the prompt")),
        GenerateError::LongPrompt { .. } | GenerateError::PromptTokens { .. } => usage(error.to_string()),
        GenerateError::EmptyPrompt => usage(format!("{error}: say something with `--prompt`")),
        _ => engine_at(path, place, error),
    }
}
