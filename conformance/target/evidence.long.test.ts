/** What a counterexample records: reports show it, and find nothing out of messages or requests. */
import { findCauses } from '../../reports/causes.js';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { CheckResult, Counterexample, Report } from '../../reports/report.js';
import { renderExplanation } from '../../reports/render/explain.js';
import { viewStory } from '../../reports/render/elements/story.js';
import { faults } from '../areas/faults.js';
import { runConformance } from '../index.js';
import { admin, referenceServer } from '../testing/reference.js';

async function failureOf(
  t: ExecutionContext,
  id: string,
): Promise<{ report: Report; check: CheckResult; counterexample: Counterexample }> {
  const fault = faults.find((candidate) => candidate.id === id)!;
  const server = await referenceServer(t, { components: fault.replace, log: { level: 'silent' } });
  const ids = [fault.rule];
  const report = await runConformance({ urls: [server.url], admin, ids, seed: 1, shrinkMs: 500 });
  const check = report.checks.find(({ outcome }) => outcome === 'fail')!;
  return { report, check, counterexample: check.counterexample! };
}

test('a violation of rows has its exchange, the writes in order, and the revisions of conflicts', async (t) => {
  const { counterexample } = await failureOf(t, 'row-deleted-by-any-leaf');
  const { exchanges, violating, writes = [], trees = [] } = counterexample;
  t.regex(exchanges[violating!]!.request.path, /\/_changes/);
  t.true(writes.length > 1);
  for (const { exchange, id } of writes) {
    const { request } = exchanges[exchange!]!;
    t.regex(request.path, /\/_bulk_docs/);
    t.true(request.body!.includes(JSON.stringify(id)));
  }
  const written = writes.map(({ rev }) => rev);
  for (const { winner, revisions } of trees) {
    t.true(revisions.some(({ rev }) => rev === winner));
    t.true(revisions.filter(({ rev }) => written.includes(rev)).length > 1);
  }
  t.true(trees.length > 0);
});

test('a violation of an open feed has its events and what was due', async (t) => {
  const { counterexample } = await failureOf(t, 'heartbeat-slow');
  const { exchanges, violating, feed } = counterexample;
  t.true(exchanges[violating!]!.request.path.includes(`feed=${feed!.mode}`));
  t.true(feed!.due.some(({ what, why }) => what === 'heartbeat' && /^heartbeat=\d+$/.test(why)));
});

test('the pages do not depend on the words of a message', async (t) => {
  const { report, check, counterexample } = await failureOf(t, 'row-deleted-by-any-leaf');
  const [message] = fc.sample(fc.lorem({ maxCount: 12 }), { seed: 1, numRuns: 1 });
  const reworded = { ...check, counterexample: { ...counterexample, message: message! } };
  const shown = (one: CheckResult) => {
    const { curl, writes, timeline, response, comparison, exchanges } = viewStory(report, one, true);
    return { curl, writes, timeline, response, comparison, exchanges };
  };
  t.deepEqual(shown(reworded), shown(check));
  const twin = { ...check, id: `${check.id}/twin` };
  const causes = (one: CheckResult) => findCauses([one, twin]).map(({ lead, shared }) => [lead.rule, shared]);
  t.deepEqual(causes(reworded), causes(check));
  const explained = (one: CheckResult): string =>
    renderExplanation(report, one, { colour: false }).replaceAll(one.counterexample!.message, '');
  t.is(explained(reworded), explained(check));
});
