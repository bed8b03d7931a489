//! Who may ask: tokens, cookies, and pages of other origins.

use super::*;

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn whoever_shows_nothing_or_something_that_is_nobodys_is_nobody() {
    let hall = Hall::open();
    let stranger = format!("Bearer {}", "00".repeat(32));
    let cookie = format!("hexhall={}", "00".repeat(32));
    for headers in [
        vec![],
        vec![("authorization", "Bearer nonsense")],
        vec![("authorization", stranger.as_str())],
        vec![("cookie", cookie.as_str())],
    ] {
        for path in ["/v1/me", "/v1/me/tables", "/v1/me/bots"] {
            let got = hall.ask(Method::GET, path, &headers).await;
            assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
        }
        let headers =
            [headers, vec![JSON, ("origin", "http://hex.example"), ("host", "hex.example")]];
        let got = hall.say(Method::POST, "/v1/me/recovery", &headers.concat(), "{}").await;
        assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
    }
}

#[tokio::test]
async fn a_cookie_changes_things_for_pages_of_this_origin_alone() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let cookie = format!("hexhall={}", ada.token);
    let host = ("host", "hex.example");
    let asked = async |from: &[(&str, &str)]| {
        let headers = [&[("cookie", cookie.as_str()), JSON, host], from].concat();
        hall.say(Method::POST, "/v1/me/recovery", &headers, "{}").await
    };
    for foreign in [
        &[][..],
        &[("origin", "http://evil.example")],
        &[("origin", "null")],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "http://evil.example"), ("sec-fetch-site", "same-origin")],
    ] {
        let got = asked(foreign).await;
        assert_eq!(got.refused(StatusCode::FORBIDDEN).0, "foreign_page", "{foreign:?}");
        assert_eq!(ada.get("/v1/me").await.json()["claimed"], false);
    }
    for own in [("origin", "http://hex.example"), ("sec-fetch-site", "same-origin")] {
        assert_eq!(asked(&[own]).await.status, StatusCode::CREATED);
    }
    // To read is not to change, and no other origin is let read an answer.
    let got = hall.ask(Method::GET, "/v1/me", &[("cookie", &*cookie), host]).await;
    assert_eq!(got.status, StatusCode::OK);
    assert_eq!(got.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn a_page_is_given_a_cookie_and_told_no_token() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let phrase = json!({ "phrase": ada.phrase().await }).to_string();
    let own = [JSON, ("origin", "http://hex.example"), ("host", "hex.example")];
    let kept = |got: &Got| {
        assert_eq!(got.status, StatusCode::OK, "{}", got.body);
        assert!(got.json().get("token").is_none());
        let cookie = got.header("set-cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    };
    let cookie = kept(&hall.say(Method::POST, "/v1/recover", &own, &phrase).await);
    let headers = [&own[..], &[("cookie", &*cookie)]].concat();
    let renewed = kept(&hall.say(Method::POST, "/v1/me/token", &headers, "{}").await);
    assert_ne!(renewed, cookie);
    let got = hall.ask(Method::GET, "/v1/me", &[("cookie", &*renewed)]).await;
    assert_eq!(got.json()["devices"].as_array().unwrap().len(), 2);

    let evil = [JSON, ("origin", "http://evil.example"), ("host", "hex.example")];
    let got = hall.say(Method::POST, "/v1/recover", &evil, &phrase).await;
    assert_eq!(got.refused(StatusCode::FORBIDDEN).0, "foreign_page");
    assert_eq!(got.header("set-cookie"), "");
}

#[tokio::test]
async fn what_is_not_json_or_not_what_is_asked_for_is_refused() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let bearer = format!("Bearer {}", ada.token);
    let said = async |kind: &str, body: &str| {
        let headers = [("authorization", &*bearer), ("content-type", kind)];
        hall.say(Method::POST, "/v1/me/name", &headers, body).await
    };
    for kind in ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let got = said(kind, r#"{"name":"Bo"}"#).await;
        assert_eq!(got.refused(StatusCode::UNSUPPORTED_MEDIA_TYPE).0, "not_json");
    }
    for body in ["", "{}", "[]", "{", r#"{"name":1}"#, r#"{"name":"Bo","a":1}"#, r#"{"name":"\t"}"#]
    {
        let got = said("application/json; charset=utf-8", body).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{body}");
    }
    let long = format!(r#"{{"name":"{}"}}"#, "x".repeat(5_000));
    let got = said("application/json", &long).await;
    assert_eq!(got.refused(StatusCode::PAYLOAD_TOO_LARGE).0, "too_large");
    assert_eq!(ada.get("/v1/me").await.json()["player"]["name"], "Ada");
    let got = ada.ask(Method::DELETE, "/v1/me/bots/plr_1/keys/key_1", &Value::Null).await;
    assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request");
}
