/** Compares responses with the description. */
import { createRequire } from 'node:module';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Router } from '@hapi/call';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { routes } from '../../generated/routes.js';
import { mediaType } from '../../http/request-body.js';
import type { RawRequest, RawResponse } from './raw-http.js';
import { names } from './text.js';

interface DescribedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

const { paths = {} } = await SwaggerParser.dereference(
  createRequire(import.meta.url).resolve('docfeed/openapi/service.json'),
);
const operations = new Map(
  Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, Operation>).map((operation) => [operation.operationId, operation]),
  ),
);

/** The operations of a path, by method. As in the server, the most specific path decides. */
const router = new Router<ReadonlyMap<string, Operation>>();
const table = routes(names);
for (const path of new Set(table.map((route) => route.path))) {
  const ofPath = table.filter((route) => route.path === path);
  router.add(
    { method: '*', path },
    new Map(ofPath.map(({ method, operationId }) => [method, operations.get(operationId)!])),
  );
}

/** Of the targets of requests, which are paths. */
const base = 'http://localhost';

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
const validators = new WeakMap<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, known);
  return known;
}

/** @returns what the description does not allow; undefined if there is nothing, or the request is for no operation */
export function findDifference({ bytes, isComplete }: RawRequest, response: RawResponse): string | undefined {
  if (!isComplete || response.status === 0) return undefined;
  const [method = '', target = ''] = bytes.toString('latin1', 0, bytes.indexOf('\r\n')).split(' ');
  const path = pathIn(target);
  if (path === undefined) return undefined;
  const operation = router.route('*', router.normalize(path)).route?.get(method);
  if (!operation) return undefined;
  const { operationId, responses } = operation;
  const { status } = response;
  const described = responses[status] ?? (status >= 400 ? responses['default'] : undefined);
  if (!described) return `status ${status} is none of ${operationId}`;
  if (response.body.length === 0) return undefined;
  const { content = {} } = described;
  const where = `a response of ${operationId} with status ${status}`;
  const type = mediaType(/\r\ncontent-type: (.*)/.exec(response.head)?.[1]);
  if (!(type in content) && !('*/*' in content)) return `${where} has the media type '${type}'`;
  const schema = type === 'application/json' ? content[type]?.schema : undefined;
  const value = schema && jsonOf(response);
  if (value === undefined) return undefined;
  const validate = validatorOf(schema!);
  if (validate(value)) return undefined;
  return `${where} is not as described: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`;
}

/** As the server reads it: it removes empty segments first, then resolves `..`, and ignores a slash at the end. */
function pathIn(target: string): string | undefined {
  const [path = '', ...query] = target.split('?');
  const sent = path.startsWith('/') ? [path.replace(/\/{2,}/g, '/'), ...query].join('?') : target;
  if (!URL.canParse(sent, base)) return undefined;
  return new URL(sent, base).pathname.replace(/(?<=.)\/$/, '');
}

/** @returns undefined for an open feed, whose rows are no JSON document, or a response that has not ended */
function jsonOf({ head, body }: RawResponse): unknown {
  const text = head.includes('\r\ntransfer-encoding: chunked') ? withoutChunks(body) : body;
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

function withoutChunks(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const lineEnd = body.indexOf('\r\n', at);
    const length = parseInt(body.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(length > 0)) break;
    chunks.push(body.subarray(lineEnd + 2, lineEnd + 2 + length));
    at = lineEnd + 2 + length + 2;
  }
  return Buffer.concat(chunks);
}
