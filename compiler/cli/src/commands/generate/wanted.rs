//! The requested texts: one given by flags, or one for each line of a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use always_assert::never;
use ogc_generate::{GivenSampling, Jump, LoadedModel, Recording, Request, Sampling, Speculation};
use ogc_runtime::vocabulary::TokenId;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::args::Generate;
use crate::files;
use crate::problem::Problem;

/// Number of tokens recorded for each place of a page: this many allowed tokens, and this many refused ones.
const LIKELIEST: usize = 8;

/// Maximum length of a file of requests, in bytes.
const MAX_REQUESTS: u64 = 1 << 28;

/// A requested text.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Line number of the request in its file, from 1; `None` for a request by flags.
    pub(super) line: Option<usize>,
    /// The format's file.
    pub(super) file: PathBuf,
    /// The definition in that file.
    pub(super) definition: Option<String>,
    prompt: String,
    system: Option<String>,
    max_tokens: u32,
    /// The sampling without biases, whose tokens only the model knows.
    sampling: Sampling,
    /// The biases added to logits, by token name.
    bias: Vec<(String, f32)>,
}

/// A line of a file of requests.
#[derive(Debug, Deserialize)]
struct Line {
    prompt: String,
    format: Option<PathBuf>,
    definition: Option<String>,
    system: Option<String>,
    max_tokens: Option<u32>,
    logit_bias: Option<BTreeMap<String, f32>>,
    seed: Option<u64>,
    #[serde(flatten)]
    numbers: GivenSampling,
    #[serde(flatten)]
    unknown: BTreeMap<String, IgnoredAny>,
}

/// Reads the requests.
pub(super) fn all(args: &Generate) -> Result<Vec<Wanted>, Problem> {
    let bias = args.sampling.bias.iter().map(|text| bias(text)).collect::<Result<Vec<_>, _>>()?;
    let Some(path) = &args.requests else {
        let (Some(file), Some(prompt)) = (&args.file, &args.prompt) else {
            never!("the command line has taken neither `--requests` nor a format and a prompt");
            return Err(Problem::Usage { message: "there is no format or no prompt".to_owned() });
        };
        return Ok(vec![Wanted {
            line: None,
            file: file.clone(),
            definition: args.format.definition.clone(),
            prompt: prompt.clone(),
            system: args.system.clone(),
            max_tokens: args.max_tokens,
            sampling: sampling(args.sampling.numbers.0, args.sampling.seed)
                .map_err(|message| Problem::Usage { message })?,
            bias,
        }]);
    };
    let text = files::read_text(path, MAX_REQUESTS)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let wanted = lines.map(|(text, number)| {
        let wrong = |message: &str| Problem::Usage { message: format!("{}:{number}: {message}", path.display()) };
        let line: Line = serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
        of_line(line, number, args, &bias).map_err(|message| wrong(&message))
    });
    let wanted: Vec<Wanted> = wanted.collect::<Result<_, _>>()?;
    if wanted.is_empty() {
        return Err(Problem::Usage { message: format!("{} has no requests", path.display()) });
    }
    Ok(wanted)
}

/// Makes the request of a line; flags fill in what the line omits.
fn of_line(line: Line, number: usize, args: &Generate, bias: &[(String, f32)]) -> Result<Wanted, String> {
    let Some(file) = line.format.or_else(|| args.file.clone()) else {
        return Err(
            "there is no `format`: add one to this line, or name one for all lines on the command line".to_owned()
        );
    };
    if let Some(name) = line.unknown.keys().next() {
        return Err(format!("unknown field `{name}`: remove it"));
    }
    let flags = &args.sampling;
    let sampling = sampling(line.numbers.over(flags.numbers.0), line.seed.unwrap_or(flags.seed))?;
    Ok(Wanted {
        line: Some(number),
        definition: line.definition.or_else(|| args.format.definition.clone()),
        file,
        prompt: line.prompt,
        system: line.system.or_else(|| args.system.clone()),
        max_tokens: line.max_tokens.unwrap_or(args.max_tokens),
        sampling,
        bias: line.logit_bias.map_or_else(|| bias.to_vec(), |bias| bias.into_iter().collect()),
    })
}

/// Makes the sampling from the given values, without biases.
fn sampling(given: GivenSampling, seed: u64) -> Result<Sampling, String> {
    let mut sampling = Sampling { seed, ..Sampling::default() };
    given.apply(&mut sampling).map_err(|error| error.to_string())?;
    Ok(sampling)
}

/// Reads `TOKEN=NUMBER`; the token may contain `=`.
fn bias(text: &str) -> Result<(String, f32), Problem> {
    let read = text.rsplit_once('=').and_then(|(token, number)| Some((token.to_owned(), number.parse::<f32>().ok()?)));
    read.filter(|(token, number)| !token.is_empty() && number.is_finite())
        .ok_or_else(|| Problem::Usage { message: format!("`--bias {text}` is no TOKEN=NUMBER, such as `yes=2.5`") })
}

impl Wanted {
    /// Describes where the text was requested, for messages.
    pub(super) fn place(&self) -> String {
        self.line.map_or_else(String::new, |line| format!("line {line}: "))
    }

    /// Makes the request for the model.
    pub(super) fn request(&self, number: u64, args: &Generate, loaded: &LoadedModel) -> Result<Request, Problem> {
        Ok(Request {
            sampling: self.sampling(loaded)?,
            number,
            jump: if args.no_jump { Jump::Off } else { Jump::Verify },
            tokens: args.tokens,
            speculation: Speculation::of(args.draft.length(), args.speculate),
            recording: match args.html {
                Some(_) => Recording::Passes { likeliest: LIKELIEST },
                None => Recording::Off,
            },
            ..Request::new(self.prompt(args, loaded)?, self.max_tokens)
        })
    }

    fn sampling(&self, loaded: &LoadedModel) -> Result<Sampling, Problem> {
        let bias = self.bias.iter().map(|(token, bias)| Ok((self.token(token, loaded)?, *bias)));
        let bias = bias.collect::<Result<_, Problem>>()?;
        Ok(Sampling { bias, ..self.sampling.clone() })
    }

    /// Finds a token by `#` and its number, by its name, or by its text.
    fn token(&self, name: &str, loaded: &LoadedModel) -> Result<TokenId, Problem> {
        let wrong = |message: String| Problem::Usage { message: format!("{}{message}", self.place()) };
        let width = loaded.model.width();
        if let Some(number) = name.strip_prefix('#').and_then(|number| number.parse::<u32>().ok()) {
            let known = (number as usize) < width;
            return known
                .then_some(TokenId(number))
                .ok_or_else(|| wrong(format!("there is no token {number}: the model has {width} tokens")));
        }
        if let Some(token) = loaded.vocabulary.special(name) {
            return Ok(token);
        }
        match &loaded.tokenizer.text_tokens(name.as_bytes())[..] {
            [only] => Ok(*only),
            several => {
                let numbers: Vec<String> = several.iter().map(|token| format!("#{}", token.0)).collect();
                Err(wrong(format!(
                    "{name:?} is not one token, but {}: give the number of one of them",
                    numbers.join(" ")
                )))
            }
        }
    }

    /// Encodes the prompt as tokens, in the model's chat template unless it is raw.
    fn prompt(&self, args: &Generate, loaded: &LoadedModel) -> Result<Vec<TokenId>, Problem> {
        let tokens = match &loaded.template {
            Some(template) if !args.raw => {
                let framed = template.prompt(self.system.as_deref(), &self.prompt);
                framed.and_then(|prompt| loaded.tokenizer.tokens(&prompt))
            }
            Some(_) => loaded.tokenizer.raw_tokens(&self.prompt),
            None if args.raw => loaded.tokenizer.raw_tokens(&self.prompt),
            None => {
                let message =
                    "the model has no chat template: continue the prompt as it stands with `--raw`".to_owned();
                return Err(Problem::Usage { message });
            }
        };
        tokens.map_err(|error| super::refused(self, &error))
    }

    /// Returns the system message, if there is one, and the prompt.
    pub(super) fn messages(&self) -> (Option<&str>, &str) {
        (self.system.as_deref(), &self.prompt)
    }

    /// Returns the format's file.
    pub(super) fn path(&self) -> &Path {
        &self.file
    }
}
