//! Tables as such: who finds them, how many there may be, and how they outlast their actors.

use hexhall::game::{Cell, Move};
use hexhall::gateway::follows::MOST_WATCHED;
use hexhall::ids::TableId;
use hexhall::table::handle::{Ask, Command};
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::{Event, LobbyEvent, StreamFrame};
use hexhall_proto::options::Time;
use hexhall_proto::parts::{Phase, Seat, Viewer};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Join, Open, Request, Watch};
use hexhall_proto::view::Listing;
use tokio::task::LocalSet;

use crate::harness::bench::{Bench, Sitter, command};
use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Guest, Hall, Setup, board, patiently};

#[tokio::test]
async fn a_private_table_opens_to_those_who_show_its_invitation() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let mut host = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut friend = Guest::arrive(&hall.address(), format, "Bo").await;
        let mut other = Guest::arrive(&hall.address(), format, "Cy").await;
        let open = Open { options: board(3, Time::None {}), private: true, cpu: None, party: None };
        let (table, invitation) = host.open_with(open).await;
        assert!(invitation.as_ref().is_some_and(|text| text.len() >= 20), "{invitation:?}");
        let watch = Watch { table: table.clone(), invitation: invitation.clone(), last: None };
        assert!(matches!(other.ask(Request::Watch(watch)).await, Reply::View { .. }));
        let join = Join { table: table.clone(), seat: None, invitation };
        assert!(matches!(friend.ask(Request::Join(join)).await, Reply::Joined { .. }));
        // Those who sit there are known.
        friend.hang_up();
        friend.come_back(&hall.address()).await;
        assert_eq!(friend.watch(&table).await.viewer, Viewer::SeatTwo);
        let Reply::Lobby { tables, .. } = other.ask(Request::Lobby {}).await else {
            panic!("no list")
        };
        assert_eq!(tables, [], "it is on no list");
    }
}

#[tokio::test]
async fn a_guest_holds_no_more_tables_than_allowed() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    let most = setup.config.limits.tables_per_guest;
    let hall = Hall::start(setup).await;
    let mut guest = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut tables = Vec::new();
    for _ in 0..most {
        tables.push(guest.open(board(3, Time::None {})).await);
    }
    let open = Request::Open(Open {
        options: board(3, Time::None {}),
        private: true,
        cpu: None,
        party: None,
    });
    refused_with(&mut guest, Code::TooManyTables, open.clone()).await;
    guest.leave(&tables[0]).await;
    assert!(matches!(guest.ask(open.clone()).await, Reply::Opened { .. }));
    refused_with(&mut guest, Code::TooManyTables, open).await;
}

#[tokio::test]
async fn the_list_of_tables_tells_what_opens_changes_and_closes() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let mut reader = Guest::arrive(&hall.address(), format, "Cy").await;
        let reply = reader.ask(Request::Lobby {}).await;
        let Reply::Lobby { tables, .. } = reply else { panic!("no list: {reply:?}") };
        assert_eq!(tables, []);
        let mut one = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut two = Guest::arrive(&hall.address(), format, "Bo").await;
        let table = one.open(board(3, Time::None {})).await;
        let listing = lists(&mut reader).await;
        assert_eq!((&listing.table, listing.phase), (&table, Phase::Waiting));
        assert_eq!(listing.seats[0].as_ref(), Some(&one.player));
        two.join(&table).await;
        let listing = until_phase(&mut reader, Phase::Playing).await;
        assert_eq!(listing.seats, [Some(one.player.clone()), Some(two.player.clone())]);
        let resign = two.command(&table);
        two.done(Request::Resign(resign.into())).await;
        until_phase(&mut reader, Phase::Finished).await;
        let mut late = Guest::arrive(&hall.address(), format, "Di").await;
        let Reply::Lobby { tables, .. } = late.ask(Request::Lobby {}).await else {
            panic!("no list")
        };
        assert!(matches!(&tables[..], [it] if it.phase == Phase::Finished), "{tables:?}");
        two.leave(&table).await;
        until_phase(&mut reader, Phase::Waiting).await;
        one.leave(&table).await;
        for guest in [&mut reader, &mut late] {
            loop {
                match guest.hears_of_list("that it is gone").await {
                    LobbyEvent::Unlisted { table: gone } => {
                        assert_eq!(gone, table);
                        break;
                    }
                    other => assert!(matches!(other, LobbyEvent::Listed { .. }), "{other:?}"),
                }
            }
        }
    }
}

async fn lists(reader: &mut Guest) -> Listing {
    match reader.hears_of_list("a table").await {
        LobbyEvent::Listed { listing } => *listing,
        other => panic!("{other:?}"),
    }
}

async fn until_phase(reader: &mut Guest, phase: Phase) -> Listing {
    loop {
        let listing = lists(reader).await;
        if listing.phase == phase {
            return listing;
        }
    }
}

const JOIN: Ask = Ask::Join { seat: None, invitation: None };
const WATCH: Ask = Ask::Watch { invitation: None, last: None };

#[tokio::test]
async fn a_table_that_nobody_follows_is_put_away_and_rebuilt_when_it_is_asked_for() {
    let idle = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        let Reply::Joined { view, .. } = bench.ask(&mut two, table, JOIN).await else { panic!() };
        let game = view.game.unwrap().id.parse().unwrap();
        let first = Command::Play { game, turn: 0, action: Move::Place(Cell::new(1, 1)) };
        let reply = bench.ask(&mut one, table, command("first", first)).await;
        assert_eq!(reply, Reply::Moved { turn: 1, collision: false });
        let second = Command::Play { game, turn: 1, action: Move::Place(Cell::new(0, 0)) };
        let reply = bench.ask(&mut two, table, command("second", second)).await;
        assert_eq!(reply, Reply::Moved { turn: 2, collision: false });
        let Reply::View { view: before } = bench.ask(&mut one, table, WATCH).await else {
            panic!()
        };
        assert_eq!(bench.tables.awake(), 1);
        for sitter in [&mut one, &mut two] {
            assert_eq!(bench.ask(sitter, table, Ask::Unwatch).await, Reply::Done {});
        }
        // First the countdown passes, in which it could still matter that the players come back.
        for span in [60_000, 59_999] {
            bench.advance(span);
            bench.worked_through().await;
            assert_eq!(bench.tables.awake(), 1);
        }
        bench.advance(1);
        bench.worked_through().await;
        assert_eq!(bench.tables.awake(), 0, "it was put away");
        // A command that was answered before is answered the same, by a table made from nothing.
        let reply = bench.ask(&mut one, table, command("first", first)).await;
        assert_eq!((reply, bench.tables.awake()), (Reply::Moved { turn: 1, collision: false }, 1));
        let Reply::View { view: after } = bench.ask(&mut one, table, WATCH).await else { panic!() };
        assert_eq!((after.seq, after.game), (before.seq, before.game));
    };
    LocalSet::new().run_until(idle).await;
}

#[tokio::test]
async fn a_game_without_a_clock_waits_a_day_for_those_who_looked_at_it_long_after_the_last_move() {
    const HOUR_MS: u64 = 3_600_000;
    let waiting = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let mut watcher = bench.sitter("Cy");
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        assert!(matches!(bench.ask(&mut two, table, JOIN).await, Reply::Joined { .. }));
        bench.advance(23 * HOUR_MS);
        for sitter in [&mut one, &mut two] {
            assert_eq!(bench.ask(sitter, table, Ask::Unwatch).await, Reply::Done {});
        }
        for _ in 0..2 {
            bench.advance(60_000);
            bench.worked_through().await;
        }
        assert_eq!(bench.tables.awake(), 0, "it was put away");
        // A day after the last move, and two hours after the last look.
        for (span, phase) in [(2, Phase::Playing), (22, Phase::Finished)] {
            bench.advance(span * HOUR_MS);
            assert!(matches!(bench.ask(&mut watcher, table, WATCH).await, Reply::View { .. }));
            bench.advance(60_000);
            bench.worked_through().await;
            let Reply::View { view } = bench.ask(&mut watcher, table, WATCH).await else {
                panic!()
            };
            assert_eq!(view.phase, phase);
            assert_eq!(bench.ask(&mut watcher, table, Ask::Unwatch).await, Reply::Done {});
            bench.advance(60_000);
            bench.worked_through().await;
        }
    };
    LocalSet::new().run_until(waiting).await;
}

#[tokio::test]
async fn a_session_watches_no_more_tables_than_allowed_beside_its_own() {
    let watching = async {
        let bench = Bench::new();
        let (mut host, mut watcher) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let mut tables = Vec::new();
        for _ in 0..=MOST_WATCHED {
            tables.push(bench.open(&mut host, board(3, Time::None {})).await);
        }
        let (last, others) = tables.split_last().unwrap();
        for &table in others {
            assert!(matches!(bench.ask(&mut watcher, table, WATCH).await, Reply::View { .. }));
        }
        let reply = bench.ask(&mut watcher, *last, WATCH).await;
        assert!(matches!(&reply, Reply::Error(it) if it.code == Code::TooManyTables), "{reply:?}");
        assert!(!watcher.session().follows.followed().tables.contains(last));
        // What is watched already may be asked for again, and a seat may be taken all the same.
        assert!(matches!(bench.ask(&mut watcher, others[0], WATCH).await, Reply::View { .. }));
        assert!(matches!(bench.ask(&mut watcher, *last, JOIN).await, Reply::Joined { .. }));
        assert!(matches!(bench.ask(&mut watcher, *last, WATCH).await, Reply::View { .. }));
    };
    LocalSet::new().run_until(watching).await;
}

#[tokio::test]
async fn a_game_that_ends_as_its_table_is_to_be_put_away_is_listed_as_over() {
    /// As when the machine slept: all that was due meanwhile is due at once.
    const DAYS_MS: u64 = 2 * 24 * 3_600_000;
    let asleep = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        assert!(matches!(bench.ask(&mut two, table, JOIN).await, Reply::Joined { .. }));
        for sitter in [&mut one, &mut two] {
            assert_eq!(bench.ask(sitter, table, Ask::Unwatch).await, Reply::Done {});
        }
        bench.advance(60_000);
        bench.worked_through().await;
        let phases = async || bench.listed().await.iter().map(|it| it.phase).collect::<Vec<_>>();
        assert_eq!((bench.tables.awake(), phases().await), (1, vec![Phase::Playing]));
        bench.advance(DAYS_MS);
        bench.worked_through().await;
        assert_eq!(phases().await, [Phase::Finished]);
    };
    LocalSet::new().run_until(asleep).await;
}

#[tokio::test]
async fn a_table_that_dies_is_rebuilt_and_its_followers_are_told_to_begin_afresh() {
    let deadly = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let mut watcher = bench.sitter("Cy");
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        assert!(matches!(bench.ask(&mut watcher, table, WATCH).await, Reply::View { .. }));
        bench.make_deadly();
        // The game that begins as somebody joins is the end of the table.
        let Reply::Error(body) = bench.ask(&mut two, table, JOIN).await else { panic!() };
        assert_eq!(body.code, Code::Busy, "nothing was lost: try again");
        let mut next = Vec::new();
        for follower in [&mut one, &mut watcher] {
            next.push(begins_afresh(&bench, follower, table).await + 1);
        }
        let reply = bench.ask(&mut two, table, JOIN).await;
        assert!(matches!(reply, Reply::Joined { seat: Seat::Two, .. }), "{reply:?}");
        for (follower, next) in [&mut one, &mut watcher].into_iter().zip(next) {
            let numbered = patiently("what happens next", async {
                loop {
                    match follower.next().await {
                        Some(ServerFrame::Stream(frame)) if frame.seq.is_none() => {}
                        other => return other,
                    }
                }
            });
            let seated = numbered.await;
            let told = matches!(seated, Some(ServerFrame::Stream(ref it)) if it.seq == Some(next));
            assert!(told, "the stream goes on where it was: {seated:?}");
        }
    };
    LocalSet::new().run_until(deadly).await;
}

/// Waits until a session is told that what it follows must begin afresh, and does what the gateway
/// does then.
/// then. Hands back the number to go on from.
async fn begins_afresh(bench: &Bench, follower: &mut Sitter, table: TableId) -> u64 {
    let told = async { while follower.next().await.is_some() {} };
    patiently("the word that the table is not what it was", told).await;
    let handle = bench.tables.find(table).await.unwrap();
    handle.refresh(follower.session()).unwrap();
    match follower.next().await {
        Some(ServerFrame::Stream(StreamFrame { event: Event::View { view }, .. })) => view.seq,
        other => panic!("in place of a view: {other:?}"),
    }
}
