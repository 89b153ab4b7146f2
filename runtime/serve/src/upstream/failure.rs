//! Errors of another server: a refusal with its status, or a failed connection, described without the server's address.
//!
//! The client gets the status of a refusal only if it can fix the cause. All other failures concern this server or its operator: 502, or 504 after a
//! timeout.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::Value;

use super::piece::message;
use crate::api::ApiError;

/// Statuses of refusals that a client can fix by another request.
const MENDABLE: [StatusCode; 9] = [
    StatusCode::BAD_REQUEST,
    StatusCode::UNAUTHORIZED,
    StatusCode::PAYMENT_REQUIRED,
    StatusCode::FORBIDDEN,
    StatusCode::NOT_FOUND,
    StatusCode::CONFLICT,
    StatusCode::PAYLOAD_TOO_LARGE,
    StatusCode::UNPROCESSABLE_ENTITY,
    StatusCode::TOO_MANY_REQUESTS,
];

/// Makes the error of an unsuccessful status. `own_key` is the key of the request, if it is this server's own; it is removed from the message.
pub(super) fn refused(status: StatusCode, body: &str, own_key: Option<&str>) -> ApiError {
    if status.is_redirection() {
        let said = format!("it answered {status}, and redirects are not followed: its address must be the final one");
        return ApiError::upstream(None, &said);
    }
    let said = said(body);
    let said = said.map(|said| own_key.map_or(said.clone(), |key| said.replace(key, "(the key)")));
    let is_of_key = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    match said {
        _ if is_of_key && own_key.is_some() => {
            ApiError::upstream(None, &format!("it answered {status}: it does not take the key of this server"))
        }
        Some(said) if MENDABLE.contains(&status) => ApiError::upstream(Some(status), &said),
        None if is_of_key || status == StatusCode::TOO_MANY_REQUESTS => {
            ApiError::upstream(Some(status), "it gives no reason")
        }
        Some(said) => ApiError::upstream(None, &format!("it answered {status}: {said}")),
        None => {
            ApiError::upstream(None, &format!("it answered {status}, without an error in JSON: is its address right?"))
        }
    }
}

/// Returns the error message in an answer. Servers of the interface answer in JSON; other text comes from a wrong address or a proxy.
fn said(body: &str) -> Option<String> {
    let json: Value = serde_json::from_str(body).ok()?;
    (json.is_object() || json.is_string()).then(|| message(&json))
}

/// Makes the error of a failed connection; `connect` is the timeout for making a connection.
pub(super) fn failed(error: &reqwest::Error, connect: Duration) -> ApiError {
    if error.is_timeout() && error.is_connect() {
        return ApiError::upstream_slow("accept a connection", connect);
    }
    let mut causes = std::iter::successors(Some(error as &(dyn Error + 'static)), cause);
    let said = causes.find_map(reason).unwrap_or(match (error.is_connect(), error.is_body() || error.is_decode()) {
        (true, _) => "no connection could be made",
        (_, true) => "its answer broke off",
        (_, _) => "the connection broke off",
    });
    ApiError::upstream(None, said)
}

fn cause<'a>(error: &&'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    (*error).source()
}

/// Returns the known reason of an error, if there is one.
fn reason(error: &(dyn Error + 'static)) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<rustls::Error>() {
        return Some(of_tls(error));
    }
    if let Some(error) = error.downcast_ref::<hyper::Error>() {
        return of_http(error);
    }
    if let Some(error) = error.downcast_ref::<io::Error>() {
        // An error of a higher layer is wrapped into an error of the system, which does not return it as its source.
        let inner = error.get_ref().and_then(|inner| reason(inner));
        return inner.or_else(|| of_system(error.kind()));
    }
    error.to_string().starts_with("dns error").then_some("its name could not be resolved")
}

fn of_tls(error: &rustls::Error) -> &'static str {
    match error {
        rustls::Error::InvalidCertificate(_) => "its certificate is not valid (TLS)",
        _ => "no encrypted connection could be made (TLS): does it speak https?",
    }
}

fn of_http(error: &hyper::Error) -> Option<&'static str> {
    match error {
        error if error.is_parse() => Some("its answer is no HTTP"),
        error if error.is_incomplete_message() => Some("it closed the connection before its answer was complete"),
        _ => None,
    }
}

fn of_system(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::ConnectionRefused => Some("it refused the connection"),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => Some("it cannot be reached"),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            Some("it closed the connection")
        }
        ErrorKind::UnexpectedEof => Some("it closed the connection before its answer was complete"),
        ErrorKind::TimedOut => Some("the connection timed out"),
        _ => None,
    }
}
