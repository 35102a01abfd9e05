/** Two servers side by side: which of the list's requests they answer differently. */
import { randomBytes } from 'node:crypto';
import pMap from 'p-map';
import { aspectsOf, type Aspects } from './response-values.js';
import type { Administrator } from '../../index.js';
import { Player } from './target.js';
import type { Entry } from './requests.js';

export interface Difference {
  /** Name of the request. */
  readonly request: string;
  /** What differs: `status`, `header.NAME` or `body.PATH`. */
  readonly aspect: string;
  /** Undefined where the server has nothing of the kind. */
  readonly a: string | undefined;
  readonly b: string | undefined;
}

export interface Comparison {
  /** What the servers call their vendor. */
  readonly vendors: readonly (string | undefined)[];
  /** In the order of the list; those of requests that change settings come last. */
  readonly differences: readonly Difference[];
}

/** Requests at a time: hashing passwords keeps a server busy, and feeds wait. */
const concurrency = 6;

/** Rejects when a server cannot be reached, refuses the administrator, or does not make what a request needs. */
export async function compare(
  urls: readonly [a: string, b: string],
  administrator: Administrator,
  entries: readonly Entry[],
): Promise<Comparison> {
  const prefix = `docfeed-compare-${randomBytes(4).toString('hex')}-`;
  const players = await Promise.all(urls.map((url) => Player.connect(url, prefix, administrator)));
  try {
    const compareAll = (some: readonly Entry[], concurrency: number) =>
      pMap(some, (entry) => compareEntry(players, entry, entries.indexOf(entry)), { concurrency });
    const changesServer = ({ settings }: Entry) => Object.keys(settings).length > 0;
    const together = await compareAll(
      entries.filter((entry) => !changesServer(entry)),
      concurrency,
    );
    const alone = await compareAll(entries.filter(changesServer), 1);
    return {
      vendors: await Promise.all(players.map((player) => player.vendor())),
      differences: [...together, ...alone].flat(),
    };
  } finally {
    for (const player of players) {
      await player.clear();
      await player.close();
    }
  }
}

async function compareEntry(players: readonly Player[], entry: Entry, number: number): Promise<Difference[]> {
  const [a, b] = await Promise.all(players.map((player) => aspectsAt(player, entry, number)));
  return differing(a!, b!).map((difference) => ({ request: entry.name, ...difference }));
}

async function aspectsAt(player: Player, entry: Entry, number: number): Promise<Aspects> {
  const words = await player.prepare(entry, number);
  try {
    const reply = await player.withSettings(entry.settings, () => player.send(entry, words));
    return aspectsOf(reply, player.base);
  } catch (error) {
    // A server that hangs up, or never ends, answers differently from one that does not.
    return new Map([['status', (error as Error).message]]);
  }
}

/** Of answers with different statuses that alone: all else follows from it. */
function differing(a: Aspects, b: Aspects): Omit<Difference, 'request'>[] {
  if (a.get('status') !== b.get('status')) {
    return [{ aspect: 'status', a: statusAndReason(a), b: statusAndReason(b) }];
  }
  const names = [...new Set([...a.keys(), ...b.keys()])];
  const all = names.map((aspect) => ({ aspect, a: a.get(aspect), b: b.get(aspect) }));
  return all.filter((one) => one.a !== one.b);
}

function statusAndReason(aspects: Aspects): string {
  const reason = aspects.get('body.reason');
  return `${aspects.get('status')}${reason === undefined ? '' : ` ${reason}`}`;
}
