//! Days as tools write them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::record::Date;

/// The day, in UTC, of a moment in seconds since 1970; none before 2001, where a tool wrote a zero or an elapsed time.
pub fn of_unix_s(seconds: f64) -> Option<Date> {
    let plausible = (1e9..1e11).contains(&seconds);
    let moment = plausible.then(|| Timestamp::from_second(seconds as i64).ok()).flatten()?;
    Some(TimeZone::UTC.to_datetime(moment).date())
}

/// The day that a text begins with: `2026-06-03T08:15:41.465106`, on whatever clock.
pub fn of_iso(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_and_what_is_none_is_not() {
        let day = Some(Date::constant(2026, 6, 3));
        assert_eq!(of_unix_s(1_780_474_576.9), day);
        assert_eq!([0.0, 12.5, f64::NAN, 1e300].map(of_unix_s), [None; 4]);
        assert_eq!(of_iso("2026-06-03T08:15:41.465106"), day);
        assert_eq!(["", "2026-13-03T", "äääääääää"].map(of_iso), [None; 3]);
    }
}
