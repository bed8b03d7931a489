//! A link against a server side of raw frames.

use hexhall_proto::error::Code;
use tokio::io::DuplexStream;
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use super::*;

type Raw = WebSocketStream<DuplexStream>;

/// A link, and the far end of its pipe.
async fn linked(format: Format) -> (Link<DuplexStream>, Raw) {
    let (here, there) = tokio::io::duplex(64 << 10);
    let near = WebSocketStream::from_raw_socket(here, Role::Client, None).await;
    let far = WebSocketStream::from_raw_socket(there, Role::Server, None).await;
    (Link::over(near, format), far)
}

fn done(re: u64) -> Message {
    Message::text(format!(r#"{{"re":{re},"reply":"done"}}"#))
}

#[tokio::test]
async fn replies_are_told_apart_by_number_whatever_their_order() {
    let (mut link, mut server) = linked(Format::Json).await;
    let first = link.send(Request::Lobby {}).await.unwrap();
    let second = link.send(Request::LeaveLobby {}).await.unwrap();
    assert_ne!(first, second);
    let closing = r#"{"notice":"closing","back_in_ms":5}"#;
    server.send(done(second)).await.unwrap();
    server.send(Message::text(closing)).await.unwrap();
    server.send(done(first)).await.unwrap();
    assert_eq!(link.reply_to(first).await.unwrap(), Reply::Done {});
    assert_eq!(link.reply_to(second).await.unwrap(), Reply::Done {});
    assert!(matches!(link.next().await.unwrap(), ServerFrame::Notice(_)));
}

#[tokio::test]
async fn requests_are_sent_in_the_format_of_the_link() {
    for format in [Format::Json, Format::MsgPack] {
        let (mut link, mut server) = linked(format).await;
        let id = link.send(Request::Lobby {}).await.unwrap();
        let message = server.next().await.unwrap().unwrap();
        assert_eq!(message.is_text(), format == Format::Json);
        let frame = codec::decode_request(format, &message.into_data()).unwrap();
        assert_eq!(frame, RequestFrame { id, request: Request::Lobby {} });
    }
}

#[tokio::test]
async fn a_ping_is_answered_while_somebody_reads() {
    let (mut link, mut server) = linked(Format::Json).await;
    server.send(Message::Ping("here?".into())).await.unwrap();
    server.send(done(1)).await.unwrap();
    link.next().await.unwrap();
    assert_eq!(server.next().await.unwrap().unwrap(), Message::Pong("here?".into()));
}

#[tokio::test]
async fn a_frame_of_the_other_format_or_of_no_meaning_ends_the_link() {
    for (message, why) in [
        (Message::binary(vec![0x80]), "other format"),
        (Message::text("{}"), "`re`, `event`, `lobby` and `notice`"),
        (Message::text("[1]"), "not a frame of this protocol"),
    ] {
        let (mut link, mut server) = linked(Format::Json).await;
        server.send(message).await.unwrap();
        let error = link.next().await.unwrap_err();
        assert!(matches!(error, LinkError::Frame(_)) && error.to_string().contains(why), "{error}");
    }
}

#[tokio::test]
async fn a_close_is_told_with_its_code_and_a_broken_pipe_without() {
    let (mut link, mut server) = linked(Format::Json).await;
    let frame = CloseFrame { code: CloseCode::from(4001), reason: "no answer to pings".into() };
    server.close(Some(frame)).await.unwrap();
    let error = link.next().await.unwrap_err();
    let expected = "the server closed the connection with code 4001: no answer to pings";
    assert_eq!(error.to_string(), expected);
    let (mut link, server) = linked(Format::Json).await;
    drop(server);
    assert!(matches!(link.next().await.unwrap_err(), LinkError::Closed(None)));
}

#[tokio::test]
async fn a_refused_hello_names_its_code() {
    let (mut link, mut server) = linked(Format::Json).await;
    let refusal = r#"{"re":1,"reply":"error","code":"bad_token","message":"nobody"}"#;
    server.send(Message::text(refusal)).await.unwrap();
    match link.hello(Hello::default()).await.unwrap_err() {
        LinkError::Hello(body) => assert_eq!(body.code, Code::BadToken),
        other => panic!("{other}"),
    }
}

/// What dialling comes to when the answer to the upgrade is this.
async fn dialled(answer: &'static [u8]) -> LinkError {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            request.push(stream.read_u8().await.unwrap());
        }
        stream.write_all(answer).await.unwrap();
        String::from_utf8(request).unwrap()
    });
    let error = Link::dial(&address, Format::MsgPack).await.unwrap_err();
    let request = serving.await.unwrap().to_lowercase();
    assert!(request.starts_with("get /ws http/1.1\r\n"), "{request}");
    assert!(request.contains("sec-websocket-protocol: hexhall.v1.msgpack\r\n"), "{request}");
    error
}

#[tokio::test]
async fn a_server_that_is_no_websocket_is_told_by_its_status() {
    let error = dialled(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").await;
    assert!(matches!(error, LinkError::NotUpgraded { status: 404 }), "{error}");
}

#[tokio::test]
async fn nobody_listening_is_an_error_of_the_network() {
    // A port that nobody is given.
    let address = "http://127.0.0.1:1".parse().unwrap();
    assert!(matches!(Link::dial(&address, Format::Json).await, Err(LinkError::Io(_))));
}
