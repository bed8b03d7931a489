//! Somebody at the far end of a real socket, who keeps what they are told and believes none of it:
//! every event must be the next of its stream and fit the copy that came of those before.

use std::collections::{HashMap, VecDeque};

use hexhall::game::Cell;
use hexhall::remote::{Address, Link, LinkError, TableCopy};
use hexhall::wire;
use hexhall_proto::codec::Format;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::{Event, LobbyEvent, Notice, StreamFrame};
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::parts::{Clocks, Move, OfferKind, Player};
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame, Welcome};
use hexhall_proto::request::{
    self, AnswerOffer, GameCommand, Hello, Join, MakeOffer, Open, PlayMove, Request, Watch,
};
use hexhall_proto::view::View;
use tokio::net::TcpStream;

use super::patiently;

/// A guest of a server.
pub struct Guest {
    /// Who the server says they are.
    pub player: Player,
    /// How they are known again.
    pub token: String,
    /// What came unasked and was not looked at yet, in order.
    pub told: VecDeque<ServerFrame>,
    format: Format,
    /// None after hanging up.
    link: Option<Link<TcpStream>>,
    copies: HashMap<String, TableCopy>,
    commands: u64,
}

impl Guest {
    /// Somebody new.
    pub async fn arrive(at: &Address, format: Format, name: &str) -> Guest {
        let mut link = patiently("a connection", Link::dial(at, format)).await.unwrap();
        let hello = Hello { token: None, name: Some(name.into()) };
        let welcome = match patiently("a welcome", link.hello(hello)).await {
            // Where somebody goes by that name, any will do.
            Err(LinkError::Hello(refused)) if refused.suggestion.is_some() => {
                let hello = Hello { token: None, name: refused.suggestion };
                patiently("a welcome", link.hello(hello)).await
            }
            answer => answer,
        };
        Guest::welcomed(link, format, welcome.unwrap(), None)
    }

    /// Says hello over a connection that is there already.
    pub async fn over(mut link: Link<TcpStream>, format: Format, hello: Hello) -> Guest {
        let known = hello.token.clone();
        let welcome = patiently("a welcome", link.hello(hello)).await.unwrap();
        Guest::welcomed(link, format, welcome, known)
    }

    fn welcomed(
        link: Link<TcpStream>,
        format: Format,
        welcome: Welcome,
        known: Option<String>,
    ) -> Guest {
        Guest {
            player: welcome.player,
            token: welcome.token.or(known).unwrap(),
            told: VecDeque::new(),
            format,
            link: Some(link),
            copies: HashMap::new(),
            commands: 0,
        }
    }

    /// The same player in another tab.
    pub async fn other_tab(&self, at: &Address, format: Format) -> Guest {
        let link = patiently("a connection", Link::dial(at, format)).await.unwrap();
        let mut tab =
            Guest::over(link, format, Hello { token: Some(self.token.clone()), name: None }).await;
        // The tabs name their commands apart.
        tab.commands = self.commands + 1_000_000;
        tab
    }

    /// Connects again, as after a lost connection; the copies stay as they were.
    pub async fn come_back(&mut self, at: &Address) {
        let mut link = patiently("a connection", Link::dial(at, self.format)).await.unwrap();
        let hello = Hello { token: Some(self.token.clone()), name: None };
        let welcome = patiently("a welcome", link.hello(hello)).await.unwrap();
        assert_eq!(welcome.player, self.player);
        self.token = welcome.token.unwrap_or(std::mem::take(&mut self.token));
        self.link = Some(link);
    }

    /// Loses the connection.
    pub fn hang_up(&mut self) {
        self.link = None;
    }

    /// Whether they have a connection, as far as they know.
    pub fn is_connected(&self) -> bool {
        self.link.is_some()
    }

    fn link(&mut self) -> &mut Link<TcpStream> {
        self.link.as_mut().expect("a connection")
    }

    /// Sends a request without waiting for its reply.
    pub async fn send(&mut self, request: Request) -> u64 {
        self.link().send(request).await.unwrap()
    }

    /// Waits for the reply to a request.
    pub async fn reply(&mut self, id: u64) -> Reply {
        let ReplyFrame { re, reply } = self.some_reply().await;
        assert_eq!(re, Some(id), "the reply to another request: {reply:?}");
        reply
    }

    /// Waits for a reply to any request: those for several tables come in any order.
    pub async fn some_reply(&mut self) -> ReplyFrame {
        loop {
            if let Some(frame) = self.read("a reply").await {
                return frame;
            }
        }
    }

    /// Asks something, and takes in what the answer tells of a table.
    pub async fn ask(&mut self, request: Request) -> Reply {
        let id = self.send(request).await;
        self.reply(id).await
    }

    /// Asks something that is to be done.
    pub async fn done(&mut self, request: Request) {
        assert_eq!(self.ask(request).await, Reply::Done {});
    }

    /// Asks something that is to be refused.
    pub async fn refused(&mut self, request: Request) -> ErrorBody {
        match self.ask(request.clone()).await {
            Reply::Error(body) => body,
            other => panic!("{request:?} was to be refused, and was answered {other:?}"),
        }
    }

    /// Opens a public table and says which it is.
    pub async fn open(&mut self, options: OptionsRequest) -> String {
        self.open_with(Open { options, ..Open::default() }).await.0
    }

    /// Opens a table, and says which it is and its invitation.
    pub async fn open_with(&mut self, open: Open) -> (String, Option<String>) {
        match self.ask(Request::Open(open)).await {
            Reply::Opened { invitation, view } => (view.table, invitation),
            other => panic!("not opened: {other:?}"),
        }
    }

    /// Takes a free seat.
    pub async fn join(&mut self, table: &str) {
        let join = Join { table: table.into(), seat: None, invitation: None };
        let reply = self.ask(Request::Join(join)).await;
        assert!(matches!(reply, Reply::Joined { .. }), "{reply:?}");
    }

    /// Follows a table from a whole view, which is handed back.
    pub async fn watch(&mut self, table: &str) -> View {
        let watch = Watch { table: table.into(), invitation: None, last: None };
        match self.ask(Request::Watch(watch)).await {
            Reply::View { view } => *view,
            other => panic!("no view: {other:?}"),
        }
    }

    /// Goes on following a table after a break, and says what was answered.
    pub async fn resume(&mut self, table: &str) -> Reply {
        let last = Some(self.copy(table).last());
        self.ask(Request::Watch(Watch { table: table.into(), invitation: None, last })).await
    }

    /// What is known of a table.
    pub fn copy(&self, table: &str) -> &TableCopy {
        self.copies.get(table).unwrap_or_else(|| panic!("{table} is not followed"))
    }

    /// Both clocks of a table, as last told.
    pub fn clocks(&self, table: &str) -> Clocks {
        self.copy(table).game().unwrap().clocks.clone().unwrap()
    }

    /// A command about the table's game, under a name of its own.
    pub fn command(&mut self, table: &str) -> GameCommand {
        let game = self.copy(table).game().expect("a game was begun").id.clone();
        GameCommand { table: table.into(), game, command: self.command_name() }
    }

    /// A name that no other command of this guest has.
    pub fn command_name(&mut self) -> String {
        self.commands += 1;
        format!("c-{}", self.commands)
    }

    /// A move in answer to the turn that is known.
    pub fn action(&mut self, table: &str, action: Move) -> PlayMove {
        let turn = self.copy(table).turn().expect("a game was begun");
        let GameCommand { table, game, command } = self.command(table);
        PlayMove { table, game, command, turn, action, seat: None }
    }

    /// A stone on a cell, in answer to the turn that is known.
    pub fn stone(&mut self, table: &str, cell: &str) -> PlayMove {
        let cell: Cell = cell.parse().unwrap();
        self.action(table, Move::Place(wire::cell(cell)))
    }

    /// Places a stone as soon as it is this guest's turn, and waits until that is told.
    pub async fn play(&mut self, table: &str, cell: &str) {
        let seat = self.copy(table).seat().expect("a seat");
        self.until(table, "one's turn", |copy| copy.to_move() == Some(seat)).await;
        let stone = self.stone(table, cell);
        let (game, turn) = (stone.game.clone(), stone.turn + 1);
        assert_eq!(self.ask(Request::Move(stone)).await, Reply::Moved { turn, collision: false });
        let told =
            |copy: &TableCopy| copy.game().is_none_or(|now| now.id != game || now.turn >= turn);
        self.until(table, "one's own move", told).await;
    }

    /// Proposes something, and says under which number.
    pub async fn offer(&mut self, table: &str, kind: OfferKind) -> u64 {
        let offer = self.proposal(table, kind);
        match self.ask(Request::Offer(offer)).await {
            Reply::Offered { offer } => offer,
            other => panic!("not offered: {other:?}"),
        }
    }

    /// The request that [`Guest::offer`] sends.
    pub fn proposal(&mut self, table: &str, kind: OfferKind) -> MakeOffer {
        let GameCommand { table, game, command } = self.command(table);
        MakeOffer { table, game, command, kind }
    }

    /// Agrees to an offer, or refuses it.
    pub fn answer(&mut self, table: &str, offer: u64, accept: bool) -> Request {
        let (table, command) = (table.into(), self.command_name());
        Request::Answer(AnswerOffer { table, command, offer, accept })
    }

    /// Goes for good.
    pub async fn leave(&mut self, table: &str) {
        self.done(Request::Leave(request::Table { table: table.into() })).await;
    }

    /// Waits until the table is as wished.
    pub async fn until(
        &mut self,
        table: &str,
        what: &str,
        wished: impl Fn(&TableCopy) -> bool,
    ) -> TableCopy {
        while !wished(self.copy(table)) {
            self.read_unasked(what).await;
        }
        self.copy(table).clone()
    }

    /// The next event of that kind at a table; those before it are dropped.
    pub async fn hears(
        &mut self,
        table: &str,
        what: &str,
        wanted: impl Fn(&Event) -> bool,
    ) -> StreamFrame {
        loop {
            match self.next_told(what).await {
                ServerFrame::Stream(frame) if frame.table == table && wanted(&frame.event) => {
                    return frame;
                }
                _ => {}
            }
        }
    }

    /// The next change of the list of tables; what comes before it is dropped.
    pub async fn hears_of_list(&mut self, what: &str) -> LobbyEvent {
        loop {
            match self.next_told(what).await {
                // Who comes and goes is told whenever it happens to be.
                ServerFrame::Lobby(LobbyEvent::Online { .. }) => {}
                ServerFrame::Lobby(event) => return event,
                _ => {}
            }
        }
    }

    /// The next event of the lobby that is wanted; those before it are dropped.
    pub async fn hears_of_lobby<T>(
        &mut self,
        what: &str,
        wanted: impl Fn(&LobbyEvent) -> Option<T>,
    ) -> T {
        loop {
            if let ServerFrame::Lobby(event) = self.next_told(what).await
                && let Some(found) = wanted(&event)
            {
                return found;
            }
        }
    }

    /// Reads until the server closes the connection, and says with which code and what notice.
    pub async fn closed(&mut self) -> (Option<u16>, Vec<Notice>) {
        let mut notices = Vec::new();
        loop {
            match patiently("the end of the connection", self.link().next()).await {
                Ok(ServerFrame::Notice(notice)) => notices.push(notice),
                Ok(frame) => drop(self.take(frame)),
                Err(LinkError::Closed(why)) => {
                    return (why.map(|frame| frame.code.into()), notices);
                }
                Err(error) => panic!("the connection broke: {error}"),
            }
        }
    }

    async fn next_told(&mut self, what: &str) -> ServerFrame {
        loop {
            match self.told.pop_front() {
                Some(frame) => return frame,
                None => self.read_unasked(what).await,
            }
        }
    }

    async fn read_unasked(&mut self, what: &str) {
        if let Some(reply) = self.read(what).await {
            panic!("a reply that nobody waits for, in place of {what}: {reply:?}");
        }
    }

    /// Reads one frame; a reply is handed back.
    async fn read(&mut self, what: &str) -> Option<ReplyFrame> {
        let frame = patiently(what, self.link().next()).await;
        let frame = frame.unwrap_or_else(|error| panic!("in place of {what}: {error}"));
        self.take(frame)
    }

    fn take(&mut self, frame: ServerFrame) -> Option<ReplyFrame> {
        match frame {
            ServerFrame::Reply(frame) => {
                self.take_reply(&frame.reply);
                return Some(frame);
            }
            ServerFrame::Stream(ref event) => {
                let name = &self.player.name;
                if let Some(copy) = self.copies.get_mut(&event.table) {
                    let applied = copy.apply(event);
                    applied.unwrap_or_else(|error| panic!("{name}: {error}: {event:?}"));
                }
                self.told.push_back(frame);
            }
            ServerFrame::Lobby(_) | ServerFrame::Notice(_) => self.told.push_back(frame),
        }
        None
    }

    fn take_reply(&mut self, reply: &Reply) {
        match reply {
            Reply::Opened { view, .. } | Reply::Joined { view, .. } | Reply::View { view } => {
                if let Some(copy) =
                    self.copies.get(&view.table).filter(|c| c.viewer() == view.viewer)
                {
                    assert!(copy.seq() <= view.seq, "a stream never goes back");
                }
                self.copies.insert(view.table.clone(), TableCopy::new(View::clone(view)));
            }
            Reply::Resumed { table, viewer, events, plan, .. } => {
                let copy = self.copies.get_mut(table).expect("only what was followed is resumed");
                copy.apply_run(*viewer, events).unwrap();
                copy.set_plan(plan.clone());
                self.told.extend(events.iter().cloned().map(ServerFrame::Stream));
            }
            _ => {}
        }
    }
}

/// Refuses, and holds the code against the one expected.
pub async fn refused_with(guest: &mut Guest, code: Code, request: Request) -> ErrorBody {
    let body = guest.refused(request.clone()).await;
    assert_eq!(body.code, code, "{request:?}: {body:?}");
    assert!(!body.message.is_empty());
    body
}
