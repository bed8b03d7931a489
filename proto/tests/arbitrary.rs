//! Messages made by chance: any text, any number, any of the variants.

use hexhall_proto::chat::*;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::*;
use hexhall_proto::options::*;
use hexhall_proto::parts::*;
use hexhall_proto::party::*;
use hexhall_proto::plans::*;
use hexhall_proto::reply::*;
use hexhall_proto::request::*;
use hexhall_proto::view::*;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use crate::samples::requests;
use crate::samples_server::server_frames;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,12}", "[\u{0}-\u{1f}\"\\\\]{0,4}", "plr_[0-9A-Z]{26}"]
}

fn seat() -> impl Strategy<Value = Seat> {
    select(vec![Seat::One, Seat::Two])
}

fn cell() -> impl Strategy<Value = Cell> {
    (any::<i64>(), 0..19i64).prop_map(|(row, col)| Cell(row, col))
}

fn action() -> impl Strategy<Value = Move> {
    prop_oneof![cell().prop_map(Move::Place), Just(Move::Swap)]
}

fn time() -> impl Strategy<Value = Time> {
    let seconds = any::<u32>;
    prop_oneof![
        Just(Time::None {}),
        (seconds(), seconds(), of(seconds())).prop_map(|(initial_s, increment_s, cap_s)| {
            Time::Fischer { initial_s, increment_s, cap_s }
        }),
        seconds().prop_map(|seconds| Time::PerTurn { seconds }),
        (seconds(), seconds(), any::<u8>()).prop_map(|(initial_s, period_s, periods)| {
            Time::ByoYomi { initial_s, period_s, periods }
        }),
    ]
}

prop_compose! {
    fn options_request()(
        preset in of(select(vec![
            Preset::Party,
            Preset::Standard,
            Preset::Dark,
            Preset::Custom,
        ])),
        (size, rows, cols) in (of(any::<u64>()), of(any::<u64>()), of(any::<u64>())),
        game in of(select(vec![GameKind::Hex, GameKind::Dark])),
        collision in of(select(vec![Collision::Classical, Collision::Abrupt])),
        swap in of(select(vec![Swap::Off, Swap::Sides, Swap::Pieces])),
        goal in of(select(vec![Goal::Join, Goal::Avoid])),
        random_stones in of(any::<u8>()),
        time in of(time()),
        first_move_s in of(any::<u32>()),
        (on_leave, rated) in (
            of(select(vec![OnLeave::Cpu, OnLeave::Claim, OnLeave::Clock])),
            of(any::<bool>()),
        ),
        (first_move, pass_and_play, spectator_delay_s) in (
            of(select(vec![FirstMove::Alternate, FirstMove::Fixed])),
            of(any::<bool>()),
            of(any::<u64>()),
        ),
    ) -> OptionsRequest {
        OptionsRequest {
            preset, size, rows, cols, game, collision, swap, goal, random_stones, time, first_move_s,
            on_leave, rated, first_move, pass_and_play,
            spectator_delay_s,
        }
    }
}

/// One of the sample requests, with every text, number and option in it made by chance.
pub fn request() -> impl Strategy<Value = RequestFrame> {
    let words = (text(), text(), text(), of(text()), of(text()));
    let numbers = (any::<u64>(), any::<u64>(), any::<bool>(), of(seat()));
    (select(requests()), words, numbers, action(), options_request()).prop_map(
        |((_, sample), words, numbers, action, options)| {
            let (table, game, command, one, other) = words;
            let (id, number, flag, seat) = numbers;
            let request = match sample.request {
                Request::Hello(_) => Request::Hello(Hello { token: one, name: other }),
                Request::Open(Open { cpu, party, .. }) => {
                    let cpu = cpu.map(|_| CpuSeat { level: number, seat });
                    let level = Some(number);
                    let party = party.map(|it| OpenParty { cpu_level: level, ..it });
                    Request::Open(Open { options, private: flag, cpu, party })
                }
                Request::Join(_) => Request::Join(Join { table, seat, invitation: one }),
                Request::JoinParty(_) => Request::JoinParty(JoinParty {
                    code: one,
                    table: Some(table),
                    invitation: other,
                    play: Some(flag),
                }),
                Request::MakeHost(_) => Request::MakeHost(AboutMember { table, player: command }),
                Request::RemoveMember(_) => {
                    Request::RemoveMember(AboutMember { table, player: command })
                }
                Request::SetOptions(_) => Request::SetOptions(SetOptions { table, options }),
                Request::SetTurns(SetTurns { turns, .. }) => {
                    Request::SetTurns(SetTurns { table, turns, cpu_level: Some(number) })
                }
                Request::Start(_) => Request::Start(Start { table, after: one }),
                Request::Watch(watch) => {
                    let last = watch.last.map(|last| Last { seq: number, ..last });
                    Request::Watch(Watch { table, invitation: one, last })
                }
                Request::Move(_) => {
                    Request::Move(PlayMove { table, game, command, turn: number, action, seat })
                }
                Request::Plan(MakePlan { premove, lines, .. }) => {
                    let premove = premove.map(|_| action);
                    Request::Plan(MakePlan { table, game, command, turn: number, premove, lines })
                }
                Request::Offer(MakeOffer { kind, .. }) => {
                    Request::Offer(MakeOffer { table, game, command, kind })
                }
                Request::Answer(_) => {
                    Request::Answer(AnswerOffer { table, command, offer: number, accept: flag })
                }
                Request::Withdraw(_) => {
                    Request::Withdraw(WithdrawOffer { table, command, offer: number })
                }
                Request::Resign(_) => Request::Resign(Resign { table, game, command, seat }),
                Request::Suggest(_) => Request::Suggest(Suggest { table, game, turn: number }),
                Request::Say(Say { room, .. }) => Request::Say(Say { table, room, text: command }),
                Request::Chat(_) => Request::Chat(Table { table }),
                Request::Leave(_) => Request::Leave(Table { table }),
                same => same,
            };
            RequestFrame { id, request }
        },
    )
}

prop_compose! {
    fn clocks()(
        running in of(seat()),
        seats in prop::array::uniform2((any::<u64>(), of(any::<u8>()), of(any::<u64>()))),
    ) -> Clocks {
        let reading = |(left_ms, periods, first_move_ms)| {
            ClockReading { left_ms, periods, first_move_ms }
        };
        Clocks { running, seats: seats.map(reading) }
    }
}

prop_compose! {
    fn player()(
        id in text(),
        name in text(),
        cpu in of(any::<u8>()),
        bot in any::<bool>(),
    ) -> Player {
        Player { id, name, cpu, bot }
    }
}

prop_compose! {
    fn refusal()(
        code in select(Code::ALL),
        message in text(),
        suggestion in of(text()),
        turn in of(any::<u64>()),
        to_move in of(seat()),
        legal_moves in of(vec(action(), 0..5)),
        retry_ms in of(any::<u64>()),
    ) -> ErrorBody {
        ErrorBody { code, message, suggestion, turn, to_move, legal_moves, retry_ms }
    }
}

/// Changes what is open to chance in a view: enough to meet every shape of every field.
fn vary(mut view: View, chance: Chance) -> View {
    view.table = chance.word.clone();
    view.seq = chance.number;
    view.options.time = chance.time;
    if let Some(party) = &mut view.party {
        party.code.clone_from(&chance.word);
        let players = chance.players.iter().flatten().cloned();
        let member = |player| PartyMember { player, plays: true, games: 3, wins: 2 };
        party.members = players.map(member).collect();
    }
    view.seats = chance.players;
    view.offers.truncate(chance.cells.len());
    if let Some(game) = &mut view.game {
        game.clocks = chance.clocks;
        game.opening = chance.cells;
        game.board = vec![chance.word];
        game.legal_moves = chance.moves;
    }
    view
}

/// What may stand in any message.
#[derive(Clone, Debug)]
struct Chance {
    word: String,
    number: u64,
    time: Time,
    players: [Option<Player>; 2],
    clocks: Option<Clocks>,
    cells: Vec<Cell>,
    moves: Option<Vec<Move>>,
    refusal: ErrorBody,
}

prop_compose! {
    fn chance()(
        word in text(),
        number in any::<u64>(),
        time in time(),
        players in prop::array::uniform2(of(player())),
        clocks in of(clocks()),
        cells in vec(cell(), 0..5),
        moves in of(vec(action(), 0..5)),
        refusal in refusal(),
    ) -> Chance {
        Chance { word, number, time, players, clocks, cells, moves, refusal }
    }
}

fn vary_event(event: Event, chance: Chance) -> Event {
    match event {
        Event::Started { view } => Event::Started { view: Box::new(vary(*view, chance)) },
        Event::View { view } => Event::View { view: Box::new(vary(*view, chance)) },
        Event::Curtain { view } => Event::Curtain { view: Box::new(vary(*view, chance)) },
        Event::Placed { seat, color, cell, to_move, cpu, .. } => {
            let cell = cell.and(chance.cells.first().copied()).or(cell);
            let (turn, clocks) = (chance.number, chance.clocks);
            Event::Placed { seat, color, cell, turn, to_move, cpu, clocks }
        }
        Event::Collided { seat, cell, to_move, cpu, .. } => {
            let cell = cell.and(chance.cells.first().copied()).or(cell);
            let (turn, clocks) = (chance.number, chance.clocks);
            Event::Collided { seat, cell, turn, to_move, cpu, clocks }
        }
        Event::Ended { outcome, reveal, score, .. } => Event::Ended {
            outcome,
            winning_path: chance.moves.map(|_| chance.cells),
            reveal,
            clocks: chance.clocks,
            score,
        },
        Event::TimeGiven { seat, .. } => {
            Event::TimeGiven { seat, ms: chance.number, clocks: chance.clocks }
        }
        Event::OfferClosed { how, .. } => Event::OfferClosed { offer: chance.number, how },
        same => same,
    }
}

/// One of a server's sample messages, with texts, numbers, clocks and cells made by chance.
pub fn server_frame() -> impl Strategy<Value = ServerFrame> {
    (select(server_frames()), chance()).prop_map(|((_, sample), chance)| match sample {
        ServerFrame::Reply(frame) => {
            let re = frame.re.map(|_| chance.number);
            let reply = match frame.reply {
                Reply::Joined { seat, view } => {
                    Reply::Joined { seat, view: Box::new(vary(*view, chance)) }
                }
                Reply::View { view } => Reply::View { view: Box::new(vary(*view, chance)) },
                Reply::Error(_) => Reply::Error(chance.refusal),
                Reply::Moved { collision, .. } => Reply::Moved { turn: chance.number, collision },
                Reply::Suggestion { win_percent, .. } => {
                    let cell = chance.cells.first().map_or(Move::Swap, |cell| Move::Place(*cell));
                    Reply::Suggestion { action: cell, win_percent }
                }
                Reply::Resumed { viewer, events, clocks, plan, .. } => {
                    let vary = |frame: StreamFrame| StreamFrame {
                        event: vary_event(frame.event, chance.clone()),
                        ..frame
                    };
                    let events = events.into_iter().map(vary).collect();
                    Reply::Resumed { table: chance.word.clone(), viewer, events, clocks, plan }
                }
                same => same,
            };
            ServerFrame::Reply(ReplyFrame { re, reply })
        }
        ServerFrame::Stream(frame) => ServerFrame::Stream(StreamFrame {
            table: chance.word.clone(),
            seq: frame.seq.map(|_| chance.number),
            event: vary_event(frame.event, chance),
        }),
        same => same,
    })
}
