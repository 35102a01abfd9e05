/** The bundled OpenAPI description as a judge: which operation a request is, and whether both sides fit it. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Difference } from '../verdict/outcomes.js';
import { parseJson } from './json.js';

/** An operation of the description. */
export interface Operation {
  readonly id: string;
  /** True when the service document shows the operation; false for what real clients need beside it. */
  readonly documented: boolean;
  /** Where the operation stands in the description, as a JSON pointer. */
  readonly pointer: string;
}

export interface Description {
  /** Of the description itself. */
  readonly version: string;
  operation(method: string, path: string): Operation | undefined;
  /** Why a request is not one that the description has: one sentence, or nothing when it is. */
  requestProblem(request: { method: string; path: string; body?: string | Uint8Array }): string | undefined;
  /** How the body of a successful response is put together: of one JSON value, or as a feed of several. */
  framing(operation: Operation, query: URLSearchParams): 'json' | 'lines' | 'event-stream';
  /** The first difference between a JSON value of a body and what the description says of this status, if it says anything. */
  responseDifference(
    operation: Operation,
    query: URLSearchParams,
    status: number,
    body: unknown,
  ): Difference | undefined;
}

interface Node {
  pointer: string;
  value: Record<string, unknown>;
}

interface Template {
  pattern: RegExp;
  /** Literal characters: of two templates that fit, the one with more of them is meant. */
  literals: number;
  pointer: string;
}

/** What an operation takes in its query. */
interface Query {
  /** The parameters by name: whether a value is allowed, as it is in the URL. */
  readonly parameters: ReadonlyMap<string, (text: string) => boolean>;
  /** Parameters with which any other may come: they are for functions of the database. */
  readonly openedBy: readonly string[];
}

const methods = ['get', 'head', 'post', 'put', 'delete', 'options', 'patch'];

/** Loads the description of a dialect, as the package ships it. */
export function loadDescription(dialect: Dialect): Description {
  const load = createRequire(import.meta.url);
  return describe(load(`docfeed/openapi/${dialect}.json`) as Record<string, unknown>);
}

function describe(document: Record<string, unknown>): Description {
  const id = 'docfeed:description';
  // The document is no schema, it only holds some, so it is not validated as one.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: id }, id);
  // All that is looked up in the description is remembered: a run asks for the same thousands of times.
  const validator = remembered((pointer): ValidateFunction => {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    return ajv.compile({ $ref: `${id}#${fragment}` });
  });

  const node: (pointer: string) => Node | undefined = remembered((pointer) => {
    let value: unknown = document;
    for (const part of pointer.split('/').slice(1)) {
      value = (value as Record<string, unknown> | undefined)?.[
        part.replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const { $ref } = value as { $ref?: string };
    return $ref === undefined ? { pointer, value: value as Record<string, unknown> } : node($ref.slice(1));
  });
  const child = (parent: Node, ...keys: string[]): Node | undefined =>
    node(parent.pointer + keys.map((key) => `/${escaped(key)}`).join(''));
  const children = (parent: Node | undefined): Node[] =>
    Object.keys(parent?.value ?? {}).flatMap((key) => child(parent!, key) ?? []);

  const templates = Object.keys(document['paths'] as object)
    .map((path) => template(path, parametersOf(`/paths/${escaped(path)}`)))
    .sort((a, b) => b.literals - a.literals);

  function parametersOf(pointer: string): Node[] {
    return children(node(`${pointer}/parameters`));
  }

  /** The operations of a method, in the order in which they are to be tried. */
  const operationsOf = remembered((method) => {
    if (!methods.includes(method)) return [];
    return templates.flatMap(({ pattern, pointer }) => {
      const found = node(`${pointer}/${method}`);
      if (!found) return [];
      const { operationId, 'x-source': source } = found.value;
      const operation: Operation = {
        id: operationId as string,
        documented: source !== 'supporting',
        pointer: found.pointer,
      };
      return [{ pattern, operation }];
    });
  });

  const operation = (method: string, path: string): Operation | undefined =>
    operationsOf(method.toLowerCase()).find(({ pattern }) => pattern.test(path))?.operation;

  const queryOf = remembered((pointer): Query => {
    const ofPath = pointer.slice(0, pointer.lastIndexOf('/'));
    const described = [...parametersOf(ofPath), ...parametersOf(pointer)].filter(
      ({ value }) => value['in'] === 'query',
    );
    const nameOf = ({ value }: Node): string => value['name'] as string;
    return {
      parameters: new Map(described.map((parameter) => [nameOf(parameter), judgeOf(parameter)])),
      openedBy: described.filter(({ value }) => value['x-takes-parameters']).map(nameOf),
    };
  });

  function judgeOf(parameter: Node): (text: string) => boolean {
    const json = child(parameter, 'content', 'application/json', 'schema');
    const schema = json ?? child(parameter, 'schema');
    if (!schema) return () => true;
    // A constant word, such as `open_revs=all`, is sent without the quotes of JSON.
    const words = json && [json, ...children(child(json, 'anyOf'))].map(({ value }) => value['const']);
    return (text) => {
      const allows = validator(schema.pointer);
      if ((!words || words.includes(text)) && allows(text)) return true;
      const value = parseJson(text);
      return value !== undefined && allows(value);
    };
  }

  function queryObjection(asked: Operation, query: URLSearchParams): string | undefined {
    const { parameters, openedBy } = queryOf(asked.pointer);
    for (const [name, text] of query) {
      const allows = parameters.get(name);
      if (!allows && openedBy.some((opener) => query.has(opener))) continue;
      if (!allows) return `${asked.id} has no query parameter "${name}"`;
      if (!allows(text)) return `${asked.id} does not allow ${name}=${text}`;
    }
    return undefined;
  }

  return {
    version: (document['info'] as { version: string }).version,
    operation,
    requestProblem({ method, path, body }) {
      const { pathname, query } = splitPath(path);
      const asked = operation(method, pathname);
      if (!asked) return `the description has no ${method} ${pathname}`;
      const objection = queryObjection(asked, query);
      if (objection !== undefined) return objection;
      const described = node(`${asked.pointer}/requestBody`);
      const schema = described && child(described, 'content', 'application/json', 'schema');
      if (schema && typeof body === 'string') {
        const judge = validator(schema.pointer);
        const value = parseJson(body);
        if (value === undefined) return `the body of ${asked.id} is not JSON`;
        if (!judge(value))
          return `the body of ${asked.id} has ${firstDifference(judge, value)?.expected as string}`;
      }
      return undefined;
    },
    framing: (asked, query) => (feedMode(asked, query)?.['framing'] ?? 'json') as 'json',
    responseDifference(asked, query, status, body) {
      const responses = `${asked.pointer}/responses`;
      const described =
        node(`${responses}/${status}`) ?? (status >= 400 ? node(`${responses}/default`) : undefined);
      // A feed's media types name several framings; which one this is follows from the mode that was asked for.
      const mode = status === 200 ? feedMode(asked, query) : undefined;
      const schema = described && child(described, 'content', 'application/json', 'schema');
      const pointer = mode ? feedSchema(mode, body) : schema?.pointer;
      if (pointer === undefined) return undefined;
      const judge = validator(pointer);
      return judge(body) ? undefined : firstDifference(judge, body);
    },
  };

  function feedMode(asked: Operation, query: URLSearchParams): Record<string, unknown> | undefined {
    const feeds = node(`${asked.pointer}/x-feeds`);
    return feeds && child(feeds, query.get('feed') ?? 'normal')?.value;
  }
}

/** What stands at the end of a feed is no row; where it may be anything, no schema. */
function feedSchema({ framing, schema, end }: Record<string, unknown>, value: unknown): string | undefined {
  const { id, last_seq } = (value ?? {}) as Record<string, unknown>;
  const isEnd = framing !== 'json' && id === undefined && last_seq !== undefined;
  return (isEnd ? (end as string | undefined) : (schema as string))?.slice(1);
}

function template(path: string, parameters: readonly Node[]): Template {
  const multiSegment = new Set(
    parameters.filter(({ value }) => value['x-multi-segment'] === true).map(({ value }) => value['name']),
  );
  const source = path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return multiSegment.has(part.slice(1, -1)) ? '.+' : '[^/]+';
    })
    .join('');
  return {
    pattern: new RegExp(`^${source}$`),
    literals: path.replace(/\{[^}]+\}/g, '').length,
    pointer: `/paths/${escaped(path)}`,
  };
}

function firstDifference(judge: ValidateFunction, body: unknown): Difference | undefined {
  const error: ErrorObject | undefined = judge.errors?.[0];
  if (!error) return undefined;
  const steps = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const actual = steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
  const path = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
  // ajv says what a value must do: "must be string" becomes "to be string".
  return { path: `$${path}`, expected: error.message?.replace(/^must /, 'to '), actual };
}

/** A path and its query. No part of it is normalized, since it is sent as it is. */
export function splitPath(path: string): { pathname: string; query: URLSearchParams } {
  const at = path.indexOf('?');
  if (at < 0) return { pathname: path, query: new URLSearchParams() };
  return { pathname: path.slice(0, at), query: new URLSearchParams(path.slice(at)) };
}

function remembered<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key)!;
  };
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
