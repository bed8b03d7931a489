//! Two players and their watchers at one table, and the games that they play there.

use futures_util::future::join_all;
use serde_json::Value;

use super::person::Person;

/// A game that somebody has played.
pub struct Played {
    pub moves: Vec<String>,
    pub winning_path: Vec<String>,
}

/// The game of that name in tests/data/games.jsonl.
pub fn played(name: &str) -> Played {
    let games = include_str!("../data/games.jsonl").lines();
    let games = games.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let game = games.into_iter().find(|game| game["name"] == name).unwrap();
    let words = |key: &str| -> Vec<String> {
        let list = game[key].as_array().into_iter().flatten();
        list.map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    Played { moves: words("moves"), winning_path: words("winning_path") }
}

/// Two players in the order of their first moves, and whoever watches.
pub struct Table<'a> {
    pub players: [&'a Person; 2],
    pub watchers: &'a [Person],
}

impl Table<'_> {
    /// Players, then watchers.
    pub fn everybody(&self) -> impl Iterator<Item = &Person> {
        self.players.into_iter().chain(self.watchers)
    }

    /// Waits until a condition has held on every screen; all are watched at once, since some of what
    /// they show is gone after a few seconds.
    pub async fn all_see(&self, condition: &str) {
        join_all(self.everybody().map(|person| person.sees(condition))).await;
    }

    /// Plays moves by clicks, each as soon as its player sees that it is their turn. `first` is the
    /// number of the first of them in the game, from 0.
    pub async fn play(&self, moves: &[String], first: usize) {
        for (number, cell) in (first..).zip(moves) {
            let player = self.players[number % 2];
            player.sees("one('turn').hasAttribute('data-mine')").await;
            if cell.starts_with("swap") {
                player.clicks("swap").await;
            } else {
                player.clicks(&format!("cell-{cell}")).await;
            }
            player.sees("!one('turn').hasAttribute('data-mine')").await;
        }
    }

    /// Keeps pictures of what the players see.
    pub async fn pictures(&self, moment: &str) {
        for person in self.players {
            person.pictures(moment).await;
        }
    }

    /// Fails if any browser has complained of anything but what is expected.
    pub async fn complain_of(&self, expected: &[&str]) {
        for person in self.everybody() {
            let mut complaints = person.complaints().await;
            complaints.retain(|complaint| !expected.iter().any(|word| complaint.contains(word)));
            assert!(complaints.is_empty(), "{complaints:#?}");
        }
    }
}
