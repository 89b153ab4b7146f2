//! Collects the names of one item from its tree.

use always_assert::never;
use ogc_grammar::Span;
use ogc_grammar::ogc::ast::{
    Argument, Attribute, Bound, BoundKind, Definition, Expr, ExprKind, Import, Imported, Item, ItemKind, Member,
    MemberKind, Name, Path, Range, Reference, Repetition,
};

use super::{Occurrence, Symbol};
use crate::db::{Db, Language, SourceFile};
use crate::hir::attribute::AttributeKind;
use crate::hir::builtin::Builtin;
use crate::hir::items::{ItemId, item_tree, signature};
use crate::hir::resolve::{Resolution, Target, resolution};
use crate::hir::scope::{import_target, is_whole_list, item_named};
use crate::hir::setting::Setting;

/// Returns the names of an item, in order of place.
pub(super) fn names_in(db: &dyn Db, item: &ItemId) -> Vec<Occurrence> {
    let tree = &item_tree(db, item).item;
    let mut collector = Collector { db, item, resolution: resolution(db, item), found: Vec::new() };
    collector.item(tree);
    let mut found = collector.found;
    found.sort_by_key(|name| name.span);
    found
}

struct Collector<'db> {
    db: &'db dyn Db,
    item: &'db ItemId,
    resolution: &'db Resolution,
    found: Vec<Occurrence>,
}

impl Collector<'_> {
    fn item(&mut self, tree: &Item) {
        self.attributes(&tree.attributes);
        match &tree.kind {
            ItemKind::Type(one) | ItemKind::Rule(one) | ItemKind::Output(one) => self.definition(tree, one),
            ItemKind::Import(import) => self.import(import),
            ItemKind::Policy(policy) => policy.settings.iter().for_each(|setting| self.setting(setting)),
            _ => tree.expressions().into_iter().for_each(|expr| self.expr(expr)),
        }
    }

    fn definition(&mut self, tree: &Item, definition: &Definition) {
        self.defines(definition.name.span, Symbol::Definition(self.item.clone()));
        for parameter in &definition.parameters {
            self.defines(parameter.name.span, self.parameter(&parameter.name.text));
            parameter.default.iter().for_each(|default| self.expr(default));
        }
        self.expr(&definition.body);
        self.discriminator(tree, definition);
    }

    fn import(&mut self, import: &Import) {
        let Some(target) = import_target(self.db, self.item) else { return };
        self.uses(import.path.span, Symbol::File(target));
        match &import.imported {
            Imported::Whole(name) => self.defines(name.span, Symbol::File(target)),
            Imported::Names(names) => {
                for one in names {
                    let symbol = match is_whole_list(self.db, self.item, &one.name.text) {
                        true => Symbol::File(target),
                        false => self.definition_in(target, &one.name.text),
                    };
                    self.uses(one.name.span, symbol.clone());
                    one.alias.iter().for_each(|alias| self.defines(alias.span, symbol.clone()));
                }
            }
        }
        for one in &import.overrides {
            self.uses(one.name.span, self.definition_in(target, &one.name.text));
            self.expr(&one.value);
        }
    }

    /// Returns the definition of this name in another file.
    fn definition_in(&self, file: SourceFile, name: &str) -> Symbol {
        match file.language(self.db) {
            Language::Ogc => item_named(self.db, file, name).map_or(Symbol::Unknown, Symbol::Definition),
            _ => Symbol::Foreign { file, name: name.to_owned() },
        }
    }

    fn setting(&mut self, setting: &Argument) {
        if let Some(name) = &setting.name {
            self.uses(name.span, Setting::of(&name.text).map_or(Symbol::Unknown, Symbol::Setting));
        }
        self.expr(&setting.value);
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let kind = AttributeKind::of(&attribute.name.text);
            self.uses(attribute.name.span, kind.map_or(Symbol::Unknown, Symbol::Attribute));
            attribute.arguments.iter().for_each(|argument| self.setting(argument));
        }
    }

    /// Adds the key in `@discriminator("key")` as a use of that field, in the first branch that has it.
    fn discriminator(&mut self, tree: &Item, definition: &Definition) {
        let Some(attribute) = tree.attributes.iter().find(|one| AttributeKind::Discriminator.is(one)) else { return };
        let [Argument { value: Expr { kind: ExprKind::String(key), span }, .. }] = attribute.arguments.as_slice()
        else {
            return;
        };
        let ExprKind::Union(arms) = &definition.body.ungrouped().kind else { return };
        let field = arms.iter().find_map(|arm| self.field_of(&arm.expr, key));
        self.uses(*span, field.unwrap_or(Symbol::Unknown));
    }

    /// Returns the field `key` of a branch: of the record, or of the record definition that the branch names.
    fn field_of(&self, branch: &Expr, key: &str) -> Option<Symbol> {
        let branch = match &branch.ungrouped().kind {
            ExprKind::Attributed { item, .. } => item.ungrouped(),
            _ => branch.ungrouped(),
        };
        match &branch.kind {
            ExprKind::Record(record) => field_in(self.item, &record.members, key),
            ExprKind::Reference(reference) => match &self.resolution.get(&reference.path)?.target {
                Target::Item(item) | Target::Imported { item, .. } => {
                    match &item_tree(self.db, item).item.definition()?.body.ungrouped().kind {
                        ExprKind::Record(record) => field_in(item, &record.members, key),
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Adds the names in an expression. The parser's nesting limit bounds the recursion.
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Reference(reference) => self.reference(reference),
            ExprKind::Record(record) => record.members.iter().for_each(|member| self.member(member)),
            ExprKind::Range(range) => self.range(range),
            ExprKind::Repeat { times, .. } | ExprKind::List { times: Some(times), .. } => self.times(times),
            ExprKind::Capture { name, .. } => {
                let symbol = Symbol::Capture { item: self.item.clone(), name: name.text.clone() };
                self.defines(name.span, symbol);
            }
            // Its children are the attributes' values, which are visited with the attributes' names, and the item.
            ExprKind::Attributed { attributes, item } => {
                self.attributes(attributes);
                return self.expr(item);
            }
            _ => {}
        }
        if !matches!(expr.kind, ExprKind::Record(_) | ExprKind::Reference(_)) {
            expr.children().into_iter().for_each(|child| self.expr(child));
        }
    }

    fn member(&mut self, member: &Member) {
        self.attributes(&member.attributes);
        match &member.kind {
            MemberKind::Field(field) => {
                let (item, place) = (self.item.clone(), field.name.span);
                self.defines(place, Symbol::Field { item, place });
                self.expr(&field.value);
            }
            MemberKind::Pattern { key, value } => [key, value].into_iter().for_each(|one| self.expr(one)),
            MemberKind::Spread(base) => self.expr(base),
            MemberKind::Error | MemberKind::Open => {}
        }
    }

    fn reference(&mut self, reference: &Reference) {
        self.path(&reference.path);
        for argument in &reference.arguments {
            if let Some(name) = &argument.name {
                self.uses(name.span, self.argument(&reference.path, name));
            }
            self.expr(&argument.value);
        }
    }

    /// Adds the names of a path: the last segment names the target, a segment before the dot names a file.
    fn path(&mut self, path: &Path) {
        let Some(resolved) = self.resolution.get(path) else {
            never!("the path at {:?} is not resolved", path.span);
            return;
        };
        let symbol = match &resolved.target {
            Target::Parameter(name) => self.parameter(name),
            Target::Builtin(builtin) => Symbol::Builtin(builtin),
            Target::Item(item) | Target::Imported { item, .. } => Symbol::Definition(item.clone()),
            Target::Foreign { file, name, .. } => Symbol::Foreign { file: *file, name: name.clone() },
            Target::WholeFile(import) => self.file(import),
            Target::Unknown => Symbol::Unknown,
        };
        if let ([module, _], Target::Imported { import, .. } | Target::Foreign { import, .. }) =
            (path.segments.as_slice(), &resolved.target)
        {
            self.uses(module.span, self.file(import));
        }
        if let Some(last) = path.segments.last() {
            self.uses(last.span, symbol);
        }
    }

    /// Returns the parameter that a named argument sets.
    fn argument(&self, path: &Path, name: &Name) -> Symbol {
        let Some(resolved) = self.resolution.get(path) else {
            never!("the path at {:?} is not resolved", path.span);
            return Symbol::Unknown;
        };
        match &resolved.target {
            Target::Item(item) | Target::Imported { item, .. } => {
                let known = signature(self.db, item).parameters.iter().any(|(parameter, _)| *parameter == name.text);
                let parameter = || Symbol::Parameter { item: item.clone(), name: name.text.clone() };
                if known { parameter() } else { Symbol::Unknown }
            }
            Target::Builtin(builtin) => of_builtin(builtin, &name.text),
            Target::Parameter(_) | Target::Foreign { .. } | Target::WholeFile(_) | Target::Unknown => Symbol::Unknown,
        }
    }

    fn times(&mut self, times: &Repetition) {
        match times {
            Repetition::Exactly(bound) => self.bound(bound),
            Repetition::Between(range) => self.range(range),
            Repetition::Optional | Repetition::Star | Repetition::Plus => {}
        }
    }

    fn range(&mut self, range: &Range) {
        [&range.min, &range.max].into_iter().flatten().for_each(|bound| self.bound(bound));
    }

    fn bound(&mut self, bound: &Bound) {
        if let BoundKind::Name(name) = &bound.kind {
            let own = item_tree(self.db, self.item).item.definition();
            let known = own.is_some_and(|own| own.parameters.iter().any(|one| one.name.text == *name));
            self.uses(bound.span, if known { self.parameter(name) } else { Symbol::Unknown });
        }
    }

    fn parameter(&self, name: &str) -> Symbol {
        Symbol::Parameter { item: self.item.clone(), name: name.to_owned() }
    }

    fn file(&self, import: &ItemId) -> Symbol {
        import_target(self.db, import).map_or(Symbol::Unknown, Symbol::File)
    }

    fn defines(&mut self, span: Span, symbol: Symbol) {
        self.found.push(Occurrence { span, symbol, is_definition: true });
    }

    fn uses(&mut self, span: Span, symbol: Symbol) {
        self.found.push(Occurrence { span, symbol, is_definition: false });
    }
}

/// Returns the field of this name among members.
fn field_in(item: &ItemId, members: &[Member], key: &str) -> Option<Symbol> {
    members.iter().find_map(|member| match &member.kind {
        MemberKind::Field(field) if field.name.text == key => {
            Some(Symbol::Field { item: item.clone(), place: field.name.span })
        }
        _ => None,
    })
}

/// Returns the parameter of a built-in name, or the policy if the built-in takes policies.
fn of_builtin(builtin: &'static Builtin, name: &str) -> Symbol {
    let parameter = builtin.parameters.iter().find(|parameter| parameter.name == Some(name));
    match parameter {
        Some(parameter) => Symbol::BuiltinParameter(builtin, parameter),
        None if builtin.takes_policies() => Setting::of(name).map_or(Symbol::Unknown, Symbol::Setting),
        None => Symbol::Unknown,
    }
}
