//! The paths of the server.

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
use axum::routing::{get, post};
use axum::{Json, Router};
use ogc_generate::PrefixUsage;
use serde_json::{Value, json};
use tokio::sync::SemaphorePermit;

use crate::api::{ApiError, CallForm, Place, Plan, Shape, check_json, read_chat, read_completion, read_passed};
use crate::gate::{Gate, guard};
use crate::log::Log;
use crate::peer;
use crate::shared::{ModelWriter, Shared, UpstreamWriter, Writer};
use crate::texts::{Texts, model, upstream};
use shape::{Collected, Head};

/// Makes the routes of a server that listens on an address, with its gate before them.
pub(crate) fn router(shared: Arc<Shared>, address: Option<SocketAddr>) -> Router {
    let gate = Gate::new(Arc::clone(&shared), address);
    let limit = DefaultBodyLimit::max(shared.options.max_body);
    Router::new()
        .route("/v1/chat/completions", post(chat))
        .route("/v1/completions", post(completion))
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
    answer(shared, Shape::Chat, request).await
}

async fn completion(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    answer(shared, Shape::Completion, request).await
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

/// Returns whether a name is a path of the other server's models and no way out of them.
fn is_path(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':');
    name.bytes().all(is_plain) && !name.bytes().all(|byte| byte == b'.')
}

/// Answers what the other server answers.
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

/// The texts of a request that have begun, and how they are sent.
struct Begun {
    texts: Texts,
    head: Head,
    stream: bool,
    stream_usage: bool,
}

/// Answers a request for texts.
async fn answer(shared: Arc<Shared>, shape: Shape, request: Request) -> Response {
    let mut log = Log::begin(Arc::clone(&shared), shape.path());
    let begun = begin(&shared, shape, request).await;
    let Begun { texts, head, stream, stream_usage } = match begun {
        Ok(begun) => begun,
        Err(error) => return log.refuse(error),
    };
    log.record.prompt_tokens = texts.prompt_tokens();
    if stream {
        return stream::respond(texts, head, stream_usage, log);
    }
    match Collected::of(texts, &mut log).await {
        Ok(collected) => Json(collected.body(&head)).into_response(),
        Err(error) => log.refuse(error.in_request(&head.format_fields)),
    }
}

/// Reads a request, and begins its texts.
async fn begin(shared: &Arc<Shared>, shape: Shape, request: Request) -> Result<Begun, ApiError> {
    check_json(request.headers())?;
    let key = request.headers().get(header::AUTHORIZATION).cloned();
    let patience = shared.options.patience;
    let arrives = tokio::time::timeout(patience, body_of(shared, request));
    let (body, room) = arrives.await.map_err(|_| ApiError::slow(patience))??;
    match &shared.writer {
        Writer::Model(writer) => {
            let limit = shared.options.timeout;
            let plan = tokio::time::timeout(limit, read(shared, writer, shape, body)).await;
            let plan = plan.map_err(|_| ApiError::timeout())??;
            // Whether the format compiles soon, or texts wait, is nothing to other bodies.
            drop(room);
            let started = model::Run::start(shared, writer, shape, &plan).await;
            let texts = Texts::Model(started.map_err(|error| error.in_request(&plan.format_fields))?);
            let Plan { format_fields, call_form, stream, stream_usage, .. } = plan;
            let (model, number) = (shared.options.model.clone(), shared.number());
            let head = Head { shape, model, number, call_form, format_fields };
            Ok(Begun { texts, head, stream, stream_usage })
        }
        Writer::Upstream(writer) => {
            let passed = read_passed(&body, shape, &shared.options)?;
            drop((body, room));
            let (stream, stream_usage) = (passed.stream, passed.stream_usage);
            let model = passed.body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
            let format_fields = passed.format_fields.clone();
            let started = upstream::Run::start(shared, writer, passed, key).await;
            let texts = Texts::Upstream(started.map_err(|error| error.in_request(&format_fields))?);
            let head = Head { shape, model, number: shared.number(), call_form: CallForm::Tools, format_fields };
            Ok(Begun { texts, head, stream, stream_usage })
        }
    }
}

/// Reads the body of a request, for which there is room as long as the permit is kept.
async fn body_of(shared: &Shared, request: Request) -> Result<(Bytes, SemaphorePermit<'_>), ApiError> {
    let room = shared.body_room(request.body().size_hint().exact())?;
    let body = Bytes::from_request(request, &()).await.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(shared.options.max_body),
        _ => ApiError::invalid(None, "the body did not arrive whole"),
    })?;
    Ok((body, room))
}

/// The fewest bytes of a body whose tokens wait for their turn: shorter ones are made in some milliseconds.
const LONG_BODY: usize = 1 << 18;

/// Reads a request, away from the threads that answer: a long prompt takes a while to become tokens. Who goes away meanwhile ends that.
async fn read(shared: &Arc<Shared>, writer: &Arc<ModelWriter>, shape: Shape, body: Bytes) -> Result<Plan, ApiError> {
    let turn = if body.len() < LONG_BODY {
        None
    } else {
        let turn = shared.long_prompts.turn(peer::current()).await;
        Some(turn.ok_or_else(|| ApiError::busy("too many long prompts are being read"))?)
    };
    let wanted = Arc::new(());
    let (shared, writer, still) = (Arc::clone(shared), Arc::clone(writer), Arc::downgrade(&wanted));
    let read = move || {
        let _turn = turn;
        let tokenizer = writer.loaded.tokenizer.stopped_when(move || still.strong_count() == 0);
        let place = Place { loaded: &writer.loaded, tokenizer: &tokenizer, options: &shared.options };
        let seed = shared.seed(shared.number());
        match shape {
            Shape::Chat => read_chat(&body, place, seed),
            Shape::Completion => read_completion(&body, place, seed),
        }
    };
    let plan = tokio::task::spawn_blocking(read).await;
    drop(wanted);
    plan.unwrap_or_else(|_| Err(ApiError::defect("the request could not be read")))
}
