//! Reads the texts from the command line, a file or standard input: one text, or one on each line.

use std::path::Path;

use serde_json::Value;

use crate::args::{Lines, Run};
use crate::files;
use crate::problem::Problem;

/// A text, and its line if there are several texts.
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
    pub(super) line: Option<usize>,
}

/// Reads all texts.
pub(super) fn texts(args: &Run) -> Result<Vec<Text>, Problem> {
    let bytes = match (&args.text_file, args.text.as_deref()) {
        (Some(path), _) => files::read(path, args.format.max_input)?,
        (None, Some(text)) if text != "-" => text.as_bytes().to_vec(),
        (None, _) => files::read(Path::new("-"), args.format.max_input)?,
    };
    let Some(kind) = args.jsonl else { return Ok(vec![Text { bytes, line: None }]) };
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    let lines = lines.map(|(line, bytes)| (line, bytes.strip_suffix(b"\r").unwrap_or(bytes)));
    let filled = lines.filter(|(_, bytes)| !bytes.trim_ascii().is_empty());
    filled.map(|(line, bytes)| Ok(Text { bytes: of_line(args, kind, line, bytes)?, line: Some(line) })).collect()
}

fn of_line(args: &Run, kind: Lines, line: usize, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
    match kind {
        Lines::Texts => Ok(bytes.to_vec()),
        Lines::Strings => match serde_json::from_slice::<Value>(bytes) {
            Ok(Value::String(text)) => Ok(text.into_bytes()),
            Ok(_) | Err(_) => {
                let path = args.text_file.clone().unwrap_or_else(|| "-".into());
                let message = format!(
                    "line {line} is no JSON string: use `--jsonl` without `=strings` if each line is the text itself"
                );
                Err(Problem::Engine { path, message })
            }
        },
    }
}

/// Returns the text without the line break at its end; `None` if it has none.
pub(super) fn without_line_break(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_suffix(b"\n")?;
    Some(text.strip_suffix(b"\r").unwrap_or(text))
}
