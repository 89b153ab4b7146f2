//! The parser of ISO 14977 EBNF.
//!
//! A syntax error ends its rule: the parser goes on after the next terminator, or at the next `name =` that begins a
//! line.

use super::iso_lex::{Bracket, Lexeme, Token};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Sink};
use crate::notation::NESTING_LIMIT;
use crate::notation::habit::doubled_bar;
use crate::pulse::step;
use crate::rules::{Expr, ExprKind, Grammar, Rule};
use crate::span::{Span, Spanned};

/// Reads all rules.
pub(super) fn grammar(lexemes: &[Lexeme], sink: &mut Sink) -> Grammar {
    let mut parser = Parser { lexemes, at: 0, depth: 0, failed: false, sink };
    let mut grammar = Grammar::default();
    while parser.at < lexemes.len() {
        parser.failed = false;
        match parser.rule() {
            Some(rule) => grammar.rules.push(rule),
            None => parser.skip_rule(),
        }
    }
    grammar
}

struct Parser<'l, 's> {
    lexemes: &'l [Lexeme],
    at: usize,
    depth: u32,
    /// Whether an error in the current rule has been reported.
    failed: bool,
    sink: &'s mut Sink,
}

impl<'l> Parser<'l, '_> {
    fn rule(&mut self) -> Option<Rule> {
        let place = self.here();
        // The lexer has reported it.
        self.failed |= self.peek() == Some(&Token::Reported);
        let Some(name) = self.name() else {
            let help = "write `name = ...;`; a comment is `(* ... *)`";
            self.fail(Code::ExpectedRule, place, "expected a rule, which begins with a name and `=`", Some(help));
            return None;
        };
        // A sign of another notation has been reported, and further signs after it may belong to it.
        let is_foreign = self.here().len() > 1;
        if !self.eat(&Token::Equals) {
            self.fail_unexpected("`=`");
            return None;
        }
        self.failed |= is_foreign;
        let body = self.alternation().unwrap_or_else(|| Expr::empty(self.here()));
        if !self.failed && !self.eat(&Token::End) {
            self.fail_end();
        }
        if self.failed {
            self.skip_rule();
        }
        Some(Rule { name, body })
    }

    /// Reads all words of a name on one line, and joins them by hyphens, because names of ISO EBNF cannot contain
    /// hyphens.
    fn name(&mut self) -> Option<Spanned<String>> {
        let Some(Token::Word(first)) = self.peek() else {
            return None;
        };
        let (mut name, mut span) = (first.clone(), self.here());
        self.at += 1;
        while let Some(Lexeme { token: Token::Word(word), span: place, starts_line: false, .. }) =
            self.lexemes.get(self.at)
        {
            name.push('-');
            name.push_str(word);
            span = span.merge(*place);
            self.at += 1;
        }
        Some(Spanned::new(name, span))
    }

    fn alternation(&mut self) -> Option<Expr> {
        let start = self.here();
        let mut arms = vec![self.sequence()?];
        while self.eat(&Token::Bar) {
            let bar = self.lexemes.get(self.at - 1).map(|bar| bar.span).unwrap_or_default();
            let next = self.here();
            if self.peek() == Some(&Token::Bar) && next.start == bar.end {
                self.sink.push(doubled_bar(bar.merge(next)));
            }
            arms.push(self.sequence()?);
        }
        Some(Expr::alternation(arms, start))
    }

    fn sequence(&mut self) -> Option<Expr> {
        let start = self.here();
        let mut items = vec![self.term()?];
        while self.peek() == Some(&Token::Comma) {
            let comma = self.here();
            self.at += 1;
            let next = self.term()?;
            // The standard allows an empty item, but an author would hardly write a comma for it.
            let first = items.first().filter(|_| items.len() == 1);
            if [first, Some(&next)].into_iter().flatten().any(|item| item.span.is_empty() && is_empty(item)) {
                self.warn_comma(comma);
            }
            items.push(next);
        }
        Some(Expr::sequence(items, start))
    }

    fn warn_comma(&mut self, comma: Span) {
        let found = Diagnostic::warning(Code::EmptyAlternative, comma, "an item is missing beside this `,`");
        self.sink.push(found.help("write the item, or remove the `,`"));
    }

    fn term(&mut self) -> Option<Expr> {
        step();
        let kept = self.factor()?;
        if !self.eat(&Token::Minus) {
            return Some(kept);
        }
        let refused = self.factor()?;
        let span = kept.span.merge(refused.span);
        Some(Expr::new(ExprKind::Exception(Box::new(kept), Box::new(refused)), span))
    }

    fn factor(&mut self) -> Option<Expr> {
        let Some(Token::Integer(digits)) = self.peek() else {
            return self.primary();
        };
        let place = self.here();
        let Ok(count) = digits.parse::<u32>() else {
            let message = format!("{digits} repetitions are too many; the limit is {}", u32::MAX);
            self.fail(Code::EbnfRepetition, place, &message, None);
            return None;
        };
        self.at += 1;
        if !self.eat(&Token::Star) {
            let help =
                "ISO EBNF has no classes such as `[0-9]`: list the characters, as in `'0' | '1'`, or use W3C EBNF";
            self.fail(Code::EbnfRepetition, place, "a number repeats what follows, as in `3 * digit`", Some(help));
            return None;
        }
        let mut repeated = self.primary()?.repeat(count, Some(count), place);
        repeated.span = repeated.span.merge(place);
        Some(repeated)
    }

    fn primary(&mut self) -> Option<Expr> {
        let place = self.here();
        let kind = match self.peek() {
            Some(Token::Open(bracket)) => return self.bracketed(*bracket),
            Some(Token::Word(_)) => return self.name_expr(),
            Some(Token::Literal(text)) => ExprKind::Literal(text.clone()),
            Some(Token::Reported) => ExprKind::Sequence(Vec::new()),
            None | Some(Token::Comma | Token::Bar | Token::Minus | Token::End | Token::Close(_)) => {
                return Some(Expr::empty(Span::empty(place.start)));
            }
            Some(Token::Integer(_) | Token::Equals | Token::Star | Token::Foreign(_) | Token::Unknown(_)) => {
                self.fail_unexpected("an item");
                return None;
            }
        };
        self.at += 1;
        Some(Expr::new(kind, place))
    }

    fn name_expr(&mut self) -> Option<Expr> {
        if self.starts_rule() {
            self.fail_end();
            return None;
        }
        self.name().map(|name| Expr::new(ExprKind::Name(name.value), name.span))
    }

    fn bracketed(&mut self, bracket: Bracket) -> Option<Expr> {
        let open = self.here();
        if self.depth >= NESTING_LIMIT {
            let message = format!("groups nest {} levels deep here; the limit is {NESTING_LIMIT}", self.depth + 1);
            self.fail(Code::NestingTooDeep, open, &message, Some("move an inner group into a rule of its own"));
            return None;
        }
        self.at += 1;
        self.depth += 1;
        let inner = self.alternation();
        self.depth -= 1;
        let inner = inner?;
        let close = self.here();
        if !self.eat(&Token::Close(bracket)) {
            self.fail_unclosed(bracket, open);
            return None;
        }
        Some(match bracket {
            Bracket::Group => Expr { span: open.merge(close), ..inner },
            Bracket::Option => enclose(inner, Some(1), open.merge(close)),
            Bracket::Repetition => enclose(inner, None, open.merge(close)),
        })
    }

    fn fail_unclosed(&mut self, bracket: Bracket, open: Span) {
        if !matches!(self.peek(), None | Some(Token::End | Token::Close(_))) && !self.starts_rule() {
            return self.fail_unexpected("`,`, `|` or a closing bracket");
        }
        let wanted = match bracket {
            Bracket::Group => ")",
            Bracket::Option => "]",
            Bracket::Repetition => "}",
        };
        let message = format!("this bracket is not closed by `{wanted}` in its rule");
        let help = match self.peek() {
            Some(Token::Close(_)) => format!("write `{wanted}` instead of the next closing bracket"),
            _ => format!("close it with `{wanted}`"),
        };
        self.fail(Code::UnclosedGroup, open, &message, Some(&help));
    }

    fn fail_end(&mut self) {
        if self.at >= self.lexemes.len() || self.starts_rule() {
            // The text that the lexer reported may contain the terminator. If one terminator is missing, all are, so
            // that is reported once.
            self.failed |= self.sink.has(Code::EbnfTerminator);
            self.failed |= self.at > 0 && self.lexemes.get(self.at - 1).is_some_and(|l| l.token == Token::Reported);
            let place = Span::empty(self.previous_end());
            return self.fail(
                Code::EbnfTerminator,
                place,
                "the rule has no `;` at its end",
                Some("end every rule with `;`"),
            );
        }
        match self.peek() {
            Some(Token::Close(_)) => self.fail(
                Code::UnmatchedParenthesis,
                self.here(),
                "this bracket closes nothing",
                Some("remove it, or open it before"),
            ),
            _ => self.fail_unexpected("`,`, `|` or `;`"),
        }
    }

    fn fail_unexpected(&mut self, wanted: &str) {
        self.failed |= self.peek() == Some(&Token::Reported);
        let place = self.here();
        let code = if matches!(self.peek(), Some(Token::Foreign(_))) {
            Code::EbnfMixedStyles
        } else {
            Code::ExpectedExpression
        };
        let help = match self.peek() {
            Some(Token::Foreign("+")) => "items are joined by `,`; once or more is `x, { x }`",
            Some(Token::Foreign(_)) => {
                "the file's first rule is written with `=`, which makes it ISO 14977: `,` between items, `;` after rules, \
                 `{ }` for repetition, `(* *)` for comments; for W3C EBNF write `::=` in every rule"
            }
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("or") => "alternatives are separated by `|`",
            Some(Token::Star) => "repetition is written `{ item }` or `3 * item`; `*` after an item is W3C EBNF",
            Some(Token::Open(_) | Token::Word(_) | Token::Literal(_)) => {
                "ISO EBNF writes `,` between the items of a sequence"
            }
            Some(Token::Unknown('~' | '^' | '&')) => {
                "what is not to stand there is taken away with `-`: `letter - \"a\"`"
            }
            Some(Token::Unknown(_)) => "write it in quotes if it is meant as text",
            _ => "a rule is `name = item, item | item;`, with `[ ]` for what may be absent and `{ }` for repetition",
        };
        self.fail(code, place, &format!("expected {wanted}"), Some(help));
    }

    fn fail(&mut self, code: Code, span: Span, message: &str, help: Option<&str>) {
        if !self.failed {
            let found = Diagnostic::error(code, span, message);
            self.sink.push(Diagnostic { help: help.map(str::to_owned), ..found });
        }
        self.failed = true;
    }

    /// Skips the rest of a rule: to the place after the next terminator, or to the beginning of the next rule.
    fn skip_rule(&mut self) {
        while self.at < self.lexemes.len() && !self.starts_rule() {
            self.at += 1;
            if self.lexemes.get(self.at - 1).is_some_and(|l| l.token == Token::End) {
                return;
            }
        }
    }

    /// Returns whether a line begins at the current lexeme with a name and a defining sign.
    fn starts_rule(&self) -> bool {
        let mut rest = self.lexemes.iter().skip(self.at);
        let first = rest.next().is_some_and(|l| l.starts_line && matches!(l.token, Token::Word(_)));
        let further_word = |l: &&Lexeme| !l.starts_line && matches!(l.token, Token::Word(_));
        let defines = |l: &Lexeme| matches!(l.token, Token::Equals | Token::Foreign("::="));
        first && rest.find(|l| !further_word(l)).is_some_and(defines)
    }

    fn peek(&self) -> Option<&'l Token> {
        self.lexemes.get(self.at).map(|l| &l.token)
    }

    fn eat(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn here(&self) -> Span {
        self.lexemes.get(self.at).map_or_else(|| Span::empty(self.previous_end()), |l| l.span)
    }

    fn previous_end(&self) -> u32 {
        let before = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        before.map(|l| l.span.end).unwrap_or_default()
    }
}

fn is_empty(item: &Expr) -> bool {
    item.kind == ExprKind::Sequence(Vec::new())
}

fn enclose(inner: Expr, max: Option<u32>, span: Span) -> Expr {
    Expr { span, ..inner.repeat(0, max, span) }
}
