import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { exitCode, type Outcome, outcomes } from './report.js';
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

const resolve = (ref: string) => schema.$defs[ref.slice('#/$defs/'.length)];

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
