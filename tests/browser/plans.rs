//! Planned moves at the page: a premove by a press, conditional moves played out on the board, and
//! nothing of either on anybody else's.

use super::*;

#[tokio::test]
async fn a_premove_and_conditional_moves_are_planned_played_and_taken_back() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert, cleo) =
        three(&driver, &hall.url("/"), [Screen::Desk, Screen::Small, Screen::Phone]).await;
    anna.chooses("size", "7 ×").await;
    anna.clicks("open-table").await;
    let link = anna.copies_the_link().await;
    bert.go(&link).await;
    bert.clicks("join").await;
    cleo.go(&link).await;
    let watchers = [cleo];
    let table = Table { players: [&anna, &bert], watchers: &watchers };
    let [cleo] = &watchers;
    table.all_see("one('status').dataset.phase === 'playing'").await;
    let moves = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>();

    // A premove is a shadow; pressed again, or by Escape, it is gone.
    anna.sees("!seen('plans')").await;
    let planned = "one('cell-d4').hasAttribute('data-planned')";
    for undo in [true, false] {
        bert.sees("seen('plans')").await;
        bert.clicks("cell-d4").await;
        bert.sees(planned).await;
        bert.sees("text('plan-premove').startsWith('Premove: d4')").await;
        if undo {
            bert.clicks("cell-d4").await;
        } else {
            bert.presses([Key::Escape]).await;
        }
        bert.sees(&format!("!{planned} && !seen('plan-premove')")).await;
    }
    bert.clicks("draft").await;
    for cell in ["cell-e5", "cell-d5"] {
        bert.clicks(cell).await;
    }
    bert.sees("seen('draft-save') && !one('draft-save').disabled").await;
    // The box and the whole board stand on one screen, and neither covers the other.
    let stand = "(() => {
        const [box, board] = [one('drafting'), one('board')].map((it) => it.getBoundingClientRect());
        return 0 <= box.top && box.bottom <= board.top && board.bottom <= innerHeight;
    })()";
    assert_eq!(bert.reads(stand).await, true, "the box covers the board, or one is out of sight");
    bert.pictures("plans-0-draft").await;
    bert.presses([Key::Escape]).await;
    bert.sees("!seen('drafting') && stones() === 0").await;
    bert.clicks("cell-d4").await;
    bert.sees(planned).await;
    bert.pictures("plans-0-premove").await;
    bert.reload().await;
    bert.sees(planned).await;
    for person in [&anna, cleo] {
        person.sees("!document.querySelector('[data-planned]') && !seen('plans')").await;
    }
    anna.sees("one('turn').hasAttribute('data-mine')").await;
    anna.clicks("cell-a1").await;
    table.all_see("stones() === 2 && one('cell-d4').dataset.stone === 'blue'").await;
    bert.sees("!seen('plan-premove')").await;

    // Conditional moves: two lines, one of which is taken back, and one is followed.
    table.play(&moves(&["b2"]), 2).await;
    anna.sees("seen('draft')").await;
    for line in [&["e5", "f6", "c3", "c4"][..], &["g7", "g1"][..]] {
        anna.clicks("draft").await;
        for cell in line {
            anna.clicks(&format!("cell-{cell}")).await;
        }
        anna.sees("text('draft-text').startsWith('Save the line')").await;
        anna.pictures("plans-1-draft").await;
        anna.clicks("draft-save").await;
        anna.sees("!seen('drafting')").await;
        anna.sees(&format!("text('planned').includes('{} → {}')", line[0], line[1])).await;
    }
    anna.pictures("plans-2-lines").await;
    anna.clicks("draft").await;
    anna.clicks("cell-c5").await;
    anna.clicks("draft-undo").await;
    anna.clicks("draft-stop").await;
    anna.sees("one('planned').children.length === 2 && stones() === 3").await;
    let second = "one('planned').children[1].querySelector('button').click()";
    anna.reads(&format!("({second}, true)")).await;
    anna.sees("one('planned').children.length === 1").await;
    bert.sees("one('turn').hasAttribute('data-mine')").await;
    bert.clicks("cell-e5").await;
    table.all_see("one('cell-f6').dataset.stone === 'red' && stones() === 5").await;
    anna.sees("text('planned').includes('c3 → c4')").await;

    // What nobody planned for drops it, and says so.
    table.play(&moves(&["c6"]), 5).await;
    anna.sees("document.body.textContent.includes('what was planned is dropped')").await;
    anna.sees("one('turn').hasAttribute('data-mine') && !seen('plans')").await;
    for person in [&bert, cleo] {
        person.sees("!document.body.textContent.includes('what was planned is dropped')").await;
    }
    table.complain_of(&[]).await;
}
