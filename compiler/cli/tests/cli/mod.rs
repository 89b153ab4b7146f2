//! Runs the commands as users do: their output, the streams they use, and their exit codes.

#![allow(clippy::disallowed_methods, reason = "the command line is about files")]

mod check;
mod codes;
mod diff;
#[cfg(unix)]
mod documents;
#[cfg(feature = "generate")]
mod engine;
mod files;
#[cfg(feature = "generate")]
mod fit;
mod fmt;
#[cfg(feature = "generate")]
mod generate;
mod inspect;
mod levels;
mod lints;
mod lsp;
mod machine;
mod new;
mod ogc;
mod pools;
mod rebuild;
mod report;
mod resources;
mod run;
#[cfg(feature = "generate")]
mod serve;
mod stdin;
mod vocabularies;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A separate folder in which commands run.
struct Folder {
    place: tempfile::TempDir,
}

/// The output and exit code of a command.
#[derive(Debug)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Folder {
    /// Makes a folder with these files.
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self { place: tempfile::tempdir().expect("a folder") };
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a readable file")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ogc"));
        command.args(arguments).current_dir(self.place.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        // A program that rejects its arguments exits before it reads its input.
        match child.stdin.take().expect("its input").write_all(input.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("its input: {error}"),
            _ => {}
        }
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let ran = Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) };
        if arguments.contains(&"--message-format") && arguments.contains(&"json") {
            machine::validate(&ran);
        }
        ran
    }
}

impl Ran {
    /// Returns the JSON messages of one type.
    fn objects(&self, kind: &str) -> Vec<Value> {
        let objects = self.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object a line"));
        objects.filter(|object| object["type"] == kind).collect()
    }
}
