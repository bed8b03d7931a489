//! What people write for others to read, wherever they do: one rule for what may be in it. Pure.
//!
//! Names are judged more strictly, by [`super::name`].

use std::borrow::Cow;

use super::name::is_invisible;

/// How many lines a text may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// One.
    One,
    /// Any number of them.
    Many,
}

/// Why a text is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// Nothing of it can be seen.
    #[error("it is empty")]
    Empty,
    /// It has so many characters, and that is too many.
    #[error("it has {0}")]
    TooLong(usize),
    /// A character that cannot be seen, or that reorders what stands around it.
    #[error("U+{:04X} cannot be seen", u32::from(*.0))]
    Invisible(char),
}

/// A text of at most so many characters, without the white space around it, its lines ended as
/// everywhere.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str, most: usize, lines: Lines) -> Result<Cow<'_, str>, Wrong> {
    let text = text.trim();
    if text.chars().all(|c| is_part_of_emoji(c) || c.is_whitespace()) {
        return Err(Wrong::Empty);
    }
    let text = match lines {
        Lines::Many if text.contains('\r') => Cow::Owned(text.replace("\r\n", "\n")),
        _ => Cow::Borrowed(text),
    };
    match text.chars().count() {
        chars if chars <= most => {}
        chars => return Err(Wrong::TooLong(chars)),
    }
    match hidden(&text, lines) {
        Some(c) => Err(Wrong::Invisible(c)),
        None => Ok(text),
    }
}

/// What makes one sign of several.
const JOINER: char = '\u{200d}';

/// Whether a character is unseen and yet belongs to emoji: it says how the one before it is drawn,
/// or joins two.
const fn is_part_of_emoji(c: char) -> bool {
    matches!(c, JOINER | '\u{fe0e}' | '\u{fe0f}')
}

/// The first character that hides anything. Phones put those that emoji are joined and drawn by into
/// a heart by themselves: they hide nothing where they stand in one.
fn hidden(text: &str, lines: Lines) -> Option<char> {
    let is_pictorial = |c: char| matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}');
    // The last that was drawn, and whether it has been said how.
    let (mut drawn, mut is_said) = (None, false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_in_place = match c {
            JOINER => {
                drawn.is_some_and(is_pictorial) && rest.peek().is_some_and(|&c| is_pictorial(c))
            }
            c if is_part_of_emoji(c) => {
                drawn.is_some_and(|c| !c.is_whitespace()) && !std::mem::replace(&mut is_said, true)
            }
            c => {
                (drawn, is_said) = (Some(c), false);
                !is_invisible(c) || (c == '\n' && lines == Lines::Many)
            }
        };
        if !is_in_place {
            return Some(c);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heart_can_be_written_and_what_joins_emoji_is_nothing_without_them() {
        let say = |text: &str| read(text, 300, Lines::One).map(Cow::into_owned);
        for emoji in
            ["\u{2764}\u{fe0f}", "\u{263a}\u{fe0f} 1\u{fe0f}\u{20e3}", "a\u{2764}\u{fe0e}b"]
        {
            assert_eq!(say(emoji), Ok(emoji.to_owned()));
        }
        // A family, a rainbow flag, a health worker of some colour.
        for joined in [
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
            "\u{1f9d1}\u{1f3fd}\u{200d}\u{2695}\u{fe0f}",
        ] {
            assert_eq!(say(joined), Ok(joined.to_owned()));
        }
        for nothing in ["\u{fe0f}", "\u{200d} \u{200d}", "\u{fe0e}\u{200d}"] {
            assert_eq!(say(nothing), Err(Wrong::Empty), "{nothing:?}");
        }
        for (text, hidden) in [
            ("a\u{200d}b", JOINER),
            ("\u{2764}\u{200d}", JOINER),
            ("\u{2764}\u{200d}\u{200d}\u{2764}", JOINER),
            ("\u{2764}\u{fe0f}\u{fe0f}", '\u{fe0f}'),
            ("a \u{fe0f}", '\u{fe0f}'),
            ("\u{2764}\u{fe0f}\u{202e}", '\u{202e}'),
        ] {
            assert_eq!(say(text), Err(Wrong::Invisible(hidden)), "{text:?}");
        }
    }

    #[test]
    fn lines_are_ended_as_everywhere_where_there_may_be_many() {
        let many = |text: &str| read(text, 9, Lines::Many).map(Cow::into_owned);
        assert_eq!(many(" a\r\n\r\nb\n"), Ok("a\n\nb".to_owned()));
        assert_eq!(many("a\rb"), Err(Wrong::Invisible('\r')), "it would hide what is before it");
        assert_eq!(many("\u{2764}\u{fe0f}\nc"), Ok("\u{2764}\u{fe0f}\nc".to_owned()));
        assert_eq!(many("a\n\u{fe0f}b"), Err(Wrong::Invisible('\u{fe0f}')));
        assert_eq!(many("1234567890"), Err(Wrong::TooLong(10)));
        assert_eq!(read("a\nb", 9, Lines::One), Err(Wrong::Invisible('\n')));
    }
}
