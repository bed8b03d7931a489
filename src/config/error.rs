//! What can be wrong with settings, and where.

use std::fmt;
use std::path::PathBuf;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the settings in {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: std::io::Error,
    },
    /// The text is not TOML, or not even text.
    #[error("{place}: {problem}")]
    Syntax {
        /// Where reading stopped.
        place: Place,
        /// What is wrong there.
        problem: String,
    },
    /// There is no such setting.
    #[error("{place}: there is no setting `{key}`: {hint}")]
    Unknown {
        /// Where it is given.
        place: Place,
        /// The dotted name.
        key: String,
        /// Which name may have been meant.
        hint: String,
    },
    /// The setting's value is of the wrong type, or outside of what it may be.
    #[error("{place}: `{key}` is wrong: {problem}; right is {right}")]
    Wrong {
        /// Where it is given.
        place: Place,
        /// The dotted name.
        key: String,
        /// What is wrong with the value.
        problem: String,
        /// What would be right.
        right: String,
    },
}

/// Where a setting was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Nowhere: it is built in.
    Default,
    /// In a file, at a line counted from 1.
    File(PathBuf, usize),
    /// In an environment variable.
    Variable(String),
    /// In a flag of the command line.
    Flag(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Default => f.write_str("built-in settings"),
            Place::File(path, line) => write!(f, "{}, line {line}", path.display()),
            Place::Variable(name) => write!(f, "environment variable {name}"),
            Place::Flag(name) => write!(f, "flag {name}"),
        }
    }
}
