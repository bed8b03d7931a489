//! The rows of record, in the store's own form.

use crate::ids::{GameId, KeyId, PlayerId, TableId};

/// What start-up and the lobby need to know of a table without replaying it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableRow {
    /// The table.
    pub id: TableId,
    /// Where it stands.
    pub status: TableStatus,
    /// Whether the public list shows it.
    pub public: bool,
    /// When this row was written, in milliseconds since the Unix epoch. While a game
    /// waits for its players: when one of them was last there, now and then and as it is put away.
    pub updated_ms: u64,
    /// What a list shows of it, in a form that the store does not read.
    pub listing: Vec<u8>,
}

/// The rows of some tables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableRows {
    /// Those that can be read, in the order of ids.
    pub rows: Vec<TableRow>,
    /// Those that cannot.
    pub damaged: Vec<DamagedRow>,
}

/// A table's row that holds something that this program never writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DamagedRow {
    /// What stands where the table's id does.
    pub id: String,
    /// What is wrong.
    pub why: String,
}

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TableStatus {
    /// A seat is free and no game runs.
    Open,
    /// A game runs.
    Playing,
    /// Its last game is over; a rematch may follow.
    Finished,
    /// Nothing can happen there any more.
    Closed,
}

impl TableStatus {
    const ALL: [TableStatus; 4] =
        [TableStatus::Open, TableStatus::Playing, TableStatus::Finished, TableStatus::Closed];

    /// The word stored for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            TableStatus::Open => "open",
            TableStatus::Playing => "playing",
            TableStatus::Finished => "finished",
            TableStatus::Closed => "closed",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<TableStatus> {
        TableStatus::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// One game. Written when it starts, without `finished_ms` and `record`, and once more when it
/// ends; a finished game keeps its row whatever is written later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// The game.
    pub id: GameId,
    /// The table where it is played.
    pub table: TableId,
    /// When it started, in milliseconds since the Unix epoch.
    pub started_ms: u64,
    /// When it ended, in milliseconds since the Unix epoch.
    pub finished_ms: Option<u64>,
    /// The archived game, in a form that the store does not read.
    pub record: Option<Vec<u8>>,
}

/// A guest, a registered person or a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerRow {
    /// The player.
    pub id: PlayerId,
    /// The name that others see.
    pub name: String,
    /// When the player was made, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// Whose bot it is, if it is one.
    pub owner: Option<PlayerId>,
}

/// What shows who somebody is: a device's token, or a bot's key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CredentialRow {
    /// Its name, which is no secret.
    pub id: KeyId,
    /// Whom it shows.
    pub player: PlayerId,
    /// The hash of the secret.
    pub hash: TokenHash,
    /// When the secret was given out, in milliseconds since the Unix epoch.
    pub issued_ms: u64,
    /// When the device or key was first known, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// When it was last shown, to the hour, in milliseconds since the Unix epoch.
    pub used_ms: Option<u64>,
    /// What its owner knows a key by; none for a device.
    pub key: Option<KeyLabel>,
}

/// What its owner knows a key by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyLabel {
    /// What the owner calls it.
    pub label: String,
    /// Its first characters.
    pub hint: String,
}

impl CredentialRow {
    /// A device that is first known now.
    pub fn device(id: KeyId, player: PlayerId, hash: TokenHash, now_ms: u64) -> CredentialRow {
        let (issued_ms, created_ms, used_ms) = (now_ms, now_ms, Some(now_ms));
        CredentialRow { id, player, hash, issued_ms, created_ms, used_ms, key: None }
    }

    /// A key that was made now, and not used yet.
    pub fn key(
        id: KeyId,
        bot: PlayerId,
        hash: TokenHash,
        now_ms: u64,
        label: KeyLabel,
    ) -> CredentialRow {
        let device = CredentialRow::device(id, bot, hash, now_ms);
        CredentialRow { used_ms: None, key: Some(label), ..device }
    }
}

/// Who holds a token or a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The player.
    pub player: PlayerRow,
    /// The device or key.
    pub credential: KeyId,
    /// When its present token was given out, in milliseconds since the Unix epoch.
    pub issued_ms: u64,
    /// When it was last shown, to the hour, in milliseconds since the Unix epoch.
    pub used_ms: Option<u64>,
    /// Since when a token is in waiting that is to take the present one's place.
    pub next_ms: Option<u64>,
    /// The hash of the token whose place this one takes by being shown; none where it is the
    /// present one.
    pub replaces: Option<TokenHash>,
}

/// The SHA-256 of a secret: all of it that is ever stored.
pub type TokenHash = [u8; 32];
