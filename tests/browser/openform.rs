//! The form that opens a table: built from the house rules that the server tells, for each preset.

use super::*;

/// Whether a field of the form is shown, and what is said beside it.
fn field(name: &str) -> String {
    format!("document.querySelector('[data-part=form] [data-field={name}]')")
}

#[tokio::test]
async fn a_table_is_opened_by_house_rules_of_ones_own_which_the_form_remembers() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Desk, Screen::Small]).await;
    for (person, preset) in [(&anna, "party"), (&bert, "dark")] {
        person.picks("preset", preset).await;
        person.reads("document.querySelector('[data-part=form] details').open = true").await;
        person.reads("document.querySelector('[data-field=time]').scrollIntoView()").await;
        person.pictures(&format!("13-{preset}-form")).await;
    }
    anna.sees(&format!("{}.hidden && {}.hidden", field("goal"), field("rows"))).await;
    anna.sees("[...document.querySelector('[name=size]').options].map((it) => it.value).join() === '11,13,19'")
        .await;
    bert.sees(&format!("{}.hidden && !{}.hidden", field("swap"), field("collision"))).await;

    // What a condition takes out of a list is named beside it.
    anna.picks("preset", "standard").await;
    anna.reads("document.querySelector('[data-part=form] details').open = true").await;
    anna.chooses("time", "No clock").await;
    anna.sees(&format!(
        "{}.textContent.includes('“Only the clock runs” is left out: Without a clock')",
        field("on_leave")
    ))
    .await;

    anna.picks("preset", "custom").await;
    anna.fills("rows", "4").await;
    anna.fills("cols", "6").await;
    anna.fills("random_stones", "2").await;
    let swap = field("swap");
    anna.sees(&format!(
        "{swap}.querySelector('select').disabled && {swap}.textContent.includes('Random stones leave')"
    ))
    .await;
    anna.sees("document.querySelector('[name=random_stones]').max === '4'").await;
    anna.sees(&format!("{}.hidden", field("rated"))).await;
    anna.sees(
        "document.querySelector('[name=goal]').selectedOptions[0].text === 'Join your edges'",
    )
    .await;
    anna.chooses("time", "Byo").await;
    anna.fills("periods", "4").await;
    anna.chooses("on_leave", "The other").await;
    anna.picks("seats", "party").await;
    anna.pictures("13-custom-form").await;
    anna.clicks("open-table").await;
    anna.sees("text('options').includes('4×6') && text('options').includes('2 random stones')")
        .await;
    anna.sees("text('options').includes('5 min + 4 × 30 s')").await;

    // The next table begins with what was chosen for this one.
    anna.go(&lobby).await;
    anna.sees("!document.querySelector('form[aria-busy]')").await;
    anna.sees(
        "['preset=custom', 'rows=4', 'cols=6', 'periods=4', 'on_leave=claim'].every((chosen) => {
            const [name, value] = chosen.split('=');
            return document.querySelector('[data-part=form]').elements[name].value === value;
        })",
    )
    .await;
    // Whom one plays with is asked anew.
    assert_eq!(
        anna.reads("document.querySelector('[data-part=form]').elements.seats.value").await,
        "two"
    );
}
