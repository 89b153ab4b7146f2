//! Rust's tokens, as far as imports need them: names, `::` and punctuation. Comments, literals and items for tests are left out.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    /// `::`
    Path,
    Sign(char),
}

/// Reads a source, without items under `#[cfg(test)]`.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    without_tests(&all_tokens(source))
}

fn all_tokens(source: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = source.chars().peekable();
    while let Some(first) = rest.next() {
        match first {
            '/' if rest.peek() == Some(&'/') => {
                rest.by_ref().take_while(|c| *c != '\n').for_each(drop);
            }
            '"' => skip_string(&mut rest),
            '\'' => skip_character_or_lifetime(&mut rest),
            ':' if rest.next_if_eq(&':').is_some() => found.push(Token::Path),
            c if c.is_alphabetic() || c == '_' => {
                let mut name = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                match (name.as_str(), rest.peek()) {
                    ("r" | "br", Some('"' | '#')) => skip_raw_string(&mut rest),
                    ("b" | "c", Some('"' | '\'')) => {}
                    _ => found.push(Token::Name(name)),
                }
            }
            c if c.is_whitespace() || c.is_ascii_digit() => {}
            sign => found.push(Token::Sign(sign)),
        }
    }
    found
}

fn skip_string(rest: &mut Peekable<Chars>) {
    while let Some(c) = rest.next() {
        match c {
            '\\' => drop(rest.next()),
            '"' => return,
            _ => {}
        }
    }
}

/// Skips `r#"..."#` after its `r`; a name such as `r#name` stays a name.
fn skip_raw_string(rest: &mut Peekable<Chars>) {
    let mut hashes = 0;
    while rest.next_if_eq(&'#').is_some() {
        hashes += 1;
    }
    if rest.next_if_eq(&'"').is_none() {
        return;
    }
    while let Some(c) = rest.next() {
        if c == '"' && (0..hashes).all(|_| rest.next_if_eq(&'#').is_some()) {
            return;
        }
    }
}

fn skip_character_or_lifetime(rest: &mut Peekable<Chars>) {
    match rest.next() {
        Some('\\') => {
            rest.next();
            rest.by_ref().take_while(|c| *c != '\'').for_each(drop);
        }
        Some(_) if rest.next_if_eq(&'\'').is_some() => {}
        Some(_) | None => while rest.next_if(|c| c.is_alphanumeric() || *c == '_').is_some() {},
    }
}

fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let name = |text: &str| Token::Name(text.to_owned());
    let mark = [Token::Sign('#'), Token::Sign('['), name("cfg"), Token::Sign('('), name("test"), Token::Sign(')')];
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].starts_with(&mark) {
            at += mark.len();
            at = end_of_item(tokens, at + 1);
        } else {
            found.push(tokens[at].clone());
            at += 1;
        }
    }
    found
}

/// Returns the end of the item that begins at `at`: after its `;`, or after its outermost braces.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let mut open = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token {
            Token::Sign('{' | '(' | '[') => open += 1,
            Token::Sign(')' | ']') => open -= 1,
            Token::Sign('}') => {
                open -= 1;
                if open == 0 {
                    return at;
                }
            }
            Token::Sign(';') if open == 0 => return at,
            _ => {}
        }
    }
    at
}

#[test]
fn comments_literals_and_tests_are_no_tokens() {
    let source =
        "use a::b; // c\nlet 'd' = \"e\\\"\" + r#\"f\"\"#;\n#[cfg(test)] mod g { use h; }\nfn i<'jj>(k: &'static l) {}";
    let names: Vec<String> = tokens(source)
        .into_iter()
        .filter_map(|token| if let Token::Name(name) = token { Some(name) } else { None })
        .collect();
    assert_eq!(names, ["use", "a", "b", "let", "fn", "i", "k", "l"]);
}
