/** Probes once, before the first check, which parts of the service a target does not have: see {@link Obstacle}. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Chunk, Exchange, HttpClient, TargetRequest } from '../../http/client.js';
import { asObject, feedObject, parseFeed, parseJson } from '../../http/parse-json.js';
import { type Line, LineReader } from '../../http/stream-readers.js';
import { groupBy } from '../../../reports/group.js';
import { startDeadline, type Uncounted } from '../../engine/deadlines.js';
import { Blocked, Inconclusive, Skip } from '../../engine/outcomes.js';
import { Unanswered } from '../../http/unanswered.js';
import { type RefusedCombination, refusedCombination } from './combinations.js';
import { combinable, parameterOf, probedFilters, probedParts, requestWith } from './feed-parts.js';
import { measureLag } from './feed-lag.js';
import { copiesOf, isMissing, type ProbeInput } from './capabilities.js';
import {
  everybodyIsAdministrator,
  feedWithoutRows,
  heldBack,
  ignoredParameters,
  missingEndpoint,
  notJson,
  refusedInModes,
  refusedParameter,
  refusedTogether,
  sameResponse,
  showsAdministrator,
  type Obstacle,
  unansweredParameter,
  withoutDatabases,
  withoutProbeDatabase,
} from './obstacles.js';

/** Time for all probes, in milliseconds. What they have not shown by then stays unknown. */
const probeMs = 20_000;

/** Time for what the target does not answer, of which the probes send some requests after others, in milliseconds. */
export const answersMs = (timeout: number): number => 5 * 1000 * timeout;

/** Round trips after which a feed that is still open is waiting. Of a target far away, fewer are enough after some time. */
const trips = 10;
const [fewTrips, farMs] = [4, 800] as const;

/** How long a feed without changes stays open that shows whether something holds it back, in milliseconds. */
const [glanceMs, confirmMs] = [300, 900] as const;

/**
 * Responses with rows from before `since` after which the target ignores it. Another copy of a shard may repeat rows
 * (SERVICE 4.7 rule 4), but not each time.
 */
const sinceReadings = 6;

const modes = ['longpoll', 'continuous', 'eventsource'] as const;

const documents = [{ _id: 'a' }, { _id: 'b' }];

/** Sends a request. Without a response, the target has shown nothing. */
type Ask = (request: TargetRequest) => Promise<Exchange | undefined>;

/** The same, for requests whose response may be what is lacking. */
type Tell = (request: TargetRequest) => Promise<Exchange | Unanswered | undefined>;

const responseOf = (answer: Awaited<ReturnType<Tell>>): Exchange | undefined =>
  answer instanceof Unanswered ? undefined : answer;

/**
 * @param database where to write. Without one, only what needs no database is probed.
 * @param options.session the response to `GET /_session` of the administrator, if there is one
 * @param options.timeout seconds in which the target must answer
 * @param options.uncounted the time that the probes do not count
 * @returns what is missing, of which the first that explains a response is the cause; how many milliseconds the feed is
 * behind the writes; and whether there was time to probe everything.
 */
export async function probeObstacles(
  client: HttpClient,
  database: ProbeInput['database'],
  { session, timeout, uncounted }: { session: Exchange | undefined; timeout: number; uncounted?: Uncounted },
): Promise<{ readonly obstacles: readonly Obstacle[]; readonly lagMs: number; readonly isWhole: boolean }> {
  const tooSlow = new Inconclusive('The probes of what the target has took too long.');
  const deadline = startDeadline(AbortSignal.any([]), probeMs + answersMs(timeout), tooSlow, uncounted);
  const tell: Tell = (request) =>
    client.request({ as: 'admin', signal: deadline.signal, ...request }).catch((error: unknown) => {
      if (error instanceof Unanswered) return error;
      if (error instanceof Blocked || error instanceof Inconclusive || error instanceof Skip)
        return undefined;
      throw error;
    });
  const ask: Ask = async (request) => responseOf(await tell(request));
  try {
    const ofDatabase = async (): Promise<{ lagMs: number; obstacles: Obstacle[] }> => {
      if ('refusal' in database) return { lagMs: 0, obstacles: [withoutDatabases(database.refusal)] };
      if ('blocked' in database) return { lagMs: 0, obstacles: [withoutProbeDatabase(database.blocked)] };
      const hasOneCopy = (copiesOf(database) ?? 1) === 1;
      const lagMs = hasOneCopy ? await measureLag(ask, database.path, { writers: 1, writes: 1 }) : 0;
      const { signal } = deadline;
      return {
        lagMs,
        obstacles: await probeDatabase(database, ask, { client, session, tell, lagMs, signal }),
      };
    };
    const [{ lagMs, obstacles: ofFeed }, ofCredentials] = await Promise.all([
      ofDatabase(),
      probeCredentials(ask),
    ]);
    const obstacles = [...ofFeed, ...missing(session), ...ofCredentials];
    return { obstacles, lagMs, isWhole: !deadline.signal.aborted };
  } finally {
    deadline.clear();
  }
}

/** @returns the endpoint of the request, if the target does not have it. */
const missing = (exchange: Exchange | undefined): Obstacle[] =>
  exchange && isMissing(exchange) ? [missingEndpoint(exchange)] : [];

/** Credentials that no user has. */
const nonsense = { basic: { name: 'docfeed-nobody', password: 'docfeed-nonsense' } };

async function probeCredentials(ask: Ask): Promise<Obstacle[]> {
  const sessions = await Promise.all(
    (['anonymous', nonsense] as const).map((as) => ask({ path: '/_session', as })),
  );
  const [anonymous] = sessions;
  const isEverybody = sessions.every((session) => session !== undefined && showsAdministrator(session));
  return anonymous && isEverybody ? [everybodyIsAdministrator(anonymous)] : [];
}

async function probeDatabase(
  database: Extract<ProbeInput['database'], { path: string }>,
  ask: Ask,
  {
    client,
    session,
    tell,
    lagMs,
    signal,
  }: { client: HttpClient; session: Exchange | undefined; tell: Tell; lagMs: number; signal: AbortSignal },
): Promise<Obstacle[]> {
  const { path } = database;
  const write = (json: object): ReturnType<Ask> => ask({ method: 'POST', path: `${path}/_bulk_docs`, json });
  const tellOfFeed: TellOfFeed = (query, json) =>
    tell({ path: `${path}/_changes`, query, ...(json && { method: 'POST', json }) });
  const read: Read = async (query, json) => responseOf(await tellOfFeed(query, json));
  const written = await write({ docs: documents });
  if (lagMs > 0) await wait(2 * lagMs);
  // Alone, so that what a target does not answer at all is known before it is asked with a parameter.
  const feed = await read();
  const rows = rowsOf(feed);
  const [posted, toldOfNow, again] = await Promise.all([
    read({}, {}),
    tellOfFeed({ since: 'now' }),
    feed && readAgain(feed, read),
  ]);
  const now = responseOf(toldOfNow);
  const isEmpty = ({ answer }: Start): boolean => rowsOf(answer)?.length === 0;
  const start = [
    { since: 'now', answer: now },
    { since: lastSeqOf(feed), answer: again },
  ].find(isEmpty);
  const waiting = (query: TargetRequest['query']): TargetRequest => ({
    path: `${path}/_changes`,
    query: { ...query, since: start?.since },
    headers: { accept: '*/*' },
  });
  const hasPost = missing(posted).length === 0;
  const inFilter = (mode: string) => (filter: (typeof probedFilters)[number]) => {
    const { query, json } = filter;
    const request = waiting({ ...query, feed: mode });
    return [
      { mode, filter },
      { ...request, ...(json && { method: 'POST', json }) },
    ] as const;
  };
  const filters = probedFilters.filter(({ json }) => hasPost || !json);
  const [ofParameters, longpoll, atOnce] = await Promise.all([
    rows ? probeParameters(rows, tellOfFeed, hasPost) : [],
    // Whether a long poll is answered at all where there are changes. Checks would wait for each.
    rows?.length
      ? tell({ path: `${path}/_changes`, query: { feed: 'longpoll' }, endsAtOnce: true })
      : undefined,
    answeredAtOnce<{ mode: string; filter?: { name: string }; isWithAll?: true }>(
      (start ? modes : []).flatMap((mode) => [
        [{ mode }, waiting({ feed: mode })] as const,
        [{ mode, isWithAll: true }, waiting({ ...requestWith(combinable).query, feed: mode })] as const,
        ...filters.map(inFilter(mode)),
      ]),
      path,
      ask,
      signal,
    ),
  ]);
  const inMode = atOnce.flatMap(([{ mode, filter, isWithAll }, exchange]) =>
    filter || isWithAll ? [] : [[mode, exchange] as const],
  );
  const likeNormal = inMode.filter(
    ([, { status, text }]) => status === start?.answer?.status && formOf(text) === formOf(start.answer.text),
  );
  /** Whether a response has all rows although it starts after the last change. */
  const skipsNothing = (answer: Exchange | undefined): answer is Exchange =>
    (rows?.length ?? 0) > 1 && rowsOf(answer)?.length === rows!.length;
  const ignoresSince = async (): Promise<boolean> => {
    if (!skipsNothing(again)) return false;
    if (skipsNothing(now)) return true;
    for (let reading = 1; reading < sinceReadings; reading += 1)
      if (!skipsNothing(await readAgain(feed!, read))) return false;
    return true;
  };
  const ignored = likeNormal.map(([mode]) => mode);
  const [unreadable, ...others] = [written, feed, posted, session].flatMap((exchange) =>
    exchange && isOk(exchange) && !isReadable(exchange) ? [exchange] : [],
  );
  if (feed && isOk(feed) && isSame(feed, written) && isSame(feed, session)) return [sameResponse(session!)];
  const lacking = ofParameters.flatMap(({ lacks = [] }) => lacks);
  const isWaiting = (mode: string): boolean => !inMode.some(([answered]) => answered === mode);
  const refusedFilters = atOnce.flatMap(([{ mode, filter }, exchange]) =>
    filter &&
    isWaiting(mode) &&
    exchange.status >= 400 &&
    !lacking.some(({ name, value }) => name === 'filter' && (value === undefined || value === filter.name))
      ? [{ mode, filter: filter.name, exchange }]
      : [],
  );
  const lackingAlways = lacking.filter(({ beside = [] }) => beside.every(({ name }) => name !== 'filter'));
  const taken = combinable.filter(
    (part) => !lackingAlways.some(({ name }) => name === parameterOf(part).name),
  );
  const refusals = await Promise.all(
    atOnce.flatMap(([{ mode, isWithAll }, exchange]) => {
      if (!isWithAll || !isWaiting(mode) || exchange.status < 400) return [];
      return [
        refusedCombination([`feed=${mode}`, ...taken], async (names) => {
          const query = {
            ...requestWith(names).query,
            ...(names.includes(`feed=${mode}`) && { feed: mode }),
          };
          const [answer] = await answeredAtOnce([[mode, waiting(query)]], path, ask, signal);
          return answer?.[1];
        }),
      ];
    }),
  );
  return [
    ...missing(written),
    ...(unreadable ? [notJson([unreadable, ...others], ignored)] : []),
    ...missing(feed),
    ...(isReadable(feed) && !rows ? [feedWithoutRows(feed, ignored)] : []),
    ...missing(posted),
    ...ofParameters,
    ...(longpoll instanceof Unanswered
      ? [unansweredParameter(longpoll, 'feed=longpoll', ['longpoll-behind'])]
      : []),
    ...ignoredIn(likeNormal.map(([mode, exchange]) => [`feed=${mode}`, exchange])),
    ...(rows ? refused('since', again) : []),
    ...(again && (await ignoresSince()) ? [ignoredParameters(again, ['since'])] : []),
    ...(skipsNothing(now) && !skipsNothing(again) ? [ignoredParameters(now, ['since=now'])] : []),
    ...(rows ? refused('since=now', toldOfNow) : []),
    ...(rows ? inMode.flatMap(([mode, exchange]) => refused(`feed=${mode}`, exchange)) : []),
    ...groupBy(refusedFilters, ({ filter }) => filter).map(([filter, answers]) =>
      refusedInModes(
        answers[0]!.exchange,
        filter,
        answers.map(({ mode }) => mode),
      ),
    ),
    ...eachOnce(refusals),
    ...(rows && !ignored.includes('continuous') ? await probeStream(path, { client, ask, signal }) : []),
  ];
}

/** @param hasPost whether the target takes a body */
async function probeParameters(
  all: readonly unknown[],
  tell: TellOfFeed,
  hasPost: boolean,
): Promise<Obstacle[]> {
  const told = await Promise.all(
    probedParts.flatMap(({ name, request, leavesOut = false }) =>
      request && (hasPost || !request.json)
        ? [tell(request.query, request.json).then((answer) => ({ name, leavesOut, answer }))]
        : [],
    ),
  );
  const withDocs = responseOf(told.find(({ name }) => name === 'include_docs')?.answer);
  const rows = rowsOf(withDocs) ?? [];
  const isIgnored = rows.length > 0 && rows.every((row) => !('doc' in asObject(row)));
  const shown = told.flatMap(({ name, leavesOut, answer }) =>
    leavesOut ? [[name, responseOf(answer)] as const] : [],
  );
  const left = shown.flatMap(([parameter, exchange]): Ignored[] => {
    const { length } = rowsOf(exchange) ?? [];
    return exchange && length > 1 && length === all.length ? [[parameter, exchange]] : [];
  });
  const isFilter = ([parameter]: readonly [string, ...unknown[]]): boolean => parameter.startsWith('filter=');
  const ignored = left.filter(isFilter);
  const [filter] = ignored;
  // Of a filter without a response, nothing is known.
  const others = shown.filter((one) => isFilter(one) && (!one[1] || isReadable(one[1])));
  const ignoresAll = filter && ignored.length > 1 && ignored.length === others.length;
  const accepted = told.flatMap(({ name, answer }) => {
    const exchange = responseOf(answer);
    return exchange && isOk(exchange) ? [name] : [];
  });
  return [
    ...ignoredIn([
      ...(isIgnored && withDocs ? [['include_docs', withDocs] as const] : []),
      ...left.filter((one) => !isFilter(one)),
      ...(ignoresAll ? [['filter', filter[1]] as const] : ignored),
    ]),
    ...told.flatMap(({ name, answer }) => refused(name, answer)),
    ...(await probeTogether(accepted, tell)),
  ];
}

/** Whether the target refuses parameters together that it takes one by one: all of them, and those beside each filter. */
async function probeTogether(accepted: readonly string[], tell: TellOfFeed): Promise<Obstacle[]> {
  const others = combinable.filter((name) => accepted.includes(name));
  const filters = probedFilters.map(({ name }) => `filter=${name}`).filter((name) => accepted.includes(name));
  const refusals = await Promise.all(
    [[], ...filters.map((filter) => [filter])].map((filter) =>
      refusedCombination([...filter, ...others], async (names) => {
        const { query, json } = requestWith(names);
        return responseOf(await tell(query, json));
      }),
    ),
  );
  return eachOnce(refusals);
}

/** Each combination once. What is refused without a filter is refused beside each one too. */
const eachOnce = (refusals: readonly (RefusedCombination | undefined)[]): Obstacle[] =>
  groupBy(
    refusals.flatMap((refusal) => refusal ?? []),
    ({ parameters }) => parameters.toSorted().join(),
  ).map(([, [refusal]]) => refusedTogether(refusal!.shownBy, refusal!.parameters));

/** @returns the parameter, if the target answers a valid request with it with an error, or not at all. */
function refused(parameter: string, answer: Awaited<ReturnType<Tell>>): Obstacle[] {
  if (answer instanceof Unanswered) return [unansweredParameter(answer, parameter)];
  return answer && answer.status >= 400 ? [refusedParameter(answer, parameter)] : [];
}

/** Reads the feed by GET, or by POST with a body. */
type Read = (...request: Parameters<TellOfFeed>) => ReturnType<Ask>;
type TellOfFeed = (query?: TargetRequest['query'], json?: object) => ReturnType<Tell>;

/** Where a feed starts, and what a normal one answers from there. */
interface Start {
  readonly since: unknown;
  readonly answer: Exchange | undefined;
}

const lastSeqOf = (feed: Exchange | undefined): unknown =>
  feed && (feedObject(parseFeed(feed.text)).lastSeq ?? undefined);

/** Reads the feed since a seq that the target has returned. */
async function readAgain(feed: Exchange, read: Read): ReturnType<Ask> {
  const since = lastSeqOf(feed);
  return since === undefined ? undefined : read({ since });
}

/** What the target ignores, with a response that shows it. */
type Ignored = readonly [parameter: string, shownBy: Exchange];

function ignoredIn(all: readonly Ignored[]): Obstacle[] {
  const [first] = all;
  return first
    ? [
        ignoredParameters(
          first[1],
          all.map(([parameter]) => parameter),
        ),
      ]
    : [];
}

/**
 * The feeds that the target answers at once although there is nothing to send, with its responses.
 *
 * @param path where a request is not to wait
 */
async function answeredAtOnce<T>(
  feeds: readonly (readonly [feed: T, request: TargetRequest])[],
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<(readonly [feed: T, response: Exchange])[]> {
  if (feeds.length === 0) return [];
  const closing = new AbortController();
  const over = AbortSignal.any([signal, closing.signal]);
  const reading = feeds.map(
    async ([feed, request]) => [feed, await ask({ ...request, signal: over })] as const,
  );
  const waiting = async (): Promise<void> => {
    const startedAt = performance.now();
    const isFar = (): boolean => performance.now() - startedAt >= farMs;
    // A busy target may get to a new connection later than to one that is open.
    for (let trip = 0; trip < trips && !(trip >= fewTrips && isFar()); trip += 1)
      await ask({ path, onNewConnection: true, signal: over });
  };
  // A connection that breaks shows nothing, like one that stays open.
  await Promise.race([waiting(), Promise.all(reading)]);
  closing.abort(new Blocked('The probe has ended.'));
  return (await Promise.all(reading)).flatMap(([feed, response]) =>
    response ? [[feed, response] as const] : [],
  );
}

/** Longer than what something between keeps until more comes. */
const large = { text: 'x'.repeat(20_000) };

/**
 * Whether a feed sends rows only when it ends, or the end of a long one, although a normal response has them at once. Most
 * feeds show at once that nothing holds them back.
 */
async function probeStream(
  path: string,
  { client, ask, signal }: { client: HttpClient; ask: Ask; signal: AbortSignal },
): Promise<Obstacle[]> {
  await ask({ method: 'PUT', path: `${path}/large`, json: large });
  const normal = await ask({ path: `${path}/_changes` });
  const count = rowsOf(normal)?.length ?? 0;
  const endless = new Inconclusive('The feed does not end.');
  const deadline = startDeadline(signal, trips * (glanceMs + confirmMs), endless);
  const stream = (timeout: number): TargetRequest => ({
    path: `${path}/_changes`,
    query: { feed: 'continuous', timeout, include_docs: true },
    headers: { accept: '*/*' },
    as: 'admin',
    signal: deadline.signal,
  });
  try {
    const glance = await client.open(stream(glanceMs));
    const chunks: Chunk[] = [];
    for await (const chunk of glance.chunks) {
      if (chunk.atMs >= glanceMs) break;
      chunks.push(chunk);
      if (rowCount(chunks) >= count) break;
    }
    glance.close();
    if (rowCount(chunks) >= count) return [];
    const whole = await ask(stream(confirmMs));
    const again = await ask({ path: `${path}/_changes` });
    if (!whole || !isOk(whole) || !again || again.durationMs > glanceMs) return [];
    const early = whole.chunks.filter(({ atMs }) => atMs < confirmMs);
    const isWhole = rowCount(whole.chunks) >= count;
    // A server that holds a row back does not send a part of it.
    const isCut = (linesOf(early).at(-1)?.ending ?? '') === '';
    return isWhole && isCut ? [heldBack(whole)] : [];
  } catch (error) {
    if (error instanceof Blocked || error instanceof Inconclusive) return [];
    throw error;
  } finally {
    deadline.clear();
  }
}

/** The number of whole rows. */
const rowCount = (chunks: readonly Chunk[]): number =>
  linesOf(chunks).filter(({ text, ending }) => ending !== '' && 'id' in asObject(parseJson(text))).length;

function linesOf(chunks: readonly Chunk[]): Line[] {
  const lines = new LineReader();
  return [...chunks.flatMap(({ bytes }) => lines.read(bytes)), ...lines.end()];
}

/** The members of an object, or a text that is not JSON. */
function formOf(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : Object.keys(asObject(value)).sort().join();
}

const isSame = ({ status, text }: Exchange, other: Exchange | undefined): boolean =>
  other?.status === status && other.text === text;

const isOk = ({ status }: Exchange): boolean => status >= 200 && status < 300;

const isReadable = (exchange: Exchange | undefined): exchange is Exchange =>
  exchange !== undefined && isOk(exchange) && parseJson(exchange.text) !== undefined;

const rowsOf = (exchange: Exchange | undefined): readonly unknown[] | undefined =>
  isReadable(exchange) ? feedObject(parseJson(exchange.text)).results : undefined;
