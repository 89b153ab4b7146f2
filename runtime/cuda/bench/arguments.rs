//! The command-line arguments of the program.

/// The parsed arguments.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    /// Whether nothing is launched.
    pub(crate) dry_run: bool,
    /// Numbers of rows to measure.
    pub(crate) rows: Vec<u32>,
    /// Launches per measurement; by default as many as make the time exact.
    pub(crate) launches: Option<u32>,
}

/// Cap on the number of rows, and on the launches of a measurement.
const MOST: u32 = 100_000;

impl Arguments {
    /// Parses arguments.
    ///
    /// # Errors
    /// A message that names the fault.
    pub(crate) fn read(mut given: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self { dry_run: false, rows: vec![1, 8, 64, 256], launches: None };
        while let Some(name) = given.next() {
            match name.as_str() {
                "--dry-run" => arguments.dry_run = true,
                "--rows" => {
                    let list = given.next().unwrap_or_default();
                    arguments.rows = list.split(',').map(|count| number(&name, count)).collect::<Result<_, _>>()?;
                }
                "--launches" => arguments.launches = Some(number(&name, &given.next().unwrap_or_default())?),
                _ => {
                    let usage = "usage: ogc-cuda-bench [--dry-run] [--rows 1,8,64,256] [--launches N]";
                    return Err(format!("{name:?} is no argument\n{usage}"));
                }
            }
        }
        Ok(arguments)
    }
}

fn number(name: &str, text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("{name} takes numbers from 1 to {MOST}, not {text:?}"))
}
