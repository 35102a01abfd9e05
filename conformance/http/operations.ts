/** Finds the operation of the OpenAPI description that a request belongs to, and checks its query parameters. */
import { parseJson } from './parse-json.js';
import { toPointer } from './json-pointer.js';
import { type DocumentNode, memoize, type OpenApiDocument } from './openapi-document.js';

/** An operation of the description. */
export interface Operation {
  readonly id: string;
  /** True if the service document shows the operation; false if only real clients need it. */
  readonly documented: boolean;
  /** JSON pointer of the operation in the description. */
  readonly pointer: string;
}

export interface Operations {
  find(method: string, path: string): Operation | undefined;
  /** The names of the query parameters of an operation. */
  parameterNames(operation: Operation): readonly string[];
  /** @returns one sentence about the first parameter that the operation does not allow. */
  queryProblem(operation: Operation, query: URLSearchParams): string | undefined;
}

interface PathTemplate {
  readonly pattern: RegExp;
  /** Number of literal characters. If several templates match a path, the one with the most wins. */
  readonly literals: number;
  readonly pointer: string;
}

interface QueryParameters {
  /** By name, a function that says whether a decoded value is allowed. */
  readonly allows: ReadonlyMap<string, (text: string) => boolean>;
  /** If the query has one of these, it may have any other: filter functions define their own parameters. */
  readonly extensible: readonly string[];
}

const methods = ['get', 'head', 'post', 'put', 'delete', 'options', 'patch'];

export function operationsOf(document: OpenApiDocument): Operations {
  const parametersAt = (pointer: string): DocumentNode[] =>
    document.children(document.node(`${pointer}/parameters`));

  const templates = Object.keys(document.node('/paths')!.value)
    .map((path) => pathTemplate(path, parametersAt(toPointer(['paths', path]))))
    .sort((a, b) => b.literals - a.literals);

  const byMethod = memoize((method) => {
    if (!methods.includes(method)) return [];
    return templates.flatMap(({ pattern, pointer }) => {
      const node = document.node(`${pointer}/${method}`);
      return node ? [{ pattern, operation: operationAt(node) }] : [];
    });
  });

  const queryParameters = memoize((operation): QueryParameters => {
    const path = operation.slice(0, operation.lastIndexOf('/'));
    const parameters = [...parametersAt(path), ...parametersAt(operation)].filter(
      ({ value }) => value['in'] === 'query',
    );
    const nameOf = ({ value }: DocumentNode): string => value['name'] as string;
    return {
      allows: new Map(parameters.map((parameter) => [nameOf(parameter), valueCheck(document, parameter)])),
      extensible: parameters.filter(({ value }) => value['x-takes-parameters']).map(nameOf),
    };
  });

  return {
    find: (method, path) =>
      byMethod(method.toLowerCase()).find(({ pattern }) => pattern.test(path))?.operation,
    parameterNames: ({ pointer }) => [...queryParameters(pointer).allows.keys()],
    queryProblem({ id, pointer }, query) {
      const { allows, extensible } = queryParameters(pointer);
      for (const [name, text] of query) {
        const isAllowed = allows.get(name);
        if (isAllowed ? isAllowed(text) : extensible.some((other) => query.has(other))) continue;
        return isAllowed ? `${id} does not allow ${name}=${text}` : `${id} has no query parameter "${name}"`;
      }
      return undefined;
    },
  };
}

function operationAt({ pointer, value }: DocumentNode): Operation {
  const { operationId, 'x-source': source } = value;
  return { id: operationId as string, documented: source !== 'supporting', pointer };
}

function pathTemplate(path: string, parameters: readonly DocumentNode[]): PathTemplate {
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
    pointer: toPointer(['paths', path]),
  };
}

function valueCheck(document: OpenApiDocument, parameter: DocumentNode): (text: string) => boolean {
  const json = document.jsonSchema(parameter);
  const { pointer } = json ?? document.child(parameter, 'schema')!;
  // A constant such as `open_revs=all` is sent without the quotes of JSON.
  const constants =
    json && [json, ...document.children(document.child(json, 'anyOf'))].map(({ value }) => value['const']);
  return (text) => {
    const isValid = document.validator(pointer);
    if ((!constants || constants.includes(text)) && isValid(text)) return true;
    const value = parseJson(text);
    return value !== undefined && isValid(value);
  };
}
