import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { Blocked, Inconclusive, Violation } from '../engine/outcomes.js';
import type { DatabaseClient, Exchange } from '../http/client.js';
import { withLiveFeed, type LiveFeed } from './live-feed.js';
import { clientOf, databaseOf } from '../testing/database.js';

const row = (id: string, seq: number): string =>
  JSON.stringify({ id, seq, changes: [{ rev: '1-é' }], deleted: true });

/** Starts a server that responds to the feed as the test specifies, and to everything else immediately. */
const served = (t: ExecutionContext, feed: (response: ServerResponse) => unknown) =>
  connected(t, (request, response) => {
    if (request.url!.startsWith('/db/_changes')) feed(response);
    else response.end('{}');
  });

async function connected(t: ExecutionContext, listener: RequestListener) {
  const finished: Exchange[] = [];
  const client = await clientOf(t, listener, [{ onFinished: (exchange) => void finished.push(exchange) }]);
  const database = databaseOf({
    ...client,
    async request(request) {
      // The connection of an earlier request becomes free a moment after its response.
      await new Promise(setImmediate);
      return client.request(request);
    },
  });
  return { database, finished };
}

const ended = (feed: LiveFeed) => feed.until(() => false);

/** Sends the text in chunks of one byte. */
const byteByByte =
  (text: string) =>
  async (response: ServerResponse): Promise<void> => {
    for (const byte of Buffer.from(text)) {
      response.write(Uint8Array.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  };

const withoutTime = ({ arrivals }: LiveFeed) =>
  arrivals.map((arrival) =>
    arrival.kind === 'row'
      ? { ...arrival.row, ending: arrival.ending, eventId: arrival.eventId }
      : { ...arrival, at: 0 },
  );

test('a continuous feed is read line by line', async (t) => {
  const body = `\n${row('😀', 1)}\r\n${row('b', 2)}\n\r\n{"last_seq":2}\r\nnonsense`;
  const { database } = await served(t, byteByByte(body));
  await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await ended(feed);
    t.like(withoutTime(feed), [
      { kind: 'heartbeat' },
      { id: '😀', seq: 1, revs: ['1-é'], path: 'line 2', ending: '\r\n' },
      { id: 'b', path: 'line 3', ending: '\n' },
      { kind: 'heartbeat' },
      { kind: 'end', lastSeq: 2 },
      { kind: 'unrecognized', text: 'nonsense' },
    ]);
    t.throws(() => feed.rows, { instanceOf: Blocked });
  });
});

test('an event source feed is read event by event', async (t) => {
  const body = `\ndata: ${row('😀', 1)}\nid: "1-x"\n\nevent: heartbeat\n\nevent: other\ndata: 1\n\ndata: ${row('b', 2)}\n\n`;
  const { database } = await served(t, byteByByte(body));
  await withLiveFeed(database, { mode: 'eventsource' }, async (feed) => {
    await ended(feed);
    t.like(withoutTime(feed), [
      { id: '😀', path: 'event 1', eventId: '"1-x"' },
      { kind: 'heartbeat' },
      { id: 'b', path: 'event 2', eventId: '"1-x"' },
    ]);
    t.is(feed.arrivals.length, 3);
  });
});

test('a long poll is read when it has ended', async (t) => {
  const { database } = await served(t, byteByByte(`{"results":[\n\n${row('a', 1)}\n],"last_seq":1}`));
  await withLiveFeed(database, { mode: 'longpoll' }, async (feed) => {
    await ended(feed);
    t.deepEqual(
      feed.rows.map(({ id, path }) => [id, path]),
      [['a', '$.results[0]']],
    );
    t.deepEqual(feed.end?.lastSeq, 1);
  });
});

test('closing a feed closes the connection, even before the headers, and records the exchange', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { database, finished } = await served(t, (response) => {
    closed.push(once(response, 'close'));
    if (closed.length === 2) response.write(`${row('a', 1)}\r\n`);
  });
  await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await database.request({ path: '' });
    t.is(feed.response, undefined);
  });
  await withLiveFeed(database, { mode: 'continuous' }, (feed) => feed.until(() => feed.rows.length === 1));
  await Promise.all(closed);
  t.regex(finished.at(-1)!.text, /^\{"id":"a".*\r\n$/);
  t.false(finished.at(-1)!.complete);
});

test('a violation describes what arrived instead of the expected rows', async (t) => {
  const { database } = await served(t, (response) => void response.write(`${row('a', 1)}\r\n\n`));
  const violation = await t.throwsAsync(
    withLiveFeed(database, { mode: 'continuous' }, (feed) =>
      feed.mustMeetInTime('It loses b', {
        by: feed.sentAt,
        expected: 'b',
        isMet: () => feed.rows.length === 2,
      }),
    ),
    { instanceOf: Violation, message: 'It loses b' },
  );
  t.regex(
    String(violation.difference.actual),
    /^only rows for \["a"\] and 1 .* while the target answered other requests/,
  );
});

test('a feed that ends too early is a violation', async (t) => {
  const { database } = await served(t, (response) => void response.end());
  await t.throwsAsync(
    withLiveFeed(database, { mode: 'longpoll' }, (feed) =>
      feed.mustMeetInTime('It ends', {
        by: feed.sentAt + 60_000,
        expected: 'a row',
        isMet: () => feed.rows.length === 1,
      }),
    ),
    { instanceOf: Blocked, message: /contains something that is not a row: ""/ },
  );
  await t.throwsAsync(
    withLiveFeed(database, { mode: 'continuous' }, (feed) =>
      feed.mustMeetInTime('It ends', {
        by: feed.sentAt + 60_000,
        expected: 'a row',
        isMet: () => feed.rows.length === 1,
      }),
    ),
    { instanceOf: Violation, message: 'It ends' },
  );
});

test('a refused feed is blocked, a broken connection is inconclusive', async (t) => {
  const refused = await served(t, (response) => void response.writeHead(501).end('{}'));
  const broken = await served(t, (response) => {
    response.write('{');
    setImmediate(() => response.destroy());
  });
  const open = (database: DatabaseClient) =>
    withLiveFeed(database, { mode: 'continuous' }, (feed) =>
      feed.mustMeetInTime('It ends', { by: feed.sentAt + 60_000, expected: 'a row', isMet: () => false }),
    );
  await t.throwsAsync(open(refused.database), {
    instanceOf: Blocked,
    message: /responds to the continuous feed with 501/,
  });
  await t.throwsAsync(open(broken.database), { instanceOf: Inconclusive });
});

/**
 * Opens a feed on a new connection to a server that serves one only after eight requests on an open connection, and when
 * another one waits, as a busy server may.
 */
async function withQueuedFeed(t: ExecutionContext, body: (feed: LiveFeed) => Promise<void>): Promise<void> {
  let open: Socket | undefined;
  const waiting: (() => void)[] = [];
  let answered = 0;
  let answerFirst = (): void => {};
  let receiveFirst = (): void => {};
  const isFirstReceived = new Promise<void>((resolve) => (receiveFirst = resolve));
  const { database } = await connected(t, (request, response) => {
    const answer = (): void => {
      if (request.url!.startsWith('/db/_changes')) response.write('\n');
      else response.end('{}');
    };
    if (!open) {
      open = request.socket;
      answerFirst = answer;
      return receiveFirst();
    }
    if (request.socket === open) {
      answer();
      answered += 1;
    } else {
      waiting.push(answer);
      if (waiting.length === 1) answerFirst();
    }
    if (answered >= 8 && waiting.length > 1) waiting.splice(0).forEach((answerNext) => answerNext());
  });
  const first = database.request({ path: '' });
  await isFirstReceived;
  await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await first;
    await body(feed);
  });
}

test('a feed is not late while the target has not served a newer connection', (t) =>
  withQueuedFeed(t, async (feed) => {
    await feed.mustMeetInTime('It sends no heartbeat', {
      graceMs: 100,
      expected: 'a heartbeat',
      isMet: () => feed.heartbeats > 0,
    });
    t.is(feed.heartbeats, 1);
  }));

test('waiting until a feed is open waits for a newer connection, too', (t) =>
  withQueuedFeed(t, async (feed) => {
    t.true(await feed.waitUntilOpen());
  }));
