//! Access-log record of one request: it is logged and counted when the request is over, also if its client disconnected before.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::api::ApiError;
use crate::record::Record;
use crate::shared::Shared;

/// Access-log record, written on drop.
pub(crate) struct Log {
    shared: Arc<Shared>,
    start: Instant,
    pub(crate) record: Record,
}

impl Log {
    pub(crate) fn begin(shared: Arc<Shared>, path: &'static str) -> Self {
        let record = Record { path, status: 200, milliseconds: 0, prompt_tokens: 0, tokens: 0, finish: Some("gone") };
        Self { shared, start: Instant::now(), record }
    }

    /// Notes that a request failed, and returns the error as its response.
    pub(crate) fn refuse(&mut self, error: ApiError) -> Response {
        self.fail(&error);
        error.into_response()
    }

    /// Notes that a request failed.
    pub(crate) fn fail(&mut self, error: &ApiError) {
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
