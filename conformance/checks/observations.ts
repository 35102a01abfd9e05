/**
 * What the service document leaves open about the feed: asked and recorded for people who compare servers, never a
 * verdict.
 */
import type { FeedMode } from '../model/feed.js';
import { readFeed } from '../play/feed.js';
import { withLiveFeed } from '../play/live-feed.js';
import { play } from '../play/player.js';
import type { TargetRequest, DatabaseClient, Exchange } from '../client/client.js';
import type { CheckContext } from '../check.js';

/** How long an answer may take: a server may take what it does not understand for a feed that stays open. */
const answerMs = 2_000;

/** Requests to the feed that are wrong, or whose meaning is not shown. By what is odd about them. */
const oddRequests: Readonly<Record<string, Omit<TargetRequest, 'path'>>> = {
  'feed=none': { query: { feed: 'none' } },
  'style=none': { query: { style: 'none' } },
  'limit=0': { query: { limit: 0 } },
  'limit=-2': { query: { limit: -2 } },
  'limit=few': { query: { limit: 'few' } },
  'since=none': { query: { since: 'none' } },
  'since=-1': { query: { since: -1 } },
  'since=999999': { query: { since: 999_999 } },
  'heartbeat=0': { query: { heartbeat: 0 } },
  'heartbeat=often': { query: { heartbeat: 'often' } },
  'timeout=-1': { query: { timeout: -1 } },
  'timeout=soon': { query: { timeout: 'soon' } },
  'descending=perhaps': { query: { descending: 'perhaps' } },
  'seq_interval=0': { query: { seq_interval: 0 } },
  'doc_ids, no list': { query: { filter: '_doc_ids' } },
  'doc_ids=a': { query: { filter: '_doc_ids', doc_ids: 'a' } },
  'doc_ids={}': { query: { filter: '_doc_ids', doc_ids: '{}' } },
  'doc_ids without filter': { query: { doc_ids: ['a'] } },
  'view, none': { query: { filter: '_view' } },
  'view=none': { query: { filter: '_view', view: 'none' } },
  'view=none/none': { query: { filter: '_view', view: 'none/none' } },
  'filter=none': { query: { filter: 'none' } },
  'filter=_none': { query: { filter: '_none' } },
  'filter=none/none': { query: { filter: 'none/none' } },
  'filter that throws': { query: { filter: 'odd/throws' } },
  'filter that is no function': { query: { filter: 'odd/broken' } },
  'filter with a result that is not boolean': { query: { filter: 'odd/truthy' } },
  'selector={}': { method: 'POST', query: { filter: '_selector' }, json: { selector: {} } },
  'selector on _deleted': {
    method: 'POST',
    query: { filter: '_selector' },
    json: { selector: { _deleted: true } },
  },
  'POST without a body': { method: 'POST', headers: { 'content-type': 'application/json' } },
  'POST of text': { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } },
};

const design = {
  filters: {
    throws: 'function (doc, req) { throw { forbidden: "odd" }; }',
    broken: 'function (doc, req) {',
    truthy: 'function (doc, req) { return 1; }',
    loops: 'function (doc, req) { while (true) {} }',
  },
};

/** A database with three documents, one of them deleted, and a design document with odd functions. */
async function oddDatabase(context: CheckContext): Promise<DatabaseClient> {
  const database = await context.createDatabase();
  const put = { kind: 'put', leaf: 0, body: {} } as const;
  await play(database, [
    { id: 'a', writes: [put] },
    { id: 'b', writes: [put, { ...put, kind: 'delete' }] },
    { id: 'c', writes: [put] },
  ]);
  // A server without functions may refuse it: then the requests that name it show that.
  await database.request({ method: 'PUT', path: '/_design/odd', json: design });
  return database;
}

/** What an answer shows: its status, and what it says or how many rows it has. */
function gistOf({ status, text }: Exchange): object {
  try {
    const { error, reason, results } = JSON.parse(text) as Record<string, unknown>;
    return Array.isArray(results) ? { status, rows: results.length } : { status, error, reason };
  } catch {
    return { status, text: text.slice(0, 200) };
  }
}

async function observeRequests(context: CheckContext): Promise<void> {
  const database = await oddDatabase(context);
  const ask = async (what: string, odd: Omit<TargetRequest, 'path'>, withinMs = answerMs): Promise<void> => {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(withinMs)]);
    const asked = { path: '/_changes', deliberatelyWrong: true, signal, ...odd };
    const answer = await database.request(asked).then(gistOf, (error: unknown) => {
      context.signal.throwIfAborted();
      return { unanswered: signal.aborted ? `after ${withinMs} ms` : String(error) };
    });
    context.observe(`feed: ${what}`, answer);
  };
  for (const [what, odd] of Object.entries(oddRequests)) await ask(what, odd);
  // Servers let a function run for seconds before they give up.
  if (context.property.profile === 'thorough') {
    await ask('filter that loops', { query: { filter: 'odd/loops' } }, 20_000);
  }
}

async function observePlaces(context: CheckContext): Promise<void> {
  const database = await oddDatabase(context);
  const { rows, lastSeq } = await readFeed(database);
  const [first] = rows;
  const { ids } = await readFeed(database, { descending: true, since: first?.seq });
  const later = rows.slice(1).map(({ id }) => id);
  const isNewer = ids.length === later.length && ids.every((id) => later.includes(id));
  context.observe('feed: descending with since', {
    rows: ids.length,
    of: rows.length,
    meaning: isNewer ? 'what is newer than since' : ids.length === 0 ? 'nothing' : 'other rows',
  });

  await database.request({ method: 'DELETE', path: '' });
  await database.request({ method: 'PUT', path: '' });
  const query = { since: lastSeq };
  const again = await database.request({ path: '/_changes', query, deliberatelyWrong: true });
  context.observe('feed: a seq of a database that was deleted and made again', gistOf(again));
}

async function observeModes(context: CheckContext): Promise<void> {
  const database = await oddDatabase(context);
  for (const mode of [
    'normal',
    'longpoll',
    'continuous',
    'eventsource',
  ] as const satisfies readonly FeedMode[]) {
    await withLiveFeed(database, { mode, query: { heartbeat: 1_000 } }, async (feed) => {
      const within = { by: performance.now(), graceMs: answerMs };
      await feed.isMetInTime(() => feed.arrivals.some(({ kind }) => kind === 'row'), within);
      const { status, headers } = feed.response ?? {};
      const named = ['content-type', 'cache-control', 'etag', 'transfer-encoding', 'content-length'];
      const shown = named.flatMap((name) => (headers?.has(name) ? [[name, headers.get(name)!.join()]] : []));
      context.observe(`feed: ${mode}`, { status, headers: Object.fromEntries(shown) as object });
      const event = feed.arrivals.find((arrival) => arrival.kind === 'row');
      if (mode !== 'eventsource' || event?.kind !== 'row') return;
      const { eventId, row } = event;
      const meaning =
        eventId === row.seq ? 'the seq' : eventId === JSON.stringify(row.seq) ? 'the seq as JSON' : eventId;
      context.observe('feed: the id of an event', meaning === '' ? 'none' : meaning);
    });
  }
}

/** Observes everything there is. A server that answers nothing sensible only leaves less to tell. */
export async function observeFeed(context: CheckContext): Promise<void> {
  for (const observe of [observeRequests, observePlaces, observeModes]) {
    try {
      await context.inScope(observe);
    } catch (error) {
      context.signal.throwIfAborted();
      context.observe(`feed: ${observe.name}`, { unobserved: String(error) });
    }
  }
}
