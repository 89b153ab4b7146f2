//! Shows the outcomes of `ogc run` for people and machines.

use std::path::Path;

use always_assert::never;
use ariadne::{Color, ReportKind};
use ogc_compiler::db::lines;
use ogc_compiler::pipeline::Format;
use ogc_grammar::Span;
use ogc_runtime::captures::Capture;
use ogc_workbench::attempt::{OpenRule, Reason, Refused, Trial, greedy_pieces, open_rules};
use ogc_workbench::describe::show;
use ogc_workbench::vocabulary::BUILT_IN;
use ogc_workbench::words::{counted, part_of};

use super::captures;
use crate::message::{self, Counts, MatchResult, Message, RefusedToken};
use crate::output::Output;
use crate::problem::Problem;
use crate::render::drawing::{Drawing, SourceLabel};
use crate::render::{self, LONG_LINE};
use crate::session::Session;
use crate::source::Text;
use crate::visible::visible;

/// Maximum number of rules of the stack shown in full.
const SHOWN_FRAMES: usize = 8;

/// The token that contains the refused byte: its start in the text, and its bytes.
pub(super) struct Token {
    start: usize,
    bytes: Vec<u8>,
}

/// A matched text.
pub(super) struct MatchedText<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
    pub(super) text: &'a [u8],
    /// Its line, if there are several texts.
    pub(super) line: Option<usize>,
    /// Whether a trailing line break was ignored.
    pub(super) ignored: bool,
}

/// Writes the numbers of accepted and refused texts.
pub(super) fn summary(texts: usize, refused: usize, output: &Output) -> Result<(), Problem> {
    let accepted = texts - refused;
    let counts = Counts { texts: Some(texts), accepted: Some(accepted), refused: Some(refused), ..Counts::default() };
    let words = match (texts, refused) {
        (1, 0) => "the text is accepted".to_owned(),
        (_, 0) => format!("all {texts} texts are accepted"),
        (1, _) => "the text is refused".to_owned(),
        (_, _) => format!("{accepted} of {texts} texts are accepted"),
    };
    Ok(output.summary(counts, || words)?)
}

impl MatchedText<'_> {
    /// Shows an accepted text. If there are several texts, people are shown only the refused ones.
    pub(super) fn good(&self, captures: &[Capture], output: &Output) -> Result<(), Problem> {
        if output.is_json() {
            let captures = Some(captures::captured(captures, self.text));
            let (line, ignored_line_break) = (self.line, self.ignored);
            let accepted = self.text.len();
            let result =
                MatchResult { line, ignored_line_break, accepted, complete: true, captures, ..MatchResult::default() };
            return Ok(output.say(&Message::Match(result))?);
        }
        self.say_ignored(output)?;
        if self.line.is_some() {
            return Ok(());
        }
        output.line(format!("accepted: the whole text, {}", counted(self.text.len(), "byte")))?;
        if !captures.is_empty() {
            output.line("captured:")?;
        }
        for line in captures::lines(captures, self.text) {
            output.line(line)?;
        }
        Ok(())
    }

    fn say_ignored(&self, output: &Output) -> Result<(), Problem> {
        if self.ignored {
            output.aside("note: the text ends with a line break that the format does not allow; it was ignored (`--exact` counts it)")?;
        }
        Ok(())
    }

    /// Shows a refused text.
    pub(super) fn bad(&self, refused: &Refused, token: Option<Token>, output: &Output) -> Result<(), Problem> {
        if output.is_json() {
            return Ok(output.say(&self.object(refused, token))?);
        }
        self.say_ignored(output)?;
        if let Some(line) = self.line {
            let Reason { message, help, .. } = &refused.reason;
            let help = help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            return Ok(output.line(format!("line {line}: {message}{help}"))?);
        }
        self.people(refused, token, output)
    }

    fn object(&self, refused: &Refused, token: Option<Token>) -> Message {
        let Refused { accepted, position, reason } = refused;
        let lines = lines(&self.session.db, self.format.file);
        let rules = self
            .rules(refused)
            .into_iter()
            .map(|(rule, span)| message::OpenRule { rule, span: span.map(|span| render::place(lines, span)) });
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let token = token.map(|Token { start, bytes }| RefusedToken { start, text: text(&bytes) });
        Message::Match(MatchResult {
            line: self.line,
            ignored_line_break: self.ignored,
            accepted: *accepted,
            complete: false,
            captures: None,
            reason: reason.code.map(|code| code.name().to_owned()),
            message: Some(reason.message.clone()),
            help: reason.help.clone(),
            at: Some(reason.at),
            path: reason.path.clone(),
            keys: Some(reason.keys.clone()),
            words: Some(reason.words.clone()),
            expected: Some(position.expected.clone()),
            tokens: Some(position.tokens.clone()),
            may_end: Some(position.may_end),
            rules: Some(rules.collect()),
            token,
        })
    }

    /// Returns the open rules, innermost first, with their places in the format's own file.
    fn rules(&self, refused: &Refused) -> Vec<(String, Option<Span>)> {
        let own = |OpenRule { name, place }| {
            let place = place.filter(|(file, _)| *file == self.format.file);
            (name, place.map(|(_, span)| span))
        };
        open_rules(&self.session.db, self.format, &refused.position).into_iter().map(own).collect()
    }

    /// Returns the token that contains a byte: a token of the vocabulary that counts tokens, otherwise of the built-in
    /// one.
    pub(super) fn token(&self, trial: &Trial, byte: usize) -> Option<Token> {
        let pieces = match trial.counts() {
            true => trial.pieces(self.text)?,
            false => {
                let built_in = self.session.vocabulary(Some(Path::new(BUILT_IN)), self.format.file);
                let store = built_in.inspect_err(|error| never!("the built-in vocabulary: {}", error)).ok()?;
                greedy_pieces(&store.store(&self.session.db), self.text)
            }
        };
        let piece = pieces.into_iter().find(|piece| piece.end > byte)?;
        Some(Token { start: piece.start, bytes: self.text.get(piece.start..piece.end)?.to_vec() })
    }

    fn people(&self, refused: &Refused, token: Option<Token>, output: &Output) -> Result<(), Problem> {
        let rules = self.rules(refused);
        let place = rules.first().and_then(|(_, span)| *span);
        output.drawn(self.report(refused, place, output).trim_end())?;
        output.line(format!("accepted: {}", part_of(refused.accepted, self.text.len(), "byte")))?;
        output.line(format!("expected: {}", refused.reason.expected))?;
        self.show_rules(&rules, refused.position.depth, output)?;
        if let Some(Token { start, bytes }) = token {
            let inside = refused.accepted.saturating_sub(start);
            let what = match inside {
                0 => "is refused from its first byte".to_owned(),
                _ => format!("is refused after {}", counted(inside, "byte")),
            };
            output.line(format!("token:    \"{}\" at byte {start} {what}", show(&bytes)))?;
        }
        Ok(())
    }

    fn show_rules(&self, rules: &[(String, Option<Span>)], depth: usize, output: &Output) -> Result<(), Problem> {
        let source = self.session.text(self.format.file);
        for (number, (rule, place)) in rules.iter().take(SHOWN_FRAMES).enumerate() {
            let word = if number == 0 { "inside:  " } else { "         " };
            let place = place.map_or_else(String::new, |span| format!("  {}", render::cited(source, span)));
            output.line(format!("{word} {rule}{place}"))?;
        }
        if let Some(more) = depth.checked_sub(SHOWN_FRAMES).filter(|more| *more > 0) {
            output.line(format!("          and {} around it", counted(more, "more rule")))?;
        }
        Ok(())
    }

    /// Draws the text with a label at the start of the mistake, and the source of the rule that refuses it.
    fn report(&self, refused: &Refused, place: Option<Span>, output: &Output) -> String {
        let Refused { accepted, reason, .. } = refused;
        let (source, text) = (self.session.text(self.format.file), String::from_utf8_lossy(self.text));
        let short = |text: &str| text.lines().all(|line| line.len() < LONG_LINE);
        if !short(&text) {
            let help = reason.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
            return visible(&format!("error: {}{help}", reason.message)).into_owned();
        }
        let start = lossy_offset(self.text, reason.at);
        let end = text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8());
        let here = SourceLabel {
            source: 0,
            range: start..end.max(lossy_offset(self.text, *accepted)),
            colour: Color::Red,
            message: format!("expected {}", reason.expected),
        };
        let rule = place.filter(|_| short(source.text)).map(|span| SourceLabel {
            source: 1,
            range: render::range(source.text, span),
            colour: Color::Cyan,
            message: "by this".to_owned(),
        });
        let drawing = Drawing {
            kind: ReportKind::Error,
            code: None,
            message: reason.message.clone(),
            help: reason.help.clone(),
            notes: Vec::new(),
            sources: vec![Text { name: "<text>", text: &text }, source],
            labels: [here].into_iter().chain(rule).collect(),
        };
        drawing.draw(output.colours())
    }
}

/// Converts a byte offset to an offset in the lossily decoded text (U+FFFD replaces invalid UTF-8), on a character
/// boundary.
fn lossy_offset(bytes: &[u8], at: usize) -> usize {
    let (mut original, mut replaced) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        if at < original + valid.len() {
            return replaced + render::floor(valid, at - original);
        }
        (original, replaced) = (original + valid.len(), replaced + valid.len());
        if at < original + chunk.invalid().len() {
            return replaced;
        }
        original += chunk.invalid().len();
        replaced += if chunk.invalid().is_empty() { 0 } else { char::REPLACEMENT_CHARACTER.len_utf8() };
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::lossy_offset;

    #[test]
    fn byte_offsets_map_to_offsets_in_the_lossy_text() {
        let bytes = b"a\xff\xe6\x97b\xe6\x97\xa5c\xf0\x9f";
        let text = String::from_utf8_lossy(bytes);
        for (byte, shown) in
            [(0, "a"), (1, "\u{fffd}\u{fffd}b"), (4, "b\u{65e5}c"), (6, "\u{65e5}c"), (8, "c\u{fffd}"), (9, "\u{fffd}")]
        {
            assert!(text[lossy_offset(bytes, byte)..].starts_with(shown), "byte {byte}");
        }
        assert_eq!(lossy_offset(bytes, bytes.len()), text.len());
        assert_eq!(lossy_offset(bytes, 99), text.len());
    }
}
