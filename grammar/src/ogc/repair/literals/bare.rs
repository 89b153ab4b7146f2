//! Reports regexes without slashes: one finding for all such regexes of an item.

use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::notation::bare::slashed;
use crate::ogc::repair::ItemLexemes;
use crate::ogc::token::TokenKind;

/// Maximum number of further places that the finding shows.
const LABELS: usize = 4;

pub(super) fn report(item: &mut ItemLexemes<'_>) {
    let bare: Vec<_> = item.lexemes.iter().copied().filter(|one| one.kind == TokenKind::BareRegex).collect();
    let Some((first, further)) = bare.split_first() else { return };
    let span = item.place(first);
    let written = slashed(first.text);
    let what = if first.text.starts_with('[') { "a class of characters" } else { "a regex" };
    let found = Diagnostic::error(Code::MissingSlashes, span, format!("{what} stands between slashes"));
    let found = found.help(format!("write `{written}`"));
    let fix = Fix::new(format!("write `{written}`"), span, written);
    let fix = further.iter().fold(fix, |fix, one| fix.and(item.place(one), slashed(one.text)));
    let labels = further.iter().take(LABELS).map(|one| item.place(one));
    let found = labels.fold(found, |found, place| found.label(place, "here, too"));
    item.report(found.fix(fix));
}
