//! `ogc/mask` and `ogc/token`: the tokens that may follow a prefix, and why a token may not.

use ogc_ide::requests::{self, MaskQuestion, TokenName};
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::Location;

use super::{FormatParams, location};
use crate::failure::Failure;
use crate::view::View;

/// Default number of tokens shown per group.
const PER_GROUP: usize = 20;

/// Parameters of the request about all tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MaskParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    prefix: String,
    vocabulary: Option<String>,
    #[serde(default)]
    filter: String,
    per_group: Option<usize>,
}

/// The tokens that may follow.
#[derive(Debug, Serialize)]
pub(crate) struct MaskResult {
    vocabulary: String,
    allowed: usize,
    total: usize,
    complete: bool,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize)]
struct Group {
    title: &'static str,
    count: usize,
    tokens: Vec<Token>,
}

#[derive(Debug, Serialize)]
struct Token {
    id: u32,
    text: String,
}

/// Shows the tokens that may follow.
pub(crate) fn mask(view: &View, params: MaskParams) -> Result<MaskResult, Failure> {
    let format = params.format.decide(view)?;
    let question = MaskQuestion {
        prefix: &params.prefix,
        vocabulary: params.vocabulary.as_deref(),
        filter: &params.filter,
        per_group: params.per_group.unwrap_or(PER_GROUP),
    };
    let found = requests::mask(&view.snapshot, &format, question)?;
    let token = |(id, text)| Token { id, text };
    let groups = found.groups.into_iter().map(|group| Group {
        title: group.title,
        count: group.count,
        tokens: group.tokens.into_iter().map(token).collect(),
    });
    Ok(MaskResult {
        vocabulary: found.vocabulary,
        allowed: found.allowed,
        total: found.total,
        complete: found.is_complete,
        groups: groups.collect(),
    })
}

/// Parameters of the request about one token.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TokenParams {
    /// The format.
    #[serde(flatten)]
    pub(crate) format: FormatParams,
    prefix: String,
    vocabulary: Option<String>,
    token: NamedToken,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum NamedToken {
    Id(u32),
    Text(String),
}

/// The answer about one token.
#[derive(Debug, Serialize)]
pub(crate) struct TokenResult {
    id: u32,
    text: String,
    allowed: bool,
    accepted: String,
    reason: Option<String>,
    location: Option<Location>,
}

/// Explains one token.
pub(crate) fn token(view: &View, params: TokenParams) -> Result<TokenResult, Failure> {
    let format = params.format.decide(view)?;
    let named = match &params.token {
        NamedToken::Id(id) => TokenName::Id(*id),
        NamedToken::Text(text) => TokenName::Text(text),
    };
    let found = requests::token(&view.snapshot, &format, &params.prefix, params.vocabulary.as_deref(), named)?;
    Ok(TokenResult {
        id: found.id,
        text: found.text,
        allowed: found.is_allowed,
        accepted: found.accepted,
        reason: found.reason,
        location: location(view, found.place),
    })
}
