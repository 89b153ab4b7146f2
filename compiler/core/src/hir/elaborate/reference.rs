//! Maps the targets of names to their meaning in an environment, and enters definitions with their arguments.
//!
//! A [`Target`] is the same for all uses of an item; a [`Meaning`] also accounts for the arguments of parameters and
//! the replacements of imports. (The `Meaning` in [`crate::hir::names`] is unrelated: what an editor shows for a name.)

use std::borrow::Cow;

use always_assert::never;
use ogc_grammar::nearest;
use ogc_grammar::ogc::ast::{Argument as Written, BoundKind, Expr, ExprKind, Name, Override, Reference, Repetition};
use ogc_grammar::{Code, Diagnostic, Fix, Span};
use ogc_schema::source::Origin;

use super::environment::{Argument, Arguments, ViewId};
use super::{Elaborator, EnvId};
use crate::hir::builtin::Builtin;
use crate::hir::items::{ItemId, Keyword, item_tree, signature};
use crate::hir::resolve::{Resolved, Resolver, Target, resolution};
use crate::hir::schema_policy;
use crate::hir::scope;

/// Maximum nesting of uses inside the arguments of uses.
const DEPTH: u32 = 64;

/// The meaning of a name in an environment.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'db> {
    /// An expression written elsewhere: the argument of a parameter, or the replacement of an imported definition.
    Argument(Argument<'db>),
    /// A built-in name.
    Builtin(&'static Builtin),
    /// A type, rule or output, and the view of its file.
    Item(ViewId, ItemId),
    /// A definition of an imported file in another language: the view of the file, and the name there.
    Foreign(ViewId, String),
    /// Nothing, because of an error that is reported.
    Unknown,
}

impl<'db> Elaborator<'db> {
    /// Returns the meaning of a reference and reports its errors. Called once for each reference, where it is
    /// elaborated.
    pub(super) fn meaning_reported(&mut self, reference: &'db Reference, env: EnvId) -> Meaning<'db> {
        let resolved = self.resolved(reference, env);
        self.findings.reported_elsewhere |= resolved.is_reported;
        if let Some(found) = &resolved.finding {
            self.report(found, env);
        }
        if resolved.arguments_are_types {
            // They are types, whatever this name is called here: their errors are reported too.
            self.native_arguments(reference, env);
        }
        self.followed(&resolved.target, reference, env)
    }

    /// Elaborates the arguments of a type of another language; those that its correction replaces are not reported again.
    fn native_arguments(&mut self, reference: &'db Reference, env: EnvId) {
        let corrected = self.resolved(reference, env).finding.as_ref().is_some_and(|found| found.fix.is_some());
        for argument in &reference.arguments {
            let names = Resolver::of(self.db, self.environment.item(env));
            match &argument.value.kind {
                ExprKind::Reference(inner) if corrected && names.replaces(&argument.value) => {
                    self.native_arguments(inner, env);
                }
                _ => drop(self.value(&argument.value, env)),
            }
        }
    }

    /// Returns the meaning of a reference without reports: for code that only looks at it, perhaps many times.
    pub(super) fn meaning(&mut self, reference: &'db Reference, env: EnvId) -> Meaning<'db> {
        let resolved = self.resolved(reference, env);
        self.followed(&resolved.target, reference, env)
    }

    /// Returns the target of a reference. References made by [`super::tools`] occur in no item, so the resolution has
    /// no entry for them; they are resolved here.
    pub(super) fn resolved(&self, reference: &Reference, env: EnvId) -> Cow<'db, Resolved> {
        let item = self.environment.item(env);
        match resolution(self.db, item).get(&reference.path) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(Resolver::of(self.db, item).resolve(reference)),
        }
    }

    /// Returns the meaning of a target in an environment: parameters get their arguments, replaced definitions their
    /// replacements.
    fn followed(&mut self, target: &Target, reference: &'db Reference, env: EnvId) -> Meaning<'db> {
        let view = self.environment.view(env);
        if let (Target::Item(_) | Target::Imported { .. } | Target::Foreign { .. }, [name]) =
            (target, reference.path.segments.as_slice())
            && let Some(replaced) = self.replaced(view, &name.text)
        {
            return Meaning::Argument(replaced);
        }
        match target {
            Target::Parameter(name) => {
                self.environment.parameter(name, env).map_or(Meaning::Unknown, Meaning::Argument)
            }
            Target::Builtin(name) => Meaning::Builtin(name),
            Target::Item(item) => Meaning::Item(view, item.clone()),
            Target::Imported { import, item } => {
                self.through(import, &item.key.name, env, |view| Meaning::Item(view, item.clone()))
            }
            Target::Foreign { import, name, .. } => {
                self.through(import, name, env, |view| Meaning::Foreign(view, name.clone()))
            }
            Target::WholeFile(_) | Target::Unknown => Meaning::Unknown,
        }
    }

    /// Returns the meaning of a definition of an imported file, or its replacement if the import has one.
    fn through(
        &mut self,
        import: &ItemId,
        there: &str,
        env: EnvId,
        meaning: impl FnOnce(ViewId) -> Meaning<'db>,
    ) -> Meaning<'db> {
        let Some(view) = self.view_of(import, env) else { return Meaning::Unknown };
        match self.replaced(view, there) {
            Some(replaced) => Meaning::Argument(replaced),
            None => meaning(view),
        }
    }

    /// Reports a finding whose places are in the item of an environment.
    pub(super) fn report(&mut self, found: &Diagnostic, env: EnvId) {
        let found = found.map_places(|span| self.origin(*span, env));
        self.findings.add(found);
    }

    /// Converts a fix from places in the item of an environment to places of the module.
    pub(super) fn fix(&mut self, fix: &Fix, env: EnvId) -> Fix<Origin> {
        fix.map_places(|span| self.origin(*span, env))
    }

    /// Returns whether the text at a place is the name of a type in another language, such as `date-time`.
    pub(super) fn is_native(&self, span: Span, env: EnvId) -> bool {
        Resolver::of(self.db, self.environment.item(env)).is_native(span)
    }

    /// Reports the hyphenated word around a place, if its meaning is known; returns whether it is.
    pub(super) fn hyphenated(&mut self, span: Span, env: EnvId) -> bool {
        let item = self.environment.item(env).clone();
        let Some(resolved) = Resolver::of(self.db, &item).hyphenated(span) else { return false };
        self.findings.reported_elsewhere |= resolved.is_reported;
        if let Some(found) = &resolved.finding {
            self.report(found, env);
        }
        true
    }

    /// Returns the view that an import leads to; `None` if the whole import is wrong, which its own check reports.
    pub(super) fn view_of(&mut self, import: &ItemId, env: EnvId) -> Option<ViewId> {
        if scope::check_import(self.db, import).is_some() {
            // The check of the import reports the reason.
            self.findings.reported_elsewhere = true;
            return None;
        }
        let file = scope::import_target(self.db, import)?;
        let written = scope::import(self.db, import)?;
        let file = (file, schema_policy(self.db, import));
        Some(self.environment.through(file, import, written.path.span, !written.overrides.is_empty(), env))
    }

    /// Returns the replacement of a definition in a view: `C` in `import a from "file" with { b = C }`.
    fn replaced(&self, view: ViewId, name: &str) -> Option<Argument<'db>> {
        let (overrides, env) = self.overrides(view)?;
        let found = overrides.iter().find(|one| one.name.text == name)?;
        Some(Argument::Given(&found.value, env))
    }

    /// Returns the replacements of the import that leads to a view, and the environment in which they are written.
    pub(super) fn overrides(&self, view: ViewId) -> Option<(&'db [Override], EnvId)> {
        let (import, env) = self.environment.replaced_by(view)?;
        let Some(written) = scope::import(self.db, &import) else {
            never!("{:?} replaces definitions and is no import", import.key);
            return None;
        };
        Some((&written.overrides, env))
    }

    /// Returns the environment inside a definition that a reference uses, and reports arguments that do not fit.
    pub(super) fn enter(
        &mut self,
        view: ViewId,
        item: &ItemId,
        reference: &'db Reference,
        env: EnvId,
    ) -> Option<EnvId> {
        let inside = self.entered(view, item, reference, env);
        self.reported(inside, env)
    }

    /// Reports the errors of a use, if it has any.
    pub(super) fn reported(&mut self, inside: Result<EnvId, Vec<Diagnostic>>, env: EnvId) -> Option<EnvId> {
        inside.map_err(|wrong| wrong.iter().for_each(|found| self.report(found, env))).ok()
    }

    /// Returns the environment inside a definition that a reference uses.
    ///
    /// # Errors
    ///
    /// The arguments do not fit the parameters. The list is empty if that is reported elsewhere.
    pub(super) fn entered(
        &mut self,
        view: ViewId,
        item: &ItemId,
        reference: &'db Reference,
        env: EnvId,
    ) -> Result<EnvId, Vec<Diagnostic>> {
        let parameters = &signature(self.db, item).parameters;
        let mut given: Vec<Option<Argument<'db>>> = vec![None; parameters.len()];
        let (mut wrong, mut sound) = (Vec::new(), true);
        for (at, written) in reference.arguments.iter().enumerate() {
            match slot(parameters, at, written) {
                Some(slot) if given[slot].is_none() => {
                    given[slot] = Some(self.environment.argument(&written.value, env));
                    continue;
                }
                Some(slot) => {
                    let message = format!("`{}` is given twice", parameters[slot].0);
                    let found = Diagnostic::error(Code::WrongArguments, written.span, message);
                    wrong.push(found.help("keep one of them; those in order come first"));
                }
                None => {
                    if !item_tree(self.db, item).diagnostics.iter().any(Diagnostic::is_error) {
                        wrong.push(stray_argument(item, parameters, written));
                    }
                    // The definition has errors, and its parameters may be in the part that could not be parsed.
                    self.findings.reported_elsewhere = true;
                }
            }
            sound = false;
        }
        if !sound {
            return Err(wrong);
        }
        let arguments = self.completed(view, item, given, reference)?;
        let inside = self.environment.instance(view, item, arguments);
        self.within_depth(inside, reference)
    }

    /// Returns the environment inside a definition for arguments in the order of its parameters; missing arguments get
    /// their defaults.
    ///
    /// # Errors
    ///
    /// As [`Self::entered`].
    pub(super) fn given_in_order(
        &mut self,
        view: ViewId,
        item: &ItemId,
        mut given: Vec<Option<Argument<'db>>>,
        reference: &Reference,
    ) -> Result<EnvId, Vec<Diagnostic>> {
        given.resize(signature(self.db, item).parameters.len(), None);
        let arguments = self.completed(view, item, given, reference)?;
        let inside = self.environment.instance(view, item, arguments);
        self.within_depth(inside, reference)
    }

    /// Returns the environment of a use, or an error if uses nest too deep inside the arguments of uses.
    pub(super) fn within_depth(&self, inside: EnvId, reference: &Reference) -> Result<EnvId, Vec<Diagnostic>> {
        let given = self.environment.depth(inside);
        if given <= DEPTH {
            return Ok(inside);
        }
        let message =
            format!("a definition uses itself with ever larger arguments: {given} deep; the limit is {DEPTH}");
        let found = Diagnostic::error(Code::GenericRecursion, reference.path.span, message);
        Err(vec![found.help("pass the parameter on as it is, or write the recursive part without parameters")])
    }

    /// Returns an argument for each parameter: the given one, or the default.
    pub(super) fn completed(
        &mut self,
        view: ViewId,
        item: &ItemId,
        given: Vec<Option<Argument<'db>>>,
        reference: &Reference,
    ) -> Result<Arguments<'db>, Vec<Diagnostic>> {
        let Some(definition) = item_tree(self.db, item).item.definition() else { return Ok(Arguments::default()) };
        let mut arguments = Arguments::default();
        for (parameter, given) in definition.parameters.iter().zip(given) {
            let argument = match (given, &parameter.default) {
                (Some(given), _) => given,
                (None, Some(default)) => {
                    // A default may use the parameters before it.
                    let inside = self.environment.instance(view, item, arguments.clone());
                    self.environment.argument(default, inside)
                }
                (None, None) => {
                    let message = format!("`{}` needs an argument for `{}`", item.key.name, parameter.name.text);
                    let shown = definition.parameters.iter().map(|one| one.name.text.as_str()).collect::<Vec<_>>();
                    let found = Diagnostic::error(Code::WrongArguments, reference.path.span, message);
                    return Err(vec![found.help(format!("write `{}<{}>`", item.key.name, shown.join(", ")))]);
                }
            };
            arguments.0.push((&parameter.name.text, argument));
        }
        Ok(arguments)
    }

    /// Reports an argument in brackets after a definition with parameters, as in `Page[User]`; returns whether the
    /// expression has that form.
    pub(super) fn is_called_in_brackets(&mut self, expr: &'db Expr, env: EnvId) -> bool {
        let ExprKind::Repeat { item, times: Repetition::Exactly(bound) } = &expr.kind else { return false };
        let (ExprKind::Reference(reference), BoundKind::Name(argument)) = (&item.kind, &bound.kind) else {
            return false;
        };
        if !reference.arguments.is_empty() || self.environment.parameter(argument, env).is_some() {
            return false;
        }
        let Meaning::Item(_, target) = self.meaning(reference, env) else { return false };
        if signature(self.db, &target).parameters.is_empty() {
            return false;
        }
        let name = &target.key.name;
        let fix = Fix::new("write `<` and `>`", Span::new(item.span.end, bound.span.start), "<")
            .and(Span::new(bound.span.end, expr.span.end), ">");
        let found =
            Diagnostic::error(Code::Call, reference.path.span, format!("arguments of `{name}` stand in `<` and `>`"));
        self.report(&found.help(format!("write `{name}<{argument}>`")).fix(fix), env);
        true
    }

    /// Reports arguments of something that has no parameters.
    pub(super) fn no_arguments(&mut self, reference: &Reference, what: &str, env: EnvId) {
        if let Some(first) = reference.arguments.first() {
            self.error(Code::WrongArguments, first.span, env, format!("{what} takes no arguments")).help =
                Some("leave them out, or define a type or rule with parameters".to_owned());
        }
    }
}

/// Makes the error for an argument without a parameter.
fn stray_argument(item: &ItemId, parameters: &[(String, bool)], written: &Written) -> Diagnostic {
    let name = &item.key.name;
    let known =
        |given: &Name| nearest(&given.text, parameters.iter().map(|(name, _)| name.as_str())).map(str::to_owned);
    let guess = written.name.as_ref().and_then(|given| Some(Fix::instead(given.span, known(given)?)));
    let (message, help) = match &written.name {
        Some(given) => {
            let known = known(given);
            let help = match known {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("it has {}", shown(parameters)),
            };
            (format!("`{name}` has no parameter `{}`", given.text), help)
        }
        None if parameters.is_empty() => (format!("`{name}` has no parameters"), without_parameters(item, written)),
        None => (
            format!("`{name}` takes no more than {} argument{}", parameters.len(), plural(parameters.len())),
            format!("its parameters are {}", shown(parameters)),
        ),
    };
    Diagnostic::error(Code::WrongArguments, written.span, message).help(help).guess(guess)
}

/// Returns the way out for an argument of a definition without parameters.
fn without_parameters(item: &ItemId, written: &Written) -> String {
    let name = &item.key.name;
    match (&written.value.kind, item.key.kind) {
        (ExprKind::String(key), Keyword::Type) => format!(
            "write `{name}`; the type of its field {key:?} has no name of its own: define it, `type B = ...`, and use that in both places"
        ),
        _ => format!("write `{name}`"),
    }
}

/// Returns the parameter that an argument is for: by its name, else by its position.
fn slot(parameters: &[(String, bool)], at: usize, written: &Written) -> Option<usize> {
    match &written.name {
        Some(name) => parameters.iter().position(|(parameter, _)| *parameter == name.text),
        None => (at < parameters.len()).then_some(at),
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn shown(parameters: &[(String, bool)]) -> String {
    listed(&parameters.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>())
}

fn listed(names: &[String]) -> String {
    let some: Vec<String> = names.iter().take(8).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 8 { format!(" and {} more", names.len() - 8) } else { String::new() };
    format!("{}{more}", some.join(", "))
}
