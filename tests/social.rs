//! What people do at a table besides moving: rematches, offers, leaving and coming back, company.

mod company;
mod doors;
mod gathering;
mod gone;
mod names;
mod offers;
mod rematch;
mod shown;
mod tables;

use hexhall_proto::codec::Format;
use hexhall_proto::options::{OnLeave, OptionsRequest};
use hexhall_proto::parts::{EndedBy, Outcome, Seat};
use hexhall_proto::request::Request;

use crate::harness::{Guest, Hall, Setup};

/// Two guests at a table where a game has begun, and one who watches.
struct Party {
    hall: Hall,
    table: String,
    one: Guest,
    two: Guest,
    watcher: Guest,
}

/// A table whose game may be claimed from a player who is gone.
fn claimable(options: OptionsRequest) -> OptionsRequest {
    OptionsRequest { on_leave: Some(OnLeave::Claim), ..options }
}

impl Party {
    /// Everybody speaks another format than the next. The time is in the test's hand.
    async fn gather(options: OptionsRequest) -> Party {
        Party::gather_in(Setup::by_hand(), options).await
    }

    async fn gather_in(setup: Setup, options: OptionsRequest) -> Party {
        let hall = Hall::start(setup).await;
        let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
        let mut two = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
        let mut watcher = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
        let table = one.open(options).await;
        watcher.watch(&table).await;
        two.join(&table).await;
        for guest in [&mut one, &mut watcher] {
            guest.until(&table, "the game", |copy| copy.game().is_some()).await;
        }
        Party { hall, table, one, two, watcher }
    }

    fn everybody(&mut self) -> [&mut Guest; 3] {
        [&mut self.one, &mut self.two, &mut self.watcher]
    }

    /// Moves in turn, the first of them by whoever sits in seat 1.
    async fn played(&mut self, cells: &[&str]) {
        let one_begins = self.one.copy(&self.table).seat() == Some(Seat::One);
        for (ply, cell) in cells.iter().enumerate() {
            let mover = match (ply % 2 == 0) == one_begins {
                true => &mut self.one,
                false => &mut self.two,
            };
            mover.play(&self.table, cell).await;
        }
        self.settled().await;
    }

    /// Waits until everybody has been told all that there is.
    async fn settled(&mut self) {
        let table = self.table.clone();
        let turn = {
            let view = self.watcher.watch(&table).await;
            (
                view.game.map(|game| (game.id, game.turn, game.outcome)),
                view.offers.len(),
                view.phase,
            )
        };
        for guest in [&mut self.one, &mut self.two] {
            guest
                .until(&table, "the news", |copy| {
                    let view = copy.view();
                    let game = view.game.as_ref();
                    let game = game.map(|game| (game.id.clone(), game.turn, game.outcome));
                    (game, view.offers.len(), view.phase) == turn
                })
                .await;
        }
    }

    /// The player in that seat gives the game up.
    async fn resigned(&mut self, seat: Seat) {
        let table = self.table.clone();
        let loser = match self.one.copy(&table).seat() == Some(seat) {
            true => &mut self.one,
            false => &mut self.two,
        };
        let resign = loser.command(&table);
        loser.done(Request::Resign(resign.into())).await;
        let winner = Some(if seat == Seat::One { Seat::Two } else { Seat::One });
        let outcome = Outcome { winner, by: EndedBy::Resignation };
        for guest in self.everybody() {
            guest.until(&table, "the end", |copy| copy.outcome() == Some(outcome)).await;
        }
    }
}
