//! The two interfaces for texts, and the fields that all chunks of their answers have.

use serde_json::Value;

use super::response::ResponseHead;
use super::shape::Head;
use crate::api::{
    ApiError, Echo, Passed, Place, Plan, RESPONSES, Shape, read_chat, read_completion, read_passed,
    read_passed_response, read_response,
};
use crate::options::ServeOptions;

/// Interface of a request for texts, and of its answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Interface {
    /// As a list of choices.
    Choices(Shape),
    /// As a response.
    Response,
}

impl Interface {
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Choices(shape) => shape.path(),
            Self::Response => RESPONSES,
        }
    }

    /// Returns the kind of the texts: a response is written like the next message of a chat.
    pub(super) fn shape(self) -> Shape {
        match self {
            Self::Choices(shape) => shape,
            Self::Response => Shape::Chat,
        }
    }

    /// Reads a request that this server's model answers.
    pub(super) fn read(
        self,
        body: &[u8],
        place: Place<'_>,
        seed: u64,
        number: u64,
    ) -> Result<(Plan, AnswerHead), ApiError> {
        let (plan, echo) = match self {
            Self::Choices(Shape::Chat) => (read_chat(body, place, seed)?, None),
            Self::Choices(Shape::Completion) => (read_completion(body, place, seed)?, None),
            Self::Response => {
                let (plan, echo) = read_response(body, place, seed)?;
                (plan, Some(echo))
            }
        };
        let model = place.options.model.clone();
        let (call_form, format_fields) = (plan.call_form, plan.format_fields.clone());
        let head = Head { shape: self.shape(), call_form, model, number, format_fields };
        let head = AnswerHead::new(head, echo, plan.stream_usage);
        Ok((plan, head))
    }

    /// Reads a request that another server answers.
    pub(super) fn read_passed(
        self,
        body: &[u8],
        options: &ServeOptions,
        number: u64,
    ) -> Result<(Passed, AnswerHead), ApiError> {
        let (passed, echo) = match self {
            Self::Choices(shape) => (read_passed(body, shape, options)?, None),
            Self::Response => {
                let (passed, echo) = read_passed_response(body)?;
                (passed, Some(echo))
            }
        };
        let model = passed.body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (call_form, format_fields) = (passed.call_form, passed.format_fields.clone());
        let head = Head { shape: self.shape(), call_form, model, number, format_fields };
        let head = AnswerHead::new(head, echo, passed.stream_usage);
        Ok((passed, head))
    }
}

/// Fields that all chunks of an answer have.
#[derive(Debug)]
pub(super) enum AnswerHead {
    /// A list of choices, optionally with the usage in a chunk of its own.
    Choices {
        head: Head,
        with_usage: bool,
    },
    Response(ResponseHead),
}

impl AnswerHead {
    /// Makes the head of a response if there are echoed fields, and the head of choices otherwise.
    fn new(head: Head, echo: Option<Echo>, with_usage: bool) -> Self {
        match echo {
            Some(echo) => Self::Response(ResponseHead::new(head.model, head.number, echo, head.format_fields)),
            None => Self::Choices { head, with_usage },
        }
    }

    /// Returns an error that names fields as in the request.
    pub(super) fn named(&self, error: ApiError) -> ApiError {
        match self {
            Self::Choices { head, .. } => error.in_request(&head.format_fields),
            Self::Response(head) => head.named(error),
        }
    }
}
