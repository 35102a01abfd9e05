/** A history that is always the same becomes as small in a counterexample as a generated one. */
import test, { type ExecutionContext } from 'ava';
import { runConformance } from '../../index.js';
import { admin, referenceServer } from '../../testing/reference.js';
import { faults } from '../faults.js';

async function counterexampleOf(t: ExecutionContext, fault: string, check: string, shrinkMs: number) {
  const { replace } = faults.find(({ id }) => id === fault)!;
  const { url } = await referenceServer(t, { components: replace });
  const { checks } = await runConformance({ urls: [url], admin, only: [check], seed: 1, shrinkMs });
  return checks.find(({ id }) => id === check)!.counterexample!;
}

for (const { fault, check, documents } of [
  { fault: 'selector-in-first', check: 'filter-selector/unusual', documents: { before: 30, after: 1 } },
  { fault: 'selector-nor-or', check: 'filter-selector/unusual', documents: { before: 30, after: 1 } },
  // The server breaks the rule if the list has more than 100 ids, which are nine of ten.
  {
    fault: 'doc-ids-many-without-deleted',
    check: 'filter-doc-ids/many',
    documents: { before: 1200, after: 116 },
  },
]) {
  test.serial(`${check} shows ${fault} with the documents that it needs`, async (t) => {
    const whole = await counterexampleOf(t, fault, check, 0);
    t.is(whole.writes?.length, documents.before);
    const { writes, shrunk } = await counterexampleOf(t, fault, check, 120_000);
    t.true(shrunk);
    t.true(writes!.length <= documents.after, `${writes!.length} documents`);
    t.log(`${JSON.stringify(whole.writes).length} bytes, shrunk ${JSON.stringify(writes).length}`);
  });
}
