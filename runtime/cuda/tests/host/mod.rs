//! The stepping code, compiled for the host. The tests of whole formats outside of this crate use it too.
#![allow(unreachable_pub, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "what is compiled are files; see clippy.toml")]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::rows::compiled_program;
use crate::script::Script;
use ogc_cuda::{DeviceFormat, DeviceVocabulary};

/// Compiles the stepping code for the host, in a folder; `None`, counted as skipped, if there is no compiler. `cuda` is the folder of the
/// crate `ogc-cuda`.
pub fn compiled(cuda: &str, folder: &str) -> Option<String> {
    compiled_program(cuda, "step", folder, &["-fsanitize=undefined", "-fno-sanitize-recover=all"])
}

/// Returns the stepping code's outcomes of scripts, one line each.
pub fn run(program: &str, format: &DeviceFormat, vocabulary: &DeviceVocabulary, scripts: &[Script]) -> Vec<String> {
    let mut input = Vec::new();
    let mut add = |bytes: &[u8]| {
        input.extend((bytes.len() as u32).to_le_bytes());
        input.extend(bytes);
    };
    add(format.bytes());
    add(vocabulary.bytes());
    for script in scripts {
        add(&script.commands.iter().flat_map(|command| command.to_le_bytes()).collect::<Vec<u8>>());
    }
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}
