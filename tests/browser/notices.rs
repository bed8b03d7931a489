//! What the operator has one told, and a ban, as the page shows them. A script in the page puts the
//! operator's words among those of the server, which has none of its own to say here.

use super::*;

/// Puts `window.notices` into each welcome, or answers `hello` as `window.ban` says; `told` and
/// `ended` are a frame, and the end of the connection. What is asked about notices is kept.
const OPERATOR: &str = "
    const kept = (name) => JSON.parse(sessionStorage.getItem(name) ?? 'null');
    const Socket = WebSocket;
    window.sockets = 0;
    window.WebSocket = class extends Socket {
        constructor(...to) {
            super(...to);
            window.sockets += 1;
        }
        set onmessage(heard) {
            const hear = (frame) => heard({ data: JSON.stringify(frame) });
            window.told = hear;
            super.onmessage = ({ data }) => {
                const frame = JSON.parse(data);
                if (frame.reply !== 'welcome') hear(frame);
                else if (kept('ban')) hear({ re: frame.re, reply: 'error', ...kept('ban') });
                else hear({ ...frame, notices: kept('notices') ?? [] });
            };
        }
        set onclose(ends) {
            window.ended = (code) => ends({ code });
            super.onclose = ends;
        }
    };
    const ask = window.fetch;
    window.read = [];
    window.fetch = async (path, asked) => {
        if (path.startsWith('/v1/me/notices/')) {
            window.read.push(`${asked.method} ${path.split('/').at(-1)}`);
            return new Response(null, { status: 204 });
        }
        const ban = path === '/v1/me' && kept('ban');
        if (!ban) return ask(path, asked);
        const head = { 'retry-after': String(ban.retry_ms / 1000) };
        return new Response(JSON.stringify({ code: ban.code, message: ban.message }), { status: 403, headers: head });
    };
";

#[tokio::test]
async fn notices_are_read_one_after_another_and_acknowledged_at_the_server() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let anna = Person::arrive(&driver, "Anna", Screen::Small, &lobby).await;
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OPERATOR })).await;
    let waiting = "sessionStorage.setItem('notices', JSON.stringify([
        { id: 'ntc_2', kind: 'muted', text: 'Insults at a table.', at_ms: 1780000060000, until_ms: 1780003600000 },
        { id: 'ntc_1', kind: 'warning', text: 'Mind your words.', at_ms: 1780000000000 },
    ]))";
    anna.reads(waiting).await;
    anna.reload().await;
    anna.sees("seen('notice') && text('notice-title') === 'A warning from the operator'").await;
    anna.sees("text('notice-text') === 'Mind your words.'").await;
    anna.pictures("23-notice").await;
    anna.presses([Key::Escape]).await;
    anna.sees("seen('notice')").await;
    anna.clicks("notice-read").await;
    anna.sees("text('notice-title').startsWith('You are muted until ')").await;
    anna.clicks("notice-read").await;
    anna.sees("!seen('notice')").await;
    assert_eq!(anna.reads("window.read").await, json!(["DELETE ntc_1", "DELETE ntc_2"]));

    // One that comes while one is there, and one that was read already.
    let live =
        "{ id: 'ntc_3', kind: 'unmuted', text: 'It was long enough.', at_ms: 1780000120000 }";
    anna.reads(&format!("(told({{ notice: 'personal', personal: {live} }}), true)")).await;
    anna.sees("seen('notice') && text('notice-title') === 'You may speak again'").await;
    anna.clicks("notice-read").await;
    anna.sees("!seen('notice')").await;
    anna.reads("(dispatchEvent(new Event('pagehide')), dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })), true)").await;
    anna.sees("text('connection') === 'online'").await;
    assert_eq!(anna.reads("seen('notice')").await, false);
}

/// The cells that are on the screen and under something else.
const COVERED: &str = "[...document.querySelectorAll('[data-cell]')].filter((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top && !one('board').contains(top);
}).length";

#[tokio::test]
async fn a_notice_stands_beside_the_board_while_a_game_runs_and_opens_when_it_is_over() {
    let hall = Hall::open();
    let driver = Driver::start();
    let (anna, bert) = two(&driver, &hall.url("/"), [Screen::Picture, Screen::Small]).await;
    for person in [&anna, &bert] {
        let source = json!({ "source": OPERATOR });
        person.devtools("Page.addScriptToEvaluateOnNewDocument", source).await;
        person.reload().await;
    }
    let table = sit_down(&anna, &bert).await;
    let warning =
        "{ id: 'ntc_1', kind: 'warning', text: 'Mind your words.', at_ms: 1780000000000 }";
    let told = format!("(told({{ notice: 'personal', personal: {warning} }}), true)");
    for person in [&anna, &bert] {
        // As far down as a phone goes, the board is at the head of the screen.
        person.reads("(one('board').scrollIntoView({ block: 'start' }), true)").await;
        person.reads(&told).await;
        person.sees("text('toast')?.startsWith('A warning from the operator.')").await;
        assert_eq!(person.reads(COVERED).await, 0, "the board is covered");
        person.pictures("23-toast-beside").await;
        person.reads("(one('notice').scrollIntoView({ block: 'center' }), true)").await;
        person.sees("seen('notice') && !document.querySelector('dialog[open]')").await;
        person.pictures("23-notice-beside").await;
    }
    table.play(&["d4".to_owned(), "e5".to_owned()], 0).await;
    table.all_see("stones() === 2 && text('notice-text') === 'Mind your words.'").await;

    // Read where it stands, it is gone; not read, it opens once there is no game to cover.
    anna.clicks("notice-read").await;
    anna.sees("!seen('notice')").await;
    assert_eq!(anna.reads("window.read").await, json!(["DELETE ntc_1"]));
    bert.clicks("resign").await;
    bert.clicks("confirm-yes").await;
    bert.sees("document.querySelector('dialog[open]')?.contains(one('notice'))").await;
    // A game that begins puts it aside again.
    anna.clicks("rematch").await;
    bert.sees("one('accept')").await;
    bert.reads("(one('accept').click(), true)").await;
    bert.sees("seen('notice') && !document.querySelector('dialog[open]')").await;
    bert.clicks("notice-read").await;
    bert.sees("!seen('notice')").await;
    table.complain_of(&[]).await;
}

#[tokio::test]
async fn whoever_is_banned_is_told_why_and_until_when_and_not_connected_again() {
    let hall = Hall::open();
    let driver = Driver::start();
    let lobby = hall.url("/");
    let anna = Person::arrive(&driver, "Anna", Screen::Small, &lobby).await;
    anna.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": OPERATOR })).await;
    anna.reload().await;
    let ban =
        "{ code: 'banned', message: 'you are banned for 2 days: insults', retry_ms: 172800000 }";
    anna.reads(&format!("sessionStorage.setItem('ban', JSON.stringify({ban}))")).await;
    anna.reads("(ended(4008), true)").await;
    let told = "text('gone')?.includes('You are banned for 2 days: insults. You can come back ')";
    anna.sees(told).await;
    anna.sees("text('connection') === 'banned' && !seen('connection-banner') && !seen('name')")
        .await;
    anna.pictures("23-banned").await;
    assert_eq!(anna.reads("window.sockets").await, 1, "the page connected again by itself");

    anna.reads("(document.querySelector('.brand').click(), true)").await;
    anna.sees(told).await;
    // Asked for, it is tried once: refused, and once the ban is over, let in.
    anna.clicks("again").await;
    anna.sees(&format!("window.sockets === 2 && {told} && text('connection') === 'banned'")).await;
    anna.reads("(sessionStorage.removeItem('ban'), true)").await;
    anna.clicks("again").await;
    anna.sees("text('connection') === 'online' && seen('open-table') && seen('name')").await;
}
