//! What the tables of record keep of a table: its row, and its games once they have ended.

use crate::accounts::ratings::{Class, Score};
use crate::game::clock::Stamp;
use crate::game::{Outcome, Seat, Void, WonBy};
use crate::ids::PlayerId;
use crate::record::{self, Meta, Reading, Record};
use crate::store::form::Summary;
use crate::store::{GameResult, GameRow, Left, RatedResult, TableRow, TableStatus};
use crate::view::project;
use crate::wire;

use super::state::event::{Event, Readings};
use super::state::party::Change;
use super::state::{LiveGame, Phase, PlyTime, State};

/// Whether lists show a table otherwise after this event.
pub fn changes_listing(event: &Event) -> bool {
    matches!(
        event,
        Event::Opened { .. }
            | Event::Seated { .. }
            | Event::Unseated { .. }
            | Event::Renamed { .. }
            | Event::Party {
                change: Change::Formed { .. }
                    | Change::Options(_)
                    | Change::Joined { .. }
                    | Change::Left { .. },
                ..
            }
            | Event::Started { .. }
            | Event::Ended { .. }
            | Event::Closed { .. }
    )
}

/// What the tables of record keep of games by events that are written down together. A game may end
/// by them and another begin.
#[derive(Debug, Default)]
pub struct Kept {
    /// The games that begin or end.
    pub games: Vec<GameRow>,
    /// What the game came to that ends.
    pub result: Option<Box<GameResult>>,
    /// Who left it, if it is rated.
    pub left: Option<Left>,
}

impl Kept {
    /// An event has just been applied to the table.
    pub fn note(&mut self, state: &State, event: &Event) {
        // A flag fell when it fell, however late it was seen.
        let (Event::Started { at, .. } | Event::Ended { at, .. }) = event else { return };
        self.games.extend(state.game().map(|live| game_row(state, live, *at)));
        if let Event::Ended { outcome, by, readings, .. } = event {
            self.result = result(state, *outcome, *at).map(Box::new);
            self.left = left(state, *outcome, by.as_ref().map(|by| by.seat), readings, *at);
        }
    }
}

/// The table's row.
pub fn table_row(state: &State, now: Stamp) -> TableRow {
    let status = match state.phase() {
        Phase::Waiting => TableStatus::Open,
        Phase::Playing => TableStatus::Playing,
        Phase::Finished => TableStatus::Finished,
        Phase::Closed => TableStatus::Closed,
    };
    TableRow {
        id: state.id(),
        status,
        public: !state.is_private(),
        updated_ms: now.0,
        // A listing is texts, numbers and lists alone: nothing of it can fail to be written.
        listing: serde_json::to_vec(&project::listing(state)).unwrap_or_default(),
    }
}

/// The game's row, with its record once it has ended, which then was at `ended_at`.
pub fn game_row(state: &State, live: &LiveGame, ended_at: Stamp) -> GameRow {
    let ended = live.game.outcome().is_some();
    let record = ended.then(|| record::write(&record(state, live), record::Format::Json));
    GameRow {
        id: live.id,
        table: state.id(),
        started_ms: live.started.0,
        finished_ms: ended.then_some(ended_at.0),
        record: record.and_then(Result::ok).map(String::into_bytes),
    }
}

/// What the game came to that has just ended, and what it counts for. A game that is void came to
/// nothing, and is in no list.
pub fn result(state: &State, outcome: Outcome, at: Stamp) -> Option<GameResult> {
    let winner = outcome.winner()?;
    let live = state.game()?;
    let people = Seat::BOTH.map(|seat| state.player(seat).filter(|player| player.cpu.is_none()));
    let players = people.map(|player| player.map(|player| player.id));
    let summary = Summary {
        options: wire::options(&live.options),
        seats: Seat::BOTH.map(|seat| state.player(seat).map(wire::player)),
        outcome: wire::outcome(outcome),
    };
    Some(GameResult {
        game: live.id,
        players,
        public: !state.is_private(),
        finished: at,
        // A summary is texts, numbers and lists alone: nothing of it can fail to be written.
        summary: summary.write().unwrap_or_default(),
        rated: rated(live, players, winner),
    })
}

/// What a game counts for that this seat has won: something only between two people.
fn rated(live: &LiveGame, players: [Option<PlayerId>; 2], winner: Seat) -> Option<RatedResult> {
    let players = raters(live, players)?;
    let class = Class::of(live.game.rules().kind(), live.clock.time_control().control());
    let score = if winner == Seat::One { Score::Won } else { Score::Lost };
    Some(RatedResult { class, players, score })
}

/// The two people of a rated game.
fn raters(live: &LiveGame, players: [Option<PlayerId>; 2]) -> Option<[PlayerId; 2]> {
    let [Some(one), Some(two)] = players else { return None };
    (live.options.is_rated() && one != two).then_some([one, two])
}

/// Who left the rated game that ended so at `at`, by this seat's command or nobody's: they were gone
/// until somebody claimed it, or before their time was over. Where they had not moved yet, they did
/// not come, and it is void.
fn left(
    state: &State,
    outcome: Outcome,
    by: Option<Seat>,
    readings: &Readings,
    at: Stamp,
) -> Option<Left> {
    let live = state.game()?;
    let out_of_time = |seat: &Seat| {
        let reading = readings[seat.index()];
        reading.left_ms == Some(0) || reading.first_move_ms == Some(0)
    };
    let seat = match (outcome, by) {
        (Outcome::Won { winner, by: WonBy::Forfeit | WonBy::Time }, _) => winner.other(),
        (Outcome::Void(Void::NotStarted), Some(claimer)) => claimer.other(),
        (Outcome::Void(Void::NotStarted), None) => Seat::BOTH.into_iter().find(out_of_time)?,
        _ => return None,
    };
    if !state.was_gone(seat, live, at) {
        return None;
    }
    let players = raters(live, Seat::BOTH.map(|seat| Some(state.player(seat)?.id)))?;
    let (player, other) = (players[seat.index()], players[seat.other().index()]);
    Some(Left { game: live.id, player, other, at })
}

/// The game as a record for everybody: none while stones are hidden.
pub fn open_record(state: &State, live: &LiveGame) -> Option<Record> {
    let hidden = live.game.is_dark() && live.game.outcome().is_none();
    (!hidden).then(|| record(state, live))
}

/// The game as a record, with all that anybody hides.
pub fn record(state: &State, live: &LiveGame) -> Record {
    let players = Seat::BOTH.map(|seat| state.player(seat).map(|player| player.name.to_string()));
    let reading = |time: &PlyTime| {
        let left_ms = time.reading.left_ms?;
        Some(Reading { left_ms, periods: time.reading.periods })
    };
    let clocks: Vec<_> = live.times.iter().map(reading).collect();
    let meta = Meta {
        id: Some(live.id.to_string()),
        date: date(live.started),
        event: None,
        time: Some(live.clock.time_control().control()),
    };
    let mut record = Record::from_game(&live.game, players, &clocks, meta);
    record.plies.iter_mut().zip(&live.times).for_each(|(ply, time)| ply.cpu = time.cpu);
    record
}

/// The day of an instant, as records write it, by universal time.
fn date(Stamp(unix_ms): Stamp) -> Option<String> {
    let seconds = i64::try_from(unix_ms / 1_000).ok()?;
    let date = ::time::OffsetDateTime::from_unix_timestamp(seconds).ok()?.date();
    Some(format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day()))
}
