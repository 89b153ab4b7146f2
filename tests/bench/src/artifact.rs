//! Runs this project's engine from artifacts: each schema is built ahead of time, its bytes are loaded, and masks come
//! from there. Building and stepping have separate stores, so that stepping reuses no row found while building.

use crate::engine::{Engine, Format, Refusal, Sequence};
use crate::ours::{Budget, OurSequence};
use crate::tokens::Tokens;
use ogc_runtime::artifact::{self, Artifact, LoadError};
use ogc_runtime::automaton::{Automaton, Rule};
use ogc_runtime::mask::{MaskPack, MaskStore, PackLimit, PackLimits, RowPoolBuilder};
use ogc_runtime::matcher::Matcher;
use ogc_tests::engine::{Policy, Reading, schema};
use std::sync::Arc;
use std::time::Instant;

/// This project's engine, with masks from artifacts.
pub(crate) struct Artifacts {
    build: Arc<MaskStore>,
    step: Arc<MaskStore>,
    reading: Reading,
    policy: Policy,
    budget: Budget,
    /// The rows of all artifacts so far, as they would be in a shared pool.
    pool: RowPoolBuilder,
}

/// The bytes of an artifact, and its size if its rows were in a pool.
struct Built {
    bytes: Vec<u8>,
    /// The bytes of the artifact if its rows are in a pool.
    beside_pool: usize,
    /// The bytes by which the pool grew.
    growth: usize,
    incomplete: Option<String>,
    nanos: u64,
}

impl Artifacts {
    /// Loads the vocabulary.
    pub(crate) fn new(tokens: &Tokens, reading: Reading, policy: Policy, budget: Budget) -> Artifacts {
        let [build, step] = [(); 2].map(|()| MaskStore::new(Arc::clone(&tokens.vocabulary)));
        let pool = RowPoolBuilder::new(&tokens.vocabulary);
        Artifacts { build, step, reading, policy, budget, pool }
    }

    fn build(&mut self, text: &str, policy: Policy) -> Result<Built, Refusal> {
        let begin = Instant::now();
        let automaton = schema(text, &self.reading, policy);
        let automaton = automaton.map_err(|failure| Refusal { code: failure.code, message: failure.message })?;
        let pack = MaskPack::build(&automaton, &self.build, &PackLimits::default(), |_, _| {});
        let pack = pack.map_err(|error| refusal("pack", &error))?;
        let incomplete = incomplete(&pack, &automaton);
        let format = artifact::Format::new(automaton);
        let bytes = artifact::write(&format, Some(&pack));
        let before = self.pool.bytes();
        self.pool.add(&pack).map_err(|error| refusal("pool", &error))?;
        let growth = self.pool.bytes() - before;
        let beside_pool = artifact::write_pooled(&format, &pack).len();
        let nanos = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(Built { bytes, beside_pool, growth, incomplete, nanos })
    }

    fn format(&mut self, text: &str, policy: Policy) -> Result<Loaded, Refusal> {
        let Built { bytes, beside_pool, growth, incomplete, nanos } = self.build(text, policy)?;
        let len = bytes.len();
        let artifact = Artifact::load(bytes);
        let artifact = artifact.map_err(|error| refusal("load", &error))?;
        let sizes = [len as u64, beside_pool as u64, growth as u64];
        Ok(Loaded {
            artifact,
            store: Arc::clone(&self.step),
            budget: self.budget,
            build_nanos: nanos,
            sizes,
            incomplete,
        })
    }
}

fn refusal(code: &str, error: &LoadError) -> Refusal {
    Refusal { code: code.to_owned(), message: error.to_string() }
}

impl Engine for Artifacts {
    fn name(&self) -> &'static str {
        "ogc"
    }

    fn mode(&self) -> &'static str {
        "artifact"
    }

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Format>, Refusal> {
        self.format(schema, self.policy).map(|format| Box::new(format) as Box<dyn Format>)
    }

    fn compile_any_order(&mut self, schema: &str) -> Option<Box<dyn Format>> {
        let policy = Policy { any_order: true, ..self.policy };
        let format = (policy != self.policy).then(|| self.format(schema, policy).ok());
        format.flatten().map(|format| Box::new(format) as Box<dyn Format>)
    }
}

struct Loaded {
    artifact: Artifact,
    store: Arc<MaskStore>,
    budget: Budget,
    build_nanos: u64,
    /// The bytes of the artifact, the bytes if its rows are in a pool, and the bytes by which the pool grew.
    sizes: [u64; 3],
    incomplete: Option<String>,
}

/// Names the limit that left rows out of a pack, and the rule that lacks most; `None` if the pack is complete.
fn incomplete(pack: &MaskPack, automaton: &Automaton) -> Option<String> {
    let report = pack.report();
    if report.complete {
        return None;
    }
    let cause = match pack.stopped_by() {
        Some(PackLimit::Work { .. }) => "the work of the build",
        Some(PackLimit::Part { .. }) => "the work of one group",
        Some(PackLimit::Memory { .. }) => "the memory of the build",
        Some(PackLimit::Frames { .. }) => "the number of frames",
        Some(PackLimit::Bases { .. }) => "the number of groups of frames",
        Some(PackLimit::Tails { .. }) => "the number of tails",
        Some(PackLimit::Rows { .. }) => "the bytes of rows",
        Some(PackLimit::Ways { .. }) => "the ways through one frame",
        None => "no limit",
    };
    let lacking = |rule: &&Rule| pack.part_time(rule.state_ids()).map_or(0, |part| part.left_out);
    let rule = automaton.rules.iter().max_by_key(lacking).filter(|rule| lacking(rule) > 0);
    let rule = rule.map(|rule| format!(", most of `{}`", rule.name)).unwrap_or_default();
    Some(format!("{cause}: {} frames and {} tails{rule}", report.frames_left_out, report.tails_left_out))
}

impl Loaded {
    fn matcher(&self) -> Result<Matcher, String> {
        self.artifact.matcher(Arc::clone(&self.store)).map_err(|error| error.to_string())
    }
}

impl Format for Loaded {
    fn first_mask(&mut self) -> Result<(), String> {
        self.matcher()?.mask().map(drop).map_err(|error| error.to_string())
    }

    fn start(&mut self, expected: usize) -> Result<Box<dyn Sequence + '_>, String> {
        Ok(Box::new(OurSequence::start(self.matcher()?, self.budget, expected)?))
    }

    fn build_nanos(&self) -> Option<u64> {
        Some(self.build_nanos)
    }

    fn incomplete(&self) -> Option<&str> {
        self.incomplete.as_deref()
    }

    fn notes(&self) -> Vec<(&'static str, u64)> {
        let report = self.artifact.masks().map(|masks| masks.report()).unwrap_or_default();
        vec![
            ("artifact_bytes", self.sizes[0]),
            ("beside_pool_bytes", self.sizes[1]),
            ("pool_bytes", self.sizes[2]),
            ("artifacts_complete", u64::from(report.complete)),
            ("rows", report.rows as u64),
            ("row_bytes", report.row_bytes as u64),
            ("frames_left_out", report.frames_left_out as u64),
            ("tails_left_out", report.tails_left_out as u64),
        ]
    }
}
