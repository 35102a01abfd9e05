import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import test from 'ava';
import { bundleDescriptions, bundleForClients } from '../generators/bundle.js';
import { readRules } from '../generators/rules.js';

interface Node {
  [key: string]: unknown;
}

interface Parameter {
  name: string;
  in: string;
  schema?: Node;
  'x-source': string;
}

interface Operation {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, Node>;
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const rules = await readRules(`${folder}rules`);
const descriptions = (await bundleDescriptions(folder, rules)) as unknown as Record<
  'service' | 'couchdb',
  Node
>;
const { service, couchdb } = descriptions;
const dialects = Object.entries(descriptions);

const methods = ['get', 'head', 'post', 'put', 'delete'];
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The value at a JSON Pointer. */
function at(description: Node, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, token) => (isNode(value) ? value[token] : undefined), description);
}

function resolve(description: Node, node: Node): Node {
  return typeof node.$ref === 'string' ? resolve(description, at(description, node.$ref) as Node) : node;
}

/** Every node of a description with its JSON Pointer, except within examples. */
function* walk(node: unknown, pointer = '#'): Generator<[string, Node]> {
  if (!isNode(node)) return;
  yield [pointer, node];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'example' || key === 'examples') continue;
    yield* walk(value, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  }
}

/** Operations by operationId, with resolved references and the parameters of their path items. */
function operationsOf(description: Node): Map<string, Operation> {
  const paths = description.paths as Record<string, Node>;
  const operations = Object.values(paths).flatMap((item) =>
    methods
      .filter((method) => method in item)
      .map((method) => {
        const operation = item[method] as Node;
        const parameters = [
          ...((item.parameters ?? []) as Node[]),
          ...((operation.parameters ?? []) as Node[]),
        ];
        return {
          ...operation,
          parameters: parameters.map((parameter) => resolve(description, parameter)),
        } as unknown as Operation;
      }),
  );
  return new Map(operations.map((operation) => [operation.operationId, operation]));
}

const operations = operationsOf(service);

function parameterOf(operationId: string, place: string, name: string): Parameter | undefined {
  return operations
    .get(operationId)
    ?.parameters.find((parameter) => parameter.in === place && parameter.name === name);
}

test('the endpoints of SERVICE 4 are described', (t) => {
  const described = [...operations.values()]
    .map((operation) => operation as unknown as Node)
    .filter((operation) => operation['x-source'] !== 'supporting')
    .map((operation) => [operation['x-source'], operation.operationId]);
  t.deepEqual(described.sort(), [
    ['4.1', 'getRoot'],
    ['4.2', 'getSession'],
    ['4.3', 'postSession'],
    ['4.4', 'putUser'],
    ['4.5', 'getChanges'],
    ['4.6', 'postChanges'],
  ]);
});

test('every operation has a default error response', (t) => {
  for (const { operationId, responses } of operations.values()) t.truthy(responses.default, operationId);
});

test('operations, parameters, headers and components have x-source', (t) => {
  const sourced = [
    ...[...operations.values()].flatMap((operation) => [operation, ...operation.parameters]),
    ...[...walk(service)]
      .filter(([pointer]) =>
        /\/headers\/[^/]+$|^#\/components\/(schemas|responses|securitySchemes)\/[^/]+$/.test(pointer),
      )
      .map(([, node]) => resolve(service, node)),
  ] as unknown as Node[];
  t.true(sourced.length > 300);
  for (const node of sourced) {
    t.regex(String(node['x-source']), /^(supporting|[1-9](\.[1-9])?)$/, JSON.stringify(node));
  }
});

test('only path parameters belong to paths, because some generators of clients ignore others there', (t) => {
  for (const [path, { parameters = [] }] of Object.entries(service.paths as Record<string, Node>)) {
    for (const parameter of parameters as Node[]) t.is(resolve(service, parameter).in, 'path', path);
  }
});

test('x-rules names each rule at its operations and components', (t) => {
  for (const { id, operations: operationIds, components } of rules) {
    const targets = [
      ...operationIds.map((operationId) => operations.get(operationId)),
      ...components.map((pointer) => at(service, `#/components/${pointer}`)),
      ...(operationIds.length === 0 ? [service] : []),
    ] as Node[];
    for (const target of targets) t.true((target['x-rules'] as string[]).includes(id), id);
  }
});

/** The query parameters in the service document: section 4.5 has one table with defaults. */
const documented = Array.from(
  readFileSync(`${folder}service.md`, 'utf8')
    .split('Query parameters:')[1]!
    .split('<a id')[0]!
    .matchAll(/^\| `([\w-]+)` +\| [^|]+ \| ([^|]+?) +\| /gm),
  ([, name, byDefault = '']) => [
    name,
    /^(none|value of .*)$/.test(byDefault) ? undefined : byDefault.replaceAll('`', ''),
  ],
);

function defaultOf(parameter: Parameter): unknown {
  const schema = resolve(service, parameter.schema ?? {});
  const alternatives = (schema.oneOf ?? []) as Node[];
  return schema.default ?? alternatives.find((alternative) => 'default' in alternative)?.default;
}

for (const operationId of ['getChanges', 'postChanges']) {
  test(`${operationId} has the query parameters of SERVICE 4.5`, (t) => {
    const described = (operations.get(operationId)?.parameters ?? []).filter(
      (parameter) => parameter.in === 'query' && parameter['x-source'] === '4.5',
    );
    t.deepEqual(
      described.map((parameter) => [parameter.name, defaultOf(parameter)?.toString()]),
      documented,
    );
  });

  test(`${operationId} has the headers of SERVICE 4.5`, (t) => {
    for (const name of ['Accept', 'Last-Event-ID']) t.truthy(parameterOf(operationId, 'header', name), name);
    const ok = resolve(service, operations.get(operationId)?.responses['200'] ?? {});
    const headers = Object.entries(ok.headers as Record<string, Node>);
    const shown = headers.filter(([, header]) => resolve(service, header)['x-source'] === '4.5');
    t.deepEqual(shown.map(([name]) => name).sort(), ['Cache-Control', 'ETag', 'Transfer-Encoding']);
    t.deepEqual(Object.keys(ok.content as Node), ['application/json', 'text/plain', 'text/event-stream']);
  });

  test(`${operationId} describes the four modes with existing schemas`, (t) => {
    const feeds = (operations.get(operationId) as unknown as Node)['x-feeds'] as Record<
      string,
      { schema: string; end?: string }
    >;
    t.deepEqual(Object.keys(feeds), ['normal', 'longpoll', 'continuous', 'eventsource']);
    for (const { schema, end } of Object.values(feeds)) {
      t.truthy(at(service, schema));
      if (end !== undefined) t.truthy(at(service, end));
    }
  });
}

test('the default of the timeout of a feed is a setting', (t) => {
  t.is(
    (parameterOf('getChanges', 'query', 'timeout') as unknown as Node)['x-default-setting'],
    'chttpd/changes_timeout',
  );
});

test('anonymous callers can use all operations except those of administrators and owners', (t) => {
  for (const operation of operations.values()) {
    const { operationId, 'x-access': access, security = service.security } = operation as unknown as Node;
    const schemes = Object.values(security as Node[]).map((one) => Object.keys(one).length);
    const isOpen = schemes.length === 0 || schemes.includes(0);
    const isRestricted = ['owner', 'databaseAdmin', 'serverAdmin'].includes(access as string);
    t.is(isOpen, !isRestricted, operationId as string);
  }
  t.deepEqual((service.security as Node[])[0], {});
});

/** The fields that SERVICE 2 lists, by schema. */
const fields: Record<string, string[]> = {
  Greeting: ['service', 'uuid', 'version', 'vendor'],
  Vendor: ['version', 'name'],
  Session: ['ok', 'userCtx', 'info'],
  UserContext: ['name', 'roles'],
  SessionInfo: ['authenticated', 'authentication_db', 'authentication_handlers'],
  Credentials: ['name', 'password', 'token'],
  LoginResult: ['ok', 'name', 'roles'],
  User: ['name', 'password', 'roles', 'type', 'totp'],
  TotpSettings: ['key'],
  ChangesResponse: ['results', 'last_seq', 'pending'],
  ChangeRow: ['id', 'seq', 'changes', 'deleted', 'doc'],
  ChangeRevision: ['rev'],
  FeedEnd: ['last_seq'],
  ChangesRequest: ['doc_ids', 'selector'],
  HttpSettings: ['authentication_handlers', 'changes_timeout'],
  AuthenticationSettings: ['proxy_use_secret', 'hash_algorithms'],
  JwtSettings: ['required_claims', 'roles_claim_name', 'roles_claim_path'],
  ErrorBody: ['error', 'reason'],
};

test('the resources have the fields of SERVICE 2', (t) => {
  for (const [name, expected] of Object.entries(fields)) {
    const { properties } = at(service, `#/components/schemas/${name}`) as { properties: Node };
    for (const field of expected) t.truthy(properties[field], `${name}.${field}`);
  }
});

test('the examples of the feed include every error of SERVICE 7', (t) => {
  const response = resolve(service, operations.get('getChanges')?.responses['400'] ?? {});
  const { examples } = (response.content as Record<string, { examples: Record<string, Node> }>)[
    'application/json'
  ]!;
  const bodies = Object.values(examples).map((example) => resolve(service, example).value);
  for (const reason of [
    'Selector must be specified in POST payload',
    'Selector error: expected a JSON object',
    'Missing exp claim',
  ]) {
    t.true(
      bodies.some((body) => isNode(body) && body.error === 'bad request' && body.reason === reason),
      reason,
    );
  }
});

/** A strict validator that knows the keywords of the description. */
function validatorOf(description: Node): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    validateFormats: false,
  });
  ajv.addVocabulary(['x-source', 'x-rules', 'x-reason', 'x-error', 'x-form', 'components']);
  ajv.addSchema({ $id: 'description:', components: description.components });
  return ajv;
}

interface Exemplified {
  schema: Node;
  values: unknown[];
}

/** The schema and the examples of a media type, parameter or header. */
function exemplified(description: Node, node: Node): Exemplified {
  const named = Object.values((node.examples ?? {}) as Record<string, Node>);
  const examples = named.map((example) => resolve(description, example).value);
  const values = 'example' in node ? [node.example, ...examples] : examples;
  return { schema: node.schema as Node, values };
}

/** Media types of bodies, parameters and headers. */
const holdsExamples = /\/content\/[^/]+$|\/parameters\/[^/]+$|\/headers\/[^/]+$/;

for (const [dialect, description] of dialects) {
  test(`every body, parameter and header of ${dialect} has examples that match its schema`, (t) => {
    const ajv = validatorOf(description);
    const compiled = new Map<string, ValidateFunction>();
    const holders = [...walk(description)].filter(
      ([pointer, node]) => holdsExamples.test(pointer) && 'schema' in node,
    );
    t.true(holders.length > 130);
    for (const [pointer, node] of holders) {
      const { schema, values } = exemplified(description, node);
      const source = JSON.stringify(schema).replaceAll('"#/', '"description:#/');
      const validate = compiled.get(source) ?? ajv.compile(JSON.parse(source) as Node);
      compiled.set(source, validate);
      t.true(values.length > 0, `${pointer} has no example`);
      for (const value of values) t.true(validate(value), `${pointer}: ${ajv.errorsText(validate.errors)}`);
    }
  });
}

for (const [dialect, description] of dialects) {
  test(`the x-names of ${dialect} match its description`, (t) => {
    const names = description['x-names'] as Record<string, string>;
    t.is(names.dialect, dialect);

    const greeting = at(description, '#/components/schemas/Greeting/properties') as Node;
    t.true(names.greeting! in greeting);
    t.true(`/_users/${names.userIdPrefix}{username}` in (description.paths as Node));
    for (const scheme of ['proxyUserName', 'proxyRoles', 'proxyToken']) {
      t.is(at(description, `#/components/securitySchemes/${scheme}/name`), names[scheme]);
    }
    t.true(
      String(at(description, '#/components/securitySchemes/bearer/description')).includes(
        `\`${names.rolesClaim}\``,
      ),
    );
    t.is(at(description, '#/components/examples/SelectorMissing/value/error'), names.badRequest);
  });
}

for (const [dialect, description] of dialects) {
  test(`the form of ${dialect} for generators of clients has one type for each value and each response`, async (t) => {
    const form = (await bundleForClients(folder, description as never)) as Node;
    t.is(form.openapi, '3.0.3');
    for (const [pointer, node] of walk(form)) {
      for (const keyword of ['const', 'oneOf', 'anyOf']) t.false(keyword in node, `${pointer}/${keyword}`);
      if (node.type === 'integer') t.is(node.format, 'int64', pointer);
      if (pointer.endsWith('/content')) t.is(Object.keys(node).length, 1, pointer);
    }
    t.deepEqual(at(form, '#/components/responses/DocumentFound/content/application~1json/schema'), {
      $ref: '#/components/schemas/Document',
    });
    for (const { operationId, responses } of operationsOf(form).values()) {
      const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const bodies = success.map(([, response]) => {
        const { content = {} } = resolve(form, response) as { content?: Record<string, Node> };
        return JSON.stringify(Object.values(content).map(({ schema }) => schema));
      });
      t.is(new Set(bodies).size, 1, operationId);
    }
  });
}

test('the overlay replaces every neutral name', (t) => {
  const text = JSON.stringify(couchdb);
  for (const word of ['org.service', 'X-Auth-Service', '_service.roles', 'bad request', '"service"']) {
    t.false(text.includes(word), word);
  }
});

test('the overlay moves the operations on users without changing them', (t) => {
  for (const name of ['getUser', 'headUser', 'putUser', 'deleteUser'])
    t.deepEqual(operationsOf(couchdb).get(name), operations.get(name), name);
});
