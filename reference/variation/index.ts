/**
 * Variations (`serve --vary SEED`): behaviour that the service document allows, but that clients may not expect. They show
 * whether a consumer relies on more than the rules guarantee. Like faults, they replace components of the server.
 */
import { Readable } from 'node:stream';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../handlers/context.js';
import { httpError } from '../http/errors.js';
import type { BulkTurn } from '../http/turns.js';
import type { Components } from '../server/components.js';
import { withUnknownMember, shuffleMembers } from './object-members.js';
import { planOf, planWith, type Plan } from './plan.js';
import { randomOf, type Random } from './random.js';
import { shardedReader } from './shards.js';
import { splitRandomly, setHeaderCase } from './transport.js';
import { lowestLeaf } from './winner.js';

export { describePlan, planOf, type Plan } from './plan.js';

type Handlers = Components['handlers'];

/** Response of a handler, without the types of its operation. */
interface AnyResponse {
  readonly status: number;
  readonly body?: unknown;
}
type AnyHandler = (request: AnyRequest, context: Context) => Promise<AnyResponse>;
interface AnyRequest {
  readonly query: Readonly<Record<string, unknown>>;
}

/** Operations whose responses may have additional members. The others return documents or lists. */
const extensible: ReadonlySet<string> = new Set(['getRoot', 'getSession', 'postSession', 'getDatabase']);

/** Their responses are split also if they are complete. */
const feedOperations: ReadonlySet<string> = new Set(['getChanges', 'postChanges']);

const configurationOperations: ReadonlySet<string> = new Set([
  'getConfig',
  'getConfigSection',
  'getConfigKey',
  'putConfigKey',
  'deleteConfigKey',
]);

/**
 * Returns a function that applies the variation: the one of a seed, or one that is given. The same seed and the same
 * requests lead to the same behaviour.
 */
export function vary(
  variation: number | Partial<Plan>,
  serviceVersion?: string,
): (components: Components) => Components {
  const plan = typeof variation === 'number' ? planOf(variation, serviceVersion) : planWith(variation);
  const { seed } = plan;
  const calls = new Map<string, number>();
  const randomFor = (name: string): Random => {
    const call = (calls.get(name) ?? 0) + 1;
    calls.set(name, call);
    return randomOf(seed, name, call);
  };
  return (components) => ({
    ...components,
    handlers: varyHandlers(components.handlers, plan, randomFor),
    ...(plan.hasOtherWinner && { winningRevision: lowestLeaf }),
    ...(plan.splitsBulkWrites && { bulkTurn: () => documentByDocument(plan, randomFor('bulkTurn')) }),
    rows: components.rows.with({
      openReader: shardedReader(components.rows.openReader, plan, randomFor),
      renderRow: (database, change, options) => {
        const row = components.rows.renderRow(database, change, options);
        const random = randomOf(seed, database.name, change.position);
        return shuffleMembers(plan.extraMembers ? withUnknownMember(row) : row, random) as typeof row;
      },
    }),
    errorBody: (boom, names) => {
      const body = components.errorBody(boom, names);
      return plan.extraMembers ? withUnknownMember(body) : body;
    },
    prepareResponse: (response) => {
      components.prepareResponse(response);
      setHeaderCase(plan.headers, response);
    },
  });
}

function varyHandlers(handlers: Handlers, plan: Plan, randomFor: (name: string) => Random): Handlers {
  const all = Object.entries(handlers as unknown as Record<string, AnyHandler>).map(
    ([operation, handle]): [string, AnyHandler] => [
      operation,
      async (request, context) => {
        rejectMissingFeatures(operation, request, plan);
        const random = randomFor(operation);
        if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
        const response = await handle(request, context);
        return { ...response, body: varyBody(operation, response.body, plan, random) };
      },
    ],
  );
  return Object.fromEntries(all) as unknown as Handlers;
}

/** Each document is a transaction of its own. Feeds that wait wake in the round of the event loop that follows. */
const documentByDocument = ({ pauseMs }: Plan, random: Random): BulkTurn => ({
  isOver: () => true,
  next: () => (pauseMs > 0 && random.upTo(3) === 0 ? pause(random.upTo(pauseMs)) : setImmediate()),
});

/** @throws 404 or 501 for features that this variation does not have */
function rejectMissingFeatures(operation: string, { query }: AnyRequest, plan: Plan): void {
  if (!plan.configuration && configurationOperations.has(operation))
    throw httpError(404, 'not_found', 'This server has no configuration endpoints.');
  const { filter } = query;
  const isFunction = typeof filter === 'string' && (filter === '_view' || /^[^_].*\//.test(filter));
  if (!plan.functions && isFunction)
    throw httpError(501, 'not_implemented', 'This server does not support filter functions.');
}

function varyBody(operation: string, body: unknown, plan: Plan, random: Random): unknown {
  if (body instanceof Readable) return splitRandomly(body, plan, random);
  if (Buffer.isBuffer(body) && feedOperations.has(operation))
    return splitRandomly(Readable.from([body]), plan, random);
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return body;
  const described = operation === 'getDatabase' ? withShards(body, plan) : body;
  return shuffleMembers(
    plan.extraMembers && extensible.has(operation) ? withUnknownMember(described) : described,
    random,
  );
}

const withShards = (info: object, { shards, copies }: Plan) => ({
  ...info,
  cluster: { q: shards, n: copies, w: Math.ceil((copies + 1) / 2), r: Math.ceil((copies + 1) / 2) },
});
