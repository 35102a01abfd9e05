/** Measures workloads on several servers. The servers alternate, so that other load of the machine affects all. */
import { median } from 'simple-statistics';
import type { BenchResult, Measured } from '../../../reports/tools/bench-report.js';
import { createDataset, type Dataset } from './dataset.js';
import type { Client } from '../client.js';
import type { Work } from './floors.js';
import type { Workload } from './workloads.js';

export interface BenchOptions {
  readonly documents: number;
  /** Measurements, after a warm-up. */
  readonly rounds: number;
  /** Time after which no further round starts. */
  readonly seconds: number;
  /**
   * How long each server works before its first measurement, and each floor before every one: V8 compiles a server while
   * it works. Before each further measurement, a server works for an eighth of this time.
   */
  readonly warmUpMs: number;
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
    return await measureRounds(datasets, workloads, options);
  } finally {
    for (const { target, path } of datasets) await target.read('DELETE', path);
  }
}

/** Measures workloads that start the reference server themselves, and use no dataset. */
export const benchOwn = (
  target: Client,
  workloads: readonly Workload[],
  options: Omit<BenchOptions, 'documents' | 'warmUpMs'>,
): Promise<BenchResult[]> =>
  measureRounds([{ target, path: '', documents: 0 }], workloads, { ...options, warmUpMs: 0 });

async function measureRounds(
  datasets: readonly Dataset[],
  workloads: readonly Workload[],
  { rounds, seconds, warmUpMs, log }: Omit<BenchOptions, 'documents'>,
): Promise<BenchResult[]> {
  const end = performance.now() + seconds * 1000;
  const series = workloads.map((workload) => ({
    workload,
    samples: new Map(datasets.map(({ target }) => [target.title, [] as number[]])),
    floors: [] as number[],
    failed: new Map<string, string>(),
  }));
  for (let round = 0; round <= rounds && (round <= 1 || performance.now() < end); round++) {
    const isMeasured = round > 0;
    // A server that was idle since its last turn is slow for a moment. A floor works right before it is measured, too.
    const beforeMs = isMeasured ? warmUpMs / 8 : warmUpMs;
    for (const { workload, samples, floors, failed } of series) {
      log(`${isMeasured ? `round ${round} of ${rounds}` : 'warm-up'}: ${workload.name}`);
      for (const dataset of round % 2 === 0 ? datasets : datasets.toReversed()) {
        const { title } = dataset.target;
        if (failed.has(title)) continue;
        try {
          if (!isMeasured || beforeMs > 0) await warmUp(workload.measure, dataset, beforeMs);
          if (isMeasured) samples.get(title)!.push(await workload.measure(dataset));
        } catch (error) {
          if (dataset === datasets[0]) throw error;
          failed.set(title, (error as Error).message);
          samples.delete(title);
          log((error as Error).message);
        }
      }
      if (workload.floor && isMeasured)
        floors.push(
          await workload.floor.measure(datasets[0]!, async (dataset) => {
            await warmUp(workload.measure, dataset, warmUpMs);
            return workload.measure(dataset);
          }),
        );
    }
  }
  return series.map(({ workload: { name, title, unit, floor, max, note }, samples, floors, failed }) => ({
    name,
    title,
    unit,
    rounds: [...samples.values()][0]!.length,
    measured: Object.fromEntries([...samples].map(([server, values]) => [server, summary(values)])),
    ...(failed.size > 0 && { failed: Object.fromEntries(failed) }),
    ...(floor && { floor: { title: floor.title, ...summary(floors) } }),
    ...(floor?.maxRatio !== undefined && { maxRatio: floor.maxRatio }),
    ...(max !== undefined && { max }),
    ...(note !== undefined && { note }),
  }));
}

/** Does the work for this time, and at least once. */
async function warmUp(work: Work, dataset: Dataset, ms: number): Promise<void> {
  const end = performance.now() + ms;
  do await work(dataset);
  while (performance.now() < end);
}

function summary(values: readonly number[]): Measured {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
