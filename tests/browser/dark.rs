//! Dark Hex at the page: two play and a third watches, and no browser holds what is hidden from its
//! viewer.

use hexhall::game::{Collision, Game, Move, Outcome, Rules, Seat, Size};
use serde_json::json;

use super::driver::Driver;
use super::hall::Hall;
use super::hidden::{KEPT_FRAMES, assert_holds_nothing_hidden};
use super::person::{Person, Screen};
use super::table::Table;
use super::{three, two};

/// What a page shows of its game.
const SHOWN: &str = "[text('dark-text'), text('moves'), text('attempts-1'), text('attempts-2'),
    text('turn'), one('veil').checkVisibility(), document.title,
    [...document.querySelectorAll('[data-cell]')].map((cell) => [
        cell.dataset.testid, cell.dataset.stone, cell.hasAttribute('data-found'),
        cell.getAttribute('aria-label'),
    ])]";

/// A game of 7x7 by the classical rule in which both run into stones, and red's chain decides.
pub const ATTEMPTS: [(usize, &str); 20] = [
    (1, "d4"),
    (2, "d4"),
    (2, "e3"),
    (1, "e3"),
    (1, "d3"),
    (2, "d3"),
    (2, "d5"),
    (1, "d5"),
    (1, "c5"),
    (2, "c5"),
    (2, "c6"),
    (1, "b6"),
    (2, "b7"),
    (1, "b7"),
    (1, "a7"),
    (2, "e2"),
    (1, "d2"),
    (2, "e1"),
    (1, "e1"),
    (1, "d1"),
];

/// A table of Dark Hex, with the game as its referee knows it.
struct Dark<'a> {
    table: Table<'a>,
    game: Game,
}

impl Dark<'_> {
    /// Tries a cell, and waits until everybody has been told; then everybody is searched.
    async fn attempt(&mut self, seat: usize, cell: &str) {
        self.tries(seat, cell).await;
        self.search().await;
    }

    /// Tries a cell, and waits until everybody has been told.
    async fn tries(&mut self, seat: usize, cell: &str) {
        let mover = self.table.players[seat - 1];
        mover.sees("one('turn').hasAttribute('data-mine')").await;
        mover.clicks(&format!("cell-{cell}")).await;
        let at = Move::Place(cell.parse().unwrap());
        self.game.play(Seat::BOTH[seat - 1], at).unwrap();
        let collided = self.game.plies().last().unwrap().collided;
        let told = format!(
            "text('attempts-1') === '{}' && text('attempts-2') === '{}'",
            self.tally(Seat::One),
            self.tally(Seat::Two)
        );
        self.table.all_see(&told).await;
        if collided {
            self.all_are_told_of_the_collision(seat, cell).await;
        }
    }

    fn tally(&self, seat: Seat) -> String {
        let own = || self.game.plies().iter().filter(|ply| ply.seat == seat);
        let (collisions, all) = (own().filter(|ply| ply.collided).count(), own().count());
        // No line breaks between a number and what it counts.
        let count = |n, word| format!("{n}\u{a0}{word}{}", if n == 1 { "" } else { "s" });
        format!("{} · {}", count(all - collisions, "stone"), count(collisions, "collision"))
    }

    async fn all_are_told_of_the_collision(&self, seat: usize, cell: &str) {
        let passes = self.game.to_move() != Some(Seat::BOTH[seat - 1]);
        let then = if passes { "the turn passes" } else { "move again" };
        let [mover, other] =
            if seat == 1 { [0, 1] } else { [1, 0] }.map(|it| self.table.players[it]);
        mover
            .sees(&format!("text('dark-text') === 'A hidden stone stands at {cell}: {then}.'"))
            .await;
        let marked = format!("one('cell-{cell}').matches('[data-found][data-ran]')");
        mover.sees(&marked).await;
        other
            .sees("text('dark-text').startsWith('Your opponent ran into one of your stones')")
            .await;
        other.sees("!document.querySelector('[data-ran]')").await;
        let color = if seat == 1 { "Red" } else { "Blue" };
        for watcher in self.table.watchers {
            watcher
                .sees(&format!("text('dark-text').startsWith('{color} ran into a hidden stone')"))
                .await;
        }
        for person in self.table.everybody() {
            let announced = "text('announcer').includes(text('dark-text'))";
            person.sees(announced).await;
        }
    }

    /// Fails if a spectator's browser holds anything that is hidden from them.
    async fn search_one(&self, watcher: &Person) {
        assert_holds_nothing_hidden(watcher, &self.game, None).await;
    }

    /// Fails if anybody's browser holds anything that is hidden from them.
    async fn search(&self) {
        let [one, two] = self.table.players;
        assert_holds_nothing_hidden(one, &self.game, Some(Seat::One)).await;
        assert_holds_nothing_hidden(two, &self.game, Some(Seat::Two)).await;
        for watcher in self.table.watchers {
            self.search_one(watcher).await;
        }
    }
}

/// Anna opens a table of Dark Hex of that size, Bert joins it, and Cleo watches.
async fn sit_down<'a>(
    people: [&'a Person; 2],
    watchers: &'a [Person],
    hall: &Hall,
    collision: Collision,
) -> Dark<'a> {
    let script = json!({ "source": KEPT_FRAMES });
    for person in people.into_iter().chain(watchers) {
        person.devtools("Page.addScriptToEvaluateOnNewDocument", script.clone()).await;
        person.go(&hall.url("/")).await;
    }
    let [anna, bert] = people;
    anna.picks("preset", "dark").await;
    anna.chooses("size", "7 ×").await;
    if collision == Collision::Abrupt {
        anna.chooses("collision", "The turn passes").await;
    }
    anna.pictures("dark-0-form").await;
    anna.clicks("open-table").await;
    anna.sees("text('dark-text').startsWith('You see your own stones')").await;
    for watcher in watchers {
        watcher.sees("text('listing')?.includes('Dark Hex')").await;
        watcher.pictures("dark-0-list").await;
        watcher.clicks("watch").await;
    }
    bert.clicks("join").await;
    let table = Table { players: people, watchers };
    table.all_see("one('status').dataset.phase === 'playing'").await;
    let size = Size::new(7, 7).unwrap();
    Dark { table, game: Game::new(Rules::dark(size, collision), Vec::new()) }
}

#[tokio::test]
async fn a_whole_game_of_dark_hex_is_played_and_watched_and_nobody_holds_what_is_hidden() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert, cleo) =
        three(&driver, &hall.url("/"), [Screen::Desk, Screen::Small, Screen::Desk]).await;
    let watchers = [cleo];
    let mut dark = sit_down([&anna, &bert], &watchers, &hall, Collision::Classical).await;
    let [cleo] = &watchers;
    dark.table.all_see("text('game') === 'Dark Hex (classical)'").await;
    dark.table.all_see("document.title.includes('Dark Hex (classical)')").await;
    cleo.sees("text('veil') === 'Spectators see no stones until a chain decides the game.'").await;
    anna.sees("!seen('veil') && seen('legend')").await;

    for (seat, cell) in &ATTEMPTS[..10] {
        dark.attempt(*seat, cell).await;
    }
    dark.table.pictures("dark-1-collision").await;
    cleo.pictures("dark-1-collision").await;
    // The stone comes into sight, unless its viewer would rather have nothing move.
    let moving = "getComputedStyle(document.querySelector('[data-ran] .stone')).animationName";
    assert_eq!(bert.reads(moving).await, "none");
    let any =
        json!({ "features": [{ "name": "prefers-reduced-motion", "value": "no-preference" }] });
    bert.devtools("Emulation.setEmulatedMedia", any).await;
    assert_eq!(bert.reads(moving).await, "emerge");
    bert.in_the(false).await;
    // A stone that was found is known to be taken: nothing is asked, and the turn stays.
    bert.clicks("cell-c5").await;
    bert.sees("one('turn').hasAttribute('data-mine') && stone('c5') === 'red'").await;

    // Anna's screen says that she was hit, and whoever looks away and comes back sees the same.
    for person in dark.table.everybody() {
        let before = person.reads(SHOWN).await;
        person.reload().await;
        person
            .sees("seen('board') && text('attempts-1') === '3\u{a0}stones · 2\u{a0}collisions'")
            .await;
        assert_eq!(person.reads(SHOWN).await, before);
    }
    dark.search().await;
    for (seat, cell) in &ATTEMPTS[10..19] {
        dark.attempt(*seat, cell).await;
    }
    for person in dark.table.everybody() {
        let widths = "document.documentElement.scrollWidth - innerWidth";
        assert_eq!(person.reads(widths).await, 0, "the page is wider than the screen");
    }
    // The list of moves leads back to what was known then.
    anna.clicks("ply-first").await;
    anna.sees("stones() === 0").await;
    anna.clicks("ply-live").await;
    dark.table.pictures("dark-2-before-the-end").await;

    let (seat, cell) = ATTEMPTS[19];
    dark.tries(seat, cell).await;
    assert!(matches!(dark.game.outcome(), Some(Outcome::Won { winner: Seat::One, .. })));
    dark.table.all_see("one('result').dataset.winner === '1' && stones() === 13").await;
    dark.table.all_see("text('dark-text').includes('uncovers the board') && !seen('veil')").await;
    dark.table.all_see("document.querySelectorAll('[data-path]').length === 7").await;
    anna.sees("document.querySelectorAll('[data-bare]').length === 2").await;
    cleo.sees("document.querySelectorAll('[data-bare]').length === 13").await;
    dark.table.pictures("dark-3-end").await;
    cleo.pictures("dark-3-end").await;

    cleo.clicks("replay").await;
    cleo.sees("seen('eyes') && text('players') === 'Anna (red) – Bert (blue)'").await;
    cleo.sees("stones() === 13 && text('ply') === '20 moves'").await;
    cleo.pictures("dark-4-replay").await;
    cleo.presses([fantoccini::key::Key::Home]).await;
    cleo.sees("stones() === 0 && text('caption') === 'Before the first move.'").await;
    cleo.presses([fantoccini::key::Key::Right, fantoccini::key::Key::Right]).await;
    cleo.sees("text('caption') === 'Move 2: blue ran into a hidden stone at d4.'").await;
    cleo.clicks("eyes-2").await;
    cleo.sees("stones() === 1 && one('cell-d4').hasAttribute('data-found')").await;
    cleo.presses([fantoccini::key::Key::Tab]).await;
    cleo.clicks("ply-live").await;
    cleo.sees("stones() === 9 && location.search === '?as=2'").await;
    cleo.pictures("dark-4-replay-as-blue").await;
    // What is seen can be sent: the address leads to the same position.
    cleo.clicks("ply-back").await;
    cleo.sees("location.search === '?as=2&ply=19'").await;
    let before = cleo.reads("[text('caption'), stones()]").await;
    cleo.reload().await;
    cleo.sees("seen('board') && one('eyes-2').checked").await;
    assert_eq!(cleo.reads("[text('caption'), stones()]").await, before);
    let answers = "Promise.all([...document.querySelectorAll('[data-testid=records] a')]
        .map((record) => fetch(record.href).then(({ status }) => status)))";
    assert_eq!(cleo.awaits(answers).await, json!(vec![200; 6]));
    bert.clicks("replay").await;
    bert.sees("seen('eyes')").await;
    bert.pictures("dark-4-replay").await;
    assert_eq!(bert.reads("document.documentElement.scrollWidth - innerWidth").await, 0);
    dark.table.complain_of(&[]).await;
}

/// Writes the README's picture anew: `cargo test --test behaviour picture -- --ignored`.
#[tokio::test]
#[ignore = "writes docs/dark-hex.png"]
async fn the_picture_of_dark_hex_in_the_readme() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let ada = Person::arrive(&driver, "Ada", Screen::Picture, &lobby).await;
    let grace = Person::arrive(&driver, "Grace", Screen::Desk, &lobby).await;
    let mut dark = sit_down([&ada, &grace], &[], &hall, Collision::Classical).await;
    for (seat, cell) in &ATTEMPTS[..19] {
        dark.attempt(*seat, cell).await;
    }
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    ada.picture(docs.join("dark-hex.png")).await;
}

#[tokio::test]
async fn a_resignation_leaves_the_board_hidden_and_names_the_replay_which_shows_it() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert, cleo) =
        three(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone, Screen::Phone]).await;
    let watchers = [cleo];
    let mut dark = sit_down([&anna, &bert], &watchers, &hall, Collision::Abrupt).await;
    let [cleo] = &watchers;
    dark.table.all_see("text('game') === 'Dark Hex (abrupt)'").await;
    for (seat, cell) in [(1, "d4"), (2, "d4"), (1, "c5"), (2, "e4"), (1, "e4"), (2, "d3")] {
        dark.attempt(seat, cell).await;
    }
    cleo.pictures("dark-5-abrupt").await;

    // While it runs, its replay is not there, and no word of it.
    let table = cleo.url().await;
    let link = "fetch(`/v1/tables/${location.pathname.split('/')[2]}`)
        .then((answer) => answer.json()).then((view) => `/game/${view.game.id}`)";
    let replay = hall.url(cleo.awaits(link).await.as_str().unwrap());
    cleo.go(&replay).await;
    cleo.sees("text('gone').includes('This game still runs') && seen('again')").await;
    cleo.pictures("dark-5-runs").await;
    dark.search_one(cleo).await;
    cleo.go(&table).await;
    cleo.sees("seen('veil')").await;

    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    dark.table.all_see("one('result').dataset.winner === '1'").await;
    dark.table
        .all_see("one('dark').dataset.kind === 'kept' && seen('replay') && seen('dark-replay')")
        .await;
    cleo.sees("text('veil') === 'The board stays hidden here.' && stones() === 0").await;
    dark.search().await;
    dark.table.pictures("dark-6-kept").await;
    cleo.pictures("dark-6-kept").await;
    cleo.clicks("dark-replay").await;
    cleo.sees("stones() === 4 && text('result') === 'Anna won: Bert resigned.'").await;
    cleo.go(&hall.url("/game/gam_00000000000000000000000000")).await;
    cleo.sees("text('gone').includes('No such game') && !seen('again')").await;
    dark.table.complain_of(&["409", "404"]).await;
}

#[tokio::test]
async fn a_game_of_hex_is_replayed_while_it_runs_and_afterwards() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.chooses("size", "7 ×").await;
    let table = super::sit_down(&anna, &bert).await;
    let moves: Vec<String> = ["a1", "swap", "d4", "c5"].map(str::to_owned).into();
    table.play(&moves, 0).await;
    let link = "fetch(`/v1/tables/${location.pathname.split('/')[2]}`)
        .then((answer) => answer.json()).then((view) => `/game/${view.game.id}`)";
    let replay = hall.url(anna.awaits(link).await.as_str().unwrap());
    let tab = anna.open_tab().await;
    anna.go(&replay).await;
    anna.sees("seen('running') && stones() === 3 && !seen('eyes') && !seen('result')").await;
    anna.sees("text('players') === 'Anna (blue) – Bert (red)'").await;
    anna.pictures("dark-7-replay-of-hex").await;
    anna.look_at(tab).await;
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    bert.sees("seen('replay') && !seen('dark')").await;
    bert.clicks("replay").await;
    bert.sees("text('result') === 'Anna won: Bert resigned.' && !seen('running')").await;
    bert.clicks("ply-back").await;
    bert.sees("stones() === 2 && text('caption') === 'Move 3: blue d4.'").await;
    table.complain_of(&[]).await;
}
