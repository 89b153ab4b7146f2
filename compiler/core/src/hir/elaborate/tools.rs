//! Elaborates `any_tool<tools, call>`: a call of any tool of a list, written by a template.
//!
//! The template is a type or rule with two parameters, `rule call<name, Args> = name " " json<Args>`. It is used once
//! for each tool, as if the author had written `call<"search", tools.search> | call<"fetch", tools.fetch>`.
//! [`tools_of`] makes the syntax trees of these arguments: they are in no file, and their place is the place of the
//! import.

use std::sync::Arc;

use ogc_grammar::Code;
use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Name, Path, Reference};
use ogc_schema::source::{At, Keywords, NodeId, Origin};

use super::environment::{Argument, Arguments, ViewId};
use super::reference::Meaning;
use super::text::Context;
use super::{Elaborator, EnvId, python_names};
use crate::db::{Db, SourceFile};
use crate::foreign::{foreign_error_by, foreign_names_of, is_tool_list};
use crate::hir::items::{ItemId, ItemKey, Keyword, item_tree};
use crate::hir::resolve::Target;
use crate::hir::schema_policy;
use crate::hir::scope;
use crate::ir::{Captured, ExprId, ExprKind as Ir, Extent};

/// Maximum length of a chain of parameters that is followed.
const CHAIN: u32 = 64;

/// The arguments of the template for one tool: its name as a literal, and a reference to the schema of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Tool {
    name: Expr,
    arguments: Expr,
}

impl Tool {
    /// Returns the name of the tool.
    fn text(&self) -> &str {
        match &self.name.kind {
            ExprKind::String(name) => name,
            _ => "",
        }
    }
}

/// A use of a template.
struct Use {
    /// The name of the tool.
    tool: String,
    /// The template.
    template: ItemId,
    /// The environment with its arguments.
    inside: EnvId,
}

/// Returns the tools of the list that is imported under the name `module`.
#[salsa::tracked]
fn tools_of(db: &dyn Db, file: SourceFile, key: Arc<ItemKey>, module: String) -> Vec<Tool> {
    let item = ItemId { file, key };
    let (Some(import), Some(target)) = (scope::import(db, &item), scope::import_target(db, &item)) else {
        return Vec::new();
    };
    let span = import.path.span;
    let name = |text: &str| Name { text: text.to_owned(), span };
    let tool = |tool: &String| {
        let path = Path { segments: vec![name(&module), name(tool)], span };
        let reference = Reference { path, arguments: Vec::new() };
        Tool {
            name: Expr { kind: ExprKind::String(tool.clone()), span },
            arguments: Expr { kind: ExprKind::Reference(reference), span },
        }
    };
    foreign_names_of(db, target).iter().map(tool).collect()
}

impl<'db> Elaborator<'db> {
    /// Returns whether the calls of `any_tool` are values, because the template is a type.
    pub(super) fn calls_are_values(&mut self, reference: &'db Reference, env: EnvId) -> bool {
        let template = reference.arguments.get(1).and_then(|written| self.template(&written.value, env));
        template.is_some_and(|(_, item)| item.key.kind == Keyword::Type)
    }

    /// Elaborates `any_tool<...>` as values: the union of all calls.
    pub(super) fn calls_value(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        origin: Origin,
    ) -> NodeId {
        let Some(uses) = self.calls(expr, reference, env) else { return self.anything(origin) };
        let mut any_of: Vec<NodeId> = Vec::new();
        for Use { template: item, inside, .. } in uses {
            if item.key.kind != Keyword::Type {
                let help = "a type is needed: `type call<name, Args> = { name: name, arguments: Args }`";
                return self.no_value(expr, env, &format!("`{}` is a rule, so it is text", item.key.name), help);
            }
            any_of.push(self.type_instance(&item, inside));
        }
        match any_of.as_slice() {
            [only] => {
                let reference = Some(At { origin, value: *only });
                self.parts.keywords(Keywords { reference, ..Keywords::default() }, origin)
            }
            _ => self
                .parts
                .keywords(Keywords { any_of: vec![At { origin, value: any_of }], ..Keywords::default() }, origin),
        }
    }

    /// Elaborates `any_tool<...>` as texts.
    pub(super) fn calls_text(
        &mut self,
        expr: &'db Expr,
        reference: &'db Reference,
        env: EnvId,
        context: Context,
        origin: Origin,
    ) -> ExprId {
        let Some(uses) = self.calls(expr, reference, env) else { return self.nothing(origin) };
        let mut arms = Vec::new();
        for Use { tool, template, inside } in uses {
            let rule = self.rule_instance(&template, inside, context.policy);
            let body = self.parts.expr(Ir::Rule(rule), origin);
            self.parts.calls.push(Captured { name: tool, body, extent: Extent::Whole, origin });
            arms.push(body);
        }
        self.parts.expr(Ir::Alternation(arms.into()), origin)
    }

    /// Returns a use of the template for each tool; `None` after an error, or if a parameter is opaque.
    fn calls(&mut self, expr: &'db Expr, reference: &'db Reference, env: EnvId) -> Option<Vec<Use>> {
        let [list, template, rest @ ..] = reference.arguments.as_slice() else {
            let help = "write `any_tool<tools, call>`; the standard library has calls: `std.hermes<tools>`";
            self.error(
                Code::WrongArguments,
                expr.span,
                env,
                "`any_tool` takes a list of tools and how a call is written",
            )
            .help = Some(help.to_owned());
            return None;
        };
        let tools = self.tools(&list.value, env)?;
        let (view, item) = self.known_template(&template.value, env)?;
        if self.is_standard_template(&item, python_names::CALL)
            && let Some((first, at)) = tools.first().copied()
        {
            let names = tools.iter().map(|(tool, _)| tool.text());
            self.check_python_names("tool", names, |it| it.origin(first.name.span, at));
        }
        let mut uses = Vec::new();
        for (tool, at) in tools {
            let named = [Argument::Given(&tool.name, at), Argument::Given(&tool.arguments, at)];
            let rest = rest.iter().map(|written| self.environment.argument(&written.value, env));
            let given = named.into_iter().chain(rest.collect::<Vec<_>>());
            let inside = self.filled(view, &item, given.collect(), template, reference, env)?;
            uses.push(Use { tool: tool.text().to_owned(), template: item.clone(), inside });
        }
        Some(uses)
    }

    /// Returns the environment inside the template, with its parameters given in order.
    fn filled(
        &mut self,
        view: ViewId,
        item: &ItemId,
        given: Vec<Argument<'db>>,
        template: &Written,
        reference: &Reference,
        env: EnvId,
    ) -> Option<EnvId> {
        let parameters = &item_tree(self.db, item).item.definition()?.parameters;
        let needed = parameters.iter().filter(|one| one.default.is_none()).count();
        if parameters.len() < given.len() || needed > given.len() {
            let message = format!(
                "`{}` has {} parameter{}, and {} arguments are given: the tool's name, its arguments{}",
                item.key.name,
                parameters.len(),
                if parameters.len() == 1 { "" } else { "s" },
                given.len(),
                if given.len() > 2 { ", and what stands behind it" } else { "" }
            );
            self.error(Code::WrongArguments, template.span, env, message).help =
                Some(format!("define it as `{}<name, Args>`", item.key.name));
            return None;
        }
        let given = given.into_iter().map(Some).collect();
        let inside = self.given_in_order(view, item, given, reference);
        self.reported(inside, env)
    }

    /// Returns the tools of the list that an expression names, each with the environment of its arguments.
    fn tools(&mut self, expr: &'db Expr, env: EnvId) -> Option<Vec<(&'db Tool, EnvId)>> {
        let (expr, env) = self.behind_parameters(expr, env)?;
        let help = "import one, and name it: `import tools from \"tools.json\"`, `std.hermes<tools>`";
        if self.template(expr, env).is_some() {
            let message = "the list of tools comes first, then how a call is written";
            self.error(Code::WrongArguments, expr.span, env, message).help =
                Some("write `any_tool<tools, call>`".to_owned());
            return None;
        }
        let Some((module, import)) = self.module_of(expr, env) else {
            self.error(Code::WrongArguments, expr.span, env, "a list of tools is needed here").help =
                Some(help.to_owned());
            return None;
        };
        let target = self.view_of(&import, env).map(|view| self.environment.file(view))?;
        if !is_tool_list(self.db, target) {
            let message = format!("`{}` is not a list of tools", target.name(self.db));
            self.error(Code::WrongArguments, expr.span, env, message).help =
                Some("a list is an array of tools, or an object with the array `tools`".to_owned());
            return None;
        }
        if foreign_error_by(self.db, target, schema_policy(self.db, &import)).is_some() {
            // The check of the import reports the reason.
            self.findings.reported_elsewhere = true;
            return None;
        }
        let view = self.environment.view(env);
        let at = self.environment.instance(view, &import, Arguments::default());
        let tools = tools_of(self.db, import.file, Arc::clone(&import.key), module.to_owned());
        Some(tools.iter().map(|tool| (tool, at)).collect())
    }

    /// Returns the name and the import of the whole file that an expression names.
    fn module_of(&self, expr: &'db Expr, env: EnvId) -> Option<(&'db str, ItemId)> {
        let ExprKind::Reference(reference) = &expr.kind else { return None };
        let [name] = reference.path.segments.as_slice() else { return None };
        match &self.resolved(reference, env).target {
            Target::WholeFile(import) if reference.arguments.is_empty() => Some((&name.text, import.clone())),
            _ => None,
        }
    }

    /// Returns the template that an expression names; reports an expression that names none.
    fn known_template(&mut self, expr: &'db Expr, env: EnvId) -> Option<(ViewId, ItemId)> {
        let found = self.template(expr, env);
        if found.is_none()
            && let Some((expr, env)) = self.behind_parameters(expr, env)
        {
            self.error(Code::WrongArguments, expr.span, env, "a type or rule that writes a call is needed here").help =
                Some("define it with parameters: `rule call<name, Args> = name \" \" json<Args>`".to_owned());
        }
        found
    }

    /// Returns the type or rule that an expression names without arguments.
    pub(super) fn template(&mut self, expr: &'db Expr, env: EnvId) -> Option<(ViewId, ItemId)> {
        let (expr, env) = self.behind_parameters(expr, env)?;
        let ExprKind::Reference(reference) = &expr.kind else { return None };
        if !reference.arguments.is_empty() {
            return None;
        }
        match self.meaning(reference, env) {
            Meaning::Item(view, item) if item.key.kind != Keyword::Output => Some((view, item)),
            _ => None,
        }
    }

    /// Follows parameters to an expression that is no parameter; `None` if a parameter is opaque.
    pub(super) fn behind_parameters(&mut self, expr: &'db Expr, env: EnvId) -> Option<(&'db Expr, EnvId)> {
        let (mut expr, mut env) = (expr.ungrouped(), env);
        for _ in 0..CHAIN {
            let ExprKind::Reference(reference) = &expr.kind else { break };
            let [name] = reference.path.segments.as_slice() else { break };
            match self.environment.parameter(&name.text, env) {
                Some(Argument::Given(inner, inside)) => (expr, env) = (inner.ungrouped(), inside),
                Some(Argument::Opaque) => return None,
                Some(Argument::Value(_) | Argument::Names(_)) | None => break,
            }
        }
        Some((expr, env))
    }
}
