/** Rules for all responses (SERVICE 7). These checks run last and evaluate the exchanges of all other checks. */
import { Finding } from '../../engine/finding.js';
import {
  Blocked,
  type Check,
  type CheckContext,
  defineRule,
  type Exchange,
  requestFeed,
  type Run,
  Skip,
  Violation,
  type Passed,
  feedPath,
} from '../../kit.js';
import type { RecordedExchange } from '../../../reports/report.js';
import { operationName } from '../../http/describe-response.js';
import { Oversized } from '../../http/oversized.js';
import { mustEnd } from '../../http/request-kind.js';
import { allSettledOrThrow } from '../../play/all-settled.js';
import { internalError, type ServerError } from '../../http/server-errors.js';
import type { TrafficProblem } from '../../http/schema-check.js';
import { putUser, userPath } from '../../session/cleanup/user-requests.js';
import { observeFeed } from '../shared/observations.js';
import { postSession, getSession } from '../shared/sessions.js';
import { judgeBody } from '../../http/schema-check.js';
import { unseen } from '../shared/unseen.js';

async function readChanges(context: CheckContext, method: 'GET' | 'POST'): Promise<void> {
  const database = await context.createDatabase();
  await requestFeed(database, { method });
  await database.request({ method: 'PUT', path: '/written', json: { value: 1 } });
  for (const query of [{ include_docs: true }, { style: 'all_docs' }] as const)
    if (context.target.feed.supports({ query })) await requestFeed(database, { method, query });
}

/** JSON that is cut off. The service document says only for selectors that a server must reject it. */
const malformed = {
  headers: { 'Content-Type': 'application/json' },
  body: '{"name":"docfeed","doc_ids":["a"]',
};

/** Sends requests that servers reject with an error. They do not wait for each other where none changes anything. */
async function provokeErrors(context: CheckContext): Promise<void> {
  const groups = [refusedRequests, ...(context.target.has('users') ? [refusedUsers] : [])];
  await allSettledOrThrow(groups.map((send) => send(context)));
}

async function refusedRequests(context: CheckContext): Promise<void> {
  const { target } = context;
  const database = await context.createDatabase();
  const { name, password } = context.planUser();
  const queries = [
    { feed: 'none' },
    { filter: 'none/none' },
    { filter: '_none' },
    { filter: '_doc_ids', doc_ids: '{}' },
    { since: 'none' },
  ];
  const wrong = { method: 'POST', ...malformed, deliberatelyWrong: true };
  const wrongBodies = {
    postChanges: () => database.request({ ...wrong, path: '/_changes', query: { filter: '_doc_ids' } }),
    // As the administrator, to whom every error must have a body.
    postSession: () => target.request({ ...wrong, path: '/_session', as: 'admin' }),
  };
  const wrongLogins = [{ name: 5, password }, { name, password: true }, { name }, [], null, 'text'];
  const wrongSession = { path: '/_session', as: 'admin', deliberatelyWrong: true } as const;
  await allSettledOrThrow<unknown>([
    database.request({ path: '/missing' }),
    database.request({ method: 'PUT', path: '' }),
    database.request({ method: 'PUT', path: '/refused', json: { _unknown: 1 }, deliberatelyWrong: true }),
    target.request({ path: `/${database.name}-missing/_changes`, as: 'admin' }),
    target.request({ method: 'POST', path: `/${database.name}-missing/_changes`, json: {}, as: 'admin' }),
    postSession(context, name, password),
    ...queries.flatMap((query) => {
      const feed = { path: '/_changes', query, deliberatelyWrong: true };
      return [database.request(feed), database.request({ ...feed, method: 'POST', json: {} })];
    }),
    ...Object.entries(wrongBodies).map(async ([operation, send]) => {
      const { status } = await send();
      context.observe(`malformed JSON in ${operation}`, { status });
    }),
    ...wrongLogins.map((json) => target.request({ ...wrongSession, method: 'POST', json })),
    target.request({ ...wrongSession, method: 'PUT', json: {} }),
    database.request({ method: 'PUT', path: '/_changes', json: {}, deliberatelyWrong: true }),
  ]);
}

async function refusedUsers(context: CheckContext): Promise<void> {
  const { target } = context;
  const { id, ...wrongUser } = context.planUser();
  const wrongMembers = [{ roles: 'reader' }, { roles: [5] }, { type: 'other' }, { name: 5 }];
  const existing = await context.createUser();
  await allSettledOrThrow<unknown>([
    ...wrongMembers.map((members) =>
      target.request({
        method: 'PUT',
        path: userPath(id),
        json: { ...wrongUser, type: 'user', ...members },
        as: 'admin',
        deliberatelyWrong: true,
      }),
    ),
    target.request(putUser(existing)),
    target
      .request({ ...putUser(existing), ...malformed, json: undefined, deliberatelyWrong: true })
      .then(({ status }) => context.observe('malformed JSON in putUser', { status })),
  ]);
}

/**
 * Sends further requests. The responses so far count although one of these is too long to read.
 *
 * @returns the verdict for that response, if there is one
 */
const sendFurther = (run: Run, context: CheckContext): Promise<Oversized | undefined> =>
  run(context).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Oversized) return error;
      throw error;
    },
  );

/**
 * Throws the first problem that the baseline does not explain, or else the first one. What the target lacks of the feed is
 * no problem of its other responses.
 */
function mustHaveNone(
  { property }: CheckContext,
  problems: readonly TrafficProblem[],
  what: (request: RecordedExchange['request']) => string,
): void {
  const findings = problems.map(({ difference, exchange, before }) => {
    const violation = new Violation(what(exchange.request), difference);
    const evidence = { exchanges: [exchange], violating: 0, ...(before > 0 && { omitted: before }) };
    return new Finding(violation, evidence, { isShared: false, mayBeLag: false });
  });
  const own = findings.filter((finding) => !('lacks' in (property.obstacle?.(finding) ?? {})));
  const unknown = own.find(({ violation }) => !property.knownDeviation?.(violation, undefined));
  const finding = unknown ?? own[0];
  if (finding) throw finding;
}

/** With the query, by which an entry of a baseline can name the deviation. */
const theResponse =
  (what: string) =>
  ({ method, path }: RecordedExchange['request']): string =>
    `The response to ${method} ${path} ${what}`;

/** How often a request must get an internal error again. A busy server may give it once, or twice. */
const confirmations = 2;

/**
 * Whether the target answers such requests with an internal error whenever they are sent. If the run has not shown that,
 * this sends the request again, to new databases.
 */
async function isPersistent(context: CheckContext, error: ServerError): Promise<boolean> {
  if (error.again >= confirmations && error.others === 0) return true;
  for (let sent = 0; sent < confirmations; sent += 1) {
    if ((await resend(context, error))?.status !== internalError) return false;
  }
  return true;
}

/** @returns nothing if the request changes what the run did not create, or if its response may wait for a change. */
async function resend(
  context: CheckContext,
  { kind, request: { signal: _ended, ...request } }: ServerError,
): Promise<Exchange | undefined> {
  if (!mustEnd(kind)) return undefined;
  const [, inDatabase] = /^\/docfeed-[^/]+(\/.*)$/.exec(request.path) ?? [];
  if (inDatabase !== undefined) {
    const database = await context.createDatabase();
    return database.request({ ...request, path: inDatabase });
  }
  return request.method === undefined || request.method === 'GET'
    ? context.target.request(request)
    : undefined;
}

/** Sends what the suite does without if the target does not answer it well, so that the run shows why. */
async function writeInBulk(context: CheckContext): Promise<void> {
  const database = await context.createDatabase();
  if (!database.lacks.has('bulk-docs')) return;
  const json = { docs: [{ _id: 'written-in-bulk' }] };
  await database.request({ method: 'POST', path: '/_bulk_docs', json }).catch((error: unknown) => {
    if (!(error instanceof Blocked)) throw error;
  });
}

async function mustBeWithoutServerErrors(context: CheckContext): Promise<void> {
  const { traffic } = context;
  await writeInBulk(context);
  if (traffic.serverErrors().checked === 0) {
    for (const method of ['GET', 'POST'] as const)
      if (context.target.feed.supports({ method })) await readChanges(context, method);
  }
  const problems: TrafficProblem[] = [];
  for (const error of traffic.serverErrors().errors) {
    if (!(await isPersistent(context, error))) continue;
    const difference = {
      path: '$status',
      expected: 'a status that is no internal error',
      actual: internalError,
    };
    problems.push({ ...error, difference });
  }
  const what = ({ method, path }: RecordedExchange['request']): string =>
    `The target answers a valid ${operationName(method, path)} with an internal error`;
  mustHaveNone(context, problems, what);
}

/** @param exercise sends requests of the operation, in case the run has not sent any */
const mustFitSchema = (operationId: string, exercise: Run): Pick<Check, 'runsLast' | 'run'> => ({
  runsLast: true,
  async run(context) {
    const isUnused = context.traffic.responses(operationId).checked === 0;
    const oversized = isUnused ? await sendFurther(exercise, context) : undefined;
    const { checked, problems } = context.traffic.responses(operationId);
    mustHaveNone(context, problems, theResponse('does not match its schema'));
    if (oversized) throw oversized;
    if (checked === 0) throw new Blocked(`No response to ${operationId} was successful.`);
  },
});

function judgeDescribed(passed: Passed, what: string): boolean {
  const { context, exchange, passing, query, isFeed } = passed;
  if ((passing.lacksDocuments || passed.namesMembers) && query.has('include_docs')) return false;
  const { differences = [] } = judgeBody(context.description, exchange) ?? {};
  const difference = differences.find((one) => one !== undefined);
  if (difference) {
    const path = isFeed ? feedPath : passing.pathname;
    throw new Violation(`The response to ${passing.method} ${path} ${what}`, difference);
  }
  return differences.length > 0;
}

export const errorShape = defineRule('error-shape', {
  rung: 'errors',
  inTraffic: {
    part: {
      judged: 'The bodies of errors of operations that the service document shows.',
      rest: 'Something before the target may send what is no JSON, and the service document does not show other operations.',
    },
    // The service document says nothing of other operations, and a passer-by sees all that a server has.
    response: (passed) =>
      passed.passing.status >= 400 &&
      passed.operation?.documented === true &&
      judgeDescribed(passed, 'has a malformed error body'),
  },
  checks: {
    'error-shape': {
      runsLast: true,
      async run(context) {
        const oversized = await sendFurther(provokeErrors, context);
        if (!oversized && context.property.profile !== 'smoke') await observeFeed(context);
        const { checked, problems } = context.traffic.errorBodies();
        mustHaveNone(context, problems, theResponse('has a malformed error body'));
        if (oversized) throw oversized;
        if (checked === 0) throw new Skip('No response of the target has a JSON error body.');
      },
    },
  },
});

export const responseSchema = defineRule('response-schema', {
  rung: 'errors',
  inTraffic: {
    part: { judged: 'Each successful response of an operation that the description has.', rest: unseen.once },
    response: (passed) =>
      passed.passing.status < 400 && passed.isValid && judgeDescribed(passed, 'does not match its schema'),
  },
  checks: {
    // The service document shows the responses of these operations. It does not show that of the creation of a user
    // (SERVICE 4.4).
    'response-schema/getRoot': mustFitSchema('getRoot', async ({ target }) => {
      await target.request({ path: '/' });
    }),

    'response-schema/getSession': mustFitSchema('getSession', async (context) => {
      await getSession(context);
      await getSession(context, { as: 'admin' });
    }),

    'response-schema/postSession': {
      needs: ['users'],
      ...mustFitSchema('postSession', async (context) => {
        const { name, password } = await context.createUser({ roles: ['reader'] });
        await postSession(context, name, password);
      }),
    },

    'response-schema/getChanges': mustFitSchema('getChanges', (context) => readChanges(context, 'GET')),

    'response-schema/postChanges': mustFitSchema('postChanges', (context) => readChanges(context, 'POST')),

    'response-schema/server-errors': { runsLast: true, run: mustBeWithoutServerErrors },
  },
});
