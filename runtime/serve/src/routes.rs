//! The paths of the server.

mod run;
mod shape;
mod stream;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::api::{ApiError, Place, Plan, read_chat, read_completion};
use crate::server::{Record, Shared};
use run::Run;
use shape::{Collected, Shape};

/// Makes the routes of a server.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
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
        .with_state(shared)
}

async fn chat(State(shared): State<Arc<Shared>>, body: Result<Bytes, BytesRejection>) -> Response {
    answer(shared, Shape::Chat, body).await
}

async fn completion(State(shared): State<Arc<Shared>>, body: Result<Bytes, BytesRejection>) -> Response {
    answer(shared, Shape::Completion, body).await
}

async fn models(State(shared): State<Arc<Shared>>) -> Response {
    Json(json!({ "object": "list", "data": [model(&shared)] })).into_response()
}

async fn one_model(State(shared): State<Arc<Shared>>, Path(name): Path<String>) -> Response {
    let there = &shared.options.model;
    if name == *there { Json(model(&shared)).into_response() } else { ApiError::no_model(&name, there).into_response() }
}

fn model(shared: &Shared) -> Value {
    json!({ "id": shared.options.model, "object": "model", "created": 0, "owned_by": "ogc" })
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let text = shared.metrics.text(&shared.formats.stats());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// Answers a request for texts.
async fn answer(shared: Arc<Shared>, shape: Shape, body: Result<Bytes, BytesRejection>) -> Response {
    let mut log = Log::begin(Arc::clone(&shared), shape.path());
    let begun = begin(&shared, shape, body).await;
    let (run, plan) = match begun {
        Ok(begun) => begun,
        Err(error) => return log.refuse(error),
    };
    log.record.prompt_tokens = run.prompt_tokens();
    if plan.stream {
        return stream::respond(run, shape, plan.stream_usage, log);
    }
    match Collected::of(run, &mut log).await {
        Ok(collected) => Json(collected.body(shape, &shared)).into_response(),
        Err(error) => log.refuse(error),
    }
}

/// Reads a request, and begins its texts.
async fn begin(
    shared: &Arc<Shared>,
    shape: Shape,
    body: Result<Bytes, BytesRejection>,
) -> Result<(Run, Plan), ApiError> {
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::too_large(shared.options.max_body),
        _ => ApiError::invalid(None, error.body_text()),
    })?;
    let plan = read(Arc::clone(shared), shape, body).await?;
    let run = Run::start(shared, &plan).await?;
    Ok((run, plan))
}

/// Reads a request, away from the threads that answer: a long prompt takes a while to become tokens.
async fn read(shared: Arc<Shared>, shape: Shape, body: Bytes) -> Result<Plan, ApiError> {
    let read = move || {
        let place = Place { loaded: &shared.loaded, options: &shared.options };
        let seed = shared.seed(shared.number());
        match shape {
            Shape::Chat => read_chat(&body, place, seed),
            Shape::Completion => read_completion(&body, place, seed),
        }
    };
    tokio::task::spawn_blocking(read).await.unwrap_or_else(|_| Err(ApiError::defect("the request could not be read")))
}

/// What is said of a request when it is over, also where its client has gone away before.
struct Log {
    shared: Arc<Shared>,
    start: tokio::time::Instant,
    record: Record,
}

impl Log {
    fn begin(shared: Arc<Shared>, path: &'static str) -> Self {
        let record = Record { path, status: 200, milliseconds: 0, prompt_tokens: 0, tokens: 0, finish: Some("gone") };
        Self { shared, start: tokio::time::Instant::now(), record }
    }

    /// Notes that a request is not answered, and says so.
    fn refuse(&mut self, error: ApiError) -> Response {
        self.fail(&error);
        error.into_response()
    }

    fn fail(&mut self, error: &ApiError) {
        self.record.status = error.status().as_u16();
        self.record.finish = Some(error.code());
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.record.milliseconds = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.shared.metrics.count_answer(self.record.status);
        (self.shared.log)(&self.record);
    }
}
