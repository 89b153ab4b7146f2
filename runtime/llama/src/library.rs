//! An unmodified libllama, loaded at run time and checked before it is used.

#![allow(unsafe_code, reason = "the interfaces are those of C")]

use std::ffi::{CStr, CString, OsStr};
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::LlamaError;
use crate::functions::Functions;
use crate::layout::{self, CONTEXT, KNOWN, Layout, MODEL};
use crate::log;
use crate::parameters::{IS_KNOWN, Parameters};

/// Ensures that the backends are loaded once per process.
static BACKENDS: OnceLock<()> = OnceLock::new();

/// A libllama, which stays loaded until the process ends.
///
/// ```
/// use ogc_llama::Library;
/// match Library::open("libllama.so".as_ref(), None) {
///     Ok(library) => println!("libllama {}", library.version()),
///     Err(error) => println!("{error}"),
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    pub(crate) functions: Functions,
    /// The default parameters, and the layout with the fields to set.
    pub(crate) model: (Parameters, Layout),
    pub(crate) context: (Parameters, Layout),
    version: String,
}

impl Library {
    /// Loads the library from a file, or by a name that the system finds; and its backends from a folder, if they are libraries of their own.
    ///
    /// # Errors
    /// The file cannot be loaded, is not libllama, or its structs have an unknown layout.
    ///
    /// ```
    /// use ogc_llama::{Library, LlamaError};
    /// // This library is not libllama.
    /// let error = Library::open("libm.so.6".as_ref(), None).unwrap_err();
    /// assert!(matches!(error, LlamaError::Function { .. } | LlamaError::Open { .. }));
    /// ```
    pub fn open(path: &Path, backends: Option<&Path>) -> Result<Self, LlamaError> {
        if !IS_KNOWN {
            return Err(LlamaError::Processor { given: std::env::consts::ARCH });
        }
        // SAFETY: the caller says that the file is a libllama, whose initialisers are sound. It stays loaded, because threads of its
        // backends may be running.
        let library = ManuallyDrop::new(unsafe { libloading::Library::new(path) }.map_err(|error| open(path, &error))?);
        let functions = Functions::find(&library, path)?;
        let library = Self::checked(functions, path)?;
        library.load_backends(backends);
        Ok(library)
    }

    /// Checks the struct layouts of a library.
    fn checked(functions: Functions, path: &Path) -> Result<Self, LlamaError> {
        // SAFETY: `llama_version` takes no arguments; the others return parameter structs, which have more than 16 bytes and far fewer than
        // a block.
        let (version, model, context) = unsafe {
            let version = functions.llama_version.map(|version| version()).filter(|version| !version.is_null());
            let version = version.map(|version| CStr::from_ptr(version).to_string_lossy().into_owned());
            let model = Parameters::of(functions.llama_model_default_params);
            (version, model, Parameters::of(functions.llama_context_default_params))
        };
        let version = version.unwrap_or_else(|| "of a version that it does not tell".to_owned());
        let unknown = |name| LlamaError::Layout { path: path.to_owned(), version: version.clone(), name, known: KNOWN };
        let layouts = [(MODEL, model, "llama_model_params"), (CONTEXT, context, "llama_context_params")];
        let [model, context] = layouts.map(|(layouts, defaults, name)| {
            let layout = layout::find(layouts, &defaults).ok_or_else(|| unknown(name))?;
            Ok((defaults, layout))
        });
        let (model, context) = (model?, context?);
        Ok(Self { functions, model, context, version })
    }

    /// Loads the backends, and makes the library keep its errors for messages.
    fn load_backends(&self, folder: Option<&Path>) {
        // SAFETY: the function that keeps errors has the C calling convention and never panics; the others are called as llama.h declares.
        unsafe { (self.functions.llama_log_set)(log::keep, std::ptr::null_mut()) };
        BACKENDS.get_or_init(|| {
            let folder = folder.and_then(|folder| CString::new(folder.as_os_str().as_encoded_bytes()).ok());
            // SAFETY: the text ends with a zero byte, and lives during the call.
            unsafe {
                if let (Some(folder), Some(load)) = (folder, self.functions.ggml_backend_load_all_from_path) {
                    load(folder.as_ptr());
                }
                (self.functions.llama_backend_init)();
            }
        });
    }

    /// Returns the version that the library reports.
    ///
    /// ```
    /// # use ogc_llama::Library;
    /// fn say(library: &Library) {
    ///     println!("libllama {}", library.version());
    /// }
    /// ```
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the names by which the system may find the library.
    ///
    /// ```
    /// assert!(ogc_llama::Library::names()[0].contains("llama"));
    /// ```
    #[must_use]
    pub fn names() -> &'static [&'static str] {
        if cfg!(target_os = "windows") {
            &["llama.dll"]
        } else if cfg!(target_os = "macos") {
            &["libllama.dylib", "libllama.0.dylib"]
        } else {
            &["libllama.so", "libllama.so.0"]
        }
    }

    /// Returns whether a file may be the library, judging by its name: `libllama.so`, `libllama.0.dylib`, `libllama.v0.5.0.so`, `llama.dll`.
    ///
    /// ```
    /// use ogc_llama::Library;
    /// assert!(Library::is_named("libllama.v0.5.0.so".as_ref()) && !Library::is_named("libllama-common.so".as_ref()));
    /// ```
    #[must_use]
    pub fn is_named(name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        let rest = name.strip_prefix("lib").unwrap_or(&name).strip_prefix("llama.");
        let parts: Vec<&str> = rest.map(|rest| rest.split('.').collect()).unwrap_or_default();
        parts.iter().any(|part| matches!(*part, "so" | "dylib" | "dll"))
    }
}

fn open(path: &Path, error: &libloading::Error) -> LlamaError {
    // The error's source is the message of the system.
    let reason = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    LlamaError::Open { path: PathBuf::from(path), reason }
}
