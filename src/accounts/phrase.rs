//! The recovery phrase: twelve words that are somebody, on whatever device.
//!
//! The words are those of BIP 39's English list, so that a slip is nearly always noticed: no two
//! begin with the same four letters, and the last holds a checksum. Invariant: a phrase is told
//! once; what is stored is a hash.

use std::fmt;

use bip39::{Error, Language, Mnemonic};
use sha2::{Digest, Sha256};

use crate::store::TokenHash;

/// Twelve words, 128 random bits.
#[derive(Clone, PartialEq, Eq)]
pub struct Phrase(Mnemonic);

/// How many words a phrase has.
const WORDS: usize = 12;

/// The most of a text that is looked at, in bytes: twelve words of eight letters, and much space.
const MOST_BYTES: usize = 512;

/// Why a text is not a phrase. No more of it is repeated than a word that is no word of the list,
/// and that to whoever wrote it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPhrase {
    /// Too few words, or too many.
    #[error("a recovery phrase has {WORDS} words, and this one has {0}")]
    Count(usize),
    /// A word that is not on the list.
    #[error("word {number}, `{word}`, is misspelt: {}", meant(*.near))]
    Unknown {
        /// Which word, counted from 1.
        number: usize,
        /// The word as it was written.
        word: String,
        /// The word of the list that is nearest to it, if one is near.
        near: Option<&'static str>,
    },
    /// All are words of the list, and do not belong together.
    #[error("a word is misspelt, or two have changed places: each is a word, but not these twelve")]
    Checksum,
    /// The system gave no random bits, or not enough of them.
    #[error("something went wrong in the server")]
    Internal,
}

fn meant(word: Option<&str>) -> String {
    match word {
        Some(word) => format!("did you mean `{word}`?"),
        None => "no word like it is among those that phrases are made of".to_owned(),
    }
}

impl Phrase {
    /// A phrase that nobody has.
    ///
    /// # Errors
    /// The system gave no random bits.
    pub fn generate() -> Result<Phrase, BadPhrase> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(|_| BadPhrase::Internal)?;
        Mnemonic::from_entropy_in(Language::English, &bits)
            .map(Phrase)
            .map_err(|_| BadPhrase::Internal)
    }

    /// The phrase that somebody has written: in any case, with anything but letters between the
    /// words.
    pub fn read(text: &str) -> Result<Phrase, BadPhrase> {
        let text = text[..text.floor_char_boundary(MOST_BYTES)].to_lowercase();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).collect();
        if words.len() != WORDS {
            return Err(BadPhrase::Count(words.len()));
        }
        let read = Mnemonic::parse_in_normalized(Language::English, &words.join(" "));
        read.map(Phrase).map_err(|error| match error {
            Error::UnknownWord(index) => {
                let word = words.get(index).copied().unwrap_or_default();
                BadPhrase::Unknown {
                    number: index + 1,
                    word: word.chars().take(24).collect(),
                    near: nearest(word),
                }
            }
            Error::BadWordCount(count) => BadPhrase::Count(count),
            _ => BadPhrase::Checksum,
        })
    }

    /// All that is ever stored of it. The phrase is 128 random bits and no password, so that nobody
    /// finds it by trying, however quick a hash is; a slow one would only let strangers keep this
    /// server busy. Without a salt the hash also says whose it is: nobody has to know their name.
    pub fn hash(&self) -> TokenHash {
        let mut hasher = Sha256::new();
        // So that it is never the hash of a token as well.
        hasher.update(b"hexhall recovery phrase\0");
        hasher.update(self.0.to_entropy());
        hasher.finalize().into()
    }

    /// The words, for their owner.
    pub fn reveal(&self) -> Vec<&'static str> {
        self.0.words().collect()
    }
}

/// The longest word of the list, in letters.
const LONGEST: usize = 8;

/// How many slips are seen through.
const SLIPS: usize = 2;

/// The word of the list that is at most two slips away. A word that is too long for that is
/// compared with none: anybody may have this looked for.
fn nearest(word: &str) -> Option<&'static str> {
    if word.chars().nth(LONGEST + SLIPS).is_some() {
        return None;
    }
    let list = Language::English.word_list().iter();
    let near = list.map(|known| (strsim::damerau_levenshtein(word, known), *known));
    near.filter(|(slips, _)| *slips <= SLIPS).min().map(|(_, known)| known)
}

/// Keeps the secret out of logs.
impl fmt::Debug for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Phrase(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of BIP 39's own test vectors.
    const KNOWN: &str =
        "legal winner thank year wave sausage worth useful legal winner thank yellow";

    #[test]
    fn a_phrase_reads_back_whatever_its_case_and_what_stands_between_its_words() {
        let phrase = Phrase::generate().unwrap();
        let words = phrase.reveal();
        assert_eq!(words.len(), 12);
        for between in [" ", "  \n", ", ", "-", " 7. "] {
            assert_eq!(Phrase::read(&words.join(between)), Ok(phrase.clone()));
        }
        assert_eq!(Phrase::read(&words.join(" ").to_uppercase()), Ok(phrase.clone()));
        assert_ne!(Phrase::generate().unwrap(), phrase);
        assert_eq!(format!("{phrase:?}"), "Phrase(..)");
    }

    #[test]
    fn a_misspelt_word_is_named_with_what_was_meant() {
        let refused = Phrase::read(&KNOWN.replace("sausage", "sosage")).unwrap_err();
        let unknown =
            BadPhrase::Unknown { number: 6, word: "sosage".to_owned(), near: Some("sausage") };
        assert_eq!(refused, unknown);
        assert_eq!(refused.to_string(), "word 6, `sosage`, is misspelt: did you mean `sausage`?");
        let refused = Phrase::read(&KNOWN.replace("sausage", "qqqqqqqq")).unwrap_err();
        assert!(
            refused
                .to_string()
                .ends_with("no word like it is among those that phrases are made of")
        );
    }

    #[test]
    fn a_word_that_is_another_of_the_list_and_a_wrong_number_of_words_are_told() {
        assert!(Phrase::read(KNOWN).is_ok());
        assert_eq!(Phrase::read(&KNOWN.replace("year", "wear")), Err(BadPhrase::Checksum));
        assert_eq!(Phrase::read("legal winner"), Err(BadPhrase::Count(2)));
        assert_eq!(Phrase::read(""), Err(BadPhrase::Count(0)));
    }

    #[test]
    fn no_more_of_a_text_is_read_than_a_phrase_may_need_wherever_its_letters_end() {
        // With one byte more before them, the bound is in the middle of a letter.
        let text = "é ".repeat(10_000);
        assert_eq!(Phrase::read(&text), Err(BadPhrase::Count(171)));
        assert_eq!(Phrase::read(&format!("a{text}")), Err(BadPhrase::Count(170)));
    }

    #[test]
    fn a_word_with_two_letters_too_many_is_known_and_a_longer_one_is_near_none() {
        let list = Language::English.word_list();
        assert_eq!(list.iter().map(|word| word.len()).max(), Some(LONGEST));
        assert_eq!(nearest("accidentxx"), Some("accident"));
        assert_eq!(nearest("accidentxxx"), None);
        let read = Phrase::read(&KNOWN.replace("sausage", &"x".repeat(300)));
        let word = "x".repeat(24);
        assert_eq!(read, Err(BadPhrase::Unknown { number: 6, word, near: None }));
    }

    #[test]
    fn a_phrase_has_one_hash_and_another_has_another() {
        let hash = |text: &str| Phrase::read(text).unwrap().hash();
        assert_eq!(hash(KNOWN), hash(&KNOWN.to_uppercase()));
        let zero = "abandon ".repeat(11) + "about";
        assert_ne!(hash(KNOWN), hash(&zero));
    }
}
