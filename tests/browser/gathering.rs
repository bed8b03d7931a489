//! A party in the browser: opened, joined by its code and by its link, with house rules, turns and
//! another host.

use super::*;

#[tokio::test]
async fn a_party_is_joined_by_its_code_takes_turns_and_changes_its_host_and_rules() {
    let mut hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, bert, cleo) =
        three(&driver, &hall.url("/"), [Screen::Desk, Screen::Small, Screen::Phone]).await;
    anna.picks("preset", "party").await;
    anna.picks("seats", "party").await;
    anna.picks("visibility", "private").await;
    anna.pictures("12-form").await;
    anna.clicks("open-table").await;
    anna.sees("seen('party-card') && text('party-code').length === 6").await;
    anna.sees("text('next-up') === 'Next: Anna – the computer, level 3'").await;
    anna.sees(
        "text('viewer').includes('settled by the start') && text('player-2') === 'nobody yet'",
    )
    .await;
    let code = anna.reads("text('party-code')").await.as_str().unwrap().to_owned();

    bert.types("party-code", "nothing").await;
    bert.clicks("join-code").await;
    bert.sees("one('party-code').matches(':invalid')").await;
    bert.go(&hall.url("/p/AAAAAA")).await;
    bert.sees("text('gone').includes('No such party')").await;
    bert.go(&lobby).await;
    bert.types("party-code", &code.to_lowercase()).await;
    bert.clicks("join-code").await;
    anna.sees("text('next-up') === 'Next: Anna – Bert'").await;
    cleo.go(&hall.url(&format!("/p/{code}"))).await;
    let company = Table { players: [&anna, &bert], watchers: &[cleo] };
    company
        .all_see("document.querySelectorAll('[data-testid^=member-][data-here]').length === 3")
        .await;
    company.pictures("12-party").await;
    company.watchers[0].pictures("12-party").await;
    for person in [&bert, &company.watchers[0]] {
        assert_eq!(person.reads("seen('start') || seen('turns')").await, json!(false));
    }

    anna.types("turns", "Winner").await;
    company.all_see("text('toast')?.includes('winner stays')").await;
    anna.clicks("start").await;
    company.all_see("one('status').dataset.phase === 'playing'").await;
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    company.all_see("text('next-up') === 'Next: Anna – Cleo'").await;

    // Other rules for the next game, and the one that is shown keeps its own.
    anna.clicks("house-rules").await;
    anna.sees("seen('set-rules')").await;
    let rated = "one('party-card').querySelector('[data-field=rated]').checkVisibility()";
    anna.picks("preset", "standard").await;
    anna.sees(rated).await;
    anna.picks("preset", "party").await;
    anna.chooses("size", "13").await;
    anna.pictures("12-rules").await;
    anna.clicks("set-rules").await;
    company
        .all_see(
            "text('next-rules').startsWith('Rules: 13×13') && text('options').includes('11×11')",
        )
        .await;
    company.pictures("12-next").await;

    // The party is there after a kill, with everybody in it.
    hall.kill();
    company.all_see("text('connection') !== 'online'").await;
    hall.reopen();
    company.all_see("text('connection') === 'online'").await;
    company.all_see("text('next-up') === 'Next: Anna – Cleo'").await;
    company.complain_of(&["ERR_CONNECTION_REFUSED", "WebSocket connection to", "gone"]).await;
    // What the others show may still be of before; a page that is loaded anew knows who is there.
    let [cleo] = company.watchers else { panic!("Cleo") };
    cleo.reload().await;
    cleo.sees("document.querySelectorAll('[data-testid^=member-][data-here]').length === 3").await;
    anna.clicks("start").await;
    company.all_see("one('status').dataset.phase === 'playing' && seen('cell-m13')").await;
    bert.sees("one('viewer').dataset.viewer === 'spectator'").await;
    company.watchers[0].sees("one('viewer').dataset.viewer === 'seat_1'").await;
    company.pictures("12-second").await;

    anna.clicks("make-host-Bert").await;
    anna.clicks("confirm-yes").await;
    bert.sees("seen('turns')").await;
    anna.sees("!seen('turns')").await;
    bert.pictures("12-host").await;
    bert.sees("!seen('toast')").await;
    bert.clicks("wants-to-play").await;
    anna.sees("one('member-Bert').querySelector('[data-mark=watches]')").await;
    company.complain_of(&[]).await;
}
