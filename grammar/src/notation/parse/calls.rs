//! Calls of xgrammar's dialect: `Regex`, `Substring`, `TagDispatch`, `Token` and the others.
//!
//! A `TagDispatch` is free text up to a tag, followed by the tag's rule. Call the tags and the excluded texts hits. The
//! stretch up to a tag `t` is every text that ends with `t` and in which no hit ends earlier: `(.* t) - (.* hit .+)`.
//! The last stretch is every text without a hit: `.* - (.* hit .*)`.

use super::Parser;
use super::arguments::{Argument, ArgumentValue, Arguments};
use super::xgrammar_regex::{self, RegexFlags};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::rules::{Expr, ExprKind, Rule, TokenSet, VocabularyToken, nearest};
use crate::span::{Span, Spanned};

impl Parser<'_, '_> {
    /// Reads a call; the parser is at its name. `None` after an error, which is reported.
    pub(super) fn call(&mut self, name: &str) -> Option<Expr> {
        let start = self.here();
        self.at += 1;
        let arguments = self.arguments()?;
        let whole = start.merge(arguments.span);
        let made = match name {
            "Regex" => regex(&arguments, whole),
            "Substring" => substring(&arguments, whole),
            "TagDispatch" => self.tag_dispatch(&arguments, whole),
            "Token" => tokens(&arguments, whole),
            "ExcludeToken" => other_token(&arguments, whole),
            "TokenTagDispatch" => token_dispatch(&arguments, whole),
            _ => Err(any_token(name, whole)),
        };
        // The call has been read completely, so the rule continues after it.
        Some(made.unwrap_or_else(|found| {
            self.sink.push(*found);
            Expr::empty(whole)
        }))
    }

    fn tag_dispatch(&mut self, arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
        let mut tags = Vec::new();
        for argument in &arguments.positional {
            tags.push(tag(argument)?);
        }
        let (mut loops, mut excluded) = (true, Vec::new());
        for (name, value) in &arguments.named {
            match (name.value.as_str(), &value.value) {
                ("loop_after_dispatch", ArgumentValue::Bool(given)) => loops = *given,
                ("excludes", ArgumentValue::Tuple(values)) => excluded = texts(values)?,
                _ => {
                    let help = "write `loop_after_dispatch=false` or `excludes=(\"text\",)`";
                    return Err(wrong_argument("TagDispatch", name, value, &["loop_after_dispatch", "excludes"], help));
                }
            }
        }
        check_hits(&tags, &excluded)?;
        Ok(self.dispatched(&tags, &excluded, loops, whole))
    }

    /// Builds the expression of a dispatch.
    fn dispatched(&mut self, tags: &[Tag], excluded: &[Argument], loops: bool, whole: Span) -> Expr {
        let any = || Expr::new(ExprKind::Any, whole).repeat(0, None, whole);
        let mut hits: Vec<Expr> = tags.iter().map(|tag| literal(&tag.text)).collect();
        hits.extend(
            excluded.iter().filter_map(|one| Some(Expr::new(ExprKind::Literal(one.text()?.to_owned()), one.span))),
        );
        if hits.is_empty() {
            return any();
        }
        let hit = self.helper("hit", Expr::alternation(hits, whole), whole);
        let sequence = |items: Vec<Expr>| Expr::sequence(items, whole);
        let without =
            |kept: Expr, refused: Expr| Expr::new(ExprKind::Exception(Box::new(kept), Box::new(refused)), whole);
        let longer = || Expr::new(ExprKind::Any, whole).repeat(1, None, whole);
        let early = self.helper("early", sequence(vec![any(), hit.clone(), longer()]), whole);
        let arms = tags.iter().map(|tag| {
            let stretch = without(sequence(vec![any(), literal(&tag.text)]), early.clone());
            let rule = Expr::new(ExprKind::Name(tag.rule.value.clone()), tag.rule.span);
            sequence(vec![stretch, rule])
        });
        let dispatch = Expr::alternation(arms.collect(), whole);
        let last = without(any(), sequence(vec![any(), hit, any()]));
        match (tags.is_empty(), loops) {
            (true, _) => last,
            (false, true) => sequence(vec![dispatch.repeat(0, None, whole), last]),
            (false, false) => Expr::alternation(vec![dispatch, last], whole),
        }
    }

    /// Makes a rule of an expression that is used in several places; returns a reference to it. Its name has a `%`, so
    /// it cannot clash with names in the file.
    fn helper(&mut self, kind: &str, body: Expr, whole: Span) -> Expr {
        let name = format!("{kind}%{}", self.made.len() + 1);
        self.made.push(Rule { name: Spanned::new(name.clone(), whole), body });
        Expr::new(ExprKind::Name(name), whole)
    }
}

impl Argument {
    fn text(&self) -> Option<&str> {
        if let ArgumentValue::Text(text) = &self.value { Some(text) } else { None }
    }
}

/// A tag of a dispatch, and the rule after it.
struct Tag {
    text: Spanned<String>,
    rule: Spanned<String>,
}

fn literal(text: &Spanned<String>) -> Expr {
    Expr::new(ExprKind::Literal(text.value.clone()), text.span)
}

fn tag(argument: &Argument) -> Result<Tag, Box<Diagnostic>> {
    let ArgumentValue::Tuple(pair) = &argument.value else { return Err(no_pair(argument.span)) };
    let [text, rule] = pair.as_slice() else { return Err(no_pair(argument.span)) };
    match (&text.value, &rule.value) {
        (ArgumentValue::Text(tag), ArgumentValue::Name(name)) if !tag.is_empty() => {
            Ok(Tag { text: Spanned::new(tag.clone(), text.span), rule: Spanned::new(name.clone(), rule.span) })
        }
        _ => Err(no_pair(argument.span)),
    }
}

fn no_pair(span: Span) -> Box<Diagnostic> {
    wrong(span, "`TagDispatch` takes pairs of a tag and a rule", "write `(\"<tool>\", tool)`, where `tool` is a rule")
}

fn texts(values: &[Argument]) -> Result<Vec<Argument>, Box<Diagnostic>> {
    match values.iter().find(|one| one.text().is_none_or(str::is_empty)) {
        Some(other) => {
            Err(wrong(other.span, "an excluded text is a text that is not empty", "write `excludes=(\"text\",)`"))
        }
        None => Ok(values.to_vec()),
    }
}

/// Rejects tags that contain another tag or an excluded text, which would be hit first.
fn check_hits(tags: &[Tag], excluded: &[Argument]) -> Result<(), Box<Diagnostic>> {
    let all = tags.iter().map(|tag| (tag.text.value.as_str(), tag.text.span, "tag"));
    let all: Vec<_> =
        all.chain(excluded.iter().filter_map(|one| Some((one.text()?, one.span, "excluded text")))).collect();
    for tag in tags {
        let inside = all.iter().find(|(text, _, _)| *text != tag.text.value && tag.text.value.contains(text));
        if let Some((text, span, what)) = inside {
            let message =
                format!("the {what} `{text}` stands in the tag `{}`, which therefore never comes", tag.text.value);
            let found = Diagnostic::error(Code::GbnfMacro, tag.text.span, message).label(*span, "it comes first");
            return Err(Box::new(found.help("leave the shorter one, and tell the cases apart in its rule")));
        }
        if let Some((_, span, _)) = all.iter().find(|(text, _, what)| *text == tag.text.value && *what != "tag") {
            let message = format!("`{}` is a tag and excluded", tag.text.value);
            return Err(Box::new(Diagnostic::error(Code::GbnfMacro, *span, message).help("remove one of the two")));
        }
    }
    Ok(())
}

fn regex(arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    let pattern = match arguments.positional.as_slice() {
        [one] => one.text().map(|text| (text, one.span)),
        _ => None,
    };
    let Some((pattern, span)) = pattern else {
        return Err(wrong(whole, "`Regex` takes one text, the pattern", "write `Regex(\"[0-9]+\")`"));
    };
    let mut flags = RegexFlags { dot_all: true, ..RegexFlags::default() };
    let mut json_string = false;
    for (name, value) in &arguments.named {
        match (name.value.as_str(), &value.value) {
            ("json_string", ArgumentValue::Bool(given)) => json_string = *given,
            ("flags", ArgumentValue::Text(given)) if given.chars().all(|c| "isu".contains(c)) => {
                flags = RegexFlags { ignore_case: given.contains('i'), dot_all: given.contains('s') };
            }
            _ => {
                let help = "write `json_string=true`, or `flags=\"i\"`, `\"s\"` or `\"is\"`";
                return Err(wrong_argument("Regex", name, value, &["json_string", "flags"], help));
            }
        }
    }
    let translated =
        xgrammar_regex::translate(pattern, flags).map_err(|error| wrong(span, &error.message, error.help))?;
    let body = Expr::new(ExprKind::Regex(translated), span);
    if !json_string {
        return Ok(Expr { span: whole, ..body });
    }
    // Excludes the characters that a JSON string must escape.
    let any = || Expr::new(ExprKind::Any, whole).repeat(0, None, whole);
    let escaped =
        Expr::new(ExprKind::Class { negated: false, ranges: vec![('\0', '\u{1f}'), ('"', '"'), ('\\', '\\')] }, whole);
    let refused = Expr::sequence(vec![any(), escaped, any()], whole);
    Ok(Expr::new(ExprKind::Exception(Box::new(body), Box::new(refused)), whole))
}

fn substring(arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    let help = "write `Substring(\"one\", \"two\")`";
    if let Some((name, _)) = arguments.named.first() {
        return Err(wrong(name.span, "`Substring` takes no named arguments", help));
    }
    let chunks: Option<Vec<String>> = arguments.positional.iter().map(|one| one.text().map(str::to_owned)).collect();
    match chunks {
        Some(chunks) => Ok(Expr::new(ExprKind::Substring(chunks), whole)),
        None => Err(wrong(whole, "`Substring` takes texts", help)),
    }
}

fn tokens(arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    let numbered = |one: &Argument| match one.value {
        ArgumentValue::Number(number) => Some(Expr::new(ExprKind::Token(VocabularyToken::numbered(number)), one.span)),
        _ => None,
    };
    let all: Option<Vec<Expr>> = arguments.positional.iter().map(numbered).collect();
    match all.filter(|all| !all.is_empty() && arguments.named.is_empty()) {
        Some(all) => Ok(Expr { span: whole, ..Expr::alternation(all, whole) }),
        None => {
            Err(wrong(whole, "`Token` takes numbers of tokens", "write `Token(128010)`, or name it: `<|python_tag|>`"))
        }
    }
}

/// Builds `ExcludeToken(1, 2)`: one token other than these.
fn other_token(arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    let numbered = |one: &Argument| match one.value {
        ArgumentValue::Number(number) => Some((number, number)),
        _ => None,
    };
    let all: Option<Vec<(u32, u32)>> = arguments.positional.iter().map(numbered).collect();
    match all.filter(|all| !all.is_empty() && arguments.named.is_empty()) {
        Some(all) => Ok(Expr::new(ExprKind::Token(VocabularyToken::Except(TokenSet::Numbered(all))), whole)),
        None => Err(wrong(whole, "`ExcludeToken` takes numbers of tokens", "write `ExcludeToken(128010)`")),
    }
}

/// Builds free text up to a token, followed by the token's rule. Free text contains no special tokens, so no hit can
/// end it early.
fn token_dispatch(arguments: &Arguments, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    let mut loops = true;
    for (name, value) in &arguments.named {
        match (name.value.as_str(), &value.value) {
            ("loop_after_dispatch", ArgumentValue::Bool(given)) => loops = *given,
            ("excludes", ArgumentValue::Tuple(_)) => {
                let message = "free text is characters, in which no special token comes: there is none to exclude";
                return Err(wrong(name.span, message, "leave `excludes` out; texts are excluded by `TagDispatch`"));
            }
            _ => {
                let help = "write `loop_after_dispatch=false`";
                return Err(wrong_argument("TokenTagDispatch", name, value, &["loop_after_dispatch"], help));
            }
        }
    }
    let any = || Expr::new(ExprKind::Any, whole).repeat(0, None, whole);
    let mut arms = Vec::new();
    for argument in &arguments.positional {
        let ArgumentValue::Tuple(pair) = &argument.value else { return Err(no_token_pair(argument.span)) };
        let [token, rule] = pair.as_slice() else { return Err(no_token_pair(argument.span)) };
        let (ArgumentValue::Number(number), ArgumentValue::Name(name)) = (&token.value, &rule.value) else {
            return Err(no_token_pair(argument.span));
        };
        let token = Expr::new(ExprKind::Token(VocabularyToken::numbered(*number)), token.span);
        let rule = Expr::new(ExprKind::Name(name.clone()), rule.span);
        arms.push(Expr::sequence(vec![any(), token, rule], whole));
    }
    if arms.is_empty() {
        return Ok(any());
    }
    let dispatch = Expr::alternation(arms, whole);
    Ok(match loops {
        true => Expr::sequence(vec![dispatch.repeat(0, None, whole), any()], whole),
        false => Expr::alternation(vec![dispatch, any()], whole),
    })
}

fn no_token_pair(span: Span) -> Box<Diagnostic> {
    let help = "write `(128010, tool)`, where `tool` is a rule";
    wrong(span, "`TokenTagDispatch` takes pairs of a token's number and a rule", help)
}

fn any_token(name: &str, whole: Span) -> Box<Diagnostic> {
    let message = format!("xgrammar has no `{name}`");
    let help = "any token but some is `ExcludeToken(1, 2)`, any text `[^]*`, text up to a tag `TagDispatch((\"<tool>\", tool))`";
    wrong(whole, &message, help)
}

/// Returns the error about an argument: the value is wrong if `known` has its name, otherwise the name is unknown.
fn wrong_argument(
    call: &str,
    name: &Spanned<String>,
    value: &Argument,
    known: &[&str],
    help: &'static str,
) -> Box<Diagnostic> {
    if !known.contains(&name.value.as_str()) {
        let message = format!("`{call}` has no argument `{}`", name.value);
        return match nearest(&name.value, known.iter().copied()) {
            Some(meant) => wrong(name.span, &message, &format!("did you mean `{meant}`?")),
            None => wrong(name.span, &message, help),
        };
    }
    let message = format!("`{}` does not take this value", name.value);
    match &value.value {
        ArgumentValue::Name(word) if matches!(word.as_str(), "False" | "True" | "FALSE" | "TRUE") => {
            wrong(value.span, &message, &format!("write `{}`", word.to_lowercase()))
        }
        _ => wrong(value.span, &message, help),
    }
}

fn wrong(span: Span, message: &str, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::GbnfMacro, span, message).help(help))
}
