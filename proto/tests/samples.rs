//! At least one of every message a client may send. The names say what is particular.

use hexhall_proto::chat::*;
use hexhall_proto::options::*;
use hexhall_proto::parts::*;
use hexhall_proto::party::*;
use hexhall_proto::plans::*;
use hexhall_proto::request::*;
use hexhall_proto::seek::{Ready, Seek, Unseek, WantedRange};

pub const TABLE: &str = "tbl_01J8ZC9V4E6XN5T2H7QK3MWRYD";
pub const SEEK: &str = "sek_01J8ZD11B3F5H7K9N0Q2S4V6XZ";
pub const MATCH: &str = "mat_01J8ZD2Z9Y7X5W3V1T0S8R6Q4P";
pub const GAME: &str = "gam_01J8ZCA0P3B7F9D1S5VX8GTKQN";

/// Makes a match over every variant and the list of their names from one table, so that a new
/// variant does not compile until it is named, and is not green until it has a sample.
#[macro_export]
macro_rules! names {
    ($name:ident, $all:ident: $type:ident { $($variant:ident => $text:literal,)+ }) => {
        pub const $all: &[&str] = &[$($text),+];

        pub fn $name(value: &$type) -> &'static str {
            match value {
                $($type::$variant { .. } => $text,)+
            }
        }
    };
}

names!(request_name, REQUESTS: Request {
    Hello => "hello",
    Open => "open",
    Seek => "seek",
    Unseek => "unseek",
    Ready => "ready",
    Join => "join",
    JoinParty => "join_party",
    MakeHost => "make_host",
    RemoveMember => "remove_member",
    SetOptions => "set_options",
    SetTurns => "set_turns",
    Start => "start",
    Watch => "watch",
    Unwatch => "unwatch",
    Say => "say",
    Chat => "chat",
    Leave => "leave",
    Move => "move",
    Plan => "plan",
    Resign => "resign",
    Abort => "abort",
    Claim => "claim",
    Offer => "offer",
    Answer => "answer",
    Withdraw => "withdraw",
    Lift => "lift",
    Suggest => "suggest",
    Unpause => "unpause",
    GiveTime => "give_time",
    Lobby => "lobby",
    LeaveLobby => "leave_lobby",
});

pub fn table() -> Table {
    Table { table: TABLE.into() }
}

pub fn command() -> GameCommand {
    GameCommand { table: TABLE.into(), game: GAME.into(), command: "c-17".into() }
}

fn play(action: Move, turn: u64) -> Request {
    Request::Move(PlayMove {
        table: TABLE.into(),
        game: GAME.into(),
        command: "c-17".into(),
        turn,
        action,
        seat: None,
    })
}

fn planned(premove: Option<Move>, lines: Vec<Vec<Move>>) -> Request {
    Request::Plan(MakePlan {
        table: TABLE.into(),
        game: GAME.into(),
        command: "c-17".into(),
        turn: 5,
        premove,
        lines,
    })
}

pub fn lines() -> Vec<Vec<Move>> {
    let place = |row, col| Move::Place(Cell(row, col));
    vec![vec![place(0, 1), place(2, 1), place(1, 0), place(2, 0)], vec![Move::Swap, place(0, 0)]]
}

fn open(time: Option<Time>) -> Request {
    let options = OptionsRequest { preset: Some(Preset::Custom), time, ..Default::default() };
    Request::Open(Open { options, private: false, cpu: None, party: None })
}

fn against(level: u64, seat: Option<Seat>) -> Request {
    Request::Open(Open { cpu: Some(CpuSeat { level, seat }), ..Open::default() })
}

fn party(party: OpenParty) -> Request {
    Request::Open(Open { party: Some(party), ..Open::default() })
}

fn about_member() -> AboutMember {
    AboutMember { table: TABLE.into(), player: "plr_01J8ZB8D5N1Q7H3V0C6J9KB0B0".into() }
}

fn offer(kind: OfferKind) -> Request {
    Request::Offer(MakeOffer {
        table: TABLE.into(),
        game: GAME.into(),
        command: "c-17".into(),
        kind,
    })
}

fn watch(last: Option<Last>) -> Request {
    Request::Watch(Watch { table: TABLE.into(), invitation: None, last })
}

fn every_option() -> OptionsRequest {
    OptionsRequest {
        preset: Some(Preset::Standard),
        size: Some(11),
        rows: Some(11),
        cols: Some(13),
        game: Some(GameKind::Dark),
        collision: Some(Collision::Abrupt),
        swap: Some(Swap::Pieces),
        goal: Some(Goal::Avoid),
        random_stones: Some(4),
        time: Some(Time::Fischer { initial_s: 300, increment_s: 5, cap_s: Some(600) }),
        first_move_s: Some(30),
        on_leave: Some(OnLeave::Claim),
        rated: Some(true),
        first_move: Some(FirstMove::Alternate),
        pass_and_play: Some(true),
        spectator_delay_s: Some(60),
    }
}

/// Every request, numbered from 1.
pub fn requests() -> Vec<(&'static str, RequestFrame)> {
    let last = |viewer, seq| Some(Last { viewer, seq });
    let requests = vec![
        ("as a new guest", Request::Hello(Hello::default())),
        (
            "with a token and a new name",
            Request::Hello(Hello { token: Some("k7Qm".into()), name: Some("Ana ⬡".into()) }),
        ),
        ("with what the preset says", Request::Open(Open::default())),
        (
            "with every option",
            Request::Open(Open { options: every_option(), private: true, cpu: None, party: None }),
        ),
        ("in a pool", Request::Seek(Seek { pool: Some("hex-11".into()), ..Seek::default() })),
        (
            "by every option, rated, within a range",
            Request::Seek(Seek {
                options: every_option(),
                rated: true,
                range: Some(WantedRange::between(1400, 1600)),
                ..Seek::default()
            }),
        ),
        (
            "in a pool, near to one's own rating",
            Request::Seek(Seek {
                pool: Some("hex-11".into()),
                range: Some(WantedRange::around(200, 100)),
                ..Seek::default()
            }),
        ),
        (
            "in answer to another",
            Request::Seek(Seek { answer: Some(SEEK.into()), ..Seek::default() }),
        ),
        ("", Request::Unseek(Unseek { seek: SEEK.into() })),
        ("", Request::Ready(Ready { name: MATCH.into() })),
        ("against the computer", against(5, None)),
        ("against the computer in seat 1", against(10, Some(Seat::One))),
        ("without a clock", open(Some(Time::None {}))),
        (
            "by Fischer without a cap",
            open(Some(Time::Fischer { initial_s: 60, increment_s: 2, cap_s: None })),
        ),
        ("by turns", open(Some(Time::PerTurn { seconds: 30 }))),
        ("by periods", open(Some(Time::ByoYomi { initial_s: 600, period_s: 30, periods: 5 }))),
        (
            "any free seat",
            Request::Join(Join { table: TABLE.into(), seat: None, invitation: None }),
        ),
        (
            "seat 2 of a private table",
            Request::Join(Join {
                table: TABLE.into(),
                seat: Some(Seat::Two),
                invitation: Some("inv_5QmX".into()),
            }),
        ),
        ("for a party", party(OpenParty::default())),
        (
            "for a party that takes turns",
            party(OpenParty { turns: Some(Turns::WinnerStays), cpu_level: Some(5) }),
        ),
        (
            "by its code",
            Request::JoinParty(JoinParty { code: Some("K7QMWX".into()), ..Default::default() }),
        ),
        (
            "of a private table, to watch",
            Request::JoinParty(JoinParty {
                code: None,
                table: Some(TABLE.into()),
                invitation: Some("inv_5QmX".into()),
                play: Some(false),
            }),
        ),
        ("", Request::MakeHost(about_member())),
        ("", Request::RemoveMember(about_member())),
        (
            "",
            Request::SetOptions(SetOptions {
                table: TABLE.into(),
                options: OptionsRequest { preset: Some(Preset::Party), ..Default::default() },
            }),
        ),
        (
            "",
            Request::SetTurns(SetTurns {
                table: TABLE.into(),
                turns: Some(Turns::RoundRobin),
                cpu_level: None,
            }),
        ),
        (
            "the computer alone",
            Request::SetTurns(SetTurns { table: TABLE.into(), turns: None, cpu_level: Some(7) }),
        ),
        ("the first game", Request::Start(Start { table: TABLE.into(), after: None })),
        ("the next", Request::Start(Start { table: TABLE.into(), after: Some(GAME.into()) })),
        ("from now on", watch(None)),
        ("after a break, in seat 1", watch(last(Viewer::SeatOne, 0))),
        ("after a break, in seat 2", watch(last(Viewer::SeatTwo, 41))),
        ("after a break, in both seats", watch(last(Viewer::Both, 7))),
        ("after a break, without a seat", watch(last(Viewer::Spectator, u64::MAX))),
        (
            "a private table",
            Request::Watch(Watch {
                table: TABLE.into(),
                invitation: Some("inv_5QmX".into()),
                last: None,
            }),
        ),
        ("", Request::Unwatch(table())),
        ("", Request::Leave(table())),
        ("a stone", play(Move::Place(Cell(10, 3)), 5)),
        ("the swap", play(Move::Swap, 1)),
        ("off every board", play(Move::Place(Cell(-1, i64::MAX)), 300)),
        (
            "for seat 2",
            Request::Move(PlayMove {
                table: TABLE.into(),
                game: GAME.into(),
                command: "c-17".into(),
                turn: 1,
                action: Move::Place(Cell(0, 0)),
                seat: Some(Seat::Two),
            }),
        ),
        ("a premove", planned(Some(Move::Place(Cell(1, 2))), vec![])),
        ("two lines", planned(None, lines())),
        ("both", planned(Some(Move::Swap), lines())),
        ("nothing any more", planned(None, vec![])),
        ("", Request::Resign(command().into())),
        ("for seat 1", Request::Resign(Resign { seat: Some(Seat::One), ..command().into() })),
        ("", Request::Abort(command())),
        ("", Request::Claim(command())),
        ("a rematch", offer(OfferKind::Rematch)),
        ("a takeback", offer(OfferKind::Takeback)),
        ("a pause", offer(OfferKind::Pause)),
        (
            "yes",
            Request::Answer(AnswerOffer {
                table: TABLE.into(),
                command: "c-18".into(),
                offer: 3,
                accept: true,
            }),
        ),
        (
            "no",
            Request::Answer(AnswerOffer {
                table: TABLE.into(),
                command: "c-18".into(),
                offer: 3,
                accept: false,
            }),
        ),
        (
            "",
            Request::Withdraw(WithdrawOffer {
                table: TABLE.into(),
                command: "c-19".into(),
                offer: 3,
            }),
        ),
        ("", Request::Lift(Lift { table: TABLE.into(), game: GAME.into(), seat: Seat::Two })),
        ("", Request::Suggest(Suggest { table: TABLE.into(), game: GAME.into(), turn: 5 })),
        ("", Request::Say(Say { table: TABLE.into(), room: None, text: "good luck".into() })),
        (
            "to the watchers",
            Request::Say(Say {
                table: TABLE.into(),
                room: Some(Room::Watchers),
                text: "well played".into(),
            }),
        ),
        ("", Request::Chat(table())),
        ("", Request::Unpause(command())),
        ("", Request::GiveTime(command())),
        ("", Request::Lobby {}),
        ("", Request::LeaveLobby {}),
    ];
    let number = |(index, (what, request))| (what, RequestFrame { id: index as u64 + 1, request });
    requests.into_iter().enumerate().map(number).collect()
}
