//! The page as people use it: headless Chromium against the real server.
//!
//! Each person has a browser with a profile of their own. Pictures of the pages are kept in
//! tests/output/browser/.

mod chat;
mod comfort;
mod computer;
mod dark;
mod device;
mod driver;
mod gathering;
mod hall;
mod hidden;
mod identity;
mod manners;
mod matching;
mod notices;
mod openform;
mod operator;
mod person;
mod plans;
mod ratings;
mod reports;
mod table;

use std::path::Path;

use driver::Driver;
use fantoccini::key::Key;
use hall::Hall;
use person::{Person, Screen};
use serde_json::json;
use table::{Table, played};

#[tokio::test]
async fn three_people_see_one_game_through_a_reload_a_killed_server_and_a_rematch() {
    let game = played("hexwiki-win-example");
    let mut hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert, cleo) =
        three(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone, Screen::Desk]).await;

    anna.chooses("size", "7 ×").await;
    anna.pictures("0-form").await;
    anna.clicks("open-table").await;
    let link = anna.copies_the_link().await;
    cleo.sees("seen('listing')").await;
    cleo.pictures("0-list").await;
    bert.pictures("0-list").await;
    cleo.clicks("watch").await;
    bert.go(&link).await;
    bert.clicks("join").await;

    let watchers = [cleo];
    let table = Table { players: [&anna, &bert], watchers: &watchers };
    let [cleo] = &watchers;
    table.all_see("text('player-1') === 'Anna' && text('player-2') === 'Bert'").await;
    table.all_see("one('status').dataset.phase === 'playing'").await;
    anna.sees("one('viewer').dataset.viewer === 'seat_1'").await;
    bert.sees("one('viewer').dataset.viewer === 'seat_2'").await;
    cleo.sees("one('viewer').dataset.viewer === 'spectator' && !seen('twice')").await;
    table.all_see("text('watchers') === '1 watching'").await;
    table.pictures("1-start").await;

    // Both clocks run, one after the other, on every screen.
    for (seat, cell) in [(1, &game.moves[0]), (2, &game.moves[1])] {
        for person in table.everybody() {
            let before = person.reads(&format!("text('clock-{seat}')")).await;
            let changed = format!("text('clock-{seat}') !== {before}");
            person
                .sees(&format!("one('clock-{seat}').hasAttribute('data-running') && {changed}"))
                .await;
        }
        table.play(std::slice::from_ref(cell), seat - 1).await;
    }

    table.play(&game.moves[2..12], 2).await;
    table.all_see("stones() === 12").await;
    table.pictures("2-middle").await;

    bert.reload().await;
    bert.sees("one('viewer').dataset.viewer === 'seat_2' && stones() === 12").await;
    table.play(&game.moves[12..18], 12).await;
    table.all_see("stones() === 18").await;
    table.complain_of(&[]).await;

    anna.reads("window.loadedOnce = true").await;
    hall.kill();
    table.all_see("seen('connection-banner')").await;
    table.pictures("3-away").await;
    hall.reopen();
    table.all_see("text('connection') === 'online' && !seen('connection-banner')").await;
    table.all_see("stones() === 18 && one('status').dataset.phase === 'playing'").await;
    table.pictures("3-restarted").await;
    table.complain_of(&["ERR_CONNECTION_REFUSED", "WebSocket connection to"]).await;

    table.play(&game.moves[18..], 18).await;
    assert_eq!(anna.reads("window.loadedOnce").await, true, "the page was loaded anew");
    table
        .all_see("one('result').dataset.winner === '1' && one('result').dataset.color === 'red'")
        .await;
    anna.sees("text('result') === 'You won by joining the edges.'").await;
    bert.sees("text('result') === 'Anna won by joining the edges.'").await;
    let mut path = game.winning_path.clone();
    path.sort();
    for person in table.everybody() {
        let shown = "[...document.querySelectorAll('[data-path]')]
            .map((cell) => cell.dataset.testid.slice('cell-'.length)).sort()";
        assert_eq!(person.reads(shown).await, json!(path));
    }
    table.all_see("text('score-1') === '1' && text('score-2') === '0'").await;
    assert_eq!(cleo.awaits(RECORDS).await, json!([200, 200, 200, 200, 200, 200]));
    table.pictures("4-end").await;
    cleo.pictures("4-end").await;

    anna.clicks("rematch").await;
    bert.sees("seen('offer-rematch')").await;
    bert.pictures("5-offer").await;
    bert.clicks("accept").await;
    table.all_see("text('player-1') === 'Bert' && text('player-2') === 'Anna'").await;
    table.all_see("stones() === 0 && one('status').dataset.phase === 'playing'").await;
    table.all_see("text('score-1') === '0' && text('score-2') === '1'").await;
    bert.sees("one('viewer').dataset.viewer === 'seat_1'").await;
    anna.sees("one('viewer').dataset.viewer === 'seat_2'").await;
    bert.clicks("cell-d4").await;
    table.all_see("stone('d4') === 'red'").await;
    table.pictures("5-rematch").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn a_swap_is_played_by_its_button_and_a_resignation_ends_the_game() {
    let game = played("little-golem-1401976");
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.chooses("size", "13 ×").await;
    anna.chooses("swap", "Swap pieces").await;
    let table = sit_down(&anna, &bert).await;
    table.play(&game.moves[..2], 0).await;
    table.all_see("stone('a6') === '' && stone('f1') === 'blue' && stones() === 1").await;
    table.all_see("text('moves').includes('swap pieces')").await;
    table.play(&game.moves[2..16], 2).await;
    table.all_see("stones() === 15").await;
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    anna.sees("text('result') === 'Bert won: you resigned.'").await;
    bert.sees("text('result') === 'You won: Anna resigned.'").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn a_table_is_opened_joined_and_played_at_by_the_keyboard_alone() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.tabs_to("open-table").await;
    anna.presses([Key::Enter]).await;
    bert.tabs_to("join").await;
    bert.presses([Key::Enter]).await;

    // The cursor begins in the middle, and later at the last stone.
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    anna.tabs_to("board").await;
    anna.presses([Key::Down, Key::Enter]).await;
    bert.sees("stone('f6') === 'red' && one('turn').hasAttribute('data-mine')").await;
    bert.tabs_to("board").await;
    bert.presses([Key::Right, Key::Up, Key::Enter]).await;
    anna.sees("stone('g5') === 'blue' && one('turn').hasAttribute('data-mine')").await;
    anna.presses([Key::Left, Key::Enter]).await;
    bert.sees("stone('e6') === 'red' && stones() === 3").await;
    anna.pictures("6-keyboard").await;
    Table { players: [&anna, &bert], watchers: &[] }.complain_of(&[]).await;
}

#[tokio::test]
async fn a_name_that_was_typed_and_not_saved_goes_along_to_the_table() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.types("name", " A.").await;
    anna.clicks("open-table").await;
    anna.sees("text('player-1') === 'Anna A.'").await;
    bert.types("name", " B.").await;
    bert.clicks("join").await;
    let table = Table { players: [&anna, &bert], watchers: &[] };
    table.all_see("text('player-1') === 'Anna A.' && text('player-2') === 'Bert B.'").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn whoever_goes_to_another_page_is_gone_until_they_come_back() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let table = sit_down(&anna, &bert).await;
    table.all_see("text('presence-2') === 'here'").await;
    bert.goes_away().await;
    anna.sees("text('presence-2') !== 'here'").await;
    bert.comes_back().await;
    table.all_see("text('presence-2') === 'here'").await;
}

#[tokio::test]
async fn a_private_table_is_not_listed_and_opens_by_its_link_alone() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.picks("visibility", "private").await;
    anna.clicks("open-table").await;
    let link = anna.copies_the_link().await;
    let (without_invitation, _) = link.split_once("?invitation=").unwrap();
    let private = without_invitation.rsplit('/').next().unwrap();

    // What was opened later is listed, so the private table would be there by now.
    anna.go(&hall.url("/")).await;
    anna.picks("visibility", "public").await;
    anna.clicks("open-table").await;
    bert.sees("seen('listing')").await;
    let listed = "[...document.querySelectorAll('[data-table]')].map((row) => row.dataset.table)";
    let listed = bert.reads(listed).await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_ne!(listed[0], private);

    bert.go(without_invitation).await;
    bert.sees("text('gone').includes('private')").await;
    bert.pictures("7-private").await;
    bert.go(&link).await;
    bert.clicks("join").await;
    bert.sees("one('viewer').dataset.viewer === 'seat_2'").await;

    anna.go(&hall.url("/")).await;
    anna.pictures("7-return").await;
    anna.clicks("return-private").await;
    anna.sees("one('status').dataset.phase === 'playing' && text('player-2') === 'Bert'").await;
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    bert.sees("seen('records')").await;
    assert_eq!(bert.awaits(RECORDS).await, json!([200, 200, 200, 200, 200, 200]));
    Table { players: [&anna, &bert], watchers: &[] }.complain_of(&[]).await;
}

/// What the lines of a person's chat say, one after another.
const LINES: &str = "[...document.querySelectorAll('[data-testid=line] .text')].map((it) => it.textContent).join(' | ')";

/// How much wider a page is than its screen.
const OVERHANG: &str =
    "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/// Says something in the chat, which is open.
async fn says(person: &Person, line: &str) {
    person.types("say", line).await;
    person.presses([Key::Enter]).await;
    person.sees(&format!("one('say').value === '' && {LINES}.endsWith('{line}')")).await;
}

/// How the server answers each link to the replay and the records of the game that has ended.
const RECORDS: &str = "Promise.all([...one('records').querySelectorAll('a')]
    .map((record) => fetch(record.href).then(({ status }) => status)))";

/// Has a page hear nothing but answers while `deaf` is set: what a page knows that has lost touch.
const HARD_OF_HEARING: &str = "
    const Socket = WebSocket;
    window.WebSocket = class extends Socket {
        set onmessage(heard) {
            super.onmessage = (event) => {
                if (!window.deaf || 're' in JSON.parse(event.data)) heard(event);
            };
        }
    };
";

#[tokio::test]
async fn a_move_from_a_page_that_is_behind_is_refused_with_a_toast_and_the_page_catches_up() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let table = sit_down(&anna, &bert).await;

    let address = anna.url().await;
    let first = anna.open_tab().await;
    let script = json!({ "source": HARD_OF_HEARING });
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    anna.go(&address).await;
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    anna.reads("window.deaf = true").await;
    let behind = anna.look_at(first).await;
    table.play(&["d4".to_owned()], 0).await;

    let first = anna.look_at(behind).await;
    assert_eq!(anna.reads("stones()").await, 0, "the page heard of the move");
    anna.clicks("cell-e5").await;
    anna.sees("text('toast')?.includes('The game had moved on.')").await;
    anna.sees("stone('d4') === 'red' && stone('e5') === '' && stones() === 1").await;
    anna.pictures("8-behind").await;
    anna.look_at(first).await;
    bert.sees("stones() === 1").await;
    table.complain_of(&[]).await;
}

/// Writes the README's picture anew: `cargo test --test behaviour picture -- --ignored`.
#[tokio::test]
#[ignore = "writes docs/screenshot.png"]
async fn the_picture_of_the_readme() {
    let game = played("olympiad-2008-wolve-mohex");
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let ada = Person::arrive(&driver, "Ada", Screen::Picture, &lobby).await;
    let grace = Person::arrive(&driver, "Grace", Screen::Picture, &lobby).await;
    let table = sit_down(&ada, &grace).await;
    table.play(&game.moves[..38], 0).await;
    table.all_see("stones() === 37 && !document.querySelector('[data-pending]')").await;
    // A toast about the swap is not worth a picture.
    ada.reload().await;
    ada.sees("one('turn').hasAttribute('data-mine') && stones() === 37").await;
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::create_dir_all(&docs).unwrap();
    ada.picture(docs.join("screenshot.png")).await;
}

/// Anna and Bert in the lobby, each at their screen.
async fn two(driver: &Driver, lobby: &str, [annas, berts]: [Screen; 2]) -> (Person, Person) {
    tokio::join!(
        Person::arrive(driver, "Anna", annas, lobby),
        Person::arrive(driver, "Bert", berts, lobby),
    )
}

/// The same two, and Cleo.
async fn three(
    driver: &Driver,
    lobby: &str,
    [annas, berts, cleos]: [Screen; 3],
) -> (Person, Person, Person) {
    let pair = two(driver, lobby, [annas, berts]);
    let ((anna, bert), cleo) = tokio::join!(pair, Person::arrive(driver, "Cleo", cleos, lobby));
    (anna, bert, cleo)
}

/// Has the one open the table that the form describes, and the other join it from the list.
async fn sit_down<'a>(first: &'a Person, second: &'a Person) -> Table<'a> {
    first.clicks("open-table").await;
    second.clicks("join").await;
    let table = Table { players: [first, second], watchers: &[] };
    table.all_see("one('status').dataset.phase === 'playing'").await;
    table
}
