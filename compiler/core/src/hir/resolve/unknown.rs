//! Reports unknown names with their probable meaning: types of other languages, typos, names with hyphens.

use std::iter;
use std::sync::Arc;

use ogc_grammar::fix::apply;
use ogc_grammar::looks::{look_alike, stranger};
use ogc_grammar::ogc::ast::{Argument, Expr, ExprKind, Name, Reference};
use ogc_grammar::span::part;
use ogc_grammar::{Code, Diagnostic, Fix, LineIndex, Span, nearest};

use super::{Resolved, Resolver};
use crate::hir::builtin::{BUILTINS, Builtin};
use crate::hir::importable::{has_name, names_of, near};
use crate::hir::items::{Keyword, item_text, item_tree};
use crate::hir::native::{Generic, Native, native, separates};
use crate::hir::scope::{self, Binding};

impl Resolver<'_> {
    /// Reports a name that is defined nowhere.
    pub(super) fn unknown(&mut self, name: &Name, reference: &Reference) -> Resolved {
        if scope::is_broken(self.db, self.item.file, &name.text) {
            // The error is reported at the name's definition or import.
            return Resolved::reported_elsewhere();
        }
        if self.is_meant_by_an_import(&name.text) {
            return Resolved::reported_elsewhere();
        }
        if let Some(hyphenated) = self.hyphenated(name.span) {
            return hyphenated;
        }
        let native = native(&name.text);
        if native.is_none() && (self.is_confused(name.span) || self.follows_a_separator(name.span)) {
            return Resolved::reported_elsewhere();
        }
        let native = native.or_else(|| respelled(&name.text).map(Native::Same));
        let fix = native.and_then(|native| self.native_fix(native, name, reference));
        let fix = fix.or_else(|| self.separator_fix(name));
        let near = self.near(&name.text);
        if let Some(near) = near.as_ref().filter(|near| look_alike(&name.text, near)) {
            return Resolved::wrong(looks_like(name, near));
        }
        let guess = match (native, &near) {
            (Some(_), _) => None,
            (None, Some(near)) => Some(Fix::instead(name.span, near)),
            (None, None) if self.touches_quote(name.span) || !reference.arguments.is_empty() => None,
            (None, None) => Some(Fix::instead(name.span, format!("\"{}\"", name.text))),
        };
        let help = match native {
            Some(native) => match fix.as_ref().filter(|_| matches!(native, Native::Of(_))) {
                Some(fix) => format!("that is {}; {}", native.shown(), fix.label),
                None => format!("that is {}", native.shown()),
            },
            None => self.way_out(name, near.as_deref()),
        };
        // All that the correction replaces: `sep by`, `Option<Box<T>>`.
        let inner = reference.arguments.iter().any(|one| self.replaces(&one.value));
        let replaced = fix.as_ref().filter(|_| inner || matches!(native, Some(Native::Like(_))));
        let edits = replaced.map(|fix| fix.edits.as_slice()).unwrap_or_default();
        let whole = edits.iter().fold(name.span, |whole, (span, _)| whole.merge(*span));
        let found = Diagnostic::error(Code::UnknownName, whole, format!("`{}` is not defined", name.text));
        let arguments_are_types = matches!(native, Some(Native::Of(_)));
        Resolved { arguments_are_types, ..Resolved::wrong(found.help(help).fix(fix).guess(guess)) }
    }

    /// Returns the way out for an unknown name that no other language has; `near` is a known name like it.
    fn way_out(&self, name: &Name, near: Option<&str>) -> String {
        let text = &name.text;
        if self.is_in_split_string(name.span) {
            return "a quote inside of a text ends it: write `\\\"` for the character, or put the text into quotes of the other kind"
                .to_owned();
        }
        if self.touches_quote(name.span) {
            return "a string has neither prefixes nor flags; a regex that ignores case is `/(?i)abc/`".to_owned();
        }
        if let Some(near) = near {
            return format!("did you mean `{near}`?");
        }
        if self.is_behind_minus(name.span) {
            return format!(
                "define it with `type {text} = ...`, or import it; a record without the field `{text}` is `omit<T, \"{text}\">`"
            );
        }
        let rule = if self.item.key.kind == Keyword::Type { String::new() } else { format!(" or `rule {text} = ...`") };
        format!("define it with `type {text} = ...`{rule}, or import it; the word itself is `\"{text}\"`")
    }

    /// Returns whether an import requests a missing name from its file that is similar to this name; the finding at the
    /// import covers both.
    fn is_meant_by_an_import(&self, name: &str) -> bool {
        scope::scope(self.db, self.item.file).names.values().any(|binding| {
            let Binding::Imported(import, there) = binding else { return false };
            let Some(target) = scope::import_target(self.db, import) else { return false };
            let is_lost = there != name && !has_name(self.db, target, there);
            is_lost && near(&names_of(self.db, target), there) == Some(name)
        })
    }

    /// Returns whether a name in a type comes after `-`.
    fn is_behind_minus(&self, span: Span) -> bool {
        let text = self.text();
        let before = part(&text, ..span.start as usize);
        self.item.key.kind == Keyword::Type && before.trim_end().ends_with('-')
    }

    /// Returns the known name nearest to an unknown one; only for the first [`super::SUGGESTIONS`] unknown names.
    fn near(&mut self, name: &str) -> Option<String> {
        self.compared += 1;
        if self.compared > super::SUGGESTIONS {
            return None;
        }
        let own = scope::scope(self.db, self.item.file).names.keys().map(String::as_str);
        let known = own.chain(self.parameters.iter().copied()).chain(BUILTINS.iter().map(|one| one.name));
        nearest(name, known).map(str::to_owned)
    }

    /// Returns whether the parser failed on the line of this place, so that a word on it may be no name at all.
    fn is_confused(&self, span: Span) -> bool {
        let lines = LineIndex::new(&self.text());
        let line = |at: u32| lines.place(at).line;
        let here = line(span.start);
        item_tree(self.db, self.item).diagnostics.iter().any(|one| {
            let behind = matches!(one.code, Code::UnclosedString | Code::UnclosedRegex) && one.span.start < span.start;
            confuses(one.code) && (behind || line(one.span.start) == here)
        })
    }

    /// Returns the text of the item.
    fn text(&self) -> Arc<str> {
        item_text(self.db, self.item.file, Arc::clone(&self.item.key))
    }

    /// Returns whether the text at a place is the name of a type in another language, such as `date-time`.
    pub(crate) fn is_native(&self, span: Span) -> bool {
        native(span.text(&self.text())).is_some()
    }

    /// Returns whether the name touches the end of a string while another string follows on its line: `"say "hi" now"`.
    fn is_in_split_string(&self, span: Span) -> bool {
        let text = self.text();
        let before = part(&text, ..span.start as usize);
        let line = text.get(span.end as usize..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == ' ';
        let behind = line.trim_start_matches(word);
        ['"', '\''].into_iter().any(|quote| before.ends_with(quote) && behind.starts_with(quote))
    }

    /// Returns whether the name touches a quote: `r"..."`, `"..."i`.
    fn touches_quote(&self, span: Span) -> bool {
        let text = self.text();
        let before = text.get(..span.start as usize).and_then(|before| before.chars().next_back());
        let after = text.get(span.end as usize..).and_then(|after| after.chars().next());
        [before, after].into_iter().flatten().any(|c| matches!(c, '"' | '\''))
    }

    /// Makes the fix that replaces a type of another language, with its arguments; `None` if the replacement is not
    /// certain. A generic type is replaced with all types of other languages among its arguments.
    fn native_fix(&self, native: Native, name: &Name, reference: &Reference) -> Option<Fix> {
        match native {
            Native::Same(written) => {
                let plain = reference.arguments.is_empty() || Builtin::of(written).is_some();
                plain.then(|| Fix::new(format!("write {}", native.shown()), name.span, written))
            }
            Native::Like(_) => None,
            Native::Of(generic) => {
                let mut edits = self.generic_edits(generic, name, &reference.arguments)?;
                edits.extend(reference.arguments.iter().flat_map(|argument| self.inner_edits(&argument.value)));
                edits.sort_by_key(|(span, _)| *span);
                let last = reference.arguments.last()?.value.span.end;
                let end = self.closing(last)?.end as usize;
                let fix = Fix { label: String::new(), edits };
                let (corrected, _) = apply(self.text().get(..end)?, iter::once(&fix));
                let written = corrected.get(name.span.start as usize..)?;
                Some(Fix { label: format!("write `{written}`"), ..fix })
            }
        }
    }

    /// Returns the edits that replace an argument of a type of another language, if it is one itself.
    fn inner_edits(&self, argument: &Expr) -> Vec<(Span, String)> {
        let ExprKind::Reference(inner) = &argument.kind else { return Vec::new() };
        self.native_argument_fix(inner).map(|fix| fix.edits).unwrap_or_default()
    }

    /// Makes the fix of a name among the arguments of a type of another language; `None` if the name is known, or no
    /// type of another language that has one.
    fn native_argument_fix(&self, inner: &Reference) -> Option<Fix> {
        let [name] = inner.path.segments.as_slice() else { return None };
        let is_known = self.parameters.contains(&name.text.as_str())
            || Builtin::of(&name.text).is_some()
            || scope::scope(self.db, self.item.file).names.contains_key(&name.text);
        let native = native(&name.text).filter(|_| !is_known)?;
        self.native_fix(native, name, inner)
    }

    /// Returns whether the fix of a type of another language replaces this argument of it, too.
    pub(crate) fn replaces(&self, argument: &Expr) -> bool {
        !self.inner_edits(argument).is_empty()
    }

    /// Makes the fix that writes `%` for a word between texts, `x sep by ","`.
    fn separator_fix(&self, name: &Name) -> Option<Fix> {
        let text = self.text();
        let before = text.get(..name.span.start as usize)?.trim_end();
        let behind = text.get(name.span.end as usize..)?;
        let between = separates(&name.text)
            && self.item.key.kind != Keyword::Type
            && before.ends_with(|c: char| c.is_alphanumeric() || "_\"')]}>/*+".contains(c))
            && behind.starts_with(char::is_whitespace);
        let trimmed = behind.trim_start();
        let word = trimmed.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|word| is_joiner(word));
        let end = word.map_or(0, |word| behind.len() - trimmed.len() + word.len());
        let whole = Span::new(name.span.start, name.span.end + end as u32);
        between.then(|| Fix::new("write `%`", whole, "%"))
    }

    /// Returns whether an unknown word belongs to an unknown one before it: `by` in `x sep by ","`, `of` in `list of x`.
    fn follows_a_separator(&self, span: Span) -> bool {
        let text = self.text();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = part(&text, ..span.start as usize).trim_end();
        let word = before.rsplit_once(|c| !is_word(c)).map_or(before, |(_, word)| word);
        let is_unknown = !scope::scope(self.db, self.item.file).names.contains_key(word);
        let lists = || matches!(native(word), Some(Native::Of(Generic::Array)));
        let own = span.text(&text);
        is_unknown && (separates(word) && is_joiner(own) || own == "of" && lists())
    }

    /// Makes the fix that writes `array<T>` as `T[0..]`.
    pub(crate) fn array_fix(&self, name: &Name, arguments: &[Argument]) -> Option<Fix> {
        let edits = self.generic_edits(Generic::Array, name, arguments)?;
        Some(Fix { label: "write `T[0..]`".to_owned(), edits })
    }

    /// Returns the edits that write a generic type of another language in `.ogc`: `Array<T>` as `T[0..]`.
    fn generic_edits(&self, generic: Generic, name: &Name, arguments: &[Argument]) -> Option<Vec<(Span, String)>> {
        let (first, last) = (arguments.first()?, arguments.last()?);
        let counted = match generic {
            Generic::Array | Generic::Nullable | Generic::Alone => arguments.len() == 1,
            Generic::Map => arguments.len() == 2,
            Generic::Union | Generic::Tuple => true,
        };
        if !counted || arguments.iter().any(|argument| argument.name.is_some()) {
            return None;
        }
        let head = Span::new(name.span.start, first.span.start);
        let end = self.closing(last.span.end)?;
        let around = |open: &str, close: &str| vec![(head, open.to_owned()), (end, close.to_owned())];
        Some(match generic {
            Generic::Array if is_whole(&first.value) => around("", "[0..]"),
            Generic::Array => around("(", ")[0..]"),
            Generic::Nullable => around("(", " | null)"),
            Generic::Alone => around("", ""),
            Generic::Map => vec![(name.span, "map".to_owned())],
            Generic::Tuple => vec![(name.span, "tuple".to_owned())],
            Generic::Union => {
                let pairs = arguments.iter().zip(arguments.iter().skip(1));
                let between = pairs.map(|(one, next)| (Span::new(one.span.end, next.span.start), " | ".to_owned()));
                around("(", ")").into_iter().chain(between).collect()
            }
        })
    }

    /// Returns the span from the end of the last argument to after the `>`, if there is at most a comma between them.
    fn closing(&self, from: u32) -> Option<Span> {
        let text = self.text();
        let rest = text.get(from as usize..)?;
        let close = rest.find('>')?;
        let between = rest[..close].trim();
        (between.is_empty() || between == ",").then(|| Span::new(from, from + close as u32 + 1))
    }

    /// Reports a word with hyphens, such as `date-time`, of which the name at `span` is one part. `None` if there is no
    /// hyphen, or the whole word is unknown.
    pub(crate) fn hyphenated(&self, span: Span) -> Option<Resolved> {
        let text = self.text();
        let whole = hyphenated_around(&text, span);
        let word = whole.text(&text);
        if !word.contains('-') {
            return None;
        }
        if scope::is_named_with_hyphens(self.db, self.item.file, word) {
            // The finding at the definition also says what to write here.
            return Some(Resolved::reported_elsewhere());
        }
        let meant = self.meant_by(word)?;
        let fix = Fix::new(format!("write `{meant}`"), whole, meant.clone());
        let found = Diagnostic::error(Code::WrongName, whole, "a name has no hyphens: `-` is difference");
        Some(Resolved::wrong(found.help(format!("write `{meant}`")).fix(fix)))
    }

    /// Returns the meaning of a word with hyphens: `datetime` for `date-time`, `my_type` for `my-type`.
    fn meant_by(&self, word: &str) -> Option<String> {
        if let Some(Native::Same(written)) = native(word) {
            return Some(written.to_owned());
        }
        let names = &scope::scope(self.db, self.item.file).names;
        if let Some((module, name)) = word.split_once('.') {
            let Some(Binding::WholeFile(import)) = names.get(module) else { return None };
            let there = names_of(self.db, scope::import_target(self.db, import)?);
            return there.iter().any(|known| known == name).then(|| format!("{module}.\"{name}\""));
        }
        let joined = word.replace('-', "_");
        (names.contains_key(&joined) || Builtin::of(&joined).is_some()).then_some(joined)
    }
}

/// Reports an unknown name that looks like a known one. If the unknown name has letters of another script, a fix
/// replaces it; if the known name has them, the help says to write both names with the same letters.
fn looks_like(name: &Name, known: &str) -> Diagnostic {
    let found = Diagnostic::error(Code::UnknownName, name.span, format!("`{}` is not defined", name.text));
    match (stranger(&name.text), stranger(known)) {
        (Some(letter), None) => found.help(format!("write `{known}`: {letter}")).fix(Fix::instead(name.span, known)),
        (_, Some(letter)) => {
            let help = format!("another name is `{known}`: {letter}; write both with the same letters");
            found.help(help).guess(Fix::instead(name.span, known))
        }
        (None, None) => found.help(format!("did you mean `{known}`?")).guess(Fix::instead(name.span, known)),
    }
}

/// Returns the built-in name that differs only in case and underscores: `date` for `Date`, `datetime` for `DATE_TIME`.
fn respelled(name: &str) -> Option<&'static str> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let mut alike = BUILTINS.iter().map(|one| one.name).filter(|known| plain(known) == plain(name));
    alike.next()
}

/// Returns whether this word follows one that separates: `sep by`, `joined with`.
fn is_joiner(word: &str) -> bool {
    matches!(word, "by" | "with" | "using" | "on")
}

/// Returns whether this finding casts doubt on the other words on its line.
fn confuses(code: Code) -> bool {
    matches!(
        code,
        Code::UnexpectedToken
            | Code::UnclosedString
            | Code::UnclosedRegex
            | Code::UnknownCharacter
            | Code::WrongQuotes
            | Code::WrongName
    )
}

/// Returns whether `[0..]` can follow the expression without parentheses.
fn is_whole(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Reference(_)
            | ExprKind::Record(_)
            | ExprKind::Group(_)
            | ExprKind::String(_)
            | ExprKind::Number(_)
            | ExprKind::Regex(_)
            | ExprKind::Repeat { .. }
    )
}

/// Returns the longest run of letters, digits, `_`, `.` and `-` around a place, without `.` and `-` at its ends.
fn hyphenated_around(text: &str, span: Span) -> Span {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let (before, after) = (text.get(..span.start as usize), text.get(span.end as usize..));
    let (Some(before), Some(after)) = (before, after) else { return span };
    let left: usize = before.chars().rev().take_while(|&c| inside(c)).map(char::len_utf8).sum();
    let right: usize = after.chars().take_while(|&c| inside(c)).map(char::len_utf8).sum();
    let (mut start, mut end) = (span.start as usize - left, span.end as usize + right);
    let is_sign = |c: char| matches!(c, '-' | '.');
    start += text[start..end].len() - text[start..end].trim_start_matches(is_sign).len();
    end -= text[start..end].len() - text[start..end].trim_end_matches(is_sign).len();
    Span::of(start, end)
}

#[cfg(test)]
mod tests {
    use super::hyphenated_around;
    use ogc_grammar::Span;

    #[test]
    fn the_hyphenated_word_around_a_name_is_found() {
        let text = "{ a: d.month-num, b: -x..y }";
        for part in ["month", "num"] {
            let at = text.find(part).expect("a part");
            assert_eq!(hyphenated_around(text, Span::of(at, at + part.len())).text(text), "d.month-num");
        }
        let at = text.find('x').expect("a part");
        assert_eq!(hyphenated_around(text, Span::of(at, at + 1)).text(text), "x..y");
    }
}
