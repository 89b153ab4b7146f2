//! Reads keywords about numbers.

use super::super::by_name::Draft;
use super::super::reader::{Read, Reader};
use super::super::scope::OpenApi;
use super::super::site::Site;
use ogc_grammar::json::{JsonValue, Member};
use ogc_grammar::{Code, Diagnostic};
use ogc_regular::number::Decimal;
use ogc_schema::source::{At, NumberKeywords};

impl<'a> Reader<'a> {
    pub(super) fn minimum(&mut self, site: &Site<'a>, member: &'a Member, out: &mut NumberKeywords) -> Read {
        let is_exclusive = is_exclusive(site, "exclusiveMinimum");
        *(if is_exclusive { &mut out.exclusive_minimum } else { &mut out.minimum }) = Some(self.number(site, member)?);
        Ok(())
    }

    pub(super) fn maximum(&mut self, site: &Site<'a>, member: &'a Member, out: &mut NumberKeywords) -> Read {
        let is_exclusive = is_exclusive(site, "exclusiveMaximum");
        *(if is_exclusive { &mut out.exclusive_maximum } else { &mut out.maximum }) = Some(self.number(site, member)?);
        Ok(())
    }

    /// Reads an exclusive bound; in its boolean form it makes another keyword, `bound`, exclusive.
    pub(super) fn exclusive(
        &mut self,
        site: &Site<'a>,
        member: &'a Member,
        bound: &str,
        out: &mut Option<At<Decimal>>,
    ) -> Read {
        if member.value.as_bool().is_some() {
            return self.boolean_bound(site, member, bound);
        }
        if site.draft() == Draft::Draft4 {
            let key = member.key.value.as_str();
            let message = format!("a number in `{key}` is of draft 6 and later; it is read as they mean it");
            let span = self.span(site.scope, member.value.span);
            let help = "name draft 6 or a later one in `$schema`, or write `true` beside a `minimum` or `maximum`";
            self.say(Diagnostic::warning(Code::NumericBound, span, message).help(help));
        }
        *out = Some(self.number(site, member)?);
        Ok(())
    }

    /// Reads the boolean form of a bound, which belongs to draft 4; in other drafts it is read as in draft 4.
    fn boolean_bound(&mut self, site: &Site<'a>, member: &'a Member, bound: &str) -> Read {
        let span = self.span(site.scope, member.key.span.merge(member.value.span));
        let key = member.key.value.as_str();
        if site.get(bound).is_none() {
            let message = format!("`{key}` without `{bound}` constrains nothing");
            let finding = Diagnostic::warning(Code::ExclusiveWithoutBound, span, message);
            return Err(self.refuse(finding.help(format!("add `{bound}`"))));
        }
        let is_early = matches!(site.scope.dialect.openapi, Some(OpenApi::Early { .. }));
        if site.draft() == Draft::Draft4 || is_early {
            return Ok(());
        }
        let message = format!("a boolean `{key}` is of draft 4; it is read as draft 4 means it");
        let help = format!("write the bound itself: `{key}` takes a number in {}", site.draft().name());
        Err(self.refuse(Diagnostic::warning(Code::BooleanBound, span, message).help(help)))
    }

    pub(super) fn multiple_of(&mut self, site: &Site<'a>, member: &'a Member, out: &mut NumberKeywords) -> Read {
        let step = self.number(site, member)?;
        if step.value.is_negative() || step.value.is_zero() {
            let message = "`multipleOf` takes a number above zero";
            return Err(self.invalid(site, &member.value, message, "write a number above zero, or remove it"));
        }
        out.multiple_of = Some(step);
        Ok(())
    }
}

fn is_exclusive(site: &Site<'_>, keyword: &str) -> bool {
    site.get(keyword).and_then(JsonValue::as_bool) == Some(true)
}
