//! Shows the outcomes of `ogc run` for people and machines.

use ariadne::{Color, Label, Report, ReportKind};
use ogc_compiler::db::lines;
use ogc_compiler::pipeline::{Format, place};
use ogc_runtime::captures::Capture;

use super::captures;
use super::reason::Reason;
use super::stop::Stop;
use crate::bytes::show;
use crate::message::{Counts, MatchResult, Message, OpenRule, RefusedToken};
use crate::output::{Output, Text};
use crate::problem::Problem;
use crate::render;
use crate::session::Session;
use crate::visible::visible;
use crate::words::{counted, part_of};

/// The most rules of the stack that are shown in full.
const SHOWN_FRAMES: usize = 8;

/// A text that was matched.
pub(super) struct Shown<'a> {
    pub(super) session: &'a Session,
    pub(super) format: &'a Format,
    pub(super) text: &'a [u8],
    /// Its line, if there are several texts.
    pub(super) line: Option<usize>,
    /// Whether a line break behind it was ignored.
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

impl Shown<'_> {
    /// Shows an accepted text; of several texts, people are shown the refused ones only.
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
    pub(super) fn bad(&self, stop: &Stop, reason: &Reason, output: &Output) -> Result<(), Problem> {
        if output.is_json() {
            return Ok(output.say(&self.object(stop, reason))?);
        }
        self.say_ignored(output)?;
        if let Some(line) = self.line {
            let help = reason.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
            return Ok(output.line(format!("line {line}: {}{help}", message(stop, reason, self.text)))?);
        }
        self.people(stop, reason, output)
    }

    fn object(&self, stop: &Stop, reason: &Reason) -> Message {
        let lines = lines(&self.session.db, self.format.file);
        let frames = stop.position.frames.iter().map(|frame| {
            let span = place(&self.session.db, self.format.clone(), frame.origin);
            OpenRule { rule: frame.rule.to_string(), span: span.map(|span| render::place(lines, span)) }
        });
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let token = self.token(stop).map(|(start, bytes)| RefusedToken { start, text: text(&bytes) });
        Message::Match(MatchResult {
            line: self.line,
            ignored_line_break: self.ignored,
            accepted: stop.accepted,
            complete: false,
            captures: None,
            reason: reason.code.map(|code| code.name().to_owned()),
            message: Some(message(stop, reason, self.text)),
            help: reason.help.clone(),
            at: Some(reason.at),
            path: reason.path.clone(),
            keys: Some(reason.keys.clone()),
            words: Some(reason.words.clone()),
            expected: Some(stop.position.expected.clone()),
            tokens: Some(stop.position.tokens.clone()),
            may_end: Some(stop.position.may_end),
            rules: Some(frames.collect()),
            token,
        })
    }

    /// Returns the token that holds the refused byte.
    fn token(&self, stop: &Stop) -> Option<(usize, Vec<u8>)> {
        let built_in = || super::stop::default_token(self.session, self.format.file, self.text, stop.accepted);
        stop.token.clone().or_else(built_in)
    }

    fn people(&self, stop: &Stop, reason: &Reason, output: &Output) -> Result<(), Problem> {
        output.drawn(self.report(stop, reason, output).trim_end())?;
        output.line(format!("accepted: {}", part_of(stop.accepted, self.text.len(), "byte")))?;
        output.line(format!("expected: {}", reason.expected))?;
        self.rules(stop, output)?;
        if let Some((begin, bytes)) = self.token(stop) {
            let inside = stop.accepted.saturating_sub(begin);
            let what = match inside {
                0 => "is refused from its first byte".to_owned(),
                _ => format!("is refused after {}", counted(inside, "byte")),
            };
            output.line(format!("token:    \"{}\" at byte {begin} {what}", show(&bytes)))?;
        }
        Ok(())
    }

    fn rules(&self, stop: &Stop, output: &Output) -> Result<(), Problem> {
        let source = self.session.text(self.format.file);
        let frames = &stop.position.frames;
        for (depth, frame) in frames.iter().take(SHOWN_FRAMES).enumerate() {
            let word = if depth == 0 { "inside:  " } else { "         " };
            let place = place(&self.session.db, self.format.clone(), frame.origin);
            let place = place.map_or_else(String::new, |span| format!("  {}", render::cited(source, span)));
            output.line(format!("{word} {}{place}", frame.rule))?;
        }
        if let Some(more) = stop.position.depth.checked_sub(SHOWN_FRAMES).filter(|more| *more > 0) {
            output.line(format!("          and {} around it", counted(more, "more rule")))?;
        }
        Ok(())
    }

    /// Draws the text with a label where the mistake begins, and the source of the rule that refuses it.
    fn report(&self, stop: &Stop, reason: &Reason, output: &Output) -> String {
        let (source, text) = (self.session.text(self.format.file), String::from_utf8_lossy(self.text).into_owned());
        let start = render::floor(&text, reason.at);
        let end = text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8());
        let shown = render::Shown::of(Text { name: "<text>", text: &text });
        let here = shown.place(start..end.max(render::floor(&text, stop.accepted)));
        let mut report = Report::build(ReportKind::Error, here.clone())
            .with_config(render::config(output.colours()))
            .with_message(visible(&message(stop, reason, self.text)))
            .with_label(
                Label::new(here).with_color(Color::Red).with_message(visible(&format!("expected {}", reason.expected))),
            );
        if let Some(help) = &reason.help {
            report = report.with_help(visible(help));
        }
        let origin = stop.position.frames.first().map_or(0, |frame| frame.origin);
        let definition = render::Shown::of(source);
        let short = |text: &str| text.lines().all(|line| line.len() < 400);
        if let Some(span) = place(&self.session.db, self.format.clone(), origin).filter(|_| short(source.text)) {
            let there = definition.place(render::range(source.text, span));
            report = report.with_label(Label::new(there).with_color(Color::Cyan).with_message("by this"));
        }
        if !short(&text) {
            let help = reason.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
            return format!("error: {}{help}", message(stop, reason, self.text));
        }
        render::write(&report.finish(), [shown.texts(), definition.texts()])
    }
}

fn message(stop: &Stop, reason: &Reason, text: &[u8]) -> String {
    match reason.message.as_str() {
        "" if stop.accepted == text.len() => "the text ends too early".to_owned(),
        "" => "the format does not allow this".to_owned(),
        message => message.to_owned(),
    }
}
