//! Ratings at the page: a rated game from the tick in the form to what it made of both ratings, the
//! players' pages, and the leaderboards.

use super::*;

#[tokio::test]
async fn a_rated_game_shows_what_it_made_of_both_ratings_and_leads_to_the_players_pages() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Small]).await;
    anna.chooses("size", "7 ×").await;
    anna.ticks("rated").await;
    anna.reads("one('open-table').scrollIntoView()").await;
    anna.pictures("r0-form").await;
    let table = sit_down(&anna, &bert).await;
    table
        .all_see("seen('rated') && text('rating-1') === '1500?' && text('rating-2') === '1500?'")
        .await;
    table.play(&["a1", "g1", "a2"].map(str::to_owned), 0).await;
    table.all_see("stones() === 3 && !seen('takeback')").await;
    table.pictures("r1-game").await;
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    table.all_see("text('rating-1') === '1662 (+162)' && text('rating-2') === '1338 (−162)'").await;
    table.all_see("text('changes') === 'Rated: Anna 1662 (+162) – Bert 1338 (−162)'").await;
    table.pictures("r2-end").await;

    // A rematch begins with what the first game left.
    anna.clicks("rematch").await;
    bert.clicks("accept").await;
    table.all_see("text('rating-1') === '1338?' && text('rating-2') === '1662?'").await;
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    table.all_see("text('rating-2')?.includes('(+')").await;

    let page = anna.reads("one('player-2').href").await;
    anna.go(page.as_str().unwrap()).await;
    anna.sees("text('player-name') === 'Anna' && seen('rating-hex-rapid')").await;
    anna.sees("one('chart').dataset.shows === 'hex-rapid'").await;
    assert_eq!(anna.reads("document.querySelectorAll('[data-testid=played]').length").await, 2);
    assert_eq!(anna.reads("text('played').includes('against Bert')").await, json!(true));
    anna.pictures("r3-profile").await;
    bert.go(page.as_str().unwrap()).await;
    bert.sees("one('chart').dataset.shows === 'hex-rapid'").await;
    bert.pictures("r3-profile").await;
    assert_eq!(bert.reads(OVERHANG).await, 0, "the profile is wider than the screen");
    anna.clicks("record").await;
    anna.sees("seen('caption') && text('result')?.includes('Anna') && seen('rated')").await;
    anna.sees("/^Rated: Bert .* – Anna .*/.test(text('changes'))").await;
    anna.pictures("r3-replay").await;
    let replay = anna.url().await;
    bert.go(&replay).await;
    bert.sees("/^Rated: Bert .* – Anna .*/.test(text('changes'))").await;
    bert.pictures("r3-replay").await;

    for person in [&anna, &bert] {
        person.go(&lobby).await;
        person.clicks("to-leaderboard").await;
        // Nobody has played often enough.
        person.sees("seen('no-places') && one('leaderboard').dataset.shows === 'hex-rapid'").await;
    }
    bert.types("leaderboard-game", "Dark").await;
    bert.sees("one('leaderboard').dataset.shows === 'dark-rapid'").await;
    bert.pictures("r4-leaderboard").await;
    assert_eq!(bert.reads(OVERHANG).await, 0, "the leaderboard is wider than the screen");
    bert.go(&lobby).await;
    bert.clicks("to-me").await;
    bert.sees("text('player-name') === 'Bert'").await;
    Table { players: [&anna, &bert], watchers: &[] }.complain_of(&[]).await;
}

#[tokio::test]
async fn a_leaderboard_ranks_whoever_has_settled_and_a_page_for_nobody_says_so() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Small]).await;
    anna.ticks("rated").await;
    let table = sit_down(&anna, &bert).await;
    for number in 0..16 {
        // They win in turns, and exchange seats.
        let loser = table.players[1 - number % 2];
        let seated = format!("text('player-{}') === 'Anna'", 1 + number % 2);
        table.all_see(&format!("one('status').dataset.phase === 'playing' && {seated}")).await;
        loser.clicks("resign").await;
        loser.clicks("confirm-yes").await;
        table.all_see("one('status').dataset.phase === 'finished'").await;
        anna.clicks("rematch").await;
        bert.clicks("accept").await;
    }
    for person in [&anna, &bert] {
        person.go(&hall.url("/leaderboard?game=hex&speed=rapid")).await;
        person.sees("document.querySelectorAll('[data-testid=place]').length === 2").await;
        person
            .sees("document.querySelectorAll('[data-testid=place][data-mine]').length === 1")
            .await;
        person.pictures("r5-leaderboard").await;
        assert_eq!(person.reads(OVERHANG).await, 0, "the leaderboard is wider than the screen");
    }
    anna.reads("document.querySelector('[data-testid=place] a').click()").await;
    anna.sees("one('ratings')?.textContent.includes('place 1')").await;
    anna.sees("one('chart').dataset.shows === 'hex-rapid'").await;
    anna.pictures("r6-profile").await;
    table.complain_of(&[]).await;
    anna.go(&hall.url("/player/plr_00000000000000000000000000")).await;
    anna.sees("text('gone')?.includes('There is no player')").await;
    anna.go(&hall.url("/player/somebody")).await;
    anna.sees("text('gone')?.includes('There is no player')").await;
    anna.go(&hall.url("/leaderboards")).await;
    anna.sees("text('gone')?.includes('There is nothing here')").await;
    anna.reads("(one('gone').querySelector('a').click(), true)").await;
    anna.sees("location.pathname === '/' && seen('open-table')").await;
}

#[tokio::test]
async fn ones_own_page_has_private_and_running_games_that_nobody_else_is_shown() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Small, Screen::Desk]).await;
    anna.picks("visibility", "private").await;
    anna.clicks("play-cpu").await;
    anna.sees("one('status').dataset.phase === 'playing'").await;
    anna.go(&lobby).await;
    anna.clicks("to-me").await;
    anna.sees("seen('running') && text('running').includes('CPU level') && seen('private')").await;
    anna.pictures("r7-own-running").await;
    anna.clicks("play").await;
    anna.sees("one('status').dataset.phase === 'playing'").await;
    anna.clicks("resign").await;
    anna.clicks("confirm-yes").await;
    anna.sees("one('status').dataset.phase === 'finished'").await;
    anna.go(&lobby).await;
    anna.clicks("to-me").await;
    anna.sees("seen('played') && seen('private') && !seen('running')").await;
    anna.pictures("r7-own").await;
    assert_eq!(anna.reads(OVERHANG).await, 0, "the page is wider than the screen");
    // Who comes straight to the page is known a moment after it is shown.
    let page = anna.url().await;
    anna.reload().await;
    anna.sees("seen('played') && seen('private')").await;
    bert.go(&page).await;
    bert.sees("text('player-name') === 'Anna' && seen('no-games') && !seen('played')").await;
    Table { players: [&anna, &bert], watchers: &[] }.complain_of(&[]).await;
}
