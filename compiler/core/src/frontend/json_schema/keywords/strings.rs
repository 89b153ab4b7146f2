//! Reads keywords about strings.

use super::super::by_name::Draft;
use super::super::formats::{BASE64, Known, known, narrowed};
use super::super::options::Formats;
use super::super::reader::{Read, Reader};
use super::super::report::FateKind;
use super::super::site::Site;
use ogc_grammar::doubts::class_doubt;
use ogc_grammar::json::Member;
use ogc_grammar::nearest;
use ogc_grammar::{Code, Diagnostic, Span};
use ogc_regular::format::{practical, wide};
use ogc_regular::pattern::help_for_slashes;
use ogc_schema::source::{At, Keywords, Node, NodeId, NodeKind, StringKeywords};

impl<'a> Reader<'a> {
    pub(super) fn pattern(&mut self, site: &Site<'a>, member: &'a Member, out: &mut StringKeywords) -> Read {
        let pattern = self.text(site, member, &member.value)?.to_owned();
        self.warn_of_slashes(&pattern, self.span(site.scope, member.value.span));
        let origin = self.origin(site.scope, member.value.span);
        out.patterns.push(At { origin, value: pattern });
        Ok(())
    }

    /// Warns of a pattern between slashes, as programming languages write it: the pattern matches nothing.
    pub(super) fn warn_of_slashes(&mut self, pattern: &str, span: Span) {
        if let Some(help) = help_for_slashes(pattern) {
            self.say(Diagnostic::warning(Code::EmptyPattern, span, "no text matches this pattern").help(help));
        } else if let Some(doubt) = class_doubt(pattern) {
            self.say(doubt.finding(span));
        }
    }

    pub(super) fn format(&mut self, site: &Site<'a>, member: &'a Member, out: &mut Keywords) -> Read {
        let name = self.text(site, member, &member.value)?;
        if self.options.formats == Formats::Annotate {
            return Err(FateKind::Annotation);
        }
        let draft = if self.options.formats == Formats::All { Draft::Draft2020 } else { site.draft() };
        match known(name, draft) {
            Known::Enforced => {}
            // The user asked for the practical form, so its omissions need no finding.
            Known::Narrowed(_) if self.options.formats == Formats::Practical && practical(name).is_some() => {}
            Known::Narrowed(_)
                if self.options.formats == Formats::Wide
                    && let Some(wide) = wide(name) =>
            {
                let around = self.wide_format(site, member, wide);
                out.all_of.push(around);
                return Ok(());
            }
            Known::Narrowed(left_out) => {
                let span = self.span(site.scope, member.value.span);
                self.say(narrowed(name, left_out, span));
            }
            Known::Since(first) => {
                let (here, first) = (draft.name(), first.name());
                let message = format!("the format {name:?} is of {first} and later, and constrains nothing in {here}");
                let help = "name a newer draft in `$schema`, compile with `--formats all`, or write a `pattern`";
                return Err(self.unknown_format(site, member, message, help));
            }
            Known::Not => {
                let message = format!("the format {name:?} is not defined by the standard and constrains nothing");
                let near = match name {
                    // The name of draft 3, which is not supported.
                    "ip-address" => Some("ipv4"),
                    _ => nearest(&name.replace('_', "-"), ogc_regular::format::names()),
                };
                let help = match near {
                    _ if let Some(help) = of_openapi(name) => help.to_owned(),
                    Some(near) => format!("did you mean {near:?}?"),
                    None => "write a `pattern` instead, or remove it".to_owned(),
                };
                return Err(self.unknown_format(site, member, message, &help));
            }
        }
        out.string.formats.push(self.at(site, member, name.to_owned()));
        let form = practical(name).filter(|_| self.options.formats == Formats::Practical);
        out.string.patterns.extend(form.map(|form| self.at(site, member, form.pattern.clone())));
        Ok(())
    }

    /// Makes a schema of the wide form of a format: a pattern and a maximum length.
    fn wide_format(&mut self, site: &Site<'a>, member: &'a Member, (pattern, most): (String, Option<u32>)) -> NodeId {
        let mut keywords = Keywords::default();
        keywords.string.patterns.push(self.at(site, member, pattern));
        keywords.string.max_length = most.map(|most| self.at(site, member, u64::from(most)));
        let origin = self.origin(site.scope, member.value.span);
        self.graph.add(Node { origin, kind: NodeKind::Keywords(Box::new(keywords)) })
    }

    /// Returns whether the content keywords may constrain: in drafts 6 and 7 they may; in other drafts they are
    /// annotations.
    fn asserts_content(&self, site: &Site<'a>) -> bool {
        matches!(site.draft(), Draft::Draft6 | Draft::Draft7) && self.options.formats != Formats::Annotate
    }

    pub(super) fn content_encoding(&mut self, site: &Site<'a>, member: &'a Member, out: &mut StringKeywords) -> Read {
        match member.value.as_str().filter(|_| self.asserts_content(site)) {
            Some("base64") => {
                out.patterns.push(self.at(site, member, BASE64.to_owned()));
                Ok(())
            }
            Some(other @ ("base64url" | "base32" | "base32hex" | "base16")) => {
                Err(self.irregular(site, member, &format!("the encoding {other:?}")))
            }
            _ => Err(FateKind::Annotation),
        }
    }

    pub(super) fn content_media_type(&mut self, site: &Site<'a>, member: &'a Member) -> Read {
        match member.value.as_str().filter(|_| self.asserts_content(site)) {
            Some(other @ "application/json") => Err(self.irregular(site, member, &format!("the media type {other:?}"))),
            _ => Err(FateKind::Annotation),
        }
    }

    fn unknown_format(&mut self, site: &Site<'a>, member: &Member, message: String, help: &str) -> FateKind {
        let span = self.span(site.scope, member.value.span);
        self.refuse(Diagnostic::warning(Code::UnknownFormat, span, message).help(help))
    }

    /// Warns of a keyword that validators of drafts 6 and 7 may check, and that is an annotation here.
    fn irregular(&mut self, site: &Site<'a>, member: &Member, what: &str) -> FateKind {
        let span = self.span(site.scope, member.value.span);
        let message = format!("{what} constrains nothing, as in later drafts");
        let help = "write a `pattern` for strings that have it, or remove it";
        self.refuse(Diagnostic::warning(Code::IrregularContent, span, message).help(help))
    }
}

/// Returns the help for a format of OpenAPI that JSON Schema does not have.
fn of_openapi(name: &str) -> Option<&'static str> {
    match name {
        "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => {
            Some("it is of OpenAPI: write the range with `minimum` and `maximum`, or remove it")
        }
        "float" | "double" | "decimal" | "password" | "binary" => {
            Some("it is of OpenAPI, and only describes: remove it")
        }
        "byte" => Some("it is of OpenAPI: write `contentEncoding`, or a `pattern` of Base64"),
        _ => None,
    }
}
