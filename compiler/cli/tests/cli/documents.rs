//! Checks that the commands in README and in the pages of `docs/` write the output shown below them.
//!
//! The fence of a block decides how it is tested:
//!
//! | fence | |
//! |---|---|
//! | `console` | `$ COMMAND` is run, and writes the lines below it; `...` stands for any lines |
//! | `console,figures` | the same, except for numbers: they depend on the machine, or change with the compiler |
//! | `console,recorded` | not run: it needs a model, a server, or a history |
//! | `ogc,file NAME` | a file for the commands after it; `$ cat NAME` in a console also defines a file |
//!
//! The blocks of a page run in one folder, which contains `examples/`. `OGC_BLESS=1` writes the commands' output into
//! the pages.

use std::path::{Path, PathBuf};
use std::process::Command;

use ogc_kit::documents::{self, Block, root};

#[test]
fn commands_in_the_docs_print_the_shown_output() {
    let mut faults = Vec::new();
    let mut commands = 0;
    for page in documents::pages() {
        let folder = folder();
        let text = documents::read(&page);
        let mut blessed = text.clone();
        for block in documents::blocks(&text) {
            let (ran, written) = run_block(&block, folder.path());
            commands += ran;
            if !is_same(&block, &written) {
                faults.push(format!("{}:{}: a command writes\n{written}", page.display(), block.line));
                blessed = blessed.replacen(&block.text, &written, 1);
            }
        }
        if std::env::var_os("OGC_BLESS").is_some() && blessed != text {
            std::fs::write(&page, blessed).expect("a writable page");
        }
    }
    assert!(commands >= 30, "only {commands} commands");
    assert!(faults.is_empty(), "OGC_BLESS=1 accepts:\n{}", faults.join("\n"));
}

/// Makes a folder with the examples, without build outputs.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&root().join("examples"), &folder.path().join("examples"));
    copy(&root().join("examples/imports"), &folder.path().join("imports"));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else if !name.to_string_lossy().contains(".ogca") {
            std::fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// Runs a block; returns its number of commands, and the block with their output.
fn run_block(block: &Block, folder: &Path) -> (usize, String) {
    if let Some(name) = block.fence.strip_prefix("ogc,file ") {
        std::fs::write(folder.join(name), &block.text).expect("a file");
    }
    if !["console", "console,figures"].contains(&block.fence.as_str()) {
        return (0, block.text.clone());
    }
    let mut written = String::new();
    let steps = steps(&block.text);
    for step in &steps {
        written += &format!("$ {}\n", step.command);
        match step.command.strip_prefix("cat ") {
            Some(name) => {
                std::fs::write(folder.join(name), &step.output).expect("a file");
                written += &step.output;
            }
            None => written += &run(&step.command, folder),
        }
    }
    (steps.len(), written)
}

/// A command of a block, and the lines shown below it.
struct Step {
    command: String,
    output: String,
}

/// Splits a block into commands. A command continues on the next line while a quotation is open.
fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        match steps.last_mut() {
            Some(step) if is_open => step.command += &format!("\n{line}"),
            Some(step) if !line.starts_with("$ ") => {
                step.output += &format!("{line}\n");
                continue;
            }
            _ => {
                let command = line.strip_prefix("$ ").expect("a console begins with a command").to_owned();
                steps.push(Step { command, output: String::new() });
            }
        }
        let command = &steps.last().expect("a command").command;
        is_open = command.matches('\'').count() % 2 == 1;
    }
    steps
}

/// Runs a command; returns standard output and error together, without trailing blanks.
fn run(command: &str, folder: &Path) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_ogc"));
    let path = std::env::var("PATH").unwrap_or_default();
    let programs = program.parent().expect("a folder").display().to_string();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(folder).env("PATH", format!("{programs}:{path}"));
    let output = shell.stdin(std::process::Stdio::null()).output().expect("a shell");
    let text = String::from_utf8(output.stdout).expect("text");
    text.trim_end().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns whether a block shows the commands' output; `...` in the block stands for any lines.
fn is_same(block: &Block, written: &str) -> bool {
    let is_about = block.fence == "console,figures";
    let line = |line: &str| if is_about { without_figures(line) } else { line.trim_end().to_owned() };
    let expected: Vec<String> = block.text.lines().map(line).collect();
    let written: Vec<String> = written.lines().map(line).collect();
    matches(&expected, &written)
}

fn matches(expected: &[String], written: &[String]) -> bool {
    match expected.split_first() {
        None => written.is_empty(),
        Some((first, rest)) if first == "..." => (0..=written.len()).any(|from| matches(rest, &written[from..])),
        Some((first, rest)) => {
            written.split_first().is_some_and(|(line, others)| line == first && matches(rest, others))
        }
    }
}

/// Returns a line with `#` for each number, and a single blank for several.
fn without_figures(line: &str) -> String {
    let mut shown = String::new();
    for character in line.trim_end().chars() {
        let is_more = shown.ends_with('#') && matches!(character, '.' | ',');
        match character {
            '0'..='9' if shown.ends_with('#') => {}
            '0'..='9' => shown.push('#'),
            _ if is_more => {}
            ' ' | '\t' if shown.ends_with(' ') => {}
            other => shown.push(other),
        }
    }
    shown
}
