//! The chat template of a model: a Jinja template that frames messages as the model was trained to read them.
//!
//! A template comes with a model, so its author may be a stranger. It is scanned before it is parsed ([`scan`]), its
//! operations are metered ([`instructions`], [`operators`], [`calls`], [`meter`]), and it runs on a stack of its own.

use std::sync::Arc;

use minijinja::machinery::{Vm, make_string_output, parse};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Value, context, escape_formatter};
use minijinja_contrib::pycompat::unknown_method_callback;
use ogc_runtime::vocabulary::Gguf;
use serde::Serialize;

use crate::error::GenerateError;

mod calls;
mod clock;
mod instructions;
mod meter;
mod operators;
mod scan;
mod tools;

use meter::{Meter, TemplateLimit};
use tools::ToolSupport;
pub use tools::{ArgumentsForm, PastCalls};

/// The name of the template in messages of the template engine.
const NAME: &str = "chat";

/// Cap on the instructions that a template may take; templates in use take some thousand.
const FUEL: u64 = 1_000_000;

/// The stack of parsing and rendering. The limits of [`scan`] and [`meter`] keep recursion below it.
const STACK: usize = 64 << 20;

/// A template that makes a prompt of a message.
///
/// ```
/// use ogc_generate::ChatTemplate;
/// let source = "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}";
/// let template = ChatTemplate::new(source.to_owned(), "<s>", "</s>")?;
/// assert_eq!(template.prompt(None, "Hello")?, "<s><user>Hello");
/// # Ok::<(), ogc_generate::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct ChatTemplate {
    /// The template as it was given.
    given: String,
    /// The template as it is parsed: see [`scan`].
    source: String,
    support: ToolSupport,
    /// The template for chats with tools, if the model has a separate one.
    tool_use: Option<Box<ChatTemplate>>,
    /// The names of the tokens that begin and end a text.
    begin: String,
    end: String,
}

impl ChatTemplate {
    /// Reads a template; `begin` and `end` are the names of the tokens that begin and end a text.
    ///
    /// # Errors
    /// The template cannot be parsed, or exceeds a limit of length or nesting.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// assert!(ChatTemplate::new("{% for %}".to_owned(), "<s>", "</s>").is_err());
    /// ```
    pub fn new(given: String, begin: &str, end: &str) -> Result<Self, GenerateError> {
        let source = scan::checked(&given)?;
        let reads_tools = on_own_stack(|| {
            let tree = parse(&source, NAME, SyntaxConfig, scan::WHITE_SPACE).map_err(|error| failed(&error))?;
            instructions::compile(NAME, &source, &tree).map_err(|error| failed(&error))?;
            let environment = Environment::new();
            let template = environment.template_from_named_str(NAME, &source).map_err(|error| failed(&error))?;
            Ok(template.undeclared_variables(false).contains("tools"))
        })?;
        let support = ToolSupport::default();
        let (begin, end) = (begin.to_owned(), end.to_owned());
        let template = Self { given, source, support, tool_use: None, begin, end };
        Ok(Self { support: tools::support(&template, reads_tools), ..template })
    }

    /// Reads the template of a GGUF file, if it has one.
    pub(crate) fn from_gguf(gguf: &Gguf) -> Result<Option<Self>, GenerateError> {
        let Some(source) = gguf.text("tokenizer.chat_template") else { return Ok(None) };
        let tokens = gguf.texts("tokenizer.ggml.tokens").unwrap_or_default();
        let name = |key: &str| {
            let id = gguf.integer(key).and_then(|id| usize::try_from(id).ok());
            id.and_then(|id| tokens.get(id)).map_or("", String::as_str)
        };
        let (begin, end) = (name("tokenizer.ggml.bos_token_id"), name("tokenizer.ggml.eos_token_id"));
        let read = |source: &str| Self::new(source.to_owned(), begin, end);
        let tool_use = gguf.text("tokenizer.chat_template.tool_use").map(read).transpose()?;
        Ok(Some(read(source)?.with_tool_use(tool_use)))
    }

    /// Adds the template for chats with tools, for a model with two templates.
    pub(crate) fn with_tool_use(self, tool_use: Option<Self>) -> Self {
        match tool_use.filter(Self::reads_tools) {
            Some(tool_use) => Self { support: tool_use.support, tool_use: Some(Box::new(tool_use)), ..self },
            None => self,
        }
    }

    /// Makes the prompt of a user's message, behind a system message if there is one; the answer comes next.
    ///
    /// # Errors
    /// The template rejects the messages, or exceeds a limit of work or memory.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// let source = "{% for m in messages %}[{{ m.role }}: {{ m.content.strip() }}]{% endfor %}";
    /// let template = ChatTemplate::new(source.to_owned(), "", "")?;
    /// assert_eq!(template.prompt(Some("Be brief."), " Hi ")?, "[system: Be brief.][user: Hi]");
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn prompt(&self, system: Option<&str>, user: &str) -> Result<String, GenerateError> {
        let system = system.map(|text| context! { role => "system", content => text });
        let messages: Vec<_> = system.into_iter().chain([context! { role => "user", content => user }]).collect();
        self.render(&messages, None::<&()>)
    }

    /// Makes the prompt of messages and of the tools that may be called; the answer comes next. Messages are objects as
    /// in interfaces of chats: with `role`, `content` and any other fields that the template reads.
    ///
    /// # Errors
    /// The template rejects the messages, or exceeds a limit of work or memory.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// use serde_json::json;
    /// let source = "{% for m in messages %}[{{ m.role }}: {{ m.content }}]{% endfor %}";
    /// let template = ChatTemplate::new(source.to_owned(), "", "")?;
    /// let messages = [json!({"role": "user", "content": "Hi"}), json!({"role": "assistant", "content": "Hello"})];
    /// assert_eq!(template.render(&messages, None::<&()>)?, "[user: Hi][assistant: Hello]");
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    pub fn render(&self, messages: &impl Serialize, tools: Option<&impl Serialize>) -> Result<String, GenerateError> {
        let messages = Value::from_serialize(messages);
        let tool_use = self.tool_use.as_deref().filter(|_| tools.is_some() || tools::has_calls(&messages));
        tool_use.unwrap_or(self).render_values(&messages, &Value::from_serialize(tools))
    }

    fn render_values(&self, messages: &Value, tools: &Value) -> Result<String, GenerateError> {
        let values = context! {
            messages,
            tools,
            add_generation_prompt => true,
            bos_token => self.begin,
            eos_token => self.end,
            ogc_factor_one => 1,
        };
        on_own_stack(|| self.rendered(values))
    }

    fn rendered(&self, values: Value) -> Result<String, GenerateError> {
        let unlimited = Meter::unlimited();
        let input = unlimited.size(&values).map_err(|error| unlimited.explained(&error))?;
        let meter = Arc::new(Meter::new(input.text));
        let environment = environment(&meter);
        let tree = parse(&self.source, NAME, SyntaxConfig, scan::WHITE_SPACE).map_err(|error| failed(&error))?;
        let template = instructions::compile(NAME, &self.source, &tree).map_err(|error| failed(&error))?;
        let mut text = String::new();
        let vm = Vm::new(&environment);
        let output = &mut make_string_output(&mut text);
        match vm.eval(&template.main, values, &template.blocks, output, AutoEscape::None).map(drop) {
            Ok(()) => Ok(text),
            Err(error) => Err(meter.explained(&error)),
        }
    }
}

/// Makes an environment that has the engine's functions, metered.
fn environment(meter: &Arc<Meter>) -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_debug(false);
    environment.set_fuel(Some(FUEL));
    environment.set_unknown_method_callback(unknown_method_callback);
    environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
        Err(Error::new(ErrorKind::InvalidOperation, message))
    });
    let telling = Arc::clone(meter);
    environment.add_function("strftime_now", move |format: String| -> Result<String, Error> {
        telling.make(clock::LONGEST * format.len() as u64)?;
        clock::now(&format)
    });
    let emitting = Arc::clone(meter);
    environment.set_formatter(move |output, state, value| {
        let size = emitting.size(value)?;
        emitting.make(if value.as_str().is_some() { size.text } else { size.rendered() })?;
        escape_formatter(output, state, value)
    });
    operators::define(&mut environment, meter);
    calls::define(&mut environment, meter);
    environment
}

/// Calls a function on a thread with a stack of known size, even if the caller's stack is smaller.
fn on_own_stack<T: Send>(work: impl FnOnce() -> Result<T, GenerateError> + Send) -> Result<T, GenerateError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("ogc-template".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).map_err(|error| GenerateError::Template(error.to_string()))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

impl Meter {
    /// Returns the error of a rendering: the limit that ended it, or the error of the engine.
    fn explained(&self, error: &Error) -> GenerateError {
        match self.exceeded() {
            Some(limit) => limit.into(),
            None if error.kind() == ErrorKind::OutOfFuel => {
                TemplateLimit { what: "instructions", given: FUEL + 1, limit: FUEL }.into()
            }
            None => failed(error),
        }
    }
}

fn failed(error: &Error) -> GenerateError {
    GenerateError::Template(error.to_string())
}

#[cfg(test)]
mod tests;
