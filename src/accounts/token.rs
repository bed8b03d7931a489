//! The secrets that players are known by.

use std::fmt;
use std::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::{Digest, Sha256};

use crate::store::TokenHash;

/// 256 random bits, written as 64 hexadecimal digits. Whoever has it is the player.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

/// The text is not a token. What it was is not said: it may be a secret with a slip of the pen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a token is 64 hexadecimal digits")]
pub struct NotAToken;

impl Token {
    /// A token that nobody has.
    pub fn generate() -> Result<Token, getrandom::Error> {
        let mut bits = [0; 32];
        getrandom::fill(&mut bits)?;
        Ok(Token(bits))
    }

    /// All that is ever stored of it. The bits are random and many, so one round without salt keeps
    /// them as safe as anything would.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }

    /// The token in the only form in which it leaves the server, for its owner.
    pub fn reveal(&self) -> String {
        HEXLOWER.encode(&self.0)
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Token, NotAToken> {
        let bits = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| NotAToken)?;
        bits.try_into().map(Token).map_err(|_| NotAToken)
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
