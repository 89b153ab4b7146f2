//! Resolves references: `$ref`, `$dynamicRef`, `$recursiveRef`.

use super::resources::Resources;
use super::scope::{Binding, DynamicId, ResourceId, Scope, ScopedSchema};
use super::uri;
use always_assert::never;
use ogc_grammar::Span;
use std::borrow::Cow;

/// The reason why a reference cannot be resolved.
#[derive(Debug)]
pub(super) enum Unresolved {
    /// No resource has this URI.
    Remote(String),
    /// The remote schema at this URI cannot be read.
    Broken(String, String),
    /// The pointer leads nowhere.
    Pointer(String),
    /// No anchor has this name.
    Anchor(String),
    /// The fragment is not percent-encoded UTF-8.
    Escape,
}

/// A schema to which a reference was resolved.
#[derive(Debug)]
pub(super) struct Resolved<'a> {
    pub(super) place: ScopedSchema<'a>,
    /// Name of the dynamic anchor, if a dynamic reference may bind to another declaration of it.
    dynamic_name: Option<String>,
    /// Whether the pointer leads nowhere in its own resource, so that it was followed from the document's root.
    pub(super) is_lenient: bool,
}

impl<'a> Resources<'a> {
    /// Resolves `reference` at `from`; `span` is its place in the text.
    pub(super) fn resolve(&mut self, reference: &str, from: Scope, span: Span) -> Result<Resolved<'a>, Unresolved> {
        let (location, fragment) = uri::split_fragment(reference);
        let resource = if location.is_empty() { from.resource } else { self.locate(location, from)? };
        let start = self.root_of(resource, from, span).ok_or_else(|| Unresolved::Remote(location.to_owned()))?;
        let fragment: Cow<'_, str> = match fragment.contains('%') {
            true => uri::percent_decode(fragment).ok_or(Unresolved::Escape)?.into(),
            false => fragment.into(),
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            let mut resolved = self.by_pointer(start, &fragment, span)?;
            resolved.place.scope.dynamic = self.dynamic_at(resolved.place, from);
            return Ok(resolved);
        }
        let anchor = self.anchor(resource, &fragment).ok_or_else(|| Unresolved::Anchor(fragment.to_string()))?;
        let scope = Scope { dialect: anchor.dialect, ..start.scope };
        let place = ScopedSchema { value: anchor.value, scope };
        let dynamic_name = anchor.is_dynamic.then(|| fragment.into_owned());
        Ok(Resolved { place, dynamic_name, is_lenient: false })
    }

    /// Resolves `$dynamicRef`.
    pub(super) fn resolve_dynamic(&mut self, text: &str, from: Scope, span: Span) -> Result<Resolved<'a>, Unresolved> {
        let mut resolved = self.resolve(text, from, span)?;
        let bound = resolved.dynamic_name.as_ref().and_then(|name| self.dynamic.get(from.dynamic, name));
        if let Some(binding) = bound {
            resolved.place = self.bound(binding, from, span);
        }
        Ok(resolved)
    }

    /// Resolves `$recursiveRef`, whose value is always `#`.
    pub(super) fn resolve_recursive(&mut self, from: Scope, span: Span) -> Result<Resolved<'a>, Unresolved> {
        let mut resolved = self.resolve("#", from, span)?;
        let is_recursive = resolved.place.value.get("$recursiveAnchor").and_then(|v| v.as_bool()) == Some(true);
        if let Some(binding) = self.dynamic.get(from.dynamic, "").filter(|_| is_recursive) {
            resolved.place = self.bound(binding, from, span);
        }
        Ok(resolved)
    }

    /// Returns the dynamic scope at the end of a pointer. Resources that the pointer only passes through are not
    /// evaluated, so they add nothing.
    fn dynamic_at(&mut self, place: ScopedSchema<'a>, from: Scope) -> DynamicId {
        let resource = self.inside(place).scope.resource;
        if resource == from.resource { from.dynamic } else { self.bind(resource, from.dynamic) }
    }

    fn bound(&mut self, binding: Binding<'a>, from: Scope, span: Span) -> ScopedSchema<'a> {
        let via = self.via(binding.resource, from, span);
        let dynamic = self.bind(binding.resource, from.dynamic);
        let scope = Scope { dialect: binding.dialect, resource: binding.resource, dynamic, via };
        ScopedSchema { value: binding.value, scope }
    }

    fn locate(&mut self, location: &str, from: Scope) -> Result<ResourceId, Unresolved> {
        let Some(base) = self.get(from.resource) else {
            never!("{:?} is no resource", from.resource);
            return Err(Unresolved::Remote(location.to_owned()));
        };
        let target = uri::resolve(&base.uri, location);
        match self.find(&target, from.resource) {
            Ok(found) => found.ok_or(Unresolved::Remote(target)),
            Err(why) => Err(Unresolved::Broken(target, why)),
        }
    }

    fn root_of(&mut self, resource: ResourceId, from: Scope, span: Span) -> Option<ScopedSchema<'a>> {
        let (value, dialect) = self.get(resource).map(|r| (r.root, r.dialect))?;
        if resource == from.resource {
            return Some(ScopedSchema { value, scope: Scope { dialect, ..from } });
        }
        let via = self.via(resource, from, span);
        let dynamic = self.bind(resource, from.dynamic);
        Some(ScopedSchema { value, scope: Scope { dialect, resource, dynamic, via } })
    }

    /// Returns the span that stands for all places in `resource`; `None` if the resource lies in the text itself.
    fn via(&self, resource: ResourceId, from: Scope, span: Span) -> Option<Span> {
        let is_remote = self.get(resource).is_some_and(|r| r.document.0 > 0);
        is_remote.then(|| from.via.unwrap_or(span))
    }

    fn by_pointer(&mut self, start: ScopedSchema<'a>, pointer: &str, span: Span) -> Result<Resolved<'a>, Unresolved> {
        if let Some(place) = self.follow(start, pointer) {
            return Ok(Resolved { place, dynamic_name: None, is_lenient: false });
        }
        let missing = || Unresolved::Pointer(pointer.to_owned());
        let root = self.document_root(start.scope.resource).ok_or_else(missing)?;
        let start = self.root_of(root, start.scope, span).ok_or_else(missing)?;
        let place = self.follow(start, pointer).ok_or_else(missing)?;
        Ok(Resolved { place, dynamic_name: None, is_lenient: true })
    }
}
