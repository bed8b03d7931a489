//! The operator's secret: a file beside the database that only its owner may read.
//!
//! Whoever can read the file is the operator. Invariants: the secret is written nowhere else; what
//! this process keeps of it is a hash; a file that others may read is refused, since what was in it
//! may be known.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// What a token begins with, so that one that has got among a program's sources is found there.
const PREFIX: &str = "hxo_";

/// The random bytes of a token.
const BYTES: usize = 32;

/// The longest file that is read: a token and a line's end.
const MOST_BYTES: u64 = 128;

/// Permissions of anybody but the file's owner.
const OTHERS: u32 = 0o077;

/// What an operator's token is held against.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file could not be read, or made.
    #[error("cannot use the operator's token in {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may read the file.
    #[error(
        "{} can be read by others (its mode is {mode:03o}): delete it, and the server makes a new one \
         at its next start; or, if nobody has read it, `chmod 600` it",
        path.display()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// The file holds something else.
    #[error(
        "{} holds no operator's token, which is `{PREFIX}` and {} hexadecimal digits: delete it, and \
         the server makes a new one at its next start",
        path.display(),
        2 * BYTES
    )]
    NotAToken {
        /// The file.
        path: PathBuf,
    },
    /// The system gave no random bits.
    #[error("no random bits from the system for the operator's token: {0}")]
    Random(getrandom::Error),
}

impl Key {
    /// The key of a token.
    pub fn of(token: &str) -> Key {
        Key(Sha256::digest(token).into())
    }

    /// The key of the token in a file, which is made if it is missing.
    ///
    /// # Errors
    /// The file cannot be made or read, is open to others, or holds something else.
    pub fn open(path: &Path) -> Result<Key, TokenError> {
        match make(path) {
            Ok(token) => Ok(Key::of(&token)),
            Err(TokenError::Io { source, .. }) if source.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Key::of(&read(path)?))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether this is the token, in a time that does not depend on how much of it is right.
    pub fn fits(&self, token: &str) -> bool {
        let Key(shown) = Key::of(token);
        self.0.iter().zip(shown).fold(0, |differs, (one, two)| differs | (one ^ two)) == 0
    }
}

/// Keeps even the hash out of logs.
impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

/// The token in a file, for whoever is to show it.
///
/// # Errors
/// The file cannot be read, is open to others, or holds something else.
pub fn read(path: &Path) -> Result<String, TokenError> {
    let failed = |source| TokenError::Io { path: path.to_owned(), source };
    // A pipe in its place would have its opener wait for ever.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(TokenError::NotAToken { path: path.to_owned() });
    }
    let file = File::open(path).map_err(failed)?;
    // Of the file that is open, and not of one that has taken its name since.
    let mode = file.metadata().map_err(failed)?.mode() & 0o777;
    if mode & OTHERS != 0 {
        return Err(TokenError::Open { path: path.to_owned(), mode });
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    let token = text.trim();
    let digits = token.strip_prefix(PREFIX).map(|digits| HEXLOWER.decode(digits.as_bytes()));
    match digits {
        Some(Ok(bytes)) if bytes.len() == BYTES => Ok(token.to_owned()),
        _ => Err(TokenError::NotAToken { path: path.to_owned() }),
    }
}

/// Makes a file with a new token, unless there is a file. It is whole before it has its name, so
/// that no start finds half of one.
fn make(path: &Path) -> Result<String, TokenError> {
    let failed = |source| TokenError::Io { path: path.to_owned(), source };
    if path.try_exists().map_err(failed)? {
        return Err(failed(io::ErrorKind::AlreadyExists.into()));
    }
    let unnamed = path.with_extension(format!("{}.new", std::process::id()));
    // What a process of the same number has left is nobody's.
    let _ = fs::remove_file(&unnamed);
    let token = write_new(&unnamed);
    let named = token.and_then(|token| {
        fs::hard_link(&unnamed, path).map_err(failed)?;
        Ok(token)
    });
    let _ = fs::remove_file(&unnamed);
    named
}

fn write_new(path: &Path) -> Result<String, TokenError> {
    let failed = |source| TokenError::Io { path: path.to_owned(), source };
    let mut file =
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
    let token = format!("{PREFIX}{}", HEXLOWER.encode(&bytes));
    // Whatever the process's mask is: it can only take away, and the owner has to read it.
    file.set_permissions(PermissionsExt::from_mode(0o600)).map_err(failed)?;
    writeln!(file, "{token}").and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn a_token_is_made_once_for_its_owner_alone_and_fits_its_key() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("operator.token");
        let key = Key::open(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        let token = read(&path).unwrap();
        assert!(token.starts_with("hxo_") && token.len() == 68, "{token}");
        assert!(key.fits(&token) && !key.fits(&token[1..]) && !key.fits(""));
        assert_eq!(Key::open(&path).unwrap(), key, "the second start changes nothing");
        assert_eq!(format!("{key:?}"), "Key(..)");
    }

    #[test]
    fn a_file_that_others_may_read_is_refused_with_what_would_be_right() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("operator.token");
        Key::open(&path).unwrap();
        for mode in [0o640, 0o604, 0o660] {
            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            let refused = Key::open(&path).unwrap_err();
            assert!(matches!(refused, TokenError::Open { mode: found, .. } if found == mode));
            assert!(refused.to_string().contains("chmod 600"), "{refused}");
        }
    }

    #[test]
    fn a_file_with_something_else_is_refused_and_left_alone() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("operator.token");
        for text in ["", "secret", "hxo_12", &"0".repeat(64), &"x".repeat(1_000)] {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
            assert!(matches!(Key::open(&path), Err(TokenError::NotAToken { .. })), "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let nowhere = Key::open(&dir.path().join("none/operator.token"));
        assert!(matches!(nowhere, Err(TokenError::Io { .. })));
    }
}
