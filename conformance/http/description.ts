/** Checks requests and responses against the bundled OpenAPI description. */
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Difference } from '../engine/outcomes.js';
import { parseJson } from './parse-json.js';
import { pointerKeys, resolvePointer } from './json-pointer.js';
import { memoize, OpenApiDocument } from './openapi-document.js';
import { type Operation, operationsOf } from './operations.js';
import { makeFieldsOptional } from './optional-fields.js';
import { jsonPath } from '../../reports/read-json.js';
import { describeSchemaError } from '../../reports/schema-error.js';

type Framing = 'json' | 'lines' | 'event-stream';

/** An endpoint, or one mode of a feed. */
export interface EndpointPlace {
  /** Method and path template, such as `POST /{db}/_changes`. */
  readonly operation: string;
  /** Absent if the operation has no modes. */
  readonly mode?: string;
  /** The positions of path, method and mode in the description, for sorting. */
  readonly order: readonly number[];
}

export interface Description {
  /** The version of the description itself. */
  readonly version: string;
  operation(method: string, path: string): Operation | undefined;
  /** The names of the query parameters of an operation. */
  parameterNames(operation: Operation): readonly string[];
  /** @returns `undefined` if the description does not have the operation, or not this mode of it. */
  place(method: string, path: string, query: URLSearchParams): EndpointPlace | undefined;
  /** @returns one sentence on why the description does not allow the request, or `undefined` if it does. */
  requestProblem(request: { method: string; path: string; body?: string | Uint8Array }): string | undefined;
  /** Whether the body of a successful response is one JSON value, or a feed of lines or events. */
  framing(operation: Operation, query: URLSearchParams): Framing;
  /**
   * Compares a JSON value of a response body with the schema of its status.
   *
   * @returns the first difference, or `undefined` if there is none or the description has no schema for the status.
   */
  responseDifference(
    operation: Operation,
    query: URLSearchParams,
    status: number,
    body: unknown,
  ): Difference | undefined;
}

/** Loads the description of a dialect from the package. All runs of a process share it, since its validators cost time. */
export const loadDescription: (dialect: Dialect) => Description = memoize((dialect) => {
  const load = createRequire(import.meta.url);
  return describe(load(`docfeed/openapi/${dialect}.json`) as Record<string, unknown>);
});

function describe(root: Record<string, unknown>): Description {
  const document = new OpenApiDocument(makeFieldsOptional(root));
  const operations = operationsOf(document);
  const paths = root['paths'] as Record<string, object>;

  const feedMode = ({ pointer }: Operation, query: URLSearchParams) =>
    document.child(document.node(`${pointer}/x-feeds`), query.get('feed') ?? 'normal')?.value;

  const bodyProblem = ({ id, pointer }: Operation, body: string): string | undefined => {
    const schema = document.jsonSchema(document.node(`${pointer}/requestBody`));
    if (!schema) return undefined;
    const value = parseJson(body);
    if (value === undefined) return `the body of ${id} is not JSON`;
    const difference = firstDifference(document.validator(schema.pointer), value);
    return difference && `the body of ${id} has ${difference.expected as string}`;
  };

  return {
    version: (root['info'] as { version: string }).version,
    operation: (method, path) => operations.find(method, path),
    parameterNames: (operation) => operations.parameterNames(operation),
    place(method, path, query) {
      const operation = operations.find(method, path);
      if (!operation) return undefined;
      const [, template = '', key = ''] = pointerKeys(operation.pointer);
      const name = `${method} ${template}`;
      const modes = Object.keys(document.node(`${operation.pointer}/x-feeds`)?.value ?? {});
      const mode = query.get('feed') ?? 'normal';
      const order = [
        Object.keys(paths).indexOf(template),
        Object.keys(paths[template]!).indexOf(key),
        modes.indexOf(mode),
      ];
      if (modes.length === 0) return { operation: name, order };
      if (!modes.includes(mode)) return undefined;
      return { operation: name, mode, order };
    },
    requestProblem({ method, path, body }) {
      const { pathname, query } = splitPath(path);
      const operation = operations.find(method, pathname);
      if (!operation) return `the description has no ${method} ${pathname}`;
      return (
        operations.queryProblem(operation, query) ??
        (typeof body === 'string' ? bodyProblem(operation, body) : undefined)
      );
    },
    framing: (operation, query) => (feedMode(operation, query)?.['framing'] ?? 'json') as Framing,
    responseDifference(operation, query, status, body) {
      const responses = `${operation.pointer}/responses`;
      const response =
        document.node(`${responses}/${status}`) ??
        (status >= 400 ? document.node(`${responses}/default`) : undefined);
      // The media type of a feed allows several framings; the requested mode decides which one applies.
      const mode = status === 200 ? feedMode(operation, query) : undefined;
      const schema = mode ? feedSchema(mode, body) : document.jsonSchema(response)?.pointer;
      const value = query.has('seq_interval') ? withSeqs(body) : body;
      return schema === undefined ? undefined : firstDifference(document.validator(schema), value);
    },
  };
}

/** The last value of a feed is not a row and has a schema of its own, or none if it may be anything. */
function feedSchema(mode: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  const { framing, schema, end } = mode as { framing: Framing; schema: string; end?: string };
  const { id, last_seq } = (value ?? {}) as Record<string, unknown>;
  const isEnd = framing !== 'json' && id === undefined && last_seq !== undefined;
  return (isEnd ? end : schema)?.slice('#'.length);
}

/**
 * Adds null as the seq of rows without one: with `seq_interval`, the service document does not show what a row has for
 * which no seq is computed (SERVICE 4.5).
 */
function withSeqs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { results, id } = value as Record<string, unknown>;
  if (Array.isArray(results)) return { ...value, results: results.map(withSeqs) };
  return id === undefined ? value : { seq: null, ...value };
}

function firstDifference(validate: ValidateFunction, body: unknown): Difference | undefined {
  if (validate(body)) return undefined;
  const error = validate.errors![0]!;
  return {
    path: jsonPath(error.instancePath),
    // Reports say "expected …": "must be string" becomes "to be string".
    expected: describeSchemaError(error).replace(/^must /, 'to '),
    actual: resolvePointer(body, error.instancePath),
  };
}

/** Splits a path from its query without normalizing either, since both are sent as they are. */
export function splitPath(path: string): { pathname: string; query: URLSearchParams } {
  const [pathname, ...query] = path.split('?');
  return { pathname: pathname!, query: new URLSearchParams(query.join('?')) };
}
