/** Records how a target behaves where the service document does not define the feed. Observations are never verdicts. */
import {
  type CheckContext,
  type DatabaseClient,
  type Exchange,
  feedModes,
  play,
  readFeed,
  type TargetRequest,
  withLiveFeed,
} from '../../kit.js';
import { startDeadline } from '../../engine/deadlines.js';
import { allSettledOrThrow } from '../../play/all-settled.js';
import { recreate } from './recreate.js';

/** The time limit for a response: a server may keep a feed open if it does not understand the request. */
const responseMs = 2_000;

/** Feed requests that are invalid or whose meaning is not defined, by their description. */
const undefinedRequests: Readonly<Record<string, Omit<TargetRequest, 'path'>>> = {
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
  ...Object.fromEntries(
    feedModes
      .filter((mode) => mode !== 'normal')
      .map((mode) => [`filter=none/none, ${mode}`, { query: { filter: 'none/none', feed: mode } }]),
  ),
  ...Object.fromEntries(
    ['include_docs', 'conflicts', 'attachments', 'att_encoding_info'].map((name) => [
      `${name}=perhaps`,
      { query: { [name]: 'perhaps' } },
    ]),
  ),
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

/** Creates a database with three documents, one of them deleted, and a design document with unusual functions. */
async function createObservedDatabase(context: CheckContext): Promise<DatabaseClient> {
  const database = await context.createDatabase();
  const put = { kind: 'put', leaf: 0, body: {} } as const;
  await play(database, [
    { id: 'a', writes: [put] },
    { id: 'b', writes: [put, { ...put, kind: 'delete' }] },
    { id: 'c', writes: [put] },
  ]);
  // A server without functions may reject it. The requests that use the functions will show this.
  await database.request({ method: 'PUT', path: '/_design/odd', json: design });
  return database;
}

/** The status of a response, and its error or its number of rows. */
function summaryOf({ status, text }: Exchange): object {
  try {
    const { error, reason, results } = JSON.parse(text) as Record<string, unknown>;
    return Array.isArray(results) ? { status, rows: results.length } : { status, error, reason };
  } catch {
    return { status, text: text.slice(0, 200) };
  }
}

async function observeRequests(context: CheckContext): Promise<void> {
  const database = await createObservedDatabase(context);
  const observe = async (
    what: string,
    request: Omit<TargetRequest, 'path'>,
    timeoutMs = responseMs,
  ): Promise<void> => {
    // Not AbortSignal.timeout(): within AbortSignal.any() it may be collected as garbage and never abort
    // (https://github.com/nodejs/node/issues/57736).
    const deadline = startDeadline(context.signal, timeoutMs, new Error('The response is late.'));
    const { signal } = deadline;
    const sent = { path: '/_changes', deliberatelyWrong: true, signal, ...request };
    const response = await database
      .request(sent)
      .then(summaryOf, (error: unknown) => {
        context.signal.throwIfAborted();
        return { unanswered: signal.aborted ? `after ${timeoutMs} ms` : String(error) };
      })
      .finally(() => deadline.clear());
    context.observe(`feed: ${what}`, response);
  };
  for (const [what, request] of Object.entries(undefinedRequests)) {
    if (context.target.feed.supports(request)) await observe(what, request);
  }
  // Servers let a function run for seconds before they abort it.
  if (context.property.profile === 'thorough') {
    await observe('filter that loops', { query: { filter: 'odd/loops' } }, 20_000);
  }
}

async function observeSeqs(context: CheckContext): Promise<void> {
  const database = await createObservedDatabase(context);
  const { rows, lastSeq } = await readFeed(database);
  const [first] = rows;
  const { ids } = await readFeed(database, { query: { descending: true, since: first?.seq } });
  const later = rows.slice(1).map(({ id }) => id);
  const isNewer = ids.length === later.length && ids.every((id) => later.includes(id));
  context.observe('feed: descending with since', {
    rows: ids.length,
    of: rows.length,
    meaning: isNewer ? 'rows newer than since' : ids.length === 0 ? 'nothing' : 'other rows',
  });

  await recreate(database);
  const query = { since: lastSeq };
  const again = await database.request({ path: '/_changes', query, deliberatelyWrong: true });
  context.observe('feed: a seq of a database that was deleted and made again', summaryOf(again));
}

async function observeModes(context: CheckContext): Promise<void> {
  const database = await createObservedDatabase(context);
  for (const mode of feedModes) {
    if (!context.target.feed.supports({ query: { feed: mode } })) continue;
    await withLiveFeed(database, { mode, query: { heartbeat: 1_000 } }, async (feed) => {
      await feed.isMetInTime(() => feed.rowArrivals.length > 0, { graceMs: responseMs });
      const { status, headers } = feed.response ?? {};
      const named = ['content-type', 'cache-control', 'etag', 'transfer-encoding', 'content-length'];
      const shown = named.flatMap((name) => (headers?.has(name) ? [[name, headers.get(name)!.join()]] : []));
      context.observe(`feed: ${mode}`, { status, headers: Object.fromEntries(shown) as object });
      const [event] = feed.rowArrivals;
      if (mode !== 'eventsource' || !event) return;
      const { eventId, row } = event;
      const meaning =
        eventId === row.seq ? 'the seq' : eventId === JSON.stringify(row.seq) ? 'the seq as JSON' : eventId;
      context.observe('feed: the id of an event', meaning === '' ? 'none' : meaning);
    });
  }
}

/** Records all observations. If a group of them fails, it records the error instead. */
export async function observeFeed(context: CheckContext): Promise<void> {
  const groups = [observeRequests, observeSeqs, observeModes].map(async (observe) => {
    try {
      await context.inScope(observe);
    } catch (error) {
      context.signal.throwIfAborted();
      context.observe(`feed: ${observe.name}`, { unobserved: String(error) });
    }
  });
  await allSettledOrThrow(groups);
}
