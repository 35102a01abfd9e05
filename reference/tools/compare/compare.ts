/** Sends the same requests to two servers and compares the responses. */
import { randomBytes } from 'node:crypto';
import pMap from 'p-map';
import { responseValues, type ResponseValues } from './response-values.js';
import type { Administrator } from '../../index.js';
import { CompareTarget } from './compare-target.js';
import type { Entry } from './requests.js';

export interface Difference {
  /** Name of the request. */
  readonly request: string;
  /** What differs: `status`, `header.NAME` or `body.PATH`. */
  readonly path: string;
  /** Undefined if the response does not have the value. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

export interface Comparison {
  /** Vendor names in the greetings of the servers. */
  readonly vendors: readonly (string | undefined)[];
  /** In the order of the requests. Requests that change settings come last. */
  readonly differences: readonly Difference[];
}

/** Number of concurrent requests. */
const concurrency = 6;

/** Rejects if a server is unreachable, rejects the administrator, or the setup of a request fails. */
export async function compare(
  urls: readonly [a: string, b: string],
  administrator: Administrator,
  entries: readonly Entry[],
): Promise<Comparison> {
  const prefix = `docfeed-compare-${randomBytes(4).toString('hex')}-`;
  const targets = await Promise.all(urls.map((url) => CompareTarget.connect(url, prefix, administrator)));
  try {
    const compareAll = (some: readonly Entry[], concurrency: number) =>
      pMap(some, (entry) => compareEntry(targets, entry, entries.indexOf(entry)), { concurrency });
    const changesServer = ({ settings }: Entry) => Object.keys(settings).length > 0;
    const concurrent = await compareAll(
      entries.filter((entry) => !changesServer(entry)),
      concurrency,
    );
    const serial = await compareAll(entries.filter(changesServer), 1);
    return {
      vendors: await Promise.all(targets.map((target) => target.vendor())),
      differences: [...concurrent, ...serial].flat(),
    };
  } finally {
    for (const target of targets) await target.clear();
  }
}

async function compareEntry(
  targets: readonly CompareTarget[],
  entry: Entry,
  number: number,
): Promise<Difference[]> {
  const [a, b] = await Promise.all(targets.map((target) => responseOf(target, entry, number)));
  return differencesOf(a!, b!).map((difference) => ({ request: entry.name, ...difference }));
}

async function responseOf(target: CompareTarget, entry: Entry, number: number): Promise<ResponseValues> {
  const variables = await target.prepare(entry, number);
  try {
    const reply = await target.withSettings(entry.settings, () => target.send(entry, variables));
    return responseValues(reply, target.base);
  } catch (error) {
    // A closed connection or a timeout counts as a difference of the status.
    return new Map([['status', (error as Error).message]]);
  }
}

/** If the statuses differ, other differences are not reported, because they follow from it. */
function differencesOf(a: ResponseValues, b: ResponseValues): Omit<Difference, 'request'>[] {
  if (a.get('status') !== b.get('status')) {
    return [{ path: 'status', a: statusAndReason(a), b: statusAndReason(b) }];
  }
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const all = names.map((path) => ({ path, a: a.get(path), b: b.get(path) }));
  return all.filter((one) => one.a !== one.b);
}

function statusAndReason(values: ResponseValues): string {
  const reason = values.get('body.reason');
  return `${values.get('status')}${reason === undefined ? '' : ` ${reason}`}`;
}
