//! Checks the tokens of a template before the recursive parser sees them.

use minijinja::Error;
use minijinja::machinery::{Token, WhitespaceConfig, tokenize};
use minijinja::syntax::SyntaxConfig;

use crate::error::GenerateError;
use crate::prompt::chat::failed;
use crate::prompt::chat::meter::TemplateLimit;

/// Cap on the bytes of a template. Templates in use have up to 30,000.
const SOURCE: usize = 256 << 10;

/// Cap on the tokens of one tag. Each operator is a frame of the parser's and the compiler's stack.
const TAG_TOKENS: u64 = 2_000;

/// Cap on the `elif` tags of a template: each is nested in the one before.
const BRANCHES: u64 = 1_000;

/// Cap on the bytes of a name.
const NAME: usize = 256;

/// Name of a variable that is 1. The engine cannot compute products with it before the template is rendered.
pub(super) const FACTOR: &str = "ogc_factor_one";

/// White space as model vendors expect it: a line that contains only a tag leaves nothing.
pub(super) const WHITE_SPACE: WhitespaceConfig =
    WhitespaceConfig { keep_trailing_newline: false, lstrip_blocks: true, trim_blocks: true };

/// Checks a template against the limits, and returns the text to parse.
///
/// The engine computes constant products when it loads a template: `"a" * 100000000` takes 100 MB before a meter is
/// there. So `*` becomes `* ogc_factor_one *`, which is computed when the template is rendered.
pub(super) fn checked(source: &str) -> Result<String, GenerateError> {
    limit("bytes", source.len() as u64, SOURCE as u64)?;
    let mut text = String::with_capacity(source.len());
    let (mut copied, mut in_tag, mut branches) = (0, 0, 0);
    for token in tokenize(source, false, SyntaxConfig, WHITE_SPACE) {
        let (token, span) = token.map_err(|error: Error| failed(&error))?;
        in_tag += 1;
        match token {
            Token::BlockStart | Token::VariableStart | Token::TemplateData(_) => in_tag = 0,
            Token::Ident(name) => {
                limit("bytes in a name", name.len() as u64, NAME as u64)?;
                branches += u64::from(name == "elif");
            }
            Token::Mul => {
                let end = span.end_offset as usize;
                text.push_str(&source[copied..end]);
                text.push_str(&format!(" {FACTOR} *"));
                copied = end;
            }
            _ => {}
        }
        limit("tokens in a tag", in_tag, TAG_TOKENS)?;
        limit("`elif` tags", branches, BRANCHES)?;
    }
    text.push_str(&source[copied..]);
    Ok(text)
}

fn limit(what: &'static str, given: u64, limit: u64) -> Result<(), GenerateError> {
    if given > limit { Err(TemplateLimit { what, given, limit }.into()) } else { Ok(()) }
}
