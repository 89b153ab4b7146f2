//! A library for `LD_PRELOAD`: unmodified programs with llama.cpp use the engine of ogc for their grammars.
//!
//! A program gets the sampler of a grammar from `llama_sampler_init_grammar` of libllama. The loader searches a preloaded library for a
//! function before all others, also on behalf of libraries that are loaded later and without `RTLD_GLOBAL`; so the program gets the
//! function below.
//!
//! Grammars keep their meaning. A grammar that ogc refuses is left to libllama, and so is one whose first rule is not named `root`; a line
//! on standard error gives the reason. With `OGC_VERBOSE` in the environment there is also a line for each sampler of ogc. Constants are
//! written in the tokens of the model's tokenizer, or with `OGC_TOKENS=any` in any tokens. Grammars that wait for a trigger have a function
//! of their own, which remains libllama's.
//!
//! Two kinds of programs are out of reach: programs that contain libllama themselves, and programs with libraries linked with `-Bsymbolic`.
//!
//! # Steps
//!
//! * [`library`] finds the libllama of the process, and makes its functions visible to the whole process.
//! * [`models`] caches vocabularies and formats.
//! * [`fork`] makes it safe for a process to fork while samplers are made.

#![cfg(target_os = "linux")]
#![allow(unsafe_code, reason = "pointers come from C; each use is argued where it stands")]
#![allow(clippy::print_stderr, reason = "there is no other way to say what a program was given")]

mod fork;
mod library;
mod models;

use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use ogc_capi::{llama_sampler, llama_vocab};

use library::InitGrammar;

/// Makes the sampler of a grammar, in place of libllama's function with this name; null on failure.
///
/// # Safety
///
/// As in llama.h: `vocab` is a vocabulary of the loaded libllama; `grammar` and `root` are null or strings that end with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn llama_sampler_init_grammar(
    vocab: *const llama_vocab,
    grammar: *const c_char,
    root: *const c_char,
) -> *mut llama_sampler {
    let make = || {
        // SAFETY: the caller upholds this function's conditions.
        let asked = unsafe { (text(grammar), text(root)) };
        // SAFETY: the caller upholds this function's conditions.
        unsafe { sampler(vocab, asked, |original| original(vocab, grammar, root)) }
    };
    catch_unwind(AssertUnwindSafe(make)).unwrap_or_else(|_| {
        say("a defect of ogc: please report it");
        ptr::null_mut()
    })
}

/// Returns text from C, if it is UTF-8.
///
/// # Safety
///
/// The pointer is null, or a string that ends with a zero byte and lives for `'a`.
unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a str> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller upholds this function's conditions.
    unsafe { CStr::from_ptr(pointer) }.to_str().ok()
}

/// Makes a sampler of ogc; if that is not possible, calls `leave` with libllama's function.
///
/// # Safety
///
/// `vocab` is a vocabulary of the loaded libllama.
unsafe fn sampler(
    vocab: *const llama_vocab,
    (grammar, root): (Option<&str>, Option<&str>),
    leave: impl FnOnce(InitGrammar) -> *mut llama_sampler,
) -> *mut llama_sampler {
    let original = match library::original(llama_sampler_init_grammar) {
        Ok(original) => original,
        Err(message) => {
            say(&message);
            return ptr::null_mut();
        }
    };
    let grammar = match (grammar, root) {
        (Some(grammar), Some("root")) if !vocab.is_null() => grammar,
        _ => {
            say("this grammar is left to llama.cpp: its first rule is not named `root`, or it is no text");
            return leave(original);
        }
    };
    // SAFETY: the caller upholds this function's conditions.
    match unsafe { models::sampler(vocab, grammar) } {
        Ok(sampler) => {
            if std::env::var_os("OGC_VERBOSE").is_some() {
                say("this grammar is ogc's");
            }
            sampler
        }
        Err(message) => {
            say(&format!("this grammar is left to llama.cpp: {message}"));
            leave(original)
        }
    }
}

fn say(message: &str) {
    eprintln!("ogc: {message}");
}
