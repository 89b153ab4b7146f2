//! Hover in `.ogc` files: on names, on codes in attributes, on literals.

use ogc_compiler::hir::items::{ItemId, Keyword, item_start, item_tree};
use ogc_compiler::hir::names::{Symbol, name_at};
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::scope::{Binding, scope};
use ogc_compiler::hir::{AttributeKind, Builtin, Setting};
use ogc_grammar::ogc::ast::{Argument, Expr, ExprKind, Reference};
use ogc_grammar::ogc::{parse_item, print_expr};
use ogc_grammar::{Code, Span};

use super::{Hover, literal};
use crate::documentation::{self, CodeBlock, Documentation};
use crate::place::{FilePosition, TextEdit, applied};
use crate::snapshot::Snapshot;
use crate::walk::{At, Open, Walk};

/// Returns the hover of the thing at a position.
pub(super) fn hover(snapshot: &Snapshot, position: FilePosition) -> Option<Hover> {
    if let Some(name) = name_at(&snapshot.db, position.file, position.offset)
        && let Some(known) = documentation::of_symbol(snapshot, &name.symbol)
    {
        let known = match &name.symbol {
            Symbol::Definition(item) => with_arguments(snapshot, position, item, known),
            _ => known,
        };
        return Some(Hover::of(name.span, known));
    }
    let walk = Walk::new(snapshot, position);
    code(&walk).or_else(|| choice(&walk)).or_else(|| imported(&walk)).or_else(|| literal::hover(&walk))
}

/// Returns the explanation of a code in `@allow`, `@warn` or `@deny`.
fn code(walk: &Walk<'_>) -> Option<Hover> {
    let (At::String(content, _), Some(frame)) = (walk.at, walk.frames.last()) else { return None };
    let Open::Attribute(name) = &frame.open else { return None };
    let Some(AttributeKind::Level(_)) = AttributeKind::of(name) else { return None };
    let code = Code::from_name(content.text(walk.text))?;
    Some(Hover::of(content, documentation::of_code(code)))
}

/// Returns the meaning of a listed value of a policy.
fn choice(walk: &Walk<'_>) -> Option<Hover> {
    let content = match walk.at {
        At::String(content, true) => Span::new(content.start - 1, content.end + 1),
        At::Word(span) => span,
        _ => return None,
    };
    let name = match walk.frames.last().map(|frame| &frame.open) {
        Some(Open::Attribute(name)) => name.as_str(),
        _ => match walk.segment() {
            [name, equals] if equals.kind == ogc_grammar::ogc::token::TokenKind::Equals => name.span.text(walk.text),
            _ => return None,
        },
    };
    let in_policy = walk.item_keyword() == Some(ogc_grammar::ogc::token::TokenKind::Policy) && walk.frames.is_empty();
    let in_arguments = walk.frames.last().is_some_and(|frame| match &frame.open {
        Open::Attribute(_) => true,
        Open::Arguments(path) => {
            matches!(path.as_slice(), [name] if Builtin::of(name).is_some_and(Builtin::takes_policies))
        }
        _ => false,
    });
    let setting = Setting::of(name).filter(|_| in_policy || in_arguments)?;
    let written = content.text(walk.text).replace('\'', "\"");
    let choice = setting.choices.iter().find(|choice| choice.written == written)?;
    let text = format!("{} Here: {}.", setting.doc, choice.doc);
    let signature = CodeBlock::ogc(format!("{name} = {written}"));
    Some(Hover::of(content, Documentation { signature: Some(signature), text, ..Documentation::default() }))
}

/// Returns the documentation of a name whose item cannot be parsed.
fn imported(walk: &Walk<'_>) -> Option<Hover> {
    let At::Word(span) = walk.at else { return None };
    let item = walk.item?;
    if !matches!(item_tree(&walk.snapshot.db, item).item.kind, ogc_grammar::ogc::ast::ItemKind::Error(_)) {
        return None;
    }
    let name = span.text(walk.text);
    let binding: &Binding = scope(&walk.snapshot.db, walk.position.file).names.get(name)?;
    let symbol = crate::lookup::bound(walk.snapshot, binding)?;
    Some(Hover::of(span, documentation::of_symbol(walk.snapshot, &symbol)?))
}

/// Replaces the parameters in the unfolded body by the arguments of the use at a position.
fn with_arguments(snapshot: &Snapshot, position: FilePosition, item: &ItemId, known: Documentation) -> Documentation {
    match body_of_use(snapshot, position, item) {
        Some(body) => {
            let unfolded = CodeBlock::ogc(documentation::laid_out(&body, item.key.kind));
            Documentation { unfolded: Some(unfolded), ..known }
        }
        None => known,
    }
}

/// Returns the body of a definition with the arguments of the use at a position in place of its parameters.
fn body_of_use(snapshot: &Snapshot, position: FilePosition, item: &ItemId) -> Option<String> {
    let db = &snapshot.db;
    let definition = item_tree(db, item).item.definition()?;
    if definition.parameters.is_empty() {
        return None;
    }
    let reference = use_at(snapshot, position)?;
    let argument = |name: &str| -> Option<String> {
        let at = definition.parameters.iter().position(|parameter| parameter.name.text == name)?;
        let named = reference.arguments.iter().find(|one| one.name.as_ref().is_some_and(|known| known.text == name));
        let given = named.or_else(|| reference.arguments.get(at).filter(|one| one.name.is_none()));
        let default = definition.parameters.get(at).and_then(|parameter| parameter.default.as_ref());
        given.map(|Argument { value, .. }| value).or(default).map(grouped)
    };
    let start = item_start(db, item);
    let names = ogc_compiler::hir::names::names(db, item).iter();
    let inside = names.filter(|name| definition.body.span.start <= name.span.start && !name.is_definition);
    let edits: Vec<TextEdit> = inside
        .filter_map(|name| match &name.symbol {
            Symbol::Parameter { item: of, name: parameter } if of == item => {
                let span =
                    Span::new(name.span.start - definition.body.span.start, name.span.end - definition.body.span.start);
                Some(TextEdit::replace(span, argument(parameter)?))
            }
            _ => None,
        })
        .collect();
    let body = applied(snapshot.slice(item.file, definition.body.span.shifted(start)), &edits);
    let keyword = if item.key.kind == Keyword::Type { "type" } else { "rule" };
    let (read, _) = parse_item(&format!("{keyword} x = {body}"), 0);
    Some(print_expr(&read.definition()?.body))
}

/// Returns an argument in the form in which it replaces a parameter: in parentheses if its parts could separate.
fn grouped(value: &Expr) -> String {
    let text = print_expr(value);
    match &value.kind {
        ExprKind::Union(_)
        | ExprKind::Intersection(_)
        | ExprKind::Difference { .. }
        | ExprKind::Sequence(_)
        | ExprKind::List { .. }
        | ExprKind::Capture { .. }
        | ExprKind::Attributed { .. } => format!("({text})"),
        _ => text,
    }
}

/// Returns the reference to a definition at a position.
fn use_at(snapshot: &Snapshot, position: FilePosition) -> Option<&Reference> {
    let db = &snapshot.db;
    let items = &ogc_compiler::hir::items::file_items(db, position.file).items;
    let (item, span) = items.iter().find(|(_, span)| span.start <= position.offset && position.offset <= span.end)?;
    let at = position.offset - span.start;
    let mut found = None;
    for root in item_tree(db, item).item.expressions() {
        root.walk(&mut |expr| match &expr.kind {
            ExprKind::Reference(reference) if reference.path.span.start <= at && at <= reference.path.span.end => {
                found = Some(reference);
            }
            _ => {}
        });
    }
    let reference = found?;
    let target = &resolution(db, item).get(&reference.path)?.target;
    matches!(target, Target::Item(_) | Target::Imported { .. }).then_some(reference)
}
