// The connection: replies, commands sent again, and coming back. Socket, timers and chance are the
// test's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Link } from '../../src/web/link.js';

class Socket {
  constructor(address, protocol) {
    Object.assign(this, { address, protocol, sent: [], closed: false });
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
  }

  hear(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }

  ops() {
    return this.sent.map(({ op }) => op);
  }
}

const WELCOME = { reply: 'welcome', player: { id: 'plr_a', name: 'Anna' } };

function setUp(settings = {}) {
  const world = { sockets: [], timers: [], statuses: [] };
  let commands = 0;
  world.link = new Link({
    url: () => 'ws://test/ws',
    open: (...args) => {
      world.sockets.push(new Socket(...args));
      return world.sockets.at(-1);
    },
    after: (ms, run) => {
      const timer = { ms, run };
      world.timers.push(timer);
      return timer;
    },
    cancel: (timer) => { world.timers = world.timers.filter((other) => other !== timer); },
    random: () => 0.5,
    newCommand: () => {
      commands += 1;
      return `c${commands}`;
    },
    ...settings,
  });
  world.link.on('status', (status) => world.statuses.push(status));
  // Runs the one timer that waits that long.
  world.fire = (ms) => {
    const due = world.timers.filter((timer) => timer.ms === ms);
    assert.equal(due.length, 1, `timers of ${ms} ms: ${world.timers.map((t) => t.ms)}`);
    world.timers = world.timers.filter((timer) => timer !== due[0]);
    due[0].run();
  };
  // Opens the newest socket and answers its hello.
  world.comeOnline = () => {
    const socket = world.sockets.at(-1);
    socket.onopen({});
    socket.hear({ re: socket.sent[0].id, ...WELCOME });
    return socket;
  };
  world.start = () => {
    world.link.connect();
    return world.comeOnline();
  };
  return world;
}

// Lets what was settled by now reach whoever waits for it.
const settle = () => new Promise((resolve) => { setImmediate(resolve); });

const refusedAs = (code) => ({ code: given }) => given === code;

test('hello comes first, in the JSON subprotocol, and without a token', () => {
  const { link, sockets, statuses } = setUp({ hello: () => ({ name: 'Anna' }) });
  link.connect();
  sockets[0].onopen({});
  assert.equal(sockets[0].protocol, 'hexhall.v1.json');
  assert.deepEqual(sockets[0].sent, [{ id: 1, op: 'hello', name: 'Anna' }]);
  assert.equal(link.online, false);
  sockets[0].hear({ re: 1, ...WELCOME });
  assert.equal(link.online, true);
  assert.deepEqual(statuses.map(({ state }) => state), ['online']);
});

test('a connection that is let go of rests until it is asked for again, and keeps its commands', async () => {
  const world = setUp();
  const first = world.start();
  const answer = world.link.command('move', { turn: 4 });
  world.link.pause();
  assert.equal(first.closed, true);
  assert.equal(world.link.status.state, 'reconnecting');
  assert.deepEqual(world.timers, []);
  world.link.connect();
  const second = world.comeOnline();
  assert.deepEqual(second.sent.at(-1), first.sent.at(-1));
  second.hear({ re: second.sent.at(-1).id, reply: 'moved' });
  assert.equal((await answer).reply, 'moved');
});

test('a reply goes to its own request, and a refusal rejects it', async () => {
  const world = setUp();
  const socket = world.start();
  const first = world.link.request('open', { private: true });
  const second = world.link.request('join', { table: 'tbl_1' });
  const [, open, join] = socket.sent;
  assert.deepEqual(open, { id: open.id, op: 'open', private: true });
  socket.hear({ re: join.id, reply: 'error', code: 'seat_taken', message: 'taken' });
  socket.hear({ re: open.id, reply: 'opened' });
  assert.equal((await first).reply, 'opened');
  await assert.rejects(second, refusedAs('seat_taken'));
});

test('a command that was not answered is sent again unchanged after the return, and answered once', async () => {
  const world = setUp();
  const first = world.start();
  const answer = world.link.command('move', { turn: 4 });
  const sent = first.sent.at(-1);
  assert.equal(sent.command, 'c1');
  first.onclose({ code: 1006 });
  world.fire(200);
  const second = world.comeOnline();
  assert.deepEqual(second.sent.at(-1), sent);
  second.hear({ re: sent.id, reply: 'moved', turn: 5 });
  assert.equal((await answer).turn, 5);
  second.onclose({ code: 1006 });
  world.fire(200);
  assert.deepEqual(world.comeOnline().ops(), ['hello']);
});

test('a command given while the connection is away is sent once it is back', () => {
  const world = setUp();
  world.start().onclose({ code: 1006 });
  world.link.command('move', { turn: 4 });
  world.fire(200);
  assert.deepEqual(world.comeOnline().ops(), ['hello', 'move']);
});

test('every command has an id of its own', () => {
  const world = setUp();
  const socket = world.start();
  world.link.command('move', {});
  world.link.command('move', {});
  assert.deepEqual(socket.sent.slice(1).map(({ command }) => command), ['c1', 'c2']);
});

test('a request that is not a command is not sent again', async () => {
  const world = setUp();
  const socket = world.start();
  const answer = world.link.request('open');
  socket.onclose({ code: 1006 });
  await assert.rejects(answer, refusedAs('offline'));
  await assert.rejects(world.link.request('open'), refusedAs('offline'));
  world.fire(200);
  assert.deepEqual(world.comeOnline().ops(), ['hello']);
});

test('what is followed is asked for again after each return, before any command', () => {
  const world = setUp();
  let seq;
  world.link.follow('table', () => ['watch', { last: seq }], () => {});
  const first = world.start();
  assert.deepEqual(first.ops(), ['hello', 'watch']);
  seq = 7;
  world.link.command('move', {});
  first.onclose({ code: 1006 });
  world.fire(200);
  const second = world.comeOnline();
  assert.deepEqual(second.ops(), ['hello', 'watch', 'move']);
  assert.equal(second.sent[1].last, 7);
});

test('what is no longer followed is not asked for, and its late answer is not heard', async () => {
  const world = setUp();
  const heard = [];
  world.link.follow('table', () => ['watch'], (reply) => heard.push(reply.reply));
  const socket = world.start();
  world.link.unfollow('table', ['unwatch', { table: 'tbl_1' }]);
  assert.deepEqual(socket.ops(), ['hello', 'watch', 'unwatch']);
  socket.hear({ re: socket.sent[1].id, reply: 'view' });
  await settle();
  assert.deepEqual(heard, []);
  socket.onclose({ code: 1006 });
  world.fire(200);
  assert.deepEqual(world.comeOnline().ops(), ['hello']);
});

test('the waits grow from 0.2 s to 5 s, and start afresh after a welcome', () => {
  const world = setUp();
  world.link.connect();
  const waits = [];
  for (let n = 0; n < 7; n += 1) {
    world.sockets.at(-1).onclose({ code: 1006 });
    const [timer] = world.timers;
    waits.push(timer.ms);
    world.fire(timer.ms);
  }
  assert.deepEqual(waits, [200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  world.comeOnline().onclose({ code: 1006 });
  assert.equal(world.timers[0].ms, 200);
});

test('chance spreads the waits', () => {
  const waits = [0, 0.999].map((chance) => {
    const world = setUp({ random: () => chance });
    world.link.connect();
    for (let n = 0; n < 2; n += 1) {
      world.sockets.at(-1).onclose({ code: 1006 });
      if (n === 0) world.fire(world.timers[0].ms);
    }
    return world.timers[0].ms;
  });
  assert.ok(waits[0] >= 200 && waits[1] > 2 * waits[0], `${waits}`);
});

test('a server that says when it is back is asked then', () => {
  const world = setUp({ random: () => 0 });
  const notices = [];
  world.link.on('notice', (notice) => notices.push(notice));
  const socket = world.start();
  socket.hear({ notice: 'closing', back_in_ms: 3_000 });
  socket.onclose({ code: 1012 });
  assert.equal(world.timers[0].ms, 3_000);
  assert.equal(world.statuses.at(-1).state, 'reconnecting');
  assert.equal(notices.length, 1);
  world.fire(3_000);
  world.sockets.at(-1).onclose({ code: 1006 });
  assert.equal(world.timers[0].ms, 200);
});

test('too many sessions end the attempts until somebody asks again', () => {
  const world = setUp();
  world.start().onclose({ code: 4004 });
  assert.equal(world.statuses.at(-1).state, 'stopped');
  assert.match(world.statuses.at(-1).text, /Too many/);
  assert.deepEqual(world.timers, []);
  world.link.connect();
  world.comeOnline();
  assert.equal(world.link.online, true);
});

test('a refused hello that would be refused again ends the attempts, and a passing one does not', async () => {
  for (const [code, state] of [['bad_request', 'stopped'], ['busy', 'connecting']]) {
    const world = setUp();
    world.link.connect();
    const [socket] = world.sockets;
    socket.onopen({});
    socket.hear({ re: socket.sent[0].id, reply: 'error', code, message: 'no', retry_ms: 700 });
    await settle();
    assert.equal(world.statuses.at(-1).state, state);
    assert.deepEqual(world.timers.map(({ ms }) => ms), state === 'stopped' ? [] : [700]);
  }
});

test('a request without an answer gives the connection up', () => {
  const world = setUp();
  const socket = world.start();
  world.link.command('move', {});
  world.fire(10_000);
  assert.equal(socket.closed, true);
  world.fire(0);
  assert.deepEqual(world.comeOnline().ops(), ['hello', 'move']);
});

test('a socket that was given up is not heard any more', () => {
  const world = setUp();
  const old = world.start();
  world.link.reconnect();
  world.fire(0);
  world.comeOnline();
  old.onclose({ code: 4004 });
  assert.equal(world.link.online, true);
});

test('a command that the server is too busy for is asked again with the same id', async () => {
  const world = setUp();
  const socket = world.start();
  const answer = world.link.command('move', { turn: 1 });
  const sent = socket.sent.at(-1);
  socket.hear({ re: sent.id, reply: 'error', code: 'busy', message: 'busy', retry_ms: 300 });
  world.fire(300);
  assert.deepEqual(socket.sent.at(-1), sent);
  assert.equal(socket.sent.length, 3);
  socket.hear({ re: sent.id, reply: 'moved', turn: 2 });
  assert.equal((await answer).turn, 2);
});

test('a server that stays busy is told of after a few times', async () => {
  const world = setUp();
  const socket = world.start();
  const answer = world.link.command('move', {});
  const refuse = () => socket.hear({
    re: socket.sent.at(-1).id, reply: 'error', code: 'busy', message: 'busy', retry_ms: 300,
  });
  for (let n = 0; n < 5; n += 1) {
    refuse();
    world.fire(300);
  }
  refuse();
  await assert.rejects(answer, refusedAs('busy'));
});

test('a command refused because the server stops is asked again after its restart', async () => {
  const world = setUp();
  const socket = world.start();
  const answer = world.link.command('move', {});
  const sent = socket.sent.at(-1);
  socket.hear({ re: sent.id, reply: 'error', code: 'shutting_down', message: 'stopping' });
  socket.onclose({ code: 1012 });
  world.fire(200);
  const second = world.comeOnline();
  assert.deepEqual(second.sent.at(-1), sent);
  second.hear({ re: sent.id, reply: 'moved', turn: 2 });
  assert.equal((await answer).turn, 2);
});

test('a quiet connection is tested by asking for what is followed', () => {
  const world = setUp();
  world.link.follow('table', () => ['watch'], () => {});
  const socket = world.start();
  socket.hear({ re: socket.sent[1].id, reply: 'view' });
  world.fire(25_000);
  assert.deepEqual(socket.ops(), ['hello', 'watch', 'watch']);
  world.fire(10_000);
  assert.equal(socket.closed, true);
});

test('following is tried again while the server cannot, and given up when there is nothing', async () => {
  const world = setUp();
  const refusals = [];
  world.link.follow('table', () => ['watch'], () => {}, ({ code }) => refusals.push(code));
  const socket = world.start();
  const refuse = async (code) => {
    socket.hear({ re: socket.sent.at(-1).id, reply: 'error', code, message: code, retry_ms: 300 });
    await settle();
  };
  for (const code of ['busy', 'internal']) {
    await refuse(code);
    world.fire(300);
  }
  await refuse('shutting_down');
  assert.deepEqual([socket.ops(), refusals], [['hello', 'watch', 'watch', 'watch'], []]);
  socket.onclose({ code: 1012 });
  world.fire(200);
  const second = world.comeOnline();
  second.hear({ re: second.sent.at(-1).id, reply: 'error', code: 'unknown_table', message: 'gone' });
  await settle();
  assert.deepEqual(refusals, ['unknown_table']);
});

test('stream, lobby and notices are told apart', () => {
  const world = setUp();
  const heard = [];
  for (const type of ['event', 'lobby', 'notice']) world.link.on(type, () => heard.push(type));
  const socket = world.start();
  socket.hear({ table: 'tbl_1', seq: 1, event: 'placed' });
  socket.hear({ lobby: 'unlisted', table: 'tbl_1' });
  socket.hear({ notice: 'closing', back_in_ms: 1 });
  assert.deepEqual(heard, ['event', 'lobby', 'notice']);
});

test('whoever waits for the next welcome hears of it, or that none will come', async () => {
  const world = setUp();
  world.start();
  const named = world.link.welcomed();
  world.link.reconnect();
  world.fire(0);
  world.comeOnline();
  assert.equal((await named).player.name, 'Anna');
  const refused = world.link.welcomed();
  world.link.reconnect();
  world.fire(0);
  const socket = world.sockets.at(-1);
  socket.onopen({});
  socket.hear({ re: socket.sent[0].id, reply: 'error', code: 'bad_request', message: 'no such name' });
  await assert.rejects(refused, { code: 'offline', message: 'no such name' });
});

test('whoever is banned is told why, and is not connected again and again', () => {
  const { link, sockets, timers, statuses } = setUp();
  link.connect();
  sockets[0].onopen({});
  const said = { code: 'banned', message: 'you are banned: insults', retry_ms: 60_000 };
  sockets[0].hear({ re: 1, reply: 'error', ...said });
  const { state, text, banned } = statuses.at(-1);
  assert.deepEqual([state, text, banned.retry_ms], ['stopped', 'You are banned: insults.', 60_000]);
  assert.deepEqual([sockets.length, timers.length], [1, 0]);
});

test('a connection that ends with a ban stays ended until it is asked for', () => {
  const world = setUp();
  const socket = world.start();
  socket.onclose({ code: 4008 });
  assert.equal(world.statuses.at(-1).state, 'stopped');
  assert.equal(world.statuses.at(-1).banned, true);
  assert.deepEqual([world.sockets.length, world.timers.length], [1, 0]);
  world.link.connect();
  world.comeOnline();
  assert.equal(world.link.online, true);
});
