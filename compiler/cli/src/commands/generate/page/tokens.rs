//! Writes the text of an answer token by token, each with its details.

use ogc_generate::{Ended, Generated, MaskedOdds, Probable, TokenRecord, TokenSource};
use ogc_runtime::vocabulary::Vocabulary;

use super::marked;
use super::marked::percent;

/// Maximum number of tokens in each list.
const LISTED: usize = 6;

/// Minimum probability of a token that is listed.
const LEAST: f32 = 0.001;

/// Writes the text.
pub(super) fn text(generated: &Generated, answer: usize, vocabulary: &Vocabulary) -> String {
    let is_end = |at: usize| generated.ended == Ended::Chosen && at + 1 == generated.record.len();
    let tokens = generated.record.iter().enumerate();
    let tokens: String = tokens.map(|(at, record)| token(record, (answer, at), is_end(at), vocabulary)).collect();
    format!("<div class=\"text\">{tokens}</div>\n")
}

/// Returns the id of a token's element.
pub(super) fn id(answer: usize, at: usize) -> String {
    format!("a{answer}t{}", at + 1)
}

/// Returns the CSS class of a token's colour.
pub(super) fn class(source: TokenSource) -> &'static str {
    match source {
        TokenSource::Sampled => "sampled",
        TokenSource::Only | TokenSource::Run => "forced",
        TokenSource::Guess | TokenSource::Draft => "guessed",
    }
}

fn token(record: &TokenRecord, (answer, at): (usize, usize), is_end: bool, vocabulary: &Vocabulary) -> String {
    let (id, class) = (id(answer, at), class(record.source));
    let odds = record.odds.as_ref();
    let hit = if odds.is_some_and(|odds| odds.refused_first().is_some()) { " hit" } else { "" };
    let refused = odds.map_or(0.0, |odds| odds.refused * 100.0);
    let text = vocabulary.text(record.token).unwrap_or_default();
    let shown = match text {
        _ if is_end => "<span class=\"end\">end</span>".to_owned(),
        [] => format!("<span class=\"end\">{}</span>", marked::token(record.token, vocabulary)),
        text => marked::bytes(text),
    };
    format!(
        "<span class=\"t {class}{hit}\" id=\"{id}\" tabindex=\"0\" aria-describedby=\"{id}i\" style=\"--m:{refused:.0}%\">{shown}\
         <span class=\"info\" id=\"{id}i\" role=\"tooltip\">{}</span></span>",
        info(record, at, vocabulary)
    )
}

/// Writes the details of a token.
fn info(record: &TokenRecord, at: usize, vocabulary: &Vocabulary) -> String {
    let bytes = vocabulary.text(record.token).unwrap_or_default();
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let bytes = if bytes.is_empty() { "no text".to_owned() } else { format!("bytes {}", bytes.join(" ")) };
    let why = match record.source {
        TokenSource::Sampled => format!("sampled by pass {}", record.pass),
        TokenSource::Run => format!("of a run that the format forces, kept by pass {}", record.pass),
        TokenSource::Guess => format!("guessed, kept by pass {}", record.pass),
        TokenSource::Draft => format!("drawn by the draft model, kept by pass {}", record.pass),
        TokenSource::Only if record.pass == 0 => "forced: no other token may come; before the first pass".to_owned(),
        TokenSource::Only => format!("forced: no other token may come; behind pass {}", record.pass),
    };
    let head = format!(
        "<span class=\"head\">{}. <code>{}</code></span><span>token {}, {bytes}</span><span>{why}</span>",
        at + 1,
        marked::token(record.token, vocabulary),
        record.token.0
    );
    let odds = record.odds.as_ref();
    let odds =
        odds.map_or_else(|| "<span>The model was not asked here.</span>".to_owned(), |odds| told(odds, vocabulary));
    head + &odds
}

/// Writes the probabilities at a place.
fn told(odds: &MaskedOdds, vocabulary: &Vocabulary) -> String {
    let (refused, allowed) = (listed(&odds.likeliest_refused), listed(&odds.likeliest_allowed));
    let count = match odds.allowed_tokens {
        1 => "1 token".to_owned(),
        several => format!("{several} tokens"),
    };
    let mut told = format!(
        "<span>Its probability: <b>{}</b> without the mask, <b>{}</b> after it.</span>\
         <span>The mask allows {count} and refused <b>{}</b> of the model’s probability.</span>",
        percent(odds.written),
        percent(odds.written_masked()),
        percent(odds.refused)
    );
    for (title, class, list) in [("Refused", "bar no", refused), ("Allowed", "bar", allowed)] {
        if !list.is_empty() {
            told += &format!("<span class=\"list\">{title}, without the mask</span>");
            told.extend(list.iter().map(|probable| row(probable, class, vocabulary)));
        }
    }
    told
}

/// Returns the tokens that are likely enough to be listed.
fn listed(tokens: &[Probable]) -> Vec<Probable> {
    tokens.iter().copied().filter(|probable| probable.logarithm.exp() >= LEAST).take(LISTED).collect()
}

fn row(probable: &Probable, class: &str, vocabulary: &Vocabulary) -> String {
    let probability = probable.logarithm.exp();
    format!(
        "<span class=\"row\"><code>{}</code><span class=\"num\">{}</span><span class=\"{class}\"><i style=\"width:{:.1}%\"></i></span></span>",
        marked::token(probable.token, vocabulary),
        percent(probability),
        probability * 100.0
    )
}
