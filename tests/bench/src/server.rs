//! `server`: measures the language server as an editor sees it, through its pipes.
//!
//! Each workload is a folder. The server is started on it and one file is opened. Then single characters are typed, and
//! the time to the diagnostics of each version is measured. Then the requests of editors are sent at random places,
//! each after an edit, so that nothing is cached.

mod client;
mod workload;

use std::path::Path;
use std::time::{Duration, Instant};

use ogc_kit::Random;
use serde_json::{Value, json};

use self::client::Client;
use self::workload::Workload;
use crate::args::Server;

/// The measured requests: those whose results people see while they type.
const ASKED: [(&str, &str); 4] = [
    ("hover", "textDocument/hover"),
    ("completion", "textDocument/completion"),
    ("code actions", "textDocument/codeAction"),
    ("inlay hints", "textDocument/inlayHint"),
];

/// The lines around the cursor that an editor shows.
const SHOWN: u64 = 30;

/// Runs all workloads and prints a table.
pub(crate) fn run(args: &Server) -> Result<(), String> {
    println!("workload                what                        n   p50 ms   p95 ms   max ms");
    let ours = vec![args.ogc.display().to_string(), "lsp".to_owned()];
    for workload in Workload::ours() {
        measure(&workload, &ours, args.edits)?;
    }
    if let Some(peer) = &args.peer {
        let command: Vec<String> = peer.split_whitespace().map(str::to_owned).collect();
        measure(&Workload::python(), &command, args.edits)?;
    }
    Ok(())
}

fn measure(workload: &Workload, command: &[String], edits: usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    workload.write(folder.path())?;
    let begin = Instant::now();
    let mut session = Session::start(workload, command, folder.path())?;
    session.diagnosed()?;
    row(workload.title, "start to diagnostics", &[begin.elapsed()]);
    let mut typed = Vec::new();
    for edit in 0..edits {
        session.client.forget();
        let at = Instant::now();
        session.edit(edit)?;
        session.diagnosed()?;
        typed.push(at.elapsed());
    }
    row(workload.title, "keystroke to diagnostics", &typed);
    for (what, method) in ASKED {
        match session.times(method, edits) {
            Ok(times) => row(workload.title, what, &times),
            Err(reason) => println!("{:<22}  {what:<24} not answered: {reason}", workload.title),
        }
    }
    session.rest(workload.title)?;
    session.client.stop()
}

fn row(title: &str, what: &str, times: &[Duration]) {
    let mut sorted: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted.get(((sorted.len() as f64 - 1.0) * part) as usize).copied().unwrap_or(0.0);
    println!("{title:<22}  {what:<24} {:>4} {:>8.1} {:>8.1} {:>8.1}", sorted.len(), at(0.5), at(0.95), at(1.0));
}

/// An open file in a running server.
struct Session<'w> {
    workload: &'w Workload,
    client: Client,
    uri: String,
    text: String,
    version: i64,
    random: Random,
}

impl<'w> Session<'w> {
    fn start(workload: &'w Workload, command: &[String], folder: &Path) -> Result<Self, String> {
        let mut client = Client::start(command)?;
        let root = format!("file://{}", folder.display());
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "textDocument": {
                "publishDiagnostics": { "versionSupport": true, "relatedInformation": true },
                "hover": { "contentFormat": ["markdown"] },
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
                    "resolveSupport": { "properties": ["edit"] }, "dataSupport": true },
                "completion": { "completionItem": { "snippetSupport": true } },
                "synchronization": {}
            },
        });
        let folders = json!([{ "uri": root, "name": "bench" }]);
        // All kinds of hints are switched on.
        let options = json!({ "inlayHints": { "sizes": true } });
        let params = json!({ "processId": std::process::id(), "rootUri": root, "workspaceFolders": folders, "capabilities": capabilities,
            "initializationOptions": options });
        client.request("initialize", params)?;
        client.notify("initialized", json!({}))?;
        let uri = format!("{root}/{}", workload.edited);
        let text = workload.text().to_owned();
        let document = json!({ "uri": uri, "languageId": workload.language, "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
        Ok(Self { workload, client, uri, text, version: 1, random: Random::new(7) })
    }

    /// Waits for the diagnostics of the newest version.
    fn diagnosed(&mut self) -> Result<(), String> {
        let (uri, version) = (self.uri.clone(), self.version);
        let wanted = move |message: &Value| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        };
        self.client.wait(wanted).map(drop)
    }

    /// Types a digit into one of the numbers of the file, or takes it away again.
    fn edit(&mut self, n: usize) -> Result<(), String> {
        let marks: Vec<usize> =
            self.text.match_indices(self.workload.marks).map(|(at, mark)| at + mark.len()).collect();
        let at = marks[self.random.below(marks.len())];
        let end = if n.is_multiple_of(2) || !self.text[at..].starts_with('9') { at } else { at + 1 };
        let new = if end == at { "9" } else { "" };
        let range = json!({ "start": self.position(at), "end": self.position(end) });
        self.text.replace_range(at..end, new);
        self.version += 1;
        let document = json!({ "uri": self.uri, "version": self.version });
        let change = json!({ "range": range, "text": new });
        self.client.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }))
    }

    /// Sends a request repeatedly, each time after an edit; returns the times to the answers.
    fn times(&mut self, method: &str, edits: usize) -> Result<Vec<Duration>, String> {
        let one = |edit| {
            self.edit(edit)?;
            let at = Instant::now();
            self.ask(method, edit)?;
            Ok(at.elapsed())
        };
        (edits..2 * edits).map(one).collect()
    }

    /// Sends a request at one of the names of the file.
    fn ask(&mut self, method: &str, n: usize) -> Result<(), String> {
        let names: Vec<usize> = self.text.match_indices(self.workload.name).map(|(at, _)| at + 2).collect();
        let at = names[n * 31 % names.len()];
        let position = self.position(at);
        let line = position["line"].as_u64().unwrap_or_default();
        let here = json!({ "start": position, "end": position });
        let shown = json!({ "start": { "line": line.saturating_sub(SHOWN), "character": 0 },
            "end": { "line": line + SHOWN, "character": 0 } });
        let params = json!({ "textDocument": { "uri": self.uri }, "position": position,
            "range": if method == "textDocument/inlayHint" { shown } else { here }, "context": { "diagnostics": [], "triggerKind": 1 } });
        let answer = self.client.request(method, params)?;
        if answer.is_null() { Err(format!("{method} says nothing at {at}")) } else { Ok(()) }
    }

    fn position(&self, at: usize) -> Value {
        let before = &self.text[..at];
        let line = before.matches('\n').count();
        json!({ "line": line, "character": at - before.rfind('\n').map_or(0, |end| end + 1) })
    }

    /// Prints the memory of the server, and the processor time that it uses while idle.
    fn rest(&mut self, title: &str) -> Result<(), String> {
        std::thread::sleep(Duration::from_secs(3));
        let before = self.ticks()?;
        std::thread::sleep(Duration::from_secs(3));
        let used = self.ticks()? - before;
        let status = self.proc("status")?;
        let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("?").trim();
        println!("{title:<22}  most memory {memory}, idle {used} ticks of a hundredth second in 3 s");
        Ok(())
    }

    /// Returns the processor time that the server has used, in hundredths of a second.
    fn ticks(&self) -> Result<u64, String> {
        let stat = self.proc("stat")?;
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks = fields.get(11..13).unwrap_or_default().iter().filter_map(|field| field.parse::<u64>().ok());
        Ok(ticks.sum())
    }

    fn proc(&self, name: &str) -> Result<String, String> {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.client.id())).map_err(|error| error.to_string())
    }
}
