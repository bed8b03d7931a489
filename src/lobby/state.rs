//! The list of tables as a value. Pure.

mod codes;

use std::collections::{BTreeMap, HashMap};

use hexhall_proto::event::LobbyEvent;
use hexhall_proto::parts::{Phase, Player};
use hexhall_proto::view::Listing;

use crate::ids::{PlayerId, TableId};
use crate::table::state::refusal::TooManyTables;

pub use codes::Codes;

/// How many tables a follower of the list is shown at once, so that the list fits an outbox however
/// many there are.
pub const SHOWN: usize = 100;

/// How many seeks, for the same reason.
pub const SHOWN_SEEKS: usize = 50;

/// Every table that is not closed.
#[derive(Clone, Debug, Default)]
pub struct LobbyState {
    tables: BTreeMap<TableId, Entry>,
    /// Tables that were asked for and are not on the list yet.
    opening: HashMap<TableId, Vec<PlayerId>>,
    /// How many tables each player sits at.
    seats: HashMap<PlayerId, usize>,
    /// What parties are joined by.
    pub codes: Codes,
}

/// How lists have a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListedAs {
    /// For everybody to see.
    Public,
    /// For nobody to see.
    Private,
    /// No more.
    Closed,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    listing: Listing,
    public: bool,
    /// Who sits there, shown or not.
    seated: [Option<PlayerId>; 2],
}

/// Who sits at a table, as its listing shows it. The computer is nobody.
pub fn seats(listing: &Listing) -> [Option<PlayerId>; 2] {
    let people =
        |seat: &Option<Player>| seat.as_ref().filter(|it| it.cpu.is_none())?.id.parse().ok();
    listing.seats.each_ref().map(people)
}

impl LobbyState {
    /// Notes that a table is opened for these players, if all of them may sit at one more.
    ///
    /// # Errors
    /// The first of them who may not; nothing has changed.
    pub fn open(
        &mut self,
        table: TableId,
        players: &[PlayerId],
        most: Option<usize>,
    ) -> Result<(), (PlayerId, TooManyTables)> {
        for &player in players {
            self.check(player, most).map_err(|error| (player, error))?;
        }
        self.opening.insert(table, players.to_vec());
        Ok(())
    }

    /// Whether a player may sit at one more table.
    ///
    /// # Errors
    /// They may not.
    pub fn check(&self, player: PlayerId, most: Option<usize>) -> Result<(), TooManyTables> {
        let Some(most) = most else { return Ok(()) };
        let opening = self.opening.values().filter(|players| players.contains(&player)).count();
        let held = opening + self.held(player);
        if held >= most { Err(TooManyTables { held, most }) } else { Ok(()) }
    }

    /// Counts anew who sits at how many tables, which a panic may have kept from being counted.
    pub fn recount(&mut self) -> &HashMap<PlayerId, usize> {
        self.seats.clear();
        let seated: Vec<_> = self.tables.values().map(|entry| entry.seated).collect();
        seated.into_iter().for_each(|seated| self.count(seated, 1));
        &self.seats
    }

    /// Takes a table off the list of which nothing can be shown, and counts anew without it.
    pub fn drop_table(&mut self, table: TableId) -> &HashMap<PlayerId, usize> {
        self.tables.remove(&table);
        self.recount()
    }

    /// How many tables a player sits at, those that are only being opened left out.
    pub fn held(&self, player: PlayerId) -> usize {
        self.seats.get(&player).copied().unwrap_or_default()
    }

    /// Who sits at a table.
    pub fn seated_at(&self, table: TableId) -> [Option<PlayerId>; 2] {
        self.tables.get(&table).map_or([None; 2], |entry| entry.seated)
    }

    /// A table could not be opened after all.
    pub fn not_opened(&mut self, table: TableId) {
        self.opening.remove(&table);
        self.codes.give_back(table);
    }

    /// What lists show of a table has changed, or who is `seated` there, which may not be shown
    /// yet. Gives what followers of the public list are to be told.
    pub fn change(
        &mut self,
        table: TableId,
        listing: Listing,
        now: ListedAs,
        seated: [Option<PlayerId>; 2],
    ) -> Option<LobbyEvent> {
        let closed = now == ListedAs::Closed;
        self.opening.remove(&table);
        self.codes.change(table, &listing, closed);
        let entry = Entry { listing, public: now == ListedAs::Public, seated };
        let before = if closed {
            self.tables.remove(&table)
        } else {
            self.count(seated, 1);
            self.tables.insert(table, entry.clone())
        };
        if let Some(before) = &before {
            self.count(before.seated, -1);
        }
        match (now, before) {
            (ListedAs::Private, _) | (ListedAs::Closed, None) => None,
            (ListedAs::Closed, Some(before)) => {
                before.public.then(|| LobbyEvent::Unlisted { table: table.to_string() })
            }
            (ListedAs::Public, Some(before)) if before.listing == entry.listing => None,
            (ListedAs::Public, _) => Some(LobbyEvent::Listed { listing: Box::new(entry.listing) }),
        }
    }

    /// Every public table, the newest first.
    pub fn public(&self) -> impl Iterator<Item = &Listing> {
        let tables = self.tables.values().rev().filter(|entry| entry.public);
        tables.map(|entry| &entry.listing)
    }

    /// Whether a player sits at a table where a game runs, as far as lists know.
    pub fn plays(&self, player: PlayerId, table: TableId) -> bool {
        let entry = self.tables.get(&table);
        let entry = entry.filter(|entry| entry.listing.phase == Phase::Playing);
        entry.is_some_and(|entry| entry.seated.contains(&Some(player)))
    }

    /// The tables where a player sits, those that are only being opened for them first: `most` of them
    /// at most, the newest first.
    pub fn seated(&self, player: PlayerId, most: usize) -> Vec<TableId> {
        let opening = self.opening.iter().filter(|(_, players)| players.contains(&player));
        let tables = self.tables.iter().rev();
        let theirs = tables.filter(|(_, entry)| entry.seated.contains(&Some(player)));
        opening.map(|(table, _)| *table).chain(theirs.map(|(table, _)| *table)).take(most).collect()
    }

    /// What whoever begins to follow the list is shown: the newest [`SHOWN`] public tables.
    pub fn shown(&self) -> Vec<Listing> {
        self.public().take(SHOWN).cloned().collect()
    }

    fn count(&mut self, [one, two]: [Option<PlayerId>; 2], by: isize) {
        // A table is one, also where one player has both seats.
        let two = two.filter(|_| one != two);
        for player in one.into_iter().chain(two) {
            let held = self.seats.entry(player).or_default();
            *held = held.saturating_add_signed(by);
            if *held == 0 {
                self.seats.remove(&player);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use hexhall_proto::codec::{Format, encode};
    use hexhall_proto::options::{self as proto, OptionsRequest};
    use hexhall_proto::seek::{ListedSeek, RatingRange};

    use super::*;
    use crate::table::options::Options;

    fn table(n: u64) -> TableId {
        TableId::from_parts(n, 0)
    }

    fn player(n: u64) -> PlayerId {
        PlayerId::from_parts(n, 0)
    }

    fn change(
        state: &mut LobbyState,
        table: TableId,
        listing: Listing,
        now: ListedAs,
    ) -> Option<LobbyEvent> {
        let seated = seats(&listing);
        state.change(table, listing, now, seated)
    }

    fn listing(n: u64, phase: Phase, seats: [Option<u64>; 2]) -> Listing {
        let options = Options::resolve(&OptionsRequest::default()).unwrap();
        let name = |n: u64| Player {
            id: player(n).to_string(),
            name: format!("player {n}"),
            cpu: None,
            bot: false,
        };
        Listing {
            party: None,
            size: None,
            gone: false,
            table: table(n).to_string(),
            phase,
            options: crate::wire::options(&options),
            seats: seats.map(|seat| seat.map(name)),
            game: None,
            opened_ms: n,
        }
    }

    #[test]
    fn followers_are_told_of_public_tables_and_only_of_changes() {
        let mut state = LobbyState::default();
        let waiting = listing(1, Phase::Waiting, [Some(1), None]);
        let listed = LobbyEvent::Listed { listing: Box::new(waiting.clone()) };
        assert_eq!(change(&mut state, table(1), waiting.clone(), ListedAs::Public), Some(listed));
        assert_eq!(
            change(&mut state, table(1), waiting.clone(), ListedAs::Public),
            None,
            "nothing changed"
        );
        assert_eq!(
            change(&mut state, table(2), listing(2, Phase::Waiting, [None; 2]), ListedAs::Private),
            None
        );
        assert_eq!(state.shown(), std::slice::from_ref(&waiting));
        let unlisted = LobbyEvent::Unlisted { table: table(1).to_string() };
        assert_eq!(change(&mut state, table(1), waiting.clone(), ListedAs::Closed), Some(unlisted));
        assert_eq!(
            change(&mut state, table(1), waiting, ListedAs::Closed),
            None,
            "it was off the list"
        );
        assert!(state.shown().is_empty());
    }

    #[test]
    fn the_list_that_is_shown_fits_the_smallest_outbox_however_many_tables_there_are() {
        const SMALLEST_OUTBOX: usize = 128 * 1024;
        // More than any table can have at once: everything that is ever left out, in its longest form.
        let options = proto::Options {
            preset: proto::Preset::Standard,
            rows: 53,
            cols: 53,
            game: proto::GameKind::Dark,
            collision: Some(proto::Collision::Classical),
            swap: proto::Swap::Pieces,
            goal: proto::Goal::Avoid,
            random_stones: 10,
            time: proto::Time::ByoYomi { initial_s: 86_400, period_s: 86_400, periods: 255 },
            first_move_s: Some(86_400),
            on_leave: proto::OnLeave::Claim,
            rated: true,
            first_move: proto::FirstMove::Alternate,
            pass_and_play: true,
            spectator_delay_s: 600,
        };
        let longest = "\u{1f600}".repeat(24);
        let mut state = LobbyState::default();
        for n in 0..1_000 {
            let mut full = listing(n, Phase::Playing, [Some(1), Some(2)]);
            full.game = Some("gam_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned());
            (full.party, full.gone) = (Some("ABCDEF".to_owned()), true);
            (full.options, full.opened_ms) = (options.clone(), 1_800_000_000_000);
            for player in full.seats.iter_mut().flatten() {
                (player.name, player.bot) = (longest.clone(), true);
            }
            change(&mut state, table(n), full, ListedAs::Public);
        }
        let shown = state.shown();
        assert_eq!(state.public().count(), 1_000);
        assert_eq!(shown.len(), SHOWN);
        assert_eq!(shown[0].table, table(999).to_string(), "the newest first");
        let seek = ListedSeek {
            seek: "sek_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned(),
            player: shown[0].seats[0].clone().unwrap(),
            rating: -1_000,
            provisional: true,
            options,
            rated: true,
            range: Some(RatingRange { min: 4_000, max: 4_000 }),
            since_ms: 1_800_000_000_000,
        };
        let seeks = vec![seek; SHOWN_SEEKS];
        let tables = LobbyEvent::Tables { tables: shown, seeks, players: 1_000_000 };
        let frame = encode(Format::Json, &tables);
        assert!(frame.len() < SMALLEST_OUTBOX, "{} bytes", frame.len());
    }

    #[test]
    fn a_player_holds_so_many_tables_and_no_more_until_one_is_closed() {
        let mut state = LobbyState::default();
        let most = Some(2);
        assert_eq!(state.open(table(1), &[player(1)], most), Ok(()));
        assert_eq!(state.open(table(2), &[player(1)], most), Ok(()));
        let refused = Err((player(1), TooManyTables { held: 2, most: 2 }));
        assert_eq!(state.open(table(3), &[player(1)], most), refused, "both are only being opened");
        assert_eq!(state.open(table(4), &[player(2)], most), Ok(()), "somebody else may");
        state.not_opened(table(2));
        let playing = listing(1, Phase::Playing, [Some(1), Some(2)]);
        change(&mut state, table(1), playing.clone(), ListedAs::Private);
        assert_eq!(state.open(table(5), &[player(1)], most), Ok(()));
        assert_eq!(state.open(table(6), &[player(1)], most), refused);
        change(&mut state, table(1), playing, ListedAs::Closed);
        assert_eq!(
            state.open(table(6), &[player(1)], most),
            Ok(()),
            "private tables count as well"
        );
        assert_eq!(state.open(table(7), &[player(3)], None), Ok(()));
    }

    #[test]
    fn who_sits_at_a_table_counts_before_it_is_shown_and_is_told_to_nobody() {
        let mut state = LobbyState::default();
        let empty = listing(1, Phase::Waiting, [None, None]);
        let seated = [Some(player(1)), None];
        let listed = state.change(table(1), empty.clone(), ListedAs::Public, [None; 2]);
        assert!(matches!(listed, Some(LobbyEvent::Listed { .. })));
        assert_eq!(state.change(table(1), empty, ListedAs::Public, seated), None);
        let refused = Err((player(1), TooManyTables { held: 1, most: 1 }));
        assert_eq!(state.open(table(2), &[player(1)], Some(1)), refused);
        assert_eq!(state.shown()[0].seats, [None, None]);
    }

    #[test]
    fn the_computer_sits_nowhere() {
        let mut listing = listing(1, Phase::Playing, [Some(1), Some(2)]);
        if let Some(house) = &mut listing.seats[1] {
            house.cpu = Some(5);
        }
        assert_eq!(seats(&listing), [Some(player(1)), None]);
    }
}
