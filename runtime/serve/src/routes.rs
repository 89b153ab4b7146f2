//! The paths of the server.

mod interface;
mod response;
mod shape;
mod stream;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::{Bytes, HttpBody};
use axum::extract::rejection::PathRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use axum::{Json, Router};
use ogc_generate::PrefixUsage;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use crate::api::{ApiError, Place, Plan, RESPONSES, Shape, check_json};
use crate::background;
use crate::gate::{Gate, guard};
use crate::held::Held;
use crate::log::Log;
use crate::peer;
use crate::shared::{ModelWriter, Shared, UpstreamWriter, Writer};
use crate::texts::{Texts, model, upstream};
use interface::{AnswerHead, Interface};
use shape::Collected;

/// Makes the routes of a server that listens on `address`, behind its gate.
pub(crate) fn router(shared: Arc<Shared>, address: Option<SocketAddr>) -> Router {
    let gate = Gate::new(Arc::clone(&shared), address);
    let limit = DefaultBodyLimit::max(shared.options.max_body);
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/v1/completions", post(completion))
        .route(RESPONSES, post(response))
        .route("/v1/responses/{id}", get(async || ApiError::no_response()).delete(async || ApiError::no_response()))
        .route("/v1/responses/{id}/{*rest}", any(async || ApiError::no_response()))
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(one_model))
        .route("/health", get(async || Json(json!({ "status": "ok" }))))
        .route("/metrics", get(metrics))
        .fallback(async || ApiError::no_path())
        .method_not_allowed_fallback(async || ApiError::no_method())
        .layer(limit)
        .layer(from_fn_with_state(gate, guard))
        .with_state(shared)
}

async fn chat(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    answer(shared, Interface::Choices(Shape::Chat), request).await
}

async fn completion(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    answer(shared, Interface::Choices(Shape::Completion), request).await
}

async fn response(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    answer(shared, Interface::Response, request).await
}

async fn models(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    match &shared.writer {
        Writer::Model(_) => Json(json!({ "object": "list", "data": [described(&shared)] })).into_response(),
        Writer::Upstream(writer) => pass_on(&shared, writer, "/models", &headers).await,
    }
}

async fn one_model(
    State(shared): State<Arc<Shared>>,
    name: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Response {
    let Ok(Path(name)) = name else { return ApiError::no_path().into_response() };
    let there = &shared.options.model;
    match &shared.writer {
        Writer::Model(_) if name == *there => Json(described(&shared)).into_response(),
        Writer::Model(_) => ApiError::no_model(&name, there).into_response(),
        Writer::Upstream(writer) if is_path(&name) => {
            pass_on(&shared, writer, &format!("/models/{name}"), &headers).await
        }
        Writer::Upstream(_) => ApiError::no_path().into_response(),
    }
}

/// Returns whether a name is a plain path segment, which cannot leave the path of the other server's models.
fn is_path(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    name.bytes().all(is_plain) && !name.bytes().all(|byte| byte == b'.')
}

/// Passes a request to the other server, and returns its answer.
async fn pass_on(shared: &Shared, writer: &UpstreamWriter, path: &str, headers: &HeaderMap) -> Response {
    let _place = match shared.places(1) {
        Ok(place) => place,
        Err(error) => return error.into_response(),
    };
    let asked = writer.upstream.get(path, headers.get(header::AUTHORIZATION));
    match tokio::time::timeout(shared.options.timeout, asked).await {
        Ok(Ok(body)) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
        Ok(Err(error)) => error.into_response(),
        Err(_) => ApiError::upstream_slow("answer", shared.options.timeout).into_response(),
    }
}

fn described(shared: &Shared) -> Value {
    json!({ "id": shared.options.model, "object": "model", "created": 0, "owned_by": "ogc" })
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let prefixes = match &shared.writer {
        Writer::Model(writer) => writer.prefixes.usage(),
        Writer::Upstream(_) => PrefixUsage::default(),
    };
    let text = shared.metrics.text(&shared.formats.stats(), prefixes);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// Texts of a request that were started, and how they are sent.
struct Begun {
    texts: Texts,
    head: AnswerHead,
    stream: bool,
}

/// Answers a request for texts.
async fn answer(shared: Arc<Shared>, interface: Interface, request: Request) -> Response {
    let mut log = Log::begin(Arc::clone(&shared), interface.path());
    let begun = begin(&shared, interface, request).await;
    let Begun { texts, head, stream } = match begun {
        Ok(begun) => begun,
        Err(error) => return log.refuse(error),
    };
    log.record.prompt_tokens = texts.prompt_tokens();
    let collected = match head {
        AnswerHead::Choices { head, with_usage } if stream => return stream::respond(texts, head, with_usage, log),
        AnswerHead::Response(head) if stream => return response::respond(texts, head, log),
        AnswerHead::Choices { ref head, .. } => {
            Collected::of(texts, &mut log).await.map(|collected| collected.body(head))
        }
        AnswerHead::Response(ref head) => response::collect(texts, head, &mut log).await,
    };
    match collected {
        Ok(body) => Json(body).into_response(),
        Err(error) => log.refuse(head.named(error)),
    }
}

/// Reads a request, and starts its texts.
async fn begin(shared: &Arc<Shared>, interface: Interface, request: Request) -> Result<Begun, ApiError> {
    check_json(request.headers())?;
    let key = request.headers().get(header::AUTHORIZATION).cloned();
    let patience = shared.options.patience;
    let arrives = tokio::time::timeout(patience, body_of(shared, request));
    let (body, room) = arrives.await.map_err(|_| ApiError::slow(patience))??;
    match &shared.writer {
        Writer::Model(writer) => {
            let deadline = Instant::now() + shared.options.timeout;
            let read = timeout_at(deadline, read(shared, writer, interface, body)).await;
            let (plan, head) = read.map_err(|_| ApiError::timeout())??;
            // The body is read, so other bodies need not wait for the compilation or the texts.
            drop(room);
            let started = model::Run::start(shared, writer, interface.shape(), &plan, deadline).await;
            let texts = Texts::Model(started.map_err(|error| head.named(error))?);
            Ok(Begun { texts, head, stream: plan.stream })
        }
        Writer::Upstream(writer) => {
            // Reading a long body takes a while.
            let asks = Arc::clone(shared);
            let read = move || interface.read_passed(&body, &asks.options, asks.number());
            let read = tokio::task::spawn_blocking(read).await;
            let (passed, head) = read.map_err(|_| ApiError::defect("the request could not be read"))??;
            drop(room);
            let stream = passed.stream;
            let started = upstream::Run::start(shared, writer, passed, key).await;
            let texts = Texts::Upstream(started.map_err(|error| head.named(error))?);
            Ok(Begun { texts, head, stream })
        }
    }
}

/// Reads the body of a request; the permit holds its bytes until it is dropped.
async fn body_of(shared: &Shared, request: Request) -> Result<(Bytes, Held), ApiError> {
    let room = shared.body_room(request.body().size_hint().exact())?;
    let body = Bytes::from_request(request, &()).await.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(shared.options.max_body),
        _ => ApiError::invalid(None, "the body did not arrive whole"),
    })?;
    Ok((body, room))
}

/// Minimum number of bytes of a body whose tokenisation waits for a turn; shorter bodies take some milliseconds.
const LONG_BODY: usize = 1 << 18;

/// Reads a request off the threads that answer, because tokenising a long prompt takes a while. It is cancelled if the client goes away.
async fn read(
    shared: &Arc<Shared>,
    writer: &Arc<ModelWriter>,
    interface: Interface,
    body: Bytes,
) -> Result<(Plan, AnswerHead), ApiError> {
    let turn = if body.len() < LONG_BODY {
        None
    } else {
        let turn = shared.long_prompts.turn(peer::current()).await;
        Some(turn.ok_or_else(|| ApiError::busy("too many long prompts are being read"))?)
    };
    let wanted = Arc::new(());
    let (shared, writer, client) = (Arc::clone(shared), Arc::clone(writer), peer::current());
    let still = Arc::downgrade(&wanted);
    let read = move || {
        let tokenizer = writer.loaded.tokenizer.stopped_when(move || still.strong_count() == 0);
        let place = Place { loaded: &writer.loaded, tokenizer: &tokenizer, options: &shared.options };
        let number = shared.number();
        let read = || interface.read(&body, place, shared.seed(number), number);
        // Texts under way have priority over a long prompt.
        if turn.is_some() { background::run(client, read) } else { read() }
    };
    let plan = tokio::task::spawn_blocking(read).await;
    drop(wanted);
    plan.unwrap_or_else(|_| Err(ApiError::defect("the request could not be read")))
}
