//! What a name means where it stands, and the uses of definitions with arguments.

use ogc_grammar::Diagnostic;
use ogc_grammar::ogc::ast::{Argument as Written, Name, Reference};

use super::environment::{Argument, Arguments, ViewId};
use super::{Elaborator, EnvId, is_builtin};
use crate::db::Language;
use crate::hir::items::{ItemId, definition, item_tree, signature};
use crate::hir::scope::{self, Binding};
use crate::hir::spelling::nearest;

/// Uses of definitions inside the arguments of other uses.
const DEPTH: u32 = 64;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'db> {
    /// A parameter's argument, or what an import replaces a definition by.
    Argument(Argument<'db>),
    /// A built-in name.
    Builtin(&'db str),
    /// A type, rule or output, and the file it is seen in.
    Item(ViewId, ItemId),
    /// A name of an imported file in another language.
    Foreign(ViewId, String),
    /// Nothing; it has been reported.
    Unknown,
}

impl<'db> Elaborator<'db> {
    /// What a reference's name means; unknown ones are reported.
    pub(super) fn meaning(&mut self, reference: &'db Reference, env: EnvId) -> Meaning<'db> {
        let segments = reference.path.segments.as_slice();
        let Some((first, rest)) = segments.split_first() else { return Meaning::Unknown };
        if rest.is_empty() {
            if let Some(argument) = self.environment.parameter(&first.text, env) {
                return Meaning::Argument(argument);
            }
            if is_builtin(&first.text) {
                return Meaning::Builtin(&first.text);
            }
        } else if self.is_method(first, env) {
            return Meaning::Unknown;
        }
        let view = self.environment.view(env);
        match self.binding(view, &first.text) {
            Some(Binding::Module(import)) => self.member(first, rest, &import, env),
            Some(_) if !rest.is_empty() => {
                let message = format!("`{}` is not an imported file, so it has no names of its own", first.text);
                self.error("unknown-name", first.span, env, message).help =
                    Some("`import \"file\" as name` brings a file's names in as `name.x`".to_owned());
                Meaning::Unknown
            }
            _ => self.named(first, reference, view, env),
        }
    }

    /// `string.min`, `z.string().min(1)`: what stands behind the dot is a method elsewhere.
    fn is_method(&mut self, first: &Name, env: EnvId) -> bool {
        let item = self.environment.item(env).clone();
        if item_tree(self.db, &item).diagnostics.iter().any(|one| one.code == "call") {
            self.unsound = true;
            return true;
        }
        if !is_builtin(&first.text) {
            return false;
        }
        let message = format!("`{}` has no members", first.text);
        let help = match first.text.as_str() {
            name @ ("string" | "int" | "number") => format!("bounds are written `{name}<1..>`"),
            name => format!("write `{name}`"),
        };
        self.error("unknown-name", first.span, env, message).help = Some(help);
        true
    }

    pub(super) fn binding(&self, view: ViewId, name: &str) -> Option<Binding> {
        let file = self.environment.file(view);
        if file.language(self.db) != Language::Ogc {
            return None;
        }
        scope::scope(self.db, file).names.get(name).cloned()
    }

    /// A name of a file seen through an import: what the import replaces comes first.
    fn named(&mut self, name: &'db Name, reference: &'db Reference, view: ViewId, env: EnvId) -> Meaning<'db> {
        if let Some(replaced) = self.replaced(view, &name.text) {
            return Meaning::Argument(replaced);
        }
        match self.binding(view, &name.text) {
            Some(Binding::Item(item)) => {
                self.deprecation(&item, name, env);
                Meaning::Item(view, item)
            }
            Some(Binding::Imported(import, there)) => self.imported(&import, &there, None, env),
            Some(Binding::Module(import)) => self.module_alone(name, &import, env),
            None => self.unknown(name, reference, view, env),
        }
    }

    fn deprecation(&mut self, item: &ItemId, name: &Name, env: EnvId) {
        let Some(why) = &signature(self.db, item).deprecated else { return };
        let reason = if why.is_empty() { String::new() } else { format!(": {why}") };
        self.warning("deprecated", name.span, env, format!("`{}` is deprecated{reason}", name.text));
    }

    /// `module.name`
    fn member(&mut self, module: &Name, rest: &'db [Name], import: &ItemId, env: EnvId) -> Meaning<'db> {
        let [name] = rest else {
            if rest.is_empty() {
                return self.module_alone(module, import, env);
            }
            self.error("unknown-name", module.span, env, "a name has at most one dot").help =
                Some(format!("name one of its definitions: `{}.x`", module.text));
            return Meaning::Unknown;
        };
        self.imported(import, &name.text, Some(name), env)
    }

    /// A whole file where a definition is wanted.
    fn module_alone(&mut self, module: &Name, import: &ItemId, env: EnvId) -> Meaning<'db> {
        let view = self.view_of(import, env);
        let names = view.map(|view| crate::hir::check::names_of(self.db, self.environment.file(view)));
        let names = names.as_deref().unwrap_or_default();
        let tools = view.is_some_and(|view| crate::pipeline::is_tool_list(self.db, self.environment.file(view)));
        if tools {
            let message = format!("`{}` is a list of tools, not a definition", module.text);
            self.error("unknown-name", module.span, env, message).help = Some(format!(
                "a call of one of them is `std.hermes<{}>` with `import \"std.tools\" as std`; the arguments of one are `{}.{}`",
                module.text,
                module.text,
                names.first().map_or("x", String::as_str)
            ));
            return Meaning::Unknown;
        }
        let help = match names.iter().find(|name| *name == "root").or(names.first()) {
            Some(root) if root == "root" => format!("the whole of it is `{}.root`", module.text),
            Some(first) => format!("name one of its definitions, as in `{}.{first}`", module.text),
            None => format!("name one of its definitions: `{}.x`", module.text),
        };
        let message = format!("`{}` is an imported file, not a definition", module.text);
        self.error("unknown-name", module.span, env, message).help = Some(help);
        Meaning::Unknown
    }

    /// A name that an import brings: `there` in the other file. It is reported at `name`; without one, where the import
    /// stands.
    fn imported(&mut self, import: &ItemId, there: &str, name: Option<&'db Name>, env: EnvId) -> Meaning<'db> {
        let Some(view) = self.view_of(import, env) else { return Meaning::Unknown };
        if let Some(replaced) = self.replaced(view, there) {
            return Meaning::Argument(replaced);
        }
        let file = self.environment.file(view);
        if !crate::hir::check::has_name(self.db, file, there) {
            let names = crate::hir::check::names_of(self.db, file);
            match name.filter(|_| crate::pipeline::foreign_error(self.db, file).is_none()) {
                Some(name) if self.hyphenated(name.span, env) => {}
                Some(name) => {
                    let found = crate::hir::check::not_there(self.db, file, &names, there, name.span);
                    let span = self.span(found.span, env);
                    self.found.push(Diagnostic { span, ..found });
                }
                // The import's own check says why.
                None => self.unsound = true,
            }
            return Meaning::Unknown;
        }
        if file.language(self.db) != Language::Ogc {
            return Meaning::Foreign(view, there.to_owned());
        }
        match self.binding(view, there) {
            Some(Binding::Item(item)) => Meaning::Item(view, item),
            _ => Meaning::Unknown,
        }
    }

    /// The file of an import; one that is not there or circular was reported where it stands.
    pub(super) fn view_of(&mut self, import: &ItemId, env: EnvId) -> Option<ViewId> {
        if scope::check_import(self.db, import).is_some() {
            // The import's own check says why.
            self.unsound = true;
            return None;
        }
        let file = scope::import_target(self.db, import)?;
        let written = scope::import(self.db, import)?;
        Some(self.environment.through(file, import, written.path.span, !written.overrides.is_empty(), env))
    }

    /// What the import that leads to a view replaces a definition by.
    fn replaced(&mut self, view: ViewId, name: &str) -> Option<Argument<'db>> {
        let (import, env) = self.environment.replaced_by(view)?;
        let written = scope::import(self.db, &import)?;
        let found = written.overrides.iter().find(|one| one.name.text == name)?;
        Some(Argument::Given(&found.value, env))
    }

    /// The environment inside a definition, with the arguments of a reference; `None` if they do not fit.
    pub(super) fn enter(
        &mut self,
        view: ViewId,
        item: &ItemId,
        reference: &'db Reference,
        env: EnvId,
    ) -> Option<EnvId> {
        let parameters = &signature(self.db, item).parameters;
        let mut given: Vec<Option<Argument<'db>>> = vec![None; parameters.len()];
        let mut sound = true;
        for (at, written) in reference.arguments.iter().enumerate() {
            match slot(parameters, at, written) {
                Some(slot) if given[slot].is_none() => {
                    given[slot] = Some(self.environment.argument(&written.value, env))
                }
                Some(slot) => {
                    let message = format!("`{}` is given twice", parameters[slot].0);
                    self.error("wrong-arguments", written.span, env, message).help =
                        Some("keep one of them; those in order come first".to_owned());
                    sound = false;
                }
                None => {
                    if !item_tree(self.db, item).diagnostics.iter().any(Diagnostic::is_error) {
                        self.stray_argument(item, parameters, written, env);
                    }
                    // Where its definition has errors, its parameters may be what was not understood.
                    self.unsound = true;
                    sound = false;
                }
            }
        }
        if !sound {
            return None;
        }
        let arguments = self.completed(view, item, given, reference, env)?;
        let inside = self.environment.instance(view, item, arguments);
        self.within_depth(inside, reference, env)
    }

    /// The environment of a use, unless uses nest too deep inside the arguments of uses.
    pub(super) fn within_depth(&mut self, inside: EnvId, reference: &Reference, env: EnvId) -> Option<EnvId> {
        if self.environment.depth(inside) > DEPTH {
            let (given, message) =
                (self.environment.depth(inside), "a definition uses itself with ever larger arguments");
            self.error(
                "generic-recursion",
                reference.path.span,
                env,
                format!("{message}: {given} deep; the limit is {DEPTH}"),
            )
            .help = Some("pass the parameter on as it is, or write the recursive part without parameters".to_owned());
            return None;
        }
        Some(inside)
    }

    /// All parameters with their arguments or defaults.
    pub(super) fn completed(
        &mut self,
        view: ViewId,
        item: &ItemId,
        given: Vec<Option<Argument<'db>>>,
        reference: &Reference,
        env: EnvId,
    ) -> Option<Arguments<'db>> {
        let Some(definition) = definition(&item_tree(self.db, item).item) else { return Some(Arguments::default()) };
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
                    self.error("wrong-arguments", reference.path.span, env, message).help =
                        Some(format!("write `{}<{}>`", item.key.name, shown.join(", ")));
                    return None;
                }
            };
            arguments.0.push((&parameter.name.text, argument));
        }
        Some(arguments)
    }

    fn stray_argument(&mut self, item: &ItemId, parameters: &[(String, bool)], written: &Written, env: EnvId) {
        let name = &item.key.name;
        let (message, help) = match &written.name {
            Some(given) => {
                let known = nearest(&given.text, parameters.iter().map(|(name, _)| name.as_str()));
                let help = match known {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => format!("it has {}", shown(parameters)),
                };
                (format!("`{name}` has no parameter `{}`", given.text), help)
            }
            None if parameters.is_empty() => (format!("`{name}` has no parameters"), format!("write `{name}`")),
            None => (
                format!("`{name}` takes no more than {} argument{}", parameters.len(), plural(parameters.len())),
                format!("its parameters are {}", shown(parameters)),
            ),
        };
        self.error("wrong-arguments", written.span, env, message).help = Some(help);
    }

    /// A reference to something without parameters has no arguments.
    pub(super) fn no_arguments(&mut self, reference: &Reference, what: &str, env: EnvId) {
        if let Some(first) = reference.arguments.first() {
            self.error("wrong-arguments", first.span, env, format!("{what} takes no arguments")).help =
                Some("leave them out, or define a type or rule with parameters".to_owned());
        }
    }
}

/// The parameter that an argument is for: by name, else by place.
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
