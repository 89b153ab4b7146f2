//! Modules of kernels, and kernels, by the handles that callers have.

use std::collections::BTreeMap;

use ogc_ptx::Module;

use crate::status;

/// A kernel of a module.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) module: &'static Module,
    pub(crate) name: String,
}

/// Modules that were loaded, and kernels that were found, by their handles: numbers from 1 on.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// Parsed texts, each parsed once; they live as long as the process.
    parsed: BTreeMap<Vec<u8>, &'static Module>,
    loaded: Vec<Option<&'static Module>>,
    kernels: Vec<Kernel>,
}

impl Modules {
    /// Loads PTX; returns its handle.
    pub(crate) fn load(&mut self, text: &[u8]) -> Result<usize, u32> {
        if !text.starts_with(b"//") {
            return Err(status::INVALID_IMAGE);
        }
        if !self.parsed.contains_key(text) {
            let module = std::str::from_utf8(text).ok().and_then(|text| ogc_ptx::parse(text).ok());
            self.parsed.insert(text.to_vec(), Box::leak(Box::new(module.ok_or(status::INVALID_PTX)?)));
        }
        self.loaded.push(self.parsed.get(text).copied());
        Ok(self.loaded.len())
    }

    /// Unloads a module; `false` if it is not loaded.
    pub(crate) fn unload(&mut self, handle: usize) -> bool {
        let found = handle.checked_sub(1).and_then(|at| self.loaded.get_mut(at));
        found.is_some_and(|module| module.take().is_some())
    }

    /// Finds a kernel by its name; returns its handle.
    pub(crate) fn find(&mut self, handle: usize, name: &str) -> Result<usize, u32> {
        let module = handle.checked_sub(1).and_then(|at| self.loaded.get(at).copied().flatten());
        let module = module.ok_or(status::INVALID_HANDLE)?;
        if !module.kernels().contains(&name) {
            return Err(status::NOT_FOUND);
        }
        self.kernels.push(Kernel { module, name: name.to_owned() });
        Ok(self.kernels.len())
    }

    /// Returns the kernel with a handle.
    pub(crate) fn kernel(&self, handle: usize) -> Option<&Kernel> {
        self.kernels.get(handle.checked_sub(1)?)
    }
}
