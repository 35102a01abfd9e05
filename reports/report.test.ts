import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { exitCode, type Outcome, outcomes, type Report } from './report.js';
import { complete, failed, reportOf, result, sample } from './testing/sample.js';

type Schema = { $ref?: string; properties?: Record<string, Schema>; items?: Schema; description?: string };

const schema = createRequire(import.meta.url)('docfeed/reports/report.schema.json') as {
  $defs: Record<string, Schema & { properties: Record<string, { enum?: string[] }> }>;
};
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

test('hand-written reports match the schema', (t) => {
  for (const report of [sample, complete, reportOf([])]) {
    t.true(validate(structuredClone(report)), ajv.errorsText(validate.errors));
  }
});

// The compiler verifies that `complete` has exactly the fields of the TypeScript type. The test above verifies that the
// schema has all these fields, this test that it has no others.
test('the type has all fields of the schema', (t) => {
  const ofConsumer = { ...complete, target: { ...complete.target, consumer: ['node', 'a b.js'] } };
  t.deepEqual(missingFields({ $ref: '#/$defs/Report' }, ofConsumer, '$'), []);
});

const resolve = (ref: string) => schema.$defs[ref.slice('#/$defs/'.length)];

function missingFields(schemaPart: Schema, value: unknown, path: string): string[] {
  const resolved = schemaPart.$ref ? resolve(schemaPart.$ref) : schemaPart;
  if (value === undefined) return [path];
  if (resolved?.items) return missingFields(resolved.items, (value as unknown[])[0], `${path}[0]`);
  return Object.entries(resolved?.properties ?? {}).flatMap(([name, property]) =>
    missingFields(property, (value as Record<string, unknown>)[name], `${path}.${name}`),
  );
}

test('the schema requires the fields that the type requires', (t) => {
  const minimal: Report = {
    format: 'docfeed-report/2',
    suite: {
      version: '1.0.0',
      specification: '1.0.0',
      seed: 0,
      profile: 'smoke',
      startedAt: '2026-01-02T03:04:05Z',
      durationMs: 0,
    },
    target: { url: 'http://a/', greeting: null, dialect: 'service', capabilities: [] },
    warnings: [],
    checks: [
      {
        ...result('root-greeting', 'fail'),
        counterexample: {
          message: 'wrong',
          exchanges: [
            { request: { method: 'GET', path: '/', headers: {} } },
            {
              request: { method: 'GET', path: '/', headers: {} },
              response: { status: 200, headers: {}, chunks: [] },
            },
          ],
        },
      },
    ],
    observations: [],
    summary: { pass: 0, fail: 1, warn: 0, known: 0, skipped: 0, blocked: 0, inconclusive: 0, error: 0 },
  };
  t.true(validate(minimal), ajv.errorsText(validate.errors));
  for (const [at, without] of withoutOneField(minimal, '$')) t.false(validate(without), `without ${at}`);
});

/** Yields copies of the value, each without one field. */
function* withoutOneField(value: unknown, path: string): Generator<[string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      for (const [at, changed] of withoutOneField(element, `${path}[${index}]`)) {
        yield [at, (value as unknown[]).with(index, changed)];
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const rest: Record<string, unknown> = { ...value };
      delete rest[name];
      // These two are optional; the sample has them because of their required fields.
      if (name !== 'counterexample' && name !== 'response') yield [`${path}.${name}`, rest];
      for (const [at, changed] of withoutOneField(member, `${path}.${name}`)) {
        yield [at, { ...value, [name]: changed }];
      }
    }
  }
}

test('every field has a description', (t) => {
  const without: string[] = [];
  const walk = (schemaPart: Schema, path: string): void => {
    for (const [name, property] of Object.entries(schemaPart.properties ?? {})) {
      const described = property.description ?? (property.$ref && resolve(property.$ref)?.description);
      if (!described) without.push(`${path}.${name}`);
      walk(property, `${path}.${name}`);
      walk(property.items ?? {}, `${path}.${name}[]`);
    }
  };
  for (const [name, definition] of Object.entries(schema.$defs)) walk(definition, name);
  t.deepEqual(without, []);
});

test('invalid reports do not match the schema', (t) => {
  const first = (changes: object) => ({ ...sample, checks: [{ ...sample.checks[0], ...changes }] });
  const invalid: Record<string, unknown> = {
    'an array': [],
    'a different format': { ...sample, format: 'docfeed-report/9' },
    'an unknown field': { ...sample, extra: true },
    'an unknown field of a check': first({ durationS: 1 }),
    'an unknown outcome': first({ outcome: 'passed' }),
    'a failure without a reason': first({ outcome: 'fail' }),
    'an unknown level': first({ level: 'MAY' }),
    'a negative count': first({ requests: -1 }),
    'a fraction of a run': first({ cases: 0.5 }),
    'a summary without an outcome': { ...sample, summary: { pass: 1 } },
    'an invalid time': { ...sample, suite: { ...sample.suite, startedAt: 'yesterday' } },
    'an unknown dialect': { ...sample, target: { ...sample.target, dialect: 'mongodb' } },
    'a response without status': first({
      counterexample: { ...failed.counterexample, exchanges: [{ request: {}, response: {} }] },
    }),
  };
  for (const [name, report] of Object.entries(invalid)) t.false(validate(report), name);
});

test('the type and the schema have the same outcomes', (t) => {
  t.deepEqual(schema.$defs['CheckResult']?.properties['outcome']?.enum, [...outcomes]);
});

const exitCodes: Record<Outcome, [exit: 0 | 1 | 3, strict: 0 | 1 | 3]> = {
  pass: [0, 0],
  fail: [1, 1],
  warn: [0, 1],
  known: [0, 0],
  skipped: [3, 3],
  blocked: [3, 3],
  inconclusive: [3, 3],
  error: [3, 3],
};

for (const outcome of outcomes) {
  test(`the exit code of a run with ${outcome}`, (t) => {
    const [exit, strict] = exitCodes[outcome];
    const only = reportOf([result('root-greeting', outcome)]);
    t.is(exitCode(only), exit);
    t.is(exitCode(only, true), strict);

    const runWith = (other: Outcome) => reportOf([...only.checks, result('root-vendor', other)]);
    t.is(exitCode(runWith('pass')), outcome === 'skipped' ? 0 : exit);
    t.is(exitCode(runWith('fail')), 1);
    t.is(exitCode(runWith('error')), exit === 1 ? 1 : 3);
  });
}

test('a run that checked nothing is not green', (t) => {
  t.is(exitCode(reportOf([])), 3);
  t.is(exitCode(reportOf([]), true), 3);
});
