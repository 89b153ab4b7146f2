//! Patterns of dates, times and durations (RFC 3339).

/// The number of minutes of a day.
const DAY: u32 = 24 * 60;

/// Returns the pattern of a day that exists in the proleptic Gregorian calendar.
pub(super) fn date() -> String {
    let fours = "(?:[02468][048]|[13579][26])";
    let fours_not_zero = "(?:0[48]|[2468][048]|[13579][26])";
    let leap_year = format!("(?:{fours}00|\\d\\d{fours_not_zero})");
    let long = "(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])";
    let short = "(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)";
    let february = "02-(?:0[1-9]|1\\d|2[0-8])";
    format!("(?:\\d{{4}}-(?:{long}|{short}|{february})|{leap_year}-02-29)")
}

const OFFSET: &str = "(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";

/// Returns the pattern of a time of day with its offset. Second 60 is allowed only in the last minute of a day in UTC.
pub(super) fn time() -> String {
    format!("(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?{OFFSET}|{})", leap_second())
}

/// Returns the pattern of a time of day with its offset; second 60 is allowed in any minute.
pub(super) fn time_with_any_leap() -> String {
    format!("(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?{OFFSET}")
}

/// Returns the pattern of a date and a time; second 60 is allowed in any minute.
pub(super) fn date_time_with_any_leap() -> String {
    format!("{}[Tt]{}", date(), time_with_any_leap())
}

/// Returns the pattern of the leap second, 23:59:60 in UTC, written in every offset that is a multiple of 15 minutes:
/// `15:59:60-08:00`.
///
/// The automaton must remember the time of day until it reads the offset. Allowing every minute as an offset would take
/// 11,000 states in every schema with a time. The 96 offsets that time zones have had since leap seconds exist take
/// 800.
fn leap_second() -> String {
    let quarters = (0..DAY).step_by(15).map(|east| {
        let west = (DAY - east) % DAY;
        let utc = if east == 0 { "[Zz]|" } else { "" };
        let second = format!("{}:60(?:\\.\\d+)?", clock((DAY - 1 + east) % DAY));
        format!("{second}(?:{utc}\\+{}|-{})", clock(east), clock(west))
    });
    quarters.collect::<Vec<_>>().join("|")
}

/// Formats minutes since midnight as hours and minutes.
fn clock(minutes: u32) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the pattern of a date and a time.
pub(super) fn date_time() -> String {
    format!("{}[Tt]{}", date(), time())
}

/// Returns the pattern of a duration (appendix A).
pub(super) fn duration() -> String {
    duration_of("\\d+")
}

/// Returns the pattern of a duration whose numbers match `number`: weeks alone, or other units without gaps.
pub(super) fn duration_of(number: &str) -> String {
    let n = number;
    let days = format!("(?:{n}D|{n}M(?:{n}D)?|{n}Y(?:{n}M(?:{n}D)?)?)");
    let time = format!("T(?:{n}S|{n}M(?:{n}S)?|{n}H(?:{n}M(?:{n}S)?)?)");
    format!("P(?:{n}W|{days}(?:{time})?|{time})")
}
