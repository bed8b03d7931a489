//! For how long something is to hold, as it is written on the command line.

use std::str::FromStr;

use crate::operator::MOST_S;

/// A time in seconds, or for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span(pub Option<u64>);

/// Why a text is no span.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is no span: give a number and a unit (`45s`, `30m`, `12h`, `7d`, `2w`), ten years at most, \
     or `forever`"
)]
pub struct NotASpan(String);

impl FromStr for Span {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Span, NotASpan> {
        let bad = || NotASpan(text.to_owned());
        if text == "forever" {
            return Ok(Span(None));
        }
        let unit = text.chars().next_back().ok_or_else(bad)?;
        let seconds: u64 = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3_600,
            'd' => 24 * 3_600,
            'w' => 7 * 24 * 3_600,
            _ => return Err(bad()),
        };
        let number: u64 = text[..text.len() - 1].parse().map_err(|_| bad())?;
        let span = number.checked_mul(seconds).filter(|span| (1..=MOST_S).contains(span));
        Ok(Span(Some(span.ok_or_else(bad)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_a_number_and_a_unit_or_for_good() {
        for (text, seconds) in [
            ("45s", Some(45)),
            ("30m", Some(1_800)),
            ("12h", Some(43_200)),
            ("7d", Some(604_800)),
            ("2w", Some(1_209_600)),
            ("3650d", Some(MOST_S)),
            ("forever", None),
        ] {
            assert_eq!(text.parse(), Ok(Span(seconds)), "{text}");
        }
    }

    #[test]
    fn whatever_else_it_says_is_refused_with_what_would_be_right() {
        for text in
            ["", "m", "30", "0m", "-1d", "1.5h", "3651d", "99999999999999999999w", "1é", "7 d"]
        {
            let refused = text.parse::<Span>().unwrap_err();
            assert!(refused.to_string().contains("`30m`"), "{refused}");
        }
    }
}
