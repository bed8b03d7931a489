//! Whoever asks for something and hangs up before it is answered: what they asked for is done all
//! the same, with all that comes of it.

use std::pin::pin;

use futures_util::FutureExt;

use super::*;

/// Asks while the disk is slow, and hangs up before the answer.
async fn ask_and_hang_up(hall: &Hall, asking: impl Future<Output = Got>) {
    hall.faults.hold_commits(true);
    {
        let mut asking = pin!(asking);
        for _ in 0..50 {
            assert!(asking.as_mut().now_or_never().is_none(), "it waits for the disk");
            tokio::task::yield_now().await;
        }
    }
    hall.faults.hold_commits(false);
}

#[tokio::test]
async fn a_key_that_is_revoked_ends_its_sessions() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let keys = format!("/v1/me/bots/{}/keys", ada.bot("Adabot").await);
    let made = ada.post(&keys, json!({ "label": "at home" })).await.json();
    let secret: Token = made["secret"].as_str().unwrap().parse().unwrap();
    let bot = hall.accounts.by_token(&secret).await.unwrap().unwrap();
    let mut there = hall.session_of(bot.player.clone());
    let _there = hall.live.enter(there.session.clone(), bot.credential);

    let key = format!("{keys}/{}", bot.credential);
    ask_and_hang_up(&hall, ada.ask(Method::DELETE, &key, &Value::Null)).await;
    assert_eq!(there.drain.next_ready(), Some(Outgoing::End(CloseCode::SignedOut)));
    assert_eq!(hall.accounts.by_token(&secret).await.unwrap(), None);
}

#[tokio::test]
async fn a_new_name_is_that_of_ones_sessions() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let session = hall.session_of(ada.known.player.clone()).session;
    let _there = hall.live.enter(session.clone(), ada.known.credential);
    ask_and_hang_up(&hall, ada.post("/v1/me/name", json!({ "name": "Countess" }))).await;
    assert_eq!(&*session.player_now().name, "Countess");
}
