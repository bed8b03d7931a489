//! The tables of record, against what a table's journal tells.

use serde::Deserialize;

use hexhall_proto::view::Listing;

use super::report::{Check, Finding};
use crate::accounts::ratings::{Class, Score};
use crate::game::clock::Stamp;
use crate::game::{Outcome, Seat};
use crate::ids::{PlayerId, TableId};
use crate::record::{self, Format, Record};
use crate::store::form::Summary;
use crate::store::{GameResult, KeptResult, ReadError, Store};
use crate::table::archive;
use crate::table::handle::Player;
use crate::table::state::{LiveGame, State};

/// The rows that go with one table.
pub(super) struct Rows<'a> {
    pub store: &'a Store,
    pub table: TableId,
}

/// The part of a record that its reader makes anew, as it is written.
#[derive(Deserialize)]
struct WrittenPath {
    #[serde(default)]
    winning_path: Vec<[u8; 2]>,
}

impl Rows<'_> {
    /// A player who took a seat exists. The house's computer is nobody's row.
    pub(super) async fn check_player(&self, player: &Player) -> Result<Option<Finding>, ReadError> {
        if player.cpu.is_some() {
            return Ok(None);
        }
        let id = player.id;
        let missing = || Finding::new(Check::Players, format!("a row of {id}"), "none");
        Ok(match read(self.store.player(id).await, Check::Players)? {
            Ok(row) => row.is_none().then(missing),
            Err(finding) => Some(finding),
        })
    }

    /// The table's row is what its last event has to leave.
    pub(super) async fn check_table(&self, state: &State) -> Result<Option<Finding>, ReadError> {
        let row = match read(self.store.table(self.table).await, Check::TableRow)? {
            Ok(Some(row)) => row,
            Ok(None) => {
                return Ok(Some(Finding::new(Check::TableRow, "a row of the table", "none")));
            }
            Err(finding) => return Ok(Some(finding)),
        };
        let wrong = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
            let expected = format!("{what} {expected:?}");
            Ok(Some(Finding::new(Check::TableRow, expected, format!("{found:?}"))))
        };
        let expected = archive::table_row(state, Stamp(row.updated_ms));
        if row.status != expected.status {
            return wrong("the status", &expected.status, &row.status);
        }
        if row.public != expected.public {
            return wrong("`public`", &expected.public, &row.public);
        }
        let listing = |bytes: &[u8]| serde_json::from_slice::<Listing>(bytes);
        match (listing(&expected.listing), listing(&row.listing)) {
            (Ok(expected), Ok(found)) if expected != found => {
                wrong("the listing", &expected, &found)
            }
            (_, Err(error)) => wrong("a listing", &"that reads back", &error.to_string()),
            _ => Ok(None),
        }
    }

    /// The row of the running or last game is there, and tells its end exactly once it has ended.
    pub(super) async fn check_game(&self, state: &State) -> Result<Option<Finding>, ReadError> {
        let Some(live) = state.game() else { return Ok(None) };
        let expected = archive::game_row(state, live, Stamp(0));
        let row = match read(self.store.game(live.id).await, Check::GameRow)? {
            Ok(Some(row)) => row,
            Ok(None) => {
                let expected = format!("a row of {}", live.id);
                return Ok(Some(Finding::new(Check::GameRow, expected, "none")));
            }
            Err(finding) => return Ok(Some(finding)),
        };
        let wrong = |expected: String, found: String| {
            let expected = format!("{}: {expected}", live.id);
            Ok(Some(Finding::new(Check::GameRow, expected, found)))
        };
        if row.table != self.table {
            return wrong(format!("the table {}", self.table), row.table.to_string());
        }
        if row.started_ms != expected.started_ms {
            let started = format!("its start at {} ms", expected.started_ms);
            return wrong(started, format!("{} ms", row.started_ms));
        }
        let has = |there: bool| if there { "there" } else { "none" };
        if row.finished_ms.is_some() != expected.finished_ms.is_some() {
            let expected = format!("`finished_ms` {}", has(expected.finished_ms.is_some()));
            return wrong(expected, has(row.finished_ms.is_some()).into());
        }
        if row.record.is_some() != expected.record.is_some() {
            let expected = format!("a record: {}", has(expected.record.is_some()));
            return wrong(expected, has(row.record.is_some()).into());
        }
        let finding = row.record.and_then(|bytes| check_record(state, live, &bytes).err());
        Ok(finding.map(|Finding { expected, found, .. }| {
            let expected = format!("{}: {expected}", live.id);
            Finding::new(Check::Record, expected, found)
        }))
    }

    /// What is kept of the game for lists, where anything is, is what its end has to leave there,
    /// and it has counted for what it had to. Who left it is the table's word alone.
    pub(super) async fn check_result(
        &self,
        state: &State,
        outcome: Outcome,
        at: Stamp,
    ) -> Result<Option<Finding>, ReadError> {
        let Some(live) = state.game() else { return Ok(None) };
        let game = live.id;
        let kept = match read(self.store.result(game).await, Check::Result)? {
            Ok(Some(kept)) => kept,
            Ok(None) => return Ok(None),
            Err(finding) => return Ok(Some(finding)),
        };
        let Some(expected) = archive::result(state, outcome, at) else {
            let expected = format!("{game}: none of a game that came to nothing");
            return Ok(Some(Finding::new(Check::Result, expected, "a result")));
        };
        if let Err(finding) = check_kept(&expected, &kept) {
            return Ok(Some(finding));
        }
        for (seat, player) in Seat::BOTH.into_iter().zip(expected.players) {
            let Some(player) = player else { continue };
            // Who plays both seats has the game once.
            let wanted = if expected.players[0] == Some(player) { Seat::One } else { seat };
            let found = match read(self.store.seat_in(player, game).await, Check::Result)? {
                Ok(found) => found,
                Err(finding) => return Ok(Some(finding)),
            };
            if found != Some(wanted) {
                let expected = format!("{game}: in the list of {player}, in seat {wanted}");
                let found = found.map_or("nothing".to_owned(), |found| format!("seat {found}"));
                return Ok(Some(Finding::new(Check::Result, expected, found)));
            }
        }
        self.check_counted(&expected).await
    }

    /// A game has changed ratings exactly if it had to, by what it came to.
    async fn check_counted(&self, result: &GameResult) -> Result<Option<Finding>, ReadError> {
        let changes = match read(self.store.rating_changes(result.game).await, Check::Result)? {
            Ok(changes) => changes,
            Err(finding) => return Ok(Some(finding)),
        };
        let mut expected = Vec::new();
        if let Some(rated) = result.rated
            && !self.is_one_person(rated.players).await?
        {
            let [one, two] = rated.players;
            expected.push((one, rated.class, rated.score));
            expected.push((two, rated.class, rated.score.other()));
        }
        let found: Vec<_> = changes.iter().map(|it| (it.player, it.class, it.score)).collect();
        if expected == found {
            return Ok(None);
        }
        let text = |counted: &[(PlayerId, Class, Score)]| {
            let one = |(player, class, score): &(PlayerId, Class, Score)| {
                format!("{} by {player} in {class}", score.word())
            };
            let texts: Vec<_> = counted.iter().map(one).collect();
            if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") }
        };
        let expected = format!("{}: to count as {}", result.game, text(&expected));
        Ok(Some(Finding::new(Check::Result, expected, text(&found))))
    }

    /// Whether both are bots of one owner, or a bot and its owner, which changes no ratings.
    async fn is_one_person(&self, players: [PlayerId; 2]) -> Result<bool, ReadError> {
        let mut people = Vec::new();
        for player in players {
            match read(self.store.player(player).await, Check::Players)? {
                Ok(Some(row)) => people.push(row.owner.unwrap_or(row.id)),
                // That is found elsewhere.
                Ok(None) | Err(_) => return Ok(false),
            }
        }
        Ok(people[0] == people[1])
    }
}

/// What lists say of a game is what its end says.
fn check_kept(expected: &GameResult, kept: &KeptResult) -> Result<(), Finding> {
    let same = |what: &str, expected_is: String, found: String| {
        if expected_is == found {
            return Ok(());
        }
        let expected = format!("{}: {what} {expected_is}", expected.game);
        Err(Finding::new(Check::Result, expected, found))
    };
    same("its end at", format!("{} ms", expected.finished.0), format!("{} ms", kept.finished.0))?;
    same("`public`", expected.public.to_string(), kept.public.to_string())?;
    let summary = |bytes: &[u8]| match Summary::read(bytes) {
        Ok(summary) => format!("{summary:?}"),
        Err(error) => format!("`{error}`"),
    };
    same("the summary", summary(&expected.summary), summary(&kept.summary))
}

/// A record is the game: read back, and played again.
fn check_record(state: &State, live: &LiveGame, bytes: &[u8]) -> Result<(), Finding> {
    let wrong = |expected: String, found: String| Finding::new(Check::Record, expected, found);
    let unreadable = |error: String| wrong("a record that reads back".into(), format!("`{error}`"));
    let records = record::read(bytes, Some(Format::Json));
    let records = records.map_err(|error| unreadable(error.to_string()))?;
    let [found] = records.as_slice() else {
        return Err(wrong("one record".into(), records.len().to_string()));
    };
    let expected = archive::record(state, live);
    differences(&expected, found)?;
    let path: WrittenPath =
        serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
    let written = live.game.winning_path().unwrap_or_default();
    let written: Vec<_> = written.into_iter().map(|cell| [cell.row, cell.col]).collect();
    if written != path.winning_path {
        let found = format!("{:?}", path.winning_path);
        return Err(wrong(format!("the winning path {written:?}"), found));
    }
    let replayed = found.replay().map_err(|error| unreadable(error.to_string()))?;
    if !replayed.board().stones().eq(live.game.board().stones()) {
        return Err(wrong("the game's last position".into(), "another".into()));
    }
    Ok(())
}

/// The first thing that one record says otherwise than the other.
fn differences(expected: &Record, found: &Record) -> Result<(), Finding> {
    let same = |what: &str, expected: String, found: String| {
        if expected == found {
            return Ok(());
        }
        Err(Finding::new(Check::Record, format!("{what} {expected}"), found))
    };
    let rules = |it: &Record| format!("{:?}", (it.size, it.kind, it.swap, it.goal, &it.setup));
    same("rules and opening", rules(expected), rules(found))?;
    let length = |it: &Record| it.plies.len().to_string();
    for (number, (expected, found)) in (1..).zip(expected.plies.iter().zip(&found.plies)) {
        same(&format!("move {number}"), format!("{expected:?}"), format!("{found:?}"))?;
    }
    same("moves:", length(expected), length(found))?;
    same("the end", format!("{:?}", expected.end), format!("{:?}", found.end))?;
    same("the players", format!("{:?}", expected.players), format!("{:?}", found.players))?;
    same("the heading", format!("{:?}", expected.meta), format!("{:?}", found.meta))
}

/// A row that cannot be read is a finding; a store that was closed is not.
fn read<T>(row: Result<T, ReadError>, check: Check) -> Result<Result<T, Finding>, ReadError> {
    match row {
        Ok(row) => Ok(Ok(row)),
        Err(ReadError::Closed) => Err(ReadError::Closed),
        Err(error) => Ok(Err(Finding::new(check, "a row that can be read", error))),
    }
}
