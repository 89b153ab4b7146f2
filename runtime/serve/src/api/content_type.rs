//! The content type of requests.
//!
//! A web page can send a form or plain text to any server without a preflight, but not JSON: for JSON, a browser asks the server before it sends the
//! body.

use axum::http::{HeaderMap, header};

use super::ApiError;

/// Rejects a body whose content type is not JSON.
pub(crate) fn check_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut kinds = headers.get_all(header::CONTENT_TYPE).iter();
    let (kind, second) = (kinds.next(), kinds.next());
    let kind = kind.map(|kind| String::from_utf8_lossy(kind.as_bytes()));
    if second.is_some() {
        return Err(ApiError::no_json(Some("of several content types")));
    }
    if kind.as_deref().is_some_and(is_json) { Ok(()) } else { Err(ApiError::no_json(kind.as_deref())) }
}

/// Returns whether a content type is `application/json` or of the form `application/*+json`.
fn is_json(kind: &str) -> bool {
    let essence = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let Some(subtype) = essence.strip_prefix("application/") else { return false };
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    subtype == "json"
        || subtype.strip_suffix("+json").is_some_and(|name| !name.is_empty() && name.bytes().all(is_token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_json_media_types_are_recognised() {
        for kind in
            ["application/json", "Application/JSON; charset=utf-8", "application/vnd.api+json", "application/json ;x=y"]
        {
            assert!(is_json(kind), "{kind}");
        }
        let others =
            ["", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
        let tricks = ["text/plain; application/json", "application/jsonx", "application/+json", "application/a b+json"];
        for kind in others.into_iter().chain(tricks).chain(["application/json, text/plain", "json"]) {
            assert!(!is_json(kind), "{kind}");
        }
    }
}
