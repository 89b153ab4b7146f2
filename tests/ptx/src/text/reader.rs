//! The state of reading a text: its variables, its functions, the names that are in scope.

use super::cursor::Cursor;
use super::declaration::{Declared, initial_bytes, variable};
use super::error::{ParseError, ParseFault};
use super::names::{Named, Names};
use crate::ir::{Function, FunctionId, Module, Variable, shared_end};
use crate::memory::window;

/// Caps on the bytes of variables in a space: global, constant, shared.
const MOST_GLOBAL: u64 = 256 << 20;
const MOST_CONSTANT: u64 = 64 << 10;
const MOST_SHARED: u64 = 227 << 10;

/// The state of reading a text.
pub(super) struct Reader<'t> {
    pub(super) module: Module,
    pub(super) names: Names<'t>,
    /// For each function, whether its body was read.
    pub(super) defined: Vec<bool>,
    /// The kernel whose body is being read.
    pub(super) kernel: Option<FunctionId>,
}

/// The space of a variable of the module.
#[derive(Clone, Copy)]
pub(super) enum VariablePlace {
    Global,
    Constant,
    Shared,
}

impl<'t> Reader<'t> {
    pub(super) fn new() -> Reader<'t> {
        Reader { module: Module::default(), names: Names::new(), defined: Vec::new(), kernel: None }
    }

    /// Reads a variable of the module, or a variable of a function that outlives the function.
    pub(super) fn variable(
        &mut self,
        cursor: &mut Cursor<'_, 't>,
        place: VariablePlace,
        is_extern: bool,
    ) -> Result<(), ParseError> {
        loop {
            let declared = variable(cursor)?;
            self.place(cursor, place, is_extern, &declared)?;
            if !cursor.takes(',') {
                break;
            }
        }
        cursor.mark(';', "`;` after a variable")
    }

    fn place(
        &mut self,
        cursor: &mut Cursor<'_, 't>,
        place: VariablePlace,
        is_extern: bool,
        declared: &Declared<'t>,
    ) -> Result<(), ParseError> {
        let is_open = declared.size == 0;
        if is_open != (is_extern && matches!(place, VariablePlace::Shared)) {
            let what = "a variable with an open length that is not `.extern .shared`, or the reverse,";
            return Err(cursor.error(ParseFault::Limit { what, given: declared.size, limit: MOST_SHARED }));
        }
        let (variables, base, limit) = match place {
            VariablePlace::Global => (&mut self.module.globals, window::MODULE, MOST_GLOBAL),
            VariablePlace::Constant => (&mut self.module.constants, 0, MOST_CONSTANT),
            VariablePlace::Shared => (&mut self.module.shared, 0, MOST_SHARED),
        };
        let kernel = self.kernel.filter(|_| matches!(place, VariablePlace::Shared));
        let end = match place {
            // A block has the variables of its own kernel only.
            VariablePlace::Shared => shared_end(variables, kernel),
            VariablePlace::Global | VariablePlace::Constant => {
                variables.iter().map(|variable| variable.address + variable.size).max().unwrap_or(base)
            }
        };
        let address = end.next_multiple_of(declared.align);
        let used = (address - base).saturating_add(declared.size);
        if used > limit {
            return Err(cursor.error(ParseFault::Limit { what: "the size of variables in bytes", given: used, limit }));
        }
        let bytes = match place {
            VariablePlace::Shared => Vec::new(),
            VariablePlace::Global | VariablePlace::Constant => initial_bytes(cursor, declared)?,
        };
        if is_open {
            // It lies behind the shared variables of the kernel that is launched.
            self.module.open_align = self.module.open_align.max(declared.align);
        }
        variables.push(Variable { name: declared.name.to_owned(), address, bytes, size: declared.size, kernel });
        self.name(cursor, declared.name, if is_open { Named::OpenShared } else { Named::Address(address) })
    }

    /// Adds a name to the innermost scope.
    pub(super) fn name(&mut self, cursor: &Cursor<'_, 't>, name: &str, named: Named) -> Result<(), ParseError> {
        if self.names.add(name.to_owned(), named) {
            Ok(())
        } else {
            Err(cursor.error(ParseFault::Twice(name.to_owned())))
        }
    }

    /// Returns the number of the function with a name; the function may come later in the text.
    pub(super) fn function_named(&mut self, name: &str, line: u32) -> FunctionId {
        let functions = &mut self.module.functions;
        let at = functions.iter().position(|function| function.name == name).unwrap_or_else(|| {
            functions.push(Function { name: name.to_owned(), line, ..Function::default() });
            self.defined.push(false);
            functions.len() - 1
        });
        FunctionId(u32::try_from(at).unwrap_or(u32::MAX))
    }
}
