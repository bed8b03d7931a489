//! The secrets that players are known by: people's tokens, and the keys of bots.

use std::fmt;
use std::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest, Sha256};

use crate::store::TokenHash;

/// 256 random bits, written as 64 hexadecimal digits. Whoever has it is the player.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    bits: [u8; 32],
    of: Of,
}

/// Whose a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    /// A person's, for one device.
    Person,
    /// A bot's: what is called a key.
    Bot,
}

/// What keys begin with, so that one that has got among a program's sources is found there.
const KEY_PREFIX: &str = "hxh_";

/// How much of a key its owner is shown later, to tell it from others, in characters: 16 of its
/// bits, of which there are 240 more.
const HINT_CHARS: usize = KEY_PREFIX.len() + 4;

/// The text is not a token. What it was is not said: it may be a secret with a slip of the pen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a token is 64 hexadecimal digits, after `{KEY_PREFIX}` where it is a bot's key")]
pub struct NotAToken;

impl Token {
    /// A token that nobody has.
    pub fn generate() -> Result<Token, getrandom::Error> {
        Token::random(Of::Person)
    }

    /// A bot's key that nobody has.
    pub fn generate_key() -> Result<Token, getrandom::Error> {
        Token::random(Of::Bot)
    }

    fn random(of: Of) -> Result<Token, getrandom::Error> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits)?;
        Ok(Token { bits, of })
    }

    /// All that is ever stored of it. The bits are random and many, so one round without salt keeps
    /// them as safe as anything would.
    pub fn hash(&self) -> TokenHash {
        match self.of {
            Of::Person => Sha256::digest(self.bits).into(),
            Of::Bot => {
                Sha256::new_with_prefix(KEY_PREFIX).chain_update(self.bits).finalize().into()
            }
        }
    }

    /// The token in the only form in which it leaves the server, for its owner.
    pub fn reveal(&self) -> String {
        match self.of {
            Of::Person => HEXLOWER.encode(&self.bits),
            Of::Bot => format!("{KEY_PREFIX}{}", HEXLOWER.encode(&self.bits)),
        }
    }

    /// Its first characters, by which its owner tells it from others.
    pub fn hint(&self) -> String {
        self.reveal().chars().take(HINT_CHARS).collect()
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Token, NotAToken> {
        let (of, digits) = match text.strip_prefix(KEY_PREFIX) {
            Some(digits) => (Of::Bot, digits),
            None => (Of::Person, text),
        };
        let bits = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).map_err(|_| NotAToken)?;
        Ok(Token { bits: bits.try_into().map_err(|_| NotAToken)?, of })
    }
}

/// Keeps the secret out of logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back_and_shows_itself_to_its_owner_alone() {
        let token = Token::generate().unwrap();
        let text = token.reveal();
        assert_eq!(text.len(), 64);
        assert_eq!(text.parse(), Ok(token.clone()));
        assert_eq!(text.to_uppercase().parse(), Ok(token.clone()));
        assert_eq!(format!("{token:?}"), "Token(..)");
    }

    #[test]
    fn a_key_reads_back_and_is_never_the_token_of_the_same_bits() {
        let key = Token::generate_key().unwrap();
        let text = key.reveal();
        assert!(text.starts_with("hxh_") && text.len() == 68, "{text}");
        assert_eq!(text.parse(), Ok(key.clone()));
        assert_eq!(key.hint(), text[..8]);
        let token: Token = text[4..].parse().unwrap();
        assert_ne!((token.hash(), &token), (key.hash(), &key));
    }

    #[test]
    fn what_is_stored_of_a_token_is_its_sha_256() {
        let token: Token = "00".repeat(32).parse().unwrap();
        assert_eq!(token.hash()[..4], [0x66, 0x68, 0x7a, 0xad]);
    }

    #[test]
    fn a_text_that_is_no_token_is_not_repeated() {
        for text in ["", "abc", &"g".repeat(64), &"é".repeat(32), &"0".repeat(65)] {
            assert_eq!(text.parse::<Token>(), Err(NotAToken));
        }
    }
}
