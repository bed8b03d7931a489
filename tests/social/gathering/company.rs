//! Some guests, the party that they came together to, and what they do there together.

use hexhall::remote::{Address, TableCopy};
use hexhall_proto::codec::Format;
use hexhall_proto::options::{OptionsRequest, Swap, Time};
use hexhall_proto::party::{JoinParty, OpenParty, PartyView, Start, Turns};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Open, Request};

use crate::harness::{Guest, Process, board};

/// Some guests and the party that they came together to.
pub struct Company {
    pub guests: Vec<Guest>,
    pub table: String,
    pub code: String,
}

pub fn party(options: OptionsRequest, turns: Turns) -> Open {
    let party = OpenParty { turns: Some(turns), cpu_level: Some(1) };
    Open { options, party: Some(party), ..Open::default() }
}

pub fn by_code(code: &str) -> Request {
    Request::JoinParty(JoinParty { code: Some(code.into()), ..JoinParty::default() })
}

pub async fn joins(guest: &mut Guest, code: &str) {
    let reply = guest.ask(by_code(code)).await;
    assert!(matches!(reply, Reply::View { .. }), "{reply:?}");
}

impl Company {
    /// The first of them opens the party, and the others join by its code.
    pub async fn gather(at: &Address, names: &[&str], open: Open) -> Company {
        let mut guests = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let format = [Format::Json, Format::MsgPack][number % 2];
            guests.push(Guest::arrive(at, format, name).await);
        }
        let (table, _) = guests[0].open_with(open).await;
        let code = guests[0].copy(&table).view().party.clone().unwrap().code;
        for guest in &mut guests[1..] {
            joins(guest, &code).await;
        }
        let mut company = Company { guests, table, code };
        company.all_until("everybody there", |copy, count| here(copy) == count).await;
        company
    }

    /// Waits until everybody sees the table like that; they are told how many they are.
    pub async fn all_until(&mut self, what: &str, wished: impl Fn(&TableCopy, usize) -> bool) {
        let count = self.guests.len();
        for guest in &mut self.guests {
            guest.until(&self.table, what, |copy| wished(copy, count)).await;
        }
    }

    pub fn party(&self) -> PartyView {
        self.guests[0].copy(&self.table).view().party.clone().unwrap()
    }

    /// Who plays next, by their places in the company.
    pub async fn next(&mut self) -> Vec<usize> {
        let view = self.guests[0].watch(&self.table).await;
        view.presence.party.unwrap().next.iter().map(|id| self.place(id)).collect()
    }

    pub fn place(&self, id: &str) -> usize {
        self.guests.iter().position(|guest| guest.player.id == id).expect("one of them")
    }

    pub fn game(&self) -> Option<String> {
        self.guests[0].copy(&self.table).game().map(|game| game.id.clone())
    }

    pub fn start(&self) -> Request {
        Request::Start(Start { table: self.table.clone(), after: self.game() })
    }

    /// The host begins a game, and everybody sees it.
    pub async fn starts(&mut self, host: usize) {
        let (start, before) = (self.start(), self.game());
        self.guests[host].done(start).await;
        self.all_in_next(before).await;
    }

    pub async fn all_in_next(&mut self, before: Option<String>) {
        let next = |copy: &TableCopy| {
            let game = copy.game().filter(|game| Some(&game.id) != before.as_ref());
            game.is_some_and(|game| game.outcome.is_none())
        };
        self.all_until("the next game", |copy, _| next(copy)).await;
    }

    /// Who plays, by their places: seat 1, seat 2.
    pub fn players(&self) -> Vec<usize> {
        let seats = &self.guests[0].copy(&self.table).view().seats;
        seats.iter().flatten().map(|player| self.place(&player.id)).collect()
    }

    /// Everybody loses the server, and finds the party as it was.
    pub async fn lives_through_a_kill(&mut self, server: &mut Process) {
        let before = self.party();
        self.guests.iter_mut().for_each(Guest::hang_up);
        server.kill_in(0).await;
        server.start_again().await;
        for guest in &mut self.guests {
            guest.come_back(&server.address()).await;
            guest.resume(&self.table).await;
        }
        self.all_until("everybody back", |copy, count| here(copy) == count).await;
        assert_eq!(self.party(), before);
    }

    /// Plays the running game out: whoever has that seat joins top and bottom.
    pub async fn seat_1_wins(&mut self) -> usize {
        let table = self.table.clone();
        let [one, two] = self.players()[..] else { panic!("two play") };
        for cell in ["a1", "b1", "a2", "b2", "a3"] {
            let mover = if cell.starts_with('a') { one } else { two };
            self.guests[mover].play(&table, cell).await;
        }
        self.all_until("the end", |copy, _| copy.outcome().is_some()).await;
        one
    }
}

/// How many members are there, as somebody sees it.
pub fn here(copy: &TableCopy) -> usize {
    copy.view().presence.party.as_ref().map_or(0, |party| party.here.len())
}

pub fn host(copy: &TableCopy) -> Option<String> {
    copy.view().party.clone().unwrap().host
}

pub fn no_swap() -> OptionsRequest {
    let swap = Some(Swap::Off);
    OptionsRequest { swap, ..board(3, Time::None {}) }
}
