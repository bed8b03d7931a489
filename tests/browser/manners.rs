//! Manners at the page: the menu of a name, and whom one has blocked.

use super::*;

#[tokio::test]
async fn somebody_is_blocked_by_a_press_on_their_name_and_let_back_from_the_account() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Picture, Screen::Small]).await;
    let table = sit_down(&anna, &bert).await;
    bert.clicks("chat-toggle").await;
    says(&bert, "you play badly").await;
    anna.sees(&format!("{LINES} === 'you play badly'")).await;

    // By the keyboard: the menu has the focus, and gives it back.
    anna.tabs_to("player-2").await;
    anna.presses([Key::Enter]).await;
    anna.sees("seen('name-menu') && one('name-menu').contains(document.activeElement)").await;
    anna.sees("text('menu-block') === 'Block' && !one('menu-block').disabled").await;
    anna.pictures("21-menu").await;
    anna.presses([Key::Escape]).await;
    anna.sees("!seen('name-menu') && document.activeElement === one('player-2')").await;

    anna.reads("(one('line').querySelector('.who').click(), true)").await;
    anna.clicks("menu-block").await;
    anna.sees("document.querySelector('#confirm-text').textContent.startsWith('Block Bert?')")
        .await;
    anna.clicks("confirm-yes").await;
    // What was said is gone from the page, and what is said now does not come.
    anna.sees(&format!("text('toast')?.includes('Bert is blocked.') && {LINES} === ''")).await;
    says(&bert, "do you hear me").await;
    says(&anna, "to myself").await;
    anna.sees(&format!("{LINES} === 'to myself'")).await;
    bert.sees(&format!("{LINES}.includes('do you hear me')")).await;
    assert_eq!(bert.reads(&format!("{LINES}.includes('to myself')")).await, false);

    // On a small screen the menu comes from its foot. One's own name has none.
    bert.clicks("player-1").await;
    bert.sees("text('menu-block') === 'Block' && !one('menu-block').disabled").await;
    bert.pictures("21-menu").await;
    bert.clicks("menu-close").await;
    assert_eq!(bert.reads("'who' in one('player-2').dataset").await, false);

    // The list of those whom one has blocked, with the way back.
    anna.clicks("account").await;
    anna.sees("text('kept-blocks')?.startsWith('Bert')").await;
    anna.reads("(one('blocks').scrollIntoView({ block: 'center' }), true)").await;
    anna.pictures("21-account").await;
    anna.clicks("readmit-Bert").await;
    anna.sees("text('blocks') === 'You have blocked nobody.'").await;
    anna.sees("document.activeElement === one('blocks')").await;
    anna.clicks("account-close").await;
    anna.sees(&format!("{LINES} === 'you play badly | do you hear me | to myself'")).await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn a_players_page_has_the_menu_too_but_not_ones_own() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let _table = sit_down(&anna, &bert).await;
    let [own, other] = ["player-1", "player-2"].map(|who| format!("one('{who}').href"));
    let own = anna.reads(&own).await.as_str().unwrap().to_owned();
    let other = anna.reads(&other).await.as_str().unwrap().to_owned();
    anna.go(&own).await;
    anna.sees("text('player-name') === 'Anna' && !seen('player-menu')").await;
    anna.go(&other).await;
    anna.clicks("player-menu").await;
    anna.sees("seen('name-menu') && !seen('menu-profile')").await;
    anna.clicks("menu-block").await;
    anna.clicks("confirm-yes").await;
    anna.sees("text('toast')?.includes('Bert is blocked.')").await;
    anna.clicks("player-menu").await;
    anna.sees("text('menu-block') === 'Unblock'").await;
    anna.pictures("21-profile").await;
    anna.clicks("menu-block").await;
    anna.sees("text('toast')?.includes('blocked no more')").await;
}
