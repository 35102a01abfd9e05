/** The memory of the proxy does not grow with the traffic, nor with the length of a feed. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { execaNode } from 'execa';
import { sum } from 'simple-statistics';
import { emptyFolder } from '../../reports/testing/folder.js';
import { freePort } from '../../reports/testing/free-port.js';
import type { Report } from '../../reports/report.js';
import { openAt, sendTo } from '../../reports/testing/request.js';
import { asAdmin, referenceServer } from '../testing/reference.js';
import { program } from '../../reports/testing/program.js';
import { listeningUrl } from '../../reports/testing/listening-urls.js';

/** Each process listens at a socket in this folder and answers with the bytes that it keeps. */
const probe = (folder: string) => `
import { createServer } from 'node:http';
createServer(async (_, response) => {
  globalThis.gc();
  // The memory of buffers is free only then.
  await new Promise(setImmediate);
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  response.end(String(heapUsed + external));
}).listen(${JSON.stringify(folder)} + '/' + process.pid).unref();
`;

const mebibyte = 1024 * 1024;
const rowsPerRound = 500;
/** Until everything that the judge remembers of a database is full. */
const warmUpRounds = 60;
const rounds = 80;
/** About 50 bytes for a row of a feed that passes: less than any object that the judge makes of it. */
const tolerance = 6 * mebibyte;

async function keptBytes(socketPath: string): Promise<number> {
  const [response] = (await once(get({ socketPath }), 'response')) as [IncomingMessage];
  return Number(await text(response));
}

test('memory stays the same while requests and rows of open feeds pass', async (t) => {
  const { url: target } = await referenceServer(t, { dialect: 'couchdb' });
  const adminPort = await freePort();
  const folder = await emptyFolder(t);
  const args = ['proxy', '--target', target, '--admin-port', String(adminPort), '--report-dir', folder];
  const sockets = await emptyFolder(t);
  const preload = `--import=data:text/javascript,${encodeURIComponent(probe(sockets))}`;
  const child = execaNode(program, args, { nodeOptions: ['--expose-gc', preload], reject: false });
  t.teardown(() => child.kill('SIGKILL'));
  const url = await listeningUrl(child);
  const { cookie } = await asAdmin(url, 'GET', '/_session');
  const send = async (path: string, method = 'GET', body?: unknown) => {
    const { status } = await sendTo(url, method, path, { headers: { cookie }, body });
    t.true(status < 300, `${method} ${path}: ${status}`);
  };

  await send('/db', 'PUT');
  // Tells the judge how many copies there are, so that it knows what feeds must deliver.
  await send('/db');
  const feeds = await Promise.all(
    ['', '', '&include_docs=true'].map(async (query) => {
      const path = `/db/_changes?feed=continuous&heartbeat=10000${query}`;
      const { body } = await openAt(url, 'GET', path, { headers: { cookie } });
      return createInterface(body)[Symbol.asyncIterator]();
    }),
  );
  let round = 0;
  const work = async (times: number): Promise<void> => {
    for (const end = round + times; round < end; round += 1) {
      const docs = Array.from({ length: rowsPerRound }, (_, n) => ({ _id: `${round}-${n}`, n }));
      await send('/db/_bulk_docs', 'POST', { docs });
      for (const feed of feeds) {
        for (let rows = 0; rows < rowsPerRound;) if ((await feed.next()).value !== '') rows += 1;
      }
      for (const n of docs.keys()) {
        if (n % 10 === 0) await send(n % 50 === 0 ? '/db/_changes?limit=5' : '/_session');
      }
    }
  };
  /** The report waits until everything is judged. */
  const report = async () =>
    (await sendTo(`http://127.0.0.1:${adminPort}`, 'GET', '/report.json')).json as Report;
  const measure = async (): Promise<number> => {
    t.is((await report()).summary.fail, 0);
    const files = await readdir(sockets);
    t.is(files.length, 2, 'the proxy and its judge');
    return sum(await Promise.all(files.map((file) => keptBytes(join(sockets, file)))));
  };

  await work(warmUpRounds);
  const before = await measure();
  await work(rounds);
  const after = await measure();
  const [kept, grown] = [before, after - before].map((bytes) => `${(bytes / mebibyte).toFixed(1)} MiB`);
  t.log(`kept ${kept} after the warm-up, and ${grown} more after ${rounds * rowsPerRound} rows in each feed`);
  t.true(after - before < tolerance, `grew by ${grown}`);
  const { warnings } = await report();
  t.false(warnings.some((warning) => warning.startsWith('Judging fell behind')));
});
