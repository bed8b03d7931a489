//! Every house rule of every preset, as the server tells them, played over sockets: each value of each
//! option opens a table at least once, which says that it is played by it, and whose game is played.

mod covering;

use hexhall_proto::codec::Format;
use hexhall_proto::options::{Collision, Goal, OptionsRequest, Swap};
use hexhall_proto::parts::{Cell, EndedBy, Move, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Lift, Open, PlayMove, Request, Resign};
use jsonschema::Validator;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{FORMATS, Guest, Hall, Setup, get};
use covering::covering;

/// How many tables are played at, at once.
const PAIRS: usize = 8;

/// Boards of up to so many cells are played to the end.
const SMALL: usize = 9;

/// How many moves others have before somebody resigns.
const MOVES: usize = 4;

/// A table to play at, and what its preset fills in.
struct Wanted {
    request: Value,
    defaults: Value,
}

#[tokio::test]
async fn every_house_rule_of_every_preset_is_played() {
    let hall = Hall::start(Setup::by_hand()).await;
    let (status, body) = get(&hall.address(), "/v1/presets").await;
    assert_eq!(status, 200, "{body}");
    let list: Value = serde_json::from_str(&body).unwrap();
    let mut wanted = Vec::new();
    for rules in list["presets"].as_array().unwrap() {
        let validator = jsonschema::draft202012::new(&rules["schema"]).unwrap();
        let requests = covering(&rules["schema"], &validator);
        assert!(requests.len() > 20, "{} of {}", requests.len(), rules["preset"]);
        wanted.extend(requests.into_iter().map(|request| Wanted {
            request: on_a_small_board(request, &validator),
            defaults: rules["defaults"].clone(),
        }));
    }

    let mut shares: Vec<Vec<Wanted>> = (0..PAIRS).map(|_| Vec::new()).collect();
    for (number, wanted) in wanted.into_iter().enumerate() {
        shares[number % PAIRS].push(wanted);
    }
    let mut pairs = JoinSet::new();
    for (number, share) in shares.into_iter().enumerate() {
        let (address, format) = (hall.address(), FORMATS[number % FORMATS.len()]);
        pairs.spawn(async move {
            let mut pair = [
                Guest::arrive(&address, format, &format!("Ana {number}")).await,
                Guest::arrive(&address, format, &format!("Bo {number}")).await,
            ];
            for wanted in share {
                play(&mut pair, &wanted).await;
            }
        });
    }
    pairs.join_all().await;
}

#[tokio::test]
async fn what_the_schema_of_a_preset_refuses_opens_no_table() {
    let hall = Hall::start(Setup::by_hand()).await;
    let (_, body) = get(&hall.address(), "/v1/presets").await;
    let list: Value = serde_json::from_str(&body).unwrap();
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut refused = 0;
    for rules in list["presets"].as_array().unwrap() {
        let validator = jsonschema::draft202012::new(&rules["schema"]).unwrap();
        // What other presets allow and this one does not.
        for other in list["presets"].as_array().unwrap() {
            let theirs = jsonschema::draft202012::new(&other["schema"]).unwrap();
            for mut request in covering(&other["schema"], &theirs) {
                request["preset"] = rules["preset"].clone();
                if validator.is_valid(&request) {
                    continue;
                }
                let options = serde_json::from_value(request).unwrap();
                let open = Open { options, ..Default::default() };
                ana.refused(Request::Open(open)).await;
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

/// The request for a board that is soon full, where it leaves the board open.
fn on_a_small_board(mut request: Value, validator: &Validator) -> Value {
    for side in [3, 7] {
        let mut smaller = request.clone();
        smaller["size"] = json!(side);
        if request.get("size").is_none() && validator.is_valid(&smaller) {
            request = smaller;
        }
    }
    request
}

/// Opens the table and plays a short game at it.
async fn play(pair: &mut [Guest; 2], wanted: &Wanted) {
    let options: OptionsRequest = serde_json::from_value(wanted.request.clone()).unwrap();
    let device = options.pass_and_play == Some(true);
    let table = pair[0].open(options).await;
    let table = table.as_str();
    if !device {
        pair[1].join(table).await;
    }
    let seated = if device { 1 } else { 2 };
    for guest in &mut pair[..seated] {
        guest.until(table, "the game", |copy| copy.game().is_some()).await;
    }
    let told = json!(pair[0].copy(table).view().options);
    is_as_wanted(&told, wanted);

    let mut game = Playing { pair, table, device };
    game.moves(&wanted.request).await;
    for guest in &mut pair[..seated] {
        guest.until(table, "the end", |copy| copy.outcome().is_some()).await;
        guest.leave(table).await;
    }
}

/// That the table is played by what was asked, and by the preset's defaults for the rest.
fn is_as_wanted(told: &Value, wanted: &Wanted) {
    let Wanted { request, defaults } = wanted;
    for (name, value) in request.as_object().unwrap() {
        let shown = if name == "size" { &told["rows"] } else { &told[name] };
        // What goes without saying is not said.
        let unsaid = [json!(false), json!(0), json!("hex")].contains(value) && shown.is_null();
        assert!(shown == value || unsaid, "{request} came to {told}");
    }
    for name in ["goal", "random_stones", "time", "first_move_s", "first_move", "rated"] {
        if request.get(name).is_none() {
            assert_eq!(told[name], defaults[name], "{name} of {request}");
        }
    }
}

/// A game under way.
struct Playing<'a> {
    pair: &'a mut [Guest; 2],
    table: &'a str,
    device: bool,
}

impl Playing<'_> {
    /// Plays to the end on a small board, and else a few moves until somebody resigns.
    async fn moves(&mut self, asked: &Value) {
        let options = self.pair[0].copy(self.table).view().options.clone();
        let small = usize::from(options.rows) * usize::from(options.cols) <= SMALL;
        let opening = usize::from(options.random_stones) * 2;
        let stones = self.pair[0].copy(self.table).game().unwrap().opening.len();
        assert_eq!(stones, opening, "{asked}");
        let mut made = 0;
        while let Some(seat) = self.to_move() {
            if made == MOVES && !small {
                return self.resigns(seat).await;
            }
            let swaps = made == 1 && options.swap != Swap::Off;
            if swaps {
                let outcome = self.plays(seat, Move::Swap).await;
                assert_eq!((outcome, self.to_move()), (false, Some(other(seat))), "{asked}");
            } else {
                let action = self.first_unknown(seat).await;
                let collided = self.plays(seat, action).await;
                let next = match options.collision {
                    Some(Collision::Classical) if collided => seat,
                    _ => other(seat),
                };
                assert!(self.to_move().is_none_or(|now| now == next), "{asked}");
                assert!(!collided || options.collision.is_some(), "{asked}");
                if let Some(outcome) = self.pair[0].copy(self.table).outcome() {
                    // Whoever moved last has joined their edges.
                    let winner = if options.goal == Goal::Join { seat } else { other(seat) };
                    assert_eq!((outcome.winner, outcome.by), (Some(winner), EndedBy::Chain));
                }
            }
            made += 1;
        }
    }

    fn to_move(&self) -> Option<Seat> {
        self.pair[0].copy(self.table).to_move()
    }

    fn mover(&mut self, seat: Seat) -> &mut Guest {
        let place = if self.device { 0 } else { seat as usize };
        &mut self.pair[place]
    }

    /// A stone on the first cell of which the seat knows nothing.
    async fn first_unknown(&mut self, seat: Seat) -> Move {
        let table = self.table.to_owned();
        let (device, mover) = (self.device, self.mover(seat));
        let dark = mover.copy(&table).view().options.collision.is_some();
        if device && dark {
            let game = mover.copy(&table).game().unwrap().id.clone();
            let lifted = mover.ask(Request::Lift(Lift { table: table.clone(), game, seat })).await;
            assert!(matches!(lifted, Reply::View { .. }), "{lifted:?}");
        }
        let board = mover.copy(&table).board();
        let cells = board.iter().enumerate().flat_map(|(row, stones)| {
            stones.chars().enumerate().map(move |(col, stone)| (row, col, stone))
        });
        let mut unknown = cells.filter(|(.., stone)| *stone == '.');
        let (row, col, _) = unknown.next().expect("a cell to try");
        Move::Place(Cell(row as i64, col as i64))
    }

    /// Makes a move, waits until all at the table know of it, and says whether it ran into a stone.
    async fn plays(&mut self, seat: Seat, action: Move) -> bool {
        let (table, device) = (self.table.to_owned(), self.device);
        let mover = self.mover(seat);
        let action = mover.action(&table, action);
        let action = PlayMove { seat: device.then_some(seat), ..action };
        let next = action.turn + 1;
        let collided = match mover.ask(Request::Move(action)).await {
            Reply::Moved { turn, collision } => {
                assert_eq!(turn, next);
                collision
            }
            other => panic!("not moved: {other:?}"),
        };
        let seated = if device { 1 } else { 2 };
        for guest in &mut self.pair[..seated] {
            guest.until(&table, "the move", |copy| copy.turn() >= Some(next)).await;
        }
        collided
    }

    async fn resigns(&mut self, seat: Seat) {
        let (table, device) = (self.table.to_owned(), self.device);
        let mover = self.mover(seat);
        if device && mover.copy(&table).view().options.collision.is_some() {
            let game = mover.copy(&table).game().unwrap().id.clone();
            mover.ask(Request::Lift(Lift { table: table.clone(), game, seat })).await;
        }
        let resign = Resign { seat: device.then_some(seat), ..mover.command(&table).into() };
        mover.done(Request::Resign(resign)).await;
    }
}

fn other(seat: Seat) -> Seat {
    match seat {
        Seat::One => Seat::Two,
        Seat::Two => Seat::One,
    }
}
