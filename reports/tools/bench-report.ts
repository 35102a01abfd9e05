/** The data of `bench.json`, format `docfeed-bench/1`: results of `npm run bench`. Less is better in all of them. */
import type { Environment } from '../report.js';

export interface Measured {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface BenchResult {
  readonly name: string;
  /** The work, in words. */
  readonly title: string;
  /** Such as `ms/row`. */
  readonly unit: string;
  readonly rounds: number;
  /** By the names of the servers. Some work is measured on the reference server alone. */
  readonly measured: Readonly<Record<string, Measured>>;
  /** Why the work could not be measured on other servers, by their names. */
  readonly failed?: Readonly<Record<string, string>>;
  /** The least that the work can cost on this machine, measured in the same rounds. */
  readonly floor?: Measured & { readonly title: string };
  /** Why a ratio is as large as it is. */
  readonly note?: string;
  /** `npm run bench -- --check` fails if the median is more than `maxRatio` times its floor, or more than `max`. */
  readonly maxRatio?: number;
  readonly max?: number;
}

/** How a figure changes while something grows: results of `npm run bench -- --scale`. */
export interface BenchCurve {
  readonly name: string;
  /** The figure and what grows, in words. */
  readonly title: string;
  /** Such as `ms`. */
  readonly unit: string;
  /** By size. A server that failed at a size, or of which the figure is not known, is absent. */
  readonly points: readonly { readonly size: number; readonly measured: Record<string, number> }[];
}

export interface BenchReport {
  readonly format: 'docfeed-bench/1';
  readonly startedAt: string;
  readonly environment: Environment;
  /** The command line that repeats the benchmark, without secrets. */
  readonly command: string;
  /** Number of documents of the database that the workloads read. */
  readonly documents: number;
  /** The reference server is the first. */
  readonly servers: readonly { readonly name: string; readonly greeting: string }[];
  readonly results: readonly BenchResult[];
  readonly curves?: readonly BenchCurve[];
}

/** @returns how many times longer the other server takes than the reference server; undefined if it was not measured */
export function speedup({ measured }: BenchResult, other: string): number | undefined {
  const [own] = Object.values(measured);
  const others = measured[other];
  return own && others && others.median / own.median;
}

/** @returns how many times longer the reference server takes than the floor; undefined if there is none */
export function ratioToFloor({ measured, floor }: BenchResult): number | undefined {
  const [own] = Object.values(measured);
  return own && floor && own.median / floor.median;
}

/** @returns the results that are over their limit, one sentence for each */
export function benchFindings({ results }: Pick<BenchReport, 'results'>): string[] {
  return results.flatMap((result) => {
    const { name, unit, max = Infinity, maxRatio = Infinity } = result;
    const ratio = ratioToFloor(result) ?? 0;
    const { median } = Object.values(result.measured)[0]!;
    return [
      ...(ratio > maxRatio
        ? [
            `${name} takes ${ratio.toFixed(1)} times as long as ${result.floor!.title}; the limit is ${maxRatio}.`,
          ]
        : []),
      ...(median > max ? [`${name} is ${median} ${unit}; the limit is ${max}.`] : []),
    ];
  });
}

/** @returns for example `12.3 (11.9 to 15.0)`: the median, and the lowest and highest result */
export function formatMeasured(measured: Measured | undefined): string {
  if (!measured) return '';
  return `${formatNumber(measured.median)} (${formatNumber(measured.min)} to ${formatNumber(measured.max)})`;
}

/** Three significant digits. */
export function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
