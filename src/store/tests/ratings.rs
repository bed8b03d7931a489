//! Results and the ratings that follow from them, on both engines alike.

use super::*;
use crate::accounts::ratings::{
    ACTIVE_MS, Class, PERIOD_MS, RatedGame, Rating, Score, Speed, Standing, rate,
};
use crate::game::Seat;

on_both_engines!(
    who_left_a_rated_game_is_kept_once_and_found_by_time,
    a_rated_game_changes_both_ratings_and_says_by_how_much,
    a_game_counts_once_however_often_it_is_handed_in,
    a_batch_that_is_tried_again_counts_once,
    games_of_one_batch_count_one_after_the_other,
    what_meets_a_conflict_changes_no_rating,
    an_unrated_game_is_in_the_lists_and_changes_no_rating,
    bots_of_one_owner_and_their_owner_change_no_rating_among_themselves,
    a_players_games_are_listed_page_by_page,
    private_games_are_in_nobodys_list_but_ones_own,
    the_history_is_of_one_class_and_in_order,
    a_leaderboard_has_those_whose_rating_is_settled_and_no_longer_those_who_went,
    a_leaderboard_is_had_in_pages_and_equal_ratings_share_a_place,
);

const RAPID: Class = Class { game: RatedGame::Hex, speed: Speed::Rapid };
const BLITZ: Class = Class { game: RatedGame::Hex, speed: Speed::Blitz };
const AT: Stamp = Stamp(1_700_000_000_000);

fn id(n: u64) -> PlayerId {
    player(n, "").id
}

fn game_id(n: u64) -> GameId {
    GameId::from_parts(n, 0)
}

/// Game `n` of two players, which the first of them won, one second after the game before it.
fn result(n: u64, one: u64, two: u64) -> GameResult {
    GameResult {
        game: game_id(n),
        players: [Some(id(one)), Some(id(two))],
        public: true,
        finished: AT + n * 1_000,
        summary: format!("game {n}").into_bytes(),
        rated: None,
    }
}

fn rated(n: u64, one: u64, two: u64, class: Class, score: Score) -> GameResult {
    let rated = Some(RatedResult { class, players: [id(one), id(two)], score });
    GameResult { rated, ..result(n, one, two) }
}

async fn hand_in(store: &Store, actor: &mut Actor, result: GameResult) {
    let mut append = actor.next(["ended"]);
    append.result = Some(Box::new(result));
    store.reserve().unwrap().append(append);
    actor.durable_to(actor.next - 1).await;
}

async fn rating(store: &Store, player: u64) -> Rating {
    store.standing(id(player), RAPID).await.unwrap().rating
}

async fn a_rated_game_changes_both_ratings_and_says_by_how_much(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    assert_eq!(rating(&store, 1).await, Rating::default());
    hand_in(&store, &mut actor, rated(1, 1, 2, RAPID, Score::Won)).await;
    let first = rate([Standing::default(); 2], Score::Won, AT + 1_000);
    assert_eq!(rating(&store, 1).await, first[0].rating);
    assert_eq!(rating(&store, 2).await, first[1].rating);
    assert_eq!(store.standing(id(1), BLITZ).await.unwrap(), Standing::default());

    // Seats may be exchanged, and a draw counts as well.
    hand_in(&store, &mut actor, rated(2, 2, 1, RAPID, Score::Drawn)).await;
    let second = rate([first[1], first[0]], Score::Drawn, AT + 2_000);
    assert_eq!(rating(&store, 2).await, second[0].rating);
    let ranked = store.ranked(id(2), AT + 2_000).await.unwrap();
    assert_eq!(ranked, [Ranked { class: RAPID, standing: second[0], rank: None }]);
    assert_eq!((second[0].losses, second[0].draws), (1, 1));

    let changes = store.rating_changes(game_id(2)).await.unwrap();
    let expected = [(Seat::One, 2, 1), (Seat::Two, 1, 2)];
    assert_eq!(changes.len(), 2);
    for (change, (seat, player, opponent)) in changes.into_iter().zip(expected) {
        let before = [first[1], first[0]][seat.index()].rating_at(AT + 2_000);
        let expected = RatingChange {
            game: game_id(2),
            public: true,
            player: id(player),
            seat,
            opponent: id(opponent),
            class: RAPID,
            score: Score::Drawn,
            before,
            after: second[seat.index()].rating,
            at: AT + 2_000,
        };
        assert_eq!(change, expected);
    }
    assert_eq!(store.rating_changes(game_id(3)).await.unwrap(), []);
}

async fn a_game_counts_once_however_often_it_is_handed_in(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    hand_in(&store, &mut actor, rated(1, 1, 2, RAPID, Score::Won)).await;
    let after = rating(&store, 1).await;
    hand_in(&store, &mut actor, rated(1, 1, 2, RAPID, Score::Won)).await;
    hand_in(&store, &mut actor, rated(1, 1, 2, RAPID, Score::Lost)).await;
    assert_eq!(rating(&store, 1).await, after);
    assert_eq!(store.rating_history(id(1), RAPID, 9).await.unwrap().len(), 1);
    assert_eq!(store.results_of(id(1), None, 9, Listed::Public).await.unwrap().len(), 1);
}

async fn a_batch_that_is_tried_again_counts_once(Fixture { store, faults, .. }: Fixture) {
    let mut actor = Actor::new(1);
    faults.fail_commits(true);
    let mut append = actor.next(["ended"]);
    append.result = Some(Box::new(rated(1, 1, 2, RAPID, Score::Won)));
    store.reserve().unwrap().append(append);
    is_failing(&store).await;
    assert_eq!(rating(&store, 1).await, Rating::default());
    faults.fail_commits(false);
    actor.durable_to(1).await;
    let [won, lost] = rate([Standing::default(); 2], Score::Won, AT + 1_000);
    assert_eq!([rating(&store, 1).await, rating(&store, 2).await], [won.rating, lost.rating]);
}

async fn games_of_one_batch_count_one_after_the_other(Fixture { store, faults, .. }: Fixture) {
    let (mut one, mut two) = (Actor::new(1), Actor::new(2));
    faults.hold_commits(true);
    for (actor, game) in [(&mut one, 1), (&mut two, 2)] {
        let mut append = actor.next(["ended"]);
        append.result = Some(Box::new(rated(game, 1, 1 + game, RAPID, Score::Won)));
        store.reserve().unwrap().append(append);
    }
    faults.hold_commits(false);
    one.durable_to(1).await;
    two.durable_to(1).await;
    let [first, _] = rate([Standing::default(); 2], Score::Won, AT + 1_000);
    let [second, lost] = rate([first, Standing::default()], Score::Won, AT + 2_000);
    assert_eq!([rating(&store, 1).await, rating(&store, 3).await], [second.rating, lost.rating]);
}

async fn what_meets_a_conflict_changes_no_rating(Fixture { store, .. }: Fixture) {
    let (mut first, mut second) = (Actor::new(1), Actor::new(1));
    first.append(&store, ["mine"]);
    first.durable_to(1).await;
    let mut append = second.next(["no, mine"]);
    append.result = Some(Box::new(rated(1, 1, 2, RAPID, Score::Won)));
    store.reserve().unwrap().append(append);
    second.lost().await;
    assert_eq!(rating(&store, 1).await, Rating::default());
    assert_eq!(store.results_of(id(1), None, 9, Listed::Public).await.unwrap(), []);
}

#[tokio::test]
async fn a_rating_that_cannot_be_worked_out_is_left_out_and_stops_no_table() {
    let dir = TempDir::new().unwrap();
    let store = Store::open_with(dir.path(), options(4096).0).unwrap();
    let mut actor = Actor::new(1);
    hand_in(&store, &mut actor, rated(1, 1, 2, RAPID, Score::Won)).await;
    let other = store.standing(id(2), RAPID).await.unwrap();
    let outside = rusqlite::Connection::open(dir.path().join("hexhall.db")).unwrap();
    let damage = |sql: &str, by: [String; 2]| assert!(outside.execute(sql, by).unwrap() > 0);
    let [winner, first, third] =
        [id(1).to_string(), game_id(1).to_string(), game_id(3).to_string()];
    // A row that cannot be read.
    damage("UPDATE ratings SET wins = ?2 WHERE player = ?1", [winner.clone(), "-1".to_owned()]);
    hand_in(&store, &mut actor, rated(2, 1, 2, RAPID, Score::Won)).await;
    assert_eq!(store.standing(id(2), RAPID).await.unwrap(), other);
    let listed = store.results_of(id(2), None, 1, Listed::Public).await.unwrap();
    assert_eq!((listed[0].game, listed[0].change), (game_id(2), None), "the game is over");
    // Rows that are in the way.
    damage("UPDATE ratings SET wins = ?2 WHERE player = ?1", [winner, "1".to_owned()]);
    damage("UPDATE rating_changes SET game = ?2 WHERE game = ?1", [first, third]);
    let won = store.standing(id(1), RAPID).await.unwrap();
    hand_in(&store, &mut actor, rated(3, 1, 2, RAPID, Score::Won)).await;
    assert_eq!(store.standing(id(1), RAPID).await.unwrap(), won, "all of it is left out");
    hand_in(&store, &mut actor, rated(4, 2, 3, RAPID, Score::Won)).await;
    assert_ne!(rating(&store, 2).await, other.rating, "others are rated as before");
}

async fn an_unrated_game_is_in_the_lists_and_changes_no_rating(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    hand_in(&store, &mut actor, result(1, 1, 2)).await;
    // The computer is nobody, and who plays both seats is one player.
    let house = GameResult { players: [None, Some(id(2))], ..result(2, 1, 2) };
    hand_in(&store, &mut actor, house).await;
    hand_in(&store, &mut actor, result(3, 1, 1)).await;
    let listed = async |player| {
        let rows = store.results_of(id(player), None, 9, Listed::Public).await.unwrap();
        assert!(rows.iter().all(|row| row.change.is_none()));
        rows.into_iter().map(|row| (row.game, row.seat)).collect::<Vec<_>>()
    };
    assert_eq!(listed(1).await, [(game_id(3), Seat::One), (game_id(1), Seat::One)]);
    assert_eq!(listed(2).await, [(game_id(2), Seat::Two), (game_id(1), Seat::Two)]);
    assert_eq!(store.ranked(id(1), AT).await.unwrap(), []);
    assert_eq!(store.rating_changes(game_id(1)).await.unwrap(), []);
}

async fn bots_of_one_owner_and_their_owner_change_no_rating_among_themselves(
    Fixture { store, .. }: Fixture,
) {
    let mut actor = Actor::new(1);
    for owner in [1, 2] {
        store
            .create_player(player(owner, &format!("Ada {owner}")), device(owner, owner as u8))
            .await
            .unwrap();
    }
    for (bot, owner) in [(3, 1), (4, 1), (5, 2)] {
        let row = PlayerRow { owner: Some(id(owner)), ..player(bot, &format!("Bot {bot}")) };
        store.create_bot(row, 9).await.unwrap();
    }
    for (game, (one, two)) in (1..).zip([(3, 4), (1, 3), (4, 1), (3, 5)]) {
        hand_in(&store, &mut actor, rated(game, one, two, RAPID, Score::Won)).await;
    }
    for (n, rated) in [(1, false), (4, false), (3, true), (5, true)] {
        assert_eq!(!store.ranked(id(n), AT).await.unwrap().is_empty(), rated, "player {n}");
    }
    assert_eq!(
        store.results_of(id(3), None, 9, Listed::Public).await.unwrap().len(),
        3,
        "all are listed"
    );
}

async fn a_players_games_are_listed_page_by_page(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    for n in 1..=5 {
        let game = if n == 4 { rated(n, 1, 2, RAPID, Score::Lost) } else { result(n, 1, 2) };
        hand_in(&store, &mut actor, game).await;
    }
    hand_in(&store, &mut actor, result(6, 2, 3)).await;
    let page = async |before| store.results_of(id(1), before, 2, Listed::Public).await.unwrap();
    let first = page(None).await;
    assert_eq!(first.iter().map(|row| row.game).collect::<Vec<_>>(), [5, 4].map(game_id));
    assert_eq!((first[0].finished, &first[0].summary[..]), (AT + 5_000, &b"game 5"[..]));
    let change = first[1].change.unwrap();
    assert_eq!((change.player, change.score, change.game), (id(1), Score::Lost, game_id(4)));
    let second = page(Some(game_id(4))).await;
    assert_eq!(second.iter().map(|row| row.game).collect::<Vec<_>>(), [3, 2].map(game_id));
    assert_eq!(page(Some(game_id(2))).await.len(), 1);
    assert_eq!(page(Some(game_id(1))).await, []);
}

async fn private_games_are_in_nobodys_list_but_ones_own(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    let private = GameResult { public: false, ..rated(1, 1, 2, RAPID, Score::Won) };
    hand_in(&store, &mut actor, private).await;
    hand_in(&store, &mut actor, result(2, 1, 2)).await;
    let listed = store.results_of(id(1), None, 9, Listed::Public).await.unwrap();
    assert_eq!(listed.iter().map(|row| row.game).collect::<Vec<_>>(), [game_id(2)]);
    let own = store.results_of(id(1), None, 9, Listed::All).await.unwrap();
    let own: Vec<_> = own.iter().map(|row| (row.game, row.public)).collect();
    assert_eq!(own, [(game_id(2), true), (game_id(1), false)]);
    let history = store.rating_history(id(1), RAPID, 9).await.unwrap();
    assert_eq!(history.iter().map(|change| change.public).collect::<Vec<_>>(), [false]);
}

async fn the_history_is_of_one_class_and_in_order(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    for n in 1..=4 {
        let class = if n == 2 { BLITZ } else { RAPID };
        hand_in(&store, &mut actor, rated(n, 1, 2, class, Score::Won)).await;
    }
    let games = async |class, most| {
        let history = store.rating_history(id(1), class, most).await.unwrap();
        assert!(history.windows(2).all(|two| two[0].after.value < two[1].after.value));
        history.into_iter().map(|change| change.game).collect::<Vec<_>>()
    };
    assert_eq!(games(RAPID, 9).await, [1, 3, 4].map(game_id));
    assert_eq!(games(RAPID, 2).await, [3, 4].map(game_id));
    assert_eq!(games(BLITZ, 9).await, [game_id(2)]);
    // A game that began later may be over, and count, sooner.
    for n in [6, 5] {
        hand_in(&store, &mut actor, rated(n, 1, 2, RAPID, Score::Won)).await;
    }
    assert_eq!(games(RAPID, 9).await, [1, 3, 4, 6, 5].map(game_id));
    assert_eq!(games(RAPID, 2).await, [6, 5].map(game_id));
    let classes: Vec<_> = store.ranked(id(1), AT).await.unwrap();
    assert_eq!(classes.iter().map(|it| it.class).collect::<Vec<_>>(), [BLITZ, RAPID]);
}

/// Somebody who has settled down by playing 40 games, each with somebody who never plays again, and
/// who is the better the greater `strength` is, from 1 to 20.
async fn settle(store: &Store, actor: &mut Actor, n: u64, strength: u64) {
    let row = player(n, &format!("Player {n}"));
    store.create_player(row, device(n, n as u8)).await.unwrap();
    for game in 0..40 {
        let wins = game % 2 == 0 || game >= 40 - 2 * strength;
        let score = if wins { Score::Won } else { Score::Lost };
        let mut game = rated(n * 100 + game, n, n * 1_000 + game, RAPID, score);
        game.finished = AT;
        hand_in(store, actor, game).await;
    }
}

async fn a_leaderboard_has_those_whose_rating_is_settled_and_no_longer_those_who_went(
    Fixture { store, .. }: Fixture,
) {
    let mut actor = Actor::new(1);
    for n in [1, 2] {
        settle(&store, &mut actor, n, n).await;
    }
    hand_in(&store, &mut actor, rated(1, 3, 4, RAPID, Score::Won)).await;
    let board = async |now| {
        let leaders = store.leaders(RAPID, now, 0, 9).await.unwrap();
        let places: Vec<_> =
            leaders.places.iter().map(|it| (it.rank, it.player, it.name.clone())).collect();
        assert_eq!(leaders.players, places.len() as u64);
        for place in &leaders.places {
            let ranked = store.ranked(place.player, now).await.unwrap();
            assert_eq!(ranked[0].rank, Some(place.rank));
            assert_eq!(ranked[0].standing, place.standing);
        }
        places
    };
    let all = [(1, id(2), "Player 2".to_owned()), (2, id(1), "Player 1".to_owned())];
    assert_eq!(board(AT).await, all);
    assert_eq!(store.leaders(BLITZ, AT, 0, 9).await.unwrap().players, 0);
    let provisional = store.ranked(id(3), AT).await.unwrap();
    assert_eq!((provisional.len(), provisional[0].rank), (1, None));

    assert_eq!(board(AT + ACTIVE_MS).await, all);
    assert_eq!(board(AT + ACTIVE_MS + 1).await, []);
    let gone = store.ranked(id(1), AT + ACTIVE_MS + 1).await.unwrap();
    assert_eq!((gone.len(), gone[0].rank), (1, None));
}

async fn a_leaderboard_is_had_in_pages_and_equal_ratings_share_a_place(
    Fixture { store, .. }: Fixture,
) {
    let mut actor = Actor::new(1);
    for (n, strength) in [(1, 1), (2, 2), (3, 3), (50, 2)] {
        settle(&store, &mut actor, n, strength).await;
    }
    let page = async |skip, most| {
        let leaders = store.leaders(RAPID, AT, skip, most).await.unwrap();
        assert_eq!(leaders.players, 4);
        leaders.places.iter().map(|it| (it.rank, it.player)).collect::<Vec<_>>()
    };
    let all = [(1, id(3)), (2, id(2)), (2, id(50)), (4, id(1))];
    assert_eq!(page(0, 9).await, all);
    assert_eq!(page(0, 2).await, all[..2]);
    assert_eq!(page(2, 2).await, all[2..]);
    assert_eq!(page(4, 2).await, []);
}

#[test]
fn a_settled_rating_stays_on_the_board_for_as_long_as_its_player_counts_as_active() {
    // Otherwise the second bound would never be met, and one of them would be for nothing.
    let settled = Rating { deviation: 60.0, ..Rating::default() };
    assert!(!settled.after(ACTIVE_MS).is_provisional());
    const { assert!(ACTIVE_MS > PERIOD_MS) };
}

async fn who_left_a_rated_game_is_kept_once_and_found_by_time(Fixture { store, .. }: Fixture) {
    let mut actor = Actor::new(1);
    let at = |n: u64| AT + n * 1_000;
    for n in [1, 2, 3, 3] {
        // A game that is void has no result, and may have been left all the same.
        let mut append = actor.next(["ended"]);
        append.left = Some(Left { game: game_id(n), player: id(2), other: id(1), at: at(n) });
        let last = append.first;
        store.reserve().unwrap().append(append);
        actor.durable_to(last).await;
    }
    assert_eq!(store.leaves(id(2), AT, 9).await.unwrap(), [at(1), at(2), at(3)]);
    assert_eq!(store.leaves(id(2), at(2), 9).await.unwrap(), [at(2), at(3)]);
    assert_eq!(store.leaves(id(2), AT, 1).await.unwrap(), [at(3)]);
    assert_eq!(store.leaves(id(1), AT, 9).await.unwrap(), []);
}
