//! The computer at the page: a game against it from the first press to the next level, and a seat
//! that it plays for somebody who has gone, until they are back.

use serde_json::json;

use super::driver::Driver;
use super::hall::Hall;
use super::person::{Person, Screen};
use super::table::Table;
use super::three;
use crate::harness;

/// Chooses a custom board of that size, without swap, and the computer's weakest level.
async fn asks_for_a_small_board(person: &Person, side: &str) {
    person.picks("preset", "custom").await;
    for name in ["rows", "cols"] {
        person.fills(name, side).await;
    }
    person.chooses("swap", "No swap").await;
    person.chooses("level", "1 ").await;
}

/// Plays on whatever is free, from the first cell, until the game is over.
async fn plays_to_the_end(person: &Person) {
    loop {
        person.sees("one('turn').hasAttribute('data-mine') || seen('rematch')").await;
        if person.reads("seen('rematch')").await == json!(true) {
            return;
        }
        let before = person.reads("one('ply').textContent").await;
        let free = person.reads("document.querySelector('[data-stone=\"\"]').dataset.testid").await;
        person.clicks(free.as_str().unwrap()).await;
        person.sees(&format!("text('ply') !== {before}")).await;
    }
}

#[tokio::test]
async fn one_press_begins_a_game_with_the_computer_which_is_played_to_its_end_and_once_more() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, cleo) = tokio::join!(
        Person::arrive(&driver, "Anna", Screen::Small, &lobby),
        Person::arrive(&driver, "Cleo", Screen::Desk, &lobby),
    );
    asks_for_a_small_board(&anna, "3").await;
    anna.pictures("cpu-0-form").await;
    anna.clicks("play-cpu").await;
    anna.sees("text('player-1') === 'Anna' && text('player-2') === 'CPU level 1'").await;
    anna.sees("one('seat-2').dataset.cpu === 'house' && one('turn').hasAttribute('data-mine')")
        .await;
    cleo.sees("one('listing').dataset.cpu === '1' && text('listing').includes('computer')").await;
    cleo.sees("!seen('join')").await;
    cleo.pictures("cpu-0-list").await;
    cleo.clicks("watch").await;
    cleo.sees("one('seat-2').dataset.cpu === 'house' && !seen('hint')").await;

    // The first move, the computer's answer, and both taken back at once.
    anna.clicks("cell-b2").await;
    anna.sees("one('turn').hasAttribute('data-mine') && stones() === 2").await;
    for person in [&anna, &cleo] {
        person.sees("seen('cpu-legend')").await;
        person
            .sees(
                "one('moves').children[1].firstChild.ariaLabel.endsWith('played by the computer')",
            )
            .await;
        person.sees("!one('moves').children[0].hasAttribute('data-cpu')").await;
    }
    anna.clicks("takeback").await;
    anna.sees("stones() === 0 && one('turn').hasAttribute('data-mine')").await;
    cleo.sees("stones() === 0 && !seen('cpu-legend')").await;

    plays_to_the_end(&anna).await;
    let won = anna.reads("one('result').dataset.winner").await;
    assert!(won == json!("1") || won == json!("2"), "{won}");
    cleo.sees(&format!("one('result').dataset.winner === {won}")).await;
    anna.pictures("cpu-2-end").await;
    cleo.clicks("replay").await;
    cleo.sees("seen('cpu-legend') && text('players').includes('CPU level 1 (blue)')").await;
    cleo.clicks("ply-first").await;
    cleo.clicks("ply-on").await;
    cleo.clicks("ply-on").await;
    cleo.sees("text('caption').endsWith('played by the computer.')").await;
    cleo.pictures("cpu-2-replay").await;

    // The next game begins at once, and the computer, which now moves first, has moved.
    anna.clicks("rematch").await;
    anna.sees("text('player-1') === 'CPU level 1' && one('turn').hasAttribute('data-mine')").await;
    anna.sees("one('viewer').dataset.viewer === 'seat_2' && stones() === 1").await;
    plays_to_the_end(&anna).await;
    anna.types("next-level", "4 ").await;
    anna.clicks("change-level").await;
    anna.sees("text('player-2') === 'Anna' || text('player-1') === 'Anna'").await;
    anna.sees(
        "document.body.textContent.includes('CPU level 4') && text('options')?.startsWith('3×3')",
    )
    .await;
    anna.go(&lobby).await;
    anna.sees("document.querySelector('[name=level]').value === '4'").await;
    for person in [&anna, &cleo] {
        assert_eq!(person.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_hint_is_shown_on_the_board_in_words_and_by_a_key_until_the_move_is_made() {
    let hall = Hall::open();
    let driver = Driver::start();
    let anna = Person::arrive(&driver, "Anna", Screen::Desk, &hall.url("/")).await;
    for (dark, side) in [(false, "3"), (true, "4")] {
        anna.go(&hall.url("/")).await;
        asks_for_a_small_board(&anna, side).await;
        if dark {
            anna.chooses("game", "Dark Hex").await;
        }
        anna.clicks("play-cpu").await;
        anna.sees("one('turn').hasAttribute('data-mine') && seen('hint') && !seen('hint-text')")
            .await;
        if dark {
            anna.clicks("hint").await;
        } else {
            anna.presses(['h']).await;
        }
        anna.sees("text('hint-text').startsWith('Hint: the computer would play')").await;
        anna.sees("text('announcer') === text('hint-text')").await;
        anna.sees("one('hint').ariaDisabled === 'true'").await;
        let marked = "[...document.querySelectorAll('[data-hint]')]
            .map((cell) => [cell.dataset.testid, cell.ariaLabel])";
        let marked = anna.reads(marked).await;
        let [cell] = marked.as_array().unwrap().as_slice() else { panic!("{marked}") };
        let name = cell[0].as_str().unwrap();
        assert!(cell[1].as_str().unwrap().ends_with("suggested by the computer"), "{cell}");
        let told = name.trim_start_matches("cell-");
        anna.sees(&format!("text('hint-text').includes(' {told} ')")).await;
        anna.pictures(if dark { "cpu-1-hint-dark" } else { "cpu-1-hint" }).await;
        anna.clicks(name).await;
        anna.sees("!document.querySelector('[data-hint]') && !seen('hint-text')").await;
        anna.sees("one('turn').hasAttribute('data-mine') && one('hint').ariaDisabled === null")
            .await;
        anna.clicks("resign").await;
        anna.clicks("confirm-yes").await;
        anna.sees("seen('rematch') && !seen('hint')").await;
    }
    assert_eq!(anna.complaints().await, Vec::<String>::new());
}

#[tokio::test]
async fn a_game_with_the_computer_that_is_left_waits_at_the_top_of_the_lists_or_is_ended() {
    let hall = Hall::open();
    let driver = Driver::start();
    let anna = Person::arrive(&driver, "Anna", Screen::Phone, &hall.url("/")).await;
    asks_for_a_small_board(&anna, "3").await;
    anna.clicks("play-cpu").await;
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    anna.clicks("leave").await;
    anna.clicks("confirm-later").await;
    anna.sees("seen('own-tables') && one('own-tables').contains(one('return'))").await;
    anna.clicks("return").await;
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    anna.clicks("leave").await;
    anna.clicks("confirm-yes").await;
    anna.sees("seen('no-tables') && !seen('own-tables')").await;
    assert_eq!(anna.complaints().await, Vec::<String>::new());
}

/// What the page tells in passing.
const TOASTS: &str = "[...document.querySelectorAll('[data-testid=toast] span')]
    .map(({ textContent }) => textContent).join('|')";

#[tokio::test]
async fn the_computer_plays_for_whoever_is_gone_and_the_seat_is_theirs_again_when_they_are_back() {
    let hall = harness::Hall::start(harness::Setup::by_hand()).await;
    let driver = Driver::start();
    let address = hall.address();
    let lobby = format!("{}/", address.http());
    let (anna, bert, cleo) =
        three(&driver, &lobby, [Screen::Desk, Screen::Phone, Screen::Small]).await;
    asks_for_a_small_board(&anna, "5").await;
    anna.clicks("open-table").await;
    anna.sees("seen('viewer') && location.pathname.startsWith('/t/')").await;
    let link = anna.url().await;
    cleo.clicks("watch").await;
    bert.clicks("join").await;
    let watchers = [cleo];
    let table = Table { players: [&anna, &bert], watchers: &watchers };
    let [cleo] = &watchers;
    table.all_see("one('status').dataset.phase === 'playing'").await;
    table.play(&["c3".to_owned(), "c2".to_owned(), "d2".to_owned()], 0).await;

    bert.goes_away().await;
    for person in [&anna, cleo] {
        person.sees("text('away') === 'Bert is away. The computer plays on in 30 s.'").await;
        person.sees("!seen('claim') && !one('seat-2').dataset.cpu").await;
    }
    anna.pictures("cpu-3-away").await;
    hall.advance(30_000);
    for person in [&anna, cleo] {
        person.sees("text('stand-in') === 'The computer plays for Bert until Bert is back.'").await;
        person.sees("one('seat-2').dataset.cpu === 'stand-in' && !seen('away')").await;
        person.sees("stones() === 4 && one('moves').children[3].hasAttribute('data-cpu')").await;
    }
    anna.sees("one('turn').hasAttribute('data-mine') && !seen('claim') && !seen('takeback')").await;
    anna.clicks("cell-b5").await;
    anna.sees("stones() === 6 && one('turn').hasAttribute('data-mine')").await;
    cleo.sees("stones() === 6").await;
    anna.pictures("cpu-3-stand-in").await;
    cleo.pictures("cpu-3-stand-in").await;
    // Whoever looks away and comes back sees the same of who plays.
    let shown = "[text('stand-in'), text('moves'), text('presence-2'), text('turn'),
        one('seat-2').dataset.cpu, one('seat-1').dataset.cpu ?? null]";
    let before = cleo.reads(shown).await;
    cleo.reload().await;
    cleo.sees("seen('stand-in')").await;
    assert_eq!(cleo.reads(shown).await, before);

    // What is told in passing is gone after some seconds: everybody looks out for it.
    let own = format!("{TOASTS}.includes('You have your seat back from the computer.')");
    let others = format!("{TOASTS}.includes('Bert is back, and has the seat again.')");
    let returns = async {
        bert.go(&link).await;
        bert.sees(&own).await;
    };
    tokio::join!(returns, anna.sees(&others), cleo.sees(&others));
    bert.sees("one('viewer').dataset.viewer === 'seat_2' && !seen('stand-in')").await;
    bert.sees("stones() === 6 && seen('cpu-legend')").await;
    for person in [&anna, cleo] {
        person.sees("!seen('stand-in') && !one('seat-2').dataset.cpu").await;
    }
    bert.pictures("cpu-3-back").await;
    anna.clicks("cell-a5").await;
    bert.sees("one('turn').hasAttribute('data-mine') && stones() === 7").await;
    let free = bert.reads("document.querySelector('[data-stone=\"\"]').dataset.testid").await;
    bert.clicks(free.as_str().unwrap()).await;
    table.all_see("stones() === 8 && !one('moves').children[7].hasAttribute('data-cpu')").await;
    table.complain_of(&[]).await;
}
