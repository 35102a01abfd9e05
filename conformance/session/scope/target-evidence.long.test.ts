/** What a counterexample records: reports show it, and find nothing out of messages or requests. */
import { findCauses } from '../../../reports/causes.js';
import test, { type ExecutionContext } from 'ava';
import { execa } from 'execa';
import fc from 'fast-check';
import type { CheckResult, Counterexample, Report } from '../../../reports/report.js';
import { curlCommands } from '../../../reports/render/curl.js';
import { renderExplanation } from '../../../reports/render/explain.js';
import { viewStory } from '../../../reports/render/elements/story.js';
import { requirePrograms } from '../../../reports/testing/programs.js';
import { faults } from '../../rules/faults.js';
import { runConformance } from '../../index.js';
import { admin, referenceServer } from '../../testing/reference.js';

test.before((t) => requirePrograms(t, 'Tests of curl commands', ['bash', 'curl']));

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

test('a violation of rows has its exchange, the writes in order, the revisions of conflicts, and curl commands', async (t) => {
  const { report, check, counterexample } = await failureOf(t, 'row-deleted-by-any-leaf');
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

  const commands = curlCommands(report, check)!;
  t.true(commands.startsWith(`# ${check.id} (MUST): ${check.statement}\n`));
  t.true(commands.includes(`# ${counterexample.message}.\n# at       $`));
  const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
  const { stdout } = await execa('bash', ['-e', '-c', commands], { env });
  t.regex(stdout, /"deleted":true/, 'the commands show the violation again');

  const [message] = fc.sample(fc.lorem({ maxCount: 12 }), { seed: 1, numRuns: 1 });
  const reworded = { ...check, counterexample: { ...counterexample, message: message! } };
  const shown = (one: CheckResult) => {
    const { curl, writes, timeline, response, comparison, exchanges } = viewStory(report, one, true);
    return { curl, writes, timeline, response, comparison, exchanges };
  };
  t.deepEqual(shown(reworded), shown(check), 'the pages do not depend on the words of a message');
  const twin = { ...check, id: `${check.id}/twin` };
  const causes = (one: CheckResult) => findCauses([one, twin]).map(({ lead, shared }) => [lead.rule, shared]);
  t.deepEqual(causes(reworded), causes(check));
  const explained = (one: CheckResult): string =>
    renderExplanation(report, one, { colour: false }).replaceAll(one.counterexample!.message, '');
  t.is(explained(reworded), explained(check));
});

test('a violation of an open feed has its events and what was due', async (t) => {
  const { counterexample } = await failureOf(t, 'heartbeat-slow');
  const { exchanges, violating, feed } = counterexample;
  t.true(exchanges[violating!]!.request.path.includes(`feed=${feed!.mode}`));
  t.true(feed!.due.some(({ what, why }) => what === 'heartbeat' && /^heartbeat=\d+$/.test(why)));
});
