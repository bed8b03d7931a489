//! The list of seeks that anybody may answer.

use super::*;

#[test]
fn a_listed_seek_is_answered_by_whoever_fits_it_and_by_nobody_else() {
    let mut hall = Hall::new();
    let range = Some(Range { min: 1400, max: 1600 });
    let id = hall.seek(Wish { range, ..wish(1, 1500) });
    let pool = hall.seek(Wish { pool: Some("hex-11"), ..wish(9, 2500) });
    let answer = |hall: &mut Hall, to, by: Wish| {
        let (nobody, mut fresh) = (|_, _| false, || MatchId::from_parts(77, 0));
        hall.pairing.answer(name(100), to, by, hall.now, &nobody, &mut fresh)
    };
    assert_eq!(answer(&mut hall, id, wish(2, 1700)), Err(NoSeek::NotForYou));
    assert_eq!(answer(&mut hall, id, wish(1, 1500)), Err(NoSeek::NotForYou));
    assert_eq!(answer(&mut hall, pool, wish(2, 2500)), Err(NoSeek::Unknown(pool)));
    hall.pairing.went(player(1), hall.now);
    assert_eq!(answer(&mut hall, id, wish(2, 1600)), Err(NoSeek::Unknown(id)));
    hall.pairing.came(player(1), hall.now);
    assert_eq!(answer(&mut hall, id, wish(2, 1600)), Ok(name(100)));
    assert_eq!(answer(&mut hall, id, wish(3, 1600)), Err(NoSeek::Unknown(id)), "it is taken");
    let news = hall.pairing.take_news();
    assert_eq!(hall.open(&news), [[player(1), player(2)]]);
}

#[test]
fn what_is_listed_is_told_as_it_comes_and_goes() {
    let mut hall = Hall::new();
    let id = hall.seek(wish(1, 1500));
    hall.seek(Wish { pool: Some("hex-11"), terms: terms(14), ..wish(1, 1500) });
    assert_eq!(hall.after(0), [News::Listed(id)], "pools are not listed");
    hall.pairing.went(player(1), hall.now);
    assert_eq!(hall.after(0), [News::Unlisted(id)]);
    hall.pairing.came(player(1), hall.now);
    assert_eq!(hall.after(0), [News::Listed(id)]);
    assert!(hall.pairing.withdraw(id, player(1), hall.now));
    let withdrawn = News::Ended(id, player(1), Why::Withdrawn);
    assert_eq!(hall.after(0), [News::Unlisted(id), withdrawn]);
}

#[test]
fn a_seek_that_is_renamed_and_matched_in_one_turn_is_gone_from_the_list() {
    let mut hall = Hall::new();
    let anybody = |n| Wish { pool: None, ..wish(n, 1500) };
    let seek = hall.seek(anybody(1));
    let news = hall.after(LOOK_EVERY_MS);
    let told = |hall: &Hall, news: &[News]| {
        let changes = hall.pairing.changes_of_list(news).into_iter();
        changes.map(|(id, seek)| (id, seek.map(|it| it.wish.player.name.to_string()))).collect()
    };
    let listed: Vec<(SeekId, Option<String>)> = told(&hall, &news);
    assert_eq!(listed, [(seek, Some("player 1".to_owned()))]);
    let named = |name: &str| Player { name: name.into(), ..anybody(1).player };

    // Still there under another name, also where it was off the list for a moment.
    hall.pairing.rename(&named("Ana"));
    assert_eq!(told(&hall, &hall.pairing.clone().take_news()), [(seek, Some("Ana".to_owned()))]);
    hall.pairing.went(player(1), hall.now);
    hall.pairing.rename(&named("Anne"));
    assert_eq!(told(&hall, &hall.pairing.clone().take_news()), [(seek, None)]);
    hall.pairing.came(player(1), hall.now);
    let news = hall.pairing.take_news();
    assert_eq!(told(&hall, &news), [(seek, Some("Anne".to_owned()))]);

    hall.pairing.rename(&named("Anna"));
    let other = hall.seek(anybody(2));
    let news = hall.after(LOOK_EVERY_MS);
    assert_eq!(paired(&news).len(), 1);
    assert_eq!(told(&hall, &news), [(seek, None)], "and {other} was there for no moment");
}
