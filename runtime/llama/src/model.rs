//! A model in libllama, as an engine.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::{CString, c_void};
use std::path::Path;
use std::sync::Arc;

use ogc_generate::{Engine, EnginePart, GenerateError};

use crate::error::LlamaError;
use crate::functions::Batch;
use crate::layout::{BATCH, LAYERS, MICRO_BATCH, POSITIONS, SEQUENCES};
use crate::library::Library;
use crate::log;
use crate::tokenizer::{LlamaTokenizer, ModelHandle};

/// Maximum number of tokens of one call of libllama; more tokens take several calls.
const MOST: usize = 512;

/// Maximum number of texts of a context, a limit of libllama (`LLAMA_MAX_SEQ`).
const MOST_TEXTS: u32 = 256;

/// Options for loading a model.
///
/// ```
/// use ogc_llama::LlamaOptions;
/// let options = LlamaOptions::new(1, 4096);
/// assert_eq!(options.gpu_layers, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LlamaOptions {
    /// Maximum number of concurrent texts, at least 1.
    pub texts: u32,
    /// Positions of each text, including its prompt; capped at the positions that the model was trained with.
    pub positions: u32,
    /// Number of threads of a pass.
    pub threads: u32,
    /// Number of layers on a device, if libllama has a backend for one; `None` leaves the choice to libllama.
    pub gpu_layers: Option<u32>,
}

impl LlamaOptions {
    /// Makes options for `texts` texts of `positions` positions, with as many threads as the machine has.
    ///
    /// ```
    /// assert!(ogc_llama::LlamaOptions::new(8, 1024).threads > 0);
    /// ```
    #[must_use]
    pub fn new(texts: u32, positions: u32) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32);
        Self { texts, positions, threads, gpu_layers: None }
    }
}

/// A model in libllama, with the KV cache of several texts.
#[derive(Debug)]
pub struct LlamaModel {
    handle: Arc<ModelHandle>,
    context: *mut c_void,
    width: usize,
    texts: usize,
    positions: usize,
    takes_back: bool,
}

// SAFETY: a context is used by one thread at a time, because its methods take `&mut`.
unsafe impl Send for LlamaModel {}

impl LlamaModel {
    /// Loads a model from a GGUF file.
    ///
    /// # Errors
    /// libllama cannot load the file, the model does not write text token by token, or there is not enough memory for the texts.
    ///
    /// ```
    /// # use ogc_llama::{LlamaError, LlamaModel, LlamaOptions, Library};
    /// fn load(library: &Library) -> Result<LlamaModel, LlamaError> {
    ///     LlamaModel::load(library, "SmolLM2-135M-Instruct.Q4_1.gguf".as_ref(), LlamaOptions::new(1, 2048))
    /// }
    /// ```
    pub fn load(library: &Library, path: &Path, options: LlamaOptions) -> Result<Self, LlamaError> {
        let refused = |reason: String| LlamaError::Model { path: path.to_owned(), reason };
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| refused("its name has a zero byte".to_owned()))?;
        let (mut parameters, layout) = library.model;
        if let (Some(layers), Some(offset)) = (options.gpu_layers, layout.offset(LAYERS)) {
            parameters.set(offset, i32::try_from(layers).unwrap_or(i32::MAX).to_le_bytes());
        }
        log::forget();
        // SAFETY: the name is a C string, and the parameters are the library's defaults except for one field, whose offset was checked.
        let model = unsafe { (library.functions.llama_model_load_from_file)(name.as_ptr(), parameters) };
        if model.is_null() {
            return Err(refused(with_way_out(log::errors("it does not say why"))));
        }
        let handle = ModelHandle { functions: library.functions, model };
        if let Some(kind) = kind(&handle) {
            return Err(LlamaError::Kind { path: path.to_owned(), kind });
        }
        Self::with_context(library, Arc::new(handle), options)
    }

    /// Makes the context of a model.
    fn with_context(library: &Library, handle: Arc<ModelHandle>, options: LlamaOptions) -> Result<Self, LlamaError> {
        let functions = handle.functions;
        // SAFETY: the model is alive.
        let trained = unsafe { (functions.llama_model_n_ctx_train)(handle.model) };
        let trained = u32::try_from(trained).ok().filter(|trained| *trained > 0).unwrap_or(u32::MAX);
        let (texts, positions) = (options.texts.max(1), options.positions.min(trained));
        let no_room = |reason| LlamaError::Room { texts, positions, reason };
        // Each text gets a multiple of 256 positions, because a context has at least 256.
        let all = positions.next_multiple_of(256).checked_mul(texts).filter(|all| *all <= i32::MAX.unsigned_abs());
        let all = all.filter(|_| texts <= MOST_TEXTS);
        let all = all.ok_or_else(|| no_room(format!("it takes {MOST_TEXTS} texts and {} tokens at most", i32::MAX)))?;
        let (mut parameters, layout) = library.context;
        for (name, number) in [(POSITIONS, all), (BATCH, MOST as u32), (MICRO_BATCH, MOST as u32), (SEQUENCES, texts)] {
            if let Some(offset) = layout.offset(name) {
                parameters.set(offset, number.to_le_bytes());
            }
        }
        log::forget();
        // SAFETY: the model outlives the context, and the parameters are the library's defaults except for fields whose offsets were checked.
        let context = unsafe { (functions.llama_init_from_model)(handle.model, parameters) };
        if context.is_null() {
            return Err(no_room(log::errors("it does not say why")));
        }
        let threads = i32::try_from(options.threads.max(1)).unwrap_or(i32::MAX);
        // SAFETY: the context and the model are alive.
        let (had, width) = unsafe {
            (functions.llama_set_n_threads)(context, threads, threads);
            ((functions.llama_n_ctx)(context), (functions.llama_vocab_n_tokens)(handle.vocabulary()))
        };
        let (positions, width) = (positions.min(had / texts) as usize, usize::try_from(width).unwrap_or(0));
        let takes_back = !keeps_states(&handle);
        Ok(Self { handle, context, width, texts: texts as usize, positions, takes_back })
    }

    /// Returns the model's tokenizer, which may outlive this value.
    ///
    /// ```
    /// # use ogc_llama::{LlamaModel, LlamaTokenizer};
    /// fn tokenizer(model: &LlamaModel) -> LlamaTokenizer {
    ///     model.tokenizer()
    /// }
    /// ```
    #[must_use]
    pub fn tokenizer(&self) -> LlamaTokenizer {
        LlamaTokenizer(Arc::clone(&self.handle))
    }

    /// Reads at most [`MOST`] tokens in one call.
    fn decode(&mut self, rows: &[Row]) -> Result<(), GenerateError> {
        let mut tokens: Vec<i32> = rows.iter().map(|row| row.token).collect();
        let mut positions: Vec<i32> = rows.iter().map(|row| row.position).collect();
        let mut counts = vec![1; rows.len()];
        let mut texts: Vec<i32> = rows.iter().map(|row| row.place).collect();
        let mut lists: Vec<*mut i32> = texts.iter_mut().map(std::ptr::from_mut).collect();
        let mut wanted: Vec<i8> = rows.iter().map(|row| i8::from(row.wanted.is_some())).collect();
        let batch = Batch {
            len: rows.len() as i32,
            tokens: tokens.as_mut_ptr(),
            embeddings: std::ptr::null_mut(),
            positions: positions.as_mut_ptr(),
            sequence_counts: counts.as_mut_ptr(),
            sequences: lists.as_mut_ptr(),
            wanted: wanted.as_mut_ptr(),
        };
        log::forget();
        // SAFETY: the context is alive, and so are the arrays during the call, each as long as the batch says.
        let status = unsafe { (self.handle.functions.llama_decode)(self.context, batch) };
        let failed = |reason: &str| {
            let reason = log::errors(reason);
            Err(GenerateError::Engine(format!("libllama has failed in a pass of {} tokens: {reason}", rows.len())))
        };
        match status {
            0 => Ok(()),
            1 => failed("its cache has no room for them"),
            status => failed(&format!("status {status}")),
        }
    }

    /// Returns the logits after a token of the last call.
    fn logits(&self, row: usize) -> Result<&[f32], GenerateError> {
        // SAFETY: the context is alive. It keeps the logits of each row that wanted them until its next call, which takes `&mut`.
        let logits = unsafe { (self.handle.functions.llama_get_logits_ith)(self.context, row as i32) };
        if logits.is_null() {
            return Err(GenerateError::Engine(format!("libllama has no logits of row {row}")));
        }
        // SAFETY: as above.
        Ok(unsafe { std::slice::from_raw_parts(logits, self.width) })
    }
}

/// A token to read.
#[derive(Clone, Copy, Debug)]
struct Row {
    token: i32,
    position: i32,
    place: i32,
    /// Index of the part that wants the logits after this token.
    wanted: Option<usize>,
}

/// Returns the rows of a part.
fn rows((at, part): (usize, &EnginePart)) -> impl Iterator<Item = Row> {
    let first = part.tokens.len().saturating_sub(part.rows);
    part.tokens.iter().enumerate().map(move |(index, token)| Row {
        token: token.0 as i32,
        position: (part.position + index) as i32,
        place: part.place as i32,
        wanted: (index >= first).then_some(at),
    })
}

impl Engine for LlamaModel {
    fn width(&self) -> usize {
        self.width
    }

    fn texts(&self) -> usize {
        self.texts
    }

    fn positions(&self) -> usize {
        self.positions
    }

    fn takes_back(&self) -> bool {
        self.takes_back
    }

    fn read(&mut self, parts: &[EnginePart]) -> Result<Vec<Vec<f32>>, GenerateError> {
        let mut logits: Vec<Vec<f32>> = parts.iter().map(|part| Vec::with_capacity(part.rows * self.width)).collect();
        let all: Vec<Row> = parts.iter().enumerate().flat_map(rows).collect();
        for rows in all.chunks(MOST) {
            self.decode(rows)?;
            for (at, row) in rows.iter().enumerate() {
                if let Some(part) = row.wanted {
                    logits[part].extend_from_slice(self.logits(at)?);
                }
            }
        }
        Ok(logits)
    }

    fn truncate(&mut self, place: usize, len: usize) -> bool {
        let functions = self.handle.functions;
        // SAFETY: the context is alive, and its memory with it; it refuses numbers that are not those of a text or position.
        unsafe {
            let memory = (functions.llama_get_memory)(self.context);
            !memory.is_null() && (functions.llama_memory_seq_rm)(memory, place as i32, len as i32, -1)
        }
    }
}

impl Drop for LlamaModel {
    fn drop(&mut self) {
        // SAFETY: the context is alive, and nobody else has it. The handle frees the model after it.
        unsafe { (self.handle.functions.llama_free)(self.context) }
    }
}

/// If the error says that no backends were found, adds where the library searches for them.
fn with_way_out(reason: String) -> String {
    if reason.contains("no backends") {
        return format!("{reason}; they are looked for in the folder of the library: open it by its path");
    }
    reason
}

/// Returns the kind of a model that cannot write text token by token; `None` for all other models.
fn kind(handle: &ModelHandle) -> Option<&'static str> {
    // SAFETY: the model is alive.
    unsafe {
        let is_diffusion = handle.functions.llama_model_is_diffusion.is_some_and(|is| is(handle.model));
        if (handle.functions.llama_model_has_encoder)(handle.model) {
            return Some("a model with an encoder");
        }
        is_diffusion.then_some("a diffusion model")
    }
}

/// Returns whether a model keeps recurrent states, which cannot be truncated.
fn keeps_states(handle: &ModelHandle) -> bool {
    // SAFETY: the model is alive.
    unsafe {
        let is_hybrid = handle.functions.llama_model_is_hybrid.is_some_and(|is| is(handle.model));
        is_hybrid || (handle.functions.llama_model_is_recurrent)(handle.model)
    }
}
