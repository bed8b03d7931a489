//! What is reported, and what is refused of it.

use hexhall::ids::ReportId;
use hexhall::store::Reason;

use super::*;

fn id(of: &Somebody<'_>) -> String {
    of.known.player.id.to_string()
}

fn about(of: &Somebody<'_>) -> Value {
    json!({ "player": id(of), "reason": "spam" })
}

fn made(got: &Got) -> ReportId {
    assert_eq!(got.status, StatusCode::CREATED, "{}", got.body);
    got.json()["id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_report_is_kept_as_it_was_made() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let text = " calls me names\n and others ";
    let body = json!({ "player": id(&eve), "reason": "other", "text": text, "table": null });
    let got = ada.post("/v1/reports", body).await;
    assert_eq!(got.header("cache-control"), "no-store");
    let kept = hall.store.report(made(&got)).await.unwrap().unwrap();
    assert_eq!(kept.lines, []);
    let report = kept.report;
    assert_eq!((report.by.id, report.about.id), (ada.known.player.id, eve.known.player.id));
    assert_eq!((report.reason, report.table, report.settled), (Reason::Other, None, None));
    assert_eq!(report.text.as_deref(), Some("calls me names\n and others"));
    for (reason, read) in [
        ("abuse", Reason::Abuse),
        ("cheating", Reason::Cheating),
        ("name", Reason::Name),
        ("spam", Reason::Spam),
    ] {
        let other = Somebody::come(&hall, None).await;
        let body = json!({ "player": id(&other), "reason": reason });
        let got = ada.post("/v1/reports", body).await;
        assert_eq!(hall.store.report(made(&got)).await.unwrap().unwrap().report.reason, read);
    }
}

#[tokio::test]
async fn what_is_no_report_is_refused_and_counts_for_nothing() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let (own, eves) = (id(&ada), id(&eve));
    let nobody = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let nowhere = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let malformed = [
        json!({}),
        json!([]),
        json!({ "player": eves }),
        json!({ "reason": "spam" }),
        json!({ "player": eves, "reason": "rude" }),
        json!({ "player": eves, "reason": "Spam" }),
        json!({ "player": "Eve", "reason": "spam" }),
        json!({ "player": nowhere, "reason": "spam" }),
        json!({ "player": own, "reason": "spam" }),
        json!({ "player": eves, "reason": "spam", "table": eves }),
        json!({ "player": eves, "reason": "spam", "table": 7 }),
        json!({ "player": eves, "reason": "spam", "text": 7 }),
        json!({ "player": eves, "reason": "spam", "text": "x".repeat(501) }),
        json!({ "player": eves, "reason": "spam", "text": "a\u{202e}b" }),
        json!({ "player": eves, "reason": "other" }),
        json!({ "player": eves, "reason": "other", "text": " \n" }),
        json!({ "player": eves, "reason": "spam", "lines": [] }),
    ];
    for body in malformed {
        let got = ada.post("/v1/reports", body.clone()).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{body}");
    }
    let body = json!({ "player": eves, "reason": "spam", "text": "x".repeat(5_000) });
    let got = ada.post("/v1/reports", body).await;
    assert_eq!(got.refused(StatusCode::PAYLOAD_TOO_LARGE).0, "too_large");
    let got = ada.post("/v1/reports", json!({ "player": nobody, "reason": "spam" })).await;
    assert_eq!(got.refused(StatusCode::NOT_FOUND).0, "unknown_player");
    let body = json!({ "player": eves, "reason": "spam", "table": nowhere });
    let got = ada.post("/v1/reports", body).await;
    assert_eq!(got.refused(StatusCode::NOT_FOUND).0, "unknown_table");
    let bearer = format!("Bearer {}", ada.token);
    let plain = [("authorization", &*bearer), ("content-type", "text/plain")];
    let got = hall.say(Method::POST, "/v1/reports", &plain, &about(&eve).to_string()).await;
    assert_eq!(got.refused(StatusCode::UNSUPPORTED_MEDIA_TYPE).0, "not_json");
    let json = [("content-type", "application/json")];
    let got = hall.say(Method::POST, "/v1/reports", &json, &about(&eve).to_string()).await;
    assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
    assert_eq!(hall.store.reports(false, None, 99).await.unwrap(), []);
    made(&ada.post("/v1/reports", about(&eve)).await);

    let bot = ada.bot("Deep Ada").await;
    let key = ada.post(&format!("/v1/me/bots/{bot}/keys"), json!({ "label": "k" })).await.json();
    let token = key["secret"].as_str().unwrap().to_owned();
    let bot = Somebody { token, known: ada.known.clone(), ..ada };
    let got = bot.post("/v1/reports", about(&eve)).await;
    assert_eq!(got.refused(StatusCode::FORBIDDEN).0, "not_for_bots");
}

#[tokio::test]
async fn a_player_is_reported_again_once_the_first_report_is_settled() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let first = made(&ada.post("/v1/reports", about(&eve)).await);
    let got = ada.post("/v1/reports", about(&eve)).await;
    assert_eq!(got.refused(StatusCode::CONFLICT).0, "already_reported");
    made(&bo.post("/v1/reports", about(&eve)).await);
    made(&ada.post("/v1/reports", about(&bo)).await);
    hall.store.settle_report(first, 1, "the operator".into(), "warned".into()).await.unwrap();
    let second = made(&ada.post("/v1/reports", about(&eve)).await);
    assert_ne!(second, first);
    let got = ada.post("/v1/reports", about(&eve)).await;
    assert_eq!(got.refused(StatusCode::CONFLICT).0, "already_reported");
}

#[tokio::test]
async fn ten_reports_an_hour_are_enough_and_fifty_open_ones() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let mut last = None;
    for n in 0..50 {
        let other = Somebody::come(&hall, None).await;
        if n > 0 && n % 10 == 0 {
            let got = ada.post("/v1/reports", about(&other)).await;
            assert_eq!(got.refused(StatusCode::TOO_MANY_REQUESTS).0, "rate_limited");
            assert_eq!(got.header("retry-after"), "360", "a tenth of an hour");
            hall.time.advance(3_600_000);
        }
        last = Some(made(&ada.post("/v1/reports", about(&other)).await));
    }
    hall.time.advance(3_600_000);
    let other = Somebody::come(&hall, None).await;
    let got = ada.post("/v1/reports", about(&other)).await;
    assert_eq!(got.refused(StatusCode::CONFLICT).0, "too_many");
    let settled = hall.store.settle_report(last.unwrap(), 1, "me".into(), "nothing".into());
    settled.await.unwrap();
    made(&ada.post("/v1/reports", about(&other)).await);
}
