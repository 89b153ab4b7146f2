//! Modules: functions, variables, and their addresses.

use super::op::{FunctionId, Instruction, ParameterSlot};

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Its name.
    pub(crate) name: String,
    /// Its place in the parameters of the function.
    pub(crate) slot: ParameterSlot,
}

/// A kernel, or a function that kernels call.
///
/// Every index of `code` that a branch names is below its length: the reader ends each body with a return.
#[derive(Clone, Debug, Default)]
pub(crate) struct Function {
    /// Its name in the text.
    pub(crate) name: String,
    /// Its first line.
    pub(crate) line: u32,
    /// Whether it is a kernel, which can be launched.
    pub(crate) is_kernel: bool,
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Its results; none for kernels.
    pub(crate) results: Vec<Parameter>,
    /// The size of its parameters, its results, and the parameters and results of the calls that it makes.
    pub(crate) parameter_bytes: u32,
    /// The size of its local memory.
    pub(crate) local_bytes: u32,
    /// Cap on the threads of a block, if the text gives one.
    pub(crate) most_threads: Option<u64>,
    /// The number of its registers.
    pub(crate) registers: u32,
    /// Its instructions.
    pub(crate) code: Vec<Instruction>,
    /// For each instruction, the first instruction on every way from it; none if the ways meet only at the end of the
    /// function.
    pub(crate) meets: Vec<Option<u32>>,
    /// Lines of sums and products in floating point without a rounding mode.
    pub(crate) fusible: Vec<u32>,
    /// Lines of functions that a device approximates.
    pub(crate) approximate: Vec<u32>,
}

/// A variable of a module in global, shared or constant memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: String,
    /// Its address in its space.
    pub(crate) address: u64,
    /// Its bytes at the beginning; shared variables have none.
    pub(crate) bytes: Vec<u8>,
    /// Its size; 0 for shared memory whose size the launch gives.
    pub(crate) size: u64,
    /// The kernel in which it is declared: only blocks of this kernel have the variable, and no other function uses it.
    pub(crate) kernel: Option<FunctionId>,
}

/// A module: everything of one PTX text.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The functions, in the order of the text.
    pub(crate) functions: Vec<Function>,
    /// Variables in global memory.
    pub(crate) globals: Vec<Variable>,
    /// Variables in shared memory, of all functions.
    pub(crate) shared: Vec<Variable>,
    /// Variables in constant memory.
    pub(crate) constants: Vec<Variable>,
    /// The alignment of shared memory whose size the launch gives.
    pub(crate) open_align: u64,
    /// The architecture that the text was compiled for, such as 80.
    pub(crate) target: u32,
}

impl Function {
    /// Returns the size of its parameters, which come before its results and the parameters and results of its calls.
    pub(crate) fn given_bytes(&self) -> u32 {
        self.parameters.last().map_or(0, |parameter| parameter.slot.offset + parameter.slot.size)
    }
}

impl Module {
    /// Returns the bytes of shared memory that a block of a kernel needs, besides memory whose size the launch gives.
    pub(crate) fn shared_bytes(&self, kernel: FunctionId) -> u64 {
        shared_end(&self.shared, Some(kernel)).next_multiple_of(self.open_align.max(1))
    }

    /// Returns the names of the kernels, in the order of the text.
    ///
    /// ```
    /// let text = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry nothing() { ret; }";
    /// assert_eq!(ogc_ptx::parse(text)?.kernels(), ["nothing"]);
    /// # Ok::<(), ogc_ptx::ParseError>(())
    /// ```
    #[must_use]
    pub fn kernels(&self) -> Vec<&str> {
        self.functions.iter().filter(|function| function.is_kernel).map(|function| function.name.as_str()).collect()
    }

    /// Returns the size of each parameter of a kernel, in bytes; `None` if there is no such kernel.
    ///
    /// ```
    /// let text = ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry two(.param .u64 a, .param .u32 b) { ret; }";
    /// assert_eq!(ogc_ptx::parse(text)?.parameter_bytes("two"), Some(vec![8, 4]));
    /// # Ok::<(), ogc_ptx::ParseError>(())
    /// ```
    #[must_use]
    pub fn parameter_bytes(&self, kernel: &str) -> Option<Vec<usize>> {
        let function = self.function(self.kernel(kernel)?);
        Some(function.parameters.iter().map(|parameter| parameter.slot.size as usize).collect())
    }

    /// Returns the lines of sums and products in floating point without a rounding mode, which the compiler of a device may fuse: their
    /// results on a device may differ from those here. `nvcc -fmad=false` writes none.
    ///
    /// ```
    /// let text = ".version 9.0\n.target sm_80\n.address_size 64\n.entry sum() {\n.reg .f32 %f<2>;\nadd.f32 %f0, %f1, %f1;\nret; }";
    /// assert_eq!(ogc_ptx::parse(text)?.fusible_lines(), [6]);
    /// # Ok::<(), ogc_ptx::ParseError>(())
    /// ```
    #[must_use]
    pub fn fusible_lines(&self) -> Vec<u32> {
        self.functions.iter().flat_map(|function| function.fusible.iter().copied()).collect()
    }

    /// Returns the lines of functions that a device approximates (`ex2.approx`, `div.full`): their last bits on a device may differ from
    /// those here. A kernel whose results must be the same everywhere has none.
    ///
    /// ```
    /// let text = ".version 9.0\n.target sm_80\n.address_size 64\n.entry power() {\n.reg .f32 %f<2>;\nex2.approx.f32 %f0, %f1;\nret; }";
    /// assert_eq!(ogc_ptx::parse(text)?.approximate_lines(), [6]);
    /// # Ok::<(), ogc_ptx::ParseError>(())
    /// ```
    #[must_use]
    pub fn approximate_lines(&self) -> Vec<u32> {
        self.functions.iter().flat_map(|function| function.approximate.iter().copied()).collect()
    }

    /// Returns the kernel of a name.
    pub(crate) fn kernel(&self, name: &str) -> Option<FunctionId> {
        let at = self.functions.iter().position(|function| function.is_kernel && function.name == name)?;
        Some(FunctionId(u32::try_from(at).ok()?))
    }

    /// Returns the function with a number from the reader.
    pub(crate) fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }
}

/// Returns the end of shared variables: of a kernel and of no kernel, or of all of them.
pub(crate) fn shared_end(variables: &[Variable], kernel: Option<FunctionId>) -> u64 {
    let own = |variable: &&Variable| kernel.is_none() || variable.kernel.is_none() || variable.kernel == kernel;
    variables.iter().filter(own).map(|variable| variable.address + variable.size).max().unwrap_or(0)
}
