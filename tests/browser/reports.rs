//! Mutes and reports at the page: from the menu of a name to the server and back.

use super::*;

#[tokio::test]
async fn somebody_who_is_muted_is_read_no_more_and_reads_on_until_they_are_unmuted() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Phone]).await;
    let table = sit_down(&anna, &bert).await;
    bert.clicks("chat-toggle").await;
    says(&bert, "la la la").await;
    anna.sees(&format!("{LINES} === 'la la la'")).await;
    anna.clicks("player-2").await;
    anna.clicks("menu-mute").await;
    anna.sees(&format!(
        "text('toast')?.includes('no longer read what Bert says') && {LINES} === ''"
    ))
    .await;
    says(&bert, "lu lu lu").await;
    says(&anna, "quiet at last").await;
    anna.sees(&format!("{LINES} === 'quiet at last'")).await;
    bert.sees(&format!("{LINES} === 'la la la | lu lu lu | quiet at last'")).await;

    anna.reload().await;
    anna.sees(&format!("{LINES} === 'quiet at last'")).await;
    anna.clicks("account").await;
    anna.sees("text('kept-mutes')?.startsWith('Bert')").await;
    anna.sees("text('blocks') === 'You have blocked nobody.'").await;
    anna.clicks("readmit-Bert").await;
    anna.sees("text('mutes') === 'You have muted nobody.'").await;
    anna.clicks("account-close").await;
    anna.sees(&format!("{LINES} === 'la la la | lu lu lu | quiet at last'")).await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn somebody_is_reported_once_with_a_reason_and_words_and_the_table_goes_along() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Picture, Screen::Small]).await;
    let table = sit_down(&anna, &bert).await;
    bert.clicks("chat-toggle").await;
    says(&bert, "buy my stones").await;
    anna.sees(&format!("{LINES} === 'buy my stones'")).await;
    anna.reads("(one('line').querySelector('.who').click(), true)").await;
    anna.clicks("menu-report").await;
    anna.sees("one('report-table').selectedOptions[0].text === 'At this table'").await;

    // A reason is needed, and words for another than those on the list.
    anna.clicks("report-send").await;
    anna.sees("seen('report-dialog') && one('report-reason').matches(':user-invalid')").await;
    anna.types("report-reason", "Something").await;
    anna.clicks("report-send").await;
    anna.sees("seen('report-dialog') && one('report-text').matches(':user-invalid')").await;
    anna.types("report-reason", "Spam").await;
    anna.types("report-text", "He sells stones.").await;
    anna.pictures("22-report").await;
    anna.clicks("report-send").await;
    anna.sees("text('toast')?.startsWith('Thank you.') && !seen('report-dialog')").await;
    table.complain_of(&[]).await;

    anna.clicks("player-2").await;
    anna.clicks("menu-report").await;
    anna.types("report-reason", "Cheating").await;
    anna.clicks("report-send").await;
    anna.sees("text('report-refused')?.startsWith('You have reported this player already')").await;
    anna.clicks("report-close").await;

    bert.clicks("player-1").await;
    bert.clicks("menu-report").await;
    bert.sees("seen('report-send')").await;
    bert.pictures("22-report").await;
    bert.presses([Key::Escape]).await;
    bert.sees("!seen('report-dialog')").await;
    table.complain_of(&["409"]).await;
}
