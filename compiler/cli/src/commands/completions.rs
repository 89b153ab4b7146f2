//! `ogc completions`: writes completion scripts for shells, or the manual page, from the definition of the command
//! line.

use clap::CommandFactory;
use clap_complete::Shell as Script;

use crate::args::{Cli, Completions, ShellName};
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::verdict::Verdict;

pub(crate) fn run(args: &Completions, output: &Output) -> Result<Verdict, Problem> {
    let (shell, text) = match args.shell {
        ShellName::Bash => ("bash", script(Script::Bash)),
        ShellName::Elvish => ("elvish", script(Script::Elvish)),
        ShellName::Fish => ("fish", script(Script::Fish)),
        ShellName::PowerShell => ("powershell", script(Script::PowerShell)),
        ShellName::Zsh => ("zsh", script(Script::Zsh)),
        ShellName::Man => ("man", manual()?),
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    if output.is_json() {
        output.say(&Message::Completions { shell: shell.to_owned(), text })?;
    } else {
        output.data(&text)?;
    }
    Ok(Verdict::Good)
}

fn script(shell: Script) -> Vec<u8> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "ogc", &mut text);
    text
}

/// Makes the manual page of the whole program; the options of each command follow the list of commands.
fn manual() -> Result<Vec<u8>, Problem> {
    let mut command = Cli::command();
    command.build();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("ogc {}", command.get_name()).to_uppercase();
        text.extend(format!(".SH {name:?}\n").into_bytes());
        let man = clap_mangen::Man::new(command.clone());
        man.render_description_section(&mut text)?;
        man.render_synopsis_section(&mut text)?;
        man.render_options_section(&mut text)?;
    }
    Ok(text)
}
