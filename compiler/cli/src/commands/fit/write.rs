//! Has the model write a text of the format for each prompt, a few in parallel, and keeps the model's probabilities at
//! every place.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use ogc_generate::{Generated, LoadedModel, Recording, Request, Sequence, pass};
use ogc_runtime::canonical::TokenPolicy;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::sampling::Sampling;
use ogc_runtime::vocabulary::TokenId;

use super::prompts::Prompt;
use crate::args::Fit;
use crate::commands::generate::formats::Format;
use crate::commands::generate::refused_at;
use crate::problem::Problem;

/// Maximum number of texts written in parallel.
pub(super) const AT_A_TIME: usize = 8;

/// Number of refused tokens kept for each place.
const LIKELIEST: usize = 16;

/// The text written for a prompt.
pub(super) struct Written {
    pub(super) prompt: Vec<TokenId>,
    pub(super) generated: Generated,
}

/// Writes the texts, in the order of their prompts.
pub(super) fn write(
    prompts: &[Prompt],
    args: &Fit,
    format: &Format,
    (loaded, store): (&LoadedModel, &Arc<MaskStore>),
) -> Result<Vec<Written>, Problem> {
    let mut waiting: VecDeque<(usize, &Prompt)> = prompts.iter().enumerate().collect();
    let mut running: Vec<(usize, Vec<TokenId>, Sequence)> = Vec::new();
    let mut written: Vec<Option<Written>> = prompts.iter().map(|_| None).collect();
    let failed = |at: usize, error| refused_at(&args.file, &place(&args.prompts, &prompts[at]), &error);
    while !(waiting.is_empty() && running.is_empty()) {
        while running.len() < AT_A_TIME
            && let Some((at, prompt)) = waiting.pop_front()
        {
            let tokens = prompt.tokens(args, loaded)?;
            let request = request(tokens.clone(), at, args)?;
            let sequence = Sequence::new(loaded, format.matcher(store), request).map_err(|error| failed(at, error))?;
            running.push((at, tokens, sequence));
        }
        let mut sequences: Vec<&mut Sequence> = running.iter_mut().map(|(_, _, sequence)| sequence).collect();
        let results = pass(loaded, &mut sequences).map_err(|error| failed(0, error))?;
        for ((at, _, _), result) in running.iter().zip(results) {
            result.map_err(|error| failed(*at, error))?;
        }
        let (over, going_on) = running.into_iter().partition(|(_, _, sequence)| sequence.ended().is_some());
        running = going_on;
        for (at, prompt, sequence) in Vec::from_iter(over) as Vec<(usize, Vec<TokenId>, Sequence)> {
            written[at] = Some(Written { prompt, generated: sequence.into_generated() });
        }
    }
    Ok(written.into_iter().flatten().collect())
}

fn place(path: &Path, prompt: &Prompt) -> String {
    format!("{}:{}: ", path.display(), prompt.line)
}

fn request(prompt: Vec<TokenId>, number: usize, args: &Fit) -> Result<Request, Problem> {
    let mut sampling = Sampling { seed: args.seed, ..Sampling::default() };
    args.numbers.0.apply(&mut sampling).map_err(|error| Problem::Usage { message: error.to_string() })?;
    let recording = Recording::EveryPlace { likeliest: LIKELIEST };
    // The comparison is about bytes, so the format may use any tokens.
    let tokens = Some(TokenPolicy::Any);
    Ok(Request { sampling, number: number as u64, recording, tokens, ..Request::new(prompt, args.max_tokens) })
}
