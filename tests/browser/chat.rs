//! The chat at a table: who reads what, what is new, and what is refused.

use super::*;
use crate::harness;

#[tokio::test]
async fn players_and_watchers_talk_in_rooms_of_their_own_until_the_game_is_over() {
    // How much may be said depends on how fast.
    let hall = harness::Hall::start(harness::Setup::by_hand()).await;
    let driver = Driver::start();
    let lobby = format!("{}/", hall.address().http());
    let (anna, bert, cleo) =
        three(&driver, &lobby, [Screen::Picture, Screen::Small, Screen::Desk]).await;
    anna.clicks("open-table").await;
    anna.sees("text('chat-empty').startsWith('Nothing has been said yet.')").await;
    let link = anna.copies_the_link().await;
    bert.go(&link).await;
    bert.clicks("join").await;
    cleo.go(&link).await;
    let watchers = [cleo];
    let table = Table { players: [&anna, &bert], watchers: &watchers };
    let [cleo] = &watchers;
    table.all_see("one('status').dataset.phase === 'playing'").await;
    table.play(&played("olympiad-2008-wolve-mohex").moves[..14], 0).await;

    // On a phone it is shut, and says how much is new.
    bert.sees("seen('chat-toggle') && !seen('say') && !seen('unread')").await;
    says(&anna, "good luck!").await;
    anna.sees("one('line').hasAttribute('data-mine') && one('line').textContent.startsWith('you')")
        .await;
    bert.sees("text('unread') === '1 new'").await;
    bert.pictures("20-shut").await;
    bert.clicks("chat-toggle").await;
    bert.sees(&format!("!seen('unread') && {LINES} === 'good luck!'")).await;
    bert.sees("one('line').textContent.startsWith('Anna')").await;
    bert.sees("one('line').querySelector('time').title !== ''").await;
    says(&bert, "you too").await;
    cleo.sees(&format!("{LINES} === 'good luck! | you too'")).await;
    cleo.sees("one('line').querySelector('.chip').textContent === 'player'").await;
    assert_eq!(cleo.reads("seen('say-room')").await, false);
    says(cleo, "red is ahead").await;
    cleo.pictures("20-watcher").await;
    anna.pictures("20-open").await;

    // What has been said is there after a reload, read, and again to nobody who sits.
    bert.reload().await;
    bert.sees(&format!("{LINES} === 'good luck! | you too' && !seen('unread')")).await;
    bert.reads("one('chat').scrollIntoView()").await;
    bert.pictures("20-open").await;

    // A line of 301 characters is counted down to, and not sent; the text stays.
    anna.types("say", &"x".repeat(300)).await;
    anna.sees("text('say-counter') === '0 left'").await;
    anna.types("say", "y").await;
    anna.sees("text('say-counter') === '1 too many'").await;
    anna.presses([Key::Enter]).await;
    anna.sees("text('say-refused').includes('at most 300 characters')").await;
    anna.sees("one('say').value.length === 301 && one('say').ariaInvalid === 'true'").await;
    anna.pictures("20-long").await;
    anna.clears_and_types("say", "good luck!").await;
    anna.presses([Key::Enter]).await;
    anna.sees("text('say-refused').startsWith('You have just said that')").await;
    anna.sees("one('say').value === 'good luck!'").await;
    anna.clears_and_types("say", "").await;
    anna.reads("(one('say').value = 'a\\u202eb', one('send').click(), true)").await;
    anna.sees("text('say-refused').includes('U+202E')").await;
    anna.clears_and_types("say", "").await;

    // Too much at a time says how long to wait, and takes nothing away.
    for line in ["one", "two", "three", "four"] {
        says(&anna, line).await;
    }
    anna.types("say", "five").await;
    anna.presses([Key::Enter]).await;
    anna.sees("/You can say more in \\d+ s/.test(text('say-refused'))").await;
    anna.sees("one('say').value === 'five'").await;
    anna.pictures("20-refused").await;

    // After the game the players read what those said who watched, and may answer.
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    bert.sees(&format!("{LINES}.includes('red is ahead') && seen('say-room')")).await;
    bert.types("say-room", "Watchers").await;
    says(&bert, "thanks for watching").await;
    cleo.sees(&format!("{LINES}.endsWith('thanks for watching')")).await;
    bert.pictures("20-after").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn whoever_watches_dark_hex_reads_the_players_after_the_game() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let cleo = Person::arrive(&driver, "Cleo", Screen::Small, &hall.url("/")).await;
    anna.picks("preset", "dark").await;
    anna.clicks("open-table").await;
    let link = anna.copies_the_link().await;
    bert.go(&link).await;
    bert.clicks("join").await;
    cleo.go(&link).await;
    cleo.clicks("chat-toggle").await;
    cleo.sees("text('chat-empty').includes('shown after the game')").await;
    anna.sees("one('status').dataset.phase === 'playing'").await;
    says(&anna, "I am at d4").await;
    bert.sees("text('unread') === '1 new'").await;
    says(&cleo, "so dark").await;
    assert_eq!(cleo.reads(LINES).await, "so dark");
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    cleo.sees(&format!("{LINES} === 'I am at d4 | so dark'")).await;
    anna.sees(&format!("{LINES} === 'I am at d4 | so dark'")).await;
}

#[tokio::test]
async fn a_log_that_is_read_further_up_stays_where_it_is() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let _table = sit_down(&anna, &bert).await;
    bert.clicks("chat-toggle").await;
    let long = "a long line ".repeat(20);
    for n in 0..3 {
        says(&anna, &format!("{n} {long}ends")).await;
    }
    let at_end =
        "one('lines').scrollTop + one('lines').clientHeight >= one('lines').scrollHeight - 1";
    anna.sees(&format!("one('lines').scrollHeight > one('lines').clientHeight && {at_end}")).await;
    anna.reads("(one('lines').scrollTop = 0, true)").await;
    says(&bert, "me too").await;
    anna.sees(&format!("{LINES}.endsWith('me too') && one('lines').scrollTop === 0")).await;
}

#[tokio::test]
async fn a_game_with_the_computer_or_on_one_device_has_no_chat_to_itself() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    anna.sees("!document.querySelector('form[aria-busy]')").await;
    anna.clicks("play-cpu").await;
    anna.sees("one('status').dataset.phase === 'playing' && !seen('chat')").await;
    bert.go(&anna.url().await).await;
    anna.sees("seen('chat') && seen('say')").await;
    bert.go(&hall.url("/")).await;
    bert.picks("seats", "device").await;
    bert.clicks("open-table").await;
    bert.sees("one('viewer').dataset.viewer === 'both' && !seen('chat')").await;
}
