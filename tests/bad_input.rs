//! What a table refuses: one code for each reason, the game as it was, the session alive.

mod moves;
mod outage;
mod refused;

use hexhall::chance::Chance;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::options::{OptionsRequest, Preset, Swap, Time};
use hexhall_proto::parts::{Cell, Move, OfferKind, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{
    self, GameCommand, Join, MakeOffer, Open, PlayMove, Request, Watch, WithdrawOffer,
};
use hexhall_proto::view::View;

use crate::harness::guest::refused_with;
use crate::harness::hall::DAWN;
use crate::harness::{FORMATS, Guest, Hall, Setup, board, fischer};

/// Two guests at a table, one who watches and one who has nothing to do with it. Time stands
/// still, so that nothing but what is asked can change anything.
struct Game {
    hall: Hall,
    table: String,
    one: Guest,
    two: Guest,
    watcher: Guest,
    stranger: Guest,
}

impl Game {
    async fn begin(format: Format, options: OptionsRequest) -> Game {
        Game::begin_in(Setup::by_hand(), format, options).await
    }

    async fn begin_in(setup: Setup, format: Format, options: OptionsRequest) -> Game {
        let hall = Hall::start(setup).await;
        let mut one = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut two = Guest::arrive(&hall.address(), format, "Bo").await;
        let mut watcher = Guest::arrive(&hall.address(), format, "Cy").await;
        let stranger = Guest::arrive(&hall.address(), format, "Di").await;
        let table = one.open(options).await;
        watcher.watch(&table).await;
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        Game { hall, table, one, two, watcher, stranger }
    }

    /// Moves of both seats in turn, which everybody then has seen.
    async fn played(&mut self, cells: &[&str]) {
        for (ply, cell) in cells.iter().enumerate() {
            let mover = if ply % 2 == 0 { &mut self.one } else { &mut self.two };
            mover.play(&self.table, cell).await;
        }
        self.settled().await;
    }

    /// Everybody knows what there is to know.
    async fn settled(&mut self) -> View {
        let view = self.watcher.watch(&self.table).await;
        for guest in [&mut self.one, &mut self.two] {
            let seq = view.seq;
            guest.until(&self.table, "the news", |copy| copy.seq() == seq).await;
        }
        view
    }

    /// One of the guests is refused with that code, and the table is as it was.
    async fn refuses(&mut self, who: Who, code: Code, request: Request) {
        let before = self.settled().await;
        let guest = match who {
            Who::One => &mut self.one,
            Who::Two => &mut self.two,
            Who::Watcher => &mut self.watcher,
            Who::Stranger => &mut self.stranger,
        };
        refused_with(guest, code, request.clone()).await;
        // The session lives, and the table has nothing new to tell.
        assert_eq!(guest.ask(Request::LeaveLobby {}).await, Reply::Done {});
        assert_eq!(self.settled().await, before, "{request:?}");
    }
}

#[derive(Clone, Copy)]
enum Who {
    One,
    Two,
    Watcher,
    Stranger,
}

fn no_clock(swap: Swap) -> OptionsRequest {
    OptionsRequest { swap: Some(swap), ..board(3, Time::None {}) }
}

/// A place on the board, or off it.
fn at(row: i64, col: i64) -> Move {
    Move::Place(Cell(row, col))
}

#[tokio::test]
async fn commands_of_those_who_have_no_seat_are_refused() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        let stone = game.one.stone(&table, "a1");
        let command = game.one.command(&table);
        let commands = |GameCommand { table, game, command }: GameCommand| {
            let named = |command: &str| GameCommand {
                table: table.clone(),
                game: game.clone(),
                command: command.into(),
            };
            let offer = MakeOffer {
                table: table.clone(),
                game: game.clone(),
                command: format!("{command}-offer"),
                kind: OfferKind::Takeback,
            };
            [
                Request::Resign(named("resign").into()),
                Request::Abort(named("abort")),
                Request::Claim(named("claim")),
                Request::Unpause(named("unpause")),
                Request::GiveTime(named("give")),
                Request::Offer(offer),
            ]
        };
        game.refuses(Who::Watcher, Code::NotSeated, Request::Move(stone.clone())).await;
        game.refuses(Who::Stranger, Code::NotAtTable, Request::Move(stone)).await;
        for request in commands(command) {
            game.refuses(Who::Watcher, Code::NotSeated, request.clone()).await;
            game.refuses(Who::Stranger, Code::NotAtTable, request).await;
        }
        let answer = game.watcher.answer(&table, 1, true);
        game.refuses(Who::Watcher, Code::NotSeated, answer.clone()).await;
        game.refuses(Who::Stranger, Code::NotAtTable, answer).await;
        for request in [
            Request::Unwatch(request::Table { table: table.clone() }),
            Request::Leave(request::Table { table: table.clone() }),
        ] {
            game.refuses(Who::Stranger, Code::NotAtTable, request).await;
        }
    }
}

#[tokio::test]
async fn a_table_that_is_not_there_is_unknown_to_every_request() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let nowhere = Chance::seeded([9; 32]).table(DAWN).to_string();
        let elsewhere = |request: Request| at_table(request, &nowhere);
        let stone = game.one.stone(&game.table, "a1");
        let command = game.one.command(&game.table);
        for request in [
            Request::Watch(Watch { table: String::new(), invitation: None, last: None }),
            Request::Join(Join { table: String::new(), seat: None, invitation: None }),
            Request::Unwatch(request::Table { table: String::new() }),
            Request::Leave(request::Table { table: String::new() }),
            Request::Move(stone),
            Request::Resign(command.into()),
        ] {
            game.refuses(Who::One, Code::UnknownTable, elsewhere(request)).await;
        }
    }
}

fn at_table(mut request: Request, table: &str) -> Request {
    let named = match &mut request {
        Request::Watch(it) => &mut it.table,
        Request::Join(it) => &mut it.table,
        Request::Unwatch(it) | Request::Leave(it) => &mut it.table,
        Request::Move(it) => &mut it.table,
        Request::Resign(it) => &mut it.table,
        other => panic!("{other:?} names no table here"),
    };
    *named = table.into();
    request
}

#[tokio::test]
async fn nothing_is_played_after_the_end_or_in_another_game() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        let other_game = Chance::seeded([9; 32]).game(DAWN).game.to_string();
        let elsewhere = PlayMove { game: other_game.clone(), ..game.one.stone(&table, "a1") };
        game.refuses(Who::One, Code::OtherGame, Request::Move(elsewhere)).await;
        let elsewhere = GameCommand { game: other_game, ..game.one.command(&table) };
        for request in [
            Request::Resign(elsewhere.clone().into()),
            Request::Abort(elsewhere.clone()),
            Request::Claim(elsewhere.clone()),
            Request::Unpause(elsewhere.clone()),
            Request::GiveTime(elsewhere),
        ] {
            game.refuses(Who::One, Code::OtherGame, request).await;
        }
        game.played(&["a1", "b1", "a2", "b2", "a3"]).await;
        let late = game.two.stone(&table, "b3");
        game.refuses(Who::Two, Code::GameOver, Request::Move(late)).await;
        let over = game.one.command(&table);
        for request in [
            Request::Resign(over.clone().into()),
            Request::Abort(over.clone()),
            Request::Claim(over.clone()),
            Request::Unpause(over.clone()),
            Request::GiveTime(over),
        ] {
            game.refuses(Who::One, Code::GameOver, request).await;
        }
        for kind in [OfferKind::Takeback, OfferKind::Pause] {
            let offer = game.one.proposal(&table, kind);
            game.refuses(Who::One, Code::GameOver, Request::Offer(offer)).await;
        }
    }
}

#[tokio::test]
async fn no_game_is_played_before_somebody_sits_opposite() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let mut guest = Guest::arrive(&hall.address(), format, "Ana").await;
        let table = guest.open(no_clock(Swap::Off)).await;
        let game = Chance::seeded([9; 32]).game(DAWN).game.to_string();
        let command = guest.command_name();
        let resign = GameCommand { table: table.clone(), game, command };
        let before = guest.watch(&table).await;
        refused_with(&mut guest, Code::NoGame, Request::Resign(resign.into())).await;
        let join = Join { table: table.clone(), seat: None, invitation: None };
        refused_with(&mut guest, Code::AlreadySeated, Request::Join(join)).await;
        assert_eq!(guest.watch(&table).await, before);
    }
}

#[tokio::test]
async fn a_seat_that_is_taken_is_not_given_again() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        let join = |seat| Request::Join(Join { table: table.clone(), seat, invitation: None });
        for seat in [None, Some(Seat::One), Some(Seat::Two)] {
            game.refuses(Who::Stranger, Code::SeatTaken, join(seat)).await;
        }
        game.refuses(Who::One, Code::AlreadySeated, join(None)).await;
    }
}

#[tokio::test]
async fn a_private_table_asks_for_its_invitation() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let mut host = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut stranger = Guest::arrive(&hall.address(), format, "Di").await;
        let open = Open { options: no_clock(Swap::Off), private: true, cpu: None, party: None };
        let (table, invitation) = host.open_with(open).await;
        let before = host.watch(&table).await;
        for shown in [None, Some(String::new()), invitation.map(|it| it.to_lowercase() + "x")] {
            let watch = Watch { table: table.clone(), invitation: shown.clone(), last: None };
            refused_with(&mut stranger, Code::NotInvited, Request::Watch(watch)).await;
            let join = Join { table: table.clone(), seat: None, invitation: shown };
            refused_with(&mut stranger, Code::NotInvited, Request::Join(join)).await;
        }
        assert_eq!(host.watch(&table).await, before);
    }
}

#[tokio::test]
async fn a_paused_game_takes_no_move() {
    for format in FORMATS {
        let mut game = Game::begin(format, board(3, fischer(60, 0))).await;
        let table = game.table.clone();
        let unpause = game.one.command(&table);
        game.refuses(Who::One, Code::NotPaused, Request::Unpause(unpause)).await;
        let offer = game.one.offer(&table, OfferKind::Pause).await;
        let accept = game.two.answer(&table, offer, true);
        game.two.done(accept).await;
        game.settled().await;
        let stone = game.one.stone(&table, "a1");
        game.refuses(Who::One, Code::Paused, Request::Move(stone)).await;
        let again = game.two.proposal(&table, OfferKind::Pause);
        game.refuses(Who::Two, Code::Paused, Request::Offer(again)).await;
    }
}

#[tokio::test]
async fn offers_that_make_no_sense_are_refused() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        for kind in [OfferKind::Rematch, OfferKind::Takeback, OfferKind::Pause] {
            let offer = game.one.proposal(&table, kind);
            game.refuses(Who::One, Code::CannotOffer, Request::Offer(offer)).await;
        }
        let nothing = game.two.answer(&table, 1, true);
        game.refuses(Who::Two, Code::NoOffer, nothing).await;
        game.one.play(&table, "a1").await;
        let offer = game.one.offer(&table, OfferKind::Takeback).await;
        let twice = game.one.proposal(&table, OfferKind::Takeback);
        game.refuses(Who::One, Code::CannotOffer, Request::Offer(twice)).await;
        let own = game.one.answer(&table, offer, true);
        game.refuses(Who::One, Code::NoOffer, own).await;
        let command = game.two.command_name();
        let theirs = WithdrawOffer { table: table.clone(), command, offer };
        game.refuses(Who::Two, Code::NoOffer, Request::Withdraw(theirs)).await;
        let other = game.two.answer(&table, offer + 1, true);
        game.refuses(Who::Two, Code::NoOffer, other).await;
    }
}

#[tokio::test]
async fn what_the_moment_does_not_allow_is_refused() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        let give = game.one.command(&table);
        game.refuses(Who::One, Code::CannotGiveTime, Request::GiveTime(give)).await;
        let claim = game.one.command(&table);
        game.refuses(Who::One, Code::CannotClaim, Request::Claim(claim)).await;
        game.played(&["a1", "b1"]).await;
        let abort = game.one.command(&table);
        game.refuses(Who::One, Code::CannotAbort, Request::Abort(abort)).await;
    }
}

#[tokio::test]
async fn options_that_do_not_fit_open_no_table() {
    let hall = Hall::start(Setup::by_hand()).await;
    for format in FORMATS {
        let mut guest = Guest::arrive(&hall.address(), format, "Ana").await;
        for options in [
            OptionsRequest { preset: Some(Preset::Party), ..board(12, Time::None {}) },
            board(54, Time::None {}),
            board(0, Time::None {}),
            OptionsRequest { rows: Some(3), ..board(3, Time::None {}) },
            OptionsRequest {
                random_stones: Some(4),
                swap: Some(Swap::Sides),
                ..board(11, Time::None {})
            },
            board(3, Time::PerTurn { seconds: 0 }),
        ] {
            let open = Open { options, private: false, cpu: None, party: None };
            refused_with(&mut guest, Code::BadOptions, Request::Open(open)).await;
        }
        let Reply::Lobby { tables, .. } = guest.ask(Request::Lobby {}).await else {
            panic!("no list")
        };
        assert_eq!(tables, []);
    }
}
