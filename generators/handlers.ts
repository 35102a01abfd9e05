/** `reference/generated/handlers.ts`: what each operation is given and what it may answer, as types. */
import { resolve, type Description, type Media, type Operation, type Parameter, type Response, type Schema } from './description.js';
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
      response: operation.responses.flatMap((response) => responseTypes(operation, response, typeOf)).join(''),
    })),
  });

function requestType({ parameters, body }: Operation, description: Description, typeOf: TypeOf): string {
  const group = (place: Parameter['in']) => {
    const members = parameters.filter((parameter) => parameter.in === place);
    return members.length === 0 ? 'NoParameters' : `{ ${members.map((one) => memberOf(one, typeOf)).join('; ')} }`;
  };
  return `{
    params: ${group('path')};
    query: ${group('query')};
    headers: ${group('header')};
    body: ${body ? requestBodyType(body.media, body.required, description, typeOf) : 'null'};
  }`;
}

/** A parameter as its handler sees it: parsed, with its default applied, headers under their lower-case names. */
function memberOf({ name, in: place, required, schema }: Parameter, typeOf: TypeOf): string {
  const key = JSON.stringify(place === 'header' ? name.toLowerCase() : name);
  return `${key}${required || schema.default !== undefined ? '' : '?'}: ${typeOf(schema)}`;
}

function requestBodyType(media: Media[], required: boolean, description: Description, typeOf: TypeOf): string {
  const json = media.find(({ type }) => type === 'application/json');
  const type = json ? withDefaults(json.schema, description, typeOf) : 'Buffer';
  return required ? type : `${type} | null`;
}

/** The validators have put in the defaults of the body, so these properties are there. */
function withDefaults(schema: Schema, description: Description, typeOf: TypeOf): string {
  const { properties = {} } = resolve<Schema>(description, schema as never);
  const names = Object.keys(properties).filter((name) => properties[name]?.default !== undefined);
  const type = typeOf(schema);
  return names.length === 0
    ? type
    : `${type} & Required<Pick<${type}, ${names.map((name) => JSON.stringify(name)).join(' | ')}>>`;
}

function responseTypes({ feed }: Operation, { status, media, requiredHeaders }: Response, typeOf: TypeOf): string[] {
  const headers =
    requiredHeaders.length === 0
      ? 'headers?: ResponseHeaders'
      : `headers: ResponseHeaders & { ${requiredHeaders.map((name) => `${JSON.stringify(name)}: HeaderValue`).join('; ')} }`;
  if (media.length === 0) return [`| { status: ${status}; ${headers}; body?: undefined }`];
  return media.map(({ type, schema }) => {
    const isJson = type === 'application/json';
    const typeMember = isJson ? `type?: '${type}'` : `type: ${type.includes('*') ? 'string' : `'${type}'`}`;
    const whole = isJson || isText(type) ? typeOf(schema) : 'Buffer';
    const streamed = feed || !(isJson || isText(type));
    return `| { status: ${status}; ${typeMember}; ${headers}; body: ${whole}${streamed ? ' | Readable' : ''} }`;
  });
}

const isText = (type: string): boolean => type.startsWith('text/');
