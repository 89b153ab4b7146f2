//! The connections of each client, which may have so many at a time: one client does not take all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ogc_runtime::cache::Client;
use tokio::net::TcpStream;
use tokio::time::timeout;

type Counts = Arc<Mutex<HashMap<Client, usize>>>;

/// Counts connections by client.
#[derive(Debug)]
pub(super) struct OpenByClient {
    counts: Counts,
    limit: usize,
}

/// A connection that is counted, until this is dropped.
#[derive(Debug)]
pub(super) struct OpenConnection {
    counts: Counts,
    client: Client,
}

impl OpenByClient {
    pub(super) fn new(limit: usize) -> Self {
        Self { counts: Counts::default(), limit }
    }

    /// Counts a connection; nothing if its client has as many as it may.
    pub(super) fn open(&self, client: Client) -> Option<OpenConnection> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(OpenConnection { counts: Arc::clone(&self.counts), client })
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// The longest wait for a client to be told that it has too many connections.
const LONGEST_REFUSAL: Duration = Duration::from_secs(1);

/// Says that a client has too many connections, as far as that can be said soon.
pub(super) async fn refuse(stream: &TcpStream, limit: usize) {
    let message = format!("this client has {limit} connections already: use them, or try again later");
    let error =
        serde_json::json!({ "message": message, "type": "invalid_request_error", "param": null, "code": "busy" });
    let body = serde_json::json!({ "error": error }).to_string();
    let head =
        "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 1\r\nconnection: close";
    let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    // A client that cannot take the answer is closed without it.
    drop(timeout(LONGEST_REFUSAL, stream.writable()).await);
    drop(stream.try_write(answer.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_may_have_so_many_connections_and_others_have_theirs() {
        let open = OpenByClient::new(2);
        let first = open.open(Client(1));
        let second = open.open(Client(1));
        assert!(first.is_some() && second.is_some() && open.open(Client(1)).is_none());
        assert!(open.open(Client(2)).is_some());
        drop(first);
        assert!(open.open(Client(1)).is_some(), "the first has ended");
        drop(second);
        assert!(open.counts.lock().unwrap().is_empty(), "nothing is kept of clients that are gone");
    }
}
