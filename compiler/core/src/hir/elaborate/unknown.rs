//! Names that mean nothing, and what was probably meant: other languages' names of types, slips, names with hyphens.

use std::sync::Arc;

use ogc_grammar::ogc::ast::{Argument as Written, Expr, ExprKind, Name, Reference};
use ogc_grammar::{Fix, Span};

use super::environment::ViewId;
use super::reference::Meaning;
use super::{Elaborator, EnvId, SUGGESTIONS, is_builtin};
use crate::hir::items::{Keyword, item_text, item_tree};
use crate::hir::scope::{self, Binding};
use crate::hir::spelling::{Generic, Native, native, nearest};

impl<'db> Elaborator<'db> {
    /// Reports a name that is defined nowhere.
    pub(super) fn unknown(&mut self, name: &Name, reference: &'db Reference, view: ViewId, env: EnvId) -> Meaning<'db> {
        let file = self.environment.file(view);
        if scope::is_broken(self.db, file, &name.text) {
            // What is wrong with its definition or import was said there.
            self.unsound = true;
            return Meaning::Unknown;
        }
        let native = native(&name.text);
        if self.hyphenated(name.span, env) || native.is_none() && self.is_confused(name.span, env) {
            return Meaning::Unknown;
        }
        let native = native.or_else(|| respelled(&name.text).map(Native::Same));
        let fix = native.and_then(|native| self.native_fix(native, name, reference, env));
        let own = scope::scope(self.db, file).names.keys().map(String::as_str);
        let known = own.chain(self.environment.parameters(env)).chain(super::builtin::NAMES.iter().copied());
        let near = Some(known).filter(|_| self.found.len() < SUGGESTIONS);
        let near = near.and_then(|known| nearest(&name.text, known));
        let help = match (native, near) {
            (Some(native), _) => format!("that is {}", native.shown()),
            (None, _) if self.touches_quote(name.span, env) => {
                "a string has neither prefixes nor flags; a regex that ignores case is `/(?i)abc/`".to_owned()
            }
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) if self.is_in_type(env) => {
                format!("define it with `type {0} = ...`, or import it; the word itself is `\"{0}\"`", name.text)
            }
            (None, None) => format!(
                "define it with `type {0} = ...` or `rule {0} = ...`, or import it; the word itself is `\"{0}\"`",
                name.text
            ),
        };
        let found = self.error("unknown-name", name.span, env, format!("`{}` is not defined", name.text));
        (found.help, found.fix) = (Some(help), fix);
        if let Some(Native::Of(_)) = native {
            // Its arguments are types, whatever it is called.
            for argument in &reference.arguments {
                self.value(&argument.value, env);
            }
        }
        Meaning::Unknown
    }

    /// Something on the line of this place was not understood, so that names beside it may be none.
    pub(super) fn is_confused(&mut self, span: Span, env: EnvId) -> bool {
        let item = self.environment.item(env).clone();
        let text = self.item_text(env);
        let line = |at: u32| text.bytes().take(at as usize).filter(|byte| *byte == b'\n').count();
        let here = line(span.start);
        let found = &item_tree(self.db, &item).diagnostics;
        let confused = found.iter().any(|one| {
            let behind = one.code.starts_with("unclosed-") && one.span.start < span.start;
            confuses(one.code) && (behind || line(one.span.start) == here)
        });
        self.unsound |= confused;
        confused
    }

    /// Whether only types can stand where an environment's item is.
    fn is_in_type(&self, env: EnvId) -> bool {
        self.environment.item(env).key.kind == Keyword::Type
    }

    /// The text of the item that an environment is in.
    fn item_text(&self, env: EnvId) -> Arc<str> {
        let item = self.environment.item(env).clone();
        item_text(self.db, item.file, item.key)
    }

    /// A difference that is written like another language's name, as `date-time`.
    pub(super) fn is_native(&self, span: Span, env: EnvId) -> bool {
        native(span.text(&self.item_text(env))).is_some()
    }

    /// The name stands directly before or behind a string: `r"..."`, `"..."i`.
    fn touches_quote(&self, span: Span, env: EnvId) -> bool {
        let text = self.item_text(env);
        let before = text.get(..span.start as usize).and_then(|before| before.chars().next_back());
        let after = text.get(span.end as usize..).and_then(|after| after.chars().next());
        [before, after].into_iter().flatten().any(|c| matches!(c, '"' | '\''))
    }

    /// Another language's name as it is written here, with its arguments, if that is certain.
    fn native_fix(&mut self, native: Native, name: &Name, reference: &Reference, env: EnvId) -> Option<Fix> {
        let label = || format!("write {}", native.shown());
        match native {
            Native::Same(written) => {
                let plain = reference.arguments.is_empty() || is_builtin(written);
                let fix = Fix::new(label(), name.span, written);
                plain.then(|| self.fix(fix, env))
            }
            Native::Like(_) => None,
            Native::Of(generic) => {
                let edits = self.generic_edits(generic, name, &reference.arguments, env)?;
                Some(self.fix(Fix { label: format!("write `{}`", generic.shown()), edits }, env))
            }
        }
    }

    /// `array<T>` as `T[0..]`.
    pub(super) fn array_fix(&mut self, name: &Name, arguments: &[Written], env: EnvId) -> Option<Fix> {
        let edits = self.generic_edits(Generic::Array, name, arguments, env)?;
        Some(self.fix(Fix { label: "write `T[0..]`".to_owned(), edits }, env))
    }

    /// `Array<T>` as `T[0..]`, and others of its kind.
    fn generic_edits(
        &self,
        generic: Generic,
        name: &Name,
        arguments: &[Written],
        env: EnvId,
    ) -> Option<Vec<(Span, String)>> {
        let (first, last) = (arguments.first()?, arguments.last()?);
        let counted = match generic {
            Generic::Array | Generic::Nullable => arguments.len() == 1,
            Generic::Map => arguments.len() == 2,
            Generic::Union | Generic::Tuple => true,
        };
        if !counted || arguments.iter().any(|argument| argument.name.is_some()) {
            return None;
        }
        let head = Span::new(name.span.start, first.span.start);
        let end = self.closing(last.span.end, env)?;
        let around = |open: &str, close: &str| vec![(head, open.to_owned()), (end, close.to_owned())];
        Some(match generic {
            Generic::Array if is_whole(&first.value) => around("", "[0..]"),
            Generic::Array => around("(", ")[0..]"),
            Generic::Nullable => around("(", " | null)"),
            Generic::Map => vec![(name.span, "map".to_owned())],
            Generic::Tuple => vec![(name.span, "tuple".to_owned())],
            Generic::Union => {
                let pairs = arguments.iter().zip(arguments.iter().skip(1));
                let between = pairs.map(|(one, next)| (Span::new(one.span.end, next.span.start), " | ".to_owned()));
                around("(", ")").into_iter().chain(between).collect()
            }
        })
    }

    /// From the end of the last argument to after the `>`, if nothing but a comma stands between.
    fn closing(&self, from: u32, env: EnvId) -> Option<Span> {
        let text = self.item_text(env);
        let rest = text.get(from as usize..)?;
        let close = rest.find('>')?;
        let between = rest[..close].trim();
        (between.is_empty() || between == ",").then(|| Span::new(from, from + close as u32 + 1))
    }

    /// Reports the word with hyphens that a name at `span` is a part of, if that word, read as one name, means something.
    pub(super) fn hyphenated(&mut self, span: Span, env: EnvId) -> bool {
        let text = self.item_text(env);
        let whole = hyphenated_around(&text, span);
        let word = whole.text(&text);
        if !word.contains('-') {
            return false;
        }
        if scope::is_named_with_hyphens(self.db, self.environment.file(self.environment.view(env)), word) {
            // The definition's own finding says what to write here, too.
            self.unsound = true;
            return true;
        }
        let Some(meant) = self.meant_by(word, env) else { return false };
        let fix = self.fix(Fix::new(format!("write `{meant}`"), whole, meant.clone()), env);
        let found = self.error("wrong-name", whole, env, "a name has no hyphens: `-` is difference");
        (found.help, found.fix) = (Some(format!("write `{meant}`")), Some(fix));
        true
    }

    /// What a word with hyphens is called here.
    fn meant_by(&self, word: &str, env: EnvId) -> Option<String> {
        if let Some(Native::Same(written)) = native(word) {
            return Some(written.to_owned());
        }
        let file = self.environment.file(self.environment.view(env));
        let names = &scope::scope(self.db, file).names;
        if let Some((module, name)) = word.split_once('.') {
            let Some(Binding::Module(import)) = names.get(module) else { return None };
            let there = crate::hir::check::names_of(self.db, scope::import_target(self.db, import)?);
            return there.iter().any(|known| known == name).then(|| format!("{module}.\"{name}\""));
        }
        let joined = word.replace('-', "_");
        (names.contains_key(&joined) || is_builtin(&joined)).then_some(joined)
    }

    /// A correction whose places are in the item of an environment.
    pub(super) fn fix(&mut self, fix: Fix, env: EnvId) -> Fix {
        let edits = fix.edits.into_iter().map(|(span, text)| (self.span(span, env), text)).collect();
        Fix { edits, ..fix }
    }
}

/// The built-in name that is written otherwise elsewhere: `Date`, `date_time`, `DATETIME`.
fn respelled(name: &str) -> Option<&'static str> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let mut alike = super::builtin::NAMES.iter().copied().filter(|known| plain(known) == plain(name));
    alike.next()
}

/// The findings after which a line says little.
fn confuses(code: &str) -> bool {
    matches!(
        code,
        "unexpected-token" | "unclosed-string" | "unclosed-regex" | "unknown-character" | "wrong-quotes" | "wrong-name"
    )
}

/// An expression that `[0..]` can stand behind.
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

/// The run of letters, digits, dots and hyphens around a place, without signs at its ends.
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
    fn a_word_with_hyphens_is_found_around_its_parts() {
        let text = "{ a: d.month-num, b: -x..y }";
        for part in ["month", "num"] {
            let at = text.find(part).expect("a part");
            assert_eq!(hyphenated_around(text, Span::of(at, at + part.len())).text(text), "d.month-num");
        }
        let at = text.find('x').expect("a part");
        assert_eq!(hyphenated_around(text, Span::of(at, at + 1)).text(text), "x..y");
    }
}
