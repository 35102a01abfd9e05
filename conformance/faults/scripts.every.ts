/** The scripts of every fault whose checks give one: each shows its violation, and only on the server with the fault. */
import { availableParallelism } from 'node:os';
import test from 'ava';
import pMap from 'p-map';
import { startServer, type Fault } from '../../reference/index.js';
import { emptyFolder } from '../../reports/testing/folder.js';
import { runConformance } from '../index.js';
import { admin } from '../testing/reference.js';
import { tryScripts, type Tried } from '../testing/scripts.js';
import { faults } from './index.js';

async function scriptsOf({ replace, rule, nodes = 1 }: Fault, journalDir: string): Promise<Tried[]> {
  // All that --configure would add, and take back before the script runs.
  const config = {
    chttpd: { authentication_handlers: 'cookie, proxy, jwt, default' },
    chttpd_auth: { proxy_use_secret: 'true', secret: 'of proxies', iterations: '10' },
  };
  const options = { port: 0, admin, nodes, config, log: { level: 'silent' } as const };
  const faulty = await startServer({ ...options, components: replace });
  const right = await startServer(options);
  try {
    const report = await runConformance({
      ...{ urls: faulty.urls, admin, configure: true, journalDir },
      ...{ only: [rule], seed: 20_260, shrinkMs: 2000 },
    });
    return await tryScripts(report, admin, [faulty.urls, right.urls]);
  } finally {
    await Promise.all([faulty.stop(), right.stop()]);
  }
}

test('each script shows its violation on the server with the fault only, and a third of the faults have one', async (t) => {
  t.timeout(3_600_000);
  const journalDir = await emptyFolder(t);
  const wrong: string[] = [];
  const shown = new Set<string>();
  const one = async (fault: Fault): Promise<void> => {
    for (const { check, none, output, codes } of await scriptsOf(fault, journalDir)) {
      if (none !== undefined) t.log(`${fault.id}, ${check}: ${none}`);
      else if (codes[0] === 1 && codes[1] === 0) shown.add(fault.id);
      else wrong.push(`${fault.id}, ${check}: exit codes ${codes.join(' and ')}\n${output}`);
    }
  };
  await pMap(faults, one, { concurrency: availableParallelism() });
  t.log(`${shown.size} of ${faults.length} faults have a script`);
  t.deepEqual(wrong, []);
  t.true(shown.size > faults.length / 3);
});
