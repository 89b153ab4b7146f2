//! Reads keywords: dispatches each to its function, and reports those that constrain nothing.

mod applicators;
mod arrays;
mod family;
mod general;
mod numbers;
mod objects;
mod openapi;
mod operands;
mod references;
mod strings;
mod unknown;

use super::by_name::{Draft, is_constraint, is_old};
use super::reader::{Read, Reader, ReferenceKind};
use super::report::FateKind;
use super::site::Site;
use ogc_grammar::json::Member;
use ogc_grammar::{Code, Diagnostic};
use ogc_schema::keyword::{Keyword, Operand};
use ogc_schema::source::Keywords;

impl<'a> Reader<'a> {
    /// Reads a member of a schema into `out`, as the keyword of its name.
    pub(super) fn keyword(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let key = member.key.value.as_str();
        let Some(keyword) = Keyword::of_name(key) else {
            return Err(if is_old(key) { self.foreign(site, member, None) } else { self.unknown(site, member) });
        };
        if !keyword.life().has(site.draft()) {
            return Err(self.foreign(site, member, keyword.life().first()));
        }
        if !site.scope.dialect.assertions && keyword.is_assertion() {
            return Err(FateKind::Annotation);
        }
        if self.options.adjustments.annotate.has(keyword) {
            return Err(self.weakened(site, member));
        }
        self.known(keyword, site, member, out)?;
        self.misplaced(keyword, site, member)
    }

    /// Reads a keyword that the draft knows.
    fn known(&mut self, keyword: Keyword, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        match keyword {
            Keyword::Type => self.read_type(site, member, out),
            Keyword::Enum => self.read_enum(site, member, out),
            Keyword::Const => self.read_const(site, member, out),

            Keyword::Ref => self.read_reference(ReferenceKind::Static, site, member, out),
            Keyword::DynamicRef => self.read_reference(ReferenceKind::Dynamic, site, member, out),
            Keyword::RecursiveRef => self.read_reference(ReferenceKind::Recursive, site, member, out),

            Keyword::AllOf => self.all_of(site, member, out),
            Keyword::AnyOf => self.alternatives(site, member, &mut out.any_of),
            Keyword::OneOf => self.alternatives(site, member, &mut out.one_of),
            Keyword::Not => self.set_schema(site, member, &mut out.not),
            Keyword::If => self.conditional(site, member, out),
            Keyword::Then | Keyword::Else => self.branch(site, member),

            Keyword::MinLength => self.set_count(site, member, &mut out.string.min_length),
            Keyword::MaxLength => self.set_count(site, member, &mut out.string.max_length),
            Keyword::Pattern => self.pattern(site, member, &mut out.string),
            Keyword::Format => self.format(site, member, out),
            Keyword::ContentEncoding => self.content_encoding(site, member, &mut out.string),
            Keyword::ContentMediaType => self.content_media_type(site, member),

            Keyword::Minimum => self.minimum(site, member, &mut out.number),
            Keyword::Maximum => self.maximum(site, member, &mut out.number),
            Keyword::ExclusiveMinimum => self.exclusive(site, member, "minimum", &mut out.number.exclusive_minimum),
            Keyword::ExclusiveMaximum => self.exclusive(site, member, "maximum", &mut out.number.exclusive_maximum),
            Keyword::MultipleOf => self.multiple_of(site, member, &mut out.number),

            Keyword::Items => self.items(site, member, &mut out.array),
            Keyword::PrefixItems => self.prefix_items(site, member, &mut out.array),
            Keyword::AdditionalItems => self.additional_items(site, member, &mut out.array),
            Keyword::UnevaluatedItems => self.unevaluated_items(site, member),
            Keyword::MinItems => self.set_count(site, member, &mut out.array.min_items),
            Keyword::MaxItems => self.set_count(site, member, &mut out.array.max_items),
            Keyword::UniqueItems => self.unique_items(site, member, &mut out.array),
            Keyword::Contains => self.contains(site, member, &mut out.array),
            Keyword::MinContains => self.contains_count(site, member, &mut out.array.min_contains),
            Keyword::MaxContains => self.contains_count(site, member, &mut out.array.max_contains),

            Keyword::Properties => self.properties(site, member, &mut out.object),
            Keyword::PatternProperties => self.pattern_properties(site, member, &mut out.object),
            Keyword::AdditionalProperties => self.set_schema(site, member, &mut out.object.additional_properties),
            Keyword::UnevaluatedProperties => self.unevaluated_properties(site, member),
            Keyword::PropertyNames => self.set_schema(site, member, &mut out.object.property_names),
            Keyword::Required => self.required(site, member, &mut out.object),
            Keyword::MinProperties => self.set_count(site, member, &mut out.object.min_properties),
            Keyword::MaxProperties => self.set_count(site, member, &mut out.object.max_properties),
            Keyword::Dependencies => self.dependencies(site, member, &mut out.object),
            Keyword::DependentRequired => self.dependent_required(site, member, &mut out.object),
            Keyword::DependentSchemas => self.dependent_schemas(site, member, &mut out.object),

            Keyword::Schema => self.read_schema_keyword(site, member),
            Keyword::Id | Keyword::Anchor | Keyword::DynamicAnchor => self.read_name(site, member),
            Keyword::LegacyId => read_legacy_name(member),
            Keyword::Defs => self.read_defs(site, member),
            Keyword::Definitions => self.read_definitions(site, member),

            Keyword::Title
            | Keyword::Description
            | Keyword::Examples
            | Keyword::Deprecated
            | Keyword::ReadOnly
            | Keyword::WriteOnly
            | Keyword::Comment => Err(self.annotation(keyword, site, member)),

            Keyword::Default | Keyword::Vocabulary | Keyword::RecursiveAnchor | Keyword::ContentSchema => {
                Err(FateKind::Annotation)
            }
        }
    }

    /// Reads an annotation, which is ignored if it is of the wrong type; `null` is no annotation.
    fn annotation(&mut self, keyword: Keyword, site: &Site<'a>, member: &Member) -> FateKind {
        let value = &member.value;
        let (is_right, wanted) = match keyword.operand() {
            Operand::Bool => (value.as_bool().is_some(), "true or false"),
            Operand::Values => (value.as_array().is_some(), "an array"),
            _ => (value.as_str().is_some(), "a string"),
        };
        if is_right || value.is_null() {
            return FateKind::Annotation;
        }
        let key = &member.key.value;
        let message = format!("`{key}` takes {wanted}, and this is of type {}: it is ignored", value.type_name());
        let span = self.span(site.scope, value.span);
        let help = format!("write {wanted}, or remove `{key}`");
        self.refuse(Diagnostic::warning(Code::KeywordValue, span, message).help(help))
    }

    /// Reports that a keyword constrains nothing because the options read it as an annotation.
    fn weakened(&mut self, site: &Site<'a>, member: &Member) -> FateKind {
        let message =
            format!("`{}` is read as an annotation, as was asked: values that break it are accepted", member.key.value);
        let span = self.span(site.scope, member.key.span);
        self.refuse(Diagnostic::warning(Code::WeakenedKeyword, span, message))
    }

    fn read_definitions(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        self.object(site, member)?;
        Err(FateKind::Annotation)
    }

    /// Reads `$defs`, which drafts up to 7 call `definitions`.
    fn read_defs(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        self.object(site, member)?;
        Err(if site.draft() < Draft::Draft2019 { self.early_definitions(site, member) } else { FateKind::Annotation })
    }

    /// Reads `$defs` in a draft that calls it `definitions`.
    fn early_definitions(&mut self, site: &Site<'a>, member: &Member) -> FateKind {
        let draft = site.draft().name();
        let message = format!("`$defs` is not a keyword of {draft}; references into it are followed all the same");
        let help = "write `definitions`, or name draft 2019-09 or a later one in `$schema`";
        let span = self.span(site.scope, member.key.span);
        self.refuse(Diagnostic::warning(Code::ForeignKeyword, span, message).help(help))
    }

    /// Reports a constraining keyword that this draft does not know; `first` is the first draft that does.
    fn foreign(&mut self, site: &Site<'a>, member: &Member, first: Option<Draft>) -> FateKind {
        let key = &member.key.value;
        let draft = site.draft().name();
        let message = format!("`{key}` is not a keyword of {draft} and constrains nothing");
        let help = match (key.as_str(), first) {
            ("extends", _) => "write `allOf`".to_owned(),
            ("disallow", _) => "write `not` with `type`".to_owned(),
            ("divisibleBy", _) => "write `multipleOf`".to_owned(),
            ("$recursiveRef", _) if site.draft() == Draft::Draft2020 => "write `$dynamicRef`".to_owned(),
            (_, Some(first)) => format!("name {} or a later draft in `$schema`, or remove it", first.name()),
            (_, None) => "remove it".to_owned(),
        };
        let span = self.span(site.scope, member.key.span);
        self.refuse(Diagnostic::warning(Code::ForeignKeyword, span, message).help(help))
    }

    /// Reports a keyword beside a `$ref` that hides it.
    pub(super) fn hidden(&mut self, site: &Site<'a>, member: &Member) -> Read {
        let key = &member.key.value;
        if !is_constraint(key) {
            return Err(FateKind::Annotation);
        }
        let message = format!("`{key}` is ignored beside `$ref` by {}", site.draft().name());
        let help = "put the `$ref` into an `allOf`, or name draft 2019-09 or a later one in `$schema`";
        let span = self.span(site.scope, member.key.span);
        Err(self.refuse(Diagnostic::warning(Code::HiddenSibling, span, message).help(help)))
    }
}

/// Reads the `id` of draft 4. An `id` that is not a string names nothing, because `id` is a common key.
fn read_legacy_name(member: &Member) -> Read {
    match member.value.as_str() {
        Some(_) => Ok(()),
        None => Err(FateKind::Annotation),
    }
}
