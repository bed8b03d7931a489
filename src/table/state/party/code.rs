//! What a party is joined by: a short code that can be read out and typed.

use std::fmt;

/// The code of a party: [`PartyCode::LENGTH`] letters and digits, none of which is taken
/// for another. Read in either case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartyCode([u8; PartyCode::LENGTH]);

/// At most one of each set of look-alikes (`0 O`, `1 I L`, `2 Z`, `5 S`, `8 B`, `U V`). Without `I`, `O`
/// and `U`, few words are spelt.
const ALPHABET: &[u8; 24] = b"ACDEFGHJKMNPQRTVWXY34679";

impl PartyCode {
    /// How many letters and digits it has.
    pub const LENGTH: usize = 6;

    /// The code that a text spells, if it does.
    pub fn read(text: &str) -> Option<PartyCode> {
        let letters: [u8; PartyCode::LENGTH] = text.trim().as_bytes().try_into().ok()?;
        let letters = letters.map(|letter| letter.to_ascii_uppercase());
        letters.iter().all(|letter| ALPHABET.contains(letter)).then_some(PartyCode(letters))
    }

    /// The code that a number drawn by chance stands for. Every code is as likely as any other, but
    /// for one part in 10^11.
    pub fn drawn(mut number: u64) -> PartyCode {
        let base = ALPHABET.len() as u64;
        PartyCode([(); PartyCode::LENGTH].map(|()| {
            let letter = ALPHABET[(number % base) as usize];
            number /= base;
            letter
        }))
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        // Letters and digits alone, which are a text.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for PartyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for PartyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_in_either_case_and_nothing_else_is_one() {
        let code = PartyCode::drawn(123_456_789_012);
        assert_eq!(PartyCode::read(code.as_str()), Some(code));
        assert_eq!(PartyCode::read(&format!(" {} ", code.as_str().to_lowercase())), Some(code));
        for text in ["", "ACDEF", "ACDEFGH", "ACDEF0", "ACDEFO", "ACDEF1", "ACDE\u{e9}", "ACDE-F"] {
            assert_eq!(PartyCode::read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_differ_little_give_codes_that_differ() {
        let codes: std::collections::BTreeSet<_> = (0..10_000).map(PartyCode::drawn).collect();
        assert_eq!(codes.len(), 10_000);
    }
}
