import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import fc from 'fast-check';
import type Joi from 'joi';
import { defaultFeedQuery } from '../openapi/generated/feed-parameters.js';
import * as validators from '../reference/generated/validators.js';
import { handledOperations, resolve, type Description, type Schema } from './description.js';
import { InvalidInput } from './errors.js';
import { joiCode, type JoiContext } from './joi.js';

const description = createRequire(import.meta.url)('docfeed/openapi/service.json') as Description;
const operations = handledOperations(description);
const validatorsOf = (id: string) =>
  validators[id as keyof typeof validators] as validators.OperationValidators;

function valueOf(schema: Joi.Schema | undefined, input: unknown): unknown {
  const result = schema!.validate(input);
  if (result.error) throw result.error;
  return result.value;
}

const problemOf = (schema: Joi.Schema | undefined, input: unknown): string | undefined =>
  schema!.validate(input).error?.message;

const feedQuery = validators.getChanges.query;

test('missing parameters get the defaults of the description', (t) => {
  t.deepEqual(valueOf(feedQuery, {}), defaultFeedQuery);
  t.like(defaultFeedQuery, { descending: false, feed: 'normal', since: '0' });
  t.deepEqual(valueOf(validators.bulkDocs.payload, { docs: [] }), { docs: [], new_edits: true });
});

const coerced: [Record<string, string>, Record<string, unknown>][] = [
  [{ limit: '-1' }, { limit: -1 }],
  [{ since: '0012' }, { since: '0012' }],
  [{ since: '' }, { since: '' }],
  [{ since: '[3,"x"]' }, { since: '[3,"x"]' }],
  [{ 'last-event-id': '00012' }, { 'last-event-id': '00012' }],
];

for (const [query, values] of coerced) {
  test(`the feed reads ${new URLSearchParams(query).toString()}`, (t) => {
    t.deepEqual(valueOf(feedQuery, query), { ...defaultFeedQuery, ...values });
  });
}

const aLimit = 'an integer of -1 or more';
const aList = 'an array, each item a string, written as JSON';

const rejectedQueries: [name: string, sent: unknown, shown: string, expected: string][] = [
  ['limit', '-2', '-2', aLimit],
  ['limit', '1.5', '1.5', aLimit],
  ['limit', 'abc', '"abc"', aLimit],
  ['limit', '', '""', aLimit],
  ['limit', ['1', '2'], 'an array', aLimit],
  ['descending', 'bogus', '"bogus"', 'true or false'],
  ['descending', '1', '"1"', 'true or false'],
  ['style', 'bogus', '"bogus"', 'main_only or all_docs'],
  ['feed', 'bogus', '"bogus"', 'normal, longpoll, continuous or eventsource'],
  ['doc_ids', 'a,b', '"a,b"', aList],
  ['doc_ids', '{"a":1}', '"{\\"a\\":1}"', aList],
  ['doc_ids', '["a",1]', '"[\\"a\\",1]"', aList],
  ['doc_ids', '', '""', aList],
];

for (const [name, sent, shown, expected] of rejectedQueries) {
  test(`the feed rejects ${name}=${JSON.stringify(sent)}`, (t) => {
    const message = `query parameter \`${name}\` is ${shown}; it must be ${expected}`;
    t.is(problemOf(feedQuery, { [name]: sent }), message);
  });
}

test('the message truncates a long invalid value', (t) => {
  const message = problemOf(feedQuery, { limit: 'x'.repeat(10_000) });
  t.regex(message!, /^query parameter `limit` is "x{79}\.\.\.; it must be an integer of -1 or more$/);
});

for (const [heartbeat, message] of [
  ['0', 'The heartbeat value should be a positive integer (in milliseconds).'],
  ['-1', 'The heartbeat value should be a positive integer (in milliseconds).'],
  ['false', 'Invalid heartbeat value. Expecting a positive integer value (in milliseconds).'],
  ['1.5', 'Invalid heartbeat value. Expecting a positive integer value (in milliseconds).'],
  ['', 'Invalid heartbeat value. Expecting a positive integer value (in milliseconds).'],
] as const) {
  test(`the feed rejects heartbeat=${heartbeat} with a reason of the description`, (t) => {
    t.is(problemOf(feedQuery, { heartbeat }), message);
  });
}

test('string constants of a JSON parameter need no quotes', (t) => {
  const { query } = validators.getDocument;
  t.like(valueOf(query, { open_revs: 'all' }), { open_revs: 'all' });
  t.like(valueOf(query, { open_revs: '"all"' }), { open_revs: 'all' });
  t.like(valueOf(query, { open_revs: '["1-a"]' }), { open_revs: ['1-a'] });
  t.regex(
    problemOf(query, { open_revs: 'some' })!,
    /^query parameter `open_revs` is "some"; it must be all or an array/,
  );
});

test('unknown query parameters and headers are accepted and keep their values', (t) => {
  t.like(valueOf(feedQuery, { status: '01', constructor: 'x' }), { status: '01', constructor: 'x' });
  t.deepEqual(valueOf(validators.getChanges.headers, { 'x-other': '1', 'last-event-id': '"5-x"' }), {
    'x-other': '1',
    'last-event-id': '"5-x"',
  });
});

const bulk = validators.bulkDocs.payload;
const rejectedBodies: [unknown, string][] = [
  [null, 'Request body must be a JSON object'],
  [[], 'Request body must be a JSON object'],
  ['{}', 'Request body must be a JSON object'],
  [7, 'Request body must be a JSON object'],
  [{}, 'POST body must include `docs` parameter.'],
  [{ docs: {} }, '`docs` parameter must be an array.'],
  [{ docs: '[]' }, '`docs` parameter must be an array.'],
  [{ docs: [{}, 'x'] }, 'Document must be a JSON object'],
  [{ docs: [{}, null] }, 'Document must be a JSON object'],
  [{ docs: [{ _id: 1 }] }, 'Document id must be a string'],
  [{ docs: [{ _deleted: 'true' }] }, 'Bad special document member: _deleted'],
  [{ docs: [{ _attachments: { 'a.txt': 5 } }] }, '`docs[0]._attachments.a.txt` is 5; it must be an object'],
  [{ docs: [], new_edits: 'false' }, '`new_edits` parameter must be a boolean.'],
];

for (const [body, message] of rejectedBodies) {
  test(`_bulk_docs rejects ${JSON.stringify(body)}`, (t) => {
    t.is(problemOf(bulk, body), message);
  });
}

test('a body keeps properties that are not described', (t) => {
  const body = { docs: [{ _id: 'a', n: 1, deep: { list: [null, 'x', 1.5] } }], new_edits: false, more: [] };
  t.deepEqual(valueOf(bulk, body), body);
});

test('every example of a parameter is accepted and keeps its value', (t) => {
  let examples = 0;
  for (const operation of operations) {
    for (const [place, group] of [
      ['path', 'params'],
      ['query', 'query'],
      ['header', 'headers'],
    ] as const) {
      for (const parameter of operation.parameters.filter((one) => one.in === place)) {
        const key = place === 'header' ? parameter.name.toLowerCase() : parameter.name;
        for (const example of parameter.examples) {
          const text = parameter.json ? JSON.stringify(example) : String(example);
          const required = Object.fromEntries(
            operation.parameters
              .filter((one) => one.in === place && one.required)
              .map((one) => [one.name, 'x']),
          );
          const values = valueOf(validatorsOf(operation.id)[group], { ...required, [key]: text });
          t.deepEqual((values as Record<string, unknown>)[key], example, `${operation.id} ${parameter.name}`);
          examples += 1;
        }
      }
    }
  }
  t.true(examples > 100);
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(description, 'service.json');

/** JSON with property names from the description and values of any type. */
const names = [
  '_id',
  '_rev',
  '_deleted',
  '_attachments',
  '_revisions',
  'docs',
  'id',
  'rev',
  'name',
  'roles',
  'type',
];
const scalar = fc.oneof(
  fc.constantFrom('', '1-a', 'x', 'user', 'true', 'ABCDEFGH', 0, 1, -1, 1.5, true, false, null),
  fc.string(),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
  ),
})).value;

for (const { id, body } of operations) {
  const media = body?.media.find(({ type }) => type === 'application/json');
  const isIgnored = media?.schema.$ref === '#/components/schemas/NoInput';
  if (!media || isIgnored) continue;
  test(`the validator of the body of ${id} agrees with its JSON Schema`, (t) => {
    const isValid = ajv.compile(absolute(media.schema));
    const { payload } = validatorsOf(id);
    const examples = media.examples;
    const changed = fc
      .tuple(fc.constantFrom(...examples), fc.nat(), json)
      .map(([example, position, value]) => withReplaced(example, position, value));
    for (const example of examples) t.is(problemOf(payload, example), undefined);
    let rejected = 0;
    fc.assert(
      fc.property(fc.oneof(changed, json), (value) => {
        // hapi parses an empty body as null.
        if (value === null) return;
        const expected = isValid(value);
        if (!expected) rejected += 1;
        t.is(problemOf(payload, value) === undefined, expected, JSON.stringify(value));
      }),
      { numRuns: 300, seed: 1 },
    );
    t.true(rejected > 0);
  });
}

/** Makes the references of a schema absolute, so that Ajv can resolve them. */
function absolute(schema: Schema): object {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"service.json#/');
  return JSON.parse(text) as object;
}

/** A copy in which the nested value at a position (modulo the number of nested values) is replaced. */
function withReplaced(original: unknown, position: number, value: unknown): unknown {
  const copy = [structuredClone(original)];
  const locations: [Record<string, unknown>, string][] = [];
  const collect = (parent: Record<string, unknown>): void => {
    for (const key of Object.keys(parent)) {
      locations.push([parent, key]);
      const child = parent[key];
      if (typeof child === 'object' && child !== null) collect(child as Record<string, unknown>);
    }
  };
  collect(copy as unknown as Record<string, unknown>);
  const [parent, key] = locations[position % locations.length]!;
  parent[key] = value;
  return copy[0];
}

const context: JoiContext = {
  isText: false,
  resolve: (schema) => resolve(description, schema),
  constantOf: (component) => component,
};

const unsupported: [string, object][] = [
  ['an unknown keyword', { type: 'array', uniqueItems: true }],
  ['a constraint without a type', { minLength: 3 }],
  ['a constraint next to alternatives', { required: ['a'], anyOf: [{ type: 'object' }] }],
  ['an unknown type', { type: 'text' }],
];

for (const [what, schema] of unsupported) {
  test(`the generator rejects ${what}`, (t) => {
    t.throws(() => joiCode(schema as Schema, context), { instanceOf: InvalidInput });
  });
}
