//! Any bytes as a client's request, and as the answer of another server: `ogc serve` answers, with a status; no panic.
//!
//! The server runs in front of another server; a part of the input is the other server's answer.

#![no_main]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use ogc_compiler::frontend::grammar::{Dialect as Notation, compile_grammar};
use ogc_compiler::pass::Limits;
use ogc_serve::{
    Cancel, Compile, CompiledFormat, Dialect, FormatSource, Refused, ServeOptions, Server, UpstreamOptions,
};

/// Compiles any source to a few words.
struct Fixed(CompiledFormat);

impl Compile for Fixed {
    fn compile(&self, _: &FormatSource, _: &Cancel) -> Result<CompiledFormat, Refused> {
        Ok(self.0.clone())
    }
}

/// The answer of the other server to the next requests.
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Reads the head and the body of a request.
fn read_request(stream: &mut TcpStream) {
    let (mut read, mut buffer) = (Vec::new(), [0; 4_096]);
    while let Ok(count) = stream.read(&mut buffer)
        && count > 0
    {
        read.extend(&buffer[..count]);
        let text = String::from_utf8_lossy(&read).to_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else { continue };
        let len = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.trim().parse().ok());
        if read.len() >= head.len() + 4 + len.unwrap_or(0) {
            return;
        }
    }
}

fn other_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
            read_request(&mut stream);
            let _ = stream.write_all(&ANSWER.lock().unwrap_or_else(PoisonError::into_inner));
        }
    });
    address
}

fn server() -> SocketAddr {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    *SERVER.get_or_init(|| {
        let grammar = r#"root ::= "yes" | "no" | "{" [a-z"]* "}""#;
        let automaton = compile_grammar(grammar, Notation::Gbnf, &Limits::default()).0.expect("a good grammar");
        let compiled = CompiledFormat { automaton: Arc::new(automaton), bytes: 1_000, content: Default::default() };
        let mut upstream =
            UpstreamOptions::new(&format!("http://{}/v1", other_server()), Dialect::Vllm).expect("an address");
        upstream.retries = 0;
        let options = ServeOptions { timeout: Duration::from_secs(3), ..ServeOptions::default() };
        let server = Server::before(upstream, Arc::new(Fixed(compiled)), options, |_| ()).expect("connections");
        let (sender, address) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("threads");
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
                sender.send(listener.local_addr().expect("an address")).expect("a waiting thread");
                server.run(listener, std::future::pending()).await;
            });
        });
        address.recv().expect("a server")
    })
}

const PATHS: [&str; 4] = ["/v1/chat/completions", "/v1/completions", "/v1/models/m", "/nothing"];

const GOOD: &str = r#"{"model":"m","messages":[{"role":"user","content":"?"}],"grammar":"root ::= \"yes\""}"#;

fn request(path: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

fuzz_target!(|input: (u8, u8, &[u8], &[u8])| {
    let (path, kind, body, answer) = input;
    let said = match kind % 4 {
        0 => answer.to_vec(),
        1 => [
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", answer.len())
                .as_bytes(),
            answer,
        ]
        .concat(),
        2 => [b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n", answer].concat(),
        _ => [
            format!("HTTP/1.1 {} X\r\nContent-Length: {}\r\n\r\n", 200 + u16::from(path), answer.len()).as_bytes(),
            answer,
        ]
        .concat(),
    };
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = said;
    let path = PATHS[usize::from(path) % PATHS.len()];
    let sent = match kind / 4 % 4 {
        0 => body.to_vec(),
        1 => request(path, body),
        2 => request("/v1/chat/completions", GOOD.replace('}', r#","stream":true}"#).as_bytes()),
        _ => request("/v1/chat/completions", GOOD.as_bytes()),
    };
    let mut stream = TcpStream::connect(server()).expect("the server listens");
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let _ = stream.write_all(&sent);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut said = Vec::new();
    let read = stream.read_to_end(&mut said);
    let is_waited_for = read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
    assert!(!is_waited_for, "no answer within ten seconds");
});
