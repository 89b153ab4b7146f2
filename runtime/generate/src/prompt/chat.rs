//! The chat template of a model: a Jinja template that frames messages as the model was trained to read them.

use minijinja::{Environment, Error, ErrorKind, context};
use ogc_runtime::vocabulary::Gguf;
use serde::Serialize;

use crate::error::GenerateError;

/// The name of the template in messages of the template engine.
const NAME: &str = "chat";

/// The most work that a template may take; templates in use take some thousand steps.
const FUEL: u64 = 1_000_000;

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
    environment: Environment<'static>,
    /// The names of the tokens that begin and end a text.
    begin: String,
    end: String,
}

impl ChatTemplate {
    /// Reads a template, and takes the names of the tokens that begin and end a text.
    ///
    /// # Errors
    /// The template cannot be parsed.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// assert!(ChatTemplate::new("{% for %}".to_owned(), "<s>", "</s>").is_err());
    /// ```
    pub fn new(source: String, begin: &str, end: &str) -> Result<Self, GenerateError> {
        let mut environment = Environment::new();
        environment.set_trim_blocks(true);
        environment.set_lstrip_blocks(true);
        environment.set_fuel(Some(FUEL));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |message: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_template_owned(NAME, source).map_err(|error| failed(&error))?;
        Ok(Self { environment, begin: begin.to_owned(), end: end.to_owned() })
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
        Self::new(source.to_owned(), begin, end).map(Some)
    }

    /// Makes the prompt of a user's message, behind a system message if there is one; the answer comes next.
    ///
    /// # Errors
    /// The template refuses the messages, or takes too much work.
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

    /// Makes the prompt of messages as interfaces of chats have them (objects with `role`, `content` and what else the template
    /// reads), and of the tools that may be called; the answer comes next.
    ///
    /// # Errors
    /// The template refuses the messages, or takes too much work.
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
        let template = self.environment.get_template(NAME).map_err(|error| failed(&error))?;
        let values = context! {
            messages => minijinja::Value::from_serialize(messages),
            tools => minijinja::Value::from_serialize(tools),
            add_generation_prompt => true,
            bos_token => self.begin,
            eos_token => self.end,
        };
        template.render(values).map_err(|error| failed(&error))
    }

    /// Returns whether the template reads the tools that may be called.
    ///
    /// ```
    /// use ogc_generate::ChatTemplate;
    /// let reads = |source: &str| ChatTemplate::new(source.to_owned(), "", "").map(|template| template.reads_tools());
    /// assert!(reads("{% for t in tools %}{{ t }}{% endfor %}")? && !reads("{{ messages[0].content }}")?);
    /// # Ok::<(), ogc_generate::GenerateError>(())
    /// ```
    #[must_use]
    pub fn reads_tools(&self) -> bool {
        let template = self.environment.get_template(NAME);
        template.is_ok_and(|template| template.undeclared_variables(false).contains("tools"))
    }
}

fn failed(error: &Error) -> GenerateError {
    GenerateError::Template(error.to_string())
}
