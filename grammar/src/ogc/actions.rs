//! Builds the syntax tree: an action for each production of `grammar.lalrpop`. The actions turn offsets into places:
//! the parser reads one item, whose text begins at `base` in the file.

use super::ast::{
    Alternative, Argument, Attribute, Case, Definition, Expr, ExprKind, Item, ItemKind, Member, MemberKind, Name, Path,
    Reference, Repetition,
};
use super::docs::Docs;
use super::literal;
use super::syntax_error::{self, Failure};
use super::terminal::Lexeme;
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::fix::Fix;
use crate::span::{Span, Spanned};

/// The state that the actions share while one item is parsed.
#[derive(Debug)]
pub(crate) struct Actions<'t> {
    /// Offset in the file at which the item's text begins.
    base: u32,
    lexemes: &'t [Lexeme<'t>],
    docs: Docs,
    /// Whether errors have been reported that make other errors of the same item meaningless.
    confused: bool,
    /// Whether the parser has recovered from an error, so that it may have lost an opening bracket.
    recovered: bool,
    /// Findings so far, at offsets in the file.
    sink: Sink,
}

/// The tokens that lalrpop dropped to recover from an error.
pub(crate) struct Recovery<'t> {
    start: u32,
    failure: Failure<'t>,
    end: u32,
}

impl<'t> Recovery<'t> {
    pub(crate) fn new(start: u32, lost: syntax_error::Lost<'t>, end: u32) -> Recovery<'t> {
        let reached = lost.dropped_tokens.last().map_or(end, |(_, _, end)| *end);
        Recovery { start, failure: lost.error, end: reached.max(end) }
    }
}

impl<'t> Actions<'t> {
    pub(crate) fn new(base: u32, lexemes: &'t [Lexeme<'t>], docs: Docs, confused: bool, sink: Sink) -> Actions<'t> {
        Actions { base, lexemes, docs, confused, recovered: false, sink }
    }

    /// Returns all findings, with warnings for doc comments that describe nothing.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        for stray in std::mem::take(&mut self.docs).into_strays() {
            let span = stray.shifted(self.base);
            self.sink.push(super::docs::stray(span));
        }
        self.sink.finish()
    }

    pub(crate) fn span(&self, start: u32, end: u32) -> Span {
        Span::new(start, end).shifted(self.base)
    }

    /// Drops the doc comments of an item that could not be read.
    pub(crate) fn drop_docs(&mut self) {
        self.docs = Docs::default();
    }

    pub(crate) fn report(&mut self, failure: &Failure<'t>) {
        if self.confused {
            return;
        }
        if self.recovered && (syntax_error::is_at_closer(failure) || syntax_error::is_after_end(failure)) {
            return;
        }
        let found = syntax_error::diagnostic(failure, self.lexemes, self.base);
        self.confused = found.code == Code::LeadingBracket;
        self.recovered = true;
        self.sink.push(found);
    }

    pub(crate) fn expr(&self, start: u32, kind: ExprKind, end: u32) -> Expr {
        Expr::new(kind, self.span(start, end))
    }

    pub(crate) fn item(&mut self, start: u32, attributes: Vec<Attribute>, kind: ItemKind, end: u32) -> Item {
        Item { docs: self.docs.take(start, self.base), attributes, kind, span: self.span(start, end) }
    }

    pub(crate) fn output(&mut self, definition: Definition) -> ItemKind {
        if let (Some(first), Some(last)) = (definition.parameters.first(), definition.parameters.last()) {
            let span = first.span.merge(last.span);
            let help = "make it a `rule` with these parameters, and an `output` that uses it with arguments";
            let message = format!("the output `{}` has parameters", definition.name.text);
            self.sink.push(Diagnostic::error(Code::OutputParameters, span, message).help(help));
        }
        ItemKind::Output(definition)
    }

    /// Adds the doc comments before a case.
    pub(crate) fn case(&mut self, start: u32, case: Case) -> Case {
        Case { docs: self.docs.take(start, self.base), ..case }
    }

    pub(crate) fn lost_case(&mut self, lost: Recovery<'t>) -> Option<Case> {
        self.report(&lost.failure);
        None
    }

    pub(crate) fn member(&mut self, start: u32, attributes: Vec<Attribute>, kind: MemberKind, end: u32) -> Member {
        Member { docs: self.docs.take(start, self.base), attributes, kind, span: self.span(start, end) }
    }

    pub(crate) fn lost_member(&mut self, lost: Recovery<'t>) -> Member {
        self.report(&lost.failure);
        self.member(lost.start, Vec::new(), MemberKind::Error, lost.end)
    }

    pub(crate) fn attribute(&self, start: u32, text: &str, arguments: Vec<Argument>, end: u32) -> Attribute {
        let word = text.trim_start_matches('@').trim_end_matches('(');
        let word_end = start + 1 + word.len() as u32;
        let name = Name { text: word.to_owned(), span: self.span(start + 1, word_end) };
        Attribute { name, arguments, span: self.span(start, end) }
    }

    /// Builds an expression with an attribute; consecutive attributes become one list.
    pub(crate) fn attributed(&self, start: u32, attribute: Attribute, inner: Expr, end: u32) -> Expr {
        let (mut attributes, item) = match inner.kind {
            ExprKind::Attributed { attributes, item } => (attributes, item),
            kind => (Vec::new(), Box::new(Expr::new(kind, inner.span))),
        };
        attributes.insert(0, attribute);
        self.expr(start, ExprKind::Attributed { attributes, item }, end)
    }

    pub(crate) fn union(
        &mut self,
        start: u32,
        lead: Option<u32>,
        first: Expr,
        rest: Vec<(u32, Expr)>,
        end: u32,
    ) -> Expr {
        if rest.is_empty() {
            return first;
        }
        let first = (lead.unwrap_or(start), first);
        let arms = std::iter::once(first).chain(rest).map(|(at, expr)| self.alternative(at, expr)).collect();
        self.expr(start, ExprKind::Union(arms), end)
    }

    /// Builds a branch of a union with its doc comments. `at` is the place of the `|`, or of the branch if there is no
    /// `|`.
    fn alternative(&mut self, at: u32, expr: Expr) -> Alternative {
        let mut docs = self.docs.take(at, self.base);
        docs.extend(self.docs.take(expr.span.start - self.base, self.base));
        Alternative { docs, expr }
    }

    pub(crate) fn sequence(&self, start: u32, mut items: Vec<Expr>, end: u32) -> Expr {
        match items.pop() {
            Some(only) if items.is_empty() => only,
            last => {
                items.extend(last);
                self.expr(start, ExprKind::Sequence(items), end)
            }
        }
    }

    pub(crate) fn intersection(&self, start: u32, left: Expr, right: Expr, end: u32) -> Expr {
        let parts = match left.kind {
            ExprKind::Intersection(mut parts) => {
                parts.push(right);
                parts
            }
            kind => vec![Expr::new(kind, left.span), right],
        };
        self.expr(start, ExprKind::Intersection(parts), end)
    }

    pub(crate) fn difference(&self, start: u32, left: Expr, right: Expr, end: u32) -> Expr {
        let (kept, mut removed) = match left.kind {
            ExprKind::Difference { kept, removed } => (kept, removed),
            kind => (Box::new(Expr::new(kind, left.span)), Vec::new()),
        };
        removed.push(right);
        self.expr(start, ExprKind::Difference { kept, removed }, end)
    }

    pub(crate) fn repeat(&self, start: u32, item: Expr, times: Repetition, end: u32) -> Expr {
        self.expr(start, ExprKind::Repeat { item: Box::new(item), times }, end)
    }

    /// Builds a list; a repetition directly on the item becomes the number of the list's items.
    pub(crate) fn list(&self, start: u32, item: Expr, separator: Expr, end: u32) -> Expr {
        let (item, times) = match item.kind {
            ExprKind::Repeat { item, times } => (item, Some(times)),
            kind => (Box::new(Expr::new(kind, item.span)), None),
        };
        self.expr(start, ExprKind::List { item, times, separator: Box::new(separator) }, end)
    }

    /// Builds a name with at least one argument.
    pub(crate) fn applied(&mut self, path: Path, start: u32, arguments: Vec<Argument>, end: u32) -> ExprKind {
        if arguments.is_empty() && !self.confused {
            let span = self.span(start, end);
            let fix = Fix::new("remove `<` and `>`", span, "").about(path.span.start);
            let found = Diagnostic::error(Code::EmptyArguments, span, "there is nothing between `<` and `>`");
            self.sink.push(found.help("leave both out if there are no arguments").fix(fix));
        }
        ExprKind::Reference(Reference { path, arguments })
    }

    pub(crate) fn path(&self, start: u32, first: Name, rest: Vec<Name>, end: u32) -> Path {
        Path { segments: std::iter::once(first).chain(rest).collect(), span: self.span(start, end) }
    }

    pub(crate) fn name(&self, start: u32, text: &str, end: u32) -> Name {
        Name { text: text.to_owned(), span: self.span(start, end) }
    }

    pub(crate) fn quoted(&self, text: Spanned<String>) -> Name {
        Name { text: text.value, span: text.span }
    }

    /// Returns the text that a string literal stands for.
    pub(crate) fn string(&mut self, start: u32, text: &str) -> String {
        literal::string(text, start + self.base, &mut self.sink)
    }

    /// Returns the pattern in a regex literal.
    pub(crate) fn regex(&mut self, start: u32, text: &str) -> String {
        literal::regex(text, start + self.base, &mut self.sink)
    }

    /// Returns the name in a vocabulary token.
    pub(crate) fn tok(&mut self, start: u32, text: &str) -> String {
        literal::tok(text, start + self.base, &mut self.sink)
    }
}
