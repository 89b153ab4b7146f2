//! Reads which brackets are open before a cursor, and their content.

use ogc_grammar::ogc::token::TokenKind;

use super::{Frame, Open, Walk};

impl Walk<'_> {
    /// Opens and closes the brackets before the cursor.
    pub(super) fn read_brackets(&mut self) {
        for index in 0..self.before {
            let Some(kind) = self.kind(index) else { break };
            if kind.is_keyword() && self.keyword.is_none() && self.frames.is_empty() {
                self.keyword = Some(index);
                self.segment = index + 1;
            } else if kind.closer().is_some() {
                let frame = Frame { open: self.opened(index, kind), start: index, segment: index + 1, commas: 0 };
                self.frames.push(frame);
            } else if kind.is_closer() {
                self.close(index, kind);
            } else if kind == TokenKind::Comma {
                match self.frames.last_mut() {
                    Some(frame) => (frame.segment, frame.commas) = (index + 1, frame.commas + 1),
                    None => self.segment = index + 1,
                }
            }
        }
    }

    /// Closes the innermost bracket that matches, and all brackets inside it; a bracket that matches none is ignored.
    fn close(&mut self, index: usize, kind: TokenKind) {
        let opened = |frame: &Frame| self.all.get(frame.start).and_then(|token| token.kind.closer());
        let Some(at) = self.frames.iter().rposition(|frame| opened(frame) == Some(kind)) else { return };
        if self.frames.get(at).is_some_and(|frame| matches!(frame.open, Open::Attribute(_))) {
            self.attribute_ends.push(index);
        }
        self.frames.truncate(at);
    }

    /// Returns the kind of content of the bracket that opens at `index`.
    fn opened(&self, index: usize, kind: TokenKind) -> Open {
        let outer = self.frames.last().map(|frame| &frame.open);
        let in_json = matches!(outer, Some(Open::Cases | Open::JsonObject | Open::JsonArray));
        match kind {
            TokenKind::AttributeOpen => Open::Attribute(self.written(index).trim_matches(['@', '(']).to_owned()),
            TokenKind::LeftBrace if in_json => Open::JsonObject,
            TokenKind::LeftBracket if in_json => Open::JsonArray,
            TokenKind::LeftBrace => match (outer, self.item_keyword()) {
                (None, Some(TokenKind::Test)) => Open::Cases,
                (None, Some(TokenKind::Import)) if self.follows(index, "with") => Open::Overrides,
                _ => Open::Record,
            },
            TokenKind::LeftBracket => match outer {
                Some(Open::Record) if self.begins_member(index) => Open::KeySet,
                _ => Open::Bounds,
            },
            TokenKind::Less => match self.keyword {
                Some(keyword) if self.frames.is_empty() && index == keyword + 2 => Open::Parameters,
                _ => Open::Arguments(self.path_before(index).unwrap_or_default()),
            },
            _ => Open::Group,
        }
    }

    fn follows(&self, index: usize, word: &str) -> bool {
        index.checked_sub(1).is_some_and(|before| self.written(before) == word)
    }

    /// Returns whether a member of a record begins at `index`.
    fn begins_member(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return false };
        matches!(self.kind(before), Some(TokenKind::LeftBrace | TokenKind::Comma)) || self.ends_attribute(before)
    }

    /// Returns the names of the path that ends before `index`: `module` and `name` of `module.name`.
    pub(crate) fn path_before(&self, index: usize) -> Option<Vec<String>> {
        Some(self.path_ending(index)?.0)
    }

    /// Returns the path that ends before `index`, and the index of its first token.
    pub(crate) fn path_ending(&self, index: usize) -> Option<(Vec<String>, usize)> {
        let mut at = index.checked_sub(1)?;
        let mut path = vec![self.name(at)?];
        while let Some(dot) = at.checked_sub(1).filter(|dot| self.is(*dot, TokenKind::Dot)) {
            at = dot.checked_sub(1)?;
            path.insert(0, self.name(at)?);
        }
        Some((path, at))
    }

    /// Returns the name in a token: a word, or a string after a dot.
    fn name(&self, index: usize) -> Option<String> {
        let kind = self.all.get(index)?.kind;
        let behind_dot = || index.checked_sub(1).is_some_and(|before| self.is(before, TokenKind::Dot));
        match kind {
            kind if kind.is_word() => Some(self.written(index).to_owned()),
            TokenKind::String if behind_dot() => Some(self.written(index).trim_matches(['"', '\'']).to_owned()),
            _ => None,
        }
    }

    /// Returns the paths of the operands before `index` that `&` joins to the operand there: `A` and `B` in
    /// `A & { ... } & B & `.
    pub(crate) fn joined_before(&self, index: usize) -> Vec<Vec<String>> {
        let (mut found, mut at) = (Vec::new(), index);
        while let Some(end) = at.checked_sub(1).filter(|and| self.is(*and, TokenKind::And)) {
            let Some(start) = self.operand_before(end, &mut found) else { break };
            at = start;
        }
        found
    }

    /// Skips the operand that ends before `index`; returns the index of its first token. A path is added to `found`.
    fn operand_before(&self, index: usize, found: &mut Vec<Vec<String>>) -> Option<usize> {
        let last = index.checked_sub(1)?;
        let open = match self.all.get(last)?.kind {
            TokenKind::Greater | TokenKind::RightBrace | TokenKind::RightParen => self.opener_of(last)?,
            _ => index,
        };
        match self.all.get(last)?.kind {
            TokenKind::RightBrace | TokenKind::RightParen => Some(open),
            _ => {
                let (path, start) = self.path_ending(open)?;
                found.push(path);
                Some(start)
            }
        }
    }

    /// Returns the index of the bracket that the one at `index` closes.
    fn opener_of(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..=index).rev() {
            let kind = self.all.get(at)?.kind;
            if kind.is_closer() {
                depth += 1;
            } else if kind.closer().is_some() {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Returns the names of the members directly in a frame's bracket, before and after the cursor, except the one at
    /// the cursor.
    pub(crate) fn keys_in(&self, frame: &Frame) -> Vec<&str> {
        let (mut keys, mut depth) = (Vec::new(), 0_usize);
        for (index, token) in self.all.iter().enumerate().skip(frame.start + 1) {
            let kind = token.kind;
            if kind.closer().is_some() {
                depth += 1;
            } else if kind.is_closer() {
                let Some(less) = depth.checked_sub(1) else { break };
                depth = less;
            }
            let named =
                self.all.get(index + 1).is_some_and(|next| matches!(next.kind, TokenKind::Colon | TokenKind::Question));
            let at_cursor = token.span.start <= self.position.offset && self.position.offset <= token.span.end;
            if depth == 0 && named && !at_cursor && (kind.is_word() || kind == TokenKind::String) {
                keys.push(self.written(index).trim_matches(['"', '\'']));
            }
        }
        keys
    }

    /// Returns the paths that are spread directly in a frame's bracket, before the cursor.
    pub(crate) fn spreads_in(&self, frame: &Frame) -> Vec<Vec<String>> {
        let (mut found, mut depth) = (Vec::new(), 0_usize);
        for index in frame.start + 1..self.before {
            let Some(kind) = self.kind(index) else { break };
            if kind.closer().is_some() {
                depth += 1;
            } else if kind.is_closer() {
                depth = depth.saturating_sub(1);
            } else if kind == TokenKind::Ellipsis && depth == 0 {
                let end = (index + 1..self.before).find(|at| {
                    self.kind(*at)
                        .is_some_and(|kind| matches!(kind, TokenKind::Comma | TokenKind::Less | TokenKind::RightBrace))
                });
                found.extend(self.path_before(end.unwrap_or(self.before)));
            }
        }
        found
    }
}
