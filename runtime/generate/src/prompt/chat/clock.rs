//! The function `strftime_now`, by which templates tell a model the date, in UTC.

use std::time::{SystemTime, UNIX_EPOCH};

use minijinja::{Error, ErrorKind};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The weekdays, from that of 1 January 1970 on.
const WEEKDAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

/// Cap on the bytes that one character of a format becomes.
pub(super) const LONGEST: u64 = 10;

/// Writes the current time in a format of C's `strftime`.
pub(super) fn now(format: &str) -> Result<String, Error> {
    written(format, SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Writes a time, in seconds since 1970.
fn written(format: &str, time: u64) -> Result<String, Error> {
    let (year, month, day) = date(time / 86_400);
    let (hour, minute, second) = (time / 3_600 % 24, time / 60 % 60, time % 60);
    let name = MONTHS[month as usize - 1];
    let weekday = WEEKDAYS[(time / 86_400 % 7) as usize];
    let mut text = String::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        if sign != '%' {
            text.push(sign);
            continue;
        }
        let sign = signs.next();
        text += &match sign {
            Some('Y') => year.to_string(),
            Some('y') => format!("{:02}", year % 100),
            Some('m') => format!("{month:02}"),
            Some('d') => format!("{day:02}"),
            Some('e') => format!("{day:2}"),
            Some('B') => name.to_owned(),
            Some('b' | 'h') => name[..3].to_owned(),
            Some('A') => weekday.to_owned(),
            Some('a') => weekday[..3].to_owned(),
            Some('H') => format!("{hour:02}"),
            Some('I') => format!("{:02}", (hour + 11) % 12 + 1),
            Some('p') => if hour < 12 { "AM" } else { "PM" }.to_owned(),
            Some('M') => format!("{minute:02}"),
            Some('S') => format!("{second:02}"),
            Some('Z') => "UTC".to_owned(),
            Some('z') => "+0000".to_owned(),
            Some('%') => "%".to_owned(),
            other => {
                let sign = other.map(String::from).unwrap_or_default();
                let message = format!("`strftime_now` does not know `%{sign}`");
                return Err(Error::new(ErrorKind::InvalidOperation, message));
            }
        };
    }
    Ok(text)
}

/// Returns the year, the month and the day of a number of days since 1970, in the Gregorian calendar (Howard Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms").
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin with March here, so that the day of a leap year is their last.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The judge counts days month by month.
    #[test]
    fn dates_match_a_day_by_day_calendar() {
        let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let mut day = 0;
        for year in 1970..2110 {
            let february = if is_leap(year) { 29 } else { 28 };
            for (month, len) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for of_month in 1..=len {
                    assert_eq!(date(day), (year, month, of_month));
                    day += 1;
                }
            }
        }
    }

    #[test]
    fn times_are_formatted_like_python() {
        // Tuesday, 29 February 2000, 13:05:09.
        let time = 951_829_509;
        for (format, expected) in [
            ("%Y-%m-%d", "2000-02-29"),
            ("%d %b %Y", "29 Feb 2000"),
            ("%A, %B %e, %y", "Tuesday, February 29, 00"),
            ("%H:%M:%S %I %p %a", "13:05:09 01 PM Tue"),
            ("%z %Z 100%%", "+0000 UTC 100%"),
        ] {
            assert_eq!(written(format, time).unwrap(), expected);
        }
        assert_eq!(written("%I %p", 0).unwrap(), "12 AM");
        assert!(written("%Q", time).unwrap_err().to_string().contains("%Q"));
        let template = crate::ChatTemplate::new("{{ strftime_now('%Y') }}".to_owned(), "", "").unwrap();
        assert_eq!(template.prompt(None, "").unwrap().len(), 4);
    }
}
