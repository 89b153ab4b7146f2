//! The formats of requests: each is compiled once, off the threads that answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ogc_runtime::cache::{CacheError, CacheKey, CacheLimits, CacheStats, CompileStop, FormatCache, Pending};

use crate::api::ApiError;
use crate::background;
use crate::compile::{Compile, CompiledFormat, FormatSource, Notation, Refused};
use crate::options::ServeOptions;
use crate::peer;

/// Longest pause between two checks of a compilation.
const MAX_PAUSE: Duration = Duration::from_millis(20);

/// Cache of compiled formats.
pub(crate) struct Formats {
    compiled: FormatCache<CompiledFormat, Refused>,
    lowered: FormatCache<String, Refused>,
    compile: Arc<dyn Compile>,
}

impl fmt::Debug for Formats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formats").field("compiled", &self.compiled).field("lowered", &self.lowered).finish()
    }
}

impl Formats {
    pub(crate) fn new(compile: Arc<dyn Compile>, options: &ServeOptions) -> Self {
        let lowered = CacheLimits { bytes: options.lowered_bytes(), ..options.formats };
        let others = options.lowered_bytes() + options.mask_bytes();
        let compiled = CacheLimits { bytes: options.formats.bytes - others, ..options.formats };
        Self { compiled: FormatCache::new(compiled), lowered: FormatCache::new(lowered), compile }
    }

    /// Returns a compiled format. A compilation that nobody waits for any more is cancelled.
    pub(crate) async fn get(&self, source: FormatSource) -> Result<Arc<CompiledFormat>, ApiError> {
        let (key, source) = self.keyed(source, b"").await?;
        let (compile, client) = (Arc::clone(&self.compile), peer::current());
        let pending = self.compiled.get_or_compile_for(client, key, move |cancel| {
            let compiled = background::run(client, || compile.compile(&source, cancel))?;
            let bytes = compiled.bytes;
            Ok((compiled, bytes))
        });
        wait(pending).await?.map_err(|refused| ApiError::format(&refused))
    }

    /// Returns a format in another notation, or the reason why that notation cannot express it.
    pub(crate) async fn lower(
        &self,
        source: FormatSource,
        notation: Notation,
    ) -> Result<Result<Arc<String>, Refused>, ApiError> {
        let (key, source) = self.keyed(source, notation.name().as_bytes()).await?;
        let (compile, client) = (Arc::clone(&self.compile), peer::current());
        let pending = self.lowered.get_or_compile_for(client, key, move |cancel| {
            let text = background::run(client, || compile.lower(&source, notation, cancel))?;
            let bytes = text.len();
            Ok((text, bytes))
        });
        wait(pending).await
    }

    /// Returns the cache key of a format for a purpose. Files are read on other threads; texts need no wait.
    async fn keyed(&self, source: FormatSource, purpose: &'static [u8]) -> Result<(CacheKey, FormatSource), ApiError> {
        if matches!(source, FormatSource::Texts(_)) {
            return Ok((source.key(&self.compile.version(&source), purpose), source));
        }
        let compile = Arc::clone(&self.compile);
        let keyed = move || (source.key(&compile.version(&source), purpose), source);
        let keyed = tokio::task::spawn_blocking(keyed).await;
        keyed.map_err(|_| ApiError::defect("the format could not be read"))
    }

    pub(crate) fn stats(&self) -> CacheStats {
        self.compiled.stats()
    }
}

/// Waits for a format that is being compiled or lowered.
async fn wait<T: Send + Sync + 'static>(
    pending: Result<Pending<T, Refused>, CacheError<Refused>>,
) -> Result<Result<Arc<T>, Refused>, ApiError> {
    let pending = match pending {
        Ok(pending) => pending,
        Err(error) => return refused(error),
    };
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(result) = pending.wait_for(Duration::ZERO) {
            return result.map_or_else(refused, |made| Ok(Ok(made)));
        }
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(MAX_PAUSE);
    }
}

fn refused<T>(error: CacheError<Refused>) -> Result<Result<Arc<T>, Refused>, ApiError> {
    match error {
        CacheError::Compile(refused) => Ok(Err((*refused).clone())),
        CacheError::Busy { given, limit } => {
            Err(ApiError::busy(&format!("too many formats wait to be compiled ({given}; the limit is {limit})")))
        }
        CacheError::Stopped(late @ CompileStop::Late { .. }) => Ok(Err(too_dear(&late))),
        CacheError::Stopped(stop) => Err(ApiError::busy(&stop.to_string())),
        CacheError::Panicked => Err(ApiError::defect("the compiler failed on this format: please report it")),
    }
}

/// Makes the error of a format that takes too long to compile, if the compiler gives no reason itself.
fn too_dear(late: &CompileStop) -> Refused {
    Refused { message: format!("{late}: make the format simpler"), findings: Vec::new() }
}
