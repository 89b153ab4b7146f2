//! The program `ogc`; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(ogc_cli::run(std::env::args_os().collect()))
}
