/** Measures workloads on several servers. The servers alternate, so that other load of the machine affects all. */
import { median } from 'simple-statistics';
import type { BenchResult, Measured } from '../../../reports/tools/bench-report.js';
import { createDataset, type Dataset } from './dataset.js';

import type { Client } from '../client.js';
import type { OwnWorkload, Workload } from './workloads.js';

export interface BenchOptions {
  readonly documents: number;
  /** The first round is a warm-up in addition to these. */
  readonly rounds: number;
  /** Time after which no further round starts. */
  readonly seconds: number;
  readonly log: (message: string) => void;
}

/**
 * Always deletes the databases that it created.
 *
 * @throws Error if a response of the first server is wrong. A workload that fails on another server is not measured there.
 */
export async function bench(
  targets: readonly Client[],
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
        measureFloor: () => workload.floor!.measure(datasets[0]!, workload.measure),
      })),
      options,
    );
  } finally {
    for (const { target, path } of datasets) await target.read('DELETE', path);
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

interface Job extends Pick<OwnWorkload, 'name' | 'title' | 'unit' | 'max'>, Pick<Workload, 'note'> {
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
  const series = jobs.map((job) => ({
    ...job,
    samples: new Map([...job.measures.keys()].map((server) => [server, [] as number[]])),
    floors: [] as number[],
    failed: new Map<string, string>(),
  }));
  for (let round = 0; round <= rounds && (round <= 1 || performance.now() < end); round++)
    for (const { name, floor, measures, measureFloor, samples, floors, failed } of series) {
      log(`${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${name}`);
      const [first] = measures.keys();
      const order = [...measures].filter(([server]) => !failed.has(server));
      const results = new Map<string, number>();
      for (const [server, measure] of round % 2 === 0 ? order : order.reverse())
        try {
          results.set(server, await measure());
        } catch (error) {
          if (server === first) throw error;
          failed.set(server, (error as Error).message);
          log((error as Error).message);
        }
      const floorResult = floor && (await measureFloor());
      if (round === 0) continue;
      for (const [server, result] of results) samples.get(server)!.push(result);
      if (floorResult !== undefined) floors.push(floorResult);
    }
  return series.map(({ name, title, unit, floor, max, note, samples, floors, failed }) => ({
    ...{ name, title, unit },
    rounds: [...samples.values()][0]!.length,
    measured: Object.fromEntries(
      [...samples]
        .filter(([server]) => !failed.has(server))
        .map(([server, values]) => [server, summary(values)]),
    ),
    ...(failed.size > 0 && { failed: Object.fromEntries(failed) }),
    ...(floor && { floor: { title: floor.title, ...summary(floors) } }),
    ...(floor?.maxRatio !== undefined && { maxRatio: floor.maxRatio }),
    ...(max !== undefined && { max }),
    ...(note !== undefined && { note }),
  }));
}

const summary = (values: readonly number[]): Measured => ({
  median: median([...values]),
  min: Math.min(...values),
  max: Math.max(...values),
});
