//! What single values of SGF mean: results, seconds and time controls.

use crate::game::clock::Control;
use crate::game::{Color, WonBy};

/// What a result says.
pub(super) enum Told {
    Unknown,
    Void,
    Won(Color, WonBy),
}

/// What a result tells. A bare `B+` without a chain is a resignation that nobody wrote down.
pub(super) fn result(text: &str) -> Option<Told> {
    let text = text.trim().to_ascii_lowercase();
    let (winner, by) = match text.as_str() {
        "" | "?" => return Some(Told::Unknown),
        "void" => return Some(Told::Void),
        text => text.split_once('+').unwrap_or((text, "")),
    };
    let color = match winner {
        "b" | "black" => Color::Red,
        "w" | "white" => Color::Blue,
        _ => return None,
    };
    let by = match by {
        "" | "r" | "resign" => WonBy::Resignation,
        "t" | "time" => WonBy::Time,
        "f" | "forfeit" => WonBy::Forfeit,
        _ => return None,
    };
    Some(Told::Won(color, by))
}

/// Seconds with up to three decimals, as milliseconds.
pub(super) fn millis(text: &str) -> Option<u64> {
    let (seconds, decimals) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || !digits(seconds) || !digits(decimals) {
        return None;
    }
    let thousandths: String = decimals.chars().chain("000".chars()).take(3).collect();
    let seconds: u64 = seconds.parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)
}

/// `TM` and `OT`, where both are in a form that we write.
pub(super) fn control(main_time: Option<&str>, overtime: &str) -> Option<Control> {
    let overtime = overtime.trim();
    let initial_ms = || millis(main_time?);
    if overtime == "none" {
        return Some(Control::None);
    }
    if let Some(turn) = overtime.strip_suffix(" per turn") {
        return Some(Control::PerTurn { turn_ms: millis(turn)? });
    }
    if let Some(byo_yomi) = overtime.strip_suffix(" byo-yomi") {
        let (periods, period) = byo_yomi.split_once('x')?;
        return Some(Control::ByoYomi {
            initial_ms: initial_ms()?,
            period_ms: millis(period)?,
            periods: periods.parse().ok()?,
        });
    }
    let (increment, cap) = overtime.split_once(" fischer")?;
    let cap_ms = match cap {
        "" => None,
        _ => Some(millis(cap.strip_prefix(" cap ")?)?),
    };
    let (initial_ms, increment_ms) = (initial_ms()?, millis(increment)?);
    Some(Control::Fischer { initial_ms, increment_ms, cap_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_read_to_the_millisecond() {
        assert_eq!(millis("300"), Some(300_000));
        assert_eq!(millis("0.05"), Some(50));
        assert_eq!(millis("1.2345"), Some(1_234));
        for text in ["", ".", "-1", "1e3", "99999999999999999999", "18446744073709551615"] {
            assert_eq!(millis(text), None, "{text}");
        }
    }
}
