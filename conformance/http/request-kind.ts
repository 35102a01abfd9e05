/**
 * What requests have in common that a target treats alike: the operation, its parameters and the members of the body,
 * without generated names and values.
 */
import { feedParameters } from '../../openapi/generated/feed-parameters.js';
import { operationName } from './describe-response.js';
import type { SentRequest } from './exchange.js';
import { asObject } from './parse-json.js';

export interface RequestKind {
  /** Such as `POST /{db}/_changes`. */
  readonly operation: string;
  /** Such as `feed=longpoll`, `since=…` and `docs in the body`. */
  readonly features: ReadonlySet<string>;
}

/** Modes whose responses may wait for a change (SERVICE 4.7). */
const waitingModes = ['longpoll', 'continuous', 'eventsource'];

/** @param json the body, if it is JSON */
export function kindOf({ method, path }: Pick<SentRequest, 'method' | 'path'>, json?: unknown): RequestKind {
  const [pathname, query] = path.split('?');
  const operation = operationName(method, path);
  return {
    operation,
    features: new Set([
      ...parametersOf(new URLSearchParams(query)).map(([name, value]) => `${name}=${withoutNames(value)}`),
      // The members of a document are generated.
      ...(/\/_[^/]+$/.test(pathname!) ? membersOf(json) : []),
    ]),
  };
}

/** Whether a response must end without a change that somebody else makes. */
export const mustEnd = ({ operation, features }: RequestKind): boolean =>
  !operation.endsWith('/_changes') || !waitingModes.some((mode) => features.has(`feed=${mode}`));

/** Whether a response must come at once, since it is one of normal mode (SERVICE 4.7 mode 1). */
export const isOfNormalMode = ({ operation, features }: RequestKind): boolean =>
  /^(GET|POST) \/\{db\}\/_changes$/.test(operation) &&
  [...features].every((feature) => !feature.startsWith('feed=') || feature === 'feed=normal');

/** Whether the target runs a function of a design document for a request with this parameter. */
export const evaluatesFunction = (feature: string): boolean =>
  feature === 'filter=_view' || feature === `filter=${nameOfFunction}`;

const nameOfFunction = '{ddoc}/{name}';

/** Such as `POST /{db}/_changes?filter=_design with doc_ids in the body`. */
export function describeKind({ operation, features }: RequestKind): string {
  const parameters = [...features].filter((feature) => !feature.endsWith(inTheBody));
  const members = [...features].filter((feature) => feature.endsWith(inTheBody));
  const names = members.map((feature) => feature.slice(0, -inTheBody.length));
  return [
    `${operation}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
    ...(names.length === 0 ? [] : [`with ${new Intl.ListFormat('en-GB').format(names)} in the body`]),
  ].join(' ');
}

const inTheBody = ' in the body';

function parametersOf(query: URLSearchParams): (readonly [string, string])[] {
  // A filter function may have any others, which are generated.
  const isFiltered = query.get('filter')?.includes('/');
  return [...query].filter(([name]) => !isFiltered || feedParameters.includes(name));
}

/** A word such as `longpoll` or `true` says what to do, other values are generated. */
function withoutNames(value: string): string {
  if (/^_?[a-z]+(_[a-z]+)?$/.test(value) && value.length <= longestWord) return value;
  return value.includes('/') ? nameOfFunction : '…';
}

const longestWord = 12;

function membersOf(json: unknown): string[] {
  const value = asObject(json);
  const documents = Array.isArray(value['docs']) ? (value['docs'] as unknown[]) : [];
  const special = documents.flatMap((document) => Object.keys(asObject(document)).filter(isSpecial));
  // Each request with documents has those.
  const members = Object.keys(value).filter((name) => name !== 'docs');
  return [...new Set([...members, ...special])].map((name) => `${name}${inTheBody}`);
}

/** Whether the member of a document has a meaning of its own. Each document may have an id. */
const isSpecial = (name: string): boolean => name.startsWith('_') && name !== '_id';
