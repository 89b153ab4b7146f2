//! `ogc generate`: writes a text of a format with a model that runs here. The text goes to standard output while it grows, what
//! it took to standard error.

pub(super) mod escapes;

use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use ogc_generate::{GenerateError, Generated, Jump, LoadedModel, Request, Sampling, Speculation, generate};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::{MatchError, Matcher};
use ogc_runtime::vocabulary::TokenId;

use crate::args::{Generate, SamplingArgs};
use crate::message::{GeneratedText, Message, millis};
use crate::output::{Output, Verdict};
use crate::problem::Problem;

pub(crate) fn run(args: &Generate, output: &Output) -> Result<Verdict, Problem> {
    let (session, file) = escapes::open(&args.format, &args.file)?;
    let format = session.format(file)?;
    let Some(automaton) = session.compile(&format, output)? else { return Ok(Verdict::Bad) };
    let loaded = load(&args.model)?;
    check_tokens(&automaton, &loaded, args)?;
    let request = Request {
        sampling: sampling(&args.sampling),
        jump: if args.no_jump { Jump::Off } else { Jump::Verify },
        speculation: if args.speculate == 0 { Speculation::Off } else { Speculation::Lookup { most: args.speculate } },
        ..Request::new(prompt(args, &loaded)?, args.max_tokens)
    };
    let matcher = Matcher::new(automaton, MaskStore::new(Arc::clone(&loaded.vocabulary)));
    let mut failed = None;
    let generated = generate(&loaded, matcher, request, |piece| match show(piece, output) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    let generated = generated.map_err(|error| refused(args, &error))?;
    failed.map_or(Ok(()), Err)?;
    finish(&generated, output)?;
    Ok(Verdict::Good)
}

/// Loads the model and what belongs to it.
pub(super) fn load(path: &Path) -> Result<LoadedModel, Problem> {
    let unreadable = |error| Problem::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    LoadedModel::from_gguf(file).map_err(|error| match error {
        GenerateError::Io(error) => unreadable(error),
        other => unreadable(io::Error::new(io::ErrorKind::InvalidData, other)),
    })
}

/// Refuses a format that asks for tokens that the model does not have.
fn check_tokens(automaton: &Automaton, loaded: &LoadedModel, args: &Generate) -> Result<(), Problem> {
    let missing = loaded.vocabulary.missing_tokens(&automaton.tokens);
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("the format asks for tokens that the model does not have: {}", missing.join(", "));
    Err(Problem::Engine { path: args.file.clone(), message })
}

fn sampling(args: &SamplingArgs) -> Sampling {
    Sampling {
        temperature: args.temperature,
        top_k: args.top_k,
        top_p: args.top_p,
        min_p: args.min_p,
        repetition_penalty: args.repetition_penalty,
        presence_penalty: args.presence_penalty,
        frequency_penalty: args.frequency_penalty,
        bias: Vec::new(),
        seed: args.seed,
    }
}

/// Makes the tokens of the prompt, framed as the model reads messages unless it is raw.
fn prompt(args: &Generate, loaded: &LoadedModel) -> Result<Vec<TokenId>, Problem> {
    let tokens = match &loaded.template {
        Some(template) if !args.raw => {
            let framed = template.prompt(args.system.as_deref(), &args.prompt);
            framed.and_then(|prompt| loaded.tokenizer.tokens(&prompt))
        }
        Some(_) => loaded.tokenizer.raw_tokens(&args.prompt),
        None if args.raw => loaded.tokenizer.raw_tokens(&args.prompt),
        None => {
            let message = "the model has no chat template: continue the prompt as it stands with `--raw`".to_owned();
            return Err(Problem::Usage { message });
        }
    };
    tokens.map_err(|error| refused(args, &error))
}

/// Shows a piece of the text.
fn show(piece: &str, output: &Output) -> io::Result<()> {
    if output.is_json() { output.say(&Message::Piece { text: piece.to_owned() }) } else { output.data(piece) }
}

/// Ends the text, and shows what it took.
fn finish(generated: &Generated, output: &Output) -> Result<(), Problem> {
    let work = &generated.statistics;
    if output.is_json() {
        return Ok(output.say(&Message::Generated(GeneratedText {
            text: generated.text.clone(),
            prompt_tokens: work.prompt_tokens,
            tokens: work.tokens,
            forced: work.forced,
            guessed: work.guessed,
            passes: work.passes,
            prompt_ms: millis(work.prompt_time),
            model_ms: millis(work.model_time),
            mask_ms: millis(work.mask_time),
            choice_ms: millis(work.choice_time),
        }))?);
    }
    output.data("\n")?;
    let time = work.model_time + work.mask_time + work.choice_time;
    let masks = 100.0 * work.mask_time.as_secs_f64() / time.as_secs_f64().max(1e-9);
    Ok(output.aside(&format!(
        "{} tokens, {} forced, in {} passes ({:.2} a token); {:.1} tokens/s, {masks:.1}% of the time in masks; \
         prompt of {} tokens in {:.2} s",
        work.tokens,
        work.forced,
        work.passes,
        work.passes_per_token(),
        work.tokens_per_second(),
        work.prompt_tokens,
        work.prompt_time.as_secs_f64(),
    ))?)
}

/// Makes the failure of a text that cannot be written.
fn refused(args: &Generate, error: &GenerateError) -> Problem {
    match error {
        GenerateError::Match(MatchError::Budget { given, limit: u32::MAX }) => Problem::Usage {
            message: format!("no text of the format was found that fits into {given} tokens: raise `--max-tokens`"),
        },
        GenerateError::Match(MatchError::Budget { given, limit }) => Problem::Usage {
            message: format!(
                "a text of the format takes {limit} tokens, and {given} may be written: raise `--max-tokens`"
            ),
        },
        GenerateError::Context { .. } => Problem::Usage { message: format!("{error}: shorten the prompt") },
        GenerateError::EmptyPrompt => Problem::Usage { message: format!("{error}: say something with `--prompt`") },
        _ => Problem::Engine { path: args.file.clone(), message: error.to_string() },
    }
}
