//! Connections: their number, and timeouts for clients that send or read slowly.
//!
//! A client that sends or reads nothing, or a byte now and then, keeps its connection only as long as [`ConnectionLimits`] allows.

mod refusal;
mod writing;

use std::future::Future;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use always_assert::never;
use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::held::HeldByClient;
use crate::peer;
use writing::PatientStream;

/// Wait after a failure to accept connections, as with too many open files.
const ACCEPT_WAIT: Duration = Duration::from_secs(1);

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Maximum number of concurrent connections; others wait until one ends.
    pub(crate) count: usize,
    /// Maximum number of concurrent connections of one client; others are closed.
    pub(crate) of_client: usize,
    /// Timeout for a client to send the head of a request, and to read a part of the pending answer.
    pub(crate) patience: Duration,
}

/// Answers requests until `shutdown` is ready, then finishes the requests that are under way.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    shutdown: impl Future<Output = ()>,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
    let places = Arc::new(Semaphore::new(limits.count.clamp(1, Semaphore::MAX_PERMITS)));
    let (open, by_client) = (GracefulShutdown::new(), HeldByClient::default());
    let mut shutdown = pin!(shutdown);
    loop {
        let (place, stream, address) = tokio::select! {
            next = next(&listener, &places) => next,
            () = &mut shutdown => break,
        };
        let client = peer::of_address(address.ip());
        let Ok(of_client) = by_client.take(client, 1, |_| limits.of_client) else {
            tokio::spawn(async move {
                refusal::send(&stream, limits.of_client).await;
                drop(place);
            });
            continue;
        };
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |request| peer::answering(client, router.call(request)));
        let stream = TokioIo::new(PatientStream::new(stream, limits.patience));
        let connection = open.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            // If a connection failed, there is nobody left to tell.
            drop(connection.await);
            // The order matters: the next connection to be accepted may be one of the same client.
            drop(of_client);
            drop(place);
        });
    }
    drop(listener);
    open.shutdown().await;
}

/// Waits for a permit, then for the next connection.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (Option<OwnedSemaphorePermit>, TcpStream, SocketAddr) {
    let place = Arc::clone(places).acquire_owned().await;
    let place = place.inspect_err(|_| never!("the places of connections are closed")).ok();
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Chunks of a stream are small, and each should arrive at once; if this fails, they only arrive later.
                drop(stream.set_nodelay(true));
                return (place, stream, address);
            }
            Err(error) if is_of_connection(error.kind()) => {}
            Err(_) => tokio::time::sleep(ACCEPT_WAIT).await,
        }
    }
}

/// Returns whether an error concerns the connection that was to be accepted, not the listener.
fn is_of_connection(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}
