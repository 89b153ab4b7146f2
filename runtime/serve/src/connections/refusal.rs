//! Tells a client that it has too many connections.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

/// Timeout for the answer that a client has too many connections.
const LONGEST_REFUSAL: Duration = Duration::from_secs(1);

/// Answers that a client has too many connections, if the client takes the answer soon.
pub(super) async fn send(stream: &TcpStream, limit: usize) {
    let message = format!("this client has {limit} connections already: use them, or try again later");
    let error =
        serde_json::json!({ "message": message, "type": "invalid_request_error", "param": null, "code": "busy" });
    let body = serde_json::json!({ "error": error }).to_string();
    let head =
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    // If a client cannot take the answer, its connection is closed without one.
    drop(timeout(LONGEST_REFUSAL, stream.writable()).await);
    drop(stream.try_write(answer.as_bytes()));
}
