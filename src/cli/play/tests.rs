use clap::Parser;
use hexhall_proto::request::Open;

use super::*;
use crate::game::clock::Stamp;
use crate::remote::fake::Fake;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(words: &[&str]) -> Result<Args, String> {
    let words = std::iter::once("play").chain(words.iter().copied());
    Line::try_parse_from(words).map(|line| line.args).map_err(|error| error.to_string())
}

#[test]
fn a_game_is_read_line_by_line_up_to_its_end() {
    let rules = Rules::hex(Size::new(3, 3).unwrap());
    let time = TimeSource::manual(Stamp(0));
    let mut game = Local::new(rules, Seat::One, Level::MIN, 1, &time);
    let mut shown = String::new();
    let mut show = |text: &str| {
        shown.push_str(text);
        Ok(())
    };
    converse(&mut game, &b"b2\r\n\xff\nresign\nb1\n"[..], true, &mut show).unwrap();
    assert!(shown.contains("\n> computer: "), "{shown}");
    assert!(shown.contains("is neither a cell nor a word"), "{shown}");
    assert!(shown.ends_with("the computer wins by resignation\n"), "{shown}");
    let mut unfinished = Local::new(rules, Seat::One, Level::MIN, 1, &time);
    converse(&mut unfinished, &b"b2"[..], false, &mut |_| Ok(())).unwrap();
}

#[test]
fn rules_that_do_not_fit_and_flags_of_the_other_kind_are_refused() {
    let refused = |words: &[&str]| match args(words) {
        Ok(args) => rules(&args).unwrap_err().to_string(),
        Err(text) => text,
    };
    assert!(refused(&["--swap", "pieces", "--size", "3x4"]).contains("square"));
    assert!(refused(&["--dark", "abrupt", "--swap", "sides"]).contains("choose `--swap off`"));
    assert!(refused(&["--dark", "abrupt", "--rex"]).contains("Dark Hex"));
    assert!(refused(&["--table", "tbl_1", "--level", "3"]).contains("cannot be used with"));
    assert!(refused(&["--server", "http://127.0.0.1:1"]).contains("--table"));
    assert!(refused(&["--name", "Ada"]).contains("--table"));
    assert!(refused(&["--level", "0"]).contains("levels from 1 to 10"));
    let dark = rules(&args(&["--dark", "classical", "--size", "4"]).unwrap()).unwrap();
    assert_eq!((dark.kind().is_dark(), dark.swap()), (true, Swap::Off));
}

#[tokio::test]
async fn a_seat_at_a_live_table_is_played_by_lines() {
    let fake = Fake::new();
    let host = Session::start(fake.door(), Settings::default()).await.unwrap();
    let options = hexhall_proto::options::OptionsRequest {
        size: Some(3),
        ..hexhall_proto::options::OptionsRequest::default()
    };
    let opened = host.open(Open { options, ..Open::default() }).await.unwrap();
    let guest = Session::start(fake.door(), Settings::default()).await.unwrap();
    let join = Join { table: opened.table.id.clone(), seat: None, invitation: None };
    guest.join(join).await.unwrap();
    let mut table = opened.table;
    table.until(|copy| copy.turn() == Some(1)).await.unwrap();

    let (say, lines) = mpsc::channel(LINES);
    for line in ["help", "z", "b2", "accept", "quit"] {
        say.send(line.to_owned()).await.unwrap();
    }
    let mut shown = String::new();
    let mut show = |text: &str| {
        shown.push_str(text);
        Ok(())
    };
    let look = watch::Look::default();
    let mut seat = table::Seated::new(&host, table, "play-1".to_owned(), look);
    seat.play(lines, &mut show).await.unwrap();
    assert!(shown.contains(table::HELP), "{shown}");
    assert!(shown.contains("`z` is neither a cell nor a word"), "{shown}");
    assert!(shown.contains("the other player asks for nothing"), "{shown}");
    assert_eq!(fake.plies(&guest_table(&shown)), 1, "{shown}");
}

/// The table's id, as it stands at the head of each picture.
fn guest_table(shown: &str) -> String {
    shown.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn whoever_finds_both_seats_taken_is_told_how_to_watch() {
    let refused = |code| {
        let body = Box::new(hexhall_proto::error::ErrorBody::new(code, "no"));
        no_seat(SessionError::Refused { op: "join", body }).to_string()
    };
    assert!(refused(Code::SeatTaken).contains("`hexhall watch TABLE`"));
    assert!(refused(Code::NotInvited).contains("not_invited"));
}
