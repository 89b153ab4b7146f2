//! Reads the top level of a text: directives, heads of functions.

use super::cursor::Cursor;
use super::declaration::{place_parameter, variable};
use super::error::{ParseError, ParseFault};
use super::lexer::{Lexeme, LexemeKind};
use super::names::Named;
use super::reader::{Reader, VariablePlace};
use super::statement;
use crate::flow;
use crate::ir::{Function, FunctionId, Module, Op, Parameter, ParameterSlot};

/// Reads a module.
pub(super) fn read<'t>(lexemes: &[Lexeme<'t>]) -> Result<Module, ParseError> {
    let mut cursor = Cursor::new(lexemes);
    let mut reader = Reader::new();
    while cursor.peek().is_some() {
        reader.top(&mut cursor)?;
    }
    reader.finish()
}

impl<'t> Reader<'t> {
    /// Reads one directive of the top level, with its linkage.
    fn top(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        let mut is_extern = false;
        loop {
            let error = cursor.unexpected("a directive");
            match cursor.word("a directive")? {
                ".version" => return version(cursor),
                ".target" => return self.target(cursor),
                ".address_size" => return address_size(cursor),
                ".extern" => is_extern = true,
                ".visible" | ".weak" | ".common" => {}
                ".global" => return self.variable(cursor, VariablePlace::Global, is_extern),
                ".const" => return self.variable(cursor, VariablePlace::Constant, is_extern),
                ".shared" => return self.variable(cursor, VariablePlace::Shared, is_extern),
                ".entry" => return self.function(cursor, true),
                ".func" => return self.function(cursor, false),
                other if other.starts_with('.') => {
                    return Err(ParseError::new(error.line, ParseFault::Directive(other.to_owned())));
                }
                _ => return Err(error),
            }
        }
    }

    fn target(&mut self, cursor: &mut Cursor<'_, 't>) -> Result<(), ParseError> {
        let line = cursor.line();
        let target = cursor.word("an architecture such as sm_80")?;
        let digits = target.strip_prefix("sm_").unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_lowercase());
        let number =
            digits.parse::<u32>().map_err(|_| ParseError::new(line, ParseFault::Directive(target.to_owned())))?;
        // Before sm_70 the lanes of a warp run in step, and there are no masks.
        if number < 70 {
            let fault =
                ParseFault::Limit { what: "the architecture (at least sm_70)", given: number.into(), limit: 70 };
            return Err(ParseError::new(line, fault));
        }
        self.module.target = number;
        Ok(())
    }

    fn function(&mut self, cursor: &mut Cursor<'_, 't>, is_kernel: bool) -> Result<(), ParseError> {
        let line = cursor.line();
        self.names.open();
        let mut head = Function { is_kernel, line, ..Function::default() };
        if !is_kernel && cursor.peek() == Some(LexemeKind::Mark('(')) {
            head.results = self.parameters(cursor, &mut head.parameter_bytes)?;
        }
        head.name = cursor.word("the name of a function")?.to_owned();
        if cursor.peek() == Some(LexemeKind::Mark('(')) {
            head.parameters = self.parameters(cursor, &mut head.parameter_bytes)?;
        }
        head.most_threads = directives(cursor)?;
        let id = self.function_named(&head.name, line).0 as usize;
        if !cursor.takes(';') {
            if self.defined[id] {
                return Err(ParseError::new(line, ParseFault::Twice(head.name)));
            }
            self.defined[id] = true;
            cursor.mark('{', "`{` or `;` after the head of a function")?;
            self.kernel = is_kernel.then_some(FunctionId(id as u32));
            statement::read(self, cursor, &mut head)?;
            self.kernel = None;
            head.meets = flow::meets(&head.code);
            self.module.functions[id] = head;
        }
        self.names.close();
        Ok(())
    }

    /// Reads `(.param .u64 a, .param .u32 b)`.
    fn parameters(&mut self, cursor: &mut Cursor<'_, 't>, used: &mut u32) -> Result<Vec<Parameter>, ParseError> {
        let mut parameters = Vec::new();
        cursor.mark('(', "`(`")?;
        while !cursor.takes(')') {
            if !parameters.is_empty() {
                cursor.mark(',', "`,` or `)` after a parameter")?;
            }
            if !cursor.takes_word(".param") {
                return Err(cursor.unexpected("`.param`"));
            }
            let declared = variable(cursor)?;
            let slot = place_parameter(cursor, used, &declared)?;
            self.name(cursor, declared.name, Named::Parameter(slot))?;
            parameters.push(Parameter { name: declared.name.to_owned(), slot });
        }
        Ok(parameters)
    }

    /// Checks conditions that can be checked only at the end.
    fn finish(self) -> Result<Module, ParseError> {
        if let Some(at) = self.defined.iter().position(|defined| !defined) {
            let function = &self.module.functions[at];
            let fault = ParseFault::Unknown { name: function.name.clone(), kind: "function with a body" };
            return Err(ParseError::new(function.line, fault));
        }
        check_calls(&self.module)?;
        Ok(self.module)
    }
}

/// Checks that calls pass the parameters of the functions, and that no kernel is called.
fn check_calls(module: &Module) -> Result<(), ParseError> {
    for instruction in module.functions.iter().flat_map(|function| &function.code) {
        let Op::Call { function, results, arguments } = &instruction.op else { continue };
        let callee = module.function(*function);
        let fits = |slots: &[ParameterSlot], parameters: &[Parameter]| {
            let sizes = slots.iter().map(|slot| slot.size);
            sizes.eq(parameters.iter().map(|parameter| parameter.slot.size))
        };
        if callee.is_kernel || !fits(results, &callee.results) || !fits(arguments, &callee.parameters) {
            let fault = ParseFault::Unknown { name: callee.name.clone(), kind: "function with such parameters" };
            return Err(ParseError::new(instruction.line, fault));
        }
    }
    Ok(())
}

/// Reads a version such as 9.0, which consists of a number and a word.
fn version(cursor: &mut Cursor<'_, '_>) -> Result<(), ParseError> {
    cursor.number("a version such as 9.0")?;
    if let Some(LexemeKind::Number(_)) = cursor.peek() {
        cursor.advance();
    } else if let Some(LexemeKind::Word(rest)) = cursor.peek()
        && rest.starts_with('.')
        && rest[1..].bytes().all(|byte| byte.is_ascii_digit())
    {
        cursor.advance();
    }
    Ok(())
}

fn address_size(cursor: &mut Cursor<'_, '_>) -> Result<(), ParseError> {
    let error =
        |given| ParseFault::Limit { what: "the address size in bits (only 64 is interpreted)", given, limit: 64 };
    match cursor.number("64")? {
        64 => Ok(()),
        given => Err(cursor.error(error(given))),
    }
}

/// Reads the directives between a function's head and body, and returns the cap on the threads of a block.
fn directives(cursor: &mut Cursor<'_, '_>) -> Result<Option<u64>, ParseError> {
    let mut most = None;
    while let Some(LexemeKind::Word(word)) = cursor.peek() {
        match word {
            ".maxntid" => {
                cursor.advance();
                most = Some(product(cursor)?);
            }
            // Numbers of registers and blocks that the compiler of the device should aim at.
            ".minnctapersm" | ".maxnreg" => {
                cursor.advance();
                cursor.number("a number")?;
            }
            ".noreturn" => cursor.advance(),
            other => return Err(cursor.error(ParseFault::Directive(other.to_owned()))),
        }
    }
    Ok(most)
}

/// Reads up to three numbers with commas, and returns their product.
fn product(cursor: &mut Cursor<'_, '_>) -> Result<u64, ParseError> {
    let mut product = cursor.number("a size")?;
    while cursor.takes(',') {
        product = product.saturating_mul(cursor.number("a size")?);
    }
    Ok(product)
}
