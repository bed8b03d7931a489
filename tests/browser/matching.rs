//! Finding an opponent at the page: pools, what one waits for, the seeks of others, the ready check.

use super::*;
use crate::harness;

#[tokio::test]
async fn two_who_press_the_same_pool_land_at_one_table_and_play() {
    // Whoever waits for long is asked first.
    let hall = harness::Hall::start(harness::Setup::by_hand()).await;
    let driver = Driver::start();
    let lobby = format!("{}/", hall.address().http());
    let (anna, bert) = two(&driver, &lobby, [Screen::Desk, Screen::Small]).await;
    anna.sees("text('online') === '2 players online'").await;
    bert.sees("seen('no-seeks')").await;
    anna.clicks("pool-dark-11").await;
    anna.sees("seen('waiting-seek') && one('pool-dark-11').ariaPressed === 'true'").await;
    anna.sees("text('waited') !== '0:00'").await;
    anna.clicks("cancel-seek").await;
    anna.sees("!seen('waiting-seek') && one('pool-dark-11').ariaPressed === 'false'").await;
    anna.clicks("pool-hex-11").await;
    anna.sees("seen('waiting-seek')").await;
    anna.pictures("match-0-waiting").await;
    bert.pictures("match-0-pools").await;
    // Loaded anew, she waits as before.
    anna.reload().await;
    anna.sees("seen('waiting-seek') && one('pool-hex-11').ariaPressed === 'true'").await;
    bert.clicks("pool-hex-11").await;
    bert.sees("seen('waiting-seek')").await;
    hall.advance(200);
    let table = Table { players: [&anna, &bert], watchers: &[] };
    table.all_see("one('status').dataset.phase === 'playing'").await;
    table.all_see("text('player-1') === 'Anna' && text('player-2') === 'Bert'").await;
    assert_eq!(anna.url().await, bert.url().await);
    table.play(&["f6".to_owned()], 0).await;
    table.pictures("match-1-table").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn whoever_asks_for_an_opponent_is_listed_and_played_by_one_press() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.chooses("size", "13 ×").await;
    anna.clicks("seek-game").await;
    anna.sees("seen('waiting-seek') && !seen('seek')").await;
    bert.sees("text('seek')?.includes('Anna (1500?)') && text('seek').includes('13×13')").await;
    bert.pictures("match-2-seeks").await;
    anna.clicks("cancel-seek").await;
    bert.sees("seen('no-seeks')").await;
    anna.clicks("seek-game").await;
    bert.clicks("answer-seek").await;
    let table = Table { players: [&anna, &bert], watchers: &[] };
    table.all_see("one('status').dataset.phase === 'playing'").await;
    table.all_see("text('options').startsWith('13×13')").await;
    table.complain_of(&[]).await;
}

/// Lets a test say to the page what a server would.
const TOLD_BY_HAND: &str = "
    const Socket = WebSocket;
    window.WebSocket = class extends Socket {
        set onmessage(heard) {
            window.tell = (frame) => heard({ data: JSON.stringify(frame) });
            super.onmessage = heard;
        }
    };
";

#[tokio::test]
async fn the_ready_check_counts_down_is_answered_and_ends() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let anna = Person::arrive(&driver, "Anna", Screen::Small, &lobby).await;
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": TOLD_BY_HAND })).await;
    anna.go(&lobby).await;
    anna.clicks("pool-hex-11").await;
    anna.sees("seen('waiting-seek')").await;
    let check = r#"tell({ lobby: 'ready_check', match: 'mat_01J8ZD2Z9Y7X5W3V1T0S8R6Q4P',
        seek: 'sek_01J8ZD11B3F5H7K9N0Q2S4V6XZ', left_ms: 60000 })"#;
    anna.reads(check).await;
    anna.sees("seen('ready-check') && /^(60|5[0-9]) s$/.test(text('ready-left'))").await;
    anna.sees("document.activeElement === one('ready')").await;
    let edges = "(({ left, right }) => left >= 8 && right <= innerWidth - 8)(one('ready-check').getBoundingClientRect())";
    assert_eq!(anna.reads(edges).await, true, "the ready check lies on the edges of the screen");
    anna.pictures("match-3-check").await;
    anna.sees("/^([1-4][0-9]|5[0-8]) s$/.test(text('ready-left'))").await;
    // The server knows of no such match.
    anna.clicks("ready").await;
    anna.sees("text('toast')?.includes('too late')").await;
    anna.reads("tell({ lobby: 'seek_ended', seek: 'sek_01J8ZD11B3F5H7K9N0Q2S4V6XZ', reason: 'not_ready' })")
        .await;
    anna.sees("!seen('ready-check') && text('toast')?.includes('in time')").await;
    anna.reads(check).await;
    anna.sees("seen('ready-check')").await;
    anna.reads("tell({ lobby: 'seeks', seeks: [] })").await;
    anna.sees("!seen('ready-check') && !seen('waiting-seek')").await;
}
