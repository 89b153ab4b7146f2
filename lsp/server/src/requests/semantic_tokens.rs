//! `textDocument/semanticTokens/*`: the kinds of words, in the protocol's encoding. Deltas are relative to the last
//! answer, which [`LastTokens`](crate::last_tokens::LastTokens) keeps.

use std::hash::{DefaultHasher, Hash, Hasher};

use always_assert::never;
use ogc_ide::SourceFile;
use ogc_ide::Span;
use ogc_ide::semantic_tokens::{Modifiers, TokenType, semantic_tokens};
use tower_lsp_server::ls_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensDeltaParams, SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, Uri,
};

use crate::failure::Failure;
use crate::files;
use crate::view::View;

/// Number of integers per token.
const NUMBERS: usize = 5;

/// Returns the legend of the encoding.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TokenType::ALL.iter().map(|kind| SemanticTokenType::new(kind.name())).collect(),
        token_modifiers: Modifiers::NAMES.map(SemanticTokenModifier::new).into(),
    }
}

/// Returns all tokens of a document.
pub(crate) fn full(view: &View, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>, Failure> {
    let uri = &params.text_document.uri;
    let Some(file) = view.file(uri) else { return Ok(None) };
    let data = encoded(view, file, None);
    Ok(Some(kept(view, uri, data).into()))
}

/// Returns the delta since an answer, or all tokens if that answer is not the last one.
pub(crate) fn delta(
    view: &View,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>, Failure> {
    let uri = &params.text_document.uri;
    let Some(file) = view.file(uri) else { return Ok(None) };
    let data = encoded(view, file, None);
    let last = view.tokens.of(&files::name(uri));
    let new = kept(view, uri, data);
    Ok(Some(match last.filter(|(id, _)| *id == params.previous_result_id) {
        Some((_, old)) => {
            let edits = difference(&old, &new.data).into_iter().collect();
            SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id: new.result_id, edits })
        }
        None => SemanticTokensFullDeltaResult::Tokens(new),
    }))
}

/// Returns the tokens of a range.
pub(crate) fn range(
    view: &View,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, Failure> {
    let Some(file) = view.file(&params.text_document.uri) else { return Ok(None) };
    let data = encoded(view, file, Some(view.span(file, params.range)));
    Ok(Some(SemanticTokens { result_id: None, data }.into()))
}

/// Stores an answer, and drops those about closed documents.
fn kept(view: &View, uri: &Uri, data: Vec<SemanticToken>) -> SemanticTokens {
    let mut hasher = DefaultHasher::new();
    data.iter().for_each(|token| numbers(token).hash(&mut hasher));
    let id = format!("{:016x}", hasher.finish());
    view.tokens.keep(files::name(uri), id.clone(), data.clone(), |name| view.open.contains_key(name));
    SemanticTokens { result_id: Some(id), data }
}

/// Returns the tokens with places relative to the ones before them.
fn encoded(view: &View, file: SourceFile, range: Option<Span>) -> Vec<SemanticToken> {
    let (mut line, mut column) = (0, 0);
    let found = semantic_tokens(&view.snapshot, file, range).into_iter().filter_map(|token| {
        let range = view.to_range(file, token.span);
        let length = range.end.character.checked_sub(range.start.character).filter(|length| *length > 0)?;
        let delta_line = range.start.line.checked_sub(line)?;
        let before = if delta_line == 0 { column } else { 0 };
        let delta_start = range.start.character.checked_sub(before)?;
        (line, column) = (range.start.line, range.start.character);
        let Some(token_type) = TokenType::ALL.iter().position(|kind| *kind == token.kind) else {
            never!("{:?} is not in the list of all types", token.kind);
            return None;
        };
        let token_type = token_type as u32;
        let token_modifiers_bitset = token.modifiers.bits();
        Some(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset })
    });
    found.collect()
}

/// Returns the edit that turns one answer into another: it replaces all between the common start and the common end.
fn difference(old: &[SemanticToken], new: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let before = old.iter().zip(new).take_while(|(one, two)| one == two).count();
    let (old, new) = (old.get(before..)?, new.get(before..)?);
    let after = old.iter().rev().zip(new.iter().rev()).take_while(|(one, two)| one == two).count();
    let (removed, inserted) = (old.len() - after, new.get(..new.len() - after)?);
    if removed == 0 && inserted.is_empty() {
        return None;
    }
    Some(SemanticTokensEdit {
        start: u32::try_from(before * NUMBERS).ok()?,
        delete_count: u32::try_from(removed * NUMBERS).ok()?,
        data: Some(inserted.to_vec()),
    })
}

fn numbers(token: &SemanticToken) -> [u32; NUMBERS] {
    [token.delta_line, token.delta_start, token.length, token.token_type, token.token_modifiers_bitset]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        let token = |length: &u32| SemanticToken { length: *length, ..SemanticToken::default() };
        lengths.iter().map(token).collect()
    }

    fn check(old: &[u32], new: &[u32], expected: Option<(u32, u32, usize)>) {
        let edit = difference(&tokens(old), &tokens(new));
        let found = edit.map(|edit| (edit.start, edit.delete_count, edit.data.unwrap_or_default().len()));
        assert_eq!(found, expected, "{old:?} {new:?}");
    }

    #[test]
    fn only_changed_semantic_tokens_are_sent() {
        check(&[1, 2, 3], &[1, 2, 3], None);
        check(&[1, 2, 3], &[1, 4, 3], Some((5, 5, 1)));
        check(&[1, 1], &[1, 1, 1], Some((10, 0, 1)));
        check(&[1, 2, 3], &[], Some((0, 15, 0)));
        check(&[], &[7], Some((0, 0, 1)));
    }
}
