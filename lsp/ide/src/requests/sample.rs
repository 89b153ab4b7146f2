//! Random texts that a format accepts.

use ogc_compiler::pipeline::{self, Format};
use ogc_runtime::vocabulary::shown;
use ogc_workbench::sample::{SampleOptions, samples};

use super::{RequestError, broken};
use crate::snapshot::Snapshot;

/// Texts and the seed that they come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// The texts.
    pub samples: Vec<String>,
    /// The seed.
    pub seed: u64,
}

/// Maximum number of texts per request.
const MOST: usize = 50;

/// Writes texts that a format accepts. The same seed gives the same texts.
///
/// # Errors
/// The format has errors, or no text that is short enough.
pub fn sample(snapshot: &Snapshot, format: &Format, options: SampleOptions) -> Result<Samples, RequestError> {
    let automaton = pipeline::automaton(&snapshot.db, format.clone()).ok_or_else(|| broken(snapshot, format))?;
    let options = SampleOptions { count: options.count.min(MOST), ..options };
    let texts = samples(&automaton, options).map_err(|error| RequestError::Engine(error.to_string()))?;
    Ok(Samples { samples: texts.iter().map(|text| shown(text)).collect(), seed: options.seed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    fn options(count: usize) -> SampleOptions {
        SampleOptions { count, seed: 1, length: 100 }
    }

    #[test]
    fn samples_are_accepted_and_the_same_for_a_seed() {
        let fixture = Fixture::new("output O = { a: int<0..9>, b: \"x\" | \"y\" }\n");
        let format = Format::named(fixture.snapshot.files()[0], "O");
        let first = sample(&fixture.snapshot, &format, options(5)).unwrap();
        assert_eq!(first.samples.len(), 5);
        for text in &first.samples {
            assert!(super::super::attempt(&fixture.snapshot, &format, text, None).unwrap().is_accepted, "{text}");
        }
        assert_eq!(sample(&fixture.snapshot, &format, options(5)).unwrap(), first);
        assert_eq!(sample(&fixture.snapshot, &format, options(9_999)).unwrap().samples.len(), MOST);
    }

    #[test]
    fn a_broken_format_says_why_it_has_no_samples() {
        let fixture = Fixture::new("output O = Nope\n");
        let format = Format::named(fixture.snapshot.files()[0], "O");
        let error = sample(&fixture.snapshot, &format, options(1)).unwrap_err().to_string();
        assert!(error.starts_with("`O` has an error: ") && error.contains("Nope"), "{error}");
    }
}
