//! Hover: the documentation of the thing at a position.

mod literal;
mod ogc;
mod rules;
mod schema;
#[cfg(test)]
mod tests;

use ::ogc_compiler::db::Language;
use ::ogc_compiler::pipeline::Format;
use ogc_grammar::Span;

pub use crate::documentation::CodeBlock;
use crate::documentation::Documentation;
use crate::place::FilePosition;
use crate::snapshot::Snapshot;

/// The hover of the thing at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The place of the thing in the file of the position.
    pub span: Span,
    /// Parts of the hover's text.
    pub parts: HoverParts,
    /// The format that it can be compiled as, for costs and samples.
    pub format: Option<Format>,
}

/// The sections of a hover, in the order in which they are shown. Each may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoverParts {
    /// The signature.
    pub signature: Option<CodeBlock>,
    /// The documentation, as Markdown.
    pub documentation: Option<String>,
    /// Its meaning, unfolded by one level.
    pub unfolded: Option<CodeBlock>,
    /// Its costs, as Markdown. Hovers are made without costs; the caller with a vocabulary adds them.
    pub costs: Option<String>,
    /// Texts that it accepts. Hovers are made without samples.
    pub samples: Vec<String>,
}

impl HoverParts {
    /// Returns the sections as Markdown.
    ///
    /// ```
    /// use ogc_ide::hover::HoverParts;
    /// let parts = HoverParts { documentation: Some("An age.".to_owned()), ..HoverParts::default() };
    /// assert_eq!(parts.markdown(), "An age.");
    /// ```
    #[must_use]
    pub fn markdown(&self) -> String {
        let samples = match self.samples.as_slice() {
            [] => None,
            samples => Some(format!("Examples:\n\n{}", block("", &samples.join("\n")))),
        };
        let code = |block: &Option<CodeBlock>| block.as_ref().map(CodeBlock::markdown);
        let documentation = self.documentation.clone().filter(|text| !text.is_empty());
        let sections = [code(&self.signature), documentation, code(&self.unfolded), self.costs.clone(), samples];
        sections.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }

    /// Returns whether all sections are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == HoverParts::default()
    }
}

fn block(language: &'static str, text: &str) -> String {
    CodeBlock { language, text: text.to_owned() }.markdown()
}

/// Returns the hover of the thing at a position.
#[must_use]
pub fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    let position = snapshot.position(position.file, position.offset);
    match snapshot.language(position.file) {
        Language::Ogc => ogc::hover(snapshot, position),
        Language::JsonSchema => schema::hover(snapshot, position),
        Language::Gbnf | Language::Ebnf | Language::Abnf | Language::Lark => rules::hover(snapshot, position),
        Language::Regex => None,
    }
}

impl Hover {
    /// Makes the hover at `span` from the documentation of the thing there.
    pub(crate) fn of(span: Span, known: Documentation) -> Hover {
        let Documentation { signature, text, unfolded, format } = known;
        let documentation = Some(text).filter(|text| !text.is_empty());
        Hover { span, parts: HoverParts { signature, documentation, unfolded, ..HoverParts::default() }, format }
    }
}
