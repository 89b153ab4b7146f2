//! Measures masks, compile times and verdicts over a corpus, of this engine and of a peer in one process.
//!
//! `maskbench PACK --vocab TOKENIZER` compiles each schema, writes each instance as Python's `json.dumps` does,
//! tokenises it canonically and steps through it: a step accepts one token and computes the next mask. With both
//! engines, each schema goes through one and then the other; the order alternates.
//!
//! `edits --vocab TOKENIZER` measures the time from an edit of an `.ogc` file to its findings and artifacts.
//!
//! `ambiguous --vocab TOKENIZER` measures formats whose texts have many readings.
//!
//! `server` measures the language server through its pipes.
//!
//! `generate --model GGUF` measures texts that a model writes, free and under formats.
//!
//! `llama` compares samplers of formats with llama.cpp's own, with a model of llama.cpp.
//!
//! `forced PACK --vocab TOKENIZER` counts the tokens that the formats of a corpus force.
//!
//! `device PACK --vocab TOKENIZER` compares the kernels of devices with the matcher, in the interpreter of PTX.
//!
//! `tools PACK --vocab TOKENIZER` measures lists of tools that change from request to request.
//!
//! # Steps
//!
//! 1. [`tokens`] reads the vocabulary and the canonical tokeniser; `ogc_tests::corpus` reads the pack.
//! 2. [`engine`] is the interface of engines; [`peer`], [`ours`] and [`artifact`] implement it.
//! 3. [`measure`] runs one schema with one engine, and counts in a [`tally`].
//! 4. [`table`] writes the report for people, in addition to JSON for machines; [`why`] explains single cases.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line")]
#![allow(clippy::disallowed_methods, reason = "packs, tokenizers and results are files; see clippy.toml")]

mod ambiguous;
mod args;
mod artifact;
mod device;
mod edits;
mod engine;
mod forced;
mod generate;
mod llama;
mod measure;
mod memory;
mod ours;
mod peer;
mod samples;
mod server;
mod table;
mod tally;
mod tokens;
mod tools;
mod verdict;
mod why;

use args::{Cli, Command, EngineName, Maskbench, Order};
use clap::Parser;
use engine::Engine;
use measure::Bench;
use ogc_kit::Random;
use ogc_tests::corpus::{self, Case};
use ogc_tests::engine::{Policy, Reading, Space};
use ogc_tests::siblings::Siblings;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use tally::{Report, Tally, Title};
use tokens::Tokens;
use verdict::Prepared;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Maskbench(args) => maskbench(&args),
        Command::Ambiguous(args) => ambiguous::run(&args),
        Command::Edits(args) => edits::run(&args),
        Command::Server(args) => server::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Llama(args) => llama::run(&args),
        Command::Forced(args) => forced::run(&args),
        Command::Device(args) => device::run(&args),
        Command::Tools(args) => tools::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn maskbench(args: &Maskbench) -> Result<(), String> {
    let tokens = Tokens::read(&args.vocab)?;
    let cases = corpus::cases(&args.pack).map_err(|error| format!("{}: {error}", args.pack.display()))?;
    let siblings = Some(Arc::new(Siblings::of(&cases)));
    let prepared = prepare(cases, args, &tokens)?;
    let mut engines = engines(args, &tokens, &Reading { siblings, ..Reading::asserting() })?;
    let mut tallies = Vec::new();
    for _ in 0..args.repeat.max(1) {
        tallies = vec![Tally::default(); engines.len()];
        run(args, &tokens, &prepared, &mut engines, &mut tallies);
    }
    write_csv(args, &engines, &tallies)?;
    let timer = timer_us();
    let reports: Vec<Report> = engines
        .iter()
        .zip(tallies)
        .map(|(engine, tally)| tally.report(title(args, &tokens, &**engine), timer))
        .collect();
    reports.iter().for_each(|report| println!("{}", table::render(report)));
    write_json(args, &reports)
}

/// Tokenises the chosen cases.
fn prepare(cases: Vec<Case>, args: &Maskbench, tokens: &Tokens) -> Result<Vec<Prepared>, String> {
    chosen(cases, args).into_iter().map(|case| prepare_case(case, tokens)).collect()
}

fn prepare_case(case: Case, tokens: &Tokens) -> Result<Prepared, String> {
    let encoded: Result<_, String> = case.tests.iter().map(|test| tokens.encode(&test.text)).collect();
    let tokens = encoded.map_err(|error| format!("{}: {error}", case.id))?;
    Ok(Prepared { case, tokens })
}

fn chosen(mut cases: Vec<Case>, args: &Maskbench) -> Vec<Case> {
    let only: Vec<&String> = args.only.iter().chain(&args.why).collect();
    if !only.is_empty() {
        cases.retain(|case| only.iter().any(|part| case.id.contains(part.as_str())));
    }
    let Some(limit) = args.limit else { return cases };
    let sample = Random::new(args.seed).sample(cases.len(), limit);
    let mut chosen: Vec<Option<Case>> = cases.into_iter().map(Some).collect();
    sample.into_iter().filter_map(|index| chosen.get_mut(index)?.take()).collect()
}

fn engines(args: &Maskbench, tokens: &Tokens, reading: &Reading) -> Result<Vec<Box<dyn Engine>>, String> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    if args.engine != Some(EngineName::Llguidance) {
        let space = Space::named(&args.space).ok_or("--space is any, compact or spaced")?;
        let policy = Policy { any_order: args.order == Order::Any, space, ..Policy::default() };
        engines.push(Box::new(ours::Ours::new(tokens, reading.clone(), policy, args.budget)));
        if args.artifact {
            engines.push(Box::new(artifact::Artifacts::new(tokens, reading.clone(), policy, args.budget)));
        }
    }
    if args.engine != Some(EngineName::Ogc) {
        engines.push(Box::new(peer::Peer::new(tokens, args.peer_forces)?));
    }
    Ok(engines)
}

fn run(
    args: &Maskbench,
    tokens: &Tokens,
    prepared: &[Prepared],
    engines: &mut [Box<dyn Engine>],
    tallies: &mut [Tally],
) {
    let why = args.why.as_deref().map(|id| why::Why { id, tokens });
    let mut buffer = vec![0; tokens.vocabulary.padded_len().div_ceil(32)];
    let begin = Instant::now();
    for (index, case) in prepared.iter().enumerate() {
        for turn in 0..engines.len() {
            let at = (index + turn) % engines.len();
            let (Some(engine), Some(tally)) = (engines.get_mut(at), tallies.get_mut(at)) else { continue };
            let first_only = args.first_only;
            let mut bench = Bench { tally, buffer: &mut buffer, first_only, why: why.as_ref() };
            measure::schema(&mut **engine, case, &mut bench);
        }
        progress(index + 1, prepared.len(), begin);
    }
}

fn progress(done: usize, all: usize, begin: Instant) {
    if done.is_multiple_of(100) && std::io::stderr().is_terminal() {
        eprint!("\r{done} of {all} schemas, {:.0} s ", begin.elapsed().as_secs_f64());
    }
}

fn title(args: &Maskbench, tokens: &Tokens, engine: &dyn Engine) -> Title {
    let settings = if engine.name() == "llguidance" {
        format!("flexible white space, forcing {}", if args.peer_forces { "on" } else { "off" })
    } else {
        let budget = args.budget.map(|spare| format!(", {spare} tokens to spare")).unwrap_or_default();
        format!("space {}, order {:?}{budget}", args.space, args.order).to_lowercase()
    };
    let vocab = tokens.vocabulary.name().to_owned();
    Title { engine: engine.name(), mode: engine.mode(), vocab, settings }
}

/// Measures the time of one reading of the clock, in microseconds.
fn timer_us() -> f64 {
    const READINGS: u32 = 100_000;
    let begin = Instant::now();
    for _ in 0..READINGS {
        std::hint::black_box(Instant::now());
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(READINGS)
}

fn write_json(args: &Maskbench, reports: &[Report]) -> Result<(), String> {
    let Some(path) = &args.json else { return Ok(()) };
    let json = serde_json::to_string_pretty(reports).map_err(|error| error.to_string())?;
    std::fs::write(path, json).map_err(|error| format!("{}: {error}", path.display()))
}

fn write_csv(args: &Maskbench, engines: &[Box<dyn Engine>], tallies: &[Tally]) -> Result<(), String> {
    let Some(path) = &args.csv else { return Ok(()) };
    let mut text = String::from("engine,mode,schema,us,refusal\n");
    for (engine, tally) in engines.iter().zip(tallies) {
        for first in &tally.first_by_schema {
            let refusal = first.refusal.as_deref().unwrap_or_default();
            text += &format!("{},{},{},{:.1},{refusal}\n", engine.name(), engine.mode(), first.schema, first.us);
        }
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
