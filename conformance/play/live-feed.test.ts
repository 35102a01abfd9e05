import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { Blocked, Inconclusive, Violation } from '../verdict/outcomes.js';
import { connect } from '../client/http.js';
import { createRedactor } from '../client/redact.js';
import type { DatabaseClient, Exchange } from '../client/client.js';
import { serve } from '../testing/server.js';
import { withLiveFeed, type LiveFeed } from './live-feed.js';

const row = (id: string, seq: number): string =>
  JSON.stringify({ id, seq, changes: [{ rev: '1-é' }], deleted: true });

/** A server that answers the feed as the test says, and everything else at once. */
async function served(t: ExecutionContext, feed: (response: ServerResponse) => unknown) {
  const server = await serve((request, response) => {
    if (request.url!.startsWith('/db/_changes')) feed(response);
    else response.end('{}');
  });
  const connection = connect([new URL(server.url)], undefined, createRedactor([]));
  t.teardown(async () => {
    await connection.close();
    await server.stop();
  });
  const seen: Exchange[] = [];
  const client = connection.client(new AbortController().signal, [
    { onFinished: (one) => void seen.push(one) },
  ]);
  const database: DatabaseClient = {
    hasOneCopy: true,
    name: 'db',
    request: (ask) => client.request({ ...ask, path: `/db${ask.path}` }),
    open: (ask) => client.open({ ...ask, path: `/db${ask.path}` }),
  };
  return { database, seen };
}

const ended = (feed: LiveFeed) => feed.until(() => false);

/** Byte by byte: every border of chunks that there can be. */
const piecemeal =
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
  const { database } = await served(t, piecemeal(body));
  await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await ended(feed);
    t.like(withoutTime(feed), [
      { kind: 'beat' },
      { id: '😀', seq: 1, revs: ['1-é'], path: 'line 2', ending: '\r\n' },
      { id: 'b', path: 'line 3', ending: '\n' },
      { kind: 'beat' },
      { kind: 'end', lastSeq: 2 },
      { kind: 'strange', text: 'nonsense' },
    ]);
    t.throws(() => feed.rows, { instanceOf: Blocked });
  });
});

test('an event source feed is read event by event', async (t) => {
  const body = `\ndata: ${row('😀', 1)}\nid: "1-x"\n\nevent: heartbeat\n\nevent: other\ndata: 1\n\ndata: ${row('b', 2)}\n\n`;
  const { database } = await served(t, piecemeal(body));
  await withLiveFeed(database, { mode: 'eventsource' }, async (feed) => {
    await ended(feed);
    t.like(withoutTime(feed), [
      { id: '😀', path: 'event 1', eventId: '"1-x"' },
      { kind: 'beat' },
      { id: 'b', path: 'event 2', eventId: '"1-x"' },
    ]);
    t.is(feed.arrivals.length, 3);
  });
});

test('a long poll is read as a whole when it has ended', async (t) => {
  const { database } = await served(t, piecemeal(`{"results":[\n\n${row('a', 1)}\n],"last_seq":1}`));
  await withLiveFeed(database, { mode: 'longpoll' }, async (feed) => {
    await ended(feed);
    t.deepEqual(
      feed.rows.map(({ id, path }) => [id, path]),
      [['a', '$.results[0]']],
    );
    t.deepEqual(feed.end?.lastSeq, 1);
  });
});

test('closing a feed ends it on the target, also before its head, and leaves it as evidence', async (t) => {
  const gone: Promise<unknown>[] = [];
  const { database, seen } = await served(t, (response) => {
    gone.push(once(response, 'close'));
    if (gone.length === 2) response.write(`${row('a', 1)}\r\n`);
  });
  await withLiveFeed(database, { mode: 'continuous' }, async (feed) => {
    await database.request({ path: '' });
    t.is(feed.response, undefined);
  });
  await withLiveFeed(database, { mode: 'continuous' }, (feed) => feed.until(() => feed.rows.length === 1));
  await Promise.all(gone);
  t.regex(seen.at(-1)!.text, /^\{"id":"a".*\r\n$/);
  t.false(seen.at(-1)!.complete);
});

test('what does not come is a violation that says what came instead', async (t) => {
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
  t.regex(String(violation.difference.actual), /^only rows for \["a"\] and 1 .* while other requests/);
});

test('a feed that ends first is a violation at once', async (t) => {
  const { database } = await served(t, (response) => void response.end());
  await t.throwsAsync(
    withLiveFeed(database, { mode: 'longpoll' }, (feed) =>
      feed.mustMeetInTime('It ends', {
        by: feed.sentAt + 60_000,
        expected: 'a row',
        isMet: () => feed.rows.length === 1,
      }),
    ),
    { instanceOf: Blocked, message: /holds what is no row: ""/ },
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

test('a feed that is refused blocks, a connection that breaks decides nothing', async (t) => {
  const refused = await served(t, (response) => void response.writeHead(501).end('{}'));
  const broken = await served(t, (response) => {
    response.write('{');
    setImmediate(() => response.destroy());
  });
  const open = (database: DatabaseClient) =>
    withLiveFeed(database, { mode: 'continuous' }, (feed) =>
      feed.mustMeetInTime('It ends', { by: feed.sentAt + 60_000, expected: 'a row', isMet: () => false }),
    );
  await t.throwsAsync(open(refused.database), { instanceOf: Blocked, message: /answered with 501/ });
  await t.throwsAsync(open(broken.database), { instanceOf: Inconclusive });
});
