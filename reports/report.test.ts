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
const fits = ajv.compile(schema);

test('hand-written reports fit the schema', (t) => {
  for (const report of [sample, complete, reportOf([])]) {
    t.true(fits(structuredClone(report)), ajv.errorsText(fits.errors));
  }
});

// `complete` is held by the compiler to name every field of the TypeScript type and no other. The schema allows no
// field that it does not know (the test above), and has none that `complete` lacks (this one): so they agree.
test('the schema has no field that the type lacks', (t) => {
  t.deepEqual(missing({ $ref: '#/$defs/Report' }, complete, '$'), []);
});

function missing(part: Schema, value: unknown, path: string): string[] {
  const target = part.$ref ? schema.$defs[part.$ref.slice('#/$defs/'.length)] : part;
  if (value === undefined) return [path];
  if (target?.items) return missing(target.items, (value as unknown[])[0], `${path}[0]`);
  return Object.entries(target?.properties ?? {}).flatMap(([name, property]) =>
    missing(property, (value as Record<string, unknown>)[name], `${path}.${name}`),
  );
}

test('the schema requires the fields that the type requires', (t) => {
  const minimal: Report = {
    format: 'docfeed-report/1',
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
  t.true(fits(minimal), ajv.errorsText(fits.errors));
  for (const [at, without] of withoutOneField(minimal, '$')) t.false(fits(without), `without ${at}`);
});

/** The value once for each of its fields, that field taken away. What a target sends has no fields of ours. */
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
      // Optional in the type, and here to reach what is required inside them.
      if (name !== 'counterexample' && name !== 'response') yield [`${path}.${name}`, rest];
      for (const [at, changed] of withoutOneField(member, `${path}.${name}`)) {
        yield [at, { ...value, [name]: changed }];
      }
    }
  }
}

test('every field has a description', (t) => {
  const without: string[] = [];
  const walk = (part: Schema, path: string): void => {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const described = property.description ?? (property.$ref && named(property.$ref)?.description);
      if (!described) without.push(`${path}.${name}`);
      walk(property, `${path}.${name}`);
      walk(property.items ?? {}, `${path}.${name}[]`);
    }
  };
  const named = (ref: string) => schema.$defs[ref.slice('#/$defs/'.length)];
  for (const [name, definition] of Object.entries(schema.$defs)) walk(definition, name);
  t.deepEqual(without, []);
});

test('broken reports do not fit', (t) => {
  const first = (changes: object) => ({ ...sample, checks: [{ ...sample.checks[0], ...changes }] });
  const broken: Record<string, unknown> = {
    'no object': [],
    'another format': { ...sample, format: 'docfeed-report/2' },
    'an unknown field': { ...sample, extra: true },
    'an unknown field of a check': first({ durationS: 1 }),
    'an unknown outcome': first({ outcome: 'passed' }),
    'a failure without a reason': first({ outcome: 'fail' }),
    'a level that is none': first({ level: 'MAY' }),
    'a negative count': first({ requests: -1 }),
    'half a run': first({ runs: 0.5 }),
    'a summary that lacks an outcome': { ...sample, summary: { pass: 1 } },
    'a start that is no time': { ...sample, suite: { ...sample.suite, startedAt: 'yesterday' } },
    'a dialect that is none': { ...sample, target: { ...sample.target, dialect: 'mongodb' } },
    'a response without status': first({
      counterexample: { ...failed.counterexample, exchanges: [{ request: {}, response: {} }] },
    }),
  };
  for (const [name, report] of Object.entries(broken)) t.false(fits(report), name);
});

test('type and schema have the same outcomes', (t) => {
  t.deepEqual(schema.$defs['CheckResult']?.properties['outcome']?.enum, [...outcomes]);
});

const alone: Record<Outcome, [exit: 0 | 1 | 3, strict: 0 | 1 | 3]> = {
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
  test(`exit code of a run with ${outcome}`, (t) => {
    const [exit, strict] = alone[outcome];
    const only = reportOf([result('root-greeting', outcome)]);
    t.is(exitCode(only), exit);
    t.is(exitCode(only, true), strict);

    const beside = (other: Outcome) => reportOf([...only.checks, result('root-vendor', other)]);
    t.is(exitCode(beside('pass')), outcome === 'skipped' ? 0 : exit);
    t.is(exitCode(beside('fail')), 1);
    t.is(exitCode(beside('error')), exit === 1 ? 1 : 3);
  });
}

test('a run in which nothing was checked is not green', (t) => {
  t.is(exitCode(reportOf([])), 3);
  t.is(exitCode(reportOf([]), true), 3);
});
