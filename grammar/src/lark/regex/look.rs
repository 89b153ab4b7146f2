//! Finds the lookarounds that look only at text inside the pattern: the part of the pattern after a lookahead matches
//! at least as many characters as the lookahead needs, and the same holds for the part before a lookbehind. Such
//! lookarounds mean the same in every text.

/// Maximum nesting of groups in a pattern that is examined.
const NESTING: usize = 100;

/// Returns the offsets of the parentheses of the lookarounds that look only at text inside the pattern.
pub(super) fn inside(pattern: &str) -> Vec<usize> {
    if !["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| pattern.contains(look)) {
        return Vec::new();
    }
    let mut reader = Reader { chars: pattern.char_indices().collect(), at: 0 };
    let mut found = Vec::new();
    match reader.alternation(0) {
        Some(tree) if reader.at == reader.chars.len() => tree.collect(0, 0, &mut found),
        _ => {}
    }
    found
}

/// A part of a pattern, reduced to its lengths.
enum Part {
    Char,
    Sequence(Vec<Part>),
    Alternation(Vec<Part>),
    Repeat(Box<Part>, usize, Option<usize>),
    Look { at: usize, is_behind: bool, body: Box<Part> },
}

impl Part {
    fn least(&self) -> usize {
        match self {
            Part::Char => 1,
            Part::Sequence(parts) => parts.iter().fold(0, |sum, part| sum.saturating_add(part.least())),
            Part::Alternation(arms) => arms.iter().map(Part::least).min().unwrap_or(0),
            Part::Repeat(part, min, _) => part.least().saturating_mul(*min),
            Part::Look { .. } => 0,
        }
    }

    /// Returns the maximum length; `None` if there is none, or the part contains another lookaround.
    fn most(&self) -> Option<usize> {
        match self {
            Part::Char => Some(1),
            Part::Sequence(parts) => parts.iter().try_fold(0_usize, |sum, part| sum.checked_add(part.most()?)),
            Part::Alternation(arms) => arms.iter().try_fold(0, |most, arm| Some(most.max(arm.most()?))),
            Part::Repeat(part, _, max) => part.most()?.checked_mul((*max)?),
            Part::Look { .. } => None,
        }
    }

    /// Collects the lookarounds that need no more than the minimum lengths `before` and `after` of the text around this
    /// part.
    fn collect(&self, before: usize, after: usize, found: &mut Vec<usize>) {
        match self {
            Part::Char => {}
            Part::Sequence(parts) => {
                let mut rest = self.least().saturating_add(after);
                let mut done = before;
                for part in parts {
                    let least = part.least();
                    rest = rest.saturating_sub(least);
                    part.collect(done, rest, found);
                    done = done.saturating_add(least);
                }
            }
            Part::Alternation(arms) => arms.iter().for_each(|arm| arm.collect(before, after, found)),
            Part::Repeat(part, ..) => part.collect(before, after, found),
            Part::Look { at, is_behind, body } => {
                let room = if *is_behind { before } else { after };
                if body.most().is_some_and(|most| most <= room) {
                    found.push(*at);
                }
            }
        }
    }
}

struct Reader {
    chars: Vec<(usize, char)>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|(_, c)| *c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let ahead = self.chars.iter().skip(self.at).map(|(_, c)| *c);
        let found = ahead.take(text.chars().count()).eq(text.chars());
        self.at += if found { text.chars().count() } else { 0 };
        found
    }

    /// Reads alternatives up to the end or a closing parenthesis; `None` if a construct is not understood.
    fn alternation(&mut self, depth: usize) -> Option<Part> {
        if depth > NESTING {
            return None;
        }
        let mut arms = vec![self.sequence(depth)?];
        while self.eat("|") {
            arms.push(self.sequence(depth)?);
        }
        Some(Part::Alternation(arms))
    }

    fn sequence(&mut self, depth: usize) -> Option<Part> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek().filter(|c| !matches!(c, '|' | ')')) {
            let at = self.chars.get(self.at)?.0;
            self.at += 1;
            let part = match c {
                '(' => self.group(at, depth)?,
                '[' => self.class()?,
                '\\' => self.escape()?,
                '^' | '$' => Part::Sequence(Vec::new()),
                _ => Part::Char,
            };
            parts.push(self.repeated(part)?);
        }
        Some(Part::Sequence(parts))
    }

    fn group(&mut self, at: usize, depth: usize) -> Option<Part> {
        let look = [("?=", false), ("?!", false), ("?<=", true), ("?<!", true)];
        let look = look.iter().find(|(sign, _)| self.eat(sign)).map(|(_, is_behind)| *is_behind);
        if look.is_none() && self.eat("?") && !self.eat(":") {
            return None;
        }
        let body = self.alternation(depth + 1)?;
        if !self.eat(")") {
            return None;
        }
        Some(match look {
            Some(is_behind) => Part::Look { at, is_behind, body: Box::new(body) },
            None => body,
        })
    }

    fn class(&mut self) -> Option<Part> {
        self.eat("^");
        let mut first = true;
        while first || self.peek() != Some(']') {
            self.at += if self.peek()? == '\\' { 2 } else { 1 };
            first = false;
        }
        self.at += 1;
        Some(Part::Char)
    }

    /// Reads an escape. A numeric escape is longer, but all that matters is that it stands for one character.
    fn escape(&mut self) -> Option<Part> {
        let letter = self.peek()?;
        self.at += 1;
        let digits = match letter {
            'b' | 'B' | 'A' | 'Z' | 'z' => return Some(Part::Sequence(Vec::new())),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            'p' | 'P' | 'N' | '0'..='9' => return None,
            _ => 0,
        };
        for _ in 0..digits {
            self.peek().filter(char::is_ascii_hexdigit)?;
            self.at += 1;
        }
        Some(Part::Char)
    }

    fn repeated(&mut self, mut part: Part) -> Option<Part> {
        while let Some(sign) = self.peek() {
            let (min, max) = match sign {
                '*' => (0, None),
                '+' => (1, None),
                '?' => (0, Some(1)),
                '{' => return None,
                _ => break,
            };
            self.at += 1;
            part = Part::Repeat(Box::new(part), min, max);
        }
        Some(part)
    }
}
