//! Tries that cannot be: each is refused for its own reason, teaches nobody anything and changes
//! nothing; and a try that is sent once more because its reply was lost is still one try.

use hexhall::accounts::Token;
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::Event;
use hexhall_proto::options::{Collision, GameKind, OptionsRequest, Preset};
use hexhall_proto::parts::Move;
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Join, Last, Open, PlayMove, Request, Watch};
use hexhall_proto::view::View;

use crate::harness::piped::{Piped, PipedPeer};
use crate::harness::venue::{Peer, Venue, payloads};

/// Two players in the dark.
struct Scene {
    house: Piped,
    tokens: [Token; 2],
    peers: [PipedPeer; 2],
    table: String,
    game: String,
}

impl Scene {
    fn new(collision: Collision) -> Scene {
        let mut house = Piped::new([5; 32]);
        let tokens = ["Ana", "Bo"].map(|name| house.player(name));
        let mut peers = tokens.each_ref().map(|token| house.session(token, Format::Json));
        let options = OptionsRequest {
            preset: Some(Preset::Custom),
            size: Some(4),
            game: Some(GameKind::Dark),
            collision: Some(collision),
            ..OptionsRequest::default()
        };
        house.ask(
            &mut peers[0],
            Request::Open(Open { options, private: false, cpu: None, party: None }),
        );
        let (reply, _) = heard(&mut house, &mut peers[0]);
        let Some(Reply::Opened { view, .. }) = reply else { panic!("{reply:?}") };
        let table = view.table;
        let join = Join { table: table.clone(), seat: None, invitation: None };
        house.ask(&mut peers[1], Request::Join(join));
        let (reply, _) = heard(&mut house, &mut peers[1]);
        let Some(Reply::Joined { view, .. }) = reply else { panic!("{reply:?}") };
        let game = view.game.expect("a game").id;
        Scene { house, tokens, peers, table, game }
    }

    fn a_try(&self, command: &str, turn: u64, cell: &str) -> Request {
        let cell = match cell {
            "off the board" => hexhall_proto::parts::Cell(4, 0),
            cell => hexhall::wire::cell(cell.parse().unwrap()),
        };
        Request::Move(PlayMove {
            table: self.table.clone(),
            game: self.game.clone(),
            command: command.into(),
            turn,
            seat: None,
            action: Move::Place(cell),
        })
    }

    fn ask(&mut self, who: usize, request: Request) -> (Reply, Vec<Event>) {
        self.house.ask(&mut self.peers[who], request);
        let (reply, events) = heard(&mut self.house, &mut self.peers[who]);
        (reply.expect("a reply"), events)
    }

    /// A try that is taken; says whether a hidden stone stood there.
    fn tries(&mut self, who: usize, turn: u64, cell: &str) -> bool {
        let asked = self.a_try(&format!("{who}-{turn}"), turn, cell);
        match self.ask(who, asked).0 {
            Reply::Moved { turn: next, collision } if next == turn + 1 => collision,
            other => panic!("{cell} was not tried: {other:?}"),
        }
    }

    /// A try that is refused.
    fn refused(&mut self, who: usize, turn: u64, cell: &str) -> ErrorBody {
        let asked = self.a_try(&format!("no-{who}-{turn}-{cell}"), turn, cell);
        match self.ask(who, asked) {
            (Reply::Error(body), events) => {
                assert_eq!(events, [], "the mover is told nothing else");
                body
            }
            (other, _) => panic!("{cell} was to be refused: {other:?}"),
        }
    }

    fn view(&mut self, who: usize) -> View {
        let watch = Watch { table: self.table.clone(), invitation: None, last: None };
        match self.ask(who, Request::Watch(watch)).0 {
            Reply::View { view } => *view,
            other => panic!("no view: {other:?}"),
        }
    }

    fn events(&mut self, who: usize) -> Vec<Event> {
        heard(&mut self.house, &mut self.peers[who]).1
    }
}

/// The last reply that has come, and the events.
fn heard(house: &mut Piped, peer: &mut PipedPeer) -> (Option<Reply>, Vec<Event>) {
    let (mut reply, mut events) = (None, Vec::new());
    let bytes = house.heard(peer);
    for payload in payloads(&bytes) {
        match decode_server(peer.format(), payload).unwrap() {
            ServerFrame::Reply(frame) => reply = Some(frame.reply),
            ServerFrame::Stream(frame) => events.push(frame.event),
            other => panic!("unasked: {other:?}"),
        }
    }
    (reply, events)
}

#[test]
fn a_try_that_cannot_be_has_its_own_refusal_teaches_nothing_and_changes_nothing() {
    for collision in [Collision::Classical, Collision::Abrupt] {
        let mut scene = Scene::new(collision);
        assert!(!scene.tries(0, 0, "b2"));
        assert!(!scene.tries(1, 1, "c3"));
        assert!(scene.tries(0, 2, "c3"));
        // After an abrupt collision it is the other's turn, who then comes upon b2.
        let turn = match collision {
            Collision::Classical => 3,
            Collision::Abrupt => {
                assert!(scene.tries(1, 3, "b2"));
                4
            }
        };
        let before = [scene.view(0), scene.view(1)];
        scene.events(1);
        let legal = before[0].game.as_ref().unwrap().legal_moves.clone();
        let known: Vec<_> = ["b2", "c3"].map(|cell| scene.refused(0, turn, cell)).into();
        for body in &known {
            assert_eq!((body.code, &body.legal_moves), (Code::Occupied, &legal), "{body:?}");
        }
        let off = scene.refused(0, turn, "off the board");
        assert_eq!((off.code, off.legal_moves), (Code::OffBoard, legal));
        assert_eq!(scene.refused(0, turn - 1, "a1").code, Code::StaleTurn);
        // Whatever stands there, and whoever's it is.
        let out_of_turn = ["a1", "b2", "c3"].map(|cell| scene.refused(1, turn, cell));
        assert_eq!(out_of_turn[0].code, Code::NotYourTurn);
        assert!(out_of_turn.iter().all(|body| *body == out_of_turn[0]), "{out_of_turn:?}");
        let stale = ["a1", "b2", "c3"].map(|cell| scene.refused(1, turn - 1, cell));
        assert!(stale.iter().all(|body| *body == stale[0]), "{stale:?}");
        assert_eq!([scene.view(0), scene.view(1)], before);
        assert_eq!(scene.events(0), []);
        assert_eq!(scene.events(1), []);
    }
}

#[test]
fn a_collision_whose_reply_was_lost_is_answered_again_and_reveals_once() {
    for collision in [Collision::Classical, Collision::Abrupt] {
        let mut scene = Scene::new(collision);
        assert!(!scene.tries(0, 0, "b2"));
        scene.events(1);
        let asked = scene.a_try("lost", 1, "b2");
        let (first, told) = scene.ask(1, asked.clone());
        assert_eq!(first, Reply::Moved { turn: 2, collision: true });
        assert_eq!(told.len(), 1, "{told:?}");
        let before = [scene.view(0), scene.view(1)];
        scene.events(0);
        // On the same connection, and on the next one.
        assert_eq!(scene.ask(1, asked.clone()), (first.clone(), Vec::new()));
        scene.peers[1] = scene.house.session(&scene.tokens[1], Format::Json);
        scene.events(1);
        let (again, told) = scene.ask(1, asked.clone());
        assert_eq!((again, told), (first.clone(), Vec::new()));
        // What is gone on from shows the collision once.
        let seq = before[1].seq - 1;
        let last = Some(Last { viewer: before[1].viewer, seq });
        let watch = Watch { table: scene.table.clone(), invitation: None, last };
        let (resumed, _) = scene.ask(1, Request::Watch(watch));
        let Reply::Resumed { events, .. } = resumed else { panic!("{resumed:?}") };
        assert_eq!(events.len(), 1);
        assert!(matches!(events[0].event, Event::Collided { cell: Some(_), turn: 2, .. }));
        assert_eq!(scene.ask(1, asked).0, first);
        // The other was told once, before.
        let told = scene.events(0);
        let told = told.iter().filter(|event| !matches!(event, Event::Presence { .. }));
        assert_eq!(told.count(), 0);
        let found = |view: &View| view.game.as_ref().unwrap().found.clone();
        let after = [scene.view(0), scene.view(1)];
        assert_eq!(found(&after[1]), found(&before[1]));
        assert_eq!(
            after.map(|view| (view.seq, view.game)),
            before.map(|view| (view.seq, view.game))
        );
    }
}
