//! A stream that does not wait for a slow reader for ever.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// Bytes that a client must take within the timeout while more is pending. A connection buffers some 100 KB, so only a client that has not read for
/// long is measured at all.
const LEAST: usize = 16 << 10;

/// Fails with [`ErrorKind::TimedOut`] if pending data has waited for the timeout and fewer than [`LEAST`] bytes of it were taken.
#[derive(Debug)]
pub(super) struct PatientStream<S> {
    stream: S,
    patience: Duration,
    /// Timer that has been running since the client did not take all of a write.
    blocked: Option<Pin<Box<Sleep>>>,
    /// Bytes that were taken since then.
    taken: usize,
}

impl<S> PatientStream<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, blocked: None, taken: 0 }
    }

    /// Decides whether the client takes data fast enough, after a write of `given` bytes.
    fn judge(&mut self, written: Poll<Result<usize>>, given: usize, cx: &mut Context<'_>) -> Poll<Result<usize>> {
        match written {
            Poll::Ready(Ok(bytes)) => {
                self.taken += bytes;
                if bytes >= given || self.taken >= LEAST {
                    (self.blocked, self.taken) = (None, 0);
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(error) => Poll::Ready(error),
            Poll::Pending => {
                let patience = self.patience;
                if self.blocked.is_none() {
                    self.taken = 0;
                }
                let timer = self.blocked.get_or_insert_with(|| Box::pin(sleep(patience)));
                ready!(timer.as_mut().poll(cx));
                Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client does not read")))
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientStream<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(written, bytes.len(), cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.judge(written, parts.iter().map(|part| part.len()).sum(), cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::timeout;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    /// Writes much data to a client that reads `bytes` bytes every tenth of the timeout, and gives up in the end.
    fn write_to(bytes: usize) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let (server, mut client) = duplex(1_024);
            let mut server = PatientStream::new(server, PATIENCE);
            tokio::spawn(async move {
                let mut buffer = vec![0; bytes.max(1)];
                loop {
                    if bytes > 0 && client.read_exact(&mut buffer).await.is_err() {
                        return;
                    }
                    sleep(PATIENCE / 10).await;
                }
            });
            timeout(Duration::from_secs(20), server.write_all(&[0; 200_000])).await.expect("it ends")
        })
    }

    #[test]
    fn a_client_that_reads_nothing_is_given_up() {
        assert_eq!(write_to(0).unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_client_that_reads_a_byte_now_and_then_is_given_up() {
        assert_eq!(write_to(1).unwrap_err().kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_client_that_reads_is_waited_for() {
        assert!(write_to(8_192).is_ok());
    }
}
