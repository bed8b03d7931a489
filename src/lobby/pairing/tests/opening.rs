//! What happens while the table of a match is being opened.

use super::*;

#[test]
fn whoever_is_barred_or_turned_out_while_the_table_is_opened_and_fails_seeks_nothing_more() {
    for why in [Why::Barred, Why::Gone] {
        let mut hall = Hall::new();
        for n in 1..=2 {
            hall.seek(wish(n, 1500));
        }
        let matches = paired(&hall.after(LOOK_EVERY_MS));
        hall.pairing.turn_out(player(1), why, hall.now);
        assert_eq!(ended(&hall.after(0)), [], "the table may yet be opened");
        hall.pairing.not_opened(matches[0].0, hall.now);
        assert_eq!(ended(&hall.after(1_000)), [(player(1), why)]);
        assert_eq!(hall.pairing.of(player(2)).count(), 1);
        assert_eq!(hall.pairing.of(player(1)).count(), 0);
    }
}

#[test]
fn what_ends_a_seek_while_its_table_is_opened_does_so_after_a_panic_too() {
    let mut hall = Hall::new();
    for n in 1..=2 {
        hall.seek(wish(n, 1500));
    }
    let (opening, _) = paired(&hall.after(LOOK_EVERY_MS))[0].clone();
    hall.pairing.begun(opening);
    hall.pairing.turn_out(player(1), Why::Barred, hall.now);
    let broken = std::mem::replace(&mut hall.pairing, Pairing::new(KEPT_MS));
    let ends = |it| (it == player(2)).then_some(Why::Gone);
    hall.pairing = broken.mended(hall.now, |_| true, ends);
    assert_eq!(ended(&hall.after(0)), [], "the table may yet be opened");
    hall.pairing.not_opened(opening, hall.now);
    let over = [(player(1), Why::Barred), (player(2), Why::Gone)];
    assert_eq!(ended(&hall.after(0)), over);
}

#[test]
fn whoever_goes_while_the_table_is_opened_and_fails_is_not_kept_for_ever() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    let (name, _) = paired(&hall.after(0))[0].clone();
    hall.pairing.went(player(1), hall.now);
    assert!(ended(&hall.after(KEPT_MS * 2)).is_empty(), "the journal may take its time");
    hall.pairing.not_opened(name, hall.now);
    assert_eq!(ended(&hall.after(0)), [(player(1), Why::Gone)]);
    assert_eq!(hall.pairing.len(), 1);
}
