//! Generates the page `docs/command-line.md` from the definition of the arguments; a test fails if the page is stale.

use clap::{Arg, Command, CommandFactory};
use std::fmt::Write;
use std::path::Path;

use crate::args::Cli;

/// Heading of the options that most commands share.
const SHARED: &str = "Format";

/// The command from which the page takes the shared options.
const SHOWN_OF: &str = "build";

#[test]
fn the_page_of_the_command_line_is_fresh() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command-line.md");
    let written = written();
    if std::env::var_os("OGC_BLESS").is_some() {
        std::fs::write(&page, &written).expect("a writable page");
    }
    let kept = std::fs::read_to_string(&page).unwrap_or_default();
    assert!(kept == written, "{} is stale; OGC_BLESS=1 writes it anew", page.display());
}

fn written() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut page = String::from(
        "# Command line\n\n<!-- Written by a test of compiler/cli from the definition of the arguments: \
         OGC_BLESS=1 cargo test -p ogc --lib documented -->\n\n\
         `ogc COMMAND --help` prints the same. [The command line](start/command-line.md) shows the commands at work, and [Messages and \
         exit codes](../compiler/cli/MESSAGES.md) what programs read.\n\n",
    );
    let commands: Vec<&Command> = cli.get_subcommands().filter(|command| command.get_name() != "help").collect();
    page += "| command | |\n|---|---|\n";
    for command in &commands {
        writeln!(page, "| [`ogc {0}`](#ogc-{0}) | {1} |", command.get_name(), about(command)).expect("a string");
    }
    for command in &commands {
        section(&mut page, command);
    }
    let shown = commands.iter().find(|command| command.get_name() == SHOWN_OF).expect("the command");
    page += "\n## Options of formats\n\nCommands that compile formats have these. [Settings](settings.md) say the same for all files of a folder, and \
             `.ogc` files have [policies](reference/policies.md).\n\n";
    shown.get_arguments().filter(|arg| heading(arg) == SHARED).for_each(|arg| item(&mut page, arg));
    page
}

/// Writes the section of a command: its purpose, its usage, and its arguments by heading.
fn section(page: &mut String, command: &Command) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    write!(page, "\n## `ogc {}`\n\n{}.\n\n```text\n{usage}\n```\n\n", command.get_name(), about(command))
        .expect("a string");
    let mut headings: Vec<&str> = Vec::new();
    for arg in arguments(command) {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    for shown in headings.iter().filter(|shown| **shown != SHARED) {
        if !shown.is_empty() {
            write!(page, "\n{shown}:\n\n").expect("a string");
        }
        arguments(command).filter(|arg| heading(arg) == *shown).for_each(|arg| item(page, arg));
    }
    if headings.contains(&SHARED) {
        *page += "\nIt has the [options of formats](#options-of-formats), too.\n";
    }
    if let Some(examples) = command.get_after_help().map(ToString::to_string) {
        let lines: Vec<&str> = examples.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        write!(page, "\n```text\n{}\n```\n", lines.join("\n")).expect("a string");
    }
}

/// Returns the arguments of a command, without those that all commands have.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let common = ["help", "version", "message_format"];
    command.get_arguments().filter(move |arg| !common.contains(&arg.get_id().as_str()) && !arg.is_hide_set())
}

fn heading(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or_default()
}

/// Writes an argument as a list item.
fn item(page: &mut String, arg: &Arg) {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    write!(page, "- `{}`: {}", name(arg), escaped(&one_paragraph(&help))).expect("a string");
    let values = arg.get_possible_values();
    if !values.is_empty() && arg.get_action().takes_values() {
        let shown = values.iter().filter(|value| !value.is_hide_set()).map(|value| {
            let help = value.get_help().map(|help| format!(" ({})", escaped(&help.to_string()))).unwrap_or_default();
            format!("`{}`{help}", value.get_name())
        });
        write!(page, ". Values: {}", shown.collect::<Vec<String>>().join(", ")).expect("a string");
    }
    let defaults: Vec<String> = arg.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        write!(page, ". Default: {}", defaults.join(", ")).expect("a string");
    }
    *page += "\n";
}

/// Joins the paragraphs of a help text, of which only those after the first end in full stops.
fn one_paragraph(help: &str) -> String {
    let paragraphs: Vec<&str> = help.split("\n\n").map(|paragraph| paragraph.trim_end_matches('.')).collect();
    paragraphs.join(". ")
}

/// Returns an argument as users type it: `-o, --output <DIR>`, or `<PATHS>...`.
fn name(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}"));
    let long = arg.get_long().map(|long| format!("--{long}"));
    let flags: Vec<String> = short.into_iter().chain(long).collect();
    if flags.is_empty() {
        return arg.to_string();
    }
    let values = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let values: Vec<String> = values.unwrap_or_default().iter().map(|value| format!(" <{value}>")).collect();
    flags.join(", ") + &values.concat()
}

fn about(command: &Command) -> String {
    escaped(&command.get_about().map(ToString::to_string).unwrap_or_default())
}

/// Converts a help text to Markdown: escapes the characters that Markdown would interpret, except in backquotes.
fn escaped(text: &str) -> String {
    let mut parts = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        parts.push(if is_code {
            part.to_owned()
        } else {
            part.replace('<', "\\<").replace('*', "\\*").replace('[', "\\[")
        });
    }
    parts.join("`").replace('\n', " ")
}
