//! Messages as bytes: a header with a length, then JSON. Bytes that are no message are skipped, so that the next
//! message can be read.

use std::io;

use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};

/// Maximum length of a message in bytes; a document comes in a single message.
const LONGEST: u64 = 256 << 20;

/// Maximum length of a header line, in bytes.
const LONGEST_LINE: u64 = 4 << 10;

/// The result of reading a frame.
#[derive(Debug, PartialEq)]
pub(crate) enum Frame {
    /// A message.
    Message(Value),
    /// A frame whose content is no JSON, with the reason.
    Unreadable(String),
}

/// Reads the next frame; `None` at the end of the stream.
///
/// # Errors
/// The stream cannot be read.
pub(crate) async fn read<R: AsyncBufRead + Unpin>(input: &mut R) -> io::Result<Option<Frame>> {
    let Some(length) = header(input).await? else { return Ok(None) };
    if length > LONGEST {
        skip(input, length).await?;
        let reason = format!("a message of {length} bytes is not read; the limit is {LONGEST}");
        return Ok(Some(Frame::Unreadable(reason)));
    }
    let mut content = Vec::new();
    let got = (&mut *input).take(length).read_to_end(&mut content).await?;
    if (got as u64) < length {
        return Ok(None);
    }
    Ok(Some(match serde_json::from_slice(&content) {
        Ok(message) => Frame::Message(message),
        Err(error) => Frame::Unreadable(error.to_string()),
    }))
}

/// Reads a header and returns its length. Unknown lines are skipped, and so is a header without a length.
async fn header<R: AsyncBufRead + Unpin>(input: &mut R) -> io::Result<Option<u64>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut *input).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Ok(None);
        }
        match (String::from_utf8_lossy(&line).trim_end(), length) {
            ("", Some(length)) => return Ok(Some(length)),
            (text, _) => length = said_length(text).or(length),
        }
    }
}

/// Returns the length in a header line. Other text may come before it in the line: the rest of a message whose length
/// was wrong.
fn said_length(line: &str) -> Option<u64> {
    let (before, value) = line.rsplit_once(':')?;
    let name = "content-length";
    let found = before.to_ascii_lowercase().trim_end().ends_with(name);
    found.then(|| value.trim().parse().ok()).flatten()
}

async fn skip<R: AsyncRead + Unpin>(input: &mut R, length: u64) -> io::Result<()> {
    tokio::io::copy(&mut input.take(length), &mut tokio::io::sink()).await?;
    Ok(())
}

/// Returns a message as bytes.
pub(crate) fn written(message: &Value) -> Vec<u8> {
    let content = message.to_string();
    let mut bytes = format!("Content-Length: {}\r\n\r\n", content.len()).into_bytes();
    bytes.extend(content.into_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Formats all frames of an input: messages as JSON, `?` for unreadable ones.
    fn check(input: impl AsRef<[u8]>, expected: &[&str]) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let frames = runtime.block_on(async {
            let mut input = input.as_ref();
            let mut frames = Vec::new();
            while let Some(frame) = read(&mut input).await.unwrap() {
                frames.push(match frame {
                    Frame::Message(value) => value.to_string(),
                    Frame::Unreadable(_) => "?".to_owned(),
                });
            }
            frames
        });
        assert_eq!(frames, expected, "{:?}", String::from_utf8_lossy(input.as_ref()));
    }

    #[test]
    fn consecutive_messages_are_read() {
        let two = [written(&json!({"a": "é"})), written(&json!([1]))].concat();
        check(two, &["{\"a\":\"é\"}", "[1]"]);
        check("content-length:2\r\nContent-Type: a; charset=utf-8\r\nX: y\r\n\r\n{}", &["{}"]);
        check("Content-Length: 2\n\n{}", &["{}"]);
    }

    #[test]
    fn bytes_that_are_no_message_are_skipped() {
        check("Content-Length: 3\r\n\r\n{a}Content-Length: 2\r\n\r\n[]", &["?", "[]"]);
        check(b"Content-Length: 4\r\n\r\n\"\xff\xfe\"Content-Length: 2\r\n\r\n[]", &["?", "[]"]);
        check("nothing\r\n\r\nContent-Length: x\r\n\r\nContent-Length: 2\r\n\r\n[]", &["[]"]);
        check("garbageContent-Length: 2\r\n\r\n[]", &["[]"]);
        check("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n[]", &["?", "[]"]);
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        check(format!("Content-Length: {}\r\n\r\n{deep}Content-Length: 2\r\n\r\n[]", deep.len()), &["?", "[]"]);
    }

    #[test]
    fn an_unfinished_message_ends_the_stream() {
        for input in
            ["", "Content-Length: 9\r\n\r\n{}", "Content-Length: 9", "Content-Length: 99999999999999999999\r\n\r\n{}"]
        {
            check(input, &[]);
        }
    }
}
