/** Normal mode responds immediately (SERVICE 4.7 mode 1). */
import {
  Blocked,
  changesRequest,
  type DatabaseClient,
  defineRule,
  designName,
  type FeedQuery,
  type FeedRequest,
  Inconclusive,
  must,
  newDocument,
  playNew,
  probesOf,
  readFeed,
  rejectingDesign,
  type TargetRequest,
  variantsFor,
  withRejectingFilters,
} from '../../kit.js';
import { isInTime, judgeInTime } from '../../engine/deadlines.js';
import { unknownMember } from '../../session/probe/capabilities.js';
import { unseen } from '../shared/unseen.js';

/** The grace period of {@link isInTime}: longer than a response takes that waits for nothing. */
const promptMs = 1500;
/** The timeout and heartbeat of the requests: far longer than {@link promptMs}. */
const periodMs = 20_000;

/** How long a request that was not answered in the run is waited for alone. */
const aloneMs = 5_000;

/** Parameters that normal mode must ignore. With a heartbeat, a response that waits would never end. */
const ignoredParameters: readonly FeedQuery[] = [
  {},
  { timeout: periodMs },
  { heartbeat: periodMs },
  { heartbeat: true },
  { heartbeat: 50 },
  { timeout: periodMs, heartbeat: periodMs },
];

/**
 * The response must end soon after the request was sent. Only time in which the target answers other requests counts,
 * so a pause of the target or of this machine does not fail the check.
 *
 * @param other a request that takes as long if the target is busy
 */
async function mustRespondImmediately(
  database: DatabaseClient,
  request: FeedRequest,
  other: FeedRequest = {},
): Promise<void> {
  const sentAt = performance.now();
  const closing = new AbortController();
  const { method = 'GET', query = {} } = request;
  let status = 0;
  const respond = async (): Promise<void> => {
    const sent = { ...changesRequest(request), judgesTime: true, signal: closing.signal };
    const response = await database.open(sent);
    status = response.status;
    for await (const chunk of response.chunks) void chunk;
  };
  const grace = { by: sentAt, graceMs: promptMs };
  try {
    const isPrompt = await isInTime(respond(), { ...grace, ...probesOf(database, other) });
    judgeInTime(grace, () =>
      must(isPrompt, 'Normal mode does not respond immediately', {
        path: `the end of the response to ${method} with ${JSON.stringify(query)}`,
        expected: 'immediately',
        actual: `not while the target answered other requests for ${promptMs} ms`,
      }),
    );
  } finally {
    closing.abort();
  }
  if (status !== 200) throw new Blocked(`The target responds to the feed with ${status}.`);
  if (performance.now() - sentAt >= periodMs) {
    throw new Inconclusive('The target answered all requests slowly while the feed was read.');
  }
}

/** What the request is like in a new database, which has no position of another one, nor its design documents. */
async function likeInNew(
  database: DatabaseClient,
  { query, ...request }: TargetRequest,
): Promise<TargetRequest> {
  const { since, filter, view } = query ?? {};
  const isFunction = (name: unknown): boolean => typeof name === 'string' && name.includes('/');
  return {
    ...request,
    path: '/_changes',
    query: {
      ...query,
      ...(since !== undefined && since !== 'now' && { since: (await readFeed(database)).lastSeq }),
      ...(isFunction(filter) && { filter: `${designName}/nothing` }),
      ...(isFunction(view) && { view: `${designName}/nothing` }),
    },
    judgesTime: true,
  };
}

export const normalImmediate = defineRule('normal-immediate', {
  rung: 'feed',
  otherRungs: {
    'normal-immediate/empty': 'database',
    'normal-immediate/filtered': 'filters',
    'normal-immediate/every-request': 'errors',
  },
  notInTraffic: unseen.arrival,
  checks: {
    'normal-immediate': async (context) => {
      const empty = await context.createDatabase();
      const { database } = await playNew(context, [newDocument('a'), newDocument('b')]);
      const { lastSeq } = await readFeed(database);
      const supported = ignoredParameters.filter((query) => context.target.feed.supports({ query }));
      for (const ignored of variantsFor(context, supported)) {
        // Without a parameter, that is a check of its own.
        if (Object.keys(ignored).length > 0) await mustRespondImmediately(empty, { query: ignored });
        await mustRespondImmediately(database, { query: ignored });
        await mustRespondImmediately(database, { query: { ...ignored, since: lastSeq } });
        for (const request of [
          { method: 'POST', query: { ...ignored, since: lastSeq } },
          { query: { ...ignored, since: 'now', feed: 'normal' } },
        ] as const)
          if (context.target.feed.supports(request)) await mustRespondImmediately(database, request);
      }
    },

    // What somebody who builds a server tries first, before there is any write.
    'normal-immediate/empty': async (context) => {
      const empty = await context.createDatabase();
      await mustRespondImmediately(empty, {});
      await readFeed(empty);
    },

    'normal-immediate/filtered': {
      optional: ['functions'],
      run: async (context) => {
        const hasFunctions = context.target.has('functions');
        const design = rejectingDesign(hasFunctions);
        const { database } = await playNew(context, [...design, newDocument('a')]);
        // A filter need not use the body, which may have members that it does not know.
        const requests = withRejectingFilters<FeedRequest>({ json: unknownMember }, { hasFunctions }).filter(
          (request) => context.target.feed.supports(request),
        );
        let refusal: Blocked | undefined;
        let isJudged = false;
        for (const request of variantsFor(context, requests)) {
          const { filter } = request.query!;
          const other = requests.find(({ method, query }) => method === 'GET' && query?.filter === filter);
          try {
            await mustRespondImmediately(database, request, other);
            isJudged = true;
          } catch (error) {
            // Without one filter, the others remain.
            if (!(error instanceof Blocked)) throw error;
            refusal = error;
          }
        }
        if (!isJudged && refusal) throw refusal;
      },
    },

    'normal-immediate/every-request': {
      runsLast: true,
      optional: ['functions'],
      async run(context) {
        const design = rejectingDesign(context.target.has('functions'));
        const { database } = await playNew(context, design);
        await mustRespondImmediately(database, {});
        // A parameter that the target never answers is a matter of the rule about it.
        const unanswered = context.target
          .unanswered()
          .filter(({ isOfNormalMode, request }) => isOfNormalMode && context.target.feed.supports(request));
        for (const { request } of unanswered) {
          const closing = new AbortController();
          const sent = { ...(await likeInNew(database, request)), signal: closing.signal };
          const response = database.request(sent);
          const grace = { by: performance.now(), graceMs: aloneMs, ...probesOf(database, {}) };
          try {
            must(await isInTime(response, grace), 'Normal mode does not respond', {
              path: 'the response',
              expected: 'one, since normal mode does not wait',
              actual: 'none, while the target answered other requests',
              exchange: { request: sent },
            });
          } finally {
            closing.abort();
            await response.catch(() => {});
          }
        }
        if (unanswered.length > 0) {
          const problems = unanswered.map(({ problem }) => problem).join(', ');
          throw new Inconclusive(`In the run, ${problems}. Sent alone, such requests are answered.`);
        }
      },
    },
  },
});
