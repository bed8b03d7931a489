//! Being oneself: a name, a recovery phrase, the same seat in another browser, devices and bots.

use super::*;
use crate::harness;

/// Opens the dialogue about oneself, which knows who one is by then.
async fn opens_the_account(person: &Person) {
    person.clicks("account").await;
    person
        .sees("seen('account-dialog') && seen('device') && one('account-name').value !== ''")
        .await;
}

#[tokio::test]
async fn a_phrase_that_was_shown_once_is_the_same_seat_of_a_running_game_in_another_browser() {
    // How long somebody's turn has lasted is told.
    let hall = harness::Hall::start(harness::Setup::by_hand()).await;
    let driver = Driver::start();
    let lobby = format!("{}/", hall.address().http());
    let (anna, bert) = two(&driver, &lobby, [Screen::Desk, Screen::Phone]).await;
    anna.sees("text('no-own-tables').startsWith('No game waits for you.')").await;
    anna.pictures("a-empty").await;
    let table = sit_down(&anna, &bert).await;
    table.play(&["d4".to_owned(), "e5".to_owned()], 0).await;

    opens_the_account(&anna).await;
    anna.pictures("a-account").await;
    anna.clears_and_types("account-name", "BERT").await;
    anna.clicks("account-rename").await;
    anna.sees("text('name-refused').includes('name already')").await;
    anna.sees("text('name-suggested') === 'Be BERT 2'").await;
    anna.pictures("a-refused").await;
    anna.clicks("name-suggested").await;
    anna.sees("one('name').value === 'BERT 2' && !seen('name-refused')").await;

    anna.clicks("phrase-new").await;
    anna.sees("document.querySelectorAll('[data-testid=phrase-words] li').length === 12").await;
    anna.pictures("a-phrase").await;
    let words = anna
        .reads("[...one('phrase-words').children].map((word) => word.textContent).join(' ')")
        .await;
    let words = words.as_str().unwrap().to_owned();
    anna.clicks("phrase-done").await;
    anna.sees(
        "!seen('phrase-words') && text('phrase-state').startsWith('You have a recovery phrase.')",
    )
    .await;
    anna.clicks("account-close").await;

    // Another browser, another profile, the smallest phone.
    let cleo = Person::arrive(&driver, "Cleo", Screen::Small, &lobby).await;
    opens_the_account(&cleo).await;
    let misspelt = format!("xx{words}");
    cleo.types("recover-phrase", &misspelt).await;
    cleo.clicks("recover").await;
    cleo.sees("text('recover-refused').startsWith('Word 1, ')").await;
    cleo.pictures("a-misspelt").await;
    cleo.clears_and_types("recover-phrase", &words.to_uppercase()).await;
    cleo.clicks("recover").await;
    cleo.sees("one('name').value === 'BERT 2' && seen('waiting')").await;
    cleo.sees("one('waiting').hasAttribute('data-mine')").await;
    cleo.sees("text('since').startsWith('Your turn, for less than a minute')").await;
    cleo.pictures("a-waiting").await;
    cleo.clicks("return").await;
    cleo.sees("one('viewer').dataset.viewer === 'seat_1' && stone('d4') === 'red'").await;
    cleo.clicks("cell-f6").await;
    table.all_see("stone('f6') === 'red'").await;
    bert.clicks("cell-g7").await;
    anna.sees("stone('g7') === 'blue' && one('turn').hasAttribute('data-mine')").await;

    opens_the_account(&cleo).await;
    cleo.sees("document.querySelectorAll('[data-testid=device]').length === 2").await;
    cleo.clicks("device-sign-out").await;
    cleo.clicks("confirm-yes").await;
    cleo.sees("document.querySelectorAll('[data-testid=device]').length === 1").await;
    anna.sees(
        "text('connection') === 'offline' && text('connection-banner').includes('signed out')",
    )
    .await;
    anna.pictures("a-signed-out").await;
    cleo.sees("text('connection') === 'online'").await;
}

#[tokio::test]
async fn a_bot_is_made_and_given_a_key_that_is_shown_once_and_revoked() {
    let hall = Hall::open();
    let driver = Driver::start();
    let anna = Person::arrive(&driver, "Anna", Screen::Phone, &hall.url("/")).await;
    opens_the_account(&anna).await;
    anna.types("bot-name", "Annabot").await;
    anna.clicks("bot-add").await;
    anna.sees("text('bot').startsWith('Annabot')").await;
    anna.reads("one('bot').querySelector('details').open = true").await;
    anna.types("key-label", "at home").await;
    anna.clicks("key-add").await;
    anna.sees("one('key-secret').value.startsWith('hxh_') && text('key').includes('at home')")
        .await;
    anna.reads("one('bots').scrollIntoView()").await;
    anna.pictures("a-bots").await;
    anna.clicks("account-close").await;
    anna.sees("!seen('account-dialog')").await;
    opens_the_account(&anna).await;
    anna.sees("text('bot').startsWith('Annabot') && one('key-secret') === null").await;
    anna.reads("one('bot').querySelector('details').open = true").await;
    anna.clicks("key-revoke").await;
    anna.clicks("confirm-yes").await;
    anna.sees("one('key') === null && text('bot').includes('It has none')").await;
    anna.clicks("bot-delete").await;
    anna.clicks("confirm-yes").await;
    anna.sees("one('bot') === null && text('bots').includes('You have none')").await;
    assert_eq!(anna.complaints().await, Vec::<String>::new());
}
