//! Tables as such: who finds them, how many there may be, and how they outlast their actors.

use std::sync::mpsc;

use hexhall::game::{Cell, Move};
use hexhall::gateway::follows::MOST_WATCHED;
use hexhall::gateway::routes::LobbyAsk;
use hexhall::ids::TableId;
use hexhall::store::{Append, Durable, Word, form};
use hexhall::table::handle::{Ask, Command, Player};
use hexhall::table::state::event::Event as Happened;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::{Event, LobbyEvent, StreamFrame};
use hexhall_proto::options::Time;
use hexhall_proto::parts::{Move as WireMove, OfferKind, Phase, Seat, Viewer};
use hexhall_proto::plans::MakePlan;
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{GameCommand, Join, Open, Request, Watch, WithdrawOffer};
use hexhall_proto::view::Listing;
use tokio::runtime::Builder;
use tokio::task::{LocalSet, spawn_blocking};

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
        // What is watched already may be asked for again, and a seat be taken there.
        assert!(matches!(bench.ask(&mut watcher, others[0], WATCH).await, Reply::View { .. }));
        assert!(matches!(bench.ask(&mut watcher, others[0], JOIN).await, Reply::Joined { .. }));
        assert!(matches!(bench.ask(&mut watcher, *last, JOIN).await, Reply::Joined { .. }));
        assert!(matches!(bench.ask(&mut watcher, *last, WATCH).await, Reply::View { .. }));
    };
    LocalSet::new().run_until(watching).await;
}

#[tokio::test]
async fn seats_that_another_session_gives_up_do_not_pile_up_as_tables_that_are_watched() {
    let piling_up = async {
        let bench = Bench::new();
        let (mut ana, mut host) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let mut leaver = bench.other_session(&ana);
        let theirs = bench.open(&mut host, board(3, Time::None {})).await;
        for _ in 0..MOST_WATCHED {
            let table = bench.open(&mut ana, board(3, Time::None {})).await;
            assert_eq!(bench.ask(&mut leaver, table, Ask::Leave).await, Reply::Done {});
        }
        bench.worked_through().await;
        let (options, private) = (board(3, Time::None {}), false);
        let open = LobbyAsk::Open { options, private, cpu: None, party: None };
        for reply in
            [bench.ask_lobby(&mut ana, open).await, bench.ask(&mut ana, theirs, JOIN).await]
        {
            let refused = matches!(&reply, Reply::Error(it) if it.code == Code::TooManyTables);
            assert!(refused, "{reply:?}");
        }
    };
    LocalSet::new().run_until(piling_up).await;
}

#[test]
fn a_table_whose_journal_is_long_holds_up_no_other() {
    let runtime = Builder::new_current_thread().enable_all().max_blocking_threads(1).build();
    let long_read = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let long = bench.open(&mut one, board(3, Time::None {})).await;
        let short = bench.open(&mut one, board(3, Time::None {})).await;
        write_much(&bench, long, &one.session().player).await;
        // The one thread that long journals are read on has something else to do.
        let (release, held) = mpsc::sync_channel::<()>(1);
        let busy = spawn_blocking(move || held.recv());
        // The one dies since somebody else has written its journal, the other of a panic.
        let reply = bench.ask(&mut two, long, JOIN).await;
        assert!(matches!(&reply, Reply::Error(it) if it.code == Code::Busy), "{reply:?}");
        bench.make_deadly();
        let reply = bench.ask(&mut bench.sitter("Cy"), short, JOIN).await;
        assert!(matches!(&reply, Reply::Error(it) if it.code == Code::Busy), "{reply:?}");
        bench.worked_through().await;
        assert!(bench.tables.awake_one(long).is_none(), "it is read somewhere else");
        assert!(bench.tables.awake_one(short).is_some(), "and nobody waits for that");
        drop(release);
        patiently("the thread", busy).await.unwrap().unwrap_err();
        let reply = bench.ask(&mut bench.sitter("Di"), long, JOIN).await;
        assert!(matches!(reply, Reply::Joined { .. }), "{reply:?}");
    };
    LocalSet::new().block_on(&runtime.unwrap(), long_read);
}

/// Writes more into a table's journal than is read on the spot.
async fn write_much(bench: &Bench, table: TableId, player: &Player) {
    let store = &bench.tables.services().store;
    let to = store.load(table).await.unwrap().len() as u64;
    let told = Word::new(Durable { to, ..Durable::default() });
    let renamed = Happened::Renamed { player: player.clone(), at: bench.time.now() };
    let renamed = form::write(&renamed).unwrap();
    store.reserve().unwrap().append(Append {
        table,
        first: to + 1,
        events: vec![renamed; 1_000],
        listing: None,
        games: Vec::new(),
        result: None,
        left: None,
        told: told.clone(),
    });
    patiently("the journal", told.until(|durable| durable.to > to)).await;
}

/// The request for a plan of one move, or to take a plan back.
fn premove(guest: &mut Guest, table: &str, cell: Option<&str>) -> Request {
    let turn = guest.copy(table).turn().unwrap();
    let GameCommand { table, game, command } = guest.command(table);
    let premove = cell.map(|cell| WireMove::Place(hexhall::wire::cell(cell.parse().unwrap())));
    Request::Plan(MakePlan { table, game, command, turn, premove, lines: Vec::new() })
}

#[tokio::test]
async fn what_is_no_move_is_enough_at_some_time_and_moves_are_free() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    let hall = Hall::start(setup).await;
    let mut ana = Guest::arrive(&hall.address(), Format::MsgPack, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    let table = ana.open(board(3, Time::PerTurn { seconds: 86_400 })).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    ana.play(&table, "a1").await;
    let planned = premove(&mut ana, &table, Some("c1"));
    ana.done(planned).await;
    let mut offers = 0;
    let refused = 'asking: loop {
        for _ in 0..40 {
            let proposal = ana.proposal(&table, OfferKind::Pause);
            let offer = match ana.ask(Request::Offer(proposal)).await {
                Reply::Offered { offer } => offer,
                Reply::Error(body) => break 'asking body,
                other => panic!("{other:?}"),
            };
            offers += 1;
            let command = ana.command_name();
            let withdraw = WithdrawOffer { table: table.clone(), command, offer };
            match ana.ask(Request::Withdraw(withdraw)).await {
                Reply::Done {} => {}
                Reply::Error(body) => break 'asking body,
                other => panic!("{other:?}"),
            }
        }
        // Requests as such have another limit.
        hall.advance(20_000);
    };
    assert_eq!(refused.code, Code::RateLimited, "{}", refused.message);
    assert!(refused.message.contains("besides moves"), "{}", refused.message);
    assert!(refused.retry_ms.is_some_and(|wait| wait <= 3_600), "{:?}", refused.retry_ms);
    assert!((500..600).contains(&offers), "{offers}");
    let options = board(3, Time::None {});
    let open = Open { options, private: false, cpu: None, party: None };
    refused_with(&mut ana, Code::RateLimited, Request::Open(open)).await;
    let nothing = premove(&mut ana, &table, None);
    ana.done(nothing).await;
    let nothing = premove(&mut ana, &table, None);
    refused_with(&mut ana, Code::RateLimited, nothing).await;
    bo.play(&table, "b1").await;
    ana.until(&table, "her turn", |copy| copy.turn() == Some(2)).await;
    ana.play(&table, "c1").await;
}

#[tokio::test]
async fn nobody_speaks_from_a_seat_that_is_not_durable_yet() {
    let speaking = async {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let table = bench.open(&mut one, board(3, Time::None {})).await;
        let say = Ask::Say { room: None, text: "hello".to_owned() };
        bench.faults.hold_commits(true);
        bench.put(&mut two, table, bench.time.now(), JOIN).await;
        let reply = bench.ask(&mut two, table, say.clone()).await;
        assert!(matches!(&reply, Reply::Error(it) if it.code == Code::Busy), "{reply:?}");
        bench.faults.hold_commits(false);
        assert!(matches!(two.reply().await, Reply::Joined { .. }));
        assert_eq!(bench.ask(&mut two, table, say).await, Reply::Done {});
        assert!(matches!(bench.ask(&mut one, table, WATCH).await, Reply::View { .. }));
        let heard = |it: &&StreamFrame| matches!(it.event, Event::Said { .. });
        assert_eq!(one.told.iter().filter(heard).count(), 1);
    };
    LocalSet::new().run_until(speaking).await;
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
/// does then. Hands back the number to go on from.
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
