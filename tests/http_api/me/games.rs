//! One's own games, which nobody else's list has all of.

use hexhall::table::handle::Command;

use super::*;

/// The ids of a page's games, and whether each was private.
fn names(page: &Value) -> Vec<(String, bool)> {
    let listed = page["games"].as_array().unwrap().iter();
    let name = |game: &Value| game["game"].as_str().unwrap().to_owned();
    listed.map(|game| (name(game), game["private"].as_bool().unwrap())).collect()
}

#[tokio::test]
async fn ones_own_games_are_listed_with_private_and_running_ones_and_nobody_else_has_those() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let nothing = json!({ "running": [], "games": [], "next": null });
    assert_eq!(ada.get("/v1/me/games").await.json(), nothing);

    let mut seats = [&ada, &bo].map(|it| hall.session_of(it.known.player.clone()));
    let mut over = Vec::new();
    for private in [false, true, false] {
        hall.time.advance(1_000);
        let (table, invitation) = seats[0].open(tiny(), private).await;
        let game = seats[1].join(table, invitation).await;
        seats[1].command(table, Command::Resign(game)).await;
        over.insert(0, (game.to_string(), private));
    }
    let (table, invitation) = seats[1].open(tiny(), true).await;
    let running = seats[0].join(table, invitation).await;
    // Nobody has joined this one.
    seats[0].open(tiny(), false).await;

    let told = ada.get("/v1/me/games").await;
    assert_eq!(told.header("cache-control"), "no-store");
    let told = told.json();
    assert_eq!(names(&told), over);
    assert_eq!(told["games"][1]["outcome"]["winner"], 1);
    assert_eq!(told["running"].as_array().unwrap().len(), 1);
    let game = &told["running"][0];
    assert_eq!(game["game"], running.to_string());
    assert_eq!(game["table"], table.to_string());
    assert_eq!((&game["own"], &game["to_move"]), (&json!([2]), &json!(1)));
    assert_eq!(game["private"], true);
    assert!(!told.to_string().contains("invitation"));

    let first = ada.get("/v1/me/games?limit=2").await.json();
    assert_eq!(names(&first), over[..2]);
    let next = first["next"].as_str().unwrap();
    assert_eq!(next, over[1].0);
    let last = ada.get(&format!("/v1/me/games?limit=2&before={next}")).await.json();
    assert_eq!((names(&last), &last["next"]), (over[2..].to_vec(), &Value::Null));
    assert_eq!(last["running"], json!([]), "the first page has those");

    let public = hall.get(&format!("/v1/players/{}/games", ada.known.player.id)).await.json();
    let public: Vec<_> = public["games"].as_array().unwrap().iter().map(|it| &it["game"]).collect();
    assert_eq!(public, [&json!(over[0].0), &json!(over[2].0)]);
    let cy = Somebody::come(&hall, Some("Cy")).await;
    assert_eq!(cy.get("/v1/me/games").await.json(), nothing);
}

#[tokio::test]
async fn a_page_of_ones_games_is_asked_for_as_any_players() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    for (query, word) in
        [("limit=0", "from 1 to 100"), ("before=me", "`me`"), ("player=me", "player")]
    {
        let got = ada.get(&format!("/v1/me/games?{query}")).await;
        let (code, message) = got.refused(StatusCode::BAD_REQUEST);
        assert_eq!(code, "bad_request");
        assert!(message.contains(word), "{message}");
    }
    let got = hall.get("/v1/me/games").await;
    assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
}
