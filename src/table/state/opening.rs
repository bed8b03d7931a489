//! What a table is opened with: its opening, who sits down, and the first game where nobody else is
//! waited for. Pure.

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::table::handle::Player;
use crate::table::options::{House, Options};

use super::decide::Fresh;
use super::event::Event;

/// The table of one player. Nobody else is waited for on one device and against the computer.
pub fn opening(
    options: Options,
    invitation: Option<Box<str>>,
    player: &Player,
    house: Option<House>,
    at: Stamp,
    fresh: impl FnOnce() -> Fresh,
) -> Vec<Event> {
    let seats = match house {
        Some(House { level, seat: Seat::One }) => {
            [Some(Player::house(level)), Some(player.clone())]
        }
        Some(House { level, seat: Seat::Two }) => {
            [Some(player.clone()), Some(Player::house(level))]
        }
        None => [Some(player.clone()), options.pass_and_play().then(|| player.clone())],
    };
    seated(options, invitation, seats, at, fresh)
}

/// The table of two who are matched: both sit there, and their game begins.
pub fn opening_of_two(
    options: Options,
    players: [Player; 2],
    at: Stamp,
    fresh: impl FnOnce() -> Fresh,
) -> Vec<Event> {
    seated(options, None, players.map(Some), at, fresh)
}

fn seated(
    options: Options,
    invitation: Option<Box<str>>,
    seats: [Option<Player>; 2],
    at: Stamp,
    fresh: impl FnOnce() -> Fresh,
) -> Vec<Event> {
    let begins = seats.iter().all(Option::is_some);
    let mut events = vec![Event::Opened { options, invitation, at }];
    for (seat, player) in Seat::BOTH.into_iter().zip(seats) {
        events.extend(player.map(|player| Event::Seated { seat, player, at }));
    }
    if begins {
        let Fresh { game, seed } = fresh();
        events.push(Event::Started { game, seed, exchange: false, at });
    }
    events
}
