//! Sends requests to the other server, and reads its stream.

use std::ops::Range;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};
use reqwest::{Client, Response};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::failure;
use super::options::{UpstreamError, UpstreamOptions};
use super::piece::{Piece, read};
use crate::api::ApiError;

/// Timeout for making a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Longest line of a stream, and longest unstreamed answer, in bytes. It is also the most bytes between two events: blank lines and comments keep a
/// connection open, but carry nothing.
const MAX_LINE: usize = 16 << 20;

/// The other server.
#[derive(Debug)]
pub(crate) struct Upstream {
    pub(crate) options: UpstreamOptions,
    /// Authorization header with the server's own key.
    key: Option<HeaderValue>,
    client: Client,
}

impl Upstream {
    pub(crate) fn new(options: UpstreamOptions) -> Result<Self, UpstreamError> {
        let header = |key: &String| HeaderValue::from_str(&format!("Bearer {key}"));
        let key = options.key.as_ref().map(header).transpose();
        let mut key = key.map_err(|_| UpstreamError::Client {
            reason: "the key has a line break or another control character".to_owned(),
        })?;
        key.iter_mut().for_each(|key| key.set_sensitive(true));
        // If another part of the program has already installed a cipher provider, that one is used.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder()
            .connect_timeout(CONNECT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| UpstreamError::Client { reason: error.to_string() })?;
        Ok(Self { options, key, client })
    }

    /// Sends the body of a request; returns the stream of the answer.
    pub(crate) async fn ask(
        &self,
        path: &str,
        key: Option<&HeaderValue>,
        body: &Map<String, Value>,
    ) -> Result<Stream, ApiError> {
        let text = serde_json::to_string(body).map_err(|error| ApiError::defect(error.to_string()))?;
        let url = format!("{}{path}", self.options.url());
        let request =
            self.client.post(url).headers(self.key(key)).header(header::CONTENT_TYPE, "application/json").body(text);
        let response = request.send().await.map_err(failed)?;
        let status = response.status();
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        let mut stream = Stream { response, lines: LineBuffer::default(), is_stream, is_over: false };
        if status.is_success() {
            return Ok(stream);
        }
        Err(failure::refused(status, &stream.all().await?, self.options.key.as_deref()))
    }

    /// Fetches the JSON at a path.
    pub(crate) async fn get(&self, path: &str, key: Option<&HeaderValue>) -> Result<String, ApiError> {
        let url = format!("{}{path}", self.options.url());
        let response = self.client.get(url).headers(self.key(key)).send().await.map_err(failed)?;
        let status = response.status();
        let mut stream = Stream { response, lines: LineBuffer::default(), is_stream: false, is_over: false };
        let body = stream.all().await?;
        if !status.is_success() {
            return Err(failure::refused(status, &body, self.options.key.as_deref()));
        }
        match serde_json::from_str::<IgnoredAny>(&body) {
            Ok(_) => Ok(body),
            Err(_) => Err(ApiError::upstream(None, "its answer is no JSON: is its address right?")),
        }
    }

    /// Returns the authorization header: the server's own key, or the key of the request.
    fn key(&self, given: Option<&HeaderValue>) -> HeaderMap {
        let given = given.cloned().map(|mut key| {
            key.set_sensitive(true);
            key
        });
        self.key.clone().or(given).map(|key| (header::AUTHORIZATION, key)).into_iter().collect()
    }
}

/// An incoming answer. Dropping this closes the connection, so that the other server can stop.
#[derive(Debug)]
pub(crate) struct Stream {
    response: Response,
    lines: LineBuffer,
    /// Whether the answer is streamed; some servers send it at once although a stream was requested.
    is_stream: bool,
    is_over: bool,
}

impl Stream {
    /// Waits for the next piece; `None` at the end.
    pub(crate) async fn next(&mut self) -> Result<Option<Piece>, ApiError> {
        if self.is_over {
            return Ok(None);
        }
        if !self.is_stream {
            self.is_over = true;
            return read(&self.all().await?).map(Some);
        }
        let mut passed = 0;
        while let Some(line) = self.line().await? {
            passed += line.len();
            // An event of this interface is one line of data; other lines (`event:`, `id:`, comments) carry nothing.
            let data = line.strip_prefix(b"data:").map(|data| std::str::from_utf8(data).map(str::trim));
            match data {
                Some(Err(_)) => return Err(not_utf8()),
                Some(Ok("[DONE]")) => break,
                Some(Ok(data)) if !data.is_empty() => return read(data).map(Some),
                _ if passed > MAX_LINE => {
                    let said = format!("it sent {passed} bytes without an event; the limit is {MAX_LINE}");
                    return Err(ApiError::upstream(None, &said));
                }
                _ => {}
            }
        }
        self.is_over = true;
        Ok(None)
    }

    /// Waits for the next line; `None` at the end.
    async fn line(&mut self) -> Result<Option<&[u8]>, ApiError> {
        loop {
            if let Some(line) = self.lines.next() {
                return Ok(Some(self.lines.get(line)));
            }
            if !self.fill().await? {
                let rest = self.lines.rest();
                return Ok((!rest.is_empty()).then(|| self.lines.get(rest)));
            }
        }
    }

    /// Waits for the whole answer.
    async fn all(&mut self) -> Result<String, ApiError> {
        while self.fill().await? {}
        let rest = self.lines.rest();
        String::from_utf8(self.lines.get(rest).to_vec()).map_err(|_| not_utf8())
    }

    /// Waits for more bytes; returns whether there are any.
    async fn fill(&mut self) -> Result<bool, ApiError> {
        let Some(bytes) = self.response.chunk().await.map_err(failed)? else { return Ok(false) };
        if self.lines.len() + bytes.len() > MAX_LINE {
            return Err(ApiError::upstream(None, &format!("a part of its answer has more than {MAX_LINE} bytes")));
        }
        self.lines.push(&bytes);
        Ok(true)
    }
}

/// Buffers bytes and splits them into lines. Each byte is searched once and moved at most once, however short the lines are.
#[derive(Debug, Default)]
struct LineBuffer {
    bytes: Vec<u8>,
    /// Number of bytes at the beginning that were read.
    read: usize,
    /// Number of bytes at the beginning known to have no line break behind `read`. Invariant: at least `read`.
    searched: usize,
}

impl LineBuffer {
    /// Returns the number of unread bytes.
    fn len(&self) -> usize {
        self.bytes.len() - self.read
    }

    /// Appends bytes, and drops bytes that were read.
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.read);
        self.searched -= self.read;
        self.read = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Reads a line including its line break, if a whole line is buffered.
    fn next(&mut self) -> Option<Range<usize>> {
        let end = self.bytes[self.searched..].iter().position(|byte| *byte == b'\n');
        let Some(end) = end.map(|end| self.searched + end + 1) else {
            self.searched = self.bytes.len();
            return None;
        };
        let line = self.read..end;
        (self.read, self.searched) = (end, end);
        Some(line)
    }

    /// Reads all remaining bytes.
    fn rest(&mut self) -> Range<usize> {
        let rest = self.read..self.bytes.len();
        (self.read, self.searched) = (rest.end, rest.end);
        rest
    }

    /// Returns the bytes of a line that was just read.
    fn get(&self, line: Range<usize>) -> &[u8] {
        &self.bytes[line]
    }
}

fn not_utf8() -> ApiError {
    ApiError::upstream(None, "its answer is no text in UTF-8")
}

/// Describes a failed connection without its address, which the client must not see.
fn failed(error: reqwest::Error) -> ApiError {
    failure::failed(&error, CONNECT)
}

#[cfg(test)]
mod tests {
    use super::LineBuffer;

    fn lines(parts: &[&str]) -> Vec<String> {
        let mut buffer = LineBuffer::default();
        let mut lines = Vec::new();
        for part in parts {
            buffer.push(part.as_bytes());
            while let Some(line) = buffer.next() {
                lines.push(String::from_utf8(buffer.get(line).to_vec()).unwrap());
            }
        }
        let rest = buffer.rest();
        lines.push(String::from_utf8(buffer.get(rest).to_vec()).unwrap());
        lines
    }

    #[test]
    fn lines_are_reassembled_from_any_chunks() {
        assert_eq!(lines(&["a\nb", "", "c\n", "\n\r", "\nd"]), ["a\n", "bc\n", "\n", "\r\n", "d"]);
        assert_eq!(lines(&[]), [""]);
    }

    #[test]
    fn many_bare_line_breaks_are_read_in_linear_time() {
        // Moving the rest of the buffer for each line would take hours.
        let part = "\n".repeat(4 << 20);
        assert_eq!(lines(&[&part]).len(), (4 << 20) + 1);
    }
}
