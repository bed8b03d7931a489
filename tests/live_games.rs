//! Published games, played through a live server over real sockets in both formats by two players
//! before three watchers: everybody sees what the rules say.

use std::path::Path;
use std::process::{Command, Output};

use hexhall::cli::replay::{self, Item, Report, Script, Verdict, script};
use hexhall::game::{Cell, Color, Game, Seat};
use hexhall::remote::{Address, TableCopy};
use hexhall::wire;
use hexhall_proto::codec::Format;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;
use serde_json::Value;

use crate::harness::{FORMATS, Guest, Hall, PATIENCE, Setup, patiently};

const GAMES: &str = include_str!("data/games.jsonl");
const ORACLE: &str = include_str!("data/oracle.jsonl");

fn read(name: &str, text: &str) -> Vec<Item> {
    script::read(Path::new(name), text.as_bytes())
}

async fn replay(items: Vec<Item>, formats: &[Format]) -> Report {
    let hall = Hall::start(Setup::new().kept()).await;
    let options = replay::Options {
        spectators: 3,
        pace: std::time::Duration::ZERO,
        formats: formats.to_vec(),
        jobs: 8,
        give_up_after: PATIENCE,
    };
    let report = replay::run(&hall.address(), items, &options, &|_| {}).await;
    assert!(report.is_clean(), "{report}");
    for game in &report.games {
        let seen = match game.verdict {
            Verdict::Same => 5,
            Verdict::Skipped(_) => continue,
            _ => panic!("{report}"),
        };
        assert_eq!((game.viewers, game.reconnects), (seen, 0), "{}", game.name);
    }
    report
}

/// The lines of a file, as whoever published them has them.
fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

#[tokio::test]
async fn games_that_people_published_are_seen_as_they_were_played() {
    let report = replay(read("games.jsonl", GAMES), &FORMATS).await;
    let published: Vec<Value> = lines(GAMES).collect();
    assert_eq!(report.games.len(), 2 * published.len());
    for (game, published) in report.games.chunks(2).zip(published) {
        let expected = match (published["end"].as_str().unwrap(), published["winner"].as_u64()) {
            ("chain", Some(winner)) => format!("seat {winner} by chain"),
            ("resign", Some(winner)) => format!("seat {winner} by resignation"),
            _ => "unfinished".into(),
        };
        assert_eq!([&game[0].result, &game[1].result], [&expected, &expected], "{}", game[0].name);
    }
}

async fn refereed(format: Format) {
    let report = replay(read("oracle.jsonl", ORACLE), &[format]).await;
    assert_eq!(report.games.len(), lines(ORACLE).count());
    for (game, refereed) in report.games.iter().zip(lines(ORACLE)) {
        let winner = refereed["winner"].as_u64().unwrap();
        assert_eq!(game.result, format!("seat {winner} by chain"), "{}", game.name);
        assert_eq!(game.verdict, Verdict::Same);
    }
    let dark = lines(ORACLE).filter(|refereed| refereed["rules"] != "hex").count();
    assert_eq!((report.games.len(), dark), (109, 65));
}

#[tokio::test]
async fn games_of_another_referee_are_seen_as_it_saw_them_in_json() {
    refereed(Format::Json).await;
}

#[tokio::test]
async fn games_of_another_referee_are_seen_as_it_saw_them_in_messagepack() {
    refereed(Format::MsgPack).await;
}

#[tokio::test]
async fn games_of_tournaments_are_seen_as_they_were_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/olympiad");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut items = Vec::new();
    for file in &files {
        let read = script::read(file, &std::fs::read(file).unwrap());
        let broken = matches!(read[..], [Item::Unreadable { .. }]);
        assert_eq!(broken, file.ends_with("occupied.sgf"), "{}", file.display());
        items.extend(read.into_iter().filter(|item| matches!(item, Item::Play(_))));
    }
    assert_eq!(items.len(), files.len() - 1);
    replay(items, &FORMATS).await;
}

/// Everybody at one table.
struct Party {
    table: String,
    players: [Guest; 2],
    watchers: Vec<Guest>,
}

impl Party {
    /// Players and watchers, in both formats.
    async fn gather(at: &Address, script: &Script) -> Party {
        let mut one = Guest::arrive(at, Format::Json, "Ana").await;
        let mut two = Guest::arrive(at, Format::MsgPack, "Bo").await;
        let table = one.open(script.options()).await;
        let mut watchers = Vec::new();
        for format in [Format::Json, Format::MsgPack, Format::MsgPack] {
            let mut watcher = Guest::arrive(at, format, "Cy").await;
            watcher.watch(&table).await;
            watchers.push(watcher);
        }
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        Party { table, players: [one, two], watchers }
    }

    /// What each of them sees once that many moves are told.
    async fn sights(&mut self, plies: usize) -> Vec<TableCopy> {
        let mut sights = Vec::new();
        for guest in self.players.iter_mut().chain(&mut self.watchers) {
            let told = |copy: &TableCopy| copy.game().is_some_and(|it| it.moves.len() == plies);
            sights.push(guest.until(&self.table, "the move", told).await);
        }
        sights
    }
}

fn board(game: &Game) -> Vec<String> {
    let size = game.board().size();
    let stone = |row, col| match game.board().get(Cell::new(row, col)) {
        None => '.',
        Some(Color::Red) => 'r',
        Some(Color::Blue) => 'b',
    };
    (0..size.rows()).map(|row| (0..size.cols()).map(|col| stone(row, col)).collect()).collect()
}

#[tokio::test]
async fn everybody_sees_every_position_on_the_way() {
    let items = read("games.jsonl", GAMES).into_iter().chain(read("oracle.jsonl", ORACLE));
    let scripts: Vec<Script> = items
        .filter_map(|item| match item {
            Item::Play(script) => Some(script),
            _ => None,
        })
        .filter(|script| !script.game.is_dark())
        // One in four: the others are compared at their ends, and event by event with the rest.
        .step_by(4)
        .collect();
    assert!(scripts.len() >= 12);
    let hall = Hall::start(Setup::new()).await;
    for script in &scripts {
        let mut party = Party::gather(&hall.address(), script).await;
        let mut game = Game::new(*script.game.rules(), Vec::new());
        for (played, ply) in script.game.plies().iter().enumerate() {
            for (seat, sight) in party.sights(played).await.iter().enumerate() {
                let seen = sight.game().unwrap();
                let at = || format!("{}, before move {}", script.name, played + 1);
                assert_eq!(seen.board, board(&game), "{}", at());
                assert_eq!(seen.to_move.map(wire::read_seat), game.to_move(), "{}", at());
                assert_eq!(seen.colors, Seat::BOTH.map(|it| wire::color(game.color(it))));
                assert_eq!(sight.seat().map(|it| it as usize), Some(seat).filter(|it| *it < 2));
            }
            let mover = &mut party.players[ply.seat.index()];
            let action = mover.action(&party.table, wire::action(ply.action));
            let turn = action.turn + 1;
            assert_eq!(
                mover.ask(Request::Move(action)).await,
                Reply::Moved { turn, collision: false }
            );
            game.play(ply.seat, ply.action).unwrap();
        }
        let plies = script.game.plies().len();
        let ended = game.outcome().map(wire::outcome);
        for guest in party.players.iter_mut().chain(&mut party.watchers) {
            let told = |copy: &TableCopy| {
                copy.game().is_some_and(|it| it.moves.len() == plies) && copy.outcome() == ended
            };
            let seen = guest.until(&party.table, "the end", told).await;
            assert_eq!(seen.board(), board(&game));
            let fresh = TableCopy::new(guest.watch(&party.table).await);
            assert_eq!(seen.timeless(), fresh.timeless(), "{}", script.name);
        }
    }
}

#[tokio::test]
async fn a_replay_that_takes_its_time_says_where_to_watch_also_without_a_terminal() {
    let hall = Hall::start(Setup::new()).await;
    let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    let game = r#"{"name": "mine", "rows": 3, "cols": 3, "moves": ["b1"], "end": "unfinished"}"#;
    std::fs::write(file.path(), game).unwrap();
    let pages = hall.address().http();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexhall"));
    command.args(["replay", "--server", &pages, "--pace", "1"]).arg(file.path());
    let ran = tokio::task::spawn_blocking(move || command.output().unwrap());
    let Output { status, stderr, .. } = patiently("the replay", ran).await.unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{said}");
    assert!(said.starts_with(&format!("mine is played at {pages}/t/tbl_")), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
