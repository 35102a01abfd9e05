/**
 * A server that does, within what the service document allows, what clients do not expect: `serve --vary SEED`.
 * It finds out whether a consumer relies on more than is promised. Like a fault it replaces components of the server.
 */
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../handlers/context.js';
import { httpError } from '../http/errors.js';
import type { Components } from '../server/components.js';
import { withUnknownMember, shuffleMembers } from './object-members.js';
import { planOf, type Plan } from './plan.js';
import { randomOf, type Random } from './random.js';
import { shardedReader } from './shards.js';
import { inPieces, writeHeadersAs } from './transport.js';

export { describePlan, planOf } from './plan.js';

type Handlers = Components['handlers'];

/** A handler as the variation sees it: the types of the operations end here. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
}
type AnyHandler = (request: AnyRequest, context: Context) => Promise<Answer>;
interface AnyRequest {
  readonly query: Readonly<Record<string, unknown>>;
}

/** Objects of the service itself. What else has a body holds documents, whose members are their writers'. */
const extensible: ReadonlySet<string> = new Set(['getRoot', 'getSession', 'postSession', 'getDatabase']);

const configuration: ReadonlySet<string> = new Set([
  'getConfig',
  'getConfigSection',
  'getConfigKey',
  'putConfigKey',
  'deleteConfigKey',
]);

/** The same seed, asked the same in the same order, does the same. */
export function vary(seed: number): (components: Components) => Components {
  const plan = planOf(seed);
  const calls = new Map<string, number>();
  const randomFor = (name: string): Random => {
    const call = (calls.get(name) ?? 0) + 1;
    calls.set(name, call);
    return randomOf(seed, name, call);
  };
  return (components) => ({
    ...components,
    handlers: varied(components.handlers, plan, randomFor),
    openReader: shardedReader(components.openReader, plan, randomFor),
    renderRow: (database, change, options) => {
      const row = components.renderRow(database, change, options);
      const random = randomOf(seed, database.name, change.position);
      return shuffleMembers(plan.extraMembers ? withUnknownMember(row) : row, random) as typeof row;
    },
    errorBody: (boom, names) => {
      const body = components.errorBody(boom, names);
      return plan.extraMembers ? withUnknownMember(body) : body;
    },
    prepareResponse: (response) => {
      components.prepareResponse(response);
      writeHeadersAs(plan.headers, response);
    },
  });
}

function varied(handlers: Handlers, plan: Plan, randomFor: (name: string) => Random): Handlers {
  const all = Object.entries(handlers as unknown as Record<string, AnyHandler>).map(
    ([operation, handle]): [string, AnyHandler] => [
      operation,
      async (request, context) => {
        refuseAbsent(operation, request, plan);
        const random = randomFor(operation);
        if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
        const answer = await handle(request, context);
        return { ...answer, body: variedBody(operation, answer.body, plan, random) };
      },
    ],
  );
  return Object.fromEntries(all) as unknown as Handlers;
}

/** Features that a server may lack. Throws 404 and 501. */
function refuseAbsent(operation: string, { query }: AnyRequest, plan: Plan): void {
  if (!plan.configuration && configuration.has(operation))
    throw httpError(404, 'not_found', 'This server has no configuration endpoints.');
  const { filter } = query;
  const isFunction = typeof filter === 'string' && (filter === '_view' || /^[^_].*\//.test(filter));
  if (!plan.functions && isFunction)
    throw httpError(501, 'not_implemented', 'This server runs no filter functions.');
}

function variedBody(operation: string, body: unknown, plan: Plan, random: Random): unknown {
  if (body instanceof Readable) return inPieces(body, plan, random);
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return body;
  const told = operation === 'getDatabase' ? withShards(body, plan) : body;
  return shuffleMembers(
    plan.extraMembers && extensible.has(operation) ? withUnknownMember(told) : told,
    random,
  );
}

const withShards = (facts: object, { shards, copies }: Plan) => ({
  ...facts,
  cluster: { q: shards, n: copies, w: Math.ceil((copies + 1) / 2), r: Math.ceil((copies + 1) / 2) },
});
