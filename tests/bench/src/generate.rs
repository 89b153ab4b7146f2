//! Measures texts that a model writes: without a format, under one, and with forced runs and guesses that share passes.
//!
//! # Steps
//!
//! 1. [`rows`] measures a pass of the model over several rows: the cost of a draft.
//! 2. [`tasks`] makes the formats, each with a prompt: examples, and schemas of a pack, with strings escaped in any way and in the
//!    canonical one.
//! 3. Each task is written by each [`Arm`] in turn, with the same prompt, sampler and number of tokens; [`table`] sums up.
//!
//! With `--library` an unmodified libllama makes the passes: its free text is the text of llama.cpp itself, and
//! [`rows`] measures its `llama_decode`. Texts with drafts may then differ from texts without drafts at near ties, and
//! are not compared.
//!
//! Times do not include the prompt. Free text is also a format, the format of any text, so that the sampler and the
//! loop are the same.

mod model;
mod rows;
mod table;
mod tasks;

use std::ops::ControlFlow;
use std::sync::Arc;

use ogc_generate::{Jump, LoadedModel, Request, Speculation, Statistics, generate};
use ogc_runtime::automaton::Automaton;
use ogc_runtime::mask::MaskStore;
use ogc_runtime::matcher::Matcher;

use crate::args::Generate;
use tasks::Task;

/// A way to write texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    /// Any text.
    Free,
    /// A text of the format, a pass for each token.
    Constrained,
    /// A text of the format, with forced runs that share a pass.
    Jumping,
    /// A text of the format, with forced runs and guesses from earlier tokens.
    Guessing,
}

/// Cap on the tokens of a guess.
const GUESSED: usize = 4;

impl Arm {
    const ALL: [Arm; 4] = [Arm::Free, Arm::Constrained, Arm::Jumping, Arm::Guessing];

    fn name(self) -> &'static str {
        match self {
            Arm::Free => "free text",
            Arm::Constrained => "constrained",
            Arm::Jumping => "with jumps",
            Arm::Guessing => "and guesses",
        }
    }
}

/// The work of one task in each arm, in their order.
struct Measured {
    task: Task,
    work: [Statistics; 4],
}

/// The model, the masks of its vocabulary, and the format of any text.
struct Bench<'a> {
    args: &'a Generate,
    loaded: LoadedModel,
    store: Arc<MaskStore>,
    free: Arc<Automaton>,
}

/// Measures, and prints tables.
pub(crate) fn run(args: &Generate) -> Result<(), String> {
    let loaded = model::load(args)?;
    println!("{}", rows::table(&loaded)?);
    if args.rows_only {
        return Ok(());
    }
    let store = MaskStore::new(Arc::clone(&loaded.vocabulary));
    let free = ogc_tests::engine::ogc("output O = text\n").map_err(|failure| failure.message)?;
    let bench = Bench { args, loaded, store, free };
    let mut measured = Vec::new();
    for task in tasks::tasks(args)? {
        match bench.measure(&task) {
            Ok(work) => measured.push(Measured { task, work }),
            Err(error) => println!("left out: {}: {error}", task.name),
        }
    }
    println!("{}", table::by_task(&measured));
    println!("{}", table::by_arm(&measured));
    Ok(())
}

impl Bench<'_> {
    /// Writes a task in each arm; free text has as many tokens as the format's.
    fn measure(&self, task: &Task) -> Result<[Statistics; 4], String> {
        let missing = self.loaded.vocabulary.missing_tokens(&task.automaton.tokens);
        if !missing.is_empty() {
            return Err(format!("the model has no tokens {}", missing.join(", ")));
        }
        // Masks are computed at their first use. `maskbench` measures that; here all arms find computed masks.
        self.write(task, Arm::Jumping, self.args.max_tokens)?;
        let constrained = self.write(task, Arm::Constrained, self.args.max_tokens)?;
        let jumping = self.write(task, Arm::Jumping, self.args.max_tokens)?;
        if self.is_exact() && constrained.tokens != jumping.tokens {
            return Err(format!("{} tokens without jumps, {} with them", constrained.tokens, jumping.tokens));
        }
        let guessing = self.write(task, Arm::Guessing, self.args.max_tokens)?;
        if self.is_exact() && constrained.tokens != guessing.tokens {
            return Err(format!("{} tokens without guesses, {} with them", constrained.tokens, guessing.tokens));
        }
        let free = self.write(task, Arm::Free, u32::try_from(constrained.tokens.max(1)).unwrap_or(u32::MAX))?;
        Ok([free, constrained, jumping, guessing])
    }

    /// Returns whether the logits of a position do not depend on other positions in the same pass.
    fn is_exact(&self) -> bool {
        self.args.library.is_none()
    }

    fn write(&self, task: &Task, arm: Arm, max_tokens: u32) -> Result<Statistics, String> {
        let guesses = Speculation::Lookup { most: GUESSED };
        let (automaton, jump, speculation) = match arm {
            Arm::Free => (&self.free, Jump::Off, Speculation::Off),
            Arm::Constrained => (&task.automaton, Jump::Off, Speculation::Off),
            Arm::Jumping => (&task.automaton, Jump::Verify, Speculation::Off),
            Arm::Guessing => (&task.automaton, Jump::Verify, guesses),
        };
        let prompt = match &self.loaded.template {
            Some(template) => template.prompt(None, &task.prompt).map_err(|error| error.to_string())?,
            None => task.prompt.clone(),
        };
        let prompt = self.loaded.tokenizer.tokens(&prompt).map_err(|error| error.to_string())?;
        let mut request = Request::new(prompt, max_tokens);
        (request.jump, request.speculation) = (jump, speculation);
        request.sampling.temperature = self.args.temperature;
        request.sampling.seed = self.args.seed;
        let matcher = Matcher::new(Arc::clone(automaton), Arc::clone(&self.store));
        let written = generate(&self.loaded, matcher, request, |_| ControlFlow::Continue(()));
        Ok(written.map_err(|error| error.to_string())?.statistics)
    }
}
