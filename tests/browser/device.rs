//! Pass and play at the page: one browser with both seats, and what it holds while it is covered.

use serde_json::json;

use super::dark::ATTEMPTS;
use super::driver::Driver;
use super::hall::Hall;
use super::hidden::KEPT_FRAMES;
use super::person::{Person, Screen};

/// What a page holds while its board is covered: the document, what it stores, and the frames that
/// it has received since the curtain fell. No cell is in any of them.
const COVERED: &str = "(() => ({
    board: !!one('board') || !!document.querySelector('[data-cell]'),
    page: document.documentElement.outerHTML,
    stored: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    frames: window.received.slice(
        window.received.findLastIndex((frame) => JSON.parse(frame).event === 'curtain') + 1,
    ),
}))()";

/// Has what the page does by itself after some seconds wait until it is told to: nobody knows how
/// long it takes to look at what is to be seen until then.
const PATIENT: &str = "
    const after = window.setTimeout;
    window.setTimeout = (run, ms, ...more) => after(run, ms < 4000 ? ms : 2 ** 31 - 1, ...more);
";

const COLORS: [&str; 2] = ["Red", "Blue"];

/// Holds the covered page to what it may hold after these attempts.
async fn check_covered(device: &Person, tried: &[(usize, &str)]) {
    device.sees("seen('lift') && !one('board')").await;
    let held = device.reads(COVERED).await;
    assert_eq!(held["board"], false);
    for frame in held["frames"].as_array().unwrap() {
        assert!(!frame.as_str().unwrap().contains("\"cell\""), "{frame}");
    }
    for (_, cell) in tried {
        for place in ["page", "stored"] {
            let text = held[place].as_str().unwrap();
            let word = |it: &str| it.split(|c: char| !c.is_alphanumeric()).any(|it| it == *cell);
            assert!(!word(text), "{cell} is in the {place}");
        }
    }
}

#[tokio::test]
async fn a_dark_game_is_passed_to_and_fro_under_a_cover_that_hides_all_of_it() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (device, cleo) = tokio::join!(
        Person::arrive(&driver, "Anna", Screen::Small, &lobby),
        Person::arrive(&driver, "Cleo", Screen::Desk, &lobby),
    );
    let script = json!({ "source": format!("{KEPT_FRAMES}{PATIENT}") });
    device.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    device.go(&lobby).await;
    device.picks("preset", "dark").await;
    device.picks("seats", "device").await;
    device.chooses("size", "7 ×").await;
    device.clicks("open-table").await;
    device.sees("text('cover-text') === 'Pass the device to Red.'").await;
    cleo.sees("text('listing')?.includes('one device')").await;
    cleo.clicks("watch").await;
    cleo.sees("seen('veil')").await;
    device.pictures("device-0-cover").await;

    let mut lifted = None;
    for (number, &(seat, cell)) in ATTEMPTS.iter().enumerate() {
        if lifted != Some(seat) {
            check_covered(&device, &ATTEMPTS[..number]).await;
            let color = COLORS[seat - 1];
            device.sees(&format!("text('lift') === 'I am {color}: show my board'")).await;
            device.clicks("lift").await;
            device.sees(&format!("one('viewer').dataset.viewer === 'seat_{seat}'")).await;
            if number == 4 {
                // Looked at anew, the board is covered, and is shown again to whom it belongs.
                device.reload().await;
                check_covered(&device, &ATTEMPTS[..number]).await;
                device.clicks("lift").await;
            }
            lifted = Some(seat);
        }
        device.sees("one('turn').hasAttribute('data-mine') && seen('board')").await;
        device.clicks(&format!("cell-{cell}")).await;
        device.sees(&format!("!one('turn').hasAttribute('data-mine') || one('cell-{cell}')?.hasAttribute('data-found')")).await;
        let over = number + 1 == ATTEMPTS.len();
        let next = ATTEMPTS.get(number + 1).map(|(seat, _)| *seat);
        if next == Some(seat) {
            device.sees(&format!("one('cell-{cell}').hasAttribute('data-found')")).await;
        } else if !over {
            // What the turn brought is still to be seen, until the board is covered.
            device.sees(&format!("seen('cover-now') && !!stone('{cell}')")).await;
            if number == 0 {
                device.pictures("device-1-lingering").await;
            }
            device.clicks("cover-now").await;
        }
        if number == 9 {
            device.pictures("device-2-blue").await;
        }
    }
    device.sees("one('result').dataset.winner === '1' && stones() === 13 && !seen('cover')").await;
    cleo.sees("one('result').dataset.winner === '1' && stones() === 13").await;
    device.sees("text('result') === 'Red won by joining the edges.'").await;
    device.pictures("device-3-end").await;
    device.clicks("rematch").await;
    device.sees("text('cover-text') === 'Pass the device to Red.'").await;
    for person in [&device, &cleo] {
        assert_eq!(person.complaints().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn hex_is_played_from_both_seats_by_one_hand() {
    let hall = Hall::open();
    let driver = Driver::start();
    let anna = Person::arrive(&driver, "Anna", Screen::Desk, &hall.url("/")).await;
    anna.picks("seats", "device").await;
    anna.chooses("size", "7 ×").await;
    anna.chooses("swap", "No swap").await;
    anna.clicks("open-table").await;
    for (number, cell) in ["d4", "d3", "e3"].into_iter().enumerate() {
        anna.sees("one('turn').hasAttribute('data-mine') && !seen('cover')").await;
        anna.clicks(&format!("cell-{cell}")).await;
        let color = ["red", "blue"][number % 2];
        anna.sees(&format!("stone('{cell}') === '{color}' && stones() === {}", number + 1)).await;
    }
    anna.sees("text('turn') === 'Blue is to move.' && !seen('takeback') && !seen('pause')").await;
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    anna.sees("text('result') === 'Red won: blue resigned.'").await;
    assert_eq!(anna.complaints().await, Vec::<String>::new());
}
