//! What an operator does to somebody, as their page shows it: the real door, the real page.

use super::*;

/// Has the operator do something to a player, asked from somebody's page.
async fn does(person: &Person, token: &str, method: &str, deed: &str, body: &str) {
    let asked = format!(
        "fetch('/v1/operator/players/{deed}', {{
            method: '{method}', credentials: 'omit',
            headers: {{ authorization: 'Bearer {token}', 'content-type': 'application/json' }},
            body: {body},
        }}).then(({{ status }}) => status)"
    );
    assert_eq!(person.awaits(&asked).await, 200, "{deed}");
}

#[tokio::test]
async fn whoever_is_warned_muted_and_banned_reads_why_and_comes_back_when_it_ends() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let token = hall.operator_token();
    let _table = sit_down(&anna, &bert).await;
    let me = anna.reads("one('player-1').href.split('/').at(-1)").await;
    let me = me.as_str().unwrap();
    let warning = "JSON.stringify({ text: 'Be kind.', by: 'Olga' })";
    does(&bert, &token, "POST", &format!("{me}/warn"), warning).await;
    anna.sees("seen('notice') && text('notice-text') === 'Be kind.'").await;
    anna.reload().await;
    anna.sees("seen('notice') && text('notice-text') === 'Be kind.'").await;
    anna.clicks("notice-read").await;
    anna.sees("!seen('notice')").await;

    let name = "JSON.stringify({ name: 'Annabel', reason: 'Rude.', by: 'Olga' })";
    does(&bert, &token, "POST", &format!("{me}/rename"), name).await;
    anna.sees("one('name').value === 'Annabel' && text('player-1') === 'Annabel'").await;
    anna.clicks("notice-read").await;

    let mute = "JSON.stringify({ for_s: 3600, reason: 'Shouting.', by: 'Olga' })";
    does(&bert, &token, "POST", &format!("{me}/mute"), mute).await;
    anna.sees("text('notice-title').startsWith('You are muted until')").await;
    anna.clicks("notice-read").await;
    anna.types("say", "hm").await;
    anna.presses([Key::Enter]).await;
    anna.sees("text('say-refused').includes('Shouting.') && one('say').value === 'hm'").await;
    does(&bert, &token, "DELETE", &format!("{me}/mute?by=Olga"), "undefined").await;
    anna.sees("text('notice-title') === 'You may speak again' && !seen('notice-text')").await;
    anna.clicks("notice-read").await;

    let ban = "JSON.stringify({ for_s: 172800, reason: 'Insults.', by: 'Olga' })";
    does(&bert, &token, "POST", &format!("{me}/ban"), ban).await;
    anna.sees("text('gone')?.includes('Insults. You can come back ')").await;
    anna.clicks("again").await;
    anna.sees("text('gone')?.includes('Insults.') && text('connection') === 'banned'").await;
    does(&bert, &token, "DELETE", &format!("{me}/ban?by=Olga"), "undefined").await;
    anna.clicks("again").await;
    anna.sees("text('connection') === 'online' && seen('board')").await;
}
