//! Writes the row of forward passes, with the tokens that came from each pass.

use ogc_generate::TokenRecord;
use ogc_runtime::vocabulary::Vocabulary;

use super::{marked, tokens};

/// Writes each pass with its tokens: those that the pass decided, and the tokens without alternatives after them.
pub(super) fn row(record: &[TokenRecord], answer: usize, vocabulary: &Vocabulary) -> String {
    let numbered: Vec<(usize, &TokenRecord)> = record.iter().enumerate().collect();
    let passes = numbered.chunk_by(|(_, one), (_, other)| one.pass == other.pass);
    let boxes: String = passes.map(|tokens| pass(tokens, answer, vocabulary)).collect();
    format!("<ol class=\"passes\">{boxes}</ol>\n")
}

fn pass(tokens: &[(usize, &TokenRecord)], answer: usize, vocabulary: &Vocabulary) -> String {
    let number = tokens.first().map_or(0, |(_, token)| token.pass);
    let name = if number == 0 { "before".to_owned() } else { number.to_string() };
    let link = |(at, token): &(usize, &TokenRecord)| {
        let (id, class) = (tokens::id(answer, *at), tokens::class(token.source));
        format!("<a class=\"{class}\" href=\"#{id}\">{}</a>", marked::token(token.token, vocabulary))
    };
    format!("<li><b>{name}</b>{}</li>", tokens.iter().map(link).collect::<String>())
}
