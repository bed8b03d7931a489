//! Every refereed game of Dark Hex through a live server, over real sockets, before both seats and
//! a watcher: each sees after every attempt what the referee says that they may.

use std::path::Path;

use hexhall::cli::replay::{Item, Script, script};
use hexhall::game::{Game, Move};
use hexhall::remote::TableCopy;
use hexhall::wire;
use hexhall_proto::codec::Format;
use hexhall_proto::parts::{EndedBy, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{GameCommand, Request};
use hexhall_proto::view::GameView;
use serde_json::Value;

use crate::harness::{FORMATS, Guest, Hall, Setup};

const ORACLE: &str = include_str!("data/oracle.jsonl");

/// What the referee says, and the game to play.
fn refereed() -> impl Iterator<Item = (Value, Script)> {
    let items = script::read(Path::new("oracle.jsonl"), ORACLE.as_bytes()).into_iter();
    let lines = ORACLE.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.zip(items).filter(|(line, _)| line["rules"] != "hex").map(|(line, item)| match item {
        Item::Play(script) => (line, script),
        other => panic!("{other:?}"),
    })
}

/// Both players and a watcher.
struct Party {
    table: String,
    guests: [Guest; 3],
}

impl Party {
    async fn gather(hall: &Hall, script: &Script, format: Format) -> Party {
        let at = hall.address();
        let mut one = Guest::arrive(&at, format, "Ana").await;
        let mut two = Guest::arrive(&at, Format::MsgPack, "Bo").await;
        let mut watcher = Guest::arrive(&at, Format::Json, "Cy").await;
        let table = one.open(script.options()).await;
        watcher.watch(&table).await;
        two.join(&table).await;
        Party { table, guests: [one, two, watcher] }
    }

    /// What each of them has followed, once that many attempts and perhaps the end are told.
    async fn sights(&mut self, attempts: usize, over: bool) -> [GameView; 3] {
        let told = |copy: &TableCopy| {
            let all = copy.game().is_some_and(|game| game.moves.len() == attempts);
            all && copy.outcome().is_some() == over
        };
        let mut sights = Vec::new();
        for guest in &mut self.guests {
            let copy = guest.until(&self.table, "the attempt", told).await;
            sights.push(copy.game().unwrap().clone());
        }
        sights.try_into().unwrap()
    }

    /// That a fresh view tells everybody what they have followed.
    async fn agrees_with_fresh_views(&mut self) {
        for guest in &mut self.guests {
            let any = guest.until(&self.table, "anything", |_| true).await;
            let fresh = TableCopy::new(guest.watch(&self.table).await);
            assert_eq!(any.timeless(), fresh.timeless());
        }
    }
}

fn lines(value: &Value) -> Vec<String> {
    let rows = value.as_array().unwrap().iter().map(|row| row.as_str().unwrap());
    rows.map(|row| row.replace('x', "r").replace('o', "b")).collect()
}

/// What the three see while the game runs, held against the referee's views of the two seats.
fn hides(sights: &[GameView; 3], views: &Value, game: &Game) {
    for (seat, sight) in [Seat::One, Seat::Two].into_iter().zip(sights) {
        assert_eq!(sight.board, lines(&views[seat as usize]));
        for (told, ply) in sight.moves.iter().zip(game.plies()) {
            let Move::Place(cell) = ply.action else { unreachable!() };
            let own = told.seat == seat;
            assert_eq!(told.cell, own.then(|| wire::cell(cell)));
            assert_eq!((told.collision, told.seat), (ply.collided, wire::seat(ply.seat)));
        }
        let found = game.found(wire::read_seat(seat)).map(wire::cell).collect::<Vec<_>>();
        assert_eq!(sight.found, Some(found));
        let on_turn = sight.to_move == Some(seat);
        assert_eq!(sight.legal_moves.is_some(), on_turn);
        if let Some(legal) = &sight.legal_moves {
            let unknown = sight.board.iter().flat_map(|row| row.chars()).filter(|it| *it == '.');
            assert_eq!(legal.len(), unknown.count());
        }
    }
    let watched = &sights[2];
    assert!(watched.board.iter().all(|row| row.chars().all(|stone| stone == '.')));
    assert!(watched.moves.iter().all(|told| told.cell.is_none()));
    assert_eq!(
        (&watched.found, &watched.legal_moves, &watched.winning_path),
        (&None, &None, &None)
    );
}

#[tokio::test]
async fn everybody_sees_after_each_attempt_what_a_referee_says_they_may() {
    let hall = Hall::start(Setup::new()).await;
    for (number, (line, script)) in refereed().enumerate() {
        let format = FORMATS[number % FORMATS.len()];
        let mut party = Party::gather(&hall, &script, format).await;
        let mut game = Game::new(*script.game.rules(), Vec::new());
        for (played, ply) in script.game.plies().iter().enumerate() {
            let sights = party.sights(played, false).await;
            match line.get("views") {
                Some(views) => hides(&sights, &views[played], &game),
                None => assert!(sights[2].moves.iter().all(|told| told.cell.is_none())),
            }
            if number % 8 == 0 && played % 3 == 0 {
                party.agrees_with_fresh_views().await;
            }
            let mover = &mut party.guests[ply.seat.index()];
            let action = mover.action(&party.table, wire::action(ply.action));
            let (turn, collision) = (action.turn + 1, ply.collided);
            assert_eq!(line["attempts"][played][2] == "collision", collision);
            assert_eq!(
                mover.ask(Request::Move(action.clone())).await,
                Reply::Moved { turn, collision }
            );
            if collision {
                // Sent again, as after a lost reply: the same answer, and nothing more.
                let again = mover.ask(Request::Move(action)).await;
                assert_eq!(again, Reply::Moved { turn, collision });
            }
            game.play(ply.seat, ply.action).unwrap();
        }
        let sights = party.sights(game.plies().len(), true).await;
        for sight in &sights {
            assert_eq!(sight.board, lines(&line["final_board"]), "the whole board is uncovered");
            assert!(sight.moves.iter().all(|told| told.cell.is_some()));
            let outcome = sight.outcome.unwrap();
            let winner = outcome.winner.map(u64::from);
            assert_eq!((winner, outcome.by), (line["winner"].as_u64(), EndedBy::Chain));
            assert!(sight.winning_path.is_some());
        }
        party.agrees_with_fresh_views().await;
    }
}

#[tokio::test]
async fn after_a_resignation_the_board_stays_hidden_at_the_table() {
    let hall = Hall::start(Setup::new()).await;
    let (line, script) = refereed()
        .find(|(line, script)| {
            line.get("views").is_some() && script.game.plies().iter().any(|ply| ply.collided)
        })
        .unwrap();
    let mut party = Party::gather(&hall, &script, Format::Json).await;
    let mut game = Game::new(*script.game.rules(), Vec::new());
    let attempts = script.game.plies().len() - 1;
    for ply in &script.game.plies()[..attempts] {
        party.sights(game.plies().len(), false).await;
        let mover = &mut party.guests[ply.seat.index()];
        let action = mover.action(&party.table, wire::action(ply.action));
        mover.ask(Request::Move(action)).await;
        game.play(ply.seat, ply.action).unwrap();
    }
    let sights = party.sights(attempts, false).await;
    let resign = GameCommand {
        table: party.table.clone(),
        game: sights[0].id.clone(),
        command: "enough".into(),
    };
    assert_eq!(party.guests[0].ask(Request::Resign(resign.into())).await, Reply::Done {});
    let ended = party.sights(attempts, true).await;
    hides(&ended, &line["views"][attempts], &game);
    assert!(ended.iter().all(|sight| sight.winning_path.is_none()));
    party.agrees_with_fresh_views().await;
}
