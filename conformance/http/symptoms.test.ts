import test from 'ava';
import { findCauses } from '../../reports/causes.js';
import type { CheckResult, Counterexample, RecordedExchange } from '../../reports/report.js';
import { result } from '../../reports/testing/sample.js';
import { symptomsOf } from './symptoms.js';

function exchange(path: string, status: number, type: string, body: string): RecordedExchange {
  return {
    request: { method: 'GET', path: `/docfeed-1f-1${path}`, headers: {} },
    response: { status, headers: { 'Content-Type': type }, chunks: [{ atMs: 1, text: body }] },
    time: { startMs: 0, endMs: 5 },
  };
}

function failure(id: string, evidence: Partial<Counterexample>): CheckResult {
  const check = result(id, 'fail');
  const violating = (evidence.exchanges?.length ?? 0) - 1;
  const counterexample = { message: id, exchanges: [], violating, ...evidence };
  const symptoms = symptomsOf(counterexample, { ...check, id: check.rule } as Parameters<
    typeof symptomsOf
  >[1]);
  return { ...check, counterexample: { ...counterexample, symptoms } };
}

const summarize = (checks: CheckResult[]) =>
  findCauses(checks).map(({ lead, others, shared }) => [lead.id, others.map(({ id }) => id), shared]);

const refusal = (filter: string) =>
  exchange(`/_changes?filter=${filter}`, 404, 'a/b', '{"error":"not_found"}');
const json = 'application/json';

test('one unexpected response is one cause, whatever the checks expected', (t) => {
  const rejected = { path: '$status', expected: 200, actual: 404 };
  t.deepEqual(
    summarize([
      failure('filter-a/late', { ...rejected, exchanges: [refusal('_selector'), refusal('_selector')] }),
      failure('filter-b', { ...rejected, exchanges: [refusal('_selector')] }),
      failure('error-a', { ...rejected, expected: 400, exchanges: [refusal('_selector')] }),
      failure('filter-c', { ...rejected, exchanges: [refusal('_design')] }),
    ]),
    [
      [
        'filter-b',
        ['error-a', 'filter-a/late'],
        'the response 404 not_found to `/{db}/_changes?filter=_selector`',
      ],
      ['filter-c', [], undefined],
    ],
  );
});

test('a wrong media type explains what else is wrong with such responses', (t) => {
  const wrong = exchange('/_changes?feed=eventsource', 200, 'text/plain; charset=utf-8', '{}');
  const right = exchange('/_changes?feed=continuous', 200, json, '{}');
  t.deepEqual(
    summarize([
      failure('continuous-a', { path: 'the continuous feed', exchanges: [right] }),
      failure('eventsource-live', { path: 'the eventsource feed', exchanges: [wrong] }),
      failure('feed-live', { path: '$["doc-0"]', exchanges: [right, wrong, right] }),
      failure('eventsource-stream', {
        path: 'Content-Type',
        expected: 'text/event-stream',
        actual: 'text/plain; charset=utf-8',
        exchanges: [right, wrong],
      }),
    ]),
    [
      [
        'eventsource-stream',
        ['eventsource-live', 'feed-live'],
        'the media type text/plain in the response to `/{db}/_changes?feed=eventsource`',
      ],
      ['continuous-a', [], undefined],
    ],
  );
});

test('a missing field, a wrong revision, a rule, or a message with other values is one cause', (t) => {
  const page = [exchange('/_changes', 200, json, '{"results":[]}')];
  const rev = (digit: string) => `1-${digit.repeat(32)}`;
  t.deepEqual(
    summarize([
      failure('feed-shape', { path: '$.pending', expected: 'a number', exchanges: page }),
      failure('feed-latest', {
        path: '$.results[0].changes',
        expected: `${rev('a')}, the winner`,
        actual: [rev('b')],
      }),
      failure('feed-include-docs', { path: '$.results[0].doc._rev', expected: rev('a'), actual: rev('c') }),
      failure('feed-pending/x', { path: '$.pending', expected: 'an integer', exchanges: page }),
      failure('feed-idempotent', { message: 'row "a" of 3 is wrong' }),
      failure('feed-paging', { message: 'row "b" of 14 is wrong' }),
      failure('feed-limit/a', { message: 'too few' }),
      failure('feed-limit/b', { message: 'too many' }),
    ]),
    [
      ['feed-shape', ['feed-pending/x'], 'no `pending` in the response to `/{db}/_changes`'],
      ['feed-latest', ['feed-include-docs'], 'another revision than the expected one'],
      ['feed-idempotent', ['feed-paging'], 'the observation “row … of … is wrong”'],
      ['feed-limit/a', ['feed-limit/b'], 'the rule `feed-limit`'],
    ],
  );
});

test('failures come before warnings, and other outcomes have no cause', (t) => {
  t.deepEqual(
    summarize([
      result('proxy-secret-recommended', 'warn'),
      result('jwt-accepts', 'blocked'),
      result('root-vendor', 'known'),
      result('root-greeting', 'fail'),
    ]).map(([id]) => id),
    ['root-greeting', 'proxy-secret-recommended'],
  );
});

test('checks of one area that expect the same in the same place have one cause', (t) => {
  const feed = { path: '$.results[0].id', expected: 'a document changed after "4-x"', actual: 'doc-0' };
  const anonymous = { path: '$.userCtx.name', expected: 'null or nothing', actual: 'anna' };
  t.deepEqual(
    summarize([
      failure('feed-since-now', feed),
      failure('feed-since-excludes', { ...feed, path: '$.results[3].id' }),
      failure('basic-rejects', anonymous),
      failure('jwt-alg-none', anonymous),
    ]),
    [
      [
        'feed-since-now',
        ['feed-since-excludes'],
        'the expectation “a document changed after …” for $.results….id (feed)',
      ],
      ['basic-rejects', [], undefined],
      ['jwt-alg-none', [], undefined],
    ],
  );
});
