/** The bundled OpenAPI description as a judge: which operation a request is, and whether both sides fit it. */
import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { Difference } from '../runner/verdict.js';

/** An operation of the description. */
export interface Operation {
  id: string;
  /** True when the service document shows the operation; false for what real clients need beside it. */
  documented: boolean;
  /** Where the operation stands in the description, as a JSON pointer. */
  pointer: string;
}

export interface Description {
  /** Of the description itself. */
  readonly version: string;
  operation(method: string, path: string): Operation | undefined;
  /** Why a request is not one that the description has: one sentence, or nothing when it is. */
  objection(request: { method: string; path: string; body?: string | Uint8Array }): string | undefined;
  /** How the body of a successful response is put together: of one JSON value, or as a feed of several. */
  framing(operation: Operation, query: URLSearchParams): 'json' | 'lines' | 'event-stream';
  /** The first difference between a JSON value of a body and what the description says of this status, if it says anything. */
  difference(
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
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer);
    if (known) return known;
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const made = ajv.compile({ $ref: `${id}#${fragment}` });
    compiled.set(pointer, made);
    return made;
  };

  const node = (pointer: string): Node | undefined => {
    let value: unknown = document;
    for (const part of pointer.split('/').slice(1)) {
      value = (value as Record<string, unknown> | undefined)?.[
        part.replaceAll('~1', '/').replaceAll('~0', '~')
      ];
    }
    if (typeof value !== 'object' || value === null) return undefined;
    const { $ref } = value as { $ref?: string };
    return $ref === undefined ? { pointer, value: value as Record<string, unknown> } : node($ref.slice(1));
  };
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

  function operation(method: string, path: string): Operation | undefined {
    const key = method.toLowerCase();
    if (!methods.includes(key)) return undefined;
    for (const { pattern, pointer } of templates) {
      if (!pattern.test(path)) continue;
      const found = node(`${pointer}/${key}`);
      if (!found) continue;
      return {
        id: found.value['operationId'] as string,
        documented: found.value['x-source'] !== 'supporting',
        pointer: found.pointer,
      };
    }
    return undefined;
  }

  function queryObjection(asked: Operation, query: URLSearchParams): string | undefined {
    const described = new Map(
      [
        ...parametersOf(asked.pointer.slice(0, asked.pointer.lastIndexOf('/'))),
        ...parametersOf(asked.pointer),
      ]
        .filter(({ value }) => value['in'] === 'query')
        .map((parameter) => [parameter.value['name'] as string, parameter]),
    );
    const takesMore = [...query.keys()].some((name) => described.get(name)?.value['x-takes-parameters']);
    for (const [name, text] of query) {
      const parameter = described.get(name);
      if (!parameter && takesMore) continue;
      if (!parameter) return `${asked.id} has no query parameter "${name}"`;
      const json = child(parameter, 'content', 'application/json', 'schema');
      const schema = json ?? child(parameter, 'schema');
      // A constant word, such as `open_revs=all`, is sent without the quotes of JSON.
      const isBare =
        !json || [json, ...children(child(json, 'anyOf'))].some(({ value }) => value['const'] === text);
      const values = isBare ? [text, parsed(text)] : [parsed(text)];
      const judge = schema && validator(schema.pointer);
      if (judge && !values.some((value) => value !== undefined && judge(value))) {
        return `${asked.id} does not allow ${name}=${text}`;
      }
    }
    return undefined;
  }

  return {
    version: (document['info'] as { version: string }).version,
    operation,
    objection({ method, path, body }) {
      const url = new URL(path, 'http://target');
      const asked = operation(method, url.pathname);
      if (!asked) return `the description has no ${method} ${url.pathname}`;
      const query = queryObjection(asked, url.searchParams);
      if (query !== undefined) return query;
      const described = node(`${asked.pointer}/requestBody`);
      const schema = described && child(described, 'content', 'application/json', 'schema');
      if (schema && typeof body === 'string') {
        const judge = validator(schema.pointer);
        const value = parsed(body);
        if (value === undefined) return `the body of ${asked.id} is not JSON`;
        if (!judge(value))
          return `the body of ${asked.id} has ${firstDifference(judge, value)?.expected as string}`;
      }
      return undefined;
    },
    framing: (asked, query) => (feedMode(asked, query)?.['framing'] ?? 'json') as 'json',
    difference(asked, query, status, body) {
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
