//! Errors in the form that OpenAI's clients read.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ogc_generate::GenerateError;
use ogc_runtime::events::EventError;
use ogc_runtime::matcher::MatchError;
use serde_json::{Value, json};

use crate::compile::{Finding, Refused};

/// Maximum number of characters of another server's error that are passed on.
const MAX_SAID: usize = 2_000;

/// Maximum number of characters of a request's header that an error repeats.
const MAX_NAMED: usize = 200;

/// Reason why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
    /// Name of the wrong parameter.
    param: Option<String>,
    code: &'static str,
    findings: Vec<Finding>,
    /// Place where a text of another server violates its format.
    violation: Option<Box<Value>>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), param: None, code, findings: Vec::new(), violation: None }
    }

    /// A parameter, or the body as a whole, is wrong.
    pub(crate) fn invalid(param: Option<&str>, message: impl Into<String>) -> Self {
        let error = Self::new(StatusCode::BAD_REQUEST, "invalid_request", message);
        Self { param: param.map(str::to_owned), ..error }
    }

    /// The format cannot be compiled.
    pub(crate) fn format(refused: &Refused) -> Self {
        let error = Self::new(StatusCode::BAD_REQUEST, "invalid_format", refused.message.clone());
        Self { param: Some("response_format".to_owned()), findings: refused.findings.clone(), ..error }
    }

    /// Rewrites an error of a format as one about a tool's arguments or input.
    pub(crate) fn of_tool(self, name: &str) -> Self {
        let names = [
            ("`arguments.schema.json`", "`parameters`"),
            ("`input.lark`", "`definition`"),
            ("`input.regex`", "`definition`"),
        ];
        let message = names.iter().fold(self.message, |message, (name, field)| message.replacen(name, field, 1));
        Self { param: Some("tools".to_owned()), message: format!("the tool `{name}`: {message}"), ..self }
    }

    /// Names the field of the request that a format came from, instead of the file name that the compiler saw.
    pub(crate) fn in_request(self, fields: &[(String, String)]) -> Self {
        if self.param.as_deref() != Some("response_format") {
            return self;
        }
        let renamed = fields.iter().find_map(|(name, field)| {
            let rest = self.message.strip_prefix(&format!("`{name}`"))?;
            Some((format!("`{field}`{rest}"), field.clone()))
        });
        let (message, param) = match renamed {
            Some((message, field)) => (message, Some(field)),
            None => (self.message, fields.first().map(|(_, field)| field.clone()).or(self.param)),
        };
        Self { message, param, ..self }
    }

    /// Renames parameters to the names that they have in requests for responses.
    pub(crate) fn in_response(self) -> Self {
        let param = self.param.map(|param| match param.as_str() {
            "max_tokens" => "max_output_tokens".to_owned(),
            "messages" => "input".to_owned(),
            _ => param,
        });
        Self { param, ..self }
    }

    /// The server does not have the model.
    pub(crate) fn no_model(given: &str, there: &str) -> Self {
        let message = format!("there is no model `{given}`; this server has `{there}`");
        Self { param: Some("model".to_owned()), ..Self::new(StatusCode::NOT_FOUND, "model_not_found", message) }
    }

    /// Responses are not kept.
    pub(crate) fn no_response() -> Self {
        let message =
            "responses are not kept here: read the answer to the request, and send its items in the next `input`";
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// The server does not have the path.
    pub(crate) fn no_path() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "there is no such path")
    }

    /// The path does not support the method.
    pub(crate) fn no_method() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this path does not have this method")
    }

    /// The request names a host that the server does not answer to.
    pub(crate) fn host(given: &str) -> Self {
        let given: String = given.chars().take(MAX_NAMED).collect();
        let message = format!(
            "`{given}` is no host of this server: ask `localhost` or the address that it listens on, or have its operator list \
             the host with `--allow-host`"
        );
        Self::new(StatusCode::MISDIRECTED_REQUEST, "host_not_allowed", message)
    }

    /// A web page of a forbidden origin sent the request.
    pub(crate) fn origin(given: &str) -> Self {
        let given: String = given.chars().take(MAX_NAMED).collect();
        let message = format!(
            "pages of the origin `{given}` may not use this server: have its operator list the origin with `--allow-origin`"
        );
        Self::new(StatusCode::FORBIDDEN, "origin_not_allowed", message)
    }

    /// The key is missing or wrong.
    pub(crate) fn key(is_given: bool) -> Self {
        let message = match is_given {
            true => "the key is wrong: send `Authorization: Bearer KEY` with a key of this server",
            false => "there is no key: send `Authorization: Bearer KEY` with a key of this server",
        };
        Self::new(StatusCode::UNAUTHORIZED, "invalid_api_key", message)
    }

    /// The content type of the body is not JSON.
    pub(crate) fn no_json(given: Option<&str>) -> Self {
        let given = given.map(|given| given.chars().take(MAX_NAMED).collect::<String>());
        let given = given.map_or("the body has no content type".to_owned(), |given| format!("the body is `{given}`"));
        let message = format!("{given}: send JSON, with the header `Content-Type: application/json`");
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    }

    /// The body is too large.
    pub(crate) fn too_large(limit: usize) -> Self {
        let message = format!("the body has more than {limit} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    }

    /// The body did not arrive in time.
    pub(crate) fn slow(limit: Duration) -> Self {
        let message = format!("the body did not arrive within {} s", limit.as_secs_f32());
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow_body", message)
    }

    /// The server has reached a limit.
    pub(crate) fn busy(message: &str) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", format!("{message}: try again later"))
    }

    /// The request took too long.
    pub(crate) fn timeout() -> Self {
        Self::new(
            StatusCode::GATEWAY_TIMEOUT,
            "timeout",
            "the text took longer than the time limit of a request: ask for fewer tokens",
        )
    }

    /// The masks of a text took longer than they may.
    pub(crate) fn slow_masks(given: Duration, limit: Duration) -> Self {
        let message = format!(
            "the masks of this text took {:.1} s; the limit is {} s: make the format less ambiguous, or ask for fewer tokens",
            given.as_secs_f32(),
            limit.as_secs_f32()
        );
        Self::invalid(Some("response_format"), message)
    }

    /// Another server, which writes the texts, failed. Or it rejected the request with a status that is passed on,
    /// because the client can fix the cause.
    pub(crate) fn upstream(refused: Option<StatusCode>, said: &str) -> Self {
        let said: String = said.chars().take(MAX_SAID).collect();
        let message = match refused {
            Some(status) => format!("the server behind this one answered {status}: {said}"),
            None => format!("the server behind this one failed: {said}"),
        };
        Self::new(refused.unwrap_or(StatusCode::BAD_GATEWAY), "upstream", message)
    }

    /// Another server exceeded a time limit.
    pub(crate) fn upstream_slow(what: &str, limit: Duration) -> Self {
        let message = format!("the server behind this one did not {what} within {} s", limit.as_secs_f32());
        Self::new(StatusCode::GATEWAY_TIMEOUT, "timeout", message)
    }

    /// Another server wrote a text that violates the format.
    pub(crate) fn violation(violation: Value, message: &str, attempts: usize) -> Self {
        let times = if attempts == 1 { "once".to_owned() } else { format!("{attempts} times") };
        let message = format!(
            "the server behind this one was asked {times} and wrote no text of the format; the last mistake: {message}"
        );
        Self { violation: Some(Box::new(violation)), ..Self::new(StatusCode::BAD_GATEWAY, "format_violation", message) }
    }

    /// A bug of the server.
    pub(crate) fn defect(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", message)
    }

    /// A text has no events.
    pub(crate) fn of_events(error: &EventError) -> Self {
        Self::defect(format!("the events of the text cannot be found: {error}"))
    }

    /// The model cannot write a text.
    pub(crate) fn of_model(error: &GenerateError) -> Self {
        match error {
            GenerateError::Match(MatchError::Budget { given, limit: u32::MAX }) => Self::invalid(
                Some("max_tokens"),
                format!("no text of the format was found that fits into {given} tokens"),
            ),
            GenerateError::Match(MatchError::Budget { given, limit }) => {
                let message = format!("the format needs at least {limit} tokens, and {given} are allowed");
                Self::invalid(Some("max_tokens"), message)
            }
            GenerateError::Match(error @ MatchError::Limit { .. }) => {
                Self::invalid(Some("response_format"), error.to_string())
            }
            GenerateError::Context { .. } => Self::invalid(Some("messages"), format!("{error}: shorten the prompt")),
            GenerateError::LongPrompt { .. } | GenerateError::PromptTokens { .. } => {
                Self::invalid(Some("messages"), error.to_string())
            }
            GenerateError::EmptyPrompt => Self::invalid(Some("prompt"), error.to_string()),
            GenerateError::DeadEnd { .. } => Self::invalid(Some("response_format"), error.to_string()),
            other => Self::defect(other.to_string()),
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the error as a JSON body.
    pub(crate) fn body(&self) -> Value {
        let kind = if self.status.is_client_error() { "invalid_request_error" } else { "server_error" };
        let mut error = json!({ "message": self.message, "type": kind, "param": self.param, "code": self.code });
        if !self.findings.is_empty() {
            error["findings"] = json!(self.findings);
        }
        if let Some(violation) = &self.violation {
            error["violation"] = (**violation).clone();
        }
        json!({ "error": error })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(self.body())).into_response();
        let (name, value) = match self.status {
            StatusCode::TOO_MANY_REQUESTS => (header::RETRY_AFTER, "1"),
            StatusCode::UNAUTHORIZED => (header::WWW_AUTHENTICATE, "Bearer realm=\"ogc\""),
            _ => return response,
        };
        response.headers_mut().insert(name, HeaderValue::from_static(value));
        response
    }
}
