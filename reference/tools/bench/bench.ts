/** Measures workloads on one or two servers. The servers alternate, so that other load of the machine affects both. */
import { median } from 'simple-statistics';
import { createDataset, type Dataset } from './dataset.js';
import type { BenchmarkTarget } from './target.js';
import type { Workload } from './workloads.js';

export interface BenchOptions {
  readonly documents: number;
  readonly rounds: number;
  /** Time after which no further round starts. */
  readonly seconds: number;
  readonly log: (message: string) => void;
}

export interface Measured {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Result {
  readonly workload: string;
  readonly unit: Workload['unit'];
  readonly rounds: number;
  /** One for each target. */
  readonly measured: readonly Measured[];
  /** How many times faster the first target is than the second, based on the medians. */
  readonly ratio?: number;
}

/** Rejects if a response is wrong. Always deletes the databases that it created. */
export async function bench(
  targets: readonly BenchmarkTarget[],
  workloads: readonly Workload[],
  { documents, rounds, seconds, log }: BenchOptions,
): Promise<Result[]> {
  const end = performance.now() + seconds * 1000;
  const datasets: Dataset[] = [];
  const samples = workloads.map(() => targets.map((): number[] => []));
  try {
    for (const target of targets) {
      log(`${target.title}: writing ${documents} documents`);
      datasets.push(await createDataset(target, documents));
    }
    for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round++)
      for (const [index, workload] of workloads.entries()) {
        log(`round ${round + 1} of ${rounds}: ${workload.name}`);
        const order = [...datasets.entries()];
        for (const [target, dataset] of round % 2 === 0 ? order : order.reverse())
          samples[index]![target]!.push(await workload.measure(dataset));
      }
  } finally {
    for (const { target, path } of datasets) await target.send('DELETE', path);
  }
  return workloads.map((workload, index) => summary(workload, samples[index]!));
}

function summary({ name, unit }: Workload, samples: readonly number[][]): Result {
  const measured = samples.map((values) => ({
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
  }));
  const result = { workload: name, unit, rounds: samples[0]!.length, measured };
  const [first, second] = measured;
  if (!first || !second) return result;
  return { ...result, ratio: unit === 'ms' ? second.median / first.median : first.median / second.median };
}
