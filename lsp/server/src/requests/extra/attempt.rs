//! `ogc/match`: a text tried on a format.

use ogc_ide::requests::{self, CapturedPart, TokenPiece};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::Location;

use super::{FormatParams, location, units};
use crate::failure::Failure;
use crate::view::View;

/// Parameters of the request.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct MatchParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    text: String,
    vocabulary: Option<String>,
}

/// The outcome of matching the text against the format.
#[derive(Debug, Serialize)]
pub(crate) struct MatchResult {
    accepted: bool,
    prefix: usize,
    complete: bool,
    expected: String,
    reason: Option<String>,
    help: Option<String>,
    path: Option<String>,
    rules: Vec<OpenRule>,
    tokens: Option<Tokens>,
    captures: Vec<Capture>,
}

#[derive(Debug, Serialize)]
struct OpenRule {
    name: String,
    location: Option<Location>,
}

#[derive(Debug, Serialize)]
struct Tokens {
    vocabulary: String,
    pieces: Vec<Piece>,
}

#[derive(Debug, Serialize)]
struct Piece {
    id: u32,
    text: String,
    start: usize,
    end: usize,
    accepted: bool,
}

#[derive(Debug, Serialize)]
struct Capture {
    name: String,
    start: usize,
    end: usize,
    text: String,
    captures: Vec<Capture>,
}

/// Tries a text.
pub(crate) fn attempt(view: &View, params: MatchParams) -> Result<MatchResult, Failure> {
    let format = params.format.decide(view)?;
    let text = params.text.as_str();
    let found = requests::attempt(&view.snapshot, &format, text, params.vocabulary.as_deref())?;
    let rules = found.rules.into_iter().map(|(name, place)| OpenRule { name, location: location(view, place) });
    let tokens = found.tokens.map(|(vocabulary, pieces)| Tokens {
        vocabulary,
        pieces: pieces.into_iter().map(|one| piece(text, one)).collect(),
    });
    Ok(MatchResult {
        accepted: found.is_accepted,
        prefix: units(text, found.prefix),
        complete: found.is_complete,
        expected: found.expected,
        reason: found.reason,
        help: found.help,
        path: found.path,
        rules: rules.collect(),
        tokens,
        captures: found.captures.into_iter().map(|one| capture(text, one)).collect(),
    })
}

fn piece(text: &str, one: TokenPiece) -> Piece {
    let (start, end) = (units(text, one.start), units(text, one.end));
    Piece { id: one.id, text: one.text, start, end, accepted: one.is_accepted }
}

fn capture(text: &str, one: CapturedPart) -> Capture {
    let part = text.get(one.start..one.end).unwrap_or_default().to_owned();
    let captures = one.inner.into_iter().map(|inner| capture(text, inner)).collect();
    let (start, end) = (units(text, one.start), units(text, one.end));
    Capture { name: one.name, start, end, text: part, captures }
}
