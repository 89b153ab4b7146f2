//! Random small schemas against a brute-force model over a small universe of values.
//!
//! 1. Normal forms: every node of a graph has the values that the model accepts, and is empty only if there are none.
//!    Every node that is inhabited has a witness, which the model accepts.
//! 2. The same under limits that stop the algebra early: an error is no verdict.
//! 3. The laws of complements, through the algebra alone.
//!
//! If the algebra cannot express a part, bounds are compared: a value that is certainly in a form is valid, and a valid
//! value is possibly in the form. Each test bounds the share of rejected schemas.
//!
//! `OGC_ROUNDS` sets the number of schema graphs (a long run: 100000), and `OGC_SEED` the first seed. A failure prints
//! its seed, how to repeat it, and the smallest schema that still fails.

mod compare;
mod form;
mod generate;
mod laws;
mod model;
mod named;
mod pattern;
mod print;
mod shrink;
mod universe;
mod witness;

use std::panic::{AssertUnwindSafe, catch_unwind};

use compare::Fates;
use ogc_kit::{Random, setting};
use ogc_schema::Limits;
use ogc_schema::source::Schemas;
use universe::Universe;

/// With fewer rounds, shares are not checked.
const ENOUGH: u64 = 100;

/// Runs one comparison on the schemas of many seeds, and shrinks the first one that fails.
fn over_seeds(rounds: u64, test: impl Fn(u64, &Schemas) -> Result<Fates, String>) -> Fates {
    let (first, rounds) = (setting("OGC_SEED", 1), setting("OGC_ROUNDS", rounds));
    let mut fates = Fates::default();
    let guarded = |seed: u64, schemas: &Schemas| {
        let run = catch_unwind(AssertUnwindSafe(|| test(seed, schemas)));
        run.unwrap_or_else(|_| Err("panics".to_owned()))
    };
    for seed in first..first.saturating_add(rounds) {
        let schemas = generate::schemas(&mut Random::new(seed));
        match guarded(seed, &schemas) {
            Ok(found) => fates.add(&found),
            Err(failure) => {
                let (small, failure) = shrink::shrink(schemas, failure, |next| guarded(seed, next).err());
                let again = format!("OGC_SEED={seed} OGC_ROUNDS=1 cargo test -p ogc-schema --test algebra");
                panic!("{failure}\n{}  again: {again}", print::graph(&small));
            }
        }
    }
    fates
}

/// Fails if more than `percent` of the schemas are rejected, or of the values undecided: the comparisons then show
/// little.
#[allow(clippy::print_stdout, reason = "the test says how many of each fate it saw")]
fn check_shares(fates: &Fates, percent: usize) {
    println!("{fates:?}");
    if setting("OGC_ROUNDS", ENOUGH) < ENOUGH {
        return;
    }
    assert!(fates.refused() * 100 <= fates.schemas() * percent, "too many are refused: {fates:?}");
    assert!(fates.doubtful * 100 <= fates.pairs() * percent, "too many values are in doubt: {fates:?}");
}

#[test]
fn normal_forms_agree_with_the_model() {
    let universe = Universe::new();
    let fates = over_seeds(4_000, |seed, schemas| {
        let mut random = Random::new(!seed);
        let sample = universe.sample(&mut random);
        compare::with_model(schemas, Limits::default(), &sample, &mut random)
    });
    check_shares(&fates, 3);
    assert!(fates.held * 2 > fates.schemas() || setting("OGC_ROUNDS", ENOUGH) < ENOUGH, "too few hold: {fates:?}");
}

/// Where limits stop the algebra, it returns an error; all its verdicts stay true.
#[test]
fn small_limits_refuse_but_never_give_wrong_answers() {
    let universe = Universe::new();
    let fates = over_seeds(1_200, |seed, schemas| {
        let mut random = Random::new(!seed);
        let sample = universe.sample(&mut random);
        let limits = Limits {
            values: 6 + random.below(60),
            arms: 1 + random.below(3),
            written: usize::MAX,
            work: 2 + random.below(16),
            steps: 20 + random.below(300),
            depth: random.below(3),
            regular: ogc_regular::Limits::default(),
        };
        compare::with_model(schemas, limits, &sample, &mut random)
    });
    check_shares(&fates, 15);
}

#[test]
fn the_laws_of_complements_hold() {
    let universe = Universe::new();
    let fates = over_seeds(1_200, |seed, schemas| {
        let mut random = Random::new(!seed);
        let sample = universe.sample(&mut random);
        laws::hold(schemas, random.below(8), &sample)
    });
    check_shares(&fates, 10);
}
