//! The gate in front of all routes: it rejects requests by their host, origin and key, and tells browsers which pages
//! may read the answers.
//!
//! 1. Each host that a request names, in its target or its header `Host`, must be a host of the server (421).
//! 2. A page's origin must be the server's own or an allowed one (403); preflights are answered here.
//! 3. The key must be right (401), if the server has keys. It is not passed on: another server behind this one has a key of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority as UriAuthority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::access::hosts::Authority;
use crate::access::{AccessOptions, origins};
use crate::api::{ApiError, RESPONSES};
use crate::log::Log;
use crate::shared::Shared;

/// The path that needs no key.
const HEALTH: &str = "/health";

/// Paths that records name; any other path came from outside, and is logged as `other`.
const PATHS: [&str; 6] = ["/v1/chat/completions", "/v1/completions", RESPONSES, "/v1/models", "/metrics", HEALTH];

/// Lifetime of a preflight's answer in a browser's cache, in seconds.
const MAX_AGE: &str = "600";

/// Preflight headers by which a browser asks whether a page of a public address may reach a private address such as
/// loopback, each with the header that allows it. There are old and current names.
const NETWORKS: [(&str, &str); 2] = [
    ("access-control-request-private-network", "access-control-allow-private-network"),
    ("access-control-request-local-network", "access-control-allow-local-network"),
];

/// A server's gate.
#[derive(Clone, Debug)]
pub(crate) struct Gate {
    shared: Arc<Shared>,
    /// The address that the server listens on.
    address: Option<SocketAddr>,
}

impl Gate {
    pub(crate) fn new(shared: Arc<Shared>, address: Option<SocketAddr>) -> Self {
        Self { shared, address }
    }

    fn access(&self) -> &AccessOptions {
        &self.shared.options.access
    }

    fn refuse(&self, path: &str, error: ApiError) -> Response {
        let path = PATHS.into_iter().find(|known| *known == path).unwrap_or("other");
        Log::begin(Arc::clone(&self.shared), path).refuse(error)
    }

    /// Checks all hosts that a request names; returns the host that it addresses, if it names one.
    fn host(&self, request: &Request) -> Result<Option<Authority>, ApiError> {
        let target = request.uri().authority().map(UriAuthority::as_str);
        let mut headers = request.headers().get_all(header::HOST).iter();
        let header = headers.next();
        if headers.next().is_some() {
            return Err(ApiError::invalid(None, "the request has several `Host` headers: send one"));
        }
        if header.is_none() && request.version() >= Version::HTTP_11 {
            return Err(ApiError::invalid(None, "the request has no `Host` header: send one"));
        }
        let header = header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let mut asked = None;
        // A target with a host has precedence over the header.
        for given in target.into_iter().chain(header.as_deref()) {
            let host = Authority::read(given).filter(|read| self.access().hosts.allow(&read.host, self.address));
            let Some(host) = host else { return Err(ApiError::host(given)) };
            asked.get_or_insert(host);
        }
        Ok(asked)
    }

    /// Checks the origin of a page; returns it if the answer needs headers for it. Answers to the same origin do not.
    fn origin(&self, headers: &HeaderMap, asked: Option<&Authority>) -> Result<Option<HeaderValue>, ApiError> {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let Some(origin) = origins.next() else { return Ok(None) };
        if origins.next().is_some() {
            return Err(ApiError::invalid(None, "the request has several `Origin` headers: send one"));
        }
        let Ok(text) = origin.to_str() else { return Err(ApiError::origin("that is no ASCII")) };
        if self.access().origins.allow(text) {
            return Ok(Some(origin.clone()));
        }
        let is_same = asked.is_some_and(|asked| origins::is_same(text, asked));
        if is_same { Ok(None) } else { Err(ApiError::origin(text)) }
    }

    /// Checks the key of a request.
    fn key(&self, request: &Request) -> Result<(), ApiError> {
        let keys = &self.access().keys;
        let is_health = request.uri().path() == HEALTH && matches!(*request.method(), Method::GET | Method::HEAD);
        if keys.is_empty() || is_health {
            return Ok(());
        }
        let mut given = request.headers().get_all(header::AUTHORIZATION).iter();
        let (first, second) = (given.next(), given.next());
        let key = first.filter(|_| second.is_none()).and_then(|header| bearer(header.as_bytes()));
        if key.is_some_and(|key| keys.allow(key)) { Ok(()) } else { Err(ApiError::key(first.is_some())) }
    }

    /// Adds the headers that let a page read an answer.
    fn open(&self, origin: Option<HeaderValue>, response: &mut Response) {
        if self.access().origins.is_empty() {
            return;
        }
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Retry-After"));
        }
    }
}

/// Passes a request on to the routes, or rejects it.
pub(crate) async fn guard(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let checked = gate.host(&request).and_then(|asked| gate.origin(request.headers(), asked.as_ref()));
    let origin = match checked {
        Ok(origin) => origin,
        Err(error) => {
            let mut response = gate.refuse(&path, error);
            gate.open(None, &mut response);
            return response;
        }
    };
    let mut response = match gate.key(&request) {
        _ if origin.is_some() && is_preflight(&request) => preflight(request.headers()),
        Err(error) => gate.refuse(&path, error),
        Ok(()) => {
            if gate.access().needs_key() {
                request.headers_mut().remove(header::AUTHORIZATION);
            }
            next.run(request).await
        }
    };
    gate.open(origin, &mut response);
    response
}

/// Returns the key of a header `Authorization: Bearer KEY`.
fn bearer(header: &[u8]) -> Option<&[u8]> {
    let (scheme, key) = header.split_at(header.iter().position(|byte| *byte == b' ')?);
    scheme.eq_ignore_ascii_case(b"bearer").then(|| key.trim_ascii())
}

/// Returns whether a request is a preflight.
fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers a preflight: allows the methods of the routes, and all headers that the preflight names. Of these headers,
/// the routes read only the key.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    headers.append(header::VARY, HeaderValue::from_static("Access-Control-Request-Headers"));
    if let Some(names) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    for (question, answer) in NETWORKS {
        headers.append(header::VARY, HeaderValue::from_static(question));
        if asked.get(question).is_some_and(|asked| asked == "true") {
            headers.insert(answer, HeaderValue::from_static("true"));
        }
    }
    response
}
