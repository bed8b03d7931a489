//! At least one of every message a server may send. The names say what is particular.

use hexhall_proto::chat::*;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::*;
use hexhall_proto::notices::*;
use hexhall_proto::options::*;
use hexhall_proto::parts::*;
use hexhall_proto::party::*;
use hexhall_proto::plans::*;
use hexhall_proto::reply::*;
use hexhall_proto::seek::*;
use hexhall_proto::view::*;

use crate::names;
use crate::samples::{GAME, MATCH, SEEK, TABLE, lines};

names!(reply_name, REPLIES: Reply {
    Welcome => "welcome",
    Opened => "opened",
    Seeking => "seeking",
    Joined => "joined",
    View => "view",
    Resumed => "resumed",
    Chat => "chat",
    Moved => "moved",
    Offered => "offered",
    Suggestion => "suggestion",
    Lobby => "lobby",
    Done => "done",
    Error => "error",
});

names!(event_name, EVENTS: Event {
    Seated => "seated",
    Unseated => "unseated",
    Renamed => "renamed",
    Party => "party",
    Started => "started",
    Placed => "placed",
    Collided => "collided",
    Swapped => "swapped",
    Ended => "ended",
    Offered => "offered",
    OfferClosed => "offer_closed",
    TakenBack => "taken_back",
    Paused => "paused",
    Unpaused => "unpaused",
    TimeGiven => "time_given",
    TakenOver => "taken_over",
    Returned => "returned",
    Restarted => "restarted",
    Closed => "closed",
    Presence => "presence",
    Said => "said",
    Curtain => "curtain",
    Clocks => "clocks",
    Planned => "planned",
    PlanDropped => "plan_dropped",
    View => "view",
});

names!(lobby_name, LOBBY_EVENTS: LobbyEvent {
    Listed => "listed",
    Unlisted => "unlisted",
    SeekListed => "seek_listed",
    SeekUnlisted => "seek_unlisted",
    Online => "online",
    Tables => "tables",
    Seeks => "seeks",
    ReadyCheck => "ready_check",
    Matched => "matched",
    SeekEnded => "seek_ended",
});

names!(notice_name, NOTICES: Notice {
    Closing => "closing",
    Personal => "personal",
});

fn player(name: &str) -> Player {
    Player {
        id: format!("plr_01J8ZB7Y0M4R6K2T9W3X5Z{}", name.len()),
        name: name.into(),
        cpu: None,
        bot: false,
    }
}

fn computer() -> Player {
    let id = "plr_00000000000000000000000000".into();
    Player { id, name: "CPU level 5".into(), cpu: Some(5), bot: false }
}

fn options() -> Options {
    Options {
        preset: Preset::Party,
        rows: 3,
        cols: 3,
        game: GameKind::Hex,
        collision: None,
        swap: Swap::Sides,
        goal: Goal::Join,
        random_stones: 0,
        time: Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None },
        first_move_s: None,
        on_leave: OnLeave::Claim,
        rated: false,
        first_move: FirstMove::Alternate,
        pass_and_play: false,
        spectator_delay_s: 0,
    }
}

fn clocks() -> Clocks {
    let reading = |left_ms, first_move_ms| ClockReading { left_ms, periods: None, first_move_ms };
    Clocks {
        running: Some(Seat::Two),
        seats: [reading(299_000, None), reading(300_000, Some(30_000))],
    }
}

fn period_clocks() -> Clocks {
    let reading =
        |periods| ClockReading { left_ms: 30_000, periods: Some(periods), first_move_ms: None };
    Clocks { running: None, seats: [reading(5), reading(0)] }
}

fn here() -> SeatPresence {
    SeatPresence { connected: true, countdown_ms: None, claimable: false, cpu: None }
}

fn game() -> GameView {
    let placed = |seat, color, cell| PlayedMove {
        seat,
        color,
        cell: Some(cell),
        collision: false,
        swap: None,
        cpu: false,
    };
    GameView {
        id: GAME.into(),
        number: 1,
        options: None,
        opening: vec![],
        moves: vec![
            placed(Seat::One, Color::Red, Cell(1, 1)),
            PlayedMove {
                seat: Seat::Two,
                color: Color::Blue,
                cell: None,
                collision: false,
                swap: Some(Swap::Sides),
                cpu: true,
            },
        ],
        board: vec!["...".into(), ".r.".into(), "...".into()],
        found: None,
        colors: [Color::Blue, Color::Red],
        turn: 2,
        to_move: Some(Seat::One),
        legal_moves: Some(vec![Move::Place(Cell(0, 0)), Move::Swap]),
        clocks: Some(clocks()),
        paused: false,
        outcome: None,
        winning_path: None,
    }
}

fn ended_game() -> GameView {
    GameView {
        opening: vec![Cell(0, 0), Cell(2, 2)],
        to_move: None,
        legal_moves: None,
        clocks: None,
        paused: true,
        outcome: Some(Outcome { winner: Some(Seat::One), by: EndedBy::Chain }),
        winning_path: Some(vec![Cell(0, 1), Cell(1, 1), Cell(2, 1)]),
        ..game()
    }
}

/// A game of Dark Hex as seat 2 sees it, after it has run into seat 1's stone.
fn dark_game() -> GameView {
    let tried = |seat, color, cell, collision| PlayedMove {
        seat,
        color,
        cell,
        collision,
        swap: None,
        cpu: false,
    };
    GameView {
        moves: vec![
            tried(Seat::One, Color::Red, None, false),
            tried(Seat::Two, Color::Blue, Some(Cell(1, 1)), true),
            tried(Seat::Two, Color::Blue, Some(Cell(0, 1)), false),
            tried(Seat::One, Color::Red, None, true),
        ],
        board: vec![".b.".into(), ".r.".into(), "...".into()],
        found: Some(vec![Cell(1, 1)]),
        colors: [Color::Red, Color::Blue],
        turn: 4,
        legal_moves: None,
        ..game()
    }
}

fn dark_options() -> Options {
    Options {
        preset: Preset::Custom,
        game: GameKind::Dark,
        collision: Some(Collision::Classical),
        swap: Swap::Off,
        ..options()
    }
}

fn plan() -> Plan {
    Plan { premove: Some(Move::Place(Cell(2, 2))), lines: lines() }
}

fn offer() -> Offer {
    Offer { id: 3, kind: OfferKind::Rematch, by: Seat::Two, expires_in_ms: 60_000 }
}

fn view() -> View {
    View {
        table: TABLE.into(),
        viewer: Viewer::SeatOne,
        seq: 7,
        phase: Phase::Playing,
        options: options(),
        private: false,
        seats: [Some(player("Ana")), Some(player("Bo"))],
        score: [1, 0],
        presence: Presence {
            seats: [
                here(),
                SeatPresence {
                    connected: false,
                    countdown_ms: Some(30_000),
                    claimable: true,
                    cpu: None,
                },
            ],
            watchers: 2,
            party: None,
        },
        party: None,
        offers: vec![offer()],
        plan: None,
        game: Some(game()),
    }
}

/// The computer has seat 2.
fn practice_view() -> View {
    let options = Options { on_leave: OnLeave::Cpu, ..options() };
    View { options, seats: [Some(player("Ana")), Some(computer())], offers: vec![], ..view() }
}

/// The computer plays seat 2 for its player.
fn driven_presence() -> Presence {
    let driven =
        SeatPresence { connected: false, countdown_ms: None, claimable: false, cpu: Some(5) };
    Presence { seats: [here(), driven], watchers: 0, party: None }
}

/// Both seats are one player's.
fn device_view(viewer: Viewer) -> View {
    let options = Options { pass_and_play: true, on_leave: OnLeave::Clock, ..options() };
    View { viewer, options, seats: [Some(player("Ana")), Some(player("Ana"))], ..view() }
}

fn waiting_view() -> View {
    View {
        viewer: Viewer::Spectator,
        seq: 0,
        phase: Phase::Waiting,
        seats: [Some(player("Ana")), None],
        offers: vec![],
        game: None,
        private: true,
        ..view()
    }
}

fn party() -> PartyView {
    let member = |name, games, wins| PartyMember { player: player(name), plays: true, games, wins };
    PartyView {
        code: "K7QMWX".into(),
        host: Some(player("Ana").id),
        members: vec![
            member("Ana", 2, 1),
            member("Bo", 1, 1),
            PartyMember { plays: false, ..member("Cleo", 0, 0) },
        ],
        turns: Turns::WinnerStays,
        cpu_level: 3,
    }
}

fn party_presence() -> Presence {
    let [ana, bo] = ["Ana", "Bo"].map(|name| player(name).id);
    let asked = Some(ana.clone());
    let party = PartyPresence { here: vec![ana.clone(), bo.clone()], next: vec![bo, ana], asked };
    Presence { party: Some(party), ..view().presence }
}

/// A party whose host has set other options since its last game.
fn party_view() -> View {
    let game = GameView { options: Some(dark_options()), ..ended_game() };
    let phase = Phase::Finished;
    let (party, presence) = (Some(party()), party_presence());
    View { phase, party, presence, offers: vec![], game: Some(game), ..view() }
}

fn joined() -> PartyChange {
    PartyChange::PartyJoined { player: player("Cleo"), plays: false }
}

fn left() -> PartyChange {
    PartyChange::PartyLeft { player: player("Dora"), removed: true }
}

fn party_event(change: PartyChange) -> Event {
    Event::Party { change, party: Box::new(party()) }
}

fn listing() -> Listing {
    Listing {
        table: TABLE.into(),
        phase: Phase::Waiting,
        options: Options {
            time: Time::None {},
            first_move_s: Some(30),
            rated: true,
            spectator_delay_s: 60,
            ..options()
        },
        seats: [Some(player("Ana")), None],
        party: None,
        size: None,
        gone: true,
        game: None,
        opened_ms: 1_760_000_000_000,
    }
}

fn listed_seek() -> ListedSeek {
    ListedSeek {
        seek: SEEK.into(),
        player: player("Ana"),
        rating: 1500,
        provisional: true,
        options: options(),
        rated: false,
        range: Some(RatingRange { min: 1400, max: 1600 }),
        since_ms: 1_760_000_000_000,
    }
}

fn own_seek() -> OwnSeek {
    OwnSeek {
        seek: SEEK.into(),
        pool: Some("hex-11".into()),
        options: options(),
        rated: true,
        range: None,
        waited_ms: 31_000,
    }
}

fn ready_check(ready: bool) -> ReadyCheck {
    ReadyCheck { name: MATCH.into(), seek: SEEK.into(), left_ms: 10_000, ready }
}

fn stream(seq: Option<u64>, event: Event) -> StreamFrame {
    StreamFrame { table: TABLE.into(), seq, event }
}

fn placed(clocks: Option<Clocks>, to_move: Option<Seat>) -> Event {
    let cell = Some(Cell(2, 1));
    let (seat, color) = (Seat::One, Color::Red);
    Event::Placed { seat, color, cell, turn: 3, to_move, cpu: false, clocks }
}

fn collided(cell: Option<Cell>) -> Event {
    let clocks = Some(clocks());
    let (seat, to_move) = (Seat::Two, Some(Seat::Two));
    Event::Collided { seat, cell, turn: 2, to_move, cpu: false, clocks }
}

fn welcome(token: Option<&str>) -> Reply {
    Reply::Welcome(Welcome {
        player: player("Ana"),
        token: token.map(str::to_owned),
        server: "0.1.0".into(),
        now_ms: 1_760_000_000_000,
        limits: Limits {
            frame_bytes: 4096,
            requests_seated: 100,
            requests_watching: 50,
            window_s: 20,
        },
        notices: token.is_none().then(notice).into_iter().collect(),
    })
}

fn notice() -> PersonalNotice {
    PersonalNotice {
        id: "ntc_01J8ZB7Y0M4R6K2T9W3X5ZN0T1".into(),
        kind: NoticeKind::Muted,
        text: "shouting".into(),
        at_ms: 1_789_000_000_000,
        until_ms: Some(1_789_000_600_000),
    }
}

fn refusal(code: Code) -> ErrorBody {
    let body = ErrorBody::new(code, "what was wrong; what would be right");
    match code {
        Code::NameTaken => ErrorBody { suggestion: Some("Ana 2".into()), ..body },
        Code::StaleTurn => ErrorBody { turn: Some(4), ..body },
        Code::NotYourTurn => ErrorBody { to_move: Some(Seat::Two), ..body },
        Code::Occupied | Code::OffBoard => {
            ErrorBody { legal_moves: Some(vec![Move::Place(Cell(0, 0))]), ..body }
        }
        Code::RateLimited | Code::Busy => ErrorBody { retry_ms: Some(200), ..body },
        _ => body,
    }
}

fn line() -> Line {
    Line { id: 3, by: player("Ana"), text: "good luck".into(), at_ms: 1_789_000_000_000 }
}

fn replies() -> Vec<(&'static str, Reply)> {
    let replies = vec![
        ("to a new guest", welcome(Some("k7Qm"))),
        ("to somebody known", welcome(None)),
        ("", Reply::Opened { invitation: None, view: Box::new(waiting_view()) }),
        (
            "private",
            Reply::Opened { invitation: Some("inv_5QmX".into()), view: Box::new(waiting_view()) },
        ),
        (
            "against the computer",
            Reply::Opened { invitation: None, view: Box::new(practice_view()) },
        ),
        ("of a party", Reply::Opened { invitation: None, view: Box::new(party_view()) }),
        ("", Reply::Joined { seat: Seat::One, view: Box::new(view()) }),
        ("a running game", Reply::View { view: Box::new(view()) }),
        (
            "an ended game",
            Reply::View {
                view: Box::new(View {
                    viewer: Viewer::SeatTwo,
                    phase: Phase::Finished,
                    game: Some(ended_game()),
                    ..view()
                }),
            },
        ),
        (
            "a game in the dark",
            Reply::View {
                view: Box::new(View {
                    viewer: Viewer::SeatTwo,
                    options: dark_options(),
                    game: Some(dark_game()),
                    ..view()
                }),
            },
        ),
        (
            "after a break",
            Reply::Resumed {
                table: TABLE.into(),
                viewer: Viewer::Spectator,
                events: vec![
                    stream(Some(8), placed(Some(clocks()), Some(Seat::Two))),
                    stream(Some(9), Event::Closed {}),
                ],
                clocks: Some(clocks()),
                plan: None,
            },
        ),
        (
            "nothing missed",
            Reply::Resumed {
                table: TABLE.into(),
                viewer: Viewer::SeatOne,
                events: vec![],
                clocks: None,
                plan: Some(plan()),
            },
        ),
        ("with a plan", Reply::View { view: Box::new(View { plan: Some(plan()), ..view() }) }),
        ("", Reply::Moved { turn: 6, collision: false }),
        ("of one room", Reply::Chat { players: Some(vec![line()]), watchers: None }),
        ("of both", Reply::Chat { players: Some(vec![]), watchers: Some(vec![line()]) }),
        ("a collision", Reply::Moved { turn: 6, collision: true }),
        ("", Reply::Offered { offer: 3 }),
        ("a stone", Reply::Suggestion { action: Move::Place(Cell(1, 2)), win_percent: Some(63) }),
        ("the swap", Reply::Suggestion { action: Move::Swap, win_percent: None }),
        ("", Reply::Seeking { seek: SEEK.into() }),
        (
            "",
            Reply::Lobby {
                tables: vec![listing()],
                seeks: vec![listed_seek()],
                players: 17,
                pools: vec![Pool { pool: "hex-11".into(), options: options(), unrated: false }],
            },
        ),
        ("", Reply::Done {}),
    ];
    let refusals = Code::ALL.iter().map(|code| (code.as_str(), Reply::Error(refusal(*code))));
    replies.into_iter().chain(refusals).collect()
}

fn ended(outcome: Outcome, winning_path: Option<Vec<Cell>>) -> Event {
    Event::Ended { outcome, winning_path, reveal: None, clocks: Some(clocks()), score: [1, 0] }
}

fn revealed(winning_path: Vec<Cell>) -> Event {
    let moves = vec![PlayedMove {
        seat: Seat::One,
        color: Color::Red,
        cell: Some(Cell(0, 1)),
        collision: false,
        swap: None,
        cpu: false,
    }];
    Event::Ended {
        outcome: Outcome { winner: Some(Seat::One), by: EndedBy::Chain },
        winning_path: Some(winning_path),
        reveal: Some(Reveal { board: vec![".r.".into(), "b..".into()], moves }),
        clocks: None,
        score: [1, 0],
    }
}

fn events() -> Vec<(&'static str, Event)> {
    let path = vec![Cell(0, 1), Cell(1, 1), Cell(2, 1)];
    let swapped = |swap, cell, color, colors, clocks| Event::Swapped {
        seat: Seat::Two,
        swap,
        cell,
        color,
        colors,
        turn: 2,
        to_move: Some(Seat::One),
        cpu: swap == Swap::Pieces,
        clocks,
    };
    let mut events = vec![
        ("", Event::Seated { seat: Seat::Two, player: player("Bo") }),
        ("", Event::Unseated { seat: Seat::Two }),
        ("", Event::Renamed { player: player("Countess") }),
        ("somebody joins", party_event(joined())),
        ("somebody leaves", party_event(left())),
        ("another host", party_event(PartyChange::HostChanged { player: player("Bo") })),
        ("other options", party_event(PartyChange::OptionsSet { options: dark_options() })),
        (
            "other turns",
            party_event(PartyChange::TurnsSet { turns: Turns::RoundRobin, cpu_level: 7 }),
        ),
        ("", Event::Started { view: Box::new(view()) }),
        ("with clocks", placed(Some(clocks()), Some(Seat::Two))),
        ("the last stone", placed(None, None)),
        (
            "in the dark",
            Event::Placed {
                seat: Seat::Two,
                color: Color::Blue,
                cell: None,
                turn: 3,
                to_move: Some(Seat::One),
                cpu: true,
                clocks: Some(clocks()),
            },
        ),
        ("to the one who tried", collided(Some(Cell(1, 1)))),
        ("to everybody else", collided(None)),
        ("by a chain in the dark", revealed(path.clone())),
        ("sides", swapped(Swap::Sides, Cell(1, 2), Color::Red, [Color::Blue, Color::Red], None)),
        (
            "pieces",
            swapped(
                Swap::Pieces,
                Cell(2, 1),
                Color::Blue,
                [Color::Red, Color::Blue],
                Some(clocks()),
            ),
        ),
        ("by a chain", ended(Outcome { winner: Some(Seat::One), by: EndedBy::Chain }, Some(path))),
        ("", Event::Offered { offer: offer() }),
        ("", Event::TakenBack { game: Box::new(game()) }),
        ("in byo-yomi", Event::Paused { clocks: Some(period_clocks()) }),
        ("", Event::Unpaused { clocks: Some(clocks()) }),
        ("", Event::TimeGiven { seat: Seat::One, ms: 15_000, clocks: Some(clocks()) }),
        ("", Event::TakenOver { seat: Seat::Two, level: 5 }),
        ("", Event::Returned { seat: Seat::Two }),
        ("", Event::Restarted { clocks: None }),
        ("", Event::Closed {}),
    ];
    for (what, winner, by) in [
        ("by resignation", Some(Seat::Two), EndedBy::Resignation),
        ("on time", Some(Seat::Two), EndedBy::Time),
        ("by forfeit", Some(Seat::Two), EndedBy::Forfeit),
        ("aborted", None, EndedBy::Aborted),
        ("not started", None, EndedBy::NotStarted),
        ("abandoned", None, EndedBy::Abandoned),
    ] {
        events.push((what, ended(Outcome { winner, by }, None)));
    }
    for (what, how) in [
        ("accepted", OfferClosed::Accepted),
        ("declined", OfferClosed::Declined),
        ("withdrawn", OfferClosed::Withdrawn),
        ("expired", OfferClosed::Expired),
        ("void", OfferClosed::Void),
    ] {
        events.push((what, Event::OfferClosed { offer: 3, how }));
    }
    events
}

/// Every message of a server.
pub fn server_frames() -> Vec<(&'static str, ServerFrame)> {
    let mut frames = vec![(
        "to a broken frame",
        ServerFrame::Reply(ReplyFrame { re: None, reply: Reply::Error(refusal(Code::BadFrame)) }),
    )];
    for (index, (what, reply)) in replies().into_iter().enumerate() {
        frames.push((what, ServerFrame::Reply(ReplyFrame { re: Some(index as u64 + 1), reply })));
    }
    for (index, (what, event)) in events().into_iter().enumerate() {
        frames.push((what, ServerFrame::Stream(stream(Some(index as u64 + 1), event))));
    }
    let unnumbered = [
        Event::Presence { presence: view().presence },
        Event::Presence { presence: driven_presence() },
        Event::Presence { presence: party_presence() },
        Event::Said { room: Room::Players, line: line() },
        Event::Curtain { view: Box::new(device_view(Viewer::Spectator)) },
        Event::Clocks { clocks: clocks() },
        Event::Planned { plan: Some(plan()) },
        Event::Planned { plan: None },
        Event::View { view: Box::new(view()) },
        Event::View { view: Box::new(device_view(Viewer::Both)) },
    ];
    let dropped = [
        WhyDropped::Unmatched,
        WhyDropped::Illegal,
        WhyDropped::Swapped,
        WhyDropped::Moved,
        WhyDropped::TakenBack,
        WhyDropped::Ended,
    ]
    .map(|why| Event::PlanDropped { why });
    frames.extend(dropped.map(|event| ("not numbered", ServerFrame::Stream(stream(None, event)))));
    frames
        .extend(unnumbered.map(|event| ("not numbered", ServerFrame::Stream(stream(None, event)))));
    frames.extend(
        [
            LobbyEvent::Listed { listing: Box::new(listing()) },
            LobbyEvent::Listed {
                listing: Box::new(Listing {
                    party: Some("K7QMWX".into()),
                    size: Some(PartySize { members: 5, watchers: 3 }),
                    ..listing()
                }),
            },
            LobbyEvent::Unlisted { table: TABLE.into() },
            LobbyEvent::SeekListed { seek: Box::new(listed_seek()) },
            LobbyEvent::SeekUnlisted { seek: SEEK.into() },
            LobbyEvent::Online { players: 17 },
            LobbyEvent::Tables {
                tables: vec![listing()],
                seeks: vec![ListedSeek {
                    provisional: false,
                    rated: true,
                    range: None,
                    ..listed_seek()
                }],
                players: 0,
            },
            LobbyEvent::Seeks { seeks: vec![own_seek()], check: Some(ready_check(true)) },
            LobbyEvent::Seeks { seeks: vec![], check: None },
            LobbyEvent::ReadyCheck(ready_check(false)),
            LobbyEvent::Matched { table: TABLE.into() },
            LobbyEvent::SeekEnded { seek: SEEK.into(), reason: SeekEnd::NotReady },
        ]
        .map(|event| ("", ServerFrame::Lobby(event))),
    );
    frames.push(("", ServerFrame::Notice(Notice::Closing { back_in_ms: 3_000 })));
    frames.push(("", ServerFrame::Notice(Notice::Personal { personal: notice() })));
    let warning = PersonalNotice { kind: NoticeKind::Warning, until_ms: None, ..notice() };
    frames.push(("for good", ServerFrame::Notice(Notice::Personal { personal: warning })));
    frames
}
