/** `npm run bench -- --scale`: how memory and the time of a request change while something grows. */
import type { BenchCurve } from '../../../reports/tools/bench-report.js';
import type { Client } from '../client.js';
import { meanTime, mebibyte, medianOf, range, timed } from '../measure.js';
import { withServerProcess, type ServerProcess } from '../server-process.js';
import { serverOptions } from './own-workloads.js';
import { processorTimeOf } from './processor-time.js';

/** Something that grows on a server, step by step, and what is measured at each size. */
interface Growth {
  readonly name: string;
  readonly what: string;
  readonly sizes: readonly number[];
  readonly grow: (target: Client, from: number, to: number) => Promise<unknown>;
  readonly figures: readonly Figure[];
}

interface Figure {
  readonly name: string;
  readonly title: string;
  /** Milliseconds of a request, the median of many; or microseconds of a row, of one request for as many as the size. */
  readonly unit: 'ms' | 'µs';
  /** @param id differs in each request */
  readonly request: (target: Client, id: string, size: number, index: number) => Promise<unknown>;
}

const many = '/docfeed-scale';
const manyOf = (number: number) => `${many}-${number}`;

/** Number of small requests of one measurement, whose median counts. */
const requests = 100;

const growths: readonly Growth[] = [
  {
    name: 'documents',
    what: 'documents in one database',
    sizes: [1_000, 10_000, 100_000, 300_000, 1_000_000],
    async grow(target, from, to) {
      if (from === 0) await target.read('PUT', many);
      for (let first = from; first < to; first += 5_000) {
        const docs = range(first, Math.min(first + 5_000, to)).map((value) => ({
          _id: `small-${String(value).padStart(7, '0')}`,
          value,
        }));
        await target.read('POST', `${many}/_bulk_docs`, { docs });
      }
    },
    figures: [
      {
        name: 'write',
        title: 'A PUT, and the request of its row',
        unit: 'ms',
        request: async (target, id) => {
          await target.read('PUT', `${many}/written-${id}`, {});
          await target.read('GET', `${many}/_changes?descending=true&limit=1`);
        },
      },
      {
        name: 'feed',
        title: 'A row of the complete feed',
        unit: 'µs',
        request: (target) => target.expect(200, 'GET', `${many}/_changes`),
      },
    ],
  },
  {
    name: 'feeds',
    what: 'open continuous feeds',
    sizes: [1, 100, 1_000, 2_000, 5_000],
    async grow(target, from, to) {
      if (from === 0) for (const path of [many, manyOf(0)]) await target.read('PUT', path);
      const path = `${many}/_changes?feed=continuous&since=now&heartbeat=60000`;
      for (let first = from; first < to; first += 100)
        await Promise.all(range(first, Math.min(first + 100, to)).map(() => target.openOk('GET', path)));
    },
    figures: [
      {
        name: 'write',
        title: 'A PUT to another database',
        unit: 'ms',
        request: (target, id) => target.read('PUT', `${manyOf(0)}/${id}`, {}),
      },
    ],
  },
  {
    name: 'databases',
    what: 'databases',
    sizes: [1, 10, 100, 1_000, 3_000],
    async grow(target, from, to) {
      for (const number of range(from, to)) await target.read('PUT', manyOf(number));
    },
    figures: [
      {
        name: 'write',
        title: 'A PUT to one of 100 of them',
        unit: 'ms',
        request: (target, id, size, index) =>
          target.read('PUT', `${manyOf(Math.floor((index * size) / requests))}/${id}`, {}),
      },
    ],
  },
];

/** A server that grows. */
interface Subject {
  readonly target: Client;
  /** Only of the reference server, whose memory and processor time can be measured. */
  readonly server?: ServerProcess;
}

/** Measures all curves. Each growth has a reference server of its own. A server that fails has no further points. */
export async function benchScale(
  others: readonly Client[],
  log: (message: string) => void,
): Promise<BenchCurve[]> {
  const curves: BenchCurve[] = [];
  for (const growth of growths) {
    await withServerProcess(serverOptions, async (server) => {
      const { client: target, admin } = server;
      await target.logIn(admin);
      // The first requests of a new server take several times longer, whatever the size.
      await target.read('PUT', '/warm-up');
      await meanTime(1000, (number) => target.read('PUT', `/warm-up/${number}`, {}));
      const subjects = [{ target, server }, ...others.map((target) => ({ target }))];
      curves.push(...(await curvesOf(growth, subjects, log)));
    });
  }
  return curves;
}

async function curvesOf(
  { name, what, sizes, grow, figures }: Growth,
  subjects: readonly Subject[],
  log: (message: string) => void,
): Promise<BenchCurve[]> {
  const curveOf = (figure: string, title: string, unit: string) => ({
    name: `${name}-${figure}`,
    title: `${title}, by the number of ${what}`,
    unit,
    points: sizes.map((size): BenchCurve['points'][number] => ({ size, measured: {} })),
  });
  const times = figures.map((figure) => curveOf(figure.name, figure.title, figure.unit));
  const processor = figures.map((figure) =>
    curveOf(`${figure.name}-processor`, `${figure.title}: processor time`, figure.unit),
  );
  const memory = curveOf('memory', 'Resident memory', 'MiB');
  for (const { target, server } of subjects)
    try {
      for (const [number, size] of sizes.entries()) {
        log(`${target.title}: ${size} ${what}`);
        await grow(target, sizes[number - 1] ?? 0, size);
        for (const [index, { unit, request }] of figures.entries()) {
          const [count, share] = unit === 'µs' ? [1, 1000 / size] : [requests, 1];
          const before = server ? await processorTimeOf(server.pid) : 0;
          const time = await medianOf(count, (index) =>
            timed(() => request(target, `${number}-${index}`, size, index)),
          );
          times[index]!.points[number]!.measured[target.title] = time * share;
          if (!server) continue;
          const spent = (await processorTimeOf(server.pid)) - before;
          processor[index]!.points[number]!.measured[target.title] = (spent / count) * share;
        }
        if (server) memory.points[number]!.measured[target.title] = (await server.memory()) / mebibyte;
      }
    } catch (error) {
      if (server) throw error;
      log((error as Error).message);
    } finally {
      // The reference server ends with its data.
      if (!server) await target.deleteDatabases(many);
    }
  return [...times, ...processor, memory];
}
