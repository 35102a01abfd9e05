/** Reads operations from a bundled description, with parameters, bodies and responses resolved. */
import { InvalidInput } from './errors.js';

export interface Reference {
  $ref: string;
}

/** The keywords that can have a reason of their own. */
type ReasonedKeyword = 'required' | 'type' | 'minimum' | 'maximum';

/** The JSON Schema keywords that the description uses. The generator of validators rejects other keywords. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  oneOf?: Schema[];
  anyOf?: Schema[];
  description?: string;
  /** What messages say in place of `pattern`. */
  'x-form'?: string;
  /** The `reason` of the error for an invalid value, or one for each of several causes. */
  'x-reason'?: string | Partial<Record<ReasonedKeyword, string>>;
  /** The `error` for an invalid value, if it is not `bad_request`. */
  'x-error'?: string;
}

type Examples = Record<string, { value: unknown } | Reference>;
export type Content = Record<string, { schema?: Schema; example?: unknown; examples?: Examples }>;

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Schema;
  /** In place of `schema`, for a value that is JSON text. */
  content?: Content;
  example?: unknown;
  examples?: Examples;
  'x-multi-segment'?: boolean;
  'x-not-validated'?: boolean;
  'x-since'?: string;
  'x-values-since'?: Record<string, string>;
}

export interface BodyObject {
  content: Content;
  required?: boolean;
}

export interface ResponseObject {
  content?: Content;
}

export interface OperationObject {
  operationId: string;
  summary: string;
  parameters?: (ParameterObject | Reference)[];
  requestBody?: BodyObject | Reference;
  responses: Record<string, ResponseObject | Reference>;
  security?: SecurityRequirement[];
  'x-source': string;
  'x-access'?: string;
  'x-feeds'?: unknown;
  'x-streamed'?: boolean;
}

/** The schemes that must be used together. */
type SecurityRequirement = Record<string, string[]>;

interface DialectNames {
  dialect: string;
  userIdPrefix: string;
  [name: string]: string;
}

export interface Description {
  'x-names': DialectNames;
  /** Paths that the description does not have, but that clients know from CouchDB. */
  'x-not-offered': { reason: string; paths: string[] }[];
  paths: Record<string, Record<string, unknown>>;
  security: SecurityRequirement[];
  components: Record<string, Record<string, unknown>>;
}

export interface Parameter {
  /** Name of the component, if the parameter is a component. */
  component?: string;
  name: string;
  in: ParameterObject['in'];
  required: boolean;
  schema: Schema;
  /** Whether the value is JSON text. The schema and the examples are those of the parsed value. */
  json: boolean;
  examples: unknown[];
  multiSegment: boolean;
  /** Whether the handler gets any text, because its answer to an invalid one depends on more. */
  isNotValidated: boolean;
  /** The first version of the service that has the parameter, unless every version has it. */
  since?: string;
  /** The first versions that have these values, if not every version that has the parameter does. */
  valuesSince: Record<string, string>;
}

export interface Media {
  type: string;
  schema: Schema;
  examples: unknown[];
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  source: string;
  access: Access;
  parameters: Parameter[];
  body?: { required: boolean; media: Media[] };
  /** The responses with a status, without `default`. */
  responses: { status: number; media: Media[] }[];
  feed: boolean;
  /** Whether successful responses can be streams. */
  streamed: boolean;
}

/** Who may use an operation: the values of `x-access`. `openapi/README.md` says what they mean. */
const accesses = ['public', 'member', 'reader', 'writer', 'owner', 'databaseAdmin', 'serverAdmin'] as const;

export type Access = (typeof accesses)[number];

export const methods = ['get', 'head', 'post', 'put', 'delete'];

/**
 * The operations that need a handler, in the order of the description: hapi derives the response to HEAD from that to
 * GET.
 */
export function handledOperations(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) => {
    const shared = (item.parameters ?? []) as (ParameterObject | Reference)[];
    return methods
      .filter((method) => method in item && method !== 'head')
      .map((method) => operation(description, path, method, item[method] as OperationObject, shared));
  });
}

function operation(
  description: Description,
  path: string,
  method: string,
  object: OperationObject,
  shared: (ParameterObject | Reference)[],
): Operation {
  const body = object.requestBody && resolve<BodyObject>(description, object.requestBody);
  return {
    id: object.operationId,
    method: method.toUpperCase(),
    path,
    summary: object.summary,
    source: object['x-source'],
    access: accessOf(object, path),
    parameters: [...shared, ...(object.parameters ?? [])].map((entry) => parameter(description, entry)),
    body: body && { required: body.required ?? false, media: media(description, body.content) },
    responses: Object.entries(object.responses)
      .filter(([status]) => status !== 'default')
      .map(([status, entry]) => ({
        status: Number(status),
        media: media(description, resolve<ResponseObject>(description, entry).content),
      })),
    feed: object['x-feeds'] !== undefined,
    streamed: object['x-feeds'] !== undefined || object['x-streamed'] === true,
  };
}

/** An operation without it would be open to somebody by accident. */
function accessOf({ operationId, 'x-access': value }: OperationObject, path: string): Access {
  const access = accesses.find((one) => one === value);
  if (!access) {
    const problem = value === undefined ? 'has no x-access' : `has the x-access ${JSON.stringify(value)}`;
    throw new InvalidInput(`operation ${operationId} ${problem}: say one of ${accesses.join(', ')}`);
  }
  const inDatabase: readonly Access[] = ['member', 'reader', 'writer', 'databaseAdmin'];
  if (inDatabase.includes(access) && !path.startsWith('/{db}'))
    throw new InvalidInput(`operation ${operationId}: x-access ${access} needs a path below /{db}`);
  return access;
}

function parameter(description: Description, entry: ParameterObject | Reference): Parameter {
  const object = resolve<ParameterObject>(description, entry);
  const json = object.content?.['application/json'];
  const { schema, ...described } = json ?? object;
  if (!schema) throw new InvalidInput(`parameter ${object.name} has no schema`);
  return {
    component: '$ref' in entry ? entry.$ref.split('/').at(-1) : undefined,
    name: object.name,
    in: object.in,
    required: object.required ?? false,
    schema: resolve<Schema>(description, schema),
    json: json !== undefined,
    examples: examples(description, described),
    multiSegment: object['x-multi-segment'] ?? false,
    isNotValidated: object['x-not-validated'] ?? false,
    since: object['x-since'],
    valuesSince: object['x-values-since'] ?? {},
  };
}

const media = (description: Description, content: Content = {}): Media[] =>
  Object.entries(content).map(([type, object]) => ({
    type,
    schema: object.schema ?? {},
    examples: examples(description, object),
  }));

function examples(description: Description, object: { example?: unknown; examples?: Examples }): unknown[] {
  const named = Object.values(object.examples ?? {}).map((entry) => resolve(description, entry).value);
  return object.example === undefined ? named : [object.example, ...named];
}

/** Resolves a reference into the same document. Returns other objects unchanged. */
export function resolve<T extends object>(description: Description, object: T | Reference): T {
  if (!('$ref' in object)) return object;
  const target = object.$ref
    .replace(/^#\//, '')
    .split('/')
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, token) => (node as Record<string, unknown> | undefined)?.[token], description);
  if (target === undefined) throw new InvalidInput(`${object.$ref} cannot be resolved`);
  return resolve(description, target as T | Reference);
}
