//! Files that are made from the code and committed, so that a change of them is seen.

use std::fs;
use std::path::PathBuf;

/// Asserts that the committed file is what the code makes now, or writes it where
/// `UPDATE_GOLDEN` is set.
pub fn assert_current(path: &str, made: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&file, made).unwrap();
        return;
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    for (number, (was, is)) in committed.lines().zip(made.lines()).enumerate() {
        assert_eq!(was, is, "{path} differs at line {}; see tests/main.rs", number + 1);
    }
    assert_eq!(committed.len(), made.len(), "{path} has grown or shrunk; see tests/main.rs");
}
