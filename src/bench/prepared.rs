//! A journal with many live tables in it, as a server would have left it.

use std::path::Path;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::cold::Cold;
use super::moves::scripts;
use super::{BenchError, games::Script, tables};
use crate::accounts::Token;
use crate::game::clock::Stamp;
use crate::game::{Move, Seat};
use crate::ids::{GameId, KeyId, PlayerId, TableId};
use crate::store::{self, Append, CredentialRow, Durability, PlayerRow, Slot, Store, Word, form};
use crate::table::archive;
use crate::table::handle::{Command, CommandId, Player};
use crate::table::options::Options;
use crate::table::state::event::Event;
use crate::table::state::{Asking, Fresh, Hand, Spans, State};
use crate::time::TimeSource;

/// Two players, and the tables that they have left.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The tokens of seat 1 and seat 2, at every table.
    pub tokens: [String; 2],
    /// The index of the seat that is to move, at every table.
    pub to_move: usize,
    /// Their tables.
    pub tables: Vec<Prepared>,
}

/// A table that waits for its next move.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its name.
    pub table: String,
    /// Its running game.
    pub game: String,
    /// The turn to answer.
    pub turn: u64,
    /// The move that the script goes on with.
    pub next: Move,
}

/// Writes the journal into a folder, and closes it.
pub async fn write(folder: &Path, cold: Cold) -> Result<Vec<Pair>, BenchError> {
    let time = TimeSource::system();
    let options = store::Options { durability: Durability::Process, ..store::Options::default() };
    let store = Store::open_with(folder, options)?;
    let mut writer = Writer { store, now: time.now(), chance: ChaCha20Rng::seed_from_u64(1) };
    let scripts = scripts()?;
    let mut scripts = scripts.iter().filter(|script| script.len() > cold.plies).cycle();
    let mut pairs = Vec::new();
    for _ in 0..cold.tables / cold.each.max(1) {
        let one = writer.player().await?;
        let two = writer.player().await?;
        let players = [one.0, two.0];
        let mut tables = Vec::with_capacity(cold.each);
        let mut told = None;
        for _ in 0..cold.each {
            let script = scripts.next().ok_or_else(|| BenchError::unexpected("a game", "none"))?;
            let (prepared, word) = writer.table(&players, script, cold.plies)?;
            tables.push(prepared);
            told = Some(word);
        }
        // The last of a pair's tables being durable, all of them are: writes keep their order.
        if let Some(told) = told {
            told.until(|durable| durable.to > 0).await;
        }
        pairs.push(Pair { tokens: [one.1, two.1], to_move: cold.plies % 2, tables });
    }
    let Writer { store, .. } = writer;
    let closed = tokio::task::spawn_blocking(move || store.close()).await;
    closed.map_err(|error| BenchError::unexpected("a closed journal", error))?;
    Ok(pairs)
}

struct Writer {
    store: Store,
    now: Stamp,
    chance: ChaCha20Rng,
}

impl Writer {
    fn random(&mut self) -> u128 {
        u128::from(self.chance.next_u64()) << 64 | u128::from(self.chance.next_u64())
    }

    async fn player(&mut self) -> Result<(Player, String), BenchError> {
        let token =
            Token::generate().map_err(|error| BenchError::unexpected("random bits", error))?;
        let id = PlayerId::from_parts(self.now.0, self.random());
        // No two players have one name.
        let name = format!("Bench {}", id.low_bits());
        let row = PlayerRow { id, name: name.clone(), created_ms: self.now.0, owner: None };
        let key = KeyId::from_parts(self.now.0, self.random());
        let device = CredentialRow::device(key, id, token.hash(), self.now.0);
        let made = self.store.create_player(row, device).await;
        made.map_err(|error| BenchError::unexpected("a player", error))?;
        Ok((Player { id, name: name.into(), cpu: None, bot: false }, token.reveal()))
    }

    /// Writes a table whose game has come as far as the script's first `plies` moves.
    fn table(
        &mut self,
        players: &[Player; 2],
        script: &Script,
        plies: usize,
    ) -> Result<(Prepared, Word), BenchError> {
        let no = |error: &dyn std::fmt::Display| BenchError::unexpected("a sound table", error);
        let slot: Slot = self.store.reserve().map_err(|error| no(&error))?;
        let (id, at) = (TableId::from_parts(self.now.0, self.random()), self.now);
        let game = GameId::from_parts(self.now.0, self.random());
        let fresh = || Fresh { game, seed: [0; 32] };
        let options = Options::resolve(&tables::options()).map_err(|error| no(&error))?;
        let mut state = State::new(id, Spans::default(), options, None, at);
        let mut events = vec![Event::Opened { options, invitation: None, at }];
        let take = |state: &mut State, more: Vec<Event>, events: &mut Vec<Event>| {
            for event in more {
                state.apply(&event).map_err(|error| no(&error))?;
                events.push(event);
            }
            Ok::<(), BenchError>(())
        };
        for seat in Seat::BOTH {
            let joined = state.decide_join(&players[seat.index()], Some(seat), at, fresh);
            take(&mut state, joined.map_err(|error| no(&error))?.1, &mut events)?;
        }
        for (turn, &(seat, action)) in script.iter().take(plies).enumerate() {
            state.start_clock(at);
            let command = CommandId::new(&turn.to_string());
            let command = command.ok_or_else(|| BenchError::unexpected("a command id", turn))?;
            let player = players[seat.index()].id;
            let asking =
                Asking { player, command: &command, at, round_trip: 0, hand: Hand::default() };
            let play = Command::Play { game, turn: turn as u64, action };
            let decision = state.decide(asking, play, fresh);
            decision.answer.map_err(|error| no(&error))?;
            take(&mut state, decision.events, &mut events)?;
        }
        let told = Word::default();
        let written = events.iter().map(form::write).collect::<Result<_, _>>();
        let written = written.map_err(|error| no(&error))?;
        let game_row = state.game().map(|live| archive::game_row(&state, live, at));
        let append = Append {
            table: id,
            first: 1,
            events: written,
            listing: Some(archive::table_row(&state, at)),
            games: game_row.into_iter().collect(),
            result: None,
            left: None,
            told: told.clone(),
        };
        slot.append(append);
        let &(_, next) = script.get(plies).ok_or_else(|| BenchError::unexpected("a move", id))?;
        let turn = plies as u64;
        Ok((Prepared { table: id.to_string(), game: game.to_string(), turn, next }, told))
    }
}
