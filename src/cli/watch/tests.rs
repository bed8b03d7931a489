//! Pictures of tables, and what a command line names.

use hexhall_proto::options::Time;
use hexhall_proto::parts::{ClockReading, Clocks, Seat, Viewer};
use hexhall_proto::view::SeatPresence;

use super::*;
use crate::game::{self, Cell, Goal, Move, Rules, Size, Swap};
use crate::remote::TableCopy;
use crate::remote::hall::Hall;

const TABLE: &str = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";

fn hall(rows: u64, cols: u64, swap: Swap, moves: &[&str]) -> Hall {
    let size = Size::new(rows, cols).unwrap();
    let mut hall = Hall::running(TABLE, Rules::new(size, swap, Goal::Join, 0).unwrap());
    for word in moves {
        let action = match word.parse::<Cell>() {
            Ok(cell) => Move::Place(cell),
            Err(_) => Move::Swap,
        };
        hall.play(action);
    }
    hall
}

fn seen(hall: &Hall) -> TableCopy {
    TableCopy::new(hall.view(Viewer::Spectator))
}

fn plain(copy: &TableCopy) -> String {
    render(copy, &Look::default())
}

/// A game with a Fischer clock of which seat 2's runs.
fn timed() -> TableCopy {
    let mut view = hall(3, 3, Swap::Off, &["b2"]).view(Viewer::Spectator);
    view.options.time = Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None };
    let reading = |left_ms| ClockReading { left_ms, periods: None, first_move_ms: None };
    let seats = [reading(304_000), reading(21_500)];
    view.game.as_mut().unwrap().clocks = Some(Clocks { running: Some(Seat::Two), seats });
    TableCopy::new(view)
}

#[test]
fn a_running_game_shows_board_players_and_last_move() {
    insta::assert_snapshot!(plain(&seen(&hall(5, 5, Swap::Sides, &["c3", "swap", "d2", "b4"]))));
}

#[test]
fn a_finished_game_shows_its_winner_and_the_chain() {
    let hall = hall(3, 4, Swap::Off, &["b1", "a1", "b2", "a2", "a3"]);
    insta::assert_snapshot!(plain(&seen(&hall)));
}

#[test]
fn columns_beyond_z_have_their_letters_one_above_the_other() {
    insta::assert_snapshot!(plain(&seen(&hall(2, 28, Swap::Off, &["ab2"]))));
}

#[test]
fn colours_are_used_only_where_they_are_wanted() {
    let hall = hall(2, 2, Swap::Off, &["a1", "b1", "a2"]);
    let colored = render(&seen(&hall), &Look { color: true, ..Look::default() });
    assert!(colored.contains("\x1b[1;7;31m●\x1b[0m"), "{colored:?}");
    assert!(colored.contains("\x1b[34m●\x1b[0m"), "{colored:?}");
    let plain = plain(&seen(&hall));
    assert!(!plain.contains('\x1b') && plain.contains('R') && plain.contains('b'), "{plain}");
}

#[test]
fn the_clock_of_the_seat_to_move_counts_down_and_shows_tenths_at_last() {
    let at = |ms| {
        let age = Some(Duration::from_millis(ms));
        let picture = render(&timed(), &Look { age, ..Look::default() });
        let players = picture.lines().skip(1).take(2);
        let clock =
            |line: &str| line.split_whitespace().find(|it| it.contains(':')).unwrap().to_owned();
        players.map(clock).collect::<Vec<_>>()
    };
    assert_eq!(at(0), ["5:04", "0:21"]);
    assert_eq!(at(1_400), ["5:04", "0:20"]);
    assert_eq!(at(2_150), ["5:04", "0:19.3"]);
    assert_eq!(at(60_000), ["5:04", "0:00.0"]);
    let standing = render(&timed(), &Look::default());
    assert!(standing.contains("0:21"), "{standing}");
}

#[test]
fn a_name_cannot_command_the_terminal() {
    let mut view = hall(3, 3, Swap::Off, &[]).view(Viewer::Spectator);
    view.seats[0].as_mut().unwrap().name = "\x1b]0;x\x07Eve\n".into();
    let picture = plain(&TableCopy::new(view));
    assert!(picture.contains("]0;xEve") && !picture.contains('\x1b'), "{picture:?}");
}

#[test]
fn a_table_without_a_game_waits_and_a_lost_connection_is_told() {
    let hall = Hall::new(TABLE, Rules::hex(Size::new(3, 3).unwrap()));
    let look = Look { trouble: Some("connecting again".into()), ..Look::default() };
    let picture = render(&seen(&hall), &look);
    assert!(picture.ends_with("waiting for a second player\nconnecting again\n"), "{picture}");
    assert!(picture.contains("(nobody)"));
}

#[test]
fn a_resignation_names_both_players() {
    let mut hall = hall(3, 3, Swap::Off, &["b2"]);
    hall.resign(Seat::One);
    assert!(plain(&seen(&hall)).contains("Bo wins: Ada resigned"));
    assert_eq!(hall.game().outcome().and_then(game::Outcome::winner), Some(game::Seat::Two));
}

#[test]
fn a_seat_that_the_computer_plays_for_its_player_is_told_so_with_its_moves() {
    let mut view = hall(3, 3, Swap::Off, &["b2", "a1"]).view(Viewer::Spectator);
    let driven =
        SeatPresence { connected: false, countdown_ms: None, claimable: false, cpu: Some(5) };
    view.presence.seats[1] = driven;
    view.game.as_mut().unwrap().moves[1].cpu = true;
    let picture = plain(&TableCopy::new(view.clone()));
    assert!(picture.contains("away, the computer plays at level 5\n"), "{picture}");
    assert!(picture.ends_with("move 2: Bo a1, by the computer\n"), "{picture}");
    // Of its own seat it goes without saying.
    view.seats[1].as_mut().unwrap().cpu = Some(3);
    let picture = plain(&TableCopy::new(view));
    assert!(picture.ends_with("move 2: Bo a1\n"), "{picture}");
}

#[test]
fn whoever_has_left_is_told_by_colour() {
    let mut view = hall(3, 3, Swap::Off, &["b1", "a1", "b2", "a2", "a3"]).view(Viewer::Spectator);
    view.seats[0] = None;
    let picture = plain(&TableCopy::new(view));
    assert!(picture.contains("red   (nobody)"), "{picture}");
    assert!(picture.ends_with("move 5: red a3\nred wins by the chain: b1 b2 a3\n"), "{picture}");
}

fn named(table: &str, server: Option<&str>, invitation: Option<&str>) -> Result<Target, String> {
    let server = server.map(|url| url.parse().unwrap());
    target(table, server, invitation.map(str::to_owned)).map_err(|failure| failure.to_string())
}

#[test]
fn a_table_is_named_by_its_id_or_by_its_address() {
    let expected = |server: &str, invitation: Option<&str>| {
        let (table, invitation) = (TABLE.parse().unwrap(), invitation.map(str::to_owned));
        Ok(Target { server: server.parse().unwrap(), table, invitation })
    };
    let server = Some("http://localhost:9");
    assert_eq!(named(TABLE, server, None), expected("http://localhost:9", None));
    let address = format!("http://hall.example:81/t/{TABLE}?invitation=abc#board");
    assert_eq!(named(&address, None, None), expected("http://hall.example:81", Some("abc")));
    assert_eq!(named(&address, server, Some("x")), expected("http://localhost:9", Some("x")));
}

#[test]
fn a_table_or_server_that_is_not_named_is_asked_for() {
    let text = named("tbl_1", Some("http://localhost:9"), None).unwrap_err();
    assert!(text.starts_with("`tbl_1` names no table"), "{text}");
    let text = named(TABLE, None, None).unwrap_err();
    assert!(text.contains("--server URL"), "{text}");
    let text = named(&format!("https://hall.example/{TABLE}"), None, None).unwrap_err();
    assert!(text.contains("TLS"), "{text}");
}

#[test]
fn in_the_dark_a_watcher_reads_that_something_happened_and_not_where() {
    let mut view = hall(3, 3, Swap::Off, &["b2", "a1"]).view(Viewer::Spectator);
    let game = view.game.as_mut().unwrap();
    game.board = vec!["...".into(); 3];
    game.moves.iter_mut().for_each(|played| played.cell = None);
    view.options.collision = Some(hexhall_proto::options::Collision::Abrupt);
    let placed = plain(&TableCopy::new(view.clone()));
    assert!(placed.contains("move 2: Bo places a stone that is hidden"), "{placed}");
    assert!(placed.contains("Dark Hex, abrupt"), "{placed}");
    view.game.as_mut().unwrap().moves[1].collision = true;
    let collided = plain(&TableCopy::new(view));
    assert!(collided.contains("move 2: Bo runs into a hidden stone"), "{collided}");
}
