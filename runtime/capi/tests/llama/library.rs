//! An unmodified libllama, loaded at run time, and the few of its functions that generation takes.
//!
//! The structs of parameters are passed by value, and their layouts change from version to version. Here they are blocks of memory larger
//! than any of them: the library fills the beginning of one with its defaults, and reads that again. This holds where large structs are
//! passed in memory, as on x86-64 and on 64-bit ARM. Of the fields, only the first of the context's is set: the number of positions.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::{CStr, CString, c_char, c_void};
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use ogc_capi::{llama_sampler, llama_vocab};

/// Parameters of a model or a context.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Parameters([MaybeUninit<u64>; 128]);

/// Tokens to read.
#[repr(C)]
#[derive(Clone, Copy)]
struct Batch {
    len: i32,
    tokens: *mut i32,
    embeddings: *mut f32,
    positions: *mut i32,
    sequence_counts: *mut i32,
    sequences: *mut *mut i32,
    /// Whether each token's logits are wanted; null for the last token's.
    wanted: *mut i8,
}

/// Parameters of a chain of samplers: whether times are left out.
#[repr(C)]
#[derive(Clone, Copy)]
struct ChainParameters(bool);

/// A candidate for the next token.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) id: i32,
    pub(crate) logit: f32,
    probability: f32,
}

impl Candidate {
    pub(crate) fn new(id: i32, logit: f32) -> Self {
        Self { id, logit, probability: 0.0 }
    }
}

/// The candidates for the next token.
#[repr(C)]
struct Candidates {
    data: *mut Candidate,
    len: usize,
    /// The index of the one that was chosen; negative if none was.
    selected: i64,
    is_sorted: bool,
}

/// The functions of the library.
macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[derive(Clone, Copy)]
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Finds all functions among the global symbols of the process.
            fn find() -> Self {
                let process = Library::this();
                // SAFETY: the types are those of the declarations in llama.h.
                unsafe { Self { $($name: *process.get(stringify!($name)).expect(stringify!($name)),)* } }
            }
        }
    };
}

functions! {
    llama_backend_init: fn();
    llama_log_set: fn(extern "C" fn(i32, *const c_char, *mut c_void), *mut c_void);
    llama_model_default_params: fn() -> Parameters;
    llama_model_load_from_file: fn(*const c_char, Parameters) -> *mut c_void;
    llama_model_get_vocab: fn(*const c_void) -> *const llama_vocab;
    llama_context_default_params: fn() -> Parameters;
    llama_init_from_model: fn(*mut c_void, Parameters) -> *mut c_void;
    llama_set_n_threads: fn(*mut c_void, i32, i32);
    llama_get_memory: fn(*const c_void) -> *mut c_void;
    llama_memory_seq_rm: fn(*mut c_void, i32, i32, i32) -> bool;
    llama_decode: fn(*mut c_void, Batch) -> i32;
    llama_get_logits_ith: fn(*mut c_void, i32) -> *const f32;
    llama_vocab_n_tokens: fn(*const llama_vocab) -> i32;
    llama_vocab_is_eog: fn(*const llama_vocab, i32) -> bool;
    llama_tokenize: fn(*const llama_vocab, *const c_char, i32, *mut i32, i32, bool, bool) -> i32;
    llama_token_to_piece: fn(*const llama_vocab, i32, *mut c_char, i32, i32, bool) -> i32;
    llama_sampler_chain_init: fn(ChainParameters) -> *mut llama_sampler;
    llama_sampler_chain_add: fn(*mut llama_sampler, *mut llama_sampler);
    llama_sampler_init_grammar: fn(*const llama_vocab, *const c_char, *const c_char) -> *mut llama_sampler;
    llama_sampler_init_greedy: fn() -> *mut llama_sampler;
    llama_sampler_init_temp: fn(f32) -> *mut llama_sampler;
    llama_sampler_init_dist: fn(u32) -> *mut llama_sampler;
    llama_sampler_sample: fn(*mut llama_sampler, *mut c_void, i32) -> i32;
    llama_sampler_apply: fn(*mut llama_sampler, *mut Candidates);
    llama_sampler_accept: fn(*mut llama_sampler, i32);
    llama_sampler_reset: fn(*mut llama_sampler);
    llama_sampler_clone: fn(*const llama_sampler) -> *mut llama_sampler;
    llama_sampler_copy: fn(*const llama_sampler, *mut llama_sampler);
    llama_sampler_free: fn(*mut llama_sampler);
}

/// A model in a context of llama.cpp; it lives until the process ends.
pub(crate) struct Llama {
    functions: Functions,
    vocab: *const llama_vocab,
    context: *mut c_void,
    width: usize,
}

// SAFETY: one thread at a time uses it, by a mutex.
unsafe impl Send for Llama {}

extern "C" fn say_nothing(_: i32, _: *const c_char, _: *mut c_void) {}

impl Llama {
    /// Loads the library of a folder, and a model.
    pub(crate) fn load(folder: &Path, model: &Path, positions: u32) -> Llama {
        for name in ["libggml-base.so", "libggml.v0.5.0.so", "libllama.v0.5.0.so"] {
            // SAFETY: the libraries are sound to load; this one stays until the end.
            let library = unsafe { Library::open(Some(folder.join(name)), RTLD_NOW | RTLD_GLOBAL) };
            std::mem::forget(library.expect(name));
        }
        let functions = Functions::find();
        let path = |path: &Path| CString::new(path.to_str().expect("UTF-8")).expect("no zero");
        let (backends, file) = (path(folder), path(model));
        // SAFETY: each function is called as llama.h says.
        unsafe {
            (functions.llama_log_set)(say_nothing, ptr::null_mut());
            let load_backends: unsafe extern "C" fn(*const c_char) =
                *Library::this().get("ggml_backend_load_all_from_path").expect("a function of ggml");
            load_backends(backends.as_ptr());
            (functions.llama_backend_init)();
            let model = (functions.llama_model_load_from_file)(file.as_ptr(), (functions.llama_model_default_params)());
            assert!(!model.is_null(), "{file:?} is loaded");
            let mut parameters = (functions.llama_context_default_params)();
            (&raw mut parameters).cast::<u32>().write(positions);
            let context = (functions.llama_init_from_model)(model, parameters);
            assert!(!context.is_null(), "there is a context");
            (functions.llama_set_n_threads)(context, 1, 2);
            let vocab = (functions.llama_model_get_vocab)(model);
            Llama { functions, vocab, context, width: (functions.llama_vocab_n_tokens)(vocab) as usize }
        }
    }

    pub(crate) fn vocab(&self) -> *const llama_vocab {
        self.vocab
    }

    /// Returns the number of logits.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Returns the tokens of a text in which names of special tokens are those tokens.
    pub(crate) fn tokens(&self, text: &str) -> Vec<i32> {
        let mut tokens = vec![0; text.len() + 8];
        let (room, len) = (tokens.len() as i32, text.len() as i32);
        // SAFETY: the buffers are as long as it is told.
        let written = unsafe {
            (self.functions.llama_tokenize)(
                self.vocab,
                text.as_ptr().cast(),
                len,
                tokens.as_mut_ptr(),
                room,
                false,
                true,
            )
        };
        tokens.truncate(usize::try_from(written).expect("there is room"));
        tokens
    }

    /// Returns the bytes of a token of text.
    pub(crate) fn piece(&self, token: i32) -> Vec<u8> {
        let mut piece = vec![0_u8; 256];
        // SAFETY: the buffer is as long as it is told.
        let len = unsafe {
            (self.functions.llama_token_to_piece)(self.vocab, token, piece.as_mut_ptr().cast(), 256, 0, false)
        };
        piece.truncate(usize::try_from(len).expect("there is room"));
        piece
    }

    pub(crate) fn is_end(&self, token: i32) -> bool {
        // SAFETY: tokens are those of the vocabulary.
        unsafe { (self.functions.llama_vocab_is_eog)(self.vocab, token) }
    }

    /// Forgets all positions from one on.
    pub(crate) fn forget_from(&mut self, position: usize) {
        // SAFETY: the context lives.
        let done = unsafe {
            let memory = (self.functions.llama_get_memory)(self.context);
            (self.functions.llama_memory_seq_rm)(memory, -1, position as i32, -1)
        };
        assert!(done, "positions are forgotten");
    }

    /// Reads tokens behind those that were read; with `all`, the logits after each are kept, otherwise those after the last.
    pub(crate) fn read(&mut self, tokens: &[i32], all: bool) {
        let (mut tokens, mut wanted) = (tokens.to_vec(), vec![1_i8; tokens.len()]);
        let batch = Batch {
            len: tokens.len() as i32,
            tokens: tokens.as_mut_ptr(),
            embeddings: ptr::null_mut(),
            positions: ptr::null_mut(),
            sequence_counts: ptr::null_mut(),
            sequences: ptr::null_mut(),
            wanted: if all { wanted.as_mut_ptr() } else { ptr::null_mut() },
        };
        // SAFETY: the arrays live during the call.
        let status = unsafe { (self.functions.llama_decode)(self.context, batch) };
        assert_eq!(status, 0, "{} tokens are read", tokens.len());
    }

    /// Returns the logits after a token of the last reading, by its index; -1 is the last.
    pub(crate) fn logits(&self, index: i32) -> &[f32] {
        // SAFETY: the context keeps as many logits until it reads again.
        unsafe {
            let logits = (self.functions.llama_get_logits_ith)(self.context, index);
            assert!(!logits.is_null(), "logits {index} are kept");
            std::slice::from_raw_parts(logits, self.width)
        }
    }

    /// Makes a chain: the sampler of a format if there is one, then greedy, or temperature and draws by a seed.
    pub(crate) fn chain(&self, format: Option<*mut llama_sampler>, temperature: f32, seed: u32) -> Chain {
        let functions = self.functions;
        // SAFETY: the chain owns what is added to it.
        unsafe {
            let chain = (functions.llama_sampler_chain_init)(ChainParameters(true));
            if let Some(format) = format {
                (functions.llama_sampler_chain_add)(chain, format);
            }
            if temperature == 0.0 {
                (functions.llama_sampler_chain_add)(chain, (functions.llama_sampler_init_greedy)());
            } else {
                (functions.llama_sampler_chain_add)(chain, (functions.llama_sampler_init_temp)(temperature));
                (functions.llama_sampler_chain_add)(chain, (functions.llama_sampler_init_dist)(seed));
            }
            Chain { functions, chain }
        }
    }

    /// Makes llama.cpp's own sampler of a grammar, whose first rule is `root`; `None` if it refuses the grammar.
    pub(crate) fn grammar(&self, grammar: &str) -> Option<Chain> {
        let grammar = CString::new(grammar).ok()?;
        // SAFETY: the vocabulary lives, and so do the texts during the call.
        let made =
            unsafe { (self.functions.llama_sampler_init_grammar)(self.vocab, grammar.as_ptr(), c"root".as_ptr()) };
        (!made.is_null()).then(|| self.own(made))
    }

    /// Owns a sampler.
    pub(crate) fn own(&self, sampler: *mut llama_sampler) -> Chain {
        Chain { functions: self.functions, chain: sampler }
    }

    /// Fills a list with all tokens and their last logits.
    pub(crate) fn candidates(&self, list: &mut Vec<Candidate>) {
        let logits = self.logits(-1).iter().zip(0..);
        list.clear();
        list.extend(logits.map(|(&logit, id)| Candidate::new(id, logit)));
    }

    /// Chooses the next token by the last logits, and tells the chain.
    pub(crate) fn sample(&mut self, chain: &mut Chain) -> i32 {
        // SAFETY: both live.
        unsafe { (self.functions.llama_sampler_sample)(chain.chain, self.context, -1) }
    }
}

/// A chain of samplers.
pub(crate) struct Chain {
    functions: Functions,
    chain: *mut llama_sampler,
}

impl Chain {
    /// Lets the sampler change the candidates; returns the token that it chose, if it chose one.
    pub(crate) fn apply(&mut self, candidates: &mut [Candidate]) -> Option<i32> {
        let mut list =
            Candidates { data: candidates.as_mut_ptr(), len: candidates.len(), selected: -1, is_sorted: false };
        // SAFETY: the sampler lives, and the candidates are nobody else's during the call. It makes the list no longer.
        unsafe { (self.functions.llama_sampler_apply)(self.chain, &raw mut list) };
        let chosen = usize::try_from(list.selected).ok()?;
        candidates.get(chosen).map(|candidate| candidate.id)
    }

    /// Tells the sampler which token was chosen.
    pub(crate) fn accept(&mut self, token: i32) {
        // SAFETY: the sampler lives.
        unsafe { (self.functions.llama_sampler_accept)(self.chain, token) };
    }

    pub(crate) fn reset(&mut self) {
        // SAFETY: the chain lives.
        unsafe { (self.functions.llama_sampler_reset)(self.chain) }
    }

    /// Makes another in the same place.
    pub(crate) fn fork(&self) -> Chain {
        // SAFETY: the chain lives.
        let chain = unsafe { (self.functions.llama_sampler_clone)(self.chain) };
        Chain { functions: self.functions, chain }
    }

    /// Moves to where another chain of the same samplers stands.
    pub(crate) fn copy_from(&mut self, other: &Chain) {
        // SAFETY: both live.
        unsafe { (self.functions.llama_sampler_copy)(other.chain, self.chain) }
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        unsafe { (self.functions.llama_sampler_free)(self.chain) }
    }
}

/// Returns what a sampler of ogc says went wrong.
pub(crate) fn fault(sampler: *const llama_sampler) -> Option<String> {
    // SAFETY: the sampler lives, and the text until it is used again.
    unsafe {
        let fault = ogc_capi::ogc_llama_sampler_error(sampler);
        (!fault.is_null()).then(|| CStr::from_ptr(fault).to_string_lossy().into_owned())
    }
}
