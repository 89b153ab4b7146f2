//! Examples for the help of each command, and the grouped list of commands in `ogc --help`. Tests run the parser on the
//! examples, and check that the list is complete.

/// The commands in groups, which clap's own list does not support.
macro_rules! template {
    ($($model:literal,)*) => {
        concat!(
            "{about-with-newline}\n{usage-heading} {usage}\n\n",
            "Write formats:\n",
            "  new          Create a small format with tests from a template\n",
            "  fmt          Format .ogc files\n",
            "  check        Compile formats and report what is wrong with them\n",
            "  test         Run the tests in .ogc files\n",
            "  explain      Explain a diagnostic code, or list all codes\n",
            "  lsp          Run the language server for an editor, on standard input and output\n",
            "\nUse formats:\n",
            "  build        Compile formats and their token masks into artifacts (.ogca)\n",
            "  run          Match a text against a format: show how far it is accepted, and what was expected there\n",
            "  sample       Generate random texts of a format\n",
            "  export       Write a format in another notation, or as a description for a model's prompt\n",
            $($model,)*
            "\nLook into formats:\n",
            "  import       Show what becomes of each keyword of a schema, or write a structural tag as .ogc\n",
            "  diff         Compare two formats, or two revisions of one: which texts does only one of them accept\n",
            "  cost         Show what a format costs in states, rows and time, rule by rule\n",
            "  report       Write an HTML page about a format: diagrams, costs, masks, samples\n",
            "  inspect      Show a format at one stage of its compilation\n",
            "\nThis program:\n",
            "  completions  Write a shell's completion script, or the manual page\n",
            "  help         Print this message or the help of the given subcommand(s)\n",
            "\nOptions:\n{options}{after-help}",
        )
    };
}

/// The layout of `ogc --help`.
#[cfg(feature = "generate")]
pub(crate) const TEMPLATE: &str = template!(
    "\nHave a model write:\n",
    "  generate     Write a text of a format with a language model on this machine\n",
    "  serve        Serve a model with formats over HTTP, in OpenAI's interface\n",
    "  fit          Find where a language model and a format disagree, over many prompts\n",
);

/// The layout of `ogc --help`, without the commands that need a model.
#[cfg(not(feature = "generate"))]
pub(crate) const TEMPLATE: &str = template!();

pub(crate) const NEW: &str = "Examples:\n  ogc new order.ogc\n  ogc new --list";
pub(crate) const FMT: &str = "Examples:\n  ogc fmt formats\n  ogc fmt --check formats";
pub(crate) const CHECK: &str = "Examples:\n  ogc check formats\n  ogc check --fix order.ogc\n  ogc check --vocab tokenizer.json -D large-repetition order.ogc";
pub(crate) const BUILD: &str =
    "Examples:\n  ogc build formats\n  ogc build order.schema.json --vocab tokenizer.json -o artifacts";
pub(crate) const RUN: &str = "Examples:\n  ogc run order.ogc '{\"lines\":[]}'\n  ogc run order.schema.json --file answer.json\n  ogc run order.ogc --jsonl --file answers.jsonl";
pub(crate) const TEST: &str = "Examples:\n  ogc test formats\n  ogc test order.ogc";
pub(crate) const SAMPLE: &str = "Examples:\n  ogc sample order.ogc\n  ogc sample order.ogc -d Line -n 20 --seed 7";
pub(crate) const DIFF: &str =
    "Examples:\n  ogc diff old.ogc new.ogc\n  ogc diff --since v1.0 order.schema.json --expect wider";
#[cfg(feature = "generate")]
pub(crate) const GENERATE: &str = "Examples:\n  ogc generate order.ogc --model model.gguf --prompt 'Three pens, please.'\n  ogc generate order.ogc --model model.gguf --requests prompts.jsonl";
#[cfg(feature = "generate")]
pub(crate) const FIT: &str = "Example:\n  ogc fit order.ogc --model model.gguf --prompts prompts.txt";
#[cfg(feature = "generate")]
pub(crate) const SERVE: &str = "Examples:\n  ogc serve --model model.gguf --folder formats\n  ogc serve --upstream http://127.0.0.1:8000 --dialect vllm";
pub(crate) const EXPORT: &str = "Examples:\n  ogc export order.ogc --to json-schema\n  ogc export order.ogc --to gbnf\n  ogc export order.ogc --to prompt";
pub(crate) const IMPORT: &str = "Example:\n  ogc import order.schema.json --report";
pub(crate) const EXPLAIN: &str = "Examples:\n  ogc explain empty-format\n  ogc explain";
pub(crate) const INSPECT: &str =
    "Examples:\n  ogc inspect order.ogc --stage automaton\n  ogc inspect order.ogc --at '{' --token '\"lines'";
pub(crate) const COST: &str = "Example:\n  ogc cost order.ogc --rules 5";
pub(crate) const REPORT: &str = "Example:\n  ogc report order.ogc -o order.html";
pub(crate) const LSP: &str = "Example:\n  ogc lsp --stdio";
pub(crate) const COMPLETIONS: &str = "Examples:\n  ogc completions bash\n  ogc completions man";

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn help_groups_every_command() {
        for command in Cli::command().get_subcommands() {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let line = format!("\n  {:<13}{about}\n", command.get_name());
            assert!(super::TEMPLATE.contains(&line), "the groups of `ogc --help` lack{line}");
        }
    }

    #[test]
    fn examples_of_every_command_parse() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ogc ")).collect();
            assert!(!examples.is_empty(), "`ogc {} --help` has no example", command.get_name());
            for example in examples {
                assert!(example.starts_with(command.get_name()), "{example}");
                let parsed = Cli::try_parse_from(words(&format!("ogc {example}")));
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }

    /// Splits a line like a shell; examples use only single quotes.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for character in line.chars() {
            match character {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                other => words.last_mut().expect("a word").push(other),
            }
        }
        words
    }
}
