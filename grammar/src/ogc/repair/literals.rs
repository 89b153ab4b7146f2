//! Repairs literals without an end, digits that run into letters, and characters that begin no token.

mod bare;
mod odd;
mod split;

use always_assert::never;

use super::{ItemLexemes, read_as};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, is_invisible};
use crate::fix::Fix;
use crate::ogc::look_alike::{kind_of_sign, sign_like};
use crate::ogc::slash::inner;
use crate::ogc::terminal::{Lexeme, name_contextual_words};
use crate::ogc::token::TokenKind;
use crate::span::{Span, part};

pub(super) fn repair(item: &mut ItemLexemes<'_>) {
    split::strings(item);
    bare::report(item);
    odd::repair(item);
    let lexemes = std::mem::take(&mut item.lexemes);
    let mut mended: Vec<Lexeme<'_>> = Vec::with_capacity(lexemes.len());
    let mut rest = lexemes.into_iter().peekable();
    while let Some(lexeme) = rest.next() {
        let next = rest.peek().filter(|next| next.start == lexeme.end);
        if triples_quotes(&lexeme, next) {
            let doc = [rest.next(), rest.next()];
            triple_quotes(&lexeme, doc, rest.peek(), item);
            break;
        }
        let flags = mended.last().is_some_and(|last| are_flags(last, &lexeme));
        if flags {
            regex_flags(&lexeme, mended.last(), item);
        } else if lexeme.text == "$" && next.is_some_and(|next| next.kind == TokenKind::Name) {
            dollar(&lexeme, rest.next().as_ref(), item);
        } else if dashes(&lexeme, mended.last(), next) {
            mended.push(dash(&lexeme, item));
        } else if lexeme.text == "!" && mended.last().is_some_and(|last| is_operand(last, &lexeme)) {
            required(&lexeme, item);
        } else {
            mended.extend(mend(lexeme, mended.last().copied(), item));
        }
    }
    // The kind of a contextual word depends on the signs around it.
    name_contextual_words(&mut mended);
    item.lexemes = mended;
}

/// Returns whether three quotes begin at a token: the empty string, and another quote that touches it.
fn triples_quotes(lexeme: &Lexeme<'_>, next: Option<&Lexeme<'_>>) -> bool {
    let empty = lexeme.kind == TokenKind::String && lexeme.text.len() == 2;
    empty && next.is_some_and(|next| next.text.chars().next() == lexeme.text.chars().next())
}

/// Reports three quotes; the tokens after them in the item mean nothing.
fn triple_quotes(
    lexeme: &Lexeme<'_>,
    doc: [Option<Lexeme<'_>>; 2],
    next: Option<&Lexeme<'_>>,
    item: &mut ItemLexemes<'_>,
) {
    let span = item.place(lexeme);
    if let [Some(said), Some(end)] = doc
        && is_alone(lexeme.start, end.end, next, item.source)
        && end.text.len() == 2
        && let Some(comment) = doc_comment(&said)
    {
        let whole = span.merge(item.place(&end));
        let found = Diagnostic::error(Code::WrongQuotes, whole, "a description is no text in quotes");
        let fix = Fix::new("write `///`", whole, comment.clone());
        item.report(found.help(format!("write `{comment}`, on a line before what it describes")).fix(fix));
        item.confused = true;
        return;
    }
    let found =
        Diagnostic::error(Code::WrongQuotes, Span::new(span.start, span.end + 1), "strings have no triple quotes");
    let help = "a string stands in `\"...\"` on one line, with `\\n` for a line end; what is said about a definition or field \
                stands on lines before it, after `///`";
    item.report(found.help(help));
    item.confused = true;
}

/// Returns whether a part of the item's text is alone on its lines. Text before the item does not count.
fn is_alone(start: u32, end: u32, next: Option<&Lexeme<'_>>, source: &str) -> bool {
    let before = part(source, ..start as usize);
    let first = before.rsplit_once('\n').map_or(before, |(_, line)| line).trim().is_empty();
    let between = next.map(|next| Span::new(end, next.start).text(source));
    first && between.is_none_or(|between| between.contains('\n'))
}

/// Returns a string as a doc comment, if it has one line without escapes.
pub(crate) fn doc_comment(string: &Lexeme<'_>) -> Option<String> {
    let said = string.text.get(1..string.text.len().checked_sub(1)?)?.trim();
    let plain = string.kind == TokenKind::String && !said.is_empty() && !said.contains('\\');
    plain.then(|| format!("/// {said}"))
}

/// Repairs `$name`.
fn dollar(sign: &Lexeme<'_>, name: Option<&Lexeme<'_>>, item: &mut ItemLexemes<'_>) {
    let span = name.map_or(item.place(sign), |name| item.place(sign).merge(item.place(name)));
    let found = Diagnostic::error(Code::UnknownCharacter, span, "a name has no `$`");
    item.report(found.help("write the name of a type or rule; a key with other characters stands in quotes"));
    item.confused = true;
}

/// Returns whether a dash other than the hyphen joins two numbers: `1–5`.
fn dashes(dash: &Lexeme<'_>, before: Option<&Lexeme<'_>>, next: Option<&Lexeme<'_>>) -> bool {
    let is_dash = dash.text.chars().next().and_then(sign_like) == Some("-");
    let number = |one: Option<&Lexeme<'_>>| one.is_some_and(|one| one.kind == TokenKind::Number);
    is_dash && number(next) && number(before) && before.is_some_and(|before| before.end == dash.start)
}

/// Repairs a dash between numbers; it is read as the dots of a range.
fn dash<'t>(dash: &Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let span = item.place(dash);
    let c = dash.text.chars().next().map_or(0, u32::from);
    let message = format!("`{}` (U+{c:04X}) joins no numbers: the ends of a range are joined by `..`", dash.text);
    let fix = Fix::new("write `..`", span, "..");
    item.report(Diagnostic::error(Code::UnknownCharacter, span, message).help("write `..`").fix(fix));
    Lexeme { text: "..", ..read_as(*dash, TokenKind::Dots) }
}

/// Returns whether an expression ends directly before `next`.
fn is_operand(before: &Lexeme<'_>, next: &Lexeme<'_>) -> bool {
    before.kind.ends_expression() && before.end == next.start
}

/// Repairs `string!`.
fn required(sign: &Lexeme<'_>, item: &mut ItemLexemes<'_>) {
    let span = item.place(sign);
    let message = "`!` has no meaning after a type: a value may be null only with `| null`";
    let help = "remove it; a field is required where its name has no `?`";
    let fix = Fix::new("remove this `!`", span, "");
    item.report(Diagnostic::error(Code::UnknownCharacter, span, message).help(help).fix(fix));
}

/// Returns whether `next` holds flags of a regex, as `i` in `/x/i`.
fn are_flags(regex: &Lexeme<'_>, next: &Lexeme<'_>) -> bool {
    let touches = regex.kind == TokenKind::Regex && next.kind == TokenKind::Name && regex.end == next.start;
    touches && next.text.chars().all(|c| "dgimsuxUy".contains(c))
}

fn regex_flags(flags: &Lexeme<'_>, regex: Option<&Lexeme<'_>>, item: &mut ItemLexemes<'_>) {
    let span = item.place(flags);
    let fix = regex.and_then(|regex| flags_inside(flags.text, item.place(regex), span));
    let help = match flags.text.contains('i') {
        true => "write `i` inside, as in `/(?i).../`; `g`, `u` and `y` have no meaning here",
        false => "remove them: a regex matches the whole text, and `.` no line end",
    };
    item.report(Diagnostic::error(Code::RegexFlags, span, "a regex has no flags after it").help(help).fix(fix));
}

/// Returns the correction of flags: `i` can be written inside the regex; `g`, `u` and `y` do not change which texts
/// match as a whole.
fn flags_inside(flags: &str, regex: Span, span: Span) -> Option<Fix> {
    if flags.chars().any(|c| !"giuy".contains(c)) {
        return None;
    }
    let removed = Fix::new("remove these flags", span, "");
    let inside = Span::empty(regex.start + 1);
    Some(if flags.contains('i') {
        Fix { label: "write `(?i)` inside".to_owned(), ..removed.and(inside, "(?i)") }
    } else {
        removed
    })
}

/// Repairs one token; `before` is the token before it.
fn mend<'t>(lexeme: Lexeme<'t>, before: Option<Lexeme<'t>>, item: &mut ItemLexemes<'t>) -> Option<Lexeme<'t>> {
    let operand = before.is_some_and(|before| before.kind.ends_expression());
    match lexeme.kind {
        TokenKind::BadNumber if before.is_some_and(|before| defines(before.kind)) => {
            let found = Diagnostic::error(Code::WrongName, item.place(&lexeme), "a name begins with a letter or `_`");
            item.report(found.help(format!("write `_{}`, or a word", lexeme.text)));
            item.confused = true;
            None
        }
        TokenKind::Unclosed if before.is_some_and(|before| closes_tag(&before, &lexeme)) => {
            tag(&lexeme, item);
            None
        }
        TokenKind::Number if before.is_some_and(|before| continues_date(&before, &lexeme)) => {
            date(&lexeme, item);
            None
        }
        TokenKind::Unclosed => Some(unclosed(lexeme, operand, item)),
        TokenKind::OtherQuotes => Some(other_quotes(lexeme, item)),
        TokenKind::SlashedRegex => Some(slashed(lexeme, item)),
        // A correct pattern replaces the regex, so that no other finding is about it.
        TokenKind::BareRegex => Some(Lexeme { kind: TokenKind::Regex, text: "/./", ..lexeme }),
        TokenKind::BadNumber => Some(bad_number(lexeme, item)),
        TokenKind::Number => Some(leading_zero(lexeme, item)),
        TokenKind::Unknown => like_a_sign(lexeme, item).or_else(|| {
            unknown(lexeme, operand, item);
            item.confused = true;
            None
        }),
        _ => Some(lexeme),
    }
}

/// Returns whether a slash belongs to `</tag>`.
fn closes_tag(before: &Lexeme<'_>, slash: &Lexeme<'_>) -> bool {
    before.kind == TokenKind::Less && before.end == slash.start && slash.text.starts_with('/')
}

fn tag(slash: &Lexeme<'_>, item: &mut ItemLexemes<'_>) {
    let written = format!("<{}", slash.text);
    let closing = written.find('>').map_or(written.as_str(), |end| part(&written, ..=end));
    let opening = closing.replacen('/', "", 1);
    let before = if item.confused { None } else { unquoted_before(slash.start as usize, &opening, item.source) };
    let (tag, start) = match before {
        Some(start) => (opening.as_str(), start as u32),
        None => (closing, slash.start.saturating_sub(1)),
    };
    let span = Span::new(start, start + tag.len() as u32).shifted(item.base);
    let found = Diagnostic::error(Code::MissingQuotes, span, "a tag stands in quotes");
    item.report(found.help(format!("write `tok\"{tag}\"` for a token of the vocabulary, `\"{tag}\"` for the text")));
    item.confused = true;
}

/// Returns the offset of a tag before `end` that stands by itself, without quotes.
fn unquoted_before(end: usize, tag: &str, source: &str) -> Option<usize> {
    let before = part(source, ..end);
    let start = before.rfind(tag).filter(|_| tag.len() > 2)?;
    let alone = part(before, ..start).chars().next_back().is_none_or(char::is_whitespace);
    alone.then_some(start)
}

/// Returns whether a number is the month or day of a date such as `2020-01-01`.
fn continues_date(before: &Lexeme<'_>, number: &Lexeme<'_>) -> bool {
    let sign = before.kind == TokenKind::Minus && before.end == number.start;
    sign && number.text.len() == 2 && number.text.starts_with('0')
}

fn date(number: &Lexeme<'_>, item: &mut ItemLexemes<'_>) {
    if item.confused {
        return;
    }
    let span = item.place(number);
    let found = Diagnostic::error(Code::BadNumber, span, "a date is no number");
    item.report(found.help("write a date as text, `\"2020-01-31\"`; the type `date` is every date, and has no range"));
    item.confused = true;
}

fn defines(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Type | TokenKind::Rule | TokenKind::Output)
}

/// Repairs a string in quotes such as `“...”`.
fn other_quotes<'t>(lexeme: Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let span = item.place(&lexeme);
    let len = |quote: char| quote.len_utf8() as u32;
    let (Some(open), Some(close)) = (lexeme.text.chars().next(), lexeme.text.chars().next_back()) else {
        never!("{:?} has no quotes", lexeme);
        return read_as(lexeme, TokenKind::String);
    };
    // Values that a template inserts are not part of a string.
    let plain = !lexeme.text.contains(['"', '\\']) && !lexeme.text.contains("${");
    let fix = plain.then(|| {
        let (first, last) = (Span::new(span.start, span.start + len(open)), Span::new(span.end - len(close), span.end));
        Fix::new("write `\"`", first, "\"").and(last, "\"")
    });
    let shown = if open == '`' { "a backtick".to_owned() } else { format!("`{open}`") };
    let found = Diagnostic::error(Code::WrongQuotes, span, format!("{shown} does not quote a string"));
    let help = match lexeme.text.contains("${") {
        true => {
            "a string has no parts to fill in: write a regex, `/x-.*/`, or in a rule `\"x-\"` and then what follows"
        }
        false => "strings stand in `\"...\"` or `'...'`",
    };
    item.report(found.help(help).fix(fix));
    read_as(lexeme, TokenKind::String)
}

/// Repairs a regex such as `/a/b/`.
fn slashed<'t>(lexeme: Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let start = item.place(&lexeme).start;
    let slashes: Vec<Span> = inner(lexeme.text).iter().map(|at| Span::of(*at, at + 1).shifted(start)).collect();
    let first = slashes.first().copied().unwrap_or_else(|| {
        never!("{} has no slash inside", lexeme.text);
        Span::empty(start)
    });
    let fix = slashes.iter().map(|slash| (*slash, "\\/".to_owned())).collect();
    let fix = Fix { label: "write `\\/`".to_owned(), edits: fix };
    let found = Diagnostic::error(Code::SplitRegex, first, "this `/` would end the regex");
    item.report(found.help("write `\\/` for the character; leave a space between two regexes").fix(fix));
    read_as(lexeme, TokenKind::Regex)
}

fn unclosed<'t>(lexeme: Lexeme<'t>, operand: bool, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let (kind, what, code, end) = match lexeme.text.chars().next() {
        Some('/') => (TokenKind::Regex, "regex", Code::UnclosedRegex, "/"),
        Some('t') if lexeme.text.starts_with("tok'") => (TokenKind::Tok, "vocabulary token", Code::UnclosedString, "'"),
        Some('t') => (TokenKind::Tok, "vocabulary token", Code::UnclosedString, "\""),
        Some('\'') => (TokenKind::String, "string", Code::UnclosedString, "'"),
        _ => (TokenKind::String, "string", Code::UnclosedString, "\""),
    };
    let divides = kind == TokenKind::Regex && operand && lexeme.text.starts_with("/ ");
    let help = match kind {
        TokenKind::Regex if divides => "alternatives are separated by `|`; a `/` begins a regex".to_owned(),
        TokenKind::Regex => "close it with `/` on the same line; a `/` outside a class is written `\\/`".to_owned(),
        _ => format!("close it with `{end}` on the same line; a line end inside is written `\\n`"),
    };
    let span = item.place(&lexeme);
    let fix = if divides {
        Some(Fix::new("write `|`", Span::new(span.start, span.start + 1), "|"))
    } else {
        ends_plainly(lexeme.text).then(|| closed(lexeme.text, span, end))
    };
    // After an unclosed literal, opening quotes seem to close.
    if item.sink.has(code) {
        item.sink.doubt(code);
    } else {
        item.report(Diagnostic::error(code, span, format!("this {what} is not closed")).help(help).fix(fix));
    }
    // The literal contains the rest of the line, including closing brackets.
    item.confused = true;
    read_as(lexeme, kind)
}

/// Returns whether the literal's last character certainly belongs to it, and not to the text after it on the line.
fn ends_plainly(literal: &str) -> bool {
    literal.trim_end().ends_with(|c: char| c.is_alphanumeric())
        && !literal.contains(['\\', ',', ';', '{', '}', '<', '>', '|'])
}

/// Returns the correction that adds a quote at the end, before white space.
fn closed(literal: &str, span: Span, end: &str) -> Fix {
    let len = literal.trim_end().len();
    Fix::new(format!("close it with `{end}`"), Span::empty(span.start.saturating_add(len as u32)), end)
}

fn bad_number<'t>(lexeme: Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let span = item.place(&lexeme);
    let digits = lexeme.text.len() - lexeme.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (number, rest) = (part(lexeme.text, ..digits), part(lexeme.text, digits..));
    let underscores = lexeme.text.chars().all(|c| c.is_ascii_digit() || c == '_');
    let help = match rest {
        _ if underscores => format!("write `{}`", lexeme.text.replace('_', "")),
        _ if rest.starts_with(['x', 'b', 'o']) => "numbers are decimal, as in JSON".to_owned(),
        _ => format!("put a space between `{number}` and `{rest}`, or write the text in quotes"),
    };
    let message = format!("`{}` is neither a number nor a name", lexeme.text);
    let fix = underscores.then(|| Fix::new("remove the `_`", span, lexeme.text.replace('_', "")));
    item.report(Diagnostic::error(Code::BadNumber, span, message).help(help).fix(fix));
    Lexeme { kind: TokenKind::Number, text: number, ..lexeme }
}

fn leading_zero<'t>(lexeme: Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Lexeme<'t> {
    let digits: &'t str = lexeme.text.trim_start_matches('-');
    if digits.starts_with('0') && digits.chars().nth(1).is_some_and(|c| c.is_ascii_digit()) {
        let span = item.place(&lexeme);
        let zeros = digits.trim_start_matches('0');
        let short = if zeros.starts_with(|c: char| c.is_ascii_digit()) { zeros } else { "0" };
        let help = format!("write `{short}`, or `\"{digits}\"` for this text");
        item.report(Diagnostic::error(Code::BadNumber, span, "a number has no leading zeros").help(help));
        // The sign is left out with the zeros, so that no other finding is about this number.
        return Lexeme { text: short, ..lexeme };
    }
    lexeme
}

/// Reads a character that looks like a sign as that sign.
fn like_a_sign<'t>(lexeme: Lexeme<'t>, item: &mut ItemLexemes<'t>) -> Option<Lexeme<'t>> {
    let c = lexeme.text.chars().next()?;
    let sign = sign_like(c)?;
    let kind = kind_of_sign(sign)?;
    // Foreign signs are reported by their own repair.
    if kind != TokenKind::Foreign {
        let span = item.place(&lexeme);
        let message = format!("`{c}` (U+{:04X}) is not `{sign}`", u32::from(c));
        let help = format!("write `{sign}`");
        let fix = Fix::new(help.clone(), span, sign);
        item.report(Diagnostic::error(Code::UnknownCharacter, span, message).help(help).fix(fix));
    }
    Some(Lexeme { kind, text: sign, ..lexeme })
}

fn unknown<'t>(lexeme: Lexeme<'t>, operand: bool, item: &mut ItemLexemes<'t>) {
    let span = item.place(&lexeme);
    if lexeme.text == "$" && item.confused {
        // This is the other end of `^...$`, which has been reported.
        return;
    }
    let Some(c) = lexeme.text.chars().next() else {
        never!("{:?} has no characters", lexeme);
        return;
    };
    let help = match c {
        '“' | '”' | '„' | '‘' | '’' | '`' | '´' => "strings stand in `\"...\"` or `'...'`",
        '#' => "comments begin with `//`",
        '@' => "an attribute is `@` and a name, without space between",
        '\\' => "a regex is written between slashes, as `/\\d+/`, and a text in quotes",
        '^' if operand => "write `|` for either, `&` for both",
        '!' | '~' | '≠' => "what is not in `T` is `any - T`; from a text, take away with `-`: `/[a-z]+/ - \"no\"`",
        '≥' | '≤' => "bounds stand behind the type: `int<0..150>`, `number<above = 0>`",
        '∞' => "an end that is left out is open: `0..`",
        '$' | '^' => "a regex matches whole texts; it needs no anchors",
        c if is_invisible(c) => "remove it: it cannot be seen; white space is spaces, tabs and line ends",
        _ => "remove it, or write it in quotes",
    };
    let shown = if is_invisible(c) { format!("U+{:04X}", u32::from(c)) } else { format!("`{c}`") };
    let message = format!("the character {shown} begins nothing here");
    item.report(Diagnostic::error(Code::UnknownCharacter, span, message).help(help).fix(replacement(c, span)));
}

/// Returns the correction of a character that begins no token, if it is certain.
fn replacement(c: char, span: Span) -> Option<Fix> {
    match c {
        '#' => Some(Fix::new("write `//`", span, "//")),
        c if c.is_whitespace() => Some(Fix::new("write a space", span, " ")),
        c if is_invisible(c) => Some(Fix::new("remove this character", span, "")),
        _ => None,
    }
}
