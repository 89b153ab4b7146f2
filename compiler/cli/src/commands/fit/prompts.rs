//! Reads a file of prompts: one text per line, or, if the file's name ends in `.jsonl`, one JSON object per line.

use std::path::Path;

use ogc_generate::LoadedModel;
use ogc_runtime::vocabulary::TokenId;
use serde::Deserialize;
use serde_json::Value;

use crate::args::Fit;
use crate::files;
use crate::problem::Problem;

/// Maximum length of a file of prompts, in bytes.
const MAX_PROMPTS: u64 = 1 << 26;

/// A prompt of the file.
#[derive(Debug)]
pub(super) struct Prompt {
    /// Its line number, counted from 1.
    pub(super) line: usize,
    said: Said,
}

#[derive(Debug)]
enum Said {
    Text {
        prompt: String,
        system: Option<String>,
    },
    /// Messages in the form of chat interfaces.
    Messages(Vec<Value>),
}

/// A line of a `.jsonl` file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    prompt: Option<String>,
    system: Option<String>,
    messages: Option<Vec<Value>>,
}

/// Reads the prompts.
pub(super) fn read(args: &Fit) -> Result<Vec<Prompt>, Problem> {
    let path = &args.prompts;
    let text = files::read_text(path, MAX_PROMPTS)?;
    let is_jsonl = path.extension().is_some_and(|ending| ending == "jsonl");
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let prompts = lines.map(|(text, line)| {
        let said =
            if is_jsonl { object(text).map_err(|message| wrong(path, line, &message))? } else { plain(text, args) };
        Ok(Prompt { line, said: said.or_system(args) })
    });
    let prompts: Vec<Prompt> = prompts.collect::<Result<_, Problem>>()?;
    if prompts.is_empty() {
        return Err(Problem::Usage { message: format!("{} has no prompts: write one on each line", path.display()) });
    }
    Ok(prompts)
}

fn plain(text: &str, args: &Fit) -> Said {
    Said::Text { prompt: text.to_owned(), system: args.system.clone() }
}

fn object(text: &str) -> Result<Said, String> {
    let line: Line = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match line {
        Line { prompt: Some(prompt), system, messages: None } => Ok(Said::Text { prompt, system }),
        Line { prompt: None, system: None, messages: Some(messages) } if !messages.is_empty() => {
            Ok(Said::Messages(messages))
        }
        _ => Err("expected `prompt`, with or without `system`, or else `messages`".to_owned()),
    }
}

fn wrong(path: &Path, line: usize, message: &str) -> Problem {
    Problem::Usage { message: format!("{}:{line}: {message}", path.display()) }
}

impl Said {
    fn or_system(self, args: &Fit) -> Self {
        match self {
            Self::Text { prompt, system } => Self::Text { prompt, system: system.or_else(|| args.system.clone()) },
            messages @ Self::Messages(_) => messages,
        }
    }
}

impl Prompt {
    /// Encodes the prompt as tokens, in the model's chat template unless it is raw.
    pub(super) fn tokens(&self, args: &Fit, loaded: &LoadedModel) -> Result<Vec<TokenId>, Problem> {
        let told = |error: ogc_generate::GenerateError| wrong(&args.prompts, self.line, &error.to_string());
        let tokens = match (&loaded.template, &self.said) {
            (_, Said::Text { prompt, .. }) if args.raw => loaded.tokenizer.raw_tokens(prompt),
            (Some(template), said) if !args.raw => {
                let framed = match said {
                    Said::Text { prompt, system } => template.prompt(system.as_deref(), prompt),
                    Said::Messages(messages) => template.render(messages, None::<&()>),
                };
                framed.and_then(|framed| loaded.tokenizer.tokens(&framed))
            }
            (_, Said::Messages(_)) if args.raw => {
                return Err(wrong(
                    &args.prompts,
                    self.line,
                    "`messages` need the model's chat template: leave `--raw` out",
                ));
            }
            _ => {
                let message = "the model has no chat template: continue prompts as they stand with `--raw`".to_owned();
                return Err(Problem::Usage { message });
            }
        };
        tokens.map_err(told)
    }
}
