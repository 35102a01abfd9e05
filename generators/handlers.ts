/** Generates `reference/generated/handlers.ts`: types of the requests, responses and handlers of each operation. */
import {
  resolve,
  type Description,
  type Media,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from './description.js';
import { render } from './templates.js';
import type { Types } from './types.js';

type TypeOf = Types['typeOf'];

/** The source of the module, not yet formatted. */
export const handlersModule = (operations: Operation[], description: Description, typeOf: TypeOf): string =>
  render('handlers', {
    operations: operations.map((operation) => ({
      id: operation.id,
      summary: operation.summary,
      source: operation.source,
      request: requestType(operation, description, typeOf),
      response: responseType(operation, typeOf),
    })),
  });

function requestType({ parameters, body }: Operation, description: Description, typeOf: TypeOf): string {
  const group = (location: Parameter['in']) => {
    const members = parameters.filter((parameter) => parameter.in === location);
    return members.length === 0
      ? 'NoParameters'
      : `{ ${members.map((one) => memberOf(one, typeOf)).join('; ')} }`;
  };
  return `{
    params: ${group('path')};
    query: ${group('query')};
    headers: ${group('header')};
    body: ${body ? requestBodyType(body.media, body.required, description, typeOf) : 'null'};
  }`;
}

/** The property of a parameter: parsed, with its default applied, with a lowercase name if it is a header. */
function memberOf({ name, in: location, required, schema }: Parameter, typeOf: TypeOf): string {
  const key = JSON.stringify(location === 'header' ? name.toLowerCase() : name);
  return `${key}${required || schema.default !== undefined ? '' : '?'}: ${typeOf(schema)}`;
}

function requestBodyType(
  media: Media[],
  required: boolean,
  description: Description,
  typeOf: TypeOf,
): string {
  const json = media.find(isJson);
  const type = json ? withDefaults(json.schema, description, typeOf) : 'Buffer';
  return required ? type : `${type} | null`;
}

/** Validators apply the defaults of the body, so these properties are always present. */
function withDefaults(schema: Schema, description: Description, typeOf: TypeOf): string {
  const { properties = {} } = resolve(description, schema as Schema | Reference);
  const names = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  const type = typeOf(schema);
  return names.length === 0
    ? type
    : `${type} & Required<Pick<${type}, ${names.map((name) => JSON.stringify(name)).join(' | ')}>>`;
}

/** The alternatives of a response. Alternatives with the same body and different statuses are merged. */
function responseType({ responses, streamed }: Operation, typeOf: TypeOf): string {
  const statuses = new Map<string, number[]>();
  for (const { status, media } of responses) {
    // The compiler reports errors against the last alternative of a status, so JSON comes last.
    const ordered = media.toSorted((a, b) => Number(isJson(a)) - Number(isJson(b)));
    const shapes =
      media.length === 0 ? [['Empty']] : ordered.map((one) => shapeOf(one, streamed && status < 300, typeOf));
    for (const shape of shapes) {
      const key = JSON.stringify(shape);
      statuses.set(key, [...(statuses.get(key) ?? []), status]);
    }
  }
  return [...statuses]
    .map(([key, list]) => {
      const [name, ...parameters] = JSON.parse(key) as string[];
      return `| ${name}<${[list.join(' | '), ...parameters].join(', ')}>`;
    })
    .join('');
}

/** The name of a generic response type in the template, and its type parameters without the status. */
function shapeOf(media: Media, streamed: boolean, typeOf: TypeOf): string[] {
  const { type, schema } = media;
  const stream = streamed ? ' | Buffer | Readable' : '';
  if (isJson(media)) return ['Json', typeOf(schema) + stream];
  const typeName = type.includes('*') ? 'string' : JSON.stringify(type);
  return ['Content', typeName, type.startsWith('text/') ? typeOf(schema) + stream : 'Buffer | Readable'];
}

const isJson = ({ type }: Media): boolean => type === 'application/json';
