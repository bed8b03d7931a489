//! The names that players go by.

use std::fmt;

/// The longest name, in characters.
const MAX_CHARS: usize = 24;

/// The digits of the longest number of a guest, without the first: "Guest " and these are a name.
const MOST_DIGITS: u32 = 17;

/// A name fit to be shown: trimmed, 1 to 24 characters, none of which is invisible or changes how
/// its surroundings are shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(Box<str>);

/// Why a text is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadName {
    /// Nothing, or nothing but white space.
    #[error("a name has at least one character")]
    Empty,
    /// Too long.
    #[error("a name has at most 24 characters, and this one has {0}")]
    TooLong(usize),
    /// A character that cannot be seen, or that reorders what stands around it.
    #[error("a name has only characters that can be seen, and U+{:04X} cannot", u32::from(*.0))]
    Invisible(char),
}

impl Name {
    /// The name that a text is, without the white space around it.
    pub fn new(text: &str) -> Result<Name, BadName> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BadName::Empty);
        }
        if let Some(invisible) = text.chars().find(|&c| is_invisible(c)) {
            return Err(BadName::Invisible(invisible));
        }
        match text.chars().count() {
            ..=MAX_CHARS => Ok(Name(text.into())),
            chars => Err(BadName::TooLong(chars)),
        }
    }

    /// A name for somebody who chose none, such as "Guest 4821". With each name that was `taken`
    /// the number is longer, until there are more names than there will ever be guests.
    pub fn guest(random: u128, taken: u32) -> Name {
        let digits = (3 + taken).min(MOST_DIGITS);
        let least = 10_u128.pow(digits);
        Name(format!("Guest {}", least + random % (9 * least)).into())
    }

    /// What is numbered where a name of the house's was asked for.
    pub fn player() -> Name {
        Name("Player".into())
    }

    /// This name with a number after it, shortened where it would be too long.
    pub fn numbered(&self, number: u32) -> Name {
        let number = format!(" {number}");
        let kept: String = self.0.chars().take(MAX_CHARS - number.chars().count()).collect();
        Name(format!("{}{number}", kept.trim_end()).into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Controls, separators other than the space, and the format characters of Unicode: with these one
/// could look like somebody else, or turn around the line that the name stands in.
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{600}'..='\u{605}'
                | '\u{61c}'
                | '\u{6dd}'
                | '\u{70f}'
                | '\u{115f}'..='\u{1160}'
                | '\u{1680}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{2000}'..='\u{200f}'
                | '\u{2028}'..='\u{202f}'
                | '\u{205f}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3000}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{10ffff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_around_a_name_is_no_part_of_it() {
        assert_eq!(Name::new("  Ada L. \n").unwrap().as_str(), "Ada L.");
        assert_eq!(Name::new(" \t "), Err(BadName::Empty));
    }

    #[test]
    fn a_name_is_measured_in_characters() {
        assert!(Name::new(&"ø".repeat(24)).is_ok());
        assert_eq!(Name::new(&"ø".repeat(25)), Err(BadName::TooLong(25)));
    }

    #[test]
    fn what_cannot_be_seen_is_refused() {
        for invisible in
            ['\0', '\u{7f}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{feff}', '\u{e0041}']
        {
            let refused = Name::new(&format!("a{invisible}b"));
            assert_eq!(refused, Err(BadName::Invisible(invisible)));
        }
        let refused = Name::new("a\u{202e}b").unwrap_err();
        assert!(refused.to_string().contains("U+202E"), "{refused}");
    }

    #[test]
    fn every_guest_name_is_a_name() {
        for random in [0, 8999, 9000, u128::MAX] {
            for taken in [0, 1, 14, 1_000] {
                let name = Name::guest(random, taken);
                assert_eq!(Name::new(name.as_str()), Ok(name));
            }
        }
        assert_eq!(Name::guest(3821, 0).as_str(), "Guest 4821");
        assert_eq!(Name::guest(3821, 1).as_str(), "Guest 13821");
    }

    #[test]
    fn a_numbered_name_is_a_name() {
        assert_eq!(Name::new("Ada").unwrap().numbered(2).as_str(), "Ada 2");
        let long = Name::new(&"ø".repeat(24)).unwrap().numbered(31);
        assert_eq!(long.as_str(), format!("{} 31", "ø".repeat(21)));
        let spaced = Name::new("aaaaaaaaaaaaaaaaaaaaa b").unwrap().numbered(2);
        assert_eq!(Name::new(spaced.as_str()), Ok(spaced));
    }
}
