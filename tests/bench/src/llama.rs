//! Compares two samplers of formats in one process with an unmodified libllama: its own sampler of a grammar, and the
//! sampler of ogc. Model, prompts and formats are the same; the formats are those of the tests of `ogc-capi` that GBNF
//! can express.
//!
//! # Steps
//!
//! 1. [`export`] writes each format as GBNF, for the sampler of llama.cpp; ogc reads the format as it is.
//! 2. Each [`Arm`] writes a text for each pair of a prompt and a format; the order of the arms rotates. [`mod@write`]
//!    measures its steps.
//! 3. An independent judge checks the texts; [`table`] sums up.
//!
//! The time of the sampler is the time for work that llama.cpp would not do without a format: looking at candidates,
//! accepting the token, and choosing again if the first choice was rejected. The time to make a sampler is reported
//! separately: for reading the grammar, for each text; or for compiling the format, once.

mod export;
#[allow(dead_code, reason = "these are of the tests, which need more")]
#[path = "../../../runtime/capi/tests/llama/formats.rs"]
mod formats;
#[allow(dead_code, reason = "these are of the tests, which need more")]
#[path = "../../../runtime/capi/tests/llama/library.rs"]
mod library;
#[allow(dead_code, reason = "these are of the tests, which need more")]
#[path = "../../../runtime/capi/tests/llama/samplers.rs"]
mod samplers;
mod table;
mod write;

use std::time::{Duration, Instant};

use ogc_capi::{ogc_format, ogc_vocabulary};

use crate::args::Llama as Args;
use formats::{Case, FORMATS, PROMPTS};
use library::{Chain, Llama};
use write::{Order, Texts, Work};

/// A way to enforce a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    Theirs(Order),
    Ours(Order),
    /// With the number of tokens as a budget, so that no text is cut off.
    Bounded,
}

impl Arm {
    const ALL: [Arm; 5] = [
        Arm::Theirs(Order::MaskFirst),
        Arm::Theirs(Order::SampleFirst),
        Arm::Ours(Order::MaskFirst),
        Arm::Ours(Order::SampleFirst),
        Arm::Bounded,
    ];

    fn name(self) -> &'static str {
        match self {
            Arm::Theirs(Order::MaskFirst) => "llama.cpp, all tokens",
            Arm::Theirs(Order::SampleFirst) => "llama.cpp, sample first",
            Arm::Ours(Order::MaskFirst) => "ogc, all tokens",
            Arm::Ours(Order::SampleFirst) => "ogc, sample first",
            Arm::Bounded => "ogc, with a budget",
        }
    }

    fn order(self) -> Order {
        match self {
            Arm::Theirs(order) | Arm::Ours(order) => order,
            Arm::Bounded => Order::MaskFirst,
        }
    }
}

/// A format in the forms of both engines.
struct Task {
    case: &'static Case,
    gbnf: String,
    format: *mut ogc_format,
}

/// Measures, and prints a table.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let models = std::env::var_os("OGC_MODELS").map_or_else(|| args.models.clone(), Into::into);
    let (folder, model) = (models.join("llama.cpp-0.5.0"), models.join(&args.model));
    for path in [&folder, &model] {
        if !path.exists() {
            println!("skipped: no {} (tests/models/fetch installs it)", path.display());
            return Ok(());
        }
    }
    let mut llama = Llama::load(&folder, &model, 1024);
    let vocabulary = samplers::vocabulary(&llama);
    let (tasks, compiling) = tasks();
    let mut work = Arm::ALL.map(|_| Work::default());
    for pair in 0..args.texts {
        let task = &tasks[pair % tasks.len()];
        let prompt = samplers::prompt(PROMPTS[pair % PROMPTS.len()]);
        let read = llama.tokens(&prompt);
        llama.forget_from(0);
        llama.read(&read, false);
        for turn in 0..Arm::ALL.len() {
            let at = (pair + turn) % Arm::ALL.len();
            let begin = Instant::now();
            let Some(sampler) = sampler(&llama, Arm::ALL[at], task, (vocabulary, args.max_tokens)) else {
                return Err(format!("{}: llama.cpp refuses its grammar:\n{}", task.case.name, task.gbnf));
            };
            work[at].making += begin.elapsed();
            let texts = Texts { prompt: &read, max_tokens: args.max_tokens, temperature: args.temperature, seed: pair };
            texts.write(&mut llama, sampler, Arm::ALL[at].order(), task.case, &mut work[at]);
        }
    }
    println!("{}", table::render(&work, tasks.len(), compiling));
    Ok(())
}

/// Compiles the formats that GBNF can express; also returns the time that ogc took for them.
fn tasks() -> (Vec<Task>, Duration) {
    let mut compiling = Duration::ZERO;
    let mut tasks = Vec::new();
    for case in &FORMATS {
        match export::gbnf(case) {
            Ok(gbnf) => {
                let begin = Instant::now();
                let format = samplers::compiled(case);
                compiling += begin.elapsed();
                tasks.push(Task { case, gbnf, format });
            }
            Err(why) => println!("left out: {}: {why}", case.name),
        }
    }
    (tasks, compiling)
}

/// Makes the sampler of an arm.
fn sampler(llama: &Llama, arm: Arm, task: &Task, ours: (*const ogc_vocabulary, u32)) -> Option<Chain> {
    let (vocabulary, max_tokens) = ours;
    match arm {
        Arm::Theirs(_) => llama.grammar(&task.gbnf),
        Arm::Ours(_) => Some(llama.own(samplers::sampler(task.format, vocabulary, 0))),
        Arm::Bounded => Some(llama.own(samplers::sampler(task.format, vocabulary, max_tokens))),
    }
}
