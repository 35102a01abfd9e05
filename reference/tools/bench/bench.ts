/** Measures workloads on several servers. The servers alternate, so that other load of the machine affects all. */
import { median } from 'simple-statistics';
import type { BenchResult, Measured } from '../../../reports/tools/bench-report.js';
import { createDataset, type Dataset } from './dataset.js';
import type { OwnWorkload } from './own-workloads.js';
import type { BenchmarkTarget } from './target.js';
import type { Workload } from './workloads.js';

export interface BenchOptions {
  readonly documents: number;
  /** The first round is a warm-up in addition to these. */
  readonly rounds: number;
  /** Time after which no further round starts. */
  readonly seconds: number;
  readonly log: (message: string) => void;
}

/** Rejects if a response is wrong. Always deletes the databases that it created. */
export async function bench(
  targets: readonly BenchmarkTarget[],
  workloads: readonly Workload[],
  { documents, ...options }: BenchOptions,
): Promise<BenchResult[]> {
  if (workloads.length === 0) return [];
  const datasets: Dataset[] = [];
  try {
    for (const target of targets) {
      options.log(`${target.title}: writing ${documents} documents`);
      datasets.push(await createDataset(target, documents));
    }
    return await measureRounds(
      workloads.map((workload) => ({
        ...workload,
        measures: new Map(datasets.map((dataset) => [dataset.target.title, () => workload.measure(dataset)])),
        measureFloor: () => workload.floor!.measure(datasets[0]!),
      })),
      options,
    );
  } finally {
    for (const { target, path } of datasets) await target.send('DELETE', path);
  }
}

/** Measures workloads that start the reference server themselves. */
export function benchOwn(
  name: string,
  workloads: readonly OwnWorkload[],
  options: Omit<BenchOptions, 'documents'>,
): Promise<BenchResult[]> {
  const jobs = workloads.map((workload) => ({
    ...workload,
    measures: new Map([[name, workload.measure]]),
    measureFloor: () => workload.floor!.measure(),
  }));
  return measureRounds(jobs, options);
}

interface Job extends Pick<OwnWorkload, 'name' | 'title' | 'unit' | 'max'> {
  /** By the name of the server. */
  readonly measures: ReadonlyMap<string, () => Promise<number>>;
  readonly floor?: { readonly title: string; readonly maxRatio?: number };
  readonly measureFloor: () => Promise<number>;
}

async function measureRounds(
  jobs: readonly Job[],
  { rounds, seconds, log }: Omit<BenchOptions, 'documents'>,
): Promise<BenchResult[]> {
  const end = performance.now() + seconds * 1000;
  const samples = jobs.map(
    ({ measures }) => new Map([...measures.keys()].map((name) => [name, [] as number[]])),
  );
  const floors: number[][] = jobs.map(() => []);
  for (let round = 0; round <= rounds && (round <= 1 || performance.now() < end); round++)
    for (const [index, { name, floor, measures, measureFloor }] of jobs.entries()) {
      log(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${name}`);
      const order = [...measures];
      const results = new Map<string, number>();
      for (const [server, measure] of round % 2 === 0 ? order : order.reverse())
        results.set(server, await measure());
      const floorResult = floor && (await measureFloor());
      if (round === 0) continue;
      for (const [server, result] of results) samples[index]!.get(server)!.push(result);
      if (floorResult !== undefined) floors[index]!.push(floorResult);
    }
  return jobs.map(({ name, title, unit, floor, max }, index) => ({
    ...{ name, title, unit },
    rounds: [...samples[index]!.values()][0]!.length,
    measured: Object.fromEntries([...samples[index]!].map(([server, values]) => [server, summary(values)])),
    ...(floor && { floor: { title: floor.title, ...summary(floors[index]!) } }),
    ...(floor?.maxRatio !== undefined && { maxRatio: floor.maxRatio }),
    ...(max !== undefined && { max }),
  }));
}

const summary = (values: readonly number[]): Measured => ({
  median: median([...values]),
  min: Math.min(...values),
  max: Math.max(...values),
});
