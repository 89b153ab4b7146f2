//! Diagnoses a token in a place where it cannot stand, if no repair has handled it.

mod bracket;
mod method;
mod way_out;

use super::terminal::{Lexeme, keyword_at};
use super::token::TokenKind;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fix::Fix;
use crate::span::Span;
use lalrpop_util::{ErrorRecovery, ParseError};
use std::convert::Infallible;

/// An error as the generated parser reports it.
pub(crate) type Failure<'t> = ParseError<u32, Lexeme<'t>, Infallible>;

/// An error that the generated parser recovered from.
pub(crate) type Lost<'t> = ErrorRecovery<u32, Lexeme<'t>, Infallible>;

/// Returns the diagnostic of a failure in the item that begins at `base`.
pub(crate) fn diagnostic(failure: &Failure<'_>, lexemes: &[Lexeme<'_>], base: u32) -> Diagnostic {
    match failure {
        ParseError::UnrecognizedToken { token: (start, found, _), expected } => {
            let at = lexemes.partition_point(|lexeme| lexeme.start < *start);
            let before = at.checked_sub(1).and_then(|before| lexemes.get(before));
            let run = run(lexemes, at);
            let after = lexemes.get(at + 1).copied();
            let rest = &lexemes[at..];
            let text = in_text(lexemes, at);
            let (head, before) = (&lexemes[..at], before.copied());
            unexpected(&Unexpected { found: *found, before, after, expected, run, base, head, rest, text })
        }
        ParseError::UnrecognizedEof { location, expected } => {
            if let Some(word) = lexemes.last().filter(|last| last.kind.is_keyword() && lexemes.len() > 1) {
                let empty: &[String] = &[];
                return reserved_reference(&Unexpected {
                    found: *word,
                    before: None,
                    after: None,
                    expected: empty,
                    run: None,
                    base,
                    head: &[],
                    rest: &[],
                    text: false,
                });
            }
            let message = format!("the item ends where {} is expected", wanted(expected));
            let found = Diagnostic::error(Code::UnexpectedEnd, Span::empty(*location).shifted(base), message);
            match lexemes {
                [.., before, last] if joins(last.kind) => dangling(before, last, base),
                [.., word, name] if word.kind == TokenKind::Output && name.kind == TokenKind::Name => found.help(
                    format!("write `output {0} = ...`; for what `{0}` stands for, `output Out = {0}`", name.text),
                ),
                [import, name] if import.kind == TokenKind::Import && name.kind == TokenKind::Name => {
                    found.help(format!("write `import {0} from \"file\"`, or `import \"file\" as {0}`", name.text))
                }
                [.., last] if behind_attribute(lexemes, last) => {
                    found.help("an attribute stands before what it is about")
                }
                [.., word, name] if defines(word.kind) && name.kind == TokenKind::Name => {
                    found.help(format!("write `{} {} = ...`", word.text, name.text))
                }
                _ => found,
            }
        }
        ParseError::ExtraToken { token: (start, found, end) } => {
            let message = format!("`{}` cannot stand after the end of the item", found.text);
            Diagnostic::error(Code::UnexpectedToken, Span::new(*start, *end).shifted(base), message)
        }
        ParseError::InvalidToken { location } => {
            Diagnostic::error(Code::UnexpectedToken, Span::empty(*location).shifted(base), "this cannot stand here")
        }
        ParseError::User { error } => match *error {},
    }
}

/// Returns whether the failure is at a closing bracket.
pub(crate) fn is_at_closer(failure: &Failure<'_>) -> bool {
    matches!(failure, ParseError::UnrecognizedToken { token: (_, found, _), .. } if found.kind.is_closer())
}

/// Returns whether the failure is at a token after the end of the item.
pub(crate) fn is_after_end(failure: &Failure<'_>) -> bool {
    match failure {
        ParseError::UnrecognizedToken { expected, .. } => expected.is_empty(),
        ParseError::ExtraToken { .. } => true,
        _ => false,
    }
}

/// Returns whether the last token ends an attribute.
fn behind_attribute(lexemes: &[Lexeme<'_>], last: &Lexeme<'_>) -> bool {
    let opens = lexemes.iter().rev().find(|one| one.kind.closer().is_some());
    last.kind == TokenKind::Attribute
        || last.kind == TokenKind::RightParen && opens.is_some_and(|one| one.kind == TokenKind::AttributeOpen)
}

/// Returns whether an expression must follow the sign.
fn joins(sign: TokenKind) -> bool {
    matches!(sign, TokenKind::And | TokenKind::Minus | TokenKind::Percent)
}

/// Diagnoses a sign at the end of an item.
fn dangling(before: &Lexeme<'_>, sign: &Lexeme<'_>, base: u32) -> Diagnostic {
    let span = Span::new(sign.start, sign.end).shifted(base);
    let what = if sign.kind == TokenKind::Percent { "what separates the items" } else { "the other operand" };
    let found = Diagnostic::error(Code::UnexpectedEnd, span, format!("nothing follows this `{}`", sign.text));
    let removed = Span::new(before.end, sign.end).shifted(base);
    let fix = Fix::new(format!("remove this `{}`", sign.text), removed, "");
    found.help(format!("remove it, or write {what} after it")).fix(fix)
}

fn defines(keyword: TokenKind) -> bool {
    matches!(keyword, TokenKind::Type | TokenKind::Rule | TokenKind::Output)
}

/// A token in a place where it cannot stand.
struct Unexpected<'e, 't> {
    found: Lexeme<'t>,
    before: Option<Lexeme<'t>>,
    after: Option<Lexeme<'t>>,
    expected: &'e [String],
    /// End of the touching words and signs from this token on; `None` if quotes are among them.
    run: Option<u32>,
    base: u32,
    /// Tokens before the unexpected token.
    head: &'e [Lexeme<'t>],
    /// Tokens from the unexpected token on.
    rest: &'e [Lexeme<'t>],
    /// Whether the token is in a rule or output, outside of records.
    text: bool,
}

/// Returns whether the token at `at` is in a rule or output, outside of records.
fn in_text(lexemes: &[Lexeme<'_>], at: usize) -> bool {
    let keyword = lexemes.get(keyword_at(lexemes)).map(|lexeme| lexeme.kind);
    let before = || lexemes.iter().take(at);
    let opened = before().filter(|lexeme| lexeme.kind == TokenKind::LeftBrace).count();
    let closed = before().filter(|lexeme| lexeme.kind == TokenKind::RightBrace).count();
    matches!(keyword, Some(TokenKind::Rule | TokenKind::Output)) && opened == closed
}

fn run(lexemes: &[Lexeme<'_>], at: usize) -> Option<u32> {
    let rest = lexemes.get(at..)?;
    let mut end = rest.first()?.start;
    for lexeme in rest.iter().take_while(|lexeme| !matches!(lexeme.kind, TokenKind::Comma | TokenKind::RightBrace)) {
        if lexeme.start != end {
            break;
        }
        if lexeme.text.contains(['"', '\\']) {
            return None;
        }
        end = lexeme.end;
    }
    Some(end)
}

impl Unexpected<'_, '_> {
    fn span(&self) -> Span {
        Span::new(self.found.start, self.found.end).shifted(self.base)
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected.iter().any(|expected| expected == terminal)
    }

    fn after(&self, kind: TokenKind) -> bool {
        self.before.is_some_and(|before| before.kind == kind)
    }

    fn after_expression(&self) -> bool {
        self.before.is_some_and(|before| before.kind.ends_expression())
    }
}

/// Returns the most specific message for a token; the general message is the last choice.
fn unexpected(case: &Unexpected<'_, '_>) -> Diagnostic {
    joined(case)
        .or_else(|| text_only(case))
        .or_else(|| default_value(case))
        .or_else(|| reserved(case))
        .or_else(|| side_by_side(case))
        .or_else(|| range_operand(case))
        .or_else(|| range_in_text(case))
        .or_else(|| doubled_dots(case))
        .or_else(|| leading_question(case))
        .or_else(|| bracket::leading_bracket(case))
        .or_else(|| method::call(case))
        .or_else(|| comma_in_text(case))
        .or_else(|| unquoted(case))
        .or_else(|| capture_equals(case))
        .unwrap_or_else(|| general(case))
}

/// Diagnoses `A + B` in a type.
fn joined(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let plus = case.found.kind == TokenKind::Plus && case.after_expression() && case.expects("\"[\"");
    let operand = case.after.is_some_and(|after| after.kind.begins_expression() && after.start > case.found.end);
    (plus && operand).then(|| {
        if case.after(TokenKind::String) {
            let found = Diagnostic::error(Code::TextOperator, case.span(), "`+` does not join types");
            return found.help("write the whole text as one string, or a pattern: `/.../`");
        }
        let help = "for a record with the fields of both write `{ ...A, ...B }`; `A & B` is what is in both";
        Diagnostic::error(Code::TextOperator, case.span(), "`+` does not join types").help(help)
    })
}

/// Diagnoses `?`, `*`, `+` or `%` in a type.
fn text_only(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    if !case.after_expression() || !case.expects("\"[\"") {
        return None;
    }
    let bounds = match case.found.kind {
        TokenKind::Star => Some("[0..]"),
        TokenKind::Plus => Some("[1..]"),
        _ => None,
    };
    let fix = bounds.map(|bounds| Fix::new(format!("write `{bounds}`"), case.span(), bounds));
    let help = match case.found.kind {
        TokenKind::Question => "for a value that may be null write `| null`, for a field that may be absent `name?:`",
        TokenKind::Star => "for an array of any length write `[0..]`",
        TokenKind::Plus => "for an array with at least one item write `[1..]`",
        TokenKind::Percent => "a JSON array has its commas already: write `T[1..10]`",
        _ => return None,
    };
    let message = format!("`{}` repeats text, and this is a type", case.found.text);
    Some(Diagnostic::error(Code::TextOperator, case.span(), message).help(help).fix(fix))
}

/// Diagnoses `name: T = value` in a record.
fn default_value(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let equals = case.found.kind == TokenKind::Equals && case.after_expression();
    (equals && case.expects("\",\"")).then(|| {
        let help =
            "a field that may be absent is written `name?: T`; what is assumed then is `@default(...)` before it";
        Diagnostic::error(Code::DefaultValue, case.span(), "fields have no default values").help(help)
    })
}

/// Diagnoses a keyword where a name is expected.
fn reserved(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let name = case.expects("\"name\"") && case.found.kind.is_word() && !case.after_expression();
    name.then(|| {
        let message = format!("`{}` is a reserved word and cannot be used as a name here", case.found.text);
        let help = "fields, captures and arguments may have this name; types, rules and parameters may not";
        Diagnostic::error(Code::ReservedWord, case.span(), message).help(help)
    })
}

/// Diagnoses two expressions without an operator between them, where this has no meaning.
fn side_by_side(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let adjacent = case.after_expression() && case.found.kind.begins_expression();
    if !adjacent || !(case.expects("\"|\"") || case.expects("\"&\"")) {
        return None;
    }
    if case.expects("\"string\"") && case.found.kind.is_keyword() {
        return Some(reserved_reference(case));
    }
    let found = Diagnostic::error(Code::SideBySide, case.span(), "two expressions stand side by side in a type");
    Some(found.help(side_by_side_help(case)))
}

fn side_by_side_help(case: &Unexpected<'_, '_>) -> String {
    let (before, found) = (case.before.map_or("", |before| before.text), case.found);
    let named = case.after(TokenKind::Name);
    match (before, found.text) {
        ("not" | "Not", text) => format!("what is not in `{0}` is `any - {0}`", shown(text)),
        ("int" | "number" | "string", _) if case.found.kind == TokenKind::Name && case.found.text != "or" => {
            "conditions stand in the type: `int<0..150>`, `number<above = 0>`, `string<1..80>`, `string</[a-z]+/>`"
                .to_owned()
        }
        ("const" | "Literal", text) => format!("a literal stands for itself: write `{}`", shown(text)),
        ("struct" | "object" | "record" | "interface" | "message", "{") => {
            "a record is braces alone: `{ name: T }`".to_owned()
        }
        ("string", text) if text.starts_with('/') => format!("write `string<{0}>`, or `{0}` alone", shown(text)),
        ("r" | "re" | "b" | "f" | "u", text) if text.starts_with(['"', '\'']) => {
            "a string has no prefix; a regex is written between slashes: `/[a-z]+/`".to_owned()
        }
        ("keyof" | "typeof", _) => "there is no such operator: write the keys as literals, `\"a\" | \"b\"`".to_owned(),
        ("if", _) => "there are no conditions: write each case as a type of its own, `A | B`".to_owned(),
        (least, "to" | "until" | "through") => {
            let most = case.after.filter(|after| after.kind == TokenKind::Number).map_or("10", |after| after.text);
            format!("a range is written `{least}..{most}`")
        }
        (_, "required" | "optional") => "a field is required, unless it is written `name?: T`".to_owned(),
        ("enum" | "oneOf" | "oneof" | "anyOf" | "union", _) => {
            "write the alternatives with `|` between: `\"a\" | \"b\"`".to_owned()
        }
        ("required" | "readonly", text) => {
            format!("write `{}`; a field is required where its name has no `?`", shown(text))
        }
        ("optional" | "nullable", text) => {
            let text = shown(text);
            format!(
                "write `{text} | null` for a value that may be null, `name?: {text}` for a field that may be absent"
            )
        }
        (_, "or") => "write `|` between two alternatives".to_owned(),
        (_, "and") => "write `&` between two conditions".to_owned(),
        (name, "extends" | "with") if named => format!("write `{{ ...{name}, more: T }}`"),
        (name, "{") if named && !holds_field(case) => format!("arguments stand in `<` and `>`: `{name}<T>`"),
        (name, "{") if named => format!("to add fields to `{name}` write `{{ ...{name}, more: T }}`"),
        _ => "write `|` between two alternatives or `,` between two fields; texts are put one after another in a \
              `rule` or `output` only"
            .to_owned(),
    }
}

/// Returns whether a field or nothing follows the unexpected brace.
fn holds_field(case: &Unexpected<'_, '_>) -> bool {
    let kind = |at: usize| case.rest.get(at).map(|lexeme| lexeme.kind);
    matches!(kind(1), Some(TokenKind::RightBrace | TokenKind::Ellipsis | TokenKind::LeftBracket))
        || matches!(kind(2), Some(TokenKind::Colon | TokenKind::Question))
}

/// Diagnoses a keyword that is used like a name.
fn reserved_reference(case: &Unexpected<'_, '_>) -> Diagnostic {
    let message = format!("`{}` begins items and cannot be referred to", case.found.text);
    let help = "give the rule another name; one of an imported module is written `module.name`";
    Diagnostic::error(Code::ReservedWord, case.span(), message).help(help)
}

/// Diagnoses `0..5 & x` and `0..5[2]`.
fn range_operand(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    use TokenKind::{And, Dots, LeftBracket, Minus, Name, Number};
    let operator = matches!(case.found.kind, Minus | And | LeftBracket) && case.expects("\"|\"");
    let bound = |at: usize| case.head.iter().rev().nth(at).filter(|bound| matches!(bound.kind, Number | Name));
    let is_dots = |at: usize| case.head.iter().rev().nth(at).is_some_and(|one| one.kind == Dots);
    let (dots, last) = if is_dots(0) { (0, case.before?) } else { (1, *bound(0)?) };
    if !operator || !is_dots(dots) {
        return None;
    }
    let first = bound(dots + 1).or(case.head.iter().rev().nth(dots))?;
    let fix = Fix::new("write parentheses", Span::empty(first.start).shifted(case.base), "(")
        .and(Span::empty(last.end).shifted(case.base), ")");
    let found = Diagnostic::error(Code::BareRange, case.span(), "a range stands alone, or in parentheses");
    Some(found.help("write `(0..5)` around it to use it as an operand").fix(fix))
}

/// Diagnoses `"x" 0..5`.
fn range_in_text(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let range = matches!(case.found.kind, TokenKind::Dots | TokenKind::Ellipsis) && case.after_expression();
    let dated = |one: &Lexeme<'_>| matches!(one.text, "date" | "datetime" | "time");
    if range && case.head.iter().rev().nth(2).is_some_and(dated) {
        let found = Diagnostic::error(Code::BareRange, case.span(), "dates have no range");
        return Some(found.help("a pattern can say which: `date</2020-.*/>`"));
    }
    if range && case.after(TokenKind::String) {
        let found = Diagnostic::error(Code::BareRange, case.span(), "a range is about numbers");
        return Some(found.help("for one of several characters write a class: `/[a-z]/`"));
    }
    (range && case.found.kind == TokenKind::Dots).then(|| {
        let help = "write the number with its type, as in `int<0..5>`; a range alone may stand in parentheses";
        Diagnostic::error(Code::BareRange, case.span(), "a range cannot stand directly beside other expressions")
            .help(help)
    })
}

/// Diagnoses `0..5..9` and `0...5`.
fn doubled_dots(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let dots = case.found.kind == TokenKind::Ellipsis && case.after(TokenKind::Number);
    dots.then(|| {
        let message = "a range has two dots";
        let fix = Fix::new("write `..`", case.span(), "..");
        Diagnostic::error(Code::WrongRange, case.span(), message).help("write `..`; both ends are included").fix(fix)
    })
}

/// Diagnoses `name:? T` and `name: ?T`.
fn leading_question(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let question = case.found.kind == TokenKind::Question && case.after(TokenKind::Colon) && case.expects("\"regex\"");
    let colon = case.before.filter(|_| question)?;
    let whole = Span::new(colon.start, case.found.end).shifted(case.base);
    let fix = (colon.end == case.found.start).then(|| Fix::new("write `?:`", whole, "?:"));
    let help = "a field that may be absent is written `name?: T`, a value that may be null `T | null`";
    Some(Diagnostic::error(Code::TextOperator, case.span(), "`?` stands before nothing").help(help).fix(fix))
}

/// Diagnoses `"x", "y"` in a rule.
fn comma_in_text(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let comma = case.found.kind == TokenKind::Comma && case.text && case.after_expression();
    if comma && let Some(found) = method::arguments(case) {
        return Some(found);
    }
    comma.then(|| {
        let help = "texts follow one another without a sign; alternatives are separated by `|`";
        // Between names, the author may have meant alternatives.
        let literal = |kind| matches!(kind, TokenKind::String | TokenKind::Regex | TokenKind::Tok);
        let known = [case.before, case.after].into_iter().flatten().any(|one| literal(one.kind));
        let fix = known.then(|| Fix::new("remove this comma", case.span(), ""));
        Diagnostic::error(Code::ExtraComma, case.span(), "texts are not separated by commas").help(help).fix(fix)
    })
}

/// Diagnoses a path or text without its quotes.
fn unquoted(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let place = case.before.map(|before| before.kind);
    let (what, help) = match place {
        Some(TokenKind::From) => ("the path of an import stands in quotes", "file"),
        Some(TokenKind::Accept | TokenKind::Reject) => ("the text of a case stands in quotes", "text"),
        Some(TokenKind::Because) => ("a reason stands in quotes", "reason"),
        _ => return None,
    };
    let word = case.found.kind.is_word() || matches!(case.found.kind, TokenKind::Number | TokenKind::Regex);
    // If there are several words, the first alone is not what was meant.
    let end_of_run =
        |end: u32| case.rest.iter().find(|one| one.start >= end).is_none_or(|next| next.kind != TokenKind::Name);
    let whole = case.run.filter(|end| case.found.kind != TokenKind::Regex && end_of_run(*end));
    let end = whole.unwrap_or(case.found.end);
    let place = Span::new(case.found.start, end).shifted(case.base);
    let said: String = case.rest.iter().take_while(|one| one.end <= end).map(|one| one.text).collect();
    let quoted = whole.map(|_| Fix::new("write the quotes", place, format!("\"{said}\"")));
    let help = if quoted.is_some() { format!("write `\"{said}\"`") } else { format!("write `\"{help}\"`") };
    word.then(|| Diagnostic::error(Code::MissingQuotes, place, what).help(help).fix(quoted))
}

/// Diagnoses `name = x` in a text.
fn capture_equals(case: &Unexpected<'_, '_>) -> Option<Diagnostic> {
    let equals = case.found.kind == TokenKind::Equals && case.after(TokenKind::Name) && case.expects("\":\"");
    let name = case.before.map_or("", |before| before.text);
    equals.then(|| {
        let found = Diagnostic::error(Code::EqualsForColon, case.span(), "a capture is written with `:`");
        let found = found.fix(Fix::new("write `:`", case.span(), ":"));
        found.help(format!("write `{name}: ...`; an item begins with `rule`, `type` or `output`"))
    })
}

fn general(case: &Unexpected<'_, '_>) -> Diagnostic {
    let wanted = wanted(case.expected);
    let message = match case.before {
        Some(before) if wanted == NOTHING_TOLD => {
            format!("`{}` cannot stand after `{}`", shown(case.found.text), shown(before.text))
        }
        Some(before) => {
            format!("after `{}`, {wanted} is expected, not `{}`", shown(before.text), shown(case.found.text))
        }
        None => format!("{wanted} is expected, not `{}`", shown(case.found.text)),
    };
    let found = Diagnostic::error(Code::UnexpectedToken, case.span(), message);
    match way_out::way_out(case) {
        Some(help) => found.help(help),
        None => found,
    }
}

/// Shortens a source text for a message.
fn shown(text: &str) -> String {
    const LONGEST: usize = 24;
    if text.chars().count() <= LONGEST { text.to_owned() } else { text.chars().take(LONGEST).chain(['…']).collect() }
}

/// The word for an expected token without a better description.
const NOTHING_TOLD: &str = "something else";

/// Returns the expected terminals in words.
fn wanted(expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|e| e.trim_matches('"') == terminal);
    let mut words: Vec<String> = Vec::new();
    let expression = has("regex");
    if expression && !has("]") && !has("?") {
        words.push("an expression".to_owned());
    }
    let skipped = ["from", "as", "with"];
    for terminal in expected.iter().map(|e| e.trim_matches('"')) {
        if skipped.contains(&terminal) || has(terminal) && !expression {
            words.extend(word(terminal, has("name")));
        } else if expression && matches!(terminal, "}" | ")" | ">" | "]" | "," | "=" | ":") {
            words.push(format!("`{terminal}`"));
        }
    }
    words.sort();
    words.dedup();
    words.truncate(5);
    match words.split_last() {
        None => NOTHING_TOLD.to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

/// Returns one terminal in words; `None` if another terminal says enough.
fn word(terminal: &str, named: bool) -> Option<String> {
    match terminal {
        "name" => Some("a name".to_owned()),
        "string" => Some("a string".to_owned()),
        "number" => Some("a number".to_owned()),
        "tok" | "@name(" => None,
        "@name" => Some("an attribute".to_owned()),
        reserved if named && TokenKind::of_word(reserved) != TokenKind::Name => None,
        sign => Some(format!("`{sign}`")),
    }
}
