//! `ogc serve`: an HTTP server with OpenAI's interface that generates texts of formats, with a local model or through
//! another server.

mod access;
mod formats;
mod tool_style;

use std::io::Write;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use always_assert::never;
use ogc_compiler::db::{Allowance, Limits, SpecialTokens};
use ogc_runtime::cache::CacheLimits;
use ogc_serve::{AccessOptions, Record, ServeOptions, Server, UpstreamError, UpstreamOptions};
use serde::Serialize;
use tokio::net::TcpListener;

use super::generate::model::load_with_draft;
use crate::args::Serve;
use crate::args::device::{ModelDevice, ModelEngine};
use crate::message::Message;
use crate::output::Output;
use crate::problem::Problem;
use crate::verdict::Verdict;
use formats::resources::ResourceTexts;
use formats::{RequestFormats, WrittenBy};

/// Maximum time to wait at shutdown for running tasks, and again for the log.
const LAST_WAIT: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &Serve, output: &Output) -> Result<Verdict, Problem> {
    if args.format.definition.is_some() || args.format.language.is_some() {
        let message =
            "`--definition` and `--language` do not apply here, where each request names its format: remove them"
                .to_owned();
        return Err(Problem::Usage { message });
    }
    let access = access::options(&args.access, args.listen)?;
    let is_open = !args.listen.ip().is_loopback() && !access.needs_key();
    let (lines, log) = log();
    let server = server(args, access, lines, output)?;
    let failed = |error| Problem::Usage { message: format!("cannot listen on {}: {error}", args.listen) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    let listener = runtime.block_on(TcpListener::bind(args.listen)).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let url = format!("http://{address}/v1");
    match output.is_json() {
        true => output.say(&Message::Listening { url })?,
        false => output.aside(&format!("listening on {url}; Ctrl+C ends"))?,
    }
    if is_open {
        output.aside("no key is needed: whoever reaches this address may use the server; --api-key requires one")?;
    }
    runtime.block_on(server.run(listener, asked_to_end()));
    // Requests that never end would hold the log open; their records are not waited for.
    runtime.shutdown_timeout(LAST_WAIT);
    let end = Instant::now() + LAST_WAIT;
    while !log.is_finished() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    Ok(Verdict::Good)
}

/// Makes a server for a model, or one in front of another server.
fn server(
    args: &Serve,
    access: AccessOptions,
    log: impl Fn(&Record) + Send + Sync + 'static,
    output: &Output,
) -> Result<Server, Problem> {
    let resources = ResourceTexts::read(&args.format)?;
    let formats = |written_by, special_tokens| {
        let budget = Allowance { bytes: args.compile_memory, ..Allowance::default() };
        let limits = Limits { budget, ..Limits::default() };
        Arc::new(RequestFormats {
            folder: args.folder.clone(),
            args: args.format.clone(),
            written_by,
            limits,
            resources,
            special_tokens,
        })
    };
    let Some(url) = &args.upstream else {
        let Some(model) = &args.model else {
            let message = "there is neither a model nor a server to ask: give `--model` or `--upstream`".to_owned();
            return Err(Problem::Usage { message });
        };
        let loaded = Arc::new(load_with_draft(model, &args.draft, &args.place, args.slots.get())?);
        if let Some(warning) = tool_style::warning(args.tool_style, loaded.template.as_ref()) {
            output.aside(&format!("warning: {warning}"))?;
        }
        let special_tokens = Some(Arc::new(SpecialTokens::of(&loaded.vocabulary)));
        return Ok(Server::new(loaded, formats(WrittenBy::Model, special_tokens), options(args, access), log));
    };
    if args.place.device != ModelDevice::Cpu || args.place.engine != ModelEngine::Embedded {
        let name = if args.place.device != ModelDevice::Cpu { "device" } else { "engine" };
        let message = format!("`--{name}` does not apply with `--upstream`, where no model runs here: remove it");
        return Err(Problem::Usage { message });
    }
    let failed = |error: UpstreamError| Problem::Usage { message: error.to_string() };
    let mut upstream = UpstreamOptions::new(url, args.dialect).map_err(failed)?;
    upstream.retries = args.retries;
    upstream.key = std::env::var("OGC_UPSTREAM_KEY").ok().filter(|key| !key.is_empty());
    Server::before(upstream, formats(WrittenBy::OtherServer, None), options(args, access), log).map_err(failed)
}

fn options(args: &Serve, access: AccessOptions) -> ServeOptions {
    let stem = args.model.as_ref().and_then(|model| model.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    ServeOptions {
        model: args.name.clone().or(stem).unwrap_or_default(),
        tool_style: args.tool_style,
        access,
        slots: args.slots,
        queue: args.queue,
        timeout: Duration::from_secs(args.timeout),
        connections: args.connections,
        client_connections: args.client_connections.unwrap_or(half(args.connections)),
        patience: Duration::from_secs(args.patience.get()),
        max_body: args.max_body,
        max_tokens: args.max_tokens,
        tokens: args.tokens,
        speculate: args.speculate,
        draft: args.draft.length(),
        formats: cache_limits(args),
        prefix_cache: args.prefix_cache,
        mask_time: Duration::from_secs(args.mask_time.get()),
        mask_threads: half(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        ..ServeOptions::default()
    }
}

/// Returns the limits of the format cache: half of the processors compile new formats, and the other half formats that
/// take long.
fn cache_limits(args: &Serve) -> CacheLimits {
    let threads = half(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
    let time = Duration::from_secs(args.compile_time.get());
    CacheLimits { bytes: args.format_cache, threads, long: threads, time, ..CacheLimits::default() }
}

fn half(number: NonZeroUsize) -> NonZeroUsize {
    NonZeroUsize::new(number.get() / 2).unwrap_or(NonZeroUsize::MIN)
}

/// Waits for a signal to shut down.
async fn asked_to_end() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    drop(interrupted.await);
}

/// A line of the access log.
#[derive(Serialize)]
struct Line<'a> {
    /// Milliseconds since 1970.
    time: u128,
    #[serde(flatten)]
    record: &'a Record,
}

/// Cap on access-log lines that wait for a slow reader of standard error; beyond it lines are dropped.
const MAX_LINES: usize = 4_096;

/// Starts the thread that writes one JSON line per request to standard error, so that no response waits for a slow
/// reader.
fn log() -> (impl Fn(&Record) + Send + Sync + 'static, JoinHandle<()>) {
    let (lines, written) = sync_channel::<String>(MAX_LINES);
    let writer = std::thread::spawn(move || {
        // If standard error is gone, there is nowhere to report it.
        written.iter().for_each(|line| drop(writeln!(std::io::stderr(), "{line}")));
    });
    let say = move |record: &Record| {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        match serde_json::to_string(&Line { time, record }) {
            Ok(line) => drop(lines.try_send(line)),
            Err(error) => never!("a record is not written as JSON: {}", error),
        }
    };
    (say, writer)
}
