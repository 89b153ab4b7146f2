//! Measures formats whose texts have many readings: compiling, building, masks, and steps along a long text.

use crate::args::Ambiguous;
use crate::tokens::Tokens;
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimits};
use ogc_runtime::matcher::Matcher;
use ogc_runtime::vocabulary::TokenId;
use ogc_tests::ambiguous::{CASES, Case};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs all formats whose names have the given part.
pub(crate) fn run(args: &Ambiguous) -> Result<(), String> {
    let tokens = Tokens::read(&args.vocab)?;
    println!(
        "{:<24}{:>9}{:>9}{:>11}{:>9}{:>10}{:>11}{:>11}{:>11}{:>9}",
        "ms", "compile", "build", "complete", "tokens", "first", "mask mean", "mask max", "step mean", "fork"
    );
    for case in CASES.iter().filter(|case| args.only.as_ref().is_none_or(|part| case.name.contains(part))) {
        println!("{:<24}{}", case.name, row(case, args, &tokens).unwrap_or_else(|error| error));
    }
    Ok(())
}

fn row(case: &Case, args: &Ambiguous, tokens: &Tokens) -> Result<String, String> {
    let begin = Instant::now();
    let automaton = case.compile().map_err(|failure| failure.message)?;
    let compiled = begin.elapsed();
    let (built, complete) = if args.build {
        let begin = Instant::now();
        let store = MaskStore::new(Arc::clone(&tokens.vocabulary));
        let pack = MaskPack::build(&automaton, &store, &PackLimits::default(), |_, _| {});
        let complete = pack.map_err(|error| error.to_string())?.report().complete;
        (begin.elapsed(), complete.to_string())
    } else {
        (Duration::ZERO, "-".to_owned())
    };
    let text = tokens.encode(&(case.text)(args.length))?;
    let store = MaskStore::new(Arc::clone(&tokens.vocabulary));
    store.warm_up(automaton.escapes);
    let mut matcher = Matcher::new(automaton, store);
    let (mut masks, mut steps) = (Vec::new(), Duration::ZERO);
    let mut error = String::new();
    for (at, &token) in text.iter().enumerate() {
        let begin = Instant::now();
        let mask = matcher.mask();
        masks.push(begin.elapsed());
        let begin = Instant::now();
        let read = matcher.accept_token(TokenId(token));
        steps += begin.elapsed();
        let refused = mask.err().or(read.err());
        if let Some(refused) = refused {
            error = format!("  at token {at}: {refused}");
            break;
        }
    }
    if error.is_empty() && !matcher.is_complete() {
        error = "  the text is not complete".to_owned();
    }
    let begin = Instant::now();
    let fork = matcher.fork();
    let forked = begin.elapsed();
    drop(fork);
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let mean = |sum: Duration| ms(sum) / masks.len().max(1) as f64;
    Ok(format!(
        "{:>9.1}{:>9.0}{complete:>11}{:>9}{:>10.1}{:>11.3}{:>11.1}{:>11.4}{:>9.3}{error}",
        ms(compiled),
        ms(built),
        masks.len(),
        ms(masks.first().copied().unwrap_or_default()),
        mean(masks.iter().sum()),
        ms(masks.iter().max().copied().unwrap_or_default()),
        mean(steps),
        ms(forked),
    ))
}
