//! New types and rules of `.ogc` files: the kind of definition, its parameters, and its candidate bodies.

use ogc_compiler::db::{Language, SourceFile};
use ogc_compiler::hir::resolve::{Target, resolution};
use ogc_compiler::hir::scope::scope;
use ogc_compiler::hir::{Builtin, BuiltinKind, TextKind};
use ogc_grammar::ogc::ast::{Argument, Expr, ExprKind, Reference};
use ogc_grammar::{Code, Diagnostic};

use super::home::{self, is_free_in};
use super::{NewDefinition, Wanted, Way};
use crate::actions::context::{Context, around, in_item};
use crate::actions::extract::end_of_line;
use crate::actions::kind::{Kind, is_value, kind};
use crate::items::{PlacedItem, item_at};
use crate::lookup::module_file;
use crate::place::{FilePosition, TextEdit};

/// The use of an undefined name.
struct Unknown<'s> {
    item: PlacedItem<'s>,
    expr: &'s Expr,
    reference: &'s Reference,
    name: &'s str,
    /// The file that could define the name: the file of the use, or the file named before the dot.
    home: SourceFile,
    /// If the name is an argument: the innermost reference that takes it, and the argument's index.
    caller: Option<(&'s Reference, usize)>,
}

/// Returns the name of a use and the kinds of definition that it can become; `None` if it is no name to define.
pub(super) fn wanted<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<Wanted<'s>> {
    let unknown = unknown(context, found)?;
    let is_ogc = context.snapshot.language(unknown.home) == Language::Ogc;
    let kinds: &[NewDefinition] = match unknown.role(context) {
        Role::Value if is_ogc => &[NewDefinition::Type],
        Role::Value => return None,
        Role::Text => &[NewDefinition::Rule],
        Role::Any => home::kinds(context, unknown.home, unknown.name),
    };
    Some(Wanted { name: unknown.name, home: unknown.home, kinds })
}

/// Returns edits that define the name, each with another candidate body, the best first.
pub(super) fn ways(context: &Context<'_>, found: &Diagnostic, kind: NewDefinition) -> Vec<Way> {
    let Some(unknown) = unknown(context, found) else { return Vec::new() };
    let parameters = unknown.parameters(context);
    let template = unknown.template(context);
    let texts = definitions(kind, unknown.name, template, &parameters);
    if unknown.home != context.file() {
        return home::at_end(context, unknown.home, unknown.name, texts);
    }
    let at = end_of_line(context.text(), unknown.item.span.end);
    texts.into_iter().map(|text| (unknown.home, TextEdit::insert(at, format!("\n{text}")))).collect()
}

/// Writes definitions of a name, each with another candidate body, the best first.
pub(super) fn definitions(
    kind: NewDefinition,
    name: &str,
    template: Option<Template>,
    parameters: &[String],
) -> Vec<String> {
    let list = if parameters.is_empty() { String::new() } else { format!("<{}>", parameters.join(", ")) };
    let bodies = bodies(kind, name, template, parameters).into_iter();
    bodies.map(|body| format!("{} {name}{list} = {body}", kind.keyword())).collect()
}

/// Returns candidate bodies of a definition, the best first.
fn bodies(kind: NewDefinition, name: &str, template: Option<Template>, parameters: &[String]) -> Vec<String> {
    let word = format!("\"{name}\"");
    let mut all = match (kind, template) {
        (NewDefinition::Type, Some(Template::Call)) => vec!["{ name: name, arguments: Args }".to_owned()],
        (NewDefinition::Rule, Some(Template::Call)) => {
            vec!["json<{ name: name, arguments: Args }> \"\\n\"".to_owned()]
        }
        (_, Some(Template::Field)) => vec!["name \": \" raw<Value, without = \"\\n\"> \"\\n\"".to_owned()],
        (NewDefinition::Type, None) if !parameters.is_empty() => {
            let fields = parameters.iter().map(|name| format!("{}: {name}", name.to_lowercase()));
            vec![format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))]
        }
        (NewDefinition::Rule, None) if !parameters.is_empty() => vec![format!("{word} {}", parameters.join(" "))],
        _ => Vec::new(),
    };
    match kind {
        NewDefinition::Type => all.extend(["{}", "{ ... }", "string", "int", &word].map(str::to_owned)),
        NewDefinition::Rule => all.extend([word, "/[a-z]+/".to_owned()]),
    }
    all
}

/// Returns the use that a finding is about, if the name can be defined in this file.
fn unknown<'s>(context: &Context<'s>, found: &Diagnostic) -> Option<Unknown<'s>> {
    // The findings of built-in names tell when an argument must be a rule.
    if !matches!(found.code, Code::UnknownName | Code::WrongArguments) || found.fix.is_some() {
        return None;
    }
    let at = FilePosition { file: context.file(), offset: found.span.start };
    let item = item_at(context.snapshot, at)?;
    let tree = ogc_compiler::hir::items::item_tree(&context.snapshot.db, item.id);
    if tree.diagnostics.iter().any(Diagnostic::is_error) || touches_quote(context.text(), found) {
        return None;
    }
    let exprs = around(&item, in_item(&item, found.span));
    let (expr, outer) = exprs.split_last()?;
    let ExprKind::Reference(reference) = &expr.kind else { return None };
    let (name, home) = match reference.path.segments.as_slice() {
        [name] => (name, context.file()),
        [module, name] => (name, module_file(context.snapshot, context.file(), &module.text)?),
        _ => return None,
    };
    let resolved = resolution(&context.snapshot.db, item.id).get(&reference.path)?;
    let is_here = item.in_file(name.span).start == found.span.start;
    let is_unknown = is_here && matches!(resolved.target, Target::Unknown) && is_free_in(context, home, &name.text);
    let caller = outer.last().and_then(|outer| match &outer.kind {
        ExprKind::Reference(caller) => Some((caller, caller.arguments.iter().position(|one| one.value == **expr)?)),
        _ => None,
    });
    is_unknown.then_some(Unknown { item, expr, reference, name: &name.text, home, caller })
}

/// Returns whether the name touches a quote, as in `r"..."`, so that it is no name.
fn touches_quote(text: &str, found: &Diagnostic) -> bool {
    let before = text.get(..found.span.start as usize).and_then(|before| before.chars().next_back());
    let behind = text.get(found.span.end as usize..).and_then(|behind| behind.chars().next());
    [before, behind].into_iter().flatten().any(|c| matches!(c, '"' | '\''))
}

/// The kinds of definition that fit in the place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Only values.
    Value,
    /// Only texts: a type would not fit.
    Text,
    /// A type, whose values are written as JSON, or a rule.
    Any,
}

/// A built-in name that calls its argument with arguments of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Template {
    /// `each<T, field>`: a name and the type of a value.
    Field,
    /// `any_tool<tools, call>`: a name and the type of the arguments.
    Call,
}

impl<'s> Unknown<'s> {
    /// Returns the built-in name that takes this argument.
    fn builtin(&self, context: &Context<'_>) -> Option<&'static Builtin> {
        let (caller, _) = self.caller?;
        match &resolution(&context.snapshot.db, self.item.id).get(&caller.path)?.target {
            Target::Builtin(builtin) => Some(builtin),
            _ => None,
        }
    }

    fn argument(&self) -> Option<(&'s Argument, usize)> {
        let (caller, at) = self.caller?;
        Some((caller.arguments.get(at)?, at))
    }

    fn role(&self, context: &Context<'_>) -> Role {
        let builtin = self.builtin(context);
        match (builtin.map(|one| one.kind), self.argument()) {
            (Some(BuiltinKind::Text(TextKind::Each)), Some((Argument { name: None, .. }, 0))) => return Role::Value,
            (Some(BuiltinKind::Text(TextKind::Each | TextKind::Lazy | TextKind::Quoted)), _) => return Role::Text,
            _ => {}
        }
        match is_value(context.snapshot, &self.item, self.expr.span) {
            Some(true) => Role::Value,
            Some(false) | None if self.is_joined_with_values(context) => Role::Value,
            Some(false) | None => Role::Any,
        }
    }

    /// Returns whether the name is an operand of `&` or `-` beside values, where only a type makes sense.
    fn is_joined_with_values(&self, context: &Context<'_>) -> bool {
        let exprs = around(&self.item, self.expr.span);
        let Some(outer) =
            exprs.iter().rev().find(|expr| !matches!(expr.kind, ExprKind::Group(_) | ExprKind::Reference(_)))
        else {
            return false;
        };
        let is_operator = matches!(outer.kind, ExprKind::Intersection(_) | ExprKind::Difference { .. });
        let others = outer.children().into_iter().filter(|part| part.ungrouped().span != self.expr.span);
        let others: Vec<Kind> = others.map(|part| kind(context.snapshot, self.item.id, part)).collect();
        is_operator && others.contains(&Kind::Value) && !others.contains(&Kind::Text)
    }

    /// Returns the built-in name that calls the new definition with arguments, if there is one.
    fn template(&self, context: &Context<'_>) -> Option<Template> {
        let builtin = self.builtin(context)?;
        let (argument, at) = self.argument()?;
        let name = argument.name.as_ref().map(|name| name.text.as_str());
        match (builtin.kind, name, at) {
            (BuiltinKind::Text(TextKind::Each), None, 1) => Some(Template::Field),
            (BuiltinKind::Text(TextKind::Each), Some("optional" | "others"), _) => Some(Template::Field),
            (_, None, 1) if builtin.name == "any_tool" => Some(Template::Call),
            _ => None,
        }
    }

    /// Returns the parameters that the uses of the name need.
    fn parameters(&self, context: &Context<'_>) -> Vec<String> {
        let template = self.template(context);
        let mut names: Vec<String> = match template {
            Some(Template::Field) => ["name", "Value"].map(str::to_owned).into(),
            Some(Template::Call) => ["name", "Args"].map(str::to_owned).into(),
            None => Vec::new(),
        };
        let arguments: &[Argument] = match (template, self.caller) {
            (Some(_), Some((caller, _))) => {
                let is_named = |one: &&Argument| one.name.is_none();
                let count = caller.arguments.iter().take_while(is_named).count();
                caller.arguments.get(2..count).unwrap_or_default()
            }
            _ => &self.reference.arguments,
        };
        for argument in arguments {
            let wanted = self.parameter(context, argument);
            let numbered = (2..).map(|number| format!("{wanted}{number}"));
            let is_free = |name: &String| {
                !names.contains(name) && name != self.name && is_parameter_free(context, self.home, name)
            };
            names.extend(std::iter::once(wanted.clone()).chain(numbered).find(is_free));
        }
        names
    }

    /// Returns a parameter name for an argument: the argument's own name, the name of the parameter that it passes on,
    /// or a name for its kind.
    fn parameter(&self, context: &Context<'_>, argument: &Argument) -> String {
        if let Some(name) = &argument.name {
            return name.text.clone();
        }
        let value = argument.value.ungrouped();
        if let ExprKind::Reference(Reference { path, .. }) = &value.kind
            && let Some(resolved) = resolution(&context.snapshot.db, self.item.id).get(path)
            && let Target::Parameter(name) = &resolved.target
        {
            return name.clone();
        }
        let name = match (&value.kind, kind(context.snapshot, self.item.id, value)) {
            (ExprKind::Number(_), _) => "n",
            (ExprKind::String(_), _) => "name",
            (_, Kind::Value) => "T",
            (_, Kind::Text | Kind::Literal) => "x",
        };
        name.to_owned()
    }
}

/// Returns whether a parameter of a definition in a file may have this name.
fn is_parameter_free(context: &Context<'_>, file: SourceFile, name: &str) -> bool {
    Builtin::of(name).is_none() && !scope(&context.snapshot.db, file).names.contains_key(name)
}
