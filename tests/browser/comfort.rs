//! What makes a page easy to be at: being called back to it, what is heard, the keyboard, and where one
//! seeks while one looks elsewhere.

use super::*;

/// Has the page believe that nobody looks at it while `away` is set, and keeps the tones that it plays.
const ELSEWHERE: &str = "
    Object.defineProperty(Document.prototype, 'hidden', { get: () => !!window.away });
    window.tones = [];
    const nothing = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
        currentTime = 0;
        createGain() { return { gain: nothing, connect: () => ({}) }; }
        createOscillator() {
            const frequency = { ...nothing, setValueAtTime: (tone) => window.tones.push(tone) };
            return { frequency, connect: (it) => it, start() {}, stop() {} };
        }
    };
";

/// Has somebody look elsewhere, or back.
async fn looks(person: &Person, away: bool) {
    let event = "document.dispatchEvent(new Event('visibilitychange'))";
    person.reads(&format!("(window.away = {away}, {event}, true)")).await;
}

#[tokio::test]
async fn whoever_looks_elsewhere_is_called_and_hears_the_game_begin_and_end() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Picture, Screen::Small]).await;
    for person in [&anna, &bert] {
        let source = json!({ "source": ELSEWHERE });
        person.devtools("Page.addScriptToEvaluateOnNewDocument", source).await;
        person.reload().await;
    }
    // The switch is where one looks for it, and the one at the table says the same.
    bert.clicks("account").await;
    bert.clicks("sounds").await;
    bert.reads("(one('sounds').scrollIntoView(), true)").await;
    bert.pictures("24-sounds").await;
    bert.clicks("account-close").await;
    let table = sit_down(&anna, &bert).await;
    bert.sees("text('sound') === 'Sound: on'").await;
    anna.sees("text('sound') === 'Sound: off'").await;

    looks(&bert, true).await;
    bert.sees("document.title === '● Your game has begun!'").await;
    table.play(&["d4".to_owned()], 0).await;
    bert.sees("document.title === '● Your turn!' && tones.at(-1) === 520").await;
    looks(&bert, false).await;
    bert.sees("document.title.startsWith('Your turn · Hex')").await;
    assert_eq!(anna.reads("document.title.includes('●')").await, false);
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    bert.sees("seen('result') && tones.slice(-2).join() === '659,440'").await;
    bert.clicks("rematch").await;
    anna.clicks("accept").await;
    bert.sees("one('status').dataset.phase === 'playing' && tones.slice(-2).join() === '523,784'")
        .await;
    assert_eq!(anna.reads("tones").await, json!([]), "she has not switched it on");
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn whoever_seeks_and_looks_at_another_page_sees_how_long_and_is_taken_to_the_game() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Picture, Screen::Small]).await;
    for person in [&anna, &bert] {
        person.reads("(one('how').open = true, one('how').scrollIntoView(), true)").await;
        person.pictures("24-how").await;
        assert_eq!(person.reads(OVERHANG).await, 0, "the page is wider than the screen");
    }
    bert.clicks("pool-hex-11").await;
    bert.sees("text('reach')?.startsWith('looking within ±1')").await;
    assert_eq!(bert.reads("seen('seeking')").await, false, "the first page says it twice");
    bert.reads("(one('waiting-seek').scrollIntoView({ block: 'center' }), true)").await;
    bert.pictures("24-reach").await;
    bert.clicks("to-leaderboard").await;
    bert.sees("/^Seeking · 0:\\d\\d$/.test(text('seeking')) && seen('seeking')").await;
    // The keyboard goes on from the page that was gone to.
    assert_eq!(bert.reads("document.activeElement.tagName").await, "MAIN");
    bert.pictures("24-seeking").await;
    assert_eq!(bert.reads(OVERHANG).await, 0, "the page is wider than the screen");
    anna.clicks("pool-hex-11").await;
    let table = Table { players: [&anna, &bert], watchers: &[] };
    table.all_see("one('status').dataset.phase === 'playing' && !seen('seeking')").await;
    assert_eq!(anna.reads("seen('new-opponent')").await, false, "the game runs");

    // After the game, one press leads to the next opponent.
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    table.all_see("seen('new-opponent')").await;
    table.pictures("24-new-opponent").await;
    anna.reload().await;
    anna.sees("seen('new-opponent')").await;
    anna.clicks("new-opponent").await;
    anna.sees("seen('waiting-seek') && one('pool-hex-11').ariaPressed === 'true'").await;
    bert.sees("text('player-1') === 'free seat' || text('player-2') === 'free seat'").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn a_game_that_waits_for_ones_move_is_counted_on_every_other_page() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, bert) = two(&driver, &lobby, [Screen::Small, Screen::Picture]).await;
    let table = sit_down(&anna, &bert).await;
    let page = anna.url().await;
    // Here the turn is seen, and on the first page the game is listed.
    anna.reload().await;
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    assert_eq!(anna.reads("seen('elsewhere')").await, false);
    for person in [&anna, &bert] {
        person.go(&hall.url("/leaderboard")).await;
    }
    anna.sees("seen('elsewhere') && text('elsewhere') === '1'").await;
    anna.pictures("24-turns").await;
    assert_eq!(bert.reads("seen('elsewhere')").await, false, "it is not his turn");
    anna.clicks("elsewhere").await;
    anna.sees("seen('return') && !seen('elsewhere')").await;
    anna.clicks("return").await;
    bert.go(&page).await;
    table.play(&["d4".to_owned()], 0).await;
    bert.go(&hall.url("/leaderboard")).await;
    bert.sees("seen('elsewhere') && text('elsewhere') === '1'").await;
    bert.pictures("24-turns").await;
    table.complain_of(&[]).await;
}

/// Has the server answer nothing about new tables and players.
const SILENT: &str = "
    const ask = window.fetch;
    window.fetch = (path, ...asked) => (/presets|players/.test(path)
        ? new Promise(() => {})
        : ask(path, ...asked));
";

#[tokio::test]
async fn what_is_still_on_its_way_says_so() {
    let hall = Hall::open();
    let driver = Driver::start();
    let anna = Person::arrive(&driver, "Anna", Screen::Small, &hall.url("/")).await;
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": SILENT })).await;
    anna.reload().await;
    let says = |place: &str, words: &str| {
        format!(
            "getComputedStyle(document.querySelector('{place}'), '::before').content.includes('{words}')"
        )
    };
    anna.sees(&says("form[aria-busy]", "on their way")).await;
    anna.go(&hall.url("/player/plr_00000000000000000000000000")).await;
    anna.sees(&says("main", "One moment")).await;
}

#[tokio::test]
async fn a_stone_is_placed_by_a_second_press_where_one_has_asked_for_that() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Small, Screen::Picture]).await;
    let table = sit_down(&anna, &bert).await;
    anna.clicks("twice").await;
    anna.sees("text('twice') === 'Confirm moves: on'").await;
    anna.clicks("cell-d4").await;
    anna.sees("one('cell-d4').hasAttribute('data-aim') && stones() === 0").await;
    anna.pictures("24-aim").await;
    anna.clicks("cell-e5").await;
    anna.sees(
        "one('cell-e5').hasAttribute('data-aim') && !one('cell-d4').hasAttribute('data-aim')",
    )
    .await;
    assert_eq!(bert.reads("stones()").await, 0);
    anna.clicks("cell-e5").await;
    table.all_see("stone('e5') === 'red' && !document.querySelector('[data-aim]')").await;
    // Everybody has it their own way, and keeps it.
    bert.clicks("cell-d4").await;
    table.all_see("stone('d4') === 'blue'").await;
    anna.reload().await;
    anna.sees("seen('twice') && text('twice') === 'Confirm moves: on' && one('turn').hasAttribute('data-mine')").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn the_moves_of_a_game_are_stepped_through_by_the_arrow_keys_and_the_board_keeps_its_own() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let table = sit_down(&anna, &bert).await;
    table.play(&["d4", "e5", "f6"].map(str::to_owned), 0).await;
    table.all_see("stones() === 3").await;
    anna.reads("(document.activeElement.blur(), true)").await;
    anna.presses([Key::Left, Key::Left]).await;
    anna.sees("text('ply') === '1 of 3' && stones() === 1").await;
    anna.presses([Key::Right]).await;
    anna.sees("text('ply') === '2 of 3' && stones() === 2").await;
    anna.presses([Key::Right]).await;
    anna.sees("text('ply') === '3 moves' && stones() === 3").await;
    anna.reads("(one('board').focus(), true)").await;
    anna.presses([Key::Left]).await;
    anna.sees("document.querySelector('[data-cursor]')?.dataset.testid === 'cell-e6'").await;
    assert_eq!(anna.reads("text('ply')").await, "3 moves", "the board's arrow stepped back");
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn the_board_stays_where_it_is_when_the_swap_comes() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let table = sit_down(&anna, &bert).await;
    bert.sees("seen('board') && !seen('swap')").await;
    let top = "Math.round(one('board').getBoundingClientRect().top + scrollY)";
    let before = bert.reads(top).await;
    anna.clicks("cell-a1").await;
    bert.sees("seen('swap')").await;
    assert_eq!(bert.reads(top).await, before, "the swap moves the board");
    table.pictures("24-swap").await;
    table.complain_of(&[]).await;
}
